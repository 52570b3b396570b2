"""The counting argument as a calculator: how many questions rule out every column that is wrong about so many people."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.numbers.rounding import brief, significant
from dpdesigner.core.reconstruction.counting import Counting, Lemma
from dpdesigner.desktop.theme.translation import tr, translated
from dpdesigner.desktop.widgets.base.controls import ValueBox, named, push_button, together, value_box, wrapped
from dpdesigner.desktop.widgets.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.errors import InputError
from dpdesigner.studies.attack.answer import AttackAnswer, counting_sentences

_THIRD = "1/3"
_MEASURED = "measured"


class Calculator(QWidget):
    """Boxes for the numbers of (n + 1)^n (1 - delta)^t < 1, each that of the design until another is typed; and what follows."""

    changed = Signal(object)  #: what was typed, by the names of `Counting`; "measured" for the delta of the questions asked

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[str, str] = {}
        asked = (
            ("n", "n", tr("Number of people"), "20000"),
            ("bound", "E", tr("Largest error of an answer, in people"), "10.00"),
            ("t", "t", tr("Number of questions"), "125 988"),
            (
                "people",
                tr("wrong about"),
                tr("Number of people for whom a column is wrong, equally often too high and too low"),
                "400",
            ),
            (
                "delta",
                "δ",
                tr("Probability that a random question rules it out; leave it empty for the formula"),
                "0.01234",
            ),
        )
        self.boxes: dict[str, ValueBox] = {}
        rows: dict[str, QWidget] = {}
        for key, text, tip, sample in asked:
            self.boxes[key] = value_box(sample, tr("Counting: {name}").format(name=text), tip, partial(self._give, key))
            rows[key] = named(text, self.boxes[key], 4)
        chips = (
            ("off", "", tr("by 1"), tr("Columns of 0 and 1")),
            ("off", _THIRD, tr("by ⅓"), tr("Columns with errors of exactly 1/3")),
            ("delta", "", tr("formula"), tr("Probability for questions drawn at random")),
            ("delta", _MEASURED, tr("measured"), tr("The share of the questions asked here that rule this column out")),
        )
        self.chips: dict[tuple[str, str], QPushButton] = {}
        for key, value, text, tip in chips:
            chosen = push_button(text, tip, partial(self._give, key, value), checkable=True, padding="2px 6px")
            self.chips[key, value] = chosen
        off, delta = ([chip for (key, _), chip in self.chips.items() if key == which] for which in ("off", "delta"))
        self.error = ErrorLine(self)
        self.told = [SentenceLabel("") for _ in range(3)]
        groups = ((rows["n"], rows["bound"], rows["t"]), (rows["people"], *off), (rows["delta"], *delta))
        top = wrapped(*(together(*group) for group in groups))
        column_of(top, self.error, *self.told, None, on=self, gap=4)

    def show_counting(self, answer: AttackAnswer, given: Mapping[str, str]) -> None:
        """Show what follows for a design from what was typed."""
        self._given = dict(given)
        design, posed = answer.design, answer.problem
        own = Counting(design.n, 2 * (design.n - posed.commonest[1]), design.bound, design.queries)
        measured = given.get("delta") == _MEASURED
        try:
            case = own.with_numbers({key: text for key, text in given.items() if text != _MEASURED})
        except InputError as error:
            self.error.set_error(error, self.boxes.get(error.field))
            return
        self.error.clear()
        lemma = None
        if posed.secret is not None and case.n == design.n:
            lemma = Lemma(posed.questions, posed.secret, case.bound, case.people, case.off)
            case = case.at(lemma.measured) if measured else case
        values = {"n": case.n, "people": case.people, "t": case.t}
        for key, box in self.boxes.items():
            box.show_value(
                str(values[key]) if key in values else brief(case.bound) if key == "bound" else significant(case.chance)
            )
        for (key, value), chip in self.chips.items():
            chip.setChecked(given.get(key, "") == value)
        self.chips["delta", _MEASURED].setEnabled(lemma is not None)
        for label, words in zip(self.told, counting_sentences(case, lemma), strict=True):
            label.set_sentence(translated(words))

    def _give(self, key: str, text: str) -> None:
        self.changed.emit({**self._given, key: text})
