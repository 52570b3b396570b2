"""The named losses as functions of the error, for pictures and for the drawn curve. No Qt.

An error is e = r - i: the released result minus the true one, negative for an under-count. The formulas of the program are those
of `dpdesigner.core.problem.loss`; these only draw them, without building a matrix, and a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from dpdesigner.core.numbers.parsing import exact, nearest
from dpdesigner.core.problem.loss import Loss

#: The losses that take a parameter, and the one they start with.
STARTING = {"power": "1.5", "threshold": "2", "pinball": "3/4", "expression": "|i-r|(1+i)"}

_COSTS: dict[str, Callable[[float, float], float]] = {
    "absolute": lambda e, _: abs(e),
    "squared": lambda e, _: e * e,
    "zero-one": lambda e, _: float(e != 0),
    "power": lambda e, q: abs(e) ** q,
    "threshold": lambda e, t: float(abs(e) > t),
    "pinball": lambda e, tau: max(-tau * e, (1 - tau) * e),
    "relative": lambda e, _: abs(e),
}
_REACH = 6  # errors that a thumbnail spans on either side
_LARGEST_THRESHOLD = 24.0  # in a picture


class Shape(NamedTuple):
    """The cost at errors -reach .. reach, and whether it is a function with jumps, to be drawn as steps."""

    costs: tuple[float, ...]
    steps: bool


def shape(given: str) -> Shape:
    """Return the picture of a named or drawn loss.

    Parameters
    ----------
    given : str
        A valid loss such as ``"absolute"``, ``"pinball:3/4"`` or ``"distance:0,1,4"``.
    """
    loss = Loss(given)
    if loss.name == "distance":
        values = [number(text) for text in distance_texts(loss.argument)]
        reach = max(_REACH, len(values) - 1)
        half = [values[min(distance, len(values) - 1)] for distance in range(reach + 1)]
        return Shape((*reversed(half[1:]), *half), steps=False)
    parameter = 0.0 if loss.parameter is None else float(loss.parameter)
    reach = _REACH
    if loss.name == "threshold":
        parameter = min(parameter, _LARGEST_THRESHOLD)
        reach = max(_REACH, int(1.75 * parameter) + 1)
    costs = tuple(cost(loss.name, error, parameter) for error in range(-reach, reach + 1))
    return Shape(costs, steps=loss.name in ("zero-one", "threshold"))


def cost(name: str, error: float, parameter: float) -> float:
    """Return the cost of an error under a named loss (for ``relative``: where the true count is 1)."""
    return _COSTS[name](error, parameter)


def drawable(given: object, longest: int) -> tuple[str, ...]:
    """Return the costs at distances 0 .. longest to start a drawing from.

    They are those of the loss where it depends on the distance only, and the distance itself otherwise.
    """
    name, _, text = given.partition(":") if isinstance(given, str) else ("", "", "")
    if name == "distance":
        return distance_texts(text)
    parameter = number(text) if text and name in ("power", "threshold") else 0.0
    if name not in ("squared", "zero-one", "power", "threshold"):
        name = "absolute"
    return tuple(three_digits(cost(name, distance, parameter)) for distance in range(longest + 1))


def distance_texts(argument: str) -> tuple[str, ...]:
    """Return the single costs of ``distance:...`` as they were written."""
    return tuple(part.strip() for part in argument.split(","))


def distance_loss(texts: Sequence[str]) -> str:
    """Return the loss with these costs at distances 0, 1, 2, ..."""
    return "distance:" + ",".join(texts)


def number(text: str) -> float:
    """Return the double nearest to a valid number."""
    return nearest(exact(text))


def three_digits(value: float) -> str:
    """Return a number rounded to three significant digits, such as ``0.125``, ``3`` or ``1230``."""
    rounded = Decimal(f"{value:.3g}")
    if not rounded:
        return "0"
    return f"{rounded.normalize():f}" if -6 <= rounded.adjusted() <= 8 else f"{rounded.normalize():e}".replace("e+", "e")


def extended(texts: Sequence[str], longest: int) -> tuple[str, ...]:
    """Return costs for distances 0 .. longest at least: the last one continues."""
    return (*texts, *(texts[-1],) * (longest + 1 - len(texts)))


def round_ceiling(value: float) -> float:
    """Return the least of 1, 1.5, 2, 3, 4, 5, 6, 8 or 10 times a power of ten that is at least a value; 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-12))
