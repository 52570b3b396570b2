"""Several answers about the same people: how epsilon is shared among them, and what each share costs."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesigner.core.noise.budget import Budget, Share, epsilons_of
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.tables import Rank, Ranking

#: More bars than this say nothing more.
_MOST_BARS = 12


class BudgetPanel(QWidget):
    """The weights of the answers, and a bar for the cost of each."""

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__()
        self._asking = asking
        asking.field("weights", self._show_error)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        tip = self.tr("One positive number for each answer, such as 1, 1, 2; epsilon is shared in proportion")
        self.weights = value_box("1, 1, 2, 1, 1, 1", self.tr("Weights of the answers"), tip, self._change)
        column.addWidget(wrapped(named(self.tr("weights of the answers"), self.weights)))
        self.note = SentenceLabel("small")
        self.bars = CostBars()
        column.addWidget(self.note)
        column.addWidget(scrolling(self.bars), 1)

    def set_design(self, design: NoiseDesign) -> None:
        """Show a design's weights."""
        self.weights.show_value(", ".join(map(str, design.weights or (1,))))

    def set_outcome(self, outcome: NoiseOutcome) -> None:
        """Show how the design's epsilon is shared."""
        try:
            budget = outcome.budget
        except InputError as error:
            self.note.set_sentence(str(error), "error")
            self.bars.show_ranking(Ranking("", ""))
            return
        self.bars.show_ranking(self._ranking(budget, bool(outcome.design.weights)))
        text = self.tr(
            "Answers about the same people add up: together they have ε = {epsilon}, whatever is asked. All of them cost "
            "{total}; with Laplace noise it is {laplace}."
        )
        self.note.set_sentence(
            text.format(
                epsilon=figure(outcome.design.privacy.epsilon_above, 6),
                total=figure(sum(share.cost for share in budget.shares)),
                laplace=figure(sum(share.laplace_cost for share in budget.shares)),
            ),
            "small",
        )

    def _ranking(self, budget: Budget, several: bool) -> Ranking:
        """A bar for one answer alone, and one for each answer there is or, while there is one, for as many as there might be."""
        alone = self.tr("one answer alone, ε = {share}").format(share=_level(budget.alone))
        costs = [Rank(alone, budget.alone.cost, "rival", key="alone")]
        if several:
            text, shares = self.tr("answer {place}, ε = {share}"), enumerate(budget.shares[:_MOST_BARS], 1)
            costs.extend(Rank(text.format(place=place, share=_level(share)), share.cost) for place, share in shares)
        else:
            text = self.tr("each of {answers}, ε = {share}")
            costs.extend(Rank(text.format(answers=many, share=_level(share)), share.cost) for many, share in budget.equal)
        return Ranking("budget", "", tuple(costs))

    def _show_error(self, error: InputError) -> None:
        self.weights.set_invalid(True)
        self.note.set_sentence(str(error), "error")

    @Slot(str)
    def _change(self, text: str) -> None:
        parts = [part for part in re.split(r"[,;\s]+", text) if part]
        self._asking.ask(self.tr("Share the budget"), lambda design: _shared(design, parts), "weights")


def _shared(design: NoiseDesign, parts: list[str]) -> NoiseDesign:
    """The design with other weights, whose shares can all be computed."""
    shared = design.replace(weights=parts if len(parts) > 1 else ())
    epsilons_of(shared.dimension, shared.privacy, shared.weights or (1,))
    return shared


def _level(share: Share) -> str:
    return figure(share.epsilon, 4)
