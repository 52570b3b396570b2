"""The line drawings of rail and toolbar, as paths on a 24 by 24 grid; a missing icon shows its title's first letter."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

Points = tuple[tuple[float, float], ...]

#: Lines of each kind's icon.
LINES: dict[str, tuple[Points, ...]] = {
    "noise": (((2, 20), (6, 20), (6, 14), (10, 14), (10, 5), (14, 5), (14, 14), (18, 14), (18, 20), (22, 20)),),
    "auction": (((3, 12), (12, 3), (21, 3), (21, 12), (12, 21), (3, 12)),),
    "attack": (((12, 4), (21, 20), (3, 20), (12, 4)),),
    "synthetic": (((3, 5), (12, 5), (12, 11), (3, 11), (3, 5)), ((12, 14), (21, 14), (21, 20), (12, 20), (12, 14))),
    "exhibit": (((4, 4), (20, 4), (20, 20), (4, 20), (4, 4)), ((8, 9), (16, 9)), ((8, 13), (16, 13))),
    "new": (((14, 3), (5, 3), (5, 21), (19, 21), (19, 8), (14, 3), (14, 8), (19, 8)),),
    "open": (((3, 19), (3, 5), (9, 5), (11, 8), (19, 8), (19, 12)), ((3, 19), (7, 12), (23, 12), (19, 19), (3, 19))),
    "save": (
        ((4, 4), (16, 4), (20, 8), (20, 20), (4, 20), (4, 4)),
        ((8, 4), (8, 9), (15, 9), (15, 4)),
        ((7, 20), (7, 14), (17, 14), (17, 20)),
    ),
    "undo": (((9, 4), (4, 9), (9, 14)), ((4, 9), (15, 9), (19, 11), (20.5, 14.5), (19, 18), (15, 20), (10, 20))),
    "redo": (((15, 4), (20, 9), (15, 14)), ((20, 9), (9, 9), (5, 11), (3.5, 14.5), (5, 18), (9, 20), (14, 20))),
    "compare": (((3, 4), (10, 4), (10, 20), (3, 20), (3, 4)), ((14, 4), (21, 4), (21, 20), (14, 20), (14, 4))),
    "present": (((2, 4), (22, 4)), ((4, 4), (4, 15), (20, 15), (20, 4)), ((8, 21), (12, 15), (16, 21))),
    "palette": (((15.5, 15.5), (21, 21)),),
    "audience": (((4, 20.5), (5, 16.5), (8, 14.5), (16, 14.5), (19, 16.5), (20, 20.5)),),
    "inspect": (((14.5, 14.5), (20, 20)),),
}
#: Filled rectangles (x, y, width, height).
BARS: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "count": ((3, 11, 5, 10), (9.5, 4, 5, 17), (16, 8, 5, 13)),
}
#: Circles (x, y, radius, filled).
CIRCLES: dict[str, tuple[tuple[float, float, float, bool], ...]] = {
    "auction": ((16.5, 7.5, 1.6, False),),
    "choice": ((5, 12, 3.5, False), (16, 12, 6, True)),
    "palette": ((10.5, 10.5, 6.5, False),),
    "audience": ((12, 7.5, 4.2, False),),
    "inspect": ((9.5, 9.5, 6, False),),
}


def draw_icon(painter: QPainter, kind: str, title: str, box: QRectF, colour: QColor) -> None:
    """Draw the icon of a kind into a square box.

    Parameters
    ----------
    painter : QPainter
        Its pen, brush and transformation are restored.
    kind, title : str
        Which icon, and whose first letter stands in for a missing one.
    box : QRectF
        Where, in the painter's coordinates.
    colour : QColor
        Of lines and fillings.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(colour)
    if not any(kind in table for table in (LINES, BARS, CIRCLES)):
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, title[:1])
    painter.translate(box.topLeft())
    painter.scale(box.width() / 24, box.height() / 24)
    painter.setPen(QPen(colour, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    for points in LINES.get(kind, ()):
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))
    for x, y, radius, filled in CIRCLES.get(kind, ()):
        painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(x, y), radius, radius)
    bars = QPainterPath()
    for bar in BARS.get(kind, ()):
        bars.addRoundedRect(QRectF(*bar), 1, 1)
    painter.fillPath(bars, colour)
    painter.restore()
