"""What comes out of the noise page: the cost of each noise, the exact numbers, and what is taken away."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.core.noise.best_noise import best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import push_button, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnLayout, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.cards import AgainstCard, CostCard, FindingRows, GivingCard, RiskCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.results_column import figures as figures_of
from dpdesigner.desktop.pages.kit.summary import Figure, HiddenPage, Portrait, inputs_of
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.files.noise_export import table
from dpdesigner.messages import message
from dpdesigner.studies.base import Panel
from dpdesigner.studies.findings import Finding, format_finding
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer, Released, statement
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.histogram_run import given_plot, keeping, repeated
from dpdesigner.studies.noise.plots import compared_plots, usual_epsilons
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.snapshot import Look, Snapshot, Waiting
from dpdesigner.studies.table_panels import Ranking

#: The findings that are compared.
_COMPARED = ("value", "proof", "step", "laplace")


class HiddenNoise(HiddenPage):
    """The figures of the noise page without the page."""

    def set_study(self, study: NoiseDesign | HistogramDesign) -> None:
        """Take a study; its first view is open."""
        super().set_study(study)
        self.view = {"view": study.views[0].key, **study.view_defaults}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        keys = [view.key for view in self.design.views]
        self.view |= {key: value for key, value in state.items() if key in self.view and (key != "view" or value in keys)}

    def figures(self) -> Iterator[Figure]:
        """Return the pictures of all views, the open one first, and the costs."""
        answer = self.outcomes.get("solve")
        if answer is not None:
            yield from figures(Snapshot(self.design, answer, self.view, self.outcomes), {})


def figures(now: Snapshot[Any, Any], sizes: Mapping[str, QSize | None]) -> Iterator[Figure]:
    """Yield the pictures of all views, in these sizes, the open one first, and the costs; never a true count."""
    answer: NoiseAnswer | HistogramAnswer = now.answer
    views = [view for view in answer.design.views if view.key != "delta" or answer.noise_shown.design.delta is not None]
    for view in sorted(views, key=lambda view: view.key != now.view["view"]):
        answer.noise_shown.prepare(view.key)
        for key in view.panels:
            try:
                panel = answer.panels[key](Look(now))
            except Waiting:  # there is no data yet
                continue
            if key != "budget":
                yield from (replace(each, size=sizes.get(each.name)) for each in figures_of(panel))
    yield from figures_of(answer.panels["costs"](Look(now)))


def sketched(design: NoiseDesign | HistogramDesign) -> Portrait:
    """Return the shape of the noise, without the curves that take long to compute."""
    number = design if isinstance(design, NoiseDesign) else NoiseDesign("integer", privacy=design.privacy, cost=design.cost)
    curves = density_curves(number.noise_query, best_noise(number.noise_query).noise)
    line = Line(curves.x, curves.staircase, steps=number.query == "real")
    return Portrait({}, charts=(Plot("density", "", Axis(), Axis(), (line,)),))


def portrait_of(design: NoiseDesign | HistogramDesign, answer: NoiseAnswer | HistogramAnswer | None) -> Portrait:
    """Return inputs, results and curves."""
    inputs = inputs_of(design)
    if isinstance(design, HistogramDesign):  # the cells determine what would be an input for a number
        query = Finding(message("query"), message("histogram of {cells} cells", cells=design.size))
        inputs = {"query": query, "sensitivity": Finding(message("sensitivity Δ"), str(design.sensitivity.value)), **inputs}
    inputs["cost"] = replace(inputs["cost"], value=translated(design.cost_title))  # several answers share one cost
    if answer is None or answer.design != design:
        return Portrait(inputs)
    results = {key: finding for key, finding in answer.findings.items() if key in _COMPARED}
    return Portrait(inputs, results, None, compared_plots(answer.noise_shown))


#: Pixels at text scale 1: the least column height at which the curve is shown, and the greatest height that it needs.
_ROOMY, _CURVE = 860, 800
_ROOMY_IN_PLAIN = 560  # the same without the card of full digits


class HistogramGivingCard(GivingCard):
    """The released counts of a histogram; there are none before the user has released them."""

    def __init__(self) -> None:
        super().__init__(
            self.tr("released counts"),
            (
                self.tr("Save the released counts"),
                self.tr("Copy the released counts"),
                self.tr("Copy the privacy statement: method, privacy and error bound"),
            ),
        )

    def show_release(self, answer: HistogramAnswer, made: Released | None, spent: Sequence[float]) -> None:
        """Show a release, or that there is none; `spent` has the levels of all releases of the same file."""
        design = answer.design
        self.set_word(self.tr("{count} whole numbers").format(count=design.size) if made is not None else self.tr("nothing yet"))
        total = format_finding(answer.findings["epsilon"])
        if made is None:
            note = self.tr("“Release once” spends ε = {epsilon}.")
            parts = [note.format(epsilon=total)] if design.source.is_set else [self.tr("There are no data to release.")]
        else:
            why = self.tr("one row is in one cell") if design.neighbours == "add-remove" else self.tr("one row changes two cells")
            parts = [self.tr("ε = {epsilon} in total: {why}.").format(epsilon=total, why=why)]
            parts.append(translated(repeated(spent)))
        parts.append(translated(keeping(design)))
        plot = None if made is None else given_plot(design, made)

        def counts() -> str:
            return "" if made is None else tabbed(table(made.release.columns())) + "\n"

        def words() -> str:
            return "\n".join(statement(answer)) + "\n"

        said = self.tr("The released counts are on the clipboard."), self.tr("The privacy statement is on the clipboard.")
        self.show_given(plot, " ".join(filter(None, parts)), (counts, words), said)
        self.plot.setAccessibleName(self.tr("The released counts"))


class ResultsColumn(QWidget):
    """Three cards: costs, numbers, noise; on a large screen also the cost against epsilon."""

    moving, moved, cancelled = Signal(str, object), Signal(str, object), Signal(str)
    countRequested = Signal()  #: the user wants a Count page design with this noise
    samplerRequested = Signal()  #: the user wants a program that draws the noise on the clipboard
    saveWanted = Signal(object)  #: the user wants to save the released counts in these formats

    def __init__(self, asking: AskingColumn[Any], why: Callable[[], object]) -> None:
        super().__init__()
        self._asking, self.panels = asking, self
        self._answer: NoiseAnswer | HistogramAnswer | None = None
        self.panels_shown: dict[str, Panel] = {}
        layout = ColumnLayout(self)
        tip = self.tr("Proof that no other added noise is cheaper, and corrections to the sources")
        question = self.tr("Why is this the best noise?")
        self.costs = CostCard(self.tr("Accuracy"), self.tr("expected cost"), question, tip)
        self._numbers = FindingRows()
        self.costs.whyRequested.connect(why)
        exact = self._exact = Card(self.tr("Exact numbers"))
        exact.add(self._numbers)
        preferences().changed.connect(self._show_details)
        self._show_details()
        self.curves = AgainstCard(self.tr("Cost against ε"), asking, flexible=True)
        self.curves.hide()
        self.risk, self.giving = RiskCard(), HistogramGivingCard()
        self.giving.saveWanted.connect(self.saveWanted)
        self.giving.hide()
        cards = ((self.costs, 0), (self.giving, 0), (exact, 0), (self._noise_card(), 0), (self.risk, 0), (self.curves, 100))
        for card, stretch in cards:
            layout.addWidget(card, stretch)
        layout.addStretch(1)

    def _noise_card(self) -> Card:
        self.noise = Card(self.tr("Sampler"))
        tip = self.tr("Copy a short Python program that draws this noise")
        self.sampler = push_button(self.tr("Copy sampler"), tip, self.samplerRequested)
        self._drawn = styled("small")
        self.note, self.geometric = SentenceLabel("small"), SentenceLabel("small")
        for part in (wrapped(self.sampler, self._drawn), self.note, self.geometric):
            self.noise.add(part)
        tip = self.tr("Add a design of a count query with this noise, the geometric mechanism")
        self.send = push_button(self.tr("Open it on the Count page"), tip, self.countRequested)
        self.send.hide()
        self.noise.add(wrapped(self.send))
        return self.noise

    def set_answer(self, answer: NoiseAnswer | HistogramAnswer, beside: Sequence[Panel], place: Place) -> None:
        self.panels_shown = {panel.key: panel for panel in beside}
        if isinstance(costs := self.panels_shown.get("costs"), Ranking):
            self.costs.bars.show_ranking(costs)
        if answer is self._answer:
            return
        if self._answer is None or self._answer.design != answer.design:
            self._drawn.clear()
        self._answer = answer
        self.costs.set_measure(translated(answer.noise_shown.design.cost_label))
        self._numbers.show_rows([self._exactly(answer.findings[key]) for key in answer.numbers])
        self.noise.setVisible(isinstance(answer, NoiseAnswer))
        self.risk.setVisible(isinstance(answer, NoiseAnswer) and answer.split is not None)
        if isinstance(answer, NoiseAnswer):
            self._show_noise(answer)
        self._show_curve()

    @Slot()
    def _show_details(self) -> None:
        """Show all digits if exact details are wanted."""
        if not preferences().choices.exact:
            self._exact.hide()
        elif self._exact.parentWidget() is not None:
            self._exact.show()
        if self._answer is not None:
            self._show_curve()

    def put_handles(self, place: Place) -> None:
        """Put the line of the curve at the value of the design, even before its answer arrives."""
        if (design := self._asking.design) is not None:
            self.curves.set_design(design)

    def words_of(self, target: str) -> str:
        """Return no label: the line of epsilon has its own."""
        return ""

    def figures(self) -> list[Figure]:
        return [figure for panel in self.panels_shown.values() for figure in figures_of(panel)]

    def show_failure(self, reason: str) -> None:
        """Keep what is shown; the card of the input explains why there is no result."""

    def set_late(self, keys: Sequence[str]) -> None:
        """Fade nothing: no panel here waits for a job."""

    def set_stale(self, on: bool) -> None:
        self.costs.set_stale(on)

    def _exactly(self, finding: Finding) -> tuple[str, str, str, str]:
        """Return the name of a finding, and its value with all its digits."""
        text = self.tr("infinite, or too large") if finding.number == math.inf else format_finding(finding, "full")
        note = finding.note if isinstance(finding.value, int) else ""
        return translated(finding.label), f"{translated(text)} {translated(note)}".rstrip(), "", ""

    def _show_noise(self, outcome: NoiseAnswer) -> None:
        integer, single = outcome.split is not None, outcome.design.dimension == 1
        self.risk.show_level(outcome.design.privacy)
        self.sampler.setEnabled(single)
        if integer:
            self.note.set_sentence(self.tr("Whole numbers are drawn exactly."))
        else:
            text = self.tr(
                "For simulation only: floating-point results can reveal the true answer. To protect real data, use a "
                "whole-number query."
            )
            self.note.set_sentence(text)
        self.geometric.set_sentence(translated(outcome.geometric_text))
        self.send.setVisible(outcome.geometric is not None)

    def _show_curve(self) -> None:
        """Show the cost against epsilon if there is room for it."""
        room = self.height() >= px(_ROOMY if preferences().choices.exact else _ROOMY_IN_PLAIN)
        outcome = self._answer if room else None
        if isinstance(outcome, HistogramAnswer):  # where one row changes two cells, a cell has another epsilon than all of them
            outcome = outcome.cell if outcome.design.neighbours == "add-remove" else None
        if outcome is not None:
            self.curves.curve.show_plot(usual_epsilons(outcome))
            self.curves.setMaximumHeight(round(px(_CURVE)))
        self.curves.setVisible(outcome is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_curve()

    def show_copied(self) -> None:
        """Say that the sampler is on the clipboard."""
        self._drawn.setText(self.tr("copied"))
