"""Running products of many ratios, each right to the last digit of a double: the weights of named priors over a long range.

A product of a million doubles is wrong by up to a million roundings, a sum of their logarithms by more. Here every number is held
as the unevaluated sum of two doubles times a power of two. With u = 2^-53 each operation is wrong by at most 5 u^2 (M. Joldes,
J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", ACM Transactions
on Mathematical Software 44(2), 2017, theorems for DWTimesFP, DWDivFP and DWTimesDW), so ten million ratios are wrong by less
than 1e-7 u together, and what is returned is within 1.01 units of rounding (u) of the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers

_SPLITTER = 2.0**27 + 1
#: Factors below one half each between two normalisations: far from where the lower part of a number would vanish.
_STEADY = 128
#: A weight so many e-folds below the largest is 0 as a double, whatever the errors of a logarithm of a factorial.
_VANISHED = 760.0


class _Double(NamedTuple):
    """(high + low) * 2^exponent; |low| is at most half a unit of high."""

    high: Floats
    low: Floats
    exponent: Integers

    def each(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> _Double:
        """Change the three arrays alike."""
        return _Double(change(self.high), change(self.low), change(self.exponent))

    def put(self, places: Any, other: _Double) -> None:
        """Set some places of the three arrays."""
        self.high[places], self.low[places], self.exponent[places] = other

    def normal(self) -> _Double:
        high, lift = np.frexp(self.high)
        return _Double(high, np.ldexp(self.low, -lift), self.exponent + lift)

    def plain(self) -> Floats:
        high, lift = np.frexp(self.high)
        return np.asarray(np.ldexp(high, np.maximum(self.exponent + lift, -2000).astype(np.int32)))

    def times(self, other: _Double) -> _Double:
        high, low = _product(self.high, other.high)
        return _Double(*_sum(high, low + (self.high * other.low + self.low * other.high)), self.exponent + other.exponent)


def running_products(factor: Fraction, over: Floats, under: Floats) -> Floats:
    """Return 1 and the products of the first 1, 2, ... of the ratios factor * over / under.

    Parameters
    ----------
    factor : Fraction
        Positive.
    over, under : ndarray
        (k,) each: whole numbers from 1 to 2^53.

    Returns
    -------
    ndarray
        (k + 1,), each within 1.01 units of rounding, or 2^-1074, of the truth.
    """
    if not len(over):
        return np.ones(1)
    high, low, exponent = _of(factor)
    first = _Double(np.full(len(over), high), np.full(len(over), low), np.full(len(over), exponent))
    product, rest = _product(first.high, over)
    scaled = _sum(product, rest + first.low * over)
    quotient = scaled[0] / under
    back, rest = _product(quotient, under)
    ratios = _Double(*_sum(quotient, ((scaled[0] - back) - rest + scaled[1]) / under), first.exponent).normal()
    return np.concatenate(([1.0], _accumulated(ratios).plain()))


def unimodal(n: int, mode: int, log_weight: Callable[[int], float], up: Callable[[int, int], Floats]) -> Floats:
    """Return weights over 0..n that fall on either side of a mode, where they are 1; see `reach` and `running_products`.

    Parameters
    ----------
    n, mode : int
    log_weight : callable
        The logarithm of the weight of i, up to a constant and an error below 1.
    up : callable
        Given a first and a last i: the weights from the mode to there, by running products; it is asked for both sides.
    """
    low, high = _reach(mode, 0, log_weight), _reach(mode, n, log_weight)
    weights = np.zeros(n + 1)
    weights[mode : high + 1] = up(mode, high)
    weights[low : mode + 1] = up(mode, low)[::-1]
    return weights


def _reach(mode: int, end: int, log_weight: Callable[[int], float]) -> int:
    """The last i from the mode towards an end whose weight may be a double above 0."""
    least = log_weight(mode) - _VANISHED
    inside, outside = mode, end
    if log_weight(end) >= least:
        return end
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if log_weight(middle) >= least else (inside, middle)
    return inside


def _accumulated(ratios: _Double) -> _Double:
    """The running products, in about as many blocks as each has steps, all blocks at a time."""
    size = len(ratios.high)
    if size == 1:
        return ratios
    steps = math.isqrt(size - 1) + 1
    blocks = -(-size // steps)
    padded = _Double(np.ones(blocks * steps), np.zeros(blocks * steps), np.zeros(blocks * steps, dtype=np.int64))
    padded.put(slice(size), ratios)
    products = padded.each(lambda part: np.ascontiguousarray(part.reshape(blocks, steps).T))
    state = _Double(np.ones(blocks), np.zeros(blocks), np.zeros(blocks, dtype=np.int64))
    for step in range(steps):
        state = state.times(_Double(products.high[step], products.low[step], products.exponent[step]))
        if step % _STEADY == 0:
            state = state.normal()
        products.put(step, state)
    if blocks > 1:
        ends = _accumulated(products.each(lambda part: part[-1, :-1]).normal()).normal()
        products.put(np.s_[:, 1:], products.each(lambda part: part[:, 1:]).normal().times(ends))
    return products.each(lambda part: np.ascontiguousarray(part.T).reshape(-1)[:size])


def _of(number: Fraction) -> tuple[float, float, int]:
    """A positive fraction as high, low and an exponent, to within u^2."""
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    scaled = number / Fraction(2) ** exponent
    high = float(scaled)
    return high, float(scaled - Fraction(high)), exponent


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """a b without any error, as two doubles (T. J. Dekker, 1971)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    shifted = _SPLITTER * a
    high = shifted - (shifted - a)
    return high, a - high


def _sum(large: Floats, small: Floats) -> tuple[Floats, Floats]:
    total = large + small
    return total, small - (total - large)
