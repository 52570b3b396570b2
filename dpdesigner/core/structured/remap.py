"""The Bayes remap, its expected loss and its dual for structured losses: without a matrix, so n may be a million.

1. One-pole filters (`dpdesigner.core.structured.filters`) give, for every output j, the sums of p_i alpha^|i-j| and of its
moments on either side of j: the posteriors (`dpdesigner.core.structured.posteriors`), in O(n).
2. The loss's own rule reads the best r(j) and its score e_j off them (`dpdesigner.core.structured.losses`).
3. The expected loss is sum_j D_j e_j, D_j being what the probability of output j has beside alpha^|i-j|
   (`dpdesigner.core.mechanism.geometric`).
4. The dual that can prove the remap optimal is w = K^-1 e with K_ij = alpha^|i-j| (THEORY.md 3), tridiagonal. It cancels badly as
   alpha tends to 1, so it is written as in `dpdesigner.core.dense.remap`,

       w_i = c_{r(i)}(i) + alpha / (1 - alpha^2) (delta_{i,i-1} + delta_{i,i+1}),

   where delta_{i,k} >= 0 is what the reading of i would cost more at output k: 0 wherever neighbours are read alike.
5. The certificate is made of w (`dpdesigner.core.structured.certificate`).

A relative loss is the absolute one with the weights p_i / max(i, 1); an offset, the same for all i and r, is added in the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Solution
from dpdesigner.core.numbers.parsing import exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import PROBABILITY_ERROR
from dpdesigner.core.structured.certificate import certify
from dpdesigner.core.structured.filters import MOST_STEPS, STEP_ROUNDINGS, Base
from dpdesigner.core.structured.losses import QuantileLoss, SquaredLoss, StepLoss, StructuredLoss, steps_of
from dpdesigner.core.structured.posteriors import DIRECT, Posteriors

_UNIT = 2.0**-53
_NEARLY_IGNORANT, _LOOSE = 1e-3, 1e-6
#: A loss drawn by distance is solved this way up to this many steps; each costs as much as a threshold.
MOST_RISES = 16


@dataclass(frozen=True)
class Structure:
    """The decomposition of a structured loss: l(i, r) = offset + kind.loss(i, r) / (max(i, 1) if relative else 1)."""

    kind: StructuredLoss
    relative: bool = False
    offset: float = 0.0

    def weights(self, prior: Floats) -> Floats:
        """Return the weights for the losses of `kind`, (n + 1,)."""
        return prior / np.maximum(np.arange(len(prior)), 1) if self.relative else prior

    def largest_loss(self, prior: Floats) -> float:
        """Return sum_i p_i max_r |l(i, r)|, or a little more."""
        i = np.arange(len(prior))
        worst = np.maximum(self.kind.loss(i, np.zeros_like(i)), self.kind.loss(i, np.full_like(i, len(prior) - 1)))
        return float(self.weights(prior) @ worst) + abs(self.offset)


def structure(loss: Loss) -> Structure | None:
    """Return the structure of a loss, or None if it has no known structure."""
    parameter = loss.parameter
    name = {1: "absolute", 2: "squared"}.get(int(parameter), "") if loss.name == "power" and parameter in (1, 2) else loss.name
    if name in ("absolute", "relative"):
        return Structure(QuantileLoss(0.5, 2.0), relative=name == "relative")
    if name == "pinball" and parameter is not None:
        return Structure(QuantileLoss(float(parameter)))
    if name == "squared":
        return Structure(SquaredLoss())
    if name == "zero-one":
        return Structure(StepLoss((0,), (1.0,)))
    if name == "threshold" and parameter is not None:
        return Structure(StepLoss((math.floor(parameter),), (1.0,)))
    if name == "distance":
        table = [float(exact(part, "loss")) for part in loss.argument.split(",")]
        kind = steps_of(table)
        return Structure(kind, offset=table[0]) if kind is not None and len(kind.rises) <= MOST_RISES else None
    return None


def structured_remap(
    prior: Floats, loss: Structure, privacy: PrivacyLevel, certifying: Callable[[], object] = lambda: None
) -> Solution:
    """Return the remap of least expected loss, that loss and its certificate.

    Parameters
    ----------
    prior : ndarray
        (n + 1,): probabilities of the true results.
    loss : Structure
    privacy : PrivacyLevel
        Of the geometric mechanism.
    certifying : callable
        Called before the certificate is made; may raise to stop.
    """
    kind, weights = loss.kind, loss.weights(prior)
    j = np.arange(len(prior))
    if privacy.exact_alpha == 0:
        outputs = np.where(weights > 0, kind.first_reading(j), 0)
        bases: tuple[Floats, ...] = (np.zeros(len(prior)),)
        value, rounding = 0.0, 0.0
    else:
        outputs, base, value, rounding = _solved(weights, kind, privacy)
        bases = (base,)
        if privacy.one_minus_alpha < _NEARLY_IGNORANT:
            # As alpha tends to 1 the dual suffers cancellation; the costs of a constant reading are nearly feasible there.
            bases += (weights * kind.loss(j, np.full(len(prior), outputs[int(prior.argmax())])),)
    if rounding > abs(value):
        # The true value is at most the largest loss, which is 0 where no reading is wrong.
        rounding = min(rounding, abs(value) + (1 + _LOOSE) * Structure(kind, loss.relative).largest_loss(prior))
    rounding += 4 * _UNIT * abs(loss.offset) + 2 * PROBABILITY_ERROR * value
    certifying()
    certificate = certify(bases, weights, kind, loss.offset * prior, privacy.alpha, value, rounding)
    return Solution(outputs, value + loss.offset, certificate)


def structured_value(prior: Floats, loss: Structure, privacy: PrivacyLevel) -> float:
    """Return only the least expected loss."""
    if privacy.exact_alpha == 0:
        return loss.offset
    posteriors = Posteriors.of(loss.weights(prior), Base.of(privacy), loss.kind.power)
    return loss.offset + remapped_value(posteriors, loss.kind, geometric.weights(privacy, len(prior) - 1))


def remapped_value(posteriors: Posteriors, kind: StructuredLoss, weights: Floats) -> float:
    """Return the expected loss of noise with these weights, (n + 1,), under the best readings."""
    scores = kind.score(posteriors, kind.readings(posteriors), np.arange(len(weights)))
    return float((weights * posteriors.likelihood * scores).sum())


def _solved(weights: Floats, kind: StructuredLoss, privacy: PrivacyLevel) -> tuple[Integers, Floats, float, float]:
    """Return readings, dual, expected loss and a bound on its rounding error."""
    posteriors = Posteriors.of(weights, Base.of(privacy), kind.power)
    outputs = kind.readings(posteriors)
    released = geometric.weights(privacy, len(weights) - 1) * posteriors.likelihood
    value = float((released * kind.score(posteriors, outputs, np.arange(len(weights)))).sum())
    rounding = value_rounding(posteriors, kind, outputs, released, value, privacy)
    return outputs, _dual(posteriors, kind, outputs, privacy, value), value, rounding


def value_rounding(
    posteriors: Posteriors, kind: StructuredLoss, outputs: Integers, released: Floats, value: float, privacy: PrivacyLevel
) -> float:
    """Bound the error of an expected loss: from terms at every relevant distance, and from results of subtraction."""
    offset = outputs - np.arange(len(outputs))
    sizes = (np.abs(offset) + posteriors.moment(kind.power) ** (1 / kind.power)) ** kind.power if kind.power else 1.0
    scales = np.where(offset < 0, max(kind.tail(True)), max(kind.tail(False)))
    subtracted = float(released @ np.where(np.abs(offset) + kind.core > (0 if kind.power == 2 else DIRECT), scales * sizes, 0.0))
    steps = min(posteriors.n, MOST_STEPS, 64 / privacy.one_minus_alpha if privacy.one_minus_alpha else math.inf)
    return STEP_ROUNDINGS * (steps + 40) * _UNIT * (value + 2 * subtracted)  # 8 steps are more than adding in pairs loses


def _dual(posteriors: Posteriors, kind: StructuredLoss, outputs: Integers, privacy: PrivacyLevel, value: float) -> Floats:
    n = len(outputs) - 1
    j = np.arange(n + 1)
    own = posteriors.prior * kind.loss(j, outputs)
    spread = privacy.one_minus_alpha * (1 + privacy.alpha)
    if n == 0:
        return own
    if spread == 0:
        return np.full(n + 1, value / (n + 1))
    excess = np.zeros(n + 1)
    changes = np.flatnonzero(outputs[1:] != outputs[:-1])
    for reader, output in ((changes, changes + 1), (changes + 1, changes)):
        more = kind.excess(posteriors, outputs[reader], outputs[output], output)
        excess[reader] += posteriors.likelihood[output] * np.maximum(more, 0.0)
    return np.asarray(own + (privacy.alpha / spread) * excess)
