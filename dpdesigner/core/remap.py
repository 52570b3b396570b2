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

#: Rows of a block: where all readings are tried, and where few are.
_BLOCK, _WIDE = 24, 48
#: OpenBLAS does products of up to so many multiplications in one thread.
_ONE_THREAD = 262_144
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


def bayes_remap(prior: Floats, loss: Floats, privacy: PrivacyLevel, monotone: bool = False) -> Remap:
    """Return the remap of least expected loss; among equal readings the smallest.

    Parameters
    ----------
    prior : ndarray
        (n + 1,): probabilities of the true results.
    loss : ndarray
        (n + 1, m): l(i, r), C-contiguous.
    privacy : PrivacyLevel
        Of the geometric mechanism.
    monotone : bool
        The best reading does not decrease with the output, as Theorem A has it: then only readings between those of the first
        outputs of a block and of the next are tried for the others.

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
    last = None
    for block in _score_blocks(prior, loss, alpha, monotone):
        start, stop, values = block.start, block.start + len(block.values), block.values
        chosen = _smallest_best(values)
        if block.first is not None:
            chosen[0] = 0
        if block.unit != 1:
            values *= block.unit
        inside = np.arange(len(values))
        outputs[start:stop], scores[start:stop] = chosen + block.column, values[inside, chosen]
        excess[start : stop - 1] += values[inside[1:], chosen[:-1]] - scores[start + 1 : stop]
        excess[start + 1 : stop] += values[inside[:-1], chosen[1:]] - scores[start : stop - 1]
        if last is not None:
            first = values[0] if block.first is None else block.first
            excess[start - 1] += first[outputs[start - 1]] - first[outputs[start]]
            excess[start] += last.values[-1, outputs[start] - last.column] - scores[start - 1]
        last = block
    value = math.fsum(geometric.weights(privacy, n) * scores)
    return Remap(outputs, scores, _dual(prior, loss, privacy, outputs, excess, value), value)


def _smallest_best(scores: Floats) -> Integers:
    """The smallest best reading in each row."""
    least = scores.min(axis=1)
    return np.asarray((scores <= (least + _TIE * np.abs(least))[:, None]).argmax(axis=1))


def _dual(prior: Floats, loss: Floats, privacy: PrivacyLevel, outputs: Integers, excess: Floats, value: float) -> Floats:
    n = len(prior) - 1
    if privacy.alpha == 0 or n == 0:
        return np.asarray(prior * loss[np.arange(n + 1), outputs])
    spread = (1 - privacy.alpha) * (1 + privacy.alpha)
    if spread == 0:
        return np.full(n + 1, value / (n + 1))
    return np.asarray(prior * loss[np.arange(n + 1), outputs] + (privacy.alpha / spread) * excess)


class _Block(NamedTuple):
    """unit * values[t, k] is the score of reading output start + t as column + k.

    Where not all readings are tried, the first is the one of output `start`, and `first` holds all scores of that output.

    The unit is 1 wherever doubles can hold the scores. Far from everything the user believes possible they cannot, and yet the
    reading there is well defined: then values are scaled up so that they can be compared, and the unit is 0 or tiny.
    """

    start: int
    column: int
    values: Floats
    unit: float
    first: Floats | None


def _score_blocks(prior: Floats, loss: Floats, alpha: float, monotone: bool) -> Iterator[_Block]:
    """Yield the scores of all outputs, block by block, for all readings or those that `bayes_remap` tries."""
    n, m = len(prior) - 1, loss.shape[1]
    size = _block_size(alpha, _WIDE if monotone else _BLOCK)
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
    units, firsts = [], []
    for start, length, total, left, right in zip(starts, lengths, sums, from_left, from_right, strict=True):
        alone = not prior[start : start + length].any()
        units.append(min(left.exponent, right.exponent, left.exponent + right.exponent if alone else 0))
        if monotone:
            firsts.append(total[1] + left.at(units[-1]) + powers[length - 1] * right.at(units[-1]))
    ends = [*_smallest_best(np.stack(firsts)).tolist(), m - 1] if monotone else []
    few = monotone and ends == sorted(ends)
    for k, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        part = slice(ends[k], ends[k + 1] + 1) if few else slice(0, m)
        costs = prior[start : start + length, None] * loss[start : start + length, part]
        costs[0] += from_left[k].at(units[k])[part]
        costs[-1] += from_right[k].at(units[k])[part]
        unit = math.ldexp(1.0, -units[k])
        yield _Block(start, part.start, _product(kernel[:length, :length], costs), unit, firsts[k] if few else None)


def _product(kernel: Floats, costs: Floats) -> Floats:
    """kernel @ costs, in parts so small that one thread does them: waiting for others costs more where the machine is busy."""
    width = max(_ONE_THREAD // kernel.size, 1)
    if costs.shape[1] <= width:
        return kernel @ costs
    found = np.empty_like(costs)
    for column in range(0, costs.shape[1], width):
        np.matmul(kernel, costs[:, column : column + width], out=found[:, column : column + width])
    return found


def _block_size(alpha: float, most: int) -> int:
    """The most rows a block may have without alpha^size leaving the range where scores compare."""
    return most if alpha > _TINY ** (1 / most) else max(1, int(math.log(_TINY) / math.log(max(alpha, _TINY))))


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
