"""A small picture of a design: its first curve as bars or steps, and its matrix, in the theme's colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.studies import registry
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Study

_MOST_BARS = 120


def sketch(portrait: Portrait, size: QSize, ratio: float = 1.0) -> QPixmap:
    """Draw a portrait.

    Parameters
    ----------
    portrait : Portrait
    size : QSize
        In the units of the screen.
    ratio : float
        Pixels to a unit.

    Returns
    -------
    QPixmap
        Transparent around what is drawn.
    """
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    room = QRectF(0, 0, size.width(), size.height()).adjusted(1, 1, -1, -1)
    if portrait.matrix is not None:
        square = QRectF(room.right() - room.height(), room.top(), room.height(), room.height())
        painter.drawImage(square, _image(portrait.matrix))
        room.setRight(square.left() - 10)
    if portrait.charts:
        plot = portrait.charts[0]
        drawn = plot.lines[0]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, drawn.steps)
        _draw_steps(painter, plot, room) if drawn.steps else _draw_bars(painter, drawn.y, room)
    painter.end()
    return picture


def sketch_of(study: Study, size: QSize, ratio: float = 1.0) -> QPixmap:
    """Draw a study as its page sketches it; the arguments are those of `sketch`."""
    return sketch(registry.entry(study.kind).page_class().sketched(study), size, ratio)


def _image(matrix: Floats) -> QImage:
    """Probabilities as shades from the card's colour to the accent, by their roots so that small ones are seen."""
    low, high = _channels(theme().colours.field), _channels(theme().colours.accent)
    shade = np.sqrt(np.clip(matrix / max(float(matrix.max()), 1e-300), 0, 1))[:, :, None]
    pixels = np.ascontiguousarray(np.rint(low + (high - low) * shade).astype(np.uint8))
    return QImage(pixels.data, pixels.shape[1], pixels.shape[0], 3 * pixels.shape[1], QImage.Format.Format_RGB888).copy()


def _channels(name: str) -> Floats:
    colour = QColor(name)
    return np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64)


def _draw_bars(painter: QPainter, heights: Floats, room: QRectF) -> None:
    heights = heights[np.linspace(0, len(heights) - 1, min(len(heights), _MOST_BARS)).astype(int)]
    top, width = max(float(heights.max()), 1e-300), room.width() / len(heights)
    for place, height in enumerate(heights.tolist()):
        tall = room.height() * height / top
        bar = QRectF(room.left() + place * width, room.bottom() - tall, max(width - 1, 0.7), tall)
        painter.fillRect(bar, QColor(theme().colours.accent))


def _draw_steps(painter: QPainter, plot: Plot, room: QRectF) -> None:
    drawn = plot.lines[0]
    low, high = plot.x.limits or (float(drawn.x[0]), float(drawn.x[-1]))
    across = room.left() + room.width() * (drawn.x - low) / max(high - low, 1e-300)
    up = room.bottom() - (room.height() - 2) * drawn.y / max(float(np.nanmax(drawn.y)), 1e-300)
    points = [QPointF(x, y) for x, y in zip(np.repeat(across, 2)[1:].tolist(), np.repeat(up, 2)[:-1].tolist(), strict=True)]
    painter.setPen(QPen(QColor(theme().colours.accent), 2))
    painter.drawPolyline(QPolygonF(points))
