"""The level at which the best reading of the cells reaches an expected error that is aimed for, with a delta."""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesigner.arrays import Floats
from dpdesigner.core.delta.cells import Cells
from dpdesigner.core.numbers.rounding import figure, rounded_down, rounded_up
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_LARGEST = 20  # epsilon


def error_at(costs: Floats, delta: Fraction, epsilon: float) -> float:
    """Return the expected error of the best reading of the cells.

    Parameters
    ----------
    costs : ndarray
        (n + 1, releases): the prior of each true count times the loss of each release.
    delta : Fraction
    epsilon : float
    """
    cells = Cells.of(len(costs) - 1, PrivacyLevel.from_epsilon(epsilon).alpha_above, delta, exact=False)
    return math.fsum((cells.sizes * (cells.directions @ costs).min(axis=1)).tolist())


def level_for(costs: Floats, delta: Fraction, target: float, least: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose expected error is at most a target, epsilon rounded up.

    Parameters
    ----------
    costs, delta
        As in `error_at`.
    target : float
    least : float
        The loss without privacy.
    progress : Progress

    Raises
    ------
    InputError
        If no epsilon reaches the target, or every epsilon stays below it.
    """

    def error(epsilon: float) -> float:
        progress(None)
        return error_at(costs, delta, epsilon)

    most = error(0.0)
    if target > most * (1 + 1e-4):
        words = f"With δ = {figure(delta, 4)}, no ε gives an error of {figure(target)}: ε = 0 gives {figure(most)}."
        raise InputError(words, "target", f"{rounded_down(most, 4):f}")
    if target >= most:
        return PrivacyLevel.from_epsilon(0)
    if target <= least or error(_LARGEST) > target:
        raise InputError(f"No ε up to {_LARGEST} reaches {figure(target)}.", "target", figure(error(_LARGEST)))
    low, high = 0.0, 1.0
    while error(high) > target:
        low, high = high, min(2 * high, float(_LARGEST))
    while high - low > 2e-7 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > target else (low, middle)
    return PrivacyLevel.from_epsilon(float(rounded_up(high, 6)))
