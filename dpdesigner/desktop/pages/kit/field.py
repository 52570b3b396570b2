"""The base of fields for declared inputs, and the field of a column: where it is from, files and examples to open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import fill
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QWidget

from dpdesigner.data.data_files import readable_kinds, takes_queries
from dpdesigner.desktop.background.tables import (
    choose_column,
    choose_contents,
    chosen_data,
    columns_of,
    data_endings,
    is_older,
)
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import MoreRow, NameBox, ValueBox, push_button
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import FittedWidget, column_of, flow_of
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.editors.drawn_column import FLAT, DrawnColumn
from dpdesigner.errors import InputError
from dpdesigner.studies.column_inputs import ColumnInput, ColumnSpec
from dpdesigner.studies.fields import DeclaredInput


class Field(Card):
    """A card for one input.

    Parameters
    ----------
    asked : DeclaredInput
    """

    changing = Signal(object)  #: a value to preview while a drag lasts
    changed = Signal(object, str)  #: a value, and the words of the undo step
    cancelled = Signal()  #: the drag was cancelled

    stretch: ClassVar[int] = 0  #: its share of the remaining room
    box: ValueBox | None = None  #: outlined where the value is wrong

    def __init__(self, asked: DeclaredInput, *, flexible: bool = False, foldable: bool = False) -> None:
        super().__init__(translated(asked.label), translated(asked.term), flexible=flexible, foldable=foldable)
        self.asked, self.closed = asked, asked.folded is not None
        self.words = translated(asked.undo_label)
        self.tip = fill(translated(asked.note))
        self.setToolTip(self.tip)

    def show_value(self, value: Any) -> None:
        """Show a value without emitting a signal: its text in the box, if there is one."""
        if self.box is not None:
            self.box.show_value(self.asked.input.text(value))

    def show_line(self, value: Any) -> None:
        """Show the value in one line where the card is folded."""
        self.set_line(f"{translated(self.asked.label)}: {translated(self.asked.input.summary(value)) or self.tr('none')}")

    def show_failure(self, error: InputError, kept: Any) -> None:
        """Show why a value cannot be used, with a button for the one suggested, or for the one `kept` from before, if any."""
        self.error.set_error(error, self.box)
        if error.suggestion or kept is not None:
            words, value = (self.tr("Fix"), error.suggestion) if error.suggestion else (self.tr("Keep"), kept)
            self.error.set_remedy(str(error), words, partial(self._given, value))

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls."""

    def _given(self, value: object) -> None:
        self.changed.emit(value, self.words)

    def _choices(self, choices: list[tuple[str, str]], chosen: Callable[[str], None], tip: str = "") -> dict[str, QPushButton]:
        """Return buttons, each with the value that it selects."""
        buttons = {}
        for value, text in choices:
            button = buttons[value] = QPushButton(text, autoDefault=False)
            button.setStyleSheet("padding: 4px 7px;")
            button.setToolTip(tip)
            button.clicked.connect(partial(_choose, chosen, value))
        return buttons


def _choose(chosen: Callable[[str], None], value: str, checked: bool = False) -> None:
    chosen(value)


class _Columns(NameBox):
    """A list of columns, which may be read when it is opened."""

    opening = Signal()

    def showPopup(self) -> None:
        self.opening.emit()
        super().showPopup()


class ColumnSource(FittedWidget):
    """Opens a column of a file, or an example, and offers the file's other columns.

    Parameters
    ----------
    around : QWidget
        A table that is dropped here is opened as well.
    title : str
        What a file holds, above the dialog: ``"One row a person"``.
    column : str
        What the box of columns is called: ``"Column to count"``.
    example : (str, mapping)
        The tooltip of the example, and its inputs.
    *more : QWidget
        Buttons that stand after these.
    menu : sequence of QAbstractButton
        Buttons that a menu offers, before the example, which is then there too.
    offered : callable
        The columns of a file, the one to begin with first: those of numbers, unless said otherwise.
    question : str
        Asks for one of several columns of the file ``{name}``; without it, the first is taken.
    described : bool
        Whether the question shows what each column holds; it is not asked for a file that has the present column.
    numbers : bool
        Whether it does so for columns of numbers only, and is always asked.

    Attributes
    ----------
    error : ErrorLine
        Why nothing could be read; whoever has this row puts it in a place.
    """

    changed = Signal(object, str)  #: the changed inputs, ``path``, ``column`` and those of an example; the words of undo

    def __init__(
        self,
        around: QWidget,
        title: str,
        column: str,
        example: tuple[str, Mapping[str, Any]],
        *more: QWidget,
        menu: Sequence[QAbstractButton] = (),
        offered: Callable[[str, QWidget], list[str]] = columns_of,
        question: str = "",
        described: bool = False,
        numbers: bool = False,
    ) -> None:
        super().__init__()
        self._numbers = numbers
        self._offered, self._question, self._described = offered, question, described
        self._around, self._title = around, title
        self.error = ErrorLine()
        self._names: list[str] = []  # those of the file that was opened last
        self._unread = ""  # a file of the user's whose columns have not been read: that of a design that was saved
        self.columns, self.words = _Columns(), QLabel()
        self.columns.setMinimumContentsLength(12)
        self.columns.setAccessibleName(column)
        self.columns.textActivated.connect(self._choose_column)
        self.columns.opening.connect(self._read_names)
        self.error.field = self.columns
        set_class(self.words, "small")
        others = "".join(f", {name}" for name in readable_kinds())
        opens = self.tr("A file with one row per person: CSV, TSV{others}; it can also be dropped here").format(others=others)
        opening = push_button(self.tr("Data column…"), opens, self._choose_file)
        self._button = push_button(self.tr("Example"), "", self._open_example)
        rest = MoreRow(more=(*menu, self._button)) if menu else self._button
        flow_of(opening, *more, rest, self.columns, self.words, on=self)
        self.offer_example(*example)
        around.setAcceptDrops(True)
        around.installEventFilter(self)

    def offer_example(self, tip: str, inputs: Mapping[str, Any]) -> None:
        """Set the inputs that the example button requests."""
        self._example = inputs
        self._button.setToolTip(tip)

    def show_source(self, column: str, words: str, path: str = "") -> None:
        """Show which column is used, with its source in words; offer the others, of a file when they are asked for."""
        self.error.clear()
        older = self.tr("{words}, read as Windows-1252").format(words=words)
        self.words.setText(older if words and is_older(path) else words)
        self._unread = "" if column in ("", *self._names) or path == self._example.get("path") else path
        if self.columns.findText(column) < 0 or self._unread:
            self._offer(self._names if column in self._names else [column])
        self.columns.setCurrentText(column)

    @Slot()
    def _read_names(self) -> None:
        path, self._unread = self._unread, ""
        if path:
            self.offer(path)

    def _offer(self, names: Sequence[str]) -> None:
        self.columns.clear()
        self.columns.addItems([name for name in names if name])
        self.columns.setVisible(self.columns.count() > 1 or self.columns.isEditable() or bool(self._unread))

    @Slot()
    def _choose_file(self) -> None:
        if path := chosen_data(self._title, self):
            self.open(path)

    @property
    def offered(self) -> bool:
        """Whether the current design has such data, even while the surrounding card is folded."""
        part: QWidget = self
        while (around := part.parentWidget()) is not None and not part.isWindow():
            if part.isHidden() and not (isinstance(around, Card) and around.folded):
                return False
            part = around
        return True

    def open(self, path: str) -> None:
        """Request a column of a file: ask which if there is a question, otherwise take the one named as before, or the first."""
        names, before = self._columns_of(path), self.columns.currentText()
        if self._described and len(names) > 1 and (self._numbers or before not in names):
            with self.error.saying():
                only = sorted(names, key=before.__ne__) if self._numbers else ()  # the one named as before is proposed
                choose_contents(self, self._title, self._question, self._take, path, only)
        elif self._question and len(names) > 1 and not self._described:
            choose_column(self, self._title, self._question, self._take, lambda *_: names, path)
        elif names:
            self._take(path, before if before in names else names[0])

    def _take(self, path: str, column: str) -> None:
        if self.offer(path):
            self.changed.emit({"path": path, "column": column}, self.tr("Open data"))

    def _columns_of(self, path: str) -> list[str]:
        names: list[str] = []
        with self.error.saying():
            names = self._offered(path, self)
        return names

    def offer(self, path: str) -> Sequence[str]:
        """Offer the columns of a file, and return them; none if it cannot be read."""
        chosen = self.columns.currentText()
        if not (names := self._columns_of(path)):
            return ()
        self.columns.setEditable(takes_queries(path))
        if (line := self.columns.lineEdit()) is not None:
            line.setToolTip(self.tr("Choose a column, or type a query that gives one, for example SELECT age FROM people"))
        self._names = list(names)
        self._offer(names)
        self.columns.setCurrentText(chosen)
        return names

    @Slot()
    def _open_example(self) -> None:
        self.changed.emit(self._example, self.tr("Open example data"))

    @Slot(str)
    def _choose_column(self, name: str) -> None:
        self.changed.emit({"column": name}, self.tr("Choose column"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept a table dropped on the surrounding widget; leave other files to the window."""
        if watched is not self._around or not isinstance(event, QDropEvent) or event.type() == QEvent.Type.DragMove:
            return super().eventFilter(watched, event)
        path = _dropped_table(event)
        if not path or not event.possibleActions() & Qt.DropAction.CopyAction:
            event.ignore()
            return True
        copy(event)
        if event.type() == QEvent.Type.Drop:
            self.open(path)
        return True


def copy(event: QDropEvent) -> None:
    """Accept a drop as a copy, whatever was proposed: a program that moves a file deletes its own."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def _dropped_table(event: QDropEvent) -> str:
    """Return the path of the only local table being dragged; empty for anything else."""
    urls = event.mimeData().urls()
    path = urls[0].toLocalFile() if len(urls) == 1 else ""
    return path if path.lower().endswith(data_endings()) else ""


class ColumnField(Field):
    """A column of numbers from a file."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked, foldable=True)
        kind: ColumnInput = asked.input  # type: ignore[assignment]  # the table of fields says so
        example = {"path": kind.example.path, "column": kind.example.column}
        tip = self.tr("{words}, included in the program").format(words=translated(kind.example.description))
        drawing = self.tr("Draw the distribution of invented rows along the axis")
        more = [push_button(self.tr("Draw one"), drawing, self._begin)] if kind.drawable else []
        question = self.tr("Which column of {name}? Only columns of numbers are listed.")
        asks: dict[str, Any] = {"question": question, "described": True, "numbers": True}
        self.source = ColumnSource(self, self.tr("One row per person"), self.accessibleName(), (tip, example), *more, **asks)
        self.source.changed.connect(self._open)
        self._value = ColumnSpec()
        self._drawn: DrawnColumn | None = None
        self._axis = (0.0, 1.0)
        self._presenting = False
        self._sources = QWidget()  # the source of the column, and where it is drawn
        column_of(self.source, on=self._sources, gap=6)
        self.add(self._sources)
        self.add(self.source.error)

    def show_value(self, value: ColumnSpec) -> None:
        self._value = value
        self.source.show_source(value.column, translated(value.description))
        if value.drawn:
            self.drawing.show_column(value, *self._axis)
        if self._drawn is not None:
            self._drawn.setVisible(value.drawn)
        self._tell()

    def show_line(self, value: ColumnSpec) -> None:
        """Name the column without its file."""
        self.set_line(f"{translated(self.asked.label)}: {translated(value.title)}")

    def set_axis(self, low: float, high: float) -> None:
        """Set the axis along which a column is drawn; call this before showing the column."""
        self._axis = low, high

    @property
    def drawing(self) -> DrawnColumn:
        """The editor of a drawn column, created when needed."""
        if self._drawn is None:
            self._drawn = DrawnColumn()
            self._drawn.changing.connect(self.changing)
            self._drawn.changed.connect(self.changed)
            self._drawn.cancelled.connect(self.cancelled)
            column = self._sources.layout()
            assert column is not None
            column.addWidget(self._drawn)
        return self._drawn

    def set_presenting(self, on: bool) -> None:
        """Hide the controls that open files; the name of the column stays."""
        self._presenting = on
        self.source.setVisible(not on)
        if self._drawn is not None:
            self._drawn.set_presenting(on)
        self._tell()

    def _tell(self) -> None:
        """Show the name of the column next to the heading while presenting."""
        if self._presenting:
            self.set_word(translated(self._value.description), translated(self._value.title))
        else:
            self.set_word(translated(self.asked.term))

    @Slot()
    def _begin(self) -> None:
        self.changed.emit(FLAT, self.tr("Draw the column"))

    @Slot(object, str)
    def _open(self, changes: Mapping[str, Any], words: str) -> None:
        path, column = changes.get("path", self._value.path), changes.get("column", "")
        self.changed.emit(lambda: ColumnSpec(path, column), words)
