"""k-means clustering by noisy sums: in each step the number of rows of every cluster, and the sum of each coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.learning.noisy_sums import NoisySums, Spending, Whole
from dpdesigner.progress import Progress, silent

_TURN = 0.6180339887498949  # of the golden ratio: where the first centres are, without a look at the rows


@dataclass(frozen=True, eq=False)
class Clustering:
    """Centres after each step, (steps + 1, k, d), the first ones chosen without the data, and the ledger."""

    centres: Floats
    ledger: tuple[Spending, ...]


@dataclass(frozen=True)
class Box:
    """The public range of each coordinate, whole numbers."""

    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def middle(self) -> Whole:
        """About the middle of the box, in whole numbers."""
        return np.asarray((np.array(self.low) + np.array(self.high)) // 2)

    @property
    def bounds(self) -> list[int]:
        """The largest distance of a coordinate from the middle."""
        return [int(max(h - m, m - low)) for low, h, m in zip(self.low, self.high, self.middle, strict=True)]

    def scaled(self, points: Floats | Whole) -> Floats:
        """Return points with the box as the unit cube."""
        low = np.array(self.low, dtype=float)
        return np.asarray((np.asarray(points, dtype=float) - low) / (np.array(self.high) - low))


def first_centres(k: int, box: Box) -> Floats:
    """Return k centres that do not depend on the data."""
    low, high = np.array(box.low, dtype=float), np.array(box.high, dtype=float)
    places = np.array([[(j + 0.5) / k, *((0.5 + j * _TURN * (i + 1)) % 1 for i in range(len(low) - 1))] for j in range(k)])
    return np.asarray(low + places * (high - low))


def nearest(rows: Floats | Whole, centres: Floats, box: Box) -> Whole:
    """Return the cluster of each row, by distances in the scaled box."""
    apart = box.scaled(rows)[:, None, :] - box.scaled(centres)[None, :, :]
    return np.asarray((apart**2).sum(axis=2).argmin(axis=1))


def mean_square(rows: Floats | Whole, centres: Floats, box: Box) -> float:
    """Return the mean squared distance of a row from its nearest centre, in the scaled box."""
    apart = box.scaled(rows)[:, None, :] - box.scaled(centres)[None, :, :]
    return float((apart**2).sum(axis=2).min(axis=1).mean())


def k_means(
    rows: Whole, box: Box, k: int, steps: int, epsilon: Fraction | None, seed: int, progress: Progress = silent
) -> Clustering:
    """Cluster rows.

    Parameters
    ----------
    rows : ndarray of int
        (m, d); values outside the box are moved to its edge.
    box : Box
        Public.
    k, steps : int
    epsilon : Fraction or None
        In total; each of the d + 1 queries of a step gets the same share. None: no noise.
    seed : int
    progress : Progress
        Told after each step.
    """
    rows = np.clip(rows, box.low, box.high)
    dimensions = rows.shape[1]
    share = (epsilon or Fraction(1)) / (steps * (dimensions + 1))
    access = NoisySums(epsilon, seed)
    centres = [first_centres(k, box)]
    for step in range(1, steps + 1):
        groups = nearest(rows, centres[-1], box)
        access.spend(step, "rows", share)
        many = access.sums(groups, k, np.ones(len(rows), dtype=np.int64), 1, share)
        moved = centres[-1].copy()
        for i, (middle, bound) in enumerate(zip(box.middle, box.bounds, strict=True)):
            access.spend(step, f"coordinate {i + 1}", share)
            total = access.sums(groups, k, rows[:, i] - middle, bound, share)
            moved[:, i] = np.where(many > 0, middle + total / np.maximum(many, 1), moved[:, i])
        centres.append(np.clip(moved, box.low, box.high))
        progress(step / steps)
    return Clustering(np.array(centres), tuple(access.ledger))
