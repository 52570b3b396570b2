"""Staircase noise and a cost drawn as straight lines: cost and slope in gamma in closed form, point by point.

A drawn cost is L(0) plus slopes along its lines; along a line from c to c' the expected cost is its slope times the integral of
P(|X| > x), which repeats itself, b times smaller, from each period to the next.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.noise_cost import DrawnCost
from dpdesigner.core.noise import staircase_powers


def drawn_cost(cost: DrawnCost, epsilon: float, gamma: Floats, sensitivity: float) -> Floats:
    """Return E L(X) of staircase noise.

    Parameters
    ----------
    cost : DrawnCost
    epsilon : float
        Positive.
    gamma : ndarray
        In (0, 1].
    sensitivity : float
        Delta.

    Returns
    -------
    ndarray
        As gamma.

    Notes
    -----
    E(|X| - c)_+ for c = (k + f) Delta is b^k Delta times what is left of the period after f and all of the later ones; between
    two points only the difference of that is summed, so that nothing large cancels.
    """
    b, rest = math.exp(-epsilon), -math.expm1(-epsilon)
    c = (np.array([x for x, _ in cost.points]) / sensitivity).reshape(-1, *[1] * gamma.ndim)
    k = np.floor(c)
    f, s = c - k, gamma + b * (1 - gamma)
    end = 1 - np.maximum(f, gamma)
    to_end = b * end * (1 + rest / (2 * s) * end) + np.maximum(gamma - f, 0) * (2 * b + rest * (gamma - f)) / (2 * s)
    excess = to_end + b * staircase_powers.absolute_cost(epsilon, gamma)
    along = to_end[:-1] - to_end[1:] - np.expm1(-epsilon * np.diff(k, axis=0)) * excess[1:]
    tails = np.exp(-epsilon * k) * np.concatenate((along, excess[-1:]))
    return np.asarray(cost.points[0][1] + sensitivity * np.tensordot(cost.slopes, tails, axes=1))


def drawn_slope(cost: DrawnCost, epsilon: float, gamma: float, sensitivity: float) -> float:
    """Return d of `dpdesigner.core.noise.staircase_cost`: positive where the cost still falls in gamma.

    Notes
    -----
    Each change of slope at c adds b^k (t^2 / 2 - gamma t + (1/2 - gamma) b / (1 - b)) times the change, where the cell
    [(k - 1 + gamma) Delta, (k + gamma) Delta) holds c and t is the part of it beyond c.
    """
    b, rest = math.exp(-epsilon), -math.expm1(-epsilon)
    c = np.array([x for x, _ in cost.points]) / sensitivity
    k = np.floor(c)
    later = c - k >= gamma
    t = gamma - (c - k) + later
    weights = np.exp(-epsilon * (k + later)) * np.diff(cost.slopes, prepend=0.0)
    return float(weights @ (t * t / 2 - gamma * t + (0.5 - gamma) * (b / rest)))
