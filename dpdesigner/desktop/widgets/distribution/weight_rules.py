"""What every edit of a distribution keeps to: locked bars, a held total, and a bar that stays positive.

Weights are arrays (n + 1,) of finite numbers at or above 0, not normalised, with a positive sum. No Qt here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.errors import InputError

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MODERATE = 1e100
_DRAWN = 1e9  # weights beyond, or all below its inverse, are drawn as probabilities


@dataclass(frozen=True)
class Rules:
    """The constraints on editing bars: locks and the total.

    Attributes
    ----------
    locked : frozenset of int
        Counts that keep their probability.
    hold_total : bool
        Whether the bars that are not edited give or take what the edited ones take or give.
    """

    locked: frozenset[int] = frozenset()
    hold_total: bool = False

    @property
    def bind(self) -> bool:
        """Whether there is anything to keep to."""
        return self.hold_total or bool(self.locked)

    def mask(self, size: int) -> Mask:
        """Return which of `size` bars are locked."""
        mask = np.zeros(size, dtype=np.bool_)
        mask[[count for count in self.locked if count < size]] = True
        return mask

    def toggled(self, count: int) -> Rules:
        """Return the rules with a count locked that was not, or the other way round."""
        return replace(self, locked=self.locked ^ {count})


class Settled(NamedTuple):
    """Weights that keep to the rules, and why an edit was not followed in full.

    Attributes
    ----------
    weights : array (n + 1,)
        A new array.
    kept : int or None
        The count that was left positive against the edit, since none other would have been.
    stuck : bool
        Whether all the probability is locked, so that nothing could change.
    """

    weights: Floats
    kept: int | None = None
    stuck: bool = False


def settled(before: Floats, drawn: Floats, touched: Mask, rules: Rules, near: float = 0.0) -> Settled:
    """Return what an edit amounts to.

    Parameters
    ----------
    before : array (n + 1,)
        The weights before the edit.
    drawn : array (n + 1,)
        The weights as drawn.
    touched : array (n + 1,) of bool
        Which bars the edit is about; with a held total, the others make room.
    rules : Rules
        What to keep to.
    near : float
        Where the pointer is: of all bars that could be left positive, the nearest is.

    Returns
    -------
    Settled
        Its weights are finite, at or above 0, with a positive sum.

    Notes
    -----
    Locked bars of probabilities p keep them because they are scaled with the free ones: with U the drawn weight of the
    free bars, the total becomes U / (1 - sum p), so that every free bar stays as high as it was drawn.
    """
    if not rules.bind and drawn.max() > 0:
        return Settled(np.maximum(drawn, 0.0))
    free = ~rules.mask(len(before))
    room = float(before[free].sum())
    if not room > 0:
        return Settled(before.copy(), stuck=True)
    weights = np.where(free, np.maximum(drawn, 0.0), before)
    kept = _kept_positive(weights, before, free, near)
    if rules.hold_total:
        _hold(weights, touched & free, ~touched & free, room)
    elif before[~free].any():
        _keep_locked(weights, free, room)
    return Settled(weights, kept)


def _kept_positive(weights: Floats, before: Floats, free: Mask, near: float) -> int | None:
    """Leave the free bar nearest to the pointer as it was, where none would be positive, and return its count."""
    if weights[free].any():
        return None
    candidates = np.flatnonzero(free & (before > 0))
    kept = int(candidates[np.argmin(np.abs(candidates - near))])
    weights[kept] = before[kept]
    return kept


def _keep_locked(weights: Floats, free: Mask, room: float) -> None:
    """Scale the locked bars as the free ones have grown, which weighed `room` before."""
    growth = float(weights[free].sum()) / room
    if 1 / _MODERATE < growth < _MODERATE:
        weights[~free] *= growth
    else:  # the same probabilities, but within the range of doubles
        weights[free] = _weighing(weights[free], room)


def _hold(weights: Floats, edited: Mask, others: Mask, room: float) -> None:
    """Scale the bars that were not edited so that the free ones weigh `room`; the edited ones only where that is not enough."""
    have, rest = float(weights[edited].sum()), float(weights[others].sum())
    if rest > 0 and have < room:
        weights[others] = _weighing(weights[others], room - have)
    elif have > 0:
        weights[others] = 0.0
        weights[edited] = _weighing(weights[edited], room)


def _weighing(weights: Floats, mass: float) -> Floats:
    """Return weights scaled to a sum; by way of their shares, since theirs may be too small to divide by."""
    shares = weights / weights.max()
    return np.asarray(shares * (mass / float(shares.sum())))


def checked(weights: ArrayLike, texts: int | None = None) -> Floats:
    """Return weights as a new array.

    Parameters
    ----------
    weights : array (n + 1,)
        What came from outside.
    texts : int, optional
        How many texts came with them.

    Raises
    ------
    InputError
        If they are not finite numbers at or above 0 with a positive sum, or not as many as the texts.
    """
    held = np.array(weights, dtype=float)
    if held.ndim != 1 or not held.size or not np.isfinite(held).all() or held.min() < 0 or not held.any():
        words = "the weights must be a list of finite numbers at or above 0, not all 0, got an array of shape {}."
        raise InputError(words.format(held.shape), "prior")
    if texts is not None and texts != len(held):
        raise InputError(f"there must be one text per weight, {len(held)} in total, got {texts}.", "prior")
    return held


def drawable(weights: Floats, *, given: bool) -> Floats:
    """Return weights as they are drawn: as they are if they were given so and are moderate, else as probabilities."""
    if given and 1 / _DRAWN < weights.max() < _DRAWN:
        return weights
    weights = weights / weights.max()
    return np.asarray(weights / weights.sum())


def alike(first: Floats, second: Floats) -> bool:
    """Tell whether two arrays of weights stand for the same probabilities."""
    if len(first) != len(second):
        return False
    return np.array_equal(first, second) or bool(np.allclose(first / first.max(), second / second.max(), rtol=1e-9, atol=1e-15))
