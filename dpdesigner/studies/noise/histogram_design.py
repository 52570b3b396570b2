"""The histogram design: the number of people in each cell, every cell released with exact integer noise; its buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self, override

from dpdesigner.core.basics import sensitivity
from dpdesigner.core.basics.accountant import UNBOUNDED, Spent
from dpdesigner.core.basics.coercion import as_numbers, labels_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact, excerpt, parse_integer, plain
from dpdesigner.core.basics.sensitivity import Neighbours
from dpdesigner.core.noise import discrete_staircase
from dpdesigner.core.noise.discrete_staircase import MOST_CELLS, cell_edges, cell_title, of_whole_numbers
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.data.columns import holds_numbers, resolved
from dpdesigner.data.options import categories_of, categories_text, checked_categories
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import choice, declare, text
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.input_kinds import Input, NameInput, PathInput, TextLike
from dpdesigner.studies.noise.design import BESIDE, LOOKS, VIEWS, CostInput, LevelInput
from dpdesigner.studies.noise.design import BUTTONS as DRAWS
from dpdesigner.studies.noise.histogram_counts import (
    HistogramRelease,
    Listed,
    Outside,
    Source,
    cells_of_column,
    counts_by_label,
    counts_of_values,
    names_of_column,
    read_truth,
    titled,
)
from dpdesigner.studies.snapshot import Action, Found, SideJob, Snapshot
from dpdesigner.studies.spending import data_name
from dpdesigner.studies.study import Job


def truth_of(now: Snapshot) -> Any:
    """Return the true counts of the current design; None until they are counted."""
    found = now.outcomes.get("truth")
    if not isinstance(found, Found) or now.design.kind != "histogram":
        return None
    return found.value if found.value.source == now.design.source else None


def release(now: Snapshot) -> Job:
    """Release every cell once, with exact noise from the system's entropy."""
    answer, truth = now.answer, truth_of(now)
    return Job("release", lambda progress: Found(now.solved, answer.release(truth)))


def _keep(now: Snapshot) -> Any:
    kept = None if now.design.counts is not None else tuple(truth_of(now).counts.tolist())
    return now.design.replace(counts=kept)


SIMULATED = 100  #: releases that are simulated at once


def counted(now: Snapshot) -> bool:
    """Return whether there are counts to release."""
    return now.is_current() and truth_of(now) is not None


def _offered(now: Snapshot) -> bool:
    return bool(now.design.kind == "histogram" and now.design.categories != ())


BUTTONS = (
    Action(
        message("Release once (spends ε)"),
        release,
        message("Draw exact noise for every cell. Each release spends ε once more"),
        "Ctrl+R",
        on="histogram",
        when=counted,
        offered=_offered,
        command=message("Release the histogram once"),
        spends=True,
        presented=True,
        main=True,
    ),
    Action(
        message("× 100"),
        lambda now: Job("simulated", lambda progress: Found(now.solved, now.answer.simulate(SIMULATED))),
        message("Simulate the errors of a hundred releases, shown only here: nothing is released, no ε is spent"),
        on="histogram",
        when=counted,
        offered=_offered,
        command=message("Simulate a hundred releases of the histogram"),
        presented=True,
    ),
    Action(
        message("Show truth"),
        lambda now: {"truth": not now.view["truth"]},
        message("Show the true counts as well; exported pictures and tables never contain them"),
        on="histogram",
        offered=_offered,
        chosen=lambda now: bool(now.view["truth"]),
        command=message("Show or hide the true counts"),
        presented=True,
    ),
    Action(
        message("Store truth…"),
        _keep,
        message("Save the true counts with the design, for use on computers without the data"),
        on="histogram",
        when=lambda now: now.design.counts is not None or truth_of(now) is not None,
        offered=_offered,
        chosen=lambda now: now.design.counts is not None,
        command=message("Keep the true counts with the design"),
        more=True,
        asks=message("The saved design will hold the true counts. Anyone who gets the file can see them. Store them?"),
    ),
    *(replace(draw, shortcut="", on="density", offered=_offered) for draw in DRAWS),
)


def _uncounted(now: Snapshot) -> bool:
    return now.design.source.is_set and truth_of(now) is None


SIDE_JOBS = (SideJob("truth", lambda answer, progress: read_truth(answer.design.source), _uncounted, slow=False),)


#: The cell for rows outside all categories.
OTHER = message("any other")
_LARGEST_COUNT, _LARGEST_RELEASED = 10**12, 10**18


class CellsInput(TextLike[str]):
    """The lower edges of the cells, as a text or as numbers; used only if there are no categories."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        return cells_text(given)


def cells_text(given: object) -> str:
    """Return the lower edges of cells as a text; those of a list, an array or a Series stay as entered."""
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, (list, tuple, range)) and 0 < len(given) <= MOST_CELLS:
        for edge in given:
            exact(edge, "every cell", "cells")
        given = ", ".join(str(plain(edge)).strip() for edge in given)
    if not isinstance(given, str):
        cell_edges(given)
    return str(given)


class CountsInput(Input[tuple[int, ...] | None]):
    """The true counts, if they are stored with the design."""

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
    """The texts that are counted, without duplicates; None if numbers are counted."""

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
    """Refuse too many or too few categories, and one with the name of the cell for all others.

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


_COUNTS_TIP = message("A column of your data, released with exact noise and compared with the truth")
_NOISE_TIP = message("Probability of each amount of noise in one cell")
_NEIGHBOURS = cast("Input[Neighbours]", choice(("add-remove", message("added or removed")), ("replace", message("replaced"))))
_OUTSIDE = cast("Input[Outside]", choice(("other", message("in a cell of their own")), ("refuse", message("refused"))))
_LISTED = cast("Input[Listed]", choice(("public", message("fixed without the data")), ("data", message("from the data"))))
_CELLS: Input[str] = CellsInput()
_COST: Input[str] = CostInput()
_FILE: Input[str] = PathInput()
_COLUMN: Input[str] = NameInput()
_COUNTS: Input[tuple[int, ...] | None] = CountsInput()
_CATEGORIES: Input[tuple[str, ...] | None] = CategoriesInput()


#: The cells of a new design in the window, and of one that switches back from categories to cells.
FIRST_CELLS = "0..10"


class HistogramDesign(DeclaredDesign):
    """A histogram: its cells, its data and its privacy level.

    Parameters
    ----------
    cells : str or sequence of Number
        The lower edges of the cells, fixed in advance and not taken from the data: ``[0, 18, 65]``, ``"0, 18, 65"``, ``"0..10"``
        or ``"18 to 90 by 10"``; the last cell is open above. Not used where there are categories.
    neighbours : {"add-remove", "replace"}
        What one row may do: the sensitivity is 1 or 2.
    epsilon, alpha : Number
        The privacy level of all cells together, epsilon in [1e-6, 700], twice that where rows are replaced; exactly one of the
        two.
    cost : str
        What an error of a cell costs; see `dpdesigner.core.noise.noise_cost.noise_cost`.
    path, column : str
        Where the values are: a file of text, Parquet, Excel, SQLite or DuckDB (where a query may be given as the column), or
        ``example:NAME`` for a file that ships with the program; empty for none.
    counts : sequence of int, array, Series or None
        The true counts, if the user wants them kept with the design; else only the place of the data is. The labels of a Series
        or a mapping are its categories: those of ``value_counts()`` are taken from the data, so `listed` is ``"data"`` then.
    values : sequence, array or Series, optional
        One value per row, counted at once: the design keeps the counts. Rows without a value, or below the first edge, are in no
        cell.
    name : str
        What the user calls it.
    unit : str
        What its rows are, in the plural, like ``"patients"``; empty: rows.
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
    >>> len(dp.release(dp.HistogramDesign([0, 18, 65], values=[17, 40, 41, 70], epsilon=1)))
    3
    >>> answers = dp.HistogramDesign(categories="yes, no", epsilon=1, path="example:admissions_1973.csv", column="decision")
    >>> [answers.title(cell) for cell in range(answers.size)]
    ['yes', 'no', 'any other']
    """

    kind: ClassVar[str] = "histogram"
    compared_as: ClassVar[str] = "noise"  #: both have the expected error of an answer
    views: ClassVar[tuple[View, ...]] = (
        View("histogram", message("Histogram"), ("histogram",), _COUNTS_TIP),
        View("density", message("Noise of a cell"), ("density",), _NOISE_TIP),
        VIEWS["distribution"],
        replace(VIEWS["epsilon"], panels=("epsilon",)),  # discrete Laplace noise is geometric noise: no ratio to show
    )
    view_defaults: ClassVar[Mapping[str, ViewValue]] = MappingProxyType({**LOOKS, "truth": True})
    side_jobs: ClassVar[tuple[SideJob, ...]] = SIDE_JOBS
    buttons: ClassVar[tuple[Action, ...]] = BUTTONS
    also: ClassVar[tuple[str, ...]] = ("values",)
    data_inputs: ClassVar[tuple[str, ...]] = ("counts",)
    beside_views: ClassVar[tuple[str, ...]] = BESIDE
    needed: ClassVar[tuple[str, ...]] = ("cells", "neighbours", "privacy")

    cells: str = declare(
        _CELLS,
        default=None,
        label=message("cells"),
        when=lambda design: design.categories is None,
        secret=lambda design: design.categories is not None,
    )
    neighbours: Neighbours = declare(_NEIGHBOURS, default="add-remove", label=message("one row is"))
    privacy: PrivacyLevel = declare(LevelInput(), default=1, required=True, label=message("requested privacy"))
    cost: str = declare(_COST, default="absolute", label=message("cost of noise"))
    path: str = declare(_FILE, default="", label=message("file"), when=lambda design: bool(design.path), secret=True)
    column: str = declare(_COLUMN, default="", label=message("column"), when=lambda design: bool(design.path))
    counts: tuple[int, ...] | None = declare(
        _COUNTS, default=None, label=message("counts"), when=lambda design: False, secret=True
    )
    categories: tuple[str, ...] | None = declare(
        _CATEGORIES, default=None, label=message("categories"), when=lambda design: design.categories is not None
    )
    outside: Outside = declare(
        _OUTSIDE,
        default="other",
        label=message("other rows"),
        when=lambda design: design.categories is not None,
    )
    listed: Listed = declare(
        _LISTED,
        default="public",
        label=message("list"),
        when=lambda design: design.categories is not None or design.listed == "data",
    )

    unit: str = declare(text(longest=20), default="", label=message("unit"), when=lambda design: bool(design.unit))

    if TYPE_CHECKING:  # epsilon or alpha instead of privacy, and lists in any form

        def __init__(self, cells: Any = None, neighbours: Neighbours = "add-remove", **inputs: Any) -> None: ...

    @classmethod
    def _by_field(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Count values, and use the labels of counts as categories."""
        values_of = dict(given)
        values, counts = values_of.pop("values", None), values_of.get("counts")
        if (values is not None) + (counts is not None) + bool(values_of.get("path")) > 1 and values is not None:
            raise InputError("a histogram has values, counts or a file to count from, got more than one of them.", "counts")
        if (categories := values_of.get("categories")) is not None:
            categories = _CATEGORIES.read(categories, "categories", {})
        if values is not None:
            cells = None if values_of.get("cells") is None else cells_text(values_of["cells"])
            values_of["counts"] = counts_of_values(values, cells, categories, values_of.get("outside", "other"))
        elif (labels := labels_of(counts)) is not None and values_of.get("cells") is None:
            if categories is None:
                values_of = {"categories": labels, "outside": "refuse", "listed": "data", **values_of}
            values_of["counts"] = counts_by_label(counts, labels, categories, values_of.get("outside", "other"))
        return super()._by_field(values_of)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; values are counted in the cells or categories of the copy."""
        if "values" in changes:
            kept = {"cells": self.cells, "categories": self.categories, "outside": self.outside}
            changes = {**kept, "path": "", "column": "", **changes}
        return super().replace(**changes)

    def __post_init__(self) -> None:
        if self.cells is None:
            if self.categories is None:
                raise InputError(
                    "a histogram design must have cells, like [0, 18, 65], or categories, like ['yes', 'no'], got neither.",
                    "cells",
                )
            object.__setattr__(self, "cells", FIRST_CELLS)
        super().__post_init__()

    @classmethod
    def of_column(cls, path: str, column: str) -> Self:
        """Return a first design for a column: ranges of its numbers, or its texts, unless there are too many; from the data."""
        there: dict[str, Any] = {"path": path, "column": column, "epsilon": "1/2", "name": titled(column)}
        if not holds_numbers(resolved(path), column):
            names = names_of_column(path, column)
            return cls(FIRST_CELLS, categories=names, listed="data" if names else "public", **there)
        cells = cells_of_column(path, column)
        return cls(cells or FIRST_CELLS, listed="data" if cells else "public", **there)

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the window's initial design of this kind."""
        return super().starting(**{"cells": FIRST_CELLS, **changes})

    def check(self) -> None:
        """Refuse a list of the wrong length, unreadable cells if there is no list, and counts that do not fit the cells."""
        check_list(self.categories, self.outside)
        cells = self.size
        if self.counts is not None and len(self.counts) != cells:
            raise InputError(f"there must be one count per cell, {cells}, got {len(self.counts)}.", "counts")

    @property
    @override
    def data_name(self) -> str:
        return data_name(self.path, "" if self.counts is None else "counts in the design")

    @property
    @override
    def release_loss(self) -> Spent:
        return Spent(self.privacy, adjacency=self.neighbours)

    @property
    def spent(self) -> Spent:
        """The privacy loss of one release: its level, unless the list comes from the data."""
        return Spent(self.privacy, adjacency=self.neighbours) if self.listed == "public" else UNBOUNDED

    @property
    def epsilon(self) -> float:
        """The privacy level."""
        return self.privacy.epsilon

    @property
    def rows(self) -> str:
        """The name of its rows, in the plural."""
        return self.unit or "rows"

    @property
    def cost_title(self) -> str:
        """A short phrase for the cost of an error in a cell."""
        return noise_cost(self.cost).title

    @property
    def line(self) -> Message:
        """The design in one line: ``histogram of 11 cells · Δ = 1 · absolute error · ε = 1``."""
        parts = {"period": self.sensitivity.value, "cost": self.cost_title, "privacy": self.privacy.description}
        cells = message("1 cell") if self.size == 1 else message("{count} cells", count=self.size)
        return message("histogram of {cells} · Δ = {period} · {cost} · {privacy}", cells=cells, **parts)

    @property
    def source(self) -> Source:
        """The data that are counted, and their location."""
        return Source(self.cells, self.path, self.column, self.counts, self.categories, self.outside)

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.source.size

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        """The lower edges of the cells, increasing."""
        return cell_edges(self.cells)

    @cached_property
    def whole(self) -> bool:
        """True for cells that are written as whole numbers, whatever the data are."""
        return self.categories is None and of_whole_numbers(self.cells)

    @property
    def uncounted(self) -> Message:
        """A sentence on the rows that are in no cell, and on fractions; empty for categories."""
        if self.categories is not None:
            return message("")
        words = message("Rows that are empty or below {edge} are not counted; fractions are rounded down.")
        words = words if self.whole else message("Rows that are empty or below {edge} are not counted.")
        return message(words, edge=cell_title(self.edges, 0).partition(" ")[0])

    @property
    def sensitivity(self) -> sensitivity.Sensitivity:
        """The sensitivity of all cells together, with the reason."""
        return sensitivity.histogram(self.neighbours)

    @property
    def compared_inputs(self) -> dict[str, Finding]:
        """The inputs that a comparison with a number needs; the cells determine the sensitivity."""
        query = Finding(message("query"), message("histogram of {cells} cells", cells=self.size))
        return {"query": query, "sensitivity": Finding(message("sensitivity Δ"), str(self.sensitivity.value))}

    def title(self, cell: int) -> str:
        """Return the contents of a cell as a label: ``3``, ``3–4``, ``18 to <65``, ``65 or more``, ``yes``, ``any other``."""
        if self.categories is not None:
            return self.categories[cell] if cell < len(self.categories) else OTHER
        return cell_title(self.edges, cell, self.whole)

    def remade(self, given: object) -> Released:
        """Return a release of this design of its values in a file; raises `InputError` for others."""
        if not isinstance(given, list) or len(given) != self.size:
            raise InputError(f"a release of this histogram must list {self.size} counts, got {excerpt(given)}.", "file")
        counts = [parse_integer(count, "a released count", -_LARGEST_RELEASED, _LARGEST_RELEASED, "file") for count in given]
        return Released(self, HistogramRelease.of(None, counts, self.privacy, self.neighbours))

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values; without data there is no location, and without a list none of its inputs."""
        data = super().to_json()
        left = {key for key in ("path", "unit") if not data.get(key)}
        left |= {"column"} if not (self.path or self.column) else set()
        if self.categories is None:
            left |= {"outside"} | ({"listed"} if self.listed == "public" else set())
        return {key: value for key, value in data.items() if key not in left}


@dataclass(frozen=True, eq=False)
class Released:
    """One release of the histogram of a design."""

    design: HistogramDesign
    release: HistogramRelease

    def releases(self, design: HistogramDesign) -> bool:
        """Return whether this is also a release of another design, whatever its name, its cost, and what is said of its list."""
        both = self.design, design
        mine, theirs = ((each.privacy, each.source._replace(counts=None), each.neighbours) for each in both)
        truth = self.release.truth
        same = bool(design.path) if design.counts is None or truth is None else design.counts == tuple(truth.tolist())
        return mine == theirs and (self.design.counts == design.counts or same)

    @property
    def values(self) -> list[int]:
        """The released counts, as JSON values."""
        counts: list[int] = self.release.released.tolist()
        return counts

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the cells with their released counts and 95% error bounds, without the true counts, which must stay private."""
        size, first = self.design.size, "cell" if self.design.categories is None else "category"
        titles = np.array([str(self.design.title(cell)) for cell in range(size)])
        bounds = (discrete_staircase.error_within(self.release.cell_privacy, chance) for chance in (0.95, 0.95 ** (1 / size)))
        each, every = (np.full(size, bound) for bound in bounds)
        return {first: titles, "released": self.release.released, "95% bound of each": each, "95% bound of all": every}

    def counts_column(self, design: HistogramDesign) -> bool:
        """Return whether this counts the column of another design, whatever its cells and its level."""
        mine, theirs = ((each.path, each.column) if each.path else each.counts for each in (self.design, design))
        return mine == theirs and design.source.is_set
