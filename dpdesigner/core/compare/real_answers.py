"""What the best private mechanism costs that may answer any real number, where the count itself is whole.

Theorem A holds for outputs in any ordered set, the real line too: the best is again the geometric mechanism, each output read as
the real number of least posterior expected loss. For the squared error that is the posterior mean. The expected absolute, pinball
and relative losses are straight between whole numbers, powers below 1 bend downwards there, and 0/1 and threshold losses favour
whole numbers, so that for these some whole number is always among the best. Losses that are drawn, typed or given as a matrix
say nothing about what lies between.

Whatever number is answered, the expected loss of it is attained: every result here is an upper bound, rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.dense.certificate import Costs
from dpdesigner.core.dense.remap import bayes_remap
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import PROBABILITY_ERROR
from dpdesigner.core.structured.losses import SquaredLoss
from dpdesigner.core.structured.posteriors import Posteriors
from dpdesigner.core.structured.remap import value_rounding
from dpdesigner.core.structured.scaled_numbers import Base

Best = Literal["mean", "between", "whole"]

#: Halvings of an interval of length 2 in which the best number is.
_HALVINGS = 40


def best_answers(loss: Loss) -> Best | None:
    """Return which real numbers are the best readings, or None if the loss says nothing about real numbers.

    Returns
    -------
    str or None
        ``"mean"``: posterior means; ``"between"``: other numbers; ``"whole"``: some whole number is among the best.
    """
    parameter = loss.parameter
    if loss.name in ("absolute", "pinball", "relative", "zero-one"):
        return "whole"
    if loss.name == "squared" or (loss.name == "power" and parameter == 2):
        return "mean"
    if loss.name == "power" and parameter is not None:
        return "between" if parameter > 1 else "whole"
    if loss.name == "threshold" and parameter is not None and parameter % 1 < Fraction(1, 2):
        return "whole"  # else a number between two counts is near to one count more than any whole number
    return None


def mean_cost(prior: Floats, privacy: PrivacyLevel) -> float:
    """Return the least expected squared error of any private real answer: sum_j P(j) Var(i | j); O(n), rounded up."""
    if np.count_nonzero(prior) == 1 or privacy.exact_alpha == 0:
        return 0.0
    kind = SquaredLoss()
    posteriors = Posteriors.of(prior, Base.of(privacy), kind.power)
    released = geometric.weights(privacy, len(prior) - 1) * posteriors.likelihood
    value = float((released * np.maximum(posteriors.moment(2) - np.square(posteriors.mean), 0.0)).sum())
    rounding = value_rounding(posteriors, kind, kind.readings(posteriors), released, value, privacy)
    return math.nextafter(value + rounding + PROBABILITY_ERROR * value, math.inf)


def exact_mean_cost(prior: Sequence[Fraction], alpha: Fraction) -> Fraction:
    """Return the same in rational arithmetic, for alpha in [0, 1]."""
    total = Fraction(0)
    for j, weight in enumerate(geometric.exact_weights(alpha, len(prior) - 1)):
        beliefs = [p * alpha ** abs(i - j) for i, p in enumerate(prior)]
        whole, mean, square = (sum((q * i**k for i, q in enumerate(beliefs)), Fraction(0)) for k in (0, 1, 2))
        total += weight * (square - mean * mean / whole) if whole else 0
    return total


def power_cost(costs: Costs, power: float, privacy: PrivacyLevel) -> float:
    """Return the least expected |i - r|^power of any private real answer r, power > 1; O(n^2) a step, rounded up.

    Parameters
    ----------
    costs : Costs
        Of the prior and of the same loss of whole numbers.
    power : float
    privacy : PrivacyLevel
    """
    if privacy.exact_alpha == 0:
        return 0.0
    outputs = bayes_remap(costs.prior, costs.loss, privacy, monotone=True).outputs.astype(float)
    i, n = np.arange(len(costs.prior), dtype=float), len(costs.prior) - 1
    released = costs.prior[:, None] * geometric.matrix(privacy, n)
    # The cost is convex in r, so the best number is less than 1 from the best whole number.
    low, high = np.maximum(outputs - 1, 0.0), np.minimum(outputs + 1, n)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        distance = middle - i[:, None]
        rising = (released * np.copysign(np.abs(distance) ** (power - 1), distance)).sum(axis=0) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    each = [(released * np.abs(answers - i[:, None]) ** power).sum(axis=0) for answers in (low, outputs)]
    value = float(np.minimum(*each).sum())
    rounding = costs.rounding(value, privacy.alpha) + (power + 4) * 2.0**-53 * value
    return math.nextafter(value + rounding, math.inf)
