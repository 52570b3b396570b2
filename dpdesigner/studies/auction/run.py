"""Run an auction design, and its panels: revenue by price, bids, the density of the price, and misreports."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import at_most, brief, figure, group_thousands, rounded_down, rounded_up
from dpdesigner.core.choice.demand import Demand
from dpdesigner.core.choice.price import Price, least_promising, swept
from dpdesigner.messages import message
from dpdesigner.studies.auction.answer import AuctionAnswer, Misreport, choosing, first_price, money, money_earned, part_of
from dpdesigner.studies.auction.design import AuctionDesign, Drawn, demand_of, drawn_earlier, single_prices, source_of
from dpdesigner.studies.panels import Fold, Plot, Strips, behind, landed
from dpdesigner.studies.plot_parts import Axis, Band, Drag, Landing, Line, Mark, Select, epsilon_handle, tallied
from dpdesigner.studies.snapshot import Look, Maker, Waiting
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking, Sentence

_ROOMS = {"revenue": 20, "bids": 6, "density": 20, "ratio": 8, "four": 14}  # relative heights of the strips
_MOST_BARS = 24  # of many prices
_NEAR = 100  # a bid dropped within this part of the visible prices from the true value is the truth
_KEYS = {"M": "most", "Space": "draw", "W": "whole"}
_PLACES = 240  # along a curve
_BINS, _JUMPS = 80, 20  # steps of the distribution of the price; jumps from which a picture has them
_LEVELS = 121  # revenue levels
_ABOVE, _ROOM = 1.3, 1.8  # height of the selected bidder, relative to the others, and of the plot, with room for a text
_MANY = 2000  # bids, or places of bids along the axis
_DIGITS, _STEP = 3, 0.01  # digits of a price chosen with the mouse; step of the cap per press of an arrow key
_SURE = 0.999  # the axis starts at a revenue of about this probability
_TALLEST = 3.0  # times the highest surplus, up to which tables have the limit
_USELESS = 1000.0  # percent: a limit above it says nothing of use
_SAME = 5e-9  # a smaller gain counts as none
_FAR_BETTER = 1.5  # times the lower bound: from there on these bids do far better


def chosen(answer: AuctionAnswer, view: Mapping[str, Any]) -> tuple[int, float | None] | None:
    """Return the view's bidder and reported price in money; by default the bidder who gains most by lying, None if nobody."""
    number, says = view.get("bidder"), view.get("says")
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < answer.demand.bidders:
        return number, float(says) if isinstance(says, int | float) else None
    if answer.most is None or answer.most.said is None:
        return None
    return answer.most.bidder, answer.most.said * answer.cap


def told(look: Look) -> Misreport | None:
    """Return the effect of the chosen bidder's report; None if there is no bidder, or until a job has computed it."""
    answer, at = look.answer, chosen(look.answer, look.view)
    if at is None or look.view["bidder"] < 0 or look.view["bidder"] >= answer.demand.bidders:
        return answer.most if at is not None else None
    found: Misreport | None = _worked_out(answer, *at) if answer.quick else look.done("misreport")
    return found


@lru_cache(maxsize=4)
def _worked_out(answer: AuctionAnswer, bidder: int, says: float | None) -> Misreport:
    return answer.misreport(bidder, says)


def price(look: Look) -> Strips:
    """The plots over prices: revenue, bids, the distribution of the price, and the influence of one bidder."""
    answer, at = look.answer, chosen(look.answer, look.view)
    limits = shown_prices(answer, bool(look.view["whole"]))
    lie, draws = told(look), look.done("draw")
    earned, likely = _of_everybody(answer, bool(look.view["whole"]), _JUMPS if "view" in look.view else _BINS)
    fold = None
    plots = [earned, replace(bids(answer, limits, at), spoken=told_words(answer, at, lie), room=_ROOMS["bids"]), likely]
    if at is not None:
        shown = look.last("misreport") if lie is None else lie  # until it is computed, that of another bid
        plots.append(replace(ratio(answer, limits, at[0], shown, shown is not lie), room=_ROOMS["ratio"]))
        fold = Fold(message("Influence of one bidder"), 1, "view.influence", bool(look.view["influence"]))
        if fold.opened:  # all have to fit
            plots[0], plots[2] = replace(earned, room=_ROOMS["four"]), replace(likely, room=_ROOMS["four"])
    before = look.before
    if before is not None and before.design.unit == answer.design.unit:
        ends = shown_prices(before, bool(look.view["whole"]))
        plots = [behind(plot, _BEHIND[plot.key](before, ends)) if plot.key in _BEHIND else plot for plot in plots]
    single = single_prices(look.last("draw") or (), answer.design)
    plots = [with_drawn(plot, draws[-1].prices if draws else (), single, answer) for plot in plots]
    truth = {} if look.view["says"] is None else {"Esc": "truth"}
    return Strips("price", message("Price"), tuple(plots), 0, _KEYS | truth, fold)


@lru_cache(maxsize=4)
def _of_everybody(answer: AuctionAnswer, whole: bool, most: int) -> tuple[Plot, Plot]:
    """Return the plots that do not depend on the selected bidder and need no repainting while a lie is dragged."""
    limits = shown_prices(answer, whole)
    first, second = revenue(answer, limits), density(answer, limits, most)
    return replace(first, room=_ROOMS["revenue"]), replace(second, room=_ROOMS["density"])


def with_drawn(plot: Plot, newest: tuple[float, ...], single: Sequence[Drawn], answer: AuctionAnswer) -> Plot:
    """Return a plot with the price to announce, and paler the later ones; many are bars."""
    if plot.key not in ("revenue", "density") or not plot.lines:
        return plot
    if len(newest) > 1 and plot.key == "density":
        low, high = plot.x.limits or (0.0, float(plot.lines[0].x[-1]))
        edges = np.linspace(low, high, _MOST_BARS + 1)
        plot = landed(plot, tallied(newest, edges, np.diff(edges), newest))
    if not single or single[0].prices[0] > answer.cap:
        return plot
    (first, *others), secret, unit = [each.prices[0] for each in single], not answer.design.bids_public, answer.design.unit
    earned = plot.lines[0].at(first)
    words = message("drawn {price}") if single[0].again else message("announce {price}")
    told = {"price": money(first, unit), "sum": money(earned, unit)}
    text = message("{price} earns {sum}", **told) if plot.key == "revenue" else message(words, **told)
    later = tuple(Mark(price, plot.lines[0].at(price), "", "before", secret=secret) for price in others if price <= answer.cap)
    if len(newest) != 1:
        return replace(plot, marks=(*plot.marks, *later, Mark(first, earned, text, secret=secret)))
    lines = (plot.lines[0], *(replace(line, short=" ") for line in plot.lines[1:2]), *plot.lines[2:])  # no name below it
    landing = Landing((first,), (earned,), text, single[0].prices)
    return replace(plot, lines=lines, marks=(*plot.marks, *later), landing=landing)


def shown_prices(answer: AuctionAnswer, whole: bool = False) -> tuple[float, float]:
    """Return the limits of the price axis: about the range in which prices are drawn, or 0 and the cap."""
    low, high = (answer.price.quantile(share) for share in (0.05, 0.95))
    room = max(1.1 * (high - low), 0.02)
    return (0.0, answer.cap) if whole else (answer.cap * max(low - room, 0), answer.cap * min(high + room, 1))


def _axis(answer: AuctionAnswer, limits: tuple[float, float] | None) -> Axis:
    return Axis(message("price"), answer.design.unit, limits=limits)


def revenue(answer: AuctionAnswer, limits: tuple[float, float]) -> Plot:
    """Plot the revenue of each price, with OPT, the expected revenue and the lower bound."""
    cap, secret, ends = answer.cap, not answer.design.bids_public, np.array([0.0, answer.cap])
    x, y = answer.price.earned.corners
    level = answer.expected_revenue
    value, less = money_earned(level), _lost(answer.optimum - level)  # from 0, the two are hardly told apart
    gap = message("expected {value}, {less} less", value=value, less=less)
    lines = [
        Line(cap * x, cap * y, message("revenue"), secret=secret, short=" "),  # the title names it
        Line(ends, np.full(2, level), message("expected {value}", value=value), dashed=True, short=gap, name_has_value=True),
    ]
    if answer.bound > 0:
        value = money_earned(answer.bound)
        short = message("at least {value}", value=value)
        words = message("bound {value}", value=value)
        lines.append(Line(ends, np.full(2, answer.bound), words, "rival", dashed=True, short=short, name_has_value=True))
    opt = message("best {value} at {price}", value=money(answer.optimum), price=answer.sold_at)
    marks = (Mark(answer.best_price, answer.optimum, opt, "truth", secret=secret),) if answer.optimum > 0 else ()
    title, prices, told = message("Revenue of each price"), _axis(answer, limits), message("if nobody lies")
    nine = replace(_nine_in_ten(answer), text=message("90% of prices"))
    earned = Axis(message("revenue"), answer.design.unit, limits=(0, 1.25 * answer.optimum or 1))
    return Plot("revenue", title, prices, earned, tuple(lines), marks, (nine,), hint=told)


def _nine_in_ten(answer: AuctionAnswer) -> Band:
    low, high = (answer.cap * answer.price.quantile(share) for share in (0.05, 0.95))
    return Band(low, high, role="main")


def bids(answer: AuctionAnswer, limits: tuple[float, float], at: tuple[int, float | None] | None) -> Plot:
    """Plot the bids: one upright line per bidder, the selected one in colour, with a dot at the reported bid."""
    true, secret = np.minimum(answer.source.worths, answer.cap), not answer.design.bids_public
    bidders, near = np.argsort(true, kind="stable"), min((limits[1] - limits[0]) / _NEAR, _STEP * answer.cap / 2)
    if len(true) > _MANY:  # keep one of those that would be drawn on top of each other
        bidders = bidders[np.unique(np.floor(true[bidders] / answer.cap * _MANY), return_index=True)[1]]
    worths, lines = true[bidders], list[Line]()
    if len(worths):
        take = lambda which: {"bidder": int(bidders[which]), "says": None}  # noqa: E731
        select = Select("view", take, partial(_bidder_words, answer, bidders))
        drags = _drags(answer, bidders, near)
        lines = [Line(worths, np.ones(len(worths)), "", "aid", spikes=True, secret=secret, drags=drags, select=select)]
    marks, selected = tuple[Mark, ...](), -1
    if at is not None:
        bidder, worth = at[0], float(true[at[0]])
        says = min(worth if at[1] is None else at[1], answer.cap)
        ends = np.array([min(says, worth), max(says, worth)])
        lines.insert(0, Line(np.array([worth]), np.full(1, _ABOVE), "", "bound", spikes=True, secret=secret))
        lines.insert(1, Line(ends, np.full(2, _ABOVE), "", "bound", secret=secret))
        dot, own = np.array([says]), _drags(answer, np.array([bidder]), near)
        lines.insert(0, Line(dot, np.full(1, _ABOVE), "", "bound", dots=True, secret=True, drags=own))
        told = message("tells the truth") if at[1] is None else message("bids {price}", price=money(says))
        marks = (Mark(says, _ABOVE, told, "bound", secret=secret),)
        same = np.flatnonzero(bidders == bidder)
        selected = int(same[0]) if same.size else int(np.argmin(np.abs(worths - worth)))
    x, nine = _axis(answer, limits), _nine_in_ten(answer)
    y = Axis(limits=(0, _ROOM))
    seen, many = (group_thousands(each) for each in (int(((limits[0] <= true) & (true <= limits[1])).sum()), len(true)))
    hint = "" if seen == many else message("{seen} of {many}", seen=seen, many=many)  # others are beyond the axis
    return Plot("bids", message("The bids"), x, y, tuple(lines), marks, (nine,), selected=selected, hint=hint)


def _bidder_words(answer: AuctionAnswer, bidders: NDArray[np.intp], which: int) -> str:
    worth = f"{min(answer.source.worths[bidders[which]], answer.cap):.4g}"
    return message("{bidder}, worth {worth}", bidder=answer.source.named(int(bidders[which])), worth=worth)


def _drags(answer: AuctionAnswer, bidders: NDArray[np.intp], near: float) -> tuple[Drag, ...]:
    """The draggable bids, of which one dropped this near the true value is the truth; true values where all bid for one item."""

    def put(values: Floats, which: int, where: float) -> Floats:
        after = values.copy()
        after[which] = float(f"{min(max(where, 0.0), answer.cap):.{_DIGITS}g}")
        return after

    def say(values: Floats, which: int, where: float) -> Floats:
        after, worth = put(values, which, where), min(float(answer.source.worths[bidders[which]]), answer.cap)
        after[which] = worth if abs(where - worth) <= near else after[which]
        return after

    def saying(values: Floats, which: int) -> dict[str, Any]:
        says, worth = float(values[which]), min(float(answer.source.worths[bidders[which]]), answer.cap)
        return {"bidder": int(bidders[which]), "says": None if says == worth else says}

    def true(values: Floats, which: int) -> dict[str, Any]:
        worths, given, bidder = answer.source.worths, answer.design.bids, int(bidders[which])
        before = given if len(given) == len(worths) else tuple(worths.tolist())
        return {"bids": (*before[:bidder], float(values[which]), *before[bidder + 1 :])}

    step = _STEP * answer.cap
    says = Drag("view", say, saying, message("Misreport a bid"), step, cue=message("drag a bid"))
    if not answer.design.single or answer.design.of_secret_file:  # the other bids would be copied into the design
        return (says,)
    return says, Drag("design", put, true, message("Change a bid"), step)


def density(answer: AuctionAnswer, limits: tuple[float, float], most: int = _JUMPS) -> Plot:
    """The density of the price; in steps where it has more jumps than `most`, fewer in pictures than in tables."""
    secret, title = not answer.design.bids_public, message("Distribution of the price")
    nine = (_nine_in_ten(answer),)
    low, high = max(limits[0], 0.0), min(limits[1], answer.cap)
    edges = answer.cap * answer.price.revenue.edges
    if ((edges > low) & (edges < high)).sum() > most:  # as many jumps would be a blur
        power = 10.0 ** math.floor(math.log10((high - low) / _BINS))
        steps = (float(f"{digit * power:.6g}") for digit in (1, 2, 5, 10, 20))
        step = next(step for step in steps if (high - low) / step <= _BINS)
        x = np.append(np.arange(0.0, answer.cap * (1 - 1e-9), step), answer.cap)
        heights = np.maximum(np.diff(answer.price.below(x / answer.cap)), 0.0) / np.diff(x)
        heights = np.append(heights, heights[-1])
        line = Line(x, heights, "", low=np.zeros_like(x), high=heights, secret=secret, steps=True)
    else:
        x, y = answer.price.revenue.refined(np.linspace(low / answer.cap, high / answer.cap, _PLACES)).corners
        heights = np.exp(answer.price.epsilon * y - answer.price.log_total) / answer.cap
        line = Line(answer.cap * x, heights, "", low=np.zeros_like(x), high=heights, secret=secret)
    return Plot("density", title, _axis(answer, limits), Axis(message("density"), ticks=()), (line,), bands=nine)


def ratio(answer: AuctionAnswer, limits: tuple[float, float], bidder: int, lie: Misreport | None, late: bool = False) -> Plot:
    """The influence of one bidder on the density: ln of the ratio, always within the band; a late one is of another bid."""
    secret, most = not answer.design.bids_public, answer.epsilon
    lines: tuple[Line, ...] = ()
    if lie is not None and lie.bidder == bidder:
        x, y = lie.ratio
        lines = (Line(answer.cap * x, y, "", "before" if late else "bound", secret=secret),)
    limit = message("ε") if answer.design.single else message("2ε")
    ticks = (most, f"+{limit}"), (0.0, "0"), (-most, f"−{limit}")
    title = message("Influence of {bidder}", bidder=answer.source.named(bidder))
    logs = Axis(message("ln ratio"), limits=(-1.15 * most, 1.15 * most), ticks=ticks)
    band, hint = Band(-most, most, role="main", along="y"), message("ln ratio, within ±{limit}", limit=limit)
    return Plot("ratio", title, _axis(answer, limits), logs, lines, bands=(band,), hint=hint)


def lying(look: Look) -> Plot:
    """Plot a bidder's gain over telling the truth, in percent of its expected surplus, against the report; with its limit."""
    answer: AuctionAnswer = look.answer
    lie = told(look)
    if lie is None:
        raise Waiting
    cap, secret, limit = answer.cap, not answer.design.bids_public, 100 * answer.limit
    places, gains = cap * lie.along[0], _gains(lie, lie.along[1])
    low, top = min(float(gains.min()), 0.0), max(float(gains.max()), 0.0)
    low, high = low - 0.08 * (top - low), top + 0.5 * (top - low) or 1.0  # room for the marks
    lines = [Line(places, gains, message("gain"), secret=secret, short=" ")]
    ends, said = np.array([0.0, cap]), lie.top if lie.said is None else lie.said
    marks = [Mark(cap * lie.top, 0.0, message("truth"), "truth", secret=secret)] * answer.design.single
    at, brings = np.array([cap * min(said, 1.0)]), _gains(lie, np.array([lie.truth if lie.said is None else lie.brings]))
    drags = _drags(answer, np.array([lie.bidder]), _STEP * cap / 2)[:1]
    dot = Line(at, brings, "", "truth" if lie.said is None else "bound", dots=True, secret=True, drags=drags)
    if lie.said is not None:
        marks.append(Mark(at[0], brings[0], message("lie"), "bound", secret=secret))
    percent = at_most(limit, 3)
    if 100 + limit <= _TALLEST * (100 + top):
        name, short = message("proved limit: {percent}%", percent=percent), " " * (limit > high)
        line = Line(ends, np.full(2, limit), name, "bound", True, dashed=True, secret=secret, short=short, name_has_value=True)
        lines.append(line)
    proved = "for any bids, a gain of at most {percent}% is proved"
    proved = proved if limit <= _USELESS else "no useful limit on the gain is proved"
    words = "Surplus is value minus price; " + proved + "."
    if not answer.design.single:  # the true curve is none of these claims
        lines.append(Line(ends, np.zeros(2), message("the truth"), "truth", dashed=True, secret=secret))
    label = message("reported bid") if answer.design.single else message("claims to want every item up to")
    prices = [*shown_prices(answer, bool(look.view["whole"])), min(cap * lie.top, cap), float(at[0])]
    x = Axis(label, answer.design.unit, limits=(min(prices), max(prices)))
    y = Axis(message("gain in surplus"), "%", limits=(low, high))
    shown: Mapping[str, Any] = {"under": (message(words, percent=percent),), "hint": gain_words(answer, lie)}
    return Plot("lying", message("Does lying pay?"), x, y, (*lines, dot), tuple(marks), **shown)


def _gains(lie: Misreport, surplus: Floats) -> Floats:
    """Return expected surpluses as gains over that of the truth, in percent of it; 0 where no gain is possible."""
    return 100 * (surplus / lie.truth - 1) if lie.truth > 0 else np.zeros_like(surplus)


def drawn(answer: AuctionAnswer) -> Plot:
    """Plot the probability that the drawn price earns at least a given revenue."""
    levels = np.linspace(0, answer.price.earned.optimum, _LEVELS)
    first = float(levels[max(int((answer.price.chances(levels) > _SURE).sum()) - 2, 0)])
    levels = np.union1d(levels, np.linspace(first, levels[-1], _LEVELS))  # where it falls
    chance = answer.price.chances(levels)
    name = message("probability of earning at least this")
    line = Line(answer.cap * levels, 100 * chance, name, secret=not answer.design.bids_public)
    at, words = answer.expected_revenue, message("expected {value}", value=money_earned(answer.expected_revenue))
    ends = (answer.cap * first, answer.cap * float(levels[-1]) or 1.0)
    x, y = Axis(message("revenue"), answer.design.unit, limits=ends), Axis(message("chance"), "%", limits=(0, 105))
    return Plot("drawn", message("Revenue of the drawn price"), x, y, (line,), (Mark(at, line.at(at), words),))


def epsilon_plot(answer: AuctionAnswer) -> Plot:
    """Plot expected revenue and the lower bound against epsilon."""
    epsilons, earned, promised = swept(answer.demand.revenue, answer.price.paid)
    lines = [Line(epsilons, answer.cap * earned, message("expected"))]
    some, under = promised > 0, ""
    if some.any():
        first, known = epsilons[some], answer.cap * promised[some]
        if not some.all():
            least = least_promising(answer.demand.revenue, float(epsilons[~some][-1]), float(first[0]))
            first, known = np.append(least, first), np.append(0.0, known)
            under = message("Up to ε = {least} the theorem promises nothing.", least=f"{rounded_down(least, 3):g}")
        lines.append(Line(first, known, message("promised"), "rival", dashed=True, short=message("at least")))
    handle = epsilon_handle(answer.design.epsilon, 1e-3, 1e3)
    y = Axis(message("revenue"), answer.design.unit, limits=(0, 1.04 * max(float(lines[0].y.max()), 1e-9)))
    x = Axis("ε", scale="log", limits=(0.01, 10))
    return Plot("against", message("Revenue against ε"), x, y, tuple(lines), handles=(handle,), under=(under,) if under else ())


def demand(answer: AuctionAnswer) -> Plot:
    """Plot the number of items bought at each price, the best price with its revenue, and where the drawn price lies."""
    plot, price = bought(answer.demand, answer.cap, answer.design, (0.0, answer.cap)), answer.best_price
    secret = not answer.design.bids_public
    count = answer.optimum / price if price else 0.0
    best = message("best price {price}: {count} buyers") if answer.design.single else message("best price {price}: {count} items")
    best = message(best, price=answer.sold_at, count=brief(count))
    marks = (Mark(price, count, best, "truth", secret=secret),) if answer.optimum > 0 else ()
    return replace(plot, marks=marks, bands=(replace(_nine_in_ten(answer), secret=secret),), hint=message("blue: 90% of prices"))


def bought(wanted: Demand, cap: float, design: AuctionDesign, limits: tuple[float, float]) -> Plot:
    """Return the number of items bought at each price as a staircase."""
    edges = np.unique(np.concatenate([wanted.low, wanted.high, np.array(limits) / cap]))
    edges = edges[(limits[0] / cap <= edges) & (edges <= limits[1] / cap)]
    heights = np.append(wanted.bought(edges[1:]), 0.0)
    x, y = Axis(message("price"), design.unit, limits=limits), message("buyers") if design.single else message("items bought")
    line = Line(cap * edges, heights, "", low=np.zeros(len(edges)), high=heights, steps=True, secret=not design.bids_public)
    title = message("Bidders who would buy at each price") if design.single else message("Items wanted at each price")
    return Plot("demand", title, x, Axis(y, limits=(0, 1.04 * max(float(heights.max()), 1.0))), (line,))


@dataclass(frozen=True)
class Earnings(Ranking):
    """Bars of revenues, where more is better, in percent of the first."""

    def value_text(self, row: Rank) -> str:
        """Return the revenue, rounded down (OPT to the nearest), or a note that nothing is guaranteed."""
        if row.value is None or row.value < 0:
            return message("nothing at this ε")
        return money(row.value) if row.key in ("optimum", "uncapped") else money_earned(row.value)

    def remark(self, row: Rank) -> str:
        """Return what the lower bound is for, where these bids do far better."""
        drawn = next((each.value for each in self.rows if each.key == "value"), None)
        better = row.key == "bound" and row.value and drawn and drawn >= _FAR_BETTER * row.value
        return message("These bids do far better.") if better else ""

    def excess_text(self, row: Rank) -> str:
        """Return the revenue in percent of the first."""
        first = self.rows[0].value
        if not first or row.value is None or row.value < 0:
            return ""
        return f"{part_of(100 * row.value / first)}%"


def _lost(value: float) -> str:
    return money(math.ceil(value) if value >= 10_000 else float(rounded_up(value, 4)))


def earnings(answer: AuctionAnswer) -> Earnings:
    """Return the best price without the cap and up to it, the drawn price, the lower bound, and a price ignoring the bids."""
    paid = message("Drawn price: privacy costs {cost}", cost=_lost(answer.optimum - answer.expected_revenue))
    sure, least = answer.bound if answer.bound > 0 else None, message("At least, by the theorem")
    best, most = message("Best price up to the cap"), answer.optimum + answer.cap_cost
    if answer.cap_cost > 0:
        best = message("Up to the cap, which costs {cost}", cost=_lost(answer.cap_cost))
    free = Rank(message("Best price without the cap"), most, "rival", key="uncapped")
    rows = (
        *(free,) * (answer.cap_cost > 0),
        Rank(message("Best revenue up to the cap · OPT"), answer.optimum, "rival", key="optimum", short=best),
        Rank(message("Drawn price, expected"), answer.expected_revenue, key="value", short=paid),
        Rank(message("Price drawn ignoring the bids"), answer.blind, "rival", key="blind", short=message("Ignoring the bids")),
        Rank(message("Lower bound (McSherry and Talwar 2007)"), sure, "rival", True, "bound", short=least, limit=True),
    )
    return Earnings("earnings", message("Revenue"), rows, ends=float(most) or None)


# Text ------------------------------------------------------------------------------------------------------------------


def sentence(look: Look) -> Sentence:
    """Return the sentence on the drawn prices, otherwise on the chosen bidder, if it is shown on its influence, or the story."""
    answer, at, lie = look.answer, chosen(look.answer, look.view), told(look)
    words = story(answer) if look.view["bidder"] < 0 else told_words(answer, at, lie)
    if look.view["influence"] and lie is not None and lie.said is not None:
        words = influence_words(answer, lie)
    draws, design, _ = look.last("draw") or (), answer.design, look.last("releases")
    drawn, first = drawn_words(answer, look.done("draw") or ()), first_price(draws, design)
    if not single_prices(draws, design) and answer.optimum and drawn_earlier(draws, design):
        words = message("A price was drawn earlier: announce that. {words}", words=words)
    if first and not first_price(draws, design, now=True):  # of draws before a change
        words = message("To announce: {first}. {words}", first=first, words=words)
    return Sentence(drawn or words, key="told")


def story(answer: AuctionAnswer) -> str:
    """Return what is sold, and how."""
    bids = message("Each bid is the most that somebody would pay.")
    bids = bids if answer.design.single else message("Each curve has the number of items that somebody would buy at each price.")
    return message("{bids} One price is drawn, and anyone may buy at it. Prices that earn more are more likely.", bids=bids)


def influence_words(answer: AuctionAnswer, lie: Misreport) -> str:
    """Return how much a lie changes a probability at most, and the limit of that."""
    words = message("The lie of {bidder} changes probabilities by at most ×{ratio} (limit {limit} = {most}).")
    limit = message("eᵋ") if answer.design.single else message("e²ᵋ")
    told = {"ratio": figure(math.exp(lie.largest_ratio), 3), "limit": limit, "most": figure(1 + answer.limit, 3)}
    return message(words, bidder=answer.source.named(lie.bidder), **told)


def drawn_words(answer: AuctionAnswer, draws: Sequence[Drawn]) -> str:
    """Return what the newest prices drawn earn, and which of all to announce; empty if they are only the first drawn alone."""
    if not draws or not answer.optimum:
        return ""
    single, newest = single_prices(draws, answer.design), draws[-1].prices
    earned = 100 * answer.price.earned.at(np.array(newest) / answer.cap) * answer.cap / (answer.optimum + answer.cap_cost)
    mean, least = part_of(float(earned.mean())), part_of(float(earned.min()))
    secret, first, many = not answer.design.bids_public, first_price(draws, answer.design), len(newest)
    if many == 1:
        words = message("Draw {count}: {price}. Announce the first, {first}; choosing among {count} costs up to {cost}.")
        words = words if first else message("Drawn: {price}. A price was drawn earlier: announce that.")
        told = {"count": len(single), "price": money(newest[0], answer.design.unit), "first": first, "cost": choosing(single)}
        return "" if first and len(single) == 1 else message(words, **told)
    words = message("{many} draws earn {mean}% of the best revenue on average, the lowest {least}%.")
    if secret:
        words = message("{many} draws, not to announce, earn {mean}% of the best revenue on average, the lowest {least}%.")
    words = message("{words} Still announce {first}.", words=words, first=first) if first else words
    return message(words, first=first, mean=mean, least=least, many=many)


def announcement(answer: AuctionAnswer, draws: Sequence[Drawn]) -> tuple[str, ...]:
    """Return, from long to short, the price to announce and what it earns; nothing if it is unknown or of another design."""
    first, single = first_price(draws, answer.design, now=True), single_prices(draws, answer.design)
    if not first:
        return ()
    words = "<b>Announce {price}, the first price drawn.</b>" if len(single) > 1 else "<b>Announce {price}.</b>"
    short, best = message(words, price=escape(first)), answer.optimum + answer.cap_cost
    earned = 100 * float(answer.price.earned.at(single[0].prices[0] / answer.cap)) * answer.cap / (best or 1)
    earns = message("{short} It earns {share}% of the best revenue.", short=short, share=part_of(earned)) if best else short
    return message("{earns} Keep it: make a report or an export.", earns=earns), earns, short


def told_words(answer: AuctionAnswer, at: tuple[int, float | None] | None, lie: Misreport | None = None) -> str:
    """Return a bidder's report, and what a lie brings if that is known."""
    if at is None:
        return ""
    unit = answer.design.unit
    told = {"bidder": answer.source.named(at[0], begins=True), "worth": money(float(answer.source.worths[at[0]]), unit)}
    if at[1] is None:
        return message("{bidder} bids the true value, {worth}. Drag the line to make the bidder lie.", **told)
    words = message("{bidder} would pay {worth} but bids {says}")
    if not answer.design.single:
        words = message("{bidder} would pay {worth} but claims to want every item up to {says}")
    words = message(words, **told, says=money(min(at[1], answer.cap), unit))
    if lie is None or lie.said is None or lie.bidder != at[0]:
        return message("{lie}.", lie=words)
    if abs(lie.gain) < _SAME:
        return message("{lie}: no better off on average.", lie=words)
    amount = money(float(f"{answer.cap * abs(lie.gain) * lie.truth:.3g}"), unit)
    gains = message("{lie} and gains {amount} on average.") if lie.gain > 0 else message("{lie} and loses {amount} on average.")
    return message(gains, lie=words, amount=amount)


def gain_words(answer: AuctionAnswer, lie: Misreport | None) -> str:
    """Return the gain of a lie, rounded as in the headline: ``bidder 103: 3.96% better off``."""
    if lie is None:
        return ""
    bidder = answer.source.named(lie.bidder)
    if lie.said is None:
        return message("{bidder} · the truth", bidder=bidder)
    if abs(lie.gain) < _SAME:
        return message("{bidder}: no better off", bidder=bidder)
    better = lie.gain > 0
    words = message("{bidder}: {percent}% better off") if better else message("{bidder}: {percent}% worse off")
    percent = figure(100 * lie.gain, 3) if better else brief(-100 * lie.gain)
    percent = percent if abs(lie.gain) >= 0.001 else message("under 0.1")
    return message(words, bidder=bidder, percent=percent)


_BEHIND: Mapping[str, Callable[[AuctionAnswer, tuple[float, float]], Plot]] = {"revenue": revenue, "density": density}

#: The maker of each panel of an answer.
PANELS: Mapping[str, Maker] = {
    "told": sentence,  # first, so that a drawn price needs no scrolling
    "price": price,
    "lying": lying,
    "earnings": lambda look: earnings(look.answer),
    "drawn": lambda look: drawn(look.answer),
    "against": lambda look: epsilon_plot(look.answer),
    "demand": lambda look: demand(look.answer),
}


def run(design: AuctionDesign, progress: Progress = silent) -> AuctionAnswer:
    """Compute everything."""
    answer = priced(design, progress)
    return answer if answer.most is not None else replace(answer, most=answer.most_to_gain(progress))


def priced(design: AuctionDesign, progress: Progress = silent) -> AuctionAnswer:
    """Compute everything except the most profitable lie if that takes longer than a frame."""
    demand = demand_of(design)
    drawn = Price(demand.revenue, design.epsilon, None if design.single else demand.paid)
    answer = AuctionAnswer(design, source_of(design), demand, drawn, PANELS)
    return replace(answer, most=answer.most_to_gain(progress)) if answer.quick else answer
