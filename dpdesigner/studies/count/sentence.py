"""The answer in plain words, for somebody who has never heard of a loss: numbers here are rounded to the nearest."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import brief
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.findings import shown
from dpdesigner.studies.said import Said, said

_TIMES = 3  # from so many times as much on, how many times is said instead of how many percent
_COUNTED = (said("two"), said("three"), said("four"), said("five"), said("six"), said("seven"), said("eight"), said("nine"))


def sentences(found: CountAnswer) -> tuple[Said, ...]:
    """Return what the release costs and what others would, with what matters in bold, from long to short.

    What others cost is left out until it is known.
    """
    value, name = float(found.best.value), found.design.loss.name
    absolute, costs = name == "absolute", {key: float(cost) for key, cost in (found.costs.losses if found.costs else ())}
    if not value:
        return (said("<b>Never wrong.</b>") if name in ("absolute", "zero-one", "squared") else said("<b>It costs nothing.</b>"),)
    first, short = _first(found, brief(float(f"{value:.2g}")), brief(float(f"{100 * value:.2g}")))
    if "laplace" not in costs:
        return (said("{first}.", first=first),)
    parts = {"noise": more(value, costs["laplace"], absolute), "nothing": more(value, costs["ignore"], absolute)}
    if absolute:
        rest = said("Laplace noise would be wrong {noise}; not looking at the data at all, {nothing}.", **parts)
        brief_rest = said("Laplace noise {noise}; not looking at the data at all, {nothing}.", **parts)
    else:
        rest = said("Laplace noise would cost {noise}; not looking at the data at all, {nothing}.", **parts)
        brief_rest = said("with Laplace noise {noise}; not looking at the data, {nothing}.", **parts)
    return said("{first}. {rest}", first=first, rest=rest), said("{first}; {rest}", first=short, rest=brief_rest), first


def _first(found: CountAnswer, value: str, percent: str) -> tuple[Said, Said]:
    """What this release costs, and the same in short."""
    loss = found.design.loss
    if loss.name == "absolute":
        return said("Typically wrong by about <b>{value}</b>", value=value), said("Wrong by about <b>{value}</b>", value=value)
    if loss.name == "zero-one":
        return (said("Wrong about <b>{percent} times in 100</b>", percent=percent),) * 2
    if loss.name == "threshold":
        words = said("Off by more than {reach} about <b>{percent} times in 100</b>", reach=loss.argument, percent=percent)
        return words, words
    return (said("An error costs about <b>{value}</b> on average", value=value),) * 2


def compared(found: CountAnswer, key: str) -> Said:
    """Return what one way of releasing the count costs, and how much more that is than what is shown."""
    told, value = found.findings[key], float(found.best.value)
    if key == "value" or told.number is None or not value:
        return said("{label}: <b>{value}</b>", label=told.label, value=shown(told))
    rest = more(value, told.number, by=False)
    return said("{label}: <b>{value}</b>, {rest}", label=told.label, value=shown(told), rest=rest)


def more(first: float, other: float, by: bool) -> Said:
    """Return how much more another one is: ``6 % more``, from three times on ``more than four times as much``."""
    ratio = other / first
    if ratio < 1.0005:
        return said("<b>just as much</b>")
    if ratio < _TIMES:
        percent = f"{100 * (ratio - 1):.0f}" if ratio >= 1.01 else brief(float(f"{100 * (ratio - 1):.1g}"))
        return said("by <b>{percent} % more</b>", percent=percent) if by else said("<b>{percent} % more</b>", percent=percent)
    whole = int(ratio * (1 + 1e-12))
    times = _COUNTED[whole - 2] if whole < 10 else brief(float(f"{ratio:.2g}"))
    if whole >= 10:
        return said("about <b>{times} times as much</b>", times=times)
    if ratio / whole < 1 + 1e-9:
        return said("<b>{times} times as much</b>", times=times)
    return said("<b>more than {times} times as much</b>", times=times)
