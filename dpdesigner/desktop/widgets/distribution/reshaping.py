"""Edits of a whole distribution at once: smooth it, mirror it, raise or lower a bar. No Qt here."""

from __future__ import annotations

from math import floor, log10

import numpy as np

from dpdesigner.desktop.widgets.distribution.weight_rules import Floats, Rules, Settled, settled

_NEGLIGIBLE = 1e-14  # of the highest bar: what the running sums of a smoothing leave where there was nothing


def smoothed(before: Floats, rules: Rules) -> Settled:
    """Return weights (n + 1,) averaged with their neighbours, over two bars in each direction for every 40 there are.

    The mean is triangular, 1/4, 1/2, 1/4 for up to 80 bars; the ends reflect, so that the total stays.
    """
    size = len(before)
    width = max(2, size // 40)
    if size == 1:
        return Settled(before.copy())
    padded = np.pad(before / before.max(), width - 1, mode="symmetric")
    drawn = _mean(_mean(padded, width), width)
    drawn[drawn < _NEGLIGIBLE] = 0.0
    return settled(before, _short(drawn * before.max(), before), np.ones(size, dtype=np.bool_), rules)


def mirrored(before: Floats, rules: Rules) -> Settled:
    """Return weights (n + 1,) from right to left; locked bars stay."""
    return settled(before, before[::-1], np.ones(len(before), dtype=np.bool_), rules)


def raised(before: Floats, low: int, high: int, by: float, rules: Rules) -> Settled:
    """Return weights with the bars `low`..`high` higher by an amount, or lower, down to 0."""
    touched = np.zeros(len(before), dtype=np.bool_)
    touched[low : high + 1] = True
    drawn = before.copy()
    drawn[touched] = _short(np.maximum(drawn[touched] + by, 0.0), before)
    return settled(before, drawn, touched, rules, (low + high) / 2)


def replaced(before: Floats, count: int, weight: float, rules: Rules) -> Settled:
    """Return weights with another weight for one count."""
    touched = np.zeros(len(before), dtype=np.bool_)
    touched[count] = True
    drawn = before.copy()
    drawn[count] = weight
    return settled(before, drawn, touched, rules, count)


def _mean(values: Floats, width: int) -> Floats:
    """Return the means of every `width` neighbours, an array shorter by `width` - 1."""
    if width <= 64:
        return np.convolve(values, np.full(width, 1.0 / width), mode="valid")
    sums = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray((sums[width:] - sums[:-width]) / width)


def _short(weights: Floats, like: Floats) -> Floats:
    """Round to six digits of the highest weight, so that what a file keeps can be read."""
    return weights.round(5 - floor(log10(float(like.max()))))
