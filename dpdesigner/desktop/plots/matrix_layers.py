"""What is painted over the cells of a matrix: numbers, pattern, selection, the veil over cells that do not count, and the key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import brief, group_thousands
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.plots.matrix_colour import (
    GLYPHS,
    ROUNDING,
    Scale,
    binding_words,
    colour_table,
    draw_hatching,
    draw_image,
    image_of,
    ink_on,
    pattern_colours,
    pattern_table,
)
from dpdesigner.desktop.plots.matrix_text import Band, Texts, error_text
from dpdesigner.desktop.plots.plot_layer import Frame, PixelLayer, colour, font, line, px
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
        self.numbers = self.exact_only = False  #: whether cells have numbers, and only exact ones, from `texts`
        self.veiled: Callable[[int], bool] = lambda row: False  #: whether a row is faded
        self.note = ""  #: how the numbers in view are written, if not as usual
        self._labels: tuple[QFont, list[Label]] | None = None

    def renew(self) -> None:
        self._labels = None
        super().renew()

    @property
    def pattern_as_glyphs(self) -> bool:
        """Whether the cells are large enough for arrows and letters; if not, the pattern is shown in colours."""
        width, height = cell_size(self.frame)
        return width >= 11 * theme().scale and height >= 13 * theme().scale

    def labels(self) -> tuple[QFont, list[Label]]:
        """Return the numbers in view and their font; none if they do not fit."""
        if self._labels is None:
            self._labels = self._lay_out()
            if self.numbers and self.exact_only and self.texts is not None and not self._labels[1]:
                self.note = tr("too small for fractions: click a cell")
        return self._labels

    def fit(self) -> bool:
        """Return whether the cells have room for numbers."""
        before, note = (self.numbers, self.exact_only), self.note
        self.numbers, self.exact_only = True, False
        _, labels = self._lay_out()
        (self.numbers, self.exact_only), self.note = before, note
        return bool(labels)

    def draw(self, painter: QPainter) -> None:
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
        self.note = ""
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
        last = () if self.value_scale.kind == "difference" else (-1,)
        if self.exact_only and self.texts is None:
            return None, face
        for digits in (0,) if self.exact_only else (0, 3, 2, 1, *last):
            texts = exact if not digits else [[_short(value, digits) for value in line_] for line_ in values.tolist()]
            face, fits = _fitting_font([text for line_ in texts for text in line_], width)
            if all(fits(text) for text in {text for line_ in texts for text in line_}):
                self.note = tr("in %, blank below 0.5") if digits < 0 else ""
                if digits and self.texts is not None:
                    exactly = tr("click a cell for its fraction")
                    self.note = tr("in %, {exactly}").format(exactly=exactly) if digits < 0 else exactly
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
        """Return, for the border below each cell, an ink that is legible on both sides of it."""
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


def _short(value: float, digits: int) -> str:
    """Return a value in this many digits; if negative, a probability in whole percent, certainty alone as 100."""
    if digits > 0:
        return brief(float(f"{value:.{digits - 1}e}"))
    return str(min(int(100 * value + 0.5), 99 if value < 1 - ROUNDING else 100) or "")


def _fitting_font(texts: list[str], width: float) -> tuple[QFont, Callable[[str], bool]]:
    """Return the largest font in which all texts fit this width, otherwise the smallest, and whether a text fits in it."""
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

    def __init__(self, cells: CellLayer) -> None:
        super().__init__()
        self._cells = cells
        self.row: int | None = None
        self.column: int | None = None
        self.reach: int | None = None  #: of a band: its columns are errors, starting at minus this
        self.hovered: tuple[int, int] | None = None
        self.note = ""  #: written over the middle of the cells

    def draw(self, painter: QPainter) -> None:
        painter.setPen(line("hairline"))
        painter.drawRect(self.frame.area.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.save()
        painter.setClipRect(self.frame.area.adjusted(-1, -1, 1, 1))
        if self.hovered is not None:
            self._draw_crosshair(painter, *self.hovered)
        for box in self._outlines():
            _draw_frame(painter, box, px(1.5), colour("selected"))
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

    def _draw_crosshair(self, painter: QPainter, row: int, column: int) -> None:
        area, (width, height) = self.frame.area, cell_size(self.frame)
        x, y = self.frame.x(column), self.frame.y(row)
        half_x, half_y = max(width / 2, 3), max(height / 2, 3)
        painter.setPen(line("text", opacity=0.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if not self._cells.labels()[1]:  # lines would cross out the numbers
            painter.drawLines([
                QLineF(area.left(), y, x - half_x, y), QLineF(x + half_x, y, area.right(), y),
                QLineF(x, area.top(), x, y - half_y), QLineF(x, y + half_y, x, area.bottom()),
            ])  # fmt: skip
        painter.drawRect(QRectF(x - half_x, y - half_y, 2 * half_x, 2 * half_y))

    def label_boxes(self) -> list[QRectF]:
        """Return the boxes in which the selected row and column are written on the axes."""
        return [box for box, _ in self._axis_labels()]

    def _axis_labels(self) -> Iterator[tuple[QRectF, str]]:
        metrics = QFontMetricsF(font(8, bold=True))
        area, height = self.frame.area, metrics.height()
        if self.row is not None and area.top() <= (y := self.frame.y(self.row)) <= area.bottom():
            width = metrics.horizontalAdvance(group_thousands(self.row)) + 4
            yield QRectF(area.left() - px(4) - width, y - height / 2, width + 2, height), group_thousands(self.row)
        if self.column is not None and area.left() <= (x := self.frame.x(self.column)) <= area.right():
            source, text = self._cells.source, "" if self.reach is None else error_text(self.column - self.reach)
            text = text or (group_thousands(self.column) if source is None else source.column(self.column))
            width = metrics.horizontalAdvance(text) + 8
            yield QRectF(x - width / 2, area.top() - px(4) - height, width, height), text

    def _draw_axis_labels(self, painter: QPainter) -> None:
        painter.setFont(font(8, bold=True))
        painter.setPen(colour("selected"))
        for box, text in self._axis_labels():
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _draw_frame(painter: QPainter, box: QRectF, width: float, shade: QColor) -> None:
    """Draw the edges of a box as filled rectangles, in a third of the time of a wide pen."""
    half = width / 2
    outer, inner = box.adjusted(-half, -half, half, half), box.adjusted(half, half, -half, -half)
    painter.fillRect(QRectF(outer.topLeft(), QPointF(outer.right(), inner.top())), shade)
    painter.fillRect(QRectF(QPointF(outer.left(), inner.bottom()), outer.bottomRight()), shade)
    painter.fillRect(QRectF(QPointF(outer.left(), inner.top()), inner.bottomLeft()), shade)
    painter.fillRect(QRectF(inner.topRight(), QPointF(outer.right(), inner.bottom())), shade)


def _at_least(box: QRectF, pixels: float) -> QRectF:
    wide, high = max(0.0, pixels - box.width()) / 2, max(0.0, pixels - box.height()) / 2
    return box.adjusted(-wide, -high, wide, high)


_OPACITY = 0.85


class VeilLayer(PixelLayer):
    """A layer that fades rows, and covers the corners of a band that lie outside the matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.band: Band | None = None
        self.runs: NDArray[np.intp] = np.empty((0, 2), dtype=np.intp)  #: first row of each run and the row after its last

    def set_rows(self, veiled: NDArray[np.bool_] | None) -> None:
        """Fade these rows, an array (rows,), or none."""
        ends = np.flatnonzero(np.diff(np.concatenate([[False], [] if veiled is None else veiled, [False]]).astype(np.int8)))
        self.runs = ends.reshape(-1, 2)
        self.update()

    def covers(self, row: int) -> bool:
        return bool(((self.runs[:, 0] <= row) & (row < self.runs[:, 1])).any())

    def draw(self, painter: QPainter) -> None:
        """Paint the mask over the rows, and over the corners that lie outside the matrix."""
        frame, veil = self.frame, colour("hairline", _OPACITY)
        height = abs(frame.y(1) - frame.y(0))
        first, after = self.runs[:, 0], self.runs[:, 1]
        seen = ((after - first) * height >= 0.5) & (after - 0.5 > frame.top) & (first - 0.5 < frame.bottom)
        for start, end in self.runs[seen].tolist():
            painter.fillRect(frame.box(frame.left, start - 0.5, frame.right, end - 0.5), veil)
        if self.band is not None:
            self._cover_corners(painter, self.band, max(1, int(1 / max(height, 1e-9))))

    def _cover_corners(self, painter: QPainter, band: Band, step: int) -> None:
        """Cover, in every row, the cells below the count 0 or above n."""
        ground, frame, last = colour("card"), self.frame, band.columns - 1
        for gap in range(1, band.reach + 1, step):  # this many errors are impossible in the row reach - gap from an end
            near = band.reach - gap
            painter.fillRect(frame.box(-0.5, near - 0.5, gap - 0.5, near + step - 0.5), ground)
            far = last - near
            painter.fillRect(frame.box(2 * band.reach + 0.5 - gap, far - step + 0.5, 2 * band.reach + 0.5, far + 0.5), ground)


class MaskLabel(PixelLayer):
    """A label above all other layers that says why rows are faded; left out over numbers, to keep them legible."""

    def __init__(self, veil: VeilLayer, cells: CellLayer) -> None:
        super().__init__()
        self._veil, self._cells = veil, cells

    def draw(self, painter: QPainter) -> None:
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
        if others := int((runs[:, 1] - runs[:, 0]).sum()) - (last - first + 1):
            more = tr("{rows} and {others} other counts") if others > 1 else tr("{rows} and 1 other count")
            rows = more.format(rows=rows, others=group_thousands(others))
        cannot = tr("Your prior excludes {rows}:").format(rows=rows)
        words = f"{cannot}\n{tr('errors there are not counted')}"
        painter.setFont(theme().font(9))
        size = painter.fontMetrics().size(0, words).toSizeF() + QSizeF(12, 4)
        if size.width() < box.width() and size.height() < box.height():
            ground = QRectF(box.center() - QPointF(size.width() / 2, size.height() / 2), size)
            painter.fillRect(ground, colour("hairline", 0.9))
            painter.setPen(colour("text"))
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, words)


_ORDER = (Binding.DOWN, Binding.UP, Binding.SLACK, Binding.ZERO)


class KeyLayer(PixelLayer):
    """A colour bar with labelled ends, or the four kinds of constraint by name."""

    def __init__(self, cells: CellLayer) -> None:
        super().__init__()
        self._cells = cells
        self.value_scale = Scale()
        self.pattern = False
        self.glyphs = True
        self.note = ""  #: at the right, if there is room
        self.part = ""  #: the rows in view, if not all

    @staticmethod
    def height() -> float:
        """Return the pixels that the strip needs below the matrix, at text scale 1."""
        return QFontMetricsF(font()).height() / theme().scale + 8

    def draw(self, painter: QPainter) -> None:
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        area = self.frame.area
        strip = QRectF(area.left(), area.bottom() + px(6), area.width(), metrics.height())
        if self.pattern:
            self._draw_pattern(painter, strip, metrics)
        else:
            self._draw_bar(painter, strip, metrics)

    def _draw_bar(self, painter: QPainter, strip: QRectF, metrics: QFontMetricsF) -> None:
        scale = self.value_scale
        high = ("+" if scale.kind == "difference" else "") + brief(scale.top)
        low = brief(-scale.top) if scale.kind == "difference" else brief(scale.bottom) if scale.logarithmic else "0"
        zero = tr("0 exactly") if scale.logarithmic else ""
        bar = min(px(120), strip.width() / 3)
        at = strip.left()
        if zero:
            at = self._swatch(painter, QRectF(at, strip.top(), strip.height(), strip.height()), None)
            at = self._words(painter, at, strip, metrics, zero) + strip.height()
        at = self._words(painter, at, strip, metrics, low) + px(6)
        target = QRectF(at, strip.center().y() - strip.height() * 0.25, bar, strip.height() * 0.5)
        draw_image(painter, target, image_of(np.arange(1, 256, dtype=np.uint8)[None, :], colour_table(scale)))
        at = self._words(painter, target.right() + px(6), strip, metrics, high)
        self._cells.labels()
        for note in (" · ".join(filter(None, (self.part, self._cells.note))), self._cells.note, self.part, self.note):
            if note and (left := strip.right() - metrics.horizontalAdvance(note)) > at + px(8):
                self._words(painter, left, strip, metrics, note)
                break

    def _draw_pattern(self, painter: QPainter, strip: QRectF, metrics: QFontMetricsF) -> None:
        signs = {binding: metrics.horizontalAdvance(GLYPHS[binding]) if self.glyphs else strip.height() for binding in _ORDER}
        words, width = binding_words(short=False), 0.0
        for short in (False, True):
            words = binding_words(short=short)
            width = sum(signs[binding] + 5 + metrics.horizontalAdvance(words[binding]) for binding in _ORDER)
            if width + 3 * 12 <= strip.width():
                break
        gap = min(24.0, max(6.0, (strip.width() - width) / 3))
        at = strip.left()
        for binding in _ORDER:
            if self.glyphs:
                at = self._words(painter, at, strip, metrics, GLYPHS[binding], "accent") + 5
            else:
                at = self._swatch(painter, QRectF(at, strip.top(), strip.height(), strip.height()), binding)
            at = self._words(painter, at, strip, metrics, words[binding]) + gap

    @staticmethod
    def _words(painter: QPainter, at: float, strip: QRectF, metrics: QFontMetricsF, text: str, role: str = "muted") -> float:
        """Write a text and return the position where it ends."""
        width = metrics.horizontalAdvance(text)
        painter.setPen(colour(role))
        painter.drawText(QRectF(at, strip.top(), width + 1, strip.height()), Qt.AlignmentFlag.AlignVCenter, text)
        return at + width

    @staticmethod
    def _swatch(painter: QPainter, box: QRectF, binding: Binding | None) -> float:
        """Draw a square in a binding's colour, or with the hatching for zero, and return the position for the text."""
        inner = box.adjusted(2, 2, -2, -2)
        if binding is None or binding == Binding.ZERO:
            draw_hatching(painter, inner)
        else:
            painter.fillRect(inner, pattern_colours()[binding])
        painter.setPen(line("hairline"))
        painter.drawRect(inner)
        return box.right() + 5
