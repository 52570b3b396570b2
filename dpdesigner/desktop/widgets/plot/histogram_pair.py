"""Two histograms above each other: what is true beside what was released, and by how much each cell is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.base.number_text import grouped
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.panels import Axis, Band, Bars, Plot

#: Pixels at text scale 1 that each plot needs.
_COUNTS, _ERRORS = 130, 100


class HistogramPair(QWidget):
    """Bars of the truth and of a release, and their differences over the band in which most lie."""

    def __init__(self) -> None:
        super().__init__()
        self.counts, self.errors = CurvePlot(), CurvePlot()
        self._titles: tuple[str, ...] = ()
        self._of = ""
        self.counts.figure().align_with(self.errors.figure())
        self.counts.placeHovered.connect(self.errors.show_hovered)
        self.errors.placeHovered.connect(self.counts.show_hovered)
        column_of((self.counts, 5), (self.errors, 3), on=self, gap=4)
        theme().changed.connect(self._fit)
        self._fit()

    def set_cells(self, titles: Sequence[str], of: str) -> None:
        """Name the cells, and what they are cells of."""
        self._titles, self._of = tuple(titles), of or self.tr("cell")

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
        true, drawn = (
            np.asarray(values, dtype=float) if values is not None and np.size(values) == cells else None
            for values in (truth, released)
        )
        series = list[Bars]()
        if true is not None and not secret:
            series.append(Bars(true, self.tr("truth"), "rival", texts=rows_text, secret=True))
        if drawn is not None:
            series.append(Bars(drawn, self.tr("released"), texts=rows_text))
        self.counts.show_plot(self._plot("counts", "", self.tr("rows"), series, cells, None))
        wrong = list[Bars]()
        if true is not None and drawn is not None and not secret:
            wrong.append(Bars(drawn - true, self.tr("error"), "bound", texts=rows_text, secret=True))
        self.errors.show_plot(self._plot("errors", self._of, self.tr("released − truth"), wrong, cells, max(within, 0.5)))

    def _plot(self, key: str, x: str, y: str, series: list[Bars], cells: int, band: float | None) -> Plot:
        ends = np.concatenate([[0.0], *(bars.values for bars in series), [] if band is None else [-1.25 * band, 1.25 * band]])
        low, high = float(ends.min()), float(ends.max())
        room = 0.04 * (high - low) or 1.0
        named = len(self._titles) == cells  # an answer may be to a design with other cells
        axis = Axis(x, scale="names", names=self._titles) if named else Axis(x, scale="whole")
        limits = low - room * (low < 0), high + room
        bands = () if band is None else (Band(-band, band, role="main", along="y"),)
        bars = tuple(series) or (Bars(np.zeros(cells), role="rival"),)
        return Plot(key, y, axis, Axis(y, limits=limits), bands=bands, bars=bars)

    def set_stale(self, on: bool) -> None:
        """Fade the bars while newer ones are being computed."""
        self.counts.set_stale(on)
        self.errors.set_stale(on)

    @Slot()
    def _fit(self) -> None:
        """Keep both plots high enough to be read at this size of text."""
        self.counts.setMinimumHeight(round(px(_COUNTS)))
        self.errors.setMinimumHeight(round(px(_ERRORS)))


def rows_text(value: float) -> str:
    """Return a number of rows, or how wrong it is, in whole numbers."""
    return grouped(float(np.rint(value)) + 0.0).replace("-", "−")  # -0.0 is 0
