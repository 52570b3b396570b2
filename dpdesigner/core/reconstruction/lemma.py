"""The lemma's proof, one question at a time: how a wrong column drifts away from the answers until one of them rules it out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.reconstruction.counting import candidate, least_delta, ruled_out
from dpdesigner.core.reconstruction.questions import Questions

Bits = NDArray[np.int8]

_LOOKED_AT = 1000  # questions about many people, so that none is waited for


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
    many : int or None
        About how many people it is wrong; None for as many as can be, as often too high as too low.
    off : float
        By how much it is wrong about each, in (0, 1].
    """

    questions: Questions
    secret: Bits
    bound: float
    many: int | None = None
    off: float = 1.0

    @cached_property
    def other(self) -> Bits:
        """The column, (n,), were it off by 1."""
        ones = int(self.secret.sum())
        return candidate(self.secret, 2 * min(ones, len(self.secret) - ones) if self.many is None else self.many)

    @property
    def people(self) -> int:
        """The number of people for whom it is wrong."""
        return int((self.other != self.secret).sum())

    @property
    def limit(self) -> float:
        """The largest error in a question that does not rule it out: 2 E + 1."""
        return 2 * self.bound + 1

    @cached_property
    def ruled(self) -> NDArray[np.bool_]:
        """Which questions rule it out, (t,); of many people, the first ones."""
        return ruled_out(self.questions.first(_LOOKED_AT), self.secret, self.other, self.bound, self.off)

    @property
    def delta(self) -> float:
        """The chance that a random question does."""
        return least_delta(self.people, self.off, self.bound)

    @property
    def measured(self) -> float:
        """The share of the questions looked at that do."""
        return float(self.ruled.mean())

    def walk(self, question: int) -> Floats:
        """Return how far off the column is after each person of a question about whom it is wrong, from 0 on."""
        wrong = (self.other.astype(int) - self.secret)[self.questions.members(question)]
        return self.off * np.concatenate([[0.0], np.cumsum(wrong[wrong != 0], dtype=np.float64)])
