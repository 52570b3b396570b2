"""A choice among finitely many outputs: the probabilities that the staircase weights give, and the costs they come from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from dpdesigner.core.numbers.given import whole
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.base.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.matrix.view import MatrixView
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.desktop.work.tables import cells_of, chosen_table
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.choice.design import LARGEST_TABLE, ChoiceDesign, Costs, distances
from dpdesigner.studies.choice.outcome import ChoiceOutcome

#: Larger tables are shown by colour only, and edited in a file.
_WRITTEN, _EDITED = 16, 24
_NUMBER = 40  # pixels at text scale 1 for the shortest cost


class TablePanel(QWidget):
    """Two views of a table: probabilities as a picture, costs as numbers to edit."""

    costsChosen = Signal(object, str)  #: a `ChoiceDesign` with other costs, and the words of the undo step

    def __init__(self) -> None:
        super().__init__()
        self.design: ChoiceDesign | None = None
        self._filling = False
        self.matrix, self.grid = MatrixView(), QTableWidget()
        self.matrix.set_titles(self.tr("data"), self.tr("output"))
        self.grid.setAccessibleName(self.tr("Costs: rows are states of the data, columns outputs"))
        self.grid.cellChanged.connect(self._edit)
        theme().changed.connect(self._fit)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.matrix)
        self._stack.addWidget(self._editor())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _editor(self) -> QWidget:
        editor = QWidget()
        column = QVBoxLayout(editor)
        column.setContentsMargins(0, 0, 0, 0)
        tip = self.tr("As many answers as outputs, 0, 1, 2, …; the cost is how far the output lies from the answer")
        self.answers = value_box("60", self.tr("Number of answers"), tip, self._take_distances)
        open_file = QPushButton(self.tr("Open a table…"))
        open_file.setToolTip(self.tr("A CSV file of costs: one line for each state of the data, one column for each output"))
        open_file.clicked.connect(self._choose_file)
        self.error = SentenceLabel("error")
        self._sources = wrapped(named(self.tr("|r − q|, answers"), self.answers), open_file)
        column.addWidget(self._sources)
        column.addWidget(self.grid, 1)
        column.addWidget(self.error)
        return editor

    def set_design(self, design: ChoiceDesign) -> None:
        """Show the costs, unless they are shown already: one of them may be being typed."""
        before, self.design = self.design, design
        if before is None or (before.costs, before.neighbours) != (design.costs, design.neighbours):
            self._fill(design)

    def _fill(self, design: ChoiceDesign) -> None:
        self.error.clear()
        rows, columns = len(design.costs), len(design.costs[0])
        self.answers.show_value(str(rows) if design.costs == distances(rows) else "")
        small = max(rows, columns) <= _EDITED
        self.grid.setEnabled(small)
        self._filling = True
        self.grid.setRowCount(rows if small else 0)
        self.grid.setColumnCount(columns if small else 0)
        self.grid.setVerticalHeaderLabels([str(row) for row in range(rows)])
        self.grid.setHorizontalHeaderLabels([str(column) for column in range(columns)])
        for row, costs in enumerate(design.costs if small else ()):
            for column, cost in enumerate(costs):
                self.grid.setItem(row, column, QTableWidgetItem(str(cost)))
        self._filling = False
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Give every number room at this size of text."""
        self.grid.horizontalHeader().setMinimumSectionSize(round(px(_NUMBER)))
        self.grid.resizeColumnsToContents()
        self.grid.resizeRowsToContents()

    def set_outcome(self, outcome: ChoiceOutcome) -> None:
        """Show the probabilities."""
        matrix = outcome.mechanism.matrix
        self.matrix.set_matrix(matrix)
        self.matrix.set_numbers(max(matrix.shape) <= _WRITTEN)

    def open(self, view: str) -> None:
        """Show ``"table"``, the probabilities, or ``"costs"``."""
        self._stack.setCurrentIndex(1 if view == "costs" else 0)

    def set_stale(self, on: bool) -> None:
        """Fade the picture."""
        self.matrix.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide where costs come from."""
        self._sources.setVisible(not on)

    @Slot(int, int)
    def _edit(self, row: int, column: int) -> None:
        item = self.grid.item(row, column)
        if self._filling or item is None or self.design is None:
            return
        rows = [list(costs) for costs in self.design.costs]
        rows[row][column] = item.text().strip()
        self._ask(rows, self.tr("Change a cost"))

    @Slot(str)
    def _take_distances(self, text: str) -> None:
        try:
            size = whole(text, "the number of answers", 2, LARGEST_TABLE)
        except InputError as error:
            self.error.set_sentence(str(error))
            return
        self._ask(distances(size), self.tr("Take distances as costs"))

    @Slot()
    def _choose_file(self) -> None:
        if path := chosen_table(self.tr("Costs"), self):
            self.read(path)

    def read(self, path: str) -> None:
        """Take the costs of a file, or say why not."""
        try:
            rows: Costs = cells_of(path, self)
        except Cancelled:
            return
        except InputError as error:
            self.error.set_sentence(str(error))
            return
        self._ask(rows, self.tr("Open costs"))

    def _ask(self, rows: Sequence[Sequence[object]], label: str) -> None:
        if self.design is None:
            return
        try:
            design = self.design.replace(costs=tuple(tuple(row) for row in rows))
        except InputError as error:
            self._fill(self.design)
            self.error.set_sentence(str(error))
            return
        self.costsChosen.emit(design, label)
