"""What solving a count design gives: the mechanism, its expected loss and its certificate, and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpdesigner.core.count.closed_form import ClosedForm
from dpdesigner.core.numbers.rounding import counted
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.found import Found
from dpdesigner.studies.said import Said, said


@dataclass(frozen=True, eq=False, repr=False)
class CountOutcome(ClosedForm, Found):
    """What solving a count design gives; `dpdesigner.studies.count.answer` tells of all that is known besides."""

    method: ClassVar[str] = "geometric mechanism and Bayes remap"

    design: CountDesign

    @property
    def checks(self) -> tuple[Said, ...]:
        """The privacy of the mechanism, and how much of its certificate was checked."""
        checked, columns = self.certificate.checked, self.certificate.columns
        certified = said("✓ dual certificate, {columns} columns checked", columns=counted(columns))
        if self.exact:
            certified = said("✓ dual certificate in fractions, {columns} columns checked", columns=counted(columns))
        if checked < columns:
            certified = said(
                "✓ dual certificate, {checked} of {columns} columns checked, Theorem A for the rest",
                checked=counted(checked),
                columns=counted(columns),
            )
        return *super().checks, certified
