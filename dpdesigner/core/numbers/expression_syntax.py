"""Arithmetic as people write it, made into what the grammar reads: ``|i-r|``, ``2(i-r)^2``, ``x²``, ``3 × 4``.

A bar opens where a value could begin and closes where one has ended; two values side by side are multiplied. What is still not
understood can often be mended: `mended` names the first repair that can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from keyword import iskeyword

_TOKEN = re.compile(
    r"(?P<number>0[xXbBoO][0-9a-fA-F]+|(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<space>\s+)|(?P<sign>\*\*|//|<=|>=|==|!=|.)",
    re.DOTALL,
)
_SIGNS = {"^": "**", "−": "-", "–": "-", "×": "*", "·": "*", "∙": "*", "⋅": "*", "÷": "/", "∕": "/", "≤": "<=", "≥": ">="}
_SIGNS |= {"≠": "!=", "√": "sqrt"}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SAME = {"ln": "log"}  #: names that mean what another does
_LIKELY = {"if": "where", "sqr": "sqrt", "root": "sqrt", "fabs": "abs", "absolute": "abs", "true": "i", "released": "r"}
_WORDS = {"squared": "^2", "cubed": "^3", "times": "*", "plus": "+", "minus": "-"}
_UNTIL_EQUALS = re.compile(r"^[^=<>!]*(?<![<>!=])=(?!=)")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")


def normalise(text: str, variables: Collection[str], functions: Collection[str]) -> str:
    """Return a text in the signs that the grammar knows; what is not understood stays as it is.

    >>> normalise("2(i-r)^2", "irn", ("abs",))
    '2*(i-r)**2'
    >>> normalise("|i−r|", "irn", ("abs",))
    'abs(i-r)'
    """
    made: list[str] = []
    opened: list[str] = []  # brackets and bars
    ended = False  # whether a value has just ended, so that another one beside it is a factor
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
    """Yield the kinds and texts of the parts; a name that only variables make up, such as ``ir``, is yielded letter by letter."""
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
    """Return what could have been meant by a text that is not understood; empty where that is not clear.

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
    """``l(i, r) = |i-r|`` without what is before the ``=``."""
    return _UNTIL_EQUALS.sub("", text)


def _without_words(text: str) -> str:
    for word, sign in _WORDS.items():
        text = re.sub(rf"\b{word}\b", sign, text)
    return text.strip(" ;.=").rstrip("+-*/^,")


def _named(text: str, names: Collection[str]) -> str:
    """Names that there are in place of those that are like them."""

    def other(match: re.Match[str]) -> str:
        name = match[0]
        if name in names:
            return name
        from difflib import get_close_matches  # only a mistake needs it

        return _LIKELY.get(name) or next(iter(get_close_matches(name, [known for known in names if len(known) > 1], 1)), name)

    return re.sub(r"[A-Za-z_][A-Za-z0-9_]*", other, text)


def _closed(text: str) -> str:
    """Brackets and bars closed at the end, and those that close nothing left out."""
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
