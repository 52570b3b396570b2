"""The verification report of any mechanism table; and tables as text for statistics offices, verified after reading back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.inspection.keys import KeyedTable
from dpdesigner.core.mechanism.verification import Place, Verification, verify_table
from dpdesigner.data.mechanism_tables import Entry, TableText
from dpdesigner.data.office_tables import read_noise_table, written_intervals, written_keys
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.export import export_of
from dpdesigner.files.formatting import level_words, small
from dpdesigner.studies.answer import Outcome
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Progress, Study, silent


def table_text(result: Outcome) -> str:
    """Return the table of an answer as it would be exported, in fractions if there are any."""
    try:
        return result.table("csv", fractions=True)
    except InputError:
        return result.table("csv")


def office_text(made: KeyedTable, form: str = "tau-argus") -> str:
    """Return a table in keys as the text of a file, verified after reading back.

    Parameters
    ----------
    made : KeyedTable
    form : {"tau-argus", "sas", "keys"}
        ``"keys"`` are lines ``pcv,ckey,pvalue``. That format leaves a count of 0 as it is, so that the row of 0 is not in the
        file, and cells of 0 are not private.

    Raises
    ------
    InputError
        If the form is another, or eight digits do not hold the multiples of 1 / K.
    ProofError
        If what was read back differs.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> print(office_text(dp.keyed_count(1, epsilon="ln 3", keys=4)))
    i;j;p;v;p_int_ub
    0;0;0.75000000;0;0.75000000
    0;1;0.25000000;1;1.00000000
    1;0;0.25000000;-1;0.25000000
    1;1;0.75000000;0;1.00000000
    <BLANKLINE>
    """
    if form not in ("tau-argus", "sas", "keys"):
        raise InputError(f"the form must be tau-argus, sas or keys, got {form!r}.", "form", "tau-argus")
    text = written_keys(made.rows, made.keys) if form == "keys" else written_intervals(made.rows, made.keys, form == "sas")
    back = read_noise_table(text, "the table", made.table.n)
    first = 1 if form == "keys" else 0
    for i in range(first, made.table.n + 1):
        row = dict(zip(back.labels, back.rows[i], strict=True))
        if any(row.get(j, 0) * made.keys != count for j, count in enumerate(made.rows[i])):
            raise ProofError(f"row {i} of the table reads back differently.")
    if not verify_table(back.rows[first:]).stochastic:
        raise ProofError("the table reads back with rows that are not distributions.")
    return text


@dataclass(frozen=True, eq=False)
class VerificationReport:
    """The verification report of a table.

    Attributes
    ----------
    verification : Verification
    read : str
        What was read of the file and what was not.
    requested : PrivacyLevel or None
        What it was held to.
    cost : (float, float) or None
        Its expected loss by a design, and how far that is above the optimum at most.
    """

    verification: Verification
    read: str
    requested: PrivacyLevel | None
    cost: tuple[float, float] | None

    @property
    def passed(self) -> bool:
        """Whether the table is a mechanism and as private as requested; private at all if no level was requested."""
        return self.verification.satisfies(self.requested)

    @property
    def size(self) -> str:
        """The numbers of rows and columns."""
        rows, columns = _counted(self.verification.n_rows, "row"), _counted(self.verification.n_columns, "column")
        return f"{rows} (true results), {columns} (released results)"

    @property
    def lines(self) -> list[str]:
        """The report, one sentence per line."""
        verification, lines = self.verification, [self.read, *self.verification.sentences]
        if verification.stochastic:
            lines.append("every row is a distribution: no entry is negative, every sum is exactly 1")
        if verification.largest is not None:
            lines.append(f"epsilon is {verification.epsilon!r} (rounded up){_at(verification.worst)}")
        if self.requested is not None:
            lines.append(f"requested: {level_words(self.requested)}: {_verdict(verification, self.requested)}")
        if self.cost is not None:
            value, gap = self.cost
            lines.append(f"expected loss {value!r}, at most {small(gap)} above the optimum for the design")
        return lines


def side_of(study: Study) -> int | None:
    """Return the number of rows and columns of a table that can be verified against a design; None if no table can."""
    side: int | None = entry(study.kind).export_class().side(study)
    return side


def judge(
    table: TableText, asked: PrivacyLevel | None = None, user: Any = None, progress: Progress = silent
) -> VerificationReport:
    """Check a table exactly.

    Parameters
    ----------
    table : TableText
    asked : PrivacyLevel or None
        The privacy that it is to have.
    user : Study or None
        The design by which it is judged; its privacy is asked for where none is given.
    progress : Progress

    Raises
    ------
    InputError
        If it cannot be judged by the design, or a cell is no number.
    """
    if user is not None and not table.n_rows == table.n_columns == (side := side_of(user)):
        raise InputError(
            f"the table must have n + 1 = {side} rows and columns to be compared with this design, got {table.n_rows} "
            f"rows and {table.n_columns} columns.",
            "table",
        )
    matrix = None if user is None else np.empty((table.n_rows, table.n_columns))
    verification = verify_table(_kept(table.rows(), matrix), lambda row: progress(row / table.n_rows, "checking the rows"))
    cost = None if user is None or matrix is None else export_of(user, progress=progress).judged(matrix)
    return VerificationReport(
        verification, table.description, user.privacy if asked is None and user is not None else asked, cost
    )


def _kept(rows: Iterable[list[Entry]], matrix: NDArray[np.float64] | None) -> Iterator[list[Entry]]:
    """Yield the rows, copying them as doubles into the matrix if there is one."""
    for i, row in enumerate(rows):
        if matrix is not None:
            matrix[i] = [float(entry) for entry in row]
        yield row


def _verdict(verification: Verification, asked: PrivacyLevel) -> str:
    if verification.satisfies(asked):
        return "the table is a mechanism with the requested privacy"
    if not verification.private(asked):
        return "not satisfied: the table is less private than requested"
    return "not satisfied: the ratios are within the level, but the rows are not distributions"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _at(place: Place | None) -> str:
    return "" if place is None else f", reached at {place.description}"
