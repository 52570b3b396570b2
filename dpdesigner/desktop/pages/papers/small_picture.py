"""A panel as a small picture for the gallery: curves with their names, a matrix, or bars."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from dpdesigner.arrays import Floats
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.plot.curve_layer import CurveLayer
from dpdesigner.desktop.widgets.plot.line_shapes import axis_ends
from dpdesigner.desktop.widgets.plot.plot_layer import Frame
from dpdesigner.studies.cells import Matrix
from dpdesigner.studies.declared import Panel
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.tables import Ranking

_MOST_BARS = 5


def paint_small(painter: QPainter, panel: Panel | None, room: QRectF) -> None:
    """Paint a panel into a box; None, a sentence and a table leave it empty."""
    painter.save()
    painter.setClipRect(room)
    if isinstance(panel, Plot):
        _paint_plot(painter, panel.public(), room)
    elif isinstance(panel, Matrix) and panel.cells.dense is not None:
        side = room.height()
        wide = min(room.width(), side * panel.cells.columns / panel.cells.rows)
        painter.drawImage(QRectF(room.center().x() - wide / 2, room.top(), wide, side), _image(panel.cells.dense))
    elif isinstance(panel, Ranking):
        _paint_bars(painter, panel, room)
    painter.restore()


def _paint_plot(painter: QPainter, plot: Plot, room: QRectF) -> None:
    xs = [line.x for line in plot.lines] + [np.array([mark.x]) for mark in plot.marks]
    ys = [y for line in plot.lines for y in (line.y, line.low, line.high) if y is not None]
    ys += [np.array([mark.y]) for mark in plot.marks]
    if not ys:
        return
    left, right = axis_ends(plot.x.limits, xs, plot.x.log, from_zero=False)
    bottom, top = axis_ends(plot.y.limits, ys, plot.y.log, from_zero=True)
    area = room.adjusted(1, 3, -1, -1.5)
    painter.setPen(QPen(QColor(theme().colours.hairline), 1))
    painter.drawLine(QPointF(area.left(), area.bottom()), QPointF(area.right(), area.bottom()))
    layer = CurveLayer()
    layer.set_frame(Frame(area, left, right, bottom, top), QRectF(QPointF(), QSizeF(room.right(), room.bottom())))
    layer.show_plot(replace(plot, bands=tuple(replace(band, text="") for band in plot.bands)))
    layer.draw(painter)


def _paint_bars(painter: QPainter, ranking: Ranking, room: QRectF) -> None:
    rows = [row for row in ranking.rows if row.value is not None][:_MOST_BARS]
    most = max((row.value or 0.0 for row in rows), default=0.0) or 1.0
    high = room.height() / max(len(rows), 1)
    for place, row in enumerate(rows):
        wide = room.width() * max(row.value or 0.0, 0.0) / most
        ink = theme().colours.accent if place == 0 else theme().colours.quiet
        painter.fillRect(QRectF(room.left(), room.top() + place * high + 2, wide, high - 4), QColor(ink))


def _image(matrix: Floats) -> QImage:
    """Shades from the field's colour to the accent, by the roots of the cells so that small ones are seen."""
    low, high = (_channels(name) for name in (theme().colours.field, theme().colours.accent))
    size = np.abs(matrix)
    shade = np.sqrt(size / max(float(size.max()), 1e-300))[:, :, None]
    pixels = np.ascontiguousarray(np.rint(low + (high - low) * shade).astype(np.uint8))
    shape = pixels.shape
    image = QImage(pixels.data, shape[1], shape[0], 3 * shape[1], QImage.Format.Format_RGB888).copy()
    return image.scaled(shape[1] * 8, shape[0] * 8, Qt.AspectRatioMode.IgnoreAspectRatio)


def _channels(name: str) -> Floats:
    colour = QColor(name)
    return np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64)
