"""The inputs of a histogram: its cells or categories, the place of the data, and counts that are kept with the design."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.noise.histogram import MOST_CELLS, cell_edges
from dpdesigner.core.numbers.coercion import as_numbers
from dpdesigner.core.numbers.parsing import exact, excerpt, parse_integer, plain
from dpdesigner.data.categories import categories_of, categories_text, checked_categories
from dpdesigner.data.columns import relocated
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.inputs.kinds import Input, TextLike

#: The cell of rows in none of the categories.
OTHER = message("any other")
_LARGEST_COUNT = 10**12
_LONGEST = 4000


class CellsInput(TextLike[str]):
    """The lower edges of the cells, as a text or as numbers; the design reads them where there are no categories."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        return cells_text(given)


def cells_text(given: object) -> str:
    """Return the lower edges of cells as a text: those of a list, an array or a Series as they were given."""
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, (list, tuple, range)) and 0 < len(given) <= MOST_CELLS:
        for edge in given:
            exact(edge, "every cell", "cells")
        given = ", ".join(str(plain(edge)).strip() for edge in given)
    if not isinstance(given, str):
        cell_edges(given)
    return str(given)


class ColumnInput(TextLike[str]):
    """A column of a file, by its name to the letter."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        if not isinstance(given, str) or len(given) > _LONGEST:
            raise InputError(f"the {key} of a histogram must be a text, got {excerpt(given)}.", key)
        return given


class FileInput(ColumnInput):
    """A file, by its path to the letter."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        return super().read(os.fspath(given) if isinstance(given, os.PathLike) else given, key, others)

    @override
    def beside(self, value: str, folder: Path) -> str:
        return relocated(value, folder)


class CountsInput(Input[tuple[int, ...] | None]):
    """The true counts, where they are kept with the design."""

    optional = True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[int, ...] | None:
        if given is None:
            return None
        given = as_numbers(given, "the counts", key)
        given = given.tolist() if isinstance(given, np.ndarray) else given
        if not isinstance(given, (list, tuple)):
            raise InputError(f"the counts of a histogram must be a list, got {excerpt(given)}.", "counts")
        return tuple(parse_integer(count, "counts", 0, _LARGEST_COUNT) for count in given)

    @override
    def as_json(self, value: tuple[int, ...] | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: list(value)}


class CategoriesInput(Input[tuple[str, ...] | None]):
    """The texts that are counted, each once; None where numbers are."""

    optional = True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[str, ...] | None:
        if given is None:
            return None
        given = given.tolist() if hasattr(given, "tolist") else given
        if not isinstance(given, Sequence) or (not isinstance(given, str) and len(given) > MOST_CELLS):
            sentence = f"the categories must be a list of at most {MOST_CELLS} texts, got {excerpt(given)}."
            raise InputError(sentence, "categories")
        return categories_of(given) if isinstance(given, str) else checked_categories(given)

    @override
    def as_json(self, value: tuple[str, ...] | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: list(value)}

    @override
    def text(self, value: tuple[str, ...] | None) -> str:
        return categories_text(value or ())


def check_list(categories: tuple[str, ...] | None, outside: str) -> None:
    """Refuse too many or too few categories, and one that has the name of the cell of all others.

    Raises
    ------
    InputError
    """
    if categories is None:
        return
    least, most = (0, MOST_CELLS - 1) if outside == "other" else (1, MOST_CELLS)
    if not least <= len(categories) <= most:
        where = "where other rows are counted too" if least == 0 else "where other rows are refused"
        raise InputError(f"there must be {least} to {most} categories {where}, got {len(categories)}.", "categories")
    if outside == "other" and OTHER in categories:
        raise InputError(f"the categories must not name {OTHER!r}, which is the cell of all others.", "categories")
