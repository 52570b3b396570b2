"""What is asked: a number, a histogram or a choice among a few outputs, and by how much one row can change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.core.numbers.given import whole
from dpdesigner.core.privacy.sensitivity import Neighbours
from dpdesigner.desktop.pages.noise.queries import converted
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.base.wrap_layout import WrapLayout
from dpdesigner.desktop.widgets.privacy.sensitivity_dialog import SensitivityDialog
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.choice_query import Which
from dpdesigner.studies.noise.design import NoiseStudy

#: Asks for the study that a function makes of the one in force, as one undo step with these words.
Ask = Callable[[str, Callable[[NoiseStudy], NoiseStudy]], None]


class QueryCard(Card):
    """The kind of query and what belongs to it; it asks by way of `ask`."""

    def __init__(self, ask: Ask) -> None:
        super().__init__(self.tr("What you ask"), self.tr("query and sensitivity"))
        self._ask = ask
        self._study: NoiseStudy | None = None
        row = WrapLayout(gap=4)
        self.kinds: dict[str, QPushButton] = {}
        for kind, text, tip in (
            ("real", self.tr("Real number"), self.tr("A sum, a mean, a measurement: any real number, or several")),
            ("integer", self.tr("Whole number"), self.tr("A count, or a sum of whole numbers")),
            (
                "histogram",
                self.tr("Histogram"),
                self.tr("How many people are in each of several cells, of a column of your data too"),
            ),
            ("table", self.tr("One of a few"), self.tr("One of finitely many outputs, with any cost of giving each of them")),
        ):
            self.kinds[kind] = self._choice(text, tip, kind, self._change_query)
            row.addWidget(self.kinds[kind])
        self.body.addLayout(row)
        self._rows = {"number": self._number_row(), "histogram": self._histogram_row(), "table": self._table_row()}
        for part in self._rows.values():
            self.add(part)
        self.note = SentenceLabel("small")
        self.add(self.note)

    def _number_row(self) -> QWidget:
        tip = self.tr("By how much one row can change the answer")
        self.sensitivity = value_box("1000000", self.tr("Sensitivity Δ"), tip, self._change_sensitivity)
        tip = self.tr("How many real answers are released together; Δ is then in the L1 norm")
        self.dimension = value_box("100", self.tr("Answers d"), tip, self._change_dimension)
        self.helper = QPushButton(self.tr("Δ?"))
        self.helper.setToolTip(self.tr("Work the sensitivity out from what you ask"))
        self.helper.setAccessibleName(self.tr("Work out the sensitivity"))
        self.helper.setStyleSheet("padding: 3px 6px;")
        self.helper.clicked.connect(self._work_out)
        self._dimensions = named(self.tr("answers d"), self.dimension)
        return wrapped(named(self.tr("sensitivity Δ"), self.sensitivity), self.helper, self._dimensions)

    def _histogram_row(self) -> QWidget:
        self.neighbours = {
            "add-remove": self._choice(
                self.tr("added or removed"),
                self.tr("Neighbouring data have one row more or less"),
                "add-remove",
                self._change_neighbours,
            ),
            "replace": self._choice(
                self.tr("replaced"), self.tr("Neighbouring data have one row that is another"), "replace", self._change_neighbours
            ),
        }
        tip = self.tr("Lower edges such as 0, 18, 65, or 0..10, or 0..500000 by 50000; fixed beforehand, not taken from the data")
        self.cells = value_box("0..500000 by 50000", self.tr("Cells from"), tip, self._change_cells)
        return wrapped(QLabel(self.tr("one row is")), *self.neighbours.values(), named(self.tr("cells from"), self.cells))

    def _table_row(self) -> QWidget:
        self.pairs = {
            "next": self._choice(
                self.tr("the next row"), self.tr("Each row of the costs is a neighbour of the next"), "next", self._change_pairs
            ),
            "all": self._choice(self.tr("every row"), self.tr("All rows of the costs are neighbours"), "all", self._change_pairs),
        }
        return wrapped(QLabel(self.tr("one row can lead to")), *self.pairs.values())

    def _choice(self, text: str, tip: str, key: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, autoDefault=False)
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setProperty("key", key)
        button.setStyleSheet("padding: 3px 7px;")
        button.clicked.connect(slot)
        return button

    def set_study(self, study: NoiseStudy) -> None:
        """Show a study's query."""
        self._study = study
        self.set_error("")
        self._check()
        part = study.query if study.query in self._rows else "number"
        for key, row in self._rows.items():
            row.setVisible(key == part)
        self.sensitivity.show_value(str(study.sensitivity))
        self.dimension.show_value(str(study.dimension))
        self._dimensions.setVisible(study.query == "real")
        self.cells.show_value(study.histogram.cells)
        reason = study.histogram.sensitivity.reason if study.query == "histogram" else ""
        self.note.set_sentence(f"Δ = {study.sensitivity}: {reason}" if reason else "")

    def _check(self) -> None:
        """Mark what is in force."""
        if (study := self._study) is None:
            return
        for buttons, chosen in (
            (self.kinds, study.query),
            (self.neighbours, study.histogram.neighbours),
            (self.pairs, study.table.neighbours),
        ):
            for key, button in buttons.items():
                button.setChecked(key == chosen)

    def restore(self) -> None:
        """Show again what is in force; boxes keep what was typed."""
        self._check()
        self.set_error("")

    def show_error(self, error: InputError) -> None:
        """Show a sentence, and outline the box that it belongs to."""
        box = {"sensitivity": self.sensitivity, "dimension": self.dimension, "cells": self.cells}.get(error.field)
        if box is not None:
            box.set_invalid(True)
        self.error.set_error(error, box)

    def set_presenting(self, on: bool) -> None:
        """Hide the calculator."""
        self.helper.setVisible(not on)

    def _chosen(self) -> str:
        button = self.sender()
        return str(button.property("key")) if isinstance(button, QPushButton) else ""

    @Slot()
    def _change_query(self) -> None:
        wanted = self._chosen()
        if self._study is not None and wanted == self._study.query:
            self._check()
        else:
            self._ask(self.tr("Change query"), lambda study: converted(study, wanted))

    @Slot()
    def _change_neighbours(self) -> None:
        wanted: Neighbours = "replace" if self._chosen() == "replace" else "add-remove"
        self._check()
        self._ask(
            self.tr("Change what one row may do"),
            lambda study: study.replace(histogram=replace(study.histogram, neighbours=wanted)),
        )

    @Slot()
    def _change_pairs(self) -> None:
        wanted: Which = "all" if self._chosen() == "all" else "next"
        self._check()
        self._ask(
            self.tr("Change what one row may do"), lambda study: study.replace(table=replace(study.table, neighbours=wanted))
        )

    @Slot(str)
    def _change_cells(self, text: str) -> None:
        self._ask(
            self.tr("Change cells"),
            lambda study: study.replace(histogram=replace(study.histogram, cells=text.strip(), counts=None)),
        )

    @Slot(str)
    def _change_sensitivity(self, text: str) -> None:
        self._ask(self.tr("Change sensitivity"), lambda study: study.replace(sensitivity=text.strip()))

    @Slot(str)
    def _change_dimension(self, text: str) -> None:
        def make(study: NoiseStudy) -> NoiseStudy:
            count = whole(text, "dimension", 1, LARGEST_DIMENSION)
            return study.replace(dimension=count, **({"delta": None, "weights": ()} if count > 1 else {}))

        self._ask(self.tr("Change the number of answers"), make)

    @Slot()
    def _work_out(self) -> None:
        dialog = SensitivityDialog(self)
        dialog.taken.connect(self._take)
        dialog.open()

    @Slot(str, str, str)
    def _take(self, query: str, sensitivity: str, neighbours: Neighbours) -> None:
        def make(study: NoiseStudy) -> NoiseStudy:
            if query == "histogram":
                return converted(study.replace(histogram=replace(study.histogram, neighbours=neighbours)), query)
            kind = query if study.query in ("histogram", "table") or query == "real" else study.query
            return converted(study, kind).replace(sensitivity=sensitivity)

        self._ask(self.tr("Change sensitivity"), make)
