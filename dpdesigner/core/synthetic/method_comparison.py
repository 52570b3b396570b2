"""The methods compared: measured errors, for the owner of the column only, and exact privacy on tiny domains.

The privacy that counted, chosen and cut columns really have on tiny domains: the ratio of every atom of what is drawn.

What is drawn from the real column is told in full here: all noisy counts, or all intervals chosen with their noisy answers, or
all cuts. The made-up column is computed from that alone, so it tells no more. Laws of noise are infinite, but beyond the counts
of two neighbours the ratio of two atoms no longer changes, so that finitely many of them are all there are.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

import numpy as np

from dpdesigner.arrays import Integers, log_shares
from dpdesigner.core.synthetic.bisection import LAW_BITS, LAW_ROWS, exact_privacy, neighbours, plan_of
from dpdesigner.core.synthetic.cells import Shape, running_total, worst_interval
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.error_bounds import draws_for
from dpdesigner.core.synthetic.methods import (
    LEVELS,
    METHODS,
    ROUNDS,
    WEIGHTS_BITS,
    Budget,
    Method,
    make,
    method_error_bound,
    quantile_privacy,
    shape_of,
)
from dpdesigner.progress import Progress

RELEASES = 100
_MOST_CELL_DRAWS = 2_000_000  # over all releases of one method
_CURVE, _CURVE_DRAWS, _CURVE_RELEASES = 11, 5_000, 15
_MANY_BITS, _CURVE_OF_MANY = 16, 5
_AIM_DRAWS = 20_000
_LARGEST = Fraction(700)
#: Every epsilon of three digits from 1e-4 to 700, the candidates in a search for a bound.
_THREE_DIGITS = [
    *(Fraction(digits) * Fraction(10) ** power for power in range(-6, 0) for digits in range(100, 1000)),
    *(Fraction(digits) for digits in range(100, 701)),
]


@dataclass(frozen=True, eq=False)
class Column:
    """A real column and the settings for its synthetic column, except the method.

    Attributes
    ----------
    counts : ndarray of int
        (2^bits,).
    budget : Budget
    accuracy : Fraction
        alpha of bisection.
    failure : float
        delta.
    """

    counts: Integers
    budget: Budget
    accuracy: Fraction
    failure: float

    @property
    def bits(self) -> int:
        """The number of bits of the cells."""
        return (len(self.counts) - 1).bit_length()


@dataclass(frozen=True)
class EpsilonCurve:
    """Error against epsilon, in rows: the error bound and the measured error; nan where there is none."""

    epsilons: tuple[float, ...]
    bounds: tuple[float, ...]
    measured: tuple[float, ...]

    def through(self, here: float, bound: float | None, typical: float | None) -> EpsilonCurve:
        """Return a curve that reaches an epsilon and goes through the numbers of the comparison there, once they are known."""
        known = list(zip(self.epsilons, self.bounds, self.measured, strict=True))
        if typical is not None:
            known = [each for each in known if not 0.6 < each[0] / here < 1.6]
        elif min(self.epsilons) <= here <= max(self.epsilons):
            return self
        own = (float("nan") if each is None else float(each) for each in (bound, typical))
        return EpsilonCurve(*zip(*sorted([*known, (here, *own)]), strict=True))


def typical_errors(column: Column, progress: Progress) -> dict[str, float]:
    """Return each method's worst interval error, in rows, as the median of several releases."""
    errors: dict[str, float] = {}
    for place, method in enumerate(METHODS):
        if method != "mwem" or column.bits <= WEIGHTS_BITS:
            many = int(np.clip(_MOST_CELL_DRAWS >> column.bits, 5, 20 if method == "mwem" else RELEASES))
            errors[method] = typical_error(column, method, column.budget, many, progress, place / len(METHODS))
    return errors


def typical_error(column: Column, method: Method, budget: Budget, many: int, progress: Progress, share: float = 0.0) -> float:
    """Return the worst interval error, in rows, as the median of this many seeded releases."""
    errors = []
    for run in range(many):
        progress(share, "")
        made = make(column.counts, method, budget, column.accuracy, for_study(run), progress)
        errors.append(abs(worst_interval(column.counts, made.counts).error))
    return float(median(errors))


def epsilon_curve(column: Column, method: Method, progress: Progress) -> EpsilonCurve:
    """Return a method's error bound and measured error at several epsilons."""
    epsilons = np.geomspace(0.05, 10, _CURVE if column.bits <= _MANY_BITS else _CURVE_OF_MANY).tolist()
    promises, really = [], []
    public = (int(column.counts.sum()), column.accuracy) if method == "blr" and not column.budget.total else ()
    for place, epsilon in enumerate(epsilons):
        progress(place / len(epsilons), "")
        budget = Budget(Fraction(f"{epsilon:.6g}"), column.budget.neighbours)
        promise = method_error_bound(
            method, column.bits, budget, column.failure, draws_for(len(column.counts), _CURVE_DRAWS), progress, *public
        )
        promises.append(float("nan") if promise is None or promise.rows is None else float(promise.rows))
        many = 3 if method == "mwem" else int(np.clip(_MOST_CELL_DRAWS >> (column.bits + 4), 3, _CURVE_RELEASES))
        really.append(typical_error(column, method, budget, many, progress, place / len(epsilons)))
    return EpsilonCurve(tuple(epsilons), tuple(promises), tuple(really))


def error_paths(column: Column, method: Method, progress: Progress) -> Integers:
    """Return the errors of the running total in up to a hundred seeded releases, (releases, size + 1)."""
    paths, total = [], running_total(column.counts)
    for run in range(int(np.clip(_MOST_CELL_DRAWS >> column.bits, 5, RELEASES))):
        progress(run / RELEASES, "")
        made = make(column.counts, method, column.budget, column.accuracy, for_study(run), progress)
        paths.append(running_total(made.counts) - total)
    return np.array(paths)


def epsilon_for(
    method: Method, bits: int, budget: Budget, failure: float, rows: int, total: int, accuracy: Fraction, progress: Progress
) -> Fraction | None:
    """Return the least epsilon, to three digits, at which a method's error bound is at most this many rows.

    It depends on the aim alone and not on the epsilon of the budget, so that aiming twice gives the same. None where the way has
    no error bound, or none so small up to epsilon = 700.
    """

    def near_enough(epsilon: Fraction) -> bool:
        trial = Budget(epsilon, budget.neighbours)
        draws = draws_for(1 << bits, _AIM_DRAWS)
        promise = method_error_bound(method, bits, trial, failure, draws, progress, total, accuracy)
        return promise is not None and promise.rows is not None and promise.rows <= rows

    if method not in ("laplace", "hierarchy", "blr") or not near_enough(_LARGEST):
        return None
    places = range(len(_THREE_DIGITS))
    return _THREE_DIGITS[bisect_left(places, True, key=lambda place: near_enough(_THREE_DIGITS[place]))]


_ROUNDING = 1e-12  # relative; doubles here err by a thousandth of that
_AT_ONCE = 256  # pairs of neighbours


def enumerated_privacy(bits: int, rows: int, epsilon: Fraction, shape: Shape) -> Fraction:
    """Return the largest log ratio of any noisy counts of all levels together, exactly.

    Notes
    -----
    Geometric noise of ratio exp(-e) gives y for the counts c and c' with log ratio e (|y - c'| - |y - c|), which is the same
    for all y below, and for all y above both: the y from -1 to rows + 1 are all there are. Cells are independent, so the
    largest ratios of each add up.
    """
    counts, one, other = neighbours(bits, rows)
    each = epsilon / (2 * len(shape.fans))
    answers, values = np.arange(-1, rows + 2), np.arange(rows + 1)
    distance = np.abs(answers[:, np.newaxis] - values)
    largest = (distance[:, np.newaxis, :] - distance[:, :, np.newaxis]).max(axis=0)  # indexed by c and c'
    most = np.zeros(len(one), dtype=np.int64)
    for size in shape.level_sizes():
        level = counts.reshape(len(counts), size, -1).sum(axis=2)
        most += largest[level[one], level[other]].sum(axis=1)
    return each * int(most.max())


def cut_privacy(bits: int, rows: int, epsilon: Fraction, levels: int) -> float:
    """Return the largest log ratio of any division of the axis by quantiles, rounded up.

    Notes
    -----
    A cut of a stretch is chosen independently of those elsewhere, so the largest ratio of a stretch is that of a cut together
    with the largest ones of both parts, level by level.
    """
    counts, one, other = neighbours(bits, rows)
    size, rate = 1 << bits, quantile_privacy(epsilon, levels, 2).epsilon
    totals = np.concatenate([np.zeros((len(counts), 1), dtype=np.int64), np.cumsum(counts, axis=1)], axis=1)
    chances = {}
    for low in range(size + 1):
        for high in range(low + 2, size + 1):
            left = totals[:, low + 1 : high] - totals[:, [low]]
            chances[low, high] = log_shares(-rate * np.abs(2 * left - (totals[:, [high]] - totals[:, [low]])))
    worst = 0.0
    for first, second in ((one, other), (other, one)):
        best = {(low, high): np.zeros(len(first)) for low in range(size + 1) for high in range(low, size + 1)}
        for _ in range(levels):
            before = best
            best = dict(before)
            for (low, high), shares in chances.items():
                parts = [before[low, cut] + before[cut, high] for cut in range(low + 1, high)]
                best[low, high] = (shares[first] - shares[second] + np.stack(parts, axis=1)).max(axis=1)
        worst = max(worst, float(best[0, size].max()))
    return worst * (1 + _ROUNDING)


def chosen_privacy(bits: int, rows: int, epsilon: Fraction, rounds: int = ROUNDS) -> float:
    """Return a bound on the log ratio of all intervals chosen by multiplicative weights with their noisy answers, rounded up.

    Notes
    -----
    What is chosen in a round depends on what is made up so far, rounded: all columns of so many rows are tried for that, whether
    they can come up or not, so that the rounds' largest ratios add up to a bound. In a round it is the ratio of the chances of
    an interval, and that of the noise where its count differs.
    """
    counts, one, other = neighbours(bits, rows)
    low, high = np.triu_indices((1 << bits) + 1, 1)
    totals = np.concatenate([np.zeros((len(counts), 1), dtype=np.int64), np.cumsum(counts, axis=1)], axis=1)
    real = totals[:, high] - totals[:, low]
    choosing, counting = (float(epsilon / (share * rounds)) for share in (4, 2))
    worst = 0.0
    for made in real:  # the intervals' counts in the synthetic data so far
        shares = log_shares(choosing * np.abs(real - made))
        for start in range(0, len(one), _AT_ONCE):
            first, second = one[start : start + _AT_ONCE], other[start : start + _AT_ONCE]
            noise = counting * np.abs(real[first] - real[second])
            worst = max(worst, float((np.abs(shares[first] - shares[second]) + noise).max()))
    return rounds * worst * (1 + _ROUNDING)


@dataclass(frozen=True)
class Enumerated:
    """The attained epsilon of a method over all databases, rounded up, and whether it is only an upper bound."""

    epsilon: Fraction | float
    bound: bool = False


def enumerated(method: Method, bits: int, rows: int, budget: Budget, accuracy: Fraction) -> Enumerated | None:
    """Return a method's attained epsilon by enumeration, under replacement on tiny domains; otherwise None.

    Parameters
    ----------
    method : {"blr", "laplace", "hierarchy", "mwem", "quantiles"}
    bits, rows : int
    budget : Budget
    accuracy : Fraction
        alpha of bisection.
    """
    if bits > LAW_BITS or not 0 < rows <= LAW_ROWS or budget.neighbours != "replace":
        return None
    if method == "blr":
        return Enumerated(exact_privacy(plan_of(bits, rows, budget.column, accuracy)).epsilon)
    if method == "mwem":
        return Enumerated(chosen_privacy(bits, rows, budget.column), bound=True)
    if method == "quantiles":
        return Enumerated(cut_privacy(bits, rows, budget.column, LEVELS))
    shape = shape_of(method, bits)
    return None if shape is None else Enumerated(enumerated_privacy(bits, rows, budget.column, shape))
