"""One or two plots, one above the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.panels import Plot

#: Pixels at text scale 1 that each plot needs.
_FIRST, _SECOND = 150, 120


class CurvesPanel(QWidget):
    """Two plots; the second is hidden where there is one only."""

    moving = Signal(str, float)  #: the handle with this target is dragged
    moved = Signal(str, float)
    cancelled = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = CurvePlot(), CurvePlot()
        self.first.figure().align_with(self.second.figure())
        column = ColumnLayout(self)
        column.setSpacing(6)
        for plot, stretch in ((self.first, 5), (self.second, 3)):
            plot.handleMoving.connect(self.moving)
            plot.handleMoved.connect(self.moved)
            plot.handleCancelled.connect(self.cancelled)
            column.addWidget(plot, stretch)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Keep both plots high enough for their letters at this size of text; what does not fit is scrolled to."""
        self.first.setMinimumHeight(round(px(_FIRST)))
        self.second.setMinimumHeight(round(px(_SECOND)))

    def show_plots(self, plots: Sequence[Plot]) -> None:
        """Show one or two plots."""
        self.second.setVisible(len(plots) > 1)
        for widget, plot in zip((self.first, self.second), plots, strict=False):
            widget.show_plot(plot)

    def set_stale(self, on: bool) -> None:
        """Fade the curves while newer ones are being computed."""
        self.first.set_stale(on)
        self.second.set_stale(on)
