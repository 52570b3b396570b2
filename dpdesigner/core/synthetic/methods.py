"""Build a synthetic column by one of five methods at one epsilon, with an error bound in advance.

Quantiles
---------
The exponential mechanism finds them one inside the other.

Level by level every stretch of the axis is cut at an edge with about as many of its rows on the left as on the right, chosen
with weights exp(-c |L - R|). With epsilon shared evenly among k levels, c = eps / (4 k) where a row is replaced: in one
stretch |L - R| changes by at most 2, or in two stretches by at most 1 each, so that a level is eps / k-private. Where a row joins
or leaves, one stretch changes by 1, and c = eps / (2 k).

Multiplicative weights (MWEM; Hardt, Ligett and McSherry, 2012)
---------------------------------------------------------------
They are used for interval queries.

In each of T rounds the exponential mechanism chooses an interval that the column made so far gets wrong, its count is taken with
geometric noise, and the weights of its cells move towards that count. Each round has eps / T, half of it to choose: weights
exp(eps / (4 T) |error|), the error in whole rows, and half to count: noise of ratio exp(-eps / (2 T)). Replacing, adding or
removing a row moves the count of an interval by at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.synthetic.bisection import Plan, bisect, error_bound, plan_of, spread
from dpdesigner.core.synthetic.cells import Query, Shape, running_total, smooth
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise, weighted_choice
from dpdesigner.core.synthetic.error_bounds import FEW_DRAWS, MOST_DRAWS, ErrorBound, best_shape, draws_for, noise_error_bound
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

LEVELS = 5


@dataclass(frozen=True, eq=False)
class Quantiles:
    """A release from quantiles: the 2^levels - 1 edges, and counts that share the rows evenly among them."""

    edges: tuple[int, ...]
    counts: Integers


def quantile_privacy(epsilon: Fraction, levels: int, touched: int) -> PrivacyLevel:
    """Return the privacy level of the weights: eps / (2 touched levels); `touched` is 2 under replacement, otherwise 1."""
    return PrivacyLevel.from_epsilon(epsilon / (2 * touched * levels))


def from_quantiles(
    counts: ArrayLike, epsilon: Fraction, total: int, levels: int, touched: int, source: Source = SYSTEM
) -> Quantiles:
    """Release a column by 2^levels - 1 quantiles.

    Parameters
    ----------
    counts : array_like of int
        (size,): the real counts.
    epsilon : Fraction
    total : int
        The public number of rows, or what was released of it.
    levels : int
    touched : int
        2 where a row is replaced, 1 where one joins or leaves.
    source : Source

    Notes
    -----
    A stretch of one cell or none has no edge inside: it is cut where it begins, whatever is in it.
    """
    totals = running_total(counts)
    weights = quantile_privacy(epsilon, levels, touched)
    ends = [0, len(totals) - 1]
    for _ in range(levels):
        cuts = [_cut(totals, low, high, weights, source) for low, high in pairwise(ends)]
        ends = [0, *(end for pair in zip(cuts, ends[1:], strict=True) for end in pair)]
    return Quantiles(tuple(ends[1:-1]), _between(ends, total, len(totals) - 1))


def _cut(totals: Integers, low: int, high: int, weights: PrivacyLevel, source: Source) -> int:
    """Choose an edge between low and high, near the middle of the rows between them."""
    if high - low < 2:
        return low
    left = totals[low + 1 : high] - totals[low]
    return low + 1 + weighted_choice(np.abs(2 * left - (totals[high] - totals[low])), weights, source)


def _between(ends: list[int], total: int, size: int) -> Integers:
    """Put equally many rows between consecutive ends; a stretch without cells puts its rows into the cell at that position."""
    spots = np.array(ends)
    shares = np.floor(total * np.arange(len(spots)) / (len(spots) - 1) + 0.5).astype(np.int64)
    counts = np.zeros(size, dtype=np.int64)
    for low, high, many in zip(spots[:-1].tolist(), spots[1:].tolist(), np.diff(shares).tolist(), strict=True):
        if high > low:
            counts[low:high] += spread([high - low], many, high - low)
        else:
            counts[min(low, size - 1)] += many
    return counts


WEIGHTS_BITS = 10
ROUNDS = 10
_PASSES = 20  # passes over all counts so far, after each round


@dataclass(frozen=True, eq=False)
class Weighted:
    """A release by multiplicative weights: the count of each round, and the synthetic counts."""

    rounds: tuple[Query, ...]
    counts: Integers


def multiplicative_weights(
    counts: ArrayLike,
    epsilon: Fraction,
    total: int,
    rounds: int = ROUNDS,
    source: Source = SYSTEM,
    progress: Progress = silent,
) -> Weighted:
    """Release a column by multiplicative weights.

    Parameters
    ----------
    counts : array_like of int
        (2^bits,), bits at most 10: the real counts.
    epsilon : Fraction
    total : int
        The public number of rows, or what was released of it.
    rounds : int
    source : Source
    progress : callable
        May raise to stop.
    """
    totals = running_total(counts)
    size = len(totals) - 1
    if size > 1 << WEIGHTS_BITS:
        raise InputError(
            f"multiplicative weights are for at most {WEIGHTS_BITS} bits of cells, got more.", "bits", str(WEIGHTS_BITS)
        )
    choosing, counting = (PrivacyLevel.from_epsilon(epsilon / (share * rounds)) for share in (4, 2))
    guess = np.full(size, total / size)
    measured: list[Query] = []
    for number in range(rounds):
        progress(number / rounds, "")
        low, high = _chosen(totals, guess, choosing, source)
        answer = int(totals[high] - totals[low]) + int(geometric_noise(counting, 1, source)[0])
        measured.append(Query(low, high, answer))
        guess = _moved(guess, measured, total)
    whole = np.floor(np.concatenate([[0.0], np.cumsum(guess)]) + 0.5).astype(np.int64)
    whole[-1] = total
    return Weighted(tuple(measured), np.diff(np.minimum(whole, total)))


def _chosen(totals: Integers, guess: Floats, level: PrivacyLevel, source: Source) -> tuple[int, int]:
    """Choose an interval, more probably the larger its error; the synthetic counts are rounded first, so errors are integers."""
    made = np.floor(np.concatenate([[0.0], np.cumsum(guess)]) + 0.5).astype(np.int64)
    path = totals - made
    size = len(path)
    errors = np.abs(path[np.newaxis, :] - path[:, np.newaxis])[np.triu_indices(size, 1)]
    place = weighted_choice(-errors, level, source)
    starts = np.cumsum(np.arange(size - 1, 0, -1))
    low = int(np.searchsorted(starts, place, side="right"))
    return low, low + 1 + place - (int(starts[low - 1]) if low else 0)


def _moved(guess: Floats, rounds: list[Query], total: int) -> Floats:
    """Move the weights towards the counts, in several passes: released values may be reused as often as needed."""
    if total <= 0:
        return guess
    weights = guess.copy()
    for _ in range(_PASSES):
        for each in reversed(rounds):
            off = (each.answer - weights[each.low : each.high].sum()) / (2 * total)
            weights[each.low : each.high] *= np.exp(np.clip(off, -20, 20))
            weights *= total / weights.sum()
    return weights


Method = Literal["blr", "laplace", "hierarchy", "mwem", "quantiles"]
Neighbours = Literal["replace", "add-remove"]

METHODS: tuple[Method, ...] = ("laplace", "hierarchy", "mwem", "quantiles", "blr")
_FEW_BITS, _MANY_BITS = 8, 12
TOTAL_SHARE = Fraction(1, 10)  # share of epsilon for the number of rows if that is not public


@dataclass(frozen=True)
class Budget:
    """Epsilon and its shares: for the number of rows (0 if that is public) and for the column.

    Attributes
    ----------
    epsilon : Fraction
    neighbours : {"replace", "add-remove"}
    """

    epsilon: Fraction
    neighbours: Neighbours

    @property
    def total(self) -> Fraction:
        """The share for the number of rows."""
        return self.epsilon * TOTAL_SHARE if self.neighbours == "add-remove" else Fraction(0)

    @property
    def column(self) -> Fraction:
        """The share for the column."""
        return self.epsilon - self.total

    @property
    def touched(self) -> int:
        """The number of cells of a level that one row can change."""
        return 2 if self.neighbours == "replace" else 1

    @property
    def total_level(self) -> PrivacyLevel | None:
        """The level of the noise of the number of rows; None where that is public."""
        return PrivacyLevel.from_epsilon(self.total) if self.total else None


@dataclass(frozen=True)
class Charge:
    """A query to the real column, over cells low to high - 1 (every cell at once if answer is None), and its epsilon."""

    low: int
    high: int
    answer: int | None
    epsilon: Fraction


@dataclass(frozen=True, eq=False)
class MadeColumn:
    """A synthetic column.

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
    """Return the hierarchy in which a method counts all cells; None if it does not count them all."""
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
    """Return the data-independent error bound for every interval; None if none is known.

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
    """Return the error bounds of all methods that have one, where they are worth computing.

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
    """Make a synthetic column.

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
    """Return this many charges of equal epsilon, one per level, each for all cells at once."""
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
