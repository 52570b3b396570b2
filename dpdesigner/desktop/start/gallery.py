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
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpdesigner.desktop.look.preferences import preferences
from dpdesigner.desktop.look.theme import set_class, theme
from dpdesigner.desktop.start.sketch import sketch_of
from dpdesigner.desktop.widgets.base.wrap_layout import WrapLayout
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
        self.picture, title, text = QLabel(), QLabel(example.title), QLabel(sentence)
        set_class(title, "heading")
        set_class(text, "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(6)
        for label in (self.picture, title, text):
            label.setWordWrap(label is not self.picture)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(label)
        layout.addStretch(1)
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
        self._sheet = QWidget()
        column = QVBoxLayout(self._sheet)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(_label(self.tr("Start from an example"), "title"))
        column.addWidget(_label(self.tr("Each opens as a copy. Draw on it, drag, undo: nothing can be broken."), "muted"))
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        column.addLayout(self._grid, 1)
        column.addWidget(self._row(self.tr("New"), self._starts()))
        if recent:
            column.addWidget(self._row(self.tr("Recent"), self._recent(recent)))
        column.addWidget(self._row(self.tr("See how"), self._guides()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 16, 16)
        layout.setSpacing(12)
        self._area = _scrolling(self._sheet)
        layout.addWidget(self._area, 1)
        layout.addLayout(self._foot())
        self._fit()
        for card in self.cards:
            card.clicked.connect(partial(self._choose, card))
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
        buttons = []
        for entry in registry.ENTRIES:
            button = self._button(f"new {entry.kind}", self.tr("Blank {title}").format(title=entry.title))
            buttons.append(button)
            button.clicked.connect(partial(self._start, entry.kind))
        opening = self._button("open", self.tr("Open…"))
        self._leave_for(opening, self.openRequested)
        return [*buttons, opening]

    def _recent(self, recent: Sequence[Path]) -> list[QPushButton]:
        buttons = []
        for path in recent[:_MOST_RECENT]:
            button = self._button(f"recent {path.name}", path.name)
            button.setToolTip(str(path))
            button.clicked.connect(partial(self._open, path))
            buttons.append(button)
        return buttons

    def _guides(self) -> list[QPushButton]:
        tour = self._button("tour", self.tr("Take the tour (90 seconds)"))
        self._leave_for(tour, self.tourRequested)
        demonstration = self._button("demonstration", self.tr("Watch the demonstration"))
        self._leave_for(demonstration, self.demonstrationRequested)
        return [tour, demonstration]

    def _leave_for(self, button: QPushButton, signal: SignalInstance) -> None:
        """Let a button close the gallery and ask for something."""
        button.clicked.connect(self.accept)
        button.clicked.connect(signal)

    def _button(self, key: str, text: str) -> QPushButton:
        button = QPushButton(text.replace("&", "&&"))
        self.buttons[key] = button
        return button

    def _row(self, name: str, buttons: Sequence[QPushButton]) -> QWidget:
        holder = QWidget()
        row = WrapLayout(holder, gap=8)
        for widget in (_label(name, "muted"), *buttons):
            row.addWidget(widget)
        return holder

    def _foot(self) -> QHBoxLayout:
        close = self._button("close", self.tr("Close"))
        close.clicked.connect(self.reject)
        close.setDefault(True)  # without a main button, Return would press a card from wherever the focus is not on a button
        row = QHBoxLayout()
        row.addWidget(self.at_start, 1)
        row.addWidget(close)
        return row

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

    def _choose(self, card: ExampleCard) -> None:
        self.accept()
        self.exampleChosen.emit(card.example)

    def _start(self, kind: str) -> None:
        self.accept()
        self.kindChosen.emit(kind)

    def _open(self, path: Path) -> None:
        self.accept()
        self.fileChosen.emit(path)


def _scrolling(sheet: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(sheet)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    sheet.setAutoFillBackground(False)
    return area


def _label(text: str, style: str) -> QLabel:
    label = QLabel(text)
    set_class(label, style)
    return label
