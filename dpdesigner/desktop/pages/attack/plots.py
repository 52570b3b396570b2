"""Below the people: the curve of privacy, the question that rules a column out, and the counting argument as a calculator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.basics.rounding import brief, significant
from dpdesigner.core.reconstruction.counting import Counting, Lemma
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ValueBox, named, push_button, together, value_box, wrapped
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnLayout, column_of
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.pages.kit.panel_views import Place, PlotPanel
from dpdesigner.desktop.pages.kit.results_column import CardColumn
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.errors import InputError
from dpdesigner.studies.attack.answer import AttackAnswer, counting_sentences
from dpdesigner.studies.panels import Handle, Plot

_THIRD = "1/3"
_MEASURED = "measured"


class Calculator(QWidget):
    """Boxes for the numbers of (n + 1)^n (1 - delta)^t < 1, by default those of the design; and the conclusion."""

    changed = Signal(object)  #: the typed values, by the names of `Counting`; "measured" for the delta of the questions asked

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
        """Show the conclusion for a design and the typed numbers."""
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


_PACE = 450  # milliseconds per step


class LemmaPanel(PlotPanel):
    """The questions, played one after another."""

    nextWanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        words = self.tr("Play"), self.tr("Play the steps")
        self.play = push_button(*words, self._play, checkable=True, padding="4px 7px")
        self.column.insertWidget(0, self.play)
        self._timer = QTimer(self, interval=_PACE)
        self._timer.timeout.connect(self._go_on)

    def show_panel(self, panel: Plot, place: Place) -> None:
        """Show a question; with noise there is nothing to play."""
        super().show_panel(panel, place)
        self.play.setVisible(not panel.handles)

    @Slot()
    def _play(self) -> None:
        if self.play.isChecked():
            self._timer.start()
            self._go_on()
        else:
            self._timer.stop()

    @Slot()
    def _go_on(self) -> None:
        if self.isVisible():
            self.moved.emit("view.question", -1)
        else:
            self._timer.stop()
            self.play.setChecked(False)


class PrivacyColumn(CardColumn):
    """The curve of the share recovered against epsilon."""

    def __init__(self) -> None:
        super().__init__()
        self.card = Card(" ", flexible=True)
        self.card.setToolTip(self.tr("Drag the line to set ε"))
        self.plot = CurvePlot()
        self.card.add(self.plot, 1)
        layout = ColumnLayout(self)
        layout.addWidget(self.card, 1)
        self.plot.handleMoving.connect(self.moving)
        self.plot.handleMoved.connect(self.moved)
        self.plot.handleCancelled.connect(self.cancelled)

    def set_answer(self, answer: Any, beside: Sequence[Any], place: Place) -> None:
        super().set_answer(answer, beside, place)
        self.card.setVisible(not answer.design.answers)

    def show_panel(self, panel: Plot) -> None:
        self.card.set_heading(translated(panel.title))
        self.plot.show_plot(panel)

    def put_handles(self, place: Place) -> None:
        """Put the line at the value of the design, even before its answer arrives."""
        handles = [(handle, place(handle.target)) for handle in self.plot.handles()]
        if all(at is not None for _, at in handles):
            self.plot.set_handles([_at(handle, at) for handle, at in handles])

    def set_late(self, keys: Sequence[str]) -> None:
        self.set_stale("privacy" in keys)

    def set_stale(self, on: bool) -> None:
        self.plot.set_stale(on)


def _at(handle: Handle, place: float | None) -> Handle:
    return handle if place is None else replace(handle, place=place)
