"""What needs corners of the columns that fit: the weaker attacker, what is certain of each person, and which answers clash.

All by HiGHS' simplex method over {x in [0, 1]^n : |A x - a| <= E}.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.program.watch import watched
from dpdesigner.core.reconstruction.inner_point import MARGIN, Point
from dpdesigner.core.reconstruction.questions import Questions, Report, silent
from dpdesigner.errors import DpDesignerError

if TYPE_CHECKING:
    import highspy

Floats = NDArray[np.float64]

_SURE = 1e-5  # a program's end that is as near to 0 or 1 is taken to be there
_MOST_TRIED = 400  # answers that are left out one by one


def corner(questions: Questions, answers: Floats, bound: Floats | float | None, progress: Report = silent) -> Point:
    """Return a corner of the columns that fit, at cost 0; without a bound, a corner of least total absolute error.

    Parameters
    ----------
    questions : Questions
    answers : ndarray
        (t,).
    bound : ndarray, float or None
        How far off each answer may be; None: nobody knows.
    progress : Report

    Raises
    ------
    DpDesignerError
        If there is no such column.
    """
    solver = _solver(_spread(questions, answers) if bound is None else _fitting(questions, answers, bound))
    with watched(solver, progress):
        solver.run()
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
        """What each person's value must be, (n,): 0, 1, or -1 where both may be."""
        return np.where(self.least > _SURE, 1, np.where(self.largest < 1 - _SURE, 0, -1)).astype(np.int8)


def ranges(questions: Questions, answers: Floats, bound: Floats | float, progress: Report = silent) -> Ranges:
    """Return what fits for each person, by two programs each; those that a corner already found settles need none.

    Raises
    ------
    DpDesignerError
        If no column fits.
    """
    n = questions.n
    solver = _solver(_fitting(questions, answers, bound))
    least, largest = np.ones(n), np.zeros(n)
    seen = np.zeros((2, n), dtype=bool)

    def run() -> Floats:
        with watched(solver, lambda fraction, text: progress(float(seen.mean()), text)):
            solver.run()
        values = np.clip(_values(solver), 0, 1)
        np.minimum(least, values, out=least)
        np.maximum(largest, values, out=largest)
        return values

    run()
    for person in range(n):
        for side, cost in ((0, 1.0), (1, -1.0)):
            ended = least[person] <= 0 if side == 0 else largest[person] >= 1
            if not ended:
                solver.changeColCost(person, cost)
                values = run()
                solver.changeColCost(person, 0.0)
                (least if side == 0 else largest)[person] = values[person]
            seen[side, person] = True
            progress(float(seen.mean()), f"{person + 1} of {n} people")
    return Ranges(least, largest)


def clashing(questions: Questions, answers: Floats, bound: Floats, progress: Report = silent) -> list[int]:
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


def _irreducible(questions: Questions, answers: Floats, bound: Floats, order: Sequence[int], progress: Report) -> list[int]:
    kept = list(order)
    for place, question in enumerate(order):
        progress(place / len(order), "which answers clash")
        others = [other for other in kept if other != question]
        if others and _violation(questions, answers, bound, others, progress)[0] > _SURE:
            kept = others
    return kept


def _violation(
    questions: Questions, answers: Floats, bound: Floats, chosen: Sequence[int], progress: Report
) -> tuple[float, Floats]:
    """The least sum of how far answers are missed beyond their bounds, and the multipliers."""
    some = np.asarray(chosen)
    part = Questions.of(questions.dense[some] > 0)
    model = _fitting(part, answers[some], np.asarray(bound)[some])
    t, n = part.t, part.n
    model = _widened(model, t, n)
    solver = _solver(model)
    with watched(solver, progress):
        solver.run()
    _values(solver)
    return float(solver.getInfo().objective_function_value), np.asarray(solver.getSolution().row_dual)


def _fitting(questions: Questions, answers: Floats, bound: Floats | float) -> highspy.HighsLp:
    """The columns within the bounds, at cost 0."""
    from highspy import HighsLp, MatrixFormat

    model = HighsLp()
    wide = np.broadcast_to(np.asarray(bound, dtype=np.float64) + MARGIN, answers.shape)
    model.num_col_, model.num_row_ = questions.n, questions.t
    model.col_cost_, model.col_lower_, model.col_upper_ = np.zeros(questions.n), np.zeros(questions.n), np.ones(questions.n)
    model.row_lower_, model.row_upper_ = answers - wide, answers + wide
    rows, columns = np.nonzero(questions.dense)
    matrix = model.a_matrix_
    matrix.format_ = MatrixFormat.kRowwise
    matrix.num_col_, matrix.num_row_ = questions.n, questions.t
    matrix.start_ = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=questions.t))]).astype(np.int32)
    matrix.index_, matrix.value_ = columns.astype(np.int32), np.ones(len(columns))
    return model


def _spread(questions: Questions, answers: Floats) -> highspy.HighsLp:
    """The columns with what each answer is missed by, at that cost."""
    return _widened(_fitting(questions, answers, -MARGIN), questions.t, questions.n)


def _widened(model: highspy.HighsLp, t: int, n: int) -> highspy.HighsLp:
    """The program in which every row may be missed, upwards or downwards, at the cost of how far."""
    starts, places, ones = (np.asarray(each) for each in (model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_))
    up = n + np.arange(t)
    model.num_col_ = n + 2 * t
    model.col_cost_ = np.concatenate([np.zeros(n), np.ones(2 * t)])
    model.col_lower_ = np.zeros(n + 2 * t)
    model.col_upper_ = np.concatenate([np.ones(n), np.full(2 * t, np.inf)])
    ends = np.repeat(starts[1:], 2)
    beside = np.stack([up, up + t], axis=1).ravel()
    model.a_matrix_.num_col_ = n + 2 * t
    model.a_matrix_.index_ = np.insert(places, ends, beside).astype(np.int32)
    model.a_matrix_.value_ = np.insert(ones, ends, np.tile([1.0, -1.0], t))
    model.a_matrix_.start_ = (starts + 2 * np.arange(t + 1)).astype(np.int32)
    return model


def _solver(model: highspy.HighsLp) -> Any:
    from highspy import Highs

    solver = cast("Callable[[], Any]", Highs)()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("solver", "simplex")
    solver.setOptionValue("presolve", "off")
    solver.passModel(model)
    return solver


def _values(solver: Any) -> Floats:
    from highspy import HighsModelStatus

    if solver.getModelStatus() != HighsModelStatus.kOptimal:
        status = solver.modelStatusToString(solver.getModelStatus())
        raise DpDesignerError(f"no column of 0 and 1 fits the answers: HiGHS ended with the status {status!r}.")
    return np.asarray(solver.getSolution().col_value)
