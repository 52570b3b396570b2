"""The Bayes remap: how a user with a prior and a loss best reads each output of the geometric mechanism.

[GRS] Section 3: output j is read as r(j) = argmin_r sum_i p_i g_ij l(i, r). With G = K diag(D) the factor D_j does not matter, so
the scores are M_r(j) = sum_i p_i l(i, r) alpha^|i-j|: two one-pole filters along i for every column r of the loss, computed here
block by block so that no array as large as the loss matrix is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import geometric
from dpdesigner.core.privacy import PrivacyLevel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_BLOCK = 32
#: Scores closer than this, relatively, are ties; a tie goes to the smallest r. Wider than the rounding of the scores.
_TIE = 64 * 2.0**-53


@dataclass(frozen=True)
class Remap:
    """A remap of the outputs of G with what its certificate needs.

    Attributes
    ----------
    outputs : ndarray of int
        (n + 1,): output j of G is read as outputs[j].
    scores : ndarray
        (n + 1,): e_j, the score of the chosen reading; the expected loss is sum_j D_j e_j.
    dual : ndarray
        (n + 1,): w = K^-1 e (MATH: Theorem B), the only dual solution that can prove this remap optimal.
    value : float
        The expected loss.
    """

    outputs: Integers
    scores: Floats
    dual: Floats
    value: float


def bayes_remap(prior: Floats, loss: Floats, privacy: PrivacyLevel) -> Remap:
    """Return the remap of least expected loss; among equal readings the smallest.

    Parameters
    ----------
    prior : ndarray
        (n + 1,): probabilities of the true results.
    loss : ndarray
        (n + 1, m): l(i, r), C-contiguous.
    privacy : PrivacyLevel
        Of the geometric mechanism.

    Returns
    -------
    Remap

    Notes
    -----
    The dual is w_i = ((1 + alpha^2) e_i - alpha (e_{i-1} + e_{i+1})) / (1 - alpha^2), which cancels badly as alpha tends to 1.
    Since K^-1 M_r = c_r, it equals c_{r(i)}(i) + alpha (delta_{i,i-1} + delta_{i,i+1}) / (1 - alpha^2), where delta_{i,k} =
    M_{r(i)}(k) - e_k >= 0 is what the reading of i would cost more at k: exact wherever neighbours are read alike.
    """
    n = len(prior) - 1
    alpha = privacy.alpha
    outputs = np.empty(n + 1, dtype=np.int64)
    scores = np.empty(n + 1)
    excess = np.zeros(n + 1)
    last_scores: Floats | None = None
    for start, block in _score_blocks(prior, loss, alpha):
        stop = start + len(block)
        least = block.min(axis=1)
        outputs[start:stop] = (block <= (least + _TIE * np.abs(least))[:, None]).argmax(axis=1)
        chosen = outputs[start:stop]
        inside = np.arange(len(block))
        scores[start:stop] = block[inside, chosen]
        excess[start : stop - 1] += block[inside[1:], chosen[:-1]] - scores[start + 1 : stop]
        excess[start + 1 : stop] += block[inside[:-1], chosen[1:]] - scores[start : stop - 1]
        if last_scores is not None:
            excess[start - 1] += block[0, outputs[start - 1]] - scores[start]
            excess[start] += last_scores[chosen[0]] - scores[start - 1]
        last_scores = block[-1].copy()
    value = math.fsum(geometric.weights(privacy, n) * scores)
    return Remap(outputs, scores, _dual(prior, loss, privacy, outputs, excess, value), value)


def _dual(prior: Floats, loss: Floats, privacy: PrivacyLevel, outputs: Integers, excess: Floats, value: float) -> Floats:
    n = len(prior) - 1
    if privacy.alpha == 0 or n == 0:
        return np.asarray(prior * loss[np.arange(n + 1), outputs])
    spread = privacy.one_minus_alpha * (1 + privacy.alpha)
    if spread == 0:
        return np.full(n + 1, value / (n + 1))
    return np.asarray(prior * loss[np.arange(n + 1), outputs] + (privacy.alpha / spread) * excess)


def _score_blocks(prior: Floats, loss: Floats, alpha: float) -> Iterator[tuple[int, Floats]]:
    """Yield (start, M) with M[t, r] the score of reading output start + t as r, valid until the next one."""
    n, m = len(prior) - 1, loss.shape[1]
    starts = range(0, n + 1, _BLOCK)
    powers = np.power(alpha, np.arange(_BLOCK + 1))
    kernel = np.power(alpha, np.abs(np.arange(_BLOCK)[:, None] - np.arange(_BLOCK)))
    from_left, from_right = np.zeros((len(starts), m)), np.zeros((len(starts), m))
    sums = []
    for start in starts:
        weights = prior[start : start + _BLOCK]
        size = len(weights)
        sums.append(np.stack((weights * powers[size:0:-1], weights * powers[1 : size + 1])) @ loss[start : start + size])
    for k in range(1, len(starts)):
        from_left[k] = powers[_BLOCK] * from_left[k - 1] + sums[k - 1][0]
    for k in range(len(starts) - 2, -1, -1):
        size = min(_BLOCK, n + 1 - starts[k + 1])
        from_right[k] = powers[size] * from_right[k + 1] + sums[k + 1][1]
    scaled, block = np.empty((_BLOCK, m)), np.empty((_BLOCK, m))
    for k, start in enumerate(starts):
        weights = prior[start : start + _BLOCK]
        size = len(weights)
        costs = np.multiply(weights[:, None], loss[start : start + size], out=scaled[:size])
        costs[0] += from_left[k]
        costs[-1] += from_right[k]
        yield start, np.matmul(kernel[:size, :size], costs, out=block[:size])
