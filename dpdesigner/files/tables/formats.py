"""The texts that tables are written as: CSV, TSV, JSON and LaTeX, and the way to read the last back.

Entries come as texts, because a table is proved on the text that is written: what is read back is what is checked.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence

from dpdesigner.data.grid import guarded
from dpdesigner.data.mechanism_tables import CORNER, Entry, parse_table
from dpdesigner.errors import InputError

Texts = Sequence[Sequence[str]]

#: What a table can be written as.
FORMATS = ("csv", "tsv", "json", "tex")
#: Endings of the files that may hold a table to be read.
ENDINGS = (".csv", ".tsv", ".txt")

_SEPARATORS = {"csv": ",", "tsv": "\t"}
#: What LaTeX takes for a command, and the minus sign.
_LATEX = str.maketrans({mark: f"\\{mark}" for mark in "&%$#_{}"} | {"\\": r"$\backslash$", "−": "--", "~": r"\~{}", "^": r"\^{}"})
_LATEX_FRACTION = re.compile(r"\$\\frac\{(\d+)\}\{(\d+)\}\$")
_LATEX_CORNER = r"true$\backslash$released"


def csv_text(entries: Texts, separator: str = ",") -> str:
    """Return a table as text, a header of released results and one line per true result.

    Parameters
    ----------
    entries : sequence of sequence of str
        Rows = true result, columns = released result.
    separator : str
        A comma, or a tab for the clipboard.
    """
    header = separator.join([CORNER, *map(str, range(len(entries[0])))])
    return "\n".join([header, *(separator.join([str(i), *row]) for i, row in enumerate(entries))]) + "\n"


def json_text(data: object) -> str:
    """Return JSON values as the text of a file."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def rows_text(rows: Texts, wanted: str, remark: str = "") -> str:
    """Return rows of any cells, the header first, as the text of a file; no cell of it is a formula to a spreadsheet.

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
    """Return a table for LaTeX with the package booktabs; fractions are set as fractions.

    Parameters
    ----------
    entries : sequence of sequence of str
    remark : str
        One line for the comment above the table.
    """
    header = [_LATEX_CORNER, *map(str, range(len(entries[0])))]
    return latex_rows(header, [[str(i), *map(_latex_entry, row)] for i, row in enumerate(entries)], remark)


def latex_rows(header: Sequence[str], rows: Texts, remark: str) -> str:
    """Return rows of any cells, each in LaTeX already, as a table with the package booktabs; parameters as `latex_text`."""
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
