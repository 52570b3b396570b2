"""Costs of noise: even functions L(x) that are nondecreasing in |x|, their expected values, and geometric sums.

Sums sum_k b^k F(k) over k = 0, 1, 2, ... with b = exp(-epsilon) and smooth F, in a few hundred terms whatever epsilon is.

The first terms are taken one by one. The rest is cut into blocks, each at most as long as its distance from 0 and at most
16 / epsilon long, and each block is summed by the Gauss rule for the sum over its integers (the discrete Chebyshev, or Gram,
polynomials): with 16 nodes it is exact for polynomials of degree 31.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, gauss


@dataclass(frozen=True)
class Growth:
    """Whether sup L(T + 1) / L(T) is finite, as [Geng] requires of a cost, and one sentence of explanation.

    Attributes
    ----------
    bounded : bool
    reason : str
    certain : bool
        False where the cost is known by its values at many points only, so that nothing is proved by it.
    """

    bounded: bool
    reason: str
    certain: bool = True


class NoiseCost(ABC):
    """A cost of noise; x >= 0 everywhere. Costs are frozen, and cached by value."""

    @property
    @abstractmethod
    def title(self) -> str:
        """A short title for a summary."""

    @property
    @abstractmethod
    def growth(self) -> Growth:
        """Whether sup L(T + 1) / L(T) is finite."""

    @property
    @abstractmethod
    def end(self) -> float:
        """The largest x at which L fits in a double."""

    @property
    def corners(self) -> tuple[float, ...]:
        """The places other than 0 where L is not smooth; increasing."""
        return ()

    @property
    def cuts(self) -> Floats:
        """Points between which L is analytic, besides 0; increasing."""
        return np.array(self.corners)

    @abstractmethod
    def value(self, x: Floats) -> Floats:
        """Return L(x)."""

    def rise(self, x: Floats, step: Floats) -> Floats:
        """Return L(x + step) - L(x), accurate where the cost is smooth in between."""
        return np.asarray(self.value(x + step) - self.value(x))

    @abstractmethod
    def integral(self, x: Floats) -> Floats:
        """Return Lambda(x), the integral of L from 0 to x."""


_NODES = 20
#: Below this fraction of the scale, the noise has negligible mass.
_NEAR = 2.0**-64


def expectation(cost: NoiseCost, density: Callable[[Floats], Floats], last: float, scale: float) -> float:
    """Return E L(X) = 2 int_0^last L(x) f(x) dx.

    Parameters
    ----------
    cost : NoiseCost
        L.
    density : callable
        f, even, and on x > 0 as smooth as exp(-x / scale) or exp(-x^2 / scale^2).
    last : float
        Beyond it f has no mass that matters.
    scale : float
        Over this length f changes by a factor of about e.
    """
    doubling = scale * np.exp2(np.arange(-64, 2))
    steps = np.arange(4 * scale, last, 4 * scale) if last / scale < 2000 else np.geomspace(4 * scale, last, 400)
    cuts = np.concatenate(([0.0], doubling, steps, cost.cuts[cost.cuts > _NEAR * scale], [last]))
    cuts = np.unique(cuts[cuts <= last])
    half = np.diff(cuts) / 2
    nodes, weights = gauss(_NODES)
    x = (cuts[:-1] + half)[:, None] + half[:, None] * nodes
    return float(2 * (half @ ((cost.value(x) * density(x)) @ weights)))


Flags = NDArray[np.bool_]

_SUM_NODES = 16
_SINGLE = 24
_BLOCK = 16.0


@dataclass(frozen=True, eq=False)
class Terms:
    """The places at which a sum is evaluated: sum_k b^k F(k) = sum(weights * F(k)).

    Attributes
    ----------
    k : ndarray
        (m,): increasing, not always whole.
    weights : ndarray
        (m,): b^k times the weight of the rule.
    single : ndarray of bool
        (m,): whether the term stands for itself alone.
    """

    k: Floats
    weights: Floats
    single: Flags


@lru_cache(maxsize=256)
def terms(epsilon: float, last: float, corners: tuple[int, ...] = ()) -> Terms:
    """Return the terms for 0 <= k <= last.

    Parameters
    ----------
    epsilon : float
        Positive.
    last : float
        Beyond it b^k F(k) is negligible.
    corners : tuple of int
        Increasing k near which F is not smooth; they and the k after them are taken one by one.

    Returns
    -------
    Terms
        Its arrays are read-only.
    """
    longest = max(int(_BLOCK / epsilon), 1) if epsilon > _BLOCK / 2**53 else 2**53
    stop = int(min(last, 2.0**53)) + 1
    alone = sorted({k for corner in corners for k in (corner, corner + 1) if _SINGLE <= k < stop})
    k, rule, single = map(np.concatenate, zip(*_pieces(alone, stop, longest), strict=True))
    made = Terms(k, rule * np.exp(-epsilon * k), single)
    for values in (made.k, made.weights, made.single):
        values.flags.writeable = False
    return made


def _pieces(alone: Sequence[int], stop: int, longest: int) -> Iterator[tuple[Floats, Floats, NDArray[np.bool_]]]:
    """Yield points below `stop`, their weights, and whether each is a single term: the first, those alone, blocks between."""

    def single(places: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        return places, np.ones(len(places)), np.ones(len(places), dtype=bool)

    start = min(_SINGLE, stop)
    yield single(np.arange(start, dtype=float))
    for end in (*alone, stop):
        while start < end:
            size = min(start, longest, end - start)
            nodes, weights = _rule(size)
            yield start + nodes, weights, np.zeros(len(nodes), dtype=bool)
            start += size
        if end < stop:
            yield single(np.array([float(end)]))
            start = end + 1


@lru_cache(maxsize=4096)
def _rule(size: int) -> tuple[Floats, Floats]:
    """Return nodes in [0, size - 1] and weights summing to size, exact for sum_{k < size} p(k) with deg p below 32."""
    if size <= _SUM_NODES:
        return np.arange(size, dtype=float), np.ones(size)
    j = np.arange(1.0, _SUM_NODES)
    off = np.sqrt(j * j * (1 - (j / size) ** 2) / (4 * (4 * j * j - 1)))
    nodes, vectors = np.linalg.eigh(np.diag(off, 1) + np.diag(off, -1))
    return (size - 1) / 2 + size * nodes, size * vectors[0] ** 2


def reach(epsilon: float, power: float) -> float:
    """Return a k beyond which the terms b^k (k + 1)^power are negligible in double precision."""
    x = 46.0 + power
    for _ in range(60):
        x = 46.0 + power * (1 + math.log(max(x / max(power, 1e-9), 1.0)))
    return x / epsilon + 4
