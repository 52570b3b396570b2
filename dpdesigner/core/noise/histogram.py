"""Histograms: cells parsed from text, the counts in each, and their release with integer noise, drawn exactly.

Each cell gets geometric noise with alpha = exp(-epsilon / Delta), Delta the histogram's L1 sensitivity: 1 when a row is added or
removed, 2 when one is replaced (`dpdesigner.core.basics.sensitivity`).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.core.basics import sensitivity
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact, excerpt, listed, nearest
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase, draw
from dpdesigner.errors import InputError

MOST_CELLS = 200
_LONGEST = 4000
_RANGE = re.compile(r"\s*(\S+?)\s*(?:\.\.|…|\bto\b|–|(?<=\d)-)\s*([^\s.]\S*)(?:\s+(?:by|in\s+steps\s+of)\s+(\S+))?\s*")
_SEPARATOR = re.compile(r"[,;\s]+")
_ALLOWED = "lower edges like 0, 18, 65, or a range like 0..10 or 18 to 90 by 10"


def cell_edges(text: object) -> tuple[Fraction, ...]:
    """Read the lower edges of cells from text: ``"0, 18, 65"``, ``"0..10"`` or ``"18 to 90 by 10"``.

    Raises
    ------
    InputError
        If they are not increasing numbers, 1 to 200 of them, or a comma or a space could belong to a number or stand between two.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"the cells must be {_ALLOWED}, got {excerpt(text)}.", "cells")
    match = _RANGE.fullmatch(text)
    if match is None:
        edges = tuple(_edge(part, text) for part in _parts(text))
    else:
        low, high, step = (_edge(part or "1", text) for part in match.groups())
        if step <= 0 or not 0 <= (high - low) / step < MOST_CELLS:
            raise InputError(f"the cells must rise in at most {MOST_CELLS} steps, got {excerpt(text)}.", "cells")
        edges = tuple(low + k * step for k in range(int((high - low) / step) + 1))
    if not 0 < len(edges) <= MOST_CELLS or any(a >= b for a, b in pairwise(edges)):
        raise InputError(f"the cells must be 1 to {MOST_CELLS} increasing lower edges, got {excerpt(text)}.", "cells")
    return edges


def _parts(text: str) -> list[str]:
    """Split a list of edges; refuse an ambiguous one, suggesting a clear one if all its numbers are whole."""
    try:
        return listed(text, "the cells", "cells")
    except InputError as error:
        parts = _SEPARATOR.split(text.strip())
        plain = ";" not in text and all(re.fullmatch(r"0|[1-9]\d*", part) for part in parts)
        plain = plain and all(int(a) < int(b) for a, b in pairwise(parts))
        raise InputError(str(error), "cells", ", ".join(parts) if plain else "") from error


def _edge(part: str, text: str) -> Fraction:
    try:
        return exact(part, "cells")
    except InputError as error:
        raise InputError(f"the cells must be {_ALLOWED}, got {excerpt(text)}.", "cells") from error


def cell_title(edges: Sequence[Fraction], cell: int) -> str:
    """Return the title of a cell: ``3``, ``18 to <65``, ``65 or more``; the last cell has no upper limit."""
    low = _text(edges[cell])
    if cell == len(edges) - 1:
        return f"{low} or more"
    if all(edge.denominator == 1 for edge in edges) and all(b - a == 1 for a, b in pairwise(edges)):
        return low
    return f"{low} to <{_text(edges[cell + 1])}"


def _text(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else f"{nearest(edge):.6g}"


def cell_privacy(privacy: PrivacyLevel, neighbours: sensitivity.Neighbours) -> PrivacyLevel:
    """Return the privacy level of each cell's noise: epsilon / Delta.

    Where epsilon is irrational and has to be halved, it is rounded down in the fifteenth digit: never less private than asked.
    """
    share = int(sensitivity.histogram(neighbours).value)
    if share == 1 or privacy.alpha in (0, 1):
        return privacy
    return PrivacyLevel.from_epsilon(budget_of(privacy) / share)


def release(
    counts: Sequence[int], privacy: PrivacyLevel, neighbours: sensitivity.Neighbours, below: Below = secrets.randbelow
) -> tuple[int, ...]:
    """Return the counts of a histogram with exact integer noise added to each; the released counts may be negative.

    Raises
    ------
    InputError
        If epsilon is 0.
    """
    level = cell_privacy(privacy, neighbours)
    return tuple(int(count) + draw(level, 1, 1, below) for count in counts)


def error_within(level: PrivacyLevel, chance: float) -> int:
    """Return the least k with P(|Z| <= k) at least this probability, for the geometric noise Z of a cell at this level."""
    if not 0 < chance < 1:
        raise InputError(f"the probability must be between 0 and 1, got {chance}.", "chance")
    return 0 if level.alpha == 0 else DiscreteStaircase(level.epsilon, 1).within(chance)


def tally(values: ArrayLike, edges: ArrayLike) -> NDArray[np.int64]:
    """Count values in the cells [edge_0, edge_1), ..., [edge_last, infinity); values below the first edge fall in no cell.

    Parameters
    ----------
    values : array_like
        Finite numbers.
    edges : array_like
        (d,): increasing lower edges of the d cells; fixed beforehand and not taken from the data.

    Returns
    -------
    ndarray
        (d,).
    """
    lower, numbers = np.asarray(edges, dtype=float), np.asarray(values, dtype=float)
    if lower.ndim != 1 or not len(lower) or not (np.diff(lower) > 0).all() or not np.isfinite(lower).all():
        raise InputError("the edges of a histogram must be increasing numbers, at least one.", "edges")
    if not np.isfinite(numbers).all():
        raise InputError("the values of a histogram must be finite numbers.", "values")
    cells = np.searchsorted(lower, numbers.ravel(), side="right")
    return np.bincount(cells, minlength=len(lower) + 1)[1:].astype(np.int64)
