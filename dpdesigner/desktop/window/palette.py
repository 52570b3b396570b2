"""The command palette: type a few letters, press Enter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from shiboken6 import isValid

from dpdesigner.desktop.base.labels import announce
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.window.menus import plain_text

#: Index of an item's command in the list; actions may be deleted while the palette is open, so items don't hold them.
_PLACE = Qt.ItemDataRole.UserRole


class CommandPalette(QFrame):
    """A list of commands over the top of the window, filtered as the user types; created each time it is opened."""

    def __init__(self, commands: Sequence[tuple[str, QAction]], window: QWidget) -> None:
        super().__init__(window)
        set_class(self, "card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Command palette"))
        self._commands, self._window = list(commands), window
        self._before = QApplication.focusWidget()
        self.entry = QLineEdit()
        self.entry.setPlaceholderText(self.tr("Type a command"))
        self.entry.setAccessibleName(self.tr("Command"))
        self.entry.textChanged.connect(self._filter)
        self.entry.installEventFilter(self)
        self.results = QTreeWidget()
        self.results.setColumnCount(3)
        self.results.setHeaderHidden(True)
        self.results.setRootIsDecorated(False)
        self.results.setUniformRowHeights(True)
        self.results.setStyleSheet("QTreeView { border: none; } QTreeView::item { padding: 3px; }")
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        columns = self.results.header()
        columns.setStretchLastSection(False)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        columns.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.results.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.results.setAccessibleName(self.tr("Matching commands"))
        self.results.itemClicked.connect(self._run)
        self.results.currentItemChanged.connect(self._announce)
        column_of(self.entry, self.results, on=self, margins=(8, 8, 8, 8))
        self._place()
        self._filter("")
        theme().changed.connect(self._place)
        self.show()
        self.raise_()
        self.entry.setFocus()

    @Slot()
    def _place(self) -> None:
        """Resize to suit the text size."""
        window = self._window
        self.entry.ensurePolished()
        width = min(window.width() - 64, 80 * self.entry.fontMetrics().averageCharWidth())
        self.results.setFixedHeight(0)
        self._most, self._around = min(window.height() - 96, 420), self.sizeHint().height()
        self.setGeometry((window.width() - width) // 2, 40, width, self._most)
        self._fit()

    def _fit(self) -> None:
        """Make the list as high as its results, if there is room."""
        height = max(self.results.sizeHintForRow(0), 0) * self.results.topLevelItemCount() + 2 * self.results.frameWidth()
        self.results.setFixedHeight(min(height, self._most - self._around))
        self.resize(self.width(), self.results.height() + self._around)

    @Slot(str)
    def _filter(self, typed: str) -> None:
        """Show the commands that contain the typed letters in this order, the closest first; disabled commands are pale."""
        ranked = []
        for place, (trail, action) in enumerate(self._commands):
            if not isValid(action):
                continue
            name = plain_text(action.text())
            rank = _rank(typed.casefold(), name.casefold(), trail.casefold())
            if rank is not None:
                ranked.append((rank, place, name, trail, action))
        self.results.clear()
        for _, place, name, trail, action in sorted(ranked, key=lambda matches: matches[:2]):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            item = QTreeWidgetItem([name, trail, keys])
            item.setData(0, _PLACE, place)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight)
            item.setDisabled(not action.isEnabled())
            self.results.addTopLevelItem(item)
        if not ranked:
            nothing = QTreeWidgetItem([self.tr("Nothing found")])
            nothing.setDisabled(True)
            self.results.addTopLevelItem(nothing)
            announce(self, nothing.text(0))
        first = self.results.topLevelItem(0)
        if first is not None and not first.isDisabled():
            self.results.setCurrentItem(first)
        self._fit()

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _announce(self, item: QTreeWidgetItem | None, before: QTreeWidgetItem | None) -> None:
        """Have the selected command read out, because the focus stays in the text box."""
        if item is not None:
            announce(self, f"{item.text(0)}, {item.text(1)}")

    @Slot()
    def _run(self) -> None:
        item = self.results.currentItem()
        if item is None:  # no command of that name is available now
            return
        action = self._commands[item.data(0, _PLACE)][1]
        self._leave()
        if isValid(action):
            action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Use the arrow keys for selection while the text box has the focus; Enter runs, Esc or a click elsewhere closes."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
                self.results.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
        elif event.type() == QEvent.Type.FocusOut and self.isVisible() and QApplication.activePopupWidget() is None:
            self.close()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        self.close()
        if self._before is not None and isValid(self._before):
            self._before.setFocus()


def _rank(typed: str, name: str, trail: str) -> tuple[int, int] | None:
    """Return how well a command matches (0: starts a word, 1: contains it, 2: its name has its letters in order) and where."""
    text = f"{name} {trail}"
    at = text.find(typed)
    if at >= 0:
        return (0 if at == 0 or text[at - 1] == " " else 1, at)
    end = -1
    for letter in typed.replace(" ", ""):
        end = name.find(letter, end + 1)
        if end < 0:
            return None
    return (2, end)
