"""One release for several readers: its value to each, and what is made of its draw: readings at random, further levels.

What is made of a draw of geometric noise: readings at random, and further releases that are more private.

Readings of a release are as private as the release. Several precisions come from one draw: each more private release is drawn
from the one before, and nothing more is learned of it.

G_b = G_a T with T = G_a^-1 G_b a table of chances where a <= b. So y_1 is drawn with the least private level, y_2 from y_1 by T,
and so on: whoever sees several of them learns what the least private tells. Independent draws would multiply instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics import sampling
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.rounding import context, decimal
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.release_value import (
    MOST_DENSE_N,
    Served,
    ends,
    least_epsilon,
    loss_at,
    read_table,
    serve,
    shared_level,
)
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Reading = tuple[tuple[Fraction, ...], ...]
_DIGITS = 6  # of printed probabilities


@dataclass(frozen=True, eq=False)
class ReadGeometric(Mechanism):
    """Geometric noise whose outputs are read at random.

    Attributes
    ----------
    privacy : PrivacyLevel
    reading : tuple of tuple of Fraction
        (n + 1, m): row j has the probabilities of the readings of output j and sums to exactly 1.
    """

    privacy: PrivacyLevel
    reading: Reading

    @property
    def n(self) -> int:  # type: ignore[override]
        """The largest true result."""
        return len(self.reading) - 1

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, m), read-only."""
        entries = geometric.matrix(self.privacy, self.n) @ np.array([[float(value) for value in row] for row in self.reading])
        entries.flags.writeable = False
        return np.asarray(entries)

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        n = self.n
        powers, weights = geometric.powers(alpha, n), geometric.exact_weights(alpha, n)
        columns = [
            [(j, row[r]) for j, row in enumerate(self.reading) if row[r]] for r in range(len(self.reading[0]))
        ]  # for each reading, only the outputs that may be read as it
        for i in range(n + 1):
            outputs = [powers[abs(i - j)] * weights[j] for j in range(n + 1)]
            yield [sum((outputs[j] * share for j, share in column), Fraction(0)) for column in columns]


def exact_reading(rows: list[list[Fraction | float]]) -> Reading:
    """Return probabilities as fractions, with rows that sum to exactly 1: the largest entry takes the remainder."""
    made = []
    for row in rows:
        exactly = [Fraction(value) for value in row]
        largest = max(range(len(exactly)), key=exactly.__getitem__)
        exactly[largest] = 1 - sum((value for r, value in enumerate(exactly) if r != largest), Fraction(0))
        made.append(tuple(exactly))
    return tuple(made)


def printed_reading(shares: Sequence[Fraction | float], names: Sequence[str], percent: bool = False) -> str:
    """Return the readings of an output with their probabilities, which sum to 1: six digits, or percentages."""
    made, digits = _printed(dict(enumerate(shares)), _DIGITS), _DIGITS
    if percent:
        digits = next(each for each in range(2, _DIGITS + 1) if len(_printed(made, each)) == len(made))
    form, sure = f".{digits - 2}%" if percent else f".{digits}f", len(made) == 1
    texts = (f"{names[r]} ({format(float(share), form)})" for r, share in _printed(made, digits).items())
    return names[next(iter(made))] if sure else " or ".join(texts)


def _printed(shares: Mapping[int, Any], digits: int) -> dict[int, Fraction]:
    """Return probabilities rounded to so many digits, the likeliest first; it takes the rest, and zeros are omitted."""
    made = {r: Fraction(round(Fraction(share) * 10**digits), 10**digits) for r, share in shares.items()}
    made[max(made, key=made.__getitem__)] += 1 - sum(made.values())
    return {r: made[r] for r in sorted(made, key=made.__getitem__, reverse=True) if made[r]}


def kernels(levels: Sequence[PrivacyLevel], n: int) -> tuple[Any, ...]:
    """Return the tables that draw each level from the one before, in fractions; none if an alpha is irrational."""
    alphas = [level.exact_alpha for level in levels]
    return () if None in alphas else tuple(tuple(map(tuple, kernel(a, b, n))) for a, b in pairwise(alphas))  # type: ignore[arg-type]


def kernel(a: Fraction, b: Fraction, n: int) -> list[list[Fraction]]:
    """Return T, (n + 1, n + 1), which turns geometric noise at alpha = a into geometric noise at alpha = b.

    Raises
    ------
    InputError
        Unless 0 <= a <= b <= 1 and a < 1.
    """
    entry, places = _kernel_entry(a, b, n), range(n + 1)
    return [[entry(j, r) for r in places] for j in places]


def _kernel_entry(a: Fraction, b: Fraction, n: int) -> Callable[[int, int], Fraction]:
    """Return the function of a row and a column that computes an entry of `kernel`."""
    if not 0 <= a <= b <= 1 or a == 1:
        raise InputError(f"a release can only be made more private: alpha must rise from below 1, not from {a} to {b}.", "levels")
    if n == 0:
        return lambda j, r: Fraction(1)
    coarse, powers = geometric.exact_weights(b, n), geometric.powers(b, n)
    if a == 0:
        return lambda j, r: powers[abs(j - r)] * coarse[r]
    fine, inner, scale = geometric.exact_weights(a, n), 1 - a * b, 1 - a * a
    apart = 1 - a / b

    def entry(j: int, r: int) -> Fraction:
        end = j in (0, n)
        if r == j:
            value = inner if end else inner + a * (a - b)
        else:
            value = powers[abs(j - r)] * apart * (1 if end else inner)
        return value / scale * coarse[r] / fine[j]

    return entry


def decimal_kernel(a: Fraction, b: Fraction, n: int, digits: int) -> Iterator[list[Decimal]]:
    """Yield the rows of `kernel` as decimals with this many significant digits; a and b are read with 30 more."""
    form = context(digits)
    with localcontext(context(digits + 30)) as fine:
        low, high = decimal(a, fine), decimal(b, fine)
        weights, powers = (
            [Decimal(1) if r in (0, n) else 1 - high for r in range(n + 1)],
            [high**k if k else Decimal(1) for k in range(n + 1)],
        )
        rows = list[list[Decimal]]()
        for j in range(n + 1):
            same, off = _kernel_parts(low, high, n, j) if high and n else (Decimal(1), Decimal(0))
            row = [(off * powers[abs(j - r)] if r != j else same) * weights[r] for r in range(n + 1)]
            total = sum(row)
            rows.append([form.divide(entry, total) for entry in row])
    yield from rows


def _kernel_parts(a: Any, b: Any, n: int, j: int) -> tuple[Any, Any]:
    """Return the entry at j of row j of `kernel`, and the factor of b to the power of the distance in the others."""
    inner, end = 1 - a * b, j in (0, n)
    return (inner if end else inner + a * (a - b)), (1 - a / b) * (1 if end else inner)


def _kernel_row(a: float, b: float, n: int, j: int) -> Floats:
    """Return row j of `kernel` in doubles."""
    places = np.arange(n + 1)
    if not b or not n:
        return np.asarray(places == j, float)
    same, off = _kernel_parts(a, b, n, j)
    row = np.where(places == j, same, off * b ** np.abs(places - j)) * np.where(places % n, 1 - b, 1.0)
    return np.asarray(row / row.sum())


def _kernel_weights(a: Fraction, b: Fraction, n: int, j: int) -> list[int]:
    """Return whole numbers in proportion to row j of `kernel`: quicker than fractions, and as exact."""
    if not b or not n:
        return [int(r == j) for r in range(n + 1)]
    same, off = _kernel_parts(a, b, n, j)
    ends = [1 if r in (0, n) else 1 - b for r in range(n + 1)]
    common = math.lcm(same.denominator * b.denominator, off.denominator * b.denominator)
    powers = [b.denominator**n]
    for _ in range(n):
        powers.append(powers[-1] * b.numerator // b.denominator)
    factors = {(r, each): int(common * (same if r else off) * each) for r in (True, False) for each in {*ends}}
    return [powers[abs(j - r)] * factors[r == j, ends[r]] for r in range(n + 1)]


def draw_levels(levels: Sequence[PrivacyLevel], n: int, count: int) -> tuple[int, ...]:
    """Draw a number for each level from the operating system's entropy, each from the one before, at a true count.

    Exact; of several levels, an irrational alpha is rounded up by a relative 1e-70 at most, which is more private.

    Parameters
    ----------
    levels : sequence of PrivacyLevel
        The least private first.
    n, count : int
    """
    alphas = [level.alpha_above for level in levels]
    first = levels[0] if len(levels) == 1 else PrivacyLevel.from_alpha(alphas[0])
    numbers = [geometric.RemappedGeometric(first, n, range(n + 1)).draw(count)]
    for a, b in pairwise(alphas):
        numbers.append(sampling.from_weights([Fraction(each) for each in _kernel_weights(a, b, n, numbers[-1])]))
    return tuple(numbers)


def chances_given(levels: Sequence[PrivacyLevel], n: int, count: int, numbers: Sequence[int]) -> tuple[Floats, tuple[int, ...]]:
    """Return the probabilities (levels, n + 1) of each level's number given the one above, and the numbers.

    The first is given the true count. A number that is impossible there is replaced by the nearest possible one.

    Parameters
    ----------
    levels : sequence of PrivacyLevel
        The least private first.
    n, count : int
    numbers : sequence of int
        One for each level.
    """
    chances, made = geometric.row(levels[0], n, count)[None], list[int]()
    for place, number in enumerate(numbers):
        if place:
            a, b = (float(each.alpha_above) for each in levels[place - 1 : place + 1])
            chances = np.vstack([chances, _kernel_row(a, b, n, made[-1])])
        possible = np.flatnonzero(chances[place] > 0)
        made.append(int(possible[np.abs(possible - number).argmin()]))
    return chances, tuple(made)


Exact = Fraction | float

_QUICK = 60  # largest count for which a rough answer has the levels, too
_PROVED = 1e-7  # relative to the loss: a gap or an excess up to here is a rounding error


@dataclass(frozen=True, eq=False)
class ReaderResult:
    """The value of the release to one reader.

    Attributes
    ----------
    reader : AudienceReader
    served : Served
        By the release, or by the existing table.
    best : Served
        By geometric noise at the same privacy level.
    separate : Served or None
        By a table of their own at a share of ε; None for a lone reader.
    target : Fraction or None
    least_epsilon : float or None
        The least ε that meets the target; None where there is no target, or none does.
    levels : tuple of Served
        By each of the further levels.
    """

    reader: AudienceReader
    served: Served
    best: Served
    separate: Served | None
    target: Fraction | None
    least_epsilon: float | None
    levels: tuple[Served, ...]

    @property
    def proved(self) -> bool:
        """Whether a certificate proves the optimum at this ε up to rounding."""
        gap = self.best.gap
        return (gap is not None and float(gap) <= _PROVED * max(abs(float(self.best.loss)), 1e-9)) or gap == 0

    @property
    def optimal(self) -> bool:
        """Whether no release at this ε serves the reader better."""
        if not self.proved:
            return False
        return self.served is self.best or float(self.served.loss) <= float(self.best.loss) * (1 + 1e-12)

    @property
    def regret(self) -> Exact | None:
        """An upper bound on the loss minus the least possible loss."""
        optimum = self.best.optimum
        return None if optimum is None else max(self.served.loss - optimum, 0)

    @property
    def excess(self) -> Exact | None:
        """The excess loss as a share of the least possible, 0 below 1e-7; None where that is 0 and the loss is not."""
        optimum, loss = self.best.optimum, self.served.loss
        if optimum is None or (not optimum and loss):
            return None
        if self.optimal and not isinstance(loss, Fraction):
            return 0
        more = loss / optimum - 1 if optimum else 0
        return more if more >= _PROVED or not more else 0

    @property
    def separate_loss(self) -> Exact | None:
        """The least loss of a separate table for the reader, rounded down."""
        if self.separate is None:
            return None
        return self.separate.loss if self.separate.optimum is None else self.separate.optimum

    @property
    def separate_excess(self) -> Exact | None:
        """The excess cost of a separate table over the one release, as a share; None where the release costs nothing."""
        separate, loss = self.separate_loss, self.served.loss
        if separate is None or (not loss and separate):
            return None
        return max(separate / loss - 1, Fraction(-1)) if loss else 0

    @property
    def unreachable(self) -> bool:
        """Whether there is a target that no ε meets."""
        return self.target is not None and self.least_epsilon is None

    @property
    def least_loss(self) -> Exact:
        """The loss when the true count itself is released."""
        return ends(self.reader)[0]

    @property
    def met(self) -> bool | None:
        """Whether the target is met now; None if there is none."""
        return None if self.target is None else float(self.served.loss) <= float(self.target) * (1 + 1e-12)


def results_of(
    readers: Sequence[AudienceReader],
    level: PrivacyLevel,
    table: ReleaseTable | None = None,
    levels: Sequence[PrivacyLevel] = (),
    roughly: bool = False,
    progress: Progress = silent,
) -> list[ReaderResult]:
    """Compute every reader's best remap of one release.

    Parameters
    ----------
    readers : sequence of AudienceReader
    level : PrivacyLevel
        Of geometric noise; that of the table where there is one.
    table : ReleaseTable, optional
        What is read in place of geometric noise.
    levels : sequence of PrivacyLevel
        Further ones, each read by everybody.
    roughly : bool
        As in `serve`.
    progress : Progress
    """
    own = shared_level(level, len(readers))

    def served(reader: AudienceReader, at: PrivacyLevel, certified: bool) -> Served:
        if roughly:
            return serve(reader, at, roughly=True, certified=certified, progress=progress)
        return _served(reader, at, certified)

    made: dict[int, ReaderResult] = {}
    for place in sorted(range(len(readers)), key=lambda place: readers[place].loss_title):  # readers with the same loss share it
        reader = readers[place]
        progress(len(made) / len(readers), reader.name)
        best = served(reader, level, True)
        read = best if table is None else _read(reader, table)
        separate = served(reader, own, False) if len(readers) > 1 else None
        target = None if reader.target is None else exact(reader.target)
        least = None if target is None else _least(reader, target)
        late = table is not None or (roughly and reader.n > _QUICK)
        further = () if late else tuple(served(reader, each, False) for each in levels)
        made[place] = ReaderResult(reader, read, best, separate, target, least, further)
    return [made[place] for place in range(len(readers))]


@lru_cache(maxsize=1024)
def _served(reader: AudienceReader, level: PrivacyLevel, certified: bool) -> Served:
    return serve(reader, level, certified=certified)


@lru_cache(maxsize=256)
def _read(reader: AudienceReader, table: ReleaseTable) -> Served:
    return read_table(reader, table)


@lru_cache(maxsize=1024)
def _least(reader: AudienceReader, target: Fraction) -> float | None:
    return least_epsilon(reader, target)


def total_loss(weights: Sequence[Fraction], losses: Sequence[Exact | None]) -> Exact | None:
    """Return the weighted sum of losses, as a fraction if all are; None if one is unknown."""
    if None in losses:
        return None
    total: Exact = Fraction(0)
    for weight, loss in zip(weights, losses, strict=True):
        total += weight * loss if isinstance(loss, Fraction) else float(weight) * float(loss or 0)
    return total


# Losses against epsilon --------------------------------------------------------------------------------------------------

MOST_COMPARED, MOST_CURVES = 8, 40  #: readers that pictures compare at once, and that have curves
_PER_OCTAVE = 8  # points of a curve while epsilon doubles


@dataclass(frozen=True, eq=False)
class LossCurves:
    """The loss of geometric noise to readers at every epsilon, each as a share of the loss if the data are ignored.

    Attributes
    ----------
    readers : tuple of AudienceReader
    epsilon : ndarray
        (k,): in rising order.
    shares : ndarray
        (readers, k): at most 1.
    low : float
        The least epsilon to be seen; below it are those of a table that has only a part of it.
    """

    readers: tuple[AudienceReader, ...]
    epsilon: Floats
    shares: Floats
    low: float


def compared(count: int, chosen: int) -> range:
    """Return the places of the readers that a picture compares: consecutive ones, with the chosen one among them."""
    first = max(min(chosen // MOST_COMPARED * MOST_COMPARED, count - MOST_COMPARED), 0)
    return range(first, min(first + MOST_COMPARED, count))


def curved(results: Sequence[ReaderResult]) -> list[int]:
    """Return the places of the first readers with a curve: their loss needs no linear program and can be reduced."""
    places = [place for place, each in enumerate(results) if not each.reader.cautious and each.reader.constant_loss > 0]
    return places[:MOST_CURVES]


def loss_curves(
    readers: Sequence[AudienceReader], shown: Iterable[float | None], progress: Progress = silent, tables: int = 1
) -> LossCurves:
    """Return the losses at every epsilon between powers of 2 around those that are shown; fewer where a loss takes long.

    They begin further left if so many tables share an epsilon.
    """
    values = [1 / 4, 4, *(each for each in shown if each is not None and 0 < each < 700)]
    low, high = (_PER_OCTAVE * (round(math.log2(end)) + by) for end, by in ((min(values), -1), (max(values), 1)))
    least = low - _PER_OCTAVE * math.ceil(math.log2(tables))
    places = np.arange(least, high + 1, 1 if not readers or readers[0].n <= MOST_DENSE_N else _PER_OCTAVE // 2)
    shares = np.empty((len(readers), len(places)))
    for at, reader in enumerate(readers):
        progress(at / len(readers), reader.name)
        shares[at] = [_share(reader, place) for place in places.tolist()]
    return LossCurves(tuple(readers), 2.0 ** (places / _PER_OCTAVE), shares, 2.0 ** (low / _PER_OCTAVE))


@lru_cache(maxsize=8192)
def _share(reader: AudienceReader, place: int) -> float:
    return min(loss_at(reader, 2.0 ** (place / _PER_OCTAVE)) / reader.constant_loss, 1.0)
