"""The stops of the tour over the noise page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.pages.noise.costs_column import CostsColumn
from dpdesigner.desktop.pages.noise.inputs_column import InputsColumn
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard


def stops(inputs: InputsColumn, pictures: PicturesCard, costs: CostsColumn) -> tuple[Stop, ...]:
    """Return the stops: query, cost, privacy, pictures, costs, noise."""
    return (
        Stop(
            inputs.cards[0],
            _tr("What you ask"),
            _tr("What you publish, and by how much one row can change it: the sensitivity Δ. Choose another kind of answer."),
            inputs.changed,
        ),
        Stop(
            inputs.cards[1],
            _tr("What an error costs you"),
            _tr("Does an error cost its size, its square, or what you draw? Choose another cost."),
            inputs.changed,
        ),
        Stop(
            inputs.cards[2],
            _tr("How private"),
            _tr("Move the slider. The sentence below says how far a bet on one row could move, at most."),
            inputs.changed,
        ),
        Stop(
            pictures,
            _tr("The noise in pictures"),
            _tr("How likely each release is. The names above open other views, such as what it costs."),
        ),
        Stop(
            costs.costs,
            _tr("What it costs"),
            _tr("The average cost of the best noise, and how much more the usual one costs here."),
        ),
        Stop(
            costs.noise,
            _tr("The noise itself"),
            _tr("Press “Draw once” for one amount of noise. Whole numbers are drawn exactly; others only for simulation."),
            costs.drawRequested,
        ),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)
