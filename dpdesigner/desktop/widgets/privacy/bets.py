"""How far a bet can move at a privacy level, in words: what every sentence about the odds is made with."""

from __future__ import annotations

import math

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.look.words import tr
from dpdesigner.desktop.widgets.privacy.odds import odds


def moved(level: PrivacyLevel) -> str:
    """Return how far a bet at 50 : 50 could move, for any level: ``could move at most to 67 : 33``; never less than is true."""
    if level.exact_alpha == 1:
        return tr("could not move at all")
    if math.isinf(level.epsilon):
        return tr("could become certain")
    likely, unlikely, one_in = odds(level)
    if one_in:
        return tr("could be sure but for 1 chance in {times}").format(times=one_in)
    return tr("could move at most to {likely} : {unlikely}").format(likely=likely, unlikely=unlikely)
