"""What a sweep has done, on disk: the ledger that a later sweep goes on from, and the summary.

The memory that this takes does not grow with the number of designs: names, and where each line of the ledger stands, are in a
temporary database, and the rows wait for the summary in a temporary file.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpdesigner.files.atomic import write_atomically
from dpdesigner.files.export.formatting import file_name
from dpdesigner.files.tables.formats import rows_text

LEDGER, SUMMARY = "sweep.jsonl", "summary.csv"
_TASK = re.compile(rb'"task": "([0-9a-f]{64})"')
_HEADER = ("name", "state", "error", "file", "sha256")


@dataclass(frozen=True)
class Row:
    """One design of a sweep to a folder.

    Attributes
    ----------
    name : str
        Of its files.
    state : {"done", "kept", "failed"}
        Kept is what an earlier sweep has written and is still there.
    findings : mapping
        By key, as JSON values.
    files : mapping of str to str
        Names and checksums.
    error : str
        Why there is nothing.
    """

    name: str
    state: str
    findings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


class Record:
    """The ledger and the summary of one folder.

    Parameters
    ----------
    folder : path
        It must exist.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = sqlite3.connect("")  # a temporary file of its own, which goes with it
        self._index.execute("create table lines (task text primary key, place integer) without rowid")
        self._index.execute("create table names (name text primary key) without rowid")
        self._index.executemany("insert or replace into lines values (?, ?)", self._lines())
        self._ledger = (folder / LEDGER).open("ab+")
        self._rows = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._keys: dict[str, None] = {}

    def _lines(self) -> Iterator[tuple[str, int]]:
        """The tasks that earlier sweeps say they have done; a line that was cut off says nothing."""
        with suppress(OSError), (self._folder / LEDGER).open("rb") as ledger:
            place = 0
            for line in ledger:
                found = _TASK.search(line)
                if found is not None and line.endswith(b"}\n"):
                    yield found[1].decode(), place
                place += len(line)

    def name(self, wanted: str, place: int) -> str:
        """Return a name for the files of a design that no other one has, and keep it."""
        name = base = file_name(wanted)
        again = 0
        while self._index.execute("insert or ignore into names values (?)", (name,)).rowcount == 0:
            name = f"{base}-{place}" if not again else f"{base}-{place}-{again + 1}"
            again += 1
        return name

    def before(self, task: str) -> dict[str, Any] | None:
        """Return what the ledger says of a task, if its files are still the same."""
        found = self._index.execute("select place from lines where task = ?", (task,)).fetchone()
        if found is None:
            return None
        self._ledger.seek(found[0])
        with suppress(ValueError, KeyError, TypeError):
            line = json.loads(self._ledger.readline())
            if all(self._same(str(name), checksum) for name, checksum in line["files"].items()):
                return {"error": "", **line, "findings": dict(line["findings"])}
        return None

    def _same(self, name: str, checksum: str) -> bool:
        path = self._folder / Path(name).name
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == checksum

    def add(self, line: Mapping[str, Any]) -> None:
        """Write a line into the ledger; what it names must be there."""
        self._ledger.write(json.dumps(line).encode() + b"\n")
        self._ledger.flush()

    def summarise(self, row: Row) -> None:
        """Keep a row for the summary."""
        self._keys |= dict.fromkeys(row.findings)
        self._rows.write(json.dumps([row.name, row.error, dict(row.files), dict(row.findings)]) + "\n")

    def close(self) -> None:
        """Write the summary, which has a line for each row."""
        try:
            write_atomically(self._folder / SUMMARY, self._summary())
        finally:
            self._ledger.close()
            self._rows.close()
            self._index.close()

    def _summary(self) -> Iterator[str]:
        yield rows_text([[*_HEADER, *self._keys]], "csv")
        self._rows.seek(0)
        for line in self._rows:
            name, error, files, findings = json.loads(line)
            first = next(iter(files.items()), ("", ""))
            cells = ["" if findings.get(key) is None else str(findings[key]) for key in self._keys]
            yield rows_text([[name, "failed" if error else "done", error, *first, *cells]], "csv")
