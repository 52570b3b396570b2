"""What solving a count design gives: the mechanism, its expected loss and its certificate, and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpdesigner.core.count.closed_form import ClosedForm
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.found import Found


@dataclass(frozen=True, eq=False, repr=False)
class CountOutcome(ClosedForm, Found):
    """What solving a count design gives; `dpdesigner.studies.count.answer` tells of all that is known besides."""

    method: ClassVar[str] = "geometric mechanism and Bayes remap"

    design: CountDesign
