"""What the attack page says of its people."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.numbers.rounding import brief, group_thousands, grouped
from dpdesigner.core.reconstruction.attack import Reconstruction, people_text
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.people.marks import Mark
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


def person(answer: AttackAnswer, attack: Reconstruction | None, place: int) -> str:
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
