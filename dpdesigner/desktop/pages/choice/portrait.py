"""A choice beside others: its inputs, its findings, and of small tables the chances."""

from __future__ import annotations

import numpy as np

from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.theme.translation import tr, translated
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.choice.panels import falling_short
from dpdesigner.studies.choice.run import solved
from dpdesigner.studies.findings import Finding

_MOST = 60  # rows of a mechanism that Compare shows


def portrait(study: ChoiceDesign, answer: ChoiceOutcome | None) -> Portrait:
    """Return inputs, results and curves; an answer for another design is left out."""
    inputs = {
        "options": Finding(tr("what may be chosen"), translated(study.line), measure=_options(study)),
        "neighbours": Finding(tr("neighbours"), str(study.neighbours)),
        "sensitivity": Finding("Δ", str(study.sensitivity)),
        "rule": Finding(tr("rule"), study.rule),
    }
    if answer is None or answer.design != study:
        return Portrait(inputs)
    matrix = np.atleast_2d(answer.rule.probabilities) if answer.task.table and len(answer.task.numbers) <= _MOST else None
    return Portrait(inputs, answer.findings, matrix, () if study.secret else (falling_short(answer),))


def _options(study: ChoiceDesign) -> tuple[object, ...]:
    """What may be chosen and what it is worth: designs that differ in it are others, whatever their line says."""
    return study.table, study.names, study.path, study.column, study.categories, study.edges, study.base


def sketched(study: ChoiceDesign) -> Portrait:
    """Return the chances of a small table; of what is somebody's, nothing."""
    if study.secret:
        return Portrait({})
    return Portrait({}, matrix=np.atleast_2d(solved(study).rules["exponential"].probabilities)[:_MOST])
