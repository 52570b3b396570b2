"""Several answers and one budget: what each answer's share of epsilon costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpdesigner.core.noise.best import best_noise, rival_cost
from dpdesigner.core.noise.inputs import LEAST_EPSILON
from dpdesigner.core.numbers.given import Number
from dpdesigner.core.privacy.composition import budget_of, split_budget
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.design import NoiseDesign

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
    """What a design's epsilon gives one answer and several.

    Attributes
    ----------
    alone : Share
        All of it, for one answer.
    shares : tuple of Share
        That of each of the design's answers, in their order; of the one answer if there is no other.
    equal : tuple of (int, Share)
        Where there is one answer only, what each would have if there were so many, as far as epsilon reaches.
    """

    alone: Share
    shares: tuple[Share, ...]
    equal: tuple[tuple[int, Share], ...]


def budget(design: NoiseDesign) -> Budget:
    """Return how a design's epsilon is shared; raises as `budget_shares`."""
    alone = budget_shares(design, (1,))[0]
    if design.weights:
        return Budget(alone, budget_shares(design, design.weights), ())
    reached = [many for many in _IF_SEVERAL if budget_of(design.privacy) / many >= LEAST_EPSILON]
    return Budget(alone, (alone,), tuple((many, budget_shares(design, (1,) * many)[0]) for many in reached))


def split(design: NoiseDesign, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon; parameters and errors as `budget_shares`, which tells the costs too."""
    if design.dimension > 1 or not 1 <= len(weights) <= _MOST_ANSWERS:
        raise InputError(f"a budget is split among 1 to {_MOST_ANSWERS} single answers, got {len(weights)}.", "weights")
    shares = split_budget(budget_of(design.privacy), weights)
    if min(shares) < LEAST_EPSILON:
        raise InputError(f"every answer needs an epsilon of at least {LEAST_EPSILON:g}, got {float(min(shares)):.3g}.", "weights")
    return shares


def budget_shares(design: NoiseDesign, weights: Sequence[Number]) -> tuple[Share, ...]:
    """Split the design's epsilon among several answers, each with the design's sensitivity and cost.

    Parameters
    ----------
    design : NoiseDesign
        Of a single answer; an irrational epsilon is rounded down in the fifteenth digit.
    weights : sequence of Number
        One positive weight for each answer, at most 100.

    Raises
    ------
    InputError
        If a weight cannot be used, or a share is below 1e-6.
    """
    shares = split(design, weights)
    costs = {share: _share(design, share) for share in set(shares)}
    return tuple(costs[share] for share in shares)


def _share(design: NoiseDesign, share: Fraction) -> Share:
    alone = replace(design.asked, epsilon=float(share), gamma=None)
    return Share(share, best_noise(alone).least, rival_cost(alone))
