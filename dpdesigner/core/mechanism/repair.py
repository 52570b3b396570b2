"""Make a solver's answer private: the nearest thing above it in the cone of private columns, then rows that sum to 1.

A linear-programming solver keeps the constraints only to within a tolerance, so that beside a small positive entry there may be
a zero, and epsilon is infinite. Here every column x is replaced by its least majorant in K = {x >= 0 : alpha x_i <= x_{i+1} <=
x_i / alpha}, which is xhat_i = max_k alpha^|i-k| x_k: one filter down the rows and one up. The row sums s of these are in K, but
not all the same. One column then gets e_i = S - s_i on top, where S >= max s is just large enough that e is in K, that is
S (1 - alpha) >= s_i - alpha s_k for neighbours i and k. Now all rows sum to S, and dividing by S makes the table stochastic. K is
a cone, so the table stays private.

The same few lines serve two kinds of numbers, told apart by the type of alpha:

- ``float``: for the screen. alpha is raised by a few units of rounding, so that what the doubles say is private all the same.
- ``Fraction``: exact. Entries are whole multiples of a fine grid, and alpha x is rounded up to the grid, which keeps K exactly
  (alpha ceil(alpha z) <= z for whole z) and keeps the numbers short. Privacy and row sums hold as statements about rationals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.errors import InputError

Numbers = NDArray[Any]
#: Multiplies by alpha.
Shrink = Callable[[Numbers], Numbers]
#: Given the sums of the rows, finds the total that makes what they lack of it private.
Total = Callable[[Numbers], Any]

_UNIT = 2.0**-53
#: Digits, in bits, that the exact grid keeps below the smallest entry that a step of alpha per row leads to.
_GUARD_BITS = 80


def repair(raw: ArrayLike, alpha: float | Fraction, *, filler: int | None = None) -> Numbers:
    """Return a private, row-stochastic table close to a given one.

    Parameters
    ----------
    raw : array_like
        (n + 1, m) of finite numbers, rows = true result; nearly private and nearly stochastic. Negative entries count as 0.
    alpha : float or Fraction
        The privacy level, in [0, 1]; its type decides the arithmetic.
    filler : int, optional
        The column that takes up what the rows lack; by default the one with the largest sum.

    Returns
    -------
    ndarray
        (n + 1, m), of doubles or of Fractions. Of Fractions: each row sums to exactly 1 and the ratio of
        entries below each other is within [alpha, 1 / alpha], exactly. Of doubles: private as the rationals that they are, as
        long as no entry is below the normal doubles; rows sum to 1 within rounding.

    Raises
    ------
    InputError
        If alpha is outside [0, 1] or an entry is not finite.
    """
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha must be in [0, 1], got {alpha}.", "alpha")
    rough = np.asarray(raw, dtype=None if isinstance(alpha, float) else object)
    if not all(math.isfinite(entry) for entry in rough.flat):
        raise InputError("the entries of a table of probabilities must be finite numbers, got one that is not.", "mechanism")
    if isinstance(alpha, Fraction):
        grid = _grid(alpha, len(rough))
        whole = np.frompyfunc(lambda entry: max(0, round(Fraction(entry) * grid)), 1, 1)(rough)
        counts = _filled(whole, *_integers(alpha), filler)
        return np.asarray(np.frompyfunc(Fraction, 2, 1)(counts, counts[0].sum()))
    table = _filled(np.maximum(rough.astype(float), 0.0), *_doubles(float(alpha), rough.shape[1]), filler)
    return np.asarray(table / table.sum(axis=1)[:, None])


def least_majorant(columns: Numbers, shrink: Shrink) -> Numbers:
    """Return the least columns in K that are nowhere below the given ones, where ``shrink(x)`` is alpha x (rounded up)."""
    above = columns.copy()
    for i in range(1, len(above)):
        above[i] = np.maximum(above[i], shrink(above[i - 1]))
    for i in range(len(above) - 2, -1, -1):
        above[i] = np.maximum(above[i], shrink(above[i + 1]))
    return above


def _filled(columns: Numbers, shrink: Shrink, total: Total, filler: int | None) -> Numbers:
    """The majorant with one column filled up so that all rows have the same sum."""
    table = least_majorant(columns, shrink)
    if not table.any():
        table += 1
    sums = table.sum(axis=1)
    column = int(np.argmax(table.sum(axis=0))) if filler is None else filler
    table[:, column] += total(sums) - sums
    return table


def _doubles(alpha: float, columns: int) -> tuple[Shrink, Total]:
    """Products with alpha and totals, both raised so that the roundings of all that follows stay inside K."""
    raised = min(1.0, alpha * (1 + (columns / 4 + 32) * _UNIT))

    def total(sums: Numbers) -> float:
        if raised in (0, 1):
            return float(sums.max())
        high, low = np.maximum(sums[1:], sums[:-1]), np.minimum(sums[1:], sums[:-1])
        needed = max(float(sums.max()), float((high + raised / (1 - raised) * (high - low)).max(initial=0.0)))
        return needed * (1 + 4 * _UNIT / (1 - raised))

    return lambda values: values * raised, total


def _integers(alpha: Fraction) -> tuple[Shrink, Total]:
    """The same in whole numbers, alpha x rounded up."""
    p, q = alpha.numerator, alpha.denominator

    def total(sums: Numbers) -> int:
        slopes = [-((p * min(pair) - q * max(pair)) // (q - p)) for pair in zip(sums[1:], sums[:-1], strict=True) if p < q]
        return int(max([*slopes, sums.max()]))

    return lambda values: np.asarray(-(-p * values // q)), total


def _grid(alpha: Fraction, rows: int) -> int:
    """How many grid steps make 1: fine enough for alpha^n with digits to spare, within reason."""
    bits = math.log2(alpha.denominator) - math.log2(alpha.numerator) if alpha else 0.0
    return 1 << (_GUARD_BITS + min(math.ceil(bits * rows), 1 << 16))
