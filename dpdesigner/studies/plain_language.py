"""Costs in plain words, for somebody who has never heard of a loss.

Numbers here are rounded to the nearest; what matters is bold.
"""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import brief
from dpdesigner.core.problem.loss import Loss
from dpdesigner.messages import Message, message

_TIMES = 3  # from so many times as much on, how many times is said instead of how many percent
_COUNTED = (
    message("two"),
    message("three"),
    message("four"),
    message("five"),
    message("six"),
    message("seven"),
    message("eight"),
    message("nine"),
)


def cost_sentences(loss: Loss, value: float, noise: float | None, nothing: float | None) -> tuple[Message, ...]:
    """Return what a release costs and what others would, in versions from long to short.

    Parameters
    ----------
    loss : Loss
    value : float
        The expected loss.
    noise, nothing : float or None
        That with Laplace noise, and without looking at the data; None where it is not known yet.
    """
    if not value:
        return (
            message("<b>Never wrong.</b>")
            if loss.name in ("absolute", "zero-one", "squared")
            else message("<b>It costs nothing.</b>"),
        )
    (first, short), absolute = _first(loss, value), loss.name == "absolute"
    if noise is None or nothing is None:
        return (message("{first}.", first=first),)
    parts = {"noise": more(value, noise, by=absolute), "nothing": more(value, nothing, by=absolute)}
    if absolute:
        rest = message("Laplace noise would be wrong {noise}; not looking at the data at all, {nothing}.", **parts)
        brief_rest = message("Laplace noise {noise}; not looking at the data at all, {nothing}.", **parts)
    else:
        rest = message("Laplace noise would cost {noise}; not looking at the data at all, {nothing}.", **parts)
        brief_rest = message("with Laplace noise {noise}; not looking at the data, {nothing}.", **parts)
    return message("{first}. {rest}", first=first, rest=rest), message("{first}; {rest}", first=short, rest=brief_rest), first


def more(first: float, other: float, *, by: bool = False) -> Message:
    """Return how much more another cost is: ``6% more``, from three times on ``more than four times as much``."""
    ratio = other / first
    if ratio < 1.0005:
        return message("<b>just as much</b>")
    if ratio < _TIMES:
        percent = f"{100 * (ratio - 1):.0f}" if ratio >= 1.01 else brief(float(f"{100 * (ratio - 1):.1g}"))
        return message("by <b>{percent}% more</b>", percent=percent) if by else message("<b>{percent}% more</b>", percent=percent)
    whole = int(ratio * (1 + 1e-12))
    if whole >= 10:
        return message("about <b>{times} times as much</b>", times=brief(float(f"{ratio:.2g}")))
    words = message("<b>{times} times as much</b>", times=_COUNTED[whole - 2])
    return words if ratio / whole < 1 + 1e-9 else message("<b>more than {times} times as much</b>", times=_COUNTED[whole - 2])


def _first(loss: Loss, value: float) -> tuple[Message, Message]:
    """What this release costs, and the same in short."""
    about, percent = brief(float(f"{value:.2g}")), brief(float(f"{100 * value:.2g}"))
    if loss.name == "absolute":
        return message("Typically wrong by about <b>{value}</b>", value=about), message(
            "Wrong by about <b>{value}</b>", value=about
        )
    words = message("An error costs about <b>{value}</b> on average", value=about)
    if loss.name == "zero-one":
        words = message("Wrong about <b>{percent} times in 100</b>", percent=percent)
    elif loss.name == "threshold":
        words = message("Off by more than {reach} about <b>{percent} times in 100</b>", reach=loss.argument, percent=percent)
    return words, words
