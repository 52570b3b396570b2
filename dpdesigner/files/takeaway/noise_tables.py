"""Tables of what was computed with doubles, with all digits: the curves of a noise, and how such tables are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpdesigner.core.noise.curves import Curves
from dpdesigner.core.numbers.given import shown
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import make_folder, write_atomically
from dpdesigner.files.tables.formats import FORMATS, json_text, latex_rows
from dpdesigner.files.takeaway.export import file_name
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.study import Progress, silent

_SEPARATORS = {"csv": ",", "tsv": "\t"}
_ROUNDED = "Rounded for print; the table as CSV has all digits."


Table = list[list[str]]


def curve_tables(outcome: NoiseOutcome) -> dict[str, Table]:
    """Return the curves by name, the header first; an empty entry is a number that does not exist or is infinite."""
    found: dict[str, Curves | None] = {
        "density" if outcome.design.query == "real" else "probabilities": outcome.density,
        "distribution": outcome.distribution,
        "cost-against-epsilon": outcome.by_epsilon,
        "cost-against-gamma": outcome.by_gamma,
        "cost-with-delta": outcome.by_epsilon_with_delta,
        "cost-against-answers": outcome.by_dimension if outcome.design.dimension > 1 else None,
    }
    return {key: _rows(curves) for key, curves in found.items() if curves is not None}


def text(rows: Table, wanted: str = "csv") -> str:
    """Return a table as text in one of `FORMATS` but JSON, as `write` writes it; in LaTeX with eight digits."""
    if wanted == "tex":
        header, *body = rows
        names = [name.replace("_", " ").replace("\\", r"$\backslash$") for name in header]
        return latex_rows(names, [[short(cell).replace("–", "--") for cell in row] for row in body], _ROUNDED)
    return "".join(_SEPARATORS[wanted].join(row) + "\n" for row in rows)


def short(cell: str) -> str:
    """Return a number with eight digits; other texts as they are, and a dash for an empty one."""
    if "." not in cell and "e" not in cell:
        return cell or "–"
    return f"{float(cell) or Decimal(cell).normalize():.8g}"


def write(
    data: Mapping[str, Any],
    found: dict[str, Table],
    folder: str | Path,
    name: str,
    formats: Sequence[str],
    progress: Progress = silent,
) -> list[Path]:
    """Write every table in every format, and return the files.

    Parameters
    ----------
    data : Mapping
        What the JSON file holds besides the tables, by name.
    found : dict
        The tables by name.
    folder : path
        Made if it is not there.
    name : str
        The files' names start with it.
    formats : sequence of str
        Of `FORMATS`; ``"json"`` is one file with `data` and all tables.
    progress : Progress
        Told how far it is.

    Raises
    ------
    InputError
        If a format is unknown or a file cannot be written.
    """
    unknown = [wanted for wanted in formats if wanted not in FORMATS]
    if unknown:
        raise InputError(f"the formats must be of {', '.join(FORMATS)}, got {shown(unknown[0])}.", "format")
    where, stem, written = make_folder(folder), file_name(name), []
    for wanted in formats:
        if wanted == "json":
            written.append(where / f"{stem}.json")
            write_atomically(written[-1], json_text({**data, "tables": found}))
            continue
        for done, (key, rows) in enumerate(found.items()):
            progress(done / len(found), key)
            written.append(where / f"{stem}-{key}.{wanted}")
            write_atomically(written[-1], text(rows, wanted))
    return written


def _rows(curves: Curves) -> Table:
    columns = curves.columns()
    arrays = [values.tolist() for values in columns.values()]
    return [list(columns), *([_text(value) for value in row] for row in zip(*arrays, strict=True))]


def _text(value: float) -> str:
    return repr(value) if abs(value) < float("inf") else ""
