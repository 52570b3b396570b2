"""The answer of an auction: the density of the price, exact draws, revenue, gains from misreporting, and sentences."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.parsing import double, exact, nearest, place
from dpdesigner.core.basics.rounding import as_typed, figure, grouped, rounded_down, rounded_up, small, stated
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.choice.demand import Demand
from dpdesigner.core.choice.misreporting import Bidder, most_moved, most_to_gain, saying
from dpdesigner.core.choice.price import STEPS, ExactPrice, Price
from dpdesigner.messages import message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.auction.design import AuctionDesign, Drawn, Source, exact_steps, single_prices
from dpdesigner.studies.base import PanelAnswer
from dpdesigner.studies.findings import Finding, Findings, State
from dpdesigner.studies.number_inputs import BidsInput, CurvesInput
from dpdesigner.studies.snapshot import Maker
from dpdesigner.studies.study import Progress, silent

_PLACES = 240  # along a curve


@dataclass(frozen=True, eq=False)
class Misreport:
    """The effect of a misreport. Prices and surplus are multiples of the cap."""

    bidder: int  #: the place among the bids, from 0
    said: float | None  #: the price said: of curves, all that counts up to it is taken; None: the truth
    gain: float  #: by what share of the truth's expected surplus the lie brings more
    ratio: tuple[Floats, Floats]  #: prices, and the logarithm of each one's density over that of the truth
    largest_ratio: float  #: the largest of the absolute values of all these logarithms
    along: tuple[Floats, Floats]  #: prices, and the expected surplus of saying each
    truth: float  #: the expected surplus of the truth
    brings: float  #: that of what is said
    top: float  #: the highest price that the bidder would pay, at most the cap


def misreport(bidder: Bidder, said: float | None) -> Misreport:
    """Compute the effect if a bidder reports a price, in caps, or the truth."""
    lie = bidder.own if said is None else saying([said], bidder.single)
    edges = np.union1d(lie.revenue.edges, bidder.own.revenue.edges)
    edges = np.union1d(edges, np.linspace(0, 1, 41))
    prices = np.unique(np.concatenate([edges, np.maximum(np.nextafter(edges[:-1], 1), 1e-9)]))
    top = float(min(bidder.own.top, 1.0))
    places = np.union1d(np.linspace(0, 1, _PLACES), [top, min(1.0 if said is None else said, 1.0)])
    return Misreport(
        bidder=bidder.place,
        said=said,
        gain=0.0 if said is None else bidder.gain(lie),
        ratio=(prices, bidder.log_ratio(lie, prices)),
        largest_ratio=bidder.largest_ratio(lie),
        along=(places, bidder.along(places)),
        truth=bidder.truth,
        brings=bidder.truth if said is None else bidder.surplus(lie),
        top=top,
    )


_QUICK = 1000  # this many one-item bids, or steps of curves times bidders / 50, are computed within a frame
_AGREED, _SAME = 1e-11, 1e-9  # agreement of two integrations; a smaller part of a revenue is rounding
_HARDLY = 0.05  # of the best revenue: less than this above the revenue of a price ignoring the bids is hardly more
_LITTLE = 10  # percent, below which a gain counts as small

NOTHING = message("has no lower bound here")


def money(value: float, unit: str = "") -> str:
    """Return an amount formatted for reading: ``74 937 fr``, ``1.247``."""
    text = grouped(value) if 10_000 <= abs(value) < 1e12 else as_typed(value, 4)
    return f"{text}\u00a0{unit}" if unit else text.replace("-", "−")


def money_earned(value: float) -> str:
    """Return a guaranteed or expected amount, rounded down."""
    return money(math.floor(value) if value >= 10_000 else float(rounded_down(value, 4)))


def part_of(percent: float) -> str:
    """Return a percentage to the nearest of three digits; 100 only where it is."""
    return "99.9" if (text := f"{percent:.3g}") == "100" and percent < 100 - _SAME else text


def choosing(single: Sequence[Drawn]) -> str:
    """Return the total ε of prices drawn one by one, which choosing among them costs: ``ε = 1.5``."""
    levels = [each.design.spent.level for each in single]
    return stated("ε", sum(Fraction(level.exact_epsilon or level.epsilon_above) for level in levels))


def first_price(draws: Sequence[Drawn], design: AuctionDesign, now: bool = False) -> str:
    """Return the price to announce: the first drawn alone from these bids, with its ε and cap if they differ and not `now`."""
    single = single_prices(draws, design)
    if not single or single[0].again:
        return ""
    drawn, price = single[0].design, money(single[0].prices[0], design.unit)  # a unit changes nothing about a draw
    if (drawn.privacy, drawn.cap) == (design.privacy, design.cap):
        return price
    given: dict[str, Any] = {"privacy": drawn.privacy.description, "cap": money(float(drawn.cap), design.unit)}
    return "" if now else message("{price} ({privacy}, cap {cap})", price=price, **given)


@dataclass(frozen=True, eq=False, repr=False)
class AuctionAnswer(PanelAnswer):
    """A price determined by bids.

    Attributes
    ----------
    design : AuctionDesign
    source : Source
        The bids in money.
    demand : Demand
        What the bidders would buy, prices in caps.
    price : Price
        The price drawn, in caps.
    panels : mapping of str to Maker
    most : Misreport or None
        Who gains most by lying; None while that is not computed, and where there is nobody.
    """

    design: AuctionDesign
    source: Source
    demand: Demand
    price: Price
    panels: Mapping[str, Maker]
    most: Misreport | None = None

    @cached_property
    def cap(self) -> float:
        """The cap as a double."""
        return double(self.design.cap)

    # Revenue -----------------------------------------------------------------------------------------------------------

    @property
    def expected_revenue(self) -> float:
        """The expected revenue of the drawn price."""
        return self.cap * self.price.expected_revenue

    @property
    def optimum(self) -> float:
        """OPT: the highest revenue of any single price up to the cap."""
        return self.cap * self.price.earned.optimum

    @cached_property
    def cap_cost(self) -> float:
        """The revenue that the best single price would earn more without the cap."""
        prices = self.demand.high
        cost = self.cap * float((prices * self.demand.bought(prices)).max(initial=0.0)) - self.optimum
        return cost if cost > _SAME * self.optimum else 0.0

    @property
    def best_price(self) -> float:
        """The price that earns OPT, which equals one of the bids."""
        return self.cap * self.price.earned.best_price

    @property
    def sold_at(self) -> str:
        """The best price, rounded down: a higher one loses the buyer whose bid it is."""
        return money(float(rounded_down(self.best_price * (1 + _SAME), 4)), self.design.unit)

    @property
    def sold(self) -> float:
        """The number of items that the best price sells, the fewest if several prices are best."""
        return self.price.earned.sold

    @property
    def bound(self) -> float:
        """The theorem's lower bound on the expected revenue; a bound below 0 guarantees nothing."""
        return self.cap * self.price.revenue_bound

    @property
    def blind(self) -> float:
        """The expected revenue of a price drawn uniformly, ignoring the bids."""
        return self.cap * self.price.earned.blind

    @property
    def epsilon(self) -> float:
        """The privacy level of the price, rounded up: epsilon if everybody wants one item, otherwise 2 epsilon."""
        level = self.design.privacy.epsilon_above
        return level if self.design.single else 2 * level

    @property
    def limit(self) -> float:
        """The limit on the gain from any misreport, as a share of the truth's expected surplus, rounded up."""
        return math.nextafter(math.expm1(self.epsilon) * (1 + 1e-15), math.inf) if self.epsilon < 700 else math.inf

    def density(self, price: ArrayLike) -> NDArray[np.float64] | float:
        """Return the density of the drawn price, per unit of money, at one price or several."""
        density = self.price.density(np.asarray(price, dtype=float) / self.cap) / self.cap
        return float(density) if np.ndim(price) == 0 else density

    # Lying -------------------------------------------------------------------------------------------------------------

    def bidder(self, number: int) -> Bidder:
        """Return a bidder by position among the bids, from 0."""
        return Bidder(self.demand, number, self.design.epsilon, self.design.single)

    def gain(self, bidder: int, bid: Any) -> float:
        """Return a lie's gain as a share of the truth's expected surplus: 0.04 is 4%; never above `limit`.

        Parameters
        ----------
        bidder : int
            The place among the bids, from 0.
        bid : Number or curve
            What is said instead: a price, in an auction of curves also a curve as in the design.
        """
        number = place(bidder, "the bidder", self.demand.bidders - 1)
        if self.design.single:
            (one,) = BidsInput().read([bid], "bid", {})
            return self.bidder(number).gain(Demand.of_bids([double(one) / self.cap]))
        (curve,) = CurvesInput().read([bid if isinstance(bid, Sequence | Mapping) else [bid]], "bid", {})
        steps = [(double(at) / self.cap, double(most)) for at, most in curve]
        return self.bidder(number).gain(Demand.of_curves([steps]))

    def misreport(self, bidder: int, says: float | None) -> Misreport:
        """Return the effect of a bidder, from 0, reporting a price in money instead of the truth (None)."""
        said = None if says is None else float(says) / self.cap
        return misreport(self.bidder(bidder), said)

    def most_to_gain(self, progress: Progress = silent) -> Misreport | None:
        """Find the bidder who gains most by lying, and the lie; None if there are no bidders."""
        if not self.demand.bidders:
            return None
        number, said, gain = most_to_gain(self.demand, self.design.epsilon, self.design.single, progress)
        progress(None)
        return replace(misreport(self.bidder(number), said), gain=gain)

    @property
    def quick(self) -> bool:
        """Whether the effect of a lie can be computed within a frame."""
        if curves := self.design.demand:
            return sum(map(len, curves)) * len(curves) <= 50 * _QUICK
        return self.demand.bidders <= _QUICK

    @cached_property
    def _exact(self) -> ExactPrice:
        return ExactPrice(exact_steps(self.design), budget_of(self.design.privacy), self.design.single)

    @cached_property
    def coin(self) -> Fraction:
        """The step of drawn prices: the largest power of ten that is at most a thousandth of the cap, whatever was bid."""
        return Fraction(10) ** (math.floor(math.log10(self.cap)) - 3)

    def draw(self, below: Below = secrets.randbelow) -> float:
        """Draw a price exactly, from the operating system's entropy, then round it down to a multiple of `coin`.

        Rounding down loses no buyer of the price drawn, and costs at most one coin per item sold. It is post-processing.
        """
        return nearest(exact(self.design.cap) * self._exact.draw(below) / STEPS // self.coin * self.coin)

    # Findings ----------------------------------------------------------------------------------------------------------

    @cached_property
    def findings(self) -> Findings:
        """The findings, with the expected revenue first. Secret bids and results computed from them stay in the window."""
        unit, secret = self.design.unit, not self.design.bids_public
        promised, at = message("by the theorem of McSherry and Talwar 2007"), message("one of the bids")
        if not self.design.single:  # the theorem is on what counts; buyers pay that or more
            promised = message("of one cap per bidder, by the theorem of McSherry and Talwar 2007")
            at = message("a step of a curve")
        promised = NOTHING if self.bound < 0 else promised
        low, high = (self.cap * self.price.quantile(share) for share in (0.05, 0.95))
        kind = message("ε, one item each") if self.design.single else message("2ε, demand curves")
        value, bound, blind = self.expected_revenue, self.bound, self.blind
        digits = {each: max(4, len(str(int(each)))) for each in (value, bound, blind)}  # as in bars
        lying = message("computing…") if self.most is None and self.demand.bidders else ""
        state: State = "pending" if lying else "measured"
        gain = None if self.most is None else 100 * self.most.gain
        most = float(rounded_up(self.cap * most_moved(self.epsilon), 3)) if self.design.single else None
        liar: Findings = {}
        if (lie := self.most) is not None:
            says, bidder = None if lie.said is None else self.cap * lie.said, self.source.named(lie.bidder)
            liar = {
                "bidder": Finding(message("bidder who gains most from a misreport"), bidder, secret=secret),
                "says": Finding(message("with the bid"), says, unit, secret=secret),
            }
        return {
            "value": Finding(message("expected revenue"), value, unit, digits[value], "down", "measured", secret=secret),
            "optimum": Finding(message("OPT, the best revenue up to the cap"), self.optimum, unit, secret=secret),
            "share": Finding(message("share of the best revenue"), self.revenue_share, "%", 3, state="measured", secret=secret),
            "cap_cost": Finding(message("cost of the cap"), self.cap_cost, unit, rounding="up", state="measured", secret=secret),
            "bound": Finding(message("promised"), bound, unit, digits[bound], "down", "proved", note=promised, secret=secret),
            "blind": Finding(message("a price drawn ignoring the bids"), blind, unit, digits[blind], "down", secret=secret),
            "epsilon": Finding(message("ε of the price"), self.epsilon, "", 6, "up", "proved", note=kind),
            "low": Finding(message("90% of prices, from"), low, unit, secret=secret),
            "high": Finding(message("90% of prices, to"), high, unit, secret=secret),
            "lying": Finding(message("largest gain from a misreport"), gain, "%", 3, "up", state, note=lying, secret=secret),
            "lying_limit": Finding(message("limit on the relative gain"), 100 * self.limit, "%", 3, "up", "proved"),
            "lying_additive": Finding(message("a lie gains at most"), most, unit, 3, "up", "proved"),
            "bidders": Finding(message("bidders"), self.demand.bidders, note=message("taken as public")),
            "best_price": Finding(message("best price"), self.best_price, unit, secret=secret, note=at),
            "sold": Finding(message("items sold at the best price"), self.sold, digits=6, secret=secret),
            "cut": Finding(message("bidders cut to the cap"), self.demand.cut, secret=secret),
            **liar,
        }

    @property
    def revenue_share(self) -> float | None:
        """The expected revenue in percent of the best without a cap; None if there is nothing to earn."""
        return 100 * self.expected_revenue / (self.optimum + self.cap_cost) if self.optimum > 0 else None

    def _earned(self, words: str) -> str:
        """Return a statement with the share of the best revenue, or that this is hardly more than without the bids."""
        most, known = self.optimum + self.cap_cost, self.price.revenue.best_price
        cost = message("; the cap costs {lost}%", lost=figure(100 * self.cap_cost / most, 3)) if self.cap_cost else ""
        sharp, little = self.cap * float(self.price.earned.at(known)), _HARDLY * most  # what a very large ε earns
        if self.expected_revenue < min(self.blind + little, sharp - little):
            words = message("<b>On average it earns {share}% of the best revenue, hardly more than {without}: raise ε{cost}</b>")
        without = message("a price drawn without the bids ({blind}%)", blind=part_of(100 * self.blind / most))
        return message(words, share=part_of(self.revenue_share or 0.0), without=without, cost=cost)

    @cached_property
    def sentence(self) -> str:
        """The result in plain words."""
        if not self.demand.bidders:
            return message("There are no bids yet. Type them, draw them, or choose a column.")
        if self.revenue_share is None:
            return message("All bids are 0, so no price earns anything, and all prices up to the cap are equally likely.")
        earned = self._earned(message("<b>Publish a drawn price: on average it earns {share}% of the best revenue{cost}</b>"))
        if self.most is None:
            return message("{earned}.", earned=earned)
        gain = 100 * self.most.gain
        if gain < 1e-9:
            return message("{earned}. No bidder gains by lying.", earned=earned)
        words = message("{earned}. By lying, {bidder} can gain {gain}% of surplus, nobody more.")
        if gain < _LITTLE:
            words = message("{earned}. With these bids, no lie gains more than {gain}% of surplus.")
        return message(words, earned=earned, bidder=self.source.named(self.most.bidder), gain=figure(gain, 3))

    @property
    def badge(self) -> tuple[str, State]:
        """The proved privacy level of the price, with its condition: a cap chosen from the bids would reveal some of them."""
        words = message("✓ drawn price private for a public cap · {limit} = {epsilon}")
        limit = message("ε") if self.design.single else message("2ε")
        return message(words, limit=limit, epsilon=figure(self.epsilon, 4)), "proved"

    @cached_property
    def checks(self) -> tuple[str, ...]:
        """The completed checks."""
        level = figure(self.epsilon, 4)
        words = message("✓ private for a public cap: ε = {epsilon}, rounded up")
        if not self.design.single:
            words = message("✓ private for a public cap: 2ε = {epsilon}, a curve may move weights in both directions")
        private, apart = message(words, epsilon=level), self.price.disagreement()
        if apart is None or apart > _AGREED or not math.isfinite(apart):
            return (private,)
        told = small(max(Fraction(apart), Fraction(1, 10**15)))  # exactly: the double 1e-15 is more, and would be rounded up
        return private, message("✓ expected revenue: two integrations agree, {apart}", apart=told)

    @property
    def why(self) -> Why:
        """The explanation of the auction page."""
        return Why(template="auction", help="auction")

    @property
    def headlines(self) -> tuple[str, ...]:
        """The result in plain words, in versions from long to short."""
        if self.revenue_share is None:
            return (self.sentence,)
        short = self._earned(message("On average it earns {share}% of the best revenue{cost}"))
        gain = "" if self.most is None else figure(100 * max(self.most.gain, 0.0), 3)
        middle = (message("{short}; a lie gains at most {gain}% of surplus.", short=short, gain=gain),) if gain else ()
        return self.sentence, *middle, message("{short}.", short=short)
