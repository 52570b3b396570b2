"""The table twin of the prior editor: every weight as the user typed it, with the probability beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from dpdesigner.core.numbers import exact
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]
Index = QModelIndex | QPersistentModelIndex

_STEP = 0.05


class PriorModel(QAbstractTableModel):
    """Rows 0..n; column 0 the weight as typed, column 1 the probability."""

    edited = Signal(int, str)  #: a count and the text typed for it
    refused = Signal(str)  #: why a text cannot be a weight

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.weights: Floats = np.ones(1)
        self.texts: tuple[str, ...] | None = None

    def set_weights(self, weights: Floats, texts: tuple[str, ...] | None) -> None:
        """Show weights; texts as the user gave them."""
        another = len(weights) != len(self.weights)
        if another:
            self.beginResetModel()
        self.weights, self.texts = weights, texts
        if another:
            self.endResetModel()
        else:
            self.dataChanged.emit(self.index(0, 0), self.index(len(weights) - 1, 1))

    def text(self, count: int) -> str:
        """The weight of a count as it was given."""
        return self.texts[count] if self.texts is not None else f"{float(self.weights[count]):.6g}"

    def rowCount(self, parent: Index | None = None) -> int:
        """n + 1."""
        return len(self.weights)

    def columnCount(self, parent: Index | None = None) -> int:
        """Weight and probability."""
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return None
        if index.column() == 0:
            return self.text(index.row())
        return f"{100 * float(self.weights[index.row()] / self.weights.sum()):.4g} %"

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another weight, or say why it cannot be."""
        text = str(value).strip()
        if text == self.text(index.row()):
            return False
        try:
            if exact(text, self.tr("the weight of {count}").format(count=index.row())) < 0:
                raise InputError(self.tr("a weight must not be negative, got {text}.").format(text=text), "prior")
        except InputError as error:
            self.refused.emit(str(error))
            return False
        self.edited.emit(index.row(), text)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Weights can be edited."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == 0 else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return counts down the side, words along the top."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return section if orientation == Qt.Orientation.Vertical else (self.tr("weight"), self.tr("probability"))[section]


class PriorTable(QTableView):
    """The table itself; + and - change the selected weight by a twentieth of the largest."""

    def __init__(self, model: PriorModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._weights = model
        self.setModel(model)
        self.setAccessibleName(self.tr("Prior as a table"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Adjust with + and -; everything else as tables do."""
        place = self.currentIndex()
        if place.isValid() and event.text() in ("+", "-"):
            weights = self._weights.weights
            step = _STEP * float(weights.max()) * (1 if event.text() == "+" else -1)
            self._weights.edited.emit(place.row(), f"{max(0.0, float(weights[place.row()]) + step):.6g}")
        else:
            super().keyPressEvent(event)
