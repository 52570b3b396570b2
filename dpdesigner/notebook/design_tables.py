"""Many designs as one input: a table with one design a row, a grid of values, or a project file.

A table's columns are the keys of a design's JSON object (``name``, ``kind``, ``n``, ``epsilon``, ``prior``, ``loss``, …); without
a kind it is a count. A prior's cell is a name, its weights, or ``FILE.csv#COLUMN`` for the weights in a column. A grid is
``{"base": {...}, "grid": {"epsilon": ["0.5", "1"], "n": [100, 200]}}``: every combination of what stands in its lists, laid over
what stands in its base.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from dpdesigner.core.numbers.parsing import cut, excerpt, is_number
from dpdesigner.data.columns import read_values
from dpdesigner.data.grid import LineFile, file_title, read_text
from dpdesigner.errors import InputError
from dpdesigner.files.project.project import SUFFIX, read

_TEXTS = ("name", "path", "column")  # may be any word
_WEIGHTS = " ;"  # what parts the numbers of a prior in one cell


class Designs:
    """The designs of a file as JSON objects, each with its kind and a name; every pass reads the file again.

    ``len`` is their number. They are not checked further.

    Parameters
    ----------
    path : path-like
        ``.json`` is a grid, ``.dpd`` a project, anything else a table, and ``-`` a table on standard input.

    Raises
    ------
    InputError
        If the file cannot be read or holds no design.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        ending = Path(path).suffix.lower()
        self._of: Callable[[], Iterator[dict[str, Any]]]
        if ending == SUFFIX:
            studies = [study.to_json() for study in read(path)]
            self._of = lambda: iter(studies)
        elif ending == ".json":
            self._of = _grid(path)
        else:
            table, folder = LineFile(path), Path(path).parent
            self._of = lambda: _table(table, folder)
        self._count = sum(1 for _ in self._of())
        if not self._count:
            raise InputError(f"{file_title(path)} must contain at least one design, got none.", "file")

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        width = len(str(self._count))
        for k, data in enumerate(self._of(), 1):
            yield {"kind": "count", **data, "name": str(data.get("name") or f"{k:0{width}d}")}


def _grid(path: str | os.PathLike[str]) -> Callable[[], Iterator[dict[str, Any]]]:
    name = cut(Path(path).name)
    try:
        data = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} must contain JSON, got something else ({cut(error)}).", "file") from None
    if not isinstance(data, dict) or not isinstance(data.get("grid"), dict) or data.keys() - {"base", "grid"}:
        raise InputError(f'{name} must contain {{"base": {{...}}, "grid": {{"epsilon": [...]}}}}, got {excerpt(data)}.', "file")
    base, grid = data.get("base", {}), data["grid"]
    wrong = next((key for key, values in grid.items() if not isinstance(values, list) or not values), None)
    if wrong is not None or not isinstance(base, dict):
        raise InputError(f"the grid of {name} must have a list of values for {cut(wrong or 'each key')}.", "file")

    def combined() -> Iterator[dict[str, Any]]:
        for values in product(*grid.values()):
            own = dict(zip(grid, values, strict=True))
            words = "-".join(f"{key}={value}" for key, value in own.items() if isinstance(value, (str, int, float)))
            yield {**base, "name": "-".join(filter(None, (str(base.get("name", "")), words))), **own}

    return combined


def _table(table: LineFile, folder: Path) -> Iterator[dict[str, Any]]:
    below = iter(table)
    header = next(below, None)
    keys = [] if header is None else [cell.strip() for cell in header.cells]
    if len(set(keys)) != len(keys) or not all(keys) or any(map(is_number, keys)):
        problem = "must name each column once, for example name,n,epsilon,prior,loss"
        raise InputError(f"the first line of {table.name} {problem}.", "file")
    for line in below:
        if len(line.cells) != len(keys):
            got = f"{len(keys)} cells like the first, got {len(line.cells)}"
            raise InputError(f"{table.name}, line {line.number} must have {got}.", "file")
        cells = {key: cell for key, cell in zip(keys, line.cells, strict=True) if cell.strip()}
        yield {key: value_of(key, cell, folder) for key, cell in cells.items()}


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
