"""Loss expressions: arithmetic in i (the true result), r (the released result), n and x = |i - r|, in doubles or in fractions."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.arithmetic import DOUBLES, FRACTIONS, Grammar
from dpdesigner.core.numbers.parsing import cut, excerpt
from dpdesigner.errors import InputError

VARIABLES = ("i", "r", "n", "x")
_LOSS = Grammar(VARIABLES, "loss expression", "loss", "|i-r|")


def check(text: str) -> None:
    """Check that a text is an arithmetic expression in i, r, n and x.

    Raises
    ------
    InputError
        With the part that is not allowed.
    """
    _LOSS.compiled(text, DOUBLES)


def evaluate(text: str, n: int) -> Floats:
    """Return the loss l(i, r) for all 0 <= i, r <= n.

    Parameters
    ----------
    text : str
        For example ``"|i-r|(1+i)"``, ``"2x²"`` or ``"where(r>i, 3, 1)*abs(i-r)"``.
    n : int
        The largest true result.

    Returns
    -------
    ndarray
        (n + 1, n + 1), rows i, columns r.

    Raises
    ------
    InputError
        If the text is not allowed, or a value is not a finite number.
    """
    function, counts = _LOSS.compiled(text, _IN_DOUBLES), np.arange(n + 1, dtype=float)
    with np.errstate(all="ignore"):
        i, r = counts[:, None], counts[None, :]
        value = _run(lambda: function({"i": i, "r": r, "n": np.float64(n), "x": np.abs(i - r)}), text)
    loss = np.array(np.broadcast_to(np.asarray(value, dtype=float), (n + 1, n + 1)))
    bad = np.argwhere(~np.isfinite(loss))
    if bad.size:
        i, r = bad[0]
        raise InputError(f"the loss expression must give finite numbers, got {loss[i, r]} at i = {i}, r = {r}.", "loss")
    return loss


def evaluate_exactly(text: str, n: int) -> list[list[Fraction]]:
    """Return the loss in rational arithmetic.

    Raises
    ------
    InputError
        If the text is not allowed, or its values are not rational (roots, exp, log).
    """
    check(text)
    function = _LOSS.compiled(text, FRACTIONS)

    def value(i: int, r: int) -> Fraction:
        names = {"i": Fraction(i), "r": Fraction(r), "n": Fraction(n), "x": Fraction(abs(i - r))}
        values = _run(lambda: function(names), text)
        if isinstance(values, (int, Fraction)):
            return Fraction(values)
        raise InputError(f"exact arithmetic needs a rational loss; {excerpt(text)} is not rational at i = {i}, r = {r}.", "loss")

    return [[value(i, r) for r in range(n + 1)] for i in range(n + 1)]


def _power(base: Any, exponent: Any) -> Any:
    """Return a power in doubles; for two scalars, an undefined power is an error even inside a comparison."""
    if np.ndim(base) or np.ndim(exponent):
        return np.power(base, exponent)
    return np.float64(math.pow(base, exponent))


_IN_DOUBLES = replace(DOUBLES, binary={**DOUBLES.binary, ast.Pow: _power})


def _run(function: Callable[[], Any], text: str) -> Any:
    try:
        return function()
    except (ArithmeticError, ValueError, TypeError, RecursionError) as error:
        raise InputError(f"the loss expression {excerpt(text)} cannot be evaluated: {cut(error, 100)}.", "loss") from None
