"""One release of a choice: the name of an option, or of an interval a number in it."""

from __future__ import annotations

import secrets
from fractions import Fraction

from dpdesigner.core.numbers.given import exact
from dpdesigner.core.privacy.sampling import Below
from dpdesigner.studies.choice.outcome import ChoiceOutcome

#: Into so many equal parts an interval is divided; which one is drawn says nothing of the data.
_PARTS = 2**32


def released(outcome: ChoiceOutcome, row: int = 0, below: Below = secrets.randbelow) -> int | float:
    """Draw once, exactly: the index of an option; for a number a place in the interval that was drawn, every one as likely."""
    option = outcome.rule.draw(row, below)
    edges = outcome.design.edges
    if edges is None:
        return option
    low, high = exact(edges[option]), exact(edges[option + 1])
    return float(low + (high - low) * Fraction(2 * below(_PARTS) + 1, 2 * _PARTS))
