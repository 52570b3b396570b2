"""The strip under a matrix that says what its colours, or the signs of its constraint pattern, mean."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.matrix.colour import Scale, colour_table
from dpdesigner.desktop.widgets.matrix.image import draw_hatching, draw_image, image_of
from dpdesigner.desktop.widgets.matrix.pattern import GLYPHS, binding_words, pattern_colours
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, font, line, px
from dpdesigner.studies.matrices import Binding

_ORDER = (Binding.DOWN, Binding.UP, Binding.SLACK, Binding.ZERO)


class KeyLayer(PixelLayer):
    """A colour bar with its ends labelled, or the four kinds of constraint by name."""

    def __init__(self) -> None:
        super().__init__()
        self.value_scale = Scale()
        self.pattern = False
        self.glyphs = True

    @staticmethod
    def height() -> float:
        """Return the pixels that the strip needs below the matrix, at text scale 1."""
        return QFontMetricsF(font()).height() / theme().scale + 8

    def draw(self, painter: QPainter) -> None:
        """Draw the strip under the area."""
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        area = self.frame.area
        strip = QRectF(area.left(), area.bottom() + px(6), area.width(), metrics.height())
        if self.pattern:
            self._draw_pattern(painter, strip, metrics)
        else:
            self._draw_bar(painter, strip, metrics)

    def _draw_bar(self, painter: QPainter, strip: QRectF, metrics: QFontMetricsF) -> None:
        scale = self.value_scale
        high = ("+" if scale.kind == "difference" else "") + brief(scale.top)
        low = brief(-scale.top) if scale.kind == "difference" else brief(scale.bottom) if scale.logarithmic else "0"
        zero = tr("0 exactly") if scale.logarithmic else ""
        bar = min(px(120), strip.width() / 3)
        at = strip.left()
        if zero:
            at = self._swatch(painter, QRectF(at, strip.top(), strip.height(), strip.height()), None)
            at = self._words(painter, at, strip, metrics, zero) + strip.height()
        at = self._words(painter, at, strip, metrics, low) + px(6)
        target = QRectF(at, strip.center().y() - strip.height() * 0.25, bar, strip.height() * 0.5)
        draw_image(painter, target, image_of(np.arange(1, 256, dtype=np.uint8)[None, :], colour_table(scale)))
        self._words(painter, target.right() + px(6), strip, metrics, high)

    def _draw_pattern(self, painter: QPainter, strip: QRectF, metrics: QFontMetricsF) -> None:
        signs = {binding: metrics.horizontalAdvance(GLYPHS[binding]) if self.glyphs else strip.height() for binding in _ORDER}
        words, width = binding_words(short=False), 0.0
        for short in (False, True):
            words = binding_words(short=short)
            width = sum(signs[binding] + 5 + metrics.horizontalAdvance(words[binding]) for binding in _ORDER)
            if width + 3 * 12 <= strip.width():
                break
        gap = min(24.0, max(6.0, (strip.width() - width) / 3))
        at = strip.left()
        for binding in _ORDER:
            if self.glyphs:
                at = self._words(painter, at, strip, metrics, GLYPHS[binding], "accent") + 5
            else:
                at = self._swatch(painter, QRectF(at, strip.top(), strip.height(), strip.height()), binding)
            at = self._words(painter, at, strip, metrics, words[binding]) + gap

    @staticmethod
    def _words(painter: QPainter, at: float, strip: QRectF, metrics: QFontMetricsF, text: str, role: str = "muted") -> float:
        """Write a text and return where it ends."""
        width = metrics.horizontalAdvance(text)
        painter.setPen(colour(role))
        painter.drawText(QRectF(at, strip.top(), width + 1, strip.height()), Qt.AlignmentFlag.AlignVCenter, text)
        return at + width

    @staticmethod
    def _swatch(painter: QPainter, box: QRectF, binding: Binding | None) -> float:
        """Draw a square of a binding's colour, or of the hatching that means zero, and return where text may follow."""
        inner = box.adjusted(2, 2, -2, -2)
        if binding is None or binding == Binding.ZERO:
            draw_hatching(painter, inner)
        else:
            painter.fillRect(inner, pattern_colours()[binding])
        painter.setPen(line("hairline"))
        painter.drawRect(inner)
        return box.right() + 5
