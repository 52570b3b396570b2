"""One or two plots of curves, one above the other, that show pictures made as data."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.pages.noise.plots import Picture
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px

#: Pixels at text scale 1 that each plot needs.
_FIRST, _SECOND = 150, 120


class CurvesPanel(QWidget):
    """Two plots; the second is hidden where there is one picture only."""

    moving = Signal(float)  #: the cursor of a plot is dragged
    moved = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = CurvePlot(), CurvePlot()
        self.first.figure().align_with(self.second.figure())
        column = ColumnLayout(self)
        column.setSpacing(6)
        for plot, stretch in ((self.first, 5), (self.second, 3)):
            plot.cursorMoving.connect(self.moving)
            plot.cursorMoved.connect(self.moved)
            column.addWidget(plot, stretch)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Keep both plots high enough for their letters at this size of text; what does not fit is scrolled to."""
        self.first.setMinimumHeight(round(px(_FIRST)))
        self.second.setMinimumHeight(round(px(_SECOND)))

    def show_pictures(self, pictures: tuple[Picture, ...]) -> None:
        """Show one or two pictures."""
        self.second.setVisible(len(pictures) > 1)
        paint(self.first, pictures[0])
        if len(pictures) > 1:
            paint(self.second, pictures[1])

    def set_stale(self, on: bool) -> None:
        """Fade the curves while newer ones are being computed."""
        self.first.set_stale(on)
        self.second.set_stale(on)


def paint(plot: CurvePlot, picture: Picture) -> None:
    """Show a picture in a plot."""
    plot.set_picture(
        picture.curves,
        markers=picture.markers,
        bands=picture.bands,
        titles=(picture.x, picture.y),
        logarithmic=picture.logarithmic,
        limits=picture.limits,
    )
    plot.set_cursor(picture.cursor, picture.text, movable=not picture.fixed)
