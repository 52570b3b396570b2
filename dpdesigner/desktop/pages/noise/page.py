"""The noise page: the query on the left, its noise in pictures, and the costs on the right; a histogram's data and releases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.noise.best_noise import best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.base.controls import choice_button, named, push_button, wrapped
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.actions import VIEW
from dpdesigner.desktop.pages.kit.cards import recalled
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Figure, Part, Stop
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel, PanelView, StripsPanel
from dpdesigner.desktop.pages.kit.summary import Portrait, Summary, inputs_of
from dpdesigner.desktop.pages.noise.inputs_column import InputsColumn
from dpdesigner.desktop.pages.noise.results_column import NoiseOrHistogram, ResultsColumn
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.files.noise_export import table
from dpdesigner.files.programs import sampler
from dpdesigner.studies.answer import Given
from dpdesigner.studies.noise.design import LOOKS, NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer
from dpdesigner.studies.noise.histogram_conversion import ENTERED, Asked, aiming, as_count, reached
from dpdesigner.studies.noise.histogram_counts import read_truth
from dpdesigner.studies.noise.histogram_design import HistogramDesign, truth_of
from dpdesigner.studies.noise.histogram_run import answered, given, verdict
from dpdesigner.studies.noise.plots import WITHIN, chance_within, compared_plots, snapped
from dpdesigner.studies.noise.run import MOST_CHANCE, solved, within_of
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line
from dpdesigner.studies.snapshot import Action, Found, Snapshot
from dpdesigner.studies.spending import RECORD
from dpdesigner.studies.study import Job


def _unnamed(design: Any) -> bool:
    return isinstance(design, HistogramDesign) and design.categories == ()


class NoisePage(DeclaredPage):
    """Find the optimal private noise for a number, several numbers or a histogram, and compare it with Laplace noise."""

    kind = "noise"
    keeps = ("release",)
    tables_in_middle = True
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"density": StripsPanel, "told": KeptSentencePanel}

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inputs.privacy.aim_by(aiming, self.requested.emit)
        self._results.noise.copyWanted.connect(self.copy_whole)
        self._results.noise.countWanted.connect(self.send_to_count)
        self._results.giving.saveWanted.connect(self.exportRequested)
        self._results.giving.copied.connect(self.message)
        self.offer_copy(self.tr("Copy a sampler in Python"))
        self.add_command(self.tr("Open this noise on the Count page"), "", self.send_to_count)

    def asking_column(self) -> InputsColumn:
        return InputsColumn(lambda: self.held, self)

    def results_column(self) -> ResultsColumn:
        return ResultsColumn(self._inputs, self.whyRequested.emit)

    def button_actions(self) -> Sequence[Action]:
        return (*NoiseDesign.buttons, *HistogramDesign.buttons)

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        card, box = self._pictures, partial(self._inputs.box, card=self._pictures)
        tip = self.tr("One positive number per answer, for example 1, 1, 2; epsilon is shared in proportion")
        words, name = self.tr("Share the budget"), self.tr("Weights of the answers")
        weights = box("weights", sample="1, 1, 2, 1, 1, 1", name=name, tip=tip, words=words, empty="1, 1, 2")
        self._weights = wrapped(named(self.tr("weights of the answers"), weights))
        tip = self.tr("Compare with noise that is (ε, δ)-private; empty for none")
        words, name, none = self.tr("Change δ"), self.tr("Delta, for comparison"), self.tr("none")
        self._delta = box("delta", sample="0.000001", name=name, tip=tip, words=words, empty=none)
        self._deltas = wrapped(named(self.tr("probabilities may exceed the limit by δ ="), self._delta))
        above: Any = card.panels.layout()
        for row in (self._weights, self._deltas):
            above.insertWidget(0, row)  # scrolls with the plots
        words, tip = self.tr("Choose γ"), self.tr("Position of the step within each period: a number from 0 to 1, or optimal")
        gamma = box("gamma", sample="0.3775406", name=self.tr("gamma, the position of the step"), tip=tip, words=words)
        tip = self.tr("Take the gamma of least expected cost")
        self._optimal = choice_button(self.tr("Optimal γ"), tip, partial(self._inputs.choose, words, gamma="optimal"))
        self._step = styled("small")
        self._step.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._gamma = QWidget()
        row_of(named("γ", gamma), self._optimal, (self._step, 1), on=self._gamma, gap=6)
        self._take = push_button(self.tr("Names from the data (not private)…"), "", self._inputs.cells.warn)
        typing = push_button(self.tr("Type the names…"), "", self._inputs.cells.type_names)
        card.blank.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom)
        self._naming, choices = QWidget(), QWidget()
        row_of((QWidget(), 1), self._take, typing, (QWidget(), 1), on=choices)
        column_of(choices, (QWidget(), 1), on=self._naming)
        card.add(self._naming, 1)
        card.add(self.actions_row)
        card.add(self._gamma)
        super().lay_out(columns)

    def parts(self) -> Sequence[Part[Any, Any]]:
        return (
            Part(None, lambda s: (s.design, s.view["view"], s.presenting, preferences().choices.exact), self._show_rows),
            Part(None, lambda s: (s.design, truth_of(s)), self._inputs.data.show_truth),
            Part(None, lambda s: (s.design, s.view["view"]), self._show_naming),
            *super().parts(),
            Part(None, lambda s: (s.answer,), self._show_level),
            Part(None, lambda s: (s.answer, s.outcomes.get("release"), s.outcomes["releases"], s.design), self._show_given),
            Part(None, lambda s: (s.outcome("target"),), self._inputs.privacy.reach),
        )

    def show_design(self, before: Asked | None, design: Asked) -> None:
        found = self.outcomes.pop("release", None)
        if (made := recalled(design, found, answered)) is not None:
            self.outcomes["release"] = made
        super().show_design(before, design)
        if isinstance(before, NoiseDesign) and isinstance(design, HistogramDesign):
            self.view["view"] = design.views[0].key
            self.held[ENTERED] = design
        self._optimal.setChecked(isinstance(design, NoiseDesign) and design.gamma == "optimal")
        self._pictures.set_error("")

    def jobs(self, study: Asked) -> Sequence[Job]:
        return (Job("solve", partial(solved, study, self.view["view"])),)

    def looks(self, name: str, value: Any) -> Mapping[str, Any]:
        """Return what a line was dragged to: a share of the sensitivity, or of the errors within bounds; and a cell as it is."""
        if self.answer is None:
            return {}
        noise = self.answer.noise_shown
        if name == "share":
            return {name: min(max(snapped(noise, value) / noise.design.period, -1.0), 1.0)}
        if f"{VIEW}{name}" in WITHIN:
            return {"within": within_of(noise, snapped(noise, value))}
        return {name: min(chance_within(noise, abs(value)), MOST_CHANCE) if name == "chance" else value}

    def _place(self, target: str) -> float | None:
        """Return no position for lines of the view, so that they stay where their panel puts them."""
        return None if target.startswith(VIEW) else super()._place(target)

    def _show(self, *_: Any) -> None:
        """Show the open view once it is fully computed; until then the previous one stays, faded."""
        answer, view, panels = self.answer, self.view["view"], self._pictures.panels
        ready = answer is not None and view in [each.key for each in answer.design.views] and answer.noise_shown.ready(view)
        panels.set_stale(not ready or "solve" in self.late)
        if ready:
            super()._show()

    def _show_rows(self, design: Asked, view: str, presenting: bool, exact_details: bool) -> None:
        number = design if isinstance(design, NoiseDesign) else None
        self._results.exact.setVisible(exact_details)
        self._weights.setVisible(number is not None and view == "budget")
        self._delta.setReadOnly(presenting)
        self._deltas.setVisible(number is not None and view == "delta" and not (presenting and number.delta is None))
        shows = "gamma" in view or exact_details or (number is not None and number.gamma != "optimal")
        self._gamma.setVisible(number is not None and shows and view not in ("budget", "several") and not presenting)

    def _show_naming(self, design: Asked, view: str) -> None:
        """Offer the names to count in place of the picture while there are none."""
        on = _unnamed(design) and view == "histogram"
        self._pictures.set_blank(self.tr("Which names do you count?") if on else "")
        self._take.setVisible(isinstance(design, HistogramDesign) and bool(design.path))
        self._naming.setVisible(on)

    def summary(self) -> Summary:
        """Return the summary; before names are chosen there is nothing to say of a release."""
        summary = super().summary()
        return Summary(summary.line, refused=summary.refused) if _unnamed(self.design) else summary

    def _show_given(self, answer: NoiseOrHistogram, found: Any, _: Any, design: Asked) -> None:
        """Show what is given away of a histogram: its release, an earlier one, or that there is none."""
        self._results.giving.setVisible(isinstance(design, HistogramDesign))
        if isinstance(answer, HistogramAnswer) and isinstance(design, HistogramDesign):
            self.outcomes["given"] = shown = self._given(answer, found)
            self._results.giving.show_given(shown)

    def _given(self, answer: HistogramAnswer, found: Any) -> Given:
        return replace(given(answer, found), data=lambda: tabbed(table(found.value.columns())) + "\n")

    def reported(self, study: Any, names: Collection[str]) -> Mapping[str, Any]:
        """Return the newest release of a histogram's column, which may have another level."""
        found = recalled(study, None, answered)
        return {} if found is None else {"release": found, "given": replace(self._given(found.answer, found), made=found)}

    def replaced(self) -> Sequence[Any]:
        return [each for each in self.unsaved if each.counts_column(self.design)]

    def _show_level(self, answer: NoiseOrHistogram) -> None:
        self._inputs.privacy.set_costs(*reached(answer.noise_shown), "root" in answer.findings)
        self._step.setText(translated(answer.noise_shown.step))

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show an outcome; each release is recorded as an access to the data, and belongs to every design that it fits."""
        if name == "release":
            made, design = outcome.value, outcome.value.design
            RECORD.add(design, design.release_loss, made, made)  # a report draws it again
            self.unsaved += [made] if design.listed == "data" and not design.path.startswith(EXAMPLE) else []  # in no project
        found = self.outcomes.get("release")
        if name == "solve" and found is not None and found.value.releases(outcome.design):
            self.outcomes["release"] = Found(outcome, found.value)
        super().show_outcome(name, outcome)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        if name in ("truth", "release"):
            self._inputs.data.show_failure(str(error))
            self.failed |= name == "truth"
            self._fade(self.failed)
        else:
            super().show_failure(name, error)

    def sentences(self, answer: NoiseOrHistogram) -> Sequence[str]:
        """Return the expected error, a verdict where it drowns the number that only the window knows, or what a release means."""
        return verdict(answer, truth_of(self.snapshot()), self.outcomes.get("release")) or answer.headlines

    def summed_up(self, now: Snapshot) -> tuple[Any, ...]:
        return (*super().summed_up(now), truth_of(now), now.outcomes.get("release"))

    def tour(self) -> Sequence[Stop]:
        inputs, results = self._inputs, self._results
        asks = self.tr("Enter what you publish and its sensitivity Δ, the largest change by one person. Choose another one.")
        costs = self.tr("The cost of an error can be its size, its square, or a curve that you draw. Choose another cost.")
        privacy = self.tr("Move the slider. The sentence below shows how often a bet on one row is won at most.")
        looks = self.tr("The picture shows the probability of each amount of noise. Press “Draw once” to draw one.")
        compares = self.tr("The expected cost of the best noise, compared with that of the usual noise.")
        draws = self.tr("Copy a program that draws this noise. Whole numbers are drawn exactly.")
        asked = zip(inputs.cards, (asks, costs, privacy), strict=True)
        return (
            *(Stop(card, card.accessibleName(), text, inputs.changed) for card, text in asked),
            Stop(self._pictures, self.tr("The noise in pictures"), looks),
            Stop(results.costs, results.costs.accessibleName(), compares),
            Stop(results.noise, results.noise.accessibleName(), draws),
        )

    @Slot()
    def send_to_count(self) -> None:
        if (design := None if self.answer is None else as_count(self.answer.noise_shown)) is None:
            self.message.emit(self.tr("Only noise with Δ = 1, for whole numbers or with γ = 1/2, is the geometric mechanism."))
        else:
            self.designRequested.emit(design)

    def whole_text(self) -> str:
        """Return a program that draws this noise; if there is none, explain why."""
        try:
            return "" if self.answer is None else sampler(self.answer.noise_shown)
        except InputError as error:
            self.message.emit(capital(str(error)))
            return ""

    @Slot()
    def copy_whole(self) -> None:
        if self._put(self.whole_text()):
            self.message.emit(self.tr("The sampler is on the clipboard."))

    def _complete(self) -> None:
        """Compute what no job has computed yet of the open view."""
        if self.answer is not None:
            self.answer.noise_shown.prepare(self.view["view"])
            self._show()

    def copy(self) -> bool:
        """Copy the open panel; for a histogram, only the released counts."""
        if self.view["view"] != "histogram":
            self._complete()
            return super().copy()
        shown = self.outcomes.get("given")
        return self._put(shown.data() if shown is not None and shown.ready and shown.earlier is None else "")

    def views(self) -> Sequence[str]:
        empty = {"budget"} if isinstance(self.design, NoiseDesign) and self.design.delta is not None else {"budget", "delta"}
        return sorted((key for key in self.tabs if key not in empty), key=lambda key: key != self.view["view"])

    def figures(self) -> Iterable[Figure]:
        self._complete()
        return super().figures()

    def public_view(self) -> Mapping[str, Any]:
        """Return the view at the number of the sentence, wherever the lines were dragged."""
        return {**self.view_state(), "share": LOOKS["share"], "within": LOOKS["within"]}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        super().set_view_state({**self.view, **state})
        self._hide_truth()

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        answer, stand_ins = outcomes.get("solve"), study.compared_inputs if isinstance(study, HistogramDesign) else {}
        inputs = {**stand_ins, **inputs_of(study)}
        inputs["cost"] = replace(inputs["cost"], value=translated(study.cost_title))  # several answers share one cost
        if answer is None or answer.design != study:
            return Portrait(inputs)
        results = {key: answer.findings[key] for key in ("root", "value", "proof", "step", "laplace") if key in answer.findings}
        return Portrait(inputs, results, None, compared_plots(answer.noise_shown))

    @classmethod
    def sketched(cls, study: Asked) -> Portrait:
        """Return the counts of an example's column, or the shape of the noise without the curves that take long to compute."""
        if isinstance(study, HistogramDesign) and study.source.path.startswith("example:"):
            return Portrait({}, matrix=read_truth(study.source).counts[None].astype(float))
        number = study if isinstance(study, NoiseDesign) else NoiseDesign("integer", privacy=study.privacy, cost=study.cost)
        curves = density_curves(number.noise_query, best_noise(number.noise_query).noise)
        line = Line(curves.x, curves.staircase, steps=number.grid is None)
        return Portrait({}, charts=(Plot("density", "", Axis(), Axis(), (line,)),))

    def set_presenting(self, on: bool) -> None:
        self._results.noise.buttons.setVisible(not on)
        super().set_presenting(on)
        self._hide_truth()

    def _hide_truth(self) -> None:
        """Hide the true counts of people's data from an audience; the button shows them."""
        study = self.design
        if self.presenting and isinstance(study, HistogramDesign) and not study.source.path.startswith(EXAMPLE):
            self.look(truth=False)
