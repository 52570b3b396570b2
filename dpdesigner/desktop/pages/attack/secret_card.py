"""The secret: a column of a file, painted or drawn at random, on a small map of the people."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFormLayout, QWidget

from dpdesigner.core.numbers.parsing import cut, double
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.desktop.background.tables import choose_column
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import named, push_button, wrapped
from dpdesigner.desktop.widgets.base.layouts import column_of, row_of
from dpdesigner.desktop.widgets.base.menu_button import menu_chip
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.gesture.slider import named_slider
from dpdesigner.desktop.widgets.people.grid import PeopleGrid
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.attack.design import AttackDesign, secret_of
from dpdesigner.studies.inputs.bits import bits_of, drawn_by_hand

_EXAMPLE, _EXAMPLE_ROWS = "example:survey_1996.csv#vote", 400
_MOST_ROWS = 1000  # of a file, to begin with
_STEPS = 100
_LONGEST_NAME = 16  # letters on a button


class SecretCard(Card):
    """Asks for the column that is attacked."""

    personChosen = Signal(int)

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("The secret"), self.tr("a column of 0 and 1"), foldable=True)
        self._asking, self._name, self._presenting = asking, "", False
        self._make_buttons()
        self.map = PeopleGrid(paintable=True, least=70)
        self.map.setAccessibleName(self.tr("Map of the secret"))
        self.map.setToolTip(self.tr("Drag to paint, with the right button to erase"))
        self.map.changing.connect(partial(self._take, ""))
        self.map.changed.connect(partial(self._take, self.tr("Paint the secret")))
        self.map.cancelled.connect(asking.previewCancelled)
        self.map.chosen.connect(self.personChosen)
        self.note = SentenceLabel("small")
        self._make_boxes()
        self._lay_out()
        asking.field("column", partial(show_in, self, None))

    def _make_buttons(self) -> None:
        example, own = self.tr("Votes of 1996 (example)"), self.tr("Choose a column of 0 and 1…")
        entries = [(example, self._take_example), (own, self._open)]
        self.file = menu_chip(self.tr("Data column ▾"), self.tr("A real column of 0 and 1"), entries)
        self.file.setStyleSheet("padding: 3px 7px;")
        self.file.setAccessibleName(self.tr("Data column"))
        tip = self.tr("Draw the secret with the mouse")
        self.paint = push_button(self.tr("Paint"), tip, self._start_painting, checkable=True, padding="3px 7px")
        tip = self.tr("Everybody's value is drawn at random, with a chosen share of ones")
        self.random = push_button(self.tr("Random"), tip, self._draw_at_random, checkable=True, padding="3px 7px")

    def _make_boxes(self) -> None:
        tip, asking = self.tr("Number of people"), self._asking
        self.people = asking.box("n", self, "20000", self.tr("People"), tip, self.tr("Change n"))
        tip = self.tr("All random draws use this seed; Ctrl+R takes the next one")
        self.seed = asking.box("seed", self, "123456", self.tr("Seed"), tip, self.tr("Change the seed"))
        tip, words = self.tr("The share of ones"), self.tr("Change the share of ones")
        self.share = asking.box("share", self, "0.1234", tip, tip, words)
        self.slider = named_slider(_STEPS, tip, self._slide, words, self.share.text)
        self.slider.cancelled.connect(asking.previewCancelled)

    def _lay_out(self) -> None:
        self._shares = wrapped(named(self.tr("ones"), self.share), self.slider)
        self._boxes, beside = QWidget(), QWidget()
        form = QFormLayout(self._boxes)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        form.addRow(self.tr("people"), self.people)
        form.addRow(self.tr("seed"), self.seed)
        row_of((self.map, 1), (column_of(self._boxes, self.note, None, gap=4), 1), on=beside)
        for part in (wrapped(self.file, self.paint, self.random), beside, self._shares):
            self.add(part)

    def show_design(self, design: AttackDesign) -> None:
        """Show what a design asks for; a painted column at once."""
        painted, own = drawn_by_hand(design.column), bool(design.answers)
        for widget in (self.paint, self.random, self._boxes):
            widget.setVisible(not own and not self._presenting)
        self._name = "" if painted else design.column.replace("\\", "/").rpartition("/")[2].rpartition(":")[2].replace("#", " · ")
        self.file.setChecked(bool(self._name))
        self.file.setText(f"{cut(self._name.rpartition(' · ')[2], _LONGEST_NAME)} ▾" if self._name else self.tr("Data column ▾"))
        self.file.setToolTip(self._name or self.tr("A real column of 0 and 1"))
        self.paint.setChecked(painted)
        self.random.setChecked(not design.column)
        self.people.show_value(str(design.n))
        self.seed.show_value(str(design.seed))
        self.share.show_value(str(design.share))
        self.slider.show_value(round(_STEPS * double(design.share)))
        self._shares.setVisible(not design.column and not own)
        if painted:
            self.show_secret(design, bits_of(design.column))

    def show_secret(self, design: AttackDesign, bits: NDArray[np.int8] | None) -> None:
        """Show the column on the map."""
        self.map.setVisible(bits is not None)
        if bits is None:
            self.note.set_sentence(self.tr("Choose the column that was counted, to see how much of it is recovered."))
            return
        self.map.show_people(bits.astype(np.float64))
        text = self.tr("{ones} of {n} are 1").format(ones=group_thousands(int(bits.sum())), n=group_thousands(len(bits)))
        self.note.set_sentence(text)
        self.set_line(text)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._presenting = on
        self.file.setHidden(on)
        self._asking.restore()

    def _slide(self, label: str, step: int) -> None:
        self._asking.change(label, share=f"{step / _STEPS:g}")

    def _take(self, label: str, bits: NDArray[np.int8]) -> None:
        self._asking.change(label, column="".join(map(str, bits.tolist())))

    @Slot()
    def _start_painting(self) -> None:
        self._asking.restore()
        if self._asking.design is not None and not drawn_by_hand(self._asking.design.column):
            self._asking.ask(self.tr("Paint the secret"), _painted)

    @Slot()
    def _draw_at_random(self) -> None:
        if self._asking.design is not None:
            self._asking.choose(self.tr("Draw the secret at random"), column="", n=self._asking.design.n)

    def _take_example(self) -> None:
        self._asking.choose(self.tr("Take votes of 1996"), column=_EXAMPLE, n=_EXAMPLE_ROWS)

    def _open(self) -> None:
        self.open("")

    def open(self, path: str) -> None:
        """Take a column of 0 and 1 of a table; one is asked for where the path is empty."""
        self._asking.restore()
        title, question = self.tr("A column of 0 and 1"), self.tr("Which column of {name} is the secret?")
        try:
            choose_column(self, title, question, self._load, path=path)
        except Cancelled:
            pass
        except InputError as error:
            self.error.set_error(error)

    def _load(self, path: str, column: str) -> None:
        where = f"{path}#{column}"
        self._asking.ask_by_job(
            self.tr("Choose a column"),
            lambda design: design.replace(column=where, n=min(len(bits_of(where)), _MOST_ROWS)),
            "column",
        )


def _painted(design: AttackDesign) -> AttackDesign:
    """The same secret, to be painted on."""
    return design.replace(column="".join(map(str, secret_of(design)[0].tolist())))
