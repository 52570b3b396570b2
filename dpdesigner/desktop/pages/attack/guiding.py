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
    asked = tr("Only counts, each of a random half of the people. Move the slider: few questions tell little.")
    error = tr("Every answer is a little wrong. Move the slider and see how much that hides.")
    recovered = tr("Filled: right. An outline: unsure. A cross: wrong. Click on a person.")
    private = tr("With noise of a small ε for all answers together the attacker does hardly better than by guessing.")
    epsilon = tr("Drag the line: at which ε do people become known?")
    counting = tr("“One question” shows how a wrong column is ruled out; “Counting” how many questions rule out all of them.")
    return (
        Stop(inputs.secret, tr("The secret"), secret, inputs.changed),
        Stop(inputs.questions, tr("What anyone may ask"), asked, inputs.changed),
        Stop(inputs.error, tr("How far off an answer may be"), error, inputs.changed),
        Stop(crowds.left, tr("What is recovered"), recovered),
        Stop(crowds.right, tr("The same questions, answered privately"), private),
        Stop(plots.right, tr("How much ε lets an attack begin"), epsilon, inputs.changed),
        Stop(plots.left, tr("Why it works"), counting, plots.left.plotChosen),
    )
