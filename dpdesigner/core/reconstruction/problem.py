"""What is posed to an attacker: a secret, questions about it, their answers, and how far off these may be."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.reconstruction.attack import Attacker, Reconstruction, attacked
from dpdesigner.core.reconstruction.errors import NOISES, bounded_answers, noisy_answers
from dpdesigner.core.reconstruction.interior_point import MARGIN, Told
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.progress import Progress, silent

Bits = NDArray[np.int8]

_SECRET = 1  # the stream of the secret beside that of the questions
_MOST_KEPT = 4  # sets of questions, so that a drag does not draw them anew


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
        Of `errors.BOUNDED` or `errors.NOISES`.
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
    """The problem of the attacker.

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
    """

    questions: Questions
    secret: Bits | None
    rows: NDArray[np.int64]
    truth: Floats | None
    answers: Floats
    bound: Any
    truthful: int = 0

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
        """The commoner value of the secret, and how many have it: who is right without asking anything."""
        ones = int(self.secret.sum()) if self.secret is not None else 0
        return (1, ones) if 2 * ones > self.n else (0, self.n - ones)

    @property
    def off(self) -> float:
        """The average error of the answers; 0 where the truth is unknown."""
        return 0.0 if self.truth is None else float(np.abs(self.answers - self.truth).mean())

    def beyond(self, furthest: float) -> float:
        """Return how far a point is from an answer, without what answers are widened by."""
        most = math.inf if self.bound is None else float(np.max(self.bound))
        return most if most < furthest <= most + 2 * MARGIN else furthest


_kept: OrderedDict[tuple[int, int, int], Questions] = OrderedDict()
_lock = Lock()  # pages and pictures ask from lanes of their own


def drawn(n: int, t: int, seed: int, progress: Progress = silent) -> Questions:
    """Draw questions; the last ones are kept, of large ones only one set."""
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
    """Draw a secret of n people, each 1 with the chance `share`."""
    return (np.random.default_rng([seed, _SECRET]).random(n) < share).astype(np.int8)


def people_drawn(rows: int, n: int, seed: int) -> NDArray[np.int64]:
    """Return which n of the rows of a file are taken, in rising order; all where there are no more."""
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


def best_fit(
    problem: Problem, epsilon: float, seed: int, progress: Progress = silent, told: Told | None = None
) -> Reconstruction:
    """Attack the same questions, answered with geometric noise of so much epsilon for all of them together."""
    if problem.truth is None:
        raise ValueError("the true counts of published answers are unknown")
    answers = noisy_answers("geometric", problem.truth, epsilon / problem.questions.t, seed)
    return attacked(problem.questions, answers, None, "interior", progress, told)
