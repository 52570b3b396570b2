"""The choice page: what is asked, how likely each output is, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.core.numbers.given import Number
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.choice import explaining, guiding
from dpdesigner.desktop.pages.choice.costs_column import CostsColumn
from dpdesigner.desktop.pages.choice.inputs_column import InputsColumn
from dpdesigner.desktop.pages.choice.views import TableCard
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop, Summary
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.ranking import bars, summary
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.files.tables.choice_table import choice_table
from dpdesigner.files.takeaway.noise_tables import choice_rows
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.said import said


class ChoicePage(Page):
    """Choose one of a few outputs by weights that follow a staircase, and see what privacy that really has."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._design: ChoiceDesign | None = None
        self._stale = False
        self._inputs, self._card, self._costs = InputsColumn(), TableCard(), CostsColumn()
        lay_out_columns(self, "choice-columns", (self._inputs, self._card, self._costs), (328, 476, 336))
        self._inputs.previewed.connect(self.previewed)
        self._inputs.changed.connect(self.changed)
        self._inputs.previewCancelled.connect(self.previewCancelled)
        self._card.gammaTyped.connect(self._type_gamma)
        self._card.table.costsChosen.connect(self._change_costs)
        self._costs.explanationRequested.connect(self.whyRequested)

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_study(self, study: Any) -> None:
        """Show a design's inputs."""
        self._design = study
        self._inputs.set_design(study)
        self._inputs.show_attained(self._answer_near)
        self._card.set_design(study)
        self.summaryChanged.emit()

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show what a job gave."""
        self._mark(False)
        self._inputs.show_attained(outcome)
        self._card.set_outcome(outcome)
        self._costs.set_outcome(outcome)
        self.summaryChanged.emit()

    @property
    def _answer(self) -> ChoiceOutcome | None:
        found: ChoiceOutcome | None = self.outcomes.get("solve")
        return found

    @property
    def _answer_near(self) -> ChoiceOutcome | None:
        """The newest answer, if it is of the design shown but for its epsilon: it may be a few frames behind in a drag."""
        answer, design = self._answer, self._design
        if answer is None or design is None or self._stale:
            return None
        return answer if answer.design.replace(privacy=design.privacy) == design else None

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control."""
        if name == "solve":  # what is still drawn belongs to another design
            self._mark(False)
            self._inputs.show_attained(None)
            self._card.table.set_stale(True)
            self.summaryChanged.emit()
        if isinstance(error, InputError):
            self._inputs.show_error(error)
        else:
            super().show_failure(name, error)

    def mark_stale(self, name: str) -> None:
        """Fade what is out of date."""
        if name == "solve":
            self._mark(True)
            self._inputs.show_attained(None)
            self.summaryChanged.emit()

    def _mark(self, stale: bool) -> None:
        self._stale = stale
        self._card.table.set_stale(stale)
        self._costs.costs.set_stale(stale)

    def summary(self) -> Summary:
        """Return the header line, the cost, and the privacy that the probabilities have."""
        if self._design is None:
            return Summary()
        line = translated(self._design.line)
        if self._stale:
            return Summary(line=line, badge=self.tr("computing…"), state="stale")
        return Summary(line=line) if self._answer is None else summary(self._answer)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the probabilities, not those of the best gamma where that is still to be found."""
        gamma: Number = 1 if study.gamma == "optimal" else study.gamma
        return Portrait({}, matrix=study.mechanism(gamma).matrix)

    def explanation(self) -> Explanation | None:
        """Explain the weights shown, once there are any."""
        return None if self._answer is None else explaining.explained(self._answer)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        return guiding.stops(self._inputs, self._card, self._costs)

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs and results of a design, to be compared with others; an answer for another is left out."""
        query = said("choice among {outputs} outputs", outputs=len(study.costs[0]))
        gamma = said("the best") if study.gamma == "optimal" else str(study.gamma)
        inputs = {
            "query": Finding(said("query"), query, measure=(study.costs, study.neighbours)),
            "gamma": Finding(said("γ asked"), gamma),
            "privacy": Finding(said("privacy asked"), study.privacy.words),
        }
        solved = outcomes.get("solve")
        if solved is None or solved.design != study:
            return Portrait(inputs)
        return Portrait(inputs, {key: solved.findings[key] for key in ("value", "epsilon")})

    # Intents -----------------------------------------------------------------------------------------------------------

    @Slot(object, str)
    def _change_costs(self, design: ChoiceDesign, label: str) -> None:
        self.changed.emit(design, label)

    @Slot(str)
    def _type_gamma(self, text: str) -> None:
        self._card.set_error("")
        try:
            design = None if self._design is None else self._design.replace(gamma=text.strip() or "optimal")
        except InputError as error:
            self._card.show_gamma_error(error)
            return
        if design is not None:
            self._card.gamma.set_gamma(str(design.gamma))
            self.changed.emit(design, self.tr("Choose γ"))

    # Taking away -------------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        """Put the probabilities on the clipboard as tab-separated text."""
        if self._answer is None:
            return False
        rows = choice_rows(choice_table(self._answer).texts)
        QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in rows))
        return True

    def figures(self) -> Sequence[Figure]:
        """Return the probabilities and the costs."""
        if self._design is None or self._answer is None:
            return ()
        costs = bars(self._answer)
        table = Figure("table", self.tr("Probabilities"), self._card.table.matrix.figure())
        return (table, Figure(costs.key, costs.title, costs))

    def view_state(self) -> Mapping[str, Any]:
        """Return the open view."""
        return {"view": self._card.view}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave."""
        if isinstance(view := state.get("view"), str):
            self._card.set_view(view)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; the privacy level stays, for it is what a demonstration plays with."""
        self._card.set_presenting(on)
