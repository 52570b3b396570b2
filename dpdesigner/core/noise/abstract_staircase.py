"""The staircase in [Geng]'s abstract setting: any finite set of outputs, any cost C(D, r) of answering r when the data is D.

An output is given with probability proportional to b^step(C(D, r) / Delta), Delta = max |C(D, r) - C(D', r)| over neighbours
D, D'. The weight of an output changes by at most exp(epsilon) between neighbours, and so does their sum: the mechanism is
2 epsilon-private in general, and epsilon-private where the sum is the same for all D, as for noise on the real line. Which it is,
is computed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.given import Number, exact, shown
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.errors import InputError

Pairs = tuple[tuple[int, int], ...]

_LARGEST = 1000


@dataclass(frozen=True)
class AbstractStaircase:
    """A mechanism with staircase weights.

    Attributes
    ----------
    costs : tuple of tuple of Number
        C(D, r): rows are databases, columns outputs; at least 0.
    epsilon : float
        Positive: the weight of an output changes by at most exp(epsilon) between neighbours.
    gamma : Number
        In [0, 1]: where in each period of length Delta the weight steps down.
    neighbours : tuple of (int, int)
        Pairs of rows that are neighbours; empty: each row and the next.

    Raises
    ------
    InputError
        If one of them cannot be used.
    """

    costs: tuple[tuple[Number, ...], ...]
    epsilon: float
    gamma: Number = 1
    neighbours: Pairs = ()

    def __post_init__(self) -> None:
        rows = tuple(tuple(row) for row in self.costs)
        object.__setattr__(self, "costs", rows)
        if not 0 < len(rows) <= _LARGEST or not all(0 < len(row) == len(rows[0]) <= _LARGEST for row in rows):
            raise InputError(f"the costs must be a table with rows of equal length, at most {_LARGEST}.", "costs")
        if not 0 < self.epsilon < math.inf:
            raise InputError(f"epsilon must be positive and finite, got {shown(self.epsilon)}.", "epsilon")
        if not 0 <= exact(self.gamma, "gamma") <= 1:
            raise InputError(f"gamma must be in [0, 1], got {shown(self.gamma)}.", "gamma")
        if min(min(row) for row in self._exact) < 0:
            raise InputError("every cost must be at least 0.", "costs")
        if any(not 0 <= place < len(rows) for pair in self.neighbours for place in pair):
            raise InputError(f"neighbours must be pairs of rows 0..{len(rows) - 1}.", "neighbours")

    @property
    def pairs(self) -> Pairs:
        """The pairs of neighbours."""
        return self.neighbours or tuple((i, i + 1) for i in range(len(self.costs) - 1))

    @cached_property
    def sensitivity(self) -> Fraction:
        """Delta: by how much the cost of any output changes between neighbours."""
        rows = self._exact
        return max((abs(a - b) for i, j in self.pairs for a, b in zip(rows[i], rows[j], strict=True)), default=Fraction(0))

    @cached_property
    def steps(self) -> Integers:
        """How many steps down each weight is, (rows, columns); all 0 where Delta is 0 and the data play no part."""
        gamma, period = exact(self.gamma, "gamma") or Fraction(1), self.sensitivity
        if not period:
            return np.zeros((len(self.costs), len(self.costs[0])), dtype=np.int64)
        sizes = [[cost / period for cost in row] for row in self._exact]
        return np.array([[int(size) + (size - int(size) >= gamma) for size in row] for row in sizes], dtype=np.int64)

    @cached_property
    def matrix(self) -> Floats:
        """Probabilities, (rows, columns), rows = database, columns = output."""
        return np.asarray(np.exp(self._logarithms))

    @cached_property
    def level(self) -> float:
        """The epsilon that the mechanism really has: the largest |ln ratio| between neighbours, rounded up; at most 2 epsilon."""
        logs = self._logarithms
        largest = max((float(np.abs(logs[i] - logs[j]).max()) for i, j in self.pairs), default=0.0)
        return largest + 2.0**-50 * (float(np.abs(logs).max()) + 1) if largest else 0.0

    @property
    def equal_sums(self) -> bool:
        """Whether the weights of every row are the same up to their order, so that nothing but they can change."""
        ordered = np.sort(self.steps, axis=1)
        return bool((ordered == ordered[0]).all())

    @property
    def statement(self) -> str:
        """What can be said about its privacy, in one sentence."""
        if self.equal_sums:
            return "the weights sum to the same for every database, so this mechanism is ε-private."
        level = figure(self.level, 6)
        if self.level <= self.epsilon:
            return f"in general such a mechanism is 2ε-private; the computed level of this one is within ε: {level}."
        return f"such a mechanism is only 2ε-private in general; the computed level of this one is {level}."

    @cached_property
    def _exact(self) -> list[list[Fraction]]:
        return [[exact(cost, "costs") for cost in row] for row in self.costs]

    @cached_property
    def _logarithms(self) -> Floats:
        """Ln of the probabilities; the largest weight of a row is divided out before summing."""
        steps = self.steps - self.steps.min(axis=1, keepdims=True)
        return np.asarray(-self.epsilon * steps - np.log(np.exp(-self.epsilon * steps).sum(axis=1, keepdims=True)))
