"""The stops of the tour over the count page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.pages.count.meaning_column import MeaningColumn
from dpdesigner.desktop.pages.count.mechanism_card import MechanismCard
from dpdesigner.desktop.pages.kit.guiding import card
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.widgets.distribution.editor import DistributionEditor
from dpdesigner.desktop.widgets.loss.picker import LossPicker
from dpdesigner.desktop.widgets.privacy.control import PrivacyControl


def stops(inputs: InputsColumn, mechanism: MechanismCard, meaning: MeaningColumn) -> tuple[Stop, ...]:
    """Return the stops: prior, loss, privacy, matrix, release, cost, curve."""
    return (
        Stop(
            card(inputs, 0),
            _tr("What you believe"),
            _tr("How likely is each count, before anything is released? Drag across the bars to draw it."),
            _signal(inputs, DistributionEditor),
        ),
        Stop(
            card(inputs, 1),
            _tr("What an error costs you"),
            _tr("Is a miss by 3 three times as bad as a miss by 1, or nine times, or the same? Choose another picture."),
            _signal(inputs, LossPicker),
        ),
        Stop(
            card(inputs, 2),
            _tr("How private"),
            _tr("Move the slider. The sentence below says how far a bet on one row could move, at most."),
            _signal(inputs, PrivacyControl),
        ),
        Stop(
            mechanism,
            _tr("The best mechanism"),
            _tr("Each row is a true count, each column a value that may be released; bright is likely. Click a row."),
            mechanism.rowSelected,
        ),
        Stop(
            card(meaning, 0),
            _tr("What it says"),
            _tr("The chosen row as bars. Press “Release once” and see what the public would have seen."),
            meaning.drawRequested,
        ),
        Stop(
            card(meaning, 1),
            _tr("What it costs"),
            _tr("How wrong the release is on average, in your own measure, and what other methods would cost you instead."),
        ),
        Stop(
            card(meaning, 2),
            _tr("The price of privacy"),
            _tr("Less privacy, less error. Drag the line to any ε and watch everything follow."),
            meaning.epsilonMoved,
        ),
    )


def _signal(column: QWidget, kind: Any) -> Any:
    """Return the signal with which the editor of a column says that the user has changed something."""
    editor = column.findChild(kind)
    return None if editor is None else editor.changed


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)
