"""The card of the options: names and utilities, typed, pasted, counted from a column, or a whole matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QInputDialog,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut, double, exact, listed
from dpdesigner.core.basics.rounding import as_typed
from dpdesigner.core.choice.utilities import Utilities, derived_sensitivity
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.background.tables import choose_column, chosen_table, pasted_options, texts_of, utilities_of
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import MoreRow, ValueBox, named, push_button, value_box, wrapped
from dpdesigner.desktop.base.labels import ElidedLabel, SentenceLabel
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.panels import number_text, utilities_now, with_utilities

_SHOWN = 7  # lines visible without scrolling


class OptionLine(NamedTuple):
    """An option: its index, name and utility, and whether it is (jointly) the best."""

    option: int
    name: str
    utility: str
    best: bool


class OptionsGrid(QTableWidget):
    """Shows options, the best in bold, and reports selections and edits."""

    chosen = Signal(int)  #: the user selected an option
    renamed = Signal(int, str)  #: the user typed an option's name
    revalued = Signal(int, str)  #: the user typed an option's utility
    abandoned = Signal()  #: the user cancelled the typed text

    def __init__(self) -> None:
        super().__init__(0, 2)
        self._order: list[int] = []
        self._filling = False
        self._waiting: tuple[Sequence[OptionLine], bool, bool] | None = None  # to be shown when typing has ended
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.cellChanged.connect(self._edit)
        self.currentCellChanged.connect(self._choose)
        theme().follow(self._fit)

    def show_options(self, lines: Sequence[OptionLine], names_able: bool, utilities_able: bool) -> None:
        """Show options, and which columns can be edited; while the user types, wait until editing ends."""
        if self.state() == QAbstractItemView.State.EditingState:
            self._waiting = lines, names_able, utilities_able
            return
        self._waiting, others = None, len(lines) != self.rowCount()
        self._order = [line.option for line in lines]
        self._filling = True
        self.blockSignals(True)
        self.setRowCount(len(lines))
        for place, line in enumerate(lines):
            self._show_cell(place, 0, line.name, line.best, names_able)
            self._show_cell(place, 1, line.utility, line.best, utilities_able)
        self.blockSignals(False)
        widest = max((line.utility for line in lines), key=len, default="")
        self.setColumnWidth(1, self.fontMetrics().horizontalAdvance(widest) + round(px(26)))
        self.viewport().update()
        self._filling = False
        self._fit()
        if others:
            self.scrollToTop()

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Show the current options when editing ends."""
        super().closeEditor(editor, hint)
        if self._waiting is not None:
            self.show_options(*self._waiting)
        if hint == QAbstractItemDelegate.EndEditHint.RevertModelCache:
            self.abandoned.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Dismiss an error about the typed value on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.abandoned.emit()
        super().keyPressEvent(event)

    def _show_cell(self, place: int, column: int, text: str, bold: bool, able: bool) -> None:
        """Update only what has changed in a cell, because each change triggers a new layout."""
        item = self.item(place, column)
        if item is None:
            item = QTableWidgetItem()
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(place, column, item)
        if item.text() != text:
            item.setText(text)
        if item.font().bold() != bold:
            letters = QFont()
            letters.setBold(bold)
            item.setFont(letters)
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if able:
            flags |= Qt.ItemFlag.ItemIsEditable
        if item.flags() != flags:
            item.setFlags(flags)

    @property
    def current(self) -> int | None:
        place = self.currentRow()
        return self._order[place] if 0 <= place < len(self._order) else None

    def select(self, option: int) -> None:
        """Select an option, or none, without emitting a signal."""
        self._filling = True
        place = self._order.index(option) if option in self._order else -1
        if self.currentRow() != place:
            self.setCurrentCell(place, 1 if place >= 0 else -1)
        self._filling = False

    @Slot()
    def _fit(self) -> None:
        high, colours = round(px(19)), theme().colours
        sheet = f"QTableWidget::item:selected {{ background: {colours.accent_soft}; color: {colours.selected}; }}"
        sheet += " QLineEdit { padding: 0 2px; border: none; border-radius: 0; }"  # as high as the row
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
        self.verticalHeader().setDefaultSectionSize(high)
        self.verticalHeader().setMinimumSectionSize(high)
        rows = min(max(self.rowCount(), 2), _SHOWN)
        self.setFixedHeight(high * rows + 2 * self.frameWidth() + 2)

    @Slot(int, int)
    def _edit(self, place: int, column: int) -> None:
        item = self.item(place, column)
        if self._filling or item is None or place >= len(self._order):
            return
        typed = self.revalued if column else self.renamed
        typed.emit(self._order[place], item.text().strip())

    @Slot(int, int, int, int)
    def _choose(self, place: int, *_: int) -> None:
        if not self._filling and 0 <= place < len(self._order):
            self.chosen.emit(self._order[place])


_LISTED = 100  # the best options are listed; all of them are in the picture


class OptionsCard(Card):
    """Shows the options, with the best first if there are many, and requests changes."""

    selected = Signal(int)  #: the user selected an option
    rowChosen = Signal(int)  #: the user chose a row of a matrix

    def __init__(self, asking: AskingColumn[ChoiceDesign]) -> None:
        super().__init__(self.tr("Options"), foldable=True)
        self._asking = asking
        self._outcome: ChoiceAnswer | None = None
        self._row = 0
        self.source = ElidedLabel(self)
        self.grid = OptionsGrid()
        self.grid.setAccessibleName(self.tr("Options and their utilities"))
        self.grid.chosen.connect(self.selected)
        self.grid.renamed.connect(lambda option, text: self._ask(self.tr("Rename an option"), partial(_with_name, option, text)))
        self.grid.revalued.connect(
            lambda option, text: self._ask(self.tr("Change a utility"), partial(_with_utility, option, text))
        )
        self.grid.abandoned.connect(lambda: self.set_error(""))
        tip = self.tr("Ends of the cells in increasing order, one more than there are cells")
        self.edges = self._list_box("edges", self.tr("Edges"), tip)
        self.base = self._list_box("base", self.tr("Base measure"), self.tr("One number per cell; empty for 1 each"))
        self.interval = wrapped(named(self.tr("edges"), self.edges), named(self.tr("base"), self.base))
        tip = self.tr("The database of the matrix that is shown")
        self.row = value_box("1000", self.tr("Row of the table"), tip, self._choose_row)
        self.rows = named(self.tr("row"), self.row)
        self.note = SentenceLabel("small")
        for widget in (self.source, self.grid, self.rows, self.interval, self.note, self._buttons()):
            self.add(widget)

    def _list_box(self, key: str, name: str, tip: str) -> ValueBox:
        words = self.tr("Change the edges") if key == "edges" else self.tr("Change the base measure")
        return value_box("0, 10, 20, 30", name, tip, lambda text: self._ask(words, partial(_with_list, key, text)))

    def _buttons(self) -> QWidget:
        def asks(text: str, tip: str, words: str, make: Callable[[ChoiceDesign, ChoiceAnswer], ChoiceDesign]) -> QPushButton:
            return push_button(text, tip, lambda: self._ask(words, make))

        tip = self.tr("Add an option; click a cell to type its name and utility")
        self.add_one = asks("+", tip, self.tr("Add an option"), _with_one_more)
        tip, words = self.tr("Remove the selected option, or the last one"), self.tr("Remove an option")
        self.drop_one = asks("−", tip, words, lambda now, seen: _without(self.grid.current, now, seen))
        tip = self.tr("Paste a list, one option per line: a name and a number, or only a number")
        paste = asks(self.tr("Paste"), tip, self.tr("Paste options"), _pasted)
        tip = self.tr("Count a column of a CSV file: each category’s count is its utility")
        column = push_button(self.tr("Data column…"), tip, lambda: self.open_column(""))
        tip = self.tr("Open a CSV file of utilities: one line per database, one column per option")
        matrix = push_button(self.tr("Matrix…"), tip, self._open_matrix)
        tip = self.tr("Choose a number: the options become the cells of an interval, each with a base measure")
        self.cells = push_button(self.tr("Interval"), tip, self._cut_interval, checkable=True)
        self.fix = push_button("", self.tr("Say which answers anyone could give"), self._ask_for_list)
        self.add_one.setAccessibleName(self.tr("Add an option"))
        self.drop_one.setAccessibleName(self.tr("Remove the option"))
        buttons = (self.add_one, self.drop_one, self.fix, column)
        for button in buttons:
            button.setStyleSheet("padding: 4px 6px;")
        self.editing = MoreRow(*buttons, more=(paste, matrix, self.cells))
        return self.editing

    # Display -----------------------------------------------------------------------------------------------------------

    def show_outcome(self, outcome: ChoiceAnswer, row: int) -> None:
        self._outcome = outcome
        task, design = outcome.task, outcome.design
        self.rows.setVisible(task.table)
        self._row = row
        self.row.show_value(str(row))
        self.fix.setVisible(bool(design.path))
        self.fix.setText(self.tr("Change list…") if design.fixed else self.tr("Call it public…"))
        editable = design.edges is None and not design.path  # the answers to count are a list of their own
        self.add_one.setVisible(not task.table and editable)
        self.drop_one.setVisible(not task.table and editable and task.options > 2)
        self.cells.setVisible(not task.table and not design.path)
        self._show_interval(design)
        self.source.set_full_text(*self._source_words(outcome))
        if not design.fixed:
            note = self.tr("Not private yet: the list was read from the data. A rare answer reveals that somebody gave it.")
        elif design.secret:
            note = self.tr("Private if the list does not depend on the data.")
        elif design.edges is not None:
            note = self.tr("The base measure is the length of each cell. Drag along the bars to draw the utility.")
        else:
            note = ""
        if outcome.left_out:
            note += " " + self.tr("{count} rows are in no category.").format(count=outcome.left_out)
        if task.options > _LISTED and design.edges is None:
            note += " " + self.tr("The list shows the best {count}.").format(count=_LISTED)
        self.note.set_sentence(note.strip())
        self.set_line(self.tr("{count} options").format(count=task.options))
        self._fill(outcome, row)

    def restore(self) -> None:
        """Show the current design again."""
        if self._outcome is not None:
            self._show_interval(self._outcome.design)
            self._fill(self._outcome, self._row)

    def _show_interval(self, design: ChoiceDesign) -> None:
        self.interval.setVisible(design.edges is not None or design.base is not None)
        self.cells.setChecked(design.edges is not None)
        self.edges.setEnabled(design.edges is not None)
        self.edges.show_value(", ".join(map(str, design.edges or ())))
        self.base.show_value(", ".join(map(str, design.base or ())))

    def _source_words(self, outcome: ChoiceAnswer) -> tuple[str, ...]:
        design, task = outcome.design, outcome.task
        if task.table:
            return (self.tr("{rows} databases, {count} options").format(rows=len(task.numbers), count=task.options),)
        where = f"{Path(design.path.rpartition(':')[2]).name} · {design.column}" if design.path else self.tr("typed")
        people = int(task.numbers.sum()) if outcome.unit else outcome.people
        return (where,) if people is None else (self.tr("{where} · {people} people").format(where=where, people=people), where)

    def _fill(self, outcome: ChoiceAnswer, row: int) -> None:
        utilities = outcome.task.numbers[row]
        many = len(utilities) > 12 and outcome.design.edges is None
        order = np.argsort(-utilities, kind="stable").tolist() if many else list(range(len(utilities)))
        best = utilities.max()
        lines = [
            OptionLine(option, outcome.names[option], number_text(float(utilities[option])), bool(utilities[option] == best))
            for option in order[:_LISTED]
        ]
        able = not outcome.task.table
        named = able and outcome.design.edges is None and outcome.design.fixed
        self.grid.show_options(lines, named, able and not outcome.design.path)

    def select(self, option: int) -> None:
        """Select an option without emitting a signal."""
        self.grid.select(option)

    def set_presenting(self, on: bool) -> None:
        self.editing.setVisible(not on)

    def _ask(self, words: str, make: Callable[[ChoiceDesign, ChoiceAnswer], ChoiceDesign]) -> None:
        outcome = self._outcome
        if outcome is not None:
            self._asking.ask(words, lambda design: make(design, outcome))

    @Slot()
    def _ask_for_list(self) -> None:
        """Ask which answers could be given, and let the user add those that nobody gave."""
        if self._outcome is None:
            return
        dialog, design = QInputDialog(self.window()), self._outcome.design
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setWindowTitle(self.tr("Options"))
        question = self.tr("Are these all the answers that anyone could give?\nAdd the missing ones, one per line.")
        dialog.setLabelText(question)
        dialog.setOkButtonText(self.tr("Call it public"))
        dialog.setTextValue("\n".join(design.categories or self._outcome.names))
        dialog.textValueSelected.connect(lambda text: self._ask(self.tr("Call it public"), partial(_with_list_of, text)))
        dialog.open()
        for box in dialog.findChildren(QPlainTextEdit):
            box.moveCursor(QTextCursor.MoveOperation.End)  # all is selected: a key would erase it

    def open_column(self, path: str) -> None:
        """Count a column of a table; ask for one if the path is empty."""
        title, question = self.tr("A column to count"), self.tr("Which column of {name} is counted?")
        with self.error.saying():
            choose_column(self, title, question, self.take_column, texts_of, path)

    def take_column(self, path: str, column: str) -> None:
        """Count a column of a file; its values are the options until the list is fixed."""
        empty = dict.fromkeys(("utilities", "names", "categories", "edges", "base"))
        new = {**empty, "path": path, "column": column}
        self._ask(self.tr("Count a column"), lambda design, _: _vector(design).replace(**new, **_titled(design, path, column)))

    @Slot()
    def _open_matrix(self) -> None:
        if path := chosen_table(self.tr("Utilities: databases by options"), self):
            self.take_matrix(path)

    def take_matrix(self, path: str) -> None:
        """Use the utilities in a file, one line per database."""
        with self.error.saying():
            self._take_table(*utilities_of(path, self))

    def _take_table(self, rows: tuple[tuple[str, ...], ...], names: tuple[str, ...] | None) -> None:
        def make(design: ChoiceDesign, _: ChoiceAnswer) -> ChoiceDesign:
            table = Utilities.checked(rows)
            least = derived_sensitivity(table, "next")
            other = {"neighbours": "next", "monotone": False, "path": "", "categories": None, "edges": None, "base": None}
            return design.replace(utilities=table, names=names, sensitivity=str(least or 1), **other)

        self._ask(self.tr("Open a matrix"), make)

    @Slot()
    def _cut_interval(self) -> None:
        cut = self._asking.design is not None and self._asking.design.edges is not None
        self._ask(self.tr("Choose among options") if cut else self.tr("Choose a number"), _with_cells)

    @Slot(str)
    def _choose_row(self, text: str) -> None:
        if self._outcome is None:
            return
        rows = len(self._outcome.task.numbers)
        if text.strip().isdecimal() and int(text) < rows:
            self.rowChosen.emit(int(text))
        else:
            words = self.tr("the row must be a whole number from 0 to {last}, got {text}.")
            self.set_error(words.format(last=rows - 1, text=text[:20]))


def _vector(design: ChoiceDesign) -> ChoiceDesign:
    """Return a design with a single vector: the neighbours of a table do not apply to it."""
    if not design.is_table:
        return design
    return design.replace(utilities=(1, 0), names=None, neighbours="changes", monotone=False, sensitivity=1)


def _titled(design: ChoiceDesign, path: str, column: str) -> dict[str, str]:
    """Return the title of other data than an example's: the column's name; nothing where the design keeps its own."""
    return {"name": cut(column, 200)} if design.path.startswith(EXAMPLE) and path != design.path else {}


def _plain(design: ChoiceDesign, names: tuple[str, ...] | None, utilities: tuple[object, ...]) -> ChoiceDesign:
    """Return the same design with typed options."""
    base = _vector(design)
    return base.replace(utilities=utilities, names=names, path="", column="", categories=None, edges=None, base=None)


def _pasted(design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    return _plain(design, *pasted_options(QGuiApplication.clipboard().text()))


def _with_utility(option: int, text: str, design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    exact(text, "the utility", "utilities")
    utilities = utilities_now(outcome)
    utilities[option] = text
    return design.replace(**with_utilities(outcome, utilities))


def _with_name(option: int, text: str, design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    names = list(outcome.names)
    names[option] = text or names[option]
    return design.replace(names=names)


def _with_list_of(text: str, design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    """Return a design that counts these answers, one per line; those that had names keep them."""
    answers = [line.strip() for line in text.splitlines() if line.strip()]
    known = dict(zip(design.categories or (), design.names or (), strict=False))
    return design.replace(categories=answers, names=[known.get(each, each) for each in answers] if known else None)


def _with_cells(design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    """Return a design with the same utilities for cells from 0, each of length 1; or with options again."""
    if design.edges is not None:
        return design.replace(edges=None, base=None)
    typed = {**with_utilities(outcome, utilities_now(outcome)), "names": None}
    return design.replace(**typed, edges=list(range(outcome.task.options + 1)), rule="exponential")


def _with_list(key: str, text: str, design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    """Return a design with other edges or base measure; utilities of new cells are interpolated from the old ones."""
    numbers = listed(text, f"the {key}", key)
    if key == "base" or design.edges is None or len(numbers) == len(design.edges) or len(numbers) < 3:
        return design.replace(**{key: numbers or None})
    old, new = (_middles([double(exact(edge, "an edge", "edges")) for edge in edges]) for edges in (design.edges, numbers))
    utilities = [as_typed(value, 6) for value in np.interp(new, old, outcome.task.numbers[0])]
    return design.replace(edges=numbers, utilities=utilities, names=None, base=None)


def _middles(edges: list[float]) -> Floats:
    return np.convolve(edges, [0.5, 0.5], "valid")


def _with_one_more(design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    names = (*outcome.names, f"option {len(outcome.names) + 1}")
    return _plain(design, names, (*utilities_now(outcome), 0))


def _without(option: int | None, design: ChoiceDesign, outcome: ChoiceAnswer) -> ChoiceDesign:
    names, utilities = list(outcome.names), utilities_now(outcome)
    for values in (names, utilities):
        values.pop(-1 if option is None else option)
    return _plain(design, tuple(names), tuple(utilities))
