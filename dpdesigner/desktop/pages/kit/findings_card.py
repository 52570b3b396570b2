"""The card of what comes out: every finding by its name, and the result in plain words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.findings import Finding, Findings, shown


class FindingsCard(Card):
    """Findings, one a line, their exact values in the tooltips; a sentence below them."""

    whyRequested = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("What comes out"), self.tr("select to copy"))
        sheet = QWidget()
        self._form = QFormLayout(sheet)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self.values: dict[str, QLabel] = {}  #: by the keys of the findings
        self.sentence = SentenceLabel("heading")
        self.why = QPushButton(self.tr("Why?"))
        self.why.setToolTip(self.tr("Why this is so, and where it is from"))
        self.why.clicked.connect(self.whyRequested)
        self.header.addWidget(self.why)
        self.add(sheet)
        self.add(self.sentence)

    def set_findings(self, findings: Findings, sentence: str, explained: bool) -> None:
        """Show findings and a sentence; explained: whether it can be told why."""
        self.values = {}
        while len(self._rows) < len(findings):
            self._rows.append(self._row())
        for place in range(len(self._rows)):
            self._form.setRowVisible(place, place < len(findings))
        for (name, value), (key, finding) in zip(self._rows, findings.items(), strict=False):
            self._fill(name, value, finding)
            self.values[key] = value
        self.sentence.set_sentence(translated(sentence))
        self.why.setVisible(explained)

    def set_stale(self, on: bool) -> None:
        """Say that they are being computed anew."""
        self.set_word(self.tr("computing…") if on else self.tr("select to copy"))

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

    @staticmethod
    def _fill(name: QLabel, value: QLabel, finding: Finding) -> None:
        label, text = capital(translated(finding.label)), translated(shown(finding))
        name.setText(label)
        value.setText(" · ".join(filter(None, (text, translated(finding.note)))))
        value.setToolTip(translated(shown(finding, "full")))
        value.setAccessibleName(f"{label}: {value.text()}")
