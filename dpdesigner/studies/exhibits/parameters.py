"""What many exhibits ask for in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dpdesigner.core.numbers.given import Number
from dpdesigner.studies.asked import asked, number, whole_number
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


def how_private_alpha(
    default: Number,
    low: Number,
    high: Number,
    *,
    scale: Literal["linear", "log"] = "linear",
    ends: tuple[str, str] = (said("open"), said("private")),
    try_: Sequence[tuple[Number, str]] = (),
) -> Number:
    """Ask for alpha = exp(-epsilon) between two others; the others as in `number`."""
    kind = number(low, high, scale=scale, symbol="α", ends=ends, try_=try_)
    return asked(kind, default=default, label=said("How private"), term=said("α = e^(−ε)"))


def study_seed(label: str) -> int:
    """Ask for the seed of what is drawn for study only."""
    return asked(whole_number(1, 999, symbol=said("seed")), default=1, label=label, term=said("for study only"))
