"""The stops of the tour over the count page."""

from __future__ import annotations

from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.theme.translation import tr


def stops(inputs: InputsColumn, mechanism: MechanismCard, meaning: MeaningColumn) -> tuple[Stop, ...]:
    """Return the stops: prior, loss, privacy, matrix, release, cost, curve."""
    prior = tr("How likely is each count, before anything is released? Drag across the bars to draw it.")
    loss = tr("Is an error of 3 three times as bad as an error of 1, nine times, or equally bad? Choose another picture.")
    privacy = tr("Move the slider. The sentence below shows how far a bet on one row could move at most.")
    matrix = tr("Each row is a true count, each column a possible release. Brighter cells are more likely. Click a row.")
    release = tr("The selected row as bars. Press “Release once” to see what the public would see.")
    cost = tr("This card compares the expected loss of the release with that of other methods.")
    curve = tr("Less privacy means less error. Drag the line to any ε; everything follows.")
    return (
        Stop(inputs.cards[0], tr("Your belief"), prior, inputs.prior.changed),
        Stop(inputs.cards[1], tr("Cost of an error"), loss, inputs.loss.changed),
        Stop(inputs.privacy, tr("How private"), privacy, inputs.privacy.control.changed),
        Stop(mechanism, tr("The best mechanism"), matrix, mechanism.rowSelected),
        Stop(meaning.release, tr("Releases"), release, meaning.release.drawRequested),
        Stop(meaning.costs, tr("Accuracy"), cost),
        Stop(meaning.curves, tr("The price of privacy"), curve, meaning.curves.curve.handleMoved),
    )
