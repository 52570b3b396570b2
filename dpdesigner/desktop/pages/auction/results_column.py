"""The right of the auction page: what it earns, whether lying pays, and revenue against epsilon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.pages.kit.declared_results import figures
from dpdesigner.desktop.pages.kit.painting import Figure
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.base import Panel

_SURPLUS = 130  # pixels at text scale 1 in which two lines and two marks have room for their names


class ResultsColumn(QWidget):
    """Three cards, each for one panel; the line of the last asks for another epsilon by itself."""

    moving, moved, cancelled = Signal(str, object), Signal(str, object), Signal(str)

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
        self._asking, self.panels = asking, self
        self._shown: dict[str, Panel] = {}
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
        """Show those of these panels that are new; without a bidder there is no lie to be looked at."""
        panels: dict[str, Any] = {panel.key: panel for panel in beside}
        new = {key: panel for key, panel in panels.items() if self._shown.get(key) is not panel}
        self._shown = panels
        if "earnings" in new:
            self.earns.show_ranking(new["earnings"])
        self.lying.setVisible("lying" in panels)
        if "lying" in new:
            self.surplus.show_plot(new["lying"])
            self.under.set_sentence(" ".join(map(translated, new["lying"].under)))
            self.lying.set_word(translated(new["lying"].hint), self.tr("truthfulness"))
        if "against" in new:
            self.against.curve.show_plot(new["against"])
            self.put_handles(place)

    def put_handles(self, place: Place) -> None:
        """Put the line where the design is, whose answer may come later."""
        if (design := self._asking.design) is not None:
            self.against.set_design(design)

    def words_of(self, target: str) -> str:
        """Return no words: the line of epsilon has its own."""
        return ""

    def figures(self) -> list[Figure]:
        """Return the pictures of lying and of what is earned."""
        return [figure for key in ("lying", "earnings") if key in self._shown for figure in figures(self._shown[key])]

    def show_failure(self, reason: str) -> None:
        """Leave what was shown; the page says where there is nothing."""

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
