"""How near made-up data should come to the real ones, how surely, and whether how far off they really are goes into files.

The last is computed from people's data without noise: it is told only where that is asked for, with a warning.
"""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10
from typing import Any

from dpdesigner.core.numbers.given import Number, double, exact
from dpdesigner.core.numbers.rounding import rounded_down
from dpdesigner.studies.asked import asked, choice, number
from dpdesigner.studies.said import said

KEPT, PUBLISHED = "kept", "published"

#: Stands wherever a real error does.
WARNING = said("the real error is told, which is not private: it is computed from the data themselves, and no ε covers it")
BADGE = said("not private with its real error")


def how_near(default: Number, undo: str = "") -> Number:
    """Ask for alpha, the error aimed for, as a share of the rows."""
    form = number("1/1000", "99/100", scale="log", symbol="α")
    return asked(form, default=default, label=said("How near"), term=said("error aimed for"), undo=undo)


def how_sure(least: Number = "1e-6", joined: bool = False) -> Number:
    """Ask for delta, the chance that the error is larger after all."""
    form = number(least, "1/2", scale="log", symbol="δ")
    return asked(form, default="0.05", label=said("How sure"), term=said("chance of missing it"), joined=joined)


def percent_sure(delta: Number) -> Decimal:
    """Return how sure it is in percent: rounded down, with so many digits that it is less than 100."""
    return rounded_down(100 * (1 - exact(delta)), max(4, -floor(log10(double(delta)))))


def real_errors() -> Any:
    """Ask whether real errors go into files; a field of a declared design."""
    return asked(
        choice((KEPT, said("stays with you")), (PUBLISHED, said("goes into files too"))),
        default=KEPT,
        label=said("How far off it really is"),
        term=said("not private"),
        note=said("What it really is off is computed from the data themselves, without noise: in a file it is not private."),
        undo=said("Publish the real error"),
        when=lambda design: not getattr(design, "drawn", False),
        aside=True,
    )
