"""Tables of what was computed with doubles, with all digits: the curves of a noise, and how such tables are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from numpy.typing import NDArray

from dpdesigner.core.noise.curves import Curves
from dpdesigner.core.numbers.parsing import is_number
from dpdesigner.files.tables.formats import rows_text
from dpdesigner.studies.noise.answer import NoiseAnswer

_ROUNDED = "Rounded for print; the table as CSV has all digits."


Table = list[list[str]]


def curve_tables(outcome: NoiseAnswer) -> dict[str, Table]:
    """Return the curves by name, the header first; an empty entry is a number that does not exist or is infinite."""
    drawn: dict[str, Curves | None] = {
        "density" if outcome.design.query == "real" else "probabilities": outcome.density,
        "distribution": outcome.distribution,
        "cost-against-epsilon": outcome.by_epsilon,
        "cost-against-gamma": outcome.by_gamma,
        "cost-with-delta": outcome.by_epsilon_with_delta,
        "cost-against-answers": outcome.by_dimension if outcome.design.dimension > 1 else None,
    }
    return {key: table(curves.columns()) for key, curves in drawn.items() if curves is not None}


def choice_rows(texts: Sequence[Sequence[str]]) -> Table:
    """Return the probabilities of a choice as a table: a row for each state of the data."""
    return [["data\\output", *map(str, range(len(texts[0])))], *([str(row), *values] for row, values in enumerate(texts))]


def table(columns: Mapping[str, NDArray[Any]]) -> Table:
    """Return columns as a table, their names first."""
    arrays = [values.tolist() for values in columns.values()]
    return [list(columns), *([_text(value) for value in row] for row in zip(*arrays, strict=True))]


def text(rows: Table, wanted: str = "csv") -> str:
    """Return a table as the text of a file in any format but JSON; in LaTeX with eight digits."""
    if wanted == "tex":
        header, *body = rows
        rows = [[name.replace("_", " ") for name in header], *([short(cell).replace("–", "--") for cell in row] for row in body)]
    return rows_text(rows, wanted, _ROUNDED)


def short(cell: str) -> str:
    """Return a number with eight digits; other texts as they are, and a dash for an empty one."""
    if ("." not in cell and "e" not in cell) or not is_number(cell):
        return cell or "–"
    return f"{float(cell) or Decimal(cell).normalize():.8g}"


def _text(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return repr(value) if abs(value) < float("inf") else ""
