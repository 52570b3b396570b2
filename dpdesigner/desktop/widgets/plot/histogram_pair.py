"""Two histograms above each other: what is true beside what was released, and by how much each cell is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.plot.histogram_plot import Bars, HistogramPlot
from dpdesigner.desktop.widgets.plot.plot_layer import px

#: Pixels at text scale 1 that each plot needs.
_COUNTS, _ERRORS = 130, 100


class HistogramPair(QWidget):
    """Bars of the truth and of a release, and their differences over the band in which most lie."""

    def __init__(self) -> None:
        super().__init__()
        self.counts, self.errors = HistogramPlot(), HistogramPlot()
        self.counts.figure().align_with(self.errors.figure())
        self.counts.cellHovered.connect(self.errors.show_cell)
        self.errors.cellHovered.connect(self.counts.show_cell)
        column_of((self.counts, 5), (self.errors, 3), on=self, gap=4)
        theme().changed.connect(self._fit)
        self._fit()

    def set_cells(self, titles: Sequence[str], of: str, words: bool = False) -> None:
        """Name the cells, as words or as numbers, and what they are cells of."""
        self.counts.set_cells(titles, "", self.tr("rows"), words)
        self.errors.set_cells(titles, of or self.tr("cell"), self.tr("released − truth"), words)

    def show_counts(self, cells: int, truth: ArrayLike | None, released: ArrayLike | None, within: float, secret: bool) -> None:
        """Show what there is of both; where the truth is `secret`, neither it nor the differences.

        Parameters
        ----------
        cells : int
        truth, released : array_like or None
            One number a cell; those of other cells are not shown.
        within : float
            Half the height of the band.
        secret : bool
        """
        pairs = (self.tr("truth"), truth, "quiet"), (self.tr("released"), released, "accent")
        true, drawn = (
            Bars(name, np.asarray(values, dtype=float), role) if values is not None and np.size(values) == cells else None
            for name, values, role in pairs
        )
        series = [bars for bars in (None if secret else true, drawn) if bars is not None]
        self.counts.set_bars(series or [Bars("", np.zeros(cells), "quiet")])
        wrong = (
            [] if true is None or drawn is None or secret else [Bars(self.tr("error"), drawn.values - true.values, "selected")]
        )
        self.errors.set_bars(wrong, max(within, 0.5))

    def set_stale(self, on: bool) -> None:
        """Fade the bars while newer ones are being computed."""
        self.counts.set_stale(on)
        self.errors.set_stale(on)

    @Slot()
    def _fit(self) -> None:
        """Keep both plots high enough to be read at this size of text."""
        self.counts.setMinimumHeight(round(px(_COUNTS)))
        self.errors.setMinimumHeight(round(px(_ERRORS)))
