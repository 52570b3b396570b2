"""Pictures made of cells: the image item of a matrix, and images that stay crisp on paper."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPaintEngine, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from dpdesigner.desktop.widgets.matrix.colour import Bytes
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour, line
from dpdesigner.studies.matrices import Glance

_VECTOR = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)
_ENOUGH = 1600  # pixels a side, so that readers of PDF and SVG that smooth images blur no more than a hair


class CellImage(pg.ImageItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An image of bytes through a table of colours, one pixel per cell or block of cells."""

    def __init__(self) -> None:
        super().__init__(axisOrder="row-major")

    def show_cells(self, cells: Bytes, table: Bytes, seen: Glance) -> None:
        """Show the bytes of a glance at their place in the matrix; cell (i, r) is centred on x = r, y = i."""
        self.setImage(np.ascontiguousarray(cells), levels=None, lut=table, autoLevels=False)
        height, width = cells.shape
        self.setRect(QRectF(seen.column - 0.5, seen.row - 0.5, width * seen.column_step, height * seen.row_step))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the cells with sharp edges, in vector files too."""
        if self.image is None or painter.paintEngine().type() not in _VECTOR:
            super().paint(painter, option, widget)
            return
        self.render()
        painter.drawImage(self.boundingRect(), enlarged(self.qimage))


def enlarged(image: QImage) -> QImage:
    """Return an image with every pixel repeated, large enough for print."""
    times = max(1, _ENOUGH // max(image.width(), image.height(), 1))
    full = image.convertToFormat(QImage.Format.Format_ARGB32)  # Qt scales images with a colour table imprecisely
    return full.scaled(image.width() * times, image.height() * times, mode=Qt.TransformationMode.FastTransformation)


def image_of(cells: Bytes, table: Bytes) -> QImage:
    """Return bytes, an array (rows, columns), as an image through a table (colours, 4) of red, green, blue and opacity."""
    rgba = np.ascontiguousarray(table[cells])
    image = QImage(rgba.data, cells.shape[1], cells.shape[0], 4 * cells.shape[1], QImage.Format.Format_RGBA8888)
    return image.copy()


def draw_image(painter: QPainter, target: QRectF, image: QImage) -> None:
    """Draw an image with sharp edges, in vector files too."""
    vector = painter.paintEngine().type() in _VECTOR
    painter.drawImage(target, enlarged(image) if vector else image)


def draw_hatching(painter: QPainter, box: QRectF) -> None:
    """Fill a rectangle with the hatching that means: exactly zero."""
    painter.fillRect(box, colour("ground"))
    painter.setPen(line("muted", opacity=0.45))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    step = 6
    for place in range(step, int(box.width() + box.height()), step):
        right, down = min(place, box.width()), min(place, box.height())
        start = QPointF(box.left() + right, box.top() + place - right)
        painter.drawLine(start, QPointF(box.left() + place - down, box.top() + down))


class HatchLayer(PixelLayer):
    """The hatching below a matrix whose zeros are transparent."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = False

    def draw(self, painter: QPainter) -> None:
        """Hatch the whole area, if anything transparent lies above."""
        if self.shown:
            draw_hatching(painter, self.frame.area)
