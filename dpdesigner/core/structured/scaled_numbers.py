"""Numbers far below the range of doubles: each a mantissa times a power of two, with an exponent of its own.

The chances of a geometric mechanism leave that range after some hundred steps, while what is made of them, posteriors and
choices, is well defined.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.decimals import context, decimal
from dpdesigner.core.privacy.level import PrivacyLevel

_CONTEXT = context(60)

#: The exponent of zero, so that a zero never decides a common exponent.
NOTHING = -(2**60)
#: Powers of two below which `numpy.ldexp` gives 0.
VANISHED = -2000


class Scaled(NamedTuple):
    """Numbers as mantissa * 2^exponent, two arrays of one shape."""

    mantissa: Floats
    exponent: Integers

    def to_floats(self) -> Floats:
        """Return doubles; 0 where they are too small for one."""
        return shifted(self.mantissa, self.exponent)


class Base(NamedTuple):
    """alpha in (0, 1], which may be far below the range of doubles: mantissa * 2^exponent, and its logarithm.

    Attributes
    ----------
    mantissa : float
        In [0.7, 1.42), so that many steps in a row stay in range.
    exponent : int
    logarithm : Decimal
        log2(alpha), to 50 digits.
    """

    mantissa: float
    exponent: int
    logarithm: Decimal

    @classmethod
    def of(cls, alpha: float | Fraction | PrivacyLevel) -> Base:
        """Make it from a number or a privacy level."""
        if isinstance(alpha, PrivacyLevel):
            epsilon = alpha.exact_epsilon
            if epsilon is not None:
                return cls._of_logarithm(decimal(-epsilon, _CONTEXT))
            alpha = alpha.alpha_above
        return cls._of_logarithm(_CONTEXT.ln(decimal(Fraction(alpha), _CONTEXT)))

    @classmethod
    def _of_logarithm(cls, natural: Decimal) -> Base:
        logarithm = _CONTEXT.divide(natural, _CONTEXT.ln(Decimal(2)))
        exponent = round(logarithm)
        mantissa = _CONTEXT.power(Decimal(2), _CONTEXT.subtract(logarithm, Decimal(exponent)))
        return cls(float(mantissa), exponent, logarithm)

    def powers(self, k: Integers) -> Scaled:
        """Return alpha^k, each to within a few units of rounding; k >= 0.

        The logarithm is cut into a part whose multiples by k are exact doubles and a small rest.
        """
        bits = 52 - int(k.max()).bit_length() - max(math.frexp(float(self.logarithm))[1], 0)
        coarse = math.ldexp(round(math.ldexp(float(self.logarithm), bits)), -bits)
        rest = float(_CONTEXT.subtract(self.logarithm, Decimal(coarse)))
        whole = np.floor(k * coarse)
        return Scaled(np.exp2(k * coarse - whole + k * rest), whole.astype(np.int64))


def shifted(numbers: Floats, exponent: NDArray[np.signedinteger]) -> Floats:
    """Return numbers * 2^exponent as doubles, 0 where they are too small for one."""
    return np.asarray(np.ldexp(numbers, np.maximum(exponent, VANISHED).astype(np.int32, copy=False)))


def normal(x: Floats) -> Scaled:
    """Return doubles as mantissas in [1/2, 1) and exponents; zeros with the exponent of nothing."""
    mantissa, exponent = np.frexp(x)
    return Scaled(mantissa, np.where(mantissa > 0, exponent.astype(np.int64), NOTHING))
