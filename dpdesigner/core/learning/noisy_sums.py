"""Noisy sums over groups of rows, each paid for from a privacy budget.

Neighbouring databases differ by one row that is added or removed. A row belongs to one group, so that it changes one of the sums
of a query by at most `bound`; two-sided geometric noise with ratio e^(-epsilon/bound) in every sum is epsilon-private. Queries
add up, also where a query depends on the answers before it. The noise is drawn by numpy from a seed: FOR STUDY ONLY.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesigner.errors import InputError

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Spending:
    """One line of the ledger: a step of the algorithm, its query, and the epsilon that it spends."""

    step: int
    query: str
    epsilon: Fraction


class NoisySums:
    """The only access of an algorithm to the rows.

    Parameters
    ----------
    budget : Fraction or None
        The total epsilon; None for no privacy: sums without noise, and an empty ledger.
    seed : int
        Of the noise.
    """

    def __init__(self, budget: Fraction | None, seed: int = 0) -> None:
        self.budget = budget
        self.ledger: list[Spending] = []
        self._generator = np.random.default_rng([seed, 11])

    @property
    def spent(self) -> Fraction:
        """The sum of the ledger."""
        return sum((line.epsilon for line in self.ledger), Fraction(0))

    def spend(self, step: int, query: str, epsilon: Fraction) -> None:
        """Write a query into the ledger; queries on disjoint groups of rows are one.

        Raises
        ------
        InputError
            If the budget does not allow it.
        """
        if self.budget is None:
            return
        if epsilon <= 0 or self.spent + epsilon > self.budget:
            raise InputError(f"The budget is {self.budget}; {self.spent} is spent, and {query} needs {epsilon}.", "epsilon")
        self.ledger.append(Spending(step, query, epsilon))

    def sums(self, groups: Whole, size: int, values: Whole, bound: int, epsilon: Fraction) -> Whole:
        """Return the sum of the values in each of the groups 0, ..., size - 1, with noise; `spend` has paid for it.

        Parameters
        ----------
        groups, values : ndarray of int
            (m,): each row's group, and its value, which is clipped to [-bound, bound].
        size, bound : int
        epsilon : Fraction
        """
        exact = np.zeros(size, dtype=np.int64)
        np.add.at(exact, groups, np.clip(values, -bound, bound))
        if self.budget is None:
            return exact
        stop = -math.expm1(-float(epsilon) / bound)
        return exact + self._generator.geometric(stop, size) - self._generator.geometric(stop, size)
