"""A private table in K keys: each probability is a multiple of 1 / K, and neighbouring rows are within [alpha, 1 / alpha].

A column that is used at all has at least 1 key everywhere, so that with few keys few releases are best. The table follows the
best mechanism G: its columns are the readings of the optimum, or every second, third or fourth of them. The goal of column j is
its peak floor(lambda K x_jj), which then falls as steeply as whole numbers may, s to ceil(alpha s). One row is filled up to K,
and the rows around it one after another, each within what the row before allows: first the entries that are furthest below their
goals, then those that cost least. This is always possible, since the row before would be allowed again. Of several lambda and
first rows, and of the choices of columns, the one of the least loss after its best reading is taken. It is near the best table in
K keys, and not always the best.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import limit
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.mechanism.remap import bayes_remap
from dpdesigner.core.mechanism.scores import nearest_best
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

LARGEST_N, MOST_KEYS = 100, 1_000_000
_SHARES = tuple(Fraction(k, 50) for k in range(50, 29, -1))
_FEW_SHARES = (Fraction(1), Fraction(19, 20), Fraction(9, 10), Fraction(4, 5), Fraction(7, 10))
_MANY_KEYS, _MANY_ROWS = 10_000, 30
_STEPS = (1, 2, 3, 4)


@dataclass(frozen=True, eq=False)
class KeyedTable:
    """A table in K keys.

    Attributes
    ----------
    keyed : ndarray
        (n + 1, n + 1): how many keys lead from a count to a release.
    keys : int
        K.
    value : Fraction or float
        Its expected loss after its best reading; a fraction where prior and loss are rational.
    optimum : float
        The least expected loss of any table that is as private.
    reading : tuple of int
        The best reading of each release.
    """

    keyed: Integers
    keys: int
    value: float
    optimum: float
    reading: tuple[int, ...]

    @cached_property
    def table(self) -> ReleaseTable:
        """The table as probabilities."""
        return ReleaseTable(self.keyed.astype(object), (self.keys,) * len(self.keyed), tuple(range(len(self.keyed))))

    @property
    def rows(self) -> list[list[int]]:
        """The whole numbers, in lists."""
        rows: list[list[int]] = self.keyed.tolist()
        return rows


def keyed_table(privacy: PrivacyLevel, prior: Prior, loss: Loss, keys: int = 256, progress: Progress = silent) -> KeyedTable:
    """Return a table in this many keys that has exactly the required privacy and nearly optimal utility.

    Parameters
    ----------
    privacy : PrivacyLevel
        With an irrational alpha, a rational one above it is kept.
    prior, loss
        Of the user.
    keys : int
        K, at least as many as there are counts.
    progress : Progress

    Raises
    ------
    InputError
        If n is above 100, or there are too few keys or too many.
    """
    n, alpha = prior.n, privacy.alpha_above
    if n > LARGEST_N:
        raise InputError(f"n must be at most {LARGEST_N} for a table in keys, got {n}.", "n", str(LARGEST_N))
    if not isinstance(keys, int) or not 2 <= keys <= MOST_KEYS:
        raise InputError(f"the number of keys must be between 2 and {limit(MOST_KEYS)}, got {keys}.", "keys", "256")
    losses, chances = loss.matrix(n), prior.probabilities
    best = bayes_remap(chances, losses, privacy, loss.coverage(n).covered)
    noise = _noise(privacy, n)
    found: tuple[float, Integers] | None = None
    readings = sorted(set(np.asarray(best.outputs).tolist()))
    many = keys > _MANY_KEYS or n > _MANY_ROWS
    shares, starts = (_FEW_SHARES, sorted({0, n // 2, n})) if many else (_SHARES, range(n + 1))
    for place, step in enumerate(_STEPS):
        columns = readings[(len(readings) - 1) % step // 2 :: step]
        if len(columns) > keys or (step > 1 and len(columns) == len(readings)):
            continue
        ideal = _gathered(noise, np.asarray(best.outputs), columns)
        for share in shares:
            progress((place + shares.index(share) / len(shares)) / len(_STEPS), "looking for a table in keys")
            goals = _goals(ideal, columns, share, keys, alpha)
            for start in starts:
                made = _filled(goals, ideal, losses[:, columns], start, keys, alpha)
                cost = float((((chances[:, np.newaxis] * made).T @ losses).min(axis=1)).sum()) / keys
                if found is None or cost < found[0] * (1 - 1e-12):
                    whole = np.zeros((n + 1, n + 1), dtype=np.int64)
                    whole[:, columns] = made
                    found = cost, whole
    if found is None:
        raise InputError(f"a table in keys must have at least a key for each release, got {keys} keys.", "keys", "256")
    whole = found[1]
    _check(whole, keys, alpha)
    expected = (chances[:, np.newaxis] * whole).T @ losses
    return KeyedTable(whole, keys, found[0], best.value, tuple(nearest_best(expected, range(n + 1))[0].tolist()))


def _noise(privacy: PrivacyLevel, n: int) -> Floats:
    alpha = privacy.alpha
    places = np.arange(n + 1)
    weights = np.full(n + 1, privacy.one_minus_alpha / (1 + alpha))
    weights[[0, n]] = 1 / (1 + alpha) if n else 1.0
    return np.asarray(np.power(alpha, np.abs(places[:, np.newaxis] - places)) * weights)


def _gathered(noise: Floats, outputs: Integers, columns: list[int]) -> Floats:
    """Return the optimal mechanism with releases merged into the nearest given column, the lower in ties."""
    nearest = [min(range(len(columns)), key=lambda place: (abs(columns[place] - r), place)) for r in outputs.tolist()]
    ideal = np.zeros((len(noise), len(columns)))
    np.add.at(ideal.T, nearest, noise.T)
    return ideal


def _goals(ideal: Floats, columns: list[int], share: Fraction, keys: int, alpha: Fraction) -> Integers:
    goals = np.ones(ideal.shape, dtype=np.int64)
    for place, r in enumerate(columns):
        peak = max(math.floor(share * keys * Fraction(float(ideal[r, place]))), 1)
        for direction in (range(r, len(ideal)), range(r, -1, -1)):
            height = peak
            for i in direction:
                goals[i, place] = height
                height = -(-alpha.numerator * height // alpha.denominator)
    return np.maximum(goals, 1)


def _filled(goals: Integers, ideal: Floats, losses: Floats, start: int, keys: int, alpha: Fraction) -> Integers:
    """Return the rows, filled from a starting row outwards."""
    above, below = alpha.as_integer_ratio()
    made = np.zeros(goals.shape, dtype=np.int64)
    columns = goals.shape[1]
    made[start] = _row([1] * columns, [keys] * columns, goals[start], ideal[start], losses[start], keys)
    for i in (*range(start + 1, len(goals)), *range(start - 1, -1, -1)):
        before = made[i - 1 if i > start else i + 1].tolist()
        low = [-(-above * count // below) for count in before]
        high = [min(below * count // above, keys) if above else keys for count in before]
        made[i] = _row(low, high, goals[i], ideal[i], losses[i], keys)
    return made


def _row(low: list[int], high: list[int], goal: Integers, ideal: Floats, losses: Floats, keys: int) -> list[int]:
    """Return whole numbers within bounds that sum to K: as near to their goals as possible, then where they cost least."""
    row, left = list(low), keys - sum(low)
    aims = [min(aim, top) for aim, top in zip(goal.tolist(), high, strict=True)]
    weights = [max(weight, 1e-300) for weight in ideal.tolist()]
    wanted = sum(max(aim - count, 0) for aim, count in zip(aims, row, strict=True))
    if wanted <= left:
        row = [max(aim, count) for aim, count in zip(aims, row, strict=True)]
        left = keys - sum(row)
        for place in sorted(range(len(row)), key=lambda place: (losses[place], place)):
            more = min(left, high[place] - row[place])
            row[place] += more
            left -= more
        return row
    if left > 4 * len(row):
        row, left = _levelled(row, aims, weights, left)
    short = [
        (-(aim - count) / weight, place)
        for place, (aim, count, weight) in enumerate(zip(aims, row, weights, strict=True))
        if aim > count
    ]
    heapq.heapify(short)
    while left:
        place = heapq.heappop(short)[1]
        row[place] += 1
        left -= 1
        if row[place] < aims[place]:
            heapq.heappush(short, (-(aims[place] - row[place]) / weights[place], place))
    return row


def _levelled(row: list[int], aims: list[int], weights: list[float], left: int) -> tuple[list[int], int]:
    """Assign nearly all units of `_row` at once: as many as keep each shortfall, relative to its weight, above one level."""
    low, high = 0.0, max((aim - count) / weight for aim, count, weight in zip(aims, row, weights, strict=True))

    def filled(level: float) -> list[int]:
        return [
            max(count, math.floor(aim - level * weight)) if aim > count else count
            for aim, count, weight in zip(aims, row, weights, strict=True)
        ]

    total = sum(row) + left
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(filled(middle)) > total else (low, middle)
    reached = filled(high)
    return reached, total - sum(reached)


def _check(whole: Integers, keys: int, alpha: Fraction) -> None:
    """Refuse a table that is not valid and private, checked in whole numbers."""
    rows = whole.tolist()
    fits = all(sum(row) == keys and min(row) >= 0 for row in rows)
    for first, second in pairwise(rows):
        fits &= all(
            a * alpha.denominator >= alpha.numerator * b and b * alpha.denominator >= alpha.numerator * a
            for a, b in zip(first, second, strict=True)
        )
    if not fits:
        raise AssertionError("a table in keys is not as private as asked")
