"""Cost expressions: arithmetic in x, the amount of noise, evaluated on arrays of doubles."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.arithmetic import DOUBLES, Grammar

_COST = Grammar(("x",), "cost expression", "cost", "|x|")


@lru_cache(maxsize=64)
def function(text: str) -> Callable[[Floats], Floats]:
    """Return the expression as a function of an array.

    Parameters
    ----------
    text : str
        For example ``"abs(x)"``, ``"x**2 / (1 + abs(x))"`` or ``"where(abs(x) > 2, 5, abs(x))"``.

    Returns
    -------
    callable
        From an array of doubles to an array of the same shape; what is not defined is nan or infinite, without a warning.

    Raises
    ------
    InputError
        With the part that is not allowed.
    """
    evaluate = _COST.compiled(text, DOUBLES)

    def values(x: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.array(np.broadcast_to(np.asarray(evaluate({"x": x}), dtype=float), x.shape))

    return values
