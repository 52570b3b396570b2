"""The right of the count page: what is released, what it costs, and how the cost depends on epsilon."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesigner.core.count.costs import Key
from dpdesigner.desktop.pages.count.release_card import ReleaseCard
from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.pages.kit.risk_card import RiskCard
from dpdesigner.desktop.theme.translation import capital, translated
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.studies.count.answer import CountOverview, label
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import attacker_plot, delta_ranking, loss_plot
from dpdesigner.studies.count.run import DeltaAnswer, risks_of
from dpdesigner.studies.table_panels import Rank, Ranking

#: What matters beside the best, and what can be unfolded.
_MAIN: tuple[Key, ...] = ("laplace", "ignore")
_OTHERS: tuple[Key, ...] = ("real", "face", "staircase", "half")


class MeaningColumn(QWidget):
    """Three cards: release, cost, cost against epsilon."""

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__()
        self._told: CountOverview | None = None
        self._before: CountOverview | None = None
        self._curves: tuple[CountOverview | None, CountOverview | None] = None, None
        self._attacked = False  # whether the curve is what an attacker learns
        self.release = ReleaseCard()
        question = self.tr("Why is this the best?")
        tip = self.tr("The proof in words, with its numbers")
        self.costs = CostCard(self.tr("Accuracy"), self.tr("expected error"), question, tip)
        self.risk = RiskCard()
        self.curves = AgainstCard(self.tr("Error against privacy"), asking)
        self.curves.curve.setMinimumHeight(110)
        self.curves.curve.show_plot(loss_plot(None))
        layout = ColumnLayout(self)
        layout.addWidget(self.release, 5)
        layout.addWidget(self.costs)
        layout.addWidget(self.risk)
        layout.addWidget(self.curves, 6)
        self.folding = Folding(self, (self.risk, self.release, self.costs, self.curves))

    @property
    def plots(self) -> dict[str, QWidget]:
        """The pictures by name, for export."""
        return {
            "release": self.release.plot.figure(),
            "costs": self.costs.bars,
            "loss-against-epsilon": self.curves.curve.figure(),
        }

    def set_costs(self, answer: CountOverview, before: CountOverview | None) -> None:
        """Show what it costs and what others would; those of the design before stay until the new ones are there."""
        delta = isinstance(answer.solved, DeltaAnswer)
        found, won, _ = risks_of(answer.design) if delta else (0, 0, 0)
        self.risk.show_level(answer.design.privacy, (float(won), float(found)) if delta else None)
        if isinstance(answer.solved, DeltaAnswer):
            self._told = self._before = None
            self.costs.set_heading(self.tr("Gain from δ"))
            self.costs.show_ranking(delta_ranking(answer.solved))
            return
        self.costs.set_heading(self.tr("Accuracy"))
        told = self._told
        if answer.costs is not None or told is None or told.costs is None or told.design.loss != answer.design.loss:
            self._told = told = answer
        elif before is self._before:
            return
        self._before = before
        self._show_costs(told, before)

    def set_curves(self, answer: CountOverview, before: CountOverview | None) -> None:
        """Show error against epsilon, and what it was when it was pinned."""
        self._curves = answer, before
        self._show_curves(answer.design)

    def show_attacker(self, design: CountDesign) -> None:
        """With a delta, show what an attacker learns in place of the error against epsilon."""
        if self._attacked or design.uncovered:
            self._show_curves(design)

    def _show_curves(self, design: CountDesign) -> None:
        curve, self._attacked = self.curves.curve, bool(design.uncovered)
        self.curves.set_heading(self.tr("Success of an attacker") if self._attacked else self.tr("Error against privacy"))
        if self._attacked:
            self.curves.set_word(self.tr("found out, of 100"))
            curve.show_plot(attacker_plot(design))
            return
        self.curves.set_word(self.tr("drag the line"))
        self.curves.set_design(design)
        answer, before = self._curves
        curve.show_plot(loss_plot(answer, before, curve.handles()))

    def _show_costs(self, answer: CountOverview, before: CountOverview | None = None) -> None:
        findings, proved = answer.findings, answer.best.proved
        first = self.tr("Best possible") if proved else self.tr("Best found")
        if answer.deciding is not None:
            first = self.tr("Best possible (linear program)") if proved else self.tr("Best found (linear program)")
        rows = [Rank(first, findings["value"].number, "main", proved, "value")]
        shown: tuple[Key, ...] = (*(("remapped",) if answer.deciding is not None else ()), *_MAIN)
        others = [key for key in _OTHERS if key != "real" or answer.real_is_less]
        for key in (*shown, *others):
            told = findings.get(key)
            name = capital(translated(label(key, answer.design)))
            rows.append(Rank(name, told.number if told else None, "rival" if key == "ignore" else "main", key=key))
        theirs = before.findings if before is not None and before.design.loss == answer.design.loss else {}
        rows = [Rank(r.label, r.value, r.role, r.proved, r.key, theirs[r.key].number if r.key in theirs else None) for r in rows]
        self.costs.show_ranking(Ranking("costs", self.tr("Accuracy"), tuple(rows)), 1 + len(shown))
