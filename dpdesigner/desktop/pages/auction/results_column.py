"""The right of the auction page: what it earns, whether lying pays, and revenue against epsilon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Slot

from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.pages.kit.declared_results import CardColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card, Folding
from dpdesigner.desktop.widgets.base.labels import SentenceLabel
from dpdesigner.desktop.widgets.base.layouts import ColumnLayout
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.base import Panel

_SURPLUS = 130  # pixels at text scale 1 in which two lines and two marks have room for their names


class ResultsColumn(CardColumn):
    """Three cards, each for one panel; the line of the last asks for another epsilon by itself."""

    def __init__(self, asking: AskingColumn[Any], why: Callable[[], object]) -> None:
        super().__init__()
        earns, tip = self.tr("Revenue"), self.tr("Why the price is drawn, and what was corrected in the source")
        self.earns = CostCard(earns, self.tr("expected revenue"), self.tr("Why draw the price?"), tip)
        self.earns.bars.setAccessibleName(earns)
        self.earns.whyRequested.connect(why)
        self.lying = Card(self.tr("Does lying pay?"), self.tr("truthfulness"), flexible=True, foldable=True)
        self.surplus = CurvePlot()
        self.under = SentenceLabel("small")
        self.lying.add(self.surplus, 1)
        self.lying.add(self.under)
        self.against = AgainstCard(self.tr("Revenue against ε"), asking, flexible=True)
        self._asking = asking
        layout = ColumnLayout(self)
        layout.addWidget(self.earns)
        layout.addWidget(self.lying, 1)
        layout.addWidget(self.against, 1)
        self.folding = Folding(self, (self.against, self.lying))
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self.surplus.setMinimumHeight(round(px(_SURPLUS)))

    def set_answer(self, answer: Any, beside: Sequence[Panel], place: Place) -> None:
        """Show the panels that are new; without a bidder there is no lie to be looked at."""
        super().set_answer(answer, beside, place)
        self.lying.setVisible("lying" in self.shown)

    def show_panel(self, panel: Any) -> None:
        """Show a panel in its card."""
        if panel.key == "earnings":
            self.earns.show_ranking(panel)
        elif panel.key == "lying":
            self.surplus.show_plot(panel)
            self.under.set_sentence(" ".join(map(translated, panel.under)))
            self.lying.set_word(translated(panel.hint), self.tr("truthfulness"))
        elif panel.key == "against":
            self.against.curve.show_plot(panel)

    def put_handles(self, place: Place) -> None:
        """Put the line where the design is, whose answer may come later."""
        if (design := self._asking.design) is not None:
            self.against.set_design(design)

    def set_blank(self, on: bool) -> None:
        """Show nothing while there is nothing to tell, or what there is again."""
        for card in (self.earns, self.lying, self.against):
            card.setVisible(not on)

    def set_late(self, keys: Sequence[str]) -> None:
        """Fade what waits for a job."""
        self.surplus.set_stale("lying" in keys)

    def set_stale(self, on: bool) -> None:
        """Fade what is out of date."""
        self.earns.set_stale(on)
        self.surplus.set_stale(on)
        self.against.set_stale(on)
