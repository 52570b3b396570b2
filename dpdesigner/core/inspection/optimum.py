"""The best that a table could be: the least loss at its own privacy, also with a delta, and the loss of its worst user.

The least loss at a privacy level is that of geometric noise, read as the user reads best ([GRS] Theorem 3.1 and its
generalisation); where that theorem does not cover the loss, what the certificate proves. Deficiency is the least d such that the
table, its releases redrawn in the best way, is within d of geometric noise in every row by total variation: then no user whom the
theorem covers loses more than d times the range of their loss.

The least loss of any table that is (epsilon, delta)-private, for a loss that Theorem A covers.

The best noise has density A alpha^|k| on [k - 1/2, k + 1/2), cut at -L and L, where A = (1 - alpha + 2 alpha delta)/(1 + alpha)
and L is such that all of it is 1. Of count + noise only the cell between two cuts k + 1/2, i - L, i + L matters; a user reads
each of these cells best. Whatever the prior, no other table costs less: for any private table and any threshold, the curve of its
tail probabilities over the counts is bounded by the one that runs through the same point and falls as steeply as (epsilon, delta)
allows, and these curves are those of this noise. At delta = 0 it is geometric noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.count.alternatives import loss_range, optimal_loss
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.mechanism.remap import solve_exactly
from dpdesigner.errors import InputError

Exact = Fraction | float

_MOST_EXACT_N = 60  # above this n, fractions with many digits are slow
#: Largest linear program of deficiency: entries of the table times rows.
MOST_DEFICIENCY = 12_000
_LARGEST_DENOMINATOR = 10**6
_ENDS = math.log(1e-9), math.log(745.0)  # logarithms of the range of epsilons searched


def optimum(prior: Prior, loss: Loss, ratio: Exact) -> Exact:
    """Return the least expected loss of any table with this largest ratio; in doubles, rounded down.

    Parameters
    ----------
    prior, loss
    ratio : Fraction or float
        e^epsilon; infinite: no privacy.
    """
    n = prior.n
    alpha = Fraction(0) if ratio == math.inf else 1 / Fraction(ratio)
    if n <= _MOST_EXACT_N and (isinstance(ratio, Fraction) or ratio == math.inf):
        try:
            exactly = solve_exactly(prior.exact, loss.exact_matrix(n), alpha)
            return Fraction(exactly.value - exactly.certificate.gap)
        except InputError:
            pass
    if ratio == math.inf:
        return loss_range(prior.probabilities, loss.matrix(n))[0] * (1 - 1e-12)
    level = PrivacyLevel("alpha", _few_digits(alpha))
    return optimal_loss(prior.probabilities, loss.matrix(n), level, loss.coverage(n).covered) * (1 - 1e-12)


def epsilon_of_equal_use(prior: Prior, loss: Loss, target: Exact) -> float:
    """Return the least epsilon at which geometric noise with the best reading has at most this loss; rounded up.

    0 where ignoring the data does as well, infinite where only the truth itself does.
    """
    weights, losses = prior.probabilities, loss.matrix(prior.n)
    best, worst = loss_range(weights, losses)
    aim = float(target)
    if Fraction(target) >= Fraction(worst) * (1 - Fraction(1, 10**14)):
        return 0.0
    if aim <= best:
        return math.inf
    covered = loss.coverage(prior.n).covered

    def excess(place: float) -> float:
        return optimal_loss(weights, losses, PrivacyLevel.from_epsilon(math.exp(place)), covered) - aim

    return first_below(excess)


def first_below(excess: Callable[[float], float]) -> float:
    """Return, almost exactly, the least epsilon at which a falling function of ln epsilon is at most 0; infinite if none.

    It is looked for in ever longer steps from 1 on, between 1e-9 and 745: losses at extreme levels take longer to compute.
    """
    from scipy.optimize import brentq  # imported late: a window opens without it

    excess = cache(excess)
    low = high = 0.0
    down, step = excess(0.0) <= 0, 1.0
    while (excess(low) <= 0) if down else (excess(high) > 0):
        if low == _ENDS[0]:
            return math.exp(low)
        if high == _ENDS[1]:
            return math.inf
        low, high = (max(low - step, _ENDS[0]), low) if down else (high, min(high + step, _ENDS[1]))
        step *= 2
    place = float(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))
    step = 1e-14 * max(1.0, abs(place))
    while excess(place) > 0:
        place += step
        step *= 2
    return math.exp(place) * (1 + 1e-14)


@dataclass(frozen=True)
class Deficiency:
    """The worst user's loss, per unit of the range of their loss: between two fractions, usually equal."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """Whether the value is known exactly."""
        return self.low == self.high


@lru_cache(maxsize=16)
def deficiency(table: ReleaseTable, ratio: Exact) -> Deficiency | None:
    """Return the table's deficiency relative to geometric noise of this largest ratio; None if the linear program is too large.

    min over stochastic T of max_i TV((M T)_i, G_i). A T in fractions bounds it from above; row weights lambda and
    0 <= y_ir <= lambda_i bound it from below by sum_j min_r (M^T y)_jr - sum_ir y_ir G_ir.
    """
    rows, columns = table.weights.shape
    if rows * rows * columns > MOST_DEFICIENCY or not table.exact:
        return None
    alpha = Fraction(0) if ratio == math.inf else 1 / Fraction(ratio)
    target = _geometric(rows - 1, alpha)
    mechanism = [[Fraction(w, total) for w in row] for row, total in zip(table.weights.tolist(), table.totals, strict=True)]
    reading, multipliers = _program(table.doubles, np.array(target, dtype=float))
    upper = min(_worst(mechanism, rounded, target) for rounded in _stochastic(reading))
    lower = max(_bound(mechanism, y, target) for y in _rational(multipliers))
    return Deficiency(max(lower, Fraction(0)), upper)


def _geometric(n: int, alpha: Fraction) -> list[list[Fraction]]:
    """Return the rows of geometric noise within 0..n, the target to be derived from a table."""
    if n == 0:
        return [[Fraction(1)]]
    end, inner = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
    weights = [end, *[inner] * (n - 1), end]
    powers = [alpha**k for k in range(n + 1)]
    return [[powers[abs(i - r)] * weights[r] for r in range(n + 1)] for i in range(n + 1)]


def _program(mechanism: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Solve the linear program for T, (columns, rows), and the multipliers y, (rows, rows)."""
    from scipy import sparse  # imported late: a window opens without it
    from scipy.optimize import linprog

    rows, columns = mechanism.shape
    made: Any = sparse  # the stubs do not know that blocks of several types can be combined
    # variables: T (columns x rows), s (rows x rows), d;   M T - s <= G,   sum_r s_ir <= d,   sum_r T_jr = 1
    one = made.eye(rows)
    over = made.hstack([made.kron(made.csr_matrix(mechanism), one), -made.eye(rows * rows), made.csr_matrix((rows * rows, 1))])
    sums = made.hstack([made.csr_matrix((rows, columns * rows)), made.kron(one, np.ones((1, rows))), -np.ones((rows, 1))])
    chances = made.hstack([made.kron(made.eye(columns), np.ones((1, rows))), made.csr_matrix((columns, rows * rows + 1))])
    cost = np.zeros(columns * rows + rows * rows + 1)
    cost[-1] = 1
    found: Any = linprog(
        cost,
        A_ub=made.vstack([over, sums]).tocsr(),
        b_ub=np.concatenate([target.ravel(), np.zeros(rows)]),
        A_eq=chances.tocsr(),
        b_eq=np.ones(columns),
        method="highs",
    )
    return found.x[: columns * rows].reshape(columns, rows), -found.ineqlin.marginals[: rows * rows].reshape(rows, rows)


def _stochastic(reading: Floats) -> list[list[list[Fraction]]]:
    """Return the matrix in fractions, with few digits and with many."""
    made = []
    for digits in (10**3, _LARGEST_DENOMINATOR, 10**14):
        rows = [[max(Fraction(float(t)).limit_denominator(digits), Fraction(0)) for t in row] for row in reading]
        made.append([[t / sum(row) for t in row] for row in rows])
    return made


def _rational(multipliers: Floats) -> list[list[list[Fraction]]]:
    return [
        [[max(Fraction(float(y)).limit_denominator(digits), Fraction(0)) for y in row] for row in multipliers]
        for digits in (10**3, _LARGEST_DENOMINATOR, 10**14)
    ]


def _worst(mechanism: list[list[Fraction]], reading: list[list[Fraction]], target: list[list[Fraction]]) -> Fraction:
    rows, columns = len(target), len(reading)
    worst = Fraction(0)
    for i in range(rows):
        some = [j for j in range(columns) if mechanism[i][j]]
        made = (sum((mechanism[i][j] * reading[j][r] for j in some if reading[j][r]), Fraction(0)) for r in range(rows))
        worst = max(worst, sum((max(value - target[i][r], Fraction(0)) for r, value in enumerate(made)), Fraction(0)))
    return worst


def _bound(mechanism: list[list[Fraction]], multipliers: list[list[Fraction]], target: list[list[Fraction]]) -> Fraction:
    rows, columns = len(target), len(mechanism[0])
    scale = sum((max(row) for row in multipliers), Fraction(0))  # the row weights, which must sum to 1
    if not scale:
        return Fraction(0)
    kept = sum(
        (
            min(
                sum((mechanism[i][j] * multipliers[i][r] for i in range(rows) if multipliers[i][r]), Fraction(0))
                for r in range(rows)
            )
            for j in range(columns)
        ),
        Fraction(0),
    )
    lost = sum((multipliers[i][r] * target[i][r] for i in range(rows) for r in range(rows)), Fraction(0))
    return (kept - lost) / scale


def _few_digits(alpha: Fraction) -> Number:
    """Return alpha with few digits, rounded down, so that the least loss it allows is not above the true one."""
    if max(alpha.numerator, alpha.denominator).bit_length() < 3000:
        return alpha
    return Fraction((alpha.numerator << 200) // alpha.denominator, 1 << 200)


_APPROXIMATE_MOST_EXACT_N = 24
_MOST_STEPS = 100_000  # steps of the noise on either side
_DIGITS = 40  # most digits of alpha and delta as fractions


class _Noise:
    """The distribution function of the noise."""

    def __init__(self, alpha: Any, delta: Any) -> None:
        one = type(alpha)(1)
        self.alpha, self.height = alpha, (one - alpha + 2 * alpha * delta) / (one + alpha)
        below = (one - delta) * alpha / (one + alpha)
        #: F(-1/2), F(-3/2), …, as long as they are above 0
        self.tails = [below]
        while self.tails[-1] > 0:
            if len(self.tails) > _MOST_STEPS:
                raise InputError("delta is too small relative to epsilon for its optimum to be computed.", "delta")
            self.tails.append(self.tails[-1] - self.height * alpha ** len(self.tails))
        last = len(self.tails) - 1
        self.tails.pop()
        self.reach = last - one / 2 + self.tails[-1] / (self.height * alpha**last) if last else one / 2 * 0

    def below(self, z: Any) -> Any:
        """Return Pr[noise < z]."""
        if z > 0:
            return 1 - self.below(-z)
        if z <= -self.reach:
            return z * 0
        k = math.floor(z + type(self.alpha)(1) / 2)  # z is in [k - 1/2, k + 1/2)
        end = self.tails[-k] if -k < len(self.tails) else self.alpha * 0
        return end + (z - k + type(self.alpha)(1) / 2) * self.height * self.alpha ** (-k) if end else self._edge(z, k)

    def _edge(self, z: Any, k: int) -> Any:
        return (z + self.reach) * self.height * self.alpha ** (-k)


def cells(n: int, alpha: Any, delta: Any) -> list[list[Any]]:
    """Return the universal mechanism, (n + 1, cells): the probability of count + noise in each cell.

    Parameters
    ----------
    n : int
    alpha, delta : Fraction or float
        0 < alpha <= 1, 0 < delta < 1.
    """
    noise, half = _Noise(alpha, delta), type(alpha)(1) / 2
    cuts = sorted(
        {k + half for k in range(n)} | {i + noise.reach for i in range(n + 1)} | {i - noise.reach for i in range(n + 1)}
    )
    rows = []
    for i in range(n + 1):
        reached = [noise.below(cut - i) for cut in cuts]
        rows.append([b - a for a, b in pairwise(reached)])
    return rows


def approximate_optimum(prior: Prior, loss: Loss, privacy: PrivacyLevel, delta: Exact) -> Exact | None:
    """Return the least expected loss of any (epsilon, delta)-private table; in doubles, rounded down.

    Returns
    -------
    Fraction, float or None
        None where Theorem A does not cover the loss.
    """
    n = prior.n
    if not loss.coverage(n).covered:
        return None
    alpha: Any = privacy.exact_alpha
    if delta >= 1 or alpha == 0:
        return optimum(prior, loss, math.inf)
    if delta == 0:
        return optimum(prior, loss, 1 / alpha if alpha is not None else 1 / float(privacy.alpha_below))
    digits = 10**_DIGITS
    if n <= _APPROXIMATE_MOST_EXACT_N and alpha is not None and isinstance(delta, Fraction) and delta.denominator < digits:
        try:
            losses = loss.exact_matrix(n)
        except InputError:
            losses = None
        if losses is not None:
            return _least(cells(n, alpha, delta), prior.exact, losses)
    made = _cells_in_doubles(n, float(privacy.alpha_below), float(delta) * (1 + 1e-15))
    expected = (prior.probabilities[:, np.newaxis] * made).T @ loss.matrix(n)
    return max(float(expected.min(axis=1).sum()) * (1 - 1e-12), 0.0)


def _cells_in_doubles(n: int, alpha: float, delta: float) -> Floats:
    """Return `cells` in doubles, all rows at once; each from the nearer tail, so that small probabilities keep their digits."""
    noise = _Noise(alpha, delta)
    counts, reach = np.arange(n + 1), float(noise.reach)
    cuts = np.unique(np.concatenate([counts[:-1] + 0.5, counts + reach, counts - reach]))
    steps = len(noise.tails) - 1
    heights = float(noise.height) * alpha ** np.arange(steps + 2)
    places = np.concatenate([[-reach], -np.arange(steps, -1, -1) - 0.5, [0.0]])
    values = np.concatenate([[0.0], np.array(noise.tails[::-1], dtype=float), [noise.tails[0] + heights[0] / 2]])
    kept = np.concatenate([[True], np.diff(places) > 0])
    away = cuts - counts[:, np.newaxis]
    below = np.interp(-np.abs(away), places[kept], values[kept])
    low = np.diff(below, axis=1)
    rows = np.where(away[:, 1:] <= 0, low, np.where(away[:, :-1] >= 0, -low, 1 - below[:, 1:] - below[:, :-1]))
    return np.asarray(np.maximum(rows, 0.0))


def _least(rows: list[list[Fraction]], prior: tuple[Fraction, ...], losses: list[list[Fraction]]) -> Fraction:
    total = Fraction(0)
    for column in zip(*rows, strict=True):
        joint = [(i, p * x) for i, (p, x) in enumerate(zip(prior, column, strict=True)) if p and x]
        total += min(sum((w * losses[i][r] for i, w in joint), Fraction(0)) for r in range(len(losses)))
    return total
