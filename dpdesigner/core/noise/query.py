"""The numeric parameters of a query that is answered with noise, and the checks of its epsilon and its sensitivity."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpdesigner.core.noise.cost import NoiseCost
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.errors import InputError

#: The range of epsilon in which noise can be computed in doubles.
LEAST_EPSILON, MOST_EPSILON = 1e-6, 700.0
#: The most answers that can share one epsilon.
MOST_ANSWERS = 100


def check_noise(epsilon: float, sensitivity: float) -> None:
    """Refuse an epsilon or a sensitivity that is invalid for noise.

    Raises
    ------
    InputError
        If one of them is not positive and finite.
    """
    if not 0 < epsilon < math.inf:
        raise InputError(f"epsilon must be positive and finite, got {epsilon}.", "epsilon")
    if not 0 < sensitivity < math.inf:
        raise InputError(f"the sensitivity must be positive and finite, got {sensitivity}.", "sensitivity")


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
        As `dpdesigner.core.noise.noise_cost.noise_cost` reads it.
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
