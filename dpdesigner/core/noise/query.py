"""A question to be answered with noise, in numbers: what the curves of cost and density are computed from."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesigner.core.cost.cost import NoiseCost
from dpdesigner.core.cost.noise_cost import noise_cost


@dataclass(frozen=True)
class NoiseQuery:
    """The requested noise.

    Attributes
    ----------
    whole : bool
        Whether answers and noise are whole numbers.
    epsilon, period : float
        The privacy level, and the sensitivity Delta; for several answers in the L1 norm.
    cost : str
        As `dpdesigner.core.cost.noise_cost.noise_cost` reads it.
    gamma : float or None
        Where in each period the noise steps down; None where that is to be the best place.
    dimension : int
        How many answers get one noise together.
    delta : float or None
        By how much the probabilities of other noises may exceed what epsilon allows.
    """

    integer: bool
    epsilon: float
    period: float
    cost: str
    gamma: float | None = None
    dimension: int = 1
    delta: float | None = None

    @property
    def noise_cost(self) -> NoiseCost:
        """The cost of an error, L(x)."""
        return noise_cost(self.cost)
