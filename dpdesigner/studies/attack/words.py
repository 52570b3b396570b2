"""What an attack comes to, in plain words."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import counted, figure, significant
from dpdesigner.core.reconstruction.attack import people_text
from dpdesigner.core.reconstruction.counting import Counting
from dpdesigner.core.reconstruction.lemma import Lemma
from dpdesigner.studies.attack.found import AttackFound
from dpdesigner.studies.findings import shown
from dpdesigner.studies.said import Said, said


def sentence(outcome: AttackFound) -> Said:
    """Return the result in plain words, with what privacy and not asking at all would have come to."""
    return _published(outcome) if outcome.design.answers else _drawn(outcome)


def in_brief(outcome: AttackFound) -> Said:
    """Return the result in fewer words than `sentence`."""
    told = outcome.findings
    if outcome.design.answers or "private-people" not in told:
        return in_short(outcome)
    return said(
        "{people} of {n} people are recovered ({share}); answered privately with ε = {epsilon} in all, {private}; without "
        "asking, {unasked}.",
        people=people_text(told["people"].value),
        n=counted(outcome.design.n),
        share=shown(told["recovered"]),
        epsilon=outcome.design.epsilon,
        private=people_text(told["private-people"].value),
        unasked=counted(outcome.posed.commonest[1]),
    )


def in_short(outcome: AttackFound) -> Said:
    """Return the result alone."""
    told = outcome.findings
    if outcome.design.answers:
        return said("{known} of {n} people are certain.", known=shown(told["certain"]), n=counted(outcome.posed.n))
    people, n = people_text(told["people"].value), counted(outcome.design.n)
    return said("{people} of {n} people are recovered ({share}).", people=people, n=n, share=shown(told["recovered"]))


def counted_words(case: Counting, asked: Lemma | None) -> tuple[Said, Said, Said]:
    """Return what counting says of columns that are wrong in one way, and how many of the questions asked rule one out."""
    delta = said("A random question rules such a column out with a chance of δ = {delta}.", delta=significant(case.chance))
    if asked is not None:
        words = {"t": counted(len(asked.ruled)), "ruled": counted(int(asked.ruled.sum())), "share": significant(asked.measured)}
        measured = said("Of {t} questions asked here, {ruled} do: {share}.", **words)
        delta = said("{delta} {measured}", delta=delta, measured=measured)
    if case.needed is None:
        many = said("So counting says nothing at this error; the attack may work all the same.")
    else:
        left = said("below 1, as wanted") if case.left < 0 else f"10^{case.left:.0f}"
        words = {"t": counted(case.t), "left": left, "needed": counted(case.needed)}
        many = said("(n + 1)ⁿ (1 − δ)ᵗ at t = {t} is {left}; below 1 it is from t = {needed} on.", **words)
    share = {"share": significant(case.people / case.n), "off": said("a third") if case.off < 1 else "1"}
    return delta, many, said("Off by {off} for the share ζ = {share} of all people.", **share)


def _drawn(outcome: AttackFound) -> Said:
    design, told, (value, many) = outcome.design, outcome.findings, outcome.posed.commonest
    asked = said("{t} answers, each", t=counted(design.queries)) if design.queries > 1 else said("one answer,")
    how = said("within {bound} of the truth", bound=figure(design.bound, 3))
    if design.noisy:
        how = said("with noise of ε = {epsilon} in all", epsilon=design.epsilon)
    private: str = ""
    if "private-people" in told:
        words = {"epsilon": design.epsilon, "people": people_text(told["private-people"].value)}
        private = said(" the same questions answered with ε = {epsilon} in all leave {people};", **words)
    return said(
        "From {asked} {how}, {people} of {n} people's values are recovered ({share});{private} calling everyone {value}, "
        "without a single answer, gets {unasked}.",
        asked=asked,
        how=how,
        people=people_text(told["people"].value),
        n=counted(design.n),
        share=shown(told["recovered"]),
        private=private,
        value=value,
        unasked=counted(many),
    )


def _published(outcome: AttackFound) -> Said:
    told, n, t = outcome.findings, counted(outcome.posed.n), counted(outcome.posed.questions.t)
    if outcome.ranges is None:
        sure = shown(told["sure"])
        return said(
            "{t} answers about {n} people clash nowhere; their inner point is sure of {sure} people.", t=t, n=n, sure=sure
        )
    known = shown(told["certain"])
    return said("From these {t} answers the values of {known} of {n} people are certain.", t=t, known=known, n=n)
