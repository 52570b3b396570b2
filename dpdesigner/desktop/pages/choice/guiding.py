"""The stops of the tour over the choice page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.choice.costs_column import CostsColumn
from dpdesigner.desktop.pages.choice.inputs_column import InputsColumn
from dpdesigner.desktop.pages.choice.views import TableCard
from dpdesigner.desktop.pages.kit.page import Stop


def stops(inputs: InputsColumn, card: TableCard, costs: CostsColumn) -> tuple[Stop, ...]:
    """Return the stops: neighbours, privacy, table, costs."""
    return (
        Stop(
            inputs.query,
            _tr("What you ask"),
            _tr("One of a few outputs is released. Which states of the data are neighbours? Choose the other."),
            inputs.changed,
        ),
        Stop(
            inputs.privacy,
            _tr("How private"),
            _tr("Move the slider. It sets the weights; the sentence below says what the probabilities really promise."),
            inputs.changed,
        ),
        Stop(
            card,
            _tr("How likely each output is"),
            _tr("Each row is a state of the data. Open “Costs” above and click a cell to change what an output costs."),
        ),
        Stop(
            costs.costs,
            _tr("What it costs"),
            _tr("The average cost of these weights beside exponential ones, and the privacy of this very table."),
        ),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChoicePage", text)
