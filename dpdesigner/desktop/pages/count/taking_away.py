"""The pictures that can be taken away from the count page."""

from __future__ import annotations

from dpdesigner.desktop.look.words import tr
from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.widgets.base.number_text import counted


def figures(view: str, row: int, inputs: InputsColumn, mechanism: MechanismCard, meaning: MeaningColumn) -> list[Figure]:
    """Return the matrix in the view that is open, the prior, the release, the costs and the curve."""
    titles = {
        "geometric": tr("Geometric mechanism"),
        "remap": tr("Remap: how each output of it is read"),
        "release": tr("If the true count is {row}, it says").format(row=counted(row)),
        "costs": tr("What it costs"),
    }
    name = "matrix" if view == "optimal" else f"matrix-{view}"
    pictures = [Figure(name, titles.get(view, tr("Mechanism")), mechanism.view.figure())]
    pictures.append(Figure("prior", tr("What you believe: the prior"), inputs.prior.figure()))
    for name, widget in meaning.plots.items():
        pictures.append(Figure(name, titles.get(name, tr("Loss against epsilon")), widget))
    return pictures
