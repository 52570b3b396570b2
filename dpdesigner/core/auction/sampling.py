"""Exact draws of a price, with integers and the operating system's entropy.

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
from functools import cached_property
from itertools import accumulate, pairwise

from dpdesigner.core.privacy.sampling import Below, bernoulli_exponential

#: (low, high, quantity): so much is bought at the prices in (low, high], in caps.
Step = tuple[Fraction, Fraction, Fraction]

STEPS = 10**9
_ONE = Fraction(1)
_PARTS = 2**40  # of an item
_BITS = 128  # of the bounds U
_SURE = 1e-11  # more than the relative error of exp of a double
_FIRST = 64  # bits of a uniform number that nearly always decide
_LEAST = 2**100  # bounds above this are so sharp that the first bits decide


@dataclass(frozen=True)
class _Piece:
    """Prices in (low, high] in steps: the revenue rises by `slope` a step to `fall` below the most, in parts of `scale`."""

    low: int
    high: int
    slope: int
    fall: int


class ExactPrice:
    """Draws prices.

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
        """How wide the cells of each piece are, in steps."""
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
        """Return g: the price is g / `STEPS` of the cap."""
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
    """Put the steps of all bidders together; each brings at most one cap at any price."""
    slopes, levels = defaultdict[int, int](int), defaultdict[int, int](int)
    full = STEPS * parts
    for low, high, quantity in steps:
        first, last = (min(math.floor(end * STEPS), STEPS) for end in (low, high))
        bought = math.floor(quantity * parts)
        if first >= last or not bought:
            continue
        enough = min(max(full // bought, first), last)  # above this price one cap is reached
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
