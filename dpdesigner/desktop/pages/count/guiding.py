"""The stops of the tour over the count page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.kit.page import Stop


def stops(inputs: InputsColumn, mechanism: MechanismCard, meaning: MeaningColumn) -> tuple[Stop, ...]:
    """Return the stops: prior, loss, privacy, matrix, release, cost, curve."""
    return (
        Stop(
            inputs.cards[0],
            _tr("What you believe"),
            _tr("How likely is each count, before anything is released? Drag across the bars to draw it."),
            inputs.prior.changed,
        ),
        Stop(
            inputs.cards[1],
            _tr("What an error costs you"),
            _tr("Is a miss by 3 three times as bad as a miss by 1, or nine times, or the same? Choose another picture."),
            inputs.loss.changed,
        ),
        Stop(
            inputs.privacy,
            _tr("How private"),
            _tr("Move the slider. The sentence below says how far a bet on one row could move, at most."),
            inputs.privacy.control.changed,
        ),
        Stop(
            mechanism,
            _tr("The best mechanism"),
            _tr("Each row is a true count, each column a value that may be released; bright is likely. Click a row."),
            mechanism.rowSelected,
        ),
        Stop(
            meaning.release,
            _tr("What it says"),
            _tr("The chosen row as bars. Press “Release once” and see what the public would have seen."),
            meaning.release.drawRequested,
        ),
        Stop(
            meaning.costs,
            _tr("What it costs"),
            _tr("How wrong the release is on average, in your own measure, and what other methods would cost you instead."),
        ),
        Stop(
            meaning.curves,
            _tr("The price of privacy"),
            _tr("Less privacy, less error. Drag the line to any ε and watch everything follow."),
            meaning.curves.curve.handleMoved,
        ),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)
