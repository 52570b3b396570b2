"""How far off each way really is for a column, again and again: for its owner, since it is computed from the real counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from statistics import median

import numpy as np

from dpdesigner.arrays import Integers
from dpdesigner.core.synthetic.cells import running_total, worst_interval
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.making import METHODS, Budget, Method, make, promised
from dpdesigner.core.synthetic.promise import draws_for
from dpdesigner.core.synthetic.weights import MOST_BITS
from dpdesigner.progress import Progress

RELEASES = 100
_MOST_CELL_DRAWS = 2_000_000  # of all releases of one way
_CURVE, _CURVE_DRAWS, _CURVE_RELEASES = 11, 5_000, 15
_MANY_BITS, _CURVE_OF_MANY = 16, 5
_GUESSES = 4


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
class Against:
    """Error against epsilon, in rows: what is promised, and what it really is; nan where there is none."""

    epsilons: tuple[float, ...]
    promised: tuple[float, ...]
    really: tuple[float, ...]


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


def against_epsilon(column: Column, method: Method, progress: Progress) -> Against:
    """Return what a way promises and how far off it really is, at several epsilons."""
    epsilons = np.geomspace(0.05, 10, _CURVE if column.bits <= _MANY_BITS else _CURVE_OF_MANY).tolist()
    promises, really = [], []
    for place, epsilon in enumerate(epsilons):
        progress(place / len(epsilons), "")
        budget = Budget(Fraction(f"{epsilon:.6g}"), column.budget.neighbours)
        promise = promised(method, column.bits, budget, column.failure, draws_for(len(column.counts), _CURVE_DRAWS), progress)
        promises.append(float("nan") if promise is None or promise.rows is None else float(promise.rows))
        many = 3 if method == "mwem" else int(np.clip(_MOST_CELL_DRAWS >> (column.bits + 4), 3, _CURVE_RELEASES))
        really.append(typical_error(column, method, budget, many, progress, place / len(epsilons)))
    return Against(tuple(epsilons), tuple(promises), tuple(really))


def error_paths(column: Column, method: Method, progress: Progress) -> Integers:
    """Return the errors of the running total of a hundred releases from seeds, (releases, size + 1)."""
    paths, total = [], running_total(column.counts)
    for run in range(int(np.clip(_MOST_CELL_DRAWS >> column.bits, 5, RELEASES))):
        progress(run / RELEASES, "")
        made = make(column.counts, method, column.budget, column.accuracy, for_study(run), progress)
        paths.append(running_total(made.counts) - total)
    return np.array(paths)


def epsilon_for(method: Method, bits: int, budget: Budget, failure: float, rows: float, progress: Progress) -> Fraction | None:
    """Return about the least epsilon at which a way promises an error of at most so many rows.

    None where it promises nothing. Promises shrink nearly in proportion to epsilon, so a few guesses do.
    """
    guess = float(budget.epsilon)
    for place in range(_GUESSES):
        progress(place / _GUESSES, "")
        trial = Budget(Fraction(f"{guess:.5g}"), budget.neighbours)
        promise = promised(method, bits, trial, failure, draws_for(1 << bits, 20_000), progress)
        if promise is None or promise.rows is None:
            return None
        guess = float(np.clip(guess * max(promise.rows, 0.5) / max(rows, 0.5), 1e-4, 700))
    return Fraction(f"{guess * 1.005:.3g}")
