"""Export of a kind whose inputs and panels are declared: its findings, and its panels as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from dpdesigner.files.export.export import Export, TableFile
from dpdesigner.files.export.formats import TABLE_FORMATS, Format
from dpdesigner.files.export.formatting import file_name
from dpdesigner.files.export.report_table import Attachment, Listing, cut
from dpdesigner.files.tables.formats import json_text, rows_text
from dpdesigner.studies.base import PanelAnswer, flattened, for_owner, tables_of
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.table_panels import Sentence, Table

_MOST = 12  # rows of a table that a report shows


class DeclaredExport(Export):
    """The export of the answer to a declared design, without secret values."""

    formats: ClassVar[Mapping[str, Format]] = TABLE_FORMATS

    outcome: PanelAnswer

    def proof(self) -> list[str]:
        """Return the sentence, what is proved, and what was verified."""
        return [text for text in (self.outcome.sentence, self.outcome.badge[0], *self.outcome.checks) if text]

    def listings(self) -> list[Listing]:
        """Return the tables, the long ones cut, each whole as a CSV file."""
        stem, listings = file_name(self.title), []
        for table in self._tables:
            whole = Attachment(f"{stem}-{table.key}.csv", _text(table, "csv"))
            listing = Listing(table.title, table.header, table.rows, table.note, whole)
            listings.append(cut(listing, _MOST, "All of them are in the attached table."))
        return listings

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make every panel a table, ``NAME-PANEL.csv``; as JSON one file with the design, the findings and all tables."""
        for wanted in formats:
            if wanted == "json":
                tables = {table.key: table.as_rows() for table in self._tables}
                yield TableFile(f"{name}.json", json_text({**self.data(), "tables": tables}))
            else:
                yield from self.table_files(name, wanted)

    def table_files(self, name: str, wanted: str) -> Iterator[TableFile]:
        """Make every panel a table, ``NAME-PANEL.csv``."""
        yield from (TableFile(f"{name}-{table.key}.{wanted}", _text(table, wanted)) for table in self._tables)

    def panels(self) -> list[Any]:
        """Return the plots, matrices and rankings, without what is secret."""
        drawn = [
            panel
            for panel in flattened(self.outcome.panels_in({}))
            if not for_owner(panel) and not isinstance(panel, Sentence | Table)
        ]
        return [panel.public() if isinstance(panel, Plot) else panel for panel in drawn]

    @cached_property
    def _tables(self) -> list[Table]:
        return self.tables_of_panels()

    def tables_of_panels(self) -> list[Table]:
        """Return the tables of all panels, without what is secret."""
        return tables_of(self.outcome)


def _text(table: Table, wanted: str) -> str:
    return rows_text(table.as_rows(), wanted, table.note or table.title)
