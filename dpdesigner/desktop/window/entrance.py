"""The three ways to start, at the top of the gallery: watch, try, use your own data; each with picture, text and button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QPushButton

from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme

PICTURE = QSize(112, 104)  #: at normal text size
_ROOMY, _NARROW = 1150, 900  # pixels at normal text size: narrower windows have smaller pictures, or none

_NIGHT, _LAMP, _DARK = QColor("#14181f"), QColor("#ffb347"), QColor("#6b7280")
_ILL = (1, 3, 6, 9, 10, 15, 18)  # of twenty pupils
_VISITS = (30, 18, 11, 7, 5, 3, 2, 1, 1)

Draw = Callable[[QPainter, QRectF], None]


class Door(QFrame):
    """One way to start.

    Parameters
    ----------
    title, words : str
    button : QPushButton
    draw : callable
        Returns the picture of a size, at so many pixels to a unit.
    """

    def __init__(self, title: str, words: str, button: QPushButton, draw: Callable[[QSize, float], QPixmap]) -> None:
        super().__init__()
        set_class(self, "card")
        self._draw = draw
        self.picture = QLabel()
        text = column_of(styled("heading", title), styled("small", words, wrapped=True), None, row_of(button, None), gap=6)
        row_of(self.picture, (text, 1), on=self, margins=(12, 12, 12, 12), gap=14)
        self.fit(_ROOMY)

    def fit(self, room: float) -> None:
        """Fit this text size and a window of this width (at normal text size); the picture shrinks or is hidden first."""
        share = 1.0 if room >= _ROOMY else 0.75
        self.picture.setFixedSize(PICTURE * theme().scale * share)
        self.picture.setVisible(room >= _NARROW)

    def draw(self) -> None:
        """Draw the picture in the current colours."""
        self.picture.setPixmap(self._draw(self.picture.size(), self.devicePixelRatioF()))


def painted(draw: Draw) -> Callable[[QSize, float], QPixmap]:
    """Return a function that makes a pixmap with a painter function."""

    def made(size: QSize, ratio: float) -> QPixmap:
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, QRectF(0, 0, size.width(), size.height()))
        painter.end()
        return picture

    return made


def in_the_middle(draw: Callable[[QSize, float], QPixmap]) -> Callable[[QSize, float], QPixmap]:
    """Return a function that draws a picture in the middle, half as high as it is wide."""

    def put(painter: QPainter, room: QRectF) -> None:
        inner = QSize(round(room.width()), round(room.width() / 2))
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(QPointF(room.left(), room.center().y() - inner.height() / 2), draw(inner, ratio))

    return painted(put)


def pupils(painter: QPainter, room: QRectF) -> None:
    """Draw twenty pupils at night, seven of them ill, and the number on the door."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_NIGHT)
    painter.drawRoundedRect(room, 6, 6)
    step = room.width() / 9.4
    for place in range(20):
        middle = QPointF(room.left() + (1 + place % 5) * step, room.top() + (1.1 + 1.9 * (place // 5)) * step)
        painter.setBrush(_LAMP if place in _ILL else _DARK)
        painter.drawEllipse(middle, step / 4, step / 4)
        painter.drawChord(QRectF(middle.x() - step / 2.6, middle.y() + step / 3, step / 1.3, step * 1.1), 0, 180 * 16)
    font = QFont(painter.font())
    font.setPixelSize(round(room.height() * 0.36))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(_LAMP)
    painter.drawText(room.adjusted(room.width() * 0.6, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, "7")


def own_column(painter: QPainter, room: QRectF) -> None:
    """Draw a column of a file that becomes bars."""
    colours = theme().colours
    painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
    font = QFont(painter.font())
    font.setPixelSize(round(room.height() * 0.12))
    painter.setFont(font)
    painter.setPen(QColor(colours.text))
    lines = "visits\n0\n2\n0\n1\n…"
    painter.drawText(room.adjusted(room.width() * 0.1, room.height() * 0.1, 0, 0), Qt.AlignmentFlag.AlignLeft, lines)
    accent = QColor(colours.accent)
    painter.setPen(QPen(accent, 2))
    middle, left = room.center().y(), room.left() + room.width() * 0.4
    painter.drawLine(QPointF(left, middle), QPointF(left + 14, middle))
    painter.drawPolyline([QPointF(left + 9, middle - 4), QPointF(left + 14, middle), QPointF(left + 9, middle + 4)])
    start, base = room.left() + room.width() * 0.58, room.bottom() - room.height() * 0.18
    width = room.width() * 0.36 / len(_VISITS)
    for place, count in enumerate(_VISITS):
        tall = room.height() * 0.62 * count / _VISITS[0]
        painter.fillRect(QRectF(start + place * width, base - tall, width - 1, tall), accent)
