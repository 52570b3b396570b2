"""The result of solving a count design: mechanism, expected loss, certificate, findings and sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import figure, group_thousands, rounded_up
from dpdesigner.core.count.closed_form import ClosedForm
from dpdesigner.core.mechanism.mechanism import Mechanism, mean_error
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Outcome, Why
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.findings import Finding, State, format_finding
from dpdesigner.studies.plain_language import IF_RIGHT, cost_sentences

_ROUNDING = 1e-12  # an epsilon in doubles this close to the requested one is taken to be equal
#: The largest n for which the values that are ever released are counted, and the errors averaged.
_LARGEST_COUNTED = 1000


class MechanismResult(Outcome):
    """A mechanism for a design: its expected loss, its certificate, value - optimum <= gap; its method, and the basis of both."""

    if TYPE_CHECKING:  # fields or properties of the results

        @property
        def design(self) -> CountDesign: ...  # noqa: D102  (described above)
        @property
        def compact_mechanism(self) -> Mechanism: ...  # noqa: D102
        @property
        def value(self) -> float | Fraction: ...  # noqa: D102
        @property
        def gap(self) -> float | Fraction: ...  # noqa: D102
        @property
        def method(self) -> str: ...  # noqa: D102
        @property
        def basis(self) -> str: ...  # noqa: D102

    #: The class of releases that the certificate compares with.
    rival: ClassVar[Message] = message("private release of a whole number 0 to n from the count alone")

    @cached_property
    def proved(self) -> bool:
        """Whether the gap proves the mechanism optimal, up to the rounding of doubles."""
        return self.design.negligible(self.value, self.gap)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings, with the expected loss first."""
        return _findings(self)

    @cached_property
    def wrong(self) -> float | None:
        """The average error if the prior is right; None for a large n, where it takes long."""
        few = self.design.n <= _LARGEST_COUNTED
        return mean_error(self.design.prior.probabilities, self.compact_mechanism.matrix) if few else None

    @property
    def sentences(self) -> tuple[Message, ...]:
        """The expected loss in plain words, without the costs of alternatives."""
        return self.sentences_if(IF_RIGHT)

    def sentences_if(self, condition: str) -> tuple[Message, ...]:
        """Return the sentences with another condition on the prior."""
        design, value = self.design, float(self.value)
        return cost_sentences(design.loss, value, None, None, design.n, None, self.wrong, design.unit, condition)

    @property
    def sentence(self) -> str:
        """The first of the sentences."""
        return self.sentences[0]

    @property
    def badge(self) -> tuple[Message, State]:
        """The proved quality, and the state of the proof; of a prior from data, that it is not private."""
        if self.design.prior.origin:
            return message("prior not private"), "open"
        gap = self.findings["gap"]
        if self.proved:
            best = message("✓ proved optimal")
            return message("{best} · for whole numbers", best=best) if self.design.loss.fractional else best, gap.state
        if (least := float(self.value) - float(self.gap)) > 0:
            return message("within {percent}% of optimal", percent=f"{rounded_up(100 * float(self.gap) / least, 2):f}"), gap.state
        return message("within {gap} of optimal", gap=format_finding(gap)), gap.state

    @property
    def checks(self) -> tuple[Message, ...]:
        """The privacy of the mechanism, computed from its entries."""
        if math.isinf(self.compact_mechanism.epsilon):
            return (message("not private: ε = ∞, as requested"),)
        attained = self.findings["epsilon"]
        asked, epsilon = figure(self.design.privacy.epsilon_above, attained.digits), format_finding(attained)
        if self.design.prior.origin:
            return (message("ε = {epsilon} covers the count, not the prior", epsilon=epsilon),)
        if epsilon == asked and (logarithm := self.design.privacy.logarithm):
            return (message("✓ private: ε = {logarithm}", logarithm=logarithm),)
        more = "" if epsilon == asked else message(" (requested: {asked})", asked=asked)
        return (message("✓ private: ε = {epsilon}, rounded up{more}", epsilon=epsilon, more=more),)

    @property
    def why(self) -> Why:
        """The explanation of the count page."""
        return Why(template="count", help="certificate")


def _findings(solved: MechanismResult) -> dict[str, Finding]:
    """Return the findings about a mechanism, with the expected loss first."""
    design, mechanism = solved.design, solved.compact_mechanism
    state: State = "proved" if solved.proved else "open"
    coverage, alpha = design.loss.coverage(design.n), design.privacy.exact_alpha
    named = {"absolute": message("expected error"), "squared": message("mean squared error")}
    error = named.get(design.loss.name, message("expected loss"))
    better = message("no {rival} is better", rival=solved.rival)
    if solved.gap:
        better = message("no {rival} is better by more than this gap", rival=solved.rival)
    none = message("no privacy, as requested") if math.isinf(mechanism.epsilon) else ""
    unit = design.unit if design.loss.name == "absolute" else ""
    findings = {
        "value": Finding(error, solved.value, unit, rounding="up", state=state, measure=design.loss),
        "gap": Finding(message("certified gap"), solved.gap, digits=1, rounding="up", state=state, note=better),
        "bound": Finding(
            message("lower bound for every such release"), _below(solved), rounding="down", state="proved", measure=design.loss
        ),
        "basis": Finding(message("basis of the gap"), solved.basis, state=state),
        "epsilon": Finding(message("ε attained, rounded up"), mechanism.epsilon, "", 6, "up", "proved", note=none),
        "alpha": Finding(message("requested α"), design.privacy.alpha if alpha is None else alpha, digits=6, rounding="down"),
        "method": Finding(message("method"), solved.method),
        "theorem_a": Finding(message("Theorem A"), coverage.covered, state="proved", note=coverage.reason.removesuffix(".")),
    }
    if design.n <= _LARGEST_COUNTED:
        findings["released"] = Finding(message("values that can be released"), mechanism.n_released)
    return findings


def _below(solved: MechanismResult) -> float | Fraction:
    """The lower bound that the certificate proves for every private release."""
    if isinstance(solved.value, Fraction) and isinstance(solved.gap, Fraction):
        return solved.value - solved.gap
    if math.isinf(solved.gap):
        return -math.inf
    return math.nextafter(float(Fraction(solved.value) - Fraction(solved.gap)), -math.inf)


def attained(solved: MechanismResult) -> PrivacyLevel:
    """Return the attained privacy of a mechanism, to which all sentences on privacy refer.

    It is never less private than was asked, and more where little or nothing of the count is released: a mechanism that always
    says the same has epsilon 0.
    """
    asked, epsilon = solved.design.privacy, solved.compact_mechanism.epsilon
    if math.isinf(epsilon) or epsilon >= asked.epsilon * (1 - _ROUNDING):
        return asked
    return PrivacyLevel.from_epsilon(epsilon)


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
        """The privacy of the mechanism, and the checked part of its certificate."""
        checked, columns = self.certificate.checked, self.certificate.columns
        certified = message("✓ dual certificate in fractions, {columns} columns checked")
        certified = certified if self.exact else message("✓ dual certificate, {columns} columns checked")
        if checked < columns:
            certified = message("✓ dual certificate, {checked} of {columns} columns checked, Theorem A for the rest")
        return *super().checks, message(certified, checked=group_thousands(checked), columns=group_thousands(columns))
