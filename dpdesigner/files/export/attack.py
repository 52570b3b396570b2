"""Export of an attack: its findings and its curves; anybody's value only where the design says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from dpdesigner.core.reconstruction.sweep import curves, plan
from dpdesigner.files.export.declared import DeclaredExport
from dpdesigner.files.export.export import TableFile
from dpdesigner.messages import message
from dpdesigner.studies.attack.design import setting
from dpdesigner.studies.findings import format_finding, public
from dpdesigner.studies.inputs.bits import drawn_by_hand
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.snapshot import Found
from dpdesigner.studies.study import Progress
from dpdesigner.studies.table_panels import Table


class AttackExport(DeclaredExport):
    """An attack on a secret column; the column itself is never taken away, nor where it lies."""

    outcome: Any

    @classmethod
    def completed(cls, outcome: Any, done: Mapping[str, Any], progress: Progress) -> Any:
        """Return the outcome with the ranges of published answers or the private release, and the curves if there are any."""
        if outcome.design.answers:
            return outcome.completed(ranges=_found(done, "ranges", outcome) or outcome.find_ranges(progress))
        if not outcome.design.noisy:
            outcome = outcome.completed(private=_found(done, "private", outcome) or outcome.find_private(progress))
        return outcome.completed(curves=_found(done, "curves", outcome))

    def inputs(self) -> dict[str, Any]:
        """Return the inputs without the secret, and without the place of the data."""
        asked = super().inputs()
        if asked["column"]:
            asked["column"] = "painted" if drawn_by_hand(asked["column"]) else "a column of a file"
        if asked["answers"]:
            asked["answers"] = "published answers"
            design = self.outcome.design
            idle = {each.key for each in design.inputs() if not each.matters(design)}
            asked = {key: value for key, value in asked.items() if key not in idle}  # nothing was drawn
        return asked

    def computed(self) -> dict[str, Any]:
        """Return what pictures need not compute again; the other attackers need no run of their own."""
        found = {"curves": self._whole.curves, "private": self.outcome.private, "ranges": self.outcome.ranges}
        known = {name: Found(self.outcome, value) for name, value in found.items() if value is not None}
        return {**super().computed(), "others": None, **known}

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make tables of what was found, the curves among it."""
        return super(AttackExport, type(self)(self._whole, self.done)).files(name, formats, fractions)

    def panels(self) -> list[Any]:
        """Return the curves."""
        return [panel for panel in self._whole.panels_in({}) if isinstance(panel, Plot)]

    @cached_property
    def _whole(self) -> Any:
        """The outcome with curves: those of the page, or one run of each place."""
        if self.outcome.curves is not None or self.outcome.design.answers:
            return self.outcome
        asked = setting(self.outcome.design)
        return self.outcome.completed(curves=curves(asked, {}, places=plan(asked, 1, rivals=False), design=self.outcome.design))

    @cached_property
    def _tables(self) -> list[Table]:
        findings = public(self._whole.findings).values()
        rows = tuple((finding.label, format_finding(finding, "full"), finding.note) for finding in findings)
        table = Table("findings", message("Results"), (message("what"), message("value"), message("note")), rows)
        return [table, *(panel if isinstance(panel, Table) else panel.as_table() for panel in self._whole.panels_in({}))]


def _found(done: Mapping[str, Any], name: str, outcome: Any) -> Any:
    """What a job of the page has found for this very outcome."""
    found = done.get(name)
    return found.value if isinstance(found, Found) and found.answer is outcome else None
