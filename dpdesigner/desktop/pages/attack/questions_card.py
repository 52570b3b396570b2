"""Questions: how many random subsets are counted, or a file of answers that were published."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy

from dpdesigner.core.numbers.rounding import brief, group_thousands
from dpdesigner.core.reconstruction.counting import theorem_questions
from dpdesigner.core.reconstruction.sweep import Curves
from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.labelled import named, push_button, together, value_box, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.gesture.slider import named_slider
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.design import MOST_QUERIES, AttackDesign, problem_of
from dpdesigner.studies.inputs.numbers import IntegerInput

_STEPS = 200
_TIMES = (1, 4, 8)  # questions a person on the buttons


class QuestionsCard(Card):
    """Asks for the number of questions, and shows one of them."""

    questionChosen = Signal(int)
    questionPointed = Signal(bool)  #: the mouse is over the question, or no longer

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("Questions"), self.tr("counts of random halves"), foldable=True)
        self._asking, self._question, self._many, self._enough, self._presenting = asking, 0, 1, "", False
        self._before: AttackDesign | None = None  # what was asked at random before answers were opened
        self._words = words = self.tr("Change the questions")
        tip = self.tr(
            "Your own answers, from a CSV file with the columns answer, error and rows (the rows that each answer counts)"
        )
        self.own = push_button(self.tr("My own…"), tip, self._open, checkable=True, padding="0px 6px")
        self.own.setMinimumWidth(0)  # its text's
        self.header.addWidget(self.own)
        self.what, self.tell = SentenceLabel("small"), QCheckBox(self.tr("Reports show everybody's value"))
        self.tell.setToolTip(self.tr("Otherwise reports and tables show only how many people are exposed, never their values"))
        self.tell.setMinimumHeight(24)  # pixels, to be hit
        self.tell.clicked.connect(self.tell_values)
        tip = self.tr("Number of questions, each about a new random half of the people")
        self.box = value_box("100 000", self.tr("Questions"), tip, partial(self._change, words))
        self.times = {times: self._button(times) for times in _TIMES}
        self.slider = named_slider(_STEPS, self.tr("Questions"), self._slide, words, self.box.text)
        self.slider.cancelled.connect(asking.previewCancelled)
        self._asked = wrapped(named(self.tr("questions"), self.box), *self.times.values())
        before = self._step_button("‹", self.tr("The question before"), -1)
        after = self._step_button("›", self.tr("The next question"), 1)
        self.one, self.theorem = ElidedLabel(self), ElidedLabel(self)
        question = together(before, after, self.one, gap=4)
        for label in (self.theorem, self.one):
            set_class(label, "small")
        self.one.installEventFilter(self)
        for part in (self.what, self.tell, self._asked, self.slider, self.theorem, question):
            self.add(part)
        for field, box in (("queries", self.box), ("answers", None)):
            asking.field(field, partial(show_in, self, box))

    def _button(self, times: int) -> QPushButton:
        words = "n" if times == 1 else f"{times} n"
        tip = self.tr("{times} times as many questions as people").format(times=times)
        return push_button(words, tip, partial(self._take, times), checkable=True, padding="3px 7px")

    def _step_button(self, text: str, tip: str, step: int) -> QPushButton:
        take = lambda: self.questionChosen.emit((self._question + step) % self._many)  # noqa: E731
        button = push_button(text, tip, take, padding="0px 7px")
        button.setAccessibleName(tip)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return button

    def show_design(self, design: AttackDesign) -> None:
        """Show what a design asks for."""
        own = bool(design.answers)
        self.tell.setVisible(own)
        self.tell.setChecked(design.tell == "values")
        self.own.setChecked(own)
        self._asked.setVisible(not own and not self._presenting)
        for widget in (self.slider, self.theorem):
            widget.setVisible(not own)
        if own:
            name = design.answers.replace("\\", "/").rpartition("/")[2].removeprefix("example:")
            self.what.set_sentence(self.tr("The answers in {name}; press “My own” again to ask at random.").format(name=name))
            self.set_line(self.tr("Published answers"))
            return
        self._before = design
        self.what.clear()
        self.set_line(self.tr("{t} questions").format(t=group_thousands(design.queries)))
        self.box.show_value(str(design.queries))
        for times, button in self.times.items():
            button.setChecked(design.queries == times * design.n)
        self.slider.show_value(self._step(design.queries))
        self.slider.set_marks([self._step(times * design.n) for times in _TIMES])
        self._show_theorem(design.n)

    def show_enough(self, runs: Curves, design: AttackDesign) -> None:
        """Show how many questions were enough in the runs made for a design, beside the theorem's number."""
        enough = runs.enough(design.n)[0] if runs.design == design else None
        self._enough = "" if enough is None else group_thousands(enough)
        self._show_theorem(design.n)

    def _show_theorem(self, n: int) -> None:
        words = {"theorem": group_thousands(theorem_questions(n)), "enough": self._enough}
        texts = self.tr("from too few to do harm up to {theorem}, as in the theorem"), self.tr("the theorem requires {theorem}")
        if self._enough:
            first = self.tr("{enough} recover 95%; the theorem requires {theorem}")
            texts = first, self.tr("{enough} do; the theorem: {theorem}")
        self.theorem.set_full_text(*(text.format(**words) for text in texts))

    def show_question(self, outcome: AttackAnswer, question: int) -> None:
        """Show a question, its truth and what was told."""
        posed = outcome.problem
        self._many, self._question = posed.questions.t, question % posed.questions.t
        size, told = int(posed.questions.members(self._question).sum()), brief(float(posed.answers[self._question]))
        words = {"q": group_thousands(self._question + 1), "size": group_thousands(size), "told": told}
        if posed.truth is None:
            texts = [self.tr("question {q}, {size} people: answer {told}"), self.tr("question {q}: answer {told}")]
        else:
            words["truth"] = group_thousands(int(posed.truth[self._question]))
            texts = [
                self.tr("question {q}: of a random half, {size} people, {truth} are 1; answer {told}"),
                self.tr("question {q}: {truth} of {size} people are 1; answer {told}"),
                self.tr("question {q}: {truth} of {size}; answer {told}"),
            ]
        self.one.set_full_text(*(text.format(**words) for text in (*texts, self.tr("{q}: answer {told}"))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell when the mouse comes to the question, and when it goes."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.questionPointed.emit(event.type() == QEvent.Type.Enter)
        return False

    def set_folded(self, on: bool) -> None:
        """Leave away the button beside the heading, too."""
        super().set_folded(on)
        self.own.setHidden(on or self._presenting)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; the slider stays."""
        self._presenting = on
        self.own.setHidden(on or self.folded)
        self._asking.restore()

    @property
    def _range(self) -> IntegerInput:
        """The slider, on which what the buttons choose catches what is dragged."""
        n = 1 if self._asking.design is None else self._asking.design.n
        ends = max(1.0, n / 4), max(theorem_questions(n), 8 * n, 2)
        return IntegerInput(1, MOST_QUERIES, scale="log", symbol="t", try_=[(times * n, "") for times in _TIMES], slide=ends)

    def _slide(self, label: str, step: int) -> None:
        self._change(label, str(round(float(self._range.at(step / _STEPS)))))

    def _step(self, queries: int) -> int:
        return round(_STEPS * self._range.place(queries))

    def _change(self, label: str, text: str) -> None:
        self._asking.change(label, queries=text.replace("\u00a0", "").replace(" ", ""))

    def _take(self, times: int) -> None:
        if self._asking.design is not None:
            self._asking.choose(self._words, queries=times * self._asking.design.n)

    @Slot()
    def tell_values(self) -> None:
        """Ask for the other: that reports and tables tell everybody's value, or nobody's."""
        words = self.tr("Change the contents of reports")
        self._asking.ask(words, lambda design: design.replace(tell="numbers" if design.tell == "values" else "values"))

    @Slot()
    def _open(self) -> None:
        self._asking.restore()
        if self._asking.design is not None and self._asking.design.answers:
            self._asking.ask(self.tr("Ask at random"), partial(_asked_again, self._before))
        elif path := chosen_table(self.tr("Published answers"), self):
            self._asking.ask_by_job(self.tr("Open published answers"), partial(_answering, path), "answers")


def _asked_again(before: AttackDesign | None, design: AttackDesign) -> AttackDesign:
    """The design without published answers, about the secret that was there before them."""
    secret = {} if before is None else {"column": before.column, "n": before.n}
    return design.replace(answers="", **secret)


def _answering(path: str, design: AttackDesign) -> AttackDesign:
    """The design of these answers, once they are known to be such, and not to clash."""
    changed = design.replace(answers=path, column="", n=design.n)
    problem_of(changed)
    return changed
