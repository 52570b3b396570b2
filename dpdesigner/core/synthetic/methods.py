"""A made-up column by any of five ways at one epsilon, with what each count cost, and what is promised of the way beforehand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.bisection import Plan, bisect, error_bound, plan_of
from dpdesigner.core.synthetic.consistency import Shape, smooth
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise
from dpdesigner.core.synthetic.error_bounds import FEW_DRAWS, MOST_DRAWS, ErrorBound, best_shape, draws_for, noise_error_bound
from dpdesigner.core.synthetic.quantiles import LEVELS, from_quantiles
from dpdesigner.core.synthetic.weights import multiplicative_weights
from dpdesigner.progress import Progress, silent

Method = Literal["blr", "laplace", "hierarchy", "mwem", "quantiles"]
Neighbours = Literal["replace", "add-remove"]

METHODS: tuple[Method, ...] = ("laplace", "hierarchy", "mwem", "quantiles", "blr")
_FEW_BITS, _MANY_BITS = 8, 12
TOTAL_SHARE = Fraction(1, 10)  # of epsilon, for the number of rows where that is not public


@dataclass(frozen=True)
class Budget:
    """The shares of epsilon of the number of rows, 0 if that is public, and of the column.

    Attributes
    ----------
    epsilon : Fraction
    neighbours : {"replace", "add-remove"}
    """

    epsilon: Fraction
    neighbours: Neighbours

    @property
    def total(self) -> Fraction:
        """For the number of rows."""
        return self.epsilon * TOTAL_SHARE if self.neighbours == "add-remove" else Fraction(0)

    @property
    def column(self) -> Fraction:
        """For the column."""
        return self.epsilon - self.total

    @property
    def touched(self) -> int:
        """The number of cells of a level that one row can change."""
        return 2 if self.neighbours == "replace" else 1

    @property
    def total_level(self) -> PrivacyLevel | None:
        """Of the noise of the number of rows; None where that is public."""
        return PrivacyLevel.from_epsilon(self.total) if self.total else None


@dataclass(frozen=True)
class Charge:
    """A question to the real column: of cells low to high - 1 (of all cells at once where answer is None), and its price."""

    low: int
    high: int
    answer: int | None
    epsilon: Fraction


@dataclass(frozen=True, eq=False)
class MadeColumn:
    """A made-up column.

    Attributes
    ----------
    method : str
    total : int
        Its rows: the public number, or what was released of it.
    counts : ndarray of int
        (size,).
    charges : tuple of Charge
        In order; they sum to epsilon at most.
    shape : Shape or None
        Of noisy counts.
    """

    method: Method
    total: int
    counts: Integers
    charges: tuple[Charge, ...]
    shape: Shape | None = None


def shape_of(method: Method, bits: int) -> Shape | None:
    """Return how a way counts its cells; None where it does not count them all."""
    if method == "laplace":
        return Shape((1 << bits,))
    return best_shape(bits) if method == "hierarchy" else None


def method_error_bound(
    method: Method,
    bits: int,
    budget: Budget,
    failure: float,
    draws: int | None = None,
    progress: Progress = silent,
    total: int | None = None,
    accuracy: Fraction | None = None,
) -> ErrorBound | None:
    """Return the error bound of every interval in advance; None where none is known.

    No count of a column whose number of rows is public can be off by more than that number, if it is given. Bisection needs
    that number and its accuracy, and has a bound only for columns without a cell of more than ``tied`` rows.
    """
    if method == "blr" and total and accuracy and not budget.total:
        bound = error_bound(plan_of(bits, total, budget.column, accuracy), accuracy, failure)
        return None if bound is None else ErrorBound(bound.rows, failure, 0, bound.tied)
    shape = shape_of(method, bits)
    if shape is None:
        return None
    level = shape.level_privacy(budget.column, budget.touched)
    promise = noise_error_bound(shape, level, failure, budget.total_level, draws, progress)
    if total is None or promise.rows is None or budget.total:
        return promise
    return replace(promise, rows=min(promise.rows, total))


def all_error_bounds(
    bits: int,
    budget: Budget,
    failure: float,
    total: int,
    accuracy: Fraction,
    way: Method,
    quick: bool = False,
    progress: Progress = silent,
) -> dict[str, ErrorBound | None]:
    """Return the error bounds of all ways that have one, where they are worth computing.

    Parameters
    ----------
    bits, budget, failure, total, accuracy
        As in `promised`.
    way : str
        The one whose promise rests on many simulated releases; of few cells all do.
    quick : bool
        Whether few do for it, too.
    progress : callable
        May raise to stop.

    Notes
    -----
    Of very many cells, counting them one by one is so far behind a hierarchy that it is not asked unless it is the way.
    """
    promises: dict[str, ErrorBound | None] = dict.fromkeys(METHODS)
    for method in METHODS:
        many = not quick and (method == way or bits <= _FEW_BITS)
        if method == "hierarchy" or (method == "laplace" and (method == way or bits <= _MANY_BITS)):
            draws = draws_for(1 << bits, MOST_DRAWS if many else FEW_DRAWS)
            promises[method] = method_error_bound(method, bits, budget, failure, draws, progress, total)
    promises["blr"] = method_error_bound("blr", bits, budget, failure, total=total, accuracy=accuracy)
    return promises


def make(
    counts: ArrayLike,
    method: Method,
    budget: Budget,
    accuracy: Fraction = Fraction(1, 20),
    source: Source = SYSTEM,
    progress: Progress = silent,
) -> MadeColumn:
    """Make a column.

    Parameters
    ----------
    counts : array_like of int
        (2^bits,): the real counts.
    method : {"blr", "laplace", "hierarchy", "mwem", "quantiles"}
    budget : Budget
    accuracy : Fraction
        alpha of bisection.
    source : Source
    progress : callable
        May raise to stop.
    """
    real = np.asarray(counts, dtype=np.int64)
    total, charges = int(real.sum()), []
    if (level := budget.total_level) is not None:
        noisy = total + int(geometric_noise(level, 1, source)[0])
        charges.append(Charge(0, len(real), noisy, budget.total))
        total = max(noisy, 0)
    bits = (len(real) - 1).bit_length()
    shape = shape_of(method, bits)
    if shape is not None:
        made_up = smooth(real, shape, shape.level_privacy(budget.column, budget.touched), total, source)
        more = _alike(real, budget, len(shape.fans))
    elif method == "blr":
        made_up, more = _bisected(real, plan_of(bits, total, budget.column, accuracy), budget, source)
    elif method == "mwem":
        made_up, more = _weighted(real, total, budget, source, progress)
    else:
        made_up = from_quantiles(real, budget.column, total, LEVELS, budget.touched, source).counts
        more = _alike(real, budget, LEVELS)
    return MadeColumn(method, total, made_up, (*charges, *more), shape)


def _alike(real: Integers, budget: Budget, many: int) -> list[Charge]:
    """So many levels, each of all cells at once, of one price."""
    return [Charge(0, len(real), None, budget.column / many)] * many


def _bisected(real: Integers, plan: Plan, budget: Budget, source: Source) -> tuple[Integers, list[Charge]]:
    cut, price = bisect(real, plan, source), budget.column / plan.queries
    return cut.counts, [Charge(query.low, query.high, query.answer, price) for query in cut.queries]


def _weighted(real: Integers, total: int, budget: Budget, source: Source, progress: Progress) -> tuple[Integers, list[Charge]]:
    weighted = multiplicative_weights(real, budget.column, total, source=source, progress=progress)
    price, charges = budget.column / (2 * len(weighted.rounds)), []
    for each in weighted.rounds:
        charges += [Charge(each.low, each.high, None, price), Charge(each.low, each.high, each.answer, price)]
    return weighted.counts, charges
