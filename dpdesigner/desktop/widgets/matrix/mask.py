"""The veil over cells that do not count: rows held for impossible, and errors that cannot be made."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import group_thousands
from dpdesigner.desktop.widgets.matrix.band import Band
from dpdesigner.desktop.widgets.matrix.layers import CellLayer
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, colour

_OPACITY = 0.72


class VeilLayer(PixelLayer):
    """Fades rows, and covers the corners of a band that lie beside the matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.band: Band | None = None
        self.runs: NDArray[np.intp] = np.empty((0, 2), dtype=np.intp)  #: first row and the one after the last

    def set_rows(self, veiled: NDArray[np.bool_] | None) -> None:
        """Fade these rows, an array (rows,), or none."""
        ends = np.flatnonzero(np.diff(np.concatenate([[False], [] if veiled is None else veiled, [False]]).astype(np.int8)))
        self.runs = ends.reshape(-1, 2)
        self.update()

    def covers(self, row: int) -> bool:
        """Tell whether a row is faded."""
        return bool(((self.runs[:, 0] <= row) & (row < self.runs[:, 1])).any())

    def draw(self, painter: QPainter) -> None:
        """Paint the veil over the rows, and over the corners what is below the matrix."""
        frame, veil = self.frame, colour("hairline", _OPACITY)
        height = abs(frame.y(1) - frame.y(0))
        first, after = self.runs[:, 0], self.runs[:, 1]
        seen = ((after - first) * height >= 0.5) & (after - 0.5 > frame.top) & (first - 0.5 < frame.bottom)
        for start, end in self.runs[seen].tolist():
            painter.fillRect(frame.box(frame.left, start - 0.5, frame.right, end - 0.5), veil)
        if self.band is not None:
            self._cover_corners(painter, self.band, max(1, int(1 / max(height, 1e-9))))

    def _cover_corners(self, painter: QPainter, band: Band, step: int) -> None:
        """Cover, in every row, what is below the count 0 or above n."""
        ground, frame, last = colour("card"), self.frame, band.columns - 1
        for gap in range(1, band.reach + 1, step):  # so many errors are impossible in the row that is reach - gap from an end
            near = band.reach - gap
            painter.fillRect(frame.box(-0.5, near - 0.5, gap - 0.5, near + step - 0.5), ground)
            far = last - near
            painter.fillRect(frame.box(2 * band.reach + 0.5 - gap, far - step + 0.5, 2 * band.reach + 0.5, far + 0.5), ground)


class MaskLabel(PixelLayer):
    """Says, over all that is drawn, why rows are faded; not over numbers, which are to be read."""

    def __init__(self, veil: VeilLayer, cells: CellLayer) -> None:
        super().__init__()
        self._veil, self._cells = veil, cells

    def draw(self, painter: QPainter) -> None:
        """Say it in the longest run of them, where there is room."""
        frame, runs = self.frame, self._veil.runs
        if not len(runs) or self._cells.labels()[1]:
            return
        heights = np.minimum(runs[:, 1], frame.bottom) - np.maximum(runs[:, 0], frame.top)
        first, last = (int(end) for end in runs[int(heights.argmax())] - (0, 1))
        box = frame.box(frame.left, max(first - 0.5, frame.top), frame.right, min(last + 0.5, frame.bottom))
        rows = (
            group_thousands(first)
            if first == last
            else tr("{first} to {last}").format(first=group_thousands(first), last=group_thousands(last))
        )
        cannot = tr("Your prior excludes {rows}:").format(rows=rows)
        words = f"{cannot}\n{tr('what it says there costs you nothing')}"
        painter.setFont(theme().font(9))
        size = painter.fontMetrics().size(0, words).toSizeF() + QSizeF(12, 4)
        if size.width() < box.width() and size.height() < box.height():
            ground = QRectF(box.center() - QPointF(size.width() / 2, size.height() / 2), size)
            painter.fillRect(ground, colour("hairline", 0.9))
            painter.setPen(colour("text"))
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, words)
