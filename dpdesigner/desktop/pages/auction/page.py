"""The auction page: bids at the left, the price and its cause in the middle, what it earns and what lying gains at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.auction import guiding
from dpdesigner.desktop.pages.auction.inputs_column import InputsColumn
from dpdesigner.desktop.pages.auction.price_card import PriceCard
from dpdesigner.desktop.pages.auction.results_column import ResultsColumn
from dpdesigner.desktop.pages.auction.words import gain_words, headlines, sentence
from dpdesigner.desktop.pages.kit.handles import Handles
from dpdesigner.desktop.pages.kit.page import Figure, Page, Snapshot, Stop
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait, portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.theme.words import translated
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.auction.bids import Source, source_of
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.auction.outcome import AuctionOutcome
from dpdesigner.studies.auction.panels import Earnings, chosen, earnings, epsilon_plot
from dpdesigner.studies.auction.run import most, priced, run
from dpdesigner.studies.base import as_table
from dpdesigner.studies.job import Job
from dpdesigner.studies.panels import Plot

_QUICK = 1000  # bids of one item each, or steps of curves times bidders / 50
_WIDTHS = (328, 500, 320)  # of the columns at 1280 pixels


@dataclass(frozen=True)
class Drawn:
    """Prices that were drawn from a design."""

    design: AuctionDesign
    prices: tuple[float, ...]


class AuctionPage(Page[AuctionDesign, AuctionOutcome]):
    """Set one price for everybody, so that nobody's bid shows and lying does not pay."""

    answering = ("solve", "lies")
    why = "auction"
    view_keys = ("view", "bidder", "says", "whole")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view.update(view="price", bidder=-1, says=None, whole=False)
        self._blank = True  # nothing has been shown yet
        self._before: dict[str, Any] | None = None  # what the view was when a drag began
        self._inputs = InputsColumn()
        self._card, self._results = PriceCard(AuctionDesign.views), ResultsColumn(self._inputs)
        lay_out_columns(self, "auction-columns", (self._inputs, self._card, self._results), _WIDTHS)
        self.set_asking(self._inputs)
        self._connect()
        self.fades = (self._card.set_stale,)

        def looked_at(s: Snapshot[AuctionDesign, AuctionOutcome]) -> tuple[Any, ...]:
            return s.view["view"], s.view["bidder"], s.view["says"], s.view["whole"]

        self.set_parts(
            Part(None, lambda s: (s.outcome("bids"), s.design), self._show_bids),
            Part(None, lambda s: (s.view["view"],), self._card.open),
            Part(
                self._card,
                lambda s: (s.answer, s.outcomes.get("draw"), s.before, *looked_at(s)),
                self._show_answer,
                self._card.set_stale,
            ),
            Part(self._results, lambda s: (s.answer, s.design), self._show_results, self._results.set_stale),
        )
        self.offer_draw(self.tr("Draw a price"))
        self.add_command(self.tr("Take the bidder with most to gain"), "", self._take_most)

    def _connect(self) -> None:
        card, strips = self._card, self._card.strips
        card.viewChosen.connect(lambda view: self.look(view=view))
        card.drawRequested.connect(self.draw)
        card.wholeChanged.connect(lambda on: self.look(whole=on))
        card.mostRequested.connect(self._take_most)
        strips.moving.connect(partial(self._drag, False))
        strips.moved.connect(partial(self._drag, True))
        strips.cancelled.connect(self._give_up)
        strips.pressed.connect(self._press)
        Handles(self).follow(card.others)
        self._results.earns.whyRequested.connect(self.whyRequested)

    # What is computed --------------------------------------------------------------------------------------------------

    def jobs(self, study: AuctionDesign) -> Sequence[Job]:
        """Read the bids, compute the price, and find who gains most by lying: apart where that takes longer than a frame."""
        reading = Job("bids", lambda progress: source_of(study))
        few = len(study.bids) <= _QUICK and not study.path
        if study.path and isinstance(known := self.outcomes.get("bids"), Source):
            few = known.bidders <= _QUICK
        if study.demand:
            few = sum(map(len, study.demand)) * len(study.demand) <= 50 * _QUICK
        if few:
            return reading, Job("solve", lambda progress: run(study, progress))
        title = self.tr("who gains most by lying")
        return (
            reading,
            Job("solve", lambda progress: priced(study)),
            Job("lies", lambda progress: most(study, progress), True, False, title),
        )

    def put_together(self, outcomes: Mapping[str, Any]) -> AuctionOutcome | None:
        """Return the price, with who gains most by lying once that is found."""
        outcome, lie = outcomes.get("solve"), outcomes.get("lies")
        if outcome is None or outcome.most is not None or lie is None or lie.design != outcome.design:
            return outcome
        return outcome.with_most(lie)  # type: ignore[no-any-return]

    def drawing(self, many: int) -> Job | None:
        """Return what draws prices exactly."""
        answer = self.answer
        if answer is None or answer.design != self.design:
            return None
        slow = answer.demand.bidders > _QUICK
        return Job("draw", lambda progress: Drawn(answer.design, tuple(answer.draw() for _ in range(many))), slow)

    # What is shown -----------------------------------------------------------------------------------------------------

    def _show_bids(self, source: Source, design: AuctionDesign) -> None:
        self._inputs.show_bids(source, design)

    def _show_answer(
        self,
        answer: AuctionOutcome,
        drawn: Drawn | None,
        before: AuctionOutcome | None,
        view: str,
        bidder: int,
        says: Any,
        whole: bool,
    ) -> None:
        card = self._card
        self._set_blank(False)
        card.whole.setChecked(whole)
        card.most.setChecked(bidder < 0)
        panels = _by_key(answer.panels_in(self.view))
        told = chosen(answer, self.view)
        if told is not None and "bids" in panels:
            gain = translated(gain_words(answer, told))
            panels["bids"] = replace(panels["bids"], spoken=f"{translated(sentence(answer, told))} {gain}")
        prices = drawn.prices if drawn is not None and drawn.design == answer.design else ()
        behind = {} if before is None else _by_key(before.panels_in(self.view))
        card.show_panels(panels, prices, behind, self._inputs.place, says is not None)
        card.sentence.say(view, translated(sentence(answer, told, prices)))
        self._results.show_lying(panels.get("lying"), translated(gain_words(answer, told)))

    def _show_results(self, answer: AuctionOutcome, design: AuctionDesign) -> None:
        self._results.earns.show_ranking(earnings(answer))
        self._results.show_against(epsilon_plot(answer), design)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control; without a cap there is nothing to draw."""
        super().show_failure(name, error)
        if name == "solve" and (self._blank or (self.design is not None and self.design.cap == "")):
            self._set_blank(True)

    def _set_blank(self, on: bool) -> None:
        """Show nothing, as nothing was shown yet or there is no cap."""
        self._blank = on
        self._card.set_blank(on)
        self._results.set_blank(on)

    def sentences(self, answer: AuctionOutcome) -> Sequence[str]:
        """Return what the price earns and what lying gains."""
        return headlines(answer)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        return guiding.stops(self._inputs, self._card, self._results)

    # What is asked -----------------------------------------------------------------------------------------------------

    @Slot()
    def _take_most(self) -> None:
        self.look(bidder=-1, says=None)
        self._card.most.setChecked(True)

    def _drag(self, final: bool, target: str, value: Mapping[str, Any]) -> None:
        """Look at another bidder or lie, or ask for another bid; the bids are part of the design then."""
        if target == "view":
            self._before = None if final else self._before or dict(self.view)
            self.look(**value)
            return
        self.view.update(says=None)
        self._inputs.ask(self.tr("Change a bid") if final else "", lambda design: design.replace(**value))

    @Slot(str)
    def _give_up(self, target: str) -> None:
        """Take back what a drag has changed."""
        before, self._before = self._before, None
        if target != "view":
            self.previewCancelled.emit()
        elif before is not None:
            self.look(bidder=before["bidder"], says=before["says"])

    @Slot(str)
    def _press(self, action: str) -> None:
        """Do what a key of the strips means."""
        if action == "most":
            self._take_most()
        elif action == "draw":
            self.draw_once()
        elif action == "whole":
            self.look(whole=not self.view["whole"])
        else:
            self.look(says=None)

    # Taking away -------------------------------------------------------------------------------------------------------

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a portrait of the design's own answer."""
        outcome: Any = run(study)
        return portrait(study, outcome)

    def selected_text(self) -> str:
        """Return the first plot of the open view that may leave the window, as a table."""
        tables = [table for figure in self.figures() if (table := as_table(figure.shown)) is not None]  # type: ignore[arg-type]
        return "\n".join("\t".join(row) for row in tables[0].as_rows()) if tables else ""

    def views(self) -> Sequence[str]:
        """Return the keys of the views."""
        return tuple(view.key for view in AuctionDesign.views)

    def figures(self) -> Sequence[Figure]:
        """Return the plots of the open view, lying and the bars; none of secret bids, since each is computed from them."""
        if self.answer is None or not self.answer.design.bids_public:
            return ()
        wanted = next(view.panels for view in AuctionDesign.views if view.key == self._card.view)
        figures = []
        for panel in self.answer.panels_in(self.view):
            if isinstance(panel, Earnings):
                figures.append(Figure(panel.key, translated(panel.title), panel))
            elif isinstance(panel, Plot) and panel.key in (*wanted, "lying") and panel.public().lines:
                plot = self._card.strips.plots.get(panel.key)
                figures.append(Figure(panel.key, translated(panel.title), panel, None if plot is None else plot.figure().size()))
        return figures

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what is open and which bidder is looked at."""
        bidder, says, view = state.get("bidder", -1), state.get("says"), state.get("view")
        self.view["bidder"] = bidder if isinstance(bidder, int) and not isinstance(bidder, bool) else -1
        self.view["says"] = float(says) if isinstance(says, int | float) else None
        self.view["whole"] = bool(state.get("whole", False))
        self.look(**({"view": view} if view in self.views() else {}))


def _by_key(panels: Sequence[Any]) -> dict[str, Any]:
    return {panel.key: panel for panel in panels}
