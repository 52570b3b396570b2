"""The sentences of the count page, made from studies and outcomes; no widget is touched here."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.compare.real_answers import best_answers
from dpdesigner.core.large.certificate import StructuredCertificate
from dpdesigner.core.numbers.rounding import figure, small
from dpdesigner.desktop.pages.count.jobs import Compared
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.widgets.base.number_text import counted
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.standing import standing
from dpdesigner.studies.count.witness import Witness

if TYPE_CHECKING:
    pass

_LONGEST_FRACTION = 24


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)


def design_line(design: CountDesign) -> str:
    """``n = 20 · absolute loss · uniform prior · ε = 0.6932 (α = 1/2)``."""
    return _tr("n = {n} · {loss} loss · {prior} prior · {privacy}").format(
        n=counted(design.n), loss=design.loss.title, prior=design.prior.title, privacy=design.privacy.words
    )


def exactly(value: float | Fraction) -> str | None:
    """``37/24 (1.54167 if rounded up)``, ``3/4 = 0.75``; None for a fraction that is too long to read, and for a double."""
    if not isinstance(value, Fraction) or len(str(value)) > _LONGEST_FRACTION:
        return None
    short = figure(value)
    if value.denominator == 1:
        return short
    if Fraction(short.replace("−", "-")) == value:
        return f"{value} = {short}"
    return _tr("{fraction} ({figure} if rounded up)").format(fraction=value, figure=short)


def shown_value(outcome: CountOutcome, witness: Witness | None) -> float | Fraction:
    """The expected loss of the mechanism that is shown as optimal."""
    return standing(outcome, witness).value


def decides(outcome: CountOutcome, witness: Witness | None) -> bool:
    """Whether the linear program's mechanism is the one to show."""
    return standing(outcome, witness).witness is not None


def badge(outcome: CountOutcome, witness: Witness | None) -> tuple[str, str]:
    """Text and state of the proof badge."""
    best = standing(outcome, witness)
    if outcome.exact and best.gap == 0:
        return _tr("✓ proved optimal · gap 0"), "proved"
    if best.proved:
        return _tr("✓ proved optimal · gap ≤ {gap}").format(gap=small(float(best.gap))), "proved"
    return _tr("within {gap} of optimal").format(gap=small(float(best.gap))), "open"


def real_answers(design: CountDesign) -> str:
    """What the line is called that tells the cost of answering any real number."""
    kind = best_answers(design.loss)
    if kind == "mean":
        return _tr("Any real number (posterior mean)")
    return _tr("Any real number (a whole one is best)") if kind == "whole" else _tr("Any real number (the best one)")


def facts(outcome: CountOutcome, witness: Witness | None = None) -> tuple[str, ...]:
    """What the status bar's left says: only what was checked, of the mechanism that stands for the design."""
    epsilon, asked = standing(outcome, witness).mechanism.epsilon, outcome.study.privacy.epsilon_above
    if math.isinf(epsilon):
        private = _tr("not private: ε = ∞, as asked")
    else:
        private = _tr("✓ private: ε = {epsilon} (asked {asked}), rounded up").format(
            epsilon=figure(epsilon, 6), asked=figure(asked, 6)
        )
    certificate = (
        _tr("✓ dual certificate in fractions, {columns} columns checked")
        if outcome.exact
        else _tr("✓ dual certificate, {columns} columns checked")
    )
    columns = checked = outcome.study.n + 1
    if isinstance(outcome.certificate, StructuredCertificate):
        checked = outcome.certificate.checked
    if checked < columns:
        certificate = _tr("✓ dual certificate, {checked} of {columns} columns checked, Theorem A for the rest")
    return private, certificate.format(columns=counted(columns), checked=counted(checked))


def agreement(outcome: CountOutcome, witness: Witness | None) -> str:
    """How well the linear program and the closed form agree, or what the linear program saves."""
    if witness is None:
        return ""
    difference = float(witness.value) - float(outcome.value)
    if abs(difference) <= 1e-6 * max(abs(float(outcome.value)), 1e-300):
        return _tr("LP agrees: {difference}").format(difference=small(abs(difference)))
    if difference < 0:
        return _tr("LP saves {difference}").format(difference=figure(-difference, 3))
    return _tr("LP stopped {difference} short").format(difference=figure(difference, 3))


def equality(outcome: CountOutcome, witness: Witness | None) -> str:
    """The agreement of the linear program and the closed form as a sentence."""
    if witness is None:
        return _tr("The linear program is not done yet.")
    difference = float(witness.value) - float(outcome.value)
    if abs(difference) <= 1e-6 * max(abs(float(outcome.value)), 1e-300):
        return _tr("Made for this user or geometric + remap: both cost the same, they agree to {difference}.").format(
            difference=small(abs(difference))
        )
    found = agreement(outcome, witness)
    return f"{found}." if outcome.study.covered else _tr("{agreement}: this loss is outside Theorem A.").format(agreement=found)


def summary(
    outcome: CountOutcome | None, design: CountDesign, witness: Witness | None, compared: Compared | None = None
) -> Summary:
    """Header and status bar; the note on the right is about `compared`, which may be a few frames behind in a drag."""
    if outcome is None:
        return Summary(line=design_line(design))
    text, state = badge(outcome, witness)
    note = ""
    if compared is not None:
        iterations = compared.witness.iterations
        steps = _tr("{count} iterations").format(count=counted(iterations)) if iterations else _tr("its last basis still holds")
        note = _tr("linear program: {steps} · {agreement}").format(
            steps=steps, agreement=agreement(compared.closed, compared.witness)
        )
    return Summary(
        line=design_line(design),
        value_label=_tr("expected loss"),
        value=figure(shown_value(outcome, witness)),
        badge=text,
        state="proved" if state == "proved" else "open",
        facts=facts(outcome, witness),
        note=note,
    )
