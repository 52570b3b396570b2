"""What a noise study gives as tables, with all digits: curves, or the probabilities of a choice; never a true count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpdesigner.errors import InputError
from dpdesigner.files.atomic import make_folder, write_atomically
from dpdesigner.files.export import file_name
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_curves import Curves
from dpdesigner.studies.noise_histogram import HistogramOutcome
from dpdesigner.studies.noise_outcome import NoiseOutcome
from dpdesigner.studies.noise_table import TableOutcome
from dpdesigner.studies.study import Progress, silent

FORMATS = ("csv", "tsv", "json")
_SEPARATORS = {"csv": ",", "tsv": "\t"}

Table = list[list[str]]
Outcome = NoiseOutcome | HistogramOutcome | TableOutcome


def public_json(study: NoiseStudy) -> dict[str, Any]:
    """Return a study as JSON values without what must not leave the house: true counts, and the place of the data."""
    data = study.to_json()
    if isinstance(histogram := data.get("histogram"), dict):
        data["histogram"] = {key: value for key, value in histogram.items() if key not in ("counts", "path")}
    return data


def tables(outcome: Outcome) -> dict[str, Table]:
    """Return the tables by name, the header first; an empty entry is a number that does not exist or is infinite.

    Those of a histogram are about the noise of one cell.
    """
    if isinstance(outcome, TableOutcome):
        matrix = outcome.mechanism.matrix.tolist()
        header = ["data\\output", *map(str, range(len(matrix[0])))]
        return {"probabilities": [header, *([str(row), *map(repr, values)] for row, values in enumerate(matrix))]}
    if isinstance(outcome, HistogramOutcome):
        return {f"cell-{key}": rows for key, rows in tables(outcome.cell).items()}
    name = "density" if outcome.study.query == "real" else "probabilities"
    found: dict[str, Curves | None] = {
        name: outcome.density,
        "distribution": outcome.distribution,
        "cost-against-epsilon": outcome.by_epsilon,
        "cost-against-gamma": outcome.by_gamma,
        "cost-with-delta": outcome.by_epsilon_with_delta,
        "cost-against-answers": outcome.by_dimension if outcome.study.dimension > 1 else None,
    }
    return {key: _rows(curves) for key, curves in found.items() if curves is not None}


def text(rows: Table, separator: str = ",") -> str:
    """Return a table as text, as `write` writes it."""
    return "".join(separator.join(row) + "\n" for row in rows)


def write(
    outcome: Outcome, folder: str | Path, name: str, formats: Sequence[str], progress: Progress = silent
) -> list[Path]:
    """Write every table in every format, and return the files.

    Parameters
    ----------
    outcome : NoiseOutcome, HistogramOutcome or TableOutcome
    folder : path
        Made if it is not there.
    name : str
        The files' names start with it.
    formats : sequence of str
        Of `FORMATS`; ``"json"`` is one file with the study, its results and all tables.
    progress : Progress
        Told how far it is.

    Raises
    ------
    InputError
        If a format is unknown or a file cannot be written.
    """
    unknown = [wanted for wanted in formats if wanted not in FORMATS]
    if unknown:
        raise InputError(f"the formats must be of {', '.join(FORMATS)}, got {unknown[0][:40]!r}.", "format")
    where, stem, written = make_folder(folder), file_name(name), []
    found = tables(outcome)
    for wanted in formats:
        if wanted == "json":
            written.append(where / f"{stem}.json")
            write_atomically(written[-1], _json(outcome, found))
            continue
        for done, (key, rows) in enumerate(found.items()):
            progress(done / len(found), key)
            written.append(where / f"{stem}-{key}.{wanted}")
            write_atomically(written[-1], text(rows, _SEPARATORS[wanted]))
    return written


def _rows(curves: Curves) -> Table:
    columns = curves.columns()
    arrays = [values.tolist() for values in columns.values()]
    return [list(columns), *([_text(value) for value in row] for row in zip(*arrays, strict=True))]


def _text(value: float) -> str:
    return repr(value) if abs(value) < float("inf") else ""


def _json(outcome: Outcome, found: dict[str, Table]) -> str:
    data = {"study": public_json(outcome.study), "results": outcome.facts(), "tables": found}
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
