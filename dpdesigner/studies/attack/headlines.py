"""The result of an attack, in plain words."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import figure, group_thousands, significant
from dpdesigner.core.reconstruction.attack import people_text
from dpdesigner.core.reconstruction.counting import Counting
from dpdesigner.core.reconstruction.lemma import Lemma
from dpdesigner.messages import Message, message
from dpdesigner.studies.attack.result import AttackResult
from dpdesigner.studies.findings import format_finding


def sentence(outcome: AttackResult) -> Message:
    """Return the result in plain words, next to those of private answers and of guessing."""
    return _published(outcome) if outcome.design.answers else _drawn(outcome)


def in_brief(outcome: AttackResult) -> Message:
    """Return the result in fewer words than `sentence`."""
    told = outcome.findings
    if outcome.design.answers or "private-people" not in told:
        return in_short(outcome)
    return message(
        "{people} of {n} people are recovered ({share}); with private answers of total ε = {epsilon}, {private}; by "
        "guessing alone, {unasked}.",
        people=people_text(told["people"].value),
        n=group_thousands(outcome.design.n),
        share=format_finding(told["recovered"]),
        epsilon=outcome.design.epsilon,
        private=people_text(told["private-people"].value),
        unasked=group_thousands(outcome.problem.commonest[1]),
    )


def in_short(outcome: AttackResult) -> Message:
    """Return the result alone."""
    told = outcome.findings
    if outcome.design.answers:
        return message(
            "{known} of {n} people are certain.", known=format_finding(told["certain"]), n=group_thousands(outcome.problem.n)
        )
    people, n = people_text(told["people"].value), group_thousands(outcome.design.n)
    return message("{people} of {n} people are recovered ({share}).", people=people, n=n, share=format_finding(told["recovered"]))


def counting_sentences(case: Counting, asked: Lemma | None) -> tuple[Message, Message, Message]:
    """Return what counting says of columns that are wrong in one way, and how many of the questions asked rule one out."""
    delta = message("A random question rules this column out with probability δ = {delta}.", delta=significant(case.chance))
    if asked is not None:
        words = {
            "t": group_thousands(len(asked.ruled)),
            "ruled": group_thousands(int(asked.ruled.sum())),
            "share": significant(asked.measured),
        }
        measured = message("{ruled} of the {t} questions asked here rule it out: {share}.", **words)
        delta = message("{delta} {measured}", delta=delta, measured=measured)
    if case.needed is None:
        many = message("So the counting argument proves nothing at this error. The attack may still work.")
    else:
        left = message("below 1, as required") if case.left < 0 else f"10^{case.left:.0f}"
        words = {"t": group_thousands(case.t), "left": left, "needed": group_thousands(case.needed)}
        many = message("(n + 1)ⁿ (1 − δ)ᵗ at t = {t} is {left}. It falls below 1 from t = {needed} on.", **words)
    share = {"share": significant(case.people / case.n), "off": message("a third") if case.off < 1 else "1"}
    return delta, many, message("The error is {off} for the share ζ = {share} of all people.", **share)


def _drawn(outcome: AttackResult) -> Message:
    design, told, (value, many) = outcome.design, outcome.findings, outcome.problem.commonest
    asked = message("{t} answers, each", t=group_thousands(design.queries)) if design.queries > 1 else message("one answer,")
    how = message("within {bound} of the truth", bound=figure(design.bound, 3))
    if design.noisy:
        how = message("with noise of total ε = {epsilon}", epsilon=design.epsilon)
    private: str = ""
    if "private-people" in told:
        words = {"epsilon": design.epsilon, "people": people_text(told["private-people"].value)}
        private = message(" With a total ε of {epsilon}, the same questions recover {people}.", **words)
    return message(
        "From {asked} {how}, the attack recovers the values of {people} of {n} people ({share}).{private} Guessing "
        "{value} for everyone gets {unasked} right.",
        asked=asked,
        how=how,
        people=people_text(told["people"].value),
        n=group_thousands(design.n),
        share=format_finding(told["recovered"]),
        private=private,
        value=value,
        unasked=group_thousands(many),
    )


def _published(outcome: AttackResult) -> Message:
    told, n, t = outcome.findings, group_thousands(outcome.problem.n), group_thousands(outcome.problem.questions.t)
    if outcome.ranges is None:
        sure = format_finding(told["sure"])
        return message(
            "{t} answers about {n} people are consistent. The inner point is certain about {sure} of them.", t=t, n=n, sure=sure
        )
    known = format_finding(told["certain"])
    return message("These {t} answers determine the values of {known} of {n} people with certainty.", t=t, known=known, n=n)
