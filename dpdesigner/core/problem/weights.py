"""A prior given as an array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.array_values import ArrayValues
from dpdesigner.errors import InputError

#: Below it a double and the decimal that denotes it differ noticeably, which matters where no weight is in the moderate range.
_SMALLEST, MODERATE = 1e-290, (1e-200, 1e200)


class Weights(ArrayValues):
    """Weights that were given as an array: finite, not negative, and one of them positive.

    Attributes
    ----------
    are_plain : bool
        Whether the doubles are the very ones that their decimals, scaled together, would become.
    """

    def __init__(self, numbers: NDArray[Any]) -> None:
        super().__init__(numbers)
        check(self.doubles)
        self.are_plain = are_exact_doubles(self.doubles)


def are_exact_doubles(weights: Floats) -> bool:
    """Tell whether weights are the very doubles that their decimals, scaled together, would become."""
    return bool(MODERATE[0] < weights.max() < MODERATE[1]) or not ((weights > 0) & (weights < _SMALLEST)).any()


def check(weights: Floats) -> Floats:
    """Return the weights of a prior.

    Raises
    ------
    InputError
        If one of them is negative or no number, or none is positive.
    """
    least, most = float(weights.min()), float(weights.max())
    if not 0 <= least <= most < np.inf:
        bad = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise InputError(f"the prior's weights must be finite and not negative, got {weights[bad]} for {bad}.", "prior")
    if not most:
        raise InputError("the prior must have at least one positive weight, got zeros only.", "prior")
    return weights
