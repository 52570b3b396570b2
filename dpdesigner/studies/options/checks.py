"""The checks of a choice's inputs; each refuses with one sentence: what, what is allowed, and what was given."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from dpdesigner.core.choice.pairs import Neighbouring, Pairs
from dpdesigner.core.numbers.parsing import Number, exact, excerpt, harmless
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs.checks import json_value
from dpdesigner.studies.options.rules import TITLES
from dpdesigner.studies.options.utilities import MOST_OPTIONS, Utilities, checked_pairs

_LONGEST, _LONGEST_NAME = 4000, 100
_LARGEST = 10**12
#: Twice what the weights of older designs could be called by.
LEAST_EPSILON, MOST_EPSILON = 1e-6, 1400.0
_ROUNDING = 1e-9  # of the doubles in which tables are compared


def checked_text(text: object, name: str) -> str:
    """Return a text."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"the {name} must be a text of at most {_LONGEST} characters, got {excerpt(text)}.", name)
    return text


def _texts(given: object, what: str) -> tuple[str, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise InputError(f"the {what} must be a list of texts, got {excerpt(given)}.", what)
    if not 2 <= len(given) <= MOST_OPTIONS:
        raise InputError(f"there must be 2 to {MOST_OPTIONS} {what}, got {len(given)}.", what)
    texts = tuple(harmless(" ".join(text.split())) for text in given)
    long = next((text for text in texts if len(text) > _LONGEST_NAME), None)
    if long is not None:
        raise InputError(f"each of the {what} must have at most {_LONGEST_NAME} characters, got {excerpt(long)}.", what)
    return texts


def checked_names(names: object, options: int | None) -> tuple[str, ...] | None:
    """Return the names of the options; None where there are none."""
    if names is None:
        return None
    checked = _texts(names, "names")
    if options is not None and len(checked) != options:
        raise InputError(f"there must be one name an option, {options}, got {len(checked)}.", "names")
    if options is None:
        raise InputError("names need categories: which value of the column each of them stands for.", "names")
    return checked


def checked_categories(categories: object, counted: bool) -> tuple[str, ...] | None:
    """Return the values that are counted, each once."""
    if categories is None:
        return None
    if not counted:
        raise InputError("categories are for a column that is counted; leave them out, or name a path.", "categories")
    if isinstance(categories, Sequence) and not isinstance(categories, str):
        categories = [str(each) if isinstance(each, int | float) else each for each in categories]
    checked = _texts(categories, "categories")
    if len(set(checked)) < len(checked):
        twice = next(text for text in checked if checked.count(text) > 1)
        raise InputError(f"every category must be there once, got {excerpt(twice)} more than once.", "categories")
    return checked


def checked_neighbours(given: object, monotone: object, table: Utilities | None) -> tuple[str | Pairs, bool]:
    """Return what one person may change, and whether that moves all utilities the same way."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    if type(monotone) is not bool:
        raise InputError(f"monotone must be true or false, got {excerpt(monotone)}.", "monotone")
    if table is not None and table.table:
        if given == "joins":
            given, monotone = "next", True
        which = checked_pairs(given, len(table.rows))
        if monotone and not Neighbouring(which, len(table.rows)).same_way(table.numbers):
            problem = "a table is monotone where neighbouring rows move all utilities the same way; these do not"
            raise InputError(f"{problem}.", "monotone")
        return which, monotone
    if given not in ("any", "changes", "joins"):
        raise InputError(f"neighbours must be any, changes or joins, got {excerpt(given)}.", "neighbours")
    if monotone and given == "changes":
        raise InputError("changing an answer is not monotone: one count rises and another falls; it is for joins.", "monotone")
    return ("joins", True) if monotone else (str(given), given == "joins")


def checked_sensitivity(given: object, table: Utilities | None, which: str | Pairs, monotone: bool) -> Number:
    """Return Delta; of a table it must be at least what neighbouring rows show."""
    least = Fraction(0)
    if table is not None and table.table:
        least = derived_sensitivity(table, which)
    if given is None:
        needed = max(Fraction(1), least)
        return int(needed) if needed.denominator == 1 else json_value(needed)
    value = exact(given, "sensitivity")
    if not 0 < value <= _LARGEST:
        what = "above 0" if value <= 0 else f"at most {_LARGEST:g}"
        raise InputError(
            f"the sensitivity must be {what}, got {excerpt(given)}.", "sensitivity", "1" if value <= 0 else f"{_LARGEST}"
        )
    if value < least * (1 - Fraction(_ROUNDING)):
        sentence = f"neighbouring rows differ by {_short(least)}, so the sensitivity must be at least that, got {excerpt(given)}."
        raise InputError(sentence, "sensitivity", str(least))
    return given  # type: ignore[return-value]  # `exact` has read it


def derived_sensitivity(table: Utilities, which: str | Pairs) -> Fraction:
    """Return by how much a utility differs between neighbouring rows at most: exactly where the table is small."""
    neighbouring = Neighbouring(which, len(table.rows))
    if table.numbers.size > 4000:
        return Fraction(float(np.max(neighbouring.farthest(table.numbers)))).limit_denominator(10**9)
    rows = [table.fractions(row) for row in range(len(table.rows))]
    return (
        max(abs(a - b) for i, j in neighbouring.pairs for a, b in zip(rows[i], rows[j], strict=True))
        if len(rows) > 1
        else Fraction(0)
    )


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) < 12 else f"{float(value):.6g}"


def checked_rule(rule: object, continuous: bool) -> str:
    """Return the key of the rule that is drawn; permute-and-flip if none is named, of a number the exponential mechanism."""
    if rule == "":
        return "exponential" if continuous else "permute-and-flip"
    allowed = [key for key, (_, noise, _) in TITLES.items() if not continuous or noise == "gumbel"]
    if rule not in allowed:
        raise InputError(f"the rule must be one of {', '.join(allowed)}, got {excerpt(rule)}.", "rule")
    return str(rule)


def checked_edges(edges: object, table: Utilities | None) -> tuple[Number, ...] | None:
    """Return the ends of the intervals, rising."""
    if edges is None:
        return None
    if table is None or table.table or not isinstance(edges, Sequence) or isinstance(edges, str):
        raise InputError("edges must be a list of numbers, for one vector of utilities.", "edges")
    values = [exact(edge, "an edge", "edges") for edge in edges]
    if len(values) != len(table.rows[0]) + 1 or any(a >= b for a, b in pairwise(values)):
        what = f"{len(table.rows[0]) + 1} rising numbers, one more than utilities"
        raise InputError(f"the edges must be {what}, got {excerpt(list(edges))}.", "edges")
    return tuple(edges)


def checked_base(base: object, options: int | None) -> tuple[Number, ...] | None:
    """Return the base measure of each option."""
    if base is None:
        return None
    if not isinstance(base, Sequence) or isinstance(base, str) or len(base) != options:
        raise InputError(f"the base measure must be one number an option, {options}, got {excerpt(base)}.", "base")
    values = [exact(weight, "a base measure", "base") for weight in base]
    if min(values) < 0 or not any(values) or max(values) > _LARGEST:
        raise InputError(f"a base measure must be between 0 and {_LARGEST:g}, and one above 0, got {excerpt(base)}.", "base")
    return tuple(base)
