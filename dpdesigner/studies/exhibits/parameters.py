"""What many exhibits ask for in the same words."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesigner.core.numbers.given import Number
from dpdesigner.studies.asked import asked, number
from dpdesigner.studies.said import said


def how_private(default: Number, *, up_to: int = 10, slide: int = 5, try_: Sequence[tuple[Number, str]] = ()) -> Number:
    """Ask for epsilon, from 1/100 on.

    Parameters
    ----------
    default : Number
    up_to, slide : int
        The largest that is allowed, and the end of the slider, which begins at 1/20.
    try_ : sequence of (Number, str)
        As in `number`.
    """
    ends = (said("more private"), said("more accurate"))
    kind = number("1/100", up_to, scale="log", symbol="ε", slide=("1/20", slide), ends=ends, try_=try_)
    return asked(kind, default=default, label=said("How private"), term=said("ε"))
