"""The count page: inputs, mechanism, meaning and loss, linked by one selection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import group_thousands, rounded_down
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.count.results_column import ResultsColumn
from dpdesigner.desktop.pages.kit.actions import ask_text
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Figure, Part, Stop, Summary
from dpdesigner.desktop.pages.kit.summary import Portrait, inputs_of
from dpdesigner.messages import message
from dpdesigner.studies.count.answer import CountOverview, LinearProgramCheck, answer
from dpdesigner.studies.count.design import OPTIONS, CountDesign
from dpdesigner.studies.count.jobs import aiming, drawing, jobs
from dpdesigner.studies.count.panels import PANELS, compared_plots
from dpdesigner.studies.count.result import attained
from dpdesigner.studies.count.run import DeltaAnswer, Solved
from dpdesigner.studies.snapshot import Action, Found, Snapshot
from dpdesigner.studies.study import Job

Now = Snapshot[CountDesign, CountOverview]

#: By the tabs of its parts, what these are of the mechanism that the rest of the page is about.
_STEPS = {
    "geometric": message("<b>Step 1 of the release: add geometric noise.</b>"),
    "remap": message("<b>Step 2 of the release: replace each noisy count.</b>"),
}
_BOTH = message("The expected loss and the bars at the right are those of both steps.")
#: Up to this n a design is solved in much less than a frame.
_QUICK = 200
#: A larger matrix shows nothing visible in a comparison.
_LARGEST = 1000
#: Jobs whose newest result stays drawn as a curve until a newer one arrives, with the names of the curves.
_CURVES = {"rough": "curve", "curves": "curve", "optimum": "optimum"}
#: The results by which two designs are compared, where they are known.
_COMPARED = ("value", "epsilon", "real", "face", "staircase", "half", "laplace", "ignore")


class CountPage(DeclaredPage):
    """Design the optimal private mechanism for one user of a count query."""

    kind = "count"
    answering = ("solve", "exact", "lp_check", "follow", "costs")
    passing = ("posterior", "numbers", "logarithmic", "fractions", "binding")
    front = "release"
    widths = 346, 468, 326

    def __init__(self, parent: QWidget | None = None) -> None:
        self._words: tuple[str, ...] = ()
        super().__init__(parent)
        self.head = self._inputs.head
        inputs, matrix, results = self._inputs, self._pictures, self._results
        inputs.privacy.aim_by(aiming, self.requested.emit)
        inputs.prior.emptied.connect(self.summaryChanged)
        matrix.optionToggled.connect(lambda key, on: self.look(**{key: on}))
        results.release.drawRequested.connect(self.draw)
        preferences().changed.connect(self._show_details)
        for tried in (inputs.countSelected, results.release.rowSelected):
            tried.connect(self._try_count)
        for signal, key in (
            (matrix.rowSelected, "row"),
            (matrix.columnSelected, "column"),
            (results.release.columnSelected, "column"),
            (results.release.posteriorToggled, "posterior"),
        ):
            self.look_by(signal, key)
        self.offer_copy(self.tr("Copy matrix"))

    def asking_column(self) -> InputsColumn:
        return InputsColumn()

    def pictures_card(self) -> MechanismCard:
        return MechanismCard()

    def results_column(self) -> ResultsColumn:
        return ResultsColumn(self._inputs, self.whyRequested.emit)

    def button_actions(self) -> Sequence[Action]:
        """Return what the Design menu has; the buttons stand in the card of the release."""
        return (
            Action(self.tr("Simulate once"), lambda now: self.drawing(1), shortcut="Ctrl+R", button=False),
            Action(self.tr("Use the posterior as prior"), self._adopt_posterior, button=False),
            Action(self.tr("Unit of the count…"), self._ask_unit, self.tr("What is counted, like pupils"), button=False),
        )

    def parts(self) -> Sequence[Part[Any, Any]]:
        """Show prior, level, release and curve besides what every declared page shows, each when it is another."""
        inputs, matrix, results = self._inputs, self._pictures, self._results
        release, level = results.release, inputs.privacy.control

        def selection(s: Now) -> tuple[Any, ...]:
            return s.view["row"], s.view["column"]

        def offered(s: Now) -> tuple[Any, ...]:
            best, exact = s.answer.best.proved, preferences().choices.exact
            return best, bool(s.answer.design.uncovered), s.before is not None, exact, s.view["view"]

        def options(s: Now) -> tuple[Any, ...]:
            return s.answer.design, preferences().choices.exact, *(s.view[key] for key in OPTIONS)

        return (
            Part(inputs, lambda s: (s.view["row"],), inputs.prior.set_selected),
            Part(inputs, lambda s: (s.answer.design.loss.name in ("absolute", "squared"),), level.target.name_errors),
            Part(inputs, lambda s: (float(s.answer.best.value),), level.target.set_value),
            Part(inputs, lambda s: (s.outcome("reach"),), lambda reach: level.target.set_range(reach.best, reach.worst)),
            Part(inputs, lambda s: ("solve" in s.late, s.answered and s.answered.best), self._show_attained),
            Part(None, lambda s: (s.before,), self._show_before),
            Part(None, offered, matrix.offer_views),
            Part(None, options, matrix.set_design),
            *super().parts(),
            Part(None, self.seen, matrix.show_beside),
            Part(matrix, selection, matrix.set_selected),
            Part(release, lambda s: (s.answer.design, s.answer.mechanism), release.set_mechanism),
            Part(release, selection, release.set_selected),
            Part(release, lambda s: (s.outcome("draw"),), release.show_draws),
            Part(release, lambda s: (self._behind(s),), release.set_before),
            Part(None, lambda s: (), lambda: None, results.costs.set_stale, "costs"),
            Part(None, lambda s: (), lambda: None, results.curves.set_stale, "curves"),
            Part(None, lambda s: (s.outcome("target"),), inputs.privacy.reach),
        )

    @classmethod
    def starting_view(cls, study: CountDesign) -> Mapping[str, Any]:
        """Return the optimal mechanism, and the most likely true count with its most probable release."""
        beliefs, row = study.prior.probabilities, study.n // 3
        if beliefs[row] < beliefs.max():
            row = int(beliefs.argmax())
        column = int(study.run().induced.row(row).argmax()) if study.n <= _QUICK else row
        return {"view": "optimal", "beside": False, "row": row, "column": column}

    # Display -----------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._results.release.posterior.setChecked(False)
        self._inputs.prior.controls.mode_chosen.emit("paint")
        super().begin()

    def show_design(self, before: CountDesign | None, design: CountDesign) -> None:
        """Show the inputs of a design; the selection stays within their range."""
        super().show_design(before, design)
        self._results.release.count.setMaximum(design.n)
        self._results.curves.set_stale("curves" in self.late and not design.uncovered)  # with a delta there are no curves
        if before is None:
            self.set_view_state(self.starting_view(design))
        elif design.prior.counted and not before.prior.title.startswith(design.prior.title):
            self.set_view_state({**self.starting_view(design), "view": "", "beside": None})  # another column
        elif before.n != design.n:
            self.look(row=min(self.view["row"], design.n), column=min(self.view["column"], design.n))

    def jobs(self, study: CountDesign) -> Sequence[Job]:
        return jobs(study, self.view, self.session)

    def put_together(self, outcomes: Mapping[str, Any]) -> CountOverview | None:
        solved = outcomes.get("solve")
        known = None if solved is None else answer(solved.design, outcomes)
        return None if known is None else replace(known, panels=PANELS)

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show an outcome; a curve stays until there is a newer one."""
        key = _CURVES.get(name, "")
        if key and (key not in self._so_far or self._so_far[key].value is not outcome):
            self._so_far[key] = Found(None, outcome)
        super().show_outcome(name, outcome)

    def _mark(self, stale: bool) -> None:
        self._pictures.panels.set_stale(stale)

    def _show_before(self, known: CountOverview | None) -> None:
        """Draw what was pinned behind the prior; without it there is no difference to show any more."""
        self._inputs.set_before(None if known is None else known.design)
        if known is None and self.view["view"] == "before":
            self.look(view="optimal")

    @staticmethod
    def _behind(now: Now) -> Mechanism | None:
        """The outline behind the release: of the pinned design, otherwise of this design without delta."""
        if now.before is not None:
            return now.before.mechanism
        solved = None if now.answered is None else now.answered.solved
        return solved.plain.induced if isinstance(solved, DeltaAnswer) else None

    def _show_attained(self, late: bool, best: Solved | LinearProgramCheck | None) -> None:
        if best is None or late:
            self._inputs.privacy.control.set_attained(None)
        else:
            self._inputs.privacy.set_attained(best.design.privacy, attained(best), self.tr("The mechanism shown has"))

    def _posterior(self) -> Floats | None:
        """The posterior after the selected release; None if it has probability 0."""
        known, column = self.answer, self.view["column"]
        if known is None or column > known.mechanism.n:
            return None
        posterior: Floats | None = known.mechanism.posterior(known.design.prior.probabilities, column)
        return posterior

    @Slot()
    def _show_details(self) -> None:
        """Offer or hide the expert views."""
        if self.view["binding"] and not preferences().choices.exact:
            self.view["binding"] = False
        self._refresh()

    def sentences(self, answer: CountOverview) -> Sequence[str]:
        if self._inputs.prior.plot.blank:
            return (self.tr("First draw what you expect. All numbers here still belong to the previous prior."),)
        step = _STEPS.get(self.view["view"])
        if step is not None and not answer.design.uncovered:
            return (translated(message("{step} {both}", step=step, both=_BOTH)),)
        late = "costs" in self.late or answer.design.uncovered
        if late or answer.costs is not None or not self._words:  # otherwise they arrive in the same frame
            self._words = tuple(map(translated, answer.sentences))
        return self._words

    def summed_up(self, now: Now) -> tuple[Any, ...]:
        return (*super().summed_up(now), now.view["view"])

    def summary(self) -> Summary:
        shown, known = super().summary(), self.answer
        none = bool(shown.value) and known is not None and known.mechanism.epsilon == float("inf")
        return replace(shown, badge=self.tr("no privacy"), state="open") if none else shown

    def tour(self) -> Sequence[Stop]:
        inputs, results, mechanism = self._inputs, self._results, self._pictures
        prior = tr("How likely is each count, before anything is released? Drag across the bars to draw it.")
        loss = tr("Is an error of 3 three times as bad as an error of 1, nine times, or equally bad? Choose another picture.")
        privacy = tr("Move the slider. The sentence below shows how often a bet on one row is won at most.")
        matrix = tr("Each row is a true count, each column a possible release. Stronger colours are more likely. Click a row.")
        release = tr("This is the selected row as bars. Press “Simulate once” to see what the public would see.")
        curve = tr("Less privacy means less error. Drag the line to any ε; everything follows.")
        return (
            Stop(inputs.cards[0], tr("Your belief"), prior, inputs.prior.changed),
            Stop(inputs.cards[1], tr("Cost of an error"), loss, inputs.loss.changed),
            Stop(inputs.privacy, tr("How private"), privacy, inputs.privacy.control.changed),
            Stop(mechanism, tr("The best mechanism"), matrix, mechanism.rowSelected),
            Stop(results.release, tr("Releases"), release, results.release.drawRequested),
            Stop(results.costs, tr("Accuracy"), tr("This card compares the expected loss with that of other methods.")),
            Stop(results.curves, tr("Error against ε"), curve, results.curves.plot.handleMoved),
        )

    # Selection ---------------------------------------------------------------------------------------------------------

    def views(self) -> Sequence[str]:
        return ("optimal", "geometric", "remap")

    def public_view(self) -> Mapping[str, Any]:
        """Return the view with an example as the true count: one that was typed or is frequent in data may be the real one."""
        design = self.design or CountDesign(0, alpha=1)
        example = self.starting_view(design.replace(prior="uniform") if design.prior.origin else design)
        return {**self.view_state(), "row": example["row"], "column": example["column"]}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        view, row, column = (state.get(key) for key in ("view", "row", "column"))
        if view in self.tabs:
            self.look(view=view)
        self.look(**{key: state[key] for key in ("beside", "band") if isinstance(state.get(key), bool)})
        if self.design is not None and isinstance(row, int) and isinstance(column, int):
            row, column = (min(max(place, 0), self.design.n) for place in (row, column))
            self.look(row=row, column=column)

    @Slot(int)
    def _try_count(self, row: int) -> None:
        """Select a true count, and its most probable release where no posterior after another one is shown."""
        known, column = self.answer, self.view["column"]
        if known is not None and row <= known.mechanism.n and not self.view["posterior"]:
            column = int(known.mechanism.row(row).argmax())
        self.look(row=row, column=column)

    def set_presenting(self, on: bool) -> None:
        self._pictures.set_presenting(on)
        self._results.release.set_presenting(on)
        super().set_presenting(on)

    def drawing(self, many: int) -> Job | None:
        """Return the job that draws real releases of the selected true count; None while the design has no mechanism yet."""
        return drawing(now.mechanism, self.view["row"], many) if (now := self.answer) and now.design == self.design else None

    def _adopt_posterior(self, now: Now) -> None:
        if now.answered is not None and (posterior := self._posterior()) is not None:
            self._inputs.change(self.tr("Posterior becomes prior"), prior=now.answered.design.prior.edited(posterior))
        elif now.answered is not None:
            self.message.emit(self.tr("This value is never released, so there is no posterior after it."))

    def _ask_unit(self, now: Now) -> None:
        take, question = partial(self._inputs.take, "unit", label=self.tr("Change the unit")), self.tr("What is counted?")
        ask_text(self.tr("Unit of the count"), question, now.design.unit, take, self)

    # Export ------------------------------------------------------------------------------------------------------------

    def whole_text(self) -> str:
        return str(self._pictures.view.as_text())

    def copy(self) -> bool:
        return self._put(self._pictures.view.selection_as_text())

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        prior, loss = self._inputs.prior, self._inputs.loss
        return (self.tr("Prior from a column of counts"), prior.open_counts), (self.tr("Loss matrix"), loss.open_matrix)

    @classmethod
    def sketched(cls, study: CountDesign) -> Portrait:
        return cls.portrait(study, {"solve": study.run()})

    @classmethod
    def portrait(cls, study: CountDesign, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results, matrix and curves of a design for comparison; answers for other designs are left out."""
        known = answer(study, outcomes)
        if known is None:
            return Portrait(inputs_of(study))
        results = {key: known.findings[key] for key in _COMPARED if key in known.findings}
        return Portrait(inputs_of(study), results, known.mechanism.matrix if study.n <= _LARGEST else None, compared_plots(known))

    def _example(self) -> str:
        """Return the title of the selected row: the count itself and its neighbours have these probabilities, rounded down."""
        row, answer = self.view["row"], self.answer
        told = self.tr("Example: what is released if the true count is {row}").format(row=group_thousands(row))
        if answer is None or answer.design.n < 3:
            return told
        held = answer.mechanism.row(row)
        same, near = (f"{rounded_down(100 * float(held[max(row - far, 0) : row + far + 1].sum()), 3):g}%" for far in (0, 1))
        words = self.tr("{told}: {row} with {same}, within ±1 with {near}")
        return words.format(told=told, row=group_thousands(row), same=same, near=near)

    def figures(self) -> Sequence[Figure]:
        titles = {"geometric": self.tr("Geometric mechanism"), "remap": self.tr("Remap: reading of each output")}
        release = self._example()
        view, results = self.view["view"], self._results
        name = "matrix" if view == "optimal" else f"matrix-{view}"
        return [
            Figure(name, titles.get(view, self.tr("Mechanism")), self._pictures.view.figure()),
            Figure("prior", self.tr("Prior"), self._inputs.prior.figure()),
            Figure("release", release, results.release.plot.figure()),
            Figure("costs", self.tr("Accuracy"), results.costs.bars),
            Figure("loss-against-epsilon", self.tr("Loss against epsilon"), results.curves.plot.figure()),
        ]
