"""An open exhibit: the paper's words and the parameters, the pictures, and the paper's numbers next to ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.cards import Disclosure
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Figure, Stop
from dpdesigner.desktop.pages.kit.results_column import PanelColumn
from dpdesigner.desktop.pages.kit.summary import Summary
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel
from dpdesigner.studies.exhibits.exhibit import NOT_GIVEN, NUMBERS, Exhibit, brief
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.table_panels import Sentence, Table

_UNBROKEN = 16  # characters of a number that stays on one line
_SHORT = 7  # characters of a fraction in the header
_ASIDE = 260  # pixels at text scale 1: the most that the picture on the right takes
_LEAST = 108  # pixels for the description of a number
_WIDTHS = (312, 520, 332)  # column widths at 1280 pixels


class NumbersCard(Card):
    """A line for each number: its name, the paper's value, and ours with a sign that shows whether they agree."""

    def __init__(self, ours: bool = False) -> None:
        super().__init__(self.tr("The numbers"))
        self._table, self._asks = Table(NUMBERS, "", (), ()), False
        self._rows: list[list[QLabel]] = []
        sheet = QWidget()
        self._grid = QGridLayout(sheet)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        theme().changed.connect(self._fit)
        self._fit()
        self.more = Disclosure(self.tr("Numbers that the paper does not give"))
        self._head = styled("heading", self.tr("The question") if ours else self.tr("Open question in the paper"))
        self.why = SentenceLabel("small")
        self.whole = Disclosure()  #: shows and hides the explanation
        for part in (sheet, self.more, self._head, self.whole, self.why):
            self.add(part)
        for link in (self.more, self.whole):
            link.toggled.connect(self._show)

    @Slot()
    def _fit(self) -> None:
        """Reserve a fixed space for the names of the numbers."""
        self._grid.setColumnMinimumWidth(0, round(_LEAST * theme().scale))

    def show_numbers(self, table: Table, asks: bool) -> None:
        """Show the table of an exhibit's answer; `asks` means that the paper claims nothing."""
        self._table, self._asks = table, asks
        self._show()

    @Slot()
    def _show(self) -> None:
        table, asks = self._table, self._asks
        given = [row for row in table.rows if row[1] not in ("", NOT_GIVEN)]
        others = [(name, "", *ours) for name, theirs, *ours in table.rows if not given or theirs == NOT_GIVEN]
        rows = [table.header, *given, *(others if self.more.isChecked() else ())] if given else others
        many = len(others) if given else 0
        self.more.offer(self.tr("{count} more numbers").format(count=many) if many else "", self.tr("Fewer numbers"))
        while len(self._rows) < len(rows):
            self._rows.append(self._row(len(self._rows)))
        for place, labels in enumerate(self._rows):
            for label in labels:
                label.setVisible(place < len(rows))
        for labels, row in zip(self._rows, rows, strict=False):
            name, theirs, ours, mark = map(translated, row)
            texts = (_begun(name), theirs, f"{mark} {ours}".strip())
            for label, text in zip(labels, texts, strict=True):
                label.setWordWrap(label is labels[0] or len(text) > _UNBROKEN)
                label.setText(text)
            labels[0].setAccessibleName(": ".join(filter(None, texts)))
        self._head.setVisible(bool(table.note) and asks)
        self.whole.offer(self.tr("Why they differ") if table.note and not asks else "")
        self.why.set_sentence(translated(table.note) if asks or self.whole.isChecked() else "")

    def _row(self, place: int) -> list[QLabel]:
        labels = [styled(style) for style in ("", "muted", "heading")]
        for column, label in enumerate(labels):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            label.setAlignment(side | Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(label, place, column)
        return labels


def _begun(name: str) -> str:
    """Return a label with an initial capital, unless it begins with a symbol."""
    return capital(name) if name[:2].isascii() and name[:2].isalpha() else name


class ExhibitPage(DeclaredPage):
    """Shows designs of one exhibit.

    Parameters
    ----------
    exhibit : type of Exhibit
    neighbours : (type of Exhibit or None, type of Exhibit or None)
        The exhibits before and after it, also of another paper.
    """

    kind = Exhibit.kind
    wanted = Signal(str)  #: the exhibit to open, by name; empty: the gallery

    def __init__(self, exhibit: type[Exhibit], neighbours: tuple[type[Exhibit] | None, type[Exhibit] | None]) -> None:
        self.exhibit = exhibit
        self.previous, self.following = neighbours
        super().__init__()
        for keys, neighbour in (("Alt+Left", self.previous), ("Alt+Right", self.following)):
            QShortcut(QKeySequence(keys), self, partial(self._go_to, neighbour))

    def design_class(self) -> type[DeclaredDesign]:
        """Return the exhibit."""
        return self.exhibit

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put a navigation line (back, neighbouring exhibits) above the columns."""
        body = QWidget()
        self._inputs.column.insertWidget(0, self._words())
        self._lay_out_results()
        lay_out_columns(body, "exhibit-columns", columns, _WIDTHS)
        column_of(self._line(), (body, 1), on=self, gap=0)

    def _lay_out_results(self) -> None:
        """Show the picture with a handle and the numbers where other pages show their findings."""
        self._results.findings.hide()
        self.aside_card, self.aside, self.numbers = Card(flexible=True), PanelColumn(), NumbersCard(self.exhibit.paper.ours)
        self.aside_card.add(self.aside, 1)
        self.aside_card.hide()
        self._handles.follow(self.aside, self.aside.words_of)
        column = self._results.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(1, self.aside_card, 2)
        column.insertWidget(2, self.numbers)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self.aside_card.set_highest(round(px(_ASIDE)))

    def _words(self) -> Card:
        short = self.exhibit.paper.short
        card = Card(self.tr("Claim"), short)
        card.set_word(f"{short} {translated(self.exhibit.place)}", short)
        words = QLabel(translated(self.exhibit.claim))
        words.setWordWrap(True)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        card.add(words)
        return card

    def _line(self) -> QHBoxLayout:
        self.back = QPushButton(self.tr("‹ Papers"))
        set_class(self.back, "link")
        self.back.setToolTip(self.tr("Back to the gallery (Backspace)"))
        self.sides = [
            self._side(self.previous, self.tr("◂ Previous")),
            self._side(self.following, self.tr("Next ▸")),
        ]
        self.back.clicked.connect(self._go_back)
        return row_of(self.back, None, *self.sides, margins=(12, 8, 12, 0), gap=8)

    def _side(self, exhibit: type[Exhibit] | None, words: str) -> QPushButton:
        button = QPushButton()
        set_class(button, "link")
        if exhibit is None:
            button.hide()
        else:
            place = translated(exhibit.place)
            if exhibit.paper != self.exhibit.paper:
                place = f"{exhibit.paper.short} {place}"
            button.setText(words)
            button.setToolTip(f"{place}: {translated(exhibit.heading)}")
            button.setAccessibleName(translated(exhibit.heading))
            button.clicked.connect(partial(self._go_to, exhibit))
        return button

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Return the pictures without the one that has a handle, and the panels below the numbers."""
        middle, beside = super().shared_out(answer)
        aside = self._aside(middle)
        return [panel for panel in middle if panel not in aside], [panel for panel in beside if not _numbers(panel)]

    @staticmethod
    def _aside(middle: Sequence[Panel]) -> list[Panel]:
        """Return the plot with a handle for the right column, if the middle has another picture."""
        pictures = [panel for panel in middle if not isinstance(panel, Sentence)]
        held: list[Panel] = [panel for panel in pictures if isinstance(panel, Plot) and panel.handles]
        return held[-1:] if len(pictures) > 1 else []

    def _show(self, *_: Any) -> None:
        super()._show()
        if (answer := self.answer) is not None:
            aside = self._aside(super().shared_out(answer)[0])
            self.aside.show_panels(aside, self._place)
            self.aside_card.setVisible(bool(aside))
            for panel in answer.panels_in({}):
                if isinstance(panel, Table) and _numbers(panel):
                    self.numbers.show_numbers(panel, bool(answer.design.asks))

    def show_design(self, before: Any, design: Any) -> None:
        """Show the inputs of a design; handles follow immediately."""
        super().show_design(before, design)
        self.aside.put_handles(self._place)

    def _mark(self, stale: bool) -> None:
        super()._mark(stale)
        self.aside.set_stale(stale)
        self.numbers.set_word(self.tr("computing…") if stale else "")

    def summary(self) -> Summary:
        """Return the summary, with a short fraction as such in the header, as the sentence has it."""
        summary = super().summary()
        if summary.value and self.answer is not None:
            headline = next(iter(self.answer.findings.values()))
            if isinstance(headline.value, Fraction) and "/" in (short := brief(headline)) and len(short) <= _SHORT:
                return replace(summary, value=short)
        return summary

    def figures(self) -> Sequence[Figure]:
        """Return the pictures, those in the middle first, then the one on the right."""
        return () if self.answer is None else (*super().figures(), *self.aside.figures())

    def tour(self) -> Sequence[Stop]:
        """Return the tour of the inputs, the pictures and the numbers."""
        *asked, pictures, _ = super().tour()
        numbers = self.tr("The numbers of the paper next to ours, with an explanation if they differ.")
        return (*asked, pictures, Stop(self.numbers, self.tr("The numbers"), numbers))

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls."""
        super().set_presenting(on)
        self.back.setVisible(not on)
        for side, exhibit in zip(self.sides, (self.previous, self.following), strict=True):
            side.setVisible(exhibit is not None and not on)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back with Backspace."""
        if event.key() == Qt.Key.Key_Backspace:
            self._go_back()
        else:
            super().keyPressEvent(event)

    def _go_to(self, neighbour: type[Exhibit] | None, checked: bool = False) -> None:
        if neighbour is not None and not self.presenting:
            self.wanted.emit(neighbour.exhibit)

    def _go_back(self) -> None:
        self.wanted.emit("")


def _numbers(panel: Panel) -> bool:
    return isinstance(panel, Table) and panel.key == NUMBERS
