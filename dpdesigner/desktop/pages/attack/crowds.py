"""The same people twice: as recovered from the answers, and from private answers or with certainty."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.reconstruction.attack import Reconstruction
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.plots.people import Look, Mark, PeopleCard
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.run import beside, certain_of, figure, heading, how_close, privately, words_of_person

Bits = NDArray[np.int8]


def marks_of(attack: Reconstruction, secret: Bits | None) -> Bits:
    """Return the recovery state of each person, (n,): values of `Mark`."""
    sure = np.full(len(attack.values), Mark.RIGHT) if secret is None else np.where(attack.guess == secret, Mark.RIGHT, Mark.WRONG)
    return np.where(attack.unsure, Mark.UNSURE, sure).astype(np.int8)


class Crowds:
    """The two cards of people."""

    def __init__(self) -> None:
        looks = (
            ("marks", tr("Right or wrong"), tr("Recovered people")),
            ("seen", tr("Attacker’s view"), tr("Everybody's value, as seen by the attacker")),
        )
        self.left, self.right = PeopleCard(" ", looks), PeopleCard(" ")
        self._names = (tr("right"), tr("unsure"), tr("wrong"))

    def show_left(self, answer: AttackAnswer, look: Look, so_far: bool = False) -> None:
        """Show who is recovered from the answers, possibly only so far."""
        names = (tr("sure"), tr("unsure"), "") if answer.problem.secret is None else self._names
        self.left.set_look(look)
        self.left.show_marks(answer.values, marks_of(answer.reconstruction, answer.problem.secret), look, names)
        self.left.set_heading(translated(heading(answer)))
        first = tr("so far") if so_far else translated(beside(answer))
        self.left.say(translated(figure(answer)), first, translated(how_close(answer)))

    def show_question(self, answer: AttackAnswer, curve: str, question: int, pointed: bool) -> None:
        """Outline the people in the question whose proof is open or that is under the mouse."""
        questions, shown = answer.problem.questions, pointed or curve == "lemma"
        self.left.grid.outline(np.flatnonzero(questions.members(question % questions.t)).tolist() if shown else ())

    def show_right(self, answer: AttackAnswer, look: Look) -> None:
        """Show who is recovered from private answers to the same questions, pale until computed; or the certain values."""
        self.right.set_stale(answer.private is None)
        if answer.design.answers:
            self._show_certain(answer, look)
        elif (attack := answer.private) is not None:
            secret = answer.problem.secret
            self.right.set_heading(tr("Same questions, private answers"))
            self.right.show_marks(attack.values, marks_of(attack, secret), look, self._names)
            self.right.say(*map(translated, privately(answer, attack)))
            tip = tr("Geometric noise of ε/t in each of t answers composes to ε. It is drawn from the seed, for study only.")
            self.right.say_badge(tr("✓ proved ε = {epsilon}").format(epsilon=answer.design.epsilon), "proved", tip)

    def _show_certain(self, answer: AttackAnswer, look: Look) -> None:
        self.right.set_heading(tr("Certain values"))
        self.right.set_stale(answer.ranges is None)
        self.right.say_badge("", "open", "")
        n, ranges = answer.problem.n, answer.ranges
        sure = np.full(n, -1) if ranges is None else ranges.certain
        marks = np.where(sure >= 0, Mark.RIGHT, Mark.UNKNOWN if ranges is None else Mark.UNSURE).astype(np.int8)
        self.right.show_marks(np.where(sure >= 0, sure, 0.5).astype(np.float64), marks, look, (tr("certain"), tr("open"), ""))
        known = tr("{people} of {n}").format(people=group_thousands(int((sure >= 0).sum())), n=group_thousands(n))
        told = tr("values are certain"), tr("two linear programs for each person")
        self.right.say("…" if ranges is None else known, *told)

    def ring(self, answer: AttackAnswer, person: int) -> None:
        """Ring a person on both sides."""
        self.left.ring(person, translated(words_of_person(answer, answer.reconstruction, person)))
        if answer.design.answers:
            self.right.ring(person, translated(certain_of(answer, person)))
        else:
            self.right.ring(person, translated(words_of_person(answer, answer.private, person)))
