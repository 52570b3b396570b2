"""The price that is drawn: density proportional to exp(epsilon q(t)) on [0, 1], q the revenue in caps ([Notes] 1.7).

q is linear on pieces, so the density is exponential on each, and all expectations of what is linear on pieces are closed forms.
On a piece of width w whose revenue rises by s w, with u = epsilon s w, measured from its top downwards in parts x of its width:

    mass = w exp(epsilon q_top) A(u),  A(u) = (1 - e^-u) / u;   mean of x = 1/u - 1/(e^u - 1)

Masses are kept as logarithms: no epsilon and no number of bidders makes them overflow.

Privacy: where all want one item, another bid v' for v changes q(t) by -t or by +t on the prices between them and nowhere else, so
all prices' weights move the same way, and by at most e^epsilon: the price is epsilon-private. A curve may move some weights up
and others down: 2 epsilon, as for the exponential mechanism in general.

Theorem ([Notes] 1.7): expected revenue >= OPT - (3 / epsilon) ln(e + epsilon^2 OPT m), m the number of items sold at the best
price. Read in the proof p* for OPT where a price is meant: the prices in [p* - t/m, p*] earn OPT - t or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.auction.demand import Revenue
from dpdesigner.core.numbers.gauss import gauss
from dpdesigner.core.numbers.logarithms import log_sum

_SERIES = (-1 / 12, 1 / 720, -1 / 30240, 1 / 1209600, -1 / 47900160, 691 / 1307674368000, -1 / 74724249600)
_SMALL = 0.5  # below this the series, above it the closed form
_NODES = 40
_STRETCH = 40.0  # of u that one rule is laid over; what is beyond has e^-40 of the mass
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
    """Return the least expected revenue by the theorem, in caps; below 0 it promises nothing."""
    return optimum - 3 / epsilon * math.log(math.e + epsilon**2 * optimum * sold)


@dataclass(frozen=True, eq=False)
class Price:
    """A price that is drawn.

    Attributes
    ----------
    revenue : Revenue
    epsilon : float
        Positive.
    """

    revenue: Revenue
    epsilon: float

    @cached_property
    def _widths(self) -> Floats:
        return np.diff(self.revenue.edges)

    @cached_property
    def _rises(self) -> Floats:
        """u of each piece."""
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
        """(k,): how likely each piece is."""
        return np.exp(self.log_masses - self.log_total)

    @cached_property
    def parts(self) -> Floats:
        """(k,): the mean distance from the right end of each piece, in widths."""
        return mean_part(self._rises)

    def means(self, left: Floats, right: Floats) -> Floats:
        """Return the mean on each piece of what is linear there, from its values at the ends."""
        return np.asarray(right + (left - right) * self.parts)

    @cached_property
    def expected_revenue(self) -> float:
        """The expected revenue, in caps."""
        short = self.revenue.slope * self._widths * self.parts
        return float(self.masses @ (self.revenue.tops - short) / self.masses.sum())

    @cached_property
    def mean(self) -> float:
        """The price on average, in caps."""
        edges = self.revenue.edges
        return float(self.masses @ self.means(edges[:-1], edges[1:]) / self.masses.sum())

    def density(self, prices: ArrayLike) -> Floats:
        """Return the density per cap at prices; 0 outside of [0, 1]."""
        at = np.asarray(prices, dtype=float)
        within = np.exp(self.epsilon * self.revenue.at(np.clip(at, 0, 1)) - self.log_total)
        return np.asarray(np.where((at >= 0) & (at <= 1), within, 0.0))

    def quantile(self, share: float) -> float:
        """Return the price below which the price drawn is with this chance."""
        running = np.append(0.0, np.cumsum(self.masses))
        running /= running[-1]
        piece = int(np.clip(np.searchsorted(running, share, side="right") - 1, 0, len(self.masses) - 1))
        mass = running[piece + 1] - running[piece]
        within = min(max((share - running[piece]) / mass, 0.0), 1.0) if mass > 0 else 1.0
        u = float(self._rises[piece])
        if u > 1e-9:
            above = (1 - within) * math.expm1(-u)  # -1 where nothing of a steep piece lies below
            within = max(1 + math.log1p(above) / u, 0.0) if above > -1 else 0.0
        return float(self.revenue.edges[piece] + within * self._widths[piece])

    def chances(self, levels: ArrayLike) -> Floats:
        """Return how likely the price drawn earns at least each of these, in caps."""
        tops, rises = self.revenue.tops, self.revenue.slope * self._widths
        steep, parts = np.maximum(self._rises, 1e-9), []
        for level in np.asarray(levels, dtype=float).ravel().tolist():
            full = np.where(tops >= level, 1.0, 0.0)
            part = np.clip(np.divide(tops - level, rises, out=full, where=rises > 0), 0, 1)
            parts.append(self.masses @ np.where(self._rises > 1e-9, np.expm1(-steep * part) / np.expm1(-steep), part))
        return np.asarray(np.minimum(np.array(parts), 1.0))

    @property
    def revenue_bound(self) -> float:
        """The least expected revenue by the theorem, in caps; see `promised`."""
        return revenue_bound(self.revenue.optimum, self.revenue.sold, self.epsilon)

    def disagreement(self) -> float | None:
        """Return how far a numeric integration is from `expected_revenue`, as a share of it; None for very many pieces.

        Gauss's rule of 40 points on the top of each piece; it shares with the closed form only where the pieces are.
        """
        if len(self.masses) > _MOST_CHECKED:
            return None
        nodes, parts = gauss(_NODES)
        reach = np.minimum(1.0, _STRETCH / np.maximum(self._rises, 1e-300)) * self._widths
        places = self.revenue.edges[1:, np.newaxis] - reach[:, np.newaxis] * (1 - nodes) / 2
        heights = self.revenue.level[:, np.newaxis] + self.revenue.slope[:, np.newaxis] * places
        weights = np.exp(self.epsilon * (heights - self.revenue.optimum)) * parts * reach[:, np.newaxis]
        other = float((weights * heights).sum() / weights.sum())
        return abs(other - self.expected_revenue) / max(self.expected_revenue, 1e-300)


@lru_cache(maxsize=4)
def swept(revenue: Revenue) -> tuple[Floats, Floats, Floats]:
    """Return 61 values of epsilon from 0.01 to 10, and the expected revenue and the promise at each, in caps."""
    epsilons = np.geomspace(0.01, 10, 61)
    prices = [Price(revenue, float(epsilon)) for epsilon in epsilons]
    return epsilons, np.array([price.expected_revenue for price in prices]), np.array([price.revenue_bound for price in prices])
