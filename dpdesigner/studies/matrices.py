"""Pictures of matrices and planes: the cells come from an array, or in blocks if a matrix is too large to store.

A view asks for no more cells than it has pixels. A source that has more gives the largest entry of each block, so that no
entry can vanish between two pixels; one that can only be asked for single cells gives one of each block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.errors import InputError
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Select

Indices = NDArray[np.intp]
Sample = Callable[[Indices, Indices], Floats]
Strongest = Callable[[Indices, int, Indices, int], Floats]


@dataclass(frozen=True)
class Cells:
    """A matrix of a given size whose cells can be queried.

    Parameters
    ----------
    rows, columns : int
        The size.
    sample : callable
        ``sample(i, r)`` returns the array (len(i), len(r)) of the cells in these rows and columns.
    dense : array (rows, columns), optional
        All the cells, where they are at hand.
    signed : bool
        Whether cells may be negative, so that the strongest of a block may be its least.
    strongest : callable, optional
        ``strongest(i, high, r, wide)`` returns the array (len(i), len(r)) of the largest cells of the blocks of `high` rows and
        `wide` columns that begin in these rows and columns.
    names : sequence of str
        What the columns are called; empty: 0, 1, 2, ….
    """

    rows: int
    columns: int
    sample: Sample
    dense: Floats | None = None
    signed: bool = False
    strongest: Strongest | None = None
    names: Sequence[str] = ()

    def column(self, place: int) -> str:
        """Return what a column is called."""
        return self.names[place] if self.names else group_thousands(place)

    def cell(self, row: int, column: int) -> float:
        """Return one cell."""
        return float(self.block(np.array([row]), np.array([column]))[0, 0])

    def block(self, rows: Indices, columns: Indices) -> Floats:
        """Return the cells in the given rows and columns, as an array (len(rows), len(columns))."""
        return np.asarray(self.sample(rows, columns), dtype=float)


@dataclass(frozen=True, eq=False)
class Matrix:
    """A table of numbers as a picture, with rows from top to bottom.

    Attributes
    ----------
    key, title : str
    cells : Cells
        Where they come from; there may be more than can be held.
    rows, columns : str
        What the axes are called.
    kind : {"probability", "difference"}
        Differences get colours centred at 0.
    texts : callable or None
        ``texts(i, r)`` returns the exact text of a cell, such as ``1/48``, or None.
    sentence : callable or None
        ``sentence(i, r)`` returns what is said of a cell, where it is no plain probability.
    ratio_limit : float or None
        The largest ratio that privacy allows between neighbouring rows, exp(epsilon); infinite: no ratio is written.
    secret : bool
        Whether it is shown in the window only.
    veiled : array (rows,) of bool or None
        Rows that the user holds for impossible.
    select : Select or None
        What is changed by a click on a row.
    selected : int
        The row that is selected; -1: none.
    numbers : bool
        Whether the numbers are written in their cells, as far as they have room.
    short : str
        A shorter title, for where there is less room.
    binding : Cells or None
        (rows - 1, columns): the privacy constraint that binds between neighbouring rows, drawn over the cells.

    Raises
    ------
    InputError
        If there is no such row, or the rows that are veiled are not those of the matrix.
    """

    key: str
    title: str
    cells: Cells
    rows: str = ""
    columns: str = ""
    kind: Literal["probability", "difference"] = "probability"
    texts: Callable[[int, int], str | None] | None = None
    sentence: Callable[[int, int], str] | None = None
    ratio_limit: float | None = None
    secret: bool = False
    veiled: NDArray[np.bool_] | None = None
    select: Select | None = None
    selected: int = -1
    numbers: bool = False
    short: str = ""
    binding: Cells | None = None

    def __post_init__(self) -> None:
        if not -1 <= self.selected < self.cells.rows:
            raise InputError(f"One of {self.cells.rows} rows can be selected, got {self.selected}.", "matrix")
        if self.veiled is not None and self.veiled.shape != (self.cells.rows,):
            raise InputError(f"There are {self.cells.rows} rows, got veils of shape {self.veiled.shape}.", "matrix")


@dataclass(frozen=True, eq=False)
class Plane:
    """A function on a square of the plane, as a picture with a logarithmic colour scale.

    Attributes
    ----------
    key, title : str
    values : ndarray
        (size, size), at least 0, the lowest y first.
    reach : float
        Half the side of the square, which has its centre at 0.
    ends : (float, float)
        The values of the weakest and the strongest colour, so that two planes can share them.
    at : callable
        ``at(x, y)`` returns the function itself.
    name : str
        What it is called beside another.
    """

    key: str
    title: str
    values: Floats
    reach: float
    ends: tuple[float, float]
    at: Callable[[float, float], float]
    name: str = ""


@dataclass(frozen=True, eq=False)
class Planes:
    """Planes next to each other with the same colours, read at one point, and a cut through them.

    Attributes
    ----------
    key, title : str
        Of all of them; the title begins the names of the pictures.
    planes : tuple of Plane
    cut : Plot
    along : callable
        ``along(x, y)`` returns the place of a point on the cut.
    read : callable
        ``read(x, y)`` returns what is said of a point.
    """

    key: str
    title: str
    planes: tuple[Plane, ...]
    cut: Plot
    along: Callable[[float, float], float]
    read: Callable[[float, float], str]


@dataclass(frozen=True)
class Glance:
    """The visible part of a matrix: `values`, one entry for each `row_step` by `column_step` cells, from a first cell on."""

    values: Floats
    row: int
    column: int
    row_step: int
    column_step: int


def dense_cells(values: ArrayLike, *, signed: bool = False, names: Sequence[str] = ()) -> Cells:
    """Wrap an array.

    Parameters
    ----------
    values : array (rows, columns)
        Finite numbers; an array of floats is not copied and must not change afterwards.
    signed : bool
        Whether they may be negative.
    names : sequence of str
        As of `Cells`.

    Returns
    -------
    Cells
        With `dense` set.

    Raises
    ------
    InputError
        If the array is not two-dimensional, is empty, or holds something that is not a finite number.
    """
    held = np.asarray(values, dtype=float)
    if held.ndim != 2 or held.size == 0:
        raise InputError(f"A matrix must have rows and columns, got an array of shape {held.shape}.", "matrix")
    if not (np.isfinite(held.min()) and np.isfinite(held.max())):
        raise InputError("A matrix must contain finite numbers only, got an infinite one or one that is not a number.", "matrix")

    def sample(rows: Indices, columns: Indices) -> Floats:
        return np.asarray(held[np.ix_(rows, columns)])

    return Cells(held.shape[0], held.shape[1], sample, held, signed, names=names)


def glance(source: Cells, rows: tuple[int, int], columns: tuple[int, int], pixels: tuple[int, int]) -> Glance:
    """Return the visible part of a matrix.

    Parameters
    ----------
    source : Cells
        The matrix.
    rows, columns : (int, int)
        First cell and the one after the last that are in view; cut to the matrix.
    pixels : (int, int)
        Height and width of the picture; there will be no more entries than that.

    Returns
    -------
    Glance
        Blocks start at multiples of the steps, so that panning does not make the picture shimmer.
    """
    row, below, row_step = _blocks(rows, source.rows, pixels[0])
    column, beyond, column_step = _blocks(columns, source.columns, pixels[1])
    if source.dense is not None:
        values = _strongest(source.dense[row:below, column:beyond], row_step, column_step, source.signed)
    else:
        rows_at, columns_at = np.arange(row, below, row_step), np.arange(column, beyond, column_step)
        if source.strongest is not None and max(row_step, column_step) > 1:
            values = source.strongest(rows_at, row_step, columns_at, column_step)
        else:
            rows_at = np.minimum(rows_at + row_step // 2, source.rows - 1)
            values = source.block(rows_at, np.minimum(columns_at + column_step // 2, source.columns - 1))
    return Glance(values, row, column, row_step, column_step)


def _blocks(ends: tuple[int, int], cells: int, pixels: int) -> tuple[int, int, int]:
    first, last = max(0, ends[0]), max(1, min(cells, ends[1]))
    first = min(first, last - 1)
    step = -(-(last - first) // max(pixels, 1))
    first = first // step * step
    return first, min(cells, -(-last // step) * step), step


def _strongest(values: Floats, row_step: int, column_step: int, signed: bool) -> Floats:
    """Return the entry of largest magnitude in each block."""
    if row_step == 1 and column_step == 1:
        return values
    most = _largest(_largest(values, row_step).T, column_step).T
    if not signed:
        return most
    least = -_largest(_largest(-values, row_step).T, column_step).T
    return np.where(most >= -least, most, least)


def _largest(values: Floats, step: int) -> Floats:
    """Return the largest of every `step` rows, and of the remaining ones at the end (several times faster than reduceat)."""
    whole = values.shape[0] // step * step
    most = values[0:whole:step].copy()
    for place in range(1, step):
        np.maximum(most, values[place:whole:step], out=most)
    if whole == values.shape[0]:
        return most
    return np.vstack([most, values[whole:].max(axis=0)])


class Binding(IntEnum):
    """The tight constraints; if several share a pixel, the one with the highest number is shown."""

    ZERO = 0
    DOWN = 1
    UP = 2
    SLACK = 3


_LETTERS = {"d": Binding.DOWN, "u": Binding.UP, "S": Binding.SLACK, "Z": Binding.ZERO}


def pattern_source(letters: ArrayLike) -> Cells:
    """Convert a constraint matrix to numbers.

    Parameters
    ----------
    letters : array (n, n+1) of str
        ``"d"``, ``"u"``, ``"S"`` or ``"Z"`` for the constraint between rows i and i+1 in each column.

    Returns
    -------
    Cells
        Of shape (n, n+1), with the number of a `Binding` in each cell.

    Raises
    ------
    InputError
        If there is another letter, or no cell at all.
    """
    return dense_cells(binding_codes(letters))


def binding_codes(letters: ArrayLike) -> Floats:
    """Return the number of the `Binding` for each letter; see `pattern_source`."""
    given = np.asarray(letters, dtype="U1")
    codes = np.full(given.shape, -1.0)
    for letter, binding in _LETTERS.items():
        codes[given == letter] = binding
    if codes.size and codes.min() < 0:
        raise InputError(f"A constraint pattern holds d, u, S or Z, got {str(given[codes < 0][0])!r}.", "pattern")
    return codes
