"""What shows where one is in a matrix: the outlines of the selected row and column, and the crosshair under the mouse."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from dpdesigner.desktop.widgets.matrix_layers import cell_size
from dpdesigner.desktop.widgets.number_text import counted
from dpdesigner.desktop.widgets.plot_layer import PixelLayer, colour, font, line, px


class SelectionLayer(PixelLayer):
    """Outlines of the selected row and column, their labels on the axes, and the crosshair under the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.row: int | None = None
        self.column: int | None = None
        self.hovered: tuple[int, int] | None = None
        self.on_dark = True
        self.note = ""  #: written over the middle of the cells

    def draw(self, painter: QPainter) -> None:
        """Draw crosshair, outlines and axis labels."""
        painter.setPen(line("hairline"))
        painter.drawRect(self.frame.area.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.save()
        painter.setClipRect(self.frame.area.adjusted(-1, -1, 1, 1))
        if self.hovered is not None:
            self._draw_crosshair(painter, *self.hovered)
        for box in self._outlines():
            self._draw_outline(painter, box)
        painter.restore()
        self._draw_axis_labels(painter)
        if self.note:
            self._draw_note(painter)

    def _draw_note(self, painter: QPainter) -> None:
        painter.setFont(font())
        box = painter.boundingRect(self.frame.area, Qt.AlignmentFlag.AlignCenter, self.note)
        painter.fillRect(box.adjusted(-px(8), -px(4), px(8), px(4)), colour("card"))
        painter.setPen(colour("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.note)

    def _outlines(self) -> Iterator[QRectF]:
        frame = self.frame
        if self.row is not None:
            yield _at_least(frame.box(frame.left, self.row - 0.5, frame.right, self.row + 0.5), 3)
        if self.column is not None:
            yield _at_least(frame.box(self.column - 0.5, frame.top, self.column + 0.5, frame.bottom), 3)

    def _draw_outline(self, painter: QPainter, box: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.on_dark:
            painter.setPen(QPen(QColor(0, 0, 0, 110), px(1) + 2))
            painter.drawRect(box)
        painter.setPen(QPen(QColor(255, 255, 255, 235), px(1)) if self.on_dark else line("text", px(1)))
        painter.drawRect(box)

    def _draw_crosshair(self, painter: QPainter, row: int, column: int) -> None:
        area, (width, height) = self.frame.area, cell_size(self.frame)
        x, y = self.frame.x(column), self.frame.y(row)
        half_x, half_y = max(width / 2, 3), max(height / 2, 3)
        painter.setPen(QPen(QColor(255, 255, 255, 150), 1) if self.on_dark else line("text", opacity=0.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLines([
            QLineF(area.left(), y, x - half_x, y), QLineF(x + half_x, y, area.right(), y),
            QLineF(x, area.top(), x, y - half_y), QLineF(x, y + half_y, x, area.bottom()),
        ])  # fmt: skip
        painter.drawRect(QRectF(x - half_x, y - half_y, 2 * half_x, 2 * half_y))

    def label_boxes(self) -> list[QRectF]:
        """Return where the selected row and column are written on the axes."""
        return [box for box, _ in self._axis_labels()]

    def _axis_labels(self) -> Iterator[tuple[QRectF, str]]:
        metrics = QFontMetricsF(font(8, bold=True))
        area, height = self.frame.area, metrics.height()
        if self.row is not None and area.top() <= (y := self.frame.y(self.row)) <= area.bottom():
            width = metrics.horizontalAdvance(counted(self.row)) + 4
            yield QRectF(area.left() - px(4) - width, y - height / 2, width + 2, height), counted(self.row)
        if self.column is not None and area.left() <= (x := self.frame.x(self.column)) <= area.right():
            width = metrics.horizontalAdvance(counted(self.column)) + 8
            yield QRectF(x - width / 2, area.top() - px(4) - height, width, height), counted(self.column)

    def _draw_axis_labels(self, painter: QPainter) -> None:
        painter.setFont(font(8, bold=True))
        painter.setPen(colour("selected"))
        for box, text in self._axis_labels():
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _at_least(box: QRectF, pixels: float) -> QRectF:
    wide, high = max(0.0, pixels - box.width()) / 2, max(0.0, pixels - box.height()) / 2
    return box.adjusted(-wide, -high, wide, high)
