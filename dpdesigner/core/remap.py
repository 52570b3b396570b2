"""The Bayes remap: how a user with a prior and a loss best reads each output of the geometric mechanism.

[GRS] Section 3: output j is read as r(j) = argmin_r sum_i p_i g_ij l(i, r). With G = K diag(D) the factor D_j does not matter, so
the scores are M_r(j) = sum_i p_i l(i, r) alpha^|i-j|: two one-pole filters along i for every column r of the loss, computed here
block by block so that no array as large as the loss matrix is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import geometric
from dpdesigner.core.privacy import PrivacyLevel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_BLOCK = 24
_TINY = 2.0**-300
_NOTHING = 10**9
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
    # A level too small for a double still tells near beliefs from far ones.
    alpha = max(privacy.alpha, 1e-290) if privacy.exact_alpha != 0 else 0.0
    outputs = np.empty(n + 1, dtype=np.int64)
    scores = np.empty(n + 1)
    excess = np.zeros(n + 1)
    last_scores: Floats | None = None
    for start, block, unit in _score_blocks(prior, loss, alpha):
        stop = start + len(block)
        least = block.min(axis=1)
        outputs[start:stop] = (block <= (least + _TIE * np.abs(least))[:, None]).argmax(axis=1)
        if unit != 1:
            block *= unit
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
    spread = (1 - privacy.alpha) * (1 + privacy.alpha)
    if spread == 0:
        return np.full(n + 1, value / (n + 1))
    return np.asarray(prior * loss[np.arange(n + 1), outputs] + (privacy.alpha / spread) * excess)


def _score_blocks(prior: Floats, loss: Floats, alpha: float) -> Iterator[tuple[int, Floats, float]]:
    """Yield (start, M, unit): unit * M[t, r] is the score of reading output start + t as r; M is valid until the next one.

    The unit is 1 wherever doubles can hold the scores. Far from everything the user believes possible they cannot, and yet the
    reading there is well defined: then M is scaled up so that it can be compared, and the unit is 0 or tiny.
    """
    n, m = len(prior) - 1, loss.shape[1]
    size = _block_size(alpha)
    starts = range(0, n + 1, size)
    powers = np.power(alpha, np.arange(size + 1))
    kernel = np.power(alpha, np.abs(np.arange(size)[:, None] - np.arange(size)))
    sums = []
    for start in starts:
        weights = prior[start : start + size]
        inner = powers[: len(weights)]
        outwards = np.stack((weights * inner[::-1], weights * inner))
        sums.append(outwards @ loss[start : start + size])
    lengths = [min(size, n + 1 - start) for start in starts]
    from_left = _carry([total[0] for total in sums], [float(powers[length]) for length in lengths], alpha)
    from_right = _carry([total[1] for total in sums][::-1], [float(powers[length]) for length in lengths][::-1], alpha)[::-1]
    scaled, block = np.empty((size, m)), np.empty((size, m))
    for start, length, left, right in zip(starts, lengths, from_left, from_right, strict=True):
        weights = prior[start : start + length]
        common = min(left.exponent, right.exponent, 0 if weights.any() else left.exponent + right.exponent)
        costs = np.multiply(weights[:, None], loss[start : start + length], out=scaled[:length])
        costs[0] += left.at(common)
        costs[-1] += right.at(common)
        yield start, np.matmul(kernel[:length, :length], costs, out=block[:length]), math.ldexp(1.0, -common)


def _block_size(alpha: float) -> int:
    """The most rows a block may have without alpha^size leaving the range where scores compare."""
    return _BLOCK if alpha > _TINY ** (1 / _BLOCK) else max(1, int(math.log(_TINY) / math.log(max(alpha, _TINY))))


class _Scaled(NamedTuple):
    """A vector times 2^-exponent; zero vectors have the largest exponent, so that they never decide a common one."""

    vector: Floats
    exponent: int

    def at(self, exponent: int) -> Floats:
        """The vector in the unit 2^-exponent, which is no finer than its own."""
        return self.vector if exponent == self.exponent else np.ldexp(self.vector, max(exponent - self.exponent, -2000))


def _carry(sums: list[Floats], steps: list[float], alpha: float) -> list[_Scaled]:
    """What the blocks before each block add to its first row: alpha carry_k with carry_k = step_{k-1} carry_{k-1} + sum_{k-1}.

    The factor alpha comes last and by its exponent, so that a tiny weight beside a tiny alpha does not underflow.
    """
    carries = [_Scaled(np.zeros_like(sums[0]), _NOTHING)]
    for total, step in zip(sums[:-1], steps[:-1], strict=True):
        before = carries[-1]
        own = _Scaled(total, 0 if total.any() else _NOTHING)
        exponent = min(before.exponent, own.exponent)
        vector = step * before.at(exponent) + own.at(exponent)
        top = float(np.abs(vector).max())
        if 0 < top < _TINY:
            lift = -math.frexp(top)[1]
            vector, exponent = np.ldexp(vector, lift), exponent + lift
        carries.append(_Scaled(vector, exponent if top else _NOTHING))
    mantissa, power = math.frexp(alpha) if alpha < 1 else (1.0, 0)
    return [
        _Scaled(carry.vector * mantissa, carry.exponent - power if carry.exponent < _NOTHING else _NOTHING) for carry in carries
    ]
