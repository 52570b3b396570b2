"""Staircase noise [Geng]: the real-valued noise of least expected cost for a query of sensitivity Delta.

With b = exp(-epsilon) the density is a b^k on [k Delta, (k + gamma) Delta) and a b^(k+1) on [(k + gamma) Delta, (k + 1) Delta),
even, with a = (1 - b) / (2 Delta (gamma + b (1 - gamma))) (the factor is missing in [Geng]). gamma = 0 and gamma = 1 give the
same noise.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAST_GAMMA = 5e-324


def rounded(epsilon: float, gamma: float, size: int) -> tuple[Floats, Floats]:
    """Return the distribution of staircase noise of sensitivity 1 rounded to the nearest integer K.

    Parameters
    ----------
    epsilon : float
        In [0, inf]; inf gives no noise.
    gamma : float
        In [0, 1].
    size : int
        The largest integer wanted, at least 0.

    Returns
    -------
    mass, tail : ndarray
        (size + 1,) each: P(K = k) = P(K = -k) and P(K >= k) for k = 0..size, each computed without subtracting near-equals.

    Notes
    -----
    gamma = 1/2 gives the geometric mechanism's noise exactly: each [k - 1/2, k + 1/2) carries a(1/2) b^|k|. At epsilon = 0 the
    limit is given: mass 0 everywhere, tail 1/2.
    """
    if epsilon == math.inf:
        mass, tail = np.zeros(size + 1), np.zeros(size + 1)
        mass[0] = tail[0] = 1.0
        return mass, tail
    step = gamma if gamma > 0 else 1.0
    b, one_minus_b = math.exp(-epsilon), -math.expm1(-epsilon)
    whole = step + b * (1 - step)
    inner = (min(step, 0.5) + b * max(0.5 - step, 0.0)) / whole
    outer = (max(step - 0.5, 0.0) + b * min(1 - step, 0.5)) / whole
    powers = np.exp(-epsilon * np.arange(size + 1))
    mass, tail = np.empty(size + 1), np.empty(size + 1)
    mass[0] = one_minus_b * inner
    mass[1:] = powers[:-1] * (one_minus_b / 2 * (outer + b * inner))
    tail[0] = (1 + mass[0]) / 2
    tail[1:] = powers[:-1] * (b + one_minus_b * outer) / 2
    return mass, tail


def optimal_gamma(epsilon: float, power: float = 1) -> float:
    """Return the gamma of least expected |X|^power.

    Parameters
    ----------
    epsilon : float
        In [0, inf].
    power : {1, 2}
        1 for the absolute, 2 for the squared error.

    Returns
    -------
    float
        In (0, 1/2], and 0 at epsilon = inf.

    Notes
    -----
    [Geng]: 1 / (1 + exp(epsilon / 2)) for power 1. For power 2 the published -b / (1 - b) + (b - 2 b^2 + 2 b^4 - b^5)^(1/3) /
    (2^(1/3) (1 - b)^2) is b (1 + 2 b) / (2 (c^2 + c b + b^2)) with c^3 = b (1 + b) / 2, where nothing cancels.
    """
    if epsilon == math.inf:
        return 0.0
    if power == 1:
        root = math.exp(-epsilon / 2)
        return max(root / (1 + root), _LEAST_GAMMA)
    t, b = math.exp(-epsilon / 3), math.exp(-epsilon)
    h = ((1 + b) / 2) ** (1 / 3)
    return max(t * (1 + 2 * b) / (2 * (h * h + t * t * h + t**4)), _LEAST_GAMMA)
