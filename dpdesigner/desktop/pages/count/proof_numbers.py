"""The formulas of the count page and the numbers behind its certificate, as simple rich text."""

from __future__ import annotations

import math
from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.large.certificate import StructuredCertificate
from dpdesigner.core.numbers.rounding import figure, rounded_down, small
from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.widgets.privacy.text import alpha_text
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.witness import Witness

_LONGEST_FRACTION = 24
_DIGITS = 12

_MECHANISM = (
    "<i>g</i><sub><i>ij</i></sub> = (1 − α) / (1 + α) · α<sup>|<i>i</i> − <i>j</i>|</sup> &nbsp;for 0 &lt; <i>j</i> "
    "&lt; <i>n</i>",
    "<i>g</i><sub><i>i</i>0</sub> = α<sup><i>i</i></sup> / (1 + α), &nbsp;"
    "<i>g</i><sub><i>in</i></sub> = α<sup><i>n</i> − <i>i</i></sup> / (1 + α)",
)
_REMAP = (
    "<i>r</i>(<i>j</i>) = the <i>r</i> with the least &nbsp;"
    "∑<sub><i>i</i></sub> <i>p</i><sub><i>i</i></sub> <i>g</i><sub><i>ij</i></sub> <i>l</i>(<i>i</i>, <i>r</i>)",
    "<i>x</i><sub><i>ir</i></sub> = the sum of <i>g</i><sub><i>ij</i></sub> over all <i>j</i> with <i>r</i>(<i>j</i>) = <i>r</i>",
)
_PROGRAM = (
    "least &nbsp;∑<sub><i>i</i></sub> <i>p</i><sub><i>i</i></sub> ∑<sub><i>r</i></sub> "
    "<i>x</i><sub><i>ir</i></sub> <i>l</i>(<i>i</i>, <i>r</i>)",
    "α <i>x</i><sub><i>ir</i></sub> ≤ <i>x</i><sub>(<i>i</i>+1)<i>r</i></sub>, &nbsp;"
    "α <i>x</i><sub>(<i>i</i>+1)<i>r</i></sub> ≤ <i>x</i><sub><i>ir</i></sub> "
    "&nbsp;for 0 ≤ <i>i</i> &lt; <i>n</i>, 0 ≤ <i>r</i> ≤ <i>n</i>",
    "∑<sub><i>r</i></sub> <i>x</i><sub><i>ir</i></sub> = 1, &nbsp;<i>x</i> ≥ 0",
)
_DUAL = (
    "∑<sub><i>i</i></sub> <i>w</i><sub><i>i</i></sub> ≤ every expected loss, if for each <i>r</i> the vector "
    "<i>v</i><sub><i>i</i></sub> = <i>p</i><sub><i>i</i></sub> <i>l</i>(<i>i</i>, <i>r</i>) − <i>w</i><sub><i>i</i></sub> "
    "passes this test:",
    "<i>V</i><sub><i>n</i></sub> = <i>v</i><sub><i>n</i></sub>, &nbsp;<i>V</i><sub><i>i</i></sub> = "
    "<i>v</i><sub><i>i</i></sub> + "
    "min(α <i>V</i><sub><i>i</i>+1</sub>, <i>V</i><sub><i>i</i>+1</sub> / α), &nbsp;<i>V</i><sub>0</sub> ≥ 0",
)


def formulas(outcome: CountOutcome, decisive: Witness | None) -> str:
    """Return the formulas behind an answer and the numbers of its certificate.

    Parameters
    ----------
    outcome : CountOutcome
        The closed form.
    decisive : Witness or None
        The linear program's answer where that is the mechanism shown.
    """
    study = outcome.study
    inner = study.n > 0 and study.privacy.exact_alpha not in (0, 1)
    parts = []
    if inner and decisive is None:
        parts += [_block(_tr(
            "The geometric mechanism G"), _MECHANISM), _block(_tr("The remap, and the induced mechanism"
        ), _REMAP)]
    parts.append(_block(_tr("What is minimised, over all private tables <i>x</i>"), _PROGRAM))
    if inner:
        parts.append(_block(_tr("The prices w, and why they bound"), _DUAL))
    parts.append(f"<p><b>{_tr('The numbers')}</b></p>{_table(outcome, decisive)}")
    return "".join(parts)


def _block(title: str, lines: tuple[str, ...]) -> str:
    return f"<p><b>{title}</b></p>" + "".join(f'<p style="margin-left: 12px">{line}</p>' for line in lines)


def _table(outcome: CountOutcome, decisive: Witness | None) -> str:
    study, value = outcome.study, words.shown_value(outcome, decisive)
    gap = (outcome.certificate if decisive is None else decisive).gap
    rows = [
        ("α, n", f"{_alpha(study)}, {study.n}"),
        (_tr("expected loss"), _value(value)),
        (_tr("no such table is below"), _lower(value, gap)),
        (_tr("gap, at most"), small(gap)),
    ]
    if decisive is None:
        rows.append((_tr("the gap rests on"), _checked(outcome)))
    else:
        rows.append((_tr("iterations"), str(decisive.iterations)))
    if study.n <= len(_SHOWN) - 1 and decisive is None:
        rows.append((_tr("prices w"), ", ".join(_price(price) for price in outcome.certificate.dual)))
    cells = "".join(f'<tr><td style="padding-right: 12px">{name}</td><td>{text}</td></tr>' for name, text in rows)
    return f"<table>{cells}</table>"


_SHOWN = range(9)  #: up to n = 8 all prices are listed


def _alpha(study: CountDesign) -> str:
    return alpha_text(study.privacy)


def _checked(outcome: CountOutcome) -> str:
    certificate = outcome.certificate
    if isinstance(certificate, StructuredCertificate):
        return str(certificate.basis)
    return _tr("all {columns} columns checked").format(columns=outcome.study.n + 1)


def _price(price: float | Fraction) -> str:
    if isinstance(price, Fraction):
        return str(price) if len(str(price)) <= _LONGEST_FRACTION else f"{float(price):.6g}".replace("-", "−")
    return f"{float(price):.6g}".replace("-", "−")


def _value(value: float | Fraction) -> str:
    if isinstance(value, Fraction) and len(str(value)) <= _LONGEST_FRACTION:
        short = figure(value, _DIGITS)
        exact = Fraction(short.replace("−", "-")) == value
        return f"{value} {'=' if exact else '≤'} {short}" if value.denominator > 1 else str(value)
    return figure(value, _DIGITS)


def _lower(value: float | Fraction, gap: float | Fraction) -> str:
    """The bound that the certificate proves, rounded down."""
    if isinstance(value, Fraction) and isinstance(gap, Fraction):
        return _value(value) if not gap else f"{rounded_down(value - gap, _DIGITS):g}"
    bound = math.nextafter(float(value) - float(gap), -math.inf)
    return f"{rounded_down(bound, _DIGITS):g}".replace("-", "−") if math.isfinite(bound) else "−∞"


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)
