"""The start page: three ways to start (watch, try, use your own data), and the gallery of examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from textwrap import fill

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, QVariantAnimation, Signal, SignalInstance, Slot
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFont,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from dpdesigner.desktop.base.controls import together
from dpdesigner.desktop.base.labels import ElidedLabel, ErrorLine
from dpdesigner.desktop.base.layouts import ColumnArea, column_of, fill_grid, flow_of, row_of, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import find_word, tr, translated
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.kit.thumbnails import sketch, sketch_of
from dpdesigner.desktop.plots.people import person
from dpdesigner.desktop.window.rail import draw_icon
from dpdesigner.errors import InputError, passed_over
from dpdesigner.files.project import Example, read_project
from dpdesigner.studies import registry
from dpdesigner.studies.registry import PageEntry

DOOR_PICTURE = QSize(112, 104)  #: at normal text size
_ROOMY, _NARROW = 1150, 900  # pixels at normal text size: narrower windows have smaller pictures, or none

_NIGHT, _LAMP, _DARK = QColor("#14181f"), QColor("#ffb347"), QColor("#6b7280")
_SWEEP, _FAINT = 450, 0.25  # of a picture that is drawn again: milliseconds, and the opacity of what is still to come
_ILL = (1, 3, 6, 9, 10, 15, 18)  # of twenty pupils
_VISITS = (30.0, 18.0, 11.0, 7.0, 5.0, 3.0, 2.0, 1.0, 1.0)

Draw = Callable[[QPainter, QRectF], None]


class Picture(QLabel):
    """A picture that is drawn again from left to right when the mouse comes to its card."""

    def __init__(self) -> None:
        super().__init__()
        self.sweep = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=_SWEEP)
        self.sweep.valueChanged.connect(self.update)

    def draw_again(self) -> None:
        if not preferences().choices.reduced_motion:
            self.sweep.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        running = self.sweep.state() == QVariantAnimation.State.Running
        painter, share = QPainter(self), float(self.sweep.currentValue()) if running else 1.0
        painter.setOpacity(_FAINT)
        painter.drawPixmap(0, 0, self.pixmap())
        painter.setOpacity(1.0)
        painter.setClipRect(QRectF(0, 0, self.width() * share, self.height()))
        painter.drawPixmap(0, 0, self.pixmap())


class Door(QFrame):
    """One way to start.

    Parameters
    ----------
    title, words : str
    button : QPushButton
    draw : callable
        Returns the picture of a size, at so many pixels to a unit.
    """

    def __init__(self, title: str, words: str, button: QPushButton, draw: Callable[[QSize, float], QPixmap]) -> None:
        super().__init__()
        set_class(self, "card")
        self._draw = draw
        self.picture = Picture()
        text = column_of(styled("heading", title), styled("small", words, wrapped=True), None, row_of(button, None), gap=6)
        row_of(self.picture, (text, 1), on=self, margins=(12, 12, 12, 12), gap=14)
        self.fit(_ROOMY)

    def fit(self, room: float) -> None:
        """Fit this text size and a window of this width (at normal text size); the picture shrinks or is hidden first."""
        share = 1.0 if room >= _ROOMY else 0.6
        self.picture.setFixedSize(DOOR_PICTURE * theme().scale * share)
        self.picture.setVisible(room >= _NARROW)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.picture.draw_again()

    def draw(self) -> None:
        self.picture.setPixmap(self._draw(self.picture.size(), self.devicePixelRatioF()))


def painted(draw: Draw) -> Callable[[QSize, float], QPixmap]:
    """Return a function that makes a pixmap with a painter function."""

    def made(size: QSize, ratio: float) -> QPixmap:
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, QRectF(0, 0, size.width(), size.height()))
        painter.end()
        return picture

    return made


def in_the_middle(draw: Callable[[QSize, float], QPixmap]) -> Callable[[QSize, float], QPixmap]:
    """Return a function that draws a picture in the middle, half as high as it is wide."""

    def put(painter: QPainter, room: QRectF) -> None:
        inner = QSize(round(room.width()), round(room.width() / 2))
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(QPointF(room.left(), room.center().y() - inner.height() / 2), draw(inner, ratio))

    return painted(put)


def pupils(painter: QPainter, room: QRectF) -> None:
    """Draw twenty pupils at night, seven of them ill, and the number on the door."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_NIGHT)
    painter.drawRoundedRect(room, 6, 6)
    step = room.width() / 9.4
    for place in range(20):
        middle = QPointF(room.left() + (1 + place % 5) * step, room.top() + (1.5 + 1.9 * (place // 5)) * step)
        painter.fillPath(person(middle, 1.4 * step), _LAMP if place in _ILL else _DARK)
    font = QFont(painter.font())
    font.setPixelSize(round(room.height() * 0.36))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(_LAMP)
    painter.drawText(room.adjusted(room.width() * 0.6, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, "7")


def own_column(painter: QPainter, room: QRectF) -> None:
    """Draw a column of a file that becomes bars."""
    colours = theme().colours
    painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
    font = QFont(painter.font())
    font.setPixelSize(round(room.height() * 0.12))
    painter.setFont(font)
    painter.setPen(QColor(colours.text))
    lines = "visits\n0\n2\n0\n1\n…"
    painter.drawText(room.adjusted(room.width() * 0.1, room.height() * 0.1, 0, 0), Qt.AlignmentFlag.AlignLeft, lines)
    painter.setPen(QPen(QColor(colours.accent), 2))
    middle, left = room.center().y(), room.left() + room.width() * 0.4
    painter.drawLine(QPointF(left, middle), QPointF(left + 14, middle))
    painter.drawPolyline([QPointF(left + 9, middle - 4), QPointF(left + 14, middle), QPointF(left + 9, middle + 4)])
    bars = QRectF(room.left() + room.width() * 0.58, room.top() + room.height() * 0.2, room.width() * 0.36, room.height() * 0.62)
    picture = sketch(Portrait({}, matrix=np.array([_VISITS])), bars.size().toSize(), painter.device().devicePixelRatioF())
    painter.drawPixmap(bars.topLeft(), picture)


COLUMNS = 3
PICTURE = QSize(152, 76)  #: at normal text size
CARD = 270  #: least width of a card at normal text size
TRIED = "flu-expected"  #: the example behind the second door
_MOST_RECENT = 4
_GAP = 10  # pixels between cards
_ABOVE = 380  # pixels of a window without its cards at normal text size
_AROUND = 20  # pixels left and right of everything; the scroll bar is in them
_LEAST = QSize(740, 480)


class ExampleCard(QPushButton):
    """One example: its picture, and its question under its name and over its answer."""

    def __init__(self, example: Example) -> None:
        super().__init__()
        self.example = example
        self.setAccessibleName(example.title)
        self.setAccessibleDescription(example.description)
        self.setToolTip(fill(example.description))
        self.setStyleSheet("QPushButton:focus { outline: none; border-width: 2px; }")  # Qt's own focus frame crosses the text
        self.picture, self._title = Picture(), styled("small", example.title, wrapped=True)
        question = styled("heading", example.question, wrapped=True)
        answer = styled("answer", example.answer, wrapped=True)
        for label in (self.picture, self._title, question, answer):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        text = column_of(self._title, question, answer, None, gap=3)
        row_of(self.picture, (text, 1), on=self, margins=(10, 8, 10, 8), gap=12)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.fit()

    def fit(self, width: int = 0, share: float = 1.0) -> None:
        """Fit the current text size, and a width and a part of the picture's size, if given: then the name is left out."""
        self._title.setHidden(share < 1)
        self.picture.setFixedSize(PICTURE * theme().scale * share)
        least = round(CARD * theme().scale)
        width = max(width, least)
        self.setMinimumWidth(least)
        self.setMaximumWidth(width)
        layout = self.layout()
        tall = 0 if layout is None else layout.heightForWidth(width)
        self.setMinimumHeight(max(tall, self.picture.height() + 16))

    def enterEvent(self, event: QEnterEvent) -> None:
        self.picture.draw_again()
        super().enterEvent(event)

    def draw(self) -> None:
        """Draw the picture from the example itself; an example that cannot be read gets none."""
        self.picture.setPixmap(_drawn(self.example, self.picture.size(), self.devicePixelRatioF()))

    def fits(self, words: str) -> bool:
        """Return whether the example, with the name of its page, has words that begin with each of these."""
        example, page = self.example, registry.page_of(self.example.kind)
        text = f"{page.title} {page.about} {example.title} {example.question} {example.answer} {example.description}"
        return all(find_word(text, word) >= 0 for word in words.split())


class _Shelf(QWidget):
    """The examples of one page below its icon and its name: the first of them, or all."""

    def __init__(self, page: PageEntry, cards: Sequence[ExampleCard]) -> None:
        super().__init__()
        self.page, self.cards = page, cards
        self.icon = QLabel()
        self.all_of_them = QPushButton(self.tr("all {count} ▸").format(count=len(cards)))
        set_class(self.all_of_them, "link")
        self.all_of_them.setAccessibleName(self.tr("All examples of {page}").format(page=page.title))
        about = ElidedLabel()
        set_class(about, "small")
        about.set_full_text(page.about, "")
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP)
        head = row_of(self.icon, styled("heading", page.title), (about, 1), self.all_of_them, gap=8)
        column_of(head, self._grid, on=self, gap=3)
        for card in cards:
            card.setParent(self)
        self.fit()

    def fit(self) -> None:
        """Fit the current text size and colours."""
        side = round(20 * theme().scale)
        picture = QPixmap(QSize(side, side) * self.devicePixelRatioF())
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        draw_icon(painter, self.page.kind, self.page.title, QRectF(0, 0, side, side), QColor(theme().colours.accent))
        painter.end()
        self.icon.setPixmap(picture)

    def show_cards(self, columns: int, words: str, most: int) -> int:
        """Show the cards that match the words in columns, so many at most; return the number of matches."""
        fitting = [card for card in self.cards if card.fits(words)]
        fill_grid(self._grid, self.cards, fitting[:most], columns)
        self.all_of_them.setVisible(len(fitting) > most)
        return len(fitting)


class Gallery(QDialog):
    """A dialog that reports the choice and closes; it opens nothing itself. While a file is chosen, it stays.

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
    openRequested = Signal()  #: the user wants to choose a project, and whoever asks closes the gallery
    columnRequested = Signal()  #: the same for a column of a file
    tourRequested = Signal()
    demonstrationRequested = Signal()

    def __init__(self, examples: Sequence[Example], recent: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Welcome to dpdesigner"))
        self.buttons: dict[str, QPushButton] = {}
        self.cards: list[ExampleCard] = []
        self._columns, self._page = COLUMNS, ""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_next)
        self._undrawn: list[ExampleCard | Door] = []
        self._shelves = QGridLayout()
        self._shelves.setSpacing(_GAP)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Find an example"))
        self.search.setAccessibleName(self.tr("Find an example"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._arrange)
        for key, slot in (("Escape", self.search.clear), ("Return", self._open_first), ("Enter", self._open_first)):
            shortcut = QShortcut(QKeySequence(key), self.search, slot, context=Qt.ShortcutContext.WidgetShortcut)
            self.search.textChanged.connect(lambda words, own=shortcut: own.setEnabled(bool(words)))
            shortcut.setEnabled(False)
        show_all = QPushButton(self.tr("Show all"))
        set_class(show_all, "link")
        show_all.clicked.connect(partial(self._choose_page, ""))
        self.nothing = QWidget()
        row_of(styled("muted", self.tr("No example contains these words.")), show_all, None, on=self.nothing, gap=8)
        self.doors = self._doors(examples)
        self.shelves = self._make_shelves(examples)
        self._entrance, self._sheet = QWidget(), QWidget()
        self.problem = ErrorLine()  #: of a file that was chosen and cannot be opened
        row_of(*((door, 1) for door in self.doors), on=self._entrance, gap=_GAP)
        parts = self._entrance, self.problem, self._chips(), self.nothing, self._shelves, None
        column_of(*parts, on=self._sheet, margins=(0, 0, _AROUND, 0), gap=10)
        self._area = ColumnArea(self._sheet)
        self._area.verticalScrollBar().rangeChanged.connect(self._make_room)
        column_of(self._head(recent), (self._area, 1), self._foot(), on=self, margins=(_AROUND, 16, 0, 12), gap=10)
        self.setMinimumSize(_LEAST)
        for shelf in self.shelves:
            for before, after in pairwise([shelf.all_of_them, *shelf.cards]):
                QWidget.setTabOrder(before, after)
        self._fit()
        self.buttons["demonstration"].setFocus()
        theme().changed.connect(self._restyle)

    # Making -------------------------------------------------------------------------------------------------------------

    def _head(self, recent: Sequence[Path]) -> QHBoxLayout:
        title = styled("title", self.tr("Publish numbers about people, privately"))
        private = self.tr("Add just enough noise that a number hardly depends on any one person, and see how accurate it stays.")
        about = styled("muted", private, wrapped=True)
        opening = self.buttons["open"] = QPushButton(self.tr("Open…"))
        opening.clicked.connect(self.openRequested)
        tour = self._button("tour", self.tr("Take the tour"), self.tourRequested)
        set_class(tour, "link")
        tour.setToolTip(self.tr("The parts of the Count page, in 90 seconds"))
        files = ((path.name, path, str(path)) for path in recent[:_MOST_RECENT])
        self.recent = self._menu("recent", self.tr("Recent"), self.fileChosen, files)
        kinds = ((translated(registry.menu_title(entry.kind)), entry.kind, "") for entry in registry.ENTRIES)
        self.blanks = self._menu("new", self.tr("Empty page"), self.kindChosen, kinds)
        if not recent:
            self.buttons["recent"].hide()
        parts = (column_of(title, about, gap=2), 1), tour, opening, self.buttons["recent"], self.buttons["new"]
        return row_of(*parts, margins=(0, 0, _AROUND, 0), gap=8)

    def _doors(self, examples: Sequence[Example]) -> list[Door]:
        watch = self._button("demonstration", self.tr("Watch the demonstration"), self.demonstrationRequested)
        set_class(watch, "primary")
        own = self.buttons["column"] = QPushButton(self.tr("Use my own column…"))
        own.clicked.connect(self.columnRequested)
        set_class(own, "main")
        words = self.tr("What is a private count? Nine short scenes about a school and a flu, in 5 minutes.")
        doors = [Door(self.tr("Watch"), words, watch, painted(pupils))]
        tried = next((example for example in examples if example.path.stem == TRIED), None)
        if tried is not None:
            button = self._button("flu", self.tr("Try the flu example"), self.exampleChosen, replace(tried, alone=True))
            set_class(button, "main")
            words = self.tr("20 pupils, about five expected to be ill. Drag ε to see what privacy costs.")
            doors.append(Door(self.tr("Try"), words, button, in_the_middle(partial(_drawn, tried))))
        words = self.tr("Open a CSV file; a column becomes a histogram. It never leaves your computer.")
        return [*doors, Door(self.tr("Bring your own"), words, own, painted(own_column))]

    def _make_shelves(self, examples: Sequence[Example]) -> list[_Shelf]:
        of_page: dict[str, list[ExampleCard]] = {page.kind: [] for page in registry.pages()}
        for example in examples:
            if example.kind not in registry.kinds():
                continue
            card = ExampleCard(example)
            self._leave_for(card, self.exampleChosen, example)
            of_page[registry.page_of(example.kind).kind].append(card)
        shelves = [_Shelf(page, of_page[page.kind]) for page in registry.pages() if of_page[page.kind]]
        for shelf in shelves:
            self.cards += shelf.cards
            shelf.all_of_them.clicked.connect(partial(self._choose_page, shelf.page.kind))
        return shelves

    def _chips(self) -> QWidget:
        self.chips = {"": QPushButton(self.tr("All"))}
        for shelf in self.shelves:
            self.chips[shelf.page.kind] = QPushButton(shelf.page.title)
        for kind, chip in self.chips.items():
            chip.setCheckable(True)
            chip.clicked.connect(partial(self._choose_page, kind))
        holder, chips = QWidget(), QWidget()
        self.search.setFixedWidth(180)
        self._count = styled("heading")
        groups = {"count": self.tr("publish"), "inspect": self.tr("check"), "exhibit": self.tr("learn")}
        for label in (names := {kind: styled("small", text) for kind, text in groups.items()}).values():
            label.setContentsMargins(10, 0, 0, 0)
        parts = (together(names[kind], chip) if kind in names else chip for kind, chip in self.chips.items())
        flow_of(self._count, *parts, on=chips, gap=6)
        row_of((chips, 1), self.search, on=holder, gap=8)
        return holder

    def _foot(self) -> QHBoxLayout:
        self.at_start = QCheckBox(self.tr("Show this at startup"))
        self.at_start.setChecked(preferences().choices.gallery_at_start)
        self.at_start.toggled.connect(self._remember)
        close = self.buttons["close"] = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        close.setDefault(True)  # without a default button, Return would press a card whenever no button has the focus
        about = styled("muted", self.tr("Every example opens as a copy. You can undo every change to a design."))
        return row_of((about, 1), self.at_start, close, margins=(0, 0, _AROUND, 0), gap=12)

    def _button(self, key: str, text: str, signal: SignalInstance, *chosen: object) -> QPushButton:
        button = self.buttons[key] = QPushButton(text.replace("&", "&&"))
        self._leave_for(button, signal, *chosen)
        return button

    def _menu(self, key: str, text: str, signal: SignalInstance, entries: Iterable[tuple[str, object, str]]) -> QMenu:
        """Make a button with a menu; an entry is a text, what the signal reports, and a tooltip."""
        button = self.buttons[key] = QPushButton(text)
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for words, chosen, tip in entries:
            action = menu.addAction(words.replace("&", "&&"))
            action.setToolTip(tip)
            action.triggered.connect(self.accept)
            action.triggered.connect(lambda checked=False, chosen=chosen: signal.emit(chosen))
        button.setMenu(menu)
        return menu

    def _leave_for(self, button: QPushButton, signal: SignalInstance, *chosen: object) -> None:
        """Make a button close the gallery and report the choice."""
        button.clicked.connect(self.accept)
        button.clicked.connect(partial(signal.emit, *chosen))

    @Slot()
    def _open_first(self) -> None:
        """Open the first example that was found, if any."""
        for card in (card for shelf in self.shelves for card in shelf.cards if card.isVisibleTo(self)):
            card.click()
            break

    # Arranging ----------------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        """Show as many examples per row as fit, and fill most of the window or the screen."""
        around = self.parentWidget()
        screen = self.screen().availableSize()
        room = screen if around is None else around.window().size().boundedTo(screen)
        most = self.tr("Or start from {count} examples").format(count=len(self.cards))
        self._count.ensurePolished()
        self._count.setFixedWidth(self._count.fontMetrics().horizontalAdvance(most) + 2)  # so that no chip moves
        self._fill(room.width() - 20)
        self.resize(room - QSize(20, 40))

    def _fill(self, width: int) -> None:
        """Fit the width of the window: doors and cards fill it, with smaller pictures in a narrow one."""
        wide = (width + 20) / theme().scale
        for door in self.doors:
            door.fit(wide)
        for part in (*self.doors, self._entrance):  # the layouts around them are not told before they are asked
            part.updateGeometry()
        room, card = width - 2 * _AROUND, round(CARD * theme().scale) + _GAP
        self._columns = max(1, min(COLUMNS, room // card))
        for each in self.cards:
            each.fit((room + _GAP) // self._columns - _GAP, 1.0 if wide >= _ROOMY else 0.6)
        self._undrawn = self._pictured()
        self._timer.start(0)
        self._area.measure()
        self._arrange()

    def _make_room(self, low: int, high: int) -> None:
        """Put the scroll bar into the margin, so that nothing moves."""
        bar = self._area.verticalScrollBar().sizeHint().width() if high > low else 0
        if (layout := self._sheet.layout()) is not None:
            layout.setContentsMargins(0, 0, _AROUND - bar, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size() != event.oldSize():
            self._fill(event.size().width())

    @Slot()
    def _arrange(self) -> None:
        words = self.search.text().strip()
        page = "" if words else self._page  # a search is for all examples
        wanted = [shelf for shelf in self.shelves if page in ("", shelf.page.kind)]
        few = sum(any(card.fits(words) for card in shelf.cards) for shelf in wanted) < self._columns  # one below the other
        inner, outer = (self._columns, 1) if few else (1, self._columns)
        rows, card = max(1, -(-len(self.shelves) // outer)), self.cards[0].minimumHeight() + _GAP if self.cards else 1
        most = max(1, (self.height() - round(_ABOVE * theme().scale)) // rows // card)
        found = [shelf.show_cards(inner, words, len(shelf.cards) if page or words else most) for shelf in wanted]
        wanted = [shelf for shelf, many in zip(wanted, found, strict=True) if many]
        fill_grid(self._shelves, self.shelves, wanted, outer)
        count = self.tr("Or start from {count} examples") if sum(found) == len(self.cards) else self.tr("{found} of {count}")
        self._count.setText(count.format(found=sum(found), count=len(self.cards)))
        self._undrawn.sort(key=lambda each: not each.isVisibleTo(self))
        self.nothing.setVisible(not wanted)
        for kind, chip in self.chips.items():
            chip.setChecked(kind == page and bool(wanted))

    def _choose_page(self, kind: str, checked: bool = False) -> None:
        self._page = kind
        self.search.clear()
        self._arrange()
        self._area.verticalScrollBar().setValue(0)

    def _pictured(self) -> list[ExampleCard | Door]:
        """Return everything with a picture, what is seen first at the front."""
        return [*self.doors, *sorted(self.cards, key=lambda card: card.isHidden())]

    @Slot()
    def _draw_next(self) -> None:
        if self._undrawn:
            self._undrawn.pop(0).draw()
        else:
            self._timer.stop()

    @Slot()
    def _restyle(self) -> None:
        parts: list[ExampleCard | _Shelf] = [*self.cards, *self.shelves]
        for part in parts:
            part.fit()
        self._fit()

    @Slot(bool)
    def _remember(self, on: bool) -> None:
        preferences().choose(gallery_at_start=on)


def _drawn(example: Example, size: QSize, ratio: float) -> QPixmap:
    """Draw the first design of an example, or that of its last scene; if it cannot be read, draw nothing and log the error."""
    try:
        project = read_project(example.path)
        picture = sketch_of(project.studies[project.scenes[-1].design if project.scenes else 0], size, ratio)
        return _with_badge(picture, tr("{count} scenes").format(count=len(project.scenes))) if project.scenes else picture
    except InputError as error:
        passed_over(f"drawing {example.path}", error)
        return QPixmap()


def _with_badge(picture: QPixmap, text: str) -> QPixmap:
    """Return a picture with the number of its scenes in the lower right corner."""
    painter, colours = QPainter(picture), theme().colours
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme().font(8, bold=True))
    metrics, size = painter.fontMetrics(), picture.deviceIndependentSize()
    wide, high = metrics.horizontalAdvance(text) + 12, metrics.height() + 4
    box = QRectF(size.width() - wide, size.height() - high, wide, high)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.accent))
    painter.drawRoundedRect(box, 6, 6)
    painter.setPen(QColor(colours.card))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return picture
