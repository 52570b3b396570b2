"""The right of the choice page: how often each rule gets it right, what the papers' constants have, how far short it may fall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Slot

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.pages.kit.declared_results import CardColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.risk_card import RiskCard
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card, Folding
from dpdesigner.desktop.widgets.base.labels import SentenceLabel
from dpdesigner.desktop.widgets.base.layouts import ColumnLayout
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.base import Panel

_FIRST = 1000  # of the room, before any is left empty
_LEAST, _WIDTH = 120, 200  # pixels at text scale 1: the height of the curve, and the width at which names can be read


class ResultsColumn(CardColumn):
    """Four cards: rules, risk, papers, falling short; a click on a rule or a paper asks for it."""

    def __init__(self, why: Callable[[], object]) -> None:
        super().__init__()
        title = self.tr("Probability of the right option")
        tip = self.tr("Theorems about these rules, and corrections to the sources")
        self.right = CostCard(title, self.tr("chance"), self.tr("How good is this choice?"), tip)
        self.right.whyRequested.connect(why)
        self.rules, self.equal = self.right.bars, SentenceLabel("small")
        self.rules.setAccessibleName(title)
        self.rules.setToolTip(self.tr("Click a rule to show it; thin marks show the previous one"))
        self.right.add(self.equal)
        self.risk = RiskCard()
        self.papers_card = Card(self.tr("One rule, three papers"), self.tr("○ stated ε ▬ attained ε"), foldable=True)
        self.papers, self.constant = CostBars(), SentenceLabel("small")
        self.papers.setAccessibleName(self.tr("Stated and attained ε of each paper’s constant"))
        self.papers.setToolTip(self.tr("Click a constant to see its probabilities"))
        self.papers_card.add(self.papers)
        self.papers_card.add(self.constant)
        self.short_card = Card(
            self.tr("Shortfall of the announced option"), self.tr("probability of > t"), flexible=True, foldable=True
        )
        self.short = CurvePlot()
        self.short_card.add(self.short, 1)
        layout = ColumnLayout(self)
        for card, stretch in ((self.right, 0), (self.risk, 0), (self.papers_card, 0), (self.short_card, _FIRST)):
            layout.addWidget(card, stretch)
        layout.addStretch(1)
        self.folding = Folding(self, (self.risk, self.papers_card, self.short_card, self.right))
        for bars in (self.rules, self.papers):
            bars.picked.connect(self.moved)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self.short.setMinimumHeight(round(px(_LEAST)))
        for bars in (self.rules, self.papers):
            bars.setMinimumWidth(round(px(_WIDTH)))

    def set_answer(self, answer: Any, beside: Sequence[Panel], place: Place) -> None:
        """Show the panels that are new, and what a reader can find out."""
        super().set_answer(answer, beside, place)
        self.risk.show_level(PrivacyLevel.from_epsilon(answer.rule.epsilon))

    def show_panel(self, panel: Any) -> None:
        """Show a panel in its card."""
        if panel.key == "rules":
            self.right.show_ranking(panel)
            self.equal.set_sentence(translated(panel.note))
        elif panel.key == "papers":
            self.papers.show_ranking(panel)
            self.constant.set_sentence(translated(panel.note))
        else:
            self.short.show_plot(panel)

    def set_stale(self, on: bool) -> None:
        """Say that it is computed anew."""
        self.right.set_stale(on)
        self.short.set_stale(on)
