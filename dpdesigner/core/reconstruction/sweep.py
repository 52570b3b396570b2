"""The attack at other errors, other numbers of questions and other epsilons: three runs each, made one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.reconstruction.attack import ATTACKERS, Attacker, attacked, programmable
from dpdesigner.core.reconstruction.counting import theorem_questions
from dpdesigner.core.reconstruction.problem import Setting, best_fit, draw_problem
from dpdesigner.core.reconstruction.questions import LARGEST
from dpdesigner.progress import Progress, silent

RUNS = 3
SIZES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)  # in multiples of sqrt(n)
EPSILONS = (0.1, 1.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
TIMES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # questions, in multiples of n
#: The share of people recovered at which an attack counts as successful.
ENOUGH = 0.95
_FEW_ATTACKERS = 500  # people: beyond that, corners would take minutes
_MANY = 1000  # people: beyond that, each run is made only once
_TOO_LARGE = 200_000_000  # people times questions: beyond that, a run takes a minute, and none is made
#: The share recovered by each run.
Runs = MutableMapping[Hashable, float]
#: One run to make: the curve, the position on it, and the number of the run.
Place = tuple[str, float, int]


@dataclass(frozen=True, eq=False)
class Curves:
    """The shares recovered so far.

    Attributes
    ----------
    shares : dict
        By curve ("interior", "least-squares", "vertex", "questions", "private") and place on it: the share of each run.
    planned : int
        How many runs there will be.
    design : object
        What they were made for.
    """

    shares: dict[str, dict[float, tuple[float, ...]]] = field(default_factory=dict)
    planned: int = 0
    design: object = None

    @property
    def done(self) -> int:
        """The number of finished runs."""
        return sum(len(runs) for places in self.shares.values() for runs in places.values())

    def line(self, name: str) -> tuple[NDArray[np.float64], ...]:
        """Return positions in rising order, with mean, least and largest share, in percent; empty if there are no runs yet."""
        places = sorted(self.shares.get(name, {}))
        runs = [self.shares[name][place] for place in places]
        percent = [np.array([100 * f(each) for each in runs]) for f in (np.mean, np.min, np.max)]
        return (np.array(places, dtype=float), *percent)

    def enough(self, n: int) -> tuple[int | None, int]:
        """Return the fewest questions from which on every run recovered `ENOUGH` of n people, and the most that failed, or 0."""
        runs = {questions_at(n, place): min(each) >= ENOUGH for place, each in self.shares.get("questions", {}).items()}
        short = max((t for t, did in runs.items() if not did), default=0)
        return min((t for t in runs if t > short), default=None), short


def plan(setting: Setting, runs: int = RUNS, rivals: bool = True) -> Iterator[Place]:
    """Yield the runs to make, the most informative first; large problems have fewer.

    Parameters
    ----------
    setting : Setting
    runs : int
        How many there are of each, at most.
    rivals : bool
        Whether the other attackers run too.
    """
    n, own = setting.n, setting.attacker
    runs = 0 if n * setting.t > _TOO_LARGE else runs if n <= _MANY else 1
    if setting.noisy:
        yield from ((name, epsilon, run) for run in range(runs) for epsilon in EPSILONS for name in (own, "private"))
        return
    for run in range(runs):
        yield from ((own, size, run) for size in sizes(setting.error))
        yield from (("private", epsilon, run) for epsilon in EPSILONS)
        yield from (("questions", share, run) for share in TIMES if n * share >= 1 and n * n * share <= LARGEST)
    if rivals and runs and programmable(n, setting.t):
        for name in ATTACKERS:
            if name != own and (name == "least-squares" or n <= _FEW_ATTACKERS):
                yield from ((name, size, run) for run in range(runs) for size in sizes(setting.error))


def curves(
    setting: Setting,
    kept: Runs,
    progress: Progress = silent,
    told: Callable[[Curves], object] | None = None,
    places: Iterator[Place] | None = None,
    design: object = None,
) -> Curves:
    """Make the runs that are not yet cached, and report each one.

    Parameters
    ----------
    setting : Setting
        Run k asks other questions, those of seed + k, about the same people.
    kept : mapping
        What was recovered before; new runs are put into it.
    progress : Progress
    told : callable, optional
        Told the curves after each run.
    places : iterator, optional
        Of `plan`; all of them by default.
    design : object, optional
        What the curves are for; they carry it.
    """
    wanted = list(plan(setting) if places is None else places)
    measured: dict[str, dict[float, tuple[float, ...]]] = {}
    for count, (name, at, run) in enumerate(wanted):
        key = _key(setting, name, at, run)
        if key not in kept:
            progress(count / len(wanted), f"{count} of {len(wanted)} runs")
            kept[key] = _recovered(setting, name, at, run, progress)
        there = measured.setdefault(name, {})
        there[at] = (*there.get(at, ()), kept[key])
        if told is not None:
            told(Curves({each: dict(value) for each, value in measured.items()}, len(wanted), design))
    return Curves(measured, len(wanted), design)


def sizes(error: str) -> tuple[float, ...]:
    """Return the errors of the runs, in roots of n; for "tightness", up to where a column half 1 gets no true answers."""
    return (*SIZES, 2.5, 3.0) if error == "tightness" else SIZES


def questions_at(n: int, share: float) -> int:
    """Return the number of questions for this many per person, at most the number that the theorem requires."""
    return max(1, min(round(share * n), max(theorem_questions(n), n)))


def _key(setting: Setting, name: str, at: float, run: int) -> Hashable:
    """All that a run depends on."""
    same = (setting.secret.tobytes(), setting.seed, name, at, run)
    if name == "private":
        return (*same, setting.t)
    if name == "questions":
        return (*same, setting.error, setting.bound, setting.attacker)
    return (*same, setting.t, setting.error)


def _recovered(setting: Setting, name: str, at: float, run: int, progress: Progress) -> float:
    """Make one run, and return the recovered share."""
    again = replace(setting, seed=setting.seed + run)
    if name == "private":
        exact = draw_problem(replace(again, error="uniform", bound=0.0), progress=progress)
        return 1 - best_fit(exact, at, again.seed, progress).wrong(setting.secret)
    if name == "questions":
        again = replace(again, t=questions_at(setting.n, at))
    elif setting.noisy:
        again = replace(again, epsilon=at)
    else:
        attacker: Attacker = name  # type: ignore[assignment]  # the other curves are called by their attackers
        again = replace(again, bound=min(at * math.sqrt(setting.n), float(setting.n)), attacker=attacker)
    problem = draw_problem(again, progress=progress)
    return 1 - attacked(problem.questions, problem.answers, problem.bound, again.attacker, progress).wrong(setting.secret)
