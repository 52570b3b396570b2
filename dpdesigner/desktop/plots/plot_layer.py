"""Layers painted over a plot in pixels, and the frame that maps pixels to values.

A plot keeps one `Frame`: the rectangle its data occupy and the values at the edges of it. Layers receive each new frame and
paint in the pixels of the view, so that text and hairlines stay sharp at any zoom, on paper and in vector files.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsOpacityEffect, QStyleOptionGraphicsItem, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.theme import theme
from dpdesigner.studies.plot_parts import Band, Bars, Line, Mark
from dpdesigner.studies.table_panels import Rank, Role

FADED = 0.4  #: opacity of outdated content
Values = TypeVar("Values", float, Floats)


@dataclass(frozen=True)
class Frame:
    """The position of the data: a rectangle of the view, and the values at its left, right, bottom and top edge."""

    area: QRectF
    left: float = 0.0
    right: float = 1.0
    bottom: float = 0.0
    top: float = 1.0

    def x(self, value: Values) -> Values:
        """Return the pixel of a horizontal value, or of an array of them."""
        return self.area.left() + (value - self.left) / (self.right - self.left) * self.area.width()

    def y(self, value: Values) -> Values:
        """Return the pixel of a vertical value, or of an array of them."""
        return self.area.bottom() - (value - self.bottom) / (self.top - self.bottom) * self.area.height()

    def value_x(self, pixel: float) -> float:
        """Return the horizontal value at a pixel."""
        return self.left + (pixel - self.area.left()) / max(self.area.width(), 1.0) * (self.right - self.left)

    def value_y(self, pixel: float) -> float:
        """Return the vertical value at a pixel."""
        return self.bottom + (self.area.bottom() - pixel) / max(self.area.height(), 1.0) * (self.top - self.bottom)

    def box(self, left: float, top: float, right: float, bottom: float) -> QRectF:
        """Return the pixels of a rectangle given by values, clipped to the area."""
        corners = QRectF(QPointF(self.x(left), self.y(top)), QPointF(self.x(right), self.y(bottom)))
        return corners.normalized().intersected(self.area)


class PixelLayer(QGraphicsItem):
    """An item over the whole view, painted in pixels with the current frame of the plot."""

    def __init__(self) -> None:
        super().__init__()
        self.frame = Frame(QRectF())
        self._bounds = QRectF()

    def set_frame(self, frame: Frame, bounds: QRectF) -> None:
        """Set the plot's new frame and the rectangle of the whole view."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self.frame = frame
        self.renew()

    def renew(self) -> None:
        """Repaint after a change of frame or contents; a layer with a cached layout discards it first."""
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the layer, unless there is no room for data at all.

        An exception is reported here: one that leaves an item of a scene ends the process.
        """
        if self.frame.area.width() >= 1 and self.frame.area.height() >= 1:
            painter.save()
            try:
                self.draw(painter)
            except Exception as error:
                sys.excepthook(type(error), error, error.__traceback__)
            finally:
                painter.restore()

    def draw(self, painter: QPainter) -> None:
        """Draw the layer's contents; layers override this."""


def fade(on: bool, *items: QGraphicsItem | QWidget) -> None:
    """Fade outdated contents while new ones are being computed, or show them in full again."""
    for item in items:
        if isinstance(item, QGraphicsItem):
            item.setOpacity(FADED if on else 1.0)
        elif on != (item.graphicsEffect() is not None):
            item.setGraphicsEffect(QGraphicsOpacityEffect(item, opacity=FADED) if on else None)  # type: ignore[arg-type]


#: Pixels, at every text size, that the main picture of a page is high; notes, buttons and other lanes give way first.
LEAST_PICTURE = 200

#: Radius of the dot of a single draw, in pixels at text scale 1.
DOT = 5.0


def px(pixels: float) -> float:
    """Return a distance in pixels at text scale 1, converted to the theme's scale."""
    return pixels * theme().scale


def colour(role: str, opacity: float = 1.0) -> QColor:
    """Return a colour of the theme by its name.

    Parameters
    ----------
    role : str
        A field of `dpdesigner.desktop.base.colours.Colours`, such as ``"accent"``.
    opacity : float
        From 0 (invisible) to 1.

    Returns
    -------
    QColor
        The colour in the scheme now in force.
    """
    painted = QColor(theme().colours.named(role))
    painted.setAlphaF(opacity)
    return painted


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return a mix of two colours, with the given share (0 to 1) of the second."""

    def part(one: float, two: float) -> float:
        return one + (two - one) * share

    return QColor.fromRgbF(
        part(first.redF(), second.redF()),
        part(first.greenF(), second.greenF()),
        part(first.blueF(), second.blueF()),
        part(first.alphaF(), second.alphaF()),
    )


def line(role: str, width: float = 1.0, *, dashed: bool = False, opacity: float = 1.0) -> QPen:
    """Return a pen whose width scales with the picture, so that it also suits print."""
    pen = QPen(colour(role, opacity), width)
    pen.setCosmetic(False)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dashed:
        pen.setDashPattern([4.0, 3.0])
    return pen


def font(points: float = 8.0, *, bold: bool = False) -> QFont:
    """Return the application's font at a size in points, enlarged by the theme's scale."""
    letters = QFont(QApplication.font())
    letters.setPointSizeF(theme().points(points))
    letters.setBold(bold)
    return letters


def draw_chip(painter: QPainter, at: QPointF, lines: Sequence[str], bounds: QRectF) -> QRectF:
    """Draw a small card of text next to a point, kept within bounds.

    Parameters
    ----------
    painter : QPainter
        Paints in pixels.
    at : QPointF
        The point that the text is about; the card stands to the right of it if there is room, else to the left.
    lines : sequence of str
        The lines of text.
    bounds : QRectF
        The card never leaves this rectangle unless it is larger.

    Returns
    -------
    QRectF
        The pixels covered.
    """
    painter.setFont(font())
    metrics = QFontMetricsF(painter.font())
    width = max(metrics.horizontalAdvance(text) for text in lines) + px(16)
    height = metrics.height() * len(lines) + px(8)
    left = at.x() + px(12) if at.x() + px(12) + width <= bounds.right() else at.x() - px(12) - width
    left = max(bounds.left(), min(left, bounds.right() - width))
    top = max(bounds.top(), min(at.y() - height / 2, bounds.bottom() - height))
    card = QRectF(left, top, width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(line("hairline"))
    painter.setBrush(colour("card", 0.94))
    painter.drawRoundedRect(card, px(4), px(4))
    painter.setPen(colour("text"))
    inner = card.adjusted(px(8), px(4), -px(8), -px(4))
    painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, "\n".join(lines))
    return card


def draw_arrow(painter: QPainter, start: QPointF, end: QPointF) -> None:
    """Draw an arrow to what is selected."""
    painter.setPen(line("selected", px(1.5)))
    painter.drawLine(start, end)
    way, size = end - start, px(5)
    way *= size / (math.hypot(way.x(), way.y()) or 1.0)
    across = QPointF(-way.y(), way.x()) * 0.55
    painter.setBrush(colour("selected"))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawPolygon([end, end - way + across, end - way - across])


def _within(box: QRectF, area: QRectF) -> QRectF:
    return box.translated(max(area.left() - box.left(), 0.0) - max(box.right() - area.right(), 0.0), 0.0)


def draw_cells(
    painter: QPainter, area: QRectF, cells: Sequence[tuple[int, int, str]], size: int, chosen: int,
    *, plain: str = "", opacity: float = 1.0,
) -> None:  # fmt: skip
    """Draw runs of places, each a first, a last and a text, as cells; the chosen place's in front of the others.

    `plain` is the colour that fills it among white cells; `opacity` is that of the filling.
    """
    painter.setFont(font(7.5))
    metrics, each = QFontMetricsF(painter.font()), area.width() / size
    narrow = each < 3  # too narrow to distinguish
    numbers = [text for first, last, text in cells if narrow or first == last]
    wide = (1 + narrow / 2) * max(map(metrics.horizontalAdvance, numbers), default=0.0) + px(2)
    steps = (1, 5, 10, 20, 50, 100, 200, 500, 1000)
    by = next((by for by in steps if by * each >= wide), size)  # every so many numbers, never some
    cells = [(first, last, text if first != last or first % by == 0 or first == chosen else "") for first, last, text in cells]
    if narrow:
        painter.fillRect(area, colour("accent_soft"))
        cells = [cell for cell in cells if cell[0] <= chosen <= cell[1] or -cell[0] % by <= cell[1] - cell[0]]
    texts = list[tuple[QRectF, str, str]]()
    for first, last, text in sorted(cells, key=lambda cell: cell[0] <= chosen <= cell[1]):
        left, right = (area.left() + place / size * area.width() for place in (first, last + 1))
        box, held = QRectF(left + 0.5, area.top() + 0.5, max(right - left - 1, 1), area.height() - 1), first <= chosen <= last
        ink = (plain or "selected") if held else "hairline"
        if held:  # its text is always seen
            more = max(metrics.horizontalAdvance(text) + 2 - box.width(), 0.0)
            box = _within(box.adjusted(-more / 2, 0, more / 2, 0), area)
            painter.setBrush(colour(ink, opacity if plain else 0.14))
        else:
            painter.setBrush(colour("card") if plain else colour("accent", 0.3 if last > first else 0.12))
        painter.setPen(line(ink, 1.5 if held else 1.0))
        if held or not narrow or box.width() > px(12):
            painter.drawRoundedRect(box, px(2), px(2))
        texts.append((box, text, "text" if not held else "card" if plain else "selected"))
    taken = list[QRectF]()
    for box, text, ink in sorted(texts, key=lambda each: each[0].width(), reverse=True) if by > 1 else texts:
        more = max(metrics.horizontalAdvance(text) - box.width(), 0.0) / 2 if by > 1 else 0.0
        room = _within(box.adjusted(-more, 0, more, 0), area)
        if text and metrics.horizontalAdvance(text) <= room.width() + 0.1 and not any(map(room.intersects, taken)):
            taken.append(room)
            painter.setPen(colour(ink))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)


_COLOURS: dict[Role, str] = {
    "main": "accent",
    "rival": "quiet",
    "bound": "selected",
    "before": "muted",
    "truth": "text",
    "other": "selected",
    "aid": "muted",
}


def colour_role(drawn: Line | Mark | Band | Bars | Rank) -> str:
    """Return the field of the theme's colours that paints this role."""
    return "proved" if drawn.proved else _COLOURS[drawn.role]


def draw_dot(painter: QPainter, at: QPointF, role: str, *, small: bool = False) -> None:
    """Draw a dot with a rim in the card's colour, if its position is a number."""
    if np.isfinite(at.x()) and np.isfinite(at.y()):
        radius = (3.0 if small else 4.5) * theme().scale ** 0.5
        painter.setPen(line("card", 1.5))
        painter.setBrush(colour(role))
        painter.drawEllipse(at, radius, radius)


def draw_grip(painter: QPainter, at: QPointF, role: str) -> None:
    """Draw a dot that can be dragged: in a ring."""
    if np.isfinite(at.x()) and np.isfinite(at.y()):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(role, 0.25))
        painter.drawEllipse(at, px(9), px(9))
        draw_dot(painter, at, role)


def is_ring(drawn: Line) -> bool:
    """Return whether dots are drawn as rings around others."""
    return drawn.sizes is not None and drawn.role == "truth"


def placed(value: float, logarithmic: bool) -> float:
    """Return a value on an axis: its logarithm on a logarithmic one, nan if it has none."""
    if not logarithmic:
        return value
    return float(np.log10(value)) if value > 0 else float("nan")


def thickness() -> float:
    """Return how thick lines are."""
    return float(2 * theme().scale ** 0.5)


def write_inside(painter: QPainter, at: QPointF, text: str, radius: float) -> None:
    """Write a text into a dot, in smaller letters if need be; nothing if it does not fit."""
    for points in (8.5, 7.5):
        painter.setFont(font(points, bold=True))
        metrics = QFontMetricsF(painter.font())
        if metrics.horizontalAdvance(text) <= 1.8 * radius:
            painter.setPen(colour("on_accent"))
            painter.drawText(QPointF(at.x() - metrics.horizontalAdvance(text) / 2, at.y() + metrics.capHeight() / 2), text)
            break
    painter.setFont(font())
