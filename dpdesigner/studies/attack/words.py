"""What an attack comes to, in plain words."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import brief, counted
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
        people=_people(told["people"].value),
        n=counted(outcome.design.n),
        share=shown(told["recovered"]),
        epsilon=outcome.design.epsilon,
        private=_people(told["private-people"].value),
        unasked=counted(outcome.posed.commonest[1]),
    )


def in_short(outcome: AttackFound) -> Said:
    """Return the result alone."""
    told = outcome.findings
    if outcome.design.answers:
        return said("{known} of {n} people are certain.", known=shown(told["certain"]), n=counted(outcome.posed.n))
    people, n = _people(told["people"].value), counted(outcome.design.n)
    return said("{people} of {n} people are recovered ({share}).", people=people, n=n, share=shown(told["recovered"]))


def _drawn(outcome: AttackFound) -> Said:
    design, told, (value, many) = outcome.design, outcome.findings, outcome.posed.commonest
    one, off = design.queries == 1, {"bound": brief(design.bound)}
    asked = said("one answer") if one else said("{t} answers", t=counted(design.queries))
    if design.noisy:
        how = said("with noise of ε = {epsilon} in all", epsilon=design.epsilon)
    else:
        how = said("within {bound} of the truth", **off) if one else said("each within {bound} of the truth", **off)
    private: str = ""
    if "private-people" in told:
        words = {"epsilon": design.epsilon, "people": _people(told["private-people"].value)}
        private = said(" the same questions answered with ε = {epsilon} in all leave {people};", **words)
    return said(
        "From {asked}, {how}, {people} of {n} people's values are recovered ({share});{private} calling everyone {value}, "
        "without a single answer, gets {unasked}.",
        asked=asked,
        how=how,
        people=_people(told["people"].value),
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


def _people(value: object) -> str:
    """A number of people, of which there may be a half where one says nothing."""
    number = float(value)  # type: ignore[arg-type]
    return counted(int(number)) if number == int(number) else f"{counted(int(number))}½"
