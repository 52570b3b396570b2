"""The design of two made-up columns: the real ones, a grid of cells, how private, and the way."""

from __future__ import annotations

from functools import lru_cache
from math import floor, log10
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self, override

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.synthetic.cells import Cells, Shape
from dpdesigner.core.synthetic.rectangles import MOST_BITS, grid_counts, square_shape
from dpdesigner.data.columns import number_columns, resolved
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import DeclaredDesign, View
from dpdesigner.studies.fields import choice, column, declare, number, seed, whole_number
from dpdesigner.studies.inputs.columns import ColumnSpec
from dpdesigner.studies.release_inputs import Releasing, how_private, how_sure, real_errors

_FARTHEST = 10**12
_FILE = "example:survey_1996.csv"
AGES, INCOMES = ColumnSpec(_FILE, "age"), ColumnSpec(_FILE, "income_class")
TOUCHED = 2  # cells of a level that a replaced row changes


class RectangleDesign(Releasing, DeclaredDesign):
    """Two columns are made up whose rectangle counts are near those of two real ones; the number of rows is public.

    Parameters
    ----------
    first, second : array_like, path or {"path": FILE, "column": NAME}
        One number a row each, of the same rows.
    low, high, low2, high2 : Number
        The ends of both axes, fixed beforehand.
    bits : int
        There are 2^bits cells along each axis.
    epsilon : Number
        Of both columns together; a row is replaced by any other.
    delta : Number
        The chance that the promise of the noisy table does not hold.
    method : {"laplace", "hierarchy"}
    seed : int or None
        For study only; None draws from the system's entropy.
    real_errors : {"kept", "published"}
        Whether the error of the worst rectangle, computed from the real columns, goes into files; that is not private.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.RectangleDesign([1, 2, 3, 3] * 50, second=[1, 1, 2, 3] * 50, epsilon=1, high=4, high2=4, bits=2))
    >>> found.counts.shape, int(found.counts.sum())
    ((4, 4), 200)
    """

    kind: ClassVar[str] = "rectangle"
    views: ClassVar[tuple[View, ...]] = (
        View("made", message("Synthetic"), ("made",)),
        View("off", message("Errors"), ("off",)),
    )

    first: ColumnSpec = declare(
        column(AGES),
        default=AGES,
        required=True,
        label=message("The first column"),
        term=message("stays with you"),
        note=message("This column never leaves your computer. Choose the range of the axis without looking at the data."),
        undo=message("Choose column"),
    )
    low: Number = declare(number(-_FARTHEST, _FARTHEST), default=0, label=message("From"), joined=True)
    high: Number = declare(number(-_FARTHEST, _FARTHEST), default=128, label=message("To below"), joined=True)
    second: ColumnSpec = declare(
        column(INCOMES),
        default=INCOMES,
        required=True,
        label=message("The second column"),
        term=message("stays with you"),
        note=message("The same rows as in the first column, in the same order."),
        undo=message("Choose column"),
    )
    low2: Number = declare(number(-_FARTHEST, _FARTHEST), default=0, label=message("From"), joined=True)
    high2: Number = declare(number(-_FARTHEST, _FARTHEST), default=32, label=message("To below"), joined=True)
    bits: int = declare(whole_number(1, MOST_BITS), default=3, label=message("Cells"), term=message("power of 2 along each axis"))
    epsilon: Number = how_private()
    delta: Number = how_sure("1e-4", joined=True)
    method: str = declare(
        choice(("laplace", message("Cell by cell")), ("hierarchy", message("Squares and cells"))),
        default="laplace",
        label=message("Method"),
        undo=message("Change the method"),
    )
    seed: int | None = declare(seed(), default=None, label=message("Seed"), term=message("for study only"), joined=True)
    real_errors: str = real_errors()

    if TYPE_CHECKING:  # numbers and data in any of their forms

        def __init__(self, first: Any, *more: Any, **inputs: Any) -> None: ...

    @override
    def check(self) -> None:
        for low, high, field in ((self.low, self.high, "high"), (self.low2, self.high2, "high2")):
            if not exact(low) < exact(high):
                raise InputError(f"the upper end of the axis must be above the lower end, got {low} to {high}.", field)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; the second column follows the first one into another file."""
        first = changes.get("first")
        if isinstance(first, ColumnSpec) and "second" not in changes and first.path and first.path != self.first.path:
            changes["second"] = _beside(first)
        return super().replace(**changes)

    @property
    def axes(self) -> tuple[Cells, Cells]:
        """The cells of both axes."""
        return Cells(exact(self.low), exact(self.high), self.bits), Cells(exact(self.low2), exact(self.high2), self.bits)

    @property
    def line(self) -> str:
        """The inputs in one line."""
        names = {"first": self.first.title, "second": self.second.title, "size": 1 << self.bits, "epsilon": self.epsilon}
        way = message("squares and cells") if self.method == "hierarchy" else message("cell by cell")
        return message("{first} and {second} · {size} × {size} cells · ε = {epsilon} · {way}", **names, way=way)

    def shape(self, method: str) -> Shape:
        """Return how a way counts the cells."""
        return square_shape(self.bits) if method == "hierarchy" else Shape((4**self.bits,))


def _beside(first: ColumnSpec) -> ColumnSpec:
    """The next column of numbers in the file of another one, or the one before where there is none."""
    names = number_columns(resolved(first.path))
    place = names.index(first.column) if first.column in names else 0
    return ColumnSpec(first.path, next(iter((*names[place + 1 :], *reversed(names[:place]))), first.column))


def real_table(design: RectangleDesign) -> Integers:
    """Return how many rows lie in each cell of the grid.

    Raises
    ------
    InputError
        If a column cannot be read, a row has no number or lies in no cell, or the columns are not of the same rows.
    """
    return _table(design.first, design.second, *design.axes, (design.first.changed, design.second.changed))


@lru_cache(maxsize=4)
def _table(first: ColumnSpec, second: ColumnSpec, along: Cells, across: Cells, changed: tuple[int, int]) -> Integers:
    x, y = _inside(first, along, "low", "high"), _inside(second, across, "low2", "high2")
    if len(x) != len(y):
        raise InputError(f"both columns must have the same number of rows, got {len(x)} and {len(y)}.", "second")
    table = grid_counts(along, across, x, y)
    table.flags.writeable = False
    return table


def _inside(given: ColumnSpec, cells: Cells, low: str, high: str) -> Floats:
    """The numbers of a column; where some are outside, the end of the axis to change and a round one that would do."""
    try:
        return given.inside(cells, high)
    except InputError as error:
        if error.field != high:
            raise
        values = given.numbers()
        least, most = float(values.min()), float(values.max())
        if least < cells.edges[0]:
            raise InputError(str(error), low, f"{_round_below(least):g}") from None
        raise InputError(str(error), high, f"{-_round_below(-most, strict=True):g}") from None


def _round_below(value: float, strict: bool = False) -> float:
    """Return a number of one digit that is at most a value, or below it."""
    step = 10.0 ** floor(log10(abs(value))) if value else 1.0
    below = floor(value / step) * step
    return below - step if strict and below == value else below
