"""The matrix of a mechanism: its picture with a read-out line, a linked selection, and the keyboard."""

from __future__ import annotations

from numpy.typing import ArrayLike
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QSplitter, QStackedLayout, QWidget

from dpdesigner.core.basics.rounding import group_thousands, significant
from dpdesigner.desktop.base.labels import ElidedLabel, ReadOut
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.matrix_colour import Kind
from dpdesigner.desktop.plots.matrix_plot import MatrixPlot
from dpdesigner.desktop.plots.matrix_text import Band, Texts, band_of, cell_sentence, table_text
from dpdesigner.desktop.plots.plot_style import PlotHolder
from dpdesigner.studies.matrices import Cells, Matrix, dense_cells

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class MatrixView(PlotHolder[MatrixPlot]):
    """A view of a matrix, rows = true count (downwards), columns = released value; a row and a column can be selected.

    The arrow keys move the selection, + and - zoom, 0 shows all, the copy shortcut copies the selection as text.
    """

    rowSelected = Signal(int)  #: the user selected this row
    columnSelected = Signal(int)  #: the user selected this column
    hovered = Signal(int, int)  #: row and column under the mouse; -1, -1 when it left

    def __init__(self) -> None:
        super().__init__(MatrixPlot())
        self._matrix: Matrix | None = None
        self._band: Band | None = None
        self._banded = False
        self._at: tuple[int | None, int | None] = None, None
        self._plot.set_titles(self.tr("true count"), self.tr("released value"))
        longest = self.tr("100 is released as 100: 0.00813 (1 in 123); ratio to the previous row 2.00, limit 2.00")
        self._read_out = ReadOut(longest, "small", parent=self)
        self._quiet = False  # no sentence is seen until somebody points at a cell
        self._rows.setSpacing(4)
        self._rows.addWidget(self._read_out)
        self.setAccessibleName(self.tr("Matrix of the mechanism"))
        self._plot.setToolTip(self.tr("Click selects a row and a column; the wheel zooms; a double click shows all"))
        self._plot.cell_chosen.connect(self._choose)
        self._plot.cell_hovered.connect(self._hover)

    # Display -----------------------------------------------------------------------------------------------------------

    def set_matrix(self, values: ArrayLike, *, kind: Kind = "probability") -> None:
        """Show a matrix of numbers, see `show_matrix`; an array of floats is not copied and must not change afterwards.

        Raises
        ------
        InputError
            If the values are no table of finite numbers. What was shown stays.
        """
        self.show_matrix(Matrix("matrix", "", dense_cells(values, signed=kind == "difference"), kind=kind))

    def show_matrix(self, matrix: Matrix) -> None:
        """Show a matrix that may be too large for memory; only about as many cells as there are pixels are computed."""
        self._matrix = matrix
        self._plot.veil.set_rows(matrix.veiled)
        hovered = self._hovered()
        self._lay_out()
        if hovered is not None:
            inside = hovered[0] < matrix.cells.rows and hovered[1] < matrix.cells.columns
            self.set_hovered(*(hovered if inside else (-1, -1)))
        self.set_selected(*self._at)
        self._tell()

    def set_band(self, on: bool) -> None:
        """Show a large matrix by its errors, released minus true; smaller ones, and those not in memory, stay as they are."""
        if on != self._banded:
            self._banded = on
            if self._matrix is not None:
                self.show_matrix(self._matrix)

    def _lay_out(self) -> None:
        """Draw the matrix itself, or its band."""
        if (matrix := self._matrix) is None:
            return
        plot, old, texts = self._plot, self._plot.veil.band, matrix.texts
        self._band = band = band_of(matrix.cells) if self._banded else None
        if (old is None) != (band is None):
            plot.set_hovered(None)
        plot.veil.band = band
        rows = translated(matrix.rows) or plot.axes.vertical.title
        columns = translated(matrix.columns) or self.tr("released value")
        plot.set_titles(rows, columns if band is None else self.tr("released minus true"), band)
        if band is not None and matrix.texts is not None:
            exact = matrix.texts
            texts = lambda row, place: exact(row, band.column(row, place))  # noqa: E731
        plot.show_source(matrix.cells if band is None else band.cells, matrix.kind, texts)

    def _hovered(self) -> tuple[int, int] | None:
        """Return the matrix cell under the mouse."""
        hovered, band = self._plot.marks.hovered, self._band
        return hovered if hovered is None or band is None else (hovered[0], band.column(*hovered))

    def _across(self, row: int | None, column: int | None) -> int | None:
        return column if self._band is None else self._band.across(row, column)

    def set_pattern(self, pattern: Cells | None) -> None:
        """Draw over the cells which constraints bind (see `pattern.pattern_source`), or no pattern."""
        self._plot.set_pattern(pattern)

    def set_log(self, on: bool) -> None:
        """Colour probabilities by their logarithm; exact zeros are hatched."""
        self._plot.set_logarithmic(on)

    def set_numbers(self, on: bool, exact_only: bool = False) -> None:
        """Write numbers into the cells if they fit, or only exact ones."""
        self._plot.set_numbers(on, exact_only)

    def numbers_fit(self) -> bool:
        """Return whether numbers fit into the cells; the read-out says so if they do not."""
        fit = self._plot.cells.fit()
        if not fit:
            self.wait_for_pointing(False)
            self._read_out.setText(self.tr("No room for numbers: zoom in (wheel or +)"))
        return fit

    def set_stale(self, on: bool) -> None:
        self._plot.set_faded(on)

    def wait_for_pointing(self, on: bool = True) -> None:
        """Show the sentence under the matrix only once somebody points at a cell, or moves the selection."""
        self._quiet = on
        self._read_out.label.setVisible(not on)

    def set_titles(self, rows: str, columns: str) -> None:
        """Name the axes."""
        self._plot.set_titles(rows, columns)

    def set_paired(self, on: bool) -> None:
        """Show as one of a pair: without a read-out of its own, and taller than wide where there is room."""
        self._read_out.setVisible(not on)
        self._plot.set_longest(2.4 if on else 1.35)

    def set_hovered(self, row: int, column: int) -> None:
        """Hover a cell as the mouse does (-1, -1: none); emit nothing."""
        place = self._across(row, column)
        self._plot.set_hovered((row, place) if row >= 0 and place is not None else None)

    def cell(self, row: int, column: int) -> float | None:
        """Return one cell; None if it does not exist."""
        source = self._cells
        inside = source is not None and 0 <= row < source.rows and 0 <= column < source.columns
        return source.cell(row, column) if source is not None and inside else None

    def cell_text(self, row: int, column: int) -> str:
        """Return one cell as its fraction if that is shown, otherwise as a decimal."""
        exact = None if self._exact is None else self._exact(row, column)
        return significant(self.cell(row, column) or 0.0) if exact is None else exact

    # Selection ---------------------------------------------------------------------------------------------------------

    def set_selected(self, row: int | None, column: int | None) -> None:
        """Outline a row and a column, or none; emit nothing."""
        source, marks = self._cells, self._plot.marks
        row = row if source is None or row is None else min(max(row, 0), source.rows - 1)
        column = column if source is None or column is None else min(max(column, 0), source.columns - 1)
        place = self._across(row, column)
        if (row, column) != self._at or (row, place) != (marks.row, marks.column):
            self._at, (marks.row, marks.column) = (row, column), (row, place)
            marks.update()
            self._plot.axes.update()  # its ticks make room for the marks
            self._tell()

    def selected(self) -> tuple[int | None, int | None]:
        """Return the selected row and column as text."""
        return self._at

    def read_out(self) -> str:
        """Return the sentence under the matrix, about the cell under the mouse, otherwise the selected one."""
        return self._read_out.text()

    def selection_as_text(self) -> str:
        """Return the selected row, column, or both in turn as tab-separated text; the whole matrix if nothing is selected.

        Raises
        ------
        InputError
            If that would be more than four million cells.
        """
        source, (row, column) = self._cells, self._at
        if source is None:
            return ""
        rows, columns = range(source.rows), range(source.columns)
        if row is None and column is None:
            return table_text(source, rows, columns, self._exact)
        parts = [] if row is None else [table_text(source, [row], columns, self._exact)]
        parts += [] if column is None else [table_text(source, rows, [column], self._exact)]
        return "\n\n".join(parts)

    def as_text(self) -> str:
        """Return the whole matrix as tab-separated text.

        Raises
        ------
        InputError
            If that would be more than four million cells.
        """
        source = self._cells
        return "" if source is None else table_text(source, range(source.rows), range(source.columns), self._exact)

    @property
    def _cells(self) -> Cells | None:
        return None if self._matrix is None else self._matrix.cells

    @property
    def _exact(self) -> Texts | None:
        return None if self._matrix is None else self._matrix.texts

    @Slot(int, int)
    def _choose(self, row: int, place: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._move_to(row, place if self._band is None else self._band.column(row, place))

    def _move_to(self, row: int, column: int) -> None:
        self.wait_for_pointing(False)
        old = self.selected()
        self.set_selected(row, column)
        if old[0] != row:
            self.rowSelected.emit(row)
        if old[1] != column:
            self.columnSelected.emit(column)

    @Slot(int, int)
    def _hover(self, row: int, place: int) -> None:
        self._read_out.label.setVisible(not self._quiet or self._hovered() is not None)
        self._tell()
        self.hovered.emit(*(self._hovered() or (-1, -1)))

    # Text and keyboard -------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        source, hovered = self._cells, self._hovered()
        cell = hovered or self._at
        if source is None or cell[0] is None or cell[1] is None:
            self._read_out.setText("")
            return
        text = self._sentence_for(source, cell[0], cell[1], hovered=hovered is not None)
        self._read_out.setText(text)
        if hovered is None:
            self.setAccessibleDescription(text)

    def _sentence_for(self, source: Cells, row: int, column: int, *, hovered: bool) -> str:
        matrix, place = self._matrix, self._across(row, column)
        if matrix is None or matrix.sentence is not None:
            return "" if matrix is None or matrix.sentence is None else translated(matrix.sentence(row, column))
        text = cell_sentence(source, row, column, kind=matrix.kind, texts=matrix.texts, limit=matrix.ratio_limit)
        strongest = self._plot.strongest_at(row, place) if hovered and place is not None else None
        if strongest is not None and strongest != source.cell(row, column):
            words = self.tr("{cell}; up to {value} within this pixel")
            text = words.format(cell=text.partition(";")[0], value=significant(strongest))
        if matrix.veiled is not None and matrix.veiled[row]:
            text = self.tr("{cell}; your prior excludes {row}").format(cell=text, row=group_thousands(row))
        return text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, source = Qt.Key(event.key()), self._cells
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
        right += down if self._band is not None else 0  # moving along the rows of a band keeps the error
        row = 0 if row is None else min(max(row + down, 0), source.rows - 1)
        column = 0 if column is None else min(max(column + right, 0), source.columns - 1)
        self._move_to(row, column)
        place = self._across(row, column)
        if place is not None:
            self._plot.bring_into_view(row, place)


_LEAST_WIDTH = 170  # pixels of a matrix at text scale 1


class MatrixPane(QWidget):
    """A matrix under its title, or a sentence that explains why there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.view, self.caption, self.missing = MatrixView(), ElidedLabel(), QLabel()
        set_class(self.caption, "muted")
        set_class(self.missing, "muted")
        self.missing.setWordWrap(True)
        self.missing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme().follow(self._restyle)
        shown = QWidget()
        self.stack = QStackedLayout(shown)
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.missing)
        column_of(self.caption, (shown, 1), on=self, gap=2)

    @property
    def shows(self) -> bool:
        return self.stack.currentWidget() is self.view

    @Slot()
    def _restyle(self) -> None:
        self.view.setMinimumWidth(round(_LEAST_WIDTH * theme().scale))


class MatrixPair(QSplitter):
    """Two matrices side by side, the second hidden at first; hovering one also hovers the other."""

    rowSelected = Signal(int)
    columnSelected = Signal(int)
    hovered = Signal(int, int)  #: row and column under the mouse; -1, -1 when it left

    def __init__(self) -> None:
        super().__init__()
        self.setChildrenCollapsible(False)
        self.panes = MatrixPane(), MatrixPane()
        first, second = (pane.view for pane in self.panes)
        for pane in self.panes:
            pane.view.rowSelected.connect(self.rowSelected)
            pane.view.columnSelected.connect(self.columnSelected)
            pane.view.hovered.connect(self.hovered)
            self.addWidget(pane)
        first.hovered.connect(second.set_hovered)
        second.hovered.connect(first.set_hovered)
        self.panes[1].hide()
