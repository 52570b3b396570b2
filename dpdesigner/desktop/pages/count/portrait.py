"""A count design as it is compared with others. No widget is touched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure, small
from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.pages.kit.portrait import Fact, Portrait
from dpdesigner.studies.count.costs import CostTable
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.panels import compared_plots
from dpdesigner.studies.count.witness import Witness

#: A larger matrix, or a curve of more points, tells nothing that can be seen.
_LARGEST = 1000


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)


def portrait(design: CountDesign, outcomes: Mapping[str, Any]) -> Portrait:
    """Describe a design by what its jobs gave; answers for other designs are left out."""
    solved = _of(design, outcomes.get("exact")) or _of(design, outcomes.get("solve"))
    if solved is None:
        return Portrait(_inputs(design))
    witness = _of(design, outcomes.get("witness"))
    matrix = None
    if design.n <= _LARGEST:
        matrix = witness.mechanism if witness is not None and words.decides(solved, witness) else solved.induced.matrix
    results = _results(solved, witness, _of(design, outcomes.get("costs")))
    plots = compared_plots(solved, float(words.shown_value(solved, witness)), outcomes.get("curves"))
    return Portrait(_inputs(design), results, matrix, plots)


def _of(design: CountDesign, outcome: Any) -> Any:
    return outcome if outcome is not None and outcome.study == design else None


def _inputs(design: CountDesign) -> tuple[Fact, ...]:
    return (
        Fact(_tr("largest n"), str(design.n)),
        Fact(_tr("prior"), design.prior.title, held=design.prior),
        Fact(_tr("loss"), design.loss.title, held=design.loss),
        Fact(_tr("privacy asked"), design.privacy.words),
    )


def _results(solved: CountOutcome, witness: Witness | None, costs: CostTable | None) -> tuple[Fact, ...]:
    value = words.shown_value(solved, witness)
    shown = witness if witness is not None and words.decides(solved, witness) else None
    private = solved.epsilon if shown is None else shown.epsilon
    gap = solved.certificate.gap if shown is None else shown.gap
    found = [
        Fact(_tr("expected loss"), figure(value), float(value), solved.study.loss),
        Fact(_tr("certified gap"), small(gap)),
        Fact(_tr("ε attained, rounded up"), figure(private, 6), private),
    ]
    if solved.study.n <= _LARGEST:
        used = len(set(solved.induced.remap))
        found.append(Fact(_tr("values ever released"), str(used), used))
    losses = dict(costs.losses) if costs is not None else {}
    for key, label in (
        ("real", _tr("any real number")),
        ("face", _tr("geometric, face value")),
        ("staircase", _tr("staircase, rounded + remap")),
        ("laplace", _tr("Laplace, rounded + remap")),
        ("ignore", _tr("ignore the data")),
    ):
        if key in losses:
            loss = losses[key]
            found.append(Fact(label, figure(loss), loss, solved.study.loss))
    return tuple(found)
