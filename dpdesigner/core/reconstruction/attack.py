"""Attacks: a column guessed from answers, the certain values, and how much of the secret is recovered.

A weaker attacker that is quick at any size: the column of [0, 1]^n nearest to the answers, min |A x - a|^2.

By exchange of blocks: people are free, or held at 0 or 1; least squares over the free ones (conjugate gradients, so that A is
needed in products only), then all who left [0, 1] are held and all who would come back are freed, until nobody is in the wrong
place. Where that might go in a circle, one person at a time is exchanged (Portugal, Judice and Vicente, 1994).

What needs corners of the columns that fit: the weaker attacker, what is certain of each person, and which answers clash.

All by HiGHS' simplex method over {x in [0, 1]^n : |A x - a| <= E}.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import monotonic
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import brief, figure, group_thousands
from dpdesigner.core.mechanism.linear_program import new_solver, run, status
from dpdesigner.core.reconstruction.counting import LARGEST_DENSE, Questions
from dpdesigner.core.reconstruction.interior_point import MARGIN, Point, Told, analytic_centre, least_total_error, one_thread
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.progress import Progress, silent

Sides = NDArray[np.int8]

_MOST = 40  # exchanges
_MOST_INNER = 60  # conjugate gradient steps per exchange
_PATIENCE = 3  # exchanges that may leave more people in the wrong place
_GOOD = 1e-6  # remaining gradient, as a share of t


def nearest_column(questions: Questions, answers: Floats, progress: Progress = silent, told: Told | None = None) -> Point:
    """Return the least-squares column within [0, 1]; parameters as in `inner_point.analytic_centre`."""
    x = np.full(questions.n, 0.5)
    side: Sides = np.zeros(questions.n, dtype=np.int8)  # -1 fixed at 0, 1 fixed at 1, 0 free
    fewest, patience, slack = questions.n + 1, _PATIENCE, _GOOD * questions.t
    for step in range(_MOST):
        progress(min(0.95, step / 6), f"{step} exchanges")
        x, gradient = _among_the_free(questions, answers, x, side == 0, progress)
        if told is not None:
            told(np.clip(x, 0, 1))
        low, high = (side == 0) & (x < -_GOOD), (side == 0) & (x > 1 + _GOOD)
        back = ((side < 0) & (gradient < -10 * slack)) | ((side > 0) & (gradient > 10 * slack))
        wrong = np.flatnonzero(low | high | back)
        if len(wrong) == 0:
            return Point(np.clip(x, 0, 1), step)
        if len(wrong) < fewest:
            fewest, patience = len(wrong), _PATIENCE
        elif patience:
            patience -= 1
        else:
            wrong = wrong[-1:]
        chosen = np.zeros(questions.n, dtype=bool)
        chosen[wrong] = True
        side = np.where(chosen, np.where(low, -1, np.where(high, 1, 0)), side).astype(np.int8)
        x = np.where(side < 0, 0.0, np.where(side > 0, 1.0, x))
    return Point(np.clip(x, 0, 1), _MOST)


def _among_the_free(
    questions: Questions, answers: Floats, x: Floats, free: NDArray[np.bool_], progress: Progress
) -> tuple[Floats, Floats]:
    """Return the least-squares column with all but the free values fixed, and the gradient there."""
    residual = questions.sums(x, progress) - answers
    rest = np.where(free, -questions.votes(residual, progress), 0.0)
    search, size = rest, float(rest @ rest)
    enough = (_GOOD * questions.t) ** 2 * questions.n
    for _ in range(_MOST_INNER):
        if size <= enough:
            break
        image = questions.sums(search, progress)
        curve = float(image @ image)
        if curve <= 1e-14 * float(search @ search):
            break
        length = size / curve
        x, residual = x + length * search, residual + length * image
        rest = rest - length * np.where(free, questions.votes(image, progress), 0.0)
        before, size = size, float(rest @ rest)
        search = rest + size / before * search
    return x, questions.votes(residual, progress)


_SURE = 1e-5  # a program's result this close to 0 or 1 counts as 0 or 1
_MOST_TRIED = 400  # most answers left out one by one
SECONDS = 10  #: of the integer solver, in search of certain values
_SECONDS_CHECKED, _SECONDS_NAMING, _SECONDS_EACH = 2.0, 5.0, 1.0  # for a check, for naming what contradicts, for one of its steps
_MOST_NAMED = 5  # conflicting answers


def corner(questions: Questions, answers: Floats, bound: Floats | float | None, progress: Progress = silent) -> Point:
    """Return a vertex of the columns that fit (an error if none does), or without a bound one of least total absolute error."""
    solver = _solver(questions, answers, 0.0 if bound is None else np.asarray(bound) + MARGIN, progress, bound is None)
    run(solver, progress)
    return Point(_values(solver)[: questions.n], int(solver.getInfo().simplex_iteration_count))


@dataclass(frozen=True, eq=False)
class Ranges:
    """The least and the largest feasible value for each person.

    Attributes
    ----------
    least, largest : ndarray
        (n,): in [0, 1]. Since a value is 0 or 1, a least one above 0 means 1, and a largest one below 1 means 0.
    both : ndarray of bool
        (n,): for whom columns of 0 and 1 with either value were found.
    fitting : bool
        Whether a column of 0 and 1 was found that fits; otherwise certain values hold only if the answers are right.
    solved : int
        For how many people the integer solver excludes one value, which has no certificate.
    seconds, allowed : float
        How long it searched, and how long it was allowed to.
    reasons : mapping of int to tuple of int
        Answers from which a certain value follows: one, where one is enough; none of them for the integer solver's.
    alone, out : tuple of int
        Answers that count all or none of their people, and so expose each of them; answers that were left out.
    rest : Ranges or None
        The ranges without these answers, if there are any.
    """

    least: Floats
    largest: Floats
    both: NDArray[np.bool_]
    fitting: bool = False
    solved: int = 0
    seconds: float = 0.0
    reasons: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    alone: tuple[int, ...] = ()
    rest: Ranges | None = None
    out: tuple[int, ...] = ()
    allowed: float = 0.0

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """Who is neither certain nor open, (n,)."""
        return ~self.both & (self.certain < 0)

    @property
    def complete(self) -> bool:
        """True if everybody's value is either certain or open, by two columns that fit."""
        return not self.undecided.any()

    @property
    def certain(self) -> NDArray[np.int8]:
        """The certain value of each person, (n,): 0, 1, or -1 where both are possible."""
        return np.where(self.least > _SURE, 1, np.where(self.largest < 1 - _SURE, 0, -1)).astype(np.int8)


def ranges(
    questions: Questions, answers: Floats, bound: Floats | float, progress: Progress = silent, seconds: float = SECONDS
) -> Ranges:
    """Return each person's feasible range, by two programs each, or none where known vertices settle it.

    For these seconds at most, the integer solver then looks for columns of 0 and 1, with both values of each person who is left.

    Raises
    ------
    DpDesignerError
        If no column fits.
    """
    n, wide = questions.n, np.asarray(bound) + MARGIN
    solver = _solver(questions, answers, wide, progress)
    least, largest = np.ones(n), np.zeros(n)
    seen, reasons = np.zeros((2, n), dtype=bool), dict[int, tuple[int, ...]]()

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
                    least_cost, used = _proved(solver, questions, answers, wide, cost * (np.arange(n) == person))
                    ends[person] = np.clip(cost * least_cost, 0, 1)
                    reasons[person] = tuple(np.flatnonzero(used).tolist())
            seen[side, person] = True
            progress(float(seen.mean()), f"{person + 1} of {n} people")
    if ((least > _SURE) & (largest < 1 - _SURE)).any():
        raise DpDesignerError(_contradiction(questions, answers, bound, progress))
    enough, size = questions.alone(answers, wide)
    for answer in enough[np.argsort(-size)].tolist():  # of several, the one about the fewest people
        reasons |= dict.fromkeys(np.flatnonzero(questions.members(answer)).tolist(), (answer,))
    known = Ranges(least, largest, np.zeros(n, dtype=bool))
    known = replace(known, reasons={person: reasons[person] for person in np.flatnonzero(known.certain >= 0).tolist()})
    return _settled(questions, answers, bound, known, progress, seconds)


def audited(
    questions: Questions, answers: Floats, bound: Floats, progress: Progress, seconds: float,
    out: tuple[int, ...], known: MutableMapping[Any, Any],
) -> Ranges:  # fmt: skip
    """Return each person's feasible range without some answers, and without those that expose all they count; or known ones."""
    before: Ranges | None = known.get(("ranges", out))
    if before is not None and (before.complete or before.allowed >= seconds):
        return before
    kept, n = np.delete(np.arange(questions.t), out), questions.n
    if len(kept) == 0:
        known["ranges", out] = free = Ranges(np.zeros(n), np.ones(n), np.ones(n, dtype=bool), True, out=out)
        return free
    found = ranges(Questions.of(questions.dense[kept] > 0), answers[kept], bound[kept], progress, seconds)
    reasons = {person: tuple(kept[[*reason]].tolist()) for person, reason in found.reasons.items()}
    alone = np.setdiff1d(questions.alone(answers, bound + MARGIN)[0], out).tolist()
    rest = audited(questions, answers, bound, progress, seconds, tuple(sorted((*out, *alone))), known) if alone else None
    known["ranges", out] = found = replace(found, reasons=reasons, alone=tuple(alone), rest=rest, out=out, allowed=seconds)
    return found


def _settled(
    questions: Questions, answers: Floats, bound: Floats | float, known: Ranges, progress: Progress, seconds: float
) -> Ranges:
    """Return the ranges with what columns of 0 and 1 settle."""
    n, certain, begun = questions.n, known.certain, monotonic()
    low, high = (certain == 1).astype(np.float64), (certain != 0).astype(np.float64)
    try:
        column = whole_column(questions, answers, bound, progress, low, high, seconds / 2)
    except TimeoutError:
        return replace(known, seconds=monotonic() - begun)
    if column is None:
        raise DpDesignerError(_contradiction(questions, answers, bound, progress))
    least, largest, seen, people = known.least.copy(), known.largest.copy(), np.zeros((2, n), dtype=bool), np.arange(n)
    seen[column, people] = True
    for person in np.flatnonzero(certain < 0):
        if seen[:, person].all():
            continue
        own = float(column[person])
        low[person] = high[person] = 1 - own
        try:
            other = whole_column(questions, answers, bound, progress, low, high, min(seconds / 10, begun + seconds - monotonic()))
        except TimeoutError:
            low[person], high[person] = 0, 1
            continue
        if other is None:
            low[person] = high[person] = least[person] = largest[person] = own
        else:
            seen[other, people] = True
            low[person], high[person] = 0, 1
    found = Ranges(least, largest, seen[0] & seen[1], fitting=True, seconds=monotonic() - begun, reasons=known.reasons)
    return replace(found, solved=int((found.certain >= 0).sum() - (certain >= 0).sum()))


def whole_column(
    questions: Questions,
    answers: Floats,
    bound: Floats | float,
    progress: Progress = silent,
    low: Floats | float = 0.0,
    high: Floats | float = 1.0,
    seconds: float = SECONDS / 2,
) -> Sides | None:
    """Return a column of 0 and 1 between two others that fits the answers, by HiGHS' integer solver; None if there is none.

    Raises
    ------
    TimeoutError
        If neither is known after this time.
    """
    from highspy import HighsModelStatus, HighsVarType

    wide, n = np.asarray(bound) + MARGIN, questions.n
    least, most = np.ceil(answers - wide), np.floor(answers + wide)  # counts are whole numbers
    if (least > most).any():
        return None
    if seconds <= 0:
        raise TimeoutError
    solver = _solver(questions, (least + most) / 2, (most - least) / 2, progress)
    places = np.arange(n, dtype=np.int32)
    solver.changeColsIntegrality(n, places, np.array([HighsVarType.kInteger] * n))
    solver.changeColsBounds(n, places, np.broadcast_to(low, n).astype(np.float64), np.broadcast_to(high, n).astype(np.float64))
    for name, value in {"presolve": "on", "solver": "choose", "time_limit": float(seconds)}.items():
        solver.setOptionValue(name, value)
    run(solver, progress)
    if solver.getModelStatus() == HighsModelStatus.kInfeasible:
        return None
    column = np.round(np.asarray(solver.getSolution().col_value)).astype(np.int8)
    if len(column) != n or (np.abs(questions.sums(column.astype(np.float64)) - answers) > wide).any():
        raise TimeoutError
    return column


def _proved(solver: Any, questions: Questions, answers: Floats, wide: Floats, costs: Floats) -> tuple[float, Floats]:
    """A proved lower bound on the cost of every column that fits, and the multipliers of the answers, however near HiGHS came.

    At costs 0 and multipliers within [-1, 1] it is also what the answers are missed by, at least, in all.
    """
    weights = np.asarray(solver.getSolution().row_dual)
    weights = np.where(np.abs(weights) > 1e-9, weights, 0.0) if costs.any() else np.clip(weights, -1, 1)
    fitting = np.minimum(weights * (answers - wide), weights * (answers + wide)).sum()
    return float(fitting + np.minimum(costs - questions.votes(weights), 0.0).sum()), weights


def clashing(questions: Questions, answers: Floats, bound: Floats, progress: Progress = silent) -> list[int]:
    """Return the smallest inconsistent set of answers found; empty if some column fits them all.

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

    def contradict(some: list[int]) -> bool:
        return _violation(questions, answers, bound, some, progress)[0] > _SURE

    one, two = (_irreducible(order, contradict, progress) for order in (named, named[::-1]))
    return sorted(one if len(one) <= len(two) else two)


def check_consistent(questions: Questions, answers: Floats, bound: Floats, progress: Progress = silent) -> None:
    """Check that some column fits the answers: of fractions, and of 0 and 1 as far as the integer solver knows in time.

    Raises
    ------
    InputError
        If none does: the sentence names answers that clash.
    """
    if clash := clashing(questions, answers, bound, progress):
        raise InputError(_clash(clash, questions, answers, bound), "answers")
    with suppress(TimeoutError):
        if whole_column(questions, answers, bound, progress, seconds=_SECONDS_CHECKED) is None:
            raise InputError(_contradiction(questions, answers, bound, progress), "answers")


def _contradiction(questions: Questions, answers: Floats, bound: Floats | float, progress: Progress) -> str:
    """Name answers that no column of 0 and 1 fits, and as few as there is time to find."""
    until, errors, late = monotonic() + _SECONDS_NAMING, np.broadcast_to(bound, questions.t), False

    def contradict(some: list[int]) -> bool:
        nonlocal late
        part, left = Questions.of(questions.dense[some] > 0), min(_SECONDS_EACH, until - monotonic())
        try:
            return whole_column(part, answers[some], errors[some], progress, seconds=left) is None
        except TimeoutError:
            late = True
            return False

    named = _irreducible(list(range(questions.t)), contradict, progress)
    return _clash(named, questions, answers, errors, not late)


def _clash(clash: list[int], questions: Questions, answers: Floats, errors: Floats, irreducible: bool = True) -> str:
    """``these 2 answers contradict each other; …: answer 12 says 40 of 38 people; answer 13 …``."""
    parts = []
    for q in clash[:_MOST_NAMED]:
        low, high, size = answers[q] - errors[q], answers[q] + errors[q], int(questions.members(q).sum())
        what = brief(low) if low == high else f"{brief(low)} to {brief(high)}"
        parts.append(f"{questions.named(q)} says {what} of {group_thousands(size)} people")
    if len(clash) == 1:
        return f"this answer is impossible: {parts[0]}."
    more = f"; and {len(clash) - _MOST_NAMED} more" if len(clash) > _MOST_NAMED else ""
    how = "contradict each other" if irreducible else "cannot all be right"
    return f"these {len(clash)} answers {how}; no column of 0 and 1 fits them all: {'; '.join(parts)}{more}."


def _irreducible(kept: list[int], contradict: Callable[[list[int]], bool], progress: Progress) -> list[int]:
    """Leave out, in ever smaller groups, answers without which the others still contradict each other."""
    size = len(kept)
    while size > 1:
        size = (size + 1) // 2
        for start in reversed(range(0, len(kept), size)):
            progress(None, "which answers contradict each other")
            others = kept[:start] + kept[start + size :]
            if others and contradict(others):
                kept = others
    return kept


def _violation(
    questions: Questions, answers: Floats, bound: Floats, chosen: Sequence[int], progress: Progress
) -> tuple[float, Floats]:
    """A lower bound on the total violation of these answers' bounds, and the multipliers that prove it."""
    some = np.asarray(chosen)
    part, wide = Questions.of(questions.dense[some] > 0), np.asarray(bound)[some] + MARGIN
    solver = _solver(part, answers[some], wide, progress, spread=True)
    run(solver, progress)
    _values(solver)
    return _proved(solver, part, answers[some], wide, np.zeros(part.n))


def _solver(questions: Questions, answers: Floats, wide: Floats | float, progress: Progress, spread: bool = False) -> Any:
    """Return HiGHS with the columns this near to the answers, at cost 0; if `spread`, violations are allowed at a cost."""
    progress(None, "")
    from highspy import MatrixFormat, ObjSense

    solver = new_solver(solver="simplex", presolve="off")
    t, n, more = questions.t, questions.n, 2 if spread else 0
    inside = questions.dense != 0
    rows, columns = np.nonzero(inside)
    starts = np.concatenate([[0], np.cumsum(inside.sum(axis=1) + more)])
    places, entries = np.empty(starts[-1], dtype=np.int32), np.ones(starts[-1])
    places[np.arange(len(rows)) + more * rows] = columns
    if spread:  # the errors of a row upwards and downwards
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


Attacker = Literal["interior", "least-squares", "vertex"]
ATTACKERS: tuple[Attacker, ...] = get_args(Attacker)

#: A value this close to 1/2 is inconclusive.
_NOTHING = 1e-6
#: Linear programs are used for at most this many people; beyond that, the attack uses least squares.
LARGEST_PROGRAM = 1000
#: For more people than this, the simplex method takes minutes.
LARGEST_SIMPLEX = 500


class Tally(NamedTuple):
    """The numbers of people who are right and confident, unsure, wrong and confident, and guessed right in total."""

    right: int
    unsure: int
    wrong: int
    guessed: int | float


def error_text(error: float) -> str:
    """Return an error in people, rounded up to three digits or to a whole number; 0 for one that never occurs."""
    if error < 1e-9:
        return "0"
    return group_thousands(math.ceil(error - 1e-9)) if error >= 100 else figure(error, 3)


def people_text(many: Any) -> str:
    """Return a number of people as text, with a half for an undecided guess: ``211½``."""
    return group_thousands(int(many)) + ("" if many == int(many) else "½")


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """The result of an attack.

    Attributes
    ----------
    values : ndarray
        (n,): in [0, 1].
    attacker : str
        Who found it: "least-squares" also where a program would have been too large.
    steps : int
    furthest : float
        How far it is from the answers, at most.
    """

    values: Floats
    attacker: Attacker
    steps: int
    furthest: float

    @cached_property
    def guess(self) -> NDArray[np.int8]:
        """The values rounded at 1/2, (n,); -1 where undecided."""
        undecided = np.abs(self.values - 0.5) < _NOTHING
        return np.where(undecided, -1, self.values > 0.5).astype(np.int8)

    @cached_property
    def unsure(self) -> NDArray[np.bool_]:
        """Whether each value lies in [1/3, 2/3], (n,)."""
        return np.asarray((self.values >= 1 / 3) & (self.values <= 2 / 3))

    def wrong(self, secret: NDArray[np.int8]) -> float:
        """Return the share of wrong guesses, counting undecided ones as half."""
        none = self.guess == -1
        return float(np.mean((self.guess != secret) & ~none) + np.mean(none) / 2)

    def gain(self, secret: NDArray[np.int8]) -> float:
        """Return the share of the people whom guessing the commoner value gets wrong that it gains, net; 0 if there are none."""
        rarer = min(ones := int(secret.sum()), len(secret) - ones)
        return (self.tally(secret).guessed - len(secret) + rarer) / max(rarer, 1)

    def tally(self, secret: NDArray[np.int8]) -> Tally:
        """Return the numbers of people who are right, unsure and wrong."""
        same = self.guess == secret
        right, unsure = int((same & ~self.unsure).sum()), int(self.unsure.sum())
        none = int((self.guess == -1).sum())
        guessed = int(same.sum()) + (none // 2 if none % 2 == 0 else none / 2)
        return Tally(right, unsure, len(secret) - right - unsure, guessed)


@one_thread()
def attacked(
    questions: Questions,
    answers: Floats,
    bound: Floats | float | None,
    attacker: Attacker,
    progress: Progress = silent,
    told: Told | None = None,
) -> Reconstruction:
    """Attack answers, each at most `bound` off; `told` receives the column on the way.

    Noise has no bound (None): linear programs then seek the least total absolute error.
    """
    if questions.t == 0:
        return Reconstruction(np.full(questions.n, 0.5), attacker, 0, 0.0)
    able: Attacker = attacker if programmable(questions.n, questions.t) else "least-squares"
    if able == "least-squares":
        point = nearest_column(questions, answers, progress, told)
    elif able == "vertex":
        point = corner(questions, answers, bound, progress)
    elif bound is None:
        point = least_total_error(questions, answers, progress, told)
    else:
        point = analytic_centre(questions, answers, bound, progress, told)
    values = np.clip(point.values, 0, 1)
    values.setflags(write=False)
    furthest = float(np.abs(questions.sums(values, progress) - answers).max(initial=0.0))
    return Reconstruction(values, able, point.steps, furthest)


def programmable(n: int, t: int) -> bool:
    """Return whether a linear program with this many people and questions is feasible to solve."""
    return n <= LARGEST_PROGRAM and n * t <= LARGEST_DENSE


def not_run(n: int, t: int) -> tuple[Attacker, ...]:
    """Return the attackers that would take minutes, which run only if they are chosen and feasible."""
    if not programmable(n, t):
        return "interior", "vertex"
    return ("vertex",) if n > LARGEST_SIMPLEX else ()
