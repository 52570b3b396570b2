"""An attack: a column that is guessed from answers, and how much of the secret it has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.core.reconstruction.interior_point import Told, analytic_centre, least_total_error
from dpdesigner.core.reconstruction.least_squares import nearest_column
from dpdesigner.core.reconstruction.linear_programs import corner
from dpdesigner.core.reconstruction.questions import LARGEST_DENSE, Questions
from dpdesigner.core.reconstruction.single_thread import one_thread
from dpdesigner.progress import Progress, silent

Attacker = Literal["interior", "least-squares", "vertex"]
ATTACKERS: tuple[Attacker, ...] = get_args(Attacker)

#: So near to 1/2 a value says nothing.
_NOTHING = 1e-6
#: Programs have at most so many people; beyond that, least squares are the attack.
LARGEST_PROGRAM = 1000


class Tally(NamedTuple):
    """The numbers of people who are right and certain, uncertain, wrong and certain, and guessed right in total."""

    right: int
    unsure: int
    wrong: int
    guessed: int | float


def people_text(many: Any) -> str:
    """Return a number of people, of which there may be a half where a guess says nothing: ``211½``."""
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
        """The values rounded at 1/2, (n,); -1 where they say nothing."""
        undecided = np.abs(self.values - 0.5) < _NOTHING
        return np.where(undecided, -1, self.values > 0.5).astype(np.int8)

    @cached_property
    def unsure(self) -> NDArray[np.bool_]:
        """Whether each value lies in [1/3, 2/3], (n,)."""
        return np.asarray((self.values >= 1 / 3) & (self.values <= 2 / 3))

    def wrong(self, secret: NDArray[np.int8]) -> float:
        """Return the share of guesses that are false; where there is none, half of it."""
        none = self.guess == -1
        return float(np.mean((self.guess != secret) & ~none) + np.mean(none) / 2)

    def tally(self, secret: NDArray[np.int8]) -> Tally:
        """Return how many people are right, unsure and wrong."""
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
    """Attack answers.

    Parameters
    ----------
    questions : Questions
    answers : ndarray
        (t,).
    bound : ndarray, float or None
        How far off each answer may be; None where noise has no bound: linear programs then seek the least total absolute error.
    attacker : {"interior", "least-squares", "vertex"}
    progress : Progress
    told : callable, optional
        Told the column on the way.
    """
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
    """Whether a linear program of so many people and questions is within reach."""
    return n <= LARGEST_PROGRAM and n * t <= LARGEST_DENSE
