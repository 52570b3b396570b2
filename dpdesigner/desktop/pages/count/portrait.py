"""A count design as it is compared with others. No widget is touched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.portrait import Chart, Portrait
from dpdesigner.studies.count.answer import CountAnswer, answer
from dpdesigner.studies.count.design import CountDesign

#: A larger matrix, or a curve of more points, tells nothing that can be seen.
_LARGEST = 1000
#: What two designs are compared by, where it is known of them.
_COMPARED = ("value", "gap", "epsilon", "released", "real", "face", "staircase", "half", "laplace", "ignore")


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)


def portrait(design: CountDesign, outcomes: Mapping[str, Any]) -> Portrait:
    """Describe a design by what its jobs gave; answers for other designs are left out."""
    found = answer(design, outcomes)
    if found is None:
        return Portrait(design.inputs)
    results = {key: found.findings[key] for key in _COMPARED if key in found.findings}
    matrix = found.mechanism.matrix if design.n <= _LARGEST else None
    return Portrait(design.inputs, results, matrix, _charts(found))


def _charts(found: CountAnswer) -> tuple[Chart, ...]:
    design, curves, charts = found.design, found.curves, []
    if curves is not None:
        epsilon = design.privacy.epsilon
        inside = curves.epsilons[0] <= epsilon <= curves.epsilons[-1]
        mark = (epsilon, float(found.best.value)) if inside else None
        title = _tr("Loss against ε") if design.covered else _tr("Loss against ε, geometric + remap")
        axes = "ε", _tr("expected loss")
        charts.append(Chart(title, axes, curves.epsilons, curves.optimal, (True, False), mark=mark))
    if design.n <= _LARGEST:
        counts = np.arange(design.n + 1, dtype=float)
        charts.append(Chart(_tr("Prior"), (_tr("count"), _tr("probability")), counts, design.prior.probabilities))
        reading = _tr("geometric says"), _tr("read as")
        charts.append(Chart(_tr("Remap"), reading, counts, found.solved.remap.astype(float), steps=True))
    return tuple(charts)
