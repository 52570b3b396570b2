"""The sentences of the choice page, made from outcomes; no widget is touched here."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure, rounded_down
from dpdesigner.studies.choice.outcome import ChoiceOutcome


def privacy_sentence(outcome: ChoiceOutcome) -> str:
    """What privacy a table has, and what to ask for to be sure of it."""
    epsilon = outcome.design.epsilon
    if outcome.mechanism.level <= epsilon * (1 + 1e-9):
        return outcome.reason
    text = _tr("{reason} To be sure of ε = {epsilon} whatever the costs, ask for {half}.")
    reason, half = outcome.reason[:1].upper() + outcome.reason[1:], f"{rounded_down(epsilon / 2, 3):g}"
    return text.format(reason=reason, epsilon=figure(epsilon, 3), half=half)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChoicePage", text)
