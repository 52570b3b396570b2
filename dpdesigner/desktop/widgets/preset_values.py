"""What stands in the boxes of a named prior, and what the prior makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers import exact, whole
from dpdesigner.errors import InputError

#: The inputs of "certainty % between low and high", in the order of their boxes.
QUANTILES = ("certainty", "least count", "largest count")


def default_parameters(name: str, n: int) -> list[str]:
    """Return sensible values for the boxes of a named prior over 0..n."""
    low, high = n // 6, max(n // 6, min(3 * n // 5, n))
    return {
        "binomial": ["0.3"],
        "poisson": [str(max(1, n // 4))],
        "geometric": ["0.8"],
        "spike": [str(n // 3)],
        "two-peak": [str(n // 4), str(n - n // 4)],
        "triangular": [str(n // 10), str(n - n // 4), str(2 * n // 5)],
        "quantiles": ["90", str(low), str(high)],
    }.get(name, [])


def interval_quantiles(certainty: str, low: str, high: str, n: int) -> str:
    """Return the quantiles that say "certainty % between low and high", both included.

    What is left is shared equally by the counts below and above; where there are none on one side, the other has it all.

    Raises
    ------
    InputError
        If the certainty is not between 0 and 100 %, or low..high is not a part of 0..n, or all of it.
    """
    sure = exact(certainty.rstrip("% "), "certainty")
    if not 0 < sure < 100:
        words = _tr("The certainty must be between 0 and 100 %, got {given}.").format(given=certainty)
        raise InputError(words, "certainty", "1" if sure <= 0 else "99")
    first, last = whole(low, "least count", 0, n), whole(high, "largest count", 0, n)
    if first > last or last - first == n:
        words = _tr("The two counts must be whole and rising, within 0..{n} but not all of it, got {low} and {high}.")
        raise InputError(words.format(n=n, low=low, high=high), "prior")
    left_over = 100 - sure
    below = left_over if last == n else left_over / 2 if first > 0 else Fraction(0)
    pairs = [(below, first - 1)] if first > 0 else []
    if last < n:
        pairs.append((below + sure, last))
    return ",".join(f"{chance}%={count}" for chance, count in pairs)


def quantile_interval(pairs: Sequence[str], n: int) -> list[str]:
    """Return certainty, least and largest count of which the given quantiles are made; empty if they say something else."""
    try:
        chances = [100 * exact(pair.partition("=")[0]) for pair in pairs]
        counts = [exact(pair.partition("=")[2]) for pair in pairs]
    except InputError:
        return []
    if len(pairs) == 2 and chances[0] + chances[1] == 100:
        return [str(chances[1] - chances[0]), str(counts[0] + 1), str(counts[1])]
    if len(pairs) == 1 and chances[0] >= 50:
        return [str(chances[0]), "0", str(counts[0])]
    if len(pairs) == 1:
        return [str(100 - chances[0]), str(counts[0] + 1), str(n)]
    return []


def _tr(text: str) -> str:
    return QCoreApplication.translate("PresetForm", text)
