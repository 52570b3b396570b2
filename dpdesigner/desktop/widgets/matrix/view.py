"""The matrix of a mechanism: its picture with a read-out line, a linked selection, and the keyboard."""

from __future__ import annotations

from numpy.typing import ArrayLike
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.desktop.widgets.base.read_out import ReadOut
from dpdesigner.desktop.widgets.matrix.colour import Kind
from dpdesigner.desktop.widgets.matrix.plot import MatrixPlot
from dpdesigner.desktop.widgets.matrix.text import Sentence, Texts, cell_sentence, table_text
from dpdesigner.desktop.widgets.plot.plot_holder import PlotHolder
from dpdesigner.studies.cells import Cells, dense_cells

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class MatrixView(PlotHolder[MatrixPlot]):
    """Shows a matrix, rows = true count (downwards), columns = released value; lets a row and a column be selected.

    The arrow keys move the selection, + and - zoom, 0 shows all, the copy shortcut copies the selection as text.
    """

    rowSelected = Signal(int)  #: the user selected this row
    columnSelected = Signal(int)  #: the user selected this column
    hovered = Signal(int, int)  #: row and column under the mouse; -1, -1 when it left

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(MatrixPlot(), parent)
        self._limit: float | None = None
        self._texts: Texts | None = None
        self._sentence: Sentence | None = None
        self._plot.set_titles(self.tr("true count"), self.tr("released value"))
        longest = self.tr("true 100 → says 100: 0.00813 (1 in 123); ratio to the previous row 2.00 of at most 2.00")
        self._read_out = ReadOut(longest, parent=self)
        self._rows.setSpacing(4)
        self._rows.addWidget(self._read_out)
        self.setAccessibleName(self.tr("Matrix of the mechanism"))
        self._plot.setToolTip(self.tr("Click selects a row and a column; the wheel zooms; a double click shows all"))
        self._plot.cell_chosen.connect(self._choose)
        self._plot.cell_hovered.connect(self._hover)

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_matrix(self, values: ArrayLike, *, kind: Kind = "probability") -> None:
        """Show a matrix of numbers, see `set_source`; an array of floats is not copied and must not change afterwards.

        Raises
        ------
        InputError
            If the values are no table of finite numbers. What was shown stays.
        """
        self.set_source(dense_cells(values, signed=kind == "difference"), kind=kind)

    def set_source(
        self,
        source: Cells,
        *,
        kind: Kind = "probability",
        texts: Texts | None = None,
        sentence: Sentence | None = None,
        ratio_limit: float | None = None,
    ) -> None:
        """Show a matrix that may be too large to hold: it is asked for about as many cells as there are pixels.

        Parameters
        ----------
        source : Cells
            Where the cells come from: probabilities, or differences of them.
        kind : ``"probability"`` or ``"difference"``
            Differences get colours centred at 0.
        texts : callable, optional
            ``texts(i, r)`` returns the exact text of a cell, such as ``1/48``, or None.
        sentence : callable, optional
            ``sentence(i, r)`` returns what the line under the matrix says of a cell, where it is no plain probability.
        ratio_limit : float, optional
            The largest ratio that privacy allows between neighbouring rows, exp(epsilon).
        """
        self._texts, self._sentence, self._limit = texts, sentence, ratio_limit
        marks = self._plot.marks
        marks.row = None if marks.row is None else min(marks.row, source.rows - 1)
        marks.column = None if marks.column is None else min(marks.column, source.columns - 1)
        if marks.hovered is not None and (marks.hovered[0] >= source.rows or marks.hovered[1] >= source.columns):
            marks.hovered = None
        self._plot.show_source(source, kind, texts)
        self._tell()

    def set_pattern(self, pattern: Cells | None) -> None:
        """Draw which constraints bind over the cells (see `matrix_pattern.pattern_source`), or no pattern."""
        self._plot.set_pattern(pattern)

    def set_log(self, on: bool) -> None:
        """Colour probabilities by their logarithm; exact zeros are hatched."""
        self._plot.set_logarithmic(on)

    def set_numbers(self, on: bool) -> None:
        """Write numbers into the cells, where they fit."""
        self._plot.set_numbers(on)

    def set_stale(self, on: bool) -> None:
        """Fade what is shown while something newer is being computed."""
        self._plot.set_faded(on)

    def set_titles(self, rows: str, columns: str) -> None:
        """Name the axes."""
        self._plot.set_titles(rows, columns)

    def set_paired(self, on: bool) -> None:
        """Stand beside another view: without a line of its own, and higher than wide where there is room."""
        self._read_out.setVisible(not on)
        self._plot.set_longest(2.4 if on else 1.35)

    def set_hovered(self, row: int, column: int) -> None:
        """Point at a cell as the mouse does (-1, -1: at none); no signal is emitted."""
        self._plot.set_hovered((row, column) if row >= 0 else None)

    def cell(self, row: int, column: int) -> float | None:
        """Return one cell; None where there is none."""
        source = self._plot.source
        inside = source is not None and 0 <= row < source.rows and 0 <= column < source.columns
        return source.cell(row, column) if source is not None and inside else None

    # Selection ---------------------------------------------------------------------------------------------------------

    def set_selected(self, row: int | None, column: int | None) -> None:
        """Outline a row and a column, or none; no signal is emitted."""
        source, marks = self._plot.source, self._plot.marks
        row = row if source is None or row is None else min(max(row, 0), source.rows - 1)
        column = column if source is None or column is None else min(max(column, 0), source.columns - 1)
        if (row, column) != (marks.row, marks.column):
            marks.row, marks.column = row, column
            marks.update()
            self._plot.axes.update()  # its ticks leave room for the marks
            self._tell()

    def selected(self) -> tuple[int | None, int | None]:
        """Return the selected row and column."""
        return self._plot.marks.row, self._plot.marks.column

    def read_out(self) -> str:
        """Return the sentence under the matrix: the cell under the mouse, else the selected one."""
        return self._read_out.text()

    def selection_as_text(self) -> str:
        """Return the selected row, column, or both one after the other as tab-separated text; all if nothing is selected.

        Raises
        ------
        InputError
            If that would be more than four million cells.
        """
        source, (row, column) = self._plot.source, self.selected()
        if source is None:
            return ""
        rows, columns = range(source.rows), range(source.columns)
        if row is None and column is None:
            return table_text(source, rows, columns, self._texts)
        parts = [] if row is None else [table_text(source, [row], columns, self._texts)]
        parts += [] if column is None else [table_text(source, rows, [column], self._texts)]
        return "\n\n".join(parts)

    def as_text(self) -> str:
        """Return the whole matrix as tab-separated text.

        Raises
        ------
        InputError
            If that would be more than four million cells.
        """
        source = self._plot.source
        return "" if source is None else table_text(source, range(source.rows), range(source.columns), self._texts)

    @Slot(int, int)
    def _choose(self, row: int, column: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._move_to(row, column)

    def _move_to(self, row: int, column: int) -> None:
        old = self.selected()
        self.set_selected(row, column)
        if old[0] != row:
            self.rowSelected.emit(row)
        if old[1] != column:
            self.columnSelected.emit(column)

    @Slot(int, int)
    def _hover(self, row: int, column: int) -> None:
        self._tell()
        self.hovered.emit(row, column)

    # Words and keys ----------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        source, marks = self._plot.source, self._plot.marks
        cell = marks.hovered or (marks.row, marks.column)
        if source is None or cell[0] is None or cell[1] is None:
            self._read_out.setText("")
            return
        text = self._sentence_for(source, cell[0], cell[1], hovered=marks.hovered is not None)
        self._read_out.setText(text)
        if marks.hovered is None:
            self.setAccessibleDescription(text)

    def _sentence_for(self, source: Cells, row: int, column: int, *, hovered: bool) -> str:
        if self._sentence is not None:
            return self._sentence(row, column)
        text = cell_sentence(source, row, column, kind=self._plot.kind, texts=self._texts, limit=self._limit)
        strongest = self._plot.strongest_at(row, column) if hovered else None
        if strongest is None or strongest == source.cell(row, column):
            return text
        words = self.tr("{cell}; up to {value} within this pixel")
        return words.format(cell=text.partition(";")[0], value=significant(strongest))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selection, zoom or copy."""
        key, source = Qt.Key(event.key()), self._plot.source
        if source is None:
            super().keyPressEvent(event)
        elif key in _STEPS:
            self._step(*_STEPS[key], source)
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selection_as_text())
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._plot.zoom(1.25)
        elif key == Qt.Key.Key_Minus:
            self._plot.zoom(0.8)
        elif key == Qt.Key.Key_0:
            self._plot.zoom_out()
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, right: int, source: Cells) -> None:
        row, column = self.selected()
        row = 0 if row is None else min(max(row + down, 0), source.rows - 1)
        column = 0 if column is None else min(max(column + right, 0), source.columns - 1)
        self._move_to(row, column)
        self._plot.bring_into_view(row, column)
