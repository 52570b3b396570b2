"""How a person is drawn: filled, an outline, a cross or a point, told apart by shape first and by colour second."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from dpdesigner.desktop.theme.theme import theme


class Mark(IntEnum):
    """The state of a person."""

    RIGHT, UNSURE, WRONG, UNKNOWN = range(4)


def ink(mark: Mark) -> QColor:
    """Return the colour of a mark."""
    colours = theme().colours
    return QColor(colours.quiet if mark in (Mark.WRONG, Mark.UNKNOWN) else colours.accent)


def draw_mark(painter: QPainter, mark: Mark, box: QRectF) -> None:
    """Draw a mark into a square."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size, centre = min(box.width(), box.height()), box.center()
    width = max(1.0, size / 12)
    painter.setPen(QPen(ink(mark), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(ink(mark) if mark == Mark.RIGHT else Qt.BrushStyle.NoBrush)
    if mark == Mark.WRONG:
        arm = 0.27 * size
        for sign in (-1, 1):
            painter.drawLine(centre - QPointF(arm, sign * arm), centre + QPointF(arm, sign * arm))
    elif mark == Mark.UNKNOWN:
        painter.drawEllipse(centre, width / 2, width / 2)
    else:
        painter.drawPath(_person(centre, size * 0.8))


def _person(centre: QPointF, size: float) -> QPainterPath:
    """A head over shoulders."""
    path = QPainterPath()
    path.addEllipse(centre - QPointF(0, 0.24 * size), 0.2 * size, 0.2 * size)
    left, right, foot = centre.x() - 0.34 * size, centre.x() + 0.34 * size, centre.y() + 0.44 * size
    path.moveTo(left, foot)
    path.cubicTo(left, centre.y() + 0.02 * size, right, centre.y() + 0.02 * size, right, foot)
    path.closeSubpath()
    return path


def pixmap(mark: Mark, size: float, ratio: float) -> QPixmap:
    """Return a mark as a picture of so many pixels, to be drawn many times."""
    made = QPixmap(max(1, round(size * ratio)), max(1, round(size * ratio)))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    draw_mark(painter, mark, QRectF(0, 0, size, size))
    painter.end()
    return made
