"""Export of a made-up column: the column itself with its privacy statement, and noisy counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.methods import make
from dpdesigner.data.grid import guarded
from dpdesigner.files.export.declared import DeclaredExport
from dpdesigner.files.export.export import TableFile
from dpdesigner.files.export.releases import Releases, refuse_count, released
from dpdesigner.files.tables.formats import json_text
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import IntervalAnswer
from dpdesigner.studies.synthetic.design import real_counts


class SyntheticExport(DeclaredExport):
    """A made-up column; nothing that is computed from the real one goes with it, unless that is asked for."""

    outcome: IntervalAnswer

    def inputs(self) -> dict[str, Any]:
        """Return the inputs, with the name of a real column and not where it is nor what is in it."""
        column = self.outcome.design.column
        return super().inputs() if column.drawn else {**super().inputs(), "column": column.title}

    def details(self) -> dict[str, Any]:
        """Return the privacy statement, line by line."""
        return {"statement": self.proof()}

    def proof(self) -> list[str]:
        """Return the privacy statement, line by line."""
        return statements.statement(self.outcome.facts)

    def panels(self) -> list[Any]:
        """Return the made-up running total, its histogram and the budget."""
        return [panel for panel in super().panels() if isinstance(panel, Plot) and panel.lines and panel.key != "failures"]

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make the column as NAME.csv, its privacy statement as NAME-privacy.txt, and the tables as NAME-PANEL.csv."""
        values = [cell(value) for value in self.outcome.synthetic.tolist()]
        statement = statements.statement(self.outcome.facts)
        if formats:
            yield TableFile(f"{name}-privacy.txt", "\n".join(statement) + "\n", statement[0])
        for wanted in formats:
            if wanted == "json":
                tables = {table.key: table.as_rows() for table in self._tables}
                made = {"synthetic": [[self.outcome.design.column.title], *([value] for value in values)]}
                yield TableFile(f"{name}.json", json_text({**self.data(), "tables": {**made, **tables}}))
                continue
            if wanted in ("csv", "tsv"):
                title = header(self.outcome.design.column.title, wanted)
                yield TableFile(f"{name}.{wanted}", "\n".join([title, *values]) + "\n", statement[0])
            yield from self.table_files(name, wanted)

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Make columns anew, from the system's entropy or from the seed, each a list of values."""
        refuse_count(count, "a synthetic column has no true count")
        design = self.outcome.design
        source, real = source_of(design.seed), real_counts(design)
        made = [make(real, design.way, design.budget, design.accuracy, source) for _ in range(draws)]
        columns = [design.cells.values(each.counts) for each in made]
        whole = all((column == np.floor(column)).all() for column in columns)
        values = [(column.astype(np.int64) if whole else column).tolist() for column in columns]
        if design.seed is not None:
            return Releases(values, statements.for_study(design), exact=False)
        return released(values, design.privacy.epsilon_above, "releases of the same column")


def cell(value: float) -> str:
    """Return a number as a cell of a table, whole ones without a point."""
    return str(int(value)) if value == int(value) else repr(value)


def header(title: str, wanted: str) -> str:
    """The name of the real column, as a cell of a table."""
    plain = guarded(" ".join(title.split()) or "value")
    if wanted == "csv" and any(mark in plain for mark in ',;"'):
        return '"' + plain.replace('"', '""') + '"'
    return plain
