"""The values of the template ``resources/why/count.html``, from the answer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.editors.odds import alpha_text, times
from dpdesigner.desktop.pages.kit.summary import Explanation, explained
from dpdesigner.studies.count.answer import Compared, CountOverview
from dpdesigner.studies.count.panels import LARGEST_N as MOST_BARS
from dpdesigner.studies.count.panels import price_picture
from dpdesigner.studies.count.result import CountAnswer, attained
from dpdesigner.studies.count.run import DeltaAnswer
from dpdesigner.studies.findings import Form, format_finding
from dpdesigner.studies.panels import Plot

_LONGEST_FRACTION = 24
_COUNTED_UP_TO = 5000  # above this n, the outputs that the remap changes are not counted
_LISTED_UP_TO = 8  # up to this n all prices are listed


def explanation(answer: CountOverview) -> Explanation:
    """Explain an answer."""
    if isinstance(answer.solved, DeltaAnswer):
        return _with_delta(answer, answer.solved)
    design, solved, certificate = answer.design, answer.solved, answer.solved.certificate
    n, alpha, remap = design.n, design.privacy.exact_alpha, answer.solved.induced.remap
    told = explained(
        "count",
        "certificate",
        answer,
        n=n,
        alpha=alpha,
        inner=n > 0 and alpha not in (0, 1),
        decided=answer.deciding is not None,
        always=int(solved.induced.row(0).argmax()) if alpha == 1 else 0,
        ratio=times(design.privacy) if design.privacy.epsilon <= 16 else "very many",
        moved=sum(read != output for output, read in enumerate(remap)) if n <= _COUNTED_UP_TO else None,
        level=attained(answer.best),
        exact=exactly(answer.best.value),
        sampled=certificate if certificate.checked < certificate.columns else None,
        reason=capital(design.loss.coverage(n).reason),
        largest=LARGEST_PROGRAM_N,
        compared=None if answer.lp_check is None else Compared(solved, answer.lp_check),
        numbers=_numbers(answer),
    )
    return replace(told, picture=_prices(answer))


def _with_delta(answer: CountOverview, solved: DeltaAnswer) -> Explanation:
    """Explain an answer that allows a delta."""
    design, findings = answer.design, answer.findings
    keys = ("value", "bound", "gap", "without_delta", "cut", "cells")
    numbers = [("α, n", f"{alpha_text(design.privacy)}, {design.n}"), ("δ", figure(design.uncovered, 6))]
    numbers += [(translated(findings[key].label), translated(format_finding(findings[key], "long"))) for key in keys]
    return explained(
        "count-delta",
        "certificate",
        answer,
        n=design.n,
        program=solved.by_program,
        width=format_finding(findings["cut"]),
        cells=findings["cells"].value,
        ratio=times(design.privacy) if design.privacy.epsilon <= 16 else "very many",
        delta=figure(design.uncovered, 4),
        reason=capital(design.loss.coverage(design.n).reason),
        numbers=numbers,
    )


def _prices(answer: CountOverview) -> Plot | None:
    """Return the proof as a plot, if there is a proof with few enough bars."""
    design, best = answer.design, answer.best
    if not 0 < design.n <= MOST_BARS or not isinstance(best, CountAnswer) or not best.proved:
        return None
    return price_picture(best, list(best.certificate.dual), design.prior.probabilities, design.loss.matrix(design.n))


def exactly(value: float | Fraction) -> str | None:
    """Return ``37/24 (1.54167 if rounded up)`` or ``3/4 = 0.75``; None for a fraction too long to read and for a float."""
    if not isinstance(value, Fraction) or len(str(value)) > _LONGEST_FRACTION:
        return None
    short = figure(value)
    if value.denominator == 1:
        return short
    return f"{value} = {short}" if Fraction(short.replace("−", "-")) == value else f"{value} ({short} if rounded up)"


def _numbers(answer: CountOverview) -> list[tuple[str, Any]]:
    design, findings = answer.design, answer.findings
    told: dict[str, Form] = {"value": "long", "bound": "long"}
    rows = [("α, n", f"{alpha_text(design.privacy)}, {design.n}")]
    for key in ("value", "bound", "gap", "basis" if answer.deciding is None else "iterations"):
        rows.append((translated(findings[key].label), translated(format_finding(findings[key], told.get(key, "short")))))
    if design.n <= _LISTED_UP_TO and answer.deciding is None:
        rows.append(("prices w", ", ".join(map(_price, answer.solved.certificate.dual))))
    return rows


def _price(price: float | Fraction) -> str:
    if isinstance(price, Fraction) and len(str(price)) <= _LONGEST_FRACTION:
        return str(price)
    return f"{float(price):.6g}".replace("-", "−")
