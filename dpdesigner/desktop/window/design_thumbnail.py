"""A small picture of a design: its first curve as bars or steps, and its matrix, in the theme's colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.plots.line_shapes import axis_ends, bar_outline, stepped
from dpdesigner.desktop.plots.plot_layer import Frame
from dpdesigner.studies import registry
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Study

_GAPS = 3  # pixels: narrower bars have no gaps between them


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
    matrix = portrait.matrix
    plot = next((plot for plot in portrait.charts if len(plot.lines[0].x) > 1), None)
    if matrix is not None and len(matrix) == 1:
        _draw_bars(painter, matrix[0], room)
    elif matrix is not None:
        right = room.center().x() + room.height() / 2 if plot is None else room.right()
        square = QRectF(right - room.height(), room.top(), room.height(), room.height())
        painter.drawImage(square, _image(matrix))
        room.setRight(square.left() - 10)
    if plot is not None and _counted(plot):
        _draw_bars(painter, plot.lines[0].y, room)
    elif plot is not None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw_line(painter, plot, room)
    painter.end()
    return picture


def sketch_of(study: Study, size: QSize, ratio: float = 1.0) -> QPixmap:
    """Draw a study as its page sketches it; the arguments are those of `sketch`."""
    return sketch(registry.entry(study.kind).page_class().sketched(study), size, ratio)


def _image(matrix: Floats) -> QImage:
    """Probabilities as shades from the card's colour to the accent, by square roots so that small ones are visible."""
    low, high = _channels(theme().colours.field), _channels(theme().colours.accent)
    shade = np.sqrt(np.clip(matrix / max(float(matrix.max()), 1e-300), 0, 1))[:, :, None]
    pixels = np.ascontiguousarray(np.rint(low + (high - low) * shade).astype(np.uint8))
    return QImage(pixels.data, pixels.shape[1], pixels.shape[0], 3 * pixels.shape[1], QImage.Format.Format_RGB888).copy()


def _channels(name: str) -> Floats:
    colour = QColor(name)
    return np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64)


def _draw_bars(painter: QPainter, heights: Floats, room: QRectF) -> None:
    """Draw bars, or their outline if they are too many to tell apart; equal bars fill half the height."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    top, width = max(float(heights.max()), 2 * float(heights.mean()), 1e-300), room.width() / len(heights)
    accent = QColor(theme().colours.accent)
    if width < _GAPS:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawPolygon(bar_outline(heights, room, lambda values: room.bottom() - room.height() * values / top))
        return
    for place, height in enumerate(heights.tolist()):
        tall = room.height() * height / top
        painter.fillRect(QRectF(room.left() + place * width, room.bottom() - tall, width - 1, tall), accent)


def _counted(plot: Plot) -> bool:
    """Return whether a curve has a value for each whole number, so that it is drawn as bars."""
    drawn = plot.lines[0]
    return not drawn.steps and not plot.x.log and len(drawn.x) > 1 and bool(np.all(np.diff(drawn.x) == 1))


def _draw_line(painter: QPainter, plot: Plot, room: QRectF) -> None:
    """Draw the first curve on a base line that is at 0 unless its axis says otherwise."""
    drawn = plot.lines[0]
    left, right = axis_ends(plot.x.limits, [drawn.x], plot.x.log, from_zero=False)
    bottom, top = axis_ends(plot.y.limits, [drawn.y], plot.y.log, from_zero=True)
    frame = Frame(room.adjusted(1, 2, -1, -1), left, right, bottom, top)
    x, y = (np.log10(drawn.x) if plot.x.log else drawn.x), (np.log10(drawn.y) if plot.y.log else drawn.y)
    across, up = frame.x(x), frame.y(y)
    if drawn.steps:
        across, up = stepped(across, up)
    painter.setPen(QPen(QColor(theme().colours.hairline), 1))
    painter.drawLine(room.bottomLeft(), room.bottomRight())
    painter.setPen(QPen(QColor(theme().colours.accent), 1.8))
    painter.setClipRect(room)
    points = [QPointF(a, b) for a, b in zip(across.tolist(), up.tolist(), strict=True)]
    painter.drawPolyline(QPolygonF(points))
