"""Several answers and one budget: what each answer's share of epsilon costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesigner.core.noise.discrete_staircase import best_split, discrete_laplace_cost
from dpdesigner.core.numbers.given import Number
from dpdesigner.core.privacy.composition import budget_of, split_budget
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.costs import laplace_cost, least_cost
from dpdesigner.studies.noise.design import LEAST_EPSILON, NoiseStudy

_MOST_ANSWERS = 100
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
    """What a study's epsilon gives one answer and several.

    Attributes
    ----------
    alone : Share
        All of it, for one answer.
    shares : tuple of Share
        That of each of the study's answers, in their order; of the one answer if there is no other.
    equal : tuple of (int, Share)
        Where there is one answer only, what each would have if there were so many, as far as epsilon reaches.
    """

    alone: Share
    shares: tuple[Share, ...]
    equal: tuple[tuple[int, Share], ...]


def budget(study: NoiseStudy) -> Budget:
    """Return how a study's epsilon is shared; raises as `budget_shares`."""
    alone = budget_shares(study, (1,))[0]
    if study.weights:
        return Budget(alone, budget_shares(study, study.weights), ())
    reached = [many for many in _IF_SEVERAL if budget_of(study.privacy) / many >= LEAST_EPSILON]
    return Budget(alone, (alone,), tuple((many, budget_shares(study, (1,) * many)[0]) for many in reached))


def split(study: NoiseStudy, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon; parameters and errors as `budget_shares`, which tells the costs too."""
    if study.dimension > 1 or not 1 <= len(weights) <= _MOST_ANSWERS:
        raise InputError(f"a budget is split among 1 to {_MOST_ANSWERS} single answers, got {len(weights)}.", "weights")
    shares = split_budget(budget_of(study.privacy), weights)
    if min(shares) < LEAST_EPSILON:
        raise InputError(f"every answer needs an epsilon of at least {LEAST_EPSILON:g}, got {float(min(shares)):.3g}.", "weights")
    return shares


def budget_shares(study: NoiseStudy, weights: Sequence[Number]) -> tuple[Share, ...]:
    """Split the study's epsilon among several answers, each with the study's sensitivity and cost.

    Parameters
    ----------
    study : NoiseStudy
        Of a single answer; an irrational epsilon is rounded down in the fifteenth digit.
    weights : sequence of Number
        One positive weight for each answer, at most 100.

    Raises
    ------
    InputError
        If a weight cannot be used, or a share is below 1e-6.
    """
    shares = split(study, weights)
    costs = {share: _share(study, share) for share in set(shares)}
    return tuple(costs[share] for share in shares)


def _share(study: NoiseStudy, share: Fraction) -> Share:
    epsilon = float(share)
    if study.query == "integer":
        size = int(study.period)
        least = best_split(study.noise_cost, epsilon, size).cost
        return Share(share, least, discrete_laplace_cost(study.noise_cost, epsilon, size))
    least = least_cost(study.cost, epsilon, study.period, 1).cost
    return Share(share, least, laplace_cost(study.cost, epsilon, study.period, 1))
