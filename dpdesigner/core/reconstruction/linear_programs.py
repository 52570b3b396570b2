"""What needs corners of the columns that fit: the weaker attacker, what is certain of each person, and which answers clash.

All by HiGHS' simplex method over {x in [0, 1]^n : |A x - a| <= E}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.program.highs import new_solver, run, status
from dpdesigner.core.reconstruction.interior_point import MARGIN, Point
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.errors import DpDesignerError
from dpdesigner.progress import Progress, silent

_SURE = 1e-5  # a program's end that is as near to 0 or 1 is taken to be there
_MOST_TRIED = 400  # answers that are left out one by one


def corner(questions: Questions, answers: Floats, bound: Floats | float | None, progress: Progress = silent) -> Point:
    """Return a corner of the columns that fit, at cost 0; without a bound, a corner of least total absolute error.

    Parameters
    ----------
    questions : Questions
    answers : ndarray
        (t,).
    bound : ndarray, float or None
        How far off each answer may be; None: nobody knows.
    progress : Progress

    Raises
    ------
    DpDesignerError
        If there is no such column.
    """
    solver = _solver(questions, answers, 0.0 if bound is None else np.asarray(bound) + MARGIN, progress, bound is None)
    run(solver, progress)
    return Point(_values(solver)[: questions.n], int(solver.getInfo().simplex_iteration_count))


@dataclass(frozen=True, eq=False)
class Ranges:
    """The least and the largest value that fits, for each person.

    Attributes
    ----------
    least, largest : ndarray
        (n,): in [0, 1]. Since a value is 0 or 1, a least one above 0 means 1, and a largest one below 1 means 0.
    """

    least: Floats
    largest: Floats

    @property
    def certain(self) -> NDArray[np.int8]:
        """The certain value of each person, (n,): 0, 1, or -1 where both are possible."""
        return np.where(self.least > _SURE, 1, np.where(self.largest < 1 - _SURE, 0, -1)).astype(np.int8)


def ranges(questions: Questions, answers: Floats, bound: Floats | float, progress: Progress = silent) -> Ranges:
    """Return what fits for each person, by two programs each; those that a corner already found settles need none.

    Raises
    ------
    DpDesignerError
        If no column fits.
    """
    n, wide = questions.n, np.asarray(bound) + MARGIN
    solver = _solver(questions, answers, wide, progress)
    least, largest = np.ones(n), np.zeros(n)
    seen = np.zeros((2, n), dtype=bool)

    def go_on() -> Floats:
        run(solver, lambda fraction, text="": progress(float(seen.mean()), f"{int(seen[1].sum())} of {n} people"))
        values = np.clip(_values(solver), 0, 1)
        np.minimum(least, values, out=least)
        np.maximum(largest, values, out=largest)
        return values

    go_on()
    for person in range(n):
        for side, cost in ((0, 1.0), (1, -1.0)):
            ends = largest if side else least
            if ends[person] != side:
                solver.changeColCost(person, cost)
                ends[person] = go_on()[person]
                solver.changeColCost(person, 0.0)
                if abs(ends[person] - side) > _SURE:
                    least_cost = _proved(solver, questions, answers, wide, cost * (np.arange(n) == person))
                    ends[person] = np.clip(cost * least_cost, 0, 1)
            seen[side, person] = True
            progress(float(seen.mean()), f"{person + 1} of {n} people")
    return Ranges(least, largest)


def _proved(solver: Any, questions: Questions, answers: Floats, wide: Floats, costs: Floats) -> float:
    """What no column that fits costs less than, by the multipliers of the answers, however near HiGHS came to the least.

    At costs 0 and multipliers within [-1, 1] it is also what the answers are missed by, at least, in all.
    """
    weights = np.asarray(solver.getSolution().row_dual)
    weights = weights if costs.any() else np.clip(weights, -1, 1)
    fitting = np.minimum(weights * (answers - wide), weights * (answers + wide)).sum()
    return float(fitting + np.minimum(costs - questions.votes(weights), 0.0).sum())


def clashing(questions: Questions, answers: Floats, bound: Floats, progress: Progress = silent) -> list[int]:
    """Return the smallest set of answers found that no column fits; empty if all fit.

    Notes
    -----
    The multipliers of the least total violation name answers that clash already (Farkas); of these, each that can be left out
    is, in several orders. What remains clashes, and nothing in it can be left out.
    """
    violation, weights = _violation(questions, answers, bound, range(questions.t), progress)
    if violation <= _SURE:
        return []
    named = sorted(np.flatnonzero(np.abs(weights) > 1e-9).tolist(), key=lambda q: abs(weights[q]))
    if not named or len(named) > _MOST_TRIED:
        return sorted(named)
    orders = (named, named[::-1])
    one, two = (_irreducible(questions, answers, bound, order, progress) for order in orders)
    return sorted(one if len(one) <= len(two) else two)


def _irreducible(questions: Questions, answers: Floats, bound: Floats, order: Sequence[int], progress: Progress) -> list[int]:
    kept = list(order)
    for place, question in enumerate(order):
        progress(place / len(order), "which answers are inconsistent")
        others = [other for other in kept if other != question]
        if others and _violation(questions, answers, bound, others, progress)[0] > _SURE:
            kept = others
    return kept


def _violation(
    questions: Questions, answers: Floats, bound: Floats, chosen: Sequence[int], progress: Progress
) -> tuple[float, Floats]:
    """What these answers are missed by beyond their bounds in all, at least, and the multipliers that prove it."""
    some = np.asarray(chosen)
    part, wide = Questions.of(questions.dense[some] > 0), np.asarray(bound)[some] + MARGIN
    solver = _solver(part, answers[some], wide, progress, spread=True)
    run(solver, progress)
    _values(solver)
    return _proved(solver, part, answers[some], wide, np.zeros(part.n)), np.asarray(solver.getSolution().row_dual)


def _solver(questions: Questions, answers: Floats, wide: Floats | float, progress: Progress, spread: bool = False) -> Any:
    """HiGHS with the columns that are so near to the answers, at cost 0; spread, each may be missed, at the cost of how far."""
    progress(None, "")
    from highspy import MatrixFormat, ObjSense

    solver = new_solver(solver="simplex", presolve="off")
    t, n, more = questions.t, questions.n, 2 if spread else 0
    inside = questions.dense != 0
    rows, columns = np.nonzero(inside)
    starts = np.concatenate([[0], np.cumsum(inside.sum(axis=1) + more)])
    places, entries = np.empty(starts[-1], dtype=np.int32), np.ones(starts[-1])
    places[np.arange(len(rows)) + more * rows] = columns
    if spread:  # how far a row is missed upwards and downwards
        places[starts[1:] - 2], places[starts[1:] - 1] = n + np.arange(t), n + t + np.arange(t)
        entries[starts[1:] - 1] = -1
    progress(None, "")
    many = n + more * t
    beyond = np.arange(many) >= n
    solver.passModel(
        many, t, len(places), MatrixFormat.kRowwise.value, ObjSense.kMinimize.value, 0.0,
        beyond.astype(np.float64), np.zeros(many), np.where(beyond, np.inf, 1.0), answers - wide, answers + wide,
        starts.astype(np.int32), places, entries, np.zeros(many, dtype=np.int32),
    )  # fmt: skip
    return solver


def _values(solver: Any) -> Floats:
    from highspy import HighsModelStatus

    if solver.getModelStatus() != HighsModelStatus.kOptimal:
        raise DpDesignerError(f"no column of 0 and 1 fits the answers: {status(solver)}")
    return np.asarray(solver.getSolution().col_value)
