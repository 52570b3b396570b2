"""Lists of categories as texts: typed, pasted, or the contents of a file that declares them."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from dpdesigner.core.basics.parsing import excerpt, harmless
from dpdesigner.errors import InputError

#: Characters of one category.
LONGEST = 100
_LONGEST_TEXT = 200_000
_SEPARATORS = re.compile(r'[,;"\n]')


def categories_of(text: str) -> tuple[str, ...]:
    """Read a list of categories: one per line, or separated by commas or semicolons; quoted if one contains those.

    Returns
    -------
    tuple of str
        In their order, without surrounding blanks; empty for a text without any.

    Raises
    ------
    InputError
        As `checked_categories`; if the text is too long, or quotation marks do not enclose whole categories.
    """
    if len(text) > _LONGEST_TEXT:
        raise InputError(f"a list must have at most {_LONGEST_TEXT} characters, got {len(text)}.", "categories")
    separator = "," if "," in text or ";" not in text else ";"
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        raise InputError("the quotation marks in a list must enclose whole categories.", "categories") from None
    return checked_categories([cell.strip() for row in rows for cell in row if cell.strip()])


def categories_text(categories: Sequence[str]) -> str:
    """Return a list on one line, in the form that `categories_of` reads."""
    return ", ".join(f'"{each.replace(chr(34), 2 * chr(34))}"' if _SEPARATORS.search(each) else each for each in categories)


def checked_categories(given: Sequence[object]) -> tuple[str, ...]:
    """Return categories as texts; integers become their decimal digits.

    Raises
    ------
    InputError
        If one is empty, too long, no text or named twice.
    """
    listed = [str(each) if isinstance(each, int) and not isinstance(each, bool) else each for each in given]
    texts = [harmless(" ".join(each.split())) if isinstance(each, str) else "" for each in listed]
    for each, text in zip(listed, texts, strict=True):
        if not 0 < len(text) <= LONGEST:
            raise InputError(f"each category must be a text of 1 to {LONGEST} characters, got {excerpt(each)}.", "categories")
    if len(set(texts)) < len(texts):
        twice = next(text for place, text in enumerate(texts) if text in texts[:place])
        problem = f"the list of categories must name each once, got {excerpt(twice)} more than once"
        raise InputError(f"{problem}; a column of the data is not a list of categories.", "categories")
    return tuple(texts)
