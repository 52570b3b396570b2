"""Export of two made-up columns: their rows, and the statement that goes with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.rectangles import make_grid
from dpdesigner.files.export.declared import DeclaredExport
from dpdesigner.files.export.export import TableFile
from dpdesigner.files.export.releases import Releases, refuse_count, released
from dpdesigner.files.export.synthetic import cell, header
from dpdesigner.studies.rectangle import TOUCHED, RectangleAnswer, real_table


class RectangleExport(DeclaredExport):
    """Two made-up columns; nothing that is computed from the real ones goes with them."""

    outcome: RectangleAnswer

    def inputs(self) -> dict[str, Any]:
        """Return the inputs, with the names of the real columns and not where they are nor what is in them."""
        design = self.outcome.design
        return {**super().inputs(), "first": design.first.title, "second": design.second.title}

    def tables_of_panels(self) -> list[Any]:
        """Return the made-up counts."""
        return [panel for panel in self.outcome.panels_in({}) if panel.key == "counts"]

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Add the rows as NAME.csv, and the statement."""
        yield from super().files(name, formats, fractions)
        design, statement = self.outcome.design, self.proof()
        if formats:
            epsilon = figure(design.privacy.epsilon_above, 6)
            level = f"differentially private with epsilon = {epsilon}, one row replaced by any other."
            text = "\n".join([f"Privacy: {level}", *statement]) + "\n"
            yield TableFile(f"{name}-privacy.txt", text)
        for wanted in formats:
            if wanted in ("csv", "tsv"):
                mark = "," if wanted == "csv" else "\t"
                titles = [header(given.title, wanted) for given in (design.first, design.second)]
                rows = [mark.join(map(cell, pair)) for pair in self.outcome.synthetic.tolist()]
                yield TableFile(f"{name}.{wanted}", "\n".join([mark.join(titles), *rows]) + "\n")

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Make both columns anew, one after the other in a list."""
        refuse_count(count, "synthetic columns have no true count")
        design = self.outcome.design
        source, real, shape = source_of(design.seed), real_table(design), design.shape(design.method)
        made = [make_grid(real, shape, design.budget, TOUCHED, source).counts.ravel().tolist() for _ in range(draws)]
        return released(made, design.privacy.epsilon_above, "releases of the same rows", design.seed)
