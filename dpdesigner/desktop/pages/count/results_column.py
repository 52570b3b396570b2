"""The right of the count page: what is released, what it costs, what it discloses, and how the cost depends on epsilon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.count.release_card import ReleaseCard
from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.pages.kit.declared_results import CardColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.risk_card import RiskCard
from dpdesigner.desktop.theme.translation import capital, translated
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.studies.base import Panel
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import loss_plot
from dpdesigner.studies.count.run import risks_of
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.table_panels import Ranking


class ResultsColumn(CardColumn):
    """Four cards: release, cost, disclosure risk, cost against epsilon."""

    def __init__(self, asking: AskingColumn[Any], why: Callable[[], object]) -> None:
        super().__init__()
        self._loss: Any = None  # that of the costs that are shown, all of them known
        self.release = ReleaseCard()
        question = self.tr("Why is this the best?")
        tip = self.tr("The proof in words, with its numbers")
        self.costs = CostCard(self.tr("Accuracy"), self.tr("expected error"), question, tip)
        self.costs.whyRequested.connect(why)
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

    def set_line(self, design: CountDesign) -> None:
        """Put the line of the curve at the level asked for; there is none on what an attacker learns."""
        if not design.uncovered:
            self.curves.set_design(design)

    def set_answer(self, answer: Any, beside: Sequence[Panel], place: Place) -> None:
        """Show the panels that are new, and what a reader can find out; costs stay until those of this design are known."""
        design: CountDesign = answer.design
        ranking = next((panel for panel in beside if isinstance(panel, Ranking)), None)
        known = ranking is not None and all(row.value is not None for row in ranking.rows)
        if not known and self._loss is not None and self._loss == design.loss and not design.uncovered:
            beside = [self.shown.get("costs", panel) if panel is ranking else panel for panel in beside]
        else:
            self._loss = design.loss if known and not design.uncovered else None
        super().set_answer(answer, beside, place)
        found, won, _ = risks_of(design) if design.uncovered else (0, 0, 0)
        self.risk.show_level(design.privacy, (float(won), float(found)) if design.uncovered else None)

    def show_panel(self, panel: Any) -> None:
        """Show a panel in its card."""
        if isinstance(panel, Ranking):
            rows = tuple(replace(row, label=capital(translated(row.label))) for row in panel.rows)
            self.costs.set_heading(translated(panel.title))
            self.costs.show_ranking(replace(panel, rows=rows))
        elif isinstance(panel, Plot):
            attacked = panel.key == "attacker"
            self.curves.set_heading(translated(panel.title))
            self.curves.set_word(self.tr("found out, of 100") if attacked else self.tr("drag the line"))
            self.curves.curve.show_plot(panel if attacked else replace(panel, handles=self.curves.curve.handles()))
