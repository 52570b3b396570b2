"""Costs and risks in plain words and bars, for somebody who has never heard of a loss.

Numbers here are rounded to the nearest; what matters is bold.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from html import escape
from math import floor, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import exact_text
from dpdesigner.core.basics.rounding import brief, factor, figure, group_thousands, grouped, of_100, rounded_down, significant
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.table import exact_table
from dpdesigner.messages import Message, message
from dpdesigner.studies.findings import several as measured
from dpdesigner.studies.table_panels import Rank, Ranking

#: How strong privacy is by a rule of thumb, in the zones that `ZONE_LIMITS` end.
ZONES = message("very strong"), message("strong"), message("moderate"), message("weak"), message("hardly any")
_CERTAIN = 1e-12  # a probability of 1 may fall short by this much in floating point
_SHORT = 60  # up to this many outputs, each reading is listed
_MOST_RUNS, _EITHER_END = 12, 3  # runs in words at most, and at either end where there are more
_NEARLY = 0.9999
_ABOUT = 0.02  # how far a simple fraction may be from a probability
_FAR = 3  # in units of 1 and of 1 / ε: from here on, the count that is farthest from all releases is worth a sentence
_TIMES = 2  # from this ratio on, sentences give a factor instead of a percentage
#: Words of a comparison: equal, by a percentage, by a factor.
_COMPARED = {
    "more": (message("just as much"), message("{percent}% more"), message("{factor} times as much")),
    "larger": (message("just as large"), message("{percent}% larger"), message("{factor} times as large")),
    "often": (message("just as often"), message("{percent}% more often"), message("{factor} times as often")),
}
_TWICE = {"more": message("twice as much"), "larger": message("twice as large"), "often": message("twice as often")}

IF_RIGHT = message("if your belief is right")  #: the condition in the window, whose user states the belief


def several(level: PrivacyLevel, delta: Fraction) -> Message:
    """Return the privacy of k rows of a person, where δ grows by 1 + e^ε + … + e^((k − 1) ε), and of k releases."""
    if not delta:
        return message("Each further row or release adds ε.")
    two = figure(1 + 1 / level.alpha_below, 3)
    return message("With k releases: k × ε, k × δ. With 2 rows: 2 × ε, {two} × δ.", two=two)


def cost_sentences(
    loss: Loss,
    value: float,
    noise: float | None,
    nothing: float | None,
    n: int = 2,
    caution: Message | None = None,
    wrong: float | None = None,
    unit: str = "",
    condition: str = IF_RIGHT,
) -> tuple[Message, ...]:
    """Return sentences that compare the cost of a release with those of alternatives, from long to short.

    Parameters
    ----------
    loss : Loss
    value : float
        The expected loss.
    noise, nothing : float or None
        The expected loss with rounded Laplace noise, and ignoring the data; None if it is not known yet.
    n : int
        The largest count: with 1, an error is 0 or 1.
    caution : Message or None
        What happens if the belief is wrong, in place of the comparison.
    wrong : float or None
        The average error, named where the loss says less.
    unit : str
        What is counted, in the plural.
    condition : str
        The condition on the prior under which the value is what is expected.
    """
    if n == 1 and loss.name in ("absolute", "squared"):
        loss = Loss("zero-one")
    if not value:
        error = loss.name in ("absolute", "zero-one", "squared")
        first = message("<b>The expected error is 0.</b>") if error else message("<b>The expected loss is 0.</b>")
        return (first,) if caution is None else (message("{first} {caution}", first=first, caution=caution), first)
    *words, rest, kind = _first(loss, value, wrong, unit)
    first, short = (message("{claim} {condition}", claim=claim, condition=condition) for claim in words)
    if caution is not None:
        return *(message("{first}. {caution}", first=claim, caution=caution) for claim in (first, short)), first
    if noise is None or nothing is None:
        return (message("{first}.", first=first),)
    brief_kind = "often" if kind == "often" else "more"
    parts = {"noise": more(value, noise, kind), "nothing": more(value, nothing, kind)}
    brief_parts = {"noise": more(value, noise, brief_kind), "nothing": more(value, nothing, brief_kind)}
    long = message("{rest} <b>{noise}</b>; ignoring the data, <b>{nothing}</b>.", rest=rest, **parts)
    brief_rest = message("rounded Laplace noise <b>{noise}</b>; ignoring the data, <b>{nothing}</b>.", **brief_parts)
    return message("{first}. {rest}", first=first, rest=long), message("{first}; {rest}", first=short, rest=brief_rest), first


def few_released(remap: Integers, epsilon: float) -> Message | None:
    """Return what is released at all, if a count is more than 3 and 3 / ε away from all releases or few are released.

    Noise of scale 1 / ε exceeds 3 / ε about 5 times in 100; few are less than a quarter of the counts.
    """
    low, high, n = int(remap.min()), int(remap.max()), len(remap) - 1
    if 4 * (high - low + 1) >= n + 1 and max(low, n - high) * min(epsilon, 1) <= _FAR:
        return None
    if low == high:
        return message("Every count is released as {low}.", low=group_thousands(low))
    ends = {"low": group_thousands(low), "high": group_thousands(high)}
    return message("Nothing outside {low} to {high} is ever released.", **ends)


class Run(NamedTuple):
    """A run: outputs `first` to `last` are read as `read`, and each further one as `step` (0 or 1) more."""

    first: int
    last: int
    read: int
    step: int


def remap_runs(remap: ArrayLike) -> list[Run]:
    """Return a remap as runs, a compact form that determines every reading.

    Parameters
    ----------
    remap : array_like of int
        (n + 1,): output j is read as remap[j].
    """
    readings = np.asarray(remap)
    steps = np.diff(readings)
    ends = np.append(np.flatnonzero(np.diff(steps)) + 1, len(steps)).tolist()
    values, runs, first, stretch = readings.tolist(), [], 0, 0
    while first < len(values):
        while stretch < len(ends) - 1 and ends[stretch] <= first:
            stretch += 1
        last = max(ends[stretch], first)
        step = int(steps[first]) if first < len(steps) else 0
        if step not in (0, 1):
            last, step = first, 0
        runs.append(Run(first, last, values[first], step if last > first else 0))
        first = last + 1
    return runs


def remap_words(remap: ArrayLike, most_listed: int = _SHORT, most_runs: int = _MOST_RUNS) -> str:
    """Return a remap in words: every reading if there are few, otherwise runs like ``0 to 2 as 2; 3 to 90 as they are``.

    Where there are many runs, those at the ends and the longest one.
    """
    readings = np.asarray(remap)
    if len(readings) <= most_listed:
        return " ".join(map(str, readings.tolist()))
    runs = remap_runs(readings)
    if len(runs) <= most_runs:
        return "; ".join(map(_run_words, runs))
    start, middle, end = runs[:_EITHER_END], runs[_EITHER_END:-_EITHER_END], runs[-_EITHER_END:]
    longest = max(middle, key=lambda run: run.last - run.first)
    shown = "; ".join([*map(_run_words, start), "…", _run_words(longest), "…", *map(_run_words, end)])
    return f"{shown} ({len(runs)} runs in total)"


def remap_sentence(remap: ArrayLike) -> Message:
    """Return a remap as a short sentence, like ``Read 0–2 as 2, 3–90 as they are``."""
    return message("Read {readings}.", readings=remap_words(remap, 0, 9).replace(" to ", "–").replace("; ", ", "))


def _run_words(run: Run) -> str:
    outputs = f"{run.first}" if run.first == run.last else f"{run.first} to {run.last}"
    if run.read == run.first and (run.step or run.first == run.last):
        return f"{outputs} as {'it is' if run.first == run.last else 'they are'}"
    return f"{outputs} as {run.read}" + (f" to {run.read + run.last - run.first}" if run.step else "")


def more(first: float, other: float, kind: str = "more", digits: int = 0) -> Message:
    """Return the excess of another cost: ``6% more``, from twice on the factor: ``4.3 times as much``; both are to the nearest.

    Parameters
    ----------
    first, other : float
        The cost that is shown, above 0, and the other one.
    kind : {"more", "larger", "often"}
        The words of the comparison.
    digits : int
        Significant digits of a percentage; 0: a whole one.
    """
    same, by_percent, by_factor = _COMPARED[kind]
    ratio = other / first
    if ratio < 1.00001:  # of five digits all are the same
        return same
    if ratio >= _TIMES * (1 - 1e-12):
        return _TWICE[kind] if (times := factor(ratio)) == "2" else message(by_factor, factor=times)
    percent = 100 * (ratio - 1)
    if digits:
        return message(by_percent, percent=significant(percent, digits))
    return message(by_percent, percent=f"{min(percent, 99):.0f}" if ratio >= 1.01 else brief(float(f"{percent:.1g}")))


def ratio_below(share: Fraction | float, digits: int) -> float:
    """Return how many times as much a cost is that exceeds another by at least this share; from twice on of two digits."""
    return 1 + float(rounded_down(share, digits)) if share < 1 else float(rounded_down(1 + share, 2))


def percent_digits(share: Fraction | float) -> int:
    """Return the digits of a share in percent: two, but all of a whole percentage."""
    return max(2, len(str(int(100 * share))))


def percent_above(share: Fraction | float) -> str:
    """Return a share in percent, rounded up: ``3.9``, ``46``, and never coarser than one percent: ``176``."""
    return figure(100 * share, percent_digits(share))


def _first(loss: Loss, value: float, wrong: float | None, unit: str) -> tuple[Message, Message, Message, str]:
    """Return the cost of this release, its short form, the opening of a comparison, and its kind."""
    cost, percent = about(value), about(100 * value)
    larger = message("With rounded Laplace noise the expected loss is")
    if loss.name == "zero-one":
        return (
            message("The release is wrong about <b>{percent} times in 100</b>", percent=percent),
            message("Wrong about <b>{percent} times in 100</b>", percent=percent),
            message("With rounded Laplace noise it is wrong"),
            "often",
        )
    if loss.name == "threshold":
        words = message("The error exceeds {reach} about <b>{percent} times in 100</b>", reach=loss.argument, percent=percent)
        return words, words, message("With rounded Laplace noise it does so"), "often"
    if loss.name == "absolute" or (wrong is not None and loss.name != "squared"):
        absolute = loss.name == "absolute" or wrong is None
        size = measured(cost if absolute else about(wrong or 0), escape(unit))
        costing = "" if absolute else message(" (expected loss {cost})", cost=figure(value, 5))  # as the header has it
        long, short = (
            message("The published count is wrong by about <b>{value}</b> on average{loss}", value=size, loss=costing),
            message("Wrong by about <b>{value}</b> on average", value=size),
        )
        larger = message("With rounded Laplace noise the error is") if loss.name == "absolute" else larger
    elif loss.name == "squared":
        root = measured(about(sqrt(value)), escape(unit))
        long = message("The published count is wrong by about <b>{root}</b> (root mean square)", root=root)
        short = message("Wrong by about <b>{root}</b> (root mean square)", root=root)
        larger = message("With rounded Laplace noise the squared error is")
    else:
        long, short = (
            message("The expected loss is about <b>{value}</b>", value=cost),
            message("Expected loss <b>{value}</b>", value=cost),
        )
    return long, short, larger, "larger"


def about(value: float) -> str:
    """Return a number for a sentence that says “about”: to the nearest, with two digits."""
    shown = float(f"{value:.2g}")
    return grouped(shown) if 10_000 <= shown < 1e12 else brief(shown)


def chance(probability: float) -> str:
    """Return a probability in everyday words, like ``1 in 12`` or ``67%``; empty if words add nothing."""
    if not 0 < probability < 1 - _CERTAIN:
        return ""
    if probability > _NEARLY:
        return message("over 99.99%")
    odds = 1 / probability
    if odds < 1.995 or (odds < 2.995 and abs(odds - round(odds)) > 0.005):
        percent = 100 * probability
        return f"{percent:.0f}%" if percent < 99.5 else f"{floor(100 * percent) / 100:g}%"
    if odds < 9.95:
        shown = f"{odds:.1f}".removesuffix(".0")
    elif odds < 1e9:
        shown = grouped(float(f"{odds:.3g}"))
    else:
        shown = brief(odds)
    return message("1 in {count}", count=shown)


def in_so_many(probability: float) -> str:
    """Return a probability as a simple approximate fraction, ``3 in 4``; near 0 and 1 as `chance` returns it."""
    for many in range(2, 11):
        part = round(probability * many)
        if 0 < part < many and abs(probability - part / many) <= _ABOUT:
            return message("{part} in {many}", part=part, many=many)
    return chance(probability) or f"{100 * probability:.0f}%"


def reader_panel(level: PrivacyLevel) -> Ranking:
    """Return the maximum risk from a reader of one release that is private at a level, as a card for other pages."""
    alpha = level.alpha_below
    apart = exact_table([[1 / (1 + alpha), alpha / (1 + alpha)], [alpha / (1 + alpha), 1 / (1 + alpha)]])
    found = profile(apart)
    values = (
        (message("50:50 bets won"), found.success(Fraction(1, 2))),
        (message("people found out at 1 false alarm in 100"), found.found_out(Fraction(1, 100))),
    )
    rows = [Rank(label, 100 * float(value), text=of_100(value)) for label, value in values]
    return Ranking("reader", message("Risk per 100 people"), tuple(rows), head=message("of 100, at most"), ends=100.0)


def reader_panel_with_delta(won: float, found: float, level: PrivacyLevel) -> Ranking:
    """Return the card of the risk with a delta: probabilities with it, and next to them those of the level alone."""
    plain = reader_panel(level)
    rows = [
        replace(
            row,
            value=100 * value,
            text=figure(100 * value, 3),
            second=message("without δ {value}", value=figure(row.value or 0, 3)),
        )
        for row, value in zip(plain.rows, (won, found), strict=True)
    ]
    return replace(plain, rows=tuple(rows))


def loss_words(loss: object) -> str:
    """Return a loss in a few words; only a table has none of its own."""
    if not isinstance(loss, Loss):
        return message("table")
    if loss.name == "zero-one":
        return message("right or wrong")
    if loss.name != "pinball" or loss.parameter in (None, 0, 1):
        return loss.title
    low, high = loss.parameter, 1 - loss.parameter
    if low >= high:
        return message("too low costs {times} ×", times=exact_text(low / high))
    return message("too high costs {times} ×", times=exact_text(high / low))


def loss_unit(loss: object, *, short: bool = False) -> str:
    """Return what an expected loss measures, in a few words; the words of the loss where it has no other name, or if `short`."""
    if not short and isinstance(loss, Loss) and loss.name == "pinball" and loss.parameter is not None:
        low, high = (brief(float(each)) for each in (loss.parameter, 1 - loss.parameter))
        return message("one too low {low}, one too high {high}", low=low, high=high)
    names = {"absolute": message("mean error, in counts"), "squared": message("mean squared error")}
    names["zero-one"] = message("share wrong")
    return names.get(loss.name if isinstance(loss, Loss) else "", loss_words(loss))


def reading_words(loss: object) -> str:
    """Return in plain words which count of a belief has the least expected loss; empty if no plain words fit."""
    if not isinstance(loss, Loss):
        return ""
    if loss.name == "pinball" and loss.parameter is not None:
        high = message("the high side of the belief")
        return high if loss.parameter > 1 - loss.parameter else message("the low side of the belief")
    known = {
        "zero-one": message("the most likely count"),
        "squared": message("the count nearest the mean"),
        "absolute": message("the middle of the belief"),
    }
    return known.get(loss.name, "")
