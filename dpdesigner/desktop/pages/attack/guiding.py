"""The stops of the tour over the attack page."""

from __future__ import annotations

from dpdesigner.desktop.pages.attack.crowds import Crowds
from dpdesigner.desktop.pages.attack.inputs_column import InputsColumn
from dpdesigner.desktop.pages.attack.plots import Plots
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.theme.translation import tr


def stops(inputs: InputsColumn, crowds: Crowds, plots: Plots) -> tuple[Stop, ...]:
    """Return the stops: secret, questions, error, what is recovered, what privacy leaves, and what was proved."""
    secret = tr("A column of 0 and 1 that is never published. Press “Paint” and draw something on the map.")
    asked = tr("Each question counts a random half of the people. Move the slider: a few questions reveal little.")
    error = tr("Every answer has a small error. Move the slider to see how much it hides.")
    recovered = tr("Filled: right. An outline: unsure. A cross: wrong. Click on a person.")
    private = tr("With noise of a small total ε, the attacker does hardly better than by guessing.")
    epsilon = tr("Drag the line to see at which ε people are recovered.")
    counting = tr(
        "“One question” shows how a wrong column is ruled out. “Counting” shows how many questions rule out all of them."
    )
    return (
        Stop(inputs.secret, tr("The secret"), secret, inputs.changed),
        Stop(inputs.questions, tr("Questions"), asked, inputs.changed),
        Stop(inputs.error, tr("Error of the answers"), error, inputs.changed),
        Stop(crowds.left, tr("Recovered people"), recovered),
        Stop(crowds.right, tr("The same questions with private answers"), private),
        Stop(plots.right, tr("Recovered people against ε"), epsilon, inputs.changed),
        Stop(plots.left, tr("Why it works"), counting, plots.left.plotChosen),
    )
