"""The window with the count page, and hands to work it: shared by the tests of the page, the window and the export."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Folding
from dpdesigner.desktop.base.controls import MoreRow, ValueBox
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.pages.count.page import CountPage
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.study import Study, design_of

WAIT = 15_000
LEFT = Qt.MouseButton.LeftButton
W = TypeVar("W", bound=QWidget)


@contextmanager
def opened(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, study: Study, title: str = "An example") -> Iterator[MainWindow]:
    """A shown window with a study that is solved, in which no card need fold; unsaved changes are given up when it closes."""
    make_application()
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    window = MainWindow([study], title)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.resize(1280, 860)
    window.activateWindow()
    await_answers(qtbot, window)
    await_cards(qtbot, window)
    yield window
    preferences().choose(scheme="system", text_scale=1.0)


def await_cards(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the cards that give way where room is short have done so, or have come back."""
    qtbot.wait(50)
    qtbot.waitUntil(lambda: not any(folding._soon.isActive() for folding in window.findChildren(Folding)))


def count_and_noise(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A shown window with a small design, which is solved, and a noise study behind it."""
    window = MainWindow([CountDesign(5, alpha="1/2"), NoiseDesign(epsilon=1)], "test")
    monkeypatch.setattr(window.questions, "save_changes", lambda title: "discard")
    qtbot.addWidget(window)
    window.show()
    await_answers(qtbot, window)
    return window


def page(window: MainWindow) -> CountPage:
    """The count page of a window."""
    assert isinstance(window.host.page, CountPage)
    return window.host.page


def part(window: QWidget, kind: type[W]) -> W:
    """The widget of a class; of several, the leftmost that is visible."""
    return min(window.findChildren(kind), key=lambda found: (not found.isVisible(), _left(found)))


def _left(widget: QWidget) -> int:
    return widget.mapTo(widget.window(), QPoint()).x()


def release_plot(window: MainWindow) -> CurvePlot:
    """The bars of the release."""
    return page(window)._results.release.plot


def curve_plot(window: MainWindow) -> CurvePlot:
    """The error against epsilon."""
    return page(window)._results.curves.plot


def await_answers(qtbot: QtBot, window: MainWindow, *names: str) -> None:
    """Wait until the jobs of these names (the closed form, without any) have answered for the study that is shown."""

    def current(name: str) -> bool:
        outcome = page(window).outcomes.get(name)
        return outcome is not None and (design_of(outcome) or window.document.study) == window.document.study

    qtbot.waitUntil(lambda: all(current(name) for name in ("solve", *names)), timeout=WAIT)


def press_button(root: QWidget, text: str) -> None:
    """Click the button with a text, wherever in the window it is, or choose it in the menu at the end of its row."""
    button = next((found for found in root.findChildren(QPushButton) if found.text() == text and found.isVisibleTo(root)), None)
    if button is not None:
        QTest.mouseClick(button, LEFT)
    else:
        next(action for action in offered(root) if action.text() == text).trigger()


def offered(root: QWidget) -> list[QAction]:
    """What the menus at the end of rows offer."""
    rows = [row for row in root.findChildren(MoreRow) if row.menu_button.isVisible()]
    for row in rows:
        row.menu_button.menu().aboutToShow.emit()
    return [action for row in rows for action in row.menu_button.menu().actions()]


def write(box: ValueBox, text: str) -> None:
    """Type over what a box holds and press Enter."""
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def box_named(root: QWidget, name: str) -> ValueBox:
    """The text box whose accessible name begins so."""
    return next(box for box in root.findChildren(ValueBox) if box.accessibleName().startswith(name))


def sentences(root: QWidget) -> list[str]:
    """What the visible error labels say."""
    found = [label for label in root.findChildren(QLabel) if label.property("class") == "error" and label.isVisibleTo(root)]
    return [label.text() for label in found if label.text()]


def paint(window: MainWindow, points: list[tuple[float, float]]) -> None:
    """Drag over the bars of the prior: (count, part of the plot's height)."""
    plot = part(window, DistributionPlot)
    frame = plot.frame
    pixels = [QPointF(frame.x(count), frame.y(share * frame.top)) for count, share in points]
    mouse.drag(plot.viewport(), pixels)


def slide(slider: GestureSlider, *values: int) -> None:
    """Drag a slider's handle from where it is over these values."""
    places = [QPointF(slider.x_of(value), slider.height() / 2) for value in (slider.value(), *values)]
    mouse.drag(slider, places)


def click_cell(view: MatrixView, row: int, column: int) -> None:
    """Click the middle of a cell."""
    frame = view.figure().frame
    QTest.mouseClick(view.figure().viewport(), LEFT, pos=QPointF(frame.x(column), frame.y(row)).toPoint())


def click_bar(plot: CurvePlot, place: int) -> None:
    """Click the foot of a bar."""
    frame = plot.figure().frame
    QTest.mouseClick(plot.figure().viewport(), LEFT, pos=QPointF(frame.x(place), frame.area.bottom() - 3).toPoint())


def drag_cursor(plot: CurvePlot, *epsilons: float) -> None:
    """Drag the cursor of a curve from where it is over these epsilons."""
    frame, start = plot.figure().frame, plot.handles()[0].place
    places = [QPointF(frame.x(float(np.log10(x))), frame.area.center().y()) for x in (start, *epsilons)]
    mouse.drag(plot.figure().viewport(), places)


def cells(view: MatrixView) -> list[list[str]]:
    """The matrix as its text, without the labels of rows and columns."""
    return [line.split("\t")[1:] for line in view.as_text().splitlines()[1:]]


def numbers(view: MatrixView) -> Any:
    """The matrix as floats."""
    return np.array([[float(cell) for cell in line] for line in cells(view)])


def steps(window: MainWindow) -> int:
    """How many steps can be undone."""
    return window.document.undo_stack.index()


def undo(window: MainWindow) -> None:
    """Press Ctrl+Z on the page."""
    page(window).setFocus()
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
