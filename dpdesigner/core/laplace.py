"""Laplace noise: density exp(-|x| / s) / (2 s) with scale s = Delta / epsilon.

The CDF printed in [Notes] has a wrong sign (it exceeds 1); the right one is (1/2) (1 + sgn(x) (1 - exp(-|x| / s))).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rounded(epsilon: float, size: int) -> tuple[Floats, Floats]:
    """Return the distribution of Laplace noise of scale 1 / epsilon (sensitivity 1) rounded to the nearest integer K.

    Parameters
    ----------
    epsilon : float
        In [0, inf]; inf gives no noise.
    size : int
        The largest integer wanted, at least 0.

    Returns
    -------
    mass, tail : ndarray
        (size + 1,) each: P(K = k) = P(K = -k) and P(K >= k) for k = 0..size, each computed without subtracting near-equals.

    Notes
    -----
    P(K = 0) = 1 - exp(-epsilon / 2), P(K >= k) = exp(-epsilon (k - 1/2)) / 2 for k >= 1. At epsilon = 0 the limit is given:
    mass 0 everywhere, tail 1/2.
    """
    distances = np.arange(size + 1) - 0.5
    distances[0] = 0.5
    tail = np.exp(-epsilon * distances) / 2
    mass = tail * -np.expm1(-epsilon)
    mass[0] = -np.expm1(-epsilon / 2)
    tail[0] = 1 - tail[0]
    return mass, tail
