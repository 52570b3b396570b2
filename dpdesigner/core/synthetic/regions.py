"""Releases that answer for regions: halfspaces with a margin, and rectangles of two columns.

Halfspaces
----------
Answers are scaled down to be feasible: ReleaseHalfspaces of [BLR] without its accuracy theorem.

Points x of unit length in R^d; the query of a direction y counts the share of points with <x, y> > 0, where no point comes nearer
to the plane than the margin. For each of m random projections A of entries +-1/sqrt(T) to R^T, and each direction u of a finite
net U of directions in R^T, the share of rows with <A x, u> > 0 is counted with noise. Definition 6.5 answers a query y by the
mean over the projections of the shares of the directions of U nearest to A y / |A y|. The mean and the median are both offered:
in few dimensions a projection often misplaces points, which pulls the mean towards 1/2 and hardly moves the median.

A row that is replaced moves each of the m |U| counts by at most 1, so that geometric noise of ratio exp(-eps / (m |U|)) makes the
release eps-private, whatever the points are. The number of rows is public and stays: in a plane with an even |U| only the first
|U| / 2 directions are counted, with noise for as many counts, and the count of an opposite one is the number of rows less that,
so that rows on the edge belong to the second half. That is all that is proved here: at the parameters of the paper's theorem the
net has thousands of digits (`full_parameters`), so its accuracy is measured and not promised.

Two columns
-----------
Cells of a square grid are counted with noise, and the rectangle with the worst error is found.

The cells are put into an order in which every square of 2^k by 2^k of them stands together, so that a hierarchy of squares is
one of stretches (`dpdesigner.core.synthetic.cells`). The table of rows is the nearest one to the noisy table without negative
counts (least squares), in whole numbers. The error of all its rectangles is bounded by the noise alone, whatever the rows are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, cos, log, log10, pi, radians, sin, sqrt

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.cells import Cells, Shape, consistent, noisy_levels
from dpdesigner.core.synthetic.draws import SYSTEM, Source, for_study, geometric_noise
from dpdesigner.core.synthetic.error_bounds import ErrorBound, kept, quantile
from dpdesigner.core.synthetic.method_comparison import RELEASES, EpsilonCurve
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

MOST_COUNTS = 20_000


@dataclass(frozen=True, eq=False)
class Projections:
    """The part of the release that is fixed without looking at the points.

    Attributes
    ----------
    matrices : ndarray
        (m, T, d), entries +-1/sqrt(T); the identity alone where d <= T.
    directions : ndarray
        (|U|, T), of unit length.
    """

    matrices: Floats
    directions: Floats

    @property
    def counts(self) -> int:
        """The number of counts that have their own noise."""
        return len(self.matrices) * self.noisy

    @property
    def plane(self) -> bool:
        """True if two columns are not projected: then answers lie between those of the two directions next to a query."""
        return self.matrices.shape == (1, 2, 2) and bool((self.matrices[0] == np.eye(2)).all())

    @property
    def noisy(self) -> int:
        """The number of directions counted for each projection: in a plane one of two opposite ones, see `completed`."""
        half, odd = divmod(len(self.directions), 2)
        return half if self.plane and not odd and np.allclose(self.directions[half:], -self.directions[:half]) else 2 * half + odd

    @property
    def angles(self) -> Floats:
        """The counted directions in a plane, in degrees; none elsewhere, where no direction of the points is counted alone."""
        return np.sort(np.degrees(np.arctan2(*self.directions.T[::-1])) % 360) if self.plane else np.zeros(0)

    @property
    def start(self) -> float:
        """The counted direction (degrees) next to that of a rule like income > 2 × age."""
        return min(self.angles.tolist(), key=lambda at: apart(at, 135.0), default=135.0)

    @property
    def how(self) -> str:
        """The steps from the counts to the answer for a direction, for readers of the release."""
        if not self.plane:
            return (
                "To answer a direction y: for each projection A, find the direction u nearest to A y / |A y|, the first of "
                "equally near ones, and divide its count by the number of rows; then take the median over the projections."
            )
        how = (
            "To answer a direction y: divide the counts of the two directions next to y by the number of rows, and interpolate "
            "linearly in the angle."
        )
        opposite = (
            " Only the first half of the directions is counted, with noise; the count of an opposite direction is the number of "
            "rows less that, so that rows on the edge meet only the rules of the second half."
        )
        return how + opposite * (self.noisy < len(self.directions))

    def completed(self, counts: Integers, rows: int) -> Integers:
        """Add the counts of the opposite directions: the other rows, also those on the edge."""
        return np.hstack([counts, rows - counts]) if self.noisy < len(self.directions) else counts


def projections(dimension: int, target: int, directions: int, many: int, seed: int) -> Projections:
    """Return random projections and a net of directions: equally spaced for T = 2, otherwise random.

    They are public and know nothing of the points; a seed does no harm to privacy. Points of at most T
    dimensions are not projected; of two, the first direction is the first axis.
    """
    if dimension <= target:
        many, target = 1, dimension
    if many * directions > MOST_COUNTS:
        raise InputError(
            f"there must be at most {group_thousands(MOST_COUNTS)} counts, got {many} times {directions}.", "directions"
        )
    generator = np.random.default_rng(seed)
    matrices = generator.choice([-1.0, 1.0], size=(many, target, dimension)) / np.sqrt(target)
    if dimension == target:
        matrices = np.eye(dimension)[np.newaxis]
    if target == 1:
        net = np.array([[-1.0], [1.0]])
    elif target == 2:
        angles = 2 * pi * (np.arange(directions) + (0.5 if dimension > 2 else 0.0)) / directions
        net = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        net[abs(net) < 1e-15] = 0.0  # on an axis
    else:
        net = generator.normal(size=(directions, target))
        net /= np.linalg.norm(net, axis=1, keepdims=True)
    return Projections(matrices, net)


@dataclass(frozen=True, eq=False)
class Released:
    """The release: noisy counts for all projections and directions. It can be exported, and answers any direction.

    Attributes
    ----------
    plan : Projections
    rows : int
    counts : ndarray of int
        (m, |U|).
    privacy : PrivacyLevel
        Of each count.
    """

    plan: Projections
    rows: int
    counts: Integers
    privacy: PrivacyLevel

    def answer(self, direction: ArrayLike) -> float:
        """Return the median, over the projections, of the share of points on the positive side of a direction's plane."""
        return float(np.clip(np.median(self.each(direction)), 0.0, 1.0))

    def mean(self, direction: ArrayLike) -> float:
        """Return the mean over the projections, the answer of Definition 6.5."""
        return float(np.clip(np.mean(self.each(direction)), 0.0, 1.0))

    def each(self, direction: ArrayLike) -> Floats:
        """Return the noisy share of each projection, which may be negative or above 1."""
        return answers(self.plan, self.counts, self.rows, direction)


_TIE = 12  # decimals to which two directions are equally near


def answers(plan: Projections, counts: ArrayLike, rows: int, direction: ArrayLike) -> Floats:
    """Return each projection's noisy share for a direction, from the noisy counts, (m, |U|), of this many points.

    Notes
    -----
    In a plane the share is interpolated between the two directions next to it, linearly in the angle: the mean and the largest
    error are about half those of the nearest direction, or less.

    Raises
    ------
    InputError
        If it is no direction among the points.
    """
    towards = np.asarray(direction, dtype=float)
    length = float(np.linalg.norm(towards))
    if towards.shape != (plan.matrices.shape[2],) or not np.isfinite(length) or length == 0:
        raise InputError(f"a direction must have {plan.matrices.shape[2]} numbers, not all of them 0.", "direction")
    if plan.plane:
        at, known = (np.arctan2(each[..., 1], each[..., 0]) for each in (towards, plan.directions))
        return np.asarray(np.interp([at], known, np.asarray(counts)[0] / rows, period=2 * pi))
    near = (plan.matrices @ (towards / length)) @ plan.directions.T
    nearest = np.argmax(np.round(near, _TIE), axis=1)  # of two equally near, the first, on every processor
    return np.asarray(np.asarray(counts)[np.arange(len(nearest)), nearest] / rows)


def across(angle: float, columns: int) -> Floats:
    """Return the direction at an angle (degrees) between the first two of this many columns."""
    made = np.zeros(columns)
    made[:2] = [each if abs(each) > 1e-15 else 0.0 for each in (cos(radians(angle)), sin(radians(angle)))]
    return made


def between(across: Floats, low: float, high: float, x: Floats, rim: Floats) -> tuple[Floats, Floats]:
    """Return for each x where the distance from the plane is between two values within the circle; nan where it nowhere is."""
    if abs(sine := float(across[1])) < 1e-9:
        inside = (across[0] * x >= low) & (across[0] * x <= high)
        return np.where(inside, -rim, np.nan), np.where(inside, rim, np.nan)
    ends = np.sort(np.array([(low - across[0] * x) / sine, (high - across[0] * x) / sine]), axis=0)
    empty = (least := np.maximum(ends[0], -rim)) > (most := np.minimum(ends[1], rim))
    return np.where(empty, np.nan, least), np.where(empty, np.nan, most)


def apart(one: float, other: float) -> float:
    """Return how far two directions (degrees) are apart."""
    return abs((one - other + 180) % 360 - 180)


def coefficients(angle: float, ranges: Floats) -> Floats:
    """Return those of the rule across an angle, in the units of two columns with ranges, (2, 2): 1 or -1 for the second one."""
    weights = np.array([cos(radians(angle)), sin(radians(angle))]) / np.ptp(ranges, axis=1)
    weights[abs(weights) < 1e-9 * abs(weights).max()] = 0.0
    return np.asarray(weights / abs(weights[int(weights[1] != 0)]))


def scaled(direction: ArrayLike, ranges: Floats | None) -> Floats:
    """Return the coefficients of a rule on columns as the direction among the points: their ranges, (d, 2), become -1 to 1."""
    given = np.asarray(direction, dtype=float)
    return given if ranges is None or given.shape != ranges.shape[:1] else given * np.ptp(ranges, axis=1)


def release(points: ArrayLike, plan: Projections, epsilon: Fraction, source: Source = SYSTEM) -> Released:
    """Count the points on the positive side of every direction of every projection, with exact noise.

    Parameters
    ----------
    points : array_like
        (rows, d); only their directions matter.
    plan : Projections
    epsilon : Fraction
        Of all counts together.
    source : Source
    """
    level, real, rows = PrivacyLevel.from_epsilon(epsilon / plan.counts), _counted(points, plan), len(np.asarray(points))
    noise = geometric_noise(level, plan.counts, source).reshape(real.shape)
    return Released(plan, rows, plan.completed(real + noise, rows), level)


def _counted(points: ArrayLike, plan: Projections) -> Integers:
    """Return the true counts, (m, |U|), counted along rows, which is much faster, and one by one, which needs little memory."""
    where = np.asarray(points, dtype=float)
    kept = (np.ascontiguousarray((where @ matrix.T).T) for matrix in plan.matrices)
    net = plan.directions[: plan.noisy]
    return np.array([[np.count_nonzero(towards @ each > 0) for towards in net] for each in kept], dtype=np.int64)


def released_again(points: ArrayLike, plan: Projections, epsilon: Fraction, progress: Progress = silent) -> Integers:
    """Return the noisy counts of a hundred releases by the same projections, which have seeds: (releases, m, |U|)."""
    level, real, rows = PrivacyLevel.from_epsilon(epsilon / plan.counts), _counted(points, plan), len(np.asarray(points))
    counts = list[Integers]()
    for run in range(RELEASES):
        progress(run / RELEASES, "")
        noise = geometric_noise(level, plan.counts, for_study(run)).reshape(real.shape)
        counts.append(plan.completed(real + noise, rows))
    return np.array(counts)


def reach(noise: PrivacyLevel, many: int) -> float:
    """Return what the median of this many noises, an order statistic of Laplace noise, exceeds in 5% of all releases."""
    from scipy.special import betaincinv  # slow to import

    deviation = float((2 * noise.alpha) ** 0.5 / noise.one_minus_alpha)  # of geometric noise
    return deviation / sqrt(2) * -log(2 * float(betaincinv((many + 1) / 2, (many + 1) / 2, 0.025)))


def share_above(points: ArrayLike, direction: ArrayLike) -> float:
    """Return the share of points on the positive side of the plane orthogonal to a direction."""
    return float((np.asarray(points, dtype=float) @ np.asarray(direction, dtype=float) > 0).mean())


def margin_of(points: ArrayLike, direction: ArrayLike) -> float:
    """Return the absolute cosine of the point nearest to the plane orthogonal to a direction."""
    where, across = np.asarray(points, dtype=float), np.asarray(direction, dtype=float)
    lengths = np.linalg.norm(where, axis=1) * np.linalg.norm(across)
    return float(np.abs(where @ across / np.maximum(lengths, 1e-300)).min())


def share_near(points: ArrayLike, direction: ArrayLike, distance: float) -> float:
    """Return the share of points whose absolute cosine with a unit-length direction is below a distance."""
    where = np.asarray(points, dtype=float)
    return float(np.mean(np.abs(where @ np.asarray(direction, dtype=float)) < distance * np.linalg.norm(where, axis=1)))


def drawn_points(rows: int, dimension: int, margin: float, share: float, seed: int) -> Floats:
    """Draw unit-length points, a share of them on the positive side of the first axis, none within the margin of the plane."""
    generator = np.random.default_rng(seed)
    along = generator.uniform(margin, 1.0, rows) * np.where(generator.random(rows) < share, 1.0, -1.0)
    if dimension == 1:
        return np.asarray(np.sign(along)[:, np.newaxis])
    across = generator.normal(size=(rows, dimension - 1))
    across *= (np.sqrt(np.maximum(1 - along**2, 0.0)) / np.linalg.norm(across, axis=1))[:, np.newaxis]
    return np.column_stack([along, across])


@dataclass(frozen=True)
class FullParameters:
    """Parameters of Theorem 6.9, which are too large to run.

    Attributes
    ----------
    target : int
        T = ceil(20 s^-2 ln(1 / tau)) with s = gamma / 4 and tau = alpha / 8.
    projections : int
        m = (16 / alpha^2) d (ln(4 sqrt(d) / gamma) + ln(1 / beta)), as printed, rounded up.
    projections_right : int
        m by the bound 2 exp(-m alpha^2 / 32) over a net of (8 sqrt(d) / gamma + 1)^d directions, at failure beta / 3, rounded up.
    log10_directions : float
        log10 of |U|, (4 sqrt(T) / gamma)^T by Claim 6.7.
    log10_rows : float
        log10 of n, as printed in Theorem 6.9.
    log10_rows_right : float
        log10 of n that keeps all m |U| noises within 1: (m |U| / epsilon) ln(3 m |U| / beta), with `projections_right` and a net
        of (8 sqrt(T) / gamma + 1)^T directions.
    """

    target: int
    projections: int
    projections_right: int
    log10_directions: float
    log10_rows: float
    log10_rows_right: float


def full_parameters(margin: float, alpha: float, epsilon: float, dimension: int = 5, beta: float = 0.05) -> FullParameters:
    """Return the parameters of Theorem 6.9.

    Notes
    -----
    With |noise| <= 1 as the only condition, Hoeffding bounds the probability that the mean of m noises reaches alpha / 4 by
    2 exp(-m alpha^2 / 32). |p| > (m |U| / (eps n)) ln(k) has probability 1 / k for each noise: k = 3 m |U| / beta.
    """
    if not (0 < margin <= 1 and 0 < alpha < 1 and epsilon > 0 and 0 < beta < 1):
        raise InputError(
            "the margin must be above 0 and at most 1, alpha and beta between 0 and 1, and epsilon positive.", "margin"
        )
    target = ceil(320 / margin**2 * log(8 / alpha))
    root, side = target**0.5 / margin, dimension**0.5 / margin
    many = ceil(16 / alpha**2 * dimension * (log(4 * side) + log(1 / beta)))
    right = ceil(32 / alpha**2 * (dimension * log(8 * side + 1) + log(6 / beta)))
    inside = log(2 * many / beta) + target * log(root)
    rows = log10(many / epsilon) + target * log10(8 * root) + log10(inside)
    of_all = log(3 * right / beta) + target * log(8 * root + 1)
    rows_right = log10(right / epsilon) + target * log10(8 * root + 1) + log10(of_all)
    return FullParameters(target, many, right, target * log10(4 * root), rows, rows_right)


MOST_BITS = 6  # per axis
_SEED = 20260102
_CELLS_AT_ONCE, _MOST_WORK, _LEAST_DRAWS, _MOST_DRAWS = 1 << 20, 8_000_000, 500, 12_000
_STEP = 0.25  # of the shift, in scales of the noise
_CURVE, _CURVE_OF_MANY, _FINE_BITS, _CURVE_DRAWS, _CURVE_RELEASES = 9, 5, 4, 3_000, 25


def grid_counts(first: Cells, second: Cells, x: ArrayLike, y: ArrayLike) -> Integers:
    """Return the number of pairs in each cell, (2^bits, 2^bits), with the first column on axis 0."""
    flat = np.bincount(first.cells_of(x) * second.size + second.cells_of(y), minlength=first.size * second.size)
    return flat.reshape(first.size, second.size).astype(np.int64)


@lru_cache(maxsize=8)
def order_of(bits: int) -> Integers:
    """Return, for each position in the order of squares, the index of its cell in the flattened table."""
    rows, columns = np.divmod(np.arange(1 << (2 * bits)), 1 << bits)
    key = sum(((rows >> bit) & 1) << (2 * bit + 1) | ((columns >> bit) & 1) << (2 * bit) for bit in range(bits))
    return np.argsort(key, kind="stable").astype(np.int64)


def square_shape(bits: int) -> Shape:
    """Return the hierarchy of two levels of squares, both about equally fine."""
    coarse = (bits + 1) // 2
    return Shape((4**coarse, 4 ** (bits - coarse))) if bits > coarse else Shape((4**bits,))


@dataclass(frozen=True)
class Rectangle:
    """Cells low to high - 1 of each axis, and the error of their count in rows (synthetic - real)."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    error: float


def worst_rectangle(difference: ArrayLike) -> Rectangle:
    """Return the rectangle whose entries have the largest absolute sum.

    Notes
    -----
    For every pair of rows the columns' sums between them form a path, and the stretch between its greatest and its least value
    is the worst there: all rectangles are looked at by their pairs of rows.
    """
    table = np.asarray(difference, dtype=float)
    sums = np.pad(np.cumsum(np.cumsum(table, axis=0), axis=1), ((1, 0), (1, 0)))
    tops, bottoms = np.triu_indices(len(sums), 1)
    paths = sums[bottoms] - sums[tops]
    place = int(np.argmax(paths.max(axis=1) - paths.min(axis=1)))
    high, low = int(np.argmax(paths[place])), int(np.argmin(paths[place]))
    left, right = min(low, high), max(low, high)
    error = float(paths[place, right] - paths[place, left])
    return Rectangle((int(tops[place]), int(bottoms[place])), (left, max(right, left + 1)), error)


@dataclass(frozen=True, eq=False)
class SyntheticGrid:
    """A synthetic table.

    Attributes
    ----------
    table : ndarray
        The noisy counts that agree with the total; they may be negative.
    counts : ndarray of int
        At least 0, with the same total: the synthetic rows, every rectangle of which has the error bound.
    """

    table: Floats
    counts: Integers


def make_grid(counts: ArrayLike, shape: Shape, epsilon: Fraction, touched: int, source: Source = SYSTEM) -> SyntheticGrid:
    """Make a synthetic table with a public number of rows.

    Parameters
    ----------
    counts : array_like of int
        (2^bits, 2^bits): the real counts.
    shape : Shape
        Of the cells in the order of squares.
    epsilon : Fraction
    touched : int
        How many cells of a level one row can change: 2 where it is replaced.
    source : Source
    """
    real = np.asarray(counts, dtype=np.int64)
    order, total = order_of(_bits(real)), int(real.sum())
    levels = noisy_levels(real.ravel()[order], shape, shape.level_privacy(epsilon, touched), source)
    table = np.empty(real.size)
    table[order] = consistent(levels, shape, float(total))
    return SyntheticGrid(table.reshape(real.shape), integer_counts(table, total).reshape(real.shape))


def worst_errors(
    counts: Integers, shape: Shape, epsilon: Fraction, touched: int, progress: Progress = silent, many: int = RELEASES
) -> Floats:
    """Return the errors of the worst rectangles of many releases, which have seeds."""
    worst = list[float]()
    for run in range(many):
        progress(run / many, "")
        made = make_grid(counts, shape, epsilon, touched, for_study(run))
        worst.append(abs(worst_rectangle(made.counts - counts).error))
    return np.array(worst)


def grid_epsilon_curve(counts: Integers, shape: Shape, failure: float, touched: int, progress: Progress = silent) -> EpsilonCurve:
    """Return a method's error bound and measured error at several epsilons; the bounds rest on fewer draws than usual."""
    bits, bounds, measured = _bits(counts), [], []
    epsilons = np.geomspace(0.1, 10, _CURVE if bits <= _FINE_BITS else _CURVE_OF_MANY).tolist()
    for place, epsilon in enumerate(epsilons):
        progress(place / len(epsilons), "")
        budget = Fraction(f"{epsilon:.6g}")
        bound = grid_error_bound(shape, bits, shape.level_privacy(budget, touched).alpha, failure, most=_CURVE_DRAWS).rows
        bounds.append(float("nan") if bound is None else float(bound))
        measured.append(float(np.median(worst_errors(counts, shape, budget, touched, many=_CURVE_RELEASES))))
    return EpsilonCurve(tuple(epsilons), tuple(bounds), tuple(measured))


def integer_counts(table: Floats, total: int) -> Integers:
    """Return the nearest non-negative integer counts with this total: by least squares, then by largest remainders."""
    falling = np.sort(table)[::-1]
    over = (np.cumsum(falling) - total) / np.arange(1, len(falling) + 1)
    kept = int(np.flatnonzero(falling > over)[-1]) if total > 0 else 0
    near = np.maximum(table - over[kept], 0.0) if total > 0 else np.zeros_like(table)
    whole = np.floor(near).astype(np.int64)
    missing = total - int(whole.sum())
    whole[np.argsort(whole - near, kind="stable")[:missing]] += 1
    return whole


def grid_error_bound(
    shape: Shape, bits: int, alpha: float, failure: float, progress: Progress = silent, most: int = _MOST_DRAWS
) -> ErrorBound:
    """Return the error bound in rows for every rectangle of synthetic rows, in all but a share `failure` of releases."""
    side = 1 << bits
    draws = int(np.clip(_MOST_WORK // (side * (side + 1) ** 2 // 2), _LEAST_DRAWS, most))
    if not (known := kept("rectangles", shape, bits, alpha, draws)):
        known.append(_simulated_bounds(shape, bits, alpha, draws, progress))
    return quantile(np.ceil(known[0] - 1e-9), failure)


def _simulated_bounds(shape: Shape, bits: int, alpha: float, draws: int, progress: Progress) -> Floats:
    generator, bounds, side = np.random.default_rng(_SEED), [], 1 << bits
    order, at_once = order_of(bits), max(_CELLS_AT_ONCE // side**3, 1)
    for start in range(0, draws, at_once):
        progress(start / draws, "")
        levels = [_noise(alpha, (min(at_once, draws - start), size), generator) for size in shape.level_sizes()]
        noise = np.empty_like(levels[-1])
        noise[:, order] = consistent(levels, shape, np.zeros(len(noise))) if len(levels) > 1 else levels[0]
        bounds.append(rectangle_bounds(noise.reshape(-1, side, side), 1 + int(-_STEP / np.log(alpha)) if alpha else 1))
    return np.sort(np.concatenate(bounds))


def rectangle_bounds(noise: Floats, step: int = 1) -> Floats:
    """Return, for each table of noise, a bound on the error of every rectangle of synthetic rows, whatever the real rows are.

    Parameters
    ----------
    noise : ndarray
        (many, side, side): what was added to the real counts, before the total was corrected.
    step : int
        Of the shift t below; the bound of longer steps is a little larger.

    Notes
    -----
    With x real and z the noise, each synthetic count is max(x + z - t, 0), rounded up or down; the same t in all cells, at least
    the mean of z, makes the total right. For t in [k, k + s] a cell has at most a = max(ceil(z - k), 0) rows too many, and at
    most b = ceil(k + s - z) too few. All errors sum to 0, so a set R of cells has at most min(a(R), b(not R)) rows too many.
    With A and B the totals of a and b, this is at most B a(R) / (A + B) + A b(not R) / (A + B) = AB / (A + B) + w(R), where
    w = (B a - A b) / (A + B) has the total 0: the worst rectangle of w bounds those of the rows, and what is outside of them.
    """
    shifted = noise - np.floor(noise.mean(axis=(1, 2), keepdims=True) + 1e-9)
    tops, bottoms = np.triu_indices(noise.shape[1] + 1, 1)
    worst, k = np.zeros((len(noise), 1, 1)), 0
    while True:
        more, fewer = np.maximum(np.ceil(shifted - k), 0), np.ceil(k + step - shifted)
        every, none = (table.sum(axis=(1, 2), keepdims=True) for table in (more, fewer))
        if (every <= worst).all():  # no set of cells has more rows too many than all together
            return np.asarray(worst[:, 0, 0])
        weight = none / np.maximum(every + none, 1)
        sums = np.cumsum(np.cumsum(weight * more - (1 - weight) * fewer, axis=1), axis=2)
        sums = np.pad(sums, ((0, 0), (1, 0), (1, 0)))
        paths = sums[:, bottoms] - sums[:, tops]
        spread = (paths.max(axis=2) - paths.min(axis=2)).max(axis=1)
        worst = np.maximum(worst, weight * every + spread[:, np.newaxis, np.newaxis])
        k += step


def _noise(alpha: float, size: tuple[int, ...], generator: np.random.Generator) -> Floats:
    """Draw geometric noise for measuring errors, not for releasing data."""
    if alpha == 0:
        return np.zeros(size)
    one, other = (np.floor(generator.standard_exponential(size) / -np.log(alpha)) for _ in range(2))
    return np.asarray(one - other)


def _bits(table: Integers) -> int:
    return (len(table) - 1).bit_length()
