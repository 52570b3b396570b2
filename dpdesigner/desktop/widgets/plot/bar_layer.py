"""Bars over whole numbers, with an outline beside them, dots for sampled releases, and labels on the data."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from dpdesigner.arrays import Floats, Integers
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.desktop.widgets.plot.line_shapes import bar_outline, highest
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, draw_chip, font, line


class BarLayer(PixelLayer):
    """Paints bars 0..n; where there are more than pixels, each pixel shows the highest of its bars."""

    def __init__(self) -> None:
        super().__init__()
        self.values: Floats = np.zeros(0)
        self.outline: Floats | None = None
        self.draws: Integers | None = None  #: dots on each bar
        self.final: Integers | None = None  #: the dots there will be, for which the scale is made
        self.selected: int | None = None
        self.mark: int | None = None
        self.labelled = True  #: whether the value of the selected bar is written over it
        self.hovered: int | None = None
        self.hover_lines: list[str] = []

    def top(self) -> float:
        """Return the value that must fit under the upper edge."""
        top = max((float(part.max()) for part in (self.values, self.outline) if part is not None and part.size), default=0.0)
        if self.final is not None and self.final.any():
            top = max(top, float(self.final.max()) / float(self.final.sum()))
        return top or 1.0

    @property
    def seen(self) -> range:
        """The bars in view."""
        first, stop = floor(self.frame.left + 0.5), floor(self.frame.right + 0.5)
        return range(max(0, first), max(0, min(len(self.values), stop)))

    def draw(self, painter: QPainter) -> None:
        """Draw bars, outline, dots, labels and the read-out."""
        painter.setPen(line("hairline"))
        area = self.frame.area
        painter.drawLine(QPointF(area.left(), area.bottom() + 0.5), QPointF(area.right(), area.bottom() + 0.5))
        self._draw_bars(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.outline is not None:
            self._draw_outline(painter, self.outline)
        if self.draws is not None and self.final is not None and self.final.any():
            self._draw_dots(painter, self.draws, self.final)
        if self.mark is not None and self.mark in self.seen:
            self._draw_mark(painter, self.mark)
        if self.hovered is not None and self.hover_lines:
            draw_chip(painter, QPointF(self.frame.x(self.hovered), 0), self.hover_lines, self.boundingRect())
        elif self.labelled and self.selected is not None and self.selected in self.seen:
            self._draw_label(painter, self.selected)

    def bar(self, place: int) -> QRectF:
        """Return the pixels of a bar, a hairline at least."""
        return self._bars(np.array([place]))[0]

    def _bars(self, places: Integers) -> list[QRectF]:
        start, bottom = self.frame.x(0), self.frame.area.bottom()
        pitch = self.frame.x(1) - start
        gap = min(1.0 if abs(pitch) < 8 else 2.0, abs(pitch) / 4)
        width = abs(pitch) - gap
        heights = np.maximum(self.values[places] * (bottom - self.frame.y(1.0)), 1.0).tolist()
        lefts = (start + places * pitch - width / 2).tolist()
        return [QRectF(left, bottom - height, width, height) for left, height in zip(lefts, heights, strict=True)]

    def _draw_bars(self, painter: QPainter) -> None:
        soft = 0.35 if self.final is not None and self.final.any() else 1.0
        plain, warm = colour("accent", soft), colour("selected", soft)
        seen = self.seen
        values = self.values[seen.start : seen.stop]
        if len(values) <= self.frame.area.width():
            places = seen.start + np.flatnonzero(values > 0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(plain)
            painter.drawRects(self._bars(places[places != self.selected]))
            if self.selected is not None and self.selected in places:
                painter.fillRect(self.bar(self.selected), warm)
            return
        bottom, pixels = self.frame.area.bottom(), int(self.frame.area.width())
        left, tops = self.frame.area.left(), self.frame.y(highest(values, pixels)).tolist()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(plain)
        painter.drawRects([QRectF(left + pixel, top, 1, bottom - top) for pixel, top in enumerate(tops)])
        if self.selected is not None and self.selected in seen:
            x = self.frame.x(self.selected)
            top = self.frame.y(float(self.values[self.selected]))
            painter.fillRect(QRectF(x - 1, top, 2, bottom - top), warm)

    def _draw_outline(self, painter: QPainter, outline: Floats) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(line("muted", 1.2, dashed=True))
        painter.drawPolyline(bar_outline(outline[self.seen.start : self.seen.stop], self.frame.area, self.frame.y))

    def _draw_dots(self, painter: QPainter, draws: Integers, final: Integers) -> None:
        """Stack one dot per draw, so that in the end a stack is as high as the share of draws it stands for."""
        unit = abs(self.frame.y(0) - self.frame.y(1)) / float(final.sum())
        width = max(self.bar(0).width(), 1.0)
        across = max(1, min(round(width / np.sqrt(width * unit)), int(final.max())))
        step_x, step_y = width / across, unit * across
        radius = max(0.5, 0.42 * min(step_x, step_y))
        painter.setPen(QPen(Qt.PenStyle.NoPen))
        for place in (place for place in np.flatnonzero(draws).tolist() if place in self.seen):
            count = int(draws[place])
            painter.setBrush(colour("selected" if place == self.selected else "accent"))
            left = self.frame.x(place) - width / 2
            for dot in range(count):
                y = self.frame.area.bottom() - (dot // across + 0.5) * step_y
                painter.drawEllipse(QPointF(left + (dot % across + 0.5) * step_x, y), radius, radius)

    def _draw_mark(self, painter: QPainter, place: int) -> None:
        x, y, size = self.frame.x(place), self.frame.area.bottom() + 1, 5 * theme().scale
        painter.setPen(QPen(Qt.PenStyle.NoPen))
        painter.setBrush(colour("selected"))
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - size, y + size), QPointF(x + size, y + size)]))

    def _draw_label(self, painter: QPainter, place: int) -> None:
        """Write its value over the selected bar."""
        painter.setFont(font(8, bold=True))
        metrics = QFontMetricsF(painter.font())
        text = significant(float(self.values[place]))
        width, area, bar = metrics.horizontalAdvance(text), self.frame.area, self.bar(place)
        places = []
        for left in (bar.center().x() - width / 2, bar.left(), bar.right() - width):
            kept = max(area.left(), min(left, area.right() - width))
            places.append((-self._summit(self._under(kept, width)), kept))
        top, left = min(places, key=lambda corner: corner[0])
        painter.setPen(colour("selected"))
        painter.drawText(QPointF(left, max(-top, area.top() - 2) - metrics.descent() - 1), text)

    def _summit(self, places: slice) -> float:
        """Return the pixel of the upper end of the highest of some bars, or of the dots on it."""
        highest = float(self.values[places].max())
        if self.draws is not None and self.final is not None and self.final.any():
            highest = max(highest, float(self.draws[places].max() / self.final.sum()))
        return self.frame.y(highest)

    def _under(self, left: float, width: float) -> slice:
        """Return the bars that lie under a label, at least one."""
        last = len(self.values) - 1
        first = min(max(0, floor(self.frame.value_x(left) + 0.5)), last)
        return slice(first, max(first + 1, min(last + 1, ceil(self.frame.value_x(left + width) + 0.5))))
