"""What is painted over the cells of a matrix: numbers, the constraint pattern, and what shows where one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.number_text import brief, group_thousands
from dpdesigner.desktop.widgets.matrix.band import error_text
from dpdesigner.desktop.widgets.matrix.colour import Scale, colour_table, ink_on
from dpdesigner.desktop.widgets.matrix.image import draw_hatching, draw_image, image_of
from dpdesigner.desktop.widgets.matrix.pattern import GLYPHS, pattern_table
from dpdesigner.desktop.widgets.matrix.text import Texts
from dpdesigner.desktop.widgets.plot.plot_layer import Frame, PixelLayer, colour, font, line, px
from dpdesigner.studies.matrices import Binding, Cells, glance

_CELLS_WITH_TEXT = 4000  # more would be a grey haze, and slow


@dataclass(frozen=True)
class Label:
    """A text centred in a cell."""

    box: QRectF
    text: str
    ink: QColor


def cells_in_view(frame: Frame, rows: int, columns: int) -> tuple[range, range]:
    """Return the rows and the columns of a matrix that a frame shows, wholly or in part."""
    top, bottom = sorted((frame.top, frame.bottom))
    left, right = sorted((frame.left, frame.right))
    seen_rows = range(max(0, int(np.floor(top + 0.5))), min(rows, int(np.ceil(bottom + 0.5))))
    return seen_rows, range(max(0, int(np.floor(left + 0.5))), min(columns, int(np.ceil(right + 0.5))))


def cell_size(frame: Frame) -> tuple[float, float]:
    """Return width and height of a cell in pixels."""
    return abs(frame.x(1) - frame.x(0)), abs(frame.y(1) - frame.y(0))


class CellLayer(PixelLayer):
    """Numbers in the cells, and the constraint pattern between the rows."""

    def __init__(self) -> None:
        super().__init__()
        self.source: Cells | None = None
        self.pattern: Cells | None = None
        self.value_scale = Scale()
        self.texts: Texts | None = None
        self.numbers = False
        self.veiled: Callable[[int], bool] = lambda row: False  #: whether a row is faded
        self._labels: tuple[QFont, list[Label]] | None = None

    def renew(self) -> None:
        """Lay out and paint anew."""
        self._labels = None
        super().renew()

    @property
    def pattern_as_glyphs(self) -> bool:
        """Whether the cells are large enough for arrows and letters; if not, the pattern is shown in colours."""
        width, height = cell_size(self.frame)
        return width >= 11 * theme().scale and height >= 13 * theme().scale

    def labels(self) -> tuple[QFont, list[Label]]:
        """Return the numbers in view and their font; none where they do not fit."""
        if self._labels is None:
            self._labels = self._lay_out()
        return self._labels

    def draw(self, painter: QPainter) -> None:
        """Draw the numbers, then the pattern."""
        painter.setClipRect(self.frame.area)
        face, labels = self.labels()
        painter.setFont(face)
        for label in labels:
            painter.setPen(label.ink)
            painter.drawText(label.box, Qt.AlignmentFlag.AlignCenter, label.text)
        if self.pattern is None:
            return
        if self.pattern_as_glyphs:
            self._draw_glyphs(painter, self.pattern)
        else:
            self._draw_colours(painter, self.pattern)

    def _lay_out(self) -> tuple[QFont, list[Label]]:
        width, height = cell_size(self.frame)
        needed = (26 if self.pattern is not None else 11) * theme().scale
        if not self.numbers or self.source is None or width < 16 * theme().scale or height < needed:
            return font(), []
        rows, columns = cells_in_view(self.frame, self.source.rows, self.source.columns)
        if len(rows) * len(columns) > _CELLS_WITH_TEXT:
            return font(), []
        values = self.source.block(np.array(rows), np.array(columns))
        texts, face = self._fitting_texts(rows, columns, values, width - 4)
        if texts is None:
            return face, []
        inks = ink_on(colour_table(self.value_scale))
        bytes_ = self.value_scale.bytes_of(values)
        labels = []
        for a, row in enumerate(rows):
            faded = colour("text") if self.veiled(row) else None
            for b, column in enumerate(columns):
                labels.append(Label(self._cell(row, column), texts[a][b], faded or inks[bytes_[a, b]]))
        return face, labels

    def _fitting_texts(self, rows: range, columns: range, values: Floats, width: float) -> tuple[list[list[str]] | None, QFont]:
        """Return the texts of all cells in a form in which every one fits, and the font; None if there is no such form."""
        exact = [[self._text(i, r, value) for r, value in zip(columns, line_, strict=True)]
                 for i, line_ in zip(rows, values.tolist(), strict=True)]  # fmt: skip
        face = font()
        for digits in (0, 3, 2, 1):
            texts = exact if not digits else [[brief(float(f"{value:.{digits - 1}e}")) for value in line_] for line_ in values]
            face, fits = _fitting_font([text for line_ in texts for text in line_], width)
            if all(fits(text) for text in {text for line_ in texts for text in line_}):
                return texts, face
        return None, face

    def _text(self, row: int, column: int, value: float) -> str:
        exact = self.texts(row, column) if self.texts is not None else None
        return brief(value) if exact is None else exact

    def _cell(self, row: int, column: int) -> QRectF:
        width, height = cell_size(self.frame)
        return QRectF(self.frame.x(column) - width / 2, self.frame.y(row) - height / 2, width, height)

    def _draw_glyphs(self, painter: QPainter, pattern: Cells) -> None:
        rows, columns = cells_in_view(self.frame, pattern.rows, pattern.columns)
        if not rows or not columns:
            return
        painter.setFont(font(8, bold=True))
        radius = QFontMetricsF(painter.font()).height() * 0.48
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        codes = pattern.block(np.array(rows), np.array(columns)).astype(int)
        inks = self._inks_between(rows, columns)
        for a, row in enumerate(rows):
            for b, column in enumerate(columns):
                binding, ink = Binding(int(codes[a, b])), inks[a][b]
                middle = QPointF(self.frame.x(column), self.frame.y(row + 0.5))
                if binding == Binding.SLACK:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(ink)
                    painter.drawEllipse(middle, radius, radius)
                    ink = QColor("white" if ink == QColor("black") else "black")
                ink.setAlphaF(0.55 if binding == Binding.ZERO else 0.9)
                painter.setPen(ink)
                box = QRectF(middle.x() - 20, middle.y() - 20, 40, 40)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, GLYPHS[binding])

    def _inks_between(self, rows: range, columns: range) -> list[list[QColor]]:
        """Return, for the border below each cell, the ink that can be read on both sides of it."""
        if self.source is None:
            return [[colour("text") for _ in columns] for _ in rows]
        upper = np.minimum(np.array(rows), self.source.rows - 1)
        across = np.minimum(np.array(columns), self.source.columns - 1)
        below = np.minimum(upper + 1, self.source.rows - 1)
        values = (self.source.block(upper, across) + self.source.block(below, across)) / 2
        inks = ink_on(colour_table(self.value_scale))
        return [[QColor(inks[byte]) for byte in row] for row in self.value_scale.bytes_of(values).tolist()]

    def _draw_colours(self, painter: QPainter, pattern: Cells) -> None:
        rows, columns = cells_in_view(self.frame, pattern.rows, pattern.columns)
        size = round(self.frame.area.height()), round(self.frame.area.width())
        seen = glance(pattern, (rows.start, rows.stop), (columns.start, columns.stop), size)
        across, down = seen.values.shape[1] * seen.column_step, seen.values.shape[0] * seen.row_step
        left, top = self.frame.x(seen.column - 0.5), self.frame.y(seen.row)
        target = QRectF(left, top, self.frame.x(seen.column - 0.5 + across) - left, self.frame.y(seen.row + down) - top)
        draw_hatching(painter, target.intersected(self.frame.area))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        draw_image(painter, target, image_of(seen.values.astype(np.uint8), pattern_table()))


def _fitting_font(texts: list[str], width: float) -> tuple[QFont, Callable[[str], bool]]:
    """Return the largest font in which all texts are at most that wide, or the smallest, and whether a text fits in it."""
    face = font(8)
    for points in (8, 7, 6.5, 6):
        face = font(points)
        metrics = QFontMetricsF(face)
        if all(metrics.horizontalAdvance(text) <= width for text in set(texts)):
            break
    last = QFontMetricsF(face)
    return face, lambda text: last.horizontalAdvance(text) <= width


class SelectionLayer(PixelLayer):
    """Outlines of the selected row and column, their labels on the axes, and the crosshair under the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.row: int | None = None
        self.column: int | None = None
        self.reach: int | None = None  #: of a band: its columns are errors from minus this on
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
            width = metrics.horizontalAdvance(group_thousands(self.row)) + 4
            yield QRectF(area.left() - px(4) - width, y - height / 2, width + 2, height), group_thousands(self.row)
        if self.column is not None and area.left() <= (x := self.frame.x(self.column)) <= area.right():
            text = group_thousands(self.column) if self.reach is None else error_text(self.column - self.reach)
            width = metrics.horizontalAdvance(text) + 8
            yield QRectF(x - width / 2, area.top() - px(4) - height, width, height), text

    def _draw_axis_labels(self, painter: QPainter) -> None:
        painter.setFont(font(8, bold=True))
        painter.setPen(colour("selected"))
        for box, text in self._axis_labels():
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _at_least(box: QRectF, pixels: float) -> QRectF:
    wide, high = max(0.0, pixels - box.width()) / 2, max(0.0, pixels - box.height()) / 2
    return box.adjusted(-wide, -high, wide, high)
