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
    loss = tr("Is a miss by 3 three times as bad as a miss by 1, or nine times, or the same? Choose another picture.")
    privacy = tr("Move the slider. The sentence below says how far a bet on one row could move, at most.")
    matrix = tr("Each row is a true count, each column a value that may be released; bright is likely. Click a row.")
    release = tr("The chosen row as bars. Press “Release once” and see what the public would have seen.")
    cost = tr("This card shows how wrong the release is on average, in your own measure, and how wrong other methods would be.")
    curve = tr("Less privacy, less error. Drag the line to any ε and watch everything follow.")
    return (
        Stop(inputs.cards[0], tr("What you believe"), prior, inputs.prior.changed),
        Stop(inputs.cards[1], tr("What an error costs you"), loss, inputs.loss.changed),
        Stop(inputs.privacy, tr("How private"), privacy, inputs.privacy.control.changed),
        Stop(mechanism, tr("The best mechanism"), matrix, mechanism.rowSelected),
        Stop(meaning.release, tr("What it says"), release, meaning.release.drawRequested),
        Stop(meaning.costs, tr("What it costs"), cost),
        Stop(meaning.curves, tr("The price of privacy"), curve, meaning.curves.curve.handleMoved),
    )
