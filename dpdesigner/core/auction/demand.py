"""Who would buy how much at which price, and what a price would earn: [Notes] 1.7, an unlimited supply.

Prices are counted in caps, the most that a bid may count: a price is t in [0, 1]. Bidder i buys b_i(t) items at the price t,
where b_i falls (not strictly); a bid v for one item buys at every price up to v, v included. One bidder brings min(t b_i(t),
1), so that nobody moves the revenue

    q(t) = sum over i of min(t b_i(t), 1)

by more than 1, whatever is bid. q is linear between the places where somebody stops buying or reaches the cap, it falls only at
such places, and there it still has the value from the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers

_TIE = 1e-12  # relative; revenues so near each other are the same


@dataclass(frozen=True, eq=False)
class Revenue:
    """The revenue of each price, in caps.

    Attributes
    ----------
    edges : ndarray
        (k + 1,): rising from 0 to 1.
    slope, level : ndarray
        (k,): on (edges[j], edges[j + 1]] the revenue is level[j] + slope[j] t; slope is never negative.
    """

    edges: Floats
    slope: Floats
    level: Floats

    @cached_property
    def tops(self) -> Floats:
        """The revenue at the right end of each piece, the highest on it."""
        return self.level + self.slope * self.edges[1:]

    @cached_property
    def optimum(self) -> float:
        """OPT: the most that any one price earns."""
        return float(self.tops.max())

    @cached_property
    def best_price(self) -> float:
        """The largest price that earns OPT, which sells the fewest items; 0 where nothing can be earned."""
        if self.optimum <= 0:
            return 0.0
        return float(self.edges[1:][self.tops >= self.optimum * (1 - _TIE)][-1])

    @property
    def sold(self) -> float:
        """m: how many items the best price sells, the fewest where several prices are best."""
        return self.optimum / self.best_price if self.best_price else 0.0

    @property
    def blind(self) -> float:
        """The mean revenue of a price drawn uniformly, which looks at no bid."""
        widths = np.diff(self.edges)
        return float(np.sum(widths * (self.tops - self.slope * widths / 2)))

    def at(self, prices: ArrayLike) -> Floats:
        """Return the revenue at prices in [0, 1]."""
        asked = np.asarray(prices, dtype=float)
        piece = np.clip(np.searchsorted(self.edges, asked, side="left") - 1, 0, len(self.slope) - 1)
        return np.asarray(self.level[piece] + self.slope[piece] * asked)

    def refined(self, places: ArrayLike) -> Revenue:
        """Return the same with further edges at these places in [0, 1]."""
        edges = np.union1d(self.edges, np.asarray(places, dtype=float))
        piece = np.searchsorted(self.edges, edges[1:], side="left") - 1
        return Revenue(edges, self.slope[piece], self.level[piece])


@dataclass(frozen=True, eq=False)
class Demand:
    """The demand of some bidders: steps, each the quantity that its owner buys at the prices in (low, high].

    Attributes
    ----------
    bidders : int
        How many there are.
    owner : ndarray of int
        (s,): rising.
    low, high, quantity : ndarray
        (s,): prices in caps, above 1 too, where no price will ever be.
    """

    bidders: int
    owner: Integers
    low: Floats
    high: Floats
    quantity: Floats

    @classmethod
    def of_bids(cls, bids: ArrayLike) -> Demand:
        """Make the demand of bidders who want one item each.

        Parameters
        ----------
        bids : array_like
            (n,): in caps.
        """
        values = np.asarray(bids, dtype=float)
        return cls(len(values), np.arange(len(values)), np.zeros(len(values)), values, np.ones(len(values)))

    @classmethod
    def of_curves(cls, curves: Sequence[Sequence[tuple[float, float]]]) -> Demand:
        """Make the demand of bidders with falling curves.

        Parameters
        ----------
        curves : sequence of sequence of (price, quantity)
            For each bidder, by rising price in caps: so much is bought from above the price before up to this price.
        """
        owner = np.repeat(np.arange(len(curves)), [len(curve) for curve in curves])
        steps = np.array([step for curve in curves for step in curve], dtype=float).reshape(-1, 2)
        low = np.append(0.0, steps[:-1, 0]) if len(steps) else np.zeros(0)
        low[np.flatnonzero(np.diff(owner, prepend=-1))] = 0.0
        return cls(len(curves), owner, low, steps[:, 0], steps[:, 1])

    @cached_property
    def revenue(self) -> Revenue:
        """The revenue of each price."""
        low, high, quantity = np.minimum(self.low, 1.0), np.minimum(self.high, 1.0), self.quantity
        with np.errstate(divide="ignore"):
            full = np.clip(1.0 / quantity, low, high)  # from here on one cap is reached, and no more counts
        flat = full < high
        places = np.concatenate([low, full, full[flat], high[flat], [0.0, 1.0]])
        slopes = np.concatenate([quantity, -quantity, np.zeros(2 * int(flat.sum()) + 2)])
        levels = np.concatenate([np.zeros(2 * len(low)), np.ones(int(flat.sum())), -np.ones(int(flat.sum())), [0.0, 0.0]])
        edges, where = np.unique(places, return_inverse=True)
        # From the right: a quantity above 1 / t counts only below t, so no large one leaves its rounding among small ones.
        slope = -np.cumsum(np.bincount(where, slopes)[:0:-1])[::-1]
        level = -np.cumsum(np.bincount(where, levels)[:0:-1])[::-1]
        return Revenue(edges, np.maximum(slope, 0.0), np.maximum(level, 0.0))

    @property
    def cut(self) -> int:
        """The number of bidders whose bids are cut: above the cap, or for more than one cap."""
        reach = np.minimum(self.high, 1.0) * self.quantity
        return len(np.unique(self.owner[(self.high > 1) | (reach > 1 + 1e-12)]))

    def of(self, bidder: int) -> Demand:
        """Return the demand of one bidder."""
        first, last = np.searchsorted(self.owner, [bidder, bidder + 1])
        own = slice(int(first), int(last))
        return Demand(1, np.zeros(last - first, dtype=np.int64), self.low[own], self.high[own], self.quantity[own])

    def without(self, bidder: int) -> Demand:
        """Return the demand of the others."""
        others = self.owner != bidder
        owner = self.owner[others] - (self.owner[others] > bidder)
        return Demand(self.bidders - 1, owner, self.low[others], self.high[others], self.quantity[others])

    def with_one(self, one: Demand) -> Demand:
        """Return the demand of all these and one more."""
        owner = np.append(self.owner, np.full(len(one.owner), self.bidders))
        low, high = np.append(self.low, one.low), np.append(self.high, one.high)
        return Demand(self.bidders + 1, owner, low, high, np.append(self.quantity, one.quantity))

    @property
    def top(self) -> float:
        """The highest price at which somebody buys anything."""
        return float(self.high[self.quantity > 0].max(initial=0.0))

    def bought(self, prices: ArrayLike) -> Floats:
        """Return how many items are bought at each price."""
        asked = np.asarray(prices, dtype=float)
        order_low, order_high = np.argsort(self.low), np.argsort(self.high)
        begun = np.append(0.0, np.cumsum(self.quantity[order_low]))
        ended = np.append(0.0, np.cumsum(self.quantity[order_high]))
        started = begun[np.searchsorted(self.low[order_low], asked, side="left")]
        stopped = ended[np.searchsorted(self.high[order_high], asked, side="left")]
        first = np.where(asked <= 0, self.quantity[self.low <= 0].sum(), started)  # at the price 0 all have begun
        return np.asarray(first - stopped * (asked > 0))

    def surplus(self, prices: ArrayLike) -> Floats:
        """Return what they gain together at each price: what the items are worth to them, less the price.

        Of a curve that is the area under it above the price; of a bid v for one item max(v - t, 0).
        """
        asked = np.asarray(prices, dtype=float)[..., np.newaxis]
        return np.asarray((np.maximum(self.high - np.maximum(self.low, asked), 0) * self.quantity).sum(axis=-1))
