"""Answers for halfspaces with a margin, scaled down to be feasible: ReleaseHalfspaces of [BLR] without its accuracy theorem.

Points x of unit length in R^d; the query of a direction y counts the share of points with <x, y> > 0, where no point comes nearer
to the plane than the margin. For each of m random projections A of entries +-1/sqrt(T) to R^T, and each direction u of a finite
net U of directions in R^T, the share of rows with <A x, u> > 0 is counted with noise. Definition 6.5 answers a query y by the
mean over the projections of the shares of the directions of U nearest to A y / |A y|. The mean and the median are both offered:
in few dimensions a projection often misplaces points, which pulls the mean towards 1/2 and hardly moves the median.

A row that is replaced moves each of the m |U| counts by at most 1, so that geometric noise of ratio exp(-eps / (m |U|)) makes the
release eps-private, whatever the points are. That is all that is proved here: at the parameters of the paper's theorem the net
has thousands of digits (`full_parameters`), so its accuracy is measured and not promised.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log, log10, pi

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise
from dpdesigner.errors import InputError

MOST_COUNTS = 20_000


@dataclass(frozen=True, eq=False)
class Projections:
    """The part of the release that is fixed without looking at the points.

    Attributes
    ----------
    matrices : ndarray
        (m, T, d), entries +-1/sqrt(T).
    directions : ndarray
        (|U|, T), of unit length.
    """

    matrices: Floats
    directions: Floats

    @property
    def counts(self) -> int:
        """The number of counts."""
        return len(self.matrices) * len(self.directions)


def projections(dimension: int, target: int, directions: int, many: int, seed: int) -> Projections:
    """Return random projections and a net of directions: equally spaced for T = 2, otherwise random.

    They are public and know nothing of the points; a seed does no harm to privacy.
    """
    if many * directions > MOST_COUNTS:
        raise InputError(f"there must be at most {MOST_COUNTS} counts, got {many} times {directions}.", "directions")
    generator = np.random.default_rng(seed)
    matrices = generator.choice([-1.0, 1.0], size=(many, target, dimension)) / np.sqrt(target)
    if target == 1:
        net = np.array([[-1.0], [1.0]])
    elif target == 2:
        angles = 2 * pi * (np.arange(directions) + 0.5) / directions
        net = np.stack([np.cos(angles), np.sin(angles)], axis=1)
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


def answers(plan: Projections, counts: ArrayLike, rows: int, direction: ArrayLike) -> Floats:
    """Return each projection's noisy share for a direction, from the noisy counts, (m, |U|), of this many points.

    Raises
    ------
    InputError
        If it is no direction among the points.
    """
    towards = np.asarray(direction, dtype=float)
    length = float(np.linalg.norm(towards))
    if towards.shape != (plan.matrices.shape[2],) or not np.isfinite(length) or length == 0:
        raise InputError(f"a direction must have {plan.matrices.shape[2]} numbers, not all of them 0.", "direction")
    nearest = np.argmax((plan.matrices @ (towards / length)) @ plan.directions.T, axis=1)
    return np.asarray(np.asarray(counts)[np.arange(len(nearest)), nearest] / rows)


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
    where = np.asarray(points, dtype=float)
    level = PrivacyLevel.from_epsilon(epsilon / plan.counts)
    real = np.array([((where @ matrix.T) @ plan.directions.T > 0).sum(axis=0) for matrix in plan.matrices], dtype=np.int64)
    noise = geometric_noise(level, plan.counts, source).reshape(real.shape)
    return Released(plan, len(where), real + noise, level)


def share_above(points: ArrayLike, direction: ArrayLike) -> float:
    """Return the share of points on the positive side of the plane orthogonal to a direction."""
    return float((np.asarray(points, dtype=float) @ np.asarray(direction, dtype=float) > 0).mean())


def margin_of(points: ArrayLike, direction: ArrayLike) -> float:
    """Return the absolute cosine of the point nearest to the plane orthogonal to a direction."""
    where, across = np.asarray(points, dtype=float), np.asarray(direction, dtype=float)
    lengths = np.linalg.norm(where, axis=1) * np.linalg.norm(across)
    return float(np.abs(where @ across / np.maximum(lengths, 1e-300)).min())


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
