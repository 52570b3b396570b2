"""Paints the handles of a plot over its curves, and the numbers under the mouse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QPainter

from dpdesigner.desktop.widgets.plot.curve_layer import CurveLayer, draw_dot
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, draw_chip, font, line
from dpdesigner.desktop.widgets.plot.roles import colour_role
from dpdesigner.studies.panels import Handle


class HandleLayer(PixelLayer):
    """The upright handles with their texts above and their dots, and the read-out under the mouse."""

    def __init__(self, curves: CurveLayer) -> None:
        super().__init__()
        self._curves = curves
        self.handles: tuple[Handle, ...] = ()
        self.hovered: float | None = None
        self.hover_lines: Sequence[str] = ()

    def draw(self, painter: QPainter) -> None:
        """Draw handles and read-out."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, plot = self.frame.area, self._curves.plot
        for handle in self.handles:
            height = plot.lines[0].at(handle.place, logarithmic=plot.x.log) if plot.lines else float("nan")
            at = self._curves.pixel(handle.place, height)
            if area.left() - 1 <= at.x() <= area.right() + 1:
                self._draw_handle(painter, at, handle.text)
        if self.hovered is not None and self.hover_lines:
            x = self._curves.pixel(self.hovered, 1.0).x()
            if not plot.bars:
                painter.setPen(line("muted", opacity=0.6))
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            for drawn in plot.lines:
                at = self._curves.pixel(self.hovered, drawn.at(self.hovered, logarithmic=plot.x.log))
                draw_dot(painter, at, colour_role(drawn), small=True)
            draw_chip(painter, QPointF(x, area.top() + 0.3 * area.height()), self.hover_lines, self.boundingRect())

    def _draw_handle(self, painter: QPainter, at: QPointF, text: str) -> None:
        area = self.frame.area
        painter.setPen(line("text", opacity=0.75))
        painter.drawLine(QPointF(at.x(), area.top() - 2), QPointF(at.x(), area.bottom()))
        if np.isfinite(at.y()) and area.top() - 1 <= at.y() <= area.bottom() + 1:
            draw_dot(painter, at, colour_role(self._curves.plot.lines[0]))
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        width = metrics.horizontalAdvance(text)
        left = max(area.left(), min(at.x() - width / 2, self.boundingRect().right() - width))
        painter.setPen(colour("text"))
        painter.drawText(QPointF(left, area.top() - 4 - metrics.descent()), text)
