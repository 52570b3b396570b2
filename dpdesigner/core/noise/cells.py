"""The cells of a histogram of numbers: their lower edges from a text, and what each is called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from dpdesigner.core.numbers.given import exact, nearest, shown
from dpdesigner.errors import InputError

MOST_CELLS = 200
_LONGEST = 4000
_RANGE = re.compile(r"\s*(\S+?)\s*(?:\.\.|…)\s*(\S+)(?:\s+by\s+(\S+))?\s*")


def cell_edges(text: object) -> tuple[Fraction, ...]:
    """Read the lower edges of cells: ``"0, 18, 65"``, ``"0..10"`` or ``"0..500000 by 50000"``.

    Raises
    ------
    InputError
        If they are not increasing numbers, 1 to 200 of them.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"the cells must be a text such as 0..10, got {shown(text)}.", "cells")
    match = _RANGE.fullmatch(text)
    if match is None:
        edges = tuple(exact(part, "cells") for part in re.split(r"[,;\s]+", text.strip()) if part)
    else:
        low, high, step = (exact(part or "1", "cells") for part in match.groups())
        if step <= 0 or not 0 <= (high - low) / step < MOST_CELLS:
            raise InputError(f"the cells must rise in at most {MOST_CELLS} steps, got {shown(text)}.", "cells")
        edges = tuple(low + k * step for k in range(int((high - low) / step) + 1))
    if not 0 < len(edges) <= MOST_CELLS or any(a >= b for a, b in pairwise(edges)):
        raise InputError(f"the cells must be 1 to {MOST_CELLS} increasing lower edges, got {shown(text)}.", "cells")
    return edges


def cell_title(edges: Sequence[Fraction], cell: int) -> str:
    """Return what a cell holds: ``3``, ``18 to <65``, ``65 or more``; the last one is open above."""
    low = _text(edges[cell])
    if cell == len(edges) - 1:
        return f"{low} or more"
    if all(edge.denominator == 1 for edge in edges) and all(b - a == 1 for a, b in pairwise(edges)):
        return low
    return f"{low} to <{_text(edges[cell + 1])}"


def _text(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else f"{nearest(edge):.6g}"
