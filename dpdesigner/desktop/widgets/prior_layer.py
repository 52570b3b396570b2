"""What the prior editor paints: bars, the ghost of the shape before a stroke, overlays, handles of the curve, the read-out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF

from dpdesigner.desktop.widgets.plot_layer import PixelLayer, colour, draw_chip, line, px

Floats = NDArray[np.float64]


class PriorLayer(PixelLayer):
    """Paints weights over 0..n; where there are more bars than pixels, each pixel shows the highest of its bars."""

    def __init__(self) -> None:
        super().__init__()
        self.weights: Floats = np.ones(1)
        self.ghost: Floats | None = None
        self.posterior: Floats | None = None  #: probabilities
        self.pinned: list[Floats] = []  #: probabilities
        self.handles: list[tuple[float, float]] = []
        self.locked: frozenset[int] = frozenset()
        self.selected: int | None = None
        self.hovered: int | None = None
        self.hover_lines: list[str] = []

    def draw(self, painter: QPainter) -> None:
        """Draw everything."""
        self._draw_bars(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        total = float(self.weights.sum())
        for probabilities in self.pinned:
            painter.setPen(line("muted", 1.3, dashed=True))
            painter.drawPolyline(self._steps(probabilities * total))
        if self.posterior is not None and len(self.posterior) == len(self.weights):
            painter.setPen(line("selected", 1.2))
            painter.drawPolyline(self._steps(self.posterior * total))
        if self.ghost is not None:
            painter.setPen(line("muted", 1.0))
            painter.drawPolyline(self._steps(self.ghost))
        self._draw_handles(painter)
        if self.hovered is not None and self.hover_lines:
            draw_chip(painter, QPointF(self.frame.x(self.hovered), 0), self.hover_lines, self.boundingRect())

    def _draw_bars(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(colour("accent")))
        area, count = self.frame.area, len(self.weights)
        if count > area.width():
            pixels = max(int(area.width()), 1)
            tops = np.maximum.reduceat(self.weights, (np.arange(pixels) * count) // pixels)
            lefts, width = area.left() + np.arange(pixels, dtype=float), 1.0
        else:
            step = area.width() / count
            gap = min(2.0 if step >= 8 else 1.0, step / 4)
            lefts, width, tops = area.left() + step * np.arange(count) + gap / 2, step - gap, self.weights
        heights = np.clip(tops / max(self.frame.top, 1e-300), 0, 1) * area.height()
        heights[(tops > 0) & (heights < 1)] = 1.0
        painter.drawRects([
            QRectF(left, area.bottom() - height, width, height)
            for left, height in zip(lefts.tolist(), heights.tolist(), strict=True)
            if height > 0
        ])
        self._draw_special(painter, width)

    def _draw_special(self, painter: QPainter, width: float) -> None:
        """The selected bar warm, locked bars hatched."""
        area, bottom = self.frame.area, self.frame.area.bottom()
        width = max(width, 2.0)
        for place in self.locked:
            if place < len(self.weights):
                top = self.frame.y(float(self.weights[place]))
                painter.fillRect(QRectF(self.frame.x(place) - width / 2, top, width, bottom - top), colour("quiet"))
        if self.selected is not None and self.selected < len(self.weights):
            top = min(max(self.frame.y(float(self.weights[self.selected])), area.top()), bottom - 2)
            painter.fillRect(QRectF(self.frame.x(self.selected) - width / 2, top, width, bottom - top), colour("selected"))
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(area.left(), bottom + 0.5), QPointF(area.right(), bottom + 0.5))

    def _steps(self, values: Floats) -> QPolygonF:
        """The outline of bars, thinned to a few points a pixel."""
        stride = max(1, len(values) // max(2 * int(self.frame.area.width()), 1))
        points = QPolygonF()
        for place in range(0, len(values), stride):
            y = max(self.frame.y(float(values[place])), self.frame.area.top() - 1)
            points.append(QPointF(self.frame.x(place - 0.5), y))
            points.append(QPointF(self.frame.x(place + stride - 0.5), y))
        return points

    def _draw_handles(self, painter: QPainter) -> None:
        painter.setPen(QPen(colour("card"), 1.5))
        painter.setBrush(colour("selected"))
        for x, y in self.handles:
            painter.drawEllipse(QPointF(self.frame.x(x), self.frame.y(y)), px(5), px(5))
