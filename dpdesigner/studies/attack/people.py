"""The words beside people and questions: how many an attack recovers, how close answers are, who is ringed, what was asked."""

from __future__ import annotations

from dpdesigner.core.basics.rounding import brief, group_thousands, grouped
from dpdesigner.core.reconstruction.attack import Reconstruction, people_text
from dpdesigner.core.reconstruction.counting import theorem_questions
from dpdesigner.messages import message
from dpdesigner.studies.attack.answer import AttackAnswer


def heading(answer: AttackAnswer) -> str:
    """Return the heading for the answers on the left."""
    design = answer.design
    if design.answers:
        return message("Guess of the interior point")
    if design.noisy:
        return message("Noise of total ε = {epsilon}", epsilon=design.epsilon)
    return message("Errors of at most {bound}", bound=brief(design.bound))


def figure(answer: AttackAnswer) -> str:
    """Return the number recovered: ``386 of 400``."""
    posed = answer.problem
    if posed.secret is None:
        return _of(float((~answer.unsure).sum()), posed.n)
    return _of(answer.reconstruction.tally(posed.secret).guessed, posed.n)


def beside(answer: AttackAnswer) -> str:
    """Return the description of that number."""
    if answer.problem.secret is None:
        return message("people for whom it is certain")
    return message("people recovered")


def how_close(answer: AttackAnswer) -> str:
    """Return the accuracy of the answers in words."""
    design = answer.design
    if design.answers:
        return message("each answer within its own error bound")
    if design.noisy:
        off = answer.findings["error"].number or 0.0
        return message("average error {off}", off=_people(off))
    if design.error == "tightness":
        words = {"told": group_thousands(answer.problem.truthful), "t": group_thousands(design.queries)}
        return message("{told} of {t} answers are exact", **words)
    return ""  # the heading says it


def privately(answer: AttackAnswer, attack: Reconstruction) -> tuple[str, str, str]:
    """Return the number right in the best fit to private answers, the baseline without any questions, and the price."""
    posed, design = answer.problem, answer.design
    if posed.secret is None:
        return "", "", ""
    value, many = posed.commonest
    words = {"value": value, "many": group_thousands(many)}
    off = answer.findings["private-error"].number if "private-error" in answer.findings else answer.findings["error"].number
    first = message("right; guessing {value} for all gets {many}", **words)
    second = message("price: an average error of {off}", off=_people(off or 0.0))
    return _of(attack.tally(posed.secret).guessed, design.n), first, second


def words_of_person(answer: AttackAnswer, attack: Reconstruction | None, place: int) -> str:
    """Return the description of the ringed person: ``row 517: 1, guessed 1``."""
    if attack is None or not 0 <= place < answer.problem.n:
        return ""
    guess = int(attack.guess[place])
    words = {"row": group_thousands(int(answer.problem.rows[place])), "guess": message("neither") if guess < 0 else str(guess)}
    if answer.problem.secret is None:
        return message("row {row}: guessed {guess}", **words)
    return message("row {row}: {bit}, guessed {guess}", bit=int(answer.problem.secret[place]), **words)


def certain_of(answer: AttackAnswer, place: int) -> str:
    """Return the certain value of the ringed person."""
    if answer.ranges is None or not 0 <= place < answer.problem.n:
        return ""
    low, high = (brief(round(float(end[place]), 4)) for end in (answer.ranges.least, answer.ranges.largest))
    words = {"row": group_thousands(int(answer.problem.rows[place])), "low": low, "high": high}
    return message("row {row}: from {low} to {high}", **words)


def question_texts(answer: AttackAnswer, question: int) -> list[str]:
    """Return a question, its truth and its answer in words, in versions from long to short."""
    posed, place = answer.problem, question % answer.problem.questions.t
    words = {"q": group_thousands(place + 1), "told": brief(float(posed.answers[place]))}
    size, last = group_thousands(int(posed.questions.members(place).sum())), message("{q}: answer {told}", **words)
    if posed.truth is None:
        first = message("question {q}, {size} people: answer {told}", size=size, **words)
        return [first, message("question {q}: answer {told}", **words), last]
    words |= {"truth": group_thousands(int(posed.truth[place])), "size": size}
    return [
        message("question {q}: of a random half, {size} people, {truth} are 1; answer {told}", **words),
        message("question {q}: {truth} of {size} people are 1; answer {told}", **words),
        message("question {q}: {truth} of {size}; answer {told}", **words),
        last,
    ]


def theorem_texts(n: int, enough: int | None) -> list[str]:
    """Return how many questions were enough in the runs that were made, and the number of the theorem, long and short."""
    theorem = group_thousands(theorem_questions(n))
    if enough is None:
        first = message("from too few to do harm up to {theorem}, as in the theorem", theorem=theorem)
        return [first, message("the theorem requires {theorem}", theorem=theorem)]
    words = {"enough": group_thousands(enough), "theorem": theorem}
    first = message("{enough} recover 95%; theorem: {theorem}", **words)
    return [first, message("{enough} do; theorem: {theorem}", **words)]


def _of(people: float, n: int) -> str:
    return message("{people} of {n}", people=people_text(people), n=group_thousands(n))


def _people(off: float) -> str:
    return grouped(off) if off >= 100 else brief(off)
