"""Export of a net: the probabilities of all small databases, and exact draws of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.draws import weighted_choice
from dpdesigner.core.synthetic.net import integer_losses
from dpdesigner.files.export.declared import DeclaredExport
from dpdesigner.files.export.export import TableFile
from dpdesigner.files.export.releases import Releases, refuse_count, released
from dpdesigner.files.tables.formats import rows_text
from dpdesigner.studies.net import NetAnswer

OWNERS = (
    "Computed from the database itself, for its owner. One small database drawn by `sample` may be published; the "
    "probabilities may not."
)


class NetExport(DeclaredExport):
    """The distribution over the small databases."""

    outcome: NetAnswer

    def inputs(self) -> dict[str, Any]:
        """Return the inputs, with the counts of the real database only where that is wanted."""
        given = super().inputs()
        return given if self.outcome.design.tells else {**given, "counts": "of the owner"}

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Add the probabilities of all small databases, where results computed from the real one go into files."""
        yield from super().files(name, formats, fractions)
        if not self.outcome.design.tells:
            return
        for wanted in formats:
            if wanted in ("csv", "tsv"):
                header = [*(f"rows of point {point}" for point in range(self.outcome.net.queries.points)), "probability"]
                pairs = zip(self.outcome.net.counts.tolist(), self.outcome.probabilities.tolist(), strict=True)
                rows = [[*map(str, counts), repr(chance)] for counts, chance in pairs]
                yield TableFile(f"{name}-probabilities.{wanted}", rows_text([header, *rows], wanted), OWNERS)

    def proof(self) -> list[str]:
        """Add that what is computed of the database itself is its owner's."""
        return [*super().proof(), *([OWNERS] if self.outcome.design.tells else [])]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw small databases exactly, from the system's entropy, each as the rows of its points."""
        refuse_count(count, "a small database is drawn from the counts of the design")
        outcome, design = self.outcome, self.outcome.design
        losses, scale = integer_losses(outcome.net, design.counts)
        level = PrivacyLevel.from_epsilon(design.budget / (2 * Fraction(scale)))
        drawn = [outcome.net.counts[weighted_choice(losses, level)].tolist() for _ in range(draws)]
        return released(drawn, design.privacy.epsilon_above, "releases of the same data")
