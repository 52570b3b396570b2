"""What solving a count design gives: the mechanism, its expected loss and its certificate, and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpdesigner.core.count.closed_form import ClosedForm
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.messages import Message, message
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import MechanismResult


@dataclass(frozen=True, eq=False, repr=False)
class CountOutcome(ClosedForm, MechanismResult):
    """What solving a count design gives; `dpdesigner.studies.count.answer` tells of all that is known besides."""

    method: ClassVar[str] = "geometric mechanism and Bayes remap"

    design: CountDesign

    @property
    def checks(self) -> tuple[Message, ...]:
        """The privacy of the mechanism, and how much of its certificate was checked."""
        checked, columns = self.certificate.checked, self.certificate.columns
        certified = message("✓ dual certificate, {columns} columns checked", columns=group_thousands(columns))
        if self.exact:
            certified = message("✓ dual certificate in fractions, {columns} columns checked", columns=group_thousands(columns))
        if checked < columns:
            certified = message(
                "✓ dual certificate, {checked} of {columns} columns checked, Theorem A for the rest",
                checked=group_thousands(checked),
                columns=group_thousands(columns),
            )
        return *super().checks, certified
