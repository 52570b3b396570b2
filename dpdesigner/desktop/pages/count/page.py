"""The count page: inputs, mechanism, meaning and cost, with one selection linked through all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.pages.count.answers import Answers
from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.jobs import Aim, Titles, aiming, drawing, jobs_of
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.count.portrait import portrait
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop, Summary
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.standing import attained
from dpdesigner.studies.count.witness import WarmWitness
from dpdesigner.studies.job import Job

Floats = NDArray[np.float64]


class CountPage(Page):
    """Design the best private mechanism for one user of a count query."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._design: CountDesign | None = None
        self._selection = (0, 0)
        self._posterior = False
        self._stale: set[str] = set()
        self._answers = Answers(self.outcomes)
        self._warm = WarmWitness()
        self._inputs, self._mechanism, self._meaning = InputsColumn(), MechanismCard(), MeaningColumn()
        lay_out_columns(self, "count-columns", (self._inputs, self._mechanism, self._meaning), (346, 468, 326))
        self._connect()
        self._add_actions()

    def _connect(self) -> None:
        self._inputs.previewed.connect(self.previewed)
        self._inputs.changed.connect(self.changed)
        self._inputs.previewCancelled.connect(self.previewCancelled)
        self._inputs.targetWanted.connect(self._aim)
        self._inputs.countSelected.connect(self._select_row)
        self._mechanism.rowSelected.connect(self._select_row)
        self._mechanism.columnSelected.connect(self._select_column)
        self._meaning.columnSelected.connect(self._select_column)
        self._meaning.drawRequested.connect(self._draw)
        self._meaning.posteriorToggled.connect(self._set_posterior)
        self._meaning.epsilonMoving.connect(self._preview_epsilon)
        self._meaning.epsilonMoved.connect(self._change_epsilon)
        self._meaning.epsilonCancelled.connect(self.previewCancelled)
        self._meaning.explanationRequested.connect(self.whyRequested)

    def _add_actions(self) -> None:
        self._add_command(self.tr("Release once"), "Ctrl+R", self._meaning.release.release_once)
        self._add_command(self.tr("Use the posterior as prior"), "", self._adopt_posterior)
        self._add_command(self.tr("Copy matrix"), "Ctrl+Shift+C", self._copy_matrix)

    @classmethod
    def starting_study(cls, kind: str) -> CountDesign:
        """Return what a new design starts from: 20 rows, every count equally likely, half a bit more or less certain."""
        return CountDesign(20, alpha="1/2", prior="uniform", loss="absolute")

    @classmethod
    def starting_view(cls, study: Any) -> Mapping[str, Any]:
        """Return the best mechanism, and a true count that is neither at an end nor in the middle."""
        return {"view": "optimal", "beside": False, "row": study.n // 3, "column": study.n // 3}

    def set_study(self, study: Any) -> None:
        """Show a design's inputs."""
        before, self._design = self._design, study
        self._inputs.set_design(study)
        self._meaning.set_design(study)
        if self._answers.solved is None:
            self._inputs.set_attained(None)
        if before is None:
            self.set_view_state(self.starting_view(study))
        elif before.n != study.n:
            self._select(*(min(place, study.n) for place in self._selection))

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return what is computed for a design."""
        titles = Titles(self.tr("linear program"), self.tr("what others cost"), self.tr("loss against ε"))
        return jobs_of(study, self._warm, titles)

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show what a job gave; answers for another design are only kept where they still help."""
        self._stale.discard(name)
        if name == "draw":
            self._meaning.release.show_draws(outcome.row, outcome.values)
        elif name == "target":
            self._reach(outcome)
        elif name == "reach":
            self._inputs.set_reach(outcome.best, outcome.worst)
        elif name in ("rough", "curves"):
            self._meaning.set_curves(outcome, self._design is not None and self._design.covered)
        elif name == "costs":
            self._meaning.set_costs(outcome, self._answers.solved, self._answers.witness)
        elif name == "follow" and outcome.study.covered:
            self._mechanism.set_compared(self._answers.compared)
            self.summaryChanged.emit()
        elif outcome is not None:
            self._show_solution()

    def _show_solution(self) -> None:
        answers = self._answers
        solved, witness, mechanism = answers.solved, answers.witness, answers.mechanism
        if solved is None or mechanism is None:
            return
        self._mechanism.set_outcome(solved, answers.compared, mechanism)
        self._mechanism.set_stale(False)
        self._meaning.set_outcome(solved, witness, mechanism)
        self._inputs.set_loss_value(float(words.shown_value(solved, witness)))
        self._inputs.set_attained(None if (level := attained(solved, witness)) == solved.study.privacy else level)
        self._show_posterior()
        self.summaryChanged.emit()

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control."""
        if isinstance(error, InputError) and name != "export":
            self._inputs.show_error(error)
        else:
            super().show_failure(name, error)

    def mark_stale(self, name: str) -> None:
        """Fade what is out of date."""
        self._stale.add(name)
        if name == "solve":
            self._mechanism.set_stale(True)
            self._inputs.set_attained(None)
        elif name in ("costs", "curves"):
            self._meaning.mark_stale(name)
        self.summaryChanged.emit()

    def summary(self) -> Summary:
        """Return the header line, the figure, the badge and the facts."""
        if self._design is None:
            return Summary()
        solved = self._answers.solved
        if solved is not None and solved.study != self._design and "solve" in self._stale:
            return Summary(line=words.design_line(self._design), badge=self.tr("computing…"), state="stale")
        return words.summary(solved, self._design, self._answers.witness, self._answers.compared)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a portrait of the study's own answer."""
        return portrait(study, {"solve": study.run()})

    def explanation(self) -> Explanation | None:
        """Explain the mechanism shown, once there is one."""
        solved = self._answers.solved
        from dpdesigner.desktop.pages.count import explaining

        return None if solved is None else explaining.explanation(solved, self._answers.witness)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        from dpdesigner.desktop.pages.count import guiding

        return guiding.stops(self._inputs, self._mechanism, self._meaning)

    @Slot(int)
    def _select_row(self, row: int) -> None:
        self._select(row, self._selection[1])

    @Slot(int)
    def _select_column(self, column: int) -> None:
        self._select(self._selection[0], column)

    def _select(self, row: int, column: int) -> None:
        self._selection = (row, column)
        self._inputs.set_selected(row)
        self._mechanism.set_selected(row, column)
        self._meaning.release.set_selected(row, column)
        self._show_posterior()

    @Slot(bool)
    def _set_posterior(self, on: bool) -> None:
        self._posterior = on
        self._show_posterior()

    def _show_posterior(self) -> None:
        self._inputs.set_posterior(self._posterior_now() if self._posterior else None)

    def _posterior_now(self) -> Floats | None:
        """What would be believed after the selected release; None where it never happens."""
        solved, mechanism, column = self._answers.solved, self._answers.mechanism, self._selection[1]
        if solved is None or mechanism is None or column > mechanism.n:
            return None
        return mechanism.posterior(solved.study.prior.probabilities, column)

    @Slot(float, bool)
    def _aim(self, target: float, final: bool) -> None:
        if self._design is not None:
            self.requested.emit(aiming(self._design, target, final))

    def _reach(self, aim: Aim) -> None:
        if self._design is None:
            return
        design = self._design.replace(privacy=aim.level)
        if aim.final:
            self.changed.emit(design, self.tr("Aim for expected loss"))
        else:
            self.previewed.emit(design)

    @Slot(float)
    def _preview_epsilon(self, epsilon: float) -> None:
        if self._design is not None:
            self.previewed.emit(self._design.replace(epsilon=float(f"{epsilon:.3g}")))

    @Slot(float)
    def _change_epsilon(self, epsilon: float) -> None:
        if self._design is not None:
            self.changed.emit(self._design.replace(epsilon=float(f"{epsilon:.3g}")), self.tr("Change epsilon"))

    @Slot(int)
    def _draw(self, many: int) -> None:
        if self._answers.mechanism is not None:
            self.requested.emit(drawing(self._answers.mechanism, self._selection[0], many))

    @Slot()
    def _adopt_posterior(self) -> None:
        if self._answers.solved is None or self._design is None:
            return
        posterior = self._posterior_now()
        if posterior is None:
            self.message.emit(self.tr("This value is never released, so there is no posterior after it."))
        else:
            self.changed.emit(self._design.replace(prior=posterior), self.tr("Posterior becomes prior"))

    @Slot()
    def _copy_matrix(self) -> None:
        QGuiApplication.clipboard().setText(self._mechanism.view.as_text())

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results, matrix and curves of a design, to be compared with others."""
        return portrait(study, outcomes)

    def copy(self) -> bool:
        """Put the selected row and column on the clipboard as tab-separated text."""
        QGuiApplication.clipboard().setText(self._mechanism.view.selection_as_text())
        return True

    def views(self) -> Sequence[str]:
        """Return the views that every design has."""
        return ("optimal", "geometric", "remap")

    def figures(self) -> Sequence[Figure]:
        """Return the matrix, the release, the costs and the curve."""
        from dpdesigner.desktop.pages.count import taking_away

        return taking_away.figures(self._inputs, self._mechanism, self._meaning)

    def view_state(self) -> Mapping[str, Any]:
        """Return the open view and the selection."""
        state = self._mechanism.state
        return {"view": state.view, "beside": state.beside, "row": self._selection[0], "column": self._selection[1]}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore the open view and the selection."""
        if isinstance(state.get("view"), str):
            self._mechanism.set_view(state["view"])
        if isinstance(state.get("beside"), bool):
            self._mechanism.set_option("beside", state["beside"])
        row, column = state.get("row"), state.get("column")
        if self._design is not None and isinstance(row, int) and isinstance(column, int):
            self._select(min(max(row, 0), self._design.n), min(max(column, 0), self._design.n))

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._mechanism.set_presenting(on)
        self._meaning.set_presenting(on)
        self._inputs.set_presenting(on)
