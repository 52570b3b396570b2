"""How far off each way really is for a column, again and again: for its owner, since it is computed from the real counts."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

import numpy as np

from dpdesigner.arrays import Integers
from dpdesigner.core.synthetic.cells import running_total, worst_interval
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.error_bounds import draws_for
from dpdesigner.core.synthetic.methods import METHODS, Budget, Method, make, method_error_bound
from dpdesigner.core.synthetic.weights import MOST_BITS
from dpdesigner.progress import Progress

RELEASES = 100
_MOST_CELL_DRAWS = 2_000_000  # of all releases of one way
_CURVE, _CURVE_DRAWS, _CURVE_RELEASES = 11, 5_000, 15
_MANY_BITS, _CURVE_OF_MANY = 16, 5
_AIM_DRAWS = 20_000
_LARGEST = Fraction(700)
#: Every epsilon of three digits from 1e-4 to 700, at which a bound can be looked for.
_THREE_DIGITS = [
    *(Fraction(digits) * Fraction(10) ** power for power in range(-6, 0) for digits in range(100, 1000)),
    *(Fraction(digits) for digits in range(100, 701)),
]


@dataclass(frozen=True, eq=False)
class Column:
    """A real column and how it is to be made up, its way apart.

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
        """Of the cells."""
        return (len(self.counts) - 1).bit_length()


@dataclass(frozen=True)
class EpsilonCurve:
    """Error against epsilon, in rows: what is promised, and what it really is; nan where there is none."""

    epsilons: tuple[float, ...]
    bounds: tuple[float, ...]
    measured: tuple[float, ...]


def typical_errors(column: Column, progress: Progress) -> dict[str, float]:
    """Return the worst interval's error of every way, in rows, the median of some releases."""
    errors: dict[str, float] = {}
    for place, method in enumerate(METHODS):
        if method != "mwem" or column.bits <= MOST_BITS:
            many = int(np.clip(_MOST_CELL_DRAWS >> column.bits, 5, 20 if method == "mwem" else RELEASES))
            errors[method] = typical_error(column, method, column.budget, many, progress, place / len(METHODS))
    return errors


def typical_error(column: Column, method: Method, budget: Budget, many: int, progress: Progress, share: float = 0.0) -> float:
    """Return the worst interval's error in rows, the median of so many releases from seeds."""
    errors = []
    for run in range(many):
        progress(share, "")
        made = make(column.counts, method, budget, column.accuracy, for_study(run), progress)
        errors.append(abs(worst_interval(column.counts, made.counts).error))
    return float(median(errors))


def epsilon_curve(column: Column, method: Method, progress: Progress) -> EpsilonCurve:
    """Return what a way promises and how far off it really is, at several epsilons."""
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
    """Return the errors of the running total of a hundred releases from seeds, (releases, size + 1)."""
    paths, total = [], running_total(column.counts)
    for run in range(int(np.clip(_MOST_CELL_DRAWS >> column.bits, 5, RELEASES))):
        progress(run / RELEASES, "")
        made = make(column.counts, method, column.budget, column.accuracy, for_study(run), progress)
        paths.append(running_total(made.counts) - total)
    return np.array(paths)


def epsilon_for(
    method: Method, bits: int, budget: Budget, failure: float, rows: int, total: int, accuracy: Fraction, progress: Progress
) -> Fraction | None:
    """Return the least epsilon, to three digits, at which a way has an error bound of at most so many rows.

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
