"""The staircase in [Geng]'s abstract setting: any finite set of outputs, any cost C(D, r) of answering r when the data is D.

An output is given with probability proportional to b^k, k the whole part of C(D, r) / Delta, Delta = max |C(D, r) - C(D', r)|
over neighbours D, D' (gamma = 1). The weight of an output changes by at most exp(epsilon) between neighbours, and so does their
sum: the mechanism is 2 epsilon-private in general, and epsilon-private where the sum is the same for all D, as for noise on the
real line. Which it is, is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.logarithms import log_shares


@dataclass(frozen=True)
class AbstractStaircase:
    """A mechanism with staircase weights.

    Attributes
    ----------
    costs : tuple of tuple of int
        C(D, r): rows are databases, each a neighbour of the next, columns outputs; at least 0.
    epsilon : float
        Positive: the weight of an output changes by at most exp(epsilon) between neighbours.
    """

    costs: tuple[tuple[int, ...], ...]
    epsilon: float

    @cached_property
    def sensitivity(self) -> int:
        """Delta: by how much the cost of any output changes between neighbours."""
        return int(np.abs(np.diff(self.costs, axis=0)).max(initial=0))

    @cached_property
    def steps(self) -> Integers:
        """The number of steps down to each weight, (rows, columns); all 0 if Delta is 0, when the data play no part."""
        costs = np.array(self.costs, dtype=np.int64)
        return costs // self.sensitivity if self.sensitivity else np.zeros_like(costs)

    @cached_property
    def matrix(self) -> Floats:
        """Probabilities, (rows, columns), rows = database, columns = output."""
        return np.asarray(np.exp(self._logs))

    @cached_property
    def level(self) -> float:
        """The epsilon that the mechanism really has: the largest |ln ratio| between neighbours, rounded up; at most 2 epsilon."""
        largest = float(np.abs(np.diff(self._logs, axis=0)).max(initial=0.0))
        return largest + 2.0**-50 * (float(np.abs(self._logs).max()) + 1) if largest else 0.0

    @property
    def equal_sums(self) -> bool:
        """Whether the weights of every row are the same up to their order, so that nothing but they can change."""
        ordered = np.sort(self.steps, axis=1)
        return bool((ordered == ordered[0]).all())

    @cached_property
    def _logs(self) -> Floats:
        """Ln of the probabilities."""
        return log_shares(np.asarray(-self.epsilon * self.steps, dtype=float))
