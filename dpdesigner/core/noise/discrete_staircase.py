"""The discrete staircase [Geng]: integer noise of least expected cost, its exact draws; and a histogram's cells with it.

P(i) = a for 0 <= i < r, a b for r <= i < Delta, P(i + Delta) = b P(i), even; 1 <= r <= Delta is the split, b = exp(-epsilon) and
a = (1 - b) / (2 r + 2 b (Delta - r) - (1 - b)). For Delta = 1 this is the geometric mechanism's noise.

Exact draws
-----------
Noise is drawn from the operating system's entropy with integers only.

Floating-point noise leaks through its rounding; here every probability is met exactly, also where exp(-epsilon) is irrational.

Abstract setting of [Geng]
--------------------------
There is any finite set of outputs, and any cost C(D, r) of answering r when the data is D.

An output is given with probability proportional to b^k, k the whole part of C(D, r) / Delta, Delta = max |C(D, r) - C(D', r)|
over neighbours D, D' (gamma = 1). The weight of an output changes by at most exp(epsilon) between neighbours, and so does their
sum: the mechanism is 2 epsilon-private in general, and epsilon-private where the sum is the same for all D, as for noise on the
real line. Which it is, is computed.

Histograms
----------
Cells are parsed from text, and their counts are released with integer noise, drawn exactly.

Each cell gets geometric noise with alpha = exp(-epsilon / Delta), Delta the histogram's L1 sensitivity: 1 when a row is added or
removed, 2 when one is replaced (`dpdesigner.core.basics.sensitivity`).
"""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, Integers, log_shares
from dpdesigner.core.basics import sensitivity
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact, excerpt, listed, nearest
from dpdesigner.core.basics.sampling import Below, bernoulli_alpha, geometric_count
from dpdesigner.core.noise.cost import NoiseCost, terms
from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.staircase import last_term
from dpdesigner.errors import InputError

#: Trying every split of a larger sensitivity would take too long.
LARGEST_SENSITIVITY = 10_000
_AT_ONCE = 1 << 20
_ROUNDING = 1e-12


class BestSplit(NamedTuple):
    """The best split r and its cost."""

    split: int
    cost: float


@dataclass(frozen=True)
class DiscreteStaircase:
    """Discrete staircase noise.

    Attributes
    ----------
    epsilon : float
        In (0, inf).
    split : int
        r, in 1..sensitivity.
    sensitivity : int
        Delta >= 1.

    Raises
    ------
    InputError
        If one of them is out of its range.
    """

    epsilon: float
    split: int
    sensitivity: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.epsilon < math.inf:
            raise InputError(f"epsilon must be positive and finite, got {self.epsilon}.", "epsilon")
        if self.sensitivity < 1:
            raise InputError(f"the sensitivity must be a whole number from 1 on, got {self.sensitivity}.", "sensitivity")
        if not 1 <= self.split <= self.sensitivity:
            raise InputError(f"the split must be between 1 and the sensitivity {self.sensitivity}, got {self.split}.", "gamma")

    @property
    def height(self) -> float:
        """The height P(0) = a."""
        b, rest = math.exp(-self.epsilon), -math.expm1(-self.epsilon)
        return rest / (2 * self.split - 1 + b * (2 * (self.sensitivity - self.split) + 1))

    def step(self, i: ArrayLike) -> Integers:
        """Return how many steps lie between 0 and each i, so that P(i) = a b^step."""
        periods, left = np.divmod(np.abs(np.asarray(i, dtype=np.int64)), self.sensitivity)
        return np.asarray(periods + (left >= self.split), dtype=np.int64)

    def mass(self, i: ArrayLike) -> Floats:
        """Return P(i) at whole numbers i."""
        return np.asarray(self.height * np.exp(-self.epsilon * self.step(i)))

    def tail(self, i: ArrayLike) -> Floats:
        """Return P(X >= i), with high relative accuracy in the tail.

        Notes
        -----
        For i = k Delta + f >= 0: a b^k (max(r - f, 0) + b (Delta - max(r, f))) + b^(k + 1) a (r + b (Delta - r)) / (1 - b).
        """
        i = np.asarray(i, dtype=np.int64)
        size = np.where(i > 0, i, 1 - i)  # P(X >= i) = 1 - P(X >= 1 - i)
        k, f = np.divmod(size, self.sensitivity)
        b, r, period = math.exp(-self.epsilon), self.split, self.sensitivity
        here = np.maximum(r - f, 0) + b * (period - np.maximum(r, f))
        later = b * (r + b * (period - r)) / -math.expm1(-self.epsilon)
        beyond = self.height * np.exp(-self.epsilon * k) * (here + later)
        return np.asarray(np.where(i > 0, beyond, 1 - beyond))

    def cdf(self, i: ArrayLike) -> Floats:
        """Return P(X <= i)."""
        return self.tail(-np.asarray(i, dtype=np.int64))

    def within(self, chance: float) -> int:
        """Return the least k with P(|X| <= k) >= chance, a probability below 1, up to rounding of doubles."""
        low, high, beyond = -1, 1, (1 - chance) * (1 + _ROUNDING)
        while 2 * float(self.tail(high + 1)) > beyond:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if 2 * float(self.tail(middle + 1)) <= beyond else (middle, high)
        return high


def split_costs(cost: NoiseCost, epsilon: float, sensitivity: int) -> Floats:
    """Return E L(X) for every split.

    Parameters
    ----------
    cost : NoiseCost
        L.
    epsilon : float
        Positive.
    sensitivity : int
        Delta, in 1..10000.

    Returns
    -------
    ndarray
        (Delta,): for r = 1..Delta; infinite where the sum diverges or leaves the range in which L can be computed.
    """
    sums = _residue_sums(cost, epsilon, sensitivity)
    numerators, denominators = _quotient(cost, epsilon, sums)
    return np.asarray(numerators / denominators)


def best_split(cost: NoiseCost, epsilon: float, sensitivity: int) -> BestSplit:
    """Return the split of least E L(X); parameters as `split_costs`.

    Notes
    -----
    With A_j = sum_k b^k L(k Delta + j), which grows in j, the cost falls from r to r + 1 exactly while (1 - b) A_r is below it:
    the first r where it is not is the best, and there is no other valley.
    """
    sums = _residue_sums(cost, epsilon, sensitivity)
    if not np.isfinite(sums).all():
        return BestSplit(1, math.inf)
    numerators, denominators = _quotient(cost, epsilon, sums)
    rising = -math.expm1(-epsilon) * sums[1:] * denominators[:-1] >= numerators[:-1]
    best = int(np.argmax(rising)) if rising.any() else sensitivity - 1
    return BestSplit(best + 1, float(numerators[best] / denominators[best]))


def discrete_laplace_cost(cost: NoiseCost, epsilon: float, sensitivity: int) -> float:
    """Return E L(Z) of discrete Laplace noise of the same sensitivity: Pr[Z = i] proportional to exp(-epsilon |i| / Delta)."""
    t = epsilon / sensitivity
    a, rest = math.exp(-t), -math.expm1(-t)
    if isinstance(cost, PowerCost) and cost.power in (1, 2):
        return 2 * a / (rest * (1 + a)) if cost.power == 1 else 2 * a / rest**2
    last = last_term(cost, t, 1.0)
    if last == math.inf:
        return math.inf
    series = terms(t, last, _corner_places(cost, 1, last))
    with np.errstate(over="ignore"):
        total = 2 * float(series.weights @ cost.value(series.k)) - float(cost.value(np.zeros(1))[0])
    return rest / (1 + a) * total


def _quotient(cost: NoiseCost, epsilon: float, sums: Floats) -> tuple[Floats, Floats]:
    """Return the numerator and denominator of E L for r = 1..Delta: a = (1 - b) / denominator."""
    b, rest = math.exp(-epsilon), -math.expm1(-epsilon)
    inside = np.cumsum(sums)
    outside = np.append(np.cumsum(sums[:0:-1])[::-1], 0.0)
    split = np.arange(1, len(sums) + 1)
    numerators = rest * (2 * (inside + b * outside) - float(cost.value(np.zeros(1))[0]))
    return numerators, 2 * split - 1 + b * (2 * (len(sums) - split) + 1)


def _residue_sums(cost: NoiseCost, epsilon: float, sensitivity: int) -> Floats:
    """Return A_j = sum_k b^k L(k Delta + j) for j = 0..Delta - 1."""
    if sensitivity > LARGEST_SENSITIVITY:
        raise InputError(f"an integer sensitivity must be at most {LARGEST_SENSITIVITY}, got {sensitivity}.", "sensitivity")
    b, rest = math.exp(-epsilon), -math.expm1(-epsilon)
    j = np.arange(sensitivity, dtype=float)
    if isinstance(cost, PowerCost) and cost.power == 1:
        return np.asarray((j + sensitivity * (b / rest)) / rest)
    if isinstance(cost, PowerCost) and cost.power == 2:
        return np.asarray((j * j + sensitivity * (b / rest) * (2 * j + sensitivity * (1 + b) / rest)) / rest)
    last = last_term(cost, epsilon, float(sensitivity))
    if last == math.inf:
        return np.full(sensitivity, math.inf)
    series = terms(epsilon, last, _corner_places(cost, sensitivity, last))
    size = max(_AT_ONCE // len(series.k), 1)
    with np.errstate(over="ignore"):
        starts = range(0, sensitivity, size)
        parts = [series.weights @ cost.value(np.add.outer(series.k * sensitivity, j[at : at + size])) for at in starts]
    return np.concatenate(parts)


def _corner_places(cost: NoiseCost, sensitivity: int, last: float) -> tuple[int, ...]:
    return tuple(sorted({int(x / sensitivity) for x in cost.corners if x / sensitivity <= last}))


#: This many periods or more are never drawn: even at epsilon = 1e-6 the probability is below exp(-10^50).
_ENDLESS = 1 << 200


def draw(privacy: PrivacyLevel, split: int, sensitivity: int, below: Below = secrets.randbelow) -> int:
    """Return one value of discrete staircase noise.

    Parameters
    ----------
    privacy : PrivacyLevel
        Its epsilon must be positive; infinite epsilon gives no noise.
    split, sensitivity : int
        r and Delta, 1 <= r <= Delta.
    below : callable
        Returns a uniform integer in [0, argument).

    Raises
    ------
    InputError
        If epsilon is 0: no such noise exists.

    Notes
    -----
    |X| = K Delta + J with K geometric and J in 0..Delta - 1, where a J from the split on is kept with probability alpha only; a
    negative zero is drawn again, so that zero does not count twice.
    """
    if privacy.alpha == 1:
        raise InputError("epsilon must be positive to draw noise, got 0.", "epsilon")
    if privacy.exact_alpha == 0:
        return 0
    while True:
        position = below(sensitivity)
        if position >= split and not bernoulli_alpha(privacy, below):
            continue
        size = geometric_count(privacy, _ENDLESS, below) * sensitivity + position
        negative = below(2) == 1
        if size or not negative:
            return -size if negative else size


@dataclass(frozen=True)
class AbstractStaircase:
    """A mechanism with staircase weights.

    Attributes
    ----------
    costs : tuple of tuple of int
        C(D, r): rows are databases, each a neighbour of the next, columns outputs; at least 0.
    epsilon : float
        Positive: the weight of an output changes by at most exp(epsilon) between neighbours.
    """

    costs: tuple[tuple[int, ...], ...]
    epsilon: float

    @cached_property
    def sensitivity(self) -> int:
        """Delta: the largest change in the cost of any output between neighbours."""
        return int(np.abs(np.diff(self.costs, axis=0)).max(initial=0))

    @cached_property
    def steps(self) -> Integers:
        """The number of steps down to each weight, (rows, columns); all 0 if Delta is 0, because the data then have no effect."""
        costs = np.array(self.costs, dtype=np.int64)
        return costs // self.sensitivity if self.sensitivity else np.zeros_like(costs)

    @cached_property
    def matrix(self) -> Floats:
        """Probabilities, (rows, columns), rows = database, columns = output."""
        return np.asarray(np.exp(self._logs))

    @cached_property
    def level(self) -> float:
        """The attained epsilon: the largest |ln ratio| between neighbours, rounded up; at most 2 epsilon."""
        largest = float(np.abs(np.diff(self._logs, axis=0)).max(initial=0.0))
        return largest + 2.0**-50 * (float(np.abs(self._logs).max()) + 1) if largest else 0.0

    @property
    def equal_sums(self) -> bool:
        """Whether all rows have the same weights up to order, so that their sums do not change."""
        ordered = np.sort(self.steps, axis=1)
        return bool((ordered == ordered[0]).all())

    @cached_property
    def _logs(self) -> Floats:
        """The log probabilities."""
        return log_shares(np.asarray(-self.epsilon * self.steps, dtype=float))


MOST_CELLS = 200
_LONGEST = 4000
_RANGE = re.compile(r"\s*(\S+?)\s*(?:\.\.|…|\bto\b|–|(?<=\d)-)\s*([^\s.]\S*)(?:\s+(?:by|in\s+steps\s+of)\s+(\S+))?\s*")
_SEPARATOR = re.compile(r"[,;\s]+")
_ALLOWED = "lower edges like 0, 18, 65, or a range like 0..10 or 18 to 90 by 10"
_SPAN = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+)|(\+))?")  # "2-4" or "5+", in whole numbers


def cell_edges(text: object) -> tuple[Fraction, ...]:
    """Read the lower edges of cells from text: ``"0, 18, 65"``, ``"0..10"``, ``"18 to 90 by 10"`` or ``"0, 1, 2-4, 5+"``.

    Raises
    ------
    InputError
        If they are not increasing numbers, 1 to 200 of them, or a comma or a space could belong to a number or stand between two.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"the cells must be {_ALLOWED}, got {excerpt(text)}.", "cells")
    match, starts = _RANGE.fullmatch(text), _spans(text)
    if starts or match is None:
        edges = tuple(_edge(part, text) for part in starts or _parts(text))
    else:
        low, high, step = (_edge(part or "1", text) for part in match.groups())
        if match[3] is None and 0 < low - high < MOST_CELLS:
            turned = f"{match[2]}..{match[1]}"
            raise InputError(f"the cells must rise: {turned}, got {excerpt(text)}.", "cells", turned)
        if step <= 0 or not 0 <= (high - low) / step < MOST_CELLS:
            raise InputError(f"the cells must rise in at most {MOST_CELLS} steps, got {excerpt(text)}.", "cells")
        edges = tuple(low + k * step for k in range(int((high - low) / step) + 1))
    if not 0 < len(edges) <= MOST_CELLS or any(a >= b for a, b in pairwise(edges)):
        raise InputError(f"the cells must be 1 to {MOST_CELLS} increasing lower edges, got {excerpt(text)}.", "cells")
    return edges


def _spans(text: str) -> list[str]:
    """Return the lower ends of adjacent spans of whole numbers, ``0, 1, 2-4, 5+``; nothing if the text is not of that form.

    Raises
    ------
    InputError
        If the last span is closed, or a number between two spans is in none of them.
    """
    spans = [span.groups() for part in text.split(",") if (span := _SPAN.fullmatch(part.strip()))]
    whole = 1 < len(spans) == 1 + text.count(",") and all(more is None for _, _, more in spans[:-1])
    if not whole or not any(end or more for _, end, more in spans):  # a plain list may be ambiguous
        return []
    for (start, end, _), (following, _, _) in pairwise(spans):
        after = int(end or start) + 1
        if end is not None and int(start) < after < int(following):
            raise InputError(f"the cells must leave no gap: {after} is in no cell, got {excerpt(text)}.", "cells")
        if end is not None and after != int(following):
            return []
    start, end, _ = spans[-1]
    if end is not None:
        opened = f"{text.rpartition(',')[0]}, {start}+"
        raise InputError(f"the last cell must be open, like {start}+, got {excerpt(text)}.", "cells", opened)
    return [start for start, _, _ in spans]


def of_whole_numbers(text: str) -> bool:
    """Return whether cells are written as whole numbers: ``0..10`` or ``0, 1, 2-4, 5+``, not ``0, 1, 2`` or ``0..10 by 1``."""
    match = _RANGE.fullmatch(text)
    return bool(_spans(text)) or (match is not None and match[3] is None and exact(match[1]).denominator == 1)


def _parts(text: str) -> list[str]:
    """Split a list of edges; refuse an ambiguous one, suggesting a clear one if all its numbers are whole."""
    try:
        return listed(text, "the cells", "cells")
    except InputError as error:
        parts = _SEPARATOR.split(text.strip())
        plain = ";" not in text and all(re.fullmatch(r"0|[1-9]\d*", part) for part in parts)
        plain = plain and all(int(a) < int(b) for a, b in pairwise(parts))
        raise InputError(str(error), "cells", ", ".join(parts) if plain else "") from error


def _edge(part: str, text: str) -> Fraction:
    try:
        return exact(part, "cells")
    except InputError as error:
        raise InputError(f"the cells must be {_ALLOWED}, got {excerpt(text)}.", "cells") from error


def cell_title(edges: Sequence[Fraction], cell: int, whole: bool = False) -> str:
    """Return the title of a cell: ``18 to <65``, ``65 or more``, of whole numbers ``3``, ``3–4``; the last has no upper limit."""
    low = _text(edges[cell])
    if cell == len(edges) - 1:
        return f"{low} or more"
    if whole:
        return low if edges[cell + 1] - edges[cell] == 1 else f"{low}–{_text(edges[cell + 1] - 1)}"
    return f"{low} to <{_text(edges[cell + 1])}"


def lower_edges(edges: Sequence[Fraction]) -> tuple[str, ...]:
    """Return where the cells begin, for which there is room: ``15`` for “15 to <20”, ``65+`` for “65 or more”."""
    return *map(_text, edges[:-1]), f"{_text(edges[-1])}+"


def _text(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else f"{nearest(edge):.6g}"


def cell_privacy(privacy: PrivacyLevel, neighbours: sensitivity.Neighbours) -> PrivacyLevel:
    """Return the privacy level of each cell's noise: epsilon / Delta.

    Where epsilon is irrational and has to be halved, it is rounded down in the fifteenth digit: never less private than asked.
    """
    share = int(sensitivity.histogram(neighbours).value)
    if share == 1 or privacy.alpha in (0, 1):
        return privacy
    return PrivacyLevel.from_epsilon(budget_of(privacy) / share)


def release(
    counts: Sequence[int], privacy: PrivacyLevel, neighbours: sensitivity.Neighbours, below: Below = secrets.randbelow
) -> tuple[int, ...]:
    """Return the counts of a histogram with exact integer noise added to each; the released counts may be negative.

    Raises
    ------
    InputError
        If epsilon is 0.
    """
    level = cell_privacy(privacy, neighbours)
    return tuple(int(count) + draw(level, 1, 1, below) for count in counts)


def error_within(level: PrivacyLevel, chance: float) -> int:
    """Return the least k with P(|Z| <= k) at least this probability, for the geometric noise Z of a cell at this level."""
    if not 0 < chance < 1:
        raise InputError(f"the probability must be between 0 and 1, got {chance}.", "chance")
    return 0 if level.alpha == 0 else DiscreteStaircase(level.epsilon, 1).within(chance)


def tally(values: ArrayLike, edges: ArrayLike) -> NDArray[np.int64]:
    """Count values in the cells [edge_0, edge_1), ..., [edge_last, infinity); values below the first edge fall in no cell.

    Parameters
    ----------
    values : array_like
        Finite numbers.
    edges : array_like
        (d,): increasing lower edges of the d cells; fixed in advance and not taken from the data.

    Returns
    -------
    ndarray
        (d,).
    """
    lower, numbers = np.asarray(edges, dtype=float), np.asarray(values, dtype=float)
    if lower.ndim != 1 or not len(lower) or not (np.diff(lower) > 0).all() or not np.isfinite(lower).all():
        raise InputError("the edges of a histogram must be increasing numbers, at least one.", "edges")
    if not np.isfinite(numbers).all():
        raise InputError("the values of a histogram must be finite numbers.", "values")
    cells = np.searchsorted(lower, numbers.ravel(), side="right")
    return np.bincount(cells, minlength=len(lower) + 1)[1:].astype(np.int64)


def fitting_cells(values: NDArray[np.float64]) -> str:
    """Return about ten to thirty cells with round edges that contain all these values; empty if there are none.

    >>> fitting_cells(np.array([18.0, 90.0])), fitting_cells(np.array([0.0, 9.0])), fitting_cells(np.array([0.1, 0.72]))
    ('15..90 by 5', '0..9', '0.1..0.7 by 0.05')
    """
    if not len(values):
        return ""
    low, high = float(values.min()), float(values.max())
    if high == low or not np.isfinite(high - low):
        return ""
    whole_numbers = bool(np.all(values == np.floor(values)))
    power = Decimal(10) ** Decimal((high - low) / 30).adjusted()
    step = next(step for times in (1, 2, 5, 10, 20) if (step := times * power) * 30 >= Decimal(high - low))
    if whole_numbers:
        step = max(step, Decimal(1))
    first = Decimal(low) // step * step - (step if Decimal(low) < 0 and Decimal(low) % step else 0)
    last = Decimal(high) // step * step
    start, end, width = (f"{value.normalize():f}" for value in (first, last, step))
    return f"{start}..{end}" if whole_numbers and step == 1 else f"{start}..{end} by {width}"
