"""Other distributions drawn over the one being edited: pinned ones, and what is believed after a release."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPolygonF

from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.distribution.weight_rules import Floats
from dpdesigner.desktop.widgets.plot.line_shapes import bar_outline, highest
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, font, line

_SPACING = 2.0  # pixels at least between the points of a curve
_PLACES = 25  # that are tried for a name


class Overlay(NamedTuple):
    """A distribution to compare with.

    Attributes
    ----------
    name : str
        Written at its peak.
    probabilities : array (n + 1,)
        Drawn on the same scale as the bars.
    pinned : bool
        Whether it was pinned (a dashed outline) or follows from a release (a thin line).
    """

    name: str
    probabilities: Floats
    pinned: bool = True


class OverlayLayer(PixelLayer):
    """Curves over the bars; `total` is the sum of the weights that the bars show."""

    def __init__(self) -> None:
        super().__init__()
        self.overlays: Sequence[Overlay] = ()
        self.weights: Floats = np.ones(1)  #: of the bars, which names keep away from
        self.total = 1.0
        self._labels: list[QRectF] | None = None

    def renew(self) -> None:
        """Paint anew, and look for places for the names again."""
        self._labels = None
        super().renew()

    def show_overlays(self, overlays: Sequence[Overlay]) -> None:
        """Draw other curves."""
        self.overlays = overlays
        self.renew()

    def draw(self, painter: QPainter) -> None:
        """Draw the curves, then their names; these stay where they are while a gesture changes the bars."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(7.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.save()
        painter.setClipRect(self.frame.area.adjusted(0, -1, 0, 1))
        for overlay in self.overlays:
            painter.setPen(line("muted", dashed=True) if overlay.pinned else line("text", opacity=0.75))
            painter.drawPolyline(self._shape(overlay))
        painter.restore()
        if self._labels is None:
            self._labels = []
            for overlay in self.overlays:
                self._labels.append(self._label(overlay, QFontMetricsF(painter.font()), self._labels))
        for overlay, box in zip(self.overlays, self._labels, strict=True):
            painter.fillRect(box.toAlignedRect(), colour("card", 0.7))
            painter.setPen(colour("muted" if overlay.pinned else "text"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text(overlay))

    def text(self, overlay: Overlay) -> str:
        """Return the name of a curve, with its peak where that does not fit the scale."""
        peak = float(overlay.probabilities.max())
        if peak * self.total <= self.frame.top:
            return overlay.name
        return tr("{name} ↑ up to {percent}%").format(name=overlay.name, percent=brief(100 * peak))

    def _shape(self, overlay: Overlay) -> QPolygonF:
        """Return the outline of bars for what is pinned, else a line through their tops."""
        values, size = overlay.probabilities, len(overlay.probabilities)
        if overlay.pinned or size == 1:
            return bar_outline(values, self.frame.area, self._tops, footed=False)
        steps = min(size, max(int(self.frame.area.width() / _SPACING), 2))
        places = np.asarray((np.arange(steps) * size) // steps + (size / steps - 1) / 2, dtype=np.float64)
        points = zip(self.frame.x(places).tolist(), self._tops(highest(values, steps)).tolist(), strict=True)
        return QPolygonF([QPointF(*point) for point in points])

    def _tops(self, probabilities: Floats) -> Floats:
        """Return the pixels of probabilities; those far above the scale may be cut."""
        return self.frame.y(np.minimum(probabilities * self.total, 20 * self.frame.top))

    def _label(self, overlay: Overlay, metrics: QFontMetricsF, taken: Sequence[QRectF]) -> QRectF:
        """Return a place for a name: over its peak, but rather beside it than over bars or other names."""
        area, text = self.frame.area, self.text(overlay)
        width, height = metrics.horizontalAdvance(text) + 4, metrics.height()
        peak = int(np.argmax(overlay.probabilities))
        at = self.frame.x(peak) - width / 2
        top = max(self.frame.y(float(overlay.probabilities[peak]) * self.total) - height - 2, area.top())
        best, least = QRectF(at, top, width, height), np.inf
        lefts = np.linspace(area.left(), max(area.left(), area.right() - width), _PLACES).tolist()
        for left, down in product(lefts, (0.0, height)):
            box = QRectF(left, top + down, width, height)
            cost = abs(left - at) / area.width() + down / area.height() + 2 * self._covered(box)
            cost += sum(4.0 for other in taken if box.intersects(other))
            if cost < least:
                best, least = box, cost
        return best

    def _covered(self, box: QRectF) -> float:
        """Return the share of a box's height that the highest bar under it covers."""
        last = len(self.weights) - 1
        ends = self.frame.value_x(box.left()), self.frame.value_x(box.right())
        low, high = (min(max(round(end), 0), last) for end in ends)
        summit = self.frame.y(float(self.weights[low : high + 1].max()))
        return min(max((box.bottom() - summit) / box.height(), 0.0), 1.0)
