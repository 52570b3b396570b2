"""A large matrix by its errors, and what a matrix view says: the read-out line, tables as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpdesigner.core.basics.rounding import at_most, brief, group_thousands, signed, significant
from dpdesigner.desktop.base.labels import chance
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.plots.axis_layer import Tick, count_ticks
from dpdesigner.desktop.plots.matrix_colour import ROUNDING, Kind
from dpdesigner.errors import InputError
from dpdesigner.studies.matrices import Cells, dense_cells

FEWEST_ROWS = 101  #: a smaller matrix has room for all its cells

_FAINT = 1e-3  # of the largest cell: errors whose cells are all smaller are omitted
_ROUND = 5  # the reach is a multiple of this, so that it stays the same while a level is dragged


@dataclass(frozen=True, eq=False)
class Band:
    """A matrix whose column k contains, in row i, the cell (i, i + k - reach); 0 outside the matrix.

    Attributes
    ----------
    cells : Cells
        Of 2 reach + 1 columns.
    reach : int
        The largest error shown on either side.
    columns : int
        Those of the matrix itself.
    """

    cells: Cells
    reach: int
    columns: int

    def across(self, row: int | None, column: int | None) -> int | None:
        """Return the band column of a cell of the matrix; None if it is not in view."""
        if row is None or column is None:
            return None
        place = column - row + self.reach
        return place if 0 <= place <= 2 * self.reach else None

    def column(self, row: int, place: int) -> int:
        """Return the matrix column at a position in a row of the band, or the nearest existing one."""
        return min(max(row + place - self.reach, 0), self.columns - 1)

    def ticks(self, low: float, high: float, at_most: int) -> list[Tick]:
        """Return ticks at errors, with their signs."""
        ticks = count_ticks(low - self.reach, high - self.reach, at_most)
        return [Tick(tick.at + self.reach, error_text(round(tick.at))) for tick in ticks]


def error_text(error: int) -> str:
    """Return an error with its sign."""
    return f"+{group_thousands(error)}" if error > 0 else f"−{group_thousands(-error)}" if error < 0 else "0"


def band_of(cells: Cells) -> Band | None:
    """Return a matrix by its errors, cut where they are faint; None if it is small, not square or not in memory."""
    values = cells.dense
    if values is None or cells.rows != cells.columns or cells.rows < FEWEST_ROWS:
        return None
    sizes = np.abs(values) if cells.signed else values
    strong = sizes > _FAINT * float(sizes.max())
    places, some = np.arange(cells.rows), strong.any(axis=1)
    first, last = strong.argmax(axis=1), cells.columns - 1 - strong[:, ::-1].argmax(axis=1)
    furthest = int(np.max(np.maximum(places - first, last - places), where=some, initial=1))
    reach = min(-(-furthest // _ROUND) * _ROUND, cells.columns - 1)
    columns = places[:, None] + np.arange(-reach, reach + 1)
    inside = (columns >= 0) & (columns < cells.columns)
    shifted = np.where(inside, values[places[:, None], np.clip(columns, 0, cells.columns - 1)], 0.0)
    return Band(dense_cells(shifted, signed=cells.signed), reach, cells.columns)


Texts = Callable[[int, int], str | None]
Sentence = Callable[[int, int], str]

#: More cells than this are not copied as text.
MOST_CELLS = 4_000_000


def cell_sentence(source: Cells, row: int, column: int, *, kind: Kind, texts: Texts | None, limit: float | None) -> str:
    """Return the read-out of a cell.

    Parameters
    ----------
    source : Cells
        The matrix.
    row, column : int
        True count and released value.
    kind : ``"probability"`` or ``"difference"``
        Differences have a sign, and neither odds nor a ratio.
    texts : callable, optional
        Gives the exact text of a cell, such as ``1/48``, or None.
    limit : float, optional
        The largest ratio that privacy allows between neighbouring rows; infinite: no ratio is written.

    Returns
    -------
    str
        Such as ``7 is released as 9: 0.0813 (1 in 12); ratio to next row 2.00, limit 2.00``.
    """
    value = source.cell(row, column)
    exact = texts(row, column) if texts is not None else None
    if kind == "difference":
        said = difference_text(value)
    else:
        said = _said(value)
    if exact is not None and not (value == 0 and exact.strip() == "0"):
        said = f"{exact} = {said}" if value else exact
    sentence = tr("{row} is released as {column}: {value}").format(
        row=group_thousands(row), column=source.column(column), value=said
    )
    if kind == "difference" or source.rows < 2 or limit == float("inf"):
        return sentence
    return f"{sentence}; {ratio_sentence(source, row, column, limit)}"


def difference_text(value: float) -> str:
    """Return a difference of probabilities in words; differences below `ROUNDING` have no digits to show."""
    if abs(value) >= ROUNDING:
        return signed(value)
    return tr("less than {least}").format(least=brief(ROUNDING)) if value else tr("0 exactly")


def _said(value: float) -> str:
    """Return a probability as a number and in everyday words."""
    said = significant(value) if value else tr("0 exactly")
    words = chance(value)
    return f"{said} ({words})" if words else said


def ratio_sentence(source: Cells, row: int, column: int, limit: float | None) -> str:
    """Return how a cell compares with the one in the next row, or in the previous row if its row is the last."""
    last = row == source.rows - 1
    which = tr("previous row") if last else tr("next row")
    other = row - 1 if last else row + 1
    one, two = (float(value) for value in source.block(np.array([row, other]), np.array([column]))[:, 0])
    if one == two == 0:
        return tr("{which} also 0").format(which=which)
    low, high = sorted((one, two))
    ratio = high / low if low > 0 else float("inf")
    text = tr("ratio to {which} {ratio}").format(which=which, ratio=_factor(ratio))
    if limit is None:
        return text
    words = tr("{text}, limit {limit}") if ratio <= limit * (1 + 1e-9) else tr("{text}, above the limit {limit}")
    return words.format(text=text, limit=_factor(limit))


def _factor(value: float) -> str:
    """Return an upper bound for a ratio: ``2.00``, and ``1.084``, because small ones differ in the last digit."""
    text = at_most(value, 4)
    return text.removesuffix("0") if "." in text else text


def table_text(source: Cells, rows: Sequence[int], columns: Sequence[int], texts: Texts | None = None) -> str:
    r"""Return part of a matrix as lines of tab-separated values, under a header ``true\released``.

    Parameters
    ----------
    source : Cells
        The matrix.
    rows, columns : sequence of int
        Which part.
    texts : callable, optional
        Gives the exact text of a cell, or None to write the number with all its digits.

    Returns
    -------
    str
        One line per row, without a final line break.

    Raises
    ------
    InputError
        If that would be more than `MOST_CELLS` cells.
    """
    if len(rows) * len(columns) > MOST_CELLS:
        words = tr("At most {most} cells can be copied at once, got {given}.")
        raise InputError(words.format(most=MOST_CELLS, given=len(rows) * len(columns)), "matrix")
    block = source.block(np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp))
    lines = ["\t".join(["true\\released", *(source.names[column] if source.names else str(column) for column in columns)])]
    for row, values in zip(rows, block, strict=True):
        cells = []
        for column, value in zip(columns, values.tolist(), strict=True):
            exact = texts(row, column) if texts is not None else None
            cells.append(repr(value) if exact is None else exact)
        lines.append("\t".join([str(row), *cells]))
    return "\n".join(lines)
