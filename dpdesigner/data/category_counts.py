"""Options counted from a column: how many rows hold each category; the categories are a public list, or read off the data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpdesigner.core.choice.utilities import MOST_OPTIONS
from dpdesigner.core.numbers.parsing import excerpt
from dpdesigner.data.columns import changed_at, read_texts, resolved
from dpdesigner.errors import InputError


@dataclass(frozen=True)
class CategoryCounts:
    """The counts.

    Attributes
    ----------
    categories : tuple of str
    counts : tuple of int
    outside : int
        Rows in no category, empty cells among them.
    """

    categories: tuple[str, ...]
    counts: tuple[int, ...]
    outside: int

    @property
    def people(self) -> int:
        """The number of rows that were counted."""
        return sum(self.counts)


def count_categories(path: str, column: str, categories: tuple[str, ...] | None) -> CategoryCounts:
    """Count a column.

    Parameters
    ----------
    path, column : str
    categories : tuple of str or None
        What is counted; None: whatever is found, in order.

    Raises
    ------
    InputError
        If the file cannot be read, or there are not 2 to 1000 categories.
    """
    where = resolved(path)
    tally = _tally(where, changed_at(where), column)
    if categories is None:
        categories = tuple(sorted((text for text in tally if text), key=_order))
        if not 2 <= len(categories) <= MOST_OPTIONS:
            what = f"column {excerpt(column)} must have 2 to {MOST_OPTIONS} different values to choose from"
            raise InputError(f"{what}, got {len(categories)}.", "column")
    counts = tuple(tally.get(text, 0) for text in categories)
    return CategoryCounts(categories, counts, sum(tally.values()) - sum(counts))


def _order(text: str) -> tuple[int, float, str]:
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text


@lru_cache(maxsize=4)
def _tally(path: Path, changed: int, column: str) -> Counter[str]:
    return Counter(read_texts(path, column))
