"""The design of a net: a small database, the size of those that may replace it, a class of queries, and epsilon."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from typing_extensions import Self, override

from dpdesigner.core.basics.coercion import as_numbers
from dpdesigner.core.basics.parsing import Number, double, exact, excerpt, listed, parse_integer
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.net import MOST_DATABASES, Queries, conjunctions, intervals, queries, refuse_many, thresholds
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Action, DeclaredDesign, View, ViewValue
from dpdesigner.studies.data_inputs import FILE, TableInput, table_changed_at, table_lines
from dpdesigner.studies.fields import (
    Releasing,
    choice,
    declare,
    how_near,
    how_private,
    how_sure,
    real_errors,
    seed,
    text,
    whole_number,
)
from dpdesigner.studies.input_kinds import TextLike
from dpdesigner.studies.synthetic.statements import MANY

MOST_POINTS, MOST_ROWS = 64, 10**6
NAMED = ("intervals", "thresholds", "conjunctions", "monotone conjunctions")
Given = str | tuple[tuple[Number, ...], ...]


def _count(given: Any, key: str) -> int:
    try:
        return parse_integer(given, key, 0, MOST_ROWS)
    except InputError:
        problem = f"each count must be a whole number from 0 to {group_thousands(MOST_ROWS)}, got {excerpt(given)}."
        raise InputError(problem, key) from None


class CountsInput(TextLike[tuple[int, ...]]):
    """The number of rows at each point, as a list of numbers."""

    counts_only = True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[int, ...]:
        parts = listed(given, "the counts", key) if isinstance(given, str) else as_numbers(given, "the counts", key)
        if not isinstance(parts, (Sequence, np.ndarray)) or not 2 <= len(parts) <= MOST_POINTS:
            raise InputError(f"the counts must be 2 to {MOST_POINTS} whole numbers, one per point, got {excerpt(given)}.", key)
        counts = tuple(_count(part, key) for part in parts)
        if not 0 < sum(counts) <= MOST_ROWS:
            most, total = group_thousands(MOST_ROWS), group_thousands(sum(counts))
            raise InputError(f"the counts must have a total of 1 to {most} rows, got {total}.", key)
        return counts

    @override
    def as_json(self, value: tuple[int, ...], key: str) -> dict[str, Any]:
        return {key: list(value)}

    @override
    def text(self, value: tuple[int, ...]) -> str:
        return ", ".join(map(str, value))

    @override
    def summary(self, value: tuple[int, ...]) -> str:
        rows, points = group_thousands(sum(value)), group_thousands(len(value))
        return message("{rows} rows, {points} values", rows=rows, points=points)


class QueriesInput(TableInput[Given]):
    """A class of queries: a name, rows of numbers from 0 to 1 separated by semicolons, or a file of them."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Given:
        points = len(others["counts"])
        value = _given(given, key)
        if not isinstance(value, str) or not value.startswith(FILE):  # a file may have been moved, and is read in the run
            build_queries(value, points)
        return value

    @override
    def as_json(self, value: Given, key: str) -> dict[str, Any]:
        return {key: value if isinstance(value, str) else [list(map(str, row)) for row in value]}

    @override
    def identity(self, value: Given) -> Hashable:
        return self.text(value)

    @override
    def text(self, value: Given) -> str:
        return value if isinstance(value, str) else "; ".join(" ".join(map(str, row)) for row in value)


def _given(given: object, key: str) -> Given:
    if isinstance(given, os.PathLike):
        given = f"{FILE} {os.fspath(given)}"
    if isinstance(given, str):
        text = " ".join(given.split())
        if text in NAMED:
            return text
        if text.startswith(FILE):
            return given.strip()  # a path may contain several consecutive spaces
        if text[:1].isalpha():
            raise _refused(given, key)
        given = [listed(row, "the queries", key) for row in text.split(";") if row.strip()]
    rows = as_numbers(given, "the queries", key)
    if isinstance(rows, np.ndarray):
        rows = rows.tolist()
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
        raise _refused(given, key)
    return tuple(tuple(row) for row in rows)


def _refused(given: object, key: str) -> InputError:
    allowed = f"one of {', '.join(NAMED)}, rows of numbers from 0 to 1, or {FILE} and a path"
    return InputError(f"the queries must be {allowed}, got {excerpt(given)}.", key)


def build_queries(value: Given, points: int) -> Queries:
    """Return the class on this many points.

    Raises
    ------
    InputError
        If it is not of so many points, or is no class; if its file cannot be read.
    """
    return _made(value, points, table_changed_at(value) if isinstance(value, str) else 0)


@lru_cache(maxsize=16)
def _made(value: Given, points: int, changed: int) -> Queries:
    if value == "intervals":
        return intervals(points)
    if value == "thresholds":
        return thresholds(points)
    if isinstance(value, str) and not value.startswith(FILE):
        bits = (points - 1).bit_length()
        if points != 1 << bits:
            raise InputError(f"conjunctions need 2, 4, 8, … points, one for each string of bits, got {points}.", "queries")
        return conjunctions(bits, monotone=value.startswith("monotone"))
    rows = value if not isinstance(value, str) else [line.cells for line in table_lines(value)[1]]
    asked = queries([[_share(cell) for cell in row] for row in rows])
    if asked.points != points:
        raise InputError(f"a query must have one number per point ({points}), got {asked.points}.", "queries")
    return asked


def _share(cell: Number) -> float:
    try:
        return double(cell)
    except InputError:
        raise InputError(f"every entry of a query must be a number from 0 to 1, got {excerpt(cell)}.", "queries") from None


class NetDesign(Releasing, DeclaredDesign):
    """A small database chosen in place of a real one to answer all queries of a class approximately.

    Parameters
    ----------
    counts : sequence of int
        How many rows of the real database each point has.
    size : int
        The rows of the small databases.
    epsilon : Number
    queries : str or sequence of sequence of Number
        ``"intervals"``, ``"thresholds"``, ``"conjunctions"``, ``"monotone conjunctions"``, a row of numbers from 0 to 1 a query,
        or ``"file: PATH"`` for a table of them.
    net : {"all", "smallest"}
        All small databases, or the fewest that are near every database (for tiny domains).
    error, delta : Number
        The error aimed for and the probability of missing it.
    seed : int or None
        Of the draw and the sub-samples, for study; None draws from the system's entropy.
    names : str
        Names of the points, separated by commas; none, or another number of them: their numbers, or their bits for conjunctions.
    real_errors : {"kept", "published"}
        Whether the counts, errors and probabilities, computed from the real database, go into files; that is not private.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.NetDesign([2, 1, 1, 1], size=4, epsilon=1))
    >>> len(found.probabilities), round(found.epsilon, 6)
    (35, 0.768686)
    """

    kind: ClassVar[str] = "net"
    drawn_part: ClassVar[str] = "drawn"
    views: ClassVar[tuple[View, ...]] = (
        View("candidates", message("Candidates"), ("candidates", "releases", "people", "worst")),
        View("theory", message("Guarantees"), ("useful", "samples")),
        View("sizes", message("Number of rows"), ("sizes",), tab=False),
    )

    beside_views: ClassVar[tuple[str, ...]] = ("quality", "rows")
    #: The counts of the candidate that was clicked, or nothing for the one that was drawn; whether more draws are shown.
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"candidate": "", "many": False}
    side_jobs = (MANY,)
    buttons: ClassVar[tuple[Action, ...]] = (
        Action(
            message("Back to the draw"),
            lambda now: {"candidate": ""},
            message("Show the database that was drawn"),
            offered=lambda now: now.design.kind == "net" and bool(now.view["candidate"]) and not now.view["many"],
        ),
    )

    counts: tuple[int, ...] = declare(
        CountsInput(),
        default=(12, 30, 41, 25, 18, 9, 4, 1),
        required=True,
        label=message("Real database"),
        note=message("One whole number per point: the number of its rows."),
        undo=message("Change the database"),
        says=lambda design: (
            message("Names unused: {names} for {values} values.", names=len(design._named), values=len(design.counts))
            if design.names and len(design._named) != len(design.counts)
            else ""
        ),
        secret=lambda design: not design.tells,
        instead="of the owner",
    )
    size: int = declare(
        whole_number(1, 12, symbol="m"),
        default=4,
        label=message("Published rows"),
        undo=message("Change the size"),
    )
    epsilon: Number = how_private()
    queries: Given = declare(
        QueriesInput(),
        default="intervals",
        label=message("Queries"),
        term="",
        note=message("intervals, thresholds, conjunctions, monotone conjunctions, rows like 1 0 1; 0 1 1, or file: and a path"),
        undo=message("Change the queries"),
        folded=lambda design: message(
            "Queries: {queries}, measured error included" if design.tells else "Queries: {queries}",
            queries=design.input_named("queries").summary(design),
        ),
    )
    net: str = declare(
        choice(("all", message("all databases")), ("smallest", message("smallest sufficient set"))),
        default="all",
        label=message("Candidates"),
        undo=message("Change the net"),
        joined=True,
    )
    error: Number = how_near("0.2", joined=True)
    delta: Number = how_sure(joined=True)
    seed: int | None = declare(seed(), default=None, label=message("Seed"), term=message("for study only"), joined=True)
    names: str = declare(
        text(),
        default="",
        label=message("Names"),
        note=message("A name for each point, separated by commas"),
        undo=message("Name the points"),
        aside=True,
        joined="counts",
    )
    real_errors: str = real_errors(joined=True)

    if TYPE_CHECKING:  # numbers and data in any of their forms

        def __init__(self, counts: Any, *more: Any, **inputs: Any) -> None: ...

    @override
    def check(self) -> None:
        if twice := [name for name in self._named if self._named.count(name) > 1]:
            raise InputError(f"each point must have its own name, got {excerpt(twice[0])} twice.", "names")
        many = comb(len(self.counts) + self.size - 1, self.size)
        if many > MOST_DATABASES:
            largest = next(size for size in range(self.size, 0, -1) if comb(len(self.counts) + size - 1, size) <= MOST_DATABASES)
            problem = f"all small databases are enumerated, at most {group_thousands(MOST_DATABASES)}"
            raise InputError(f"{problem}, got {group_thousands(many)} for size = {self.size}.", "size", str(largest))

    @property
    def line(self) -> str:
        """The inputs in one line, without those of the bounds."""
        told = {each.key: each.summary(self) for each in self.inputs()}
        drawn = message("{size} drawn", size=self.size)
        return message("{database} · {drawn} · {epsilon}", database=told["counts"], drawn=drawn, epsilon=told["epsilon"])

    @override
    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; other counts have no seed, and changed names must be as many as the points.

        A smallest set among too many databases is refused here; a file that asks for one opens, and has no result.
        """
        made = super().replace(**({"seed": None} | changes if "counts" in changes else changes))
        if made.net == "smallest" and changes.keys() & {"net", "counts", "size"}:
            refuse_many(len(made.counts), made.rows, made.size)
        if changes.get("names") and (given := len(made._named)) != len(made.counts):
            raise InputError(f"there must be a name for each point ({len(made.counts)}), got {given}.", "names")
        return made

    @property
    def _named(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.names.split(",")) if self.names else ()

    @property
    def point_names(self) -> tuple[str, ...]:
        """The name of each point: as given, if they are as many; else its bits for conjunctions, or its number."""
        points = len(self.counts)
        if len(self._named) == points:
            return self._named
        if isinstance(self.queries, str) and self.queries.endswith("conjunctions"):
            return tuple(f"{point:0{(points - 1).bit_length()}b}" for point in range(points))
        return tuple(str(point + 1) for point in range(points))

    @property
    def rows(self) -> int:
        """The number of rows n."""
        return sum(self.counts)

    @property
    def query_class(self) -> Queries:
        """The queries as a matrix."""
        return build_queries(self.queries, len(self.counts))

    @property
    def accuracy(self) -> float:
        """The target error."""
        return double(exact(self.error))
