"""An open exhibit: the paper's words and the parameters, the pictures, and the paper's numbers next to ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpdesigner.desktop.base.card import Card, Disclosure
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.pages.kit.panel_views import PanelView, Place
from dpdesigner.desktop.pages.kit.results_column import PanelColumn, ResultsColumn
from dpdesigner.desktop.pages.kit.summary import Summary
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel
from dpdesigner.studies.exhibits.exhibit import NOT_GIVEN, NUMBERS, Exhibit
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.table_panels import Sentence, Table

_UNBROKEN = 16  # characters of a number that stays on one line
_LEAST = 138  # pixels for the description of a number
_WIDTHS = (312, 520, 332)  # column widths at 1280 pixels


class NumbersPanel(PanelView):
    """A line for each number: its name, the paper's value, and ours with a sign that shows whether they agree."""

    def __init__(self, exhibit: type[Exhibit]) -> None:
        super().__init__()
        self._table, self._asks = Table(NUMBERS, "", (), ()), bool(exhibit.asks)
        sheet, self._rows = QWidget(), list[list[QLabel]]()
        self._grid = QGridLayout(sheet)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._header = self._row("muted", "muted")
        theme().follow(self._fit)
        self.more = Disclosure(self.tr("Numbers that the paper does not give"))
        self._head = styled("heading", self.tr("The question") if exhibit.paper.ours else self.tr("Open question in the paper"))
        self.whole = Disclosure()  #: shows and hides the explanation
        self.why = SentenceLabel("small")
        self.card = Card(self.tr("The numbers"))
        self.column.addWidget(self.card)
        for part in (sheet, self.more, self._head, self.whole, self.why):
            self.card.add(part)
        self._head.setVisible(self._asks)
        for link in (self.more, self.whole):
            link.toggled.connect(self._show)

    @Slot()
    def _fit(self) -> None:
        self._grid.setColumnMinimumWidth(0, round(_LEAST * theme().scale))

    def show_panel(self, panel: Table, place: Place) -> None:
        self._table = panel
        self._show()

    @Slot()
    def _show(self) -> None:
        table = self._table
        given = [row for row in table.rows if row[1] not in ("", NOT_GIVEN)]
        others = [(name, "", *ours) for name, theirs, *ours in table.rows if not given or theirs == NOT_GIVEN]
        apart = bool(given and others) and table.rows[0][1] in ("", NOT_GIVEN)  # the paper does not give the headline
        first, then = (others, given) if apart or not given else (given, others)
        rows = first if not self.more.isChecked() else then if apart else [*first, *then]
        more = self.tr("The paper’s numbers") if apart else self.tr("{count} more numbers").format(count=len(then))
        self.more.offer(more if then else "", self.tr("Our numbers") if apart else self.tr("Fewer numbers"))
        while len(self._rows) < len(rows):
            self._rows.append(self._row("muted", "heading"))
        for label, text in zip(self._header, table.header, strict=False):
            label.setText(translated(text))
            label.setVisible(bool(given) and (self.more.isChecked() or not apart))
        for place, label in ((place, label) for place, labels in enumerate(self._rows) for label in labels):
            label.setVisible(place < len(rows))
        for labels, row in zip(self._rows, rows, strict=False):
            name, theirs, ours, mark = map(translated, row)
            texts = (_begun(name), theirs, f"{mark} {ours}".strip())
            for label, text in zip(labels, texts, strict=True):
                label.setWordWrap(label is labels[0] or ", " in text or len(text) > _UNBROKEN)
                label.setText(text)
            labels[0].setAccessibleName(": ".join(filter(None, texts)))
        self.whole.offer(self.tr("Why they differ") if table.note and not self._asks and not apart else "")
        self.why.set_sentence(translated(table.note) if self._asks or (self.more if apart else self.whole).isChecked() else "")

    def _row(self, theirs: str, ours: str) -> list[QLabel]:
        """Return labels in a new row, with the styles of the two values."""
        labels, place = [styled(style) for style in ("", theirs, ours)], self._grid.rowCount()
        for column, label in enumerate(labels):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            label.setAlignment(side | Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(label, place, column)
        return labels

    def set_stale(self, on: bool) -> None:
        self.card.set_word(self.tr("computing…") if on else "")


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
        self.ends = (None, *neighbours)
        super().__init__()

    def design_class(self) -> type[DeclaredDesign]:
        return self.exhibit

    def results_column(self) -> ResultsColumn:
        """Return the column with the picture that has a handle, and the numbers, where other pages show their findings."""
        column = ResultsColumn(self.whyRequested.emit, {NUMBERS: partial(NumbersPanel, self.exhibit)})
        column.findings.hide()
        column.panels.show()  # an empty column would not be laid out
        return column

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put a navigation line (back, neighbouring exhibits) above the columns, and the claim above the inputs."""
        body, short = QWidget(), self.exhibit.paper.short
        claim = Card(self.tr("Claim"), short)
        claim.set_word(f"{short} {translated(self.exhibit.place)}", short)
        self._claim = SentenceLabel("")
        claim.add(self._claim)
        self._claim.set_sentence(translated(self.exhibit.claim))
        self._expected = PanelColumn()
        self._handles.follow(self._expected, self._expected.words_of)
        claim.add(self._expected)
        self._inputs.column.insertWidget(0, claim)
        lay_out_columns(body, "exhibit-columns", columns, _WIDTHS)
        back, *sides = self.links = self._links()
        column_of(row_of(back, None, *sides, margins=(12, 8, 12, 0), gap=8), (body, 1), on=self, gap=0)

    def _links(self) -> list[QPushButton]:
        """Return the links to the gallery and to the neighbouring exhibits, each with its keys."""
        keys = ("Backspace", "Alt+Left", "Alt+Right")
        links = [QPushButton(text) for text in (self.tr("‹ Papers"), self.tr("◂ Previous"), self.tr("Next ▸"))]
        links[0].setToolTip(self.tr("Back to the gallery (Backspace)"))
        for place, (link, end) in enumerate(zip(links, self.ends, strict=True)):
            set_class(link, "link")
            link.clicked.connect(partial(self._go_to, end))
            if end is not None:
                paper = "" if end.paper == self.exhibit.paper else f"{end.paper.short} "
                link.setToolTip(f"{paper}{translated(end.place)}: {translated(end.heading)}")
                link.setAccessibleName(translated(end.heading))
            elif place:
                link.hide()
                continue
            QShortcut(QKeySequence(keys[place]), self, partial(self._go_to, end))
        return links

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Put the plot with a handle on the right if the middle has another picture, and the numbers below it."""
        middle, beside = super().shared_out(answer)
        own = [panel for panel in self.panels_of(answer) if panel.key in self.exhibit.beside_inputs]
        self._expected.show_panels(own, self._place)
        self._claim.setDisabled(any(isinstance(panel, Sentence) and panel.state == "open" for panel in own))
        pictures = [panel for panel in middle if not isinstance(panel, Sentence)]
        held: list[Panel] = [panel for panel in pictures if isinstance(panel, Plot) and panel.handles]
        aside = held[-1:] if len(pictures) > 1 else []
        beside.sort(key=lambda panel: panel.key != NUMBERS)
        layout = self._results.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.setStretchFactor(self._results.panels, 6 if aside else 0)  # a picture takes most of the room that is left
        return [panel for panel in middle if panel not in (*aside, *own)], [*aside, *beside]

    def show_sketch(self, panel: Panel | None) -> None:
        """Show the small picture of the gallery, pale, until there is an answer."""
        if self.answer is None and panel is not None:
            self._pictures.panels.show_panels([panel], self._place)
            self._pictures.panels.set_stale(True)

    def summary(self) -> Summary:
        """Return the summary, with the number as the sentence has it; the inputs, named by letters, are for an audience only."""
        summary = super().summary() if self.presenting else replace(super().summary(), line="")
        if summary.value and self.answer is not None:
            ways = self.exhibit.headline, self.exhibit.in_short
            value, short = (translated(way(self.answer.findings)) for way in ways)
            return replace(summary, value=value or summary.value, sentence=(*summary.sentence, *filter(None, [short])))
        return summary

    def tour(self) -> Sequence[Stop]:
        *asked, pictures, _ = super().tour()
        numbers = self.tr("The numbers of the paper next to ours, with an explanation if they differ.")
        return (*asked, pictures, Stop(self._results.panels, self.tr("The numbers"), numbers))

    def set_presenting(self, on: bool) -> None:
        super().set_presenting(on)
        for way, end in zip(self.links, self.ends, strict=True):
            way.setVisible(not on and (way is self.links[0] or end is not None))
        self.summaryChanged.emit()

    def _go_to(self, end: type[Exhibit] | None, checked: bool = False) -> None:
        """Open an exhibit, or the gallery."""
        if not self.presenting:
            self.wanted.emit("" if end is None else end.exhibit)
