"""Arithmetic that users type (``|i-r|``, ``2(i-r)^2``, ``3 × 4``): parsed once, turned into functions, and read as a loss.

Nothing but numbers, variables and the entries of a table of operations exists for it: no text can reach anything else.

Arithmetic as people write it, made into what the grammar reads: ``|i-r|``, ``2(i-r)^2``, ``x²``, ``3 × 4``.

A bar opens where a value could begin and closes where one has ended; two values side by side are multiplied. What is still not
understood can often be mended: `mended` names the first repair that can be read.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from keyword import iskeyword
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut, exact, excerpt
from dpdesigner.errors import InputError

_TOKEN = re.compile(
    r"(?P<number>0[xXbBoO][0-9a-fA-F]+|(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<space>\s+)|(?P<sign>\*\*|//|<=|>=|==|!=|.)",
    re.DOTALL,
)
_SIGNS = {"^": "**", "−": "-", "–": "-", "×": "*", "·": "*", "∙": "*", "⋅": "*", "÷": "/", "∕": "/", "≤": "<=", "≥": ">="}
_SIGNS |= {"≠": "!=", "√": "sqrt"}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SAME = {"ln": "log"}  #: aliases of other names
_LIKELY = {"if": "where", "sqr": "sqrt", "root": "sqrt", "fabs": "abs", "absolute": "abs", "true": "i", "released": "r"}
_WORDS = {"squared": "^2", "cubed": "^3", "times": "*", "plus": "+", "minus": "-"}
_UNTIL_EQUALS = re.compile(r"^[^=<>!]*(?<![<>!=])=(?!=)")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")


def normalise(text: str, variables: Collection[str], functions: Collection[str]) -> str:
    """Return a text in the symbols of the grammar; leave unrecognised parts unchanged.

    >>> normalise("2(i-r)^2", "irn", ("abs",))
    '2*(i-r)**2'
    >>> normalise("|i−r|", "irn", ("abs",))
    'abs(i-r)'
    """
    made: list[str] = []
    opened: list[str] = []  # open brackets and bars
    ended = False  # whether a value has just ended, so that a value right after it is a factor
    for kind, token in _tokens(text, variables, functions):
        if kind == "raised":
            made.append(f"**{token.translate(_RAISED)}")
            ended = True
            continue
        closes = token == ")" or (token == "|" and ended and opened[-1:] == ["|"])
        if token in "(|" and not closes:
            made.append("*" if ended else "")
            opened.append(token)
        elif closes and opened:
            opened.pop()
        elif ended and (kind == "name" or (kind == "number" and made[-1] in (")", *variables))):
            made.append("*")
        made.append(")" if closes else "abs(" if token == "|" else token)
        if kind != "space":
            ended = closes or kind == "number" or (kind == "name" and token in variables)
    return "".join(made)


def _tokens(text: str, variables: Collection[str], functions: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the kinds and texts of the tokens; a name consisting only of variables, like ``ir``, is split into letters."""
    for match in _TOKEN.finditer(text.strip()):
        kind, token = match.lastgroup or "sign", match.group()
        token = _SAME.get(token, token) if kind == "name" else _SIGNS.get(token, token)
        if iskeyword(token):
            yield "sign", token
        elif kind == "name" and token not in variables and token not in functions and set(token) <= set(variables):
            yield from ((kind, letter) for letter in token)
        else:
            yield kind, token


def mended(text: str, names: Collection[str], understood: Callable[[str], bool]) -> str:
    """Return the likely meaning of an invalid text; empty if it is not clear.

    Parameters
    ----------
    text : str
    names : collection of str
        The variables and functions that there are.
    understood : callable
        Whether a text is.

    Returns
    -------
    str
        The text after the first repairs, one after the other, that make it understood.
    """
    made = text.strip()
    for repair in (_without_head, str.lower, _without_words, lambda old: _named(old, names), _closed, _decimal_points):
        tried = repair(made).strip()
        if tried != made and tried and understood(tried):
            return tried
        made = tried
    return ""


def _without_head(text: str) -> str:
    """Return ``l(i, r) = |i-r|`` without the part up to the ``=``."""
    return _UNTIL_EQUALS.sub("", text)


def _without_words(text: str) -> str:
    for word, sign in _WORDS.items():
        text = re.sub(rf"\b{word}\b", sign, text)
    return text.strip(" ;.=").rstrip("+-*/^,")


def _named(text: str, names: Collection[str]) -> str:
    """Replace unknown names by similar known ones."""

    def other(match: re.Match[str]) -> str:
        name = match[0]
        if name in names:
            return name
        from difflib import get_close_matches  # needed only for mistakes

        return _LIKELY.get(name) or next(iter(get_close_matches(name, [known for known in names if len(known) > 1], 1)), name)

    return re.sub(r"[A-Za-z_][A-Za-z0-9_]*", other, text)


def _closed(text: str) -> str:
    """Close open brackets and bars at the end, and drop unmatched closing ones."""
    made, opened = "", 0
    for letter in text:
        opened += {"(": 1, ")": -1}.get(letter, 0)
        if opened < 0:
            opened = 0
        else:
            made += letter
    return made + "|" * (made.count("|") % 2) + ")" * opened


def _decimal_points(text: str) -> str:
    return _DECIMAL_COMMA.sub(".", text)


Names = Mapping[str, Any]
Evaluate = Callable[[Names], Any]
Operation = Callable[..., Any]

_LONGEST = 300
#: Bits of a fraction's numerator or denominator: some six thousand digits, far beyond the range of doubles.
_MOST_BITS = 20_000
_UNARY: Mapping[type[ast.AST], Operation] = {ast.UAdd: lambda value: value, ast.USub: operator.neg}
_COMPARE: Mapping[type[ast.AST], Operation] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True)
class Arithmetic:
    """The numbers and operations of an arithmetic.

    Attributes
    ----------
    number : callable
        From the text of a number to its value.
    truth : callable
        From what a comparison gives to 1 or 0.
    binary : mapping
        Operators by their nodes.
    functions : mapping
        Each function with the numbers of arguments that it takes.
    lazy : bool
        Whether `where` evaluates only the branch taken; its condition then is a single value.
    """

    number: Callable[[str], Any]
    truth: Callable[[Any], Any]
    binary: Mapping[type[ast.AST], Operation]
    functions: Mapping[str, tuple[Operation, range]]
    lazy: bool = False


def _double(text: str) -> Any:
    value = np.float64(text)
    if math.isinf(value):
        raise OverflowError("a number beyond the range of doubles")
    return value


_ONE, _MANY, _THREE = range(1, 2), range(1, _LONGEST), range(3, 4)
_UNREADABLE = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)
#: Works on doubles and arrays of them; undefined results are nan or infinite.
DOUBLES = Arithmetic(
    _double,
    lambda value: np.asarray(value, dtype=float),
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: np.divide,
        ast.FloorDiv: np.floor_divide,
        ast.Mod: np.mod,
        ast.Pow: np.power,
    },
    {
        **{name: (getattr(np, name), _ONE) for name in ("abs", "sqrt", "exp", "expm1", "log", "log1p", "tanh", "floor", "ceil")},
        "min": (lambda *values: reduce(np.minimum, values), _MANY),
        "max": (lambda *values: reduce(np.maximum, values), _MANY),
        "where": (lambda condition, yes, no: np.where(condition != 0, yes, no), _THREE),
    },
)


def exact_power(base: Any, exponent: Any) -> Any:
    """Return base ** exponent, unless the result would have too many digits or is not a fraction.

    Raises
    ------
    OverflowError
        If it would, or is not.
    """
    if not isinstance(base, Fraction) or not isinstance(exponent, Fraction):
        raise OverflowError("a power of something irrational")
    if abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > _MOST_BITS:
        raise OverflowError("a fraction of too many digits")
    return base**exponent


def _bounded(operation: Operation) -> Operation:
    """Wrap an operation on fractions so that it fails rather than let them grow without limit."""

    def applied(left: Any, right: Any) -> Any:
        value = operation(left, right)
        if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise OverflowError("a fraction of too many digits")
        return value

    return applied


def _irrational(value: Any) -> Any:
    raise OverflowError(f"a root, exponential or logarithm of {value} is not rational")


#: Works on fractions, one value at a time; a number is the decimal as written: 0.1 is 1/10.
FRACTIONS = Arithmetic(
    exact,
    lambda value: Fraction(int(value)),
    {
        ast.Add: _bounded(operator.add),
        ast.Sub: _bounded(operator.sub),
        ast.Mult: _bounded(operator.mul),
        ast.Div: _bounded(operator.truediv),
        ast.FloorDiv: lambda a, b: Fraction(a // b),
        ast.Mod: _bounded(operator.mod),
        ast.Pow: exact_power,
    },
    {
        **dict.fromkeys(DOUBLES.functions, (_irrational, _ONE)),
        "abs": (abs, _ONE),
        "min": (lambda *values: min(values), _MANY),
        "max": (lambda *values: max(values), _MANY),
        "floor": (lambda value: Fraction(math.floor(value)), _ONE),
        "ceil": (lambda value: Fraction(math.ceil(value)), _ONE),
        "where": (lambda condition, yes, no: yes if condition else no, _THREE),
    },
    lazy=True,
)


@dataclass(frozen=True)
class Grammar:
    """The elements of a kind of expression, and its name in messages.

    Attributes
    ----------
    variables : tuple of str
    called : str
        Such as ``"loss expression"``.
    field : str
        The input that an error belongs to.
    example : str
        What is suggested where it is not clear what was meant.
    """

    variables: tuple[str, ...]
    called: str
    field: str
    example: str

    def compiled(self, text: str, arithmetic: Arithmetic) -> Evaluate:
        """Return an expression as a function of the values of its variables.

        Raises
        ------
        InputError
            With the part that is not allowed.
        """
        allowed = f"{', '.join(self.variables)}, numbers, + - * / // % ** ^ | |, comparisons, {', '.join(arithmetic.functions)}"
        if not text.strip() or len(text) > _LONGEST:
            raise InputError(f"the {self.called} must have 1 to {_LONGEST} characters, got {len(text)}.", self.field)
        try:
            return self._parsed(text, arithmetic)
        except _Refused as refused:
            words = f"may use {allowed}, got {excerpt(refused.part)}"
        except _UNREADABLE:
            words = f"must be arithmetic with {allowed}, got {excerpt(text)}"
        names = (*self.variables, *arithmetic.functions)
        suggestion = mended(text, names, lambda tried: self._understood(tried, arithmetic)) or self.example
        raise InputError(f"the {self.called} {words}.", self.field, suggestion)

    def _parsed(self, text: str, arithmetic: Arithmetic) -> Evaluate:
        signs = normalise(text, self.variables, arithmetic.functions)
        tree = ast.parse(signs, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and type(node.value) is float:
                # The decimal as written, which a double may not represent.
                node.kind = (ast.get_source_segment(signs, node) or "").replace("_", "")
        return self._compile(tree.body, arithmetic)

    def _understood(self, text: str, arithmetic: Arithmetic) -> bool:
        try:
            self._parsed(text, arithmetic)
        except (_Refused, *_UNREADABLE):
            return False
        return True

    def _compile(self, node: ast.expr, arithmetic: Arithmetic) -> Evaluate:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            value = arithmetic.number(node.kind or str(node.value))
            return lambda names: value
        if isinstance(node, ast.Name) and node.id in self.variables:
            return operator.itemgetter(node.id)
        if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            return _applied(_UNARY[type(node.op)], self._compile(node.operand, arithmetic))
        if isinstance(node, ast.BinOp) and type(node.op) in arithmetic.binary:
            both = (self._compile(part, arithmetic) for part in (node.left, node.right))
            return _applied(arithmetic.binary[type(node.op)], *both)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            both = (self._compile(part, arithmetic) for part in (node.left, node.comparators[0]))
            return _applied(arithmetic.truth, _applied(_COMPARE[type(node.ops[0])], *both))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            called, counts = arithmetic.functions.get(node.func.id, (abs, range(0)))
            if len(node.args) in counts:
                arguments = [self._compile(argument, arithmetic) for argument in node.args]
                return _chosen(*arguments) if arithmetic.lazy and node.func.id == "where" else _applied(called, *arguments)
        raise _Refused(node)


class _Refused(Exception):
    """An error about a part of an expression that is not allowed."""

    def __init__(self, node: ast.expr) -> None:
        super().__init__()
        self.part = ast.unparse(node)


def _applied(operation: Operation, *parts: Evaluate) -> Evaluate:
    if len(parts) == 2:
        left, right = parts
        return lambda names: operation(left(names), right(names))
    return lambda names: operation(*[part(names) for part in parts])


def _chosen(condition: Evaluate, yes: Evaluate, no: Evaluate) -> Evaluate:
    return lambda names: yes(names) if condition(names) else no(names)


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
