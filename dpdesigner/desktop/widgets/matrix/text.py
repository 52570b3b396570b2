"""What a matrix view says: the read-out line, tables as text, a remap in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import at_most, brief, chance, group_thousands, signed, significant
from dpdesigner.desktop.widgets.matrix.colour import ROUNDING, Kind
from dpdesigner.errors import InputError
from dpdesigner.studies.matrices import Cells

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
        The largest ratio that privacy allows between neighbouring rows.

    Returns
    -------
    str
        Such as ``true 7 → says 9: 0.0813 (1 in 12); ratio to the next row 2.00 of at most 2.00``.
    """
    value = source.cell(row, column)
    exact = texts(row, column) if texts is not None else None
    if kind == "difference":
        said = difference_text(value)
    else:
        said = _said(value)
    if exact is not None and not (value == 0 and exact.strip() == "0"):
        said = f"{exact} = {said}" if value else exact
    sentence = tr("true {row} → releases {column}: {value}").format(
        row=group_thousands(row), column=group_thousands(column), value=said
    )
    if kind == "difference" or source.rows < 2:
        return sentence
    return f"{sentence}; {ratio_sentence(source, row, column, limit)}"


def difference_text(value: float) -> str:
    """Return a difference of probabilities in words: what is below `ROUNDING` has no digits to show."""
    if abs(value) >= ROUNDING:
        return signed(value)
    return tr("less than {least}").format(least=brief(ROUNDING)) if value else tr("0 exactly")


def _said(value: float) -> str:
    """Return a probability as a number and in everyday words."""
    said = significant(value) if value else tr("0 exactly")
    words = chance(value)
    return f"{said} ({words})" if words else said


def ratio_sentence(source: Cells, row: int, column: int, limit: float | None) -> str:
    """Return how a cell compares with the one in the next row, or in the previous one if its row is the last."""
    last = row == source.rows - 1
    which = tr("the previous row") if last else tr("the next row")
    other = row - 1 if last else row + 1
    one, two = (float(value) for value in source.block(np.array([row, other]), np.array([column]))[:, 0])
    if one == two == 0:
        return tr("{which} is 0 too").format(which=which)
    low, high = sorted((one, two))
    ratio = high / low if low > 0 else float("inf")
    text = tr("ratio to {which} {ratio}").format(which=which, ratio=at_most(ratio))
    if limit is None:
        return text
    words = tr("{text} of at most {limit}") if ratio <= limit * (1 + 1e-9) else tr("{text}, above the limit {limit}")
    return words.format(text=text, limit=at_most(limit))


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
    lines = ["\t".join(["true\\released", *map(str, columns)])]
    for row, values in zip(rows, block, strict=True):
        cells = []
        for column, value in zip(columns, values.tolist(), strict=True):
            exact = texts(row, column) if texts is not None else None
            cells.append(repr(value) if exact is None else exact)
        lines.append("\t".join([str(row), *cells]))
    return "\n".join(lines)
