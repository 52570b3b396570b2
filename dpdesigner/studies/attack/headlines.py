"""What an attack comes to, in plain words."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import figure, group_thousands, significant
from dpdesigner.core.reconstruction.attack import people_text
from dpdesigner.core.reconstruction.counting import Counting
from dpdesigner.core.reconstruction.lemma import Lemma
from dpdesigner.messages import Message, message
from dpdesigner.studies.attack.result import AttackResult
from dpdesigner.studies.findings import format_finding


def sentence(outcome: AttackResult) -> Message:
    """Return the result in plain words, with what privacy and not asking at all would have come to."""
    return _published(outcome) if outcome.design.answers else _drawn(outcome)


def in_brief(outcome: AttackResult) -> Message:
    """Return the result in fewer words than `sentence`."""
    told = outcome.findings
    if outcome.design.answers or "private-people" not in told:
        return in_short(outcome)
    return message(
        "{people} of {n} people are recovered ({share}); answered privately with a total ε of {epsilon}, {private}; without "
        "asking, {unasked}.",
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
        measured = message("Of {t} questions asked here, {ruled} do: {share}.", **words)
        delta = message("{delta} {measured}", delta=delta, measured=measured)
    if case.needed is None:
        many = message("So counting says nothing at this error; the attack may work all the same.")
    else:
        left = message("below 1, as wanted") if case.left < 0 else f"10^{case.left:.0f}"
        words = {"t": group_thousands(case.t), "left": left, "needed": group_thousands(case.needed)}
        many = message("(n + 1)ⁿ (1 − δ)ᵗ at t = {t} is {left}; below 1 it is from t = {needed} on.", **words)
    share = {"share": significant(case.people / case.n), "off": message("a third") if case.off < 1 else "1"}
    return delta, many, message("Off by {off} for the share ζ = {share} of all people.", **share)


def _drawn(outcome: AttackResult) -> Message:
    design, told, (value, many) = outcome.design, outcome.findings, outcome.problem.commonest
    asked = message("{t} answers, each", t=group_thousands(design.queries)) if design.queries > 1 else message("one answer,")
    how = message("within {bound} of the truth", bound=figure(design.bound, 3))
    if design.noisy:
        how = message("with noise of ε = {epsilon} in all", epsilon=design.epsilon)
    private: str = ""
    if "private-people" in told:
        words = {"epsilon": design.epsilon, "people": people_text(told["private-people"].value)}
        private = message(" the same questions answered with ε = {epsilon} in all leave {people};", **words)
    return message(
        "From {asked} {how}, {people} of {n} people's values are recovered ({share});{private} calling everyone {value}, "
        "without a single answer, gets {unasked}.",
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
            "{t} answers about {n} people clash nowhere; their inner point is sure of {sure} people.", t=t, n=n, sure=sure
        )
    known = format_finding(told["certain"])
    return message("From these {t} answers the values of {known} of {n} people are certain.", t=t, known=known, n=n)
