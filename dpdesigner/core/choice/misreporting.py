"""The gain of a bidder who misreports, and the misreport that gains most.

The price is posted: at the price t a bidder of demand b gains the area under b above t, whatever was said. With S(said) the
expected surplus, the gain is S(lie) / S(truth) - 1. The lie multiplies the probability of no event by more than e^epsilon (one
item each), or e^(2 epsilon) (curves), so the gain is at most e^epsilon - 1, or e^(2 epsilon) - 1; for surplus in [0, 1] (caps)
that is an additive bound too: S(lie) - S(truth) <= (e^epsilon - 1) S(truth) <= e^epsilon - 1.

**The best lie [P].** Let s(t) be the surplus at the price t, which falls, and say "x": buy at every price up to x, one item, or
as much as counts where curves are allowed, and nothing above. Raising x by dx multiplies the weight of the prices in dx by
e^(epsilon x), or e^epsilon, so that dS/dx has the sign of s(x) - S(x): S rises while s(x) > S and falls from then on. It is
greatest at the one x with s(x) = S(x): of one item, bid what it is worth to you less what you expect to gain. Among curves no
other lie does better: raising the weight of a price pays exactly where s(t) > S, so it pays to say all that counts below x and
nothing above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, log_sum
from dpdesigner.core.choice.demand import Demand
from dpdesigner.core.choice.price import Price, log_share, mean_part
from dpdesigner.progress import Progress, silent

ALL = 1e15  # items: more than can count at any price worth naming

_ROUNDS = 3  # refinements of the search for the best misreport
_PLACES = 60
_BISECTIONS = 16
_CANDIDATES, _MANY = 6, 5000


def saying(prices: ArrayLike, single: bool) -> Demand:
    """Return the demand of bidders who bid each of these prices: for one item, or for as much as counts."""
    demand = Demand.of_bids(prices)
    return demand if single else Demand(demand.bidders, demand.owner, demand.low, demand.high, demand.quantity * ALL)


@dataclass(frozen=True, eq=False)
class Bidder:
    """One bidder among others, who may misreport.

    Attributes
    ----------
    demand : Demand
        Of all, this bidder's truth among them.
    place : int
        Which of them it is.
    epsilon : float
    single : bool
        Whether only bids for one item can be said.
    """

    demand: Demand
    place: int
    epsilon: float
    single: bool

    @cached_property
    def own(self) -> Demand:
        """The bidder's true demand."""
        return self.demand.of(self.place)

    @cached_property
    def others(self) -> Demand:
        """The reports of all others."""
        return self.demand.without(self.place)

    @cached_property
    def truth(self) -> float:
        """The expected surplus of a truthful bid, in caps."""
        return math.exp(self._log_truth)

    @cached_property
    def _log_truth(self) -> float:
        return self._log_surplus(self.own)

    @cached_property
    def _edges(self) -> Floats:
        """The places where the bidder's own demand has a step."""
        return np.asarray(np.clip(np.concatenate([self.own.low, self.own.high]), 0, 1))

    def _log_surplus(self, lie: Demand) -> float:
        """The logarithm of the expected surplus; -inf where no gain is possible."""
        price = Price(self.others.with_one(lie).revenue.refined(self._edges), self.epsilon)
        at = self.own.surplus(price.revenue.edges)
        with np.errstate(divide="ignore"):
            return float(log_sum(price.log_masses + np.log(price.means(at[:-1], at[1:])))) - price.log_total

    def surplus(self, lie: Demand) -> float:
        """Return the expected surplus of this report, in caps."""
        return math.exp(self._log_surplus(lie))

    def gain(self, lie: Demand) -> float:
        """Return the gain over the truthful surplus, as a share of it; 0 where no gain is possible."""
        if not math.isfinite(self._log_truth):
            return 0.0
        return math.expm1(self._log_surplus(lie) - self._log_truth)

    def log_ratio(self, lie: Demand, prices: ArrayLike) -> Floats:
        """Return the logarithm of each price's density under this report, divided by its density under the truth."""
        lied, true = self.others.with_one(lie).revenue, self.demand.revenue
        totals = Price(lied, self.epsilon).log_total - Price(true, self.epsilon).log_total
        moved = lie.revenue.at(prices) - self.own.revenue.at(prices)
        return np.asarray(self.epsilon * moved - totals, dtype=float)

    def largest_ratio(self, lie: Demand) -> float:
        """Return the largest of the absolute values of `log_ratio` over all prices."""
        edges = np.union1d(lie.revenue.edges, self.own.revenue.edges)
        inside = np.nextafter(edges[:-1], 1)  # the other side of a jump is just above it
        return float(np.abs(self.log_ratio(lie, np.concatenate([edges, inside]))).max())

    def along(self, places: ArrayLike) -> Floats:
        """Return the expected surplus of bidding each of these prices, in [0, 1] and rising; see `saying`."""
        where = np.asarray(places, dtype=float)
        return np.asarray(np.exp(self._all(where)[np.searchsorted(self._grid(where), where)]))

    def _grid(self, places: Floats) -> Floats:
        return np.unique(np.concatenate([self.others.revenue.edges, self._edges, places]))

    def _all(self, places: Floats) -> Floats:
        """Return the log expected surplus of bidding each edge of `_grid`: weights are raised below it, not above."""
        base = Price(self.others.revenue.refined(np.append(self._edges, places)), self.epsilon)
        edges, slope = base.revenue.edges, base.revenue.slope
        widths, u = np.diff(edges), self.epsilon * (slope + self.single) * np.diff(edges)
        tops = base.revenue.tops + (edges[1:] if self.single else np.minimum(ALL * edges[1:], 1.0))
        raised = self.epsilon * tops + np.log(widths) + log_share(u)
        at = self.own.surplus(edges)
        with np.errstate(divide="ignore"):
            low = np.log(at[1:] + (at[:-1] - at[1:]) * mean_part(u))
            high = np.log(base.means(at[:-1], at[1:]))
        mass, worth = _joined(raised, base.log_masses), _joined(raised + low, base.log_masses + high)
        return worth - mass

    @cached_property
    def best(self) -> tuple[float, float]:
        """The best price to bid, and its gain: never less than that of the truth."""
        return self.search()

    def search(self, progress: Progress = silent) -> tuple[float, float]:
        """Return `best`; `progress` may raise to stop the search."""
        places = np.clip(np.linspace(0, min(self.own.top, 1.0), _PLACES), 0, 1)
        for _ in range(_ROUNDS):
            progress(None)
            grid = self._grid(places)
            gains = self._all(places)
            middle = int(np.argmax(gains))
            low, high = grid[max(middle - 1, 0)], grid[min(middle + 1, len(grid) - 1)]
            places = np.linspace(low, high, _PLACES)
        price = float(grid[middle])
        progress(None)
        gain = self.gain(saying([price], self.single))
        return (price, gain) if gain > 0 else (min(self.own.top, 1.0), 0.0)


def _joined(before: Floats, after: Floats) -> Floats:
    """Return the logarithms of the first masses before each edge plus the second masses after it, (k + 1,)."""
    running = np.logaddexp.accumulate(np.append(-np.inf, before))
    left = np.logaddexp.accumulate(np.append(-np.inf, after[::-1]))[::-1]
    return np.asarray(np.logaddexp(running, left))


def best_single_lies(demand: Demand, epsilon: float, progress: Progress = silent) -> tuple[Floats, Floats]:
    """Return a nearly best bid for each single-item bidder, and nearly its gain: fast, for choosing a candidate.

    All bidders share the running masses F(t) of exp(epsilon q) and H(t) of F, and those of exp(epsilon (q - t)): a bid b below
    the worth v replaces the first by the second between them.
    """
    worth = np.minimum(demand.high, 1.0)
    full = _Running(demand, epsilon, 0.0)
    less = _Running(demand, epsilon, 1.0)
    whole = full.at(np.ones(1))[0][0]
    up_to, _ = full.at(worth)
    less_up_to, double_less = less.at(worth)
    beyond = demand.high - worth  # positive only for worths above the cap

    def surplus(bids: Floats) -> Floats:
        f, h = full.at(bids)
        g, double = less.at(bids)
        gap = worth - bids
        mass = f + (less_up_to - g) + (whole - up_to)
        gained = gap * f + h + double_less - double - gap * g + beyond * (f + less_up_to - g)
        return np.asarray(np.divide(gained, mass, out=np.zeros_like(mass), where=mass > 0))

    low, high = np.zeros_like(worth), worth.copy()
    for _ in range(_BISECTIONS):
        progress(None)
        middle = (low + high) / 2
        rising = demand.high - middle > surplus(middle)
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    truth, lie = surplus(worth), surplus(low)
    gain = np.divide(lie, truth, out=np.ones_like(lie), where=truth > 1e-290) - 1
    return low, np.maximum(gain, 0.0)


class _Running:
    """The running mass of exp(epsilon (q(t) - shift t)), and its running integral."""

    def __init__(self, demand: Demand, epsilon: float, shift: float) -> None:
        revenue = demand.revenue
        self.edges, self.most, self.epsilon = revenue.edges, revenue.optimum, epsilon
        self.slope, self.level = revenue.slope - shift, revenue.level  # -1 where nobody buys, so nobody there can misreport
        masses, doubles = self._pieces(np.arange(len(self.slope)), self.edges[1:])
        self.mass = np.append(0.0, np.cumsum(masses))
        self.double = np.append(0.0, np.cumsum(self.mass[:-1] * np.diff(self.edges) + doubles))

    def _pieces(self, piece: NDArray[np.int64], ends: Floats) -> tuple[Floats, Floats]:
        """Return the mass from the beginning of each piece to a place on it, and its integral."""
        wide, slope = ends - self.edges[piece], np.maximum(self.slope[piece], 0.0)
        u = self.epsilon * slope * wide
        mass = np.exp(self.epsilon * (self.level[piece] + slope * ends - self.most) + log_share(u)) * wide
        return mass, mass * wide * mean_part(u)

    def at(self, places: Floats) -> tuple[Floats, Floats]:
        """Return the running mass and its integral at places in [0, 1]."""
        piece = np.clip(np.searchsorted(self.edges, places, side="left") - 1, 0, len(self.slope) - 1)
        mass, double = self._pieces(piece, places)
        return self.mass[piece] + mass, self.double[piece] + self.mass[piece] * (places - self.edges[piece]) + double


def most_moved(epsilon: float) -> float:
    """Return the most by which a lie raises an expected surplus, in caps, rounded up, where all want one item.

    Surpluses at two prices are at most a cap apart, so the gain is at most the largest change y - x of the probability of a set
    of prices. A lie multiplies all weights by factors in an interval [m, m e^epsilon], for one bid moves them in one direction
    only. So y / (1 - y) <= e^epsilon x / (1 - x): on the scale of log odds, y is at most epsilon above x. Hence y - x is at most
    1 / (1 + e^(-epsilon/2)) - 1 / (1 + e^(epsilon/2)) = tanh(epsilon / 4): the logistic curve is steepest, and symmetric, at 0.
    """
    return math.nextafter(math.tanh(epsilon / 4), 1)


def most_to_gain(demand: Demand, epsilon: float, single: bool, progress: Progress = silent) -> tuple[int, float, float]:
    """Return the bidder who gains most by misreporting, the price to bid, and the gain as a share of the truthful surplus.

    Parameters
    ----------
    demand : Demand
    epsilon : float
    single : bool
        Whether only bids for one item can be said.
    progress : Progress
    """
    candidates = range(demand.bidders)
    if single:
        _, gains = best_single_lies(demand, epsilon, progress)
        many = demand.bidders > _MANY
        candidates = np.argsort(-gains, kind="stable")[: 1 if many else _CANDIDATES].tolist()
    best = (0, 0.0, -1.0)
    for number, place in enumerate(candidates):
        progress(number / len(candidates))
        price, gain = Bidder(demand, place, epsilon, single).search(progress)
        if gain > best[2]:
            best = (place, price, gain)
    return (best[0], best[1], max(best[2], 0.0))
