"""A tile of the gallery: a small picture, the topic of a claim, and the number that holds or differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.theme import outlined, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.curve_layer import CurveLayer
from dpdesigner.desktop.plots.line_shapes import axis_ends
from dpdesigner.desktop.plots.plot_layer import Frame
from dpdesigner.studies.base import Panel
from dpdesigner.studies.exhibits.exhibit import Exhibit
from dpdesigner.studies.matrices import Matrix
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.table_panels import Ranking

_MOST_BARS = 5
_PICTURE = 58  # pixels high at normal text size
_EDGE = 6
_LEAST = 190  # pixels wide
_SMALL, _NORMAL = 8.0, 9.0


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
        _paint_bars(painter, panel, room)
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
    painter.drawLine(QPointF(area.left(), area.bottom()), QPointF(area.right(), area.bottom()))
    layer = CurveLayer(sparing=True)
    layer.set_frame(Frame(area, left, right, bottom, top), QRectF(QPointF(), QSizeF(room.right(), room.bottom())))
    bands = tuple(replace(band, text="") for band in plot.bands)
    silent = tuple(replace(bars, name="", texts=None, labels=(), rival_name="") for bars in plot.bars)
    layer.show_plot(replace(plot, bands=bands, bars=silent))
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
    """Shades from the field's colour to the accent, by the square roots of the cells so that small ones are visible."""
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


class Tile(QAbstractButton):
    """A tile that opens its exhibit when it is clicked or Enter is pressed.

    Parameters
    ----------
    exhibit : type of Exhibit
    parent : QWidget
        The shelf.
    """

    def __init__(self, exhibit: type[Exhibit], parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self.exhibit = exhibit
        self.panel: Panel | None = None
        self.drawn = False  #: whether `show_picture` has been called
        self.title = translated(exhibit.heading)
        self.verdict = f"{exhibit.mark} {translated(exhibit.verdict)}"
        claim = f"{translated(exhibit.place)}: {translated(exhibit.claim)}"
        self.setText(self.title)
        self.setAccessibleName(f"{self.title}: {self.verdict}")
        self.setAccessibleDescription(claim)
        self.setToolTip(claim)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def speaks_of(self, search: str) -> bool:
        """Return whether the claim matches a search."""
        made = self.exhibit
        words = (self.title, self.verdict, made.exhibit, *map(translated, (made.place, made.claim, made.differs, made.asks)))
        return all(part in " ".join(words).casefold() for part in search.casefold().split())

    def show_picture(self, panel: Panel | None) -> None:
        """Set the panel to paint."""
        self.panel, self.drawn = panel, True
        self.update()

    def sizeHint(self) -> QSize:
        """Leave room for the picture and two lines."""
        lines = QFontMetricsF(theme().font(_NORMAL, bold=True)).height() + QFontMetricsF(theme().font(_SMALL)).height()
        return QSize(round(_LEAST * theme().scale), round(_PICTURE * theme().scale + lines + 2 * _EDGE + 6))

    def minimumSizeHint(self) -> QSize:
        """Let the text be elided before the window grows."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background, picture, title and verdict."""
        painter, look = QPainter(self), theme().colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if outlined(self) or self.underMouse():
            painter.setPen(QPen(QColor(look.accent if outlined(self) else look.hairline), 1.2))
            painter.setBrush(QColor(look.card))
            painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
        inner = room.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        picture = QRectF(inner.left(), inner.top(), inner.width(), _PICTURE * theme().scale)
        paint_small(painter, self.panel, picture)
        top = picture.bottom() + 4
        for text, font, ink in (
            (self.title, theme().font(_NORMAL, bold=True), look.text),
            (self.verdict, theme().font(_SMALL), look.muted),
        ):
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setPen(QColor(ink))
            line = QRectF(inner.left(), top, inner.width(), metrics.height())
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
            top += metrics.height() + 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter or the space bar; leave the arrow keys to the gallery."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Repaint when the mouse enters or leaves."""
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)
