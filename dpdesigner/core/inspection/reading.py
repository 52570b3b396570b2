"""The best reading of each release of a table, its value, its leakage, and the size of its errors.

All of it is about one release. The best reading of release j is argmin_r sum_i p_i M_ij l(i, r), the nearest to j where several
are as good.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.mechanism.scores import nearest_best
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Exact = Fraction | float

_MOST_STEPS = 4_000_000  # whole-number steps for several releases read together
_MOST_DOUBLE_STEPS = 400_000_000


@dataclass(frozen=True, eq=False)
class Reader:
    """A table with a user's prior and loss, in whole numbers where all three are exact.

    Attributes
    ----------
    table : ReleaseTable
    prior : Prior
        Over the rows.
    loss : Loss
    """

    table: ReleaseTable
    prior: Prior
    loss: Loss

    @cached_property
    def _joint(self) -> tuple[NDArray[Any], Any]:
        """p_i M_ij over a common denominator."""
        weights, scale = self.table.common
        if not self.table.exact:
            return self.prior.probabilities[:, np.newaxis] * weights, 1.0
        below = math.lcm(*(p.denominator for p in self.prior.exact))
        chances = np.array([int(p * below) for p in self.prior.exact], dtype=object)
        return chances[:, np.newaxis] * weights, below * scale

    @cached_property
    def _losses(self) -> tuple[NDArray[Any], Any]:
        """l(i, r) over a common denominator, for r up to the largest label; a loss matrix repeats its last column beyond n."""
        last = max(self.table.n, *self.table.labels)
        size = self.table.n if self.loss.name == "matrix" else last
        exactly: list[list[Fraction]] | None = None
        if self.table.exact:
            try:
                exactly = self.loss.exact_matrix(size)
            except InputError:
                exactly = None
        rows = self.table.n + 1
        if exactly is None:
            doubles = np.asarray(self.loss.matrix(size))[:rows]
            return np.hstack([doubles, np.repeat(doubles[:, -1:], last - size, axis=1)]), 1.0
        below = math.lcm(*(value.denominator for row in exactly[:rows] for value in row))
        whole = np.array([[int(value * below) for value in row] for row in exactly[:rows]], dtype=object)
        return np.hstack([whole, np.repeat(whole[:, -1:], last - size, axis=1)]), below

    def _value(self, value: Any) -> Exact:
        joint, losses = self._joint[1], self._losses[1]
        if self.table.exact and isinstance(losses, int):
            return Fraction(int(value), joint * losses)
        return float(value) / (joint * losses) if not self.table.exact else float(value)

    @cached_property
    def _expected(self) -> NDArray[Any]:
        """sum_i p_i M_ij l(i, r), (columns, n + 1), over the common denominators."""
        joint, losses = self._joint[0], self._losses[0][:, : self.table.n + 1]
        if joint.dtype == object and losses.dtype != object:
            joint = self.prior.probabilities[:, np.newaxis] * self.table.doubles
        return np.asarray(joint.T @ losses)

    @cached_property
    def reading(self) -> list[int]:
        """The best reading of each release."""
        return nearest_best(self._expected, self.table.labels)[0].tolist()  # type: ignore[no-any-return]

    @property
    def best_loss(self) -> Exact:
        """The expected loss of the best reading."""
        return self._value(self._expected.min(axis=1).sum())

    @property
    def face_loss(self) -> Exact:
        """The expected loss if every release is taken at face value."""
        joint, losses = self._joint[0], self._losses[0]
        if joint.dtype == object and losses.dtype != object:
            joint = self.prior.probabilities[:, np.newaxis] * self.table.doubles
        return self._value((joint * losses[:, list(self.table.labels)]).sum())

    @property
    def constant_loss(self) -> Exact:
        """The least expected loss when ignoring the data."""
        return self._value(self._expected.sum(axis=0).min())

    @property
    def vulnerability(self) -> Exact:
        """The probability that the count is guessed from the release: the sum over releases of max_i p_i M_ij."""
        joint, below = self._joint
        best = joint.max(axis=0).sum()
        return Fraction(best, below) if self.table.exact else float(best)

    @property
    def capacity(self) -> Exact:
        """The sum over releases of max_i M_ij: the largest factor by which any guess becomes more likely."""
        weights, scale = self.table.common
        best = weights.max(axis=0).sum()
        return Fraction(best, scale) if self.table.exact else float(best)

    def releases_loss(self, releases: int, progress: Progress = silent) -> Exact | None:
        """Return the expected loss of the best reading of several releases together; None if that takes too long."""
        rows, columns = self.table.weights.shape
        steps = math.comb(columns + releases - 1, releases) * rows * rows
        exactly = self.table.exact and self._losses[0].dtype == object and steps <= _MOST_STEPS
        if steps > _MOST_DOUBLE_STEPS or (steps > _MOST_STEPS and math.comb(columns + releases - 1, releases) > 200_000):
            return None
        if exactly:
            joint, losses = self._joint[0], self._losses[0][:, :rows]
            weights, scale = self.table.common
        else:
            joint, losses = (
                self.prior.probabilities[:, np.newaxis] * self.table.doubles,
                np.asarray(self.loss.matrix(self.table.n)),
            )
            weights, scale = self.table.doubles, 1
        total: Any = 0
        for place, some in enumerate(combinations_with_replacement(range(columns), releases)):
            if place % 1000 == 0:
                progress(None, "several releases together")
            product = joint[:, some[0]]
            for r in some[1:]:
                product = product * weights[:, r]
            if product.any():
                ways = math.factorial(releases)
                for count in Counter(some).values():
                    ways //= math.factorial(count)
                total += ways * (product @ losses).min()
        return self._value(total) / scale ** (releases - 1) if exactly else float(total)

    def posterior(self, place: int) -> list[Exact] | None:
        """Return the posterior after the release in a column; None if that release never occurs."""
        joint = self._joint[0][:, place]
        total = joint.sum()
        if not total:
            return None
        return [Fraction(each, total) if self.table.exact else float(each / total) for each in joint.tolist()]


@dataclass(frozen=True)
class Interval:
    """The likeliest counts after a release: the smallest, the largest, their total probability, and the mean of all counts."""

    low: int
    high: int
    mass: Exact
    mean: Exact


def interval(posterior: Sequence[Exact], confidence: Exact) -> Interval:
    """Return the likeliest counts, the smaller first in ties, until their probability reaches the confidence."""
    order = sorted(range(len(posterior)), key=lambda i: (-posterior[i], i))
    taken: list[int] = []
    mass: Exact = Fraction(0) if isinstance(posterior[0], Fraction) else 0.0
    for i in order:
        taken.append(i)
        mass += posterior[i]
        if mass >= confidence:
            break
    mean = sum((i * chance for i, chance in enumerate(posterior)), start=mass * 0)
    return Interval(min(taken), max(taken), mass, mean)


def error_bound(table: ReleaseTable, confidence: Exact) -> tuple[int, Exact]:
    """Return the least k with |release - i| <= k at this confidence for every i, and the lowest probability of that."""
    away = np.abs(np.array(table.labels) - np.arange(table.n + 1)[:, np.newaxis])
    order = np.argsort(away, axis=1, kind="stable")
    reached = np.cumsum(np.take_along_axis(table.weights, order, axis=1), axis=1)
    enough = reached >= np.array([confidence * total for total in table.totals])[:, np.newaxis]
    enough[:, -1] = True  # in case doubles do not quite sum to 1
    least = int(np.take_along_axis(away, np.take_along_axis(order, enough.argmax(axis=1)[:, np.newaxis], 1), 1).max())
    masses = np.where(away <= least, table.weights, 0).sum(axis=1)
    return least, min(_share(table, i, mass) for i, mass in enumerate(masses)) if table.exact else float(masses.min())


def moments(table: ReleaseTable) -> tuple[Exact, Exact]:
    """Return the largest absolute bias and the largest variance of the release over all counts, at face value."""
    labels = np.array(table.labels, dtype=object if table.exact else float)
    means: list[Any] = [_share(table, i, value) for i, value in enumerate(table.weights @ labels)]
    squares: list[Any] = [_share(table, i, value) for i, value in enumerate(table.weights @ labels**2)]
    return (
        max(abs(mean - i) for i, mean in enumerate(means)),
        max(square - mean**2 for mean, square in zip(means, squares, strict=True)),
    )


def _share(table: ReleaseTable, i: int, value: Any) -> Exact:
    return Fraction(int(value), table.totals[i]) if table.exact else float(value)


def others_count(given: object, size: int) -> list[Fraction]:
    """Return the distribution of the others' count over 0..size: by default fair coins, otherwise a named or weighted prior."""
    try:
        prior = given if isinstance(given, Prior) else Prior("binomial:1/2" if given in ("", None) else given, size)  # type: ignore[arg-type]
    except InputError as error:
        raise InputError(str(error), "others", error.suggestion) from error
    return list(prior.resized(size).exact)
