"""A histogram: one or two bars in every cell, such as the truth and what was released, and how far they may lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter

from dpdesigner.arrays import Floats
from dpdesigner.desktop.widgets.base.number_text import grouped
from dpdesigner.desktop.widgets.plot.axis_layer import Axis
from dpdesigner.desktop.widgets.plot.plot_holder import PlotHolder
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, draw_chip, fade, font, line, px
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot
from dpdesigner.desktop.widgets.plot.plot_ticks import Tick, number_ticks

_LEGIBLE = 4  # characters of a name that is cut
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


@dataclass(frozen=True, eq=False)
class Bars:
    """One bar in every cell.

    Attributes
    ----------
    name : str
        What they are, for the read-out.
    values : ndarray
        (cells,): their heights; may be negative.
    role : str
        Their colour, a field of the theme's colours.
    """

    name: str
    values: Floats
    role: str


class BarsLayer(PixelLayer):
    """Paints the bars of every cell beside each other, a band, and the read-out."""

    def __init__(self) -> None:
        super().__init__()
        self.series: Sequence[Bars] = ()
        self.band: float | None = None
        self.hovered: int | None = None
        self.hover_lines: Sequence[str] = ()

    def draw(self, painter: QPainter) -> None:
        """Draw band, bars, the line at zero and the read-out."""
        area, zero = self.frame.area, self.frame.y(0.0)
        if self.band is not None:
            painter.fillRect(self.frame.box(self.frame.left, self.band, self.frame.right, -self.band), colour("accent", 0.12))
        for place, bars in enumerate(self.series):
            for cell, value in enumerate(bars.values.tolist()):
                painter.fillRect(self.bar(place, cell, value), colour(bars.role))
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(area.left(), zero), QPointF(area.right(), zero))
        self._draw_names(painter)
        if self.hovered is not None and self.hover_lines:
            painter.fillRect(
                self.frame.box(self.hovered - 0.5, self.frame.top, self.hovered + 0.5, self.frame.bottom), colour("text", 0.06)
            )
            draw_chip(
                painter,
                QPointF(self.frame.x(self.hovered), area.top() + 0.3 * area.height()),
                self.hover_lines,
                self.boundingRect(),
            )

    def _draw_names(self, painter: QPainter) -> None:
        """Write what the bars are at the right, where there is more than one kind, each in its colour."""
        painter.setFont(font())
        metrics, area = QFontMetricsF(painter.font()), self.frame.area
        for place, bars in enumerate(self.series if len(self.series) > 1 else ()):
            box = QRectF(area.left(), area.top() + place * metrics.height(), area.width() - px(4), metrics.height())
            painter.setPen(colour(bars.role))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, bars.name)

    def bar(self, place: int, cell: int, value: float) -> QRectF:
        """Return the pixels of a bar, at least a hairline high where the value is not 0."""
        width = 0.84 / max(len(self.series), 1)
        left, right = (self.frame.x(cell - 0.42 + width * edge) for edge in (place, place + 1))
        top, zero = self.frame.y(value), self.frame.y(0.0)
        if value and abs(zero - top) < 1:
            top = zero - (1 if value > 0 else -1)
        return QRectF(QPointF(left, min(top, zero)), QPointF(max(right, left + 1), max(top, zero)))


class HistogramPlot(PlotHolder[StyledPlot]):
    """Bars over named cells. Hovering, or Left and Right, tells the numbers of a cell."""

    cellHovered = Signal(int)  #: the cell under the mouse or the keys; -1 when there is none

    def __init__(self) -> None:
        super().__init__(StyledPlot())
        self._layer = BarsLayer()
        self._titles: Sequence[str] = ()
        self._words = False
        self._plot.add_layer(self._layer)
        self._plot.set_padding(0, 6, 8, 2)
        self.setMinimumHeight(80)
        self._plot.hovered.connect(self._hover)
        self._plot.left.connect(self._leave)

    def set_cells(self, titles: Sequence[str], x: str, y: str, words: bool = False) -> None:
        """Name the cells and the axes; where the names are `words`, each is cut to the width of its cell rather than left out."""
        self._titles, self._words = titles, words
        self.setAccessibleName(self.tr("{y} against {x}").format(x=x, y=y))
        self._plot.set_axes(Axis(x, self._ticks), Axis(y, number_ticks, grid=True))

    def set_bars(self, series: Sequence[Bars], band: float | None = None) -> None:
        """Show these bars, one of each in every cell, over a band from -band to band.

        Parameters
        ----------
        series : sequence of Bars
            As many values in each as there are cells.
        band : float, optional
            Half the height of the band.
        """
        layer = self._layer
        layer.series, layer.band = series, band
        ends = np.concatenate([[0.0], *(bars.values for bars in series), [] if band is None else [-1.25 * band, 1.25 * band]])
        low, high = float(ends.min()), float(ends.max())
        room = 0.04 * (high - low) or 1.0
        self._plot.set_range(-0.5, max(len(self._titles), 1) - 0.5, low - room * (low < 0), high + room)
        self._show(layer.hovered if layer.hovered is not None and layer.hovered < len(self._titles) else None)

    def read_out(self, cell: int) -> list[str]:
        """Return what a cell holds, a line for its name and one for each of its bars."""
        lines = [self._titles[cell]]
        for bars in self._layer.series:
            value = grouped(float(np.rint(bars.values[cell])) + 0.0).replace("-", "−")  # -0.0 is 0
            lines.append(f"{bars.name}: {value}")
        return lines

    def set_stale(self, on: bool) -> None:
        """Fade the bars."""
        fade(on, self._layer)

    def show_cell(self, cell: int) -> None:
        """Tell the numbers of a cell, or of none if it is negative; no signal is emitted."""
        self._show(cell if 0 <= cell < len(self._titles) else None)

    def _ticks(self, low: float, high: float, at_most: int) -> list[Tick]:
        """Name every cell, or every second, third, ... of them."""
        first, last = max(ceil(low), 0), min(floor(high), len(self._titles) - 1)
        metrics = QFontMetricsF(font())
        room = self._plot.frame.area.width() / max(high - low, 1) - 1.2 * metrics.horizontalAdvance("0")
        if self._words and at_most <= last - first and room >= metrics.horizontalAdvance("0") * _LEGIBLE:
            texts = [metrics.elidedText(title, Qt.TextElideMode.ElideRight, room) for title in self._titles]
            return [Tick(float(cell), texts[cell]) for cell in range(first, last + 1)]
        stride = max(-(-(last - first + 1) // max(at_most, 1)), 1)
        return [Tick(float(cell), self._titles[cell]) for cell in range(first, last + 1, stride)]

    def _show(self, cell: int | None) -> None:
        self._layer.hovered = cell
        self._layer.hover_lines = () if cell is None or not self._layer.series else self.read_out(cell)
        self.setAccessibleDescription("; ".join(self._layer.hover_lines))
        self._layer.update()

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        cell = round(self._plot.frame.value_x(position.x()))
        inside = self._plot.frame.area.contains(position) and 0 <= cell < len(self._titles)
        self._choose(cell if inside else None)

    @Slot()
    def _leave(self) -> None:
        self._choose(None)

    def _choose(self, cell: int | None) -> None:
        if cell != self._layer.hovered:
            self._show(cell)
            self.cellHovered.emit(-1 if cell is None else cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the cell before or after."""
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if not step or not self._titles:
            super().keyPressEvent(event)
            return
        start = self._layer.hovered if self._layer.hovered is not None else -1 if step > 0 else len(self._titles)
        self._choose(min(max(start + step, 0), len(self._titles) - 1))
