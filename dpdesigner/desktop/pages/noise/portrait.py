"""A noise study as it is compared with others. No widget is touched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.kit.portrait import Fact, Portrait
from dpdesigner.desktop.pages.noise import words
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import compared_plots


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def portrait(study: NoiseStudy, outcomes: Mapping[str, Any]) -> Portrait:
    """Describe a study by what its jobs gave; an answer for another study is left out."""
    solved = outcomes.get("solve")
    if isinstance(solved, TableOutcome) and solved.study == study:
        return Portrait(_inputs(study), _choice_results(solved))
    if not isinstance(solved, NoiseOutcome) or solved.study != study:
        return Portrait(_inputs(study))
    return Portrait(_inputs(study), _results(solved), None, compared_plots(solved))


def _inputs(study: NoiseStudy) -> tuple[Fact, ...]:
    found = [
        Fact(_tr("query"), _query(study)),
        Fact(_tr("answers"), str(study.dimension)),
        Fact(_tr("sensitivity Δ"), str(study.sensitivity)),
        Fact(_tr("cost of noise"), study.cost_title, held=study.cost),
        Fact(_tr("γ asked"), _tr("the best") if study.gamma == "optimal" else str(study.gamma)),
        Fact(_tr("privacy asked"), study.privacy.words),
    ]
    if study.delta is not None:
        found.append(Fact("δ", str(study.delta)))
    return tuple(found)


def _query(study: NoiseStudy) -> str:
    words = {
        "real": _tr("real"),
        "integer": _tr("integer"),
        "histogram": _tr("histogram of {cells} cells").format(cells=len(study.histogram.edges)),
        "table": _tr("choice among {outputs} outputs").format(outputs=len(study.table.costs[0])),
    }
    return words[study.query]


def _results(solved: NoiseOutcome) -> tuple[Fact, ...]:
    return (
        Fact(_tr("expected cost"), figure(solved.cost), solved.cost, solved.study.cost),
        Fact(_tr("proof"), _tr("✓ proved optimal") if solved.proved else _tr("not proved optimal")),
        Fact(_tr("step γ"), words.gamma_words(solved), solved.gamma),
        Fact(_tr("Laplace noise costs"), figure(solved.laplace_cost), solved.laplace_cost, solved.study.cost),
    )


def _choice_results(solved: TableOutcome) -> tuple[Fact, ...]:
    return (
        Fact(_tr("expected cost"), figure(solved.cost), solved.cost, solved.query),
        Fact(_tr("ε attained, rounded up"), words.level(solved), solved.attained.epsilon_above),
    )
