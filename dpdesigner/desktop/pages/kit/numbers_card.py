"""The card of exact numbers: findings by their labels, with all their digits, to be selected and copied."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.studies.findings import Finding, shown

_MOST_NUMBERS = 7


class NumbersCard(Card):
    """Seven rows at most, of which those that are needed are shown."""

    def __init__(self) -> None:
        super().__init__(self.tr("The exact numbers"), self.tr("select to copy"))
        sheet = QWidget()
        self._form = QFormLayout(sheet)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self.numbers: dict[str, QLabel] = {}
        self._rows = [self._row() for _ in range(_MOST_NUMBERS)]
        self.add(sheet)

    def _row(self) -> tuple[QLabel, QLabel]:
        name, value = QLabel(), QLabel()
        set_class(name, "muted")
        value.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        name.setBuddy(value)
        self._form.addRow(name, value)
        return name, value

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Show these."""
        self.numbers = {}
        for place, (name, value) in enumerate(self._rows):
            self._form.setRowVisible(place, place < len(findings))
            if place < len(findings):
                finding = findings[place]
                text = self._text(finding)
                name.setText(finding.label)
                value.setText(text)
                value.setAccessibleName(f"{finding.label}: {text}")
                self.numbers[finding.label] = value

    def _text(self, finding: Finding) -> str:
        if finding.number == math.inf:
            return self.tr("infinite, or too large")
        return f"{shown(finding, 'full')} {finding.note}" if isinstance(finding.value, int) else shown(finding, "full")
