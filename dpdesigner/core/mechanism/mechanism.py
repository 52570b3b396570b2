"""Mechanisms as row-stochastic matrices (rows = true result, columns = release), certified, and repaired to be private.

Two kinds are held: the geometric mechanism followed by a remap (`dpdesigner.core.mechanism.geometric`), and a table, for
what a linear program found.

Repair of a solver's answer
---------------------------
It is made private as the nearest thing above it in the cone of private columns; then its rows are made to sum to 1.

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
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import place
from dpdesigner.core.basics.rounding import context, decimal
from dpdesigner.errors import InputError

Numbers = NDArray[Any]
#: Multiplies by alpha.
Shrink = Callable[[Numbers], Numbers]
#: Given the row sums, finds a total for which the amounts missing from the rows are private.
Total = Callable[[Numbers], Any]

_UNIT = 2.0**-53
#: Bits that the exact grid keeps below the smallest entry that one step of alpha per row can produce.
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
        raise InputError(f"alpha must be between 0 and 1, got {alpha}.", "alpha")
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
    """Return the least columns in K that are nowhere below the given columns; ``shrink(x)`` is alpha x (rounded up)."""
    above = columns.copy()
    for i in range(1, len(above)):
        above[i] = np.maximum(above[i], shrink(above[i - 1]))
    for i in range(len(above) - 2, -1, -1):
        above[i] = np.maximum(above[i], shrink(above[i + 1]))
    return above


def _filled(columns: Numbers, shrink: Shrink, total: Total, filler: int | None) -> Numbers:
    """Return the majorant with one column filled up so that all rows have the same sum."""
    table = least_majorant(columns, shrink)
    if not table.any():
        table += 1
    sums = table.sum(axis=1)
    column = int(np.argmax(table.sum(axis=0))) if filler is None else filler
    table[:, column] += total(sums) - sums
    return table


def _doubles(alpha: float, columns: int) -> tuple[Shrink, Total]:
    """Return functions for products with alpha and for totals, both raised so that later rounding errors stay inside K."""
    raised = min(1.0, alpha * (1 + (columns / 4 + 32) * _UNIT))

    def total(sums: Numbers) -> float:
        if raised in (0, 1):
            return float(sums.max())
        high, low = np.maximum(sums[1:], sums[:-1]), np.minimum(sums[1:], sums[:-1])
        needed = max(float(sums.max()), float((high + raised / (1 - raised) * (high - low)).max(initial=0.0)))
        return needed * (1 + 4 * _UNIT / (1 - raised))

    return lambda values: values * raised, total


def _integers(alpha: Fraction) -> tuple[Shrink, Total]:
    """Return the same functions in whole numbers, with alpha x rounded up."""
    p, q = alpha.numerator, alpha.denominator

    def total(sums: Numbers) -> int:
        slopes = [-((p * min(pair) - q * max(pair)) // (q - p)) for pair in zip(sums[1:], sums[:-1], strict=True) if p < q]
        return int(max([*slopes, sums.max()]))

    return lambda values: np.asarray(-(-p * values // q)), total


def _grid(alpha: Fraction, rows: int) -> int:
    """The number of grid steps in 1: fine enough for alpha^n with digits to spare, within reason."""
    bits = math.log2(alpha.denominator) - math.log2(alpha.numerator) if alpha else 0.0
    return 1 << (_GUARD_BITS + min(math.ceil(bits * rows), 1 << 16))


@dataclass(frozen=True, eq=False)
class Certificate:
    """A certified bound on a mechanism's distance from the optimum (THEORY.md, section 3): in fractions or one-sided doubles.

    Attributes
    ----------
    dual : ndarray or tuple of Fraction
        (n + 1,): w; after lowering each entry by `shift`, every c_r - w that was tested is in K*.
    gap : float or Fraction
        The expected loss is at most this much above the optimum; rounded up. Of fractions 0 where the mechanism is optimal.
    shift : float or Fraction
        eta.
    columns, checked : int
        How many releases there are, and of how many the column was tested: Theorem A vouches for the others.
    basis : str
        What the gap rests on, in words.
    rounding : float
        What the expected loss and the optimum may be wrong by, which the gap includes.
    """

    dual: Floats | tuple[Fraction, ...]
    gap: float | Fraction
    shift: float | Fraction
    columns: int
    checked: int
    basis: str = "all columns checked"
    rounding: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the proof is in fractions; with doubles the gap is small but not 0."""
        return isinstance(self.gap, Fraction)


class Solution(NamedTuple):
    """The reading of the geometric mechanism's outputs with the least expected loss, that loss, and its certificate.

    Attributes
    ----------
    outputs : ndarray or tuple of int
        (n + 1,): output j is read as outputs[j]; among equal readings the smallest.
    value : float or Fraction
    certificate : Certificate
    """

    outputs: Integers | tuple[int, ...]
    value: float | Fraction
    certificate: Certificate


_ROW, _COLUMN = "the true result", "the release"


class Mechanism(ABC):
    """A private mechanism for a count query.

    Attributes
    ----------
    privacy : PrivacyLevel
        The level that it satisfies.
    n : int
        The largest true result.
    delta : Fraction
        What epsilon may leave uncovered.
    further : tuple of (Fraction, Fraction)
        Other alphas with what they may leave uncovered.
    """

    privacy: PrivacyLevel
    n: int
    delta: Fraction = Fraction(0)
    further: tuple[tuple[Fraction, Fraction], ...] = ()

    @property
    @abstractmethod
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""

    @abstractmethod
    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic, exactly alpha-DP and summing to exactly 1.

        Parameters
        ----------
        alpha : Fraction
            At least the true alpha of the privacy level.
        """

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals, each entry rounded to `precision` significant digits."""
        rounded = context(precision)
        for row in self.exact_rows(alpha):
            yield [decimal(entry, rounded) for entry in row]

    def row(self, i: int) -> Floats:
        """Return the release probabilities when the true result is i, (n + 1,)."""
        return np.asarray(self.matrix[self._row_place(i)])

    def column(self, r: int) -> Floats:
        """Return the probability of release r for each true result, (n + 1,)."""
        return np.asarray(self.matrix[:, self._column_place(r)])

    def block(self, rows: Integers, columns: Integers) -> Floats:
        """Return the entries in some rows and columns, (len(rows), len(columns))."""
        return np.asarray(self.matrix[np.ix_(rows, columns)])

    def entry(self, i: int, r: int) -> float:
        """Return the probability of the release r when the true result is i."""
        return float(self.block(np.array([self._row_place(i)]), np.array([self._column_place(r)]))[0, 0])

    def ratio(self, i: int, r: int) -> float | None:
        """Return the probability of release r for the true result i + 1 divided by that for i; None if r is never released."""
        i, r = place(i, _ROW, self.n - 1), self._column_place(r)
        before, after = self.block(np.array([i, i + 1]), np.array([r]))[:, 0]
        return float(after / before) if before > 0 else None

    @property
    def epsilon(self) -> float:
        """The attained epsilon, rounded up; 0 if all rows are the same."""
        return self.privacy.epsilon_above

    @property
    def n_released(self) -> int:
        """The number of values that can be released."""
        return int((self.matrix > 0).any(axis=0).sum())

    def draw(self, i: int) -> int:
        """Draw one release: from row i exactly, using the operating system's entropy."""
        from dpdesigner.core.basics import sampling  # imported late: a window opens without it

        return sampling.from_weights(self._exact[self._row_place(i)])

    def _row_place(self, i: int) -> int:
        """Return a checked true result; -1 is refused."""
        return place(i, _ROW, self.n)

    def _column_place(self, r: int) -> int:
        """Return a checked release."""
        return place(r, _COLUMN, self.n)

    def _beliefs(self, prior: Floats) -> Floats:
        """Return a prior, checked to have one probability for each true result."""
        if np.shape(prior) != (self.n + 1,):
            raise InputError(f"the prior must have n + 1 = {self.n + 1} probabilities, got {np.shape(prior)}.", "prior")
        return np.asarray(prior)

    @cached_property
    def _exact(self) -> list[list[Fraction]]:
        return list(self.exact_rows(self.privacy.alpha_above))

    def posterior(self, prior: Floats, r: int) -> Floats | None:
        """Return a user's posterior after the release r, (n + 1,), under this prior; None if r is never released."""
        joint = self._beliefs(prior) * self.column(r)
        total = joint.sum()
        return np.asarray(joint / total) if total > 0 else None


@dataclass(frozen=True, eq=False)
class Table(Mechanism):
    """A mechanism stored as a matrix: the solution of a linear program, repaired to be private.

    Attributes
    ----------
    privacy : PrivacyLevel
    raw : ndarray
        (n + 1, n + 1): what the solver said, nearly private and nearly stochastic; never shown as it is.
    filler : int
        The column that takes up what the repaired rows lack.
    """

    privacy: PrivacyLevel
    raw: Floats
    filler: int

    @property
    def n(self) -> int:  # type: ignore[override]
        """The largest true result."""
        return len(self.raw) - 1

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), repaired, read-only."""
        entries = np.asarray(repair(self.raw, self.privacy.alpha, filler=self.filler), dtype=float)
        entries.flags.writeable = False
        return entries

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        for row in repair(self.raw, alpha, filler=self.filler):
            yield list(row)


def most_moved(mine: Floats, theirs: Floats) -> float:
    """Return the largest total variation distance between two matrices' rows: max_i sum_r |x_ir - y_ir| / 2."""
    return float(np.abs(mine - theirs).sum(axis=1).max()) / 2


def expected_loss(prior: Floats, loss: Floats, matrix: Floats) -> float:
    """Return sum_i p_i sum_r x_ir l(i, r): [GRS] (1)."""
    return math.fsum(prior * np.einsum("ij,ij->i", loss, matrix))


def mean_error(prior: Floats, matrix: Floats) -> float:
    """Return the average size of an error, sum_i p_i sum_r x_ir |i - r|."""
    counts = np.arange(len(prior), dtype=float)
    return expected_loss(prior, np.abs(counts[:, None] - counts), matrix)
