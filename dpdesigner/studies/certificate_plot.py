"""The picture of a proof by prices: what no private release of the count can undercut, and what one's own costs beside it.

A price w_i for each true count i is a solution of the dual of the linear program: whatever a private mechanism x releases,
sum_i p_i sum_r x_ir l(i, r) is at least sum_i w_i. No single price is a bound, only their sum; where one's own sums to as much,
it is proved to be the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import figure, small
from dpdesigner.messages import Message, message
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.table_panels import Role

#: Above this n single bars cannot be told apart, and making the table of the mechanism takes longer than a frame.
LARGEST_N = 200
_WIDTH, _ROOM = 0.42, 1.35  # half of a bar; how much higher than the highest the picture is, for the names


class Judged(Protocol):
    """A mechanism, what it costs, and by how much at most another could cost less."""

    @property
    def mechanism(self) -> NDArray[Any]:
        """(n + 1, n + 1): rows = true count."""

    @property
    def value(self) -> float | Fraction:
        """Its expected loss."""

    @property
    def gap(self) -> float | Fraction:
        """By how much the prices sum to less, at most."""


def price_picture(judged: Judged, prices: Sequence[float | Fraction], prior: Floats, loss: Floats) -> Plot:
    """Return prices and one's own costs as bars over the true counts, where the prices prove one's own to be the best.

    Parameters
    ----------
    judged : Judged
    prices : sequence of float or Fraction
        One for each true count.
    prior : ndarray
        (n + 1,)
    loss : ndarray
        (n + 1, n + 1)
    """
    shares = prior * (np.asarray(judged.mechanism, dtype=float) * loss).sum(axis=1)
    heights = np.array([float(price) for price in prices])
    lines = (
        _bars(shares, message("yours"), "main", proved=True),
        _bars(heights, message("prices"), "other", dashed=True),
    )
    top = _ROOM * max(float(heights.max()), float(shares.max()))
    y = Axis(message("loss, times its prior"), limits=(min(0.0, 1.1 * float(heights.min())), top) if top > 0 else None)
    x = Axis(message("true count"), scale="whole", limits=(-0.6, len(prior) - 0.4))
    return Plot("prices", message("Lower bound (dual prices)"), x, y, lines, under=_sums(judged))


def _sums(judged: Judged) -> tuple[Message, ...]:
    """What the bars sum to: rounded up, as the value is everywhere."""
    own = figure(judged.value)
    if not judged.gap:
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
    return (message(words, own=own, gap=small(judged.gap)),)


def _bars(heights: Floats, name: str, role: Role, *, proved: bool = False, dashed: bool = False) -> Line:
    """Bars as one line around them; what is not dashed is shaded below."""
    counts = np.arange(len(heights), dtype=float)
    x = np.stack([counts - _WIDTH, counts - _WIDTH, counts + _WIDTH, counts + _WIDTH], axis=1).ravel()
    flat = np.zeros_like(heights)
    y = np.stack([flat, heights, heights, flat], axis=1).ravel()
    shade = (None, None) if dashed else (np.minimum(y, 0), np.maximum(y, 0))
    return Line(x, y, name, role, proved=proved, dashed=dashed, low=shade[0], high=shade[1])
