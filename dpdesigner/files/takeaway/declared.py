"""What can be taken away from a kind whose inputs and panels are declared: its findings, and its panels as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from dpdesigner.errors import InputError
from dpdesigner.files.atomic import make_folder, write_atomically
from dpdesigner.files.tables.formats import FORMATS, json_text, latex_rows
from dpdesigner.files.takeaway.export import file_name
from dpdesigner.files.takeaway.takeaway import Attachment, Listing, Takeaway, Written, cut
from dpdesigner.studies.declared import Answer, tables_of
from dpdesigner.studies.findings import as_json, public, shown
from dpdesigner.studies.tables import Table

_MOST = 12  # rows of a table that a report shows
_SEPARATORS = {"csv": ",", "tsv": "\t"}
_LATEX = {mark: f"\\{mark}" for mark in "&%$#_{}"} | {"\\": r"$\backslash$", "−": "--", "~": r"\~{}", "^": r"\^{}"}


class DeclaredTakeaway(Takeaway):
    """What can be taken away from the answer to a declared design; nothing that is secret is."""

    formats: ClassVar[tuple[str, ...]] = FORMATS

    def __init__(self, outcome: Answer) -> None:
        super().__init__(outcome)
        self.outcome: Answer = outcome

    @property
    def line(self) -> str:
        """The inputs in one line."""
        return self.outcome.line

    def facts(self) -> list[tuple[str, str]]:
        """Return the findings, each with its note."""
        found = public(self.outcome.findings).values()
        return [(str(each.label), ": ".join(filter(None, (shown(each), each.note)))) for each in found]

    def data(self) -> dict[str, Any]:
        """Return the inputs, and the findings by their keys."""
        return {"design": self.inputs(), "findings": self._findings()}

    def proof(self) -> list[str]:
        """Return the sentence, what is proved, and what was verified."""
        return [text for text in (self.outcome.sentence, self.outcome.badge[0], *self.outcome.checks) if text]

    def listings(self) -> list[Listing]:
        """Return the tables, the long ones cut, each whole as a CSV file."""
        stem, found = file_name(self.title), []
        for table in self._tables:
            whole = Attachment(f"{stem}-{table.key}.csv", _text(table, "csv"))
            listing = Listing(table.title, table.header, table.rows, table.note, whole)
            found.append(cut(listing, _MOST, "All of them are in the attached table."))
        return found

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse what `write` could not write."""
        super().check(formats, fractions)
        if fractions:
            raise InputError(f"fractions are for mechanisms of counts, got a {self.study.kind} design.", "file")

    def write(self, folder: str | Path, name: str, formats: Sequence[str], fractions: bool = False) -> list[Written]:
        """Write every panel as a table, ``NAME-PANEL.csv``; as JSON one file with the design, the findings and all tables."""
        self.check(formats, fractions)
        where, stem, files = make_folder(folder), file_name(name), dict[str, str]()
        for wanted in dict.fromkeys(formats):
            if wanted == "json":
                tables = {table.key: table.as_rows() for table in self._tables}
                files[f"{stem}.json"] = json_text({**self.data(), "tables": tables})
            else:
                files |= {f"{stem}-{table.key}.{wanted}": _text(table, wanted) for table in self._tables}
        for file, text in files.items():
            write_atomically(where / file, text)
        return [Written(where / file, "", {}) for file in files]

    def computed(self) -> dict[str, Any]:
        """Return the answer, for the page that draws the figures."""
        return {"solve": self.outcome}

    def _findings(self) -> dict[str, Any]:
        return {key: as_json(each) for key, each in public(self.outcome.findings).items()}

    @cached_property
    def _tables(self) -> list[Table]:
        return tables_of(self.outcome)


def _text(table: Table, wanted: str) -> str:
    if wanted == "tex":
        header, *rows = [["".join(_LATEX.get(mark, mark) for mark in cell) for cell in row] for row in table.as_rows()]
        return latex_rows(header, rows, table.note or table.title)
    text = io.StringIO()
    csv.writer(text, delimiter=_SEPARATORS[wanted], lineterminator="\n").writerows(table.as_rows())
    return text.getvalue()
