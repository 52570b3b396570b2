"""The right of the choice page: how often each rule gets it right, what the papers' constants have, how far short it may fall."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import rounded_down, rounded_up, significant
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.pages.kit.risk_card import RiskCard
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.options.rule_bars import Paper, PapersView, RuleBars, RuleRow
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.choice.headlines import on_constants, rule_note
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.options.rules import PRINTED

_FORMULAS = {
    "exponential-cacm": ("exp(ε u/Δ)", "[CACM]"),
    "exponential-notes": ("exp(ε u)", "[Notes]"),
    "exponential-blr": ("exp(ε u/2Δ)", "[BLR]"),
}

_FIRST = 1000  # of the room, before any is left empty


class ResultsColumn(QWidget):
    """Three cards: rules, papers, falling short."""

    whyRequested = Signal()
    ruleChosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.right = Card(self.tr("How often it gets it right"), self.tr("chance"))
        self.bars = RuleBars()
        self.bars.chosen.connect(self.ruleChosen)
        self.equal = SentenceLabel("small")
        self.right.add(self.bars)
        self.right.add(self.equal)
        why = QPushButton(self.tr("Why?"))
        why.setToolTip(self.tr("What is known about these rules, and what was corrected in the sources"))
        why.clicked.connect(self.whyRequested)
        self.right.header.addWidget(why)
        self.papers_card = Card(self.tr("One rule, three papers"), self.tr("○ says ε  ● has ε"), foldable=True)
        self.papers, self.constant = PapersView(), SentenceLabel("small")
        self.papers.chosen.connect(self.ruleChosen)
        self.papers_card.add(self.papers)
        self.papers_card.add(self.constant)
        self.short_card = Card(self.tr("How far short it may fall"), self.tr("chance of > t"), flexible=True, foldable=True)
        self.short = CurvePlot()
        self.short_card.add(self.short, 1)
        layout = ColumnLayout(self)
        layout.addWidget(self.right)
        self.risk = RiskCard()
        layout.addWidget(self.risk)
        layout.addWidget(self.papers_card)
        layout.addWidget(self.short_card, _FIRST)
        layout.addStretch(1)
        self.folding = Folding(self, (self.risk, self.papers_card, self.short_card, self.right))
        theme().changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.short.setMinimumHeight(round(px(120)))

    def show_rules(self, outcome: ChoiceOutcome) -> None:
        """Show the rules by the chance of the true best, and the papers."""
        rows = [self._limit(outcome), *self._rules(outcome), self._blind(outcome)]
        unit = self.tr("people short") if outcome.unit else self.tr("short by")
        self.bars.show_rows([row for row in rows if row is not None], unit)
        self.equal.set_sentence(self._equal(outcome))
        self.risk.show_level(PrivacyLevel.from_epsilon(outcome.rule.epsilon))
        asked = outcome.design.epsilon
        papers = [Paper(key, *_FORMULAS[key], outcome.rules[key].says, outcome.rules[key].epsilon) for key in PRINTED]
        self.papers.show_papers(papers, asked)
        self.constant.set_sentence(translated(on_constants(outcome)))

    def _limit(self, outcome: ChoiceOutcome) -> RuleRow | None:
        finding = outcome.findings.get("limit")
        if finding is None:
            return None
        title = self.tr("Limit for any even-handed rule")
        if finding.value is None:
            text = self.tr("computing…") if outcome.limit_due else translated(finding.note)
            return RuleRow("", title, "", None, text, "", "limit")
        return RuleRow("", title, "", finding.number, f"{rounded_up(finding.number or 0.0, 4):f}", "", "limit")

    def _rules(self, outcome: ChoiceOutcome) -> list[RuleRow]:
        shown = [
            rule for rule in outcome.rivals if rule.key != "staircase" or outcome.task.table or outcome.design.rule == "staircase"
        ]
        if outcome.rule not in shown:
            shown.append(outcome.rule)
        rows = []
        for rule in shown:
            chance, short = _mean(rule.chance_of_best), _mean(rule.shortfall)
            chosen = rule.key == outcome.design.rule
            role = "proved" if chosen and outcome.limit_met else "accent"
            if rule.key in PRINTED:
                role = "quiet"
            title, note = translated(rule.title), translated(rule_note(rule))
            rows.append(
                RuleRow(rule.key, title, note, chance, _chance(chance), significant(short, 2 if short < 100 else 4), role, chosen)
            )
        return sorted(rows, key=lambda row: -(row.chance or 0.0))

    def _blind(self, outcome: ChoiceOutcome) -> RuleRow:
        chance, short = outcome.blindly
        return RuleRow("", self.tr("Without looking"), "", chance, _chance(chance), significant(short, 4), "quiet")

    def _equal(self, outcome: ChoiceOutcome) -> str:
        """What rules cost where each is tuned to the table until it really has the level."""
        if not outcome.equal:
            return ""
        parts = [
            f"{translated(outcome.rules[key].title)} {significant(cost, 4)}"
            for key, cost in sorted(outcome.equal.items(), key=lambda item: item[1])
        ]
        return self.tr("Tuned to this table until each attains ε exactly, they fall short by: {list}.").format(
            list=", ".join(parts)
        )

    def set_stale(self, on: bool) -> None:
        """Say that it is computed anew."""
        self.right.set_word(self.tr("computing…") if on else self.tr("chance"))
        self.short.set_stale(on)


def _chance(chance: float) -> str:
    return f"{rounded_down(chance, 4):f}" if chance > 1e-4 else significant(chance, 2)


def _mean(value: float | Floats) -> float:
    return float(np.mean(value))
