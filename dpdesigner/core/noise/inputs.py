"""What every noise asks of its epsilon and its sensitivity."""

from __future__ import annotations

import math

from dpdesigner.errors import InputError

#: Between these noise can be computed in doubles.
LEAST_EPSILON, MOST_EPSILON = 1e-6, 700.0
#: So many answers share one epsilon, at most.
MOST_ANSWERS = 100


def check_noise(epsilon: float, sensitivity: float) -> None:
    """Refuse an epsilon or a sensitivity that noise cannot have.

    Raises
    ------
    InputError
        If one of them is not positive and finite.
    """
    if not 0 < epsilon < math.inf:
        raise InputError(f"epsilon must be positive and finite, got {epsilon}.", "epsilon")
    if not 0 < sensitivity < math.inf:
        raise InputError(f"the sensitivity must be positive and finite, got {sensitivity}.", "sensitivity")
