"""How far off answers may be, as it is written: a number of people, or that in roots of n: ``"0.5 sqrt n"``."""

from __future__ import annotations

import math
import re
from typing import Any

from dpdesigner.core.numbers.parsing import double, exact, excerpt
from dpdesigner.errors import InputError

_ROOT = re.compile(r"\s*(.*?)\s*\*?\s*(?:√\s*n|sqrt\s*\(?\s*n\s*\)?)\s*", re.IGNORECASE)
_HALVES = {"¼": "1/4", "½": "1/2", "¾": "3/4"}
_SIGNS = {"0.25": "¼", "0.5": "½", "0.75": "¾", "1": ""}


def size_of(text: Any, n: int, key: str = "size") -> float:
    """Return how far off an answer may be, in people.

    Raises
    ------
    InputError
        If it is neither a number nor one times the root of n.
    """
    match = _ROOT.fullmatch(text) if isinstance(text, str) else None
    number = text if match is None else match[1] or "1"
    number = _HALVES.get(number, number) if isinstance(number, str) else number
    try:
        return double(exact(number, "E", key)) * (1 if match is None else math.sqrt(n))
    except InputError as error:
        sentence = f"E must be a number of people like 10, or a multiple of the root of n like 0.5 sqrt n, got {excerpt(text)}."
        raise InputError(sentence, key) from error


def in_roots(text: str) -> str | None:
    """Return how many roots of n a size is, as it was written, ``"½"`` for one half; None for a number of people."""
    match = _ROOT.fullmatch(text)
    return None if match is None else _SIGNS.get(match[1], match[1])
