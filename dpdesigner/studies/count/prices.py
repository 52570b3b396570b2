"""The proof by prices as a plot: a lower bound for every private release of the count, and the cost of one's own next to it.

A price w_i for each true count i is a solution of the dual of the linear program: whatever a private mechanism x releases,
sum_i p_i sum_r x_ir l(i, r) is at least sum_i w_i. No single price is a bound, only their sum; where one's own sums to as much,
it is proved to be the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import figure, small
from dpdesigner.messages import Message, message
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.table_panels import Role

_LONGEST_FRACTION = 24
#: Above this n single bars cannot be told apart, and making the table of the mechanism takes longer than a frame.
LARGEST_N = 200
_WIDTH, _ROOM = 0.42, 1.35  # half width of a bar; height of the plot relative to the highest bar, with room for the names


def price_plot(solved: CountAnswer) -> Plot | None:
    """Plot prices and own costs as bars over the true counts; None without a proof, or if the bars cannot be told apart."""
    design = solved.design
    if not solved.proved or not 0 < design.n <= LARGEST_N:
        return None
    prices, prior, loss = solved.certificate.dual, design.prior.probabilities, design.loss.matrix(design.n)
    shares = prior * (np.asarray(solved.mechanism, dtype=float) * loss).sum(axis=1)
    heights = np.array([float(price) for price in prices])
    lines = (
        _bars(shares, message("yours"), "main", proved=True),
        _bars(heights, message("prices"), "other", dashed=True),
    )
    top = _ROOM * max(float(heights.max()), float(shares.max()))
    y = Axis(message("loss, times its prior"), limits=(min(0.0, 1.1 * float(heights.min())), top) if top > 0 else None)
    x = Axis(message("true count"), scale="whole", limits=(-0.6, len(prior) - 0.4))
    return Plot("prices", message("Lower bound (dual prices)"), x, y, lines, under=_sums(solved))


def _sums(solved: CountAnswer) -> tuple[Message, ...]:
    """The sum of the bars: rounded up, as the value is everywhere."""
    own = figure(solved.value)
    if not solved.gap:
        return (
            message(
                "The lower bound equals your expected loss, {own}. No private release computed from the count alone does better.",
                own=own,
            ),
        )
    words = (
        "Your expected loss is {own}; the prices sum to at most {gap} less. No private release computed from the count "
        "alone costs less than the prices."
    )
    return (message(words, own=own, gap=small(solved.gap)),)


def _bars(heights: Floats, name: str, role: Role, *, proved: bool = False, dashed: bool = False) -> Line:
    """Return bars as one outline, shaded below unless it is dashed."""
    counts = np.arange(len(heights), dtype=float)
    x = np.stack([counts - _WIDTH, counts - _WIDTH, counts + _WIDTH, counts + _WIDTH], axis=1).ravel()
    flat = np.zeros_like(heights)
    y = np.stack([flat, heights, heights, flat], axis=1).ravel()
    shade = (None, None) if dashed else (np.minimum(y, 0), np.maximum(y, 0))
    return Line(x, y, name, role, proved=proved, dashed=dashed, low=shade[0], high=shade[1])


def exact_text(value: float | Fraction) -> str | None:
    """Return ``37/24 (1.54167 if rounded up)`` or ``3/4 = 0.75``; None for a fraction too long to read and for a float."""
    if not isinstance(value, Fraction) or len(str(value)) > _LONGEST_FRACTION:
        return None
    short = figure(value)
    if value.denominator == 1:
        return short
    return f"{value} = {short}" if Fraction(short.replace("−", "-")) == value else f"{value} ({short} if rounded up)"


def prices_text(prices: Sequence[float | Fraction]) -> str:
    """Return the prices as a list, fractions that are short enough as such."""
    return ", ".join(
        str(price)
        if isinstance(price, Fraction) and len(str(price)) <= _LONGEST_FRACTION
        else f"{float(price):.6g}".replace("-", "−")
        for price in prices
    )
