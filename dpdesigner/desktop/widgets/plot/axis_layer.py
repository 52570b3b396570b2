"""The axes of a plot: ticks, titles and grid, painted in pixels.

pyqtgraph's come with a settings panel each (several milliseconds) and do not survive vector export.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from dpdesigner.desktop.widgets.plot.bar_painter import FEW, NAMES, TEXT, draw_names
from dpdesigner.desktop.widgets.plot.plot_layer import Frame, PixelLayer, colour, font, line, px
from dpdesigner.desktop.widgets.plot.plot_ticks import Tick, TickFinder, fitting_ticks, no_ticks, number_ticks

_ROOMY = 200.0  # pixels, at text scale 1, from which on a plot has optional titles
_GAP = 4.0  # pixels, at text scale 1, between tick labels and the data, and around titles


@dataclass(frozen=True)
class Axis:
    """An axis: its title, its ticks, and whether grid hairlines run across the plot.

    An optional title is left out of low plots, whose heading says it. Names stand below bars at 0, 1, 2, …, in place of ticks.
    """

    title: str = ""
    finder: TickFinder = number_ticks
    grid: bool = False
    optional: bool = False
    names: tuple[str, ...] = ()


class AxisLayer(PixelLayer):
    """Ticks, titles and grid of a plot; it lies under the data."""

    def __init__(self) -> None:
        super().__init__()
        self.horizontal, self.vertical = Axis(), Axis(grid=True)
        self.x_on_top = False
        self.focused = False
        self.margin = 0.0  #: pixels that the vertical axis takes, as many as it needs or more
        self.others: Callable[[], Sequence[QRectF]] = tuple  #: where something else is written, beside which no tick is
        self._placed: _Placed | None = None
        self.selected: int | None = None  #: the name in colour

    def select(self, place: int) -> None:
        """Write the name of the bars at a place in colour."""
        chosen = place if place >= 0 else None
        if chosen != self.selected:
            self.selected = chosen
            self.update()

    def renew(self) -> None:
        """Look for the ticks again when it is painted."""
        self._placed = None
        super().renew()

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
        names = px(NAMES if len(self.horizontal.names) <= FEW else TEXT) if self.horizontal.names else 0.0
        return lines * height + names + (px(_GAP) if lines else 0.0)

    def draw(self, painter: QPainter) -> None:
        """Draw the focus frame, grid, tick labels and titles."""
        if self.focused:
            painter.setPen(line("accent", 2))
            painter.drawRect(self.frame.area.adjusted(-2, -2, 2, 2))
        others = tuple(self.others())
        if self._placed is None or self._placed.others != others:
            self._placed = _Placed(others, font())
            self._place_x(self._placed)
            self._place_y(self._placed)
        placed = self._placed
        painter.setFont(placed.font)
        painter.setPen(line("hairline"))
        painter.drawLines(placed.grid)
        painter.setPen(colour("muted"))
        for at, text in placed.labels:
            painter.drawText(at, text)
        if self.horizontal.names:
            draw_names(
                painter,
                self.horizontal.names,
                self.frame,
                self.frame.area.bottom() + 2,
                -1 if self.selected is None else self.selected,
            )
            painter.setPen(colour("muted"))
            painter.setFont(placed.font)
        if self._title(self.vertical):
            self._draw_upright(painter, placed.metrics)

    def _title(self, axis: Axis) -> str:
        return axis.title if not axis.optional or self.boundingRect().height() >= px(_ROOMY) else ""

    def _ticks_x(self, metrics: QFontMetricsF) -> list[Tick]:
        gap, ends = metrics.horizontalAdvance("0"), (self.frame.left, self.frame.right)
        finder, width = self.horizontal.finder, self.frame.area.width()
        return fitting_ticks(finder, ends, width, lambda text: metrics.horizontalAdvance(text) + gap)

    def _ticks_y(self, frame: Frame) -> list[Tick]:
        room = 1.7 * QFontMetricsF(font()).height()
        return fitting_ticks(self.vertical.finder, (frame.bottom, frame.top), frame.area.height(), lambda text: room)

    def _place_x(self, placed: _Placed) -> None:
        area, metrics, height = self.frame.area, placed.metrics, placed.metrics.height()
        label_top = area.top() - px(_GAP) - height if self.x_on_top else area.bottom() + px(_GAP)
        gap, end = metrics.horizontalAdvance("0"), -1.0
        for tick in self._ticks_x(metrics):
            at = self.frame.x(tick.at)
            if self.horizontal.grid:
                placed.grid.append(QLineF(at, area.top(), at, area.bottom()))
            width = metrics.horizontalAdvance(tick.text)
            left = max(0.0, min(at - width / 2, self.boundingRect().right() - width))
            box = QRectF(left - gap / 2, label_top, width + gap, height)
            if left >= end and placed.is_free(box):  # not moved in from the edge onto the one before
                end = left + width + gap / 2
                placed.labels.append((QPointF(left, label_top + metrics.ascent()), tick.text))
        if title := self._title(self.horizontal):
            top = label_top - height if self.x_on_top else label_top + height * (self.horizontal.finder is not no_ticks)
            top += self.line_height() - height - px(_GAP) if self.horizontal.names else 0.0
            width = metrics.horizontalAdvance(title) + 2  # may be more than the data have
            left = max(0.0, min(area.center().x() - width / 2, self.boundingRect().right() - width))
            placed.labels.append((QPointF(left + 1, top + metrics.ascent()), title))

    def _place_y(self, placed: _Placed) -> None:
        area, metrics, height, gap = self.frame.area, placed.metrics, placed.metrics.height(), px(_GAP)
        for tick in self._ticks_y(self.frame):
            at = self.frame.y(tick.at)
            if self.vertical.grid:
                placed.grid.append(QLineF(area.left(), at, area.right(), at))
            left = area.left() - gap - metrics.horizontalAdvance(tick.text)
            top = max(0.0, min(at - height / 2, self.boundingRect().bottom() - height))
            if placed.is_free(QRectF(left, top, area.left() - left, height)):
                placed.labels.append((QPointF(left, top + metrics.ascent()), tick.text))

    def _draw_upright(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        """Draw the vertical axis's title."""
        whole, title, height = self.boundingRect(), self.vertical.title, metrics.height()
        half = metrics.horizontalAdvance(title) / 2
        centre = self.frame.area.center().y()
        centre = max(min(centre, whole.bottom() - half), whole.top() + half)  # longer than the data are high
        painter.translate(self.frame.area.left() - self.margin, centre)
        painter.rotate(-90)
        painter.drawText(QRectF(-half - 1, 0, 2 * half + 2, height), Qt.AlignmentFlag.AlignCenter, title)


class _Placed:
    """Where grid lines and labels are, until the frame or what is written beside them changes."""

    def __init__(self, others: tuple[QRectF, ...], letters: QFont) -> None:
        self.others, self.font, self.metrics = others, letters, QFontMetricsF(letters)
        self.grid: list[QLineF] = []
        self.labels: list[tuple[QPointF, str]] = []

    def is_free(self, box: QRectF) -> bool:
        """Whether nothing else is written there."""
        return not any(map(box.intersects, self.others))
