"""What is asked: a number, several, or a histogram, and by how much one row can change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.core.numbers.parsing import parse_integer
from dpdesigner.core.privacy.sensitivity import Neighbours
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.pages.noise.cells_row import CellsRow
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.controls import choice_button, named, push_button, value_box, wrapped
from dpdesigner.desktop.widgets.base.labels import SentenceLabel
from dpdesigner.desktop.widgets.base.layouts import WrapLayout
from dpdesigner.desktop.widgets.privacy.sensitivity_dialog import SensitivityDialog
from dpdesigner.studies.histogram.conversion import Asked, as_histogram, as_number, converted, query_of
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.design import NoiseDesign

#: Gives the last design of each kind, by kind.
Held = Callable[[], Mapping[str, Any]]


class QueryCard(Card):
    """The kind of query and what belongs to it, for the column that it is in."""

    def __init__(self, asking: AskingColumn[Asked], held: Held) -> None:
        super().__init__(self.tr("Your query"), self.tr("query and sensitivity"))
        self._asking, self._held = asking, held
        row = WrapLayout(gap=4)
        self.kinds: dict[str, QPushButton] = {}
        for kind, text, tip in (
            ("real", self.tr("Real number"), self.tr("A sum, a mean, a measurement: any real number, or several")),
            ("integer", self.tr("Whole number"), self.tr("A count, or a sum of whole numbers")),
            ("histogram", self.tr("Histogram"), self.tr("Number of people in each of several cells, typed or from a column")),
        ):
            self.kinds[kind] = choice_button(text, tip, partial(self._change_query, kind))
            row.addWidget(self.kinds[kind])
        self.body.addLayout(row)
        self.counted = CellsRow(asking, self)
        self._rows = {NoiseDesign.kind: self._number_row(), HistogramDesign.kind: self.counted}
        self.note = SentenceLabel("small")
        for part in (*self._rows.values(), self.note):
            self.add(part)
        asking.field("dimension", partial(show_in, self, self.dimension))

    def _number_row(self) -> QWidget:
        tip = self.tr("Largest change of the answer by one row")
        words = self.tr("Change sensitivity")
        self.sensitivity = self._asking.box("sensitivity", self, "1000000", self.tr("Sensitivity Δ"), tip, words)
        tip = self.tr("Number of real answers released together; Δ is then in the L1 norm")
        self.dimension = value_box("100", self.tr("Answers d"), tip, self._change_dimension)
        self.helper = push_button(self.tr("Δ?"), self.tr("Work out the sensitivity of your query"), self._work_out)
        self.helper.setAccessibleName(self.tr("Work out the sensitivity"))
        self.helper.setStyleSheet("padding: 4px 6px;")
        self._dimensions = named(self.tr("answers d"), self.dimension)
        return wrapped(named(self.tr("sensitivity Δ"), self.sensitivity), self.helper, self._dimensions)

    def set_design(self, design: Asked) -> None:
        """Show what a design asks for."""
        self.mark(design)
        for kind, row in self._rows.items():
            row.setVisible(kind == design.kind)
        if isinstance(design, HistogramDesign):
            self.counted.set_design(design)
            self.note.set_sentence(f"Δ = {design.sensitivity.value}: {design.sensitivity.reason}")
            return
        self.sensitivity.show_value(str(design.sensitivity))
        self.dimension.show_value(str(design.dimension))
        self._dimensions.setVisible(design.query == "real")
        self.note.set_sentence("")

    def mark(self, design: Asked) -> None:
        """Mark what is in force."""
        for query, button in self.kinds.items():
            button.setChecked(query == query_of(design))
        if isinstance(design, HistogramDesign):
            self.counted.mark(design)

    def _ask(self, label: str, make: Callable[[Asked], Asked]) -> None:
        if self._asking.design is not None:
            self.mark(self._asking.design)
            self._asking.ask(label, make)

    def _change_query(self, wanted: str) -> None:
        self._ask(self.tr("Change query"), lambda design: converted(design, wanted, self._held()))

    @Slot(str)
    def _change_dimension(self, text: str) -> None:
        def make(design: Asked) -> Asked:
            count = parse_integer(text, self.tr("answers d"), 1, LARGEST_DIMENSION, "dimension")
            return design.replace(dimension=count, **({"delta": None, "weights": ()} if count > 1 else {}))

        self._ask(self.tr("Change the number of answers"), make)

    @Slot()
    def _work_out(self) -> None:
        dialog = SensitivityDialog(self)
        dialog.taken.connect(self._take)
        dialog.open()

    @Slot(str, str, str)
    def _take(self, query: str, sensitivity: str, neighbours: Neighbours) -> None:
        def make(design: Asked) -> Asked:
            if query == HistogramDesign.kind:
                return as_histogram(design, self._held()).replace(neighbours=neighbours)
            kind = query if query == "real" or not isinstance(design, NoiseDesign) else design.query
            return as_number(design, kind, self._held()).replace(sensitivity=sensitivity)

        self._ask(self.tr("Change sensitivity"), make)
