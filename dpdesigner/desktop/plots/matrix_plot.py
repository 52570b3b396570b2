"""The picture of a matrix: cells, layers, zooming and panning, but no texts around it and no selection policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from dpdesigner.core.basics.rounding import brief
from dpdesigner.desktop.plots.axis_layer import Axis, Tick, count_ticks
from dpdesigner.desktop.plots.matrix_colour import ROUNDING, CellImage, HatchLayer, Kind, Scale, colour_table, scale_for
from dpdesigner.desktop.plots.matrix_layers import CellLayer, KeyLayer, MaskLabel, SelectionLayer, VeilLayer, cells_in_view
from dpdesigner.desktop.plots.matrix_text import Band, Texts
from dpdesigner.desktop.plots.plot_layer import fade
from dpdesigner.desktop.plots.plot_style import StyledPlot
from dpdesigner.studies.matrices import Cells, Glance, glance

_FEWEST = 6.0  # cells per side at maximum zoom


class MatrixPlot(StyledPlot):
    """A matrix as a picture. The wheel zooms, dragging pans once zoomed, a double click shows everything again."""

    cell_chosen = Signal(int, int)  #: row and column clicked or dragged over
    cell_hovered = Signal(int, int)  #: row and column under the mouse; -1, -1 when it left

    def __init__(self) -> None:
        super().__init__()
        self.source: Cells | None = None
        self.kind: Kind = "probability"
        self.value_scale = Scale()
        self._logarithmic = False
        self._reach = 0.0
        self._seen: Glance | None = None  #: the last glance, its source, and the part and size shown
        self._seen_of: Cells | None = None
        self._seen_at: tuple[tuple[int, int], ...] = ()
        self._grip: QPointF | None = None
        self._panning = False
        self._table = colour_table(self.value_scale)
        self.image = CellImage()
        self.view_box.addItem(self.image)
        self.hatching, self.cells, self.veil = HatchLayer(), CellLayer(), VeilLayer()
        self.marks, self.key, self.veil_words = SelectionLayer(self.cells), KeyLayer(self.cells), MaskLabel(self.veil, self.cells)
        self.cells.veiled = self.veil.covers
        self.axes.others = self.marks.label_boxes
        self.add_layer(self.hatching, below=True)
        for layer in (self.veil, self.cells, self.key, self.marks, self.veil_words):
            self.add_layer(layer)
        self.set_padding(0, 2, 8, self.key.height())
        self.takes_wheel = True
        self.framed.connect(self._reframe)
        self.pressed.connect(self._press)
        self.dragged.connect(self._drag)
        self.released.connect(self._release)
        self.hovered.connect(self._hover)
        self.left.connect(self._leave)
        self.double_clicked.connect(self._double_click)
        self.turned.connect(self._turn)

    def set_titles(self, rows: str, columns: str, band: Band | None = None) -> None:
        """Set the titles of rows and columns; the columns of a band are errors."""
        reach = None if band is None else band.reach
        if (self.axes.horizontal.title, self.axes.vertical.title, self.marks.reach) != (columns, rows, reach):
            self.marks.reach = reach
            self.set_axes(Axis(columns, self._ticks if band is None else band.ticks), Axis(rows, count_ticks), x_on_top=True)

    def _ticks(self, low: float, high: float, at_most: int) -> list[Tick]:
        """Return ticks with the names of columns that have some."""
        ticks, names = count_ticks(low, high, at_most), () if self.source is None else self.source.names
        return [Tick(tick.at, names[round(tick.at)]) for tick in ticks if tick.at < len(names)] if names else ticks

    def show_source(self, source: Cells, kind: Kind, texts: Texts | None) -> None:
        """Show a matrix; the zoom stays if its size is the same as before."""
        old = self.source
        self.source, self.kind = source, kind
        self.cells.source, self.cells.texts = source, texts
        if old is None or (old.rows, old.columns) != (source.rows, source.columns):
            self.set_cells(source.columns, source.rows)
            self.zoom_out()
        elif old.names != source.names:
            self.axes.renew()
        self._recolour()

    def set_logarithmic(self, on: bool) -> None:
        """Show equal ratios as equal steps of colour (probabilities only)."""
        if self._logarithmic != on:
            self._logarithmic = on
            self._recolour()

    def set_reach(self, value: float) -> None:
        """Let the colours cover at least this range, so that several matrices can share them; 0 for the range of the cells."""
        self._reach = value
        self._recolour()

    def set_pattern(self, pattern: Cells | None) -> None:
        """Draw a constraint pattern over the cells, or none."""
        if pattern is not self.cells.pattern:
            self.cells.pattern = pattern
            self._renew_layers()

    def set_numbers(self, on: bool, exact_only: bool = False) -> None:
        """Write the numbers into the cells if they fit, or only exact ones."""
        if (self.cells.numbers, self.cells.exact_only) != (on, exact_only):
            self.cells.numbers, self.cells.exact_only = on, exact_only
            self.cells.renew()
            self.key.update()

    def set_faded(self, on: bool) -> None:
        """Fade the cells of an outdated matrix."""
        fade(on, self.image, self.cells, self.hatching)

    def cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """Return row and column at a pixel, or None outside the matrix."""
        if self.source is None or not self.frame.area.contains(position):
            return None
        row = int(np.floor(self.frame.value_y(position.y()) + 0.5))
        column = int(np.floor(self.frame.value_x(position.x()) + 0.5))
        return min(max(row, 0), self.source.rows - 1), min(max(column, 0), self.source.columns - 1)

    @property
    def zoomed(self) -> bool:
        """Whether only a part of the matrix is in view."""
        if self.source is None:
            return False
        seen = self.frame.right - self.frame.left, self.frame.bottom - self.frame.top
        return seen[0] < self.source.columns - 1e-9 or seen[1] < self.source.rows - 1e-9

    def zoom_out(self) -> None:
        if self.source is not None:
            self.set_range(-0.5, self.source.columns - 0.5, self.source.rows - 0.5, -0.5)

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Enlarge the cells by a factor about a pixel, by default the middle."""
        if self.source is None:
            return
        at = self.frame.area.center() if about is None else about
        frame, x, y = self.frame, self.frame.value_x(at.x()), self.frame.value_y(at.y())
        left, right = _closer(frame.left, frame.right, x, factor, self.source.columns)
        top, bottom = _closer(frame.top, frame.bottom, y, factor, self.source.rows)
        self.set_range(left, right, bottom, top)

    def bring_into_view(self, row: int, column: int) -> None:
        """Pan just far enough to bring a cell into view."""
        dx = min(0.0, column - 0.5 - self.frame.left) + max(0.0, column + 0.5 - self.frame.right)
        dy = min(0.0, row - 0.5 - self.frame.top) + max(0.0, row + 0.5 - self.frame.bottom)
        if dx or dy:
            self._pan(dx, dy)

    def _pan(self, dx: float, dy: float) -> None:
        if self.source is None:
            return
        frame = self.frame
        dx = min(max(dx, -0.5 - frame.left), self.source.columns - 0.5 - frame.right)
        dy = min(max(dy, -0.5 - frame.top), self.source.rows - 0.5 - frame.bottom)
        self.set_range(frame.left + dx, frame.right + dx, frame.bottom + dy, frame.top + dy)

    def _recolour(self) -> None:
        """Fit the colours to the whole matrix, whatever part of it is in view."""
        if self.source is None:
            return
        whole = self._look(self.source, (0, self.source.rows), (0, self.source.columns)).values
        self.marks.note = self._on_difference(float(np.abs(whole).max())) if self.kind == "difference" else ""
        scale = scale_for(whole, self.kind, logarithmic=self._logarithmic and self.kind == "probability")
        self.value_scale = replace(scale, top=max(scale.top, self._reach))
        self._refresh()

    def _on_difference(self, largest: float) -> str:
        """The text over a difference without colours."""
        if largest >= ROUNDING:
            return ""
        words: str = self.tr("No difference above {least}") if largest else self.tr("The two are equal")
        return words.format(least=brief(ROUNDING))

    @Slot()
    def _reframe(self) -> None:
        self._refresh()

    def _refresh(self) -> None:
        if self.source is None:
            return
        rows, columns = cells_in_view(self.frame, self.source.rows, self.source.columns)
        part = self.tr("{first}–{last} · double click: all").format(first=rows.start, last=rows.stop - 1)
        self.key.part = part if self.zoomed else ""
        seen = self._look(self.source, (rows.start, rows.stop), (columns.start, columns.stop))
        self._table = colour_table(self.value_scale)
        self.image.show_cells(self.value_scale.bytes_of(seen.values), self._table, seen)
        self._renew_layers()

    def _look(self, source: Cells, rows: tuple[int, int], columns: tuple[int, int]) -> Glance:
        """Return the visible content of a part of the matrix; the last one is cached."""
        dots = self.devicePixelRatioF()
        size = max(1, round(self.frame.area.height() * dots)), max(1, round(self.frame.area.width() * dots))
        seen, at = self._seen, (rows, columns, size)
        if seen is None or self._seen_of is not source or self._seen_at != at:
            seen = glance(source, rows, columns, size)
            self._seen_of, self._seen_at, self._seen = source, at, seen
        return seen

    def _renew_layers(self) -> None:
        self.cells.value_scale = self.key.value_scale = self.value_scale
        self.hatching.shown = self.value_scale.logarithmic
        self.key.pattern = self.cells.pattern is not None
        self.key.glyphs = self.cells.pattern_as_glyphs
        self.cells.renew()
        for layer in (self.key, self.hatching, self.marks):
            layer.update()

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self._grip, self._panning = position, False
        if not self.zoomed:
            self._choose(position)

    @Slot(QPointF)
    def _drag(self, position: QPointF) -> None:
        if self._grip is None:
            return
        if not self.zoomed:
            self._choose(position)
            return
        moved = position - self._grip
        if self._panning or moved.manhattanLength() >= QApplication.startDragDistance():
            self._panning = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._grip = position
            frame = self.frame
            self._pan(frame.value_x(0) - frame.value_x(moved.x()), frame.value_y(0) - frame.value_y(moved.y()))

    @Slot(QPointF)
    def _release(self, position: QPointF) -> None:
        if self._grip is not None and self.zoomed and not self._panning:
            self._choose(position)
        self._grip = None
        self.unsetCursor()

    @Slot(QPointF)
    def _double_click(self, position: QPointF) -> None:
        self.zoom_out()

    @Slot(QPointF, float)
    def _turn(self, position: QPointF, notches: float) -> None:
        self.zoom(1.25**notches, position)

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        self._set_hovered(self.cell_at(position))

    @Slot()
    def _leave(self) -> None:
        self._set_hovered(None)

    def _choose(self, position: QPointF) -> None:
        cell = self.cell_at(position)
        if cell is not None:
            self.cell_chosen.emit(*cell)

    def strongest_at(self, row: int, column: int) -> float | None:
        """Return the largest cell that shares a pixel with a cell; None if the cell has its own pixel."""
        seen = self._seen
        if seen is None or max(seen.row_step, seen.column_step) == 1:
            return None
        place = (row - seen.row) // seen.row_step, (column - seen.column) // seen.column_step
        inside = 0 <= place[0] < seen.values.shape[0] and 0 <= place[1] < seen.values.shape[1]
        return float(seen.values[place]) if inside else None

    def set_hovered(self, cell: tuple[int, int] | None) -> None:
        """Hover a cell as the mouse does; emit nothing."""
        self.marks.hovered = cell
        self.marks.update()

    def _set_hovered(self, cell: tuple[int, int] | None) -> None:
        if cell != self.marks.hovered:
            self.set_hovered(cell)
            self.cell_hovered.emit(*(cell or (-1, -1)))


def _closer(low: float, high: float, about: float, factor: float, cells: int) -> tuple[float, float]:
    """Return an interval shrunk by a factor about a position in it, within the cells and not below the minimum size."""
    span = min(max((high - low) / factor, min(_FEWEST, cells)), float(cells))
    start = about - (about - low) * span / (high - low)
    start = min(max(start, -0.5), cells - 0.5 - span)
    return start, start + span
