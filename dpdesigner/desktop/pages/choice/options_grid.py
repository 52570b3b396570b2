"""A table of options, a line for each with its name and its utility; both are typed where they can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.plot.plot_layer import px

_SHOWN = 7  # lines that are seen without scrolling


class OptionLine(NamedTuple):
    """An option: its place among all of them, what it is called, its utility, and whether no other is better."""

    option: int
    name: str
    utility: str
    best: bool


class OptionsGrid(QTableWidget):
    """Shows options, the best in bold, and tells which is selected and what is typed."""

    chosen = Signal(int)  #: the user selected an option
    renamed = Signal(int, str)  #: the user typed an option's name
    revalued = Signal(int, str)  #: the user typed an option's utility
    abandoned = Signal()  #: the user gave up what was typed

    def __init__(self) -> None:
        super().__init__(0, 2)
        self._order: list[int] = []
        self._filling = False
        self._waiting: tuple[Sequence[OptionLine], bool, bool] | None = None  # to be shown once nothing is typed any more
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.cellChanged.connect(self._edit)
        self.currentCellChanged.connect(self._choose)
        theme().changed.connect(self._fit)
        self._fit()

    def show_options(self, lines: Sequence[OptionLine], names_able: bool, utilities_able: bool) -> None:
        """Show options, and which of their columns can be typed in; while the user types, once that is over."""
        if self.state() == QAbstractItemView.State.EditingState:
            self._waiting = lines, names_able, utilities_able
            return
        self._waiting, others = None, len(lines) != self.rowCount()
        self._order = [line.option for line in lines]
        self._filling = True
        self.blockSignals(True)
        self.setRowCount(len(lines))
        for place, line in enumerate(lines):
            self._show_cell(place, 0, line.name, line.best, names_able)
            self._show_cell(place, 1, line.utility, line.best, utilities_able)
        self.blockSignals(False)
        widest = max((line.utility for line in lines), key=len, default="")
        self.setColumnWidth(1, self.fontMetrics().horizontalAdvance(widest) + round(px(26)))
        self.viewport().update()
        self._filling = False
        self._fit()
        if others:
            self.scrollToTop()

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Show what is in force once nothing is typed any more."""
        super().closeEditor(editor, hint)
        if self._waiting is not None:
            self.show_options(*self._waiting)
        if hint == QAbstractItemDelegate.EndEditHint.RevertModelCache:
            self.abandoned.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc take back a sentence on what was typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.abandoned.emit()
        super().keyPressEvent(event)

    def _show_cell(self, place: int, column: int, text: str, bold: bool, able: bool) -> None:
        """Write what is new in a cell: each change is laid out anew."""
        item = self.item(place, column)
        if item is None:
            item = QTableWidgetItem()
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(place, column, item)
        if item.text() != text:
            item.setText(text)
        if item.font().bold() != bold:
            letters = QFont()
            letters.setBold(bold)
            item.setFont(letters)
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if able:
            flags |= Qt.ItemFlag.ItemIsEditable
        if item.flags() != flags:
            item.setFlags(flags)

    @property
    def current(self) -> int | None:
        """The option that is selected, if one is."""
        place = self.currentRow()
        return self._order[place] if 0 <= place < len(self._order) else None

    def select(self, option: int) -> None:
        """Select an option and emit nothing."""
        self._filling = True
        if option in self._order and self.currentRow() != self._order.index(option):
            self.setCurrentCell(self._order.index(option), 1)
        self._filling = False

    @Slot()
    def _fit(self) -> None:
        high, colours = round(px(19)), theme().colours
        sheet = f"QTableWidget::item:selected {{ background: {colours.accent_soft}; color: {colours.selected}; }}"
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
        self.verticalHeader().setDefaultSectionSize(high)
        self.verticalHeader().setMinimumSectionSize(high)
        rows = min(max(self.rowCount(), 2), _SHOWN)
        self.setFixedHeight(high * rows + 2 * self.frameWidth() + 2)

    @Slot(int, int)
    def _edit(self, place: int, column: int) -> None:
        item = self.item(place, column)
        if self._filling or item is None or place >= len(self._order):
            return
        typed = self.revalued if column else self.renamed
        typed.emit(self._order[place], item.text().strip())

    @Slot(int, int, int, int)
    def _choose(self, place: int, *_: int) -> None:
        if not self._filling and 0 <= place < len(self._order):
            self.chosen.emit(self._order[place])
