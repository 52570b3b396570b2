"""The exponential mechanism in logarithms, so that nothing overflows however large utilities and epsilon are.

F. McSherry, K. Talwar, "Mechanism Design via Differential Privacy", 2007: an option of utility u is drawn with a chance
proportional to its base measure times exp(c u). What matters are the *exponents* c (u - max u) <= 0, which are made from exact
numbers, so that a chance that a double can hold is right to a relative 1e-12.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.logarithms import log_shares
from dpdesigner.core.numbers.parsing import nearest


def exponents(utilities: Sequence[Fraction] | Floats, rate: Fraction) -> Floats:
    """Return c (u - max u) for each option of a vector, or of each row of an array of doubles.

    Parameters
    ----------
    utilities : sequence of Fraction, or ndarray
        Fractions are subtracted exactly; doubles stand for themselves.
    rate : Fraction
        c, at least 0.

    Returns
    -------
    ndarray
        At most 0; the largest is 0.
    """
    if isinstance(utilities, np.ndarray):
        return np.asarray(nearest(rate) * (utilities - utilities.max(axis=-1, keepdims=True)))
    most = max(utilities)
    return np.array([nearest(rate * (utility - most)) for utility in utilities])


def exponential_logs(exponents: Floats, base: Floats | None = None) -> Floats:
    """Return ln of the chances of the exponential mechanism; also of the largest u + Gumbel noise, which is the same.

    Parameters
    ----------
    exponents : ndarray
        (..., k): c u, up to a common addend.
    base : ndarray, optional
        (k,): ln of the base measure of each option; 0 if not given.

    Returns
    -------
    ndarray
        (..., k).
    """
    return log_shares(exponents if base is None else exponents + base)
