"""What is taken away from the count page: its pictures, and what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import group_thousands
from dpdesigner.studies.count.answer import answer
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import compared_plots

#: A larger matrix, or a curve of more points, tells nothing that can be seen.
_LARGEST = 1000
#: What two designs are compared by, where it is known of them.
_COMPARED = ("value", "gap", "epsilon", "released", "real", "face", "staircase", "half", "laplace", "ignore")


def figures(view: str, row: int, inputs: InputsColumn, mechanism: MechanismCard, meaning: MeaningColumn) -> list[Figure]:
    """Return the matrix in the view that is open, the prior, the release, the costs and the curve."""
    titles = {
        "geometric": tr("Geometric mechanism"),
        "remap": tr("Remap: reading of each output"),
        "release": tr("Release if the true count is {row}").format(row=group_thousands(row)),
        "costs": tr("Accuracy"),
    }
    name = "matrix" if view == "optimal" else f"matrix-{view}"
    pictures = [Figure(name, titles.get(view, tr("Mechanism")), mechanism.view.figure())]
    pictures.append(Figure("prior", tr("Prior"), inputs.prior.figure()))
    for name, widget in meaning.plots.items():
        pictures.append(Figure(name, titles.get(name, tr("Loss against epsilon")), widget))
    return pictures


def portrait(design: CountDesign, outcomes: Mapping[str, Any]) -> Portrait:
    """Describe a design by what its jobs gave; answers for other designs are left out."""
    known = answer(design, outcomes)
    if known is None:
        return Portrait(design.inputs)
    results = {key: known.findings[key] for key in _COMPARED if key in known.findings}
    matrix = known.mechanism.matrix if design.n <= _LARGEST else None
    return Portrait(design.inputs, results, matrix, compared_plots(known))
