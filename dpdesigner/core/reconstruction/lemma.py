"""The lemma's proof, one question at a time: how a wrong column drifts away from the answers until one of them rules it out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.reconstruction.counting import candidate, least_delta, ruled_out
from dpdesigner.core.reconstruction.questions import Questions

Floats = NDArray[np.float64]
Bits = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Lemma:
    """A column that is wrong about as many people too high as too low, and the questions that rule it out.

    Attributes
    ----------
    questions : Questions
    secret : ndarray of int8
        (n,).
    bound : float
        E.
    """

    questions: Questions
    secret: Bits
    bound: float

    @cached_property
    def other(self) -> Bits:
        """The column, (n,)."""
        ones = int(self.secret.sum())
        return candidate(self.secret, 2 * min(ones, len(self.secret) - ones))

    @property
    def people(self) -> int:
        """How many people it is wrong about."""
        return int((self.other != self.secret).sum())

    @property
    def limit(self) -> float:
        """How far off it may be in a question before that rules it out: 2 E + 1."""
        return 2 * self.bound + 1

    @cached_property
    def ruled(self) -> NDArray[np.bool_]:
        """Which questions rule it out, (t,)."""
        return ruled_out(self.questions, self.secret, self.other, self.bound)

    @property
    def delta(self) -> float:
        """The chance that a random question does."""
        return least_delta(self.people, 1, self.bound)

    def walk(self, question: int) -> Floats:
        """Return how far off the column is after each person of a question about whom it is wrong, from 0 on."""
        wrong = (self.other.astype(int) - self.secret)[self.questions.members(question)]
        return np.concatenate([[0.0], np.cumsum(wrong[wrong != 0], dtype=np.float64)])
