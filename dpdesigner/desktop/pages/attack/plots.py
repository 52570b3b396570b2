"""The people twice, and below them the question that rules a column out and the counting argument as a calculator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.basics.rounding import figure, significant
from dpdesigner.core.reconstruction.attack import Reconstruction
from dpdesigner.core.reconstruction.counting import RANGES, Counting, Lemma
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ValueBox, named, push_button, together, value_box, wrapped
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.pages.kit.cards import TickList
from dpdesigner.desktop.pages.kit.panel_views import PlotPanel
from dpdesigner.desktop.plots.people import Look, Mark, PeopleCard
from dpdesigner.errors import InputError
from dpdesigner.studies.attack import answer as wording
from dpdesigner.studies.attack import run
from dpdesigner.studies.attack.answer import AttackAnswer, certain_people, counting_sentences, undecided
from dpdesigner.studies.attack.design import AttackDesign

_MEASURED = "measured"
_PAUSE = 700  # milliseconds after a tick, within which another one may follow


class Calculator(QWidget):
    """Boxes for the numbers of (n + 1)^n (1 - delta)^t < 1, by default those of the design; and the conclusion."""

    changed = Signal(object)  #: the typed values, by the names of `Counting`; "measured" for the delta of the questions asked

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[str, str] = {}
        asked = (
            ("n", tr("people"), tr("Number of people"), "20000"),
            ("bound", "E", tr("Largest error of an answer, in people"), "10.00"),
            ("t", tr("questions"), tr("Number of questions"), "125 988"),
            ("people", tr("wrong about"), tr("People for whom a column is wrong, as often too high as too low"), "400"),
            ("delta", "δ", tr("Probability that a random question rules it out; empty: the formula"), "1.23e−123"),
        )
        self.boxes: dict[str, ValueBox] = {}
        rows: dict[str, QWidget] = {}
        for key, text, tip, sample in asked:
            self.boxes[key] = value_box(sample, tr("Counting: {name}").format(name=text), tip, partial(self._give, key))
            rows[key] = named(text, self.boxes[key], 4)
        chips = (
            ("off", "", tr("by 1"), tr("A value guessed as the other")),
            ("off", "1/3", tr("by ⅓"), tr("Columns with errors of exactly 1/3")),
            ("delta", "", tr("formula"), tr("Probability for questions drawn at random")),
            ("delta", _MEASURED, tr("measured"), tr("The share of the questions asked here that rule this column out")),
        )
        self.chips: dict[tuple[str, str], QPushButton] = {}
        for key, value, text, tip in chips:
            give = partial(self._give, key, value)
            self.chips[key, value] = push_button(text, tip, give, checkable=True, padding="2px 6px")
        off, delta = ([chip for (key, _), chip in self.chips.items() if key == which] for which in ("off", "delta"))
        self.error = ErrorLine(self)
        self.told = [SentenceLabel("") for _ in range(3)]
        groups = ((rows["n"], rows["bound"], rows["t"]), (rows["people"], *off), (rows["delta"], *delta))
        top = wrapped(*(together(*group) for group in groups))
        column_of(*self.told, top, self.error, None, on=self, gap=4)

    def show_counting(self, answer: AttackAnswer, given: Mapping[str, str]) -> None:
        self._given = given = {key: text for key, text in given.items() if key in RANGES and isinstance(text, str)}
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
        values = {"n": str(case.n), "people": str(case.people), "t": str(case.t)}
        values |= {"bound": figure(case.bound, 3), "delta": significant(case.chance)}
        for key, box in self.boxes.items():
            box.show_value(values[key])
        for (key, value), chip in self.chips.items():
            chip.setChecked(given.get(key, "") == value)
        self.chips["delta", _MEASURED].setEnabled(lemma is not None)
        for label, words in zip(self.told, counting_sentences(case, lemma), strict=True):
            label.set_sentence(translated(words))

    def _give(self, key: str, text: str) -> None:
        self.changed.emit({**self._given, key: text})


class LemmaPanel(PlotPanel):
    """The questions, played one after another."""

    def __init__(self) -> None:
        super().__init__()
        self.play = push_button(self.tr("Play"), self.tr("Play the steps"), self._play, checkable=True, padding="2px 7px")
        self.row.addWidget(self.play)
        self._timer = QTimer(self, interval=450)  # milliseconds per step
        self._timer.timeout.connect(self._go_on)

    spared = 45  # for the sentence below: no higher than the curves of other views

    @Slot()
    def _play(self) -> None:
        self._timer.start()
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        if self.isVisible() and self.play.isChecked():
            self.moved.emit("view.question", -1)
        else:
            self._timer.stop()
            self.play.setChecked(False)


class ExposingCard(Card):
    """The published answers with whom they expose."""

    ticking = Signal(bool)  #: whether ticks wait for the last one
    leftOut = Signal(str)  #: the numbers of the answers that are left out

    def __init__(self) -> None:
        super().__init__(heading := tr("Answers: whom they expose"), flexible=True)
        self._lines: tuple[str, dict[str, str]] = ("", {})  # of which answers
        self.list = TickList(heading, self.tr("Untick an answer to leave it out"))
        self.add(self.list)
        self._out: str | None = None  # what is left out, while more ticks may follow
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._soon.timeout.connect(self._finish)
        self.list.unticked.connect(self._tick)

    @Slot(str)
    def _tick(self, out: str) -> None:
        """Wait for the last of several ticks."""
        self._out = out
        self._soon.start()
        self.ticking.emit(True)

    @Slot()
    def _finish(self) -> None:
        if (out := self._out) is not None:
            self.forget()
            self.leftOut.emit(out)

    def forget(self) -> None:
        """Drop ticks that wait: the answers that are left out are others now."""
        self._soon.stop()
        self._out = None
        self.ticking.emit(False)

    def show_answer(self, answer: AttackAnswer, design: AttackDesign, question: int) -> None:
        """List the answers, with a tick at each that is not left out."""
        self.set_word("" if answer.ranges else "…")
        if answer.ranges or self._lines[0] != answer.design.answers:
            found = wording.exposing(answer)
            self._lines = answer.design.answers, {str(each + 1): translated(found[each]) for each in found}
        out = design.left_out if self._out is None else self._out
        self.list.show_lines(self._lines[1], str(question + 1), out.split())


def marks_of(attack: Reconstruction, secret: NDArray[np.int8] | None) -> NDArray[np.int8]:
    """Return the recovery state of each person, (n,): values of `Mark`."""
    right = np.full(len(attack.values), True) if secret is None else (attack.guess == secret) | (attack.guess < 0)
    ties = (attack.guess < 0) & (secret is not None)
    return np.select([ties, right & attack.unsure, right], [Mark.TIE, Mark.UNSURE, Mark.RIGHT], Mark.WRONG).astype(np.int8)


def _names(attack: Reconstruction, unsure: bool = True) -> tuple[str, ...]:
    """Return the words of a legend, which add up to the number of people who are recovered."""
    ties = (attack.guess < 0).any()
    return tr("right"), tr("right but unsure") if unsure else "", tr("wrong"), tr("ties (count half)") if ties else ""


class Crowds:
    """The two cards of people."""

    def __init__(self, step: Callable[[bool], object]) -> None:
        looks = (
            ("marks", tr("Right or wrong"), tr("Recovered people")),
            ("seen", tr("Attacker’s view"), tr("Everybody’s value, as seen by the attacker")),
        )
        self.left, self.right = PeopleCard(" ", looks), PeopleCard(" ")
        self.step = push_button("", "", step)
        self._pale: dict[str, bool] = dict.fromkeys(("refused", "late", "waits", "ticks"), False)
        self._known = ("", 0)  # of which answers and people certain values are shown

    def fade(self, **why: bool) -> None:
        """Let the people turn pale: while an input is refused, on the left for a late attack, on the right for one that waits."""
        self._pale |= why
        both = self._pale["refused"] or self._pale["ticks"]
        self.left.set_stale(both or self._pale["late"])
        self.right.set_stale(both or self._pale["waits"])

    def show_left(self, answer: AttackAnswer, look: Look, so_far: bool) -> None:
        """Show who is recovered from the answers, possibly only so far."""
        if so_far:
            self.fade(late=False)
        secret = answer.problem.secret
        names = (tr("clear"), tr("unsure")) if secret is None else _names(answer.reconstruction)
        self.left.set_look(look)
        self.left.looks["marks"].setText(tr("Clear or unsure") if secret is None else tr("Right or wrong"))
        vain = answer.design.noisy and wording.in_vain(answer, answer.reconstruction)
        self.left.show_marks(answer.values, marks_of(answer.reconstruction, secret), look, names, grey=vain)
        self.left.set_heading(translated(run.heading(answer)))
        first = tr("so far") if so_far else translated(run.beside(answer))
        self.left.say(translated(run.recovered(answer, answer.reconstruction)), first, translated(run.how_close(answer)))

    def show_question(self, answer: AttackAnswer, curve: str, question: int, pointed: bool) -> None:
        """Outline the people in the question whose proof is open or that is under the mouse."""
        questions, shown = answer.problem.questions, pointed or curve == "lemma" or answer.design.answers
        inside = questions.members(question % questions.t)
        framed = np.flatnonzero(inside).tolist() if shown and not inside.all() else ()
        for card in (self.left, self.right):
            card.grid.outline(framed if card is self.left or answer.design.answers else ())

    def show_right(self, answer: AttackAnswer, look: Look, design: AttackDesign, late: frozenset[str]) -> None:
        """Show who is recovered from private answers to the same questions, pale until computed; or the certain values."""
        own, waits = bool(answer.design.answers), (answer.ranges if answer.design.answers else answer.private) is None
        asked = {(each.answers, each.left_out) for each in (answer.design, design)}
        self.fade(waits=waits or "solve" in late or len(asked) > 1)
        self.step.setText("" if waits else translated(wording.leaving_out(answer) if own else wording.fewer(answer)))
        gap = tr("Show whose values the other answers determine. A gap can reveal why an answer is missing; noise cannot.")
        self.step.setToolTip(gap if own else tr("Of a total ε, each of a few questions gets more"))
        self.step.setMinimumHeight(max(24, self.step.sizeHint().height()))  # pixels: not cut where text is large
        self.step.setHidden(not self.step.text())
        if own:
            self._show_certain(answer, look)
        elif (attack := answer.private) is not None and (secret := answer.problem.secret) is not None:
            self.right.set_heading(tr("With privacy"))
            marks = np.where(attack.guess == secret, Mark.RIGHT, marks_of(attack, secret)).astype(np.int8)
            self.right.show_marks(attack.values, marks, look, _names(attack, False), grey=wording.in_vain(answer, attack))
            self.right.say(*map(translated, run.privately(answer, attack)))
            text, state = run.badge(answer.design)
            self.right.say_badge(translated(text), state, translated(run.private_noise(answer)))

    def _show_certain(self, answer: AttackAnswer, look: Look) -> None:
        known, self._known = self._known, (answer.design.answers, answer.problem.n)
        if answer.ranges is None and known == self._known:  # the earlier ones stay, pale
            return
        self.right.set_heading(tr("Certain values"))
        self.right.say_badge("", "open", "")
        names: tuple[str, ...] = ()  # until they are known
        ranges, sure, marks = answer.ranges, *(np.full(answer.problem.n, fill) for fill in (-1, Mark.UNKNOWN))
        if ranges is not None:
            sure = ranges.certain
            marks = np.select([sure == 1, sure == 0, ranges.both], [Mark.ONE, Mark.ZERO, Mark.UNSURE], Mark.UNKNOWN)
            names = "", tr("open (0 or 1)"), "", "", tr("open (0 or 1)"), tr("are 1"), tr("are 0")
        self.right.show_marks(np.where(sure >= 0, sure, 0.5).astype(np.float64), marks.astype(np.int8), look, names)
        only = translated(wording.because(answer, brief=True))
        only = tr("if the answers are right") if ranges and not ranges.fitting else only
        if ranges is not None and not ranges.complete:
            only = translated(undecided(ranges))
        self.right.say("…" if ranges is None else translated(certain_people(answer)), tr("values are certain"), only)

    def ring(self, answer: AttackAnswer, person: int) -> None:
        """Ring a person on both sides, and say there what is known of whom the mouse points at."""
        self.left.ring(person, partial(run.words_of_person, answer, answer.reconstruction))
        own, guess = partial(run.certain_of, answer), partial(run.words_of_person, answer, answer.private)
        self.right.ring(person, own if answer.design.answers else guess)
