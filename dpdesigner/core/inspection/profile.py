"""The privacy of a table: every pair of neighbouring rows, in both orders, and the worst of them by each measure.

A pair is compared by its own curve; the worst pair may be another one for each question. No curve is drawn across pairs, because
an attacker faces one pair; delta(t) is the largest over all pairs by its definition.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import Quotient
from dpdesigner.core.inspection.curves import Contrast, Exact, Several, TradeOff, contrast, contrast_of, repeated
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.progress import Progress, silent

#: Unordered sets of k releases, for an attacker who does not know the count: takes some seconds.
MOST_SETS = 50_000
#: Rows of a table that is looked at for several releases, at most; and how many these are.
_MOST_ROWS = 200
_AGAIN = range(1, 11)
#: The ratios at which delta decides which pairs of rows are compared roughly.
_ROUGH_RATIOS = (1.0, 1.5, 2.5, 4.0, 7.0, 12.0, 25.0, 50.0, 100.0, 200.0)

#: Of many pairs of doubles, only this many are compared by divergence: those with the largest at these orders less 1.
_MOST_DIVERGENCES, _FEW_DIVERGENCES = 16, 3  # the second while something is dragged
_ORDERS = (1e-2, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)

#: Ratios t at which the highest corners are found, to skip most others; and how far below them a corner is skipped.
_HULL_RATIOS, _HULL_SLACK = (*np.geomspace(1.0, 1e12, 64).tolist(), 1e300), 1e-9

T = TypeVar("T")


class Place(NamedTuple):
    """A release at which two rows differ most: row, neighbour, column."""

    row: int
    neighbour: int
    column: int


@dataclass(frozen=True, eq=False)
class Profile:
    """Measures of how well the rows of a table can be distinguished.

    Attributes
    ----------
    table : ReleaseTable
        After sampling.
    releases : int
    pairs : tuple of (int, int)
        The neighbouring rows (in, out), in their order; (-1, -1) for the mixtures of an attacker who knows the crowd only.
    contrasts : sequence of Contrast
        Of one release.
    curves : sequence of Several
        Of all releases.
    places : tuple of int
        Where in `pairs` the worst are looked for: all, or roughly those that are worst by one of some measures.
    """

    table: ReleaseTable
    releases: int
    pairs: tuple[tuple[int, int], ...]
    contrasts: Sequence[Contrast]
    curves: Sequence[Several]
    places: tuple[int, ...]

    @cached_property
    def _contrasts(self) -> list[Contrast]:
        return [self.contrasts[place] for place in self.places]

    @cached_property
    def _curves(self) -> list[Several]:
        return [self.curves[place] for place in self.places]

    @cached_property
    def named(self) -> Profile:
        """The same, with the worst looked for only where the person is counted in the first row and not in the second."""
        if self.pairs[:1] == ((-1, -1),):
            return replace(self, places=(0,))
        return replace(self, places=tuple(place for place in self.places if self.pairs[place][0] > self.pairs[place][1]))

    @property
    def exact(self) -> bool:
        """Whether all values are fractions."""
        return all(each.curve.exact for each in self._curves)

    @cached_property
    def exp_epsilon(self) -> Exact:
        """The largest ratio of k releases; infinite if a release is impossible for a neighbour."""
        largest = max((each.ratio for each in self._contrasts), default=Fraction(1))
        return math.inf if largest == math.inf else largest**self.releases

    @cached_property
    def epsilon_place(self) -> Place | None:
        """The first place that attains the largest ratio, in the order row, neighbour, column."""
        largest = max((each.ratio for each in self._contrasts), default=None)
        for place, each in zip(self.places, self._contrasts, strict=True):
            if each.ratio == largest:
                i, k = self.pairs[place]
                mine, theirs = self.table.weights[i], self.table.weights[k]
                possible = np.flatnonzero(mine)
                if largest == math.inf:
                    return Place(i, k, int(possible[theirs[possible] == 0][0]))
                ratios = [self.table.probability(i, r) / self.table.probability(k, r) for r in possible.tolist()]
                return Place(i, k, int(possible[ratios.index(max(ratios))]))
        return None

    def delta(self, ratio: Exact) -> Exact:
        """Return the largest sum over releases of (P - t Q)+, at a ratio t = e^epsilon."""
        return max((each.curve.delta(ratio) for each in self._curves), default=Fraction(0))

    def delta_below(self, ratio: Exact) -> Exact | None:
        """Return a lower bound on `delta`: equal to it where exact; None in a rough profile of several releases."""
        below = [each.below.delta(ratio) for each in self._curves if each.below is not None]
        return max(below, default=None) if self._curves else Fraction(0)

    @cached_property
    def delta_floor(self) -> Exact:
        """The delta that remains at every ratio, however large."""
        return max((each.curve.floor for each in self._curves), default=Fraction(0))

    def ratio_at(self, delta: Exact) -> Exact:
        """Return the least ratio of at least 1 at which delta is at most this; infinite if there is none."""
        if delta < self.delta_floor:
            return math.inf
        least: Exact = Fraction(1)
        for curve in self.distinct:
            some = curve.false > 0
            if curve.exact:
                delta = Fraction(delta)
                above = curve.found[some] * delta.denominator - delta.numerator * curve.total
                below = curve.false[some] * delta.denominator
                for over, under in zip(above.tolist(), below.tolist(), strict=True):
                    if over * least.denominator > under * least.numerator:  # type: ignore[union-attr]
                        least = Fraction(over, under)
            else:
                least = max(least, float(((curve.found[some] - float(delta)) / curve.false[some]).max(initial=1.0)))
        return least

    @cached_property
    def distinct(self) -> list[TradeOff]:
        """The distinct curves, without duplicates."""
        return list({id(each.curve): each.curve for each in self._curves}.values())

    @property
    def total_variation(self) -> Exact:
        """The largest advantage of an attack: true positive rate minus false positive rate."""
        return self.delta(Fraction(1))

    def success(self, rate: Exact) -> Exact:
        """Return the largest probability of winning a bet."""
        return max((each.success(rate) for each in self.distinct), default=max(rate, 1 - rate))

    def found_out(self, false_alarms: Exact) -> Exact:
        """Return the largest true positive rate at this false positive rate."""
        return max((each.found_out(false_alarms) for each in self.distinct), default=false_alarms)

    def posterior(self, rate: Exact) -> Exact:
        """Return the largest posterior of a suspicion with prior q: q T / (q T + 1 - q), T the largest ratio."""
        largest = self.exp_epsilon
        if largest == math.inf:
            return Fraction(1) if rate else Fraction(0)
        return rate * largest / (rate * largest + 1 - rate)

    def worst_pair(self, risk: Callable[[TradeOff], Any]) -> int:
        """Return the index of the first pair with the largest risk, a number of its curve."""
        values = [risk(each.curve) for each in self._curves]
        return self.places[values.index(max(values))]

    @cached_property
    def divergences(self) -> tuple[float, float]:
        """D_2 and rho of k releases; both add up over releases."""
        if any(each.ratio == math.inf for each in self._contrasts):
            return math.inf, math.inf
        second = rho = 0.0
        for each in {each.signature: each for each in self._promising}.values():
            mine, its = each.divergences(rho)
            second, rho = max(second, mine), max(rho, its)
        return self.releases * second, self.releases * rho

    @property
    def _promising(self) -> list[Contrast]:
        """The pairs that may have the largest divergences; for many pairs of doubles, those largest at a few orders."""
        most = _MOST_DIVERGENCES if len(self.places) == len(self.pairs) else _FEW_DIVERGENCES
        if self.table.exact or len(self.places) <= most:
            return self._contrasts
        i, k = np.array([self.pairs[place] for place in self.places]).T
        p, q = self.table.doubles[i], self.table.doubles[k]
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(p > 0, np.log(p / q), 0.0)
        top = np.abs(logs).max(axis=1, keepdims=True)
        measures = [(p * logs).sum(axis=1)]
        for x in _ORDERS:
            measures.append((x * top[:, 0] + np.log((p * np.exp(x * (logs - top))).sum(axis=1))) / (x * (1 + x)))
        largest = np.max(measures, axis=0)
        chosen = {
            *np.argsort(-largest, kind="stable")[:most].tolist(),
            int(np.argmax(measures[1 + _ORDERS.index(1.0)])),
        }
        return [self._contrasts[place] for place in sorted(chosen)]

    @cached_property
    def gaussian(self) -> float:
        """The least mu for which every pair hides at least as much as Gaussian noise of this signal.

        Of several releases on the grid it is the largest over the corners above 1e-9 and the two at the ends.
        """
        if any(each.ratio == math.inf for each in self._contrasts):
            return math.inf
        largest = max((each.gaussian for each in self.distinct), default=0.0)
        if self.exact or self.releases == 1:
            return largest
        return max(largest, *(each.extreme_gaussian(self.releases) for each in self._contrasts))

    @cached_property
    def kinks(self) -> list[tuple[Exact, Exact]]:
        """The ratios t >= 1 where delta(t) bends, with delta there: linear in between, and the floor beyond the last."""
        curves = self.distinct
        parts = [(_shares(each.false, each.total), _shares(each.found, each.total)) for each in curves]
        q, p = (np.concatenate(some) for some in zip(*parts, strict=True))
        tops = np.unique([np.argmax(p - t * q) for t in _HULL_RATIOS])
        tops = tops[np.lexsort((p[tops], q[tops]))]
        near = (p >= np.interp(q, q[tops], p[tops]) * (1 - _HULL_SLACK)) & (q <= q[tops[-1]] + _HULL_SLACK)
        if all(each.exact for each in curves):
            starts = np.cumsum([0, *(len(each.false) for each in curves[:-1])])
            corners: list[tuple[Any, Any]] = [
                (each.share(each.false[place]), each.share(each.found[place]))
                for each, start in zip(curves, starts.tolist(), strict=True)
                for place in np.flatnonzero(near[start : start + len(each.false)]).tolist()
            ]
        else:
            corners = list(zip(q[near].tolist(), p[near].tolist(), strict=True))
        hull: list[tuple[Any, Any]] = []
        for x, y in sorted(corners, key=lambda at: (at[0], -at[1])):
            if hull and x == hull[-1][0]:
                continue
            while len(hull) > 1 and _turns_up(hull[-2], hull[-1], (x, y)):
                hull.pop()
            hull.append((x, y))
        slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(hull)]
        return [(Fraction(1), self.total_variation)] + [
            (slope, a[1] - slope * a[0]) for a, slope in reversed(list(zip(hull, slopes, strict=False))) if slope > 1
        ]


def _shares(values: NDArray[Any], total: Any) -> Floats:
    return np.asarray(values / total, dtype=float)


def _turns_up(a: tuple[Any, Any], b: tuple[Any, Any], c: tuple[Any, Any]) -> bool:
    """Whether b is on or below the line from a to c."""
    return bool((b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0]))


def profile(
    table: ReleaseTable, group: int = 1, releases: int = 1, progress: Progress = silent, roughly: bool = False
) -> Profile:
    """Compare every two rows up to this distance apart.

    Parameters
    ----------
    table : ReleaseTable
        After sampling.
    group : int
        How many people act together.
    releases : int
        How many times the same count is released.
    progress : Progress
    roughly : bool
        Only the pairs that are worst by some measures of one release are compared, and several releases are rounded up on a
        coarser grid: for the moment in which something is dragged.
    """
    rows = table.n + 1
    if roughly:
        return _rough_profile(table, group, releases)
    pairs, contrasts = [], []
    made: dict[tuple[int, int], Contrast] = {}
    for i in range(rows):
        progress(i / rows, "comparing the rows")
        for k in range(max(0, i - group), min(rows, i + group + 1)):
            if k != i:
                made[i, k] = made[k, i].swapped if (k, i) in made else contrast(table, i, k)
                pairs.append((i, k))
                contrasts.append(made[i, k])
    curves = tuple(repeated(contrasts, releases, progress))
    return Profile(table, releases, tuple(pairs), tuple(contrasts), curves, tuple(range(len(pairs))))


class _Late(Sequence[T]):
    """Lazily computed values."""

    def __init__(self, size: int, make: Callable[[int], T]) -> None:
        self._size, self._make, self._made = size, make, dict[int, T]()

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(self._size))]
        if not 0 <= place < self._size:
            raise IndexError(place)
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]


def _rough_profile(table: ReleaseTable, group: int, releases: int) -> Profile:
    rows = np.arange(table.n + 1)
    i, k = np.nonzero((abs(rows[:, np.newaxis] - rows) <= group) & (rows[:, np.newaxis] != rows))
    pairs = tuple(zip(i.tolist(), k.tolist(), strict=True))
    p, q = table.doubles[i], table.doubles[k]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(p > 0, p / q, 0.0)
        second = np.where(np.isinf(ratios), 0.0, ratios * p).sum(axis=1)
    measures = [np.maximum(p - t * q, 0.0).sum(axis=1) for t in _ROUGH_RATIOS]
    few = np.min([delta + 0.01 * t for delta, t in zip(measures, _ROUGH_RATIOS, strict=True)], axis=0)  # found out at 1 in 100
    measures += [few, ratios.max(axis=1), np.where(q > 0, 0.0, p).sum(axis=1), second]
    with_one = i > k  # a person is found out only in these
    near = np.argsort(np.where(with_one, -few, 1), kind="stable")[:4].tolist()
    worst = {*near} | {int(np.argmax(each)) for each in (*measures, *(np.where(with_one, each, -1) for each in measures))}
    contrasts = _Late(len(pairs), lambda place: contrast(table, *pairs[place]))

    def several(place: int) -> Several:
        return repeated([contrasts[place]], releases, roughly=True)[0]

    return Profile(table, releases, pairs, contrasts, _Late(len(pairs), several), tuple(sorted(worst)))


def crowd_profile(
    table: ReleaseTable, others: list[Fraction], group: int = 1, releases: int = 1, progress: Progress = silent
) -> Profile | None:
    """Compare releases with and without a person or group, for an attacker who knows the distribution of the others' count.

    All releases are of the same count, which the attacker does not know; they depend on each other through it.

    Parameters
    ----------
    table : ReleaseTable
    others : list of Fraction
        Probabilities of the others' counts 0..n - group.
    group, releases : int
    progress : Progress

    Returns
    -------
    Profile or None
        None where there are too many sets of releases.
    """
    columns = table.weights.shape[1]
    if math.comb(columns + releases - 1, releases) > MOST_SETS:
        return None
    weights, scale = table.common
    below = math.lcm(*(chance.denominator for chance in others))
    chances: Any = np.array([int(chance * below) for chance in others], dtype=object)
    total = below * scale**releases
    if not table.exact:
        chances, total = np.array([float(chance) for chance in others]), 1.0
    outside, inside = [], []
    for place, some in enumerate(combinations_with_replacement(range(columns), releases)):
        if place % 1000 == 0:
            progress(None, "the crowd")
        ways = math.factorial(releases)
        for count in Counter(some).values():
            ways //= math.factorial(count)
        product = weights[:, some[0]]
        for r in some[1:]:
            product = product * weights[:, r]
        outside.append(ways * (chances * product[: len(others)]).sum())
        inside.append(ways * (chances * product[group : group + len(others)]).sum())
    kind = object if table.exact else float
    one = contrast_of(np.array(inside, dtype=kind), np.array(outside, dtype=kind), total)
    both = (one, one.swapped)
    return Profile(table, 1, ((-1, -1), (-1, -1)), both, tuple(Several(each.curve, each.curve) for each in both), (0, 1))


@dataclass(frozen=True)
class Again:
    """The risks after this many releases: true positive rate, probability of winning a bet, and uncovered delta."""

    releases: int
    found_out: Exact
    success: Exact
    delta: Exact


def several_releases(
    once: Profile, false_alarms: Exact, base_rate: Exact, ratio: Exact, progress: Progress = silent, named: bool = False
) -> list[Again]:
    """Compare the rows for 1 to 10 releases and for those of the profile; inexact values are rounded up.

    Parameters
    ----------
    once : Profile
        Of the same rows, for any number of releases.
    false_alarms, base_rate : Fraction or float
    ratio : Fraction or float
        e^epsilon, at which delta is told.
    progress : Progress
    named : bool
        As `Profile.named`.
    """
    group, rows = max((abs(i - k) for i, k in once.pairs), default=1), []
    for releases in sorted({*_AGAIN, once.releases}) if once.table.n < _MOST_ROWS else ():
        found = once if releases == once.releases else profile(once.table, group, releases, progress, roughly=True)
        people = found.named if named else found
        rows.append(Again(releases, people.found_out(false_alarms), people.success(base_rate), found.delta(ratio)))
    return rows


def logarithm(ratio: Exact) -> float:
    """Return ln of a ratio of at least 1, rounded up; infinite if the ratio is."""
    if ratio == math.inf:
        return math.inf
    return Quotient.of(Fraction(ratio)).logarithm_above if ratio > 1 else 0.0
