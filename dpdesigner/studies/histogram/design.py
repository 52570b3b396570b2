"""The histogram design: how many people are in each cell, every cell released with exact integer noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, get_args

from dpdesigner.core.cost.noise_cost import noise_cost
from dpdesigner.core.noise.histogram import MOST_CELLS, cell_edges, cell_title
from dpdesigner.core.noise.inputs import LEAST_EPSILON
from dpdesigner.core.numbers.parsing import Number, excerpt, parse_integer
from dpdesigner.core.privacy import sensitivity
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sensitivity import Neighbours
from dpdesigner.data.categories import categories_of, checked_categories
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.inputs.checks import checked_cost, checked_name, level_within
from dpdesigner.studies.private_design import PrivateDesign

#: What becomes of rows in none of the categories, and who may know the list.
Outside = Literal["other", "refuse"]
Listed = Literal["public", "data"]

#: The cell of rows in none of the categories.
OTHER = message("any other")
_LARGEST_COUNT = 10**12
_LONGEST = 4000


class Source(NamedTuple):
    """What is counted, and from where: designs with an equal source have the same true counts."""

    cells: str
    path: str
    column: str
    counts: tuple[int, ...] | None
    categories: tuple[str, ...] | None = None
    outside: Outside = "other"

    @property
    def is_set(self) -> bool:
        """Whether there is anything to count."""
        return bool(self.path) or self.counts is not None

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(cell_edges(self.cells)) if self.categories is None else len(self.categories) + (self.outside == "other")


@dataclass(frozen=True, init=False)
class HistogramDesign(PrivateDesign):
    """What a histogram counts, whose rows, and how private it is.

    Parameters
    ----------
    cells : str
        The lower edges of the cells, fixed beforehand and not taken from the data: ``"0, 18, 65"``, ``"0..10"`` or
        ``"18 to 90 by 10"``; the last cell is open above. Not used where there are categories.
    neighbours : {"add-remove", "replace"}
        What one row may do: the sensitivity is 1 or 2.
    epsilon, alpha : Number
        The privacy level of all cells together, epsilon in [1e-6, 700], twice that where rows are replaced; at most one of the
        two, epsilon = 1 if none is given.
    cost : str
        What an error of a cell costs; see `dpdesigner.core.cost.noise_cost.noise_cost`.
    path, column : str
        Where the values are: a file, or ``example:NAME`` for a file that ships with the program; empty for none.
    counts : sequence of int or None
        The true counts, if the user wants them kept with the design; else only the place of the data is.
    name : str
        What the user calls it.
    categories : sequence of str or str, optional
        Count texts instead: those that may occur, as everybody may know them, one cell each: ``["yes", "no"]`` or ``"yes, no"``.
    outside : {"other", "refuse"}
        Rows in none of the categories, empty ones too: counted in a cell more, "any other", or nothing is counted at all. Only
        the first keeps to epsilon whatever is in the data.
    listed : {"public", "data"}
        Where the categories or the cells are from. Those taken from the data are not private: they reveal something of whom the
        data hold, and the design, its report and its files say so.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.

    Raises
    ------
    InputError
        If one of them cannot be used; nothing is made then.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> result = dp.solve(dp.HistogramDesign("0, 18, 65", "replace", epsilon=1))
    >>> result.cells, round(result.findings["value"].value, 3), len(dp.release(result))
    (3, 1.919, 3)
    >>> answers = dp.HistogramDesign(categories="yes, no", path="example:admissions_1973.csv", column="decision")
    >>> [answers.title(cell) for cell in range(answers.size)]
    ['yes', 'no', 'any other']
    """

    kind: ClassVar[str] = "histogram"
    needed: ClassVar[tuple[str, ...]] = ("cells", "neighbours", "cost")
    optional: ClassVar[tuple[str, ...]] = ("counts", "categories")

    cells: str
    neighbours: Neighbours
    privacy: PrivacyLevel
    cost: str
    path: str
    column: str
    counts: tuple[int, ...] | None
    name: str
    categories: tuple[str, ...] | None
    outside: Outside
    listed: Listed

    def __init__(
        self,
        cells: str = "0..10",
        neighbours: Neighbours = "add-remove",
        *,
        epsilon: Number | None = None,
        alpha: Number | None = None,
        cost: str = "absolute",
        path: str = "",
        column: str = "",
        counts: Sequence[int] | None = None,
        name: str = "",
        categories: Sequence[str] | str | None = None,
        outside: Outside = "other",
        listed: Listed = "public",
        privacy: PrivacyLevel | None = None,
    ) -> None:
        if not isinstance(neighbours, str) or neighbours not in get_args(Neighbours):
            raise InputError(f"neighbours must be add-remove or replace, got {excerpt(neighbours)}.", "neighbours")
        texts = _checked_list(categories, outside, listed)
        least = LEAST_EPSILON * int(sensitivity.histogram(neighbours).value)  # each cell has its part
        values = {
            "cells": cells,
            "neighbours": neighbours,
            "privacy": level_within(epsilon, alpha, privacy, least=least),
            "cost": checked_cost(cost),
            "path": _checked_text(path, "path"),
            "column": _checked_text(column, "column"),
            "counts": _checked_counts(counts, Source(cells, "", "", None, texts, outside).size),
            "name": checked_name(name),
            "categories": texts,
            "outside": outside,
            "listed": listed,
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def cost_title(self) -> str:
        """Short words for what an error of a cell costs."""
        return noise_cost(self.cost).title

    @property
    def line(self) -> Message:
        """What is asked, in one line: ``histogram of 11 cells · Δ = 1 · absolute error · ε = 1 (α = 0.3678)``."""
        parts = {"period": self.sensitivity.value, "cost": self.cost_title, "privacy": self.privacy.description}
        cells = message("1 cell") if self.size == 1 else message("{count} cells", count=self.size)
        return message("histogram of {cells} · Δ = {period} · {cost} · {privacy}", cells=cells, **parts)

    @property
    def source(self) -> Source:
        """What is counted, and from where."""
        return Source(self.cells, self.path, self.column, self.counts, self.categories, self.outside)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.source.size

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        """The lower edges of the cells, increasing."""
        return cell_edges(self.cells)

    @property
    def sensitivity(self) -> sensitivity.Sensitivity:
        """Of all cells together, and why."""
        return sensitivity.histogram(self.neighbours)

    def title(self, cell: int) -> str:
        """Return what a cell holds: ``3``, ``18 to <65``, ``65 or more``, ``yes``, ``any other``."""
        if self.categories is not None:
            return self.categories[cell] if cell < len(self.categories) else OTHER
        return cell_title(self.edges, cell)

    def unused(self) -> set[str]:
        """Return the inputs that its JSON object leaves out: no place of data where there is none, nothing of a list either."""
        texts = {"categories", "outside"}
        public = {"listed"} if self.categories is None and self.listed == "public" else set()
        unused = super().unused() | {key for key in ("path", "column") if not (self.path or getattr(self, key))}
        return unused | texts | public if self.categories is None else unused - texts - {"listed"}

    @property
    def inputs(self) -> dict[str, Finding]:
        """What is asked, as it is compared with what another design asks."""
        query, counted = message("histogram of {cells} cells", cells=self.size), (self.categories, self.outside, self.listed)
        return {
            "query": Finding(message("query"), query, measure=(self.cells, self.listed) if self.categories is None else counted),
            "sensitivity": Finding(message("sensitivity Δ"), str(self.sensitivity.value)),
            "cost": Finding(message("cost of noise"), self.cost_title, measure=self.cost),
            "privacy": Finding(message("privacy asked"), self.privacy.description),
        }


def _checked_list(given: object, outside: object, listed: object) -> tuple[str, ...] | None:
    """The categories, each once; None where numbers are counted."""
    if outside not in get_args(Outside):
        raise InputError(f"outside must be other or refuse, got {excerpt(outside)}.", "outside")
    if listed not in get_args(Listed):
        raise InputError(f"listed must be public or data, got {excerpt(listed)}.", "listed")
    if given is None:
        return None
    if not isinstance(given, Sequence) or (not isinstance(given, str) and len(given) > MOST_CELLS):
        raise InputError(f"the categories must be a list of at most {MOST_CELLS} texts, got {excerpt(given)}.", "categories")
    categories = categories_of(given) if isinstance(given, str) else checked_categories(given)
    least, most = (0, MOST_CELLS - 1) if outside == "other" else (1, MOST_CELLS)
    if not least <= len(categories) <= most:
        where = "where other rows are counted too" if least == 0 else "where other rows are refused"
        raise InputError(f"there must be {least} to {most} categories {where}, got {len(categories)}.", "categories")
    if outside == "other" and OTHER in categories:
        raise InputError(f"the categories must not name {OTHER!r}, which is the cell of all others.", "categories")
    return categories


def _checked_text(text: object, name: str) -> str:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"the {name} of a histogram must be a text, got {excerpt(text)}.", name)
    return text


def _checked_counts(counts: object, cells: int) -> tuple[int, ...] | None:
    if counts is None:
        return None
    if not isinstance(counts, (list, tuple)):
        raise InputError(f"the counts of a histogram must be a list, got {excerpt(counts)}.", "counts")
    if len(counts) != cells:
        raise InputError(f"there must be one count a cell, {cells}, got {len(counts)}.", "counts")
    return tuple(parse_integer(count, "counts", 0, _LARGEST_COUNT) for count in counts)
