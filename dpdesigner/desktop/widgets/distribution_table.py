"""The table twin of the distribution plot: everything can be read and typed, without a mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from dpdesigner.desktop.widgets.distribution_model import COUNT, WEIGHT, DistributionModel, Index

_EDITING = (
    QAbstractItemView.EditTrigger.AnyKeyPressed
    | QAbstractItemView.EditTrigger.DoubleClicked
    | QAbstractItemView.EditTrigger.EditKeyPressed
)


class DistributionTable(QTableView):
    """Type ``0.2``, ``1/3`` or ``20%``; arrows move; Alt with Up or Down, or + and -, raise and lower; Delete clears; L locks."""

    chosen = Signal(int)  #: the row that the user went to
    stepped = Signal(int, int)  #: a count, and how many steps up
    lock_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._silent = False
        self.rows = DistributionModel(self)
        self.setModel(self.rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(_EDITING)
        self.setAccessibleName(self.tr("Prior as a table"))
        self.setToolTip(self.tr("Type a weight such as 0.2, 1/3 or 20%. Alt+↑ and Alt+↓ raise and lower it, L locks it"))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_count(self, count: int | None) -> None:
        """Go to the weight of a count, and emit nothing."""
        if count is None or count == self.currentIndex().row() or count >= self.rows.rowCount():
            return
        index = self.rows.index(count, max(self.currentIndex().column(), WEIGHT))
        self._silent = True
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._silent = False
        self.scrollTo(index)

    def _fit_rows(self) -> None:
        """Make rows as high as the text needs."""
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the rows to another text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell which row the user went to."""
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row() and not self._silent:
            self.chosen.emit(current.row())

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the current row into view."""
        super().showEvent(event)
        self._fit_rows()
        self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Raise, lower, clear and lock; everything else as tables do."""
        keys, key, row = Qt.Key, Qt.Key(event.key()), self.currentIndex().row()
        steps = {keys.Key_Plus: 1, keys.Key_Minus: -1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            steps = {keys.Key_Up: 1, keys.Key_Down: -1}
        if row < 0:
            super().keyPressEvent(event)
        elif key in steps:
            self.stepped.emit(row, steps[key])
        elif key in (keys.Key_Delete, keys.Key_Backspace):
            self.rows.setData(self.rows.index(row, WEIGHT), "0")
        elif key == keys.Key_L:
            self.lock_wanted.emit(row)
        elif self.currentIndex().column() == COUNT and event.text().strip():
            self.setCurrentIndex(self.rows.index(row, WEIGHT))
            super().keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Go to the first row if there is no current one, which is no choice of the user's."""
        self._silent = True
        super().focusInEvent(event)
        self._silent = False
