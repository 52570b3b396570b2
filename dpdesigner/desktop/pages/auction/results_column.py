"""The right of the auction page: what it earns, whether lying pays, and revenue against epsilon."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.words import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.panels import Plot

_SURPLUS = 130  # pixels at text scale 1 in which two lines and two marks have room for their names


class ResultsColumn(QWidget):
    """Three cards."""

    def __init__(self, asking: AskingColumn[AuctionDesign]) -> None:
        super().__init__()
        earns, tip = self.tr("What it earns"), self.tr("Why the price is drawn, and what was corrected in the source")
        self.earns = CostCard(earns, self.tr("expected revenue"), self.tr("Why draw the price?"), tip)
        self.earns.bars.setAccessibleName(earns)
        self.lying = Card(self.tr("Does lying pay?"), self.tr("truthfulness"), flexible=True, foldable=True)
        self.surplus = CurvePlot()
        self.under = SentenceLabel("small")
        self.lying.add(self.surplus, 1)
        self.lying.add(self.under)
        self.against = AgainstCard(self.tr("Revenue against ε"), asking, flexible=True)
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

    def show_lying(self, plot: Plot | None, gain: str) -> None:
        """Show the surplus of the bidder that is looked at, and by how much the lie gains."""
        self.lying.setVisible(plot is not None)
        if plot is not None:
            self.surplus.show_plot(plot)
            self.under.set_sentence(" ".join(map(translated, plot.under)))
        self.lying.set_word(gain, self.tr("truthfulness"))

    def show_against(self, plot: Plot, design: AuctionDesign) -> None:
        """Show revenue against epsilon, the line where the design is."""
        self.against.curve.show_plot(plot)
        self.against.set_design(design)

    def set_blank(self, on: bool) -> None:
        """Show nothing while there is nothing to tell, or what there is again."""
        for card in (self.earns, self.lying, self.against):
            card.setVisible(not on)

    def set_stale(self, on: bool) -> None:
        """Fade what is out of date."""
        self.earns.set_stale(on)
        self.surplus.set_stale(on)
        self.against.set_stale(on)
