"""Expected losses of alternative releases as epsilon varies; the linear program over all private tables."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from threading import Lock
from typing import Literal, NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import figure, rounded_down
from dpdesigner.core.count import alternatives
from dpdesigner.core.count.alternatives import epsilon_reaching, loss_range
from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N, Problem
from dpdesigner.core.mechanism.column_generation import WarmColumns, solve_by_columns
from dpdesigner.core.mechanism.linear_program import (
    LinearProgramAnswer,
    NotReached,
    WarmProgram,
    resume_linear_program,
    solve_linear_program,
)
from dpdesigner.core.mechanism.structured_remap import Structure, structure
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent


class WarmSearch:
    """A linear program solver that reuses its earlier results.

    Losses that Theorem A covers go to HiGHS on the full program, as an independent check; the others, where this is the answer
    that is shown, to column generation, which is as certain (its gap is certified the same way) and much faster. It may be called
    from any thread; calls wait for each other. A cancelled call leaves it usable.
    """

    def __init__(self) -> None:
        self._lock, self._program, self._columns = Lock(), WarmProgram(), WarmColumns()

    def follow(self, problem: Problem, progress: Progress = silent) -> LinearProgramAnswer:
        """Solve a problem that differs little from the last, fast enough to keep up with the mouse.

        As `settle`, but where the full program would have to start from nothing, column generation answers.
        """
        with self._lock:
            costs, alpha = _matrix(problem), problem.privacy.alpha
            if problem.covered:
                with contextlib.suppress(NotReached):
                    return resume_linear_program(costs, alpha, self._program, progress=progress)
            return solve_by_columns(costs, alpha, warm=self._columns, progress=progress)

    def settle(self, problem: Problem, progress: Progress = silent) -> LinearProgramAnswer:
        """Solve a problem.

        Raises
        ------
        InputError
            If n is above 200.
        Cancelled
            If `progress` cancels.
        """
        with self._lock:
            costs, alpha = _matrix(problem), problem.privacy.alpha
            if problem.covered:
                return solve_linear_program(costs, alpha, warm=self._program, progress=progress)
            return solve_by_columns(costs, alpha, warm=self._columns, progress=progress)


def _matrix(problem: Problem) -> Floats:
    if problem.n > LARGEST_PROGRAM_N:
        raise InputError(f"the linear program needs n of at most {LARGEST_PROGRAM_N}, got {problem.n}.", "n")
    return np.asarray(problem.prior.probabilities[:, None] * problem.loss.matrix(problem.n))


Key = Literal["remapped", "real", "face", "staircase", "half", "laplace", "ignore"]

#: Number of epsilons on the curves (0.01 to 10, equal ratios); fewer where each takes a noticeable part of a second.
_MOST_POINTS, _FEWEST_POINTS, _POINTS_TIMES_N = 61, 9, 4_000_000
#: Number of epsilons on a rough curve.
_ROUGH_POINTS = 4
#: Above this n, expected losses alone are computed faster from the structure of a loss than from its matrix.
_WITH_MATRIX = 1000
#: The largest n for which the best real answers to a power of the error are computed: half a second.
_POWERS = 500
#: Points of the curve computed by linear programs, and the largest n for which they are computed.
_OPTIMAL_POINTS, LARGEST_OPTIMAL_N = 16, 100
#: Rounding allowed in a target error; and the range of reachable errors divided by this counts as near an end.
_SLACK, _NEAR = 1e-4, 500


def costs_of_others(problem: Problem, progress: Progress = silent) -> tuple[tuple[Key, float], ...]:
    """Return expected losses of the same user under several mechanisms; about a second at n = 1 000 000.

    ``"remapped"`` geometric + remap; ``"real"`` the same where any real number may be answered, where that is known; ``"face"``
    geometric at face value; ``"staircase"`` staircase noise with the best gamma for the absolute error, ``"half"`` with
    gamma = 1/2, which rounded is geometric noise, and ``"laplace"`` Laplace noise, each rounded, clamped and remapped;
    ``"ignore"`` the best constant answer.
    """
    from dpdesigner.core.noise import laplace, staircase  # imported late: a window opens without them

    prior, loss, privacy = problem.prior.probabilities, _costs(problem.loss, problem.n), problem.privacy
    gamma = staircase.optimal_gamma(privacy.epsilon) if 0 < privacy.epsilon < math.inf else 0.5
    noises = [staircase.rounded(privacy.epsilon, gamma, 1), laplace.rounded(privacy.epsilon, 1)]
    remapped, stairs, noisy = alternatives.remapped_noises(prior, loss, privacy, noises, partial(progress, 0.2))
    progress(0.8)
    face, ignorant = alternatives.face_value(prior, loss, privacy), alternatives.ignoring_the_data(prior, loss)
    real = remapped if alternatives.best_answers(problem.loss) == "whole" else real_cost(problem)
    progress(1.0)
    costs: dict[Key, float | None] = {
        "remapped": remapped,
        "real": real,
        "face": face,
        "staircase": stairs,
        "half": remapped,
        "laplace": noisy,
        "ignore": ignorant,
    }
    return tuple((key, cost) for key, cost in costs.items() if cost is not None)


def real_cost(problem: Problem) -> float | None:
    """Return the least expected loss of any private mechanism that may release any real number; rounded up.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    float or None
        None where no real number is better than a whole one, where the loss says nothing about real numbers, or where they would
        take long: powers other than the squared error above n = 500.
    """
    kind, privacy, certain = alternatives.best_answers(problem.loss), problem.privacy, problem.prior.certain is not None
    if kind == "mean":
        return alternatives.mean_cost(problem.prior.probabilities, privacy)
    if kind == "between" and problem.n <= _POWERS and problem.loss.parameter is not None:
        return 0.0 if certain else alternatives.power_cost(problem.costs, float(problem.loss.parameter), privacy)
    return None


def exact_real_cost(problem: Problem) -> Fraction | None:
    """Return `real_cost` in rational arithmetic for the squared error and a rational alpha; otherwise None."""
    alpha = problem.privacy.exact_alpha
    if alternatives.best_answers(problem.loss) != "mean" or alpha is None:
        return None
    return alternatives.exact_mean_cost(problem.prior.exact, alpha)


@dataclass(frozen=True, eq=False)
class CostCurves:
    """Expected loss against epsilon for one prior and loss.

    Attributes
    ----------
    epsilons : ndarray
        (k,), rising from 0.01 to 10; fewer of them for large n.
    optimal, laplace : ndarray
        (k,): geometric + remap, and Laplace rounded + remapped.
    best, worst : float
        The losses without privacy and without data.
    """

    epsilons: Floats
    optimal: Floats
    laplace: Floats
    best: float
    worst: float


def with_point(x: Floats, y: Floats, place: float, value: float) -> tuple[Floats, Floats]:
    """Return a curve with one more point, instead of that at the same place, if any."""
    others = ~np.isclose(x, place, rtol=1e-12, atol=0)
    at = int(np.searchsorted(x[others], place))
    return np.insert(x[others], at, place), np.insert(y[others], at, value)


def cost_curves(problem: Problem, progress: Progress = silent, rough: bool = False) -> CostCurves:
    """Compute the curves of a user; they do not depend on epsilon and are cached for the last few priors and losses.

    Parameters
    ----------
    problem : Problem
    progress : Progress
        Told how far it is; may cancel.
    rough : bool
        A few of the epsilons are enough, to be seen soon; the whole curve then goes on from them.
    """
    prior, loss = problem.prior, problem.loss
    epsilons = _epsilons(prior.n)
    if rough:
        epsilons = epsilons[np.linspace(0, len(epsilons) - 1, _ROUGH_POINTS).round().astype(int)]
    epsilons.flags.writeable = False
    points = _points(prior, loss, epsilons.tolist(), progress)
    return CostCurves(epsilons, points[:, 0], points[:, 1], *loss_range(prior.probabilities, _costs(loss, prior.n)))


@dataclass(frozen=True, eq=False)
class OptimalCurve:
    """Expected loss of the best mechanism of all against epsilon, where Theorem A does not give it: arrays (k,).

    Each is of a mechanism that the linear program found and that was repaired to be exactly private; it is at most `gaps` above
    the optimum.
    """

    epsilons: Floats
    optimal: Floats
    gaps: Floats


def optimal_curve(problem: Problem, progress: Progress = silent) -> OptimalCurve:
    """Compute the curve of the optimum by linear programming; for n up to `LARGEST_OPTIMAL_N`.

    Parameters
    ----------
    problem : Problem
        Its epsilon does not matter; the points of the last few priors and losses are remembered.
    progress : Progress
        Told how far it is; may cancel.
    """
    prior, loss, search = problem.prior, problem.loss, WarmSearch()
    known = _cache(prior, loss).optima
    epsilons = np.geomspace(0.01, 10.0, _OPTIMAL_POINTS)
    for k, epsilon in enumerate(epsilons.tolist()):
        progress(k / _OPTIMAL_POINTS)
        if epsilon not in known:
            settled = search.settle(Problem(problem.n, PrivacyLevel.from_epsilon(epsilon), prior, loss), _quiet(progress))
            known[epsilon] = (settled.value, settled.gap)
    values = np.array([known[epsilon] for epsilon in epsilons.tolist()])
    return OptimalCurve(epsilons, values[:, 0], values[:, 1])


def _quiet(progress: Progress) -> Progress:
    """Make part of the work cancellable without reporting its own progress."""
    return lambda *told: progress(None)


def rough_first(n: int) -> bool:
    """Return whether the full curves for this n may take so long that a rough one should be shown first."""
    return n > _WITH_MATRIX


def epsilon_for_loss(problem: Problem, target: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose optimal loss is at most a target, solving 12 levels, or 5 if near known ones.

    Raises
    ------
    InputError
        If no level reaches the target; says which targets can be reached.
    """
    prior, costs, known = problem.prior.probabilities, _costs(problem.loss, problem.n), _cache(problem.prior, problem.loss).losses
    epsilon = epsilon_reaching(prior, costs, target, progress, monotone=problem.covered, known=known)
    return PrivacyLevel.from_epsilon(epsilon)


def epsilon_for_aim(problem: Problem, target: float) -> PrivacyLevel:
    """Return the level of `epsilon_for_loss`; refuse a loss that no finite epsilon reaches or that exceeds every loss.

    Raises
    ------
    InputError
        With what is near to the target and can be reached.
    """
    least, most = reachable_losses(problem)
    if target > most * (1 + _SLACK):
        words = f"No ε gives {figure(target)}: ignoring the data gives {figure(most)}."
        raise InputError(words, "target", f"{rounded_down(most, 4):f}")
    level = epsilon_for_loss(problem, target)
    if math.isinf(level.epsilon) and least < most:
        beyond = least + (most - least) / _NEAR
        nearest = figure(beyond) if least else f"{beyond:.1g}"
        words = f"No ε reaches {figure(target)}: only the exact count does. The nearest value is {nearest}."
        raise InputError(words, "target", nearest)
    return level


def reachable_losses(problem: Problem) -> tuple[float, float]:
    """Return the least and the largest optimal expected loss over all privacy levels."""
    return loss_range(problem.prior.probabilities, _costs(problem.loss, problem.n))


def _costs(loss: Loss, n: int) -> Floats | Structure:
    """Return the loss as its structure if that is faster, otherwise as its matrix."""
    structured = structure(loss) if n > _WITH_MATRIX else None
    return loss.matrix(n) if structured is None else structured


class _Cache(NamedTuple):
    """Results known for one user, by epsilon: the next job starts from them."""

    losses: dict[float, float]  # the optimal expected losses
    optima: dict[float, tuple[float, float]]  # optimal losses from linear programs, with their gaps
    points: dict[float, list[float]]  # points of the curves


@lru_cache(maxsize=8)
def _cache(prior: Prior, loss: Loss) -> _Cache:
    return _Cache({}, {}, {})


def _epsilons(n: int) -> Floats:
    return np.geomspace(0.01, 10.0, min(_MOST_POINTS, max(_FEWEST_POINTS, _POINTS_TIMES_N // (n + 1))))


def _points(prior: Prior, loss: Loss, epsilons: list[float], progress: Progress) -> Floats:
    """Return the expected losses of geometric and Laplace noise at each epsilon, (k, 2)."""
    from dpdesigner.core.noise import laplace

    beliefs, costs, known = prior.probabilities, _costs(loss, prior.n), _cache(prior, loss).points

    missing = [epsilon for epsilon in epsilons if epsilon not in known]
    for k, epsilon in enumerate(missing):
        level, before = PrivacyLevel.from_epsilon(epsilon), partial(progress, k / len(missing))
        known[epsilon] = alternatives.remapped_noises(beliefs, costs, level, [laplace.rounded(epsilon, 1)], before)
        progress((k + 1) / len(missing))
    _cache(prior, loss).losses.update((epsilon, known[epsilon][0]) for epsilon in missing)
    return np.array([known[epsilon] for epsilon in epsilons])
