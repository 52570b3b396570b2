"""Sums against alpha^|i-j| in linear time: the one-pole filters behind every score of the geometric mechanism.

The recursion y_j = x_j + alpha y_{j-1} is run block by block: within a block as a small matrix product, across blocks as a
recursion over one number a block, so that a million values take milliseconds and no power of alpha over- or underflows.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BLOCK = 64


def from_left(x: Floats, alpha: float) -> Floats:
    """Return y_j = sum_{i <= j} alpha^(j-i) x_i.

    Parameters
    ----------
    x : ndarray
        (k,).
    alpha : float
        In [0, 1].

    Returns
    -------
    ndarray
        (k,).
    """
    size = len(x)
    blocks = -(-size // _BLOCK)
    padded = np.zeros(blocks * _BLOCK)
    padded[:size] = x
    powers = np.power(alpha, np.arange(_BLOCK + 1))
    steps = np.arange(_BLOCK)
    triangle = np.where(steps[None, :] >= steps[:, None], powers[np.abs(steps[None, :] - steps[:, None])], 0.0)
    sums = padded.reshape(blocks, _BLOCK) @ triangle
    step = float(powers[_BLOCK])
    carried = list(accumulate(sums[:-1, -1].tolist(), lambda carry, last: step * carry + last, initial=0.0))
    sums += np.outer(carried, powers[1:])
    return sums.reshape(-1)[:size]


def from_right(x: Floats, alpha: float) -> Floats:
    """Return y_j = sum_{i > j} alpha^(i-j) x_i; the term i = j is left out."""
    totals = from_left(x[::-1], alpha)[::-1]
    return np.append(alpha * totals[1:], 0.0)


def both_sides(x: Floats, alpha: float) -> Floats:
    """Return y_j = sum_i alpha^|i-j| x_i."""
    return from_left(x, alpha) + from_right(x, alpha)
