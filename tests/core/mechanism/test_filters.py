"""One-pole filters against sums written out, to fifty digits."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.mechanism.filters import MOST_STEPS, NOTHING, STEP_ROUNDINGS, Base, largest_so_far, one_sided

_UNIT = Decimal(2) ** -53
_PRECISE = Context(prec=50, Emin=MIN_EMIN, Emax=MAX_EMAX)
_ALPHAS = st.sampled_from([1.0, 0.5, 0.99, 1 - 1e-12, 1e-3, 1e-30, 1e-300, 5e-324])


def _decimal(mantissa: float, exponent: int) -> Decimal:
    return Decimal(mantissa) * Decimal(2) ** int(exponent) if exponent > NOTHING // 2 else Decimal(0)


@st.composite
def _weights(draw: st.DrawFn) -> np.ndarray:
    """Around the length of a block, full or with gaps, of any size."""
    size = draw(st.sampled_from([1, 2, 7, 511, 512, 513, 1100]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    share, depth = draw(st.sampled_from([1.0, 0.1, 0.01])), draw(st.sampled_from([0, 300]))
    return rng.random(size) * (rng.random(size) < share) * 10.0 ** (-depth * rng.random(size))


@given(_weights(), _ALPHAS, st.integers(0, 3))
@settings(deadline=None, max_examples=25)
def test_sums_on_one_side(x: np.ndarray, alpha: float, order: int) -> None:
    """Within the bound that certificates rely on, also far below the range of doubles."""
    found = one_sided(x, Base.of(alpha), order)
    assert found.moments.shape == (order + 1, len(x))
    with localcontext(_PRECISE):
        ratio, sums = Decimal(alpha), [Decimal(0)] * 5
        for j, weight in enumerate(x.tolist()):
            zeroth, first, second, third, fourth = sums
            sums = [
                ratio * zeroth + Decimal(weight),
                ratio * (first + zeroth),
                ratio * (second + 2 * first + zeroth),
                ratio * (third + 3 * second + 3 * first + zeroth),
                ratio * (fourth + 4 * third + 6 * second + 4 * first + zeroth),
            ]
            lost = sums[0] * Decimal(2) ** -900
            for k in range(order + 1):
                steps = min(sums[k + 1], MOST_STEPS * sums[k])
                error = abs(_decimal(float(found.moments[k, j]), int(found.exponent[j])) - sums[k])
                assert error <= STEP_ROUNDINGS * _UNIT * (steps + 8 * sums[k]) + lost


@given(_weights(), _ALPHAS, st.sampled_from([2.0**-47, -(2.0**-47)]))
@settings(deadline=None, max_examples=25)
def test_the_largest_so_far(x: np.ndarray, alpha: float, tie: float) -> None:
    place = largest_so_far(x, Base.of(alpha), tie)
    with localcontext(_PRECISE):
        ratio, largest = Decimal(alpha), Decimal(0)
        for j, weight in enumerate(x.tolist()):
            largest = max(ratio * largest, Decimal(weight))
            assert Decimal(float(x[place[j]])) * ratio ** int(j - place[j]) >= largest * (1 - Decimal("1e-11")) and place[j] <= j


def test_ties_of_the_largest() -> None:
    x = np.array([0.0, 1.0, 0.5, 0.25, 0.0, 1.0])
    assert largest_so_far(x, Base.of(0.5), 1e-14).tolist() == [0, 1, 1, 1, 1, 5]
    assert largest_so_far(x, Base.of(0.5), -1e-14).tolist() == [0, 1, 2, 3, 3, 5]


@pytest.mark.parametrize("alpha", [1.0, 0.5, 0.3, 1 - 1e-9, 1e-200])
def test_powers(alpha: float) -> None:
    k = np.array([0, 1, 2, 999, 10**6, 10**7])
    powers = Base.of(alpha).powers(k)
    with localcontext(_PRECISE):
        for mantissa, exponent, times in zip(powers.mantissa, powers.exponent, k, strict=True):
            truth = Decimal(alpha) ** int(times)
            assert abs(_decimal(float(mantissa), int(exponent)) - truth) <= 6 * _UNIT * truth


@pytest.mark.parametrize("epsilon", ["1/3", 800, 10**6, 1e-12, 0])
def test_levels_that_no_double_holds(epsilon: str | float) -> None:
    base = Base.of(PrivacyLevel.from_epsilon(epsilon))
    with localcontext(_PRECISE):
        exact = Fraction(epsilon) if isinstance(epsilon, str) else Fraction(repr(epsilon))
        truth = (-Decimal(exact.numerator) / Decimal(exact.denominator)).exp()
        assert abs(_decimal(base.mantissa, base.exponent) / truth - 1) <= 4 * _UNIT
    assert Base.of(PrivacyLevel.from_alpha("1/3")).logarithm == Base.of(Fraction(1, 3)).logarithm
