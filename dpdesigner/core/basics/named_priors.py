"""Priors that have a name or match given quantiles, as exact weights over 0..n.

Each is rational in its parameters, so that a design with a named prior can be solved exactly. Those that are costly to
write exactly have the same shape in floating point beside them, used where n is large: every weight within `WEIGHT_ERROR` of the
truth, relatively, or within 2^-1074 of the largest weight.

Through given quantiles
-----------------------
Bars rise and fall smoothly, and every weight is a fraction.

Counts are cells (k - 1, k], so that the knots -1, q_1, ..., q_m, n part them into segments whose masses are given. In a segment
of mass M and h cells the density is a quadratic in Bernstein's form, d0 (1-t)^2 + 2 c t(1-t) + d1 t^2 with t from 0 to 1. Its
integral is (d0 + c + d1)/3 = D = M/h, the mean density, for the middle coefficient c = 3D - d0 - d1: each quantile is kept
exactly, whatever the densities d at the knots. Neighbours share theirs, so that there are no steps:

- between two segments d is the harmonic mean of their D, at most 1.5 times the lesser, so that d0 + d1 <= 3D and c >= 0;
- at both ends d = 2D - d', with d' at the segment's other knot: a straight line, which ends at D/2 or above since d' <= 1.5 D.

The cell q steps after the left knot, p = h - q - 1 before the right one, has the integral over t from q/h to (q + 1)/h, times h:

    w = [d0 (3p^2 + 3p + 1) + c (6pq + 3p + 3q + 1) + d1 (3q^2 + 3q + 1)] / (3h^2),

which is positive, and rational where the quantiles are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dpdesigner.core.basics.parsing import exact, excerpt
from dpdesigner.core.basics.rounding import context, decimal
from dpdesigner.errors import InputError

#: Weights computed at a time in floating point.
_SMOOTH_AT_ONCE = 1 << 17


class Segment(NamedTuple):
    """The counts after one knot up to the next: how many, and the coefficients of their density over 3h^2."""

    cells: int
    left: Fraction
    middle: Fraction
    right: Fraction


def segments(n: int, pairs: Sequence[Fraction]) -> list[Segment]:
    """Return the segments for quantiles given as p, q, p, q, ...: P(count <= q) = p, rising in (0, 1) and 0..n - 1."""
    knots = [-1, *(int(count) for count in pairs[1::2]), n]
    chances = [Fraction(0), *pairs[::2], Fraction(1)]
    lengths = [right - left for left, right in pairwise(knots)]
    means = [(above - below) / h for (below, above), h in zip(pairwise(chances), lengths, strict=True)]
    at = [min(2 * a * b / (a + b), Fraction(3, 2) * min(a, b)) for a, b in pairwise(means)]
    at = [2 * means[0] - at[0], *at, 2 * means[-1] - at[-1]]
    parts = zip(pairwise(at), means, lengths, strict=True)
    return [Segment(h, d0 / (3 * h * h), (3 * mean - d0 - d1) / (3 * h * h), d1 / (3 * h * h)) for (d0, d1), mean, h in parts]


def smooth_quantiles(n: int, *pairs: Fraction) -> list[Fraction]:
    """Return weights with P(count <= q) = p for every given pair (p, q), and smooth in between."""
    return [
        left * (3 * p * p + 3 * p + 1) + middle * (6 * p * q + 3 * p + 3 * q + 1) + right * (3 * q * q + 3 * q + 1)
        for cells, left, middle, right in segments(n, pairs)
        for q in range(cells)
        for p in (cells - q - 1,)
    ]


def smooth_quantiles_fast(n: int, *pairs: Fraction) -> Any:
    """Return the weights in doubles: whole numbers below 2^53, three roundings of factors and products, two of positive sums."""
    parts = segments(n, pairs)
    starts = np.cumsum([0, *(part.cells for part in parts)])
    left, middle, right = (np.array([float(part[place]) for part in parts]) for place in (1, 2, 3))
    weights = np.empty(n + 1)
    for first in range(0, n + 1, _SMOOTH_AT_ONCE):
        i = np.arange(first, min(first + _SMOOTH_AT_ONCE, n + 1))
        part = np.searchsorted(starts, i, side="right") - 1
        q = i - starts[part]
        p = starts[part + 1] - i - 1
        cell = left[part] * (3 * p * (p + 1) + 1) + middle[part] * (6 * p * q + 3 * (p + q) + 1)
        weights[i] = cell + right[part] * (3 * q * (q + 1) + 1)
    return weights


Weights = Sequence[Fraction]
Ratios = Iterable[tuple[int, int]]

#: Largest relative error of a weight in floating point: 12 roundings for two-peak, fewer for the others.
WEIGHT_ERROR = 12 * 2.0**-53

_LARGEST = 10**30
#: Weights computed at a time from whole numbers, and powers in a row of a geometric prior.
_AT_ONCE, _ROW = 1 << 17, 1 << 10
#: Digits of running products: ten million roundings stay far below one rounding of a double.
_LONG = context(30)


def uniform(n: int) -> Weights:
    """Return equal weights for all counts."""
    return [Fraction(1)] * (n + 1)


def binomial(n: int, p: Fraction) -> Weights:
    """Return weights for n rows, each counted independently with probability p."""
    return [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]


def _binomial_fast(n: int, p: Fraction) -> Any:
    mode, yes, no = min(math.floor((n + 1) * p), n), p.numerator, p.denominator - p.numerator
    up = ((yes * (n - i + 1), no * i) for i in range(mode + 1, n + 1))
    return _about(n, mode, up, ((no * i, yes * (n - i + 1)) for i in range(mode, 0, -1)))


def poisson(n: int, mean: Fraction) -> Weights:
    """Return weights for rare independent events, truncated at n."""
    weights = [Fraction(1)]
    for i in range(1, n + 1):
        weights.append(weights[-1] * mean / i)
    return weights


def _poisson_fast(n: int, mean: Fraction) -> Any:
    mode, over, under = min(math.floor(mean), n), mean.numerator, mean.denominator
    up = ((over, under * i) for i in range(mode + 1, n + 1))
    return _about(n, mode, up, ((under * i, over) for i in range(mode, 0, -1)))


def _about(n: int, mode: int, up: Ratios, down: Ratios) -> Any:
    """Return weights that fall on both sides of a mode of weight 1, from their ratios upwards and downwards."""
    above, below = _falling(up), _falling(down)
    weights = np.zeros(n + 1)
    weights[mode - len(below) : mode + len(above) + 1] = [*below[::-1], 1.0, *above]
    return weights


def _falling(ratios: Ratios) -> list[float]:
    """Return the running products of ratios of at most 1, as nearest doubles, until they underflow to 0."""
    weights, product = [], Decimal(1)
    for over, under in ratios:
        product = _LONG.divide(_LONG.multiply(product, over), under)
        weight = float(product)
        if not weight:
            break
        weights.append(weight)
    return weights


def geometric(n: int, ratio: Fraction) -> Weights:
    """Return weights in which each count is `ratio` times as likely as the one before."""
    return [ratio**i for i in range(n + 1)]


def _geometric_fast(n: int, ratio: Fraction) -> Any:
    # One long row of powers, and the powers at which rows start: one rounding each, and one for their product.
    base = decimal(ratio, _LONG)
    row, starts = ([float(_LONG.power(base, k)) for k in places] for places in (range(_ROW), range(0, n + 1, _ROW)))
    return np.outer(starts, row).reshape(-1)[: n + 1]


def spike(n: int, at: Fraction) -> Weights:
    """Return all weight on one count."""
    return [Fraction(i == at) for i in range(n + 1)]


def two_peak(n: int, first: Fraction, second: Fraction) -> Weights:
    """Return two equal bumps (biweight kernels) around two counts."""
    width = max(Fraction(2), Fraction(n + 1, 4))

    def bump(distance: Fraction) -> Fraction:
        return max(Fraction(0), 1 - (distance / width) ** 2) ** 2

    return [bump(i - first) + bump(i - second) for i in range(n + 1)]


def triangular(n: int, low: Fraction, mode: Fraction, high: Fraction) -> Weights:
    """Return weights rising linearly from low to mode and falling linearly to high; positive from low to high."""

    def weight(i: int) -> Fraction:
        if not low <= i <= high:
            return Fraction(0)
        if i <= mode:
            return (i - low + 1) / (mode - low + 1)
        return (high - i + 1) / (high - mode + 1)

    return [weight(i) for i in range(n + 1)]


def quantiles(n: int, *pairs: Fraction) -> Weights:
    """Return weights with P(count <= q) = p for every given pair (p, q), and otherwise as flat as possible (maximum entropy)."""
    weights: list[Fraction] = []
    below = Fraction(0)
    for probability, count in [*zip(pairs[::2], pairs[1::2], strict=True), (Fraction(1), Fraction(n))]:
        bars = int(count) + 1 - len(weights)
        if bars:
            weights += [(probability - below) / bars] * bars
            below = probability
    return weights


def _two_peak_fast(n: int, first: Fraction, second: Fraction) -> Any:
    width = max(Fraction(2), Fraction(n + 1, 4))

    def bump(peak: Fraction) -> Any:
        scale = math.lcm(width.denominator, peak.denominator)
        reach, at = int(width * scale), int(peak * scale)

        def weights(i: Any) -> Any:
            # (1 + x)(1 - x) from whole numbers: no digits are lost where x is near 1.
            distance = np.abs(i * scale - at)
            near, far = np.maximum(reach - distance, 0).astype(float), (reach + distance).astype(float)
            return np.square(near * far / float(reach) ** 2)

        return _in_integers(n, scale, weights)

    return bump(first) + bump(second)


def _triangular_fast(n: int, low: Fraction, mode: Fraction, high: Fraction) -> Any:
    scale = math.lcm(low.denominator, mode.denominator, high.denominator)
    left, top, right = (int(value * scale) for value in (low, mode, high))

    def weights(i: Any) -> Any:
        rising = (i * scale - left + scale).astype(float) / float(top - left + scale)
        falling = (right - i * scale + scale).astype(float) / float(right - top + scale)
        inside = (i * scale >= left) & (i * scale <= right)
        return np.where(inside.astype(bool), np.where((i * scale <= top).astype(bool), rising, falling), 0.0)

    return _in_integers(n, scale, weights)


def _in_integers(n: int, scale: int, weights: Callable[[Any], Any]) -> Any:
    """Return the weights of 0..n from a function that computes them in whole numbers of up to 4 n scale."""
    kind: type = np.int64 if 8 * (n + 2) * scale < 2**62 else object
    starts = range(0, n + 1, _AT_ONCE)
    return np.concatenate([weights(np.arange(start, min(start + _AT_ONCE, n + 1)).astype(kind)) for start in starts])


def _quantiles_fast(n: int, *pairs: Fraction) -> Any:
    edges = [-1, *(int(count) for count in pairs[1::2]), n]
    chances = [Fraction(0), *pairs[::2], Fraction(1)]
    bars = np.diff(edges)
    return np.repeat([float((above - below) / int(k)) for (below, above), k in zip(pairwise(chances), bars, strict=True)], bars)


class NamedPrior(NamedTuple):
    """A named prior: its exact weights, the same shape in floating point, and its usage."""

    weights: Callable[..., Weights]
    fast: Callable[..., Any]
    usage: str


_QUANTILES = ("quantiles", "smooth-quantiles")
_RISING = "with increasing probabilities in (0, 1) and increasing counts below n"

NAMED: dict[str, NamedPrior] = {
    "uniform": NamedPrior(uniform, lambda n: np.ones(n + 1), "uniform"),
    "binomial": NamedPrior(binomial, _binomial_fast, "binomial:P with P in [0, 1]"),
    "poisson": NamedPrior(poisson, _poisson_fast, "poisson:MEAN with MEAN in [0, 1e5]"),
    "geometric": NamedPrior(geometric, _geometric_fast, "geometric:RATIO with RATIO in (0, 1]"),
    "spike": NamedPrior(spike, lambda n, at: (np.arange(n + 1) == at) * 1.0, "spike:COUNT with COUNT a whole number in 0..n"),
    "two-peak": NamedPrior(two_peak, _two_peak_fast, "two-peak:A,B with A and B in 0..n"),
    "triangular": NamedPrior(triangular, _triangular_fast, "triangular:LOW,MODE,HIGH with 0 <= LOW <= MODE <= HIGH <= n"),
    "quantiles": NamedPrior(quantiles, _quantiles_fast, f"quantiles:5%=3,95%=12 {_RISING}"),
    "smooth-quantiles": NamedPrior(smooth_quantiles, smooth_quantiles_fast, f"smooth-quantiles:5%=3,95%=12 {_RISING}"),
}


def parameters(name: str, text: str, n: int) -> list[Fraction]:
    """Return the checked parameters of a named prior.

    Raises
    ------
    InputError
        With the usage of the prior and what was given.
    """
    items = text.split(",") if text.strip() else []
    try:
        values = [exact(part, "prior") for item in items for part in item.split("=")]
        readable = all(item.count("=") == (name in _QUANTILES) for item in items)
    except InputError:
        values, readable = [], False
    # Numbers with more digits would cost minutes in the powers of an exact prior.
    short = all(value.denominator < _LARGEST and abs(value.numerator) < _LARGEST for value in values)
    if not (readable and short and _valid(name, values, n)):
        raise InputError(f"the prior must be {NAMED[name].usage}; with n = {n}, got {excerpt(f'{name}:{text}')}.", "prior")
    return values


def _valid(name: str, values: list[Fraction], n: int) -> bool:
    match name, values:
        case "uniform", []:
            return True
        case "binomial", [p]:
            return 0 <= p <= 1
        case "poisson", [mean]:
            return 0 <= mean <= 100_000
        case "geometric", [ratio]:
            return 0 < ratio <= 1
        case "spike", [at]:
            return 0 <= at <= n and at.denominator == 1
        case "two-peak", [first, second]:
            return 0 <= first <= n and 0 <= second <= n
        case "triangular", [low, mode, high]:
            return 0 <= low <= mode <= high <= n
        case "quantiles" | "smooth-quantiles", [_, *_]:
            chances, counts = values[::2], values[1::2]
            rows: list[list[Fraction | int]] = [[0, *chances, 1], [-1, *counts, n]]
            rising = all(a < b for row in rows for a, b in pairwise(row))
            return rising and all(count.denominator == 1 for count in counts)
    return False
