"""Lets results that were drawn drop onto a plot: one as a dot with its number, many as pale dots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QVariantAnimation
from PySide6.QtGui import QFontMetricsF, QPainter
from shiboken6 import isValid

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, font, line, px
from dpdesigner.studies.panels import Landing

_DROP = 200  # milliseconds from the upper edge to its place
_RADIUS, _SEVERAL, _SMALL = 5.0, 3.2, 2.4  # pixels at text scale 1, of one dot, of each of several and of many
_PALE = 0.45


class LandingLayer(PixelLayer):
    """The dots of what was drawn last. New results drop; without motion, or where nobody sees it, they are there at once.

    Parameters
    ----------
    plot : QObject
        The plot that it belongs to, with which the motion ends.
    place : callable
        The pixel of a point of the plot.
    """

    def __init__(self, plot: QObject, place: Callable[[float, float], QPointF]) -> None:
        super().__init__()
        self._place = place
        self.landing: Landing | None = None
        self.fallen = 1.0  #: how far they have dropped, from 0 to 1
        self._drop = QVariantAnimation(plot)
        self._drop.setDuration(_DROP)
        self._drop.setStartValue(0.0)
        self._drop.setEndValue(1.0)
        self._drop.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._drop.valueChanged.connect(self._fall)

    def show_landing(self, landing: Landing | None) -> None:
        """Show results; only those of another draw drop."""
        before, self.landing = self.landing, landing
        if landing is None or before is None or before.of is not landing.of:
            self._drop.stop()
            self.fallen = 1.0
            if landing is not None and self._seen() and not preferences().choices.reduced_motion:
                self.fallen = 0.0
                self._drop.start()
        self.update()

    def _seen(self) -> bool:
        scene = self.scene()
        return scene is not None and any(view.isVisible() for view in scene.views())

    def _fall(self, share: Any) -> None:
        if isValid(self):  # the scene may be gone before the plot
            self.fallen = float(share)
            self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the dots where they are on their way, and the number beside the first."""
        landing = self.landing
        if landing is None or not landing.x:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.frame.area
        goals = self._stacked(landing.x) if landing.many else self._goals(landing)
        radius = px(_SMALL if landing.many else _RADIUS if len(goals) == 1 else _SEVERAL)
        painter.setClipRect(area.adjusted(-radius, -radius, radius, radius))
        for x, y in goals.tolist():
            at = QPointF(x, area.top() + self.fallen * (y - area.top()))
            if not landing.many and landing.upright:
                painter.setPen(line("selected", 1.4))
                painter.drawLine(at, QPointF(x, area.bottom()))
            painter.setPen(line("card", 1.0 if landing.many else 1.5))
            painter.setBrush(colour("selected", _PALE if landing.many else 1.0))
            painter.drawEllipse(at, radius, radius)
        painter.setClipping(False)
        if landing.text:
            x, y = goals[0].tolist()
            self._write(painter, landing.text, QPointF(x, area.top() + self.fallen * (y - area.top())))

    def _goals(self, landing: Landing) -> Floats:
        """Where dots come to rest, kept within the plot."""
        area = self.frame.area
        points = [self._place(x, y) for x, y in zip(landing.x, landing.y, strict=True)]
        x = np.clip([point.x() for point in points], area.left(), area.right())
        y = np.clip(np.nan_to_num([point.y() for point in points], nan=area.bottom()), area.top(), area.bottom())
        return np.column_stack([x, y])

    def _stacked(self, values: tuple[float, ...]) -> Floats:
        """Where many dots lie: above the axis, on each other where they are at the same place."""
        area, size = self.frame.area, 2 * px(_SMALL) + 1
        x = np.clip([self._place(value, 1.0).x() for value in values], area.left(), area.right())
        columns = np.floor((x - area.left()) / size).astype(int)
        order = np.argsort(columns, kind="stable")
        _, first, counts = np.unique(columns[order], return_index=True, return_counts=True)
        above = np.empty(len(x))
        above[order] = np.arange(len(x)) - np.repeat(first, counts)
        step = min(size, (area.height() - size) / max(int(counts.max()), 1))
        return np.column_stack([area.left() + (columns + 0.5) * size, area.bottom() - size / 2 - above * step])

    def _write(self, painter: QPainter, text: str, at: QPointF) -> None:
        """Write the number at the right of the dot, or at its left where there is no room."""
        painter.setFont(font(8.5, bold=True))
        metrics, area, gap = QFontMetricsF(painter.font()), self.frame.area, px(_RADIUS + 4)
        width, height = metrics.horizontalAdvance(text), metrics.height()
        left = at.x() + gap if at.x() + gap + width <= area.right() else at.x() - gap - width
        top = min(max(at.y() - height / 2, area.top()), area.bottom() - height)
        box = QRectF(max(left, area.left()), top, width, height)
        painter.fillRect(box.adjusted(-px(2), 0, px(2), 0), colour("card", 0.85))
        painter.setPen(colour("selected"))
        painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), text)
