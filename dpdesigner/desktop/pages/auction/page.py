"""The auction page: bids on the left, the price and its derivation in the middle, revenue and misreporting on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.pages.auction.inputs_column import InputsColumn
from dpdesigner.desktop.pages.kit.cards import CostCard, PlotCard
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Figure, Part, Stop
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel, PanelView, StripsPanel
from dpdesigner.desktop.pages.kit.results_column import CardColumn
from dpdesigner.desktop.pages.kit.summary import Portrait, Summary
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.auction.answer import AuctionAnswer, first_price
from dpdesigner.studies.auction.design import MOST, AuctionDesign, single_prices, source_of
from dpdesigner.studies.auction.run import announcement, priced, revenue
from dpdesigner.studies.snapshot import Snapshot
from dpdesigner.studies.spending import RECORD
from dpdesigner.studies.study import Job

_SURPLUS = 130  # pixels at text scale 1 that leave room for the names of two lines and two marks


class AuctionPage(DeclaredPage):
    """Set one price for everybody, so that no bid is revealed and lying does not pay."""

    kind = "auction"
    answering, keeps = ("solve", "lies"), ("draw",)
    widths = 328, 500, 320
    _drawn: Any = None  # the outcome with all prices drawn: a design that is only looked at goes with its outcomes
    _changed: tuple[Any, ...] | None = None  # the design, the liar, the view before, and the words of Undo
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"price": StripsPanel, "told": KeptSentencePanel}

    def asking_column(self) -> InputsColumn:
        return InputsColumn()

    def results_column(self) -> CardColumn:
        tip = self.tr("Why the price is drawn, and what was corrected in the source")
        earns = CostCard(self.tr("Revenue"), self.tr("on average"), self.tr("Why draw the price?"), tip)
        earns.whyRequested.connect(self.whyRequested)
        lying = PlotCard(least=_SURPLUS)
        return CardColumn(("earnings", earns, 0), ("lying", lying, 1), folds=(lying,))

    def begin(self) -> None:
        self._drawn = None
        self.outcomes.pop("draw", None)
        super().begin()
        self._inputs.bids.stop_drawing()

    @property
    def _liar(self) -> tuple[int, bool]:
        """The bidder shown, -1 for the one with the most profitable lie, and whether another lie was chosen."""
        return self.view["bidder"], self.view["says"] is not None

    def look(self, **changes: Any) -> None:
        """Keep what was shown before a lie was chosen or given up, for Undo."""
        before, (was, lied) = {key: self.view[key] for key in MOST}, self._liar
        super().look(**changes)
        now, lies = self._liar
        if (now, lies) == (was, lied):
            return
        words = self.tr("Misreport a bid") if lies else self.tr("Best lie") if now < 0 else self.tr("Tell the truth")
        most = None if self.answer is None else self.answer.most
        ends = lied or (was < 0 and most is not None and most.bidder == now)  # another bidder is only looked at
        by_hand = "view" not in changes and (lies or now < 0 or ends)  # not with the whole view of a scene or another design
        self._changed = (self.design, (now, lies), before, words) if by_hand else None
        self.summaryChanged.emit()

    @property
    def taken_back(self) -> str:
        last = self._changed
        return super().taken_back or (last[-1] if last is not None and last[:2] == (self.design, self._liar) else "")

    def take_back(self) -> None:
        if not self.refusing and self._changed is not None:
            self.look(**self._changed[2])
            self._changed = None
            self.summaryChanged.emit()
        super().take_back()

    def parts(self) -> Sequence[Part[Any, Any]]:
        bids = [Part(None, lambda s: (s.outcome("bids"), s.design), card.show_bids) for card in self._inputs.cards[:2]]
        return *bids, *super().parts(), Part(None, self.seen, self._show_cards)

    def jobs(self, study: AuctionDesign) -> Sequence[Job]:
        """Read the bids and compute the price; a slow search for the most profitable lie is a separate job of the kind."""
        return Job("bids", lambda progress: source_of(study)), Job("solve", lambda progress: priced(study, progress))

    def show_design(self, before: AuctionDesign | None, design: AuctionDesign) -> None:
        """Show a design; a dragged bid counts as the true value, not as a lie, and other bidders tell no lie of these."""
        if self._drawn is not None:
            self.outcomes["draw"] = self._drawn
        if self.dragging and before is not None and before.bids is not design.bids:
            self.view["says"] = None
        elif before and (before.path, before.column, before.demand) != (design.path, design.column, design.demand):
            self.view.update(MOST)
        super().show_design(before, design)

    def _show_cards(self, *_: Any) -> None:
        self._set_blank(False)
        self._results.cards["lying"].setVisible("lying" in self._results.shown)  # not without a bidder

    def show_outcome(self, name: str, outcome: Any) -> None:
        self._drawn = outcome if name == "draw" else self._drawn
        if name == "draw" and len((newest := outcome.value[-1]).prices) == 1:
            RECORD.add(newest.design, newest.design.release_loss, newest)
            first = single_prices(outcome.value, newest.design)[0] is newest and not newest.again
            self.unsaved += [newest] if first and not newest.design.path.startswith(EXAMPLE) else []
        super().show_outcome(name, outcome)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        super().show_failure(name, error)
        if name == "bids":
            self._inputs.show_none()
        if name == "solve" and (self.answer is None or (self.design is not None and self.design.cap == "")):
            self._set_blank(True)

    def _set_blank(self, on: bool) -> None:
        self._pictures.set_blank(self.tr("Enter bids and a cap to draw a price.") if on else "")
        self.actions_row.setEnabled(not on)
        for card in self._results.cards.values():
            card.setVisible(not on)

    def sentences(self, answer: AuctionAnswer) -> Sequence[str]:
        found = self.outcomes.get("draw")
        return (found is not None and announcement(answer, found.value)) or answer.headlines

    def summary(self) -> Summary:
        summary, first = super().summary(), self._announced()
        return replace(summary, value_label=self.tr("price to announce"), value=first) if first and summary.value else summary

    def summed_up(self, now: Snapshot[Any, Any]) -> tuple[Any, ...]:
        return *super().summed_up(now), now.outcomes.get("draw")

    def _announced(self) -> str:
        found = self.outcomes.get("draw")
        return "" if found is None or self.design is None else first_price(found.value, self.design, now=True)

    def tour(self) -> Sequence[Stop]:
        inputs, results, panels = self._inputs, self._results, self._pictures.panels
        bids = self.tr("The staircase shows the number of buyers at each price. Press “Sketch” and drag over it to change bids.")
        cap = self.tr("The highest price, chosen without looking at the bids. Higher bids are cut to the cap.")
        privacy = self.tr("Move the slider. For smaller ε, the drawn price may be further from the best one.")
        price = self.tr("The revenue of each price, the bids, and how likely each price is. Drag a bid to make the bidder lie.")
        lying = self.tr("A bidder’s expected gain from a misreport over the truth. No lie gains more than the proved limit.")
        draw, only = self.actions_row.buttons[0], self.tr("Only a drawn price may be published.")
        return (
            Stop(inputs.bids, self.tr("Bids"), bids, inputs.changed),
            Stop(inputs.cap, self.tr("Cap on bids"), cap, inputs.changed),
            Stop(inputs.privacy, self.tr("How private"), privacy, inputs.changed),
            Stop(self._pictures, self.tr("The price"), price, panels.moved),
            Stop(results.cards["lying"], self.tr("Does lying pay?"), lying),
            Stop(draw, self.tr("Draw a price"), only, draw.clicked),
        )

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the revenue at each price; nothing for private bids."""
        answer = priced(study)
        return Portrait({}, charts=(revenue(answer, (0.0, answer.cap)).public(),) if study.bids_public else ())

    # Export: each picture shows the bids, or what is computed from them ------------------------------------------------

    def copy(self) -> bool:
        return self.answer is not None and self.answer.design.bids_public and super().copy()

    def figures(self) -> Iterable[Figure]:
        return super().figures() if self.answer is not None and self.answer.design.bids_public else ()
