"""The price drawn with density proportional to exp(epsilon q(t)) on [0, 1], q the revenue in caps ([Notes] 1.7).

q is linear on pieces, so the density is exponential on each, and all expectations of what is linear on pieces are closed forms.
On a piece of width w whose revenue rises by s w, with u = epsilon s w, measured from its top downwards in parts x of its width:

    mass = w exp(epsilon q_top) A(u),  A(u) = (1 - e^-u) / u;   mean of x = 1/u - 1/(e^u - 1)

Masses are kept as logarithms: no epsilon and no number of bidders makes them overflow.

Privacy: where all want one item, another bid v' for v changes q(t) by -t or by +t on the prices between them and nowhere else, so
all prices' weights move the same way, and by at most e^epsilon: the price is epsilon-private. A curve may move some weights up
and others down: 2 epsilon, as for the exponential mechanism in general.

Theorem ([Notes] 1.7): expected revenue >= OPT - (3 / epsilon) ln(e + epsilon^2 OPT m), m the number of items sold at the best
price. Read in the proof p* for OPT where a price is meant: the prices in [p* - t/m, p*] earn OPT - t or more.

Exact draws
-----------
A price is drawn with integers and the operating system's entropy.

A price that can be written down is one of finitely many: the multiples g / `STEPS` of the cap, g = 1 .. `STEPS`, whatever was
bid. Among these it is drawn with probabilities exactly proportional to exp(epsilon q(g / STEPS)); this is the exponential
mechanism on a public list of prices, and has the privacy of the price on the continuum, since that rests on how far one bid
moves q at each price. Two roundings are made before, each of one bidder's bid or of epsilon alone, so that they cost no
privacy: quantities of curves are rounded down to multiples of 2^-40, and an epsilon that is irrational (given as alpha, or as
ln 2) to a rational one below it.

The draw is by rejection. On a piece of prices where q rises by s from one price to the next, those at most 1 / s from its top
make a cell, those below the next cell, and so on; with x(g) = epsilon (max q - q(g)):

    a piece in proportion to (cell width) U, U a rational upper bound of exp(-x(top)); cell c with probability (1 - 1/e) e^-c; a
    price of it; kept with probability exp(-x(top)) / U, and then with exp(-(x(g) - x(top) - c)): exactly Bernoulli, as in
    Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Algorithm 1.
"""

from __future__ import annotations

import math
import secrets
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, gauss, log_sum
from dpdesigner.core.basics.sampling import Below, bernoulli_exponential
from dpdesigner.core.choice.demand import Revenue

_SERIES = (-1 / 12, 1 / 720, -1 / 30240, 1 / 1209600, -1 / 47900160, 691 / 1307674368000, -1 / 74724249600)
_SMALL = 0.5  # use the series below this, the closed form above
_NODES = 40
_STRETCH = 40.0  # length in u that one quadrature rule covers; the rest has e^-40 of the mass
_MOST_CHECKED = 20_000  # pieces


def log_share(u: Floats) -> Floats:
    """Return ln A(u), A(u) = (1 - e^-u) / u, for u >= 0."""
    safe = np.where(u > 0, u, 1.0)
    return np.asarray(np.where(u > 0, np.log(-np.expm1(-safe) / safe), 0.0))


def mean_part(u: Floats) -> Floats:
    """Return 1/u - 1/(e^u - 1) for u >= 0, 1/2 at 0: the mean distance from the top, in widths."""
    with np.errstate(over="ignore"):
        large = 1 / np.maximum(u, _SMALL) - 1 / np.expm1(np.maximum(u, _SMALL))
    small, power = np.full_like(u, 0.5), np.minimum(u, _SMALL)
    square = power * power
    for factor in _SERIES:
        small = small + factor * power
        power = power * square
    return np.where(u < _SMALL, small, large)


def revenue_bound(optimum: float, sold: float, epsilon: float) -> float:
    """Return the theorem's lower bound on the expected revenue, in caps; below 0 it is vacuous."""
    return optimum - 3 / epsilon * math.log(math.e + epsilon**2 * optimum * sold)


@dataclass(frozen=True, eq=False)
class Price:
    """A randomly drawn price.

    Attributes
    ----------
    revenue : Revenue
        As counted: the density depends on it.
    epsilon : float
        Positive.
    paid : Revenue or None
        What buyers pay, with the same edges; None where it is what counts.
    """

    revenue: Revenue
    epsilon: float
    paid: Revenue | None = None

    @property
    def earned(self) -> Revenue:
        """The revenue that is paid at each price, in caps."""
        return self.revenue if self.paid is None else self.paid

    @cached_property
    def _widths(self) -> Floats:
        return np.diff(self.revenue.edges)

    @cached_property
    def _rises(self) -> Floats:
        """The value of u for each piece."""
        return self.epsilon * self.revenue.slope * self._widths

    @cached_property
    def log_masses(self) -> Floats:
        """(k,): the logarithm of the mass of each piece, not normalised."""
        return np.asarray(self.epsilon * self.revenue.tops + np.log(self._widths) + log_share(self._rises))

    @cached_property
    def log_total(self) -> float:
        """The logarithm of the mass of all pieces."""
        return float(log_sum(self.log_masses))

    @cached_property
    def masses(self) -> Floats:
        """(k,): the probability of each piece."""
        return np.exp(self.log_masses - self.log_total)

    @cached_property
    def parts(self) -> Floats:
        """(k,): the mean distance from the right end of each piece, in widths."""
        return mean_part(self._rises)

    def means(self, left: Floats, right: Floats) -> Floats:
        """Return the mean on each piece of a piecewise linear function, from its values at the ends."""
        return np.asarray(right + (left - right) * self.parts)

    @cached_property
    def expected_revenue(self) -> float:
        """The expected revenue, in caps."""
        short = self.earned.slope * self._widths * self.parts
        return float(self.masses @ (self.earned.tops - short) / self.masses.sum())

    @cached_property
    def mean(self) -> float:
        """The mean price, in caps."""
        edges = self.revenue.edges
        return float(self.masses @ self.means(edges[:-1], edges[1:]) / self.masses.sum())

    def density(self, prices: ArrayLike) -> Floats:
        """Return the density per cap at prices; 0 outside of [0, 1]."""
        at = np.asarray(prices, dtype=float)
        within = np.exp(self.epsilon * self.revenue.at(np.clip(at, 0, 1)) - self.log_total)
        return np.asarray(np.where((at >= 0) & (at <= 1), within, 0.0))

    def quantile(self, share: float) -> float:
        """Return the price below which the drawn price lies with this probability."""
        running = np.append(0.0, np.cumsum(self.masses))
        running /= running[-1]
        piece = int(np.clip(np.searchsorted(running, share, side="right") - 1, 0, len(self.masses) - 1))
        mass = running[piece + 1] - running[piece]
        within = min(max((share - running[piece]) / mass, 0.0), 1.0) if mass > 0 else 1.0
        u = float(self._rises[piece])
        if u > 1e-9:
            above = (1 - within) * math.expm1(-u)  # -1 if none of a steep piece lies below
            within = max(1 + math.log1p(above) / u, 0.0) if above > -1 else 0.0
        return float(self.revenue.edges[piece] + within * self._widths[piece])

    def below(self, prices: Floats) -> Floats:
        """Return the probability that the drawn price is below each of these, in caps."""
        edges, total = self.revenue.edges, np.append(0.0, np.cumsum(self.masses))
        piece = np.clip(np.searchsorted(edges, prices, side="right") - 1, 0, len(self.masses) - 1)
        within = np.clip((prices - edges[piece]) / self._widths[piece], 0.0, 1.0)
        u = self._rises[piece]
        steep = np.maximum(u, 1e-9)
        share = np.where(u > 1e-9, np.exp(steep * (within - 1)) * -np.expm1(-steep * within) / -np.expm1(-steep), within)
        return np.asarray(np.minimum((total[piece] + self.masses[piece] * share) / total[-1], 1.0))

    def chances(self, levels: ArrayLike) -> Floats:
        """Return the probability that the drawn price earns at least each of these revenues, in caps."""
        tops, rises = self.earned.tops, self.earned.slope * self._widths
        steep, parts = np.maximum(self._rises, 1e-9), []
        for level in np.asarray(levels, dtype=float).ravel().tolist():
            full = np.where(tops >= level, 1.0, 0.0)
            part = np.clip(np.divide(tops - level, rises, out=full, where=rises > 0), 0, 1)
            parts.append(self.masses @ np.where(self._rises > 1e-9, np.expm1(-steep * part) / np.expm1(-steep), part))
        return np.asarray(np.minimum(np.array(parts), 1.0))

    @property
    def revenue_bound(self) -> float:
        """The theorem's lower bound on the expected revenue as counted, in caps, and so on what is paid."""
        return revenue_bound(self.revenue.optimum, self.revenue.sold, self.epsilon)

    def disagreement(self) -> float | None:
        """Return the relative difference between numerical integration and `expected_revenue`; None for very many pieces.

        Gauss's rule of 40 points on the top of each piece; it shares with the closed form only where the pieces are.
        """
        if len(self.masses) > _MOST_CHECKED:
            return None
        nodes, parts = gauss(_NODES)
        reach = np.minimum(1.0, _STRETCH / np.maximum(self._rises, 1e-300)) * self._widths
        places = self.revenue.edges[1:, np.newaxis] - reach[:, np.newaxis] * (1 - nodes) / 2
        heights = self.revenue.level[:, np.newaxis] + self.revenue.slope[:, np.newaxis] * places
        weights = np.exp(self.epsilon * (heights - self.revenue.optimum)) * parts * reach[:, np.newaxis]
        heights = self.earned.level[:, np.newaxis] + self.earned.slope[:, np.newaxis] * places
        other = float((weights * heights).sum() / weights.sum())
        return abs(other - self.expected_revenue) / max(self.expected_revenue, 1e-300)


@lru_cache(maxsize=4)
def swept(revenue: Revenue, paid: Revenue | None = None) -> tuple[Floats, Floats, Floats]:
    """Return 61 values of epsilon from 0.01 to 10, with the expected revenue and its lower bound at each, in caps."""
    epsilons = np.geomspace(0.01, 10, 61)
    prices = [Price(revenue, float(epsilon), paid) for epsilon in epsilons]
    return epsilons, np.array([price.expected_revenue for price in prices]), np.array([price.revenue_bound for price in prices])


def least_promising(revenue: Revenue, low: float, high: float) -> float:
    """Return the epsilon, between these two, from which on the theorem's lower bound is positive."""
    from scipy.optimize import brentq  # late: slow to import

    return float(brentq(lambda epsilon: revenue_bound(revenue.optimum, revenue.sold, epsilon), low, high))


#: (low, high, quantity): the quantity bought at prices in (low, high], in caps.
Step = tuple[Fraction, Fraction, Fraction]

STEPS = 10**9
_ONE = Fraction(1)
_PARTS = 2**40  # per item
_BITS = 128  # bits of the bounds U
_SURE = 1e-11  # exceeds the relative error of exp in doubles
_FIRST = 64  # bits of a uniform number; nearly always enough to decide
_LEAST = 2**100  # above this, bounds are so sharp that the first bits decide


@dataclass(frozen=True)
class _Piece:
    """Prices in (low, high] in steps: revenue rises by `slope` per step to `fall` below the maximum, in fractions of `scale`."""

    low: int
    high: int
    slope: int
    fall: int


class ExactPrice:
    """Exact draws of prices.

    Parameters
    ----------
    steps : iterable of Step
        Of all bidders.
    epsilon : Fraction
        Positive.
    single : bool
        Whether everybody wants one item.
    """

    def __init__(self, steps: Iterable[Step], epsilon: Fraction, single: bool) -> None:
        parts = 1 if single else _PARTS
        self._scale = STEPS * parts * epsilon.denominator
        self._rate = epsilon.numerator
        self._pieces = _pieces(steps, parts)

    @cached_property
    def _bounds(self) -> list[int]:
        return [_bound(self._rate * piece.fall, self._scale) for piece in self._pieces]

    @cached_property
    def _cells(self) -> list[int]:
        """The width of the cells of each piece, in steps."""
        cells = []
        for piece in self._pieces:
            rise = self._rate * piece.slope
            whole = piece.high - piece.low
            cells.append(whole if rise * whole <= self._scale else -(-self._scale // rise))
        return cells

    @cached_property
    def _running(self) -> list[int]:
        return list(accumulate(width * bound for width, bound in zip(self._cells, self._bounds, strict=True)))

    def draw(self, below: Below = secrets.randbelow) -> int:
        """Return g such that the price is g / `STEPS` of the cap."""
        while True:
            place = bisect_right(self._running, below(self._running[-1]))
            piece, width = self._pieces[place], self._cells[place]
            cell = 0
            while cell * width < piece.high - piece.low and bernoulli_exponential(_ONE, below):
                cell += 1
            down = cell * width + below(width)
            if down >= piece.high - piece.low or not self._bounded(place, below):
                continue
            if bernoulli_exponential(Fraction(self._rate * piece.slope * down - cell * self._scale, self._scale), below):
                return piece.high - down

    def _bounded(self, place: int, below: Below) -> bool:
        """Return True with probability exactly exp(-x(top)) / U."""
        bound, bits = self._bounds[place], _FIRST
        uniform = below(1 << bits)
        if bound >= _LEAST and uniform < (1 << bits) * (1 - 3 * _SURE):
            return True
        while True:
            least, most = _scaled_exponential(self._rate * self._pieces[place].fall, self._scale, _BITS + bits)
            if (uniform + 1) * bound <= least:
                return True
            if uniform * bound >= most:
                return False
            uniform, bits = (uniform << _FIRST) + below(1 << _FIRST), bits + _FIRST


def _pieces(steps: Iterable[Step], parts: int) -> list[_Piece]:
    """Combine the steps of all bidders; each contributes at most one cap at any price."""
    slopes, levels = defaultdict[int, int](int), defaultdict[int, int](int)
    full = STEPS * parts
    for low, high, quantity in steps:
        first, last = (min(math.floor(end * STEPS), STEPS) for end in (low, high))
        bought = math.floor(quantity * parts)
        if first >= last or not bought:
            continue
        enough = min(max(full // bought, first), last)  # above this price the revenue counts as one cap
        slopes[first] += bought
        slopes[enough] -= bought
        levels[enough] += full
        levels[last] -= full
    edges = sorted({0, STEPS, *slopes, *levels})
    pieces, slope, level = list[tuple[int, int, int, int]](), 0, 0
    for low_edge, high_edge in pairwise(edges):
        slope, level = slope + slopes[low_edge], level + levels[low_edge]
        pieces.append((low_edge, high_edge, slope, level + slope * high_edge))
    most = max(top for *_, top in pieces)
    return [_Piece(low_edge, high_edge, slope, most - top) for low_edge, high_edge, slope, top in pieces]


def _bound(above: int, below_line: int) -> int:
    """Return a whole number that is at least exp(-above / below_line) 2^128."""
    return int(math.exp(-above / below_line) * (1 + _SURE) * 2.0**_BITS) + 1


def _scaled_exponential(above: int, below_line: int, bits: int) -> tuple[int, int]:
    """Return whole numbers around exp(-above / below_line) 2^bits."""
    digits = bits // 3 + 30
    down = Context(prec=digits, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX)
    up = Context(prec=digits, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)
    x = Decimal(above), Decimal(below_line)
    least = down.exp(up.divide(*x).copy_negate()).next_minus(down)
    most = up.exp(down.divide(*x).copy_negate()).next_plus(up)
    scale = Decimal(1 << bits)
    return math.floor(down.multiply(max(least, Decimal(0)), scale)), math.ceil(up.multiply(most, scale))
