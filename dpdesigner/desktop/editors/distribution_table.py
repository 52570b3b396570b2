"""The table version of the distribution plot: each count with its weight as entered and its probability, editable."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from dpdesigner.core.basics.parsing import exact, nearest
from dpdesigner.core.basics.rounding import brief
from dpdesigner.desktop.editors.weight_rules import Floats
from dpdesigner.errors import InputError

Index = QModelIndex | QPersistentModelIndex

COUNT, WEIGHT, PROBABILITY = range(3)
_EDITING = (
    QAbstractItemView.EditTrigger.AnyKeyPressed
    | QAbstractItemView.EditTrigger.DoubleClicked
    | QAbstractItemView.EditTrigger.EditKeyPressed
)
_LARGEST = 1e100  # a larger weight would leave no precision for the others


class DistributionModel(QAbstractTableModel):
    """Rows 0..n of count, weight and probability. It changes nothing itself: input is checked and then requested."""

    typed = Signal(int, str)  #: a count and the text of its new weight, a number of at least 0
    shared = Signal(int, object)  #: a count and its requested share of the total, a Fraction
    refused = Signal(str)  #: why the typed text cannot be a weight

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.weights: Floats = np.ones(1)
        self.texts: Sequence[str] | None = None
        self.locked: frozenset[int] = frozenset()
        self._total = 1.0

    def show_weights(self, weights: Floats, texts: Sequence[str] | None, locked: frozenset[int]) -> None:
        """Show weights; `texts` are the weights as entered, if they were."""
        another = len(weights) != len(self.weights)
        if another:
            self.beginResetModel()
        self.weights, self.texts, self.locked, self._total = weights, texts, locked, float(weights.sum())
        if another:
            self.endResetModel()
        else:
            self.dataChanged.emit(self.index(0, COUNT), self.index(len(weights) - 1, PROBABILITY))

    def text(self, count: int) -> str:
        """Return the weight of a count as it was entered, or the shortest decimal for it."""
        return self.texts[count] if self.texts is not None else repr(float(self.weights[count]))

    def with_text(self, count: int, text: str) -> tuple[str, ...]:
        """Return all texts, with the text of one count replaced."""
        texts = [self.text(row) for row in range(len(self.weights))]
        texts[count] = text
        return tuple(texts)

    def with_share(self, count: int, share: Fraction) -> tuple[str, ...]:
        """Return all texts such that a count has this share of the total and the others keep their proportions in the rest.

        Raises
        ------
        InputError
            If there is nothing that could share what is left.
        """
        weights = [exact(self.text(row)) for row in range(len(self.weights))]
        rest = sum(weights) - weights[count]
        if not rest and share != 1:
            others = len(weights) - 1
            if not others:
                raise InputError(self.tr("The only possible count has probability 100%."), "prior", "100%")
            weights, rest = [Fraction(1)] * len(weights), Fraction(others)
        return tuple(
            _percent_text(share if row == count else (1 - share) * weight / rest if rest else Fraction(0))
            for row, weight in enumerate(weights)
        )

    def share(self, text: str, column: int) -> Fraction | None:
        """Return the share of the total that was typed: ``20%``, or in the probability column ``20``; None for a weight.

        Raises
        ------
        InputError
            If it is not from 0 to 100%.
        """
        if column != PROBABILITY and not text.endswith("%"):
            return None
        whole = "/" in text and not text.endswith("%")
        value = exact(text.rstrip("% "), self.tr("the probability")) / (1 if whole else 100)
        if not 0 <= value <= 1:
            raise InputError(self.tr("A probability must be between 0% and 100%, got {text}.").format(text=text), "prior")
        return value

    def check(self, count: int, text: str) -> float:
        """Return the number that was typed as the weight of a count.

        Raises
        ------
        InputError
            If it is not a number from 0 to 1e100.
        """
        name = self.tr("the weight of count {count}").format(count=count)
        value = nearest(exact(text, name))
        if not 0 <= value <= _LARGEST:
            raise InputError(self.tr("{name} must be between 0 and 1e100, got {text}.").format(name=name, text=text), "prior")
        return value

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.weights)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        roles, row = Qt.ItemDataRole, index.row()
        if role == roles.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == roles.AccessibleTextRole:
            words = self.tr("count {count}: weight {weight}, {percent} percent")
            return words.format(count=row, weight=self.text(row), percent=self._percent(row))
        if role not in (roles.DisplayRole, roles.EditRole):
            return None
        if index.column() == COUNT:
            return self.tr("{count} locked").format(count=row) if row in self.locked else str(row)
        if index.column() == PROBABILITY:
            return f"{self._percent(row)}%" if role == roles.DisplayRole else self._percent(row)
        text = self.text(row)
        return text if role == roles.EditRole or len(text) <= 12 else self._short(text)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request the weight that was typed, or report what is wrong with it."""
        text, row = str(value).strip(), index.row()
        percent = index.column() == WEIGHT and text.endswith("%")  # could be a weight if the others do not sum to 100%
        if role != Qt.ItemDataRole.EditRole or (text == self.data(index, role) and not percent):
            return False
        try:
            share = self.share(text, index.column())
            if share is None:
                self.check(row, text)
        except InputError as error:
            self.refused.emit(str(error))
            return False
        if share is None:
            self.typed.emit(row, text)
        else:
            self.shared.emit(row, share)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() != COUNT else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("count"), self.tr("weight"), self.tr("probability"))[section]

    def _percent(self, row: int) -> str:
        return brief(100 * float(self.weights[row]) / self._total)

    @staticmethod
    def _short(text: str) -> str:
        """Return a long decimal with six digits; a long fraction unchanged."""
        return text if "/" in text or "%" in text else f"{nearest(exact(text)):.6g}"


def _percent_text(share: Fraction) -> str:
    """Return a share as a percentage if that is short, otherwise as a fraction."""
    percent = decimal_text(100 * share)
    return f"{percent}%" if percent is not None else str(share)


def decimal_text(value: Fraction) -> str | None:
    """Return a number as a decimal of at most six places; None if it has no such form."""
    scaled = value * 10**6
    if scaled.denominator != 1:
        return None
    return f"{float(value):.6f}".rstrip("0").rstrip(".") if value.numerator else "0"


class DistributionTable(QTableView):
    """Type ``0.2``, ``1/3`` or ``20%``; arrows move; Alt+Up or Alt+Down, or + and -, raise and lower; Delete clears; L locks."""

    chosen = Signal(int)  #: the row that the user moved to
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
        words = self.tr(
            "Type a weight like 0.2 or 1/3, or a share like 20%: the other weights share the rest. Alt+↑ increases, "
            "Alt+↓ decreases"
        )
        self.setToolTip(words)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_count(self, count: int | None) -> None:
        """Go to the weight of a count; emit nothing."""
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
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Report the row that the user went to."""
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row() and not self._silent:
            self.chosen.emit(current.row())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_rows()
        self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Raise, lower, clear and lock; handle all other keys as tables do."""
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
        """Go to the first row if there is no current one, without treating it as the user's choice."""
        self._silent = True
        super().focusInEvent(event)
        self._silent = False
