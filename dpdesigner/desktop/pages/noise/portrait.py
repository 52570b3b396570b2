"""A noise study as it is compared with others. No widget is touched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.noise import words
from dpdesigner.studies.findings import Finding, Findings
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


def _inputs(study: NoiseStudy) -> Findings:
    found = {
        "query": Finding(_tr("query"), _query(study)),
        "answers": Finding(_tr("answers"), str(study.dimension)),
        "sensitivity": Finding(_tr("sensitivity Δ"), str(study.sensitivity)),
        "cost": Finding(_tr("cost of noise"), study.cost_title, measure=study.cost),
        "gamma": Finding(_tr("γ asked"), _tr("the best") if study.gamma == "optimal" else str(study.gamma)),
        "privacy": Finding(_tr("privacy asked"), study.privacy.words),
    }
    return found if study.delta is None else {**found, "delta": Finding("δ", str(study.delta))}


def _query(study: NoiseStudy) -> str:
    words = {
        "real": _tr("real"),
        "integer": _tr("integer"),
        "histogram": _tr("histogram of {cells} cells").format(cells=len(study.histogram.edges)),
        "table": _tr("choice among {outputs} outputs").format(outputs=len(study.table.costs[0])),
    }
    return words[study.query]


def _results(solved: NoiseOutcome) -> Findings:
    asked = solved.study.cost
    return {
        "cost": Finding(_tr("expected cost"), solved.cost, rounding="up", measure=asked),
        "proof": Finding(_tr("proof"), _tr("✓ proved optimal") if solved.proved else _tr("not proved optimal")),
        "gamma": Finding(_tr("step γ"), solved.gamma if solved.split is None else words.gamma_words(solved), digits=4),
        "laplace": Finding(_tr("Laplace noise costs"), solved.laplace_cost, rounding="up", measure=asked),
    }


def _choice_results(solved: TableOutcome) -> Findings:
    attained = solved.attained.epsilon_above
    return {
        "cost": Finding(_tr("expected cost"), solved.cost, rounding="up", measure=solved.query),
        "epsilon": Finding(_tr("ε attained, rounded up"), attained, digits=6, rounding="up"),
    }
