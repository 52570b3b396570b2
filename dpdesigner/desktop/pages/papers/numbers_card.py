"""The card of the paper's numbers beside ours, and why they differ."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from dpdesigner.desktop.look.theme import set_class, theme
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.layouts import styled
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.tables import Table

_COLUMNS = 3
_LEAST = 108  # pixels for what a number is


class NumbersCard(Card):
    """A line for each number: what it is, the paper's, and ours with a sign that says whether they are the same."""

    def __init__(self) -> None:
        super().__init__(self.tr("The paper’s numbers and ours"))
        sheet = QWidget()
        self._grid = QGridLayout(sheet)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        theme().changed.connect(self._fit)
        self._fit()
        self._rows: list[list[QLabel]] = []
        self._head = styled("heading", self.tr("Why they differ"))
        self.why = SentenceLabel("small")
        self.add(sheet)
        self.add(self._head)
        self.add(self.why)

    @Slot()
    def _fit(self) -> None:
        """Keep room for what the numbers are, whatever they are."""
        self._grid.setColumnMinimumWidth(0, round(_LEAST * theme().scale))

    def show_numbers(self, table: Table) -> None:
        """Show the table of an exhibit's answer."""
        rows = [table.header, *table.rows]
        while len(self._rows) < len(rows):
            self._rows.append(self._row(len(self._rows)))
        for place, labels in enumerate(self._rows):
            for label in labels:
                label.setVisible(place < len(rows))
        for labels, row in zip(self._rows, rows, strict=False):
            name, theirs, ours, mark = map(translated, row)
            texts = (_begun(name), theirs, f"{mark} {ours}".strip())
            for label, text in zip(labels, texts, strict=True):
                label.setText(text)
            labels[0].setAccessibleName(": ".join(filter(None, texts)))
        self._head.setVisible(bool(table.note))
        self.why.set_sentence(translated(table.note))

    def _row(self, place: int) -> list[QLabel]:
        labels = [QLabel() for _ in range(_COLUMNS)]
        for column, label in enumerate(labels):
            set_class(label, "muted" if place == 0 or column == 1 else "heading" if column == 2 else "")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            label.setAlignment(side | Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(label, place, column)
        self._grid.setColumnStretch(1, 0)
        return labels


def _begun(name: str) -> str:
    """Return a label with a capital, unless it begins with a symbol."""
    return capital(name) if name[:2].isascii() and name[:2].isalpha() else name
