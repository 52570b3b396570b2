"""The results of the noise page: the cost of each noise, what is given away, the exact numbers, and the sampler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal

from dpdesigner.core.noise.noise_cost import step_of
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import push_button, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.cards import CostCard, FindingsCard, GivingCard, PlotCard, RiskCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.results_column import CardColumn
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.base import Panel
from dpdesigner.studies.findings import with_unit
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer
from dpdesigner.studies.noise.plots import usual_epsilons

NoiseOrHistogram = NoiseAnswer | HistogramAnswer
_CURVE, _FIRST = 800, 1000  # the greatest height of the curve, in pixels at text scale 1, and its stretch before room is left


class SamplerCard(Card):
    """Commands that copy a program that draws the noise, and that open geometric noise on the Count page."""

    copyWanted, countWanted = Signal(), Signal()

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__(self.tr("Publish"), foldable=True)
        tip = self.tr("Copy a short Python program that draws this noise. Floating-point noise can reveal the true answer")
        self.sampler = push_button(self.tr("Copy sampler"), tip, self.copyWanted)
        tip = self.tr("Add a design of a count query with this noise, the geometric mechanism")
        self.send = push_button(self.tr("Open it on the Count page"), tip, self.countWanted)
        tip = self.tr("In steps it can be released: the noise is drawn exactly, and the answer is rounded to steps, halves up")
        self.steps = push_button(words := self.tr("Round to steps"), tip, partial(asking.choose, words, NoiseDesign.in_steps))
        set_class(self.steps, "main")
        self.note, self.buttons = SentenceLabel("small"), wrapped(self.steps, self.sampler, self.send)
        self.add(self.buttons)
        self.add(self.note)

    def show_answer(self, answer: NoiseAnswer) -> None:
        self.sampler.setEnabled(answer.design.dimension == 1)
        design, step = answer.design, f"{step_of(answer.design.period):f}"
        self.steps.setText(self.tr("Round to steps of {step}").format(step=with_unit(step, design.unit)))
        self.steps.setVisible(design.grid is None and design.dimension == 1)
        self.send.setVisible(answer.geometric is not None)
        self.note.set_sentence(" ".join(filter(None, map(translated, answer.sampling))))


class ResultsColumn(CardColumn):
    """Costs; what is given away of a histogram; of a number, its sampler and the risk; and the cost against epsilon."""

    def __init__(self, asking: AskingColumn[Any], why: Callable[[], object]) -> None:
        self._answer: NoiseOrHistogram | None = None
        tip = self.tr("Proof that no other added noise is cheaper, and corrections to the sources")
        self.costs = CostCard(self.tr("Expected error"), "", self.tr("Why is this the best noise?"), tip)
        self.costs.whyRequested.connect(why)
        self.giving, self.exact = GivingCard(), FindingsCard(self.tr("Exact numbers"), "full")
        self.noise, self.risk, self.curve = SamplerCard(asking), RiskCard(), PlotCard()
        self.giving.hide()
        self.curve.set_highest(round(px(_CURVE)))
        others = (("", card, 0) for card in (self.giving, self.exact, self.noise, self.risk))
        cards = ("costs", self.costs, 0), *others, ("", self.curve, _FIRST)
        super().__init__(*cards, folds=(self.curve, self.risk, self.noise, self.exact, self.costs))
        column: Any = self.layout()
        column.setStretch(column.count() - 1, 1)  # below the curve, once that is as high as it needs

    def set_answer(self, answer: Any, beside: Sequence[Panel], place: Place) -> None:
        super().set_answer(answer, beside, place)
        if answer is self._answer:
            return
        self._answer, number = answer, answer if isinstance(answer, NoiseAnswer) else None
        self.exact.set_findings({key: answer.findings[key] for key in answer.numbers})
        self.noise.setVisible(number is not None)
        self.risk.setVisible(number is not None and number.split is not None)
        if number is not None:
            self.noise.show_answer(number)
            self.risk.show_level(number.design.privacy)
        self.curve.show_panel(usual_epsilons(answer.noise_shown, answer.findings["value"].unit, answer.parts))
