"""Small pictures in the theme's colours: of a design, its first curve as bars or steps and its matrix; and of a panel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.plots.curve_layer import CurveLayer
from dpdesigner.desktop.plots.line_shapes import axis_ends, bar_outline, stepped
from dpdesigner.desktop.plots.plot_layer import Frame
from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.base import Panel
from dpdesigner.studies.matrices import Matrix
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Study
from dpdesigner.studies.table_panels import Ranking

_MOST_BARS = 5  # of a ranking
_GAPS = 2.5  # pixels: narrower bars have no gaps between them


def sketch(portrait: Portrait, size: QSize, ratio: float = 1.0, ink: str = "accent") -> QPixmap:
    """Draw a portrait.

    Parameters
    ----------
    portrait : Portrait
    size : QSize
        In the units of the screen.
    ratio : float
        Pixels to a unit.
    ink : str
        The theme's colour of bars.

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
        _draw_bars(painter, matrix[0], room, ink)
    elif matrix is not None:
        right = room.center().x() + room.height() / 2 if plot is None else room.right()
        square = QRectF(right - room.height(), room.top(), room.height(), room.height())
        painter.drawImage(square, _image(matrix))
        room.setRight(square.left() - 10)
    if plot is not None and _counted(plot):
        _draw_bars(painter, plot.lines[0].y, room, ink)
    elif plot is not None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw_line(painter, plot, room)
    painter.end()
    return picture


def sketch_of(study: Study, size: QSize, ratio: float = 1.0) -> QPixmap:
    """Draw a study as its page sketches it; the arguments are those of `sketch`."""
    try:
        portrait = registry.entry(study.kind).page_class().sketched(study)
    except InputError:  # its file cannot be read
        portrait = Portrait({})
    return sketch(portrait, size, ratio)


def paint_small(painter: QPainter, panel: Panel | None, room: QRectF) -> None:
    """Paint a panel into a box; for None, a sentence or a table, leave it empty."""
    painter.save()
    painter.setClipRect(room)
    if isinstance(panel, Plot):
        _paint_plot(painter, panel.public(), room)
    elif isinstance(panel, Matrix) and panel.cells.dense is not None:
        side = room.height()
        wide = min(room.width(), side * panel.cells.columns / panel.cells.rows)
        painter.drawImage(QRectF(room.center().x() - wide / 2, room.top(), wide, side), _image(panel.cells.dense))
    elif isinstance(panel, Ranking):
        _paint_ranking(painter, panel, room)
    painter.restore()


def _paint_plot(painter: QPainter, plot: Plot, room: QRectF) -> None:
    xs = [line.x for line in plot.lines] + [np.array([mark.x]) for mark in plot.marks]
    ys = [y for line in plot.lines for y in (line.y, line.low, line.high) if y is not None]
    ys += [np.array([mark.y]) for mark in plot.marks] + [bars.values for bars in plot.bars]
    if plot.bars:
        xs.append(np.array([-0.5, plot.places - 0.5]))
    if not ys:
        return
    left, right = axis_ends(plot.x.limits, xs, plot.x.log, from_zero=False)
    bottom, top = axis_ends(plot.y.limits, ys, plot.y.log, from_zero=True)
    area = room.adjusted(1, 3, -1, -1.5)
    painter.setPen(QPen(QColor(theme().colours.hairline), 1))
    painter.drawLine(area.bottomLeft(), area.bottomRight())
    layer = CurveLayer(sparing=True)
    layer.set_frame(Frame(area, left, right, bottom, top), QRectF(0, 0, room.right(), room.bottom()))
    bands = tuple(replace(band, text="") for band in plot.bands)
    silent = tuple(replace(bars, name="", texts=None, labels=(), rival_name="") for bars in plot.bars)
    lines = tuple(replace(line, name="", short="") for line in plot.lines) if plot.bars else plot.lines  # a name would hide bars
    layer.show_plot(replace(plot, bands=bands, bars=silent, lines=lines))
    layer.draw(painter)


def _paint_ranking(painter: QPainter, ranking: Ranking, room: QRectF) -> None:
    rows = [row for row in ranking.rows if row.value is not None][:_MOST_BARS]
    most = max((row.value or 0.0 for row in rows), default=0.0) or 1.0
    high = room.height() / max(len(rows), 1)
    for place, row in enumerate(rows):
        wide = room.width() * max(row.value or 0.0, 0.0) / most
        ink = theme().colours.accent if place == 0 else theme().colours.quiet
        painter.fillRect(QRectF(room.left(), room.top() + place * high + 2, wide, high - 4), QColor(ink))


def _image(matrix: Floats) -> QImage:
    """Shades from the field's colour to the accent, by the square roots of the cells so that small ones are visible."""
    low, high = _channels(theme().colours.field), _channels(theme().colours.accent)
    size = np.abs(matrix)
    shade = np.sqrt(size / max(float(size.max()), 1e-300))[:, :, None]
    pixels = np.ascontiguousarray(np.rint(low + (high - low) * shade).astype(np.uint8))
    return QImage(pixels.data, pixels.shape[1], pixels.shape[0], 3 * pixels.shape[1], QImage.Format.Format_RGB888).copy()


def _channels(name: str) -> Floats:
    colour = QColor(name)
    return np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64)


def _draw_bars(painter: QPainter, heights: Floats, room: QRectF, ink: str) -> None:
    """Draw bars, or their outline if they are too many to tell apart; equal bars fill half the height."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    top, width = max(float(heights.max()), 2 * float(heights.mean()), 1e-300), room.width() / len(heights)
    shade = QColor(theme().colours.named(ink))
    _draw_base(painter, room)
    if width < _GAPS:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(bar_outline(heights, room, lambda values: room.bottom() - room.height() * values / top))
        return
    for place, height in enumerate(heights.tolist()):
        tall = room.height() * height / top
        painter.fillRect(QRectF(room.left() + place * width, room.bottom() - tall, width - 1, tall), shade)


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
    accent = QColor(theme().colours.accent)
    painter.setClipRect(room)
    points = [QPointF(a, b) for a, b in zip(across.tolist(), up.tolist(), strict=True)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(accent.red(), accent.green(), accent.blue(), 40))
    painter.drawPolygon(QPolygonF([QPointF(points[0].x(), room.bottom()), *points, QPointF(points[-1].x(), room.bottom())]))
    _draw_base(painter, room)
    painter.setPen(QPen(accent, 1.8))
    painter.drawPolyline(QPolygonF(points))


def _draw_base(painter: QPainter, room: QRectF) -> None:
    """Draw the axis on which bars and curves stand."""
    painter.setPen(QPen(QColor(theme().colours.quiet), 1))
    painter.drawLine(room.bottomLeft(), room.bottomRight())
