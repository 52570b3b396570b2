"""What other ways of releasing a count would cost the same user: noise of another shape, or no data at all.

Each noise is added to the count, rounded to the nearest integer, clamped to 0..n, and then read as well as the user can (Bayes
remap), so that the comparison with the optimum is as kind to it as possible.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import geometric, structured_alternatives
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.structured import Structure

Floats = NDArray[np.float64]


def face_value(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel) -> float:
    """Return the expected loss of the range-restricted geometric mechanism, its output taken as it is."""
    if isinstance(loss, Structure):
        return structured_alternatives.face_value(prior, loss, privacy)
    released = geometric.matrix(privacy, len(prior) - 1)
    return math.fsum(prior * np.einsum("ij,ij->i", loss, released))


def remapped_noise(prior: Floats, loss: Floats | Structure, mass: Floats, tail: Floats) -> float:
    """Return the expected loss of symmetric integer noise, clamped to 0..n and remapped.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray or Structure
        (n + 1, m): l(i, r); with a structure it takes linear time.
    mass, tail : ndarray
        (n + 1,): P(K = k) and P(K >= k) of the noise for k = 0..n.

    Returns
    -------
    float
        sum_j min_r sum_i p_i N_ij l(i, r).
    """
    if isinstance(loss, Structure):
        return structured_alternatives.remapped_noise(prior, loss, mass, tail)
    n = len(prior) - 1
    distances = np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1))
    kernel = mass[distances]
    if n:
        kernel[:, 0] = tail
        kernel[:, n] = tail[::-1]
    else:
        kernel[:] = 1.0
    scores = (kernel * prior[:, None]).T @ loss
    return math.fsum(scores.min(axis=1))


def ignoring_the_data(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss of the best constant answer: min_r sum_i p_i l(i, r)."""
    if isinstance(loss, Structure):
        return structured_alternatives.ignoring_the_data(prior, loss)
    return float((prior @ loss).min())
