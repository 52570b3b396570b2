"""The reconstruction problem: a secret column, questions, and limited errors; one or many of them. FOR STUDY ONLY.

How far off answers are: errors within a bound, which hide nothing, and noise of a given epsilon. FOR STUDY ONLY.

All of it is made with numpy's generator from a seed, so that what is shown can be shown again. Errors within a bound have
epsilon = infinity: an answer that is further off than the bound excludes a column altogether.
"""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import double, exact, excerpt
from dpdesigner.core.basics.rounding import brief
from dpdesigner.core.noise.result import simulate_staircase
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.reconstruction.attack import ATTACKERS, LARGEST_SIMPLEX, Attacker, Reconstruction, attacked, programmable
from dpdesigner.core.reconstruction.counting import LARGEST, Questions, theorem_questions
from dpdesigner.core.reconstruction.interior_point import MARGIN
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_ROOT = re.compile(r"\s*(.*?)\s*\*?\s*(?:√\s*(?:n|people)|sqrt\s*\(?\s*n\s*\)?)\s*", re.IGNORECASE)
_HALVES = {"¼": "1/4", "½": "1/2", "¾": "3/4"}


def size_of(text: Any, n: int, key: str = "size") -> float:
    """Return the largest error of an answer, in people.

    Raises
    ------
    InputError
        If it is neither a number nor one times the root of n.
    """
    match = _ROOT.fullmatch(text) if isinstance(text, str) else None
    number = text if match is None else match[1] or "1"
    number = _HALVES.get(number, number) if isinstance(number, str) else number
    try:
        return double(exact(number, "E", key)) * (1 if match is None else math.sqrt(n))
    except InputError as error:
        sentence = f"E must be a number of people like 10, or a multiple of the root of n like 0.5 sqrt n, got {excerpt(text)}."
        raise InputError(sentence, key) from error


def in_roots(text: str) -> str | None:
    """Return a size in roots of n, as it was written: ``"0.5"``; None for a number of people."""
    match = _ROOT.fullmatch(text)
    return None if match is None else match[1]


Bounded = Literal["uniform", "rounded", "random-sign", "tightness"]
Noise = Literal["laplace", "geometric", "staircase"]

NOISES: tuple[str, ...] = get_args(Noise)
_NOISE = 2  # the random stream of the noise, separate from that of the questions


def bounded_answers(kind: Bounded, truth: Floats, sizes: Floats, bound: float, n: int, seed: int) -> Floats:
    """Return answers within a bound of the truth.

    Parameters
    ----------
    kind : {"uniform", "rounded", "random-sign", "tightness"}
        Anywhere within the bound; the nearest multiple of twice the bound; off by all of it, up or down; or half the people asked
        about, where that is nearer than the bound, and the truth otherwise (Dinur and Nissim's mechanism that is tight).
    truth, sizes : ndarray
        (t,): the true counts, and how many people each question is about.
    bound : float
        E >= 0.
    n, seed : int
        The people and the seed of the questions: errors follow the memberships of max(t, 4 n) questions in the seed's stream, so
        that up to 4 n questions each keeps its error when there are more of them.
    """
    if kind == "rounded":
        return np.asarray(np.round(truth / (2 * bound)) * (2 * bound)) if bound else truth.copy()
    if kind == "tightness":
        half = sizes / 2
        return np.asarray(np.where(np.abs(truth - half) < bound, half, truth))
    source = np.random.PCG64(seed).advance(max(len(truth), 4 * n) * n)
    place = np.random.Generator(source).random(len(truth))
    if kind == "random-sign":
        return np.asarray(truth + np.where(place < 0.5, -bound, bound))
    return np.asarray(truth + (2 * place - 1) * bound)


def noisy_answers(kind: Noise, truth: Floats, epsilon: float, seed: int) -> Floats:
    """Return answers with noise at this epsilon each, where neighbours differ in one person's value, by at most 1."""
    generator = np.random.default_rng([seed, _NOISE])
    if kind == "staircase":
        gamma = 1 / (1 + math.exp(epsilon / 2))  # the best for the absolute error
        return np.asarray(truth + simulate_staircase(Staircase(epsilon, gamma, 1.0), len(truth), generator))
    first, second = -np.log1p(-generator.random((2, len(truth)))) / epsilon
    if kind == "laplace":
        return np.asarray(truth + first - second)
    return np.asarray(truth + np.floor(first) - np.floor(second))


def mean_error(kind: str, bound: float, epsilon: float) -> float:
    """Return the mean error of an answer: from the bound for bounded answers, from an answer's epsilon for noise.

    Notes
    -----
    E / 2 for uniform and (nearly) for rounded answers; 1/eps for Laplace; 2 a / (1 - a^2) with a = e^-eps for geometric;
    e^(eps/2) / (e^eps - 1) for the staircase [Geng]. For "tightness" at most the bound.
    """
    if kind == "laplace":
        return 1 / epsilon
    if kind == "geometric":
        return 1 / math.sinh(epsilon) if epsilon < 700 else 0.0
    if kind == "staircase":
        return 1 / (2 * math.sinh(epsilon / 2)) if epsilon < 700 else 0.0
    return bound / 2 if kind in ("uniform", "rounded") else bound


def geometric_epsilon(error: float) -> float:
    """Return the epsilon of geometric noise with this mean error: arsinh(1 / error)."""
    return math.asinh(1 / error) if error > 0 else math.inf


def tells_nothing(kind: str, bound: float, largest: int) -> bool:
    """Return whether bounded answers are independent of the secret, for questions about at most this many people."""
    return {"tightness": bound > largest / 2, "rounded": bound >= largest}.get(kind, False)


Bits = NDArray[np.int8]

_SECRET = 1  # the random stream of the secret, separate from that of the questions
_MOST_NAMED = 12  # rows of an answer
_MOST_KEPT = 4  # sets of questions, so that a drag does not redraw them


@dataclass(frozen=True, eq=False)
class Setting:
    """The questions about a secret, and the errors of the answers.

    Attributes
    ----------
    secret : ndarray of int8
        (n,): 0 or 1.
    t : int
        How many questions.
    error : str
        Of `Bounded` or `Noise`.
    bound : float
        How far off an answer may be, for errors within a bound.
    epsilon : float
        Of all answers together, for noise; it is split evenly. Private answers to the same questions have it in any case.
    attacker : {"interior", "least-squares", "vertex"}
    seed : int
    """

    secret: Bits
    t: int
    error: str
    bound: float
    epsilon: float
    attacker: Attacker
    seed: int

    @property
    def n(self) -> int:
        """The number of people."""
        return len(self.secret)

    @property
    def noisy(self) -> bool:
        """Whether answers have noise without a bound."""
        return self.error in NOISES


@dataclass(frozen=True, eq=False)
class Problem:
    """The attacker's problem.

    Attributes
    ----------
    questions : Questions
    secret : ndarray of int8 or None
        (n,): 0 or 1; None where nobody here knows it.
    rows : ndarray of int
        (n,): the row of each person in its file, from 1 on.
    truth : ndarray or None
        (t,): the true counts.
    answers : ndarray
        (t,).
    bound : ndarray, float or None
        How far off each may be; None where noise has no bound.
    truthful : int
        How many answers of "tightness" are not half of those asked about.
    names : tuple of str
        Of the people, if they have any.
    out : tuple of int
        The published answers that are left out, in rising order.
    known : dict
        Earlier results for the same answers, by whatever computed them and what was left out.
    """

    questions: Questions
    secret: Bits | None
    rows: NDArray[np.int64]
    truth: Floats | None
    answers: Floats
    bound: Any
    truthful: int = 0
    names: tuple[str, ...] = ()
    out: tuple[int, ...] = ()
    known: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def asked(self) -> tuple[Questions, Floats, Any]:
        """The questions, answers and bounds that are not left out."""
        if not self.out:
            return self.questions, self.answers, self.bound
        kept = np.delete(np.arange(self.questions.t), self.out)
        return Questions.of(self.questions.dense[kept] > 0), self.answers[kept], self.bound[kept]

    @cached_property
    def alone(self) -> list[int]:
        """The published answers that alone expose all they count, left out or not."""
        return [int(each) for each in self.questions.alone(self.answers, self.bound + MARGIN)[0]]

    @property
    def n(self) -> int:
        """The number of people."""
        return self.questions.n

    @property
    def ones(self) -> float:
        """The share of ones in the secret."""
        return float(self.secret.mean()) if self.secret is not None else float("nan")

    @property
    def commonest(self) -> tuple[int, int]:
        """The commoner value of the secret, and its count: the number of people right by always guessing it."""
        ones = int(self.secret.sum()) if self.secret is not None else 0
        return (1, ones) if 2 * ones > self.n else (0, self.n - ones)

    @property
    def off(self) -> float:
        """The mean absolute error of the answers; 0 if the truth is unknown."""
        return 0.0 if self.truth is None else float(np.abs(self.answers - self.truth).mean())

    def beyond(self, furthest: float) -> float:
        """Return how far a point is from an answer, excluding the margin by which answers are widened."""
        most = math.inf if self.bound is None else float(np.max(self.bound))
        return most if most < furthest <= most + 2 * MARGIN else furthest

    @cached_property
    def most(self) -> int:
        """The most answers that count the same person, at least 1: by how much one person's value changes them all together."""
        questions = self.asked[0]
        return max(round(float(questions.votes(np.ones(questions.t)).max())), 1)

    def noise_error(self, epsilon: float) -> float:
        """Return the mean error of the answers with geometric noise, where this is the total epsilon of each person."""
        return mean_error("geometric", 0, epsilon / self.most)

    def misfit(self, bits: Bits) -> str:
        """Return in words how a column contradicts published answers: ``does not fit answer 13: truth 0, published 1``."""
        if len(bits) < self.n:
            return f"has {len(bits)} rows, but the answers count {self.n} people"
        truth = self.questions.sums(bits[: self.n].astype(np.float64))
        wrong = np.flatnonzero(abs(truth - self.answers) > self.bound + MARGIN).tolist()
        words = (f"{self.questions.named(q)}: truth {brief(truth[q])}, published {brief(self.answers[q])}" for q in wrong[:1])
        return "".join(f"does not fit {each}" for each in words)

    def rows_in(self, people: NDArray[Any] | list[int]) -> str:
        """Return people in words: ``Ann, Bob``, ``row 22``, ``rows 2, 6``, or ``rows 1, 2, … and 12 more``."""
        rows = self.rows[people].tolist()
        more = f" and {len(rows) - _MOST_NAMED} more" if len(rows) > _MOST_NAMED else ""
        first = [self.names[row - 1] if self.names else str(row) for row in rows[:_MOST_NAMED]]
        return f"{'' if self.names else 'rows ' if rows[1:] else 'row '}{', '.join(first)}{more}"


_kept: OrderedDict[tuple[int, int, int], Questions] = OrderedDict()
_lock = Lock()  # pages and pictures call from different threads


def drawn(n: int, t: int, seed: int, progress: Progress = silent) -> Questions:
    """Draw questions; recent ones are cached, but only one large set."""
    key = (n, t, seed)
    with _lock:
        questions = _kept.pop(key, None)
    if questions is None:
        questions = Questions.drawn(n, t, seed, progress)
    with _lock:
        while len(_kept) >= (_MOST_KEPT if questions.small else 1):
            _kept.popitem(last=False)
        _kept[key] = questions
    return questions


def secret_drawn(n: int, share: float, seed: int) -> Bits:
    """Draw a secret of n people, each 1 with probability `share`."""
    return (np.random.default_rng([seed, _SECRET]).random(n) < share).astype(np.int8)


def people_drawn(rows: int, n: int, seed: int) -> NDArray[np.int64]:
    """Return which n rows of a file are used, in rising order; all if there are no more."""
    return np.arange(n) if rows == n else np.sort(np.random.default_rng(seed).choice(rows, n, replace=False))


def draw_problem(setting: Setting, rows: NDArray[np.int64] | None = None, progress: Progress = silent) -> Problem:
    """Draw questions and answer them."""
    n, t, seed = setting.n, setting.t, setting.seed
    rows = np.arange(1, n + 1) if rows is None else rows
    questions = drawn(n, t, seed, progress)
    truth = questions.sums(setting.secret.astype(np.float64), progress)
    questions.most(progress)
    if setting.noisy:
        answers = noisy_answers(setting.error, truth, setting.epsilon / t, seed)  # type: ignore[arg-type]  # noisy
        return Problem(questions, setting.secret, rows, truth, answers, None)
    sizes = questions.sums(np.ones(n), progress)
    answers = bounded_answers(setting.error, truth, sizes, setting.bound, n, seed)  # type: ignore[arg-type]  # not noisy
    truthful = int((answers != sizes / 2).sum())
    return Problem(questions, setting.secret, rows, truth, answers, setting.bound, truthful)


def best_fit(problem: Problem, epsilon: float, seed: int, progress: Progress = silent) -> Reconstruction:
    """Attack the same questions, answered with geometric noise at this total epsilon."""
    if problem.truth is None:
        raise ValueError("the true counts of published answers are unknown")
    answers = noisy_answers("geometric", problem.truth, epsilon / problem.questions.t, seed)
    return attacked(problem.questions, answers, None, "interior", progress)


def error_of_few(n: int, t: int, epsilon: float) -> float | None:
    """Return the mean error of private answers to a few questions, if they are useful and those to t are not."""
    few, many = (mean_error("geometric", 0, epsilon / asked) for asked in (FEW, t))
    return few if t > FEW and 4 * few < n <= 4 * many else None


FEW = 20  #: questions that are offered where the private answers to more are useless
RUNS = 3
SIZES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)  # in multiples of sqrt(n)
EPSILONS = (0.1, 1.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
TIMES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # questions, in multiples of n
#: The share of people recovered at which an attack counts as successful.
ENOUGH = 0.95
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
    """Yield the runs to make, the most informative first; large problems and the simplex as a rival have fewer.

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
        yield from ((own, epsilon, run) for run in range(runs) for epsilon in EPSILONS)
        return
    for run in range(runs):
        yield from ((own, size, run) for size in sizes(setting.error))
        yield from (("private", epsilon, run) for epsilon in EPSILONS)
        yield from (("questions", share, run) for share in TIMES if n * share >= 1 and n * n * share <= LARGEST)
    if rivals and runs and programmable(n, setting.t):
        for name in ATTACKERS:
            if name != own and (name == "least-squares" or n <= LARGEST_SIMPLEX):
                again = 1 if name == "vertex" else runs  # the simplex takes ten times as long
                yield from ((name, size, run) for run in range(again) for size in sizes(setting.error))


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
            done = count / len(wanted), f"{count} of {len(wanted)} runs"  # whatever the run itself reports
            kept[key] = _recovered(setting, name, at, run, lambda fraction, text="", done=done: progress(*done))
        there = measured.setdefault(name, {})
        there[at] = (*there.get(at, ()), kept[key])
        if told is not None:
            told(Curves({each: dict(value) for each, value in measured.items()}, len(wanted), design))
    return Curves(measured, len(wanted), design)


def sizes(error: str) -> tuple[float, ...]:
    """Return the errors of the runs, in roots of n: "rounded" ones turn often, "tightness" goes on until halves hide all."""
    return {"tightness": (*SIZES, 2.5, 3.0), "rounded": tuple(k / 4 for k in range(9))}.get(error, SIZES)


def questions_at(n: int, share: float) -> int:
    """Return the number of questions for this many per person, at most the number that the theorem requires."""
    return max(1, min(round(share * n), max(theorem_questions(n), n)))


def _key(setting: Setting, name: str, at: float, run: int) -> Hashable:
    """All that a run depends on."""
    same = (setting.secret.tobytes(), setting.seed + run, name, at)
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
