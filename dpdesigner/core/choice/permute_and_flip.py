"""Permute-and-flip: ask the options in random order, and take the first whose coin of bias exp(c (u - max u)) shows heads.

R. McKenna, D. Sheldon, "Permute-and-Flip: A New Mechanism for Differentially Private Selection", 2020. An option that is asked at
a uniform time t is reached if none of those before it was taken:

    P(i) = q_i int_0^1 prod_{j != i} (1 - t q_j) dt,    q_i = exp(c (u_i - max u)).

It is the largest u + one-sided exponential noise of scale 1 / c (Z. Ding et al., "The Permute-and-Flip Mechanism is Identical to
Report-Noisy-Max with Exponential Noise", 2021). The integrand is a polynomial in t.
"""

from __future__ import annotations

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.quadrature import falling_rule
from dpdesigner.core.numbers.logarithms import log_shares

#: A bias below this changes no product in doubles.
_NEGLIGIBLE = 1e-20


def permute_and_flip_logs(exponents: Floats) -> Floats:
    """Return ln of the chances of permute-and-flip.

    Parameters
    ----------
    exponents : ndarray
        (k,): c (u - max u), the largest 0.

    Returns
    -------
    ndarray
        (k,): their exponentials sum to 1; the rule's rounding is divided out.
    """
    bias = np.exp(exponents)
    felt = bias > _NEGLIGIBLE
    factors, weights = _factors(bias[felt])
    weights = weights * np.prod(factors, axis=1)
    integral = np.full(len(bias), float(weights.sum()))
    integral[felt] = weights @ (1 / factors)
    return log_shares(exponents + np.log(integral))


def chance_of_one(exponent: float, others: Floats) -> float:
    """Return ln of the chance of one option among others, whose exponents need not be at most 0."""
    most = max(exponent, float(others.max()))
    bias = np.exp(others - most)
    factors, weights = _factors(bias[bias > _NEGLIGIBLE])
    return exponent - most + float(np.log(weights @ np.prod(factors, axis=1)))


def _factors(bias: Floats) -> tuple[Floats, Floats]:
    """1 - t q for each node t of a rule and each bias q, and the weights of the nodes."""
    _, rest, weights = falling_rule(float(bias.sum()))
    # 1 - t q = (1 - q) + q (1 - t): nothing cancels where t and q are almost 1.
    return (1 - bias) + rest[:, None] * bias, weights
