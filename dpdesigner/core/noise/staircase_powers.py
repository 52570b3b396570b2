"""Staircase noise and the costs |x| and x^2 in closed form; and the limits of the cost |x|^m as epsilon tends to 0 and infinity.

[Geng]'s formulas, written so that nothing cancels and nothing overflows for any epsilon. With b = exp(-epsilon) and
s = gamma + b (1 - gamma), the cost of |x|^m is Delta^m (1 - b)^2 / ((m + 1) s) sum_k b^k (k + gamma)^(m + 1).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats

#: Stands for a gamma below the range of doubles: 0 itself would be the noise of gamma = 1.
LEAST_GAMMA = 5e-324


def absolute_cost(epsilon: ArrayLike, gamma: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return E|X|.

    Parameters
    ----------
    epsilon, gamma : array_like
        Positive, and in [0, 1]; broadcast against each other.
    sensitivity : float
        Delta.

    Returns
    -------
    ndarray
        Delta (gamma^2 (1 - b) + 2 gamma b + b (1 + b) / (1 - b)) / (2 s).
    """
    b, rest, g, s = _parts(epsilon, gamma)
    return np.asarray(sensitivity / 2 * (g * (g * rest + 2 * b) + b * (1 + b) / rest) / s)


def squared_cost(epsilon: ArrayLike, gamma: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return E X^2; parameters as `absolute_cost`."""
    b, rest, g, s = _parts(epsilon, gamma)
    powers = g * g * (g * rest + 3 * b) + 3 * g * b * (1 + b) / rest + b * (1 + 4 * b + b * b) / rest**2
    return np.asarray(sensitivity**2 / 3 * powers / s)


def absolute_gamma(epsilon: ArrayLike) -> Floats:
    """Return the best gamma for |x|: 1 / (1 + exp(epsilon / 2))."""
    root = np.exp(-np.asarray(epsilon, dtype=float) / 2)
    return np.asarray(np.maximum(root / (1 + root), LEAST_GAMMA))


def squared_gamma(epsilon: ArrayLike) -> Floats:
    """Return the best gamma for x^2.

    Notes
    -----
    The published -b / (1 - b) + (b - 2 b^2 + 2 b^4 - b^5)^(1/3) / (2^(1/3) (1 - b)^2) equals (c - b) / (1 - b) with
    c^3 = b (1 + b) / 2, which is b (1 + 2 b) / (2 (c^2 + c b + b^2)); here with t = b^(1/3) divided out.
    """
    e = np.asarray(epsilon, dtype=float)
    t, b = np.exp(-e / 3), np.exp(-e)
    h = np.cbrt((1 + b) / 2)
    return np.asarray(np.maximum(t * (1 + 2 * b) / (2 * (h * h + t * t * h + t**4)), LEAST_GAMMA))


def least_absolute_cost(epsilon: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return the least E|X|: Delta / (2 sinh(epsilon / 2))."""
    e = np.asarray(epsilon, dtype=float)
    return np.asarray(sensitivity * np.exp(-e / 2) / -np.expm1(-e))


def least_squared_cost(epsilon: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return the least E X^2: Delta^2 (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b) / (1 - b)^2."""
    e = np.asarray(epsilon, dtype=float)
    b = np.exp(-e)
    return np.asarray(sensitivity**2 * (np.exp(-2 * e / 3) * np.cbrt(((1 + b) / 2) ** 2) + b) / np.expm1(-e) ** 2)


def small_epsilon_limit(epsilon: ArrayLike, power: float, sensitivity: float = 1.0) -> Floats:
    """Return what the least E|X|^m tends to as epsilon tends to 0: m! (Delta / epsilon)^m (1 - epsilon^2 / 24).

    Without the last factor it is the Laplace cost, so the gap to Laplace tends to epsilon / 24 for m = 1 and to 1 / 12 for m = 2
    (Delta = 1).
    """
    e = np.asarray(epsilon, dtype=float)
    with np.errstate(over="ignore"):
        laplace = np.exp(power * np.log(sensitivity / e) + math.lgamma(power + 1))
    return np.asarray(laplace * (1 - e * e / 24))


def _parts(epsilon: ArrayLike, gamma: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """b, 1 - b, gamma and s; gamma = 0 is given as its equal, 1."""
    e, g = np.asarray(epsilon, dtype=float), np.asarray(gamma, dtype=float)
    b = np.exp(-e)
    g = np.where(g > 0, g, 1.0)
    return b, -np.expm1(-e), g, g + b * (1 - g)
