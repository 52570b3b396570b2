"""Cost expressions: arithmetic in x, the amount of noise, evaluated on arrays of doubles.

The text is parsed once and turned into functions node by node; nothing but the names and operators below exists for it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.errors import InputError

Floats = NDArray[np.float64]
Function = Callable[[Any], Any]

_LONGEST = 300
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
}
_COMPARE: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
#: Each function with how many arguments it takes.
_FUNCTIONS: dict[str, tuple[Callable[..., Any], range]] = {
    "abs": (np.abs, range(1, 2)),
    "sqrt": (np.sqrt, range(1, 2)),
    "exp": (np.exp, range(1, 2)),
    "expm1": (np.expm1, range(1, 2)),
    "log": (np.log, range(1, 2)),
    "log1p": (np.log1p, range(1, 2)),
    "tanh": (np.tanh, range(1, 2)),
    "floor": (np.floor, range(1, 2)),
    "ceil": (np.ceil, range(1, 2)),
    "min": (lambda *values: reduce(np.minimum, values), range(2, 9)),
    "max": (lambda *values: reduce(np.maximum, values), range(2, 9)),
    "where": (lambda condition, yes, no: np.where(condition != 0, yes, no), range(3, 4)),
}
_ALLOWED = f"x, numbers, + - * / // % **, comparisons and {', '.join(_FUNCTIONS)}"


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
    if not text.strip() or len(text) > _LONGEST:
        raise InputError(f"the cost expression must have 1 to {_LONGEST} characters, got {len(text)}.", "cost")
    try:
        evaluate = _compile(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the cost expression must be arithmetic with {_ALLOWED}, got {text[:60]!r}.", "cost") from None

    def values(x: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.array(np.broadcast_to(np.asarray(evaluate(x), dtype=float), x.shape))

    return values


def _compile(node: ast.expr) -> Function:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value = np.float64(float(node.value))  # type: ignore[arg-type]
        return lambda x: value
    if isinstance(node, ast.Name) and node.id == "x":
        return lambda x: x
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = _compile(node.operand)
        return inner if isinstance(node.op, ast.UAdd) else lambda x: np.negative(inner(x))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _both(_BINARY[type(node.op)], _compile(node.left), _compile(node.right))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
        holds = _both(_COMPARE[type(node.ops[0])], _compile(node.left), _compile(node.comparators[0]))
        return lambda x: np.asarray(holds(x), dtype=float)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords:
        called, counts = _FUNCTIONS[node.func.id]
        if len(node.args) in counts:
            arguments = [_compile(argument) for argument in node.args]
            return lambda x: called(*(argument(x) for argument in arguments))
    raise InputError(f"the cost expression may use {_ALLOWED}, got {ast.unparse(node)[:60]!r}.", "cost")


def _both(combine: Callable[[Any, Any], Any], left: Function, right: Function) -> Function:
    return lambda x: combine(left(x), right(x))
