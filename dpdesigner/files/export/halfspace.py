"""Export of halfspaces: the projections, the directions and the noisy counts, which answer any new query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.halfspaces import release
from dpdesigner.files.export.declared import DeclaredExport
from dpdesigner.files.export.export import TableFile
from dpdesigner.files.export.releases import Releases, refuse_count, released
from dpdesigner.files.tables.formats import json_text
from dpdesigner.studies.halfspace import HalfspaceAnswer

_HOW = (
    "To answer a direction y: for each projection A, find the direction u nearest to A y / |A y| and divide its count "
    "by the number of rows; then take the median over the projections. In Python: "
    "dpdesigner.read_halfspaces(FILE).answer(y)."
)


class HalfspaceExport(DeclaredExport):
    """The released structure; never the points."""

    outcome: HalfspaceAnswer

    def inputs(self) -> dict[str, Any]:
        """Return the inputs, without the points and where they are."""
        return {**super().inputs(), "points": "drawn" if self.outcome.design.drawn else "of the owner"}

    def panels(self) -> list[Any]:
        """Return what was released for every plane, and points that are nobody's."""
        return [panel for panel in super().panels() if panel.key == "answers" or self.outcome.design.drawn]

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Add NAME-structure.json: all that is needed to answer new queries."""
        yield from super().files(name, formats, fractions)
        if formats:
            yield TableFile(f"{name}-structure.json", json_text(self.structure()))

    def structure(self) -> dict[str, Any]:
        """Return what was released as JSON values."""
        released, design = self.outcome.released, self.outcome.design
        epsilon = figure(design.privacy.epsilon_above, 6)
        return {
            "how": _HOW,
            "privacy": f"epsilon = {epsilon}, one point replaced by any other; accuracy has no bound in advance",
            "published": design.seed is None,
            "rows": released.rows,
            "projections": released.plan.matrices.tolist(),
            "directions": released.plan.directions.tolist(),
            "counts": released.counts.tolist(),
        }

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release the counts anew, projection by projection."""
        refuse_count(count, "halfspaces release all their counts")
        outcome, design = self.outcome, self.outcome.design
        source = source_of(design.seed)
        made = [release(outcome.where, outcome.released.plan, design.budget, source) for _ in range(draws)]
        values = [each.counts.ravel().tolist() for each in made]
        return released(values, design.privacy.epsilon_above, "releases of the same points", design.seed)
