"""The example gallery: where one starts. Examples with pictures, blank designs, recent files, the tour and the demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal, SignalInstance, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from dpdesigner.desktop.start.thumbnail import sketch_of
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.column import ColumnArea
from dpdesigner.desktop.widgets.base.layouts import column_of, flow_of, row_of, styled
from dpdesigner.errors import InputError, passed_over
from dpdesigner.files.project.examples import Example
from dpdesigner.files.project.project import read_project
from dpdesigner.studies import registry

COLUMNS = 4
PICTURE = QSize(196, 74)  #: at normal text size
_MOST_RECENT = 4


class ExampleCard(QPushButton):
    """One example: a picture, its title, one sentence."""

    def __init__(self, example: Example) -> None:
        super().__init__()
        self.example = example
        sentence = example.description.partition(". ")[0].rstrip(".") + "."
        self.setAccessibleName(example.title)
        self.setAccessibleDescription(example.description)
        self.setToolTip(example.description)
        self.setStyleSheet("QPushButton:focus { outline: none; border-width: 2px; }")  # Qt's own frame runs through the words
        self.picture, title = QLabel(), styled("heading", example.title, wrapped=True)
        text = styled("small", sentence, wrapped=True)
        for label in (self.picture, title, text):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column_of(self.picture, title, text, None, on=self, margins=(12, 12, 12, 12), gap=6)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.fit()

    def fit(self) -> None:
        """Take the room that this text size needs."""
        self.picture.setFixedSize(PICTURE * theme().scale)
        width = self.picture.width() + 24
        self.setFixedWidth(width)
        self.setMinimumHeight(self.heightForWidth(width))

    def draw(self) -> None:
        """Draw the picture from the example itself; an example that cannot be read has none."""
        try:
            study = read_project(self.example.path).studies[0]
        except InputError as error:
            passed_over(f"drawing {self.example.path}", error)
            return
        self.picture.setPixmap(sketch_of(study, self.picture.size(), self.devicePixelRatioF()))


class Gallery(QDialog):
    """Says what was chosen and closes; asks and opens nothing itself.

    Parameters
    ----------
    examples : sequence of Example
    recent : sequence of Path
        Files opened lately, newest first.
    parent : QWidget
    """

    exampleChosen = Signal(object)  #: an `Example`
    kindChosen = Signal(str)  #: a kind of study to start blank
    fileChosen = Signal(object)  #: a `Path`
    openRequested = Signal()
    tourRequested = Signal()
    demonstrationRequested = Signal()

    def __init__(self, examples: Sequence[Example], recent: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Welcome to dpdesigner"))
        self.cards = [ExampleCard(example) for example in examples]
        self._undrawn = list(self.cards)
        self.at_start = QCheckBox(self.tr("Show this at start"))
        self.at_start.setChecked(preferences().choices.gallery_at_start)
        self.at_start.toggled.connect(self._remember)
        self.buttons: dict[str, QPushButton] = {}
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        rows = [(self.tr("New"), self._starts()), (self.tr("Recent"), self._recent(recent)), (self.tr("See how"), self._guides())]
        title = styled("title", self.tr("Start from an example"))
        about = styled("muted", self.tr("Each opens as a copy. Draw, drag and undo freely: you cannot break anything."))
        self._sheet = QWidget()
        column_of(title, about, (self._grid, 1), *(_row(*row) for row in rows if row[1]), on=self._sheet, gap=12)
        self._area = ColumnArea(self._sheet)
        column_of((self._area, 1), self._foot(), on=self, margins=(24, 20, 16, 16), gap=12)
        self._fit()
        for card in self.cards:
            self._leave_for(card, self.exampleChosen, card.example)
        if self.cards:
            self.cards[0].setFocus()
        theme().changed.connect(self._restyle)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_next)
        self._timer.start(0)

    def _fit(self) -> None:
        """Put as many examples beside each other as fit, and show all of the sheet where the screen has room for it."""
        screen = self.screen().availableSize()
        wide = (screen.width() - 120) // (self.cards[0].width() + 12) if self.cards else 1
        columns = max(1, min(COLUMNS, wide))
        for place in range(COLUMNS + 1):
            self._grid.setColumnStretch(place, int(place == columns))
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        wanted = self._sheet.sizeHint() + QSize(self._area.verticalScrollBar().sizeHint().width() + 4, 4)
        self._area.setMinimumSize(wanted.boundedTo(screen - QSize(80, 120)))

    def _starts(self) -> list[QPushButton]:
        blank = [
            self._button(f"new {entry.kind}", self.tr("Blank {title}").format(title=entry.title), self.kindChosen, entry.kind)
            for entry in registry.ENTRIES
        ]
        return [*blank, self._button("open", self.tr("Open…"), self.openRequested)]

    def _recent(self, recent: Sequence[Path]) -> list[QPushButton]:
        buttons = []
        for path in recent[:_MOST_RECENT]:
            buttons.append(self._button(f"recent {path.name}", path.name, self.fileChosen, path))
            buttons[-1].setToolTip(str(path))
        return buttons

    def _guides(self) -> list[QPushButton]:
        return [
            self._button("tour", self.tr("Take the tour (90 seconds)"), self.tourRequested),
            self._button("demonstration", self.tr("Watch the demonstration"), self.demonstrationRequested),
        ]

    def _button(self, key: str, text: str, signal: SignalInstance, *chosen: object) -> QPushButton:
        button = self.buttons[key] = QPushButton(text.replace("&", "&&"))
        self._leave_for(button, signal, *chosen)
        return button

    def _leave_for(self, button: QPushButton, signal: SignalInstance, *chosen: object) -> None:
        """Let a button close the gallery and say what was chosen."""
        button.clicked.connect(self.accept)
        button.clicked.connect(partial(signal.emit, *chosen))

    def _foot(self) -> QHBoxLayout:
        close = self.buttons["close"] = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        close.setDefault(True)  # without a main button, Return would press a card from wherever the focus is not on a button
        return row_of((self.at_start, 1), close)

    @Slot()
    def _draw_next(self) -> None:
        if self._undrawn:
            self._undrawn.pop(0).draw()
        else:
            self._timer.stop()

    @Slot()
    def _restyle(self) -> None:
        for card in self.cards:
            card.fit()
        self._fit()
        self._undrawn = list(self.cards)
        self._timer.start(0)

    @Slot(bool)
    def _remember(self, on: bool) -> None:
        preferences().choose(gallery_at_start=on)


def _row(name: str, buttons: Sequence[QPushButton]) -> QWidget:
    holder = QWidget()
    flow_of(styled("muted", name), *buttons, on=holder, gap=8)
    return holder
