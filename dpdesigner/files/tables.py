"""Mechanism tables as text in several formats, with privacy proved on the text itself; and a parser that reads them back.

The texts that tables are written as: CSV, TSV, JSON and LaTeX, and the way to read the last back.

Entries come as texts, because a table is proved on the text that is written: what is read back is what is checked.

A mechanism as a table of numbers whose privacy is proved on the very text that is written.

Decimals cannot hold most probabilities, and a rounded table is in general not private: neighbouring entries that touch their
bound are rounded across it. So the mechanism is made for a slightly larger alpha, each entry is rounded far more finely than that
slack, and the largest entry of each row is not rounded but is the exact complement of the others, with as many digits as that
takes. Then the text is read again, and every row sum and every ratio is checked exactly; a table that fails is not handed out.
Where alpha is rational the entries can be fractions instead, without any slack.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import EXACT, double_above, exact_sum
from dpdesigner.core.count.delta_reading import uncovered
from dpdesigner.core.inspection.reader_results import decimal_kernel, kernel
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.mechanism.verification import Verification, verify_table
from dpdesigner.data.grid import guarded
from dpdesigner.data.mechanism_tables import CORNER, Entry, parse_table
from dpdesigner.errors import InputError, ProofError

Texts = Sequence[Sequence[str]]

#: The formats in which a table can be written.
FORMATS = ("csv", "tsv", "json", "tex")

_SEPARATORS = {"csv": ",", "tsv": "\t"}
#: Characters that are special in LaTeX, and the minus sign.
_LATEX = str.maketrans({mark: f"\\{mark}" for mark in "&%$#_{}"} | {"\\": r"$\backslash$", "−": "--", "~": r"\~{}", "^": r"\^{}"})
_LATEX_FRACTION = re.compile(r"\$\\frac\{(\d+)\}\{(\d+)\}\$")
_LATEX_CORNER = r"true$\backslash$released"


def csv_text(entries: Texts, separator: str = ",") -> str:
    """Return a table as text: a header of released results and one line per true result.

    Parameters
    ----------
    entries : sequence of sequence of str
        Rows = true result, columns = released result.
    separator : str
        A comma, or a tab for the clipboard.
    """
    header = separator.join([CORNER, *map(str, range(len(entries[0])))])
    return "\n".join([header, *(separator.join([str(i), *row]) for i, row in enumerate(entries))]) + "\n"


def rows_text(rows: Texts, wanted: str, remark: str = "") -> str:
    """Return rows of arbitrary cells, header first, as file text in which spreadsheets see no cell as a formula.

    Parameters
    ----------
    rows : sequence of sequence of str
    wanted : {"csv", "tsv", "tex"}
    remark : str
        As in `latex_text`.
    """
    if wanted == "tex":
        header, *body = [[cell.translate(_LATEX) for cell in row] for row in rows]
        return latex_rows(header, body, remark)
    written = io.StringIO()
    safe = ([guarded(cell) for cell in row] for row in rows)
    csv.writer(written, delimiter=_SEPARATORS[wanted], lineterminator="\n").writerows(safe)
    return written.getvalue()


def latex_text(entries: Texts, remark: str) -> str:
    """Return a table for LaTeX's booktabs package; fractions are typeset as fractions.

    Parameters
    ----------
    entries : sequence of sequence of str
    remark : str
        One line for the comment above the table.
    """
    header = [_LATEX_CORNER, *map(str, range(len(entries[0])))]
    return latex_rows(header, [[str(i), *map(_latex_entry, row)] for i, row in enumerate(entries)], remark)


def latex_rows(header: Sequence[str], rows: Texts, remark: str) -> str:
    """Return rows of LaTeX cells as a table for the booktabs package; parameters as `latex_text`."""
    lines = [
        f"% {remark}",
        r"% Needs \usepackage{booktabs}.",
        rf"\begin{{tabular}}{{r@{{\quad}}{'r' * (len(header) - 1)}}}",
        r"\toprule",
        " & ".join(header) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def read_latex(text: str) -> list[list[Entry]]:
    """Read back what `latex_text` wrote.

    Raises
    ------
    InputError
        If there is no table in it.
    """
    body = text.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
    if not body:
        raise InputError(r"the LaTeX text must contain a table between \midrule and \bottomrule, got none.", "file")
    plain = _LATEX_FRACTION.sub(r"\1/\2", body).replace("\\\\", "").replace(" & ", ",")
    header = text.partition("\\toprule\n")[2].partition("\n")[0].removesuffix(" \\\\").replace(" & ", ",")
    return parse_table(f"{header.replace(_LATEX_CORNER, CORNER)}\n{plain}")


def _latex_entry(entry: str) -> str:
    numerator, slash, denominator = entry.partition("/")
    return rf"$\frac{{{numerator}}}{{{denominator}}}$" if slash else entry


#: Above this n a table would have more than four million entries.
LARGEST_TABLE_N = 2000

_FEWEST_DIGITS = 17
_SLACK = Fraction(1, 10**15)
_SHORT_FRACTION = 9  # characters


@dataclass(frozen=True, eq=False)
class ProvedTable:
    """A table of texts, proved to be a mechanism with the requested privacy; made only by the functions below.

    Attributes
    ----------
    privacy : PrivacyLevel
        What was asked.
    alpha : Fraction
        What the mechanism was made for: at least the alpha asked.
    texts : tuple of tuple of str
        The entries as they are written, rows = true result, columns = released result.
    rows : list of list of Decimal or Fraction
        The entries as they were read back.
    verification : Verification
        What was found in them.
    csv : str
        The text that was read back.
    delta : Fraction
        What epsilon leaves uncovered, found exactly in the entries; 0 where none is asked.
    """

    privacy: PrivacyLevel
    alpha: Fraction
    texts: tuple[tuple[str, ...], ...]
    rows: list[list[Entry]]
    verification: Verification
    csv: str
    delta: Fraction = Fraction(0)

    @property
    def epsilon(self) -> float:
        """The verified epsilon, rounded up; with a delta, the requested epsilon."""
        return self.privacy.epsilon_above if self.delta else self.verification.epsilon

    @property
    def level(self) -> str:
        """``epsilon is at most 0.6931471805599454``, with delta if there is one."""
        words = f"epsilon is at most {self.epsilon!r}"
        return f"{words} with delta at most {double_above(self.delta)!r}" if self.delta else words

    @property
    def short(self) -> bool:
        """Whether every entry is a short fraction or decimal."""
        return all(len(text) <= _SHORT_FRACTION for row in self.texts for text in row)

    @cached_property
    def tsv(self) -> str:
        """The table separated by tabs, as spreadsheets paste it from the clipboard."""
        return self._same(csv_text(self.texts, "\t"), parse_table)

    @cached_property
    def latex(self) -> str:
        """The table in LaTeX."""
        level = f"({self.epsilon!r}, {double_above(self.delta)!r})" if self.delta else f"{self.epsilon!r}"
        remark = f"A mechanism proved {level}-differentially private on the numbers below; every row sums to exactly 1."
        return self._same(latex_text(self.texts, remark), read_latex)

    def _same(self, text: str, read: Callable[[str], list[list[Entry]]]) -> str:
        if read(text) != self.rows:
            raise ProofError("the table is not written, because it reads back differently in this format.")
        return text


def decimal_table(mechanism: Mechanism, digits: int | None = None) -> ProvedTable:
    """Write a mechanism in decimals and prove its privacy.

    Parameters
    ----------
    mechanism : Mechanism
    digits : int, optional
        Significant digits of an entry, for a shorter table with more slack. By default the slack is a relative
        1e-15 (1 - alpha) of alpha, and there are at least 17 digits.

    Raises
    ------
    InputError
        If n is above 2000.
    ProofError
        If the proof fails.
    """
    check_table(mechanism, False)
    asked, n = mechanism.privacy.alpha_above, mechanism.n
    if digits is None:
        slack = _SLACK * (1 - asked)
        digits = _FEWEST_DIGITS if not slack else max(_FEWEST_DIGITS, _digits((n + 2) / slack))
    else:
        slack = (n + 2) * Fraction(10) ** (1 - digits)
    alpha = min(Fraction(1), asked * (1 + slack))
    texts = tuple(map(entry_texts, mechanism.decimal_rows(alpha, digits)))
    return _proved(mechanism, alpha, texts)


def fraction_table(mechanism: Mechanism) -> ProvedTable:
    """Write a mechanism in fractions with exactly the requested privacy, and prove it.

    Raises
    ------
    InputError
        If alpha is irrational or n is above 2000.
    ProofError
        If the proof fails.
    """
    check_table(mechanism, True)
    alpha = _rational_alpha(mechanism)
    texts = tuple(tuple(map(_fraction_text, row)) for row in mechanism.exact_rows(alpha))
    return _proved(mechanism, alpha, texts)


def level_tables(levels: Sequence[PrivacyLevel], n: int, fractions: bool) -> Iterator[tuple[Texts, Verification]]:
    """Write the table of the first level, and for each further one the table that draws its number from the number before.

    Every row is proved to sum to exactly 1, so only the first table spends epsilon. The product of the tables up to a level is
    proved exactly to have the epsilon of that level.

    Parameters
    ----------
    levels : sequence of PrivacyLevel
        The least private first.
    n : int
    fractions : bool

    Yields
    ------
    tuple of (texts, Verification)
        The entries of a table, and what was found of this level's number given the true result.

    Raises
    ------
    InputError
        As `decimal_table` and `fraction_table`.
    ProofError
        If the proof fails.
    """
    first = RemappedGeometric(levels[0], n, range(n + 1))
    table = fraction_table(first) if fractions else decimal_table(first)
    yield table.texts, table.verification
    product, alpha = np.array([[Fraction(entry) for entry in row] for row in table.rows]), table.alpha
    for place, level in enumerate(levels[1:], 2):
        asked, before = level.alpha_above, alpha
        slack = 10 * place * _SLACK * (1 - asked)  # rounding has less in each table before
        alpha = asked if fractions else min(Fraction(1), asked * (1 + slack))
        if fractions:
            texts = tuple(tuple(map(_fraction_text, row)) for row in kernel(before, alpha, n))
        else:
            digits = _FEWEST_DIGITS if not slack else max(_FEWEST_DIGITS, _digits((n + 2) / slack))
            texts = tuple(map(entry_texts, decimal_kernel(before, alpha, n, digits)))
        rows = np.array([[Fraction(text) for text in row] for row in texts])
        product = _multiplied(product, rows)
        verification = verify_table(product.tolist())
        if not verify_table(rows.tolist()).stochastic or not verification.satisfies(level):
            raise ProofError(f"the table of level {place} is withheld: its text has epsilon = {verification.epsilon}.")
        yield texts, verification


def _multiplied(one: Any, other: Any) -> Any:
    """Return the product of two matrices of fractions, over common denominators, which is quick."""
    below = [math.lcm(*(entry.denominator for entry in matrix.flat)) for matrix in (one, other)]
    whole = [
        np.array([[int(entry * each) for entry in row] for row in matrix], object)
        for matrix, each in zip((one, other), below, strict=True)
    ]
    return np.array([[Fraction(entry, math.prod(below)) for entry in row] for row in (whole[0] @ whole[1]).tolist()])


def check_table(mechanism: Mechanism, fractions: bool) -> None:
    """Refuse a mechanism that `decimal_table` or `fraction_table` cannot write: n too large, or alpha irrational."""
    if mechanism.n > LARGEST_TABLE_N:
        raise InputError(f"a table can be written for n of at most {LARGEST_TABLE_N}, got {mechanism.n}.", "n")
    if fractions:
        _rational_alpha(mechanism)


def entry_texts(row: Iterable[Decimal]) -> tuple[str, ...]:
    """Return the texts of a row's entries; the largest entry is 1 minus the others."""
    texts = "\n".join(map(str, map(EXACT.normalize, _complemented(row))))
    return tuple(texts.lower().split("\n"))


def printed_table(mechanism: Mechanism) -> ProvedTable:
    """Write a mechanism for print: as fractions if all are short, or as decimals of few digits; raises as `decimal_table`."""
    if mechanism.privacy.exact_alpha is not None and mechanism.n <= 20:
        with contextlib.suppress(InputError):  # fractions of thousands of digits
            fractions = fraction_table(mechanism)
            if fractions.short:
                return fractions
    return decimal_table(mechanism, digits=printed_digits(mechanism.n))


def printed_digits(n: int) -> int:
    """Return the number of significant digits of a decimal table for print."""
    return 5 + len(str(n))


def _proved(mechanism: Mechanism, alpha: Fraction, texts: tuple[tuple[str, ...], ...]) -> ProvedTable:
    privacy, text = mechanism.privacy, csv_text(texts)
    rows = parse_table(text)
    verification = verify_table(rows)
    if not verification.stochastic:
        raise ProofError(f"the table is withheld: its text is not a mechanism: {verification.sentences[0]}")
    if mechanism.delta:
        found = uncovered(rows, 1 / privacy.alpha_above).delta
        if found > mechanism.delta or any(uncovered(rows, 1 / alpha).delta > delta for alpha, delta in mechanism.further):
            raise ProofError(f"the table is withheld: its text has delta = {float(found)}, above the requested one.")
        return ProvedTable(privacy, alpha, texts, rows, verification, text, found)
    if not verification.private(privacy):
        raise ProofError(
            f"the table is withheld: its text has epsilon = {verification.epsilon}, above the requested {privacy.epsilon}"
            f"{f' ({verification.worst.description})' if verification.worst else ''}."
        )
    return ProvedTable(privacy, alpha, texts, rows, verification, text)


def _rational_alpha(mechanism: Mechanism) -> Fraction:
    alpha = mechanism.privacy.exact_alpha
    if alpha is None:
        raise InputError("fractions need a rational alpha, for example 1/2; give alpha itself, or epsilon as ln 2.", "epsilon")
    return alpha


def _digits(factor: Fraction) -> int:
    """The number of significant digits that make a relative error below 1 / factor in every entry, the complement included.

    A plain entry is wrong by at most half a unit of the last digit. The complement collects the errors of the others; relative to
    itself, being the largest of n + 1, that is at most n times as much. The caller's factor of n + 2 covers both.
    """
    return len(str(int(factor))) + 1


def _complemented(row: Iterable[Decimal]) -> list[Decimal]:
    """Return the row with its largest entry replaced by 1 minus the others."""
    entries = list(row)
    largest = max(range(len(entries)), key=entries.__getitem__)
    entries[largest] = Decimal(0)
    entries[largest] = EXACT.subtract(Decimal(1), exact_sum(entries))
    return entries


def _fraction_text(entry: Fraction) -> str:
    try:
        return str(entry)
    except ValueError:
        raise InputError("the fractions would have more than 4\u202f000 digits; write decimals instead.", "format") from None
