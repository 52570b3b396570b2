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
class CountAnswer(ClosedForm, MechanismResult):
    """The result of solving a count design without delta.

    Attributes
    ----------
    design : CountDesign
    value : float or Fraction
        The expected loss: a `Fraction` where it was solved exactly, otherwise a double within the gap of the truth.
    mechanism, geometric : ndarray
        (n + 1, n + 1), rows = true result, columns = released result: the best mechanism, and the range-restricted geometric
        mechanism G that it is made from; up to n = 5000.
    remap : ndarray of int
        (n + 1,): output j of G is read as ``remap[j]``.
    constraints : ndarray of str
        (n, n + 1) of ``"d"``, ``"u"``, ``"S"`` and ``"Z"``: where privacy binds between neighbouring rows.
    certificate : Certificate
        ``certificate.gap``: value - optimum <= gap.
    epsilon : float
        The privacy level that the mechanism attains, rounded up.
    induced, released : RemappedGeometric
        The same two mechanisms for any n: single entries, rows, columns, posteriors and exact draws.
    findings : mapping of str to Finding
        Each number that is told, with its name, rounding and proof.
    """

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
