"""The design of a synthetic column: the real one, its cells, privacy level, target error, confidence, and method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from typing_extensions import Self, override

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.accountant import Adjacency, budget_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, nearest
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.cells import Cells
from dpdesigner.core.synthetic.methods import WEIGHTS_BITS, Budget, Method, Neighbours
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Action, DeclaredDesign, View, ViewValue
from dpdesigner.studies.column_inputs import ColumnSpec
from dpdesigner.studies.fields import (
    Releasing,
    choice,
    column,
    declare,
    how_near,
    how_private,
    how_sure,
    number,
    power,
    real_errors,
    seed,
)
from dpdesigner.studies.number_inputs import epsilon_of
from dpdesigner.studies.snapshot import Snapshot

FARTHEST = 10**12
AGES = ColumnSpec("example:survey_1996.csv", "age")
NEIGHBOURS = (("replace", message("a row is replaced")), ("add-remove", message("a row is added or removed")))
WAYS = (
    ("laplace", message("Cell by cell")),
    ("hierarchy", message("Hierarchy")),
    ("mwem", message("Weights")),
    ("quantiles", message("Quantiles")),
    ("blr", message("Bisection [BLR]")),
)


def _better(now: Snapshot[Any, Any]) -> str | None:
    """Return the method with a smaller error bound, if there is one."""
    if not now.design.kind == now.answer.design.kind == "synthetic":
        return None
    best: str | None = now.answer.facts.recommended
    return None if best == now.design.method else best


class IntervalDesign(Releasing, DeclaredDesign):
    """A synthetic column whose interval counts are near those of a real one.

    Parameters
    ----------
    column : array_like, path, {"path": FILE, "column": NAME} or {"drawn": WEIGHTS or NAME, "rows": COUNT}
        One number per row; or rows that are nobody's, as they are drawn along the axis. With ``"partial": True`` rows of a file
        without a number are left out.
    low, high : Number
        The ends of the axis, fixed in advance and not taken from the data; cells are half-open.
    bits : int
        There are 2^bits cells of equal width.
    epsilon : Number
        Of the whole release.
    error, delta : Number
        The error to aim for, as a share of the rows, and the probability of missing it.
    neighbours : {"replace", "add-remove"}
        Whether the number of rows is public, or gets a tenth of epsilon.
    method : {"blr", "laplace", "hierarchy", "mwem", "quantiles"}
    outside : {"refuse", "clamp"}
        What becomes of rows in no cell: the column is refused, or they count in the nearest one.
    seed : int or None
        For study only; None draws from the system's entropy.
    real_errors : {"kept", "published"}
        Whether the error of the worst interval, computed from the real column, goes into files; that is not private.

    >>> import dpdesigner as dp
    >>> dp.solve(dp.IntervalDesign([3, 3, 4, 7, 9] * 40, epsilon=1, low=0, high=16, bits=4, method="laplace")).counts.shape
    (16,)
    """

    kind: ClassVar[str] = "synthetic"
    drawn_part: ClassVar[str] = "facts"
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"low": None, "high": None}  #: the selected interval
    views: ClassVar[tuple[View, ...]] = (
        View("total", message("Rows up to each value"), ("total", "difference", "releases")),
        View("histogram", message("Histogram"), ("histogram",)),
        View("budget", message("Privacy budget"), ("budget",), when=lambda design: design.method != "laplace"),
        View("failures", message("Rows needed"), ("failures",), when=lambda design: design.method == "blr"),
    )
    buttons: ClassVar[tuple[Action, ...]] = (
        Action(
            message("Worst range"),
            lambda now: {"low": None, "high": None},
            message("Show the range with the largest error"),
            "W",
            offered=lambda now: now.design.kind == "synthetic" and now.view["view"] in ("", "total"),  # where it is marked
            presented=True,
        ),
        Action(
            message("Use best method"),
            lambda now: now.design.replace(method=_better(now)),
            message("Use the method with the smallest error bound"),
            offered=lambda now: _better(now) is not None,
        ),
    )

    column: ColumnSpec = declare(
        column(AGES, drawable=True),
        default=AGES,
        required=True,
        label=message("The real column"),
        term=message("stays with you"),
        undo=message("Choose column"),
    )
    low: Number = declare(number(-FARTHEST, FARTHEST), default=0, label=message("From"), undo=message("Change the axis"))
    high: Number = declare(number(-FARTHEST, FARTHEST), default=128, label=message("To"), undo=message("Change the axis"))
    bits: int = declare(power(1, 20), default=10, label=message("Cells"), undo=message("Change the cells"))
    epsilon: Number = how_private()
    error: Number = how_near("0.05", undo=message("Aim for an error"))
    delta: Number = how_sure()
    neighbours: str = declare(
        choice(*NEIGHBOURS),
        default="replace",
        label=message("Neighbours"),
        undo=message("Change the neighbours"),
    )
    method: str = declare(choice(*WAYS), default="blr", label=message("Method"), undo=message("Change the method"))
    outside: str = declare(
        choice(("refuse", message("are refused")), ("clamp", message("count in the nearest cell"))),
        default="refuse",
        label=message("Rows outside"),
        undo=message("Clamp rows outside"),
    )
    seed: int | None = declare(seed(), default=None, label=message("Seed"), term=message("for study only"))
    real_errors: str = real_errors()

    if TYPE_CHECKING:  # numbers and data in any of their forms

        def __init__(self, column: Any, *more: Any, **inputs: Any) -> None: ...

    @override
    def check(self) -> None:
        if not exact(self.low) < exact(self.high):
            raise InputError(f"the upper end of the axis must be above the lower end, got {self.low} to {self.high}.", "high")
        if self.method == "mwem" and self.bits > WEIGHTS_BITS:
            most = 1 << WEIGHTS_BITS
            given = group_thousands(1 << self.bits)
            raise InputError(f"weights are for at most {group_thousands(most)} cells, got {given}.", "bits", str(most))

    @property
    def cells(self) -> Cells:
        """The cells of the axis."""
        return _cells(exact(self.low), exact(self.high), self.bits)

    @property
    def budget(self) -> Budget:
        """The shares of epsilon; irrational values are rounded down at the fifteenth digit."""
        return Budget(budget_of(self.privacy), cast(Neighbours, self.neighbours))

    @property
    def accuracy(self) -> Fraction:
        """The exact target error."""
        return exact(self.error)

    @property
    def adjacency(self) -> Adjacency:
        """The neighbouring databases for which the level holds."""
        return cast(Adjacency, self.neighbours)

    @property
    def way(self) -> Method:
        """The method."""
        return cast(Method, self.method)

    @property
    def heading(self) -> str:  # type: ignore[override]
        """The title of a design without a name: the column and the file, if the file is the user’s own."""
        own = self.column.path and not self.column.path.startswith(EXAMPLE)
        return message("{column} of {file}", column=self.column.title, file=Path(self.column.file).stem) if own else ""

    @property
    @override
    def partial(self) -> bool:
        return self.column.partial

    @override
    def leaving_out(self) -> Self:
        return self.replace(column=replace(self.column, partial=True))

    @override
    def read_data(self) -> None:
        real_counts(self)

    @property
    def drawn(self) -> bool:
        """Whether the column is drawn."""
        return self.column.drawn

    @property
    def line(self) -> str:
        """The inputs in one line; it omits the number of rows, which need not be public."""
        parts: dict[str, Any] = {
            "column": self.column.description if self.column.drawn else self.column.title,
            "cells": group_thousands(1 << self.bits),
        }
        parts |= {"low": self.low, "high": self.high, "epsilon": self.epsilon}
        parts["method"] = dict(WAYS)[self.method]
        return message("{column} · {low} to {high} in {cells} cells · ε = {epsilon} · {method}", **parts)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; `privacy` may be given for epsilon."""
        if isinstance(level := changes.pop("privacy", None), PrivacyLevel):
            changes["epsilon"] = epsilon_of(level)
        made = super().replace(**changes)
        other = made.column != self.column and self.column.path.startswith(EXAMPLE)
        return super(IntervalDesign, made).replace(name="") if other and made.name == self.name else made


@lru_cache(maxsize=8)
def _cells(low: Fraction, high: Fraction, bits: int) -> Cells:
    """Return the cells, cached because they can have a million edges."""
    return Cells(low, high, bits)


def real_counts(design: IntervalDesign) -> Integers:
    """Return the number of rows of the real column in each cell.

    Raises
    ------
    InputError
        If the column cannot be read, or a row has no number, or lies in no cell and may not be clamped. Suggests how many
        rows would be left out, or clamped, in the input that says so.
    """
    try:
        return design.column.counts(design.cells, clamp=design.outside == "clamp", field="outside")
    except InputError as error:
        if error.field == "outside":
            many = design.column.outside(design.cells)
            if 2 * many > len(design.column.complete()):
                raise _no_range(design.column, design.cells, "high") from None
            raise InputError(str(error), "outside", str(many)) from None
        if many := 0 if design.column.partial else design.column.incomplete:
            raise InputError(str(error), "column", str(many)) from None
        raise


def inside(given: ColumnSpec, cells: Cells, low: str, high: str) -> Floats:
    """Return the numbers of a column; if some are outside, name the end of the axis to change and a range for all of them."""
    try:
        return given.inside(cells, high)
    except InputError as error:
        if error.field != high:
            raise
        wrong = _no_range(given, cells, low if given.numbers().min() < cells.edges[0] else high)
        sentence = str(wrong) if 2 * given.outside(cells) > len(given.complete()) else f"{str(error)[:-1]}{_TAKEN}"
        raise InputError(sentence, wrong.field, wrong.suggestion) from None


_TAKEN = "; a range taken from the data is not private."


def _no_range(given: ColumnSpec, cells: Cells, field: str) -> InputError:
    """Return the refusal of a range that is not that of a column; suggests one in which all its numbers are, of round ends."""
    values, (low, high) = given.complete(), (nearest(cells.low), nearest(cells.high))
    least, most = float(values.min()), float(values.max())
    ends = low if low <= least else _round_below(least), high if most < high else -_round_below(-most, strict=True)
    far = f"{group_thousands(given.outside(cells))} rows are outside {low:g} to {high:g}"
    sentence = f"the range must be one that {given.title} can have, but {far}{_TAKEN}"
    return InputError(sentence, field, " to ".join(f"{end:.12g}" for end in ends))


def _round_below(value: float, strict: bool = False) -> float:
    """Return the nearest number of one digit that is at most a value, or below it if strict."""
    step = 10.0 ** floor(log10(abs(value))) if value else 1.0
    below = floor(value / step) * step
    return below - step if strict and below == value else below
