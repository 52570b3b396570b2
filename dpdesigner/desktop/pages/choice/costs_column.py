"""The right of the choice page: what these weights cost beside exponential ones, and the exact numbers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.pages.kit.numbers_card import NumbersCard
from dpdesigner.desktop.pages.kit.ranking import bars
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.choice.outcome import ChoiceOutcome


class CostsColumn(QWidget):
    """Two cards: costs, numbers."""

    explanationRequested = Signal()

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr("What is known about these weights, and what was corrected in the sources")
        self.costs = CostCard(self.tr("expected cost"), self.tr("How good is this choice?"), tip)
        self.costs.whyRequested.connect(self.explanationRequested)
        self.sentence = SentenceLabel("heading")
        self.costs.add(self.sentence)
        self.exact = NumbersCard()
        layout = ColumnLayout(self)
        layout.addWidget(self.costs)
        layout.addWidget(self.exact)
        layout.addStretch(1)

    def set_outcome(self, outcome: ChoiceOutcome) -> None:
        """Show what was computed."""
        self.costs.bars.show_ranking(bars(outcome))
        self.sentence.set_sentence(translated(outcome.compared))
        self.exact.set_findings([outcome.findings[key] for key in outcome.numbers])
