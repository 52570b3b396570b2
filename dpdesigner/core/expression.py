"""Loss expressions: arithmetic in i (the true result), r (the released result) and n, evaluated by asteval.

Only numbers, the names below, arithmetic and comparisons are let through; the text is checked before anything is evaluated.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.errors import InputError

Floats = NDArray[np.float64]

VARIABLES = ("i", "r", "n")
_LONGEST = 300

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "floor": np.floor,
    "ceil": np.ceil,
    "where": np.where,
}
_EXACT_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "floor": lambda value: Fraction(value.__floor__()),
    "ceil": lambda value: Fraction(value.__ceil__()),
}
_ARITHMETIC = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Name, ast.Load, ast.Constant)
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.UAdd, ast.USub)


def check(text: str) -> None:
    """Check that a text is an arithmetic expression in i, r and n.

    Raises
    ------
    InputError
        With the part that is not allowed.
    """
    allowed = f"i, r, n, numbers, + - * / // % **, comparisons and {', '.join(_FUNCTIONS)}"
    if not text.strip() or len(text) > _LONGEST:
        raise InputError(f"the loss expression must have 1 to {_LONGEST} characters, got {len(text)}.", "loss")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        wrong = next((node for node in ast.walk(tree) if not _allowed(node)), None)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"the loss expression must be arithmetic with {allowed}, got {text[:60]!r}.", "loss") from None
    if wrong is not None:
        part = ast.unparse(wrong) if isinstance(wrong, ast.expr) else type(wrong).__name__
        raise InputError(f"the loss expression may use {allowed}, got {part[:60]!r}.", "loss")


def evaluate(text: str, n: int) -> Floats:
    """Return the loss l(i, r) for all 0 <= i, r <= n.

    Parameters
    ----------
    text : str
        For example ``"abs(i-r)*(1+i)"`` or ``"where(r>i, 3, 1)*abs(i-r)"``.
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
    check(text)
    counts = np.arange(n + 1, dtype=float)
    names = {"i": counts[:, None], "r": counts[None, :], "n": float(n)}
    with np.errstate(all="ignore"):
        value: Any = _run(_interpreter({**names, **_FUNCTIONS}), _rewritten(text, _InDoubles()), text)
    try:
        if np.iscomplexobj(value):
            raise TypeError
        loss = np.array(np.broadcast_to(np.asarray(value, dtype=float), (n + 1, n + 1)))
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the loss expression must give a number for every i and r, got {text[:60]!r}.", "loss") from None
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
    interpreter = _interpreter({"n": Fraction(n), "Fraction": Fraction, "power": _power, **_EXACT_FUNCTIONS})
    program = _rewritten(text, _Exactly())

    def value(i: int, r: int) -> Fraction:
        interpreter.symtable.update(i=Fraction(i), r=Fraction(r))
        found = _run(interpreter, program, text)
        if isinstance(found, (bool, int, Fraction)):
            return Fraction(found)
        raise InputError(f"exact arithmetic needs a rational loss; {text[:60]!r} is not rational at i = {i}, r = {r}.", "loss")

    return [[value(i, r) for r in range(n + 1)] for i in range(n + 1)]


def _interpreter(names: dict[str, Any]) -> Any:
    from asteval import Interpreter

    interpreter = Interpreter(symtable=names, minimal=True, use_numpy=False, builtins_readonly=True, with_ifexp=True)
    interpreter.remove_nodehandler("attribute")
    interpreter.remove_nodehandler("subscript")
    return interpreter


def _run(interpreter: Any, program: str, text: str) -> Any:
    interpreter.error = []
    value = interpreter.eval(program, show_errors=False)
    if interpreter.error:
        reason = str(interpreter.error[0].msg).splitlines()[-1]
        raise InputError(f"the loss expression {text[:60]!r} cannot be evaluated: {reason[:100]}.", "loss")
    return value


def _power(base: Fraction, exponent: Fraction) -> Any:
    """base ** exponent, unless the answer would have more than a hundred thousand bits."""
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * size > 100_000:
        raise InputError("the power is too large", "loss")
    return base**exponent


class _InDoubles(ast.NodeTransformer):
    """Makes every number a double, and comparisons numbers: numpy would add two truths to one."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        text = str(node.value)
        return ast.Constant(float(text)) if len(text) < 400 else ast.Constant(math.inf)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return ast.BinOp(self.generic_visit(node), ast.Mult(), ast.Constant(1))  # type: ignore[arg-type]


class _Exactly(ast.NodeTransformer):
    """Writes every number as an exact fraction (0.1 means 1/10), and `where` so that only the branch taken is evaluated."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.parse(f"Fraction({str(node.value)!r})", mode="eval").body

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow):
            return ast.Call(ast.Name("power", ast.Load()), [node.left, node.right], [])
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "where":
            condition, yes, no = node.args
            return ast.IfExp(condition, yes, no)
        return node


def _rewritten(text: str, transformer: ast.NodeTransformer) -> str:
    tree = transformer.visit(ast.parse(text.strip(), mode="eval"))
    return ast.unparse(ast.fix_missing_locations(tree))


def _allowed(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.Name):
        return node.id in VARIABLES or node.id in _FUNCTIONS
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords and _fits(node)
    return isinstance(node, (*_ARITHMETIC, *_OPERATORS, *_COMPARISONS))


def _fits(call: ast.Call) -> bool:
    """Whether a function has as many arguments as it takes."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in ("min", "max"):
        return len(call.args) >= 1
    return len(call.args) == (3 if name == "where" else 1)
