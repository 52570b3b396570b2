"""Many designs as one input: a table with one design a row, a grid of values, or a project file.

A table's columns are the keys of a design's JSON object (``name``, ``kind``, ``n``, ``epsilon``, ``prior``, ``loss``, …); without
a kind it is a count. A prior's cell is a name, its weights, or ``FILE.csv#COLUMN`` for the weights in a column. A grid is
``{"base": {...}, "grid": {"epsilon": ["0.5", "1"], "n": [100, 200]}}``: every combination of what stands in its lists, laid over
what stands in its base.
"""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

from dpdesigner.core.numbers.parsing import cut, excerpt, is_number
from dpdesigner.data.columns import read_values
from dpdesigner.data.grid import lines, read_text
from dpdesigner.errors import InputError
from dpdesigner.files.project.project import SUFFIX, read

#: Designs of one sweep.
MOST = 100_000
_TEXTS = ("name", "path", "column")  # may be any word
_WEIGHTS = " ;"  # what parts the numbers of a prior in one cell


def designs_of(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the designs of a file as JSON objects, each with its kind and a name; not checked further.

    Parameters
    ----------
    path : path-like
        ``.json`` is a grid, ``.dpd`` a project, anything else a table.

    Raises
    ------
    InputError
        If the file cannot be read, holds no design, or more than 100 000.
    """
    ending = Path(path).suffix.lower()
    designs = _project(path) if ending == SUFFIX else _grid(path) if ending == ".json" else _table(path)
    if not 0 < len(designs) <= MOST:
        raise InputError(f"{cut(Path(path).name)} must hold 1 to {MOST} designs, got {len(designs)}.", "file")
    width = len(str(len(designs)))
    return [{"kind": "count", **data, "name": str(data.get("name") or f"{k:0{width}d}")} for k, data in enumerate(designs, 1)]


def _project(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    return [study.to_json() for study in read(path)]


def _grid(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    name = cut(Path(path).name)
    try:
        data = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} must hold JSON, got something else ({cut(error)}).", "file") from None
    if not isinstance(data, dict) or not isinstance(data.get("grid"), dict) or data.keys() - {"base", "grid"}:
        raise InputError(f'{name} must hold {{"base": {{...}}, "grid": {{"epsilon": [...]}}}}, got {excerpt(data)}.', "file")
    base, grid = data.get("base", {}), data["grid"]
    wrong = next((key for key, values in grid.items() if not isinstance(values, list) or not values), None)
    if wrong is not None or not isinstance(base, dict):
        raise InputError(f"the grid of {name} must have a list of values for {cut(wrong or 'each key')}.", "file")
    made: list[dict[str, Any]] = []
    for values in product(*grid.values()):
        own = dict(zip(grid, values, strict=True))
        if len(made) > MOST:
            break
        words = "-".join(f"{key}={value}" for key, value in own.items() if isinstance(value, (str, int, float)))
        made.append({**base, "name": "-".join(filter(None, (str(base.get("name", "")), words))), **own})
    return made


def _table(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    name = cut(Path(path).name)
    below = lines(read_text(path), name)
    header = next(below, None)
    keys = [] if header is None else [cell.strip() for cell in header.cells]
    if len(set(keys)) != len(keys) or not all(keys) or any(map(is_number, keys)):
        raise InputError(f"the first line of {name} must name each column once, for example name,n,epsilon,prior,loss.", "file")
    made = []
    for line in below:
        if len(line.cells) != len(keys):
            got = f"{len(keys)} cells like the first, got {len(line.cells)}"
            raise InputError(f"{name}, line {line.number} must have {got}.", "file")
        cells = {key: cell for key, cell in zip(keys, line.cells, strict=True) if cell.strip()}
        made.append({key: value_of(key, cell, Path(path).parent) for key, cell in cells.items()})
    return made


def value_of(key: str, cell: str, folder: Path) -> Any:
    """Return the JSON value that a text stands for: JSON, weights in one cell or in another file's column, or itself.

    Parameters
    ----------
    key : str
        Of the design's JSON object: weights are for a ``prior``.
    cell : str
    folder : path
        Where the other file is, if its path is relative.

    Raises
    ------
    InputError
        If it begins like JSON and is not, or the column cannot be read.

    Examples
    --------
    >>> value_of("prior", "1 2 3", Path()), value_of("utilities", "[3, 4]", Path()), value_of("n", "10", Path())
    (['1', '2', '3'], [3, 4], '10')
    """
    text = cell.strip()
    if text.startswith(("[", "{")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(f"{key}, which begins with {text[0]}, must be JSON, got {excerpt(text)}.", key) from None
    if text in ("true", "false") and key not in _TEXTS:
        return text == "true"
    if key != "prior":
        return text
    file, mark, column = text.partition("#")
    if mark:
        return read_values(folder / file, column).tolist()
    for separator in _WEIGHTS:
        if separator in text:
            return [part for part in text.split(separator) if part]
    return text
