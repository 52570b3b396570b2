"""A privacy level as the texts of its two boxes and as a place on its slider. No Qt."""

from __future__ import annotations

import math
import sys

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel

_LEAST_EPSILON = 0.01  # at the left end of the slider
_DECADES = 3
_PER_DECADE = 200
SLIDER_STEPS = _DECADES * _PER_DECADE
_SHORT = 9  # characters of a fraction that a box can show


def slider_step(epsilon: float) -> int:
    """Return the place of epsilon on the slider, 0 to `SLIDER_STEPS`; what is beyond an end is shown there."""
    if epsilon <= _LEAST_EPSILON:
        return 0
    if epsilon >= _LEAST_EPSILON * 10**_DECADES:
        return SLIDER_STEPS
    return round(_PER_DECADE * math.log10(epsilon / _LEAST_EPSILON))


def slider_epsilon(step: int) -> str:
    """Return the epsilon at a place of the slider, three significant digits."""
    return f"{_LEAST_EPSILON * 10 ** (step / _PER_DECADE):.3g}"


def epsilon_text(level: PrivacyLevel) -> str:
    """Return epsilon as it was given, or rounded up to six significant digits where alpha was."""
    form, number = level.source
    if form == "epsilon" and math.isfinite(level.epsilon):
        return str(number).strip()
    return figure(level.epsilon_above, 6)


def spoken_epsilon(level: PrivacyLevel) -> str:
    """Return epsilon as people say it: ``ln 2`` where alpha is 1/2, else as `epsilon_text`."""
    rational = level.exact_alpha
    if rational and rational.numerator == 1 and 1 < rational.denominator < 1000:
        return f"ln {rational.denominator}"
    return epsilon_text(level)


def alpha_text(level: PrivacyLevel) -> str:
    """Return alpha as it was given, as a short fraction, or rounded down to a few digits; never 0 or 1 unless it is."""
    form, number = level.source
    if form == "alpha":
        return str(number).strip()
    rational = level.exact_alpha
    if rational is not None and len(str(rational)) <= _SHORT:
        return str(rational)
    if level.alpha < 1e-3:  # as many digits as a box has room for
        return f"{level.alpha_rounded_down(2 if level.alpha > 1e-9 else 1):e}"
    lacking = 1 - math.floor(math.log10(max(level.one_minus_alpha, sys.float_info.min)))
    return f"{level.alpha_rounded_down(max(2 + (level.alpha >= 0.01) + (level.alpha >= 0.1), lacking)):f}"
