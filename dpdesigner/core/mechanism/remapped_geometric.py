"""The geometric mechanism followed by a remap, kept as (privacy level, remap): a row or column is made when it is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.geometric import Exact
from dpdesigner.core.mechanism.intervals import Intervals
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.decimals import context, decimal
from dpdesigner.core.numbers.parsing import place
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import LARGEST_DENSE_N
from dpdesigner.errors import InputError


class _Run(NamedTuple):
    """The releases `first` to `stop` - 1, each of which stands for one output: `output` for the first, and so on."""

    first: int
    stop: int
    output: int


@dataclass(frozen=True, init=False, eq=False)
class RemappedGeometric(Mechanism):
    """The range-restricted geometric mechanism G followed by a remap of its outputs.

    It is held as (privacy level, remap): entries, rows, columns, blocks, posteriors and draws are made on demand for any n.

    Parameters
    ----------
    privacy : PrivacyLevel
    n : int
    remap : sequence or ndarray of int
        (n + 1,): output j of G is released as remap[j]; held as a read-only array.
    """

    privacy: PrivacyLevel
    n: int
    remap: Integers

    def __init__(self, privacy: PrivacyLevel, n: int, remap: Sequence[int] | Integers) -> None:
        held = np.array(remap, dtype=np.int64)
        held.flags.writeable = False
        for key, value in {"privacy": privacy, "n": n, "remap": held}.items():
            object.__setattr__(self, key, value)

    @property
    def epsilon(self) -> float:
        """The privacy it really has: as asked, or 0 where the remap ignores the data."""
        return 0.0 if (self.remap == self.remap[0]).all() else self.privacy.epsilon_above

    @property
    def n_released(self) -> int:
        """The number of values that can be released."""
        return int(np.count_nonzero(np.bincount(self.remap)))

    @cached_property
    def intervals(self) -> Intervals:
        """The outputs that are read alike."""
        return Intervals.of(self.privacy, self.remap)

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""
        self._check_size()
        entries = self._gather(geometric.matrix(self.privacy, self.n))
        entries.flags.writeable = False
        return entries

    def row(self, i: int) -> Floats:
        """Return what is released when the true result is i, (n + 1,), in O(n)."""
        i = self._row_place(i)
        near = self.intervals.near(i)
        chances = self.intervals.probability(np.array(i), near)
        return np.bincount(self.intervals.reading[near], weights=chances, minlength=self.n + 1).astype(float, copy=False)

    def column(self, r: int) -> Floats:
        """Return how likely the release r is for each true result, (n + 1,), in O(n)."""
        return self.block(np.arange(self.n + 1), np.array([self._column_place(r)]))[:, 0]

    def block(self, rows: Integers, columns: Integers) -> Floats:
        """Return the entries in some rows and columns, (len(rows), len(columns)), in O(1) each."""
        first, stop = self.intervals.of_readings(columns)
        cells = np.zeros((len(rows), len(columns)))
        for step in range(int((stop - first).max(initial=0))):
            some = np.flatnonzero(first + step < stop)
            cells[:, some] += self.intervals.probability(rows[:, None], first[some] + step)
        return cells

    def posterior(self, prior: Floats, r: int) -> Floats | None:
        """Return what a user believes after the release r, (n + 1,); right also where r is too unlikely for a double."""
        prior, r = self._beliefs(prior), self._column_place(r)
        (first,), (stop,) = self.intervals.of_readings(np.array([r]))
        if first == stop:
            return None
        possible, members = np.flatnonzero(prior), range(first, stop)
        nearest = 0.0 if math.isinf(self.privacy.epsilon) else math.inf
        for k in members:
            nearest = min(nearest, self.intervals.nearest(possible, k))
        likely = np.zeros(self.n + 1)
        for k in members:
            some = self.intervals.around(k, nearest)
            likely[some] += self.intervals.probability(np.arange(some.start, some.stop), np.array(k), nearest)
        joint = prior * likely
        total = joint.sum()
        return np.asarray(joint / total) if total > 0 else None

    def draw(self, i: int) -> int:
        """Release once: the count plus geometric noise, clamped and remapped; exact also where alpha is irrational."""
        from dpdesigner.core.privacy import sampling

        noisy = self._row_place(i) + sampling.geometric_noise(self.privacy, self.n)
        return int(self.remap[min(max(noisy, 0), self.n)])

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        self._check_size()
        powers, diagonal = geometric.powers(alpha, self.n), geometric.exact_weights(alpha, self.n)
        for i in range(self.n + 1):
            yield self._summed(i, powers, diagonal)

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; all terms are positive, so a few spare digits keep every entry exact to `precision`."""
        self._check_size()
        working, rounded = context(precision + 10), context(precision)
        with localcontext(working):
            powers = geometric.powers(decimal(alpha, working), self.n)
        diagonal = [decimal(weight, working) for weight in geometric.exact_weights(alpha, self.n)]
        alone = self._alone
        with localcontext(working):  # the columns made of one output hold the same numbers, each shifted by its place
            near = [rounded.normalize(power * diagonal[min(1, self.n)]) for power in powers]
        around = [*near[:0:-1], *near]
        others = sorted({*range(self.n + 1)} - {j for run in alone for j in range(run.output, run.output + run.stop - run.first)})
        summed = sorted({int(self.remap[j]) for j in others})
        for i in range(self.n + 1):
            with localcontext(working):
                row = self._summed(i, powers, diagonal, others)
            for r in summed:
                row[r] = rounded.normalize(row[r])
            for run in alone:
                start = self.n - i + run.output
                row[run.first : run.stop] = around[start : start + run.stop - run.first]
            yield row

    @property
    def _alone(self) -> list[_Run]:
        """The releases that stand for one output each, none of them 0 or n, in stretches."""
        once = np.bincount(self.remap, minlength=self.n + 1)[self.remap] == 1
        runs: list[_Run] = []
        for j, r in enumerate(self.remap.tolist()):
            if not once[j] or not 0 < j < self.n:
                continue
            if runs and runs[-1].stop == r and r - runs[-1].first == j - runs[-1].output:
                runs[-1] = runs[-1]._replace(stop=r + 1)
            else:
                runs.append(_Run(r, r + 1, j))
        return runs

    def _summed(
        self, i: int, powers: Sequence[Exact], diagonal: Sequence[Exact], outputs: Sequence[int] | None = None
    ) -> list[Exact]:
        """A row of G, its entries that are read alike added up; of all outputs, or of some."""
        row, remap = [powers[0] - powers[0]] * (self.n + 1), self.remap.tolist()
        for j in range(self.n + 1) if outputs is None else outputs:
            row[remap[j]] += powers[abs(i - j)] * diagonal[j]
        return row

    @cached_property
    def constraints(self) -> NDArray[np.str_]:
        """The tight privacy constraints between rows i and i + 1, (n, n + 1): the constraint matrix of [GRS] Section 5.

        ``"d"``: x_{i+1} = alpha x_i (the entry falls as fast as it may), ``"u"``: x_i = alpha x_{i+1}, ``"S"``: slack, ``"Z"``:
        both 0.
        """
        self._check_size()
        differences = self.constraint_block(np.arange(self.n), np.arange(self.n + 1))
        differences.flags.writeable = False
        return differences

    def constraint_block(self, rows: Integers, columns: Integers) -> NDArray[np.str_]:
        """Return some rows and columns of `constraints`, (len(rows), len(columns)), for any n.

        Read off the remap: a column made of the outputs first..last rises up to the first and falls from the last.
        """
        first, last = self.intervals.reach(columns)
        i = rows[:, None]
        pattern = np.where(i >= last, "d", np.where(i + 1 <= first, "u", "S"))
        return np.asarray(np.where(last < 0, "Z", pattern))

    def ratio(self, i: int, r: int) -> float | None:
        """Return the probability of the release r for i + 1 over that for i; right also where both are too small for a double."""
        i, r = place(i, "the true result", self.n - 1), self._column_place(r)
        (first,), (last,) = self.intervals.reach(np.array([r]))
        alpha = self.privacy.alpha
        if alpha == 0 or last < 0 or first <= i < last:
            return super().ratio(i, r)
        return alpha if i >= last else 1 / alpha

    def _check_size(self) -> None:
        if self.n > LARGEST_DENSE_N:
            raise InputError(
                f"a mechanism is written out whole up to n = {LARGEST_DENSE_N}, got n = {self.n}; take rows or columns.", "n"
            )

    def _gather(self, columns: Floats) -> Floats:
        """Add up the columns of G that are read alike."""
        entries = np.zeros_like(columns)
        if (np.diff(self.remap) >= 0).all():
            entries[:, self.intervals.reading] = np.add.reduceat(columns, self.intervals.first, axis=1)
        else:
            np.add.at(entries.T, self.remap, columns.T)
        return entries
