"""What a user does in the window and reads there: controls are found by what they are called, and texts by being visible.

Nothing here knows how a page is put together, so that it may be put together in another way. What is found by more than its name
is found here only: where a plot has a place along its axis, and how the tabs that do not fit are reached.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QTableWidget,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from dpdesigner.desktop.base.card import Folding
from dpdesigner.desktop.base.controls import ButtonRow, MoreRow
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import read_project
from dpdesigner.studies.study import design_of

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key
NO, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
#: How long (milliseconds) a thread may need to come to its end on a busy machine.
PATIENCE = 60_000
W = TypeVar("W", bound=QWidget)


_DRAWN = {"synthetic": "facts.synthetic.counts", "rectangle": "grid.counts", "net": "drawn", "halfspace": "released.counts"}


def everything_drawn(answer: Any) -> Any:
    """Return all that is random in the answer of synthetic data."""
    return np.asarray(attrgetter(_DRAWN[answer.design.kind])(answer)).tolist()


class Hands:
    """The hands and eyes of a user at a window in which a file is open."""

    def __init__(self, qtbot: QtBot, window: MainWindow, path: Path) -> None:
        self.qtbot, self.window, self.path = qtbot, window, path

    # Eyes --------------------------------------------------------------------------------------------------------------

    def said(self) -> str:
        """Every text that can be read now, and what is said of plots to those who do not see them."""
        front = self.front()
        found = [front, *front.findChildren(QWidget)]
        return (
            "\n".join(text for widget in found if widget.isVisible() for text in _texts(widget))
            .replace("\u00a0", " ")
            .replace("\u202f", " ")
        )

    def says(self, *texts: str) -> bool:
        """Whether all these can be read."""
        said = self.said()
        return all(text in said for text in texts)

    def reads(self, *texts: str) -> None:
        """Wait until all these can be read; fail with what is said instead."""
        try:
            self.qtbot.waitUntil(lambda: self.says(*texts))
        except Exception as error:
            missing = [text for text in texts if not self.says(text)]
            raise AssertionError(f"{missing} cannot be read in:\n{self.said()}") from error

    def waits(self, true: Callable[[], bool]) -> None:
        """Wait until something is true."""
        self.qtbot.waitUntil(true)

    def settles(self) -> None:
        """Wait until what is shown is the answer to the design that is shown, and has its place."""

        late: QWidget | None = None

        def computing() -> bool:
            """Return True if a text says so; the widget that said it last is asked first, since asking all takes milliseconds."""
            nonlocal late
            if late is None or not _computes(late):
                front = self.front()
                late = next((widget for widget in (front, *front.findChildren(QWidget)) if _computes(widget)), None)
            return late is not None

        def answered() -> bool:
            page, study = self.window.host.page, self.window.document.study
            outcome = None if page is None else page.outcomes.get("solve")
            if outcome is None or design_of(outcome) != study or computing():
                return False
            return not any(folding._soon.isActive() for folding in self.window.findChildren(Folding))

        self.qtbot.waitUntil(answered)

    def front(self) -> QWidget:
        """The dialog in front, or the window."""
        dialog = QApplication.activeModalWidget()
        return self.window if dialog is None else dialog

    def find(self, kind: type[W], name: str) -> W:
        """The visible widget of a kind whose text or accessible name is, or begins with, this one."""
        seen = [widget for widget in self.front().findChildren(kind) if widget.isVisible()]
        for fits in (str.__eq__, str.startswith):
            found = [widget for widget in seen if any(fits(text, name) for text in _names(widget))]
            if found:
                return found[0]
        raise AssertionError(f"no visible {kind.__name__} is called {name!r}: {sorted({_names(widget)[0] for widget in seen})}")

    def sees(self, kind: type[QWidget], name: str) -> bool:
        """Whether there is a visible widget of that name."""
        return any(name in _names(widget) for widget in self.front().findChildren(kind) if widget.isVisible())

    def chosen(self, *texts: str) -> list[str]:
        """Those of these buttons that are pressed down."""
        return [text for text in texts if (self._in_menu(text) or self.find(QAbstractButton, text)).isChecked()]

    def errors(self) -> list[str]:
        """The sentences that say what cannot be."""
        found = self.front().findChildren(QLabel)
        return [label.text() for label in found if label.property("class") == "error" and label.isVisible() and label.text()]

    def undo_text(self) -> str:
        """What Edit > Undo would take back."""
        return self.action("Edit", "Undo").text().replace("&", "").removeprefix("Undo").strip()

    # Mouse and keys ----------------------------------------------------------------------------------------------------

    def press(self, text: str) -> None:
        """Click a button, or choose it in the menu at the end of its row."""
        if not self.sees(QAbstractButton, text) and (action := self._in_menu(text)) is not None:
            action.trigger()
            return
        button = self.find(QAbstractButton, text)
        assert button.isEnabled(), f"{text} cannot be pressed"
        self._reveal(button)
        QTest.mouseClick(button, LEFT)

    def _in_menu(self, text: str) -> QAction | None:
        """What the menus at the end of rows offer under a name."""
        for row in (*self.front().findChildren(MoreRow), *self.front().findChildren(ButtonRow)):
            if row.menu_button.isVisible():
                row.menu_button.menu().aboutToShow.emit()
                for action in row.menu_button.menu().actions():
                    if text in (plain(action.text()), action.toolTip()):
                        return action
        return None

    def text(self, name: str) -> str:
        """What a box holds."""
        return self.find(QLineEdit, name).text()

    def write(self, name: str, text: str, enter: bool = True) -> None:
        """Type over what a box holds, and press Enter."""
        box = self.find(QLineEdit, name)
        self._reveal(box)
        QTest.mouseClick(box, LEFT)
        box.selectAll()
        if text:
            QTest.keyClicks(box, text)
        else:
            QTest.keyClick(box, Key.Key_Delete)
        if enter:
            QTest.keyClick(box, Key.Key_Return)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NO) -> None:
        """Press a key, wherever the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifier)

    def type(self, text: str) -> None:
        """Type, wherever the focus is."""
        QTest.keyClicks(QApplication.focusWidget() or self.window, text)

    def drop(self, widget: QWidget, *paths: Path) -> Qt.DropAction:
        """Drop files onto a widget, from a program that would rather move them; return what that program is told was done."""
        data, around = QMimeData(), widget
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        while not (
            around.acceptDrops() and (action := mouse.drop_moving(around, QPointF(around.rect().center()), data)) is not None
        ):
            parent = around.parentWidget()
            assert parent is not None, "nothing takes the files"
            around = parent
        return action

    def undo(self) -> None:
        """Press Ctrl+Z, with the focus on no box."""
        self.window.setFocus()
        self.key(Key.Key_Z, CONTROL)

    def tabs(self) -> list[str]:
        """The texts of the views, also of those that do not fit."""
        row = self._tab_row()
        shown = [tab.text() for tab in row.findChildren(QToolButton) if tab.isVisible() and not tab.text().endswith("▾")]
        return shown + [action.text() for menu in row.findChildren(QMenu) for action in menu.actions() if action.isVisible()]

    def tab(self, text: str) -> None:
        """Open a view."""
        row = self._tab_row()
        for tab in row.findChildren(QToolButton):
            if tab.isVisible() and tab.text() == text:
                QTest.mouseClick(tab, LEFT)
                return
        for menu in row.findChildren(QMenu):
            for action in menu.actions():
                if action.isVisible() and action.text() == text:
                    action.trigger()
                    return
        raise AssertionError(f"no view is called {text!r}: {self.tabs()}")

    def _tab_row(self) -> QWidget:
        def rows() -> list[QWidget]:
            return [row for row in self.window.findChildren(QWidget) if row.accessibleName() == "Views" and row.isVisible()]

        self.qtbot.waitUntil(lambda: bool(rows()))  # it is made anew for each kind of design
        return rows()[0]

    def plot(self, name: str) -> Any:
        """The plot whose accessible name begins so, once it is there."""

        def there() -> bool:
            seen = (widget for widget in self.front().findChildren(QWidget) if widget.isVisible())
            return any(text.startswith(name) for widget in seen for text in _names(widget))

        self.qtbot.waitUntil(there)
        return self.find(QWidget, name)

    def drag(self, plot: Any, *places: float, heights: tuple[float, ...] = ()) -> None:
        """Drag over places along the axis of a plot, on a logarithmic axis those of the logarithms to base 10."""
        figure = plot.figure()
        frame = figure.frame
        middle = frame.area.center().y()
        ys = heights or (middle,) * len(places)
        mouse.drag(figure.viewport(), [QPointF(frame.x(x), y) for x, y in zip(places, ys, strict=True)])

    def hover(self, plot: Any, x: float, y: float | None = None) -> None:
        """Move the mouse to a place of a plot, half way up or at a height along its other axis."""
        figure = plot.figure() if hasattr(plot, "figure") else plot
        height = figure.frame.area.center().y() if y is None else figure.frame.y(y)
        mouse.move(figure.viewport(), QPointF(figure.frame.x(x), height))

    def cell(self, name: str, row: int, column: int, text: str) -> None:
        """Type a cell of a table."""
        grid = self.find(QTableWidget, name)
        place = grid.visualItemRect(grid.item(row, column)).center()
        QTest.mouseClick(grid.viewport(), LEFT, pos=place)
        QTest.mouseDClick(grid.viewport(), LEFT, pos=place)
        editor = grid.viewport().findChild(QLineEdit)
        assert editor is not None, "the cell cannot be edited"
        editor.selectAll()
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Key.Key_Return)
        QApplication.processEvents()  # the table takes it once the key is through

    def cells(self, name: str) -> list[list[str]]:
        """What a table holds."""
        grid = self.find(QTableWidget, name)
        return [[grid.item(row, column).text() for column in range(grid.columnCount())] for row in range(grid.rowCount())]

    def items(self, name: str) -> list[str]:
        """What a list to choose from offers."""
        box = self.find(QComboBox, name)
        return [box.itemText(place) for place in range(box.count())]

    def action(self, *trail: str) -> QAction:
        """The command of the menus with these names, without the letters underlined and what follows the last one."""
        actions = list(self.window.menuBar().actions())
        for place, text in enumerate(trail):
            found = next((action for action in actions if plain(action.text()).startswith(text)), None)
            assert found is not None, f"{text!r} is none of {[plain(action.text()) for action in actions]}"
            if place == len(trail) - 1:
                return found
            menu = found.menu()
            menu.aboutToShow.emit()
            actions = menu.actions()
        raise AssertionError("no name given")

    def command(self, *trail: str) -> None:
        """Choose a command in the menus."""
        action = self.action(*trail)
        assert action.isEnabled(), f"{trail} cannot be chosen now"
        action.trigger()

    def copied(self) -> str:
        """What Edit > Copy puts on the clipboard; empty if nothing."""
        QGuiApplication.clipboard().clear()
        self.window.setFocus()
        self.command("Edit", "Copy")
        return QGuiApplication.clipboard().text()

    def saved(self) -> dict[str, Any]:
        """Return the contents of the file after File > Save."""
        self.window.setFocus()
        self.command("File", "Save")
        self.qtbot.waitUntil(lambda: not self.window.isWindowModified())
        data: dict[str, Any] = json.loads(self.path.read_text("utf-8"))
        return data

    @staticmethod
    def _reveal(widget: QWidget) -> None:
        """Scroll to a widget, as a user would."""
        from PySide6.QtWidgets import QScrollArea

        around = widget.parentWidget()
        while around is not None:
            if isinstance(around, QScrollArea):
                around.ensureWidgetVisible(widget)
            around = around.parentWidget()


def plain(text: str) -> str:
    """The text of a command without the mark of its underlined letter."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _names(widget: QWidget) -> list[str]:
    """What a widget is called: its accessible name and its text."""
    text = widget.text() if isinstance(widget, (QAbstractButton, QLabel)) else ""
    return [name for name in (widget.accessibleName(), plain(text)) if name] or [""]


def _computes(widget: QWidget) -> bool:
    return isValid(widget) and widget.isVisible() and any("computing…" in text for text in _texts(widget))


def _texts(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        yield widget.accessibleName() or widget.text()
        if widget.accessibleName() and widget.text() != widget.accessibleName():
            yield widget.text()
    elif isinstance(widget, (QAbstractButton, QLineEdit)):
        yield widget.text()
    elif isinstance(widget, QTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QTreeWidget):
        for place in range(widget.topLevelItemCount()):
            item = widget.topLevelItem(place)
            if item is not None:
                yield "\t".join(item.text(column) for column in range(widget.columnCount()))
    else:
        yield from (text for text in (widget.accessibleName(), widget.accessibleDescription()) if text)


@contextmanager
def opened(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, path: Path, size: tuple[int, int] = (1280, 720)) -> Iterator[Hands]:
    """A window with a file; what is not saved is given up at the end, and no question is left open."""
    make_application()
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: True)
    window = MainWindow(read_project(path).studies)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.resize(*size)
    window.activateWindow()
    assert window.filing.open_path(path)
    hands = Hands(qtbot, window, path)
    yield hands
    front = QApplication.activeModalWidget()
    if isinstance(front, QDialog):
        front.reject()
    window.worker.stop(PATIENCE)  # what cannot be interrupted comes to its end before its thread goes
    preferences().choose(scheme="system", text_scale=1.0)


def log(value: float) -> float:
    """Where a value stands on a logarithmic axis."""
    return math.log10(value)
