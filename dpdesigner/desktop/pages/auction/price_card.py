"""The middle of the auction page: four plots over the same prices, other views, a sentence on one bidder, four buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from dpdesigner.desktop.look.words import tr, translated
from dpdesigner.desktop.pages.auction.strips import Strips
from dpdesigner.desktop.pages.kit.declared_results import PanelColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.views_card import StackedViews
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.labelled import push_button, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.declared import Panel, View
from dpdesigner.studies.panels import Plot


class PriceCard(StackedViews):
    """Tabs, the plots they open, and what is said of the bidder that is looked at."""

    drawRequested = Signal(int)  #: so many prices are to be drawn
    wholeChanged = Signal(bool)  #: all prices are to be seen, or those that are drawn
    mostRequested = Signal()

    def __init__(self, views: tuple[View, ...]) -> None:
        self.strips, self.others = Strips(), PanelColumn()
        super().__init__(tr("Price"), {"price": scrolling(self.strips), "": scrolling(self.others)})
        self.offer([(view.key, translated(view.title), "") for view in views])
        self._panels_of = {view.key: view.panels for view in views}
        exactly = self.tr("Draw a price exactly, from the system’s entropy; every price that is published costs ε again")
        self.draw = push_button(self.tr("Draw a price"), exactly, lambda: self.drawRequested.emit(1))
        hundred = self.tr("Draw a hundred prices, to see how they spread")
        self.hundred = push_button(self.tr("× 100"), hundred, lambda: self.drawRequested.emit(100))
        self.whole = push_button(
            self.tr("Whole range"), self.tr("All prices from 0 to the cap"), self.wholeChanged, checkable=True
        )
        most = self.tr("The bidder and the lie for whom lying brings most")
        self.most = push_button(self.tr("Most to gain"), most, self.mostRequested, checkable=True)
        self.empty = SentenceLabel("small")
        self.empty.setText(self.tr("The price is drawn here once there are bids and a cap."))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.add(self.empty, 1)
        self.add(wrapped(self.draw, self.hundred, self.whole, self.most))

    def open(self, view: str) -> None:
        """Open a view; the range of prices is that of the strips."""
        super().open(view)
        self.whole.setVisible(self.view == "price")

    def show_panels(self, panels: dict[str, Panel], drawn: tuple[float, ...], before: dict[str, Panel], place: Place) -> None:
        """Show the plots of the open view, behind those of the prices what was pinned."""
        wanted = {key: panels[key] for key in self._panels_of[self.view] if key in panels}
        if self.view == "price":
            self.strips.show_plots(_plots(wanted), drawn, _plots(before))
        else:
            self.others.show_panels(list(wanted.values()), place)

    def set_blank(self, on: bool) -> None:
        """Show nothing while there is nothing to draw, or what there is again."""
        self._stack.setVisible(not on)
        self.sentence.setVisible(not on)
        self.empty.setVisible(on)
        for button in (self.draw, self.hundred, self.whole, self.most):
            button.setEnabled(not on)

    def set_stale(self, on: bool) -> None:
        """Fade the plots while newer ones are being computed."""
        self.strips.set_stale(on)
        self.others.set_stale(on)


def _plots(panels: dict[str, Panel]) -> dict[str, Plot]:
    return {key: panel for key, panel in panels.items() if isinstance(panel, Plot)}
