"""The table that is looked into: small, never-released values blank, the pair of rows framed; and where another one is from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QMenu, QSizePolicy, QWidget

from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import JoinedField
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.controls import push_button, value_box
from dpdesigner.desktop.widgets.base.layouts import flow_of
from dpdesigner.desktop.widgets.matrix.pictures import Thumbnail
from dpdesigner.messages import message
from dpdesigner.studies.fields import DeclaredInput

_EXAMPLES = (
    (message("An office’s table: R package ptable, D = 5, V = 2"), "file: example:ptable_D5V2.csv"),
    (message("Geometric noise, ε = ln 2, n = 20"), "geometric: 20, ln 2"),
    (message("Gaussian noise, σ = 2, clamped, 12 decimals"), "file: example:gaussian_sigma_2.csv"),
    (message("Geometric noise, ε = 1, printed with 6 decimals"), "file: example:geometric_printed.csv"),
)


class TableField(Field):
    """The table as a picture, its name, and other tables: a file, the clipboard, an open design, or an example."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        name = self.accessibleName() or self.tr("The table")
        self.set_word(self.tr("blank: never released"))
        self.picture = Thumbnail(self.tr("The table; click on the border between two rows to choose that pair"))
        tip = self.tr("The path of a table, or geometric: n, ε")
        self.box = value_box("0" * 24, self.tr("{name}, file or rows").format(name=name), tip, self._given)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tip = self.tr("A table in a file: CSV, Tau-Argus, SAS or cell-key-perturbation")
        self.open = push_button(self.tr("Open…"), tip, self._open)
        self.paste = push_button(self.tr("Paste"), self.tr("The table on the clipboard"), self._paste)
        self.designs = push_button(self.tr("From Count"), self.tr("The table of an open design"), lambda: None)
        self.examples = push_button(self.tr("Examples"), self.tr("Four example tables"), lambda: None)
        self.offered: Callable[[], Sequence[tuple[str, Callable[[], object]]]] = lambda: ()  #: the open designs that have a table
        for button, fill in ((self.designs, self._fill_designs), (self.examples, self._fill_examples)):
            menu = QMenu(button)
            menu.aboutToShow.connect(partial(fill, menu))
            button.setMenu(menu)
        self._buttons = QWidget()
        flow_of(self.open, self.paste, self.designs, self.examples, on=self._buttons, gap=4)
        for part in (self.picture, self.box, self._buttons):
            self.add(part)

    def show_value(self, value: object) -> None:
        """Show the name of the table."""
        if self.box is not None:
            self.box.show_value(self.asked.input.text(value))

    def set_presenting(self, on: bool) -> None:
        """Leave the picture alone."""
        self._buttons.setVisible(not on)

    def take(self, table: str) -> None:
        """Ask for another table."""
        self._given(table)

    def _open(self) -> None:
        if path := chosen_table(self.tr("Open a table"), self):
            self.take(f"file: {path}")

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        self.take(f"{text}\n" if text.strip() and "\n" not in text else text)

    def _fill_designs(self, menu: QMenu) -> None:
        menu.clear()
        for title, call in self.offered():
            menu.addAction(title).triggered.connect(partial(_call, call))
        menu.setEnabled(bool(menu.actions()))
        if not menu.actions():
            menu.addAction(self.tr("No open Count, Noise or Choice design")).setEnabled(False)

    def _fill_examples(self, menu: QMenu) -> None:
        menu.clear()
        for words, table in _EXAMPLES:
            menu.addAction(translated(words)).triggered.connect(partial(_call, partial(self.take, table)))


class HeadingsField(JoinedField):
    """Whether the first line is a header and the first column holds labels, as a list."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        for label in self.findChildren(QLabel):
            label.hide()
        assert self.box is not None
        self.box.hide()  # what is offered as a remedy is put into it
        self.list = QComboBox()
        self.list.setAccessibleName(translated(asked.label))
        self.list.setToolTip(translated(asked.label))
        for value, words in asked.input.options:  # type: ignore[attr-defined]
            self.list.addItem(translated(words), value)
        self.list.activated.connect(lambda place: self._given(self.list.itemData(place)))
        self.add(self.list)

    def show_value(self, value: object) -> None:
        """Show what is read."""
        self.list.setCurrentIndex(self.list.findData(value))


class MendField(JoinedField):
    """Whether what rows lack of 1 is put on their largest entries, as a box to tick."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        for label in self.findChildren(QLabel):
            label.hide()
        assert self.box is not None
        self.box.hide()  # what is offered as a remedy is put into it
        self.tick = QCheckBox(self.tr("complete rows that do not sum to 1"))
        self.tick.setToolTip(translated(asked.label))
        self.tick.clicked.connect(lambda on: self._given("largest" if on else "no"))
        self.tick.setMinimumHeight(24)
        self.add(self.tick)

    def show_value(self, value: object) -> None:
        """Show whether rows are mended."""
        self.tick.setChecked(value == "largest")


def _call(call: Callable[[], object], checked: bool = False) -> None:
    call()
