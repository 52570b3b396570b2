"""The small line drawings of the rail, as paths on a 24 by 24 grid; a kind without one is drawn as its title's first letter."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

Points = tuple[tuple[float, float], ...]

#: Lines of each kind's icon.
LINES: dict[str, tuple[Points, ...]] = {
    "noise": (((2, 20), (6, 20), (6, 14), (10, 14), (10, 5), (14, 5), (14, 14), (18, 14), (18, 20), (22, 20)),),
    "reconstruction": (((12, 4), (21, 20), (3, 20), (12, 4)),),
    "synthetic": (((3, 5), (12, 5), (12, 11), (3, 11), (3, 5)), ((12, 14), (21, 14), (21, 20), (12, 20), (12, 14))),
    "papers": (((4, 4), (20, 4), (20, 20), (4, 20), (4, 4)), ((8, 9), (16, 9)), ((8, 13), (16, 13))),
}
#: Filled rectangles (x, y, width, height).
BARS: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "count": ((3, 11, 5, 10), (9.5, 4, 5, 17), (16, 8, 5, 13)),
}
#: Circles (x, y, radius, filled).
CIRCLES: dict[str, tuple[tuple[float, float, float, bool], ...]] = {
    "selection": ((5, 12, 3.5, False), (16, 12, 6, True)),
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
