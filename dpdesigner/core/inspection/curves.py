"""Trade-off curves between two rows of a table: their corners, for one release or for several.

Of two neighbouring rows, P is the one with the person and Q the one without. The best tests call a release "in" where the ratio
P / Q is large; sorted by falling ratio, the partial sums (Q, P) are the corners of the curve of people found out against false
alarms, which is straight between them (a randomised test). Everything else is a largest value over the corners:

    delta(t) = max P - t Q,  advantage = max P - Q,  a bet won at base rate q = max q P + (1 - q)(1 - Q).

k releases of the same count multiply the ratios. Equal ratios are merged, compared as fractions. Up to 100 000 ratios that is
done in whole numbers; beyond that, or in tables of doubles, each ln(P / Q) is rounded up to a multiple of 1e-4, which makes every
risk at least what it is; rounded down, none is more than it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.progress import Progress, silent

Exact = Fraction | float

MOST_RATIOS = 100_000
GRID = 1e-4
MOST_PRODUCTS = 4_000_000  # products of whole numbers over all pairs of rows: takes some seconds
_ROUGH_PRODUCTS, _ROUGH_GRID, _ROUGH_CORNERS = 20_000, 2e-3, 1000
_PRIME = 2**127 - 1
_BLURRED = 1e-9  # uncertainty of curves on the grid


@dataclass(frozen=True, eq=False)
class TradeOff:
    """The trade-off curve of one pair of rows.

    Attributes
    ----------
    false, found : ndarray
        (corners,): the partial sums of Q and of P, from 0 to `total`, the steepest stretch first.
    total : int or float
        What they are shares of.
    blurred : float
        How far from both ends a corner must be not to be hidden by rounding.
    """

    false: NDArray[Any]
    found: NDArray[Any]
    total: Any
    blurred: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the corners are whole numbers."""
        return self.false.dtype == object

    def share(self, value: Any, below: Any = 1) -> Exact:
        """Return a value divided by the total times a number."""
        if self.exact:
            return Fraction(Fraction(value) / (self.total * below))
        return float(value / (self.total * below))

    def delta(self, ratio: Exact) -> Exact:
        """Return the largest P(S) - t Q(S) over all sets S of releases; at least 0."""
        above, below = self._parts(ratio)
        return self.share((self.found * below - self.false * above).max(), below)

    def success(self, rate: Exact) -> Exact:
        """Return the largest probability of winning a bet on a person, given the prior probability that they are included."""
        above, below = self._parts(rate)
        won = (self.found * above + (self.total - self.false) * (below - above)).max()
        return self.share(won, below)

    def found_out(self, false_alarms: Exact) -> Exact:
        """Return the true positive rate of the best randomised test with this false positive rate."""
        if false_alarms >= 1:
            return self.share(self.total)
        at = false_alarms * self.total
        place = int(np.searchsorted(self.false, at, side="right"))
        if place >= len(self.false):
            return self.share(self.found[-1])
        start, run = self.false[place - 1], self.false[place] - self.false[place - 1]
        rise = self.found[place] - self.found[place - 1]
        if self.exact:
            return self.share(self.found[place - 1] + rise * (Fraction(at) - start) / run)
        return self.share(self.found[place - 1] + rise * (at - start) / run)

    @property
    def floor(self) -> Exact:
        """The least delta at any ratio: the probability of releases that are impossible for the other row."""
        return self.share(self.found[self.false == 0][-1])

    @property
    def best_rate(self) -> Exact:
        """The false positive rate at which the lead over chance is largest; of several the smallest."""
        return self.share(self.false[np.argmax(self.found - self.false)])

    @property
    def points(self) -> list[tuple[Exact, Exact]]:
        """The corners as rates: (false positives, true positives)."""
        return [(self.share(q), self.share(p)) for q, p in zip(self.false, self.found, strict=True)]

    def thinned(self) -> TradeOff:
        """Return the curve through some of its corners, only slightly below it."""
        last = len(self.false) - 1
        some = np.unique([0, min(1, last), *range(0, last, max(1, last // _ROUGH_CORNERS)), last])
        return TradeOff(self.false[some], self.found[some], self.total, self.blurred)

    @cached_property
    def gaussian(self) -> float:
        """The least mu for which Gaussian noise of this signal hides at least as much; infinite if none does.

        On the grid it counts the corners that rounding does not hide, in the half where false alarms are rarer than misses; the
        other half is that of the swapped pair.
        """
        from scipy.special import ndtri_exp  # imported late: a window opens without it

        false, found = self.false[1:-1], self.found[1:-1]
        if self.blurred:
            clear = (np.minimum(false, found) > self.blurred) & (false + found <= self.total)
            false, found = false[clear], found[clear]
        if not len(false):
            return 0.0 if self.floor <= self.blurred else math.inf
        if ((false == 0).any() and (found[false == 0] > 0).any()) or (found[false < self.total] == self.total).any():
            return math.inf
        inner = (false > 0) & (found < self.total)
        scores = [
            np.where(
                2 * value <= self.total,
                ndtri_exp(self._logarithms(value)),
                -ndtri_exp(self._logarithms(self.total - value)),
            )
            for value in (found[inner], false[inner])
        ]
        return max(float((scores[0] - scores[1]).max(initial=0.0)), 0.0)

    def _logarithms(self, values: NDArray[Any]) -> Floats:
        if not self.exact:
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(values))
        return np.array([math.log(value) - math.log(self.total) if value else -math.inf for value in values.tolist()])

    def _parts(self, ratio: Exact) -> tuple[Any, Any]:
        if self.exact:
            return Fraction(ratio).as_integer_ratio()
        return float(ratio), 1.0


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two distributions over the same releases, sorted by falling ratio, with equal ratios merged.

    Attributes
    ----------
    first, second : ndarray
        (m,): P and Q.
    total : int or float
    """

    first: NDArray[Any]
    second: NDArray[Any]
    total: Any

    @property
    def swapped(self) -> Contrast:
        """The pair in reverse order: Q and P."""
        return Contrast(self.second[::-1], self.first[::-1], self.total)

    @property
    def ratio(self) -> Exact:
        """The largest P / Q; infinite if a release is impossible for Q."""
        if self.second[0] == 0:
            return math.inf
        return Fraction(self.first[0], self.second[0]) if self.first.dtype == object else float(self.first[0] / self.second[0])

    def extreme_gaussian(self, releases: int) -> float:
        """Return the mu that Gaussian noise needs for the two corners nearest to the ends, for k releases."""
        from scipy.special import ndtri_exp

        first, last = self._shares(0), self._shares(-1)
        scores = [float(ndtri_exp(releases * math.log(p)) - ndtri_exp(releases * math.log(q))) for p, q in (first, last[::-1])]
        return max(*scores, 0.0)

    def _shares(self, place: int) -> tuple[float, float]:
        return float(self.first[place] / self.total), float(self.second[place] / self.total)

    @cached_property
    def curve(self) -> TradeOff:
        """The trade-off curve of one release."""
        return TradeOff(_sums(self.second), _sums(self.first), self.total)

    def divergences(self, reached: float = 0.0) -> tuple[float, float]:
        """Return D_2, and the largest D_a / a over all a > 1 (rho of zero-concentrated privacy), to about 12 digits.

        Parameters
        ----------
        reached : float
            Of rho, what another pair has: where this one cannot have more, the second number may be a little less than it is.
        """
        if (self.second == 0).any():
            return math.inf, math.inf
        p = np.array([value / self.total for value in self.first.tolist()])
        q = np.array([value / self.total for value in self.second.tolist()])
        difference = np.array([value / self.total for value in (self.first - self.second).tolist()])
        possible = p > 0
        logs = _log_ratios(self.first[possible], self.second[possible])
        return math.log1p(math.fsum(difference**2 / q)), _largest_rho(p[possible], logs, float(q[~possible].sum()), reached)

    @cached_property
    def signature(self) -> tuple[Any, ...]:
        """A key by which equal pairs are recognised."""
        if self.first.dtype != object:
            return (id(self),)
        shared = math.gcd(self.total, *self.first.tolist(), *self.second.tolist())
        return tuple((self.first // shared).tolist()), tuple((self.second // shared).tolist())


def contrast(table: ReleaseTable, i: int, k: int) -> Contrast:
    """Compare two rows of a table."""
    if not table.exact:
        return contrast_of(table.weights[i], table.weights[k], 1.0)
    total = math.lcm(table.totals[i], table.totals[k])
    return contrast_of(table.weights[i] * (total // table.totals[i]), table.weights[k] * (total // table.totals[k]), total)


def contrast_of(first: NDArray[Any], second: NDArray[Any], total: Any) -> Contrast:
    """Compare two distributions over the same releases, given as weights with the same total."""
    used = (first > 0) | (second > 0)
    p, q = first[used], second[used]
    if p.dtype != object:
        with np.errstate(divide="ignore"):
            order = np.argsort(-(p / q), kind="stable")
        return Contrast(p[order], q[order], total)
    return Contrast(*_merged(p.tolist(), q.tolist()), total)


def _merged(p: list[int], q: list[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return whole numbers sorted by falling ratio, with those of equal ratio added up."""
    shift = 2 * max(q).bit_length() + 1  # shifted this far, different fractions have different whole parts
    merged: dict[int, list[int]] = {}
    for a, b in zip(p, q, strict=True):
        held = merged.setdefault((a << shift) // b if b else -1, [0, 0])
        held[0] += a
        held[1] += b
    never = merged.pop(-1, None)
    ordered = [merged[key] for key in sorted(merged, reverse=True)]
    ordered = ordered if never is None else [never, *ordered]
    return np.array([a for a, _ in ordered], dtype=object), np.array([b for _, b in ordered], dtype=object)


def _sums(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype == object:
        return np.concatenate(([0], np.cumsum(values)))
    sums = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(np.minimum(sums, 1.0))


@dataclass(frozen=True, eq=False)
class Several:
    """The curve of k releases: `curve` is exact or an upper bound, `below` is a lower bound; they coincide where exact.

    `below` is None where it was not asked for.
    """

    curve: TradeOff
    below: TradeOff | None


def repeated(contrasts: list[Contrast], releases: int, progress: Progress = silent, roughly: bool = False) -> list[Several]:
    """Return the curves of k releases of the same count for each pair of rows.

    Parameters
    ----------
    contrasts : list of Contrast
    releases : int
        k.
    progress : Progress
    roughly : bool
        On a coarser grid, with fewer corners, and from above only: while something is dragged.

    Returns
    -------
    list of Several
        All exact, or none.
    """
    if releases == 1:
        return [Several(each.curve, each.curve) for each in contrasts]
    exact = _products(contrasts, releases, progress, _ROUGH_PRODUCTS if roughly else MOST_PRODUCTS)
    if exact is not None:
        return [Several(curve, curve) for curve in exact]
    made: dict[Any, Several] = {}
    curves = []
    for place, each in enumerate(contrasts):
        progress(place / len(contrasts), "several releases")
        if each.signature not in made:
            above = _on_grid(each, releases, 1, _ROUGH_GRID if roughly else GRID)
            made[each.signature] = (
                Several(above.thinned(), None) if roughly else Several(above, _on_grid(each, releases, -1, GRID))
            )
        curves.append(made[each.signature])
    return curves


def _products(contrasts: list[Contrast], releases: int, progress: Progress, left: int) -> list[TradeOff] | None:
    """Return the curves in whole numbers; None if there are too many ratios or the tables are in doubles."""
    if not all(each.first.dtype == object for each in contrasts):
        return None
    made: dict[Any, TradeOff] = {}
    curves: dict[int, TradeOff] = {}
    for place in sorted(range(len(contrasts)), key=lambda place: -len(contrasts[place].first)):
        each = contrasts[place]
        if each.signature not in made:
            progress(len(curves) / len(contrasts), "several releases")
            if each.swapped.signature in made:
                other = made[each.swapped.signature]
                total = other.total
                made[each.signature] = TradeOff(total - other.found[::-1], total - other.false[::-1], total)
            else:
                product = _product(each, releases, left)
                if product is None:
                    return None
                made[each.signature], spent = product
                left -= spent
        curves[place] = made[each.signature]
    return [curves[place] for place in range(len(contrasts))]


def _product(each: Contrast, releases: int, most: int) -> tuple[TradeOff, int] | None:
    both = (each.first > 0) & (each.second > 0)
    p, q, total = each.first[both].tolist(), each.second[both].tolist(), each.total
    atoms = [(a * pow(b, -1, _PRIME) % _PRIME, a, b) for a, b in zip(p, q, strict=True)]
    level: dict[int, tuple[int, int]] = {key: (a, b) for key, a, b in atoms}
    spent = 0
    for _ in range(releases - 1):
        spent += len(level) * len(atoms)
        if spent > most:
            return None
        following: dict[int, tuple[int, int]] = {}
        for key, (a, b) in level.items():
            for other, c, d in atoms:
                at, above, below = key * other % _PRIME, a * c, b * d
                while (held := following.get(at)) is not None:
                    if held[0] * below == held[1] * above:
                        above, below = above + held[0], below + held[1]
                        break
                    at = (at + 1) % _PRIME  # another ratio with the same residue
                following[at] = above, below
            if len(following) > MOST_RATIOS:
                return None
        level = following
    whole = total**releases
    pairs = list(level.values())
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    for mine, theirs, part in ((first, second, p), (second, first, q)):
        if rest := whole - sum(part) ** releases:
            mine.append(rest)
            theirs.append(0)
    merged = Contrast(*_merged(first, second), whole)
    return merged.curve, spent


def _on_grid(each: Contrast, releases: int, direction: int, grid: float) -> TradeOff:
    """Return the curve of k releases with ln(P / Q) rounded up (direction 1) or down (-1) to the grid.

    The sums are taken by a discrete Fourier transform. What its rounding hides is left out; rounding up, all that was left out is
    counted as found out without a false alarm.
    """
    from scipy.fft import next_fast_len  # imported late: a window opens without it

    both = (each.first > 0) & (each.second > 0)
    p = np.array([value / each.total for value in each.first[both].tolist()])
    logs = _log_ratios(each.first[both], each.second[both])
    if not len(p):
        one = np.array([0.0, 0.0, 1.0])
        return TradeOff(one, np.array([0.0, 1.0, 1.0]), 1.0)
    steps = (np.ceil(logs / grid - 1e-9) if direction > 0 else np.floor(logs / grid + 1e-9)).astype(np.int64)
    low, high = int(steps.min()), int(steps.max())
    length = (high - low) * releases + 1
    size = next_fast_len(max(length, 2), real=True)
    spectrum = np.fft.rfft(np.bincount(steps - low, weights=p, minlength=1), size)
    masses = np.maximum(np.fft.irfft(spectrum**releases, size)[:length], 0.0)
    noise = 4e-16 * math.log2(2 * size) * float(masses.max())
    places = np.flatnonzero(masses > noise)[::-1]
    found = masses[places]
    with np.errstate(over="ignore", under="ignore"):
        false = found * np.exp(-grid * (places + low * releases))
    never = max(1.0 - float(p.sum()) ** releases, 0.0) if (each.second == 0).any() else 0.0
    if direction > 0:
        never += max(1.0 - never - float(found.sum()), 0.0) + 1e-13
    first = np.minimum(np.concatenate(([0.0, never], never + np.cumsum(found))), 1.0)
    second = np.minimum(np.concatenate(([0.0, 0.0], np.cumsum(false))), 1.0)
    return TradeOff(np.append(second, 1.0), np.append(first, 1.0), 1.0, _BLURRED)


def _log_ratios(above: NDArray[Any], below: NDArray[Any]) -> Floats:
    if above.dtype == object:
        return np.array([_log_ratio(a, b) for a, b in zip(above.tolist(), below.tolist(), strict=True)])
    difference = (above - below) / below
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(abs(difference) < 0.5, np.log1p(difference), np.log(above / below)))


def _log_ratio(above: Any, below: Any) -> float:
    if isinstance(above, int) and (above.bit_length() > 1000 or below.bit_length() > 1000):
        return math.log(above) - math.log(below)
    difference = (above - below) / below
    return math.log1p(difference) if abs(difference) < 0.5 else math.log(above / below)


def _largest_rho(p: Floats, logs: Floats, lost: float, reached: float) -> float:
    """Return sup over x = a - 1 > 0 of ln(sum P e^(x L)) / (x (1 + x)); the limit at 0 is the Kullback-Leibler divergence."""
    divergence = max(math.fsum(p * (logs + np.expm1(-logs))) + lost, 0.0)
    if divergence == 0:
        return 0.0

    def at(x: Floats) -> Floats:
        powers = x[:, np.newaxis] * logs
        top = np.maximum(powers.max(axis=1, keepdims=True), 0)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            large = top[:, 0] + np.log((p * np.exp(powers - top)).sum(axis=1))
            series = powers**2 * (0.5 + powers * (1 / 6 + powers * (1 / 24 + powers / 120)))
            excess = np.where(abs(powers) < 1e-3, series, np.expm1(powers) - powers)
            small = np.log1p(x * divergence + (p * excess).sum(axis=1))
        return np.asarray(np.where(top[:, 0] > 500, large, small) / (x * (1 + x)))

    places = np.geomspace(1e-4, 1e5, 48)
    values = at(places)
    highest = float(values.max())
    if max(divergence, highest) * 1.02 < reached:  # it cannot become the largest
        return max(divergence, highest)
    for _ in range(4):
        best = int(np.argmax(values))
        places = np.geomspace(places[max(best - 1, 0)], places[min(best + 1, len(places) - 1)], 33)
        values = at(places)
        highest = max(highest, float(values.max()))
    return max(divergence, highest)
