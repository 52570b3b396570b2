"""The losses that go by a name, with at most one parameter: their formulas, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import exact, excerpt
from dpdesigner.errors import InputError


class NamedLoss(NamedTuple):
    """A named loss: its title, the range of its parameter (None: it has none) and its formula.

    The formula takes i, r and the parameter, as arrays of doubles or as fractions alike.
    """

    title: str
    usage: str
    parameter: tuple[Fraction, Fraction] | None
    formula: Callable[[Any, Any, Any], Any]
    reason: str


def _larger(a: Any, b: Any) -> Any:
    return np.maximum(a, b) if isinstance(a, np.ndarray) else max(a, b)


_DISTANCE = "grows with distance: geometric + remap is optimal (Theorem A)."
NAMED = {
    "absolute": NamedLoss("absolute", "absolute", None, lambda i, r, _: abs(i - r), _DISTANCE),
    "squared": NamedLoss("squared", "squared", None, lambda i, r, _: (i - r) ** 2, _DISTANCE),
    "zero-one": NamedLoss("0/1", "zero-one", None, lambda i, r, _: (i != r) * 1, _DISTANCE),
    "power": NamedLoss(
        "power", "power:Q with Q in (0, 100]", (Fraction(1, 1000), Fraction(100)), lambda i, r, q: abs(i - r) ** q, _DISTANCE
    ),
    "threshold": NamedLoss(
        "threshold",
        "threshold:T with T >= 0",
        (Fraction(0), Fraction(10**9)),
        lambda i, r, t: (abs(i - r) > t // 1) * 1,
        _DISTANCE,
    ),
    "pinball": NamedLoss(
        "pinball",
        "pinball:TAU with TAU in [0, 1]",
        (Fraction(0), Fraction(1)),
        lambda i, r, tau: _larger(tau * (i - r), (1 - tau) * (r - i)),
        "grows on either side of the true count: geometric + remap is optimal (Theorem A).",
    ),
    "relative": NamedLoss("relative", "relative", None, lambda i, r, _: abs(i - r) / _larger(i, i * 0 + 1), _DISTANCE),
}
#: What a loss may be, for the sentence of an error.
USAGE = "; ".join([named.usage for named in NAMED.values()] + ["distance:0,1,4", "a formula like 2|i-r|", "a matrix"])


def named_loss(given: object) -> tuple[NamedLoss, Fraction | None]:
    """Return a named loss and its parameter.

    Raises
    ------
    InputError
        If there is no loss of that name, or its parameter is missing or cannot be used.
    """
    name, colon, text = given.partition(":") if isinstance(given, str) else ("", "", "")
    named = NAMED.get(name.strip())
    if named is None:
        raise InputError(f"the loss must be one of {USAGE}, got {excerpt(given)}.", "loss")
    if named.parameter is None:
        if colon:
            raise InputError(f"the loss {name} takes no parameter, got {excerpt(given)}.", "loss")
        return named, None
    low, high = named.parameter
    value = exact(text, "loss") if text.strip() else None
    if value is None or not low <= value <= high:
        nearest_allowed = "" if value is None else str(min(max(value, low), high))
        got = excerpt(given if text.strip() else "")
        raise InputError(f"the loss must be {named.usage}, got {got}.", "loss", nearest_allowed)
    return named, value


def named_values(given: object, counts: Floats) -> Floats:
    """Return a named loss of some true and released results, as doubles."""
    named, parameter = named_loss(given)
    number = None if parameter is None else float(parameter // 1 if named is NAMED["threshold"] else parameter)
    with np.errstate(over="ignore"):  # what is too large is refused
        return np.asarray(named.formula(counts[:, None], counts[None, :], number), dtype=float)
