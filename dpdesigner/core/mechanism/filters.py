"""Sums against alpha^|i-j| in linear time by one-pole filters, in numbers far below the range of doubles.

The sum over i <= j of alpha^(j-i) x_i obeys S(j) = x_j + alpha S(j - 1), and with it the moments: those of (j - i)^k follow by
the binomial theorem, since at each step every distance grows by one. That is n steps one after the other, which numpy does
slowly one at a time, so a million values are laid out as some thousand blocks side by side:

1. the recursion is run in all blocks at once, each from nothing, to learn what each block holds at its end;
2. ends are handed on from block to block, over distances 1, 2, 4, ... (alpha to the length of a block between neighbours),
   which tells each block what it receives;
3. the recursion is run once more with what is received, and each step is kept.

Two runs over the data and log(n) short steps: milliseconds for a million. `largest_so_far` does the same for the maximum, and
`window_sums` for sums over windows of one length, from the ends and starts of blocks as long as a window: nothing is
subtracted.

alpha^|i-j| leaves the range of doubles after some hundred steps, while the posteriors there are well defined: numbers are held as
`scaled` has them. How many roundings a sum may carry is known (`STEP_ROUNDINGS`, `MOST_STEPS`), and the certificates charge for
them.

Numbers far below the range of doubles
--------------------------------------
Each is a mantissa times a power of two, with an exponent of its own.

The chances of a geometric mechanism leave that range after some hundred steps, while what is made of them, posteriors and
choices, is well defined.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import context, decimal

_CONTEXT = context(60)

#: The exponent of zero, so that a zero never decides a common exponent.
NOTHING = -(2**60)
#: Powers of two below which `numpy.ldexp` gives 0.
VANISHED = -2000


class Scaled(NamedTuple):
    """Numbers as mantissa * 2^exponent, in two arrays of equal shape."""

    mantissa: Floats
    exponent: Integers

    def to_floats(self) -> Floats:
        """Return doubles; 0 where they are too small for one."""
        return shifted(self.mantissa, self.exponent)


class Base(NamedTuple):
    """alpha in (0, 1], which may be far below the range of doubles: mantissa * 2^exponent, and its logarithm.

    Attributes
    ----------
    mantissa : float
        In [0.7, 1.42), so that many steps in a row stay in range.
    exponent : int
    logarithm : Decimal
        log2(alpha), to 50 digits.
    """

    mantissa: float
    exponent: int
    logarithm: Decimal

    @classmethod
    def of(cls, alpha: float | Fraction | PrivacyLevel) -> Base:
        """Construct the base from a number or a privacy level."""
        if isinstance(alpha, PrivacyLevel):
            epsilon = alpha.exact_epsilon
            if epsilon is not None:
                return cls._of_logarithm(decimal(-epsilon, _CONTEXT))
            alpha = alpha.alpha_above
        return cls._of_logarithm(_CONTEXT.ln(decimal(Fraction(alpha), _CONTEXT)))

    @classmethod
    def _of_logarithm(cls, natural: Decimal) -> Base:
        logarithm = _CONTEXT.divide(natural, _CONTEXT.ln(Decimal(2)))
        exponent = round(logarithm)
        mantissa = _CONTEXT.power(Decimal(2), _CONTEXT.subtract(logarithm, Decimal(exponent)))
        return cls(float(mantissa), exponent, logarithm)

    def powers(self, k: Integers) -> Scaled:
        """Return alpha^k, each to within a few units of rounding; k >= 0.

        The logarithm is cut into a part whose multiples by k are exact doubles and a small rest.
        """
        bits = 52 - int(k.max()).bit_length() - max(math.frexp(float(self.logarithm))[1], 0)
        coarse = math.ldexp(round(math.ldexp(float(self.logarithm), bits)), -bits)
        rest = float(_CONTEXT.subtract(self.logarithm, Decimal(coarse)))
        whole = np.floor(k * coarse)
        return Scaled(np.exp2(k * coarse - whole + k * rest), whole.astype(np.int64))


def shifted(numbers: Floats, exponent: NDArray[np.signedinteger]) -> Floats:
    """Return numbers * 2^exponent as doubles, 0 where they are too small for one."""
    return np.asarray(np.ldexp(numbers, np.maximum(exponent, VANISHED).astype(np.int32, copy=False)))


def normal(x: Floats) -> Scaled:
    """Return doubles as mantissas in [1/2, 1) and exponents; zeros get a special exponent."""
    mantissa, exponent = np.frexp(x)
    return Scaled(mantissa, np.where(mantissa > 0, exponent.astype(np.int64), NOTHING))


#: Steps in a block at most, and between two normalisations: each shrinks a mantissa by less than one power of two.
_STEPS, _NORMAL_EVERY = 512, 128
#: A term at distance d of a filtered sum carries at most STEP_ROUNDINGS (min(d, MOST_STEPS) + 8) roundings.
STEP_ROUNDINGS, MOST_STEPS = 8, 2 * _STEPS + 64


class Side(NamedTuple):
    """The sums on one side of every j: S_k(j) = sum_{i <= j} (j - i)^k alpha^(j-i) x_i = moments[k][j] * 2^exponent[j].

    Attributes
    ----------
    moments : ndarray
        (order + 1, n + 1), k = 0, 1, ...; where S_0 > 0, moments[0] is in [1/2, 1).
    exponent : ndarray of int
        (n + 1,).
    """

    moments: Floats
    exponent: Integers

    def total(self, k: int = 0) -> Scaled:
        """Return S_k."""
        return Scaled(self.moments[k], self.exponent)

    def reversed(self) -> Side:
        """Return the same sums with j counted from the other end."""
        return Side(self.moments[:, ::-1], self.exponent[::-1])

    def moved(self, distance: int, alpha: Base) -> Side:
        """Return the same sums seen from this many places further away."""
        power = alpha.powers(np.array([distance]))
        moments = _further(self.moments, distance) * power.mantissa
        return Side(moments, np.where(self.moments[0] > 0, self.exponent + power.exponent, NOTHING))

    def plus(self, other: Side) -> Side:
        """Return the sums of both."""
        top = np.maximum(self.exponent, other.exponent)
        moments = shifted(self.moments, self.exponent - top) + shifted(other.moments, other.exponent - top)
        return Side(moments, top).normal()

    def normal(self) -> Side:
        """Return the same sums with moments[0] in [1/2, 1)."""
        zeroth, lift = np.frexp(self.moments[0])
        moments = np.ldexp(self.moments, -lift)
        moments[0] = zeroth
        return Side(moments, np.where(zeroth > 0, self.exponent + lift, NOTHING))


def one_sided(x: Floats, alpha: Base, order: int = 0) -> Side:
    """Return the sums over i <= j of (j - i)^k alpha^(j-i) x_i.

    Parameters
    ----------
    x : ndarray
        (n + 1,), none negative.
    alpha : Base
    order : int
        The largest k.

    Returns
    -------
    Side
        A term at distance d carries at most STEP_ROUNDINGS (min(d, MOST_STEPS) + 8) roundings: it takes part in the recursion of
        its own block and of the one of j only.
    """
    weights = _in_blocks(x)
    steps, blocks = weights.mantissa.shape
    ends = _run(Side(np.zeros((order + 1, blocks)), np.full(blocks, NOTHING, dtype=np.int64)), weights, alpha, None).normal()
    distance = 1
    while distance < blocks:
        earlier = Side(ends.moments[:, :-distance], ends.exponent[:-distance]).moved(distance * steps, alpha)
        later = earlier.plus(Side(ends.moments[:, distance:], ends.exponent[distance:]))
        ends = Side(
            np.concatenate((ends.moments[:, :distance], later.moments), axis=1),
            np.concatenate((ends.exponent[:distance], later.exponent)),
        )
        distance *= 2
    starts = Side(np.roll(ends.moments, 1, axis=1), np.roll(ends.exponent, 1))
    starts.moments[:, 0], starts.exponent[0] = 0.0, NOTHING
    sums = Side(np.empty((order + 1, steps, blocks)), np.empty((steps, blocks), dtype=np.int64))
    _run(starts, weights, alpha, sums)
    moments = np.ascontiguousarray(sums.moments.swapaxes(1, 2)).reshape(order + 1, -1)[:, : len(x)]
    return Side(moments, np.ascontiguousarray(sums.exponent.T).reshape(-1)[: len(x)]).normal()


def largest_so_far(x: Floats, alpha: Base, tie: float) -> Integers:
    """Return for each j an i <= j with the largest alpha^(j-i) x_i.

    Parameters
    ----------
    x : ndarray
        (n + 1,), none negative.
    alpha : Base
    tie : float
        A later one must be larger by this, relatively; if negative, it may be smaller by this.

    Returns
    -------
    ndarray of int
        (n + 1,); 0 before the first positive x_i.
    """
    own = normal(x)
    powers = alpha.powers(np.arange(len(x) + 1))

    def better(earlier: Integers, later: Integers) -> Integers:
        gap = later - earlier
        shift = own.exponent[earlier] + powers.exponent[gap] - own.exponent[later]
        old = np.ldexp(own.mantissa[earlier] * powers.mantissa[gap], np.clip(shift, VANISHED, 500).astype(np.int32))
        return np.where(own.mantissa[later] > np.maximum(old * (1 + tie), 0), later, earlier)

    steps = _steps(len(x))
    blocks = -(-len(x) // steps)
    index = np.minimum(np.arange(steps)[:, None] + steps * np.arange(blocks), len(x) - 1)
    ends = index[0]
    for places in index[1:]:
        ends = better(ends, places)
    distance = 1
    while distance < blocks:
        ends = np.concatenate((ends[:distance], better(ends[:-distance], ends[distance:])))
        distance *= 2
    best = np.empty_like(index)
    place = np.concatenate(([0], ends[:-1]))
    for step, places in enumerate(index):
        best[step] = place = better(place, places)
    return np.ascontiguousarray(best.T).reshape(-1)[: len(x)]


def window_sums(x: Floats, alpha: float, distance: int) -> Floats:
    """Return sum_i alpha^(r + distance - i) x_i over |i - r| <= distance, for every r, without subtraction.

    Blocks as long as a window are summed from their start and to their end; a window is the end of one and the start of the next.

    Parameters
    ----------
    x : ndarray
        (n + 1,), none negative.
    alpha : float
    distance : int
    """
    length = 2 * distance + 1
    blocks = -(-(len(x) + 2 * distance) // length) + 1
    padded = np.zeros(blocks * length)
    padded[distance : distance + len(x)] = x
    starts, ends = padded.reshape(blocks, length).T.copy(), np.zeros((length + 1, blocks))
    for step in range(length - 1, -1, -1):
        ends[step] = ends[step + 1] + alpha ** (length - 1 - step) * starts[step]
    for step in range(1, length):
        starts[step] += alpha * starts[step - 1]
    # A window that starts in a block at `step` takes the block's end from there and the next block up to `step` - 1.
    sums = alpha ** np.arange(length)[:, None] * ends[:-1, :-1]
    sums[1:] += starts[:-1, 1:]
    return np.ascontiguousarray(sums.T).reshape(-1)[: len(x)]


def _run(state: Side, weights: Scaled, alpha: Base, kept: Side | None) -> Side:
    """Run the recursion through all blocks at once; intermediate results go to `kept`, (.., step, block)."""
    moments, exponent = state.moments, state.exponent
    lift = alpha.exponent
    order = len(moments) - 1
    for step in range(len(weights.mantissa)):
        for k in range(order, 0, -1):
            for m in range(k):
                moments[k] += moments[m] if m == 0 else math.comb(k, m) * moments[m]
        moments *= alpha.mantissa
        own = exponent + lift
        exponent = np.maximum(own, weights.exponent[step])
        moments = shifted(moments, own - exponent)
        moments[0] += shifted(weights.mantissa[step], weights.exponent[step] - exponent)
        if step % _NORMAL_EVERY == 0 or lift < -8:
            moments, exponent = Side(moments, exponent).normal()
        if kept is not None:
            kept.moments[:, step], kept.exponent[step] = moments, exponent
    return Side(moments, exponent)


def _further(moments: Floats, distance: int) -> Floats:
    """Return the moments of the same weights with every distance increased by one constant."""
    rows = []
    for k in range(len(moments)):
        rows.append(sum((math.comb(k, m) * distance ** (k - m) * moments[m] for m in range(k)), start=moments[k]))
    return np.stack(rows)


def _in_blocks(x: Floats) -> Scaled:
    """Return the numbers as (step, block), padded with zeros."""
    steps = _steps(len(x))
    padded = np.zeros(-(-len(x) // steps) * steps)
    padded[: len(x)] = x
    return normal(np.ascontiguousarray(padded.reshape(-1, steps).T))


def _steps(size: int) -> int:
    """The length of the blocks: about as many steps as there are blocks."""
    return min(_STEPS, 1 << ((size - 1).bit_length() + 1) // 2)
