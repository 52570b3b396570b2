"""Several answers and one budget: what each answer's share of epsilon costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpdesigner.core.noise.best_noise import best_noise, rival_cost
from dpdesigner.core.noise.inputs import LEAST_EPSILON, MOST_ANSWERS
from dpdesigner.core.noise.query import NoiseQuery
from dpdesigner.core.numbers.parsing import Number
from dpdesigner.core.privacy.composition import budget_of, split_budget
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError

#: How many answers there might be, where there is one only.
_IF_SEVERAL = (2, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Share:
    """One answer's part of the budget.

    Attributes
    ----------
    epsilon : Fraction
        Its share; all shares sum to the budget exactly.
    cost, laplace_cost : float
        The least expected cost of noise for it, and that of Laplace noise.
    """

    epsilon: Fraction
    cost: float
    laplace_cost: float


@dataclass(frozen=True)
class Budget:
    """The shares of epsilon of one answer and of several.

    Attributes
    ----------
    alone : Share
        All of it, for one answer.
    shares : tuple of Share
        That of each of the answers, in their order; of the one answer if there is no other.
    equal : tuple of (int, Share)
        Where there is one answer only, what each would have if there were so many, as far as epsilon reaches.
    """

    alone: Share
    shares: tuple[Share, ...]
    equal: tuple[tuple[int, Share], ...]


def full_budget(asked: NoiseQuery, privacy: PrivacyLevel, weights: Sequence[Number]) -> Budget:
    """Return how epsilon is shared among answers with these weights, or with none what one has; raises as `shares_of`."""
    alone = shares_of(asked, privacy, (1,))[0]
    if weights:
        return Budget(alone, shares_of(asked, privacy, weights), ())
    reached = [many for many in _IF_SEVERAL if budget_of(privacy) / many >= LEAST_EPSILON]
    return Budget(alone, (alone,), tuple((many, shares_of(asked, privacy, (1,) * many)[0]) for many in reached))


def epsilons_of(dimension: int, privacy: PrivacyLevel, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon; parameters and errors as `shares_of`, which tells the costs too."""
    if dimension > 1 or not 1 <= len(weights) <= MOST_ANSWERS:
        raise InputError(f"a budget is split among 1 to {MOST_ANSWERS} single answers, got {len(weights)}.", "weights")
    shares = split_budget(budget_of(privacy), weights)
    if min(shares) < LEAST_EPSILON:
        raise InputError(f"every answer needs an epsilon of at least {LEAST_EPSILON:g}, got {float(min(shares)):.3g}.", "weights")
    return shares


def shares_of(asked: NoiseQuery, privacy: PrivacyLevel, weights: Sequence[Number]) -> tuple[Share, ...]:
    """Split epsilon among several answers, each with the same sensitivity and cost.

    Parameters
    ----------
    asked : Asked
        Of a single answer.
    privacy : PrivacyLevel
        An irrational epsilon is rounded down in the fifteenth digit.
    weights : sequence of Number
        One positive weight for each answer, at most 100.

    Raises
    ------
    InputError
        If a weight cannot be used, or a share is below 1e-6.
    """
    shares = epsilons_of(asked.dimension, privacy, weights)
    costs = {share: _share(asked, share) for share in set(shares)}
    return tuple(costs[share] for share in shares)


def _share(asked: NoiseQuery, share: Fraction) -> Share:
    alone = replace(asked, epsilon=float(share), gamma=None)
    return Share(share, best_noise(alone).least, rival_cost(alone))
