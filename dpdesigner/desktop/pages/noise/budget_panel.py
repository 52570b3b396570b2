"""Several answers about the same people: how epsilon is shared among them, and what each share costs."""

from __future__ import annotations

import re
from fractions import Fraction

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesigner.core.rounding import figure
from dpdesigner.desktop.widgets.column import scrolling
from dpdesigner.desktop.widgets.cost_bars import Cost, CostBars
from dpdesigner.desktop.widgets.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.sentence_label import SentenceLabel
from dpdesigner.errors import InputError
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_budget import budget_shares

#: More bars than this say nothing more.
_MOST_BARS = 12
#: While there is one answer only: what it would cost as one of so many.
_ANSWERS = (2, 3, 4, 5, 6, 8, 10)


class BudgetPanel(QWidget):
    """The weights of the answers, and a bar for the cost of each."""

    weightsChosen = Signal(object)  #: a study with other weights

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: NoiseStudy | None = None
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

    def set_study(self, study: NoiseStudy) -> None:
        """Show how the study's epsilon is shared."""
        self._study = study
        weights = study.weights or (1,)
        self.weights.show_value(", ".join(map(str, weights)))
        try:
            shares = budget_shares(study, weights)
        except InputError as error:
            self.note.set_sentence(str(error), "error")
            self.bars.set_costs([])
            return
        single = budget_shares(study, (1,))[0]
        costs = [
            Cost(self.tr("one answer alone, ε = {share}").format(share=_level(single.epsilon)), single.cost, "quiet", "alone")
        ]
        for place, share in enumerate(shares[:_MOST_BARS], 1):
            costs.append(
                Cost(self.tr("answer {place}, ε = {share}").format(place=place, share=_level(share.epsilon)), share.cost)
            )
        self.bars.set_costs(costs if study.weights else [*costs[:1], *self._shared_equally(study)])
        text = self.tr(
            "Answers about the same people add up: together they have ε = {epsilon}, whatever is asked. All of them cost "
            "{total}; with Laplace noise it is {laplace}."
        )
        self.note.set_sentence(
            text.format(
                epsilon=figure(study.privacy.epsilon_above, 6),
                total=figure(sum(share.cost for share in shares)),
                laplace=figure(sum(share.laplace_cost for share in shares)),
            ),
            "small",
        )

    def _shared_equally(self, study: NoiseStudy) -> list[Cost]:
        """What one answer would cost if there were several, as far as epsilon reaches."""
        costs = []
        for answers in _ANSWERS:
            try:
                share = budget_shares(study, (1,) * answers)[0]
            except InputError:
                break
            text = self.tr("each of {answers}, ε = {share}").format(answers=answers, share=_level(share.epsilon))
            costs.append(Cost(text, share.cost))
        return costs

    @Slot(str)
    def _change(self, text: str) -> None:
        """Ask for other weights, or say why they cannot be."""
        parts = [part for part in re.split(r"[,;\s]+", text) if part]
        if self._study is None:
            return
        try:
            study = self._study.replace(weights=parts if len(parts) > 1 else ())
            budget_shares(study, study.weights or (1,))
        except InputError as error:
            self.weights.set_invalid(True)
            self.note.set_sentence(str(error), "error")
        else:
            self.weightsChosen.emit(study)


def _level(share: Fraction) -> str:
    return figure(share, 4)
