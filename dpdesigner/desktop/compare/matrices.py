"""Two mechanisms beside each other in the same colours, and their difference."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.core.mechanism.mechanism import most_moved
from dpdesigner.core.numbers.rounding import at_most
from dpdesigner.desktop.compare.comparison import Comparison
from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labels import ElidedLabel, SentenceLabel
from dpdesigner.desktop.widgets.matrix.view import MatrixView

#: Differences of probabilities below this are the rounding of doubles.
_NOISE = 1e-12
_LOWEST = 250
_AROUND = 170  #: pixels at text scale 1 of the card above and below the matrices


class MatricesCard(Card):
    """Three matrices with one selection; where the sizes differ there is no difference cell by cell, and it says so."""

    def __init__(self) -> None:
        super().__init__(self.tr("Mechanisms"), self.tr("the same colours in both"), flexible=True)
        self._views = tuple(MatrixView() for _ in range(3))
        self._captions = tuple(ElidedLabel() for _ in range(3))
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        for place, (caption, view) in enumerate(zip(self._captions, self._views, strict=True)):
            set_class(caption, "heading")
            view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            view.rowSelected.connect(self._select_row)
            view.columnSelected.connect(self._select_column)
            self._grid.addWidget(caption, 0, place)
            self._grid.addWidget(view, 1, place)
        box = QWidget()
        box.setLayout(self._grid)
        self._remark = SentenceLabel("muted")
        self.add(box, 1)
        self.add(self._remark)
        self._selection: tuple[int | None, int | None] = (None, None)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        for view in self._views:
            view.setMinimumHeight(round(_LOWEST * theme().scale))
        self._limit()

    def _limit(self) -> None:
        """Leave to the curves below what square matrices would not fill."""
        wanted = round(self.width() / len(self._views) + _AROUND * theme().scale)
        self.setMaximumHeight(max(wanted, self.minimumSizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be no higher than suits the new width."""
        super().resizeEvent(event)
        self._limit()

    def show_comparison(self, comparison: Comparison) -> None:
        """Show both mechanisms and, where they have the same size, their difference."""
        pair = comparison.matrices
        self.setVisible(pair is not None)
        if pair is None:
            return
        mine, theirs = pair
        alike = mine.shape == theirs.shape
        for view, matrix, name in zip(self._views, pair, comparison.names, strict=False):
            view.figure().set_reach(max(float(mine.max()), float(theirs.max())))
            view.set_matrix(matrix)
            view.setAccessibleName(self.tr("Mechanism of {name}").format(name=name))
        for caption, text in zip(self._captions, (*comparison.names, self.tr("Difference")), strict=True):
            caption.set_full_text(text)
        self._captions[2].setVisible(alike)
        self._views[2].setVisible(alike)
        self._remark.set_sentence(self._sentence(comparison, alike))
        if alike:
            self._views[2].set_matrix(_difference(mine, theirs), kind="difference")
            self._views[2].setAccessibleName(self.tr("Difference of the mechanisms"))
        self._show_selection()

    def _sentence(self, comparison: Comparison, alike: bool) -> str:
        (mine, theirs), names = comparison.matrices or ((np.zeros((1, 1)),) * 2), comparison.names
        if not alike:
            return self.tr(
                "One design counts up to {mine}, the other up to {theirs}, so they cannot be compared cell by cell."
            ).format(mine=len(mine) - 1, theirs=len(theirs) - 1)
        moved = most_moved(mine, theirs)
        if moved < _NOISE:
            return self.tr("Both are the same mechanism.")
        return self.tr("“{first}” minus “{second}”: at most {percent}% of the releases differ.").format(
            first=names[0], second=names[1], percent=at_most(100 * moved)
        )

    @Slot(int)
    def _select_row(self, row: int) -> None:
        self._selection = (row, self._selection[1])
        self._show_selection()

    @Slot(int)
    def _select_column(self, column: int) -> None:
        self._selection = (self._selection[0], column)
        self._show_selection()

    def _show_selection(self) -> None:
        for view in self._views:
            view.set_selected(*self._selection)


def _difference(mine: Floats, theirs: Floats) -> Floats:
    difference = mine - theirs
    difference[np.abs(difference) < _NOISE] = 0.0
    return difference
