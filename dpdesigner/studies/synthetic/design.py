"""The design of a made-up column: the real one, its cells, how private, how near and how sure, and in which way."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, cast

from typing_extensions import Self, override

from dpdesigner.arrays import Integers
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.core.numbers.rounding import counted
from dpdesigner.core.privacy.composition import budget_of
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import Cells
from dpdesigner.core.synthetic.making import Budget, Method, Neighbours
from dpdesigner.core.synthetic.weights import MOST_BITS
from dpdesigner.errors import InputError
from dpdesigner.studies.accuracy import PUBLISHED, Releasing, how_near, how_private, how_sure, real_errors
from dpdesigner.studies.asked import asked, choice, column, number, seed, whole_number
from dpdesigner.studies.column_input import GivenColumn
from dpdesigner.studies.declared import Declared, View, ViewValue
from dpdesigner.studies.number_inputs import epsilon_of
from dpdesigner.studies.said import said

FARTHEST = 10**12
AGES = GivenColumn("example:survey_1996.csv", "age")
NEIGHBOURS = (("replace", said("a row is replaced")), ("add-remove", said("a row joins or leaves")))
WAYS = (
    ("laplace", said("Cell by cell")),
    ("hierarchy", said("Hierarchy")),
    ("mwem", said("Weights")),
    ("quantiles", said("Quantiles")),
    ("blr", said("Bisection [BLR]")),
)


class IntervalDesign(Releasing, Declared):
    """A column is made up whose interval counts are near those of a real one.

    Parameters
    ----------
    column : array_like, path, {"path": FILE, "column": NAME} or {"drawn": WEIGHTS or NAME, "rows": COUNT}
        One number a row; or rows that are nobody's, as they are drawn along the axis.
    low, high : Number
        The ends of the axis, fixed beforehand and not taken from the data; cells are half-open.
    bits : int
        There are 2^bits cells of equal width.
    epsilon : Number
        Of the whole release.
    alpha, delta : Number
        The error to aim for, as a share of the rows, and the chance of missing it.
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
    >>> dp.solve(dp.IntervalDesign([3, 3, 4, 7, 9] * 40, low=0, high=16, bits=4, method="laplace")).counts.shape
    (16,)
    """

    kind: ClassVar[str] = "synthetic"
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"low": None, "high": None}  #: the interval asked about
    views: ClassVar[tuple[View, ...]] = (
        View("total", said("Running total"), ("total", "difference")),
        View("histogram", said("Histogram"), ("histogram",)),
        View("budget", said("Budget"), ("budget",)),
        View("failures", said("How many rows"), ("failures",)),
    )

    column: GivenColumn = asked(
        column(AGES, drawable=True),
        default=AGES,
        label=said("The real column"),
        term=said("stays with you"),
        undo=said("Choose column"),
    )
    low: Number = asked(number(-FARTHEST, FARTHEST), default=0, label=said("From"), undo=said("Change the axis"))
    high: Number = asked(number(-FARTHEST, FARTHEST), default=128, label=said("To"), undo=said("Change the axis"))
    bits: int = asked(whole_number(1, 20), default=10, label=said("Cells"), undo=said("Change the cells"))
    epsilon: Number = how_private()
    alpha: Number = how_near("0.05", undo=said("Aim for an error"))
    delta: Number = how_sure()
    neighbours: str = asked(
        choice(*NEIGHBOURS),
        default="replace",
        label=said("What a person can change"),
        undo=said("Change the neighbours"),
    )
    method: str = asked(choice(*WAYS), default="blr", label=said("How it is made"), undo=said("Change the way"))
    outside: str = asked(
        choice(("refuse", said("are refused")), ("clamp", said("count in the nearest cell"))),
        default="refuse",
        label=said("Rows outside"),
        undo=said("Clamp rows outside"),
    )
    seed: int | None = asked(seed(), default=None, label=said("Seed"), term=said("for study only"))
    real_errors: str = real_errors()

    @override
    def check(self) -> None:
        if not exact(self.low) < exact(self.high):
            raise InputError(f"the axis must end above where it begins, got {self.low} to {self.high}.", "high")
        if self.method == "mwem" and self.bits > MOST_BITS:
            raise InputError(
                f"weights are for at most 2 to the {MOST_BITS} cells, got bits = {self.bits}.", "bits", str(MOST_BITS)
            )

    @property
    def cells(self) -> Cells:
        """The cells of the axis."""
        return _cells(exact(self.low), exact(self.high), self.bits)

    @property
    def budget(self) -> Budget:
        """How epsilon is shared; irrational ones are rounded down in the fifteenth digit."""
        return Budget(budget_of(self.privacy), cast(Neighbours, self.neighbours))

    @property
    def accuracy(self) -> Fraction:
        """The error aimed for, exactly."""
        return exact(self.alpha)

    @property
    def way(self) -> Method:
        """The method."""
        return cast(Method, self.method)

    @property
    def tells(self) -> bool:
        """Whether what is computed from people's data goes into files."""
        return self.real_errors == PUBLISHED and not self.column.drawn

    @property
    def line(self) -> str:
        """The inputs in one line; the number of rows is in no line, for it need not be public."""
        parts: dict[str, Any] = {
            "column": self.column.words if self.column.drawn else self.column.title,
            "cells": counted(1 << self.bits),
        }
        parts |= {"low": self.low, "high": self.high, "epsilon": self.epsilon, "delta": self.delta}
        parts["method"] = dict(WAYS)[self.method]
        return said("{column} · {low} to {high} in {cells} cells · ε = {epsilon} · δ = {delta} · {method}", **parts)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; `privacy` may be given for epsilon."""
        if isinstance(level := changes.pop("privacy", None), PrivacyLevel):
            changes["epsilon"] = epsilon_of(level)
        return super().replace(**changes)


@lru_cache(maxsize=8)
def _cells(low: Fraction, high: Fraction, bits: int) -> Cells:
    """Kept for their edges, of which there can be a million."""
    return Cells(low, high, bits)


def real_counts(design: IntervalDesign) -> Integers:
    """Return how many rows of the real column lie in each cell.

    Raises
    ------
    InputError
        If the column cannot be read, or a row has no number, or lies in no cell and may not be clamped.
    """
    return design.column.counts(design.cells, clamp=design.outside == "clamp", field="outside")
