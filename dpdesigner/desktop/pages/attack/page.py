"""The attack page: the same people twice, recovered from accurate answers and from private ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.base.card import Disclosure
from dpdesigner.desktop.base.controls import push_button
from dpdesigner.desktop.base.layouts import ColumnLayout, row_of, scrolling
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.attack.inputs_column import InputsColumn
from dpdesigner.desktop.pages.attack.plots import Calculator, Crowds, LemmaPanel
from dpdesigner.desktop.pages.kit.cards import FindingsCard, PlotCard
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.editor_column import show_in
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Part, Stop, Summary
from dpdesigner.desktop.pages.kit.panel_views import PanelView
from dpdesigner.desktop.pages.kit.results_column import CardColumn, PicturesCard
from dpdesigner.desktop.pages.kit.summary import Portrait, explained
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.plots.people import columns_for
from dpdesigner.errors import InputError
from dpdesigner.studies.attack import run
from dpdesigner.studies.attack.answer import AttackAnswer, in_brief, in_short, noise_inputs
from dpdesigner.studies.attack.design import AttackDesign, bounded, quickly, secret_of
from dpdesigner.studies.attack.run import attack
from dpdesigner.studies.data_inputs import bits_of, drawn_by_hand
from dpdesigner.studies.registry import entry
from dpdesigner.studies.snapshot import Found, Snapshot, Waiting, so_far
from dpdesigner.studies.study import Job


class AttackPage(DeclaredPage):
    """Attack a secret column through answers to subset counts, and see the effect of privacy."""

    kind = "attack"
    answering = ("solve", "private", "ranges", "curves")
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"lemma": LemmaPanel}
    passing = ("pointed",)  # the mouse may be anywhere

    def __init__(self, parent: QWidget | None = None) -> None:
        self._crowds, self.calculator = Crowds(self._take_step), Calculator()
        self._numbers = FindingsCard(self.tr("Privacy of this noise"))
        super().__init__(parent)
        crowds, questions = self._crowds, self._inputs.questions
        for signal, key in (
            (crowds.left.lookChosen, "look"),
            (self.calculator.changed, "counting"),
            (questions.questionChosen, "question"),
            (questions.questionPointed, "pointed"),
        ):
            self.look_by(signal, key)
        self._inputs.exposing.ticking.connect(lambda on: crowds.fade(ticks=on))
        self._inputs.exposing.list.opened.connect(lambda answer: self.look(question=int(answer) - 1))
        for part in (crowds.left, crowds.right, self._inputs.secret):
            part.personChosen.connect(lambda person: self.look(**self.looks("person", person)))
        self.add_command(self.tr("Reports show everybody’s value, or nobody’s"), "", questions.tell_values)

    @classmethod
    def starting_view(cls, study: AttackDesign) -> dict[str, Any]:
        few = bounded(study) and study.queries < study.n  # too few to recover everybody: more of them are what to try
        return {**({"look": "seen"} if drawn_by_hand(study.column) else {}), **({"view": "questions"} if few else {})}

    def asking_column(self) -> InputsColumn:
        return InputsColumn(lambda: self.held)

    def pictures_card(self) -> PicturesCard:
        """Return the card of curves; the main picture of the page is the people above it."""
        made = PicturesCard(self._class.views, self.panel_views, main=False)
        made.setProperty("aside", True)
        return made

    def results_column(self) -> CardColumn:
        self._against, self._noise = PlotCard(), QWidget()
        tip = self.tr("Open it as a Noise design: Δ = 1, and of the total ε its share for each answer")
        self._own = row_of(
            push_button(self.tr("Design this noise"), tip, self._design_noise), None, on=self._noise
        )  # and the box
        self._against.body.insertWidget(1, self._noise)
        self._guess = Disclosure(self.tr("Everybody’s most likely value, by the chosen attacker"))
        self._guess.toggled.connect(lambda on: self._show_guess())
        return CardColumn(("privacy", self._against, 1))

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        inputs, pictures, results = columns
        for part in (self._crowds.right, self._numbers):
            part.whyRequested.connect(self.whyRequested)
        cards, box = self._inputs.cards, self._inputs.error.epsilon
        cards += [self._crowds.right, self._against]
        self._inputs.field("epsilon", lambda error: show_in(next(card for card in cards if card.isAncestorOf(box)), box, error))
        self._pictures.add(self.calculator, 1)
        self.calculator.hide()
        self.fades = (lambda on: self._crowds.fade(refused=on), lambda on: self._numbers.setDisabled(on))
        middle, last = QWidget(), QWidget()
        self._layouts = ColumnLayout(middle), ColumnLayout(last)
        for layout, curves in zip(self._layouts, (pictures, results), strict=True):  # below the people
            layout.addWidget(curves, 4)
        self._layouts[1].addWidget(self._guess)
        self._layouts[0].addWidget(self._numbers)
        lay_out_columns(self, "attack-columns", (inputs, scrolling(middle), last), (302, 423, 423))

    def _take_step(self, on: bool) -> None:
        if self.answer is None or (ranges := self.answer.ranges) is None:
            self._inputs.questions.few.click()
        else:
            self._inputs.leave_out(" ".join(str(each + 1) for each in (ranges.rest.out if ranges.rest else ())))

    def looks(self, name: str, value: Any) -> Mapping[str, Any]:
        """Return the new view values: playing moves to the next question, a certain person to one that exposes them."""
        if name == "person" and self.answer and (ranges := self.answer.ranges):
            of, reason = self.answer.problem.questions.members, ranges.reasons.get(value, ())
            return {name: value, "question": min((q for q in reason if of(q)[value]), default=self.view["question"])}
        if name != "question" or self.answer is None:
            return {name: value}
        return {name: (max(self.view["question"], 0) + 1) % self.answer.problem.questions.t}

    def parts(self) -> Sequence[Part[Any, Any]]:
        inputs, crowds = self._inputs, self._crowds
        asked_of: Callable[[Snapshot], int] = lambda s: run.question_of(s.answer, s.view["question"])  # noqa: E731
        return (
            Part(inputs, lambda s: (s.answer, s.outcomes.get("others")), inputs.attackers.show_shares),
            Part(inputs, lambda s: (s.answer, s.design), self._show_secret),
            Part(inputs, lambda s: (s.answer, asked_of(s)), inputs.questions.show_question),
            Part(inputs, lambda s: (s.answer, s.design, asked_of(s)), inputs.exposing.show_answer),
            Part(None, lambda s: ("solve" in s.late,), inputs.set_late),
            Part(None, self._recovered, crowds.show_left, lambda late: crowds.fade(late=late)),
            Part(None, lambda s: (s.answer, s.view["view"], asked_of(s), s.view["pointed"]), crowds.show_question),
            Part(None, lambda s: (s.answer, s.view["look"], s.design, s.late), crowds.show_right),
            Part(None, lambda s: (s.answer,), self._show_guess),
            Part(self._numbers, lambda s: (s.answer, "solve" in s.late), self._show_numbers),
            Part(None, lambda s: (s.answer, s.view["person"]), crowds.ring),
            Part(None, lambda s: (s.view["person"],), inputs.secret.map.ring),
            Part(None, lambda s: (s.answer, s.view["view"], s.view["counting"]), self._show_calculator),
            *super().parts(),
        )

    def jobs(self, study: AttackDesign) -> Sequence[Job]:
        """Return the attack; the private side, the other attackers and the runs are jobs of the kind."""
        quick = quickly(study) and not study.answers
        title = self.tr("least squares") if study.who == "least-squares" else self.tr("linear program")
        tell = partial(self._foundSoFar.emit, so_far("solve"))
        known = self.answer if study.answers else self.outcomes.get("solve")  # an audit keeps what it knows of people
        return (Job("solve", lambda progress: attack(study, progress, tell, known), slow=not quick, live=quick, title=title),)

    def put_together(self, outcomes: Mapping[str, Any]) -> AttackAnswer | None:
        """Return the attack with all other results; the private side does not depend on the error of the answers."""
        answer: AttackAnswer | None = super().put_together(outcomes)
        found = outcomes.get("private")
        if answer is None or answer.private is not None or not isinstance(found, Found) or not bounded(answer.design):
            return answer
        same = found.answer.design.asked_privately == answer.design.asked_privately
        return answer.completed(private=found.value) if same else answer

    @staticmethod
    def _early(now: Snapshot) -> AttackAnswer | None:
        """The attack on the design shown as far as it has come, until it has its result."""
        known: AttackAnswer | None = now.outcomes.get(so_far("solve"))
        return known if known is not None and known.design == now.study and ("solve" in now.late or not now.answered) else None

    def _recovered(self, now: Snapshot) -> tuple[AttackAnswer, str, bool]:
        return (early := self._early(now)) or now.answer, now.view["look"], early is not None

    def summed_up(self, now: Snapshot) -> tuple[Any, ...]:
        """Return the inputs of the summary, which also tells how far an attack has come."""
        return (*super().summed_up(now), self._early(now))

    def show_design(self, before: AttackDesign | None, design: AttackDesign) -> None:
        super().show_design(before, design)
        if before is not None and drawn_by_hand(design.column) and not drawn_by_hand(before.column):
            self.look(look="seen")
        noisy, inputs, crowds = design.noisy and not design.answers, self._inputs, (self._crowds.left, self._crowds.right)
        own, card = (self._own, inputs.exposing) if design.answers else (inputs.error.own, crowds[1])
        crowds[1].top.insertWidget(0, inputs.error.total) if bounded(design) else own.addWidget(inputs.error.total)
        if before is None or bool(before.answers) != bool(design.answers):  # of an audit, the certain values are the picture
            crowds[bool(design.answers)].beside.addWidget(self.actions_row)
            card.body.insertWidget(2, self._crowds.step, 0, Qt.AlignmentFlag.AlignLeft)
            for layout, crowd in zip(self._layouts, crowds[:: -1 if design.answers else 1], strict=True):
                layout.insertWidget(2 * bool(design.answers and crowd is crowds[0]), crowd, 5)
        self._pictures.setVisible(bounded(design))
        self._noise.setVisible(bool(design.answers))
        self._guess.setHidden(not design.answers)
        for part in (crowds[0], inputs.attackers):
            part.setVisible(not design.answers or self._guess.isChecked())
        self._crowds.right.setVisible(not noisy)
        self._numbers.setVisible(noisy)
        if not bounded(design):  # nothing of another design is copied
            self._made.clear()

    def _show_guess(self, *_: Any) -> None:
        """Offer one attack's guess of an audit, and show it if that is wanted."""
        answer = self.answer
        if answer is not None and answer.design.answers:
            words = (run.heading(answer), run.recovered(answer, answer.reconstruction), run.beside(answer))
            self._guess.offer("{}: {} {}".format(*map(translated, words)), translated(words[0]))
            for part in (self._crowds.left, self._inputs.attackers):
                part.setVisible(self._guess.isChecked())

    def _design_noise(self) -> None:
        if self.answer is not None:
            try:
                self.designRequested.emit(entry("noise").study_class()(**noise_inputs(self.answer)))
            except InputError as error:
                self.message.emit(capital(str(error)))

    def _show_secret(self, answer: AttackAnswer, design: AttackDesign) -> None:
        if answer.design == design:
            posed, column, words, some = answer.problem, design.column or self.held.get("column", ""), answer.one, False
            with suppress(InputError):  # its file may be gone
                some = bool(column) and len(bits_of(column)) > posed.n
                if posed.secret is None and column:
                    misfit = posed.misfit(bits_of(column))
                    words = self.tr("{0} {1}, so it was put aside.").format(column.rpartition("#")[2], misfit)
            self._inputs.secret.show_secret(design, posed.secret, words, some)

    def _show_numbers(self, answer: AttackAnswer, late: bool) -> None:
        keys = ("epsilon-composed", "epsilon-each", "epsilon", "error", "limit")
        if answer.design.noisy:
            self._numbers.set_findings({key: answer.findings[key] for key in keys}, explained=True)
        self._numbers.setDisabled(late)

    def _show_calculator(self, answer: AttackAnswer, view: str, given: Mapping[str, str]) -> None:
        counting = view == "counting"
        self.calculator.setVisible(counting)
        self._pictures.stage.setVisible(not counting)
        if counting:
            self.calculator.show_counting(answer, given)

    def summary(self) -> Summary:
        early = self._early(self.snapshot())
        if early is None:
            shown = self.answer
            forms = lambda answer: (in_brief(answer), in_short(answer))  # noqa: E731
            return Summary.now(self.design, shown, "solve" in self.late, forms)
        return replace(Summary.of(early), badge=self.tr("so far"), state="stale", facts=(), note="")

    def explanation(self) -> Explanation | None:
        now = self.snapshot()
        try:
            return explained(now.answer.completed(curves=now.answer.curves or now.job(so_far("curves"))))
        except Waiting:
            return super().explanation()

    def tour(self) -> Sequence[Stop]:
        inputs, crowds = self._inputs, self._crowds
        secret = self.tr("A column of two values that is never published. Press “Paint” and draw something on the map.")
        asked = self.tr("Each question counts a random half of the people. Move the slider: a few questions reveal little.")
        error = self.tr("Every answer has a small error. Move the slider to see how much it hides.")
        recovered = self.tr("Filled: right. An outline: right but unsure. A cross: wrong. Click on a person.")
        private = self.tr("The same questions: with noise of a small total ε, the attacker does hardly better than by guessing.")
        epsilon = self.tr("Drag the line to see at which ε people are recovered.")
        counting = self.tr("“One question” shows how a wrong column is ruled out. “Proof” shows how many rule out all.")
        return (
            Stop(inputs.secret, self.tr("The secret"), secret, inputs.changed),
            Stop(inputs.questions, self.tr("Questions"), asked, inputs.changed),
            Stop(inputs.error, self.tr("Error of the answers"), error, inputs.changed),
            Stop(crowds.left, self.tr("Recovered people"), recovered),
            Stop(crowds.right, self.tr("With privacy"), private),
            Stop(self._results, self.tr("Recovered people against ε"), epsilon, inputs.changed),
            Stop(self._pictures, self.tr("Why it works"), counting, self._pictures.viewChosen),
        )

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        return ((self.tr("A column of two values"), self._inputs.secret.open),)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a map of the secret: an attack takes too long for a small picture."""
        bits = secret_of(study)[0]
        columns = columns_for(len(bits))
        padded = np.pad(bits.astype(np.float64), (0, -len(bits) % columns))
        return Portrait({}, matrix=padded.reshape(-1, columns))

    def figures(self) -> Sequence[Figure]:
        """Return the curves, and the people: who is right only if the design reveals all values, otherwise how many are."""
        if (answer := self.answer) is None:
            return ()
        shown = [card for card in (self._crowds.left, self._crowds.right) if answer.design.answers or not card.isHidden()]
        names = ("certain", "people") if answer.design.answers else ("people", "people-private")
        pictures = [card.picture(answer.design.tell != "values") for card in shown[:: -1 if answer.design.answers else 1]]
        people = [Figure(*each) for each in zip(names, *zip(*pictures, strict=True), strict=False)]
        return [*people, *(() if answer.design.answers else super().figures())]

    def set_presenting(self, on: bool) -> None:
        self._crowds.left.set_presenting(on)
        super().set_presenting(on)
