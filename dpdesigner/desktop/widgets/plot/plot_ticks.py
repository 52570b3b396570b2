"""Where the ticks of an axis go and what they say.

A finder takes the values at the two ends of an axis and the most ticks wanted, and returns round ones. Logarithmic axes are
in decimal logarithms throughout: the tick for 0.1 stands at -1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from dpdesigner.desktop.widgets.base.number_text import group_thousands


class Tick(NamedTuple):
    """One tick: its place on the axis and its label."""

    at: float
    text: str


TickFinder = Callable[[float, float, int], list[Tick]]

#: Beyond these decimal logarithms there are no doubles.
_LEAST_DECADE, _MOST_DECADE = -324.0, 308.0
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def count_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks at whole numbers only."""
    first, last = ceil(low), floor(high)
    step = 1
    while last // step - -(-first // step) + 1 > max(at_most, 1):
        step = _next_round(step)
    return [
        Tick(float(value), group_thousands(value).replace("-", "−")) for value in range(-(-first // step) * step, last + 1, step)
    ]


def number_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks at round decimal numbers."""
    return list(_round_numbers(low, high, at_most))


@lru_cache(maxsize=512)  # plots ask for the same ones again and again while they are laid out
def _round_numbers(low: float, high: float, at_most: int) -> tuple[Tick, ...]:
    if not high > low:
        return (Tick(low, f"{low:g}"),)
    exponent = floor(log10((high - low) / max(at_most, 1))) - 1
    mantissa = 1
    while floor(high / _decimal(mantissa, exponent)) - ceil(low / _decimal(mantissa, exponent)) + 1 > max(at_most, 1):
        mantissa = _next_round(mantissa)
    step = _decimal(mantissa, exponent)
    places = max(0, -floor(log10(step) + 1e-9))
    plain = places <= 5 and max(abs(low), abs(high)) < 1e6
    ticks = []
    for multiple in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1):
        value = multiple * step
        text = f"{value:.{places}f}" if plain else _scientific(value)
        ticks.append(Tick(value, text.replace("-", "−")))
    return tuple(ticks)


def percent_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks for shares of one, labelled in percent."""
    return [Tick(tick.at / 100, f"{tick.text}%") for tick in number_ticks(100 * low, 100 * high, at_most)]


def log_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks for an axis of decimal logarithms, labelled with the numbers themselves; none beyond the range of doubles."""
    low, high = max(low, _LEAST_DECADE), min(high, _MOST_DECADE)
    if not high > low:
        return []
    for digits in ((1, 2, 5), (1, 3), (1,)):
        ticks = _decades(low, high, digits, 1)
        if 2 < len(ticks) <= at_most:
            return ticks
    if high - low < 2:
        spread = number_ticks(10**low, 10**high, min(at_most, 4))
        return [Tick(log10(tick.at), tick.text) for tick in spread if tick.at > 0]
    step = 1
    while len(_decades(low, high, (1,), step)) > max(at_most, 2):
        step = _next_round(step)
    return _decades(low, high, (1,), step)


def no_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return no ticks at all."""
    return []


def fitting_ticks(finder: TickFinder, ends: tuple[float, float], pixels: float, room: Callable[[str], float]) -> list[Tick]:
    """Return as many ticks as fit without their labels touching.

    Parameters
    ----------
    finder : callable
        One of the finders above.
    ends : (float, float)
        The values at the two ends, in any order.
    pixels : float
        Length of the axis.
    room : callable
        Gives the pixels along the axis that a label needs, gap included.

    Returns
    -------
    list of Tick
        In rising order of place.
    """
    low, high = min(ends), max(ends)
    scale = pixels / (high - low) if high > low else 0.0
    for at_most in (12, 10, 8, 7, 6, 5, 4, 3, 2):
        ticks = finder(low, high, at_most)
        if _apart(ticks, scale, room):
            return ticks
    return finder(low, high, 1)[:1]


def _apart(ticks: Sequence[Tick], scale: float, room: Callable[[str], float]) -> bool:
    return all((after.at - before.at) * scale >= (room(before.text) + room(after.text)) / 2 for before, after in pairwise(ticks))


def _next_round(step: int) -> int:
    """Return the number after `step` in 1, 2, 5, 10, 20, 50, ..."""
    return step * 5 // 2 if str(step)[0] == "2" else step * 2


def _decimal(mantissa: int, exponent: int) -> float:
    return float(f"{mantissa}e{exponent}")


def _decades(low: float, high: float, digits: Sequence[int], step: int) -> list[Tick]:
    ticks = []
    for decade in range(floor(low / step) * step, ceil(high) + 1, step):
        for digit in digits:
            place = decade + log10(digit)
            if low - 1e-9 <= place <= high + 1e-9:
                ticks.append(Tick(place, _power(digit, decade)))
    return ticks


def _power(digit: int, decade: int) -> str:
    if 0 <= decade <= 4:
        return group_thousands(digit * 10**decade)
    if -4 <= decade < 0:
        return f"{_decimal(digit, decade):g}"
    return ("" if digit == 1 else f"{digit}·") + "10" + str(decade).translate(_SUPERSCRIPTS)


def _scientific(value: float) -> str:
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.6g}".partition("e")[::2]
    return f"{mantissa}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}" if exponent else mantissa
