"""The card of what comes out: every finding by its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import capital, translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labels import SentenceLabel
from dpdesigner.desktop.widgets.base.layouts import styled
from dpdesigner.studies.findings import Findings, format_finding

_APART = 4  # pixels above a finding; its note stands close to it


class FindingRows(QWidget):
    """Names and values, one a line, a note below one that has it; values can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(0)
        self._rows: list[tuple[QLabel, QLabel, QLabel]] = []

    def show_rows(self, rows: Sequence[tuple[str, str, str, str]]) -> list[QLabel]:
        """Show names, values, notes, and tooltips of the values; return the labels of the values."""
        while len(self._rows) < len(rows):
            self._rows.append(self._row())
        for _, value, note in self._rows[len(rows) :]:
            self._form.setRowVisible(value, False)
            self._form.setRowVisible(note, False)
        for (name, value, note), (label, text, more, tip) in zip(self._rows, rows, strict=False):
            self._form.setRowVisible(value, True)
            self._form.setRowVisible(note, bool(more))
            name.setText(label)
            value.setText(text)
            note.setText(more)
            value.setToolTip(tip)
            value.setAccessibleName(f"{label}: {' · '.join(filter(None, (text, more)))}")
        return [value for _, value, _ in self._rows[: len(rows)]]

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


class FindingsCard(Card):
    """Findings, their exact values in the tooltips; or why there are none."""

    whyRequested = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("Results"), self.tr("select to copy"), foldable=True)
        self._rows = FindingRows()
        self.values: dict[str, QLabel] = {}  #: by the keys of the findings
        self.reason = SentenceLabel("heading")
        self.why = QPushButton(self.tr("Why?"))
        set_class(self.why, "link")
        self.why.setToolTip(self.tr("Explanation and sources"))
        self.why.clicked.connect(self.whyRequested)
        self.header.addWidget(self.why)
        self.add(self._rows)
        self.add(self.reason)

    def set_findings(self, findings: Findings, explained: bool = False, reason: str = "") -> None:
        """Show findings, or the reason why there are none; explained: whether it can be told why they are so."""
        rows = [
            (
                capital(translated(each.label)),
                translated(format_finding(each)),
                translated(each.note),
                translated(format_finding(each, "full")),
            )
            for each in findings.values()
        ]
        self.values = dict(zip(findings, self._rows.show_rows(rows), strict=True))
        self.reason.set_sentence(reason)
        self.why.setVisible(explained)

    def set_stale(self, on: bool) -> None:
        """Say that they are being computed anew."""
        self.set_word(self.tr("computing…") if on else self.tr("select to copy"))
