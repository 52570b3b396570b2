"""The middle of the auction page: four plots over the same prices, other views, a sentence on one bidder, four buttons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal

from dpdesigner.desktop.pages.kit.declared_results import PanelColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.views_card import StackedViews
from dpdesigner.desktop.theme.words import tr, translated
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.labelled import push_button, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.plot_stack import PlotStack
from dpdesigner.studies.base import Panel, View
from dpdesigner.studies.panels import Handle, Line, Plot, Strips, behind

_ROOMS = {"revenue": 10, "bids": 4, "density": 7, "ratio": 7}  # how the height is shared out
_KEYS = {"M": "most", "Space": "draw", "W": "whole"}
_COMPARED = ("revenue", "density")


class PriceCard(StackedViews):
    """Tabs, the plots they open, and what is said of the bidder that is looked at."""

    drawRequested = Signal(int)  #: so many prices are to be drawn
    wholeChanged = Signal(bool)  #: all prices are to be seen, or those that are drawn
    mostRequested = Signal()

    def __init__(self, views: tuple[View, ...]) -> None:
        self.strips, self.others = PlotStack(), PanelColumn()
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

    def show_panels(
        self, panels: dict[str, Panel], drawn: tuple[float, ...], before: dict[str, Panel], place: Place, lying: bool
    ) -> None:
        """Show the plots of the open view, behind those of the prices what was pinned."""
        wanted = {key: panels[key] for key in self._panels_of[self.view] if key in panels}
        if self.view == "price":
            plots = (_over(with_drawn(plot, drawn), before.get(key)) for key, plot in wanted.items() if isinstance(plot, Plot))
            keys = _KEYS | ({"Esc": "truth"} if lying else {})
            self.strips.show_strips(Strips("price", tr("Price"), tuple(plots), keys=keys))
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


def _over(plot: Plot, before: Panel | None) -> Plot:
    """Return a plot with that of what was pinned behind it, where prices are counted alike."""
    plot = replace(plot, room=_ROOMS[plot.key])
    comparable = isinstance(before, Plot) and before.x.unit == plot.x.unit and plot.key in _COMPARED
    return behind(plot, before) if isinstance(before, Plot) and comparable else plot


def with_drawn(plot: Plot, prices: tuple[float, ...]) -> Plot:
    """Return a plot with the prices that were drawn: a flag for one, lines for many."""
    if not prices:
        return plot
    if len(prices) == 1:
        return replace(plot, handles=(*plot.handles, Handle(prices[0], movable=False)))
    if plot.key != "density" or not plot.lines:
        return plot
    most = float(np.nanmax(plot.lines[0].y))
    flags = Line(np.sort(prices), np.full(len(prices), most / 3), "", "other", spikes=True)
    return replace(plot, lines=(*plot.lines, flags))
