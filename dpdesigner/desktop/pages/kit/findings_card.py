"""The card of what comes out: every finding by its name."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.layouts import styled
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.findings import Finding, Findings, shown

_APART = 4  # pixels above a finding; its note stands close to it


class FindingsCard(Card):
    """Findings, one a line, a note below one that has it, their exact values in the tooltips; or why there are none."""

    whyRequested = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("What comes out"), self.tr("select to copy"))
        sheet = QWidget()
        self._form = QFormLayout(sheet)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(0)
        self._rows: list[tuple[QLabel, QLabel, QLabel]] = []
        self.values: dict[str, QLabel] = {}  #: by the keys of the findings
        self.reason = SentenceLabel("heading")
        self.why = QPushButton(self.tr("Why?"))
        self.why.setToolTip(self.tr("Why this is so, and where it is from"))
        self.why.clicked.connect(self.whyRequested)
        self.header.addWidget(self.why)
        self.add(sheet)
        self.add(self.reason)

    def set_findings(self, findings: Findings, explained: bool = False, reason: str = "") -> None:
        """Show findings, or the reason why there are none; explained: whether it can be told why they are so."""
        self.values = {}
        while len(self._rows) < len(findings):
            self._rows.append(self._row())
        for _, value, note in self._rows[len(findings) :]:
            self._form.setRowVisible(value, False)
            self._form.setRowVisible(note, False)
        for (name, value, note), (key, finding) in zip(self._rows, findings.items(), strict=False):
            self._form.setRowVisible(value, True)
            self._form.setRowVisible(note, bool(finding.note))
            self._fill(name, value, note, finding)
            self.values[key] = value
        self.reason.set_sentence(reason)
        self.why.setVisible(explained)

    def set_stale(self, on: bool) -> None:
        """Say that they are being computed anew."""
        self.set_word(self.tr("computing…") if on else self.tr("select to copy"))

    def _row(self) -> tuple[QLabel, QLabel, QLabel]:
        name, value, note = QLabel(), QLabel(), styled("small", wrapped=True)
        set_class(name, "muted")
        for label in (name, value):
            label.setContentsMargins(0, _APART, 0, 0)
        value.setWordWrap(True)
        value.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        name.setBuddy(value)
        self._form.addRow(name, value)
        self._form.addRow(note)
        return name, value, note

    @staticmethod
    def _fill(name: QLabel, value: QLabel, note: QLabel, finding: Finding) -> None:
        label, text, more = capital(translated(finding.label)), translated(shown(finding)), translated(finding.note)
        name.setText(label)
        value.setText(text)
        note.setText(more)
        value.setToolTip(translated(shown(finding, "full")))
        value.setAccessibleName(f"{label}: {' · '.join(filter(None, (text, more)))}")
