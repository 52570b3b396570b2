"""What can be taken away from the count page: tables with their proof, and pictures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.widgets.base.number_text import counted
from dpdesigner.errors import InputError
from dpdesigner.files.takeaway.export import export_tables
from dpdesigner.studies.count.answer import CountAnswer


def write_tables(found: CountAnswer | None, folder: str, name: str, formats: Sequence[str], fractions: bool) -> list[str]:
    """Prove the mechanism that is shown and write it; return a sentence for each file.

    Raises
    ------
    InputError
        If there is no answer yet, or a file cannot be written.
    """
    if found is None:
        raise InputError(_tr("there is nothing to export yet; wait for the first answer."), "file")
    written = export_tables(found.solved, folder, name, formats, witness=found.deciding, fractions=fractions)
    sentence = _tr("{file}: every row sums to exactly 1 and ε is at most the {asked} asked, checked on the text")
    return [sentence.format(file=item.path.name, asked=figure(item.table.privacy.epsilon_above, 9)) for item in written]


def figures(
    view: str, row: int, inputs: InputsColumn, mechanism: MechanismCard, meaning: MeaningColumn
) -> list[Figure]:
    """Return the matrix in the view that is open, the prior, the release, the costs and the curve."""
    titles = {
        "geometric": _tr("Geometric mechanism"),
        "remap": _tr("Remap: how each output of it is read"),
        "release": _tr("If the true count is {row}, it says").format(row=counted(row)),
        "costs": _tr("What it costs"),
    }
    name = "matrix" if view == "optimal" else f"matrix-{view}"
    found = [Figure(name, titles.get(view, _tr("Mechanism")), mechanism.view.figure())]
    found.append(Figure("prior", _tr("What you believe: the prior"), inputs.prior.figure()))
    for name, widget in meaning.plots.items():
        found.append(Figure(name, titles.get(name, _tr("Loss against epsilon")), widget))
    return found


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)
