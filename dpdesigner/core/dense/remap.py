"""The Bayes remap: how a user with a prior and a loss best reads each output of the geometric mechanism.

[GRS] Section 2.3: output j is read as r(j) = argmin_r sum_i p_i g_ij l(i, r). With G = K diag(D) the factor D_j does not
matter, so the scores are M_r(j) = sum_i p_i l(i, r) alpha^|i-j| (`dpdesigner.core.dense.scores`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.dense.full_scores import FullScores
from dpdesigner.core.dense.near_scores import NearScores
from dpdesigner.core.dense.scores import score_blocks, smallest_best
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.coverage import Turns


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
        (n + 1,): w = K^-1 e (THEORY.md, section 3), the only dual solution that can prove this remap optimal.
    value : float
        The expected loss.
    sums : WholeScores, NearScores or None
        What the scores were made of, where they were found at once: the certificate is quicker with them.
    """

    outputs: Integers
    scores: Floats
    dual: Floats
    value: float
    sums: FullScores | NearScores | None = None


def bayes_remap(prior: Floats, loss: Floats, privacy: PrivacyLevel, monotone: bool = False, turns: Turns | None = None) -> Remap:
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
    turns : Turns, optional
        Of the loss, where that saves time.

    Notes
    -----
    The dual is w_i = ((1 + alpha^2) e_i - alpha (e_{i-1} + e_{i+1})) / (1 - alpha^2), which cancels badly as alpha tends to 1.
    Since K^-1 M_r = c_r, it equals c_{r(i)}(i) + alpha (delta_{i,i-1} + delta_{i,i+1}) / (1 - alpha^2), where delta_{i,k} =
    M_{r(i)}(k) - e_k >= 0 is what the reading of i would cost more at k: exact wherever neighbours are read alike.
    """
    n = len(prior) - 1
    # A level too small for a double still tells near beliefs from far ones.
    alpha = max(privacy.alpha, 1e-290) if privacy.exact_alpha != 0 else 0.0
    near = None if turns is None else NearScores.of(prior, loss, alpha, turns)
    sums = near or FullScores.of(prior, loss, alpha)
    if sums is None:
        outputs, scores, excess = _by_blocks(prior, loss, alpha, monotone)
    else:
        outputs, scores, excess = sums.best, sums.least, sums.excess()
    value = float((geometric.weights(privacy, n) * scores).sum())
    spread = (1 - privacy.alpha) * (1 + privacy.alpha)
    if spread == 0 and n > 0:
        return Remap(outputs, scores, np.full(n + 1, value / (n + 1)), value)
    dual = prior * loss.take(np.arange(0, loss.size, loss.shape[1]) + outputs)
    if privacy.alpha > 0 and n > 0:
        dual += (privacy.alpha / spread) * excess
    return Remap(outputs, scores, dual, value, sums)


def _by_blocks(prior: Floats, loss: Floats, alpha: float, monotone: bool) -> tuple[Integers, Floats, Floats]:
    """The best readings, their scores, and what each would cost more at its two neighbours, (n + 1,) each."""
    outputs = np.empty(len(prior), dtype=np.int64)
    scores = np.empty(len(prior))
    excess = np.zeros(len(prior))
    last = None
    for block in score_blocks(prior, loss, alpha, monotone):
        start, stop, values = block.start, block.start + len(block.values), block.values
        chosen = smallest_best(values)[0]
        if block.first is not None:
            chosen[0] = block.reading - block.column
        if block.unit != 1:
            values *= block.unit
        inside = np.arange(len(values))
        outputs[start:stop], scores[start:stop] = chosen + block.column, values[inside, chosen]
        excess[start : stop - 1] += values[inside[1:], chosen[:-1]] - scores[start + 1 : stop]
        excess[start + 1 : stop] += values[inside[:-1], chosen[1:]] - scores[start : stop - 1]
        if last is not None:
            first = values[0] if block.first is None else block.first * block.unit
            excess[start - 1] += first[outputs[start - 1]] - first[outputs[start]]
            excess[start] += last.values[-1, outputs[start] - last.column] - scores[start - 1]
        last = block
    return outputs, scores, excess
