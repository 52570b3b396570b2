"""Demand: who would buy how much at which price ([Notes] 1.7), and falling demand curves read from text and tables.

Prices are counted in caps, the most that a bid may count: a price is t in [0, 1]. Bidder i buys b_i(t) items at the price t,
where b_i falls (not strictly); a bid v for one item buys at every price up to v, v included. One bidder brings min(t b_i(t),
1), so that nobody moves the revenue

    q(t) = sum over i of min(t b_i(t), 1)

by more than 1, whatever is bid. q is linear between the places where somebody stops buying or reaches the cap, it falls only at
such places, and there it still has the value from the left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.parsing import Number, exact, excerpt, is_number, limit, plain, refuse_unclear
from dpdesigner.errors import InputError

_TIE = 1e-12  # relative; revenues this close are equal


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
        """The revenue at the right end of each piece, its maximum there."""
        return self.level + self.slope * self.edges[1:]

    @cached_property
    def optimum(self) -> float:
        """OPT: the highest revenue of any single price."""
        return float(self.tops.max())

    @cached_property
    def best_price(self) -> float:
        """The largest price that earns OPT, which sells the fewest items; 0 where no revenue is possible."""
        if self.optimum <= 0:
            return 0.0
        return float(self.edges[1:][self.tops >= self.optimum * (1 - _TIE)][-1])

    @property
    def sold(self) -> float:
        """m: the number of items sold at the best price; the fewest if several prices are best."""
        return self.optimum / self.best_price if self.best_price else 0.0

    @property
    def blind(self) -> float:
        """The mean revenue of a uniformly drawn price, which ignores all bids."""
        widths = np.diff(self.edges)
        return float(np.sum(widths * (self.tops - self.slope * widths / 2)))

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """The ends of all pieces, left ones just above, after the revenue drop, and the revenue at each."""
        lows = self.level + self.slope * self.edges[:-1]
        places = np.append(0.0, np.nextafter(self.edges[1:-1], 1))
        return np.column_stack((places, self.edges[1:])).ravel(), np.column_stack((lows, self.tops)).ravel()

    def at(self, prices: ArrayLike) -> Floats:
        """Return the revenue at prices in [0, 1]."""
        asked = np.asarray(prices, dtype=float)
        piece = np.clip(np.searchsorted(self.edges, asked, side="left") - 1, 0, len(self.slope) - 1)
        return np.asarray(self.level[piece] + self.slope[piece] * asked)

    def refined(self, places: ArrayLike) -> Revenue:
        """Return the same revenue with further edges at these places in [0, 1]."""
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
        """Make the demand of bidders who want one item each, from their bids in caps, (n,)."""
        values = np.asarray(bids, dtype=float)
        return cls(len(values), np.arange(len(values)), np.zeros(len(values)), values, np.ones(len(values)))

    @classmethod
    def of_curves(cls, curves: Sequence[Sequence[tuple[float, float]]]) -> Demand:
        """Make the demand of bidders with falling curves.

        Each has (price, quantity) by rising price in caps: so much is bought from above the price before up to this price.
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
            full = np.clip(1.0 / quantity, low, high)  # from here on the revenue counts as one cap
        flat = full < high
        places = np.concatenate([low, full, full[flat], high[flat], [0.0, 1.0]])
        slopes = np.concatenate([quantity, -quantity, np.zeros(2 * int(flat.sum()) + 2)])
        levels = np.concatenate([np.zeros(2 * len(low)), np.ones(int(flat.sum())), -np.ones(int(flat.sum())), [0.0, 0.0]])
        edges, where = np.unique(places, return_inverse=True)
        # Summed from the right: a quantity above 1 / t counts only below t, so large ones leave no rounding among small ones.
        slope = -np.cumsum(np.bincount(where, slopes)[:0:-1])[::-1]
        level = -np.cumsum(np.bincount(where, levels)[:0:-1])[::-1]
        return Revenue(edges, np.maximum(slope, 0.0), np.maximum(level, 0.0))

    @cached_property
    def paid(self) -> Revenue:
        """The price times the items sold at it, in caps, however much one buyer brings; on the edges of `revenue`."""
        edges, last = self.revenue.edges, np.minimum((self.low, self.high), 1.0)
        low, high = (np.bincount(np.searchsorted(edges, ends), self.quantity, len(edges)) for ends in last)
        slope = np.cumsum((high - low)[:0:-1])[::-1]
        return Revenue(edges, np.maximum(slope, 0.0), np.zeros_like(slope))

    @property
    def cut(self) -> int:
        """The number of bidders whose bids are truncated: above the cap, or for more than one cap."""
        reach = np.minimum(self.high, 1.0) * self.quantity
        return len(np.unique(self.owner[(self.high > 1) | (reach > 1 + 1e-12)]))

    def of(self, bidder: int) -> Demand:
        """Return the demand of one bidder."""
        first, last = np.searchsorted(self.owner, [bidder, bidder + 1])
        own = slice(int(first), int(last))
        return Demand(1, np.zeros(last - first, dtype=np.int64), self.low[own], self.high[own], self.quantity[own])

    def without(self, bidder: int) -> Demand:
        """Return the demand of all other bidders."""
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
        """The highest price at which any item is bought."""
        return float(self.high[self.quantity > 0].max(initial=0.0))

    def bought(self, prices: ArrayLike) -> Floats:
        """Return how many items are bought at each price."""
        asked = np.asarray(prices, dtype=float)
        order_low, order_high = np.argsort(self.low), np.argsort(self.high)
        begun = np.append(0.0, np.cumsum(self.quantity[order_low]))
        ended = np.append(0.0, np.cumsum(self.quantity[order_high]))
        started = begun[np.searchsorted(self.low[order_low], asked, side="left")]
        stopped = ended[np.searchsorted(self.high[order_high], asked, side="left")]
        first = np.where(asked <= 0, self.quantity[self.low <= 0].sum(), started)  # at price 0 all have begun
        return np.asarray(first - stopped * (asked > 0))

    def surplus(self, prices: ArrayLike) -> Floats:
        """Return the bidders' total surplus at each price: the value of the items to them, less the price.

        Of a curve that is the area under it above the price; of a bid v for one item max(v - t, 0).
        """
        asked = np.asarray(prices, dtype=float)[..., np.newaxis]
        return np.asarray((np.maximum(self.high - np.maximum(self.low, asked), 0) * self.quantity).sum(axis=-1))


#: A bidder's (price, quantity) steps by rising price: the quantity up to this price, from just above the previous one.
Curve = tuple[tuple[Number, Number], ...]

_STEP = re.compile(r"\s*(\S+)\s+(?:at|@)\s+(\S+?)\s*", re.IGNORECASE)

#: The largest number allowed in bids.
LARGEST = 10**15
_COLUMNS = 3  # bidder, price, quantity


def curve_of(line: str, place: int) -> list[tuple[str, str]] | list[str]:
    """Read a bidder's line: ``3 at 60, 1 at 200``, or the value of each further item: ``200, 60, 60``.

    Raises
    ------
    InputError
        If it is neither; the sentence names the line by its place.
    """
    refuse_unclear(line, f"curve {place}: numbers", "demand")
    parts = [part.strip() for part in re.split(r"[,;]", line) if part.strip()]
    steps = [_STEP.fullmatch(part) for part in parts]
    for part, step in zip(parts, steps, strict=True):
        if step is None and (any(steps) or not is_number(part)):
            forms = "like 3 at 60, 1 at 200 (items at a price each) or 200, 60, 60 (the value of each further item)"
            raise InputError(f"curve {place} must be {forms}, got {excerpt(part)}.", "demand")
    return [(step[2], step[1]) for step in steps if step is not None] or parts


def line_of(curve: Curve) -> str:
    """Return a curve as a line that `curve_of` reads."""
    return ", ".join(f"{quantity} at {price}" for price, quantity in curve)


def mended(curve: Curve) -> Curve:
    """Return a falling version of a rising curve: at each price, the largest quantity wanted at that price or above."""
    points, most = list[tuple[Number, Number]](), Fraction(0)
    for price, quantity in sorted(curve, key=lambda step: -exact(step[0])):
        if exact(quantity) > most:
            most = exact(quantity)
            points.append((price, quantity))
    return tuple(reversed(points))


def fallen(text: str) -> str:
    """Return demand curve lines in which every rising curve has been corrected."""
    falls = []
    for place, line in enumerate(filter(str.strip, text.splitlines()), 1):
        given = curve_of(line, place)
        steps = tuple((step[0], step[1]) for step in given if isinstance(step, tuple))
        falls.append(line_of(mended(steps)) if steps else ", ".join(sorted(map(str, given), key=exact, reverse=True)))
    return "\n".join(falls)


def curves_of_table(cells: Sequence[Sequence[str]]) -> list[Curve]:
    """Return the curves of a table of bidder, price and quantity; the first line may contain column names.

    Raises
    ------
    InputError
        If a line has other columns, or no numbers in them; the sentence names it.
    """
    points: dict[str, list[tuple[str, str]]] = {}
    for place, line in enumerate(cells, 1):
        if place == 1 and len(line) == _COLUMNS and not is_number(line[1]):
            continue
        if len(line) != _COLUMNS or not (is_number(line[1]) and is_number(line[2])):
            raise InputError(f"line {place} must be a bidder, a price and a quantity, got {excerpt(', '.join(line))}.", "demand")
        points.setdefault(line[0], []).append((line[1], line[2]))
    return [tuple(sorted(curve, key=lambda step: exact(step[0]))) for curve in points.values()]


def bid_of(value: object, name: str, key: str) -> Number:
    """Return a number of at least 0 as it was entered.

    Raises
    ------
    InputError
        If it is none; it calls it by this name.
    """
    if type(value) is float and 0 <= value <= LARGEST:
        return value
    value = plain(value)
    number = exact(value, name, key)
    if not 0 <= number <= LARGEST:
        raise InputError(f"{name} must be between 0 and {limit(LARGEST)}, got {excerpt(value)}.", key)
    return value.strip() if isinstance(value, str) else value  # type: ignore[return-value]  # `exact` has seen to it


def checked_curve(given: object, name: str, key: str) -> Curve:
    """Return a curve sorted by rising price.

    Parameters
    ----------
    given : object
        A list of (price, quantity) in any order, a mapping of prices to quantities, or a falling list of what each further item
        is worth.
    name, key : str
        What errors call it, and the field that they belong to.

    Raises
    ------
    InputError
        If it is none of these or rises; then the error's suggestion is the line of one that falls.
    """
    steps = list(given.items()) if isinstance(given, Mapping) else given
    if not isinstance(steps, Sequence | np.ndarray) or isinstance(steps, str):
        raise InputError(f"{name} must be a list of pairs (price, quantity), got {excerpt(given)}.", key)
    pairs = [step for step in steps if isinstance(step, Sequence | np.ndarray) and not isinstance(step, str)]
    if not pairs:
        return _of_worths([bid_of(worth, f"{name}: a value", key) for worth in steps], name, key)
    if len(pairs) < len(steps) or any(len(pair) != 2 for pair in pairs):
        raise InputError(f"{name} must be a list of pairs (price, quantity), got {excerpt(given)}.", key)
    points = [(bid_of(price, f"{name}: a price", key), bid_of(most, f"{name}: a quantity", key)) for price, most in pairs]
    points.sort(key=lambda step: exact(step[0]))
    return _falling(tuple(points), name, key)


def _of_worths(worths: Sequence[Number], name: str, key: str) -> Curve:
    """Return the curve of a bidder with these values per further item: k items up to the k-th value."""
    points: dict[Fraction, tuple[Number, Number]] = {}
    for before, worth in pairwise(worths):
        if exact(worth) > exact(before):
            falling = ", ".join(map(str, sorted(worths, key=exact, reverse=True)))
            raise InputError(f"{name} must fall from item to item, got {worth} after {before}.", key, falling)
    for count, worth in enumerate(worths, 1):
        points[exact(worth)] = (worth, count)
    return tuple(reversed(points.values()))


def _falling(curve: Curve, name: str, key: str) -> Curve:
    for (low, more), (high, less) in pairwise(curve):
        if exact(low) == exact(high):
            raise InputError(
                f"{name} must have one quantity for each price, got {excerpt(more)} and {excerpt(less)} at {low}.", key
            )
        if exact(less) > exact(more):
            rise = f"{less} at {high} but {more} at {low}"
            raise InputError(f"{name} must fall as the price rises, got {rise}.", key, line_of(mended(curve)))
    return curve
