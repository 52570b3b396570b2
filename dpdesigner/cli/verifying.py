"""``dpdesigner verify``: an exact check of any mechanism table, ours or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.cli.output import Output, judging_study
from dpdesigner.cli.telling import Telling
from dpdesigner.core.mechanism.verification import Place, Verification, verify_table
from dpdesigner.core.numbers.quotient import Quotient
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.files.tables.reading import Entry, open_table
from dpdesigner.files.takeaway.takeaway import takeaway
from dpdesigner.files.takeaway.words import level_words, number, small
from dpdesigner.studies.inputs import privacy_level


def verify_command(
    path: str,
    epsilon: str | None,
    alpha: str | None,
    design: str | None,
    study: str | None,
    header: bool | None = None,
    labels: bool | None = None,
) -> Output:
    """Check a table exactly.

    Parameters
    ----------
    path : str
        CSV or TSV.
    epsilon, alpha : str or None
        The privacy level that it is to have, given one way or not at all.
    design : str or None
        A project file: then also how far the table is from the optimum for this design, and its privacy level if none is given.
    study : str or None
        The number or name of the design in it.
    header, labels : bool or None
        Whether the first line is a header and the first column labels; see `dpdesigner.files.tables.reading.open_table`.

    Returns
    -------
    Output
        Says what was read of the file and what was not. Status 1 if a row is not a distribution, epsilon is infinite, or it is
        above the one asked.
    """
    if study is not None and design is None:
        raise InputError("--study names a design of the file given with --design; give that too.", "study")
    level = privacy_level(epsilon, alpha)
    with Telling() as tell:
        user, side = (None, 0) if design is None else judging_study(design, study)
        asked = user.privacy if level is None and user is not None else level
        table = open_table(path, header, labels)
        if user is not None and not table.n_rows == table.n_columns == side:
            raise InputError(
                f"the table must have n + 1 = {side} rows and columns to be judged by this design, "
                f"got {table.n_rows} rows and {table.n_columns} columns.",
                "table",
            )
        matrix = None if user is None else np.empty((table.n_rows, table.n_columns))
        found = verify_table(_kept(table.rows(), matrix), lambda row: tell(row / table.n_rows, "checking the rows"))
        cost = None if user is None or matrix is None else takeaway(user, progress=tell).judged(matrix)
    good = found.stochastic and (found.largest is not None if asked is None else found.private(asked))
    lines = [f"{path}: {_counted(found.n_rows, 'row')} (true results), {_counted(found.n_columns, 'column')} (released results)"]
    lines.append(f"  {table.words}")
    lines += [f"  {sentence}" for sentence in found.sentences]
    if found.stochastic:
        lines.append("  every row is a distribution: no entry is negative, every sum is exactly 1")
    if found.largest is not None:
        lines.append(f"  epsilon is {found.epsilon!r} (rounded up){_at(found.worst)}")
    data = _data(path, found) | {"read": table.data}
    if asked is not None:
        lines.append(f"  asked: {level_words(asked)}: {_verdict(found, asked)}")
        data |= {"epsilon_asked": number(asked.epsilon), "private": found.private(asked), "satisfied": found.satisfies(asked)}
    if cost is not None:
        lines.append(f"  expected loss {cost[0]!r}, at most {small(cost[1])} above the optimum for the design")
        data["cost"] = {"value": cost[0], "gap": cost[1]}
    return Output([*lines, "PASSED" if good else "FAILED"], data | {"passed": good}, 0 if good else 1)


def _kept(rows: Iterable[list[Entry]], matrix: NDArray[np.float64] | None) -> Iterator[list[Entry]]:
    """The rows, whose doubles are written into a matrix if there is one."""
    for i, row in enumerate(rows):
        if matrix is not None:
            matrix[i] = [float(entry) for entry in row]
        yield row


def _verdict(found: Verification, asked: PrivacyLevel) -> str:
    if found.satisfies(asked):
        return "the table is a mechanism and as private as asked"
    if not found.private(asked):
        return "not satisfied, the table is less private than asked"
    return "not satisfied, the ratios are within the level but the rows are not distributions"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _at(place: Place | None) -> str:
    return "" if place is None else f", reached at {place.words}"


def _data(path: str, found: Verification) -> dict[str, Any]:
    return {
        "file": str(Path(path)),
        "rows": found.n_rows,
        "columns": found.n_columns,
        "stochastic": found.stochastic,
        "wrong_sums": [{"row": row, "excess": _digits(excess)} for row, excess in found.excesses],
        "negative": [{"row": row, "column": column} for row, column in found.negative],
        "n_negative": found.n_negative,
        "epsilon": number(found.epsilon),
        "ratio": "inf" if found.largest is None else _digits(found.largest),
        "worst": None if found.worst is None else _place(found.worst),
        "infinite": [_place(place) for place in found.infinite],
        "n_infinite": found.n_infinite,
    }


def _place(place: Place) -> dict[str, int]:
    return {"row": place.row, "next_row": place.row + 1, "column": place.column}


def _digits(value: Quotient) -> str:
    """Twenty digits, rounded up."""
    return str(value.rounded_up(20))
