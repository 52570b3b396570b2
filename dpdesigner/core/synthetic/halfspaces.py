"""Answers for halfspaces with a margin, scaled down so that it runs: ReleaseHalfspaces of [BLR] without its theorem on accuracy.

Points x of unit length in R^d; the query of a direction y counts the share of points with <x, y> > 0, where no point comes nearer
to the plane than the margin. For each of m random projections A of entries +-1/sqrt(T) to R^T, and each direction u of a finite
net U of directions in R^T, the share of rows with <A x, u> > 0 is counted with noise. A query y is answered by the median over
the projections of what was counted for the direction of U nearest to A y / |A y|.

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
    """What is fixed before the points are looked at.

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
        """How many counts are taken."""
        return len(self.matrices) * len(self.directions)


def projections(dimension: int, target: int, directions: int, many: int, seed: int) -> Projections:
    """Return random projections, and a net of directions: equally spaced for T = 2, else random ones.

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
    """What was released: noisy counts for all projections and directions; it can be taken away and asked for any direction.

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
        """Return the share of points on the positive side of the plane across a direction: a median over the projections."""
        return float(np.median(self.each(direction)))

    def each(self, direction: ArrayLike) -> Floats:
        """Return what each projection says, within 0 to 1."""
        return answers(self.plan, self.counts, self.rows, direction)


def answers(plan: Projections, counts: ArrayLike, rows: int, direction: ArrayLike) -> Floats:
    """Return what each projection says of a direction, within 0 to 1, by its noisy counts, (m, |U|), of so many points.

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
    return np.asarray(np.clip(np.asarray(counts)[np.arange(len(nearest)), nearest] / rows, 0.0, 1.0))


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
    """Return the share of points on the positive side of the plane across a direction."""
    return float((np.asarray(points, dtype=float) @ np.asarray(direction, dtype=float) > 0).mean())


def margin_of(points: ArrayLike, direction: ArrayLike) -> float:
    """Return the cosine of the point that comes nearest to the plane across a direction."""
    where, across = np.asarray(points, dtype=float), np.asarray(direction, dtype=float)
    lengths = np.linalg.norm(where, axis=1) * np.linalg.norm(across)
    return float(np.abs(where @ across / np.maximum(lengths, 1e-300)).min())


def drawn_points(rows: int, dimension: int, margin: float, share: float, seed: int) -> Floats:
    """Draw points of unit length of which a share is on the positive side of the first axis, none nearer than the margin."""
    generator = np.random.default_rng(seed)
    along = generator.uniform(margin, 1.0, rows) * np.where(generator.random(rows) < share, 1.0, -1.0)
    if dimension == 1:
        return np.asarray(np.sign(along)[:, np.newaxis])
    across = generator.normal(size=(rows, dimension - 1))
    across *= (np.sqrt(np.maximum(1 - along**2, 0.0)) / np.linalg.norm(across, axis=1))[:, np.newaxis]
    return np.column_stack([along, across])


@dataclass(frozen=True)
class FullParameters:
    """What the theorem's halfspaces need: T, the decimal logarithms of |U| and of the rows."""

    target: int
    log10_directions: float
    log10_rows: float


def full_parameters(margin: float, alpha: float, epsilon: float) -> FullParameters:
    """Return the parameters that go with a theorem, to be seen and not to be run.

    Notes
    -----
    T = (256 / gamma^2) ln(16 / alpha) keeps the inner products that matter within a quarter of the margin; the net of step
    gamma / sqrt(T) has (4 sqrt(T) / gamma)^T directions at most (the paper's inside the logarithm is too small); and even for one
    projection the noise of |U| counts is alpha n only from n = |U| / (eps alpha) on.
    """
    if not (0 < margin <= 1 and 0 < alpha < 1 and epsilon > 0):
        raise InputError("the margin must be above 0 and at most 1, alpha between 0 and 1, and epsilon positive.", "margin")
    target = ceil(256 / margin**2 * log(16 / alpha))
    digits = target * log10(4 * target**0.5 / margin)
    return FullParameters(target, digits, digits - log10(epsilon * alpha))
