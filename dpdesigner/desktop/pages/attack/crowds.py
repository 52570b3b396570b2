"""The same people twice: as they are known from the answers, and from private ones, or for certain; in a picture and in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.numbers.rounding import brief, group_thousands, grouped
from dpdesigner.core.reconstruction.attack import Reconstruction, people_text
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.matrix.people import Look, Mark, PeopleCard
from dpdesigner.studies.attack.answer import AttackAnswer

Bits = NDArray[np.int8]


def heading(answer: AttackAnswer) -> str:
    """Return what the answers at the left are."""
    design = answer.design
    if design.answers:
        return tr("Guess of the interior point")
    if design.noisy:
        return tr("Noise of total ε = {epsilon}").format(epsilon=design.epsilon)
    return tr("Errors of at most {bound}").format(bound=brief(design.bound))


def figure(answer: AttackAnswer) -> str:
    """Return how many are recovered: ``386 of 400``."""
    posed = answer.problem
    if posed.secret is None:
        return _of(float((~answer.unsure).sum()), posed.n)
    return _of(answer.reconstruction.tally(posed.secret).guessed, posed.n)


def beside(answer: AttackAnswer) -> str:
    """Return what the number counts."""
    if answer.problem.secret is None:
        return tr("people for whom it is certain")
    return tr("people recovered from the answers alone")


def how_close(answer: AttackAnswer) -> str:
    """Return how close the answers are."""
    design = answer.design
    if design.answers:
        return tr("each answer within its own error bound")
    if design.noisy:
        off = answer.findings["error"].number or 0.0
        return tr("average error {off}").format(off=_people(off))
    if design.error == "tightness":
        words = {"told": group_thousands(answer.problem.truthful), "t": group_thousands(design.queries)}
        return tr("{told} of {t} answers are exact").format(**words)
    return tr("each answer within {bound} of the truth").format(bound=brief(design.bound))


def privately(answer: AttackAnswer, attack: Reconstruction) -> tuple[str, str, str]:
    """Return how many the best fit to private answers gets, beside whom not asking gets, and the price."""
    posed, design = answer.problem, answer.design
    if posed.secret is None:
        return "", "", ""
    value, many = posed.commonest
    words = {"value": value, "many": group_thousands(many)}
    off = answer.findings["private-error"].number if "private-error" in answer.findings else answer.findings["error"].number
    first = tr("right; guessing {value} for everyone gets {many}").format(**words)
    second = tr("the price: an average error of {off}").format(off=_people(off or 0.0))
    return _of(attack.tally(posed.secret).guessed, design.n), first, second


def marks_of(attack: Reconstruction, secret: Bits | None) -> Bits:
    """Return what is known of everybody, (n,): of `Mark`."""
    sure = np.full(len(attack.values), Mark.RIGHT) if secret is None else np.where(attack.guess == secret, Mark.RIGHT, Mark.WRONG)
    return np.where(attack.unsure, Mark.UNSURE, sure).astype(np.int8)


def words_of_person(answer: AttackAnswer, attack: Reconstruction | None, place: int) -> str:
    """Return who is ringed: ``row 517: 1, guessed 1``."""
    if attack is None or not 0 <= place < answer.problem.n:
        return ""
    guess = int(attack.guess[place])
    words = {"row": group_thousands(int(answer.problem.rows[place])), "guess": tr("neither") if guess < 0 else str(guess)}
    if answer.problem.secret is None:
        return tr("row {row}: guessed {guess}").format(**words)
    return tr("row {row}: {bit}, guessed {guess}").format(bit=int(answer.problem.secret[place]), **words)


def certain_of(answer: AttackAnswer, place: int) -> str:
    """Return the certain value of the ringed person."""
    if answer.ranges is None or not 0 <= place < answer.problem.n:
        return ""
    low, high = (brief(round(float(end[place]), 4)) for end in (answer.ranges.least, answer.ranges.largest))
    words = {"row": group_thousands(int(answer.problem.rows[place])), "low": low, "high": high}
    return tr("row {row}: from {low} to {high}").format(**words)


def _of(people: float, n: int) -> str:
    return tr("{people} of {n}").format(people=people_text(people), n=group_thousands(n))


def _people(off: float) -> str:
    return grouped(off) if off >= 100 else brief(off)


class Crowds:
    """The two cards of people."""

    def __init__(self) -> None:
        looks = (
            ("marks", tr("Right or wrong"), tr("Recovered people")),
            ("seen", tr("As seen"), tr("Everybody's value, as seen by the attacker")),
        )
        self.left, self.right = PeopleCard(" ", looks), PeopleCard(" ")
        self._names = (tr("right"), tr("unsure"), tr("wrong"))

    def show_left(self, answer: AttackAnswer, look: Look, so_far: bool = False) -> None:
        """Show who is known from the answers, perhaps only so far."""
        names = (tr("sure"), tr("unsure"), "") if answer.problem.secret is None else self._names
        self.left.set_look(look)
        self.left.show_marks(answer.values, marks_of(answer.reconstruction, answer.problem.secret), look, names)
        self.left.set_heading(heading(answer))
        self.left.say(figure(answer), tr("so far") if so_far else beside(answer), how_close(answer))

    def show_question(self, answer: AttackAnswer, curve: str, question: int, pointed: bool) -> None:
        """Outline who is in the question whose proof is open, or which the mouse is over."""
        questions, shown = answer.problem.questions, pointed or curve == "lemma"
        self.left.grid.outline(np.flatnonzero(questions.members(question % questions.t)).tolist() if shown else ())

    def show_right(self, answer: AttackAnswer, look: Look) -> None:
        """Show who is known from private answers to the same questions, pale until that is; or certain values."""
        self.right.set_stale(answer.private is None)
        if answer.design.answers:
            self._show_certain(answer, look)
        elif (attack := answer.private) is not None:
            secret = answer.problem.secret
            self.right.set_heading(tr("The same questions with private answers"))
            self.right.show_marks(attack.values, marks_of(attack, secret), look, self._names)
            self.right.say(*privately(answer, attack))
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
        self.left.ring(person, words_of_person(answer, answer.reconstruction, person))
        if answer.design.answers:
            self.right.ring(person, certain_of(answer, person))
        else:
            self.right.ring(person, words_of_person(answer, answer.private, person))
