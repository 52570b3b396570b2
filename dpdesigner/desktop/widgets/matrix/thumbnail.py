"""A table of probabilities as a small picture, never-released values blank, and two of its rows framed."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.matrix.colour import colour_table, scale_for
from dpdesigner.desktop.widgets.matrix.image import draw_image, image_of
from dpdesigner.desktop.widgets.plot.plot_layer import FADED, px

_MOST_SIDE = 400  # rows and columns of the picture: of more only some are drawn


class Thumbnail(QWidget):
    """A table as a small picture; a click on a row, or an arrow key, asks for the pair of that row and the one above it."""

    rowChosen = Signal(int)  #: the true count in the row that was clicked

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._image: QImage | None = None
        self.rows, self.columns = 0, 0
        self.pair: tuple[int, int] = (-1, -1)
        self._stale = False
        theme().changed.connect(self.updateGeometry)

    def show_table(self, values: Floats, pair: tuple[int, int], stale: bool = False) -> None:
        """Show probabilities, rows and columns, with two rows framed."""
        self.rows, self.columns = values.shape
        steps = [max(1, -(-side // _MOST_SIDE)) for side in values.shape]
        seen = np.ascontiguousarray(values[:: steps[0], :: steps[1]])
        scale = scale_for(seen, "probability")
        table = colour_table(scale).copy()
        cells = np.maximum(scale.bytes_of(seen), (seen > 0).astype(np.uint8))
        table[0] = 0  # what is never released is blank
        self._image, self.pair, self._stale = image_of(np.where(seen > 0, cells, 0).astype(np.uint8), table), pair, stale
        self.update()

    def set_stale(self, on: bool) -> None:
        """Fade it."""
        self._stale = on
        self.update()

    def area(self) -> QRectF:
        """Return where the picture is."""
        left = self.fontMetrics().horizontalAdvance("0000") + px(4)
        return QRectF(left, px(2), self.width() - left - px(2), self.height() - self.fontMetrics().height() - px(6))

    def sizeHint(self) -> QSize:
        """Return a height that grows with the text."""
        return QSize(round(px(240)), round(px(150)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, the counts at its edges, and the frame."""
        painter, colours, area = QPainter(self), theme().colours, self.area()
        painter.setPen(QPen(QColor(colours.accent if self.hasFocus() else colours.hairline), 1))
        painter.drawRect(area)
        if self._image is None:
            return
        painter.setOpacity(FADED if self._stale else 1.0)
        draw_image(painter, area, self._image)
        painter.setPen(QColor(colours.muted))
        line, below = self.fontMetrics().height(), area.bottom() + px(2)
        right = Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, area.top(), area.left() - px(4), line), right, "0")
        painter.drawText(QRectF(0, area.bottom() - line, area.left() - px(4), line), right, str(self.rows - 1))
        painter.drawText(QRectF(area.left(), below, area.width(), line), Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(QRectF(area.left(), below, area.width(), line), right, str(self.columns - 1))
        if min(self.pair) >= 0:
            high, first, last = area.height() / self.rows, min(self.pair), max(self.pair)
            painter.setPen(QPen(QColor(colours.selected), px(2)))
            frame = QRectF(area.left(), area.top() + first * high, area.width(), max((last - first + 1) * high, px(3)))
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the pair at the border of rows that is next to the mouse."""
        area = self.area()
        if self.rows > 1:
            row = round((event.position().y() - area.top()) / area.height() * self.rows)
            self.rowChosen.emit(min(max(row, 1), self.rows - 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the pair above or below with the arrow keys."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or self.rows < 2:
            super().keyPressEvent(event)
        else:
            self.rowChosen.emit(min(max(max(self.pair) + step, 1), self.rows - 1))
