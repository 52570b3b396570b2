"""Rows above and below the pictures of the noise page: the data of a histogram, the weights of several answers, and gamma."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.core.basics.parsing import double, exact, listed
from dpdesigner.core.basics.rounding import brief
from dpdesigner.core.noise.best_noise import epsilons_of
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.background.tables import all_columns_of
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import named, value_box, wrapped
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.field import ColumnSource
from dpdesigner.errors import InputError
from dpdesigner.studies.noise import histogram_run
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import listing
from dpdesigner.studies.noise.histogram_conversion import counting
from dpdesigner.studies.noise.histogram_counts import Truth
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.plots import share_formula

_NUMBERS = {"path": f"{EXAMPLE}doctor_visits.csv", "column": "visits", "cells": "0..13"}
_TEXTS = {"path": f"{EXAMPLE}admissions_1973.csv", "column": "department", "categories": tuple("ABCDEF")}


class GammaRow(QWidget):
    """A box, a button for the optimal gamma, and on the right the position of the step."""

    def __init__(self, asking: AskingColumn[Any], card: Card) -> None:
        super().__init__()
        self._asking, self._card = asking, card
        label = QLabel("γ")
        tip = self.tr("Position of the step within each period: a number from 0 to 1, or optimal")
        self.box = value_box("0.3775406", self.tr("gamma, the position of the step"), tip, self._change)
        label.setBuddy(self.box)
        self.optimal = QPushButton(self.tr("Optimal γ"))
        self.optimal.setToolTip(self.tr("Take the gamma of least expected cost"))
        self.optimal.setCheckable(True)
        self.optimal.clicked.connect(self._take_optimal)
        self.note = styled("small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row_of(label, self.box, self.optimal, (self.note, 1), on=self, gap=6)
        asking.field("gamma", partial(show_in, card, self.box))

    def set_design(self, design: NoiseDesign) -> None:
        self.box.show_value(str(design.gamma))
        self.optimal.setChecked(design.gamma == "optimal")

    def set_answer(self, answer: NoiseAnswer) -> None:
        """Show where the noise steps down."""
        self.note.setText(translated(answer.step))

    @Slot()
    def _take_optimal(self) -> None:
        self.optimal.setChecked(True)
        self._change("optimal")

    @Slot(str)
    def _change(self, text: str) -> None:
        self._card.set_error("")
        self._asking.change(self.tr("Choose γ"), gamma=text.strip() or "optimal")
        if not self._card.error.text() and isinstance(design := self._asking.design, NoiseDesign):
            self.set_design(design)


class WithinBox(QWidget):
    """A box for the bound of the shaded errors; it changes the picture only."""

    chosen = Signal(object)  #: the bound

    def __init__(self) -> None:
        super().__init__()
        self.box = value_box("0.333", self.tr("Bound on the error"), "", self._type)
        self._unit = styled("small")
        row_of(None, QLabel(self.tr("errors within ±")), self.box, self._unit, on=self, gap=6)

    def show_bound(self, bound: float, answer: NoiseAnswer) -> None:
        """Show a bound, and the formula of the share in the tooltip."""
        self.box.show_value(brief(bound))
        self._unit.setText(answer.design.unit)
        self._unit.setVisible(bool(answer.design.unit))
        self.box.setToolTip(translated(share_formula(answer)))

    @Slot(str)
    def _type(self, text: str) -> None:
        try:
            bound = double(exact(text, "the bound on the error", "within"))
        except InputError:
            bound = -1.0
        if bound < 0:
            self.box.set_invalid(True)
        else:
            self.chosen.emit(bound)


class WeightsRow(QWidget):
    """The weights by which several answers share epsilon."""

    def __init__(self, asking: AskingColumn[Any], card: Card) -> None:
        super().__init__()
        self._asking, self._card = asking, card
        tip = self.tr("One positive number per answer, for example 1, 1, 2; epsilon is shared in proportion")
        self.box = value_box("1, 1, 2, 1, 1, 1", self.tr("Weights of the answers"), tip, self._change)
        column_of(wrapped(named(self.tr("weights of the answers"), self.box)), on=self, gap=0)
        asking.field("weights", partial(show_in, card, self.box))

    def set_design(self, design: NoiseDesign) -> None:
        self.box.show_value(", ".join(map(str, design.weights or (1,))))

    @Slot(str)
    def _change(self, text: str) -> None:
        self._card.set_error("")
        words = self.tr("Share the budget")
        self._asking.ask(words, lambda design: _with_weights(design, listed(text, "weights", "weights")), "weights")


def _with_weights(design: NoiseDesign, parts: list[str]) -> NoiseDesign:
    """Return the design with other weights, after checking that all their shares can be computed."""
    changed = design.replace(weights=tuple(parts) if len(parts) > 1 else ())
    epsilons_of(changed.dimension, changed.privacy, changed.weights or (1,))
    return changed


class DataRow(QWidget):
    """The column that a histogram counts, with sentences about it.

    Parameters
    ----------
    asking : AskingColumn
    around : QWidget
        What takes a table that is dropped.
    """

    def __init__(self, asking: AskingColumn[Any], around: QWidget) -> None:
        super().__init__()
        self._asking, self._around = asking, around
        self._failure = ""  # why nothing is counted
        titles = self.tr("One row per person"), self.tr("Column to count")
        self.source = ColumnSource(around, *titles, self._example(False), offered=all_columns_of)
        self.source.changed.connect(self._change_source)
        self.listing, self.misfit = SentenceLabel("small"), ErrorLine()
        column_of(self.source, self.source.error, self.misfit, self.listing, on=self, gap=4)

    def _example(self, texts: bool) -> tuple[str, dict[str, Any]]:
        if texts:
            return self.tr("Departments that 4 526 people applied to; included in the program"), _TEXTS
        return self.tr("Visits to a doctor in 20 190 person-years; included in the program"), _NUMBERS

    def show_row(self, on: bool) -> None:
        """Show the row if there is something to count; tables are accepted only then."""
        self.setVisible(on)
        self._around.setAcceptDrops(on)

    def set_design(self, before: object, design: HistogramDesign) -> None:
        """Show the source of the data; clear an error about reading other data."""
        if not isinstance(before, HistogramDesign) or before.source != design.source:
            self._failure = ""
        elif before.listed == design.listed:
            return
        self.source.offer_example(*self._example(design.categories is not None))
        self.source.show_source(design.column, translated(histogram_run.source(design)))
        self.listing.set_sentence(translated(listing(design)))

    def show_truth(self, truth: Truth | None) -> None:
        """Suggest cells that fit the data if the current ones do not, and warn that such cells are not private."""
        if truth is not None:
            self._failure = ""
            self.source.error.clear()
        if truth is None or not truth.fitting:
            self.misfit.clear()
            return
        problem = self.tr(
            "Most values are in the last cell or outside all cells. The suggested cells are taken from the data, so they are "
            "not private."
        )
        self.misfit.set_remedy(
            problem, self.tr("Use {cells}").format(cells=truth.fitting), partial(self._take_cells, truth.fitting)
        )

    def show_failure(self, reason: str) -> None:
        """Show why nothing is counted."""
        self._failure = reason
        self.source.error.set_sentence(reason)

    def set_presenting(self, on: bool) -> None:
        """Hide the source of the data, and the reason why nothing is counted."""
        self.source.error.set_sentence("" if on else self._failure)
        self.source.setVisible(not on)

    @Slot(object, str)
    def _change_source(self, changes: Mapping[str, Any], words: str) -> None:
        self._asking.ask(words, lambda design: counting(design, changes))

    def _take_cells(self, cells: str) -> None:
        label = self.tr("Take the cells from the data")
        self._asking.ask(label, lambda design: design.replace(cells=cells, listed="data", counts=None))
