"""The sentences of a choice: how often the best is announced, what a neighbour moves, and which constant is right."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from dpdesigner.core.choice.rule import Rule
from dpdesigner.core.numbers.rounding import at_most, brief, significant
from dpdesigner.messages import Message, message
from dpdesigner.studies.choice.outcome import ChoiceOutcome

_NEARLY_ALWAYS = 0.95  # of the times that the best is not announced


def times(chance: float) -> str:
    """Return how many times in 100: ``81``, ``17.2`` where it is few, ``less than 0.01``."""
    percent = 100 * chance
    if percent >= 99.5:  # to the nearest it would be all of them
        return "100" if percent > 99.9999 else f"{math.floor(percent * 100) / 100:g}"
    if percent >= 20:
        return f"{percent:.0f}"
    return f"{percent:.2g}" if percent >= 0.01 else message("less than 0.01")


def headlines(outcome: ChoiceOutcome, row: int = 0) -> tuple[Message, ...]:
    """Return how often the best is announced, and what another rule would do, in versions from long to short."""
    rule, task = outcome.rule, outcome.task
    chances = rule.probabilities[row] if task.table else rule.probabilities
    utilities = task.numbers[row]
    order = np.argsort(-utilities, kind="stable")
    best, second = int(order[0]), int(order[1])
    right = float(chances[utilities == utilities[best]].sum())
    name, other_name = escape(outcome.names[best]), escape(outcome.names[second])
    if outcome.design.edges is not None:
        short = rule.shortfall[row] if isinstance(rule.shortfall, np.ndarray) else rule.shortfall
        told = {"name": name, "times": times(right), "short": significant(short, 2)}
        return (
            message(
                "<b>{name} is chosen {times} times in 100.</b> On average what is chosen is {short} short of the best.", **told
            ),
            message("<b>{name} is chosen {times} times in 100.</b>", **told),
        )
    brief_one = message("<b>Right {times} times in 100</b>", times=times(right))
    tied = int((utilities == utilities[best]).sum())
    if tied > 1:
        first = message(
            "<b>One of the {tied} that are on top is announced {times} times in 100.</b>", tied=tied, times=times(right)
        )
    else:
        gap = brief(float(utilities[best] - utilities[second]))
        behind = message("{gap} people behind", gap=gap) if outcome.unit else message("{gap} behind", gap=gap)
        always = right < 1 and float(chances[second]) >= _NEARLY_ALWAYS * (1 - right)
        key = {"name": name, "times": times(right), "behind": behind, "other": other_name}
        if always and right < 0.9995:
            first = message("<b>{name} is announced {times} times in 100</b>, otherwise nearly always {other}, {behind}.", **key)
        else:
            first = message("<b>{name} is announced {times} times in 100</b>; {other} is {behind}.", **key)
    other = (
        outcome.rules["exponential" if outcome.rule.noise != "gumbel" else "permute-and-flip"] if _has_rival(outcome) else None
    )
    if other is None:
        return first, brief_one
    others = other.chance_of_best
    rival = float(others[row]) if isinstance(others, np.ndarray) else others
    whole = message("{first} {rule}, just as private: {times} times.", first=first, rule=other.title, times=times(rival))
    return whole, first, brief_one


def _has_rival(outcome: ChoiceOutcome) -> bool:
    return "permute-and-flip" in outcome.rules and outcome.proved


def of_option(outcome: ChoiceOutcome, option: int, before: float, after: float) -> Message:
    """Return what a neighbour does to one chance: ``announced 17.2 times in 100; at the neighbour 15.6. Ratio 1.104 …``."""
    level = outcome.rule.epsilon
    low, high = sorted((before, after))
    ratio = high / low if low > 0 else math.exp(level)
    return message(
        "{name}: announced {before} times in 100; with the neighbouring {what}, {after}. "
        "Ratio {ratio}, and never more than e^ε = {most}.",
        name=outcome.names[option],
        before=_fine(before),
        after=_fine(after),
        what=message("answers") if outcome.unit else message("utilities"),
        ratio=significant(ratio, 4),
        most=at_most(math.exp(level), 4) if level < 300 else "∞",
    )


def _fine(chance: float) -> str:
    return significant(100 * chance, 3) if chance >= 1e-4 else message("less than 0.01")


def on_constants(outcome: ChoiceOutcome) -> Message:
    """Return which of the printed constants holds here, and which wastes privacy."""
    monotone, delta = outcome.task.monotone, float(outcome.task.delta)
    if monotone:
        return message("[CACM] is right here; [BLR] would leave half of the privacy unused.")
    if delta != 1:
        return message(
            "[CACM] holds only where all utilities move the same way; [Notes] leaves Δ out of the exponent and names it after."
        )
    return message("[CACM] holds only where all utilities move together; [Notes] and [BLR] are right.")


def rule_note(rule: Rule) -> Message:
    """Return what a rule is the same as."""
    if rule.key == "permute-and-flip":
        return message("= noisy max, exponential")
    if rule.key == "exponential":
        return message("= noisy max, Gumbel")
    if rule.key == "staircase":
        return message("steps of Δ")
    return message("")
