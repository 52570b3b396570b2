"""The left of the noise page: the query, the cost of an error, and the privacy level."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from dpdesigner.core.basics.rounding import as_typed
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import choice_button, named, push_button, together, wrapped
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.editors.loss_picker import CostPicker
from dpdesigner.desktop.editors.sensitivity_dialog import SensitivityDialog
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.desktop.pages.noise.histogram_rows import CellsRow, DataRow
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_conversion import Asked, converted, of_several_rows, query_of, with_sensitivity
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.histogram_run import costing

_COSTS = 290  # the greatest height of the cost card, in pixels at text scale 1
_ROWS = 104  # pixels at text scale 1 for what the rows of a histogram are
_FIRST = 1000  # stretch: this card takes the free room before any is left empty

#: Returns the last design of each kind, by kind.
Held = Callable[[], dict[str, Any]]


class InputsColumn(AskingColumn[Asked]):
    """Three cards that show a design and request changes; a table for a histogram can be dropped on `around`."""

    def __init__(self, held: Held, around: QWidget) -> None:
        super().__init__()
        self._held = held
        self.query, self.costs = Card(self.tr("Your query")), self._cost_card()
        self.privacy, self.number = PrivacyCard(self, target=True), self._number_row()
        self.privacy.control.leave_alpha_out()
        self.cells, self.data = CellsRow(self, self.query, held), DataRow(self, around, held)
        for part in (self._kinds_row(), self.number, self.cells, self.data):
            self.query.add(part)
        self.add(self.query)
        self.add(self.costs, stretch=_FIRST)
        self.add(self.privacy)
        self.column.addStretch(1)
        self.folding = Folding(self, (self.privacy.control, self.costs))

    def _kinds_row(self) -> QWidget:
        kinds = (
            ("real", self.tr("Real number"), self.tr("A sum, a mean, a measurement: any real number, or several")),
            ("integer", self.tr("Whole number"), self.tr("A count, or a sum of whole numbers")),
            ("histogram", self.tr("Histogram"), self.tr("Number of rows in each of several cells, typed or from a column")),
        )
        self.kinds = {kind: choice_button(text, tip, partial(self._change_query, kind)) for kind, text, tip in kinds}
        return wrapped(*self.kinds.values(), gap=4)

    def _number_row(self) -> QWidget:
        card, tip = self.query, self.tr("The sensitivity Δ: the largest change of the answer by one person")
        words = self.tr("Change sensitivity")
        delta = self.box("sensitivity", card, "10000", self.tr("Sensitivity Δ"), tip, words, basis="")
        self.helper = push_button(self.tr("?"), self.tr("Work out the sensitivity"), self._work_out, padding="4px 6px")
        self.helper.setAccessibleName(self.helper.toolTip())
        tip = self.tr("The unit of the answer: hours, euros, patients; written at every error")
        rows = self.tr(
            "The meaning of one row: a patient, or a person-year (one person in one year). With one row each, ε is per person"
        )
        self._units = tip, rows
        self._unit = self.box("unit", card, "minutes", self.tr("Unit"), tip, self.tr("Change the unit"))
        tip = self.tr("Number of real answers released together; Δ is then in the L1 norm")
        words = self.tr("Change the number of answers")
        box = self.box("dimension", card, "100", self.tr("Answers d"), tip, words, delta=None, weights=())
        self._answers = named(self.tr("answers"), box)
        tip = self.tr("Round the answer to multiples of this, halves up, and draw exact noise in the same steps; empty for none")
        words, none = self.tr("Round to steps"), self.tr("none")
        self._step = named(self.tr("in steps of"), self.box("step", card, "0.001", self.tr("Step"), tip, words, none, delta=None))
        tip = self.tr("Optional, to see what would be published. Saving the design stores it; exported files never contain it")
        truth = self.box("true_answer", card, "1000000", self.tr("True answer"), tip, self.tr("Change the true answer"))
        self._truth = named(self.tr("true answer (kept in your file)"), truth)
        self._sensitivity = named(self.tr("a person changes it by"), delta)
        self._unit_name = QLabel(self.tr("unit"))
        unit, self._help = together(self._unit_name, self._unit), together(self.helper)
        return wrapped(self._sensitivity, unit, self._help, self._answers, self._step, self._truth, gap=5)

    def _cost_card(self) -> Card:
        card = Card(self.tr("Cost of an error"), flexible=True, foldable=True)
        card.set_highest(round(px(_COSTS)))
        self.cost = CostPicker()
        self.cost.changed.connect(lambda cost: self.choose(self.tr("Change cost"), cost=cost))
        self.cost.changing.connect(lambda cost: self.change("", cost=cost))
        self.cost.cancelled.connect(self.previewCancelled)
        self.field("cost", self.cost.set_error)
        card.add(self.cost, 1)
        return card

    # Display -----------------------------------------------------------------------------------------------------------

    def show_design(self, before: Asked | None, design: Asked) -> None:
        self._mark(design)
        real = design if isinstance(design, NoiseDesign) and design.query == "real" else None
        self._answers.setVisible(real is not None and real.step is None)
        self._step.setVisible(real is not None and real.dimension == 1)
        self._truth.setVisible(isinstance(design, NoiseDesign) and design.dimension == 1)
        if isinstance(design, HistogramDesign):
            self.data.set_design(before, design)
        if before is None or costing(before) != costing(design):
            self.cost.set_cost(*costing(design))
        self.privacy.set_level(design.privacy)
        self.privacy.set_word(*map(translated, of_several_rows(design)))
        self.costs.set_line(self.tr("Cost: {cost}").format(cost=design.cost_title))

    def _mark(self, design: Asked) -> None:
        for query, button in self.kinds.items():
            button.setChecked(query == query_of(design))
        counts = isinstance(design, HistogramDesign)
        unused: QWidget = self.number if counts else self.cells
        if (focused := QApplication.focusWidget()) is not None and unused.isAncestorOf(focused):
            self.kinds[query_of(design)].setFocus()  # otherwise the cost would get the focus, and not fold
        self._sensitivity.setVisible(not counts)
        self._help.setVisible(not counts)
        self._unit.setPlaceholderText(self.tr("rows") if counts else self.tr("unit"))
        self._unit_name.setVisible(counts)
        self._unit.setToolTip(self._units[counts])
        self._unit.setMinimumWidth(round(px(_ROWS)) if counts else 0)
        self.cells.setVisible(counts)
        self.data.show_row(counts)
        if isinstance(design, HistogramDesign):
            self.cells.set_design(design)

    def restore(self) -> None:
        if self.design is not None:
            for card in self.cards:
                card.set_error("")
            self._mark(self.design)
            self.cost.set_cost(*costing(self.design))
            self.privacy.control.set_privacy(self.design.privacy)

    def set_presenting(self, on: bool) -> None:
        self.privacy.control.set_presenting(on)
        self.folding.set_on(not on)
        self.cells.set_presenting(on)
        self.data.set_presenting(on)
        self.helper.setVisible(not on)

    # Inputs ------------------------------------------------------------------------------------------------------------

    def _change_query(self, wanted: str) -> None:
        self.choose(self.tr("Change query"), lambda design: converted(design, wanted, self._held()))

    @Slot()
    def _work_out(self) -> None:
        number = (design.query, str(design.sensitivity)) if isinstance(design := self.design, NoiseDesign) else ()
        dialog = SensitivityDialog(self, *number)
        words = self.tr("Change sensitivity")
        dialog.taken.connect(lambda *found: self.choose(words, lambda asked: with_sensitivity(asked, self._held(), *found)))
        dialog.open()

    def drag(self, target: str, place: Any, final: bool) -> None:
        if target == "gamma":
            self.change(self.tr("Choose γ") if final else "", gamma=as_typed(min(max(place, 0.0), 1.0)))
        else:
            super().drag(target, place, final)

    def place(self, target: str) -> float | None:
        """Return the current position of an input's handle; None if its panel determines it."""
        if target == "gamma":
            return self.design.chosen_gamma if isinstance(self.design, NoiseDesign) and self.design.query == "real" else None
        return super().place(target)
