"""The card of what comes out: every finding by its name, and the result in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.findings import Findings, shown


class FindingRows(QWidget):
    """Names and values, one a line; values can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self._rows: list[tuple[QLabel, QLabel]] = []

    def show_rows(self, rows: Sequence[tuple[str, str, str]]) -> list[QLabel]:
        """Show names, values and tooltips of the values, and return the labels of the values."""
        while len(self._rows) < len(rows):
            self._rows.append(self._row())
        for place in range(len(self._rows)):
            self._form.setRowVisible(place, place < len(rows))
        for (name, value), (label, text, tip) in zip(self._rows, rows, strict=False):
            name.setText(label)
            value.setText(text)
            value.setToolTip(tip)
            value.setAccessibleName(f"{label}: {text}")
        return [value for _, value in self._rows[: len(rows)]]

    def _row(self) -> tuple[QLabel, QLabel]:
        name, value = QLabel(), QLabel()
        set_class(name, "muted")
        value.setWordWrap(True)
        value.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        name.setBuddy(value)
        self._form.addRow(name, value)
        return name, value


class FindingsCard(Card):
    """Findings, their exact values in the tooltips; a sentence below them."""

    whyRequested = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("What comes out"), self.tr("select to copy"))
        self._rows = FindingRows()
        self.values: dict[str, QLabel] = {}  #: by the keys of the findings
        self.sentence = SentenceLabel("heading")
        self.why = QPushButton(self.tr("Why?"))
        self.why.setToolTip(self.tr("Why this is so, and where it is from"))
        self.why.clicked.connect(self.whyRequested)
        self.header.addWidget(self.why)
        self.add(self._rows)
        self.add(self.sentence)

    def set_findings(self, findings: Findings, sentence: str, explained: bool) -> None:
        """Show findings and a sentence; explained: whether it can be told why."""
        rows = []
        for finding in findings.values():
            text = " · ".join(filter(None, (translated(shown(finding)), translated(finding.note))))
            rows.append((capital(translated(finding.label)), text, translated(shown(finding, "full"))))
        self.values = dict(zip(findings, self._rows.show_rows(rows), strict=True))
        self.sentence.set_sentence(translated(sentence))
        self.why.setVisible(explained)

    def set_stale(self, on: bool) -> None:
        """Say that they are being computed anew."""
        self.set_word(self.tr("computing…") if on else self.tr("select to copy"))
