"""What anyone may ask: how many random subsets are counted, or a file of answers that were published."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton

from dpdesigner.core.numbers.rounding import brief, counted
from dpdesigner.core.reconstruction.counting import theorem_questions
from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.labelled import named, push_button, value_box, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.base.wrap_layout import WrapLayout
from dpdesigner.desktop.widgets.gesture.slider import named_slider
from dpdesigner.desktop.work.tables import chosen_table
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.outcome import AttackOutcome
from dpdesigner.studies.attack.posed import posed

_STEPS = 200
_CAUGHT = 0.02  # of a logarithm
_TIMES = (1, 4, 8)  # questions a person on the buttons


class QuestionsCard(Card):
    """Asks for the number of questions, and shows one of them."""

    questionChosen = Signal(int)
    questionPointed = Signal(bool)  #: the mouse is over the question, or no longer

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("What anyone may ask"))
        self._asking, self._question, self._many = asking, 0, 1
        self.what = SentenceLabel("small")
        tip = self.tr("How many questions are asked, each about a new random half of the people")
        self.box = value_box("100 000", self.tr("Questions"), tip, partial(self._change, self.tr("Change the questions")))
        self.times = {times: self._button(times) for times in _TIMES}
        self.slider = named_slider(_STEPS, self.tr("Questions"), self._slide, self.tr("Change the questions"), self.box.text)
        self.slider.cancelled.connect(asking.previewCancelled)
        self._few, self.theorem = QLabel(self.tr("too few to harm")), QLabel()
        ends = WrapLayout(gap=4, spread=True)
        for label in (self._few, self.theorem):
            set_class(label, "small")
            ends.addWidget(label)
        self.own = push_button(self.tr("My own…"), self.tr("Published answers, from a file"), self._open, checkable=True)
        self.own.setStyleSheet("padding: 1px 6px;")
        self.header.addWidget(self.own)
        self._asked = wrapped(named(self.tr("questions"), self.box), *self.times.values())
        self.before = self._step_button("‹", self.tr("The question before"), -1)
        self.after = self._step_button("›", self.tr("The next question"), 1)
        self.one = ElidedLabel(self)
        set_class(self.one, "small")
        self.one.installEventFilter(self)
        self.tell = QCheckBox(self.tr("Reports tell everybody's value"))
        self.tell.setToolTip(self.tr("Else reports and exported tables say how many people are known, and of nobody what"))
        self.tell.setMinimumHeight(24)  # pixels, to be hit
        self.tell.clicked.connect(self.tell_values)
        for part in (self.what, self.tell, self._asked, self.slider):
            self.add(part)
        self.body.addLayout(ends)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.before)
        row.addWidget(self.after)
        row.addWidget(self.one, 1)
        self.body.addLayout(row)
        for field, box in (("queries", self.box), ("answers", None)):
            asking.field(field, partial(show_in, self, box))

    def _button(self, times: int) -> QPushButton:
        words = "n" if times == 1 else f"{times} n"
        tip = self.tr("As many questions as people, times {times}").format(times=times)
        button = push_button(words, tip, partial(self._take, times), checkable=True)
        button.setStyleSheet("padding: 4px 7px;")
        return button

    def _step_button(self, text: str, tip: str, step: int) -> QPushButton:
        button = push_button(text, tip, lambda: self.questionChosen.emit((self._question + step) % self._many))
        button.setAccessibleName(tip)
        button.setStyleSheet("padding: 0px 7px;")
        return button

    def show_design(self, design: AttackDesign) -> None:
        """Show what a design asks for."""
        own = bool(design.answers)
        self.tell.setVisible(own)
        self.tell.setChecked(design.tell == "values")
        self.own.setChecked(own)
        for widget in (self._asked, self.slider, self._few, self.theorem):
            widget.setVisible(not own)
        if own:
            name = design.answers.replace("\\", "/").rpartition("/")[2]
            self.what.set_sentence(self.tr("The answers in {name}; press “My own” again to ask at random.").format(name=name))
            return
        self.what.set_sentence(self.tr("Each counts the ones among a random half."))
        self.box.show_value(str(design.queries))
        for times, button in self.times.items():
            button.setChecked(design.queries == times * design.n)
        self.slider.show_value(self._step(design.queries))
        self.slider.set_marks([self._step(times * design.n) for times in _TIMES])
        theorem = counted(theorem_questions(design.n))
        self.theorem.setText(self.tr("the theorem asks for {theorem}").format(theorem=theorem))

    def show_question(self, outcome: AttackOutcome, question: int) -> None:
        """Show a question, its truth and what was told."""
        posed = outcome.posed
        self._many, self._question = posed.questions.t, question % posed.questions.t
        size, told = int(posed.questions.members(self._question).sum()), brief(float(posed.answers[self._question]))
        words = {"q": counted(self._question + 1), "size": counted(size), "told": told}
        if posed.truth is None:
            text = self.tr("question {q}, {size} people: told {told}").format(**words)
            shorter = self.tr("question {q}: told {told}").format(**words)
        else:
            truth = counted(int(posed.truth[self._question]))
            text = self.tr("question {q}, {size} people: truth {truth} → told {told}").format(truth=truth, **words)
            shorter = self.tr("question {q}: truth {truth} → told {told}").format(truth=truth, **words)
        self.one.set_full_text(text, shorter, self.tr("{q}: told {told}").format(**words))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell when the mouse comes to the question, and when it goes."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.questionPointed.emit(event.type() == QEvent.Type.Enter)
        return False

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; the slider stays."""
        design = self._asking.design
        self._asked.setVisible(not on and not (design is not None and design.answers))
        self.own.setVisible(not on)

    def _ends(self) -> tuple[float, float]:
        n = 1 if self._asking.design is None else self._asking.design.n
        return max(1.0, n / 4), max(theorem_questions(n), 8 * n, 2)

    def _slide(self, label: str, step: int) -> None:
        self._change(label, self._at(step))

    def _at(self, step: int) -> str:
        """The questions at a place of the slider, which is caught where a button is."""
        low, high = self._ends()
        found = low * (high / low) ** (step / _STEPS)
        n = 1 if self._asking.design is None else self._asking.design.n
        near = [times * n for times in _TIMES if abs(math.log(found / (times * n))) < _CAUGHT]
        return str(near[0] if near else max(1, round(float(f"{found:.3g}"))))

    def _step(self, queries: int) -> int:
        low, high = self._ends()
        return round(_STEPS * min(max(math.log(queries / low) / math.log(high / low), 0), 1))

    def _change(self, label: str, text: str) -> None:
        self._asking.ask(label, lambda design: design.replace(queries=text.replace("\u00a0", "").replace(" ", "")))

    def _take(self, times: int) -> None:
        self._asking.restore()
        self._asking.ask(self.tr("Change the questions"), lambda design: design.replace(queries=times * design.n))

    @Slot()
    def tell_values(self) -> None:
        """Ask for the other: that reports and tables tell everybody's value, or nobody's."""
        words = self.tr("Change what reports tell")
        self._asking.ask(words, lambda design: design.replace(tell="numbers" if design.tell == "values" else "values"))

    @Slot()
    def _open(self) -> None:
        self._asking.restore()
        if self._asking.design is not None and self._asking.design.answers:
            self._asking.ask(self.tr("Ask at random"), lambda design: design.replace(answers=""))
        elif path := chosen_table(self.tr("Published answers"), self):
            self._asking.ask(self.tr("Open published answers"), partial(_answering, path), "answers")


def _answering(path: str, design: AttackDesign) -> AttackDesign:
    """The design of these answers, once they are known to be such, and not to clash."""
    found = design.replace(answers=path, column="", n=design.n)
    posed(found)
    return found
