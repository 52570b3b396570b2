"""The pictures of an auction: what a price earns, what is bid, which price is drawn, what one bidder can do to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.auction.demand import Demand
from dpdesigner.core.auction.misreporting import saying
from dpdesigner.core.auction.price import swept
from dpdesigner.core.numbers.rounding import at_most, figure, grouped, rounded_down, significant
from dpdesigner.messages import message
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.auction.numbers import AuctionNumbers
from dpdesigner.studies.auction.words import NOTHING, money, money_earned
from dpdesigner.studies.base import Panel
from dpdesigner.studies.panels import Axis, Band, Drag, Handle, Line, Mark, Plot, Select
from dpdesigner.studies.table_panels import Rank, Ranking

_PLACES = 240  # along a curve
_LEVELS = 121  # of a revenue
_ABOVE, _ROOM = 1.3, 2.2  # where the bidder looked at is, above the others, and where the picture ends, above a text
_MANY = 2000  # bids, or places of bids along the axis
_DIGITS, _STEP = 3, 0.01  # of a price said with the mouse; of the cap, for one press of an arrow key
_SURE = 0.999  # a revenue that is so sure is the left end
_TALLEST = 3.0  # times the highest surplus, up to which the limit is in the picture


@dataclass(frozen=True)
class Misreport:
    """Which bidder is looked at, and the price said instead of the truth, in caps; None: the truth."""

    bidder: int
    says: float | None


def chosen(numbers: AuctionNumbers, view: Mapping[str, Any]) -> Misreport | None:
    """Return the bidder of a view; without one whom lying gains most, and None where there is nobody."""
    number, says = view.get("bidder"), view.get("says")
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < numbers.demand.bidders:
        return Misreport(number, float(says) / numbers.cap if isinstance(says, int | float) else None)
    return None if numbers.most is None else Misreport(numbers.most.bidder, numbers.most.said)


def panels(numbers: AuctionNumbers, view: Mapping[str, Any]) -> Sequence[Panel]:
    """Return the pictures of a ``view``, or of all; ``bidder`` ``says`` so much money, ``whole``: prices from 0 to the cap."""
    told, opened = chosen(numbers, view), view.get("view")
    limits = shown_prices(numbers, bool(view.get("whole")))
    plots: list[Plot | None] = [lying(numbers, told)]
    if opened in (None, "price"):
        plots = [
            revenue(numbers, limits),
            bids(numbers, limits, told),
            density(numbers, limits),
            ratio(numbers, limits, told),
            *plots,
        ]
    others = {"drawn": drawn, "epsilon": epsilon_plot, "demand": demand}
    plots += [make(numbers) for key, make in others.items() if opened in (None, key)]
    return (*(plot for plot in plots if plot is not None), earnings(numbers))


def shown_prices(numbers: AuctionNumbers, whole: bool = False) -> tuple[float, float]:
    """Return the ends of the price axis: about those where prices are drawn, or 0 and the cap."""
    low, high = (numbers.price.quantile(share) for share in (0.05, 0.95))
    room = max(1.1 * (high - low), 0.02)
    return (0.0, numbers.cap) if whole else (numbers.cap * max(low - room, 0), numbers.cap * min(high + room, 1))


def _axis(numbers: AuctionNumbers, limits: tuple[float, float] | None) -> Axis:
    return Axis(message("price"), numbers.design.unit, limits=limits)


def _sawtooth(numbers: AuctionNumbers, extra: Floats) -> tuple[Floats, Floats]:
    """The ends of all pieces, in caps, those at the left just above, where the revenue has fallen; and the revenue there."""
    revenue = numbers.price.revenue.refined(extra)
    lows = revenue.level + revenue.slope * revenue.edges[:-1]
    places = np.append(0.0, np.nextafter(revenue.edges[1:-1], 1))
    return np.column_stack((places, revenue.edges[1:])).ravel(), np.column_stack((lows, revenue.tops)).ravel()


def revenue(numbers: AuctionNumbers, limits: tuple[float, float]) -> Plot:
    """What a price would earn, with OPT, the expected revenue and the promise."""
    cap, secret, ends = numbers.cap, not numbers.design.bids_public, np.array([0.0, numbers.cap])
    x, y = _sawtooth(numbers, np.zeros(0))
    level = numbers.expected_revenue
    lines = [
        Line(cap * x, cap * y, message("revenue"), secret=secret),
        Line(ends, np.full(2, level), message("expected {value}", value=money_earned(level)), dashed=True),
    ]
    if numbers.bound > 0:
        words = message("promised {value}", value=money_earned(numbers.bound))
        lines.append(Line(ends, np.full(2, numbers.bound), words, "rival", dashed=True))
    opt = message("OPT {value} at {price}", value=money(numbers.optimum), price=money(numbers.best_price, numbers.design.unit))
    marks = (Mark(numbers.best_price, numbers.optimum, opt, "truth", secret=secret),) if numbers.optimum > 0 else ()
    title, prices = message("What a price would earn"), _axis(numbers, limits)
    earned = Axis(message("revenue"), numbers.design.unit, limits=(0, 1.16 * numbers.optimum or 1))
    bands, hint = (_nine_in_ten(numbers),), message("revenue against price")
    return Plot("revenue", title, prices, earned, tuple(lines), marks, bands, hint=hint)


def _nine_in_ten(numbers: AuctionNumbers, words: bool = True) -> Band:
    low, high = (numbers.cap * numbers.price.quantile(share) for share in (0.05, 0.95))
    text = message("9 prices in 10: {low} to {high}", low=money(low), high=money(high))
    return Band(low, high, text if words else "", "main")


def bids(numbers: AuctionNumbers, limits: tuple[float, float], told: Misreport | None) -> Plot:
    """What they bid: an upright line a bidder, the one that is looked at in colour, and a dot at what is said."""
    true, secret = np.minimum(numbers.source.worths, numbers.cap), not numbers.design.bids_public
    bidders = np.argsort(true, kind="stable")
    if len(true) > _MANY:  # one of those that would be painted over each other
        bidders = bidders[np.unique(np.floor(true[bidders] / numbers.cap * _MANY), return_index=True)[1]]
    worths, lines = true[bidders], list[Line]()
    if len(worths):
        select = Select("view", partial(_taken, bidders), partial(_bidder_words, numbers, bidders))
        drags = _drags(numbers, bidders)
        lines = [Line(worths, np.ones(len(worths)), "", "aid", spikes=True, secret=secret, drags=drags, select=select)]
    marks: tuple[Mark, ...] = ()
    if told is not None:
        worth = float(min(numbers.source.worths[told.bidder], numbers.cap))
        says = min(worth if told.says is None else told.says * numbers.cap, numbers.cap)
        ends = np.array([min(says, worth), max(says, worth)])
        lines.insert(0, Line(np.array([worth]), np.full(1, _ABOVE), "", "bound", spikes=True, secret=secret))
        lines.insert(1, Line(ends, np.full(2, _ABOVE), "", "bound", secret=secret))
        own = np.array([told.bidder])
        lines.insert(
            0, Line(np.array([says]), np.full(1, _ABOVE), "", "bound", dots=True, secret=True, drags=_drags(numbers, own))
        )
        marks = (Mark(says, _ABOVE, message("says {price}", price=money(says)), "bound", secret=secret),)
    x, nine = _axis(numbers, limits), _nine_in_ten(numbers, False)
    at = -1 if told is None else int(np.argmin(np.abs(worths - worth)))
    if told is not None and (same := np.flatnonzero(bidders == told.bidder)).size:
        at = int(same[0])
    y, hint = Axis(limits=(0, _ROOM)), message("one line a bidder · drag any of them")
    return Plot("bids", message("What they bid"), x, y, tuple(lines), marks, (nine,), selected=at, hint=hint)


def _taken(bidders: NDArray[np.intp], which: int) -> dict[str, Any]:
    return {"bidder": int(bidders[which]), "says": None}


def _bidder_words(numbers: AuctionNumbers, bidders: NDArray[np.intp], which: int) -> str:
    worth = f"{min(numbers.source.worths[bidders[which]], numbers.cap):.4g}"
    return message("bidder {number}, worth {worth}", number=int(bidders[which]) + 1, worth=worth)


def _drags(numbers: AuctionNumbers, bidders: NDArray[np.intp]) -> tuple[Drag, ...]:
    """What a bidder says, and where all bid for one item the truth too."""

    def put(values: Floats, which: int, where: float) -> Floats:
        after = values.copy()
        after[which] = float(f"{min(max(where, 0.0), numbers.cap):.{_DIGITS}g}")
        return after

    def saying(values: Floats, which: int) -> dict[str, Any]:
        return {"bidder": int(bidders[which]), "says": float(values[which])}

    def true(values: Floats, which: int) -> dict[str, Any]:
        worths, given, bidder = numbers.source.worths, numbers.design.bids, int(bidders[which])
        before = given if len(given) == len(worths) else tuple(worths.tolist())
        return {"bids": (*before[:bidder], float(values[which]), *before[bidder + 1 :])}

    step = _STEP * numbers.cap
    says = Drag("view", put, saying, message("Lie about a bid"), step)
    return (says, Drag("design", put, true, message("Change a bid"), step)) if numbers.design.single else (says,)


def density(numbers: AuctionNumbers, limits: tuple[float, float]) -> Plot:
    """Which price is drawn."""
    places = np.linspace(max(limits[0] / numbers.cap, 0), min(limits[1] / numbers.cap, 1), _PLACES)
    x, y = _sawtooth(numbers, places)
    heights = np.exp(numbers.price.epsilon * y - numbers.price.log_total) / numbers.cap
    line = Line(numbers.cap * x, heights, "", low=np.zeros_like(x), high=heights, secret=not numbers.design.bids_public)
    title = message("Which price is drawn")
    nine, hint = (_nine_in_ten(numbers, False),), message("density ∝ exp(ε · revenue / cap)")
    return Plot("density", title, _axis(numbers, limits), Axis(message("density")), (line,), bands=nine, hint=hint)


def reported_demand(numbers: AuctionNumbers, told: Misreport) -> Demand:
    """Return what a bidder says: the truth, or the lie of a view."""
    return numbers.bidder(told.bidder).own if told.says is None else saying([told.says], numbers.design.single)


def ratio(numbers: AuctionNumbers, limits: tuple[float, float], told: Misreport | None) -> Plot | None:
    """What one bidder can do to the density: ln of the ratio, never outside of the band."""
    if told is None:
        return None
    bidder, lie, secret = numbers.bidder(told.bidder), reported_demand(numbers, told), not numbers.design.bids_public
    edges = np.union1d(lie.revenue.edges, bidder.own.revenue.edges)
    edges = np.union1d(edges, np.linspace(0, 1, 41))
    x = np.unique(np.concatenate([edges, np.maximum(np.nextafter(edges[:-1], 1), 1e-9)]))
    line = Line(numbers.cap * x, bidder.log_ratio(lie, x), "", "bound", secret=secret)
    most = numbers.epsilon
    words = message("never outside of ±{limit}", limit=at_most(most))
    return Plot(
        "ratio",
        message("What bidder {number} can do to it", number=told.bidder + 1),
        _axis(numbers, limits),
        Axis(message("ln ratio"), limits=(-1.15 * most, 1.15 * most)),
        (line,),
        bands=(Band(-most, most, words, proved=True, along="y"),),
        hint=message("ln ratio of the densities"),
    )


def lying(numbers: AuctionNumbers, told: Misreport | None) -> Plot | None:
    """The expected surplus of a bidder against what is said, the truth, and the limit."""
    if told is None:
        return None
    bidder, cap, unit, secret = numbers.bidder(told.bidder), numbers.cap, numbers.design.unit, not numbers.design.bids_public
    worth = float(min(bidder.own.top, 1.0))
    places = np.union1d(np.linspace(0, 1, _PLACES), [worth, min(1.0 if told.says is None else told.says, 1.0)])
    surplus = cap * bidder.along(places)
    truth = cap * bidder.truth
    lines = [Line(cap * places, surplus, message("expected surplus"), secret=secret)]
    limit, top = truth * (1 + numbers.limit), float(surplus.max())
    words = message("proved limit: {times} times as much", times=figure(1 + numbers.limit, 3))
    under = () if limit <= _TALLEST * top else (message("{words}, above the picture", words=words),)
    if not under:
        name = message("proved limit: {times} times", times=figure(1 + numbers.limit, 3))
        lines.append(Line(np.array([0, cap]), np.full(2, limit), name, "bound", proved=True, dashed=True, secret=secret))
        top = limit
    marks = [Mark(cap * worth, truth, message("truth {value}", value=money(truth)), "truth", secret=secret)]
    if told.says is not None:
        brings = cap * bidder.surplus(reported_demand(numbers, told))
        marks.append(Mark(cap * min(told.says, 1.0), brings, message("lie {value}", value=money(brings)), "bound", secret=secret))
    x = message("what is said") if numbers.design.single else message("takes all that counts up to")
    low = max(min(truth - 2 * (top - truth), float(surplus.min())), 0.0)
    y = Axis(message("expected surplus"), unit, limits=(low, top + 0.3 * (top - low) or 1.0))
    return Plot("lying", message("Does lying pay?"), Axis(x, unit, limits=(0, cap)), y, tuple(lines), tuple(marks), under=under)


def drawn(numbers: AuctionNumbers) -> Plot:
    """How likely the price drawn earns at least so much."""
    levels = np.linspace(0, numbers.price.revenue.optimum, _LEVELS)
    chance = numbers.price.chances(levels)
    line = Line(
        numbers.cap * levels, 100 * chance, message("chance to earn at least this"), secret=not numbers.design.bids_public
    )
    at, words = numbers.expected_revenue, message("expected {value}", value=money_earned(numbers.expected_revenue))
    first = float(levels[max(int((chance > _SURE).sum()) - 2, 0)])
    ends = (numbers.cap * first, numbers.cap * float(levels[-1]) or 1.0)
    x, y = Axis(message("revenue"), numbers.design.unit, limits=ends), Axis(message("chance"), "%", limits=(0, 105))
    return Plot("drawn", message("What the price drawn earns"), x, y, (line,), (Mark(at, line.at(at), words),))


def epsilon_plot(numbers: AuctionNumbers) -> Plot:
    """Expected revenue and promise against epsilon."""
    epsilons, earned, promised = swept(numbers.demand.revenue)
    lines = [Line(epsilons, numbers.cap * earned, message("expected"))]
    some = promised > 0
    if some.any():
        lines.append(Line(epsilons[some], numbers.cap * promised[some], message("promised"), "rival", dashed=True))
    at = min(max(numbers.design.epsilon, 1e-3), 1e3)
    handle = Handle(at, message("ε = {epsilon}", epsilon=figure(numbers.design.epsilon, 4)), "epsilon")
    under = (
        ""
        if some.all() or not some.any()
        else message("Below ε = {least} nothing is promised.", least=significant(epsilons[some][0], 2))
    )
    y = Axis(message("revenue"), numbers.design.unit, limits=(0, 1.04 * max(float(lines[0].y.max()), 1e-9)))
    x = Axis("ε", scale="log", limits=(0.01, 10))
    return Plot("against", message("Revenue against ε"), x, y, tuple(lines), handles=(handle,), under=(under,) if under else ())


def demand(numbers: AuctionNumbers) -> Plot:
    """How many items are bought at each price."""
    return bought(numbers.demand, numbers.cap, numbers.design, (0.0, numbers.cap))


def bought(wanted: Demand, cap: float, design: AuctionDesign, limits: tuple[float, float]) -> Plot:
    """How many items are bought at each price, as a staircase."""
    edges = np.unique(np.concatenate([wanted.low, wanted.high, np.array(limits) / cap]))
    edges = edges[edges <= limits[1] / cap]
    heights = np.append(wanted.bought(edges[1:]), 0.0)
    x, y = Axis(message("price"), design.unit, limits=limits), message("buyers") if design.single else message("items bought")
    line = Line(cap * edges, heights, "", low=np.zeros(len(edges)), high=heights, steps=True, secret=not design.bids_public)
    return Plot("demand", message("Who would buy"), x, Axis(y, limits=(0, 1.04 * max(float(heights.max()), 1.0))), (line,))


@dataclass(frozen=True)
class Earnings(Ranking):
    """What is earned, as bars: more is better, in percent of the first."""

    def value_text(self, row: Rank) -> str:
        """Return what is earned, rounded down, OPT to the nearest, or that nothing is promised."""
        if row.value is None or row.value < 0:
            return NOTHING
        if row.key == "optimum":
            return money(row.value)
        return grouped(math.floor(row.value)) if row.value >= 10_000 else f"{rounded_down(row.value, 4):g}"

    def excess_text(self, row: Rank) -> str:
        """Return it in percent of the first."""
        first = self.rows[0].value
        return "" if not first or row.value is None or row.value < 0 else f"{rounded_down(100 * row.value / first, 3):.1f} %"


def earnings(numbers: AuctionNumbers) -> Earnings:
    """OPT, this price, the promise, and a price drawn blindly."""
    rows = (
        Rank(message("If every bid could be used · OPT"), numbers.optimum, "rival", key="optimum"),
        Rank(message("This price, on average"), numbers.expected_revenue, key="value"),
        Rank(
            message("Promised by the theorem · [Notes] 1.7"),
            max(numbers.bound, -0.0) if numbers.bound > 0 else None,
            "rival",
            True,
            "bound",
        ),
        Rank(message("A price drawn blindly · bids ignored"), numbers.blind, "rival", key="blind"),
    )
    return Earnings("earnings", message("What it earns"), rows)
