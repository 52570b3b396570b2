"""The axes of a plot: ticks, titles and grid, painted in pixels.

pyqtgraph's come with a settings panel each (several milliseconds) and do not survive vector export.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from dpdesigner.desktop.widgets.plot.plot_layer import Frame, PixelLayer, colour, font, line, px
from dpdesigner.desktop.widgets.plot.plot_ticks import Tick, TickFinder, fitting_ticks, no_ticks, number_ticks

_ROOMY = 200.0  # pixels, at text scale 1, from which on a plot has optional titles
_GAP = 4.0  # pixels, at text scale 1, between tick labels and the data, and around titles


@dataclass(frozen=True)
class Axis:
    """What an axis says: its title, how its ticks are found, and whether grid hairlines run across the plot.

    An optional title is left out of low plots, whose heading says it.
    """

    title: str = ""
    finder: TickFinder = number_ticks
    grid: bool = False
    optional: bool = False


class AxisLayer(PixelLayer):
    """Ticks, titles and grid of a plot; it lies under the data."""

    def __init__(self) -> None:
        super().__init__()
        self.horizontal, self.vertical = Axis(), Axis(grid=True)
        self.x_on_top = False
        self.focused = False
        self.margin = 0.0  #: pixels that the vertical axis takes, as many as it needs or more
        self.others: Callable[[], Sequence[QRectF]] = tuple  #: where something else is written, beside which no tick is
        self._found: tuple[list[Tick], list[Tick]] | None = None

    def set_frame(self, frame: Frame, bounds: QRectF) -> None:
        """Take a new frame, and look for its ticks when it is painted."""
        self._found = None
        super().set_frame(frame, bounds)

    def renew(self) -> None:
        """Look for the ticks again after a change of what they say."""
        self._found = None
        self.update()

    def left_margin(self, frame: Frame) -> float:
        """Return the pixels that the vertical axis needs."""
        metrics = QFontMetricsF(font())
        labels = [metrics.horizontalAdvance(tick.text) for tick in self._ticks_y(frame)]
        title = metrics.height() if self._title(self.vertical) else 0.0
        return title + (max(labels) + 2 * px(_GAP) if labels else 0.0)

    def line_height(self) -> float:
        """Return the pixels that the horizontal axis needs."""
        height = QFontMetricsF(font()).height()
        lines = int(self.horizontal.finder is not no_ticks) + int(bool(self._title(self.horizontal)))
        return lines * height + (px(_GAP) if lines else 0.0)

    def draw(self, painter: QPainter) -> None:
        """Draw the focus frame, grid, tick labels and titles."""
        if self.focused:
            painter.setPen(line("accent", 2))
            painter.drawRect(self.frame.area.adjusted(-2, -2, 2, 2))
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        if self._found is None:
            self._found = self._ticks_x(metrics), self._ticks_y(self.frame)
        across, upwards = self._found
        self._draw_x(painter, metrics, across)
        self._draw_y(painter, metrics, upwards)

    def _title(self, axis: Axis) -> str:
        return axis.title if not axis.optional or self.boundingRect().height() >= px(_ROOMY) else ""

    def _ticks_x(self, metrics: QFontMetricsF) -> list[Tick]:
        gap, ends = metrics.horizontalAdvance("0"), (self.frame.left, self.frame.right)
        finder, width = self.horizontal.finder, self.frame.area.width()
        return fitting_ticks(finder, ends, width, lambda text: metrics.horizontalAdvance(text) + gap)

    def _ticks_y(self, frame: Frame) -> list[Tick]:
        room = 1.7 * QFontMetricsF(font()).height()
        return fitting_ticks(self.vertical.finder, (frame.bottom, frame.top), frame.area.height(), lambda text: room)

    def _draw_x(self, painter: QPainter, metrics: QFontMetricsF, ticks: list[Tick]) -> None:
        area, height = self.frame.area, metrics.height()
        label_top = area.top() - px(_GAP) - height if self.x_on_top else area.bottom() + px(_GAP)
        gap, end = metrics.horizontalAdvance("0"), -1.0
        hairline, ink, others = line("hairline"), colour("muted"), self.others()
        for tick in ticks:
            at = self.frame.x(tick.at)
            if self.horizontal.grid:
                painter.setPen(hairline)
                painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            width = metrics.horizontalAdvance(tick.text)
            left = max(0.0, min(at - width / 2, self.boundingRect().right() - width))
            box = QRectF(left - gap / 2, label_top, width + gap, height)
            if left < end or any(map(box.intersects, others)):  # moved in from the edge onto the one before
                continue
            end = left + width + gap / 2
            painter.setPen(ink)
            painter.drawText(QPointF(left, label_top + metrics.ascent()), tick.text)
        if self._title(self.horizontal):
            top = label_top - height if self.x_on_top else label_top + height * (self.horizontal.finder is not no_ticks)
            painter.setPen(colour("muted"))
            width = metrics.horizontalAdvance(self.horizontal.title) + 2  # may be more than the data have
            left = max(0.0, min(area.center().x() - width / 2, self.boundingRect().right() - width))
            painter.drawText(QRectF(left, top, width, height), Qt.AlignmentFlag.AlignCenter, self.horizontal.title)

    def _draw_y(self, painter: QPainter, metrics: QFontMetricsF, ticks: list[Tick]) -> None:
        area, height = self.frame.area, metrics.height()
        hairline, ink, gap, others = line("hairline"), colour("muted"), px(_GAP), self.others()
        for at, text in ((self.frame.y(tick.at), tick.text) for tick in ticks):
            if self.vertical.grid:
                painter.setPen(hairline)
                painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
            painter.setPen(ink)
            left = area.left() - gap - metrics.horizontalAdvance(text)
            if not any(map(QRectF(left, at - height / 2, area.left() - left, height).intersects, others)):
                painter.drawText(QPointF(left, at - height / 2 + metrics.ascent()), text)
        if self._title(self.vertical):
            whole, title = self.boundingRect(), self.vertical.title
            half = metrics.horizontalAdvance(title) / 2
            centre = max(min(area.center().y(), whole.bottom() - half), whole.top() + half)  # longer than the data are high
            painter.setPen(colour("muted"))
            painter.translate(area.left() - self.margin, centre)
            painter.rotate(-90)
            painter.drawText(QRectF(-half - 1, 0, 2 * half + 2, height), Qt.AlignmentFlag.AlignCenter, title)
