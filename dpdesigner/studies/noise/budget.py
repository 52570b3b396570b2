"""How a noise design's epsilon is shared among several answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpdesigner.core.noise.budget import Budget as Budget
from dpdesigner.core.noise.budget import Share as Share
from dpdesigner.core.noise.budget import epsilons_of, shares_of, whole_budget
from dpdesigner.core.numbers.given import Number
from dpdesigner.studies.noise.design import NoiseDesign


def budget(design: NoiseDesign) -> Budget:
    """Return how a design's epsilon is shared; raises as `budget_shares`."""
    return whole_budget(design.asked, design.privacy, design.weights)


def split(design: NoiseDesign, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon; parameters and errors as `budget_shares`, which tells the costs too."""
    return epsilons_of(design.dimension, design.privacy, weights)


def budget_shares(design: NoiseDesign, weights: Sequence[Number]) -> tuple[Share, ...]:
    """Split a design's epsilon; parameters and errors as `dpdesigner.core.noise.budget.shares_of`."""
    return shares_of(design.asked, design.privacy, weights)
