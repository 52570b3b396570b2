"""The noise page: what is asked, both noises in pictures, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop, Summary
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.ranking import summary
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.pages.noise import guiding
from dpdesigner.desktop.pages.noise.column_source import ColumnSource
from dpdesigner.desktop.pages.noise.costs_column import CostsColumn
from dpdesigner.desktop.pages.noise.inputs_column import InputsColumn
from dpdesigner.desktop.pages.noise.jobs import drawn, looked_at, prepared
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.pages.noise.queries import as_count
from dpdesigner.desktop.pages.noise.sides import Answer, Asked, noise_of, side_of
from dpdesigner.desktop.pages.noise.taking_away import figures, rows_shown
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.job import Job
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.snippet import python_snippet


class NoisePage(Page):
    """Find the cheapest private noise for a number, several or a histogram, and see it beside Laplace noise."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._design: Asked | None = None
        self._stale = False
        self._inputs, self._pictures, self._costs = InputsColumn(lambda: self.held), PicturesCard(), CostsColumn()
        self._columns = ColumnSource(self._pictures.histogram, self._inputs, self)
        lay_out_columns(self, "noise-columns", (self._inputs, self._pictures, self._costs), (328, 476, 336))
        self._connect()
        self._add_actions()

    def _connect(self) -> None:
        self._inputs.previewed.connect(self.previewed)
        self._inputs.changed.connect(self.changed)
        self._inputs.previewCancelled.connect(self.previewCancelled)
        self._pictures.epsilonMoving.connect(self._preview_epsilon)
        self._pictures.epsilonMoved.connect(self._change_epsilon)
        self._pictures.gammaMoving.connect(self._preview_gamma)
        self._pictures.gammaMoved.connect(self._change_gamma)
        self._pictures.gammaTyped.connect(self._type_gamma)
        self._pictures.budget.weightsChosen.connect(self._change_weights)
        self._columns.requested.connect(self.requested)
        self._costs.epsilonMoving.connect(self._preview_epsilon)
        self._costs.epsilonMoved.connect(self._change_epsilon)
        self._costs.epsilonCancelled.connect(self.previewCancelled)
        self._pictures.handleCancelled.connect(self.previewCancelled)
        self._pictures.viewWanted.connect(self._look)
        self._costs.countRequested.connect(self.send_to_count)
        self._costs.explanationRequested.connect(self.whyRequested)
        self._costs.drawRequested.connect(self.draw_once)
        self._costs.samplerRequested.connect(self.copy_sampler)

    def _add_actions(self) -> None:
        self._add_command(self.tr("Draw noise once"), "Ctrl+R", self.draw_once)
        self._add_command(self.tr("Copy a sampler in Python"), "Ctrl+Shift+C", self.copy_sampler)
        self._add_command(self.tr("Open this noise on the Count page"), "", self.send_to_count)

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_study(self, study: Any) -> None:
        """Show a design's inputs."""
        self._design = study
        self._inputs.set_design(study)
        self._pictures.set_design(study)
        self.summaryChanged.emit()

    def jobs(self, study: Any) -> Sequence[Job]:
        """Compute the noise, and count the rows of a histogram."""
        histogram = study if isinstance(study, HistogramDesign) else None
        return (Job("solve", looked_at(study, self._pictures.view)), *self._columns.jobs(histogram))

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show what a job gave."""
        if name == "draw":
            if outcome.design == self._design:
                self._costs.show_draw(outcome.values, outcome.whole)
        elif name in self._columns.NAMES:
            self._columns.show_outcome(outcome)
        elif name == "look":
            if outcome is self._solved and self._answer is not None:
                self._pictures.set_outcome(self._answer)
        else:
            self._mark(False)
            self._pictures.set_outcome(outcome)
            self._costs.set_outcome(outcome)
            self.summaryChanged.emit()

    @property
    def _answer(self) -> Answer | None:
        found: Answer | None = self.outcomes.get("solve")
        return found

    @property
    def _solved(self) -> NoiseOutcome | None:
        """The noise: for a histogram, that of a cell."""
        return noise_of(self._answer)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control."""
        if name == "solve":  # what is still drawn belongs to another study
            self._mark(False)
            self._pictures.set_stale(True)
            self.summaryChanged.emit()
        if name in self._columns.NAMES:
            self._columns.show_failure(error)
        elif isinstance(error, InputError):
            self._inputs.show_error(error)
        else:
            super().show_failure(name, error)

    def mark_stale(self, name: str) -> None:
        """Fade what is out of date."""
        if name == "solve":
            self._mark(True)
            self.summaryChanged.emit()

    def _mark(self, stale: bool) -> None:
        self._stale = stale
        self._pictures.set_stale(stale)
        self._costs.set_stale(stale)

    def summary(self) -> Summary:
        """Return the header line, the cost, the badge and the facts."""
        if self._design is None:
            return Summary()
        if self._stale:
            return Summary(line=translated(self._design.line), badge=self.tr("computing…"), state="stale")
        return Summary(line=translated(self._design.line)) if self._answer is None else summary(self._answer)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the shape of the noise."""
        return side_of(study).sketched(study)

    def explanation(self) -> Explanation | None:
        """Explain the noise shown, once there is one."""
        return None if self._answer is None else side_of(self._answer.design).explanation(self._answer)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        return guiding.stops(self._inputs, self._pictures, self._costs)

    # Intents -----------------------------------------------------------------------------------------------------------

    @Slot(float)
    def _preview_epsilon(self, epsilon: float) -> None:
        self._inputs.ask("", lambda design: design.replace(epsilon=f"{epsilon:.3g}"))

    @Slot(float)
    def _change_epsilon(self, epsilon: float) -> None:
        self._inputs.ask(self.tr("Change epsilon"), lambda design: design.replace(epsilon=f"{epsilon:.3g}"))

    @Slot(float)
    def _preview_gamma(self, gamma: float) -> None:
        self._inputs.ask("", lambda design: design.replace(gamma=f"{gamma:.3g}"))

    @Slot(float)
    def _change_gamma(self, gamma: float) -> None:
        self._type_gamma(f"{gamma:.3g}")

    @Slot(object)
    def _change_weights(self, design: NoiseDesign) -> None:
        self.changed.emit(design, self.tr("Share the budget"))

    @Slot(str)
    def _type_gamma(self, text: str) -> None:
        self._pictures.set_error("")
        try:
            design = None if self._design is None else self._design.replace(gamma=text.strip() or "optimal")
        except InputError as error:
            self._pictures.gamma.box.set_invalid(True)
            self._pictures.error.set_error(error, self._pictures.gamma.box)
            return
        if isinstance(design, NoiseDesign):
            self._pictures.gamma.set_gamma(str(design.gamma))
            self.changed.emit(design, self.tr("Choose γ"))

    @Slot()
    def draw_once(self) -> None:
        """Draw noise once: exactly for whole numbers, for simulation only otherwise; release a histogram."""
        if isinstance(self._design, HistogramDesign):
            self._columns.release()
        elif (solved := self._solved) is not None:
            self.requested.emit(Job("draw", lambda progress: drawn(solved)))

    @Slot(object, str)
    def _look(self, solved: NoiseOutcome, view: str) -> None:
        """Compute in the background what a view shows that was opened after the answer came."""
        self.requested.emit(Job("look", lambda progress: prepared(solved, view), live=True))

    @Slot()
    def send_to_count(self) -> None:
        """Add a design of the Count page with this noise, where it is the geometric mechanism."""
        design = None if self._solved is None else as_count(self._solved)
        if design is None:
            self.message.emit(self.tr("Only noise with Δ = 1, for whole numbers or with γ = 1/2, is the geometric mechanism."))
        else:
            self.designRequested.emit(design)

    @Slot()
    def copy_sampler(self) -> None:
        """Put a program that draws this noise on the clipboard."""
        if (solved := self._solved) is None:
            return
        try:
            text = python_snippet(solved)
        except InputError as error:
            self.message.emit(str(error)[:1].upper() + str(error)[1:])
        else:
            QGuiApplication.clipboard().setText(text)
            self._costs.show_copied()

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results and curves of a design, to be compared with others; an answer for another is left out."""
        solved = outcomes.get("solve")
        return side_of(study).portrait(study, solved if solved is not None and solved.design == study else None)

    # Taking away -------------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        """Put the numbers of the open view on the clipboard as tab-separated text; of a histogram what was released."""
        rows = [] if self._answer is None else rows_shown(self._columns.released, self._pictures)
        if rows:
            QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in rows))
        return bool(rows)

    def figures(self) -> Sequence[Figure]:
        """Return all views, the open one first, and the costs."""
        return () if self._design is None or self._answer is None else figures(self._design, self._answer, self._pictures)

    def view_state(self) -> Mapping[str, Any]:
        """Return the open view, the place of the neighbouring answer and the share of the errors within bounds."""
        return {"view": self._pictures.view, "share": self._pictures.share, "chance": self._pictures.chance}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave."""
        share, chance, view = state.get("share"), state.get("chance"), state.get("view")
        if isinstance(share, (int, float)):
            self._pictures.set_share(float(share))
        if isinstance(chance, (int, float)):
            self._pictures.set_chance(float(chance))
        if isinstance(view, str):
            self._pictures.set_view(view)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._inputs.set_presenting(on)
        self._pictures.set_presenting(on)
        self._costs.set_presenting(on)
