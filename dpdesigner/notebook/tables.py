"""Mechanism tables from any program in Python: verified exactly, released from, inspected, and written in keys."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics import sampling
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, exact, place
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.keys import KeyedTable, keyed_table
from dpdesigner.core.mechanism.verification import Verification, verify_table
from dpdesigner.data.mechanism_tables import Entry, TableText, open_table
from dpdesigner.errors import InputError, with_article
from dpdesigner.files.verification_report import office_text as office_text
from dpdesigner.files.verification_report import side_of, table_text
from dpdesigner.studies.answer import Outcome
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.input_kinds import privacy_level
from dpdesigner.studies.inspect.answer import InspectAnswer
from dpdesigner.studies.inspect.design import InspectDesign

_DOUBLES = "its entries are doubles, which are rounded: verify the answer itself, or its table()"


@dataclass(frozen=True, eq=False, repr=False)
class VerifiedTable:
    """A verified table, whatever the result.

    Attributes
    ----------
    verification : Verification
        What was found: row sums, negative entries, the largest ratio of neighbouring entries.
    requested : PrivacyLevel or None
        What it was to have.
    rows : tuple of tuple of Decimal or Fraction
        The entries exactly, rows = true result, columns = released result.
    read : str
        Of a file: which lines were read, and which were not and why: a header, labels, lines that start with #, blank lines.
    note : str
        Why it failed, where that is because its entries are doubles.
    """

    verification: Verification
    requested: PrivacyLevel | None
    rows: tuple[tuple[Entry, ...], ...]
    read: str = ""
    note: str = ""

    @property
    def epsilon(self) -> float:
        """The attained epsilon, rounded up; infinite where a positive entry faces a zero."""
        return self.verification.epsilon

    @property
    def passed(self) -> bool:
        """Whether every row is a distribution and epsilon is finite and at most the requested one."""
        return self.verification.satisfies(self.requested)

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The entries as the nearest doubles, (rows, columns), read-only."""
        entries = np.array([[float(entry) for entry in row] for row in self.rows])
        entries.flags.writeable = False
        return entries

    def draw(self, i: int) -> int:
        """Draw one release: from row i exactly, using the operating system's entropy.

        Raises
        ------
        InputError
            If there is no such row, or the rows are not distributions.
        """
        if not self.verification.stochastic:
            raise InputError(f"only a mechanism can make releases: {self.verification.sentences[0]}", "table")
        return sampling.from_weights([Fraction(entry) for entry in self.rows[place(i, "the true result", len(self.rows) - 1)]])

    def __repr__(self) -> str:
        size = f"{len(self.rows)} x {len(self.rows[0])}"
        read = f"; {self.read}" if self.read else ""
        note = f"; {self.note}" if self.note else ""
        return f"<VerifiedTable: {size}, epsilon {self.epsilon!r}, {'passed' if self.passed else 'failed'}{note}{read}>"


def read_table(path: str | os.PathLike[str], header: bool | None = None, labels: bool | None = None) -> VerifiedTable:
    r"""Read a mechanism from a CSV or TSV file, with its attained privacy.

    Parameters
    ----------
    path : path-like
        Numbers may be decimals, fractions such as 1/3, or percentages; they are kept exactly.
    header, labels : bool, optional
        Whether the first line is a header and the first column labels; by default only what says so itself is taken for one.

    Raises
    ------
    InputError
        If the file is no table, the sentence names the line, or its rows are not distributions.

    Examples
    --------
    >>> import dpdesigner as dp, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "coin.csv")
    >>> _ = path.write_text("2/3,1/3\n1/3,2/3\n")
    >>> dp.read_table(path)
    <VerifiedTable: 2 x 2, epsilon 0.6931471805599454, passed; read: 2 by 2 numbers, lines 1 to 2; not read: nothing>
    """
    table = _verified_file(open_table(path, header, labels), None)
    if not table.verification.stochastic:
        raise InputError(f"{os.path.basename(path)} is not a mechanism: {table.verification.sentences[0]}", "file")
    return table


def verify(table: Any, *, epsilon: Number | None = None, alpha: Number | None = None) -> VerifiedTable:
    """Check a mechanism table exactly; ``.passed`` is the result and ``.epsilon`` the attained privacy.

    Parameters
    ----------
    table : answer, path-like, str, array, DataFrame or sequence of sequences
        The answer of a count design, whose `table()` is checked; a file, or the text of one with its line breaks; or numbers:
        doubles stand for themselves, digit by digit, not for a decimal near them, so that a matrix of doubles mostly fails;
        texts are decimals or fractions.
    epsilon, alpha : Number, optional
        What it must have, one way or not at all; by default an answer must have what its design asked for.

    Raises
    ------
    InputError
        If it is no table of numbers, or an answer that has none.

    Examples
    --------
    >>> verify([["2/3", "1/3"], ["1/3", "2/3"]], epsilon="ln 2").passed
    True
    >>> verify([[0.7, 0.3], [0.3, 0.7]], epsilon="ln 2").passed
    False
    >>> from dpdesigner import CountDesign, solve
    >>> answer = solve(CountDesign(n=5, alpha="1/2"))
    >>> verify(answer).passed, verify(answer.table()).passed
    (True, True)
    """
    level = privacy_level(epsilon, alpha)
    if isinstance(table, Outcome):
        return _verified_answer(table, level)
    if isinstance(table, str) and "\n" in table:
        return _verified_file(TableText(table, "the table"), level)
    if isinstance(table, (str, os.PathLike)):
        return _verified_file(open_table(table), level)
    rows = np.asarray(table, dtype=object) if hasattr(table, "__array__") else table
    if not isinstance(rows, (Sequence, np.ndarray)) or any(isinstance(row, str) or not hasattr(row, "__len__") for row in rows):
        raise InputError("a table must be a file, or rows of numbers, got something else.", "table")
    found = _verified([[_entry(entry) for entry in row] for row in rows], level)
    return (
        found
        if found.passed or not any(isinstance(entry, float) for row in rows for entry in row)
        else replace(found, note=_DOUBLES)
    )


def _verified_answer(answer: Outcome, level: PrivacyLevel | None) -> VerifiedTable:
    design = answer.design
    if side_of(design) is None:
        raise InputError(f"{with_article(design.kind)} design has no mechanism table to verify.", "table")
    if level is None and isinstance(design, CountDesign) and design.uncovered:
        raise InputError("a design with delta is verified by dpdesigner.inspect; give the required epsilon alone.", "table")
    return _verified_file(TableText(answer.table(), "the table"), level or design.privacy)


def _verified_file(table: TableText, asked: PrivacyLevel | None) -> VerifiedTable:
    return replace(_verified(list(table.rows()), asked), read=table.description)


def _verified(rows: list[list[Entry]], asked: PrivacyLevel | None) -> VerifiedTable:
    return VerifiedTable(verify_table(rows), asked, tuple(map(tuple, rows)))


def _entry(given: Any) -> Entry:
    """Return a double as its exact decimal value, and any other number exactly."""
    value = given.item() if isinstance(given, np.generic) else given
    if isinstance(value, float) and np.isfinite(value):
        return Decimal(value)
    return value if isinstance(value, (Decimal, Fraction)) else exact(value, "an entry of the table", "table")


def inspect(table: Any, **options: Any) -> InspectAnswer:
    """Report what a reader of one release can learn about one person, and how useful the release is.

    Parameters
    ----------
    table : path-like, str, array, DataFrame, sequence of sequences, or the result of a design
        As for `InspectDesign`; of a result its table, as it would be exported, in fractions where there are some.
    **options
        The other inputs of an `InspectDesign`.

    Returns
    -------
    InspectAnswer
        Its ``.findings`` have what was found, by key; ``.details()`` the kinks, corners and pairs.

    Raises
    ------
    InputError
        If it is no table of distributions; the sentence names row and column.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.inspect(dp.solve(dp.CountDesign(n=5, alpha="1/2")), false_alarms="1/100")
    >>> found.findings["found_out"].value, found.findings["delta_floor"].value
    (Fraction(1, 50), Fraction(0, 1))
    """
    found: InspectAnswer = InspectDesign(table_text(table) if isinstance(table, Outcome) else table, **options).run()
    return found


def keyed_count(n: int, *, epsilon: Number, prior: Any = "uniform", loss: Any = "absolute", keys: int = 256) -> KeyedTable:
    """Return a private table with this many keys, as statistical offices look up noise: exact, and nearly optimal.

    Parameters
    ----------
    n : int
        The largest count.
    epsilon : Number
    prior, loss
        As for a `CountDesign`.
    keys : int
        K: every probability is a whole number of 1 / K.

    Examples
    --------
    >>> keyed_count(2, epsilon="ln 2", keys=16).rows
    [[10, 3, 3], [5, 6, 5], [3, 3, 10]]
    """
    return keyed_table(PrivacyLevel.from_epsilon(epsilon), Prior(prior, n), Loss(loss), keys)
