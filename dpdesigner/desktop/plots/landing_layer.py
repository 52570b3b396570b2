"""The result of a draw: dots or bars that drop onto a plot, with their number."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QFontMetricsF, QPainter
from shiboken6 import isValid

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.plots.curve_layer import CurveLayer
from dpdesigner.desktop.plots.plot_layer import DOT, PixelLayer, colour, font, line, px, write_inside
from dpdesigner.studies.plot_parts import Landing

_DROP, _BARS_DROP = 200, 500  # milliseconds that a dot takes to drop from the upper edge, and all bars together
_LARGE, _SEVERAL = 7.0, 3.2  # pixels at text scale 1: a single dot that is large, and each of several
_PALE = 0.22  # the opacity of bars of many draws


class LandingLayer(PixelLayer):
    """The last draw: dots, or bars of many. New ones drop or rise; with reduced motion, or while hidden, they appear in place.

    Parameters
    ----------
    plot : QObject
        The plot that it belongs to, with which the motion ends.
    curves : CurveLayer
        What is painted below.
    """

    def __init__(self, plot: QObject, curves: CurveLayer) -> None:
        super().__init__()
        self._curves = curves
        self.landing: Landing | None = None
        self.fallen = 1.0  #: how far the dots have dropped, from 0 to 1
        self._drop = QVariantAnimation(plot)
        self._drop.setStartValue(0.0)
        self._drop.setEndValue(1.0)
        self._drop.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._drop.valueChanged.connect(self._fall)

    def show_landing(self, landing: Landing | None) -> None:
        """Show results; only those of a new draw drop."""
        before, self.landing = self.landing, landing
        below = landing is not None and landing.boxes is not None
        self.setZValue(self._curves.zValue() + (-0.5 if below else 2))  # bars behind the curves, dots before the handles
        if landing is None or before is None or before.of is not landing.of:
            self._drop.stop()
            self._fall(1.0)
            if landing is not None and self._seen() and not preferences().choices.reduced_motion:
                self._drop.setDuration(_BARS_DROP if landing.bars else _DROP)
                self._fall(0.0)
                self._drop.start()
        self.update()

    def _seen(self) -> bool:
        return (scene := self.scene()) is not None and any(view.isVisible() for view in scene.views())

    def _fall(self, share: Any) -> None:
        if isValid(self):  # the scene may be gone before the plot
            self.fallen = float(share)
            self._curves.fallen = self.fallen if self.landing is not None and self.landing.bars else 1.0
            (self if self._curves.fallen == 1 else self._curves).update()

    def draw(self, painter: QPainter) -> None:
        """Draw the bars, or the dots at their current positions and the number next to the first."""
        landing = self.landing
        if landing is None or landing.bars:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, landing.boxes is None)
        area = self.frame.area
        if landing.boxes is not None:  # all at once, because there may be thousands
            painter.setClipRect(area)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("text", _PALE))
            painter.drawRects(self._risen(landing.boxes))
            painter.setClipping(False)
        goals = self._goals(landing)
        radius = landing.size * area.height() or px(_LARGE if landing.large else DOT if len(goals) == 1 else _SEVERAL)
        painter.setClipRect(area.adjusted(-radius, -radius, radius, radius))
        falling = [QPointF(x, area.top() + self.fallen * (y - area.top())) for x, y in goals.tolist()]
        for at in falling:
            if landing.upright:
                painter.setPen(line("selected", 1.4))
                painter.drawLine(at, QPointF(at.x(), area.bottom()))
            painter.setPen(line("card", 1.5))
            painter.setBrush(colour("selected"))
            painter.drawEllipse(at, radius, radius)
        painter.setClipping(False)
        if landing.inside:
            write_inside(painter, falling[0], landing.inside, radius)
        if landing.text:
            self._write(painter, landing, falling[0])

    def _risen(self, boxes: Floats) -> list[QRectF]:
        """Return the bars in pixels on their way up, with a gap between neighbours."""
        low, high = (np.column_stack([self.frame.x(boxes[:, k]), self.frame.y(boxes[:, k + 1])]) for k in (0, 2))
        (x, bottom), (right, top) = low.T, high.T
        gap, tall = np.minimum(1.0, (right - x) / 4), self.fallen * np.maximum(bottom - top, 1.0)
        parts = np.column_stack([x + gap / 2, bottom - tall, right - x - gap, tall])
        return [QRectF(*part) for part in parts.tolist()]

    def _goals(self, landing: Landing) -> Floats:
        """The places where dots come to rest, kept within the plot."""
        area = self.frame.area
        points = [self._curves.pixel(x, y) for x, y in zip(landing.x, landing.y, strict=True)]
        x = np.clip([point.x() for point in points], area.left(), area.right())
        y = np.clip(np.nan_to_num([point.y() for point in points], nan=area.bottom()), area.top(), area.bottom())
        return np.column_stack([x, y])

    def _write(self, painter: QPainter, landing: Landing, at: QPointF) -> None:
        """Write the number beside the dot, over a bar above it, a large text at the top; elsewhere if something stands there."""
        painter.setFont(font(11.5 if landing.large else 8.5, bold=True))
        metrics, area = QFontMetricsF(painter.font()), self.frame.area
        gap = max(px(DOT), landing.size * area.height()) + px(4)
        width, height = metrics.horizontalAdvance(landing.text), metrics.height()
        left, over = max(min(at.x() - width / 2, area.right() - width), area.left()), at.y() - gap - height
        top = QRectF(left, area.top() if landing.large else max(over, area.top() - height), width, height)
        tops = (min(max(at.y() + away - height / 2, area.top()), area.bottom() - height) for away in (0, 2 * height, -2 * height))
        lefts = at.x() + gap, max(at.x() - gap - width, area.left())
        beside, taken = [QRectF(left, y, width, height) for y in tops for left in lefts], self._curves.obstacles()
        bare = not landing.upright and any(bars.rival is None for bars in self._curves.plot.bars)
        boxes = [top, *beside] if landing.large or bare else beside
        if landing.upright:  # no curve through it, if possible
            boxes.sort(key=self._curves.touches)
        for bars in self._curves.plot.bars if landing.large else ():  # the number at the bar is to be read, too
            head = self._curves.pixel(landing.x[0], float(bars.values[int(landing.x[0])]))
            number = QRectF(head.x() - px(22), head.y() - px(20), px(44), px(18))
            taken.append(number)
            lefts = number.right() + gap, max(number.left() - gap - width, area.left())
            boxes[1:1] = [QRectF(left, top.y(), width, height) for left in lefts]
        free = (box for box in boxes if box.right() <= area.right() and not any(map(box.intersects, taken)))
        box = next(free, boxes[boxes[0].right() > area.right()])
        painter.fillRect(box.adjusted(-px(2), 0, px(2), 0), colour("card", 0.85))
        painter.setPen(colour("selected"))
        painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), landing.text)
