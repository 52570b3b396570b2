"""Running products against fractions and long decimals."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.numbers.running_products import running_products

_UNIT = Fraction(1, 2**53)


@given(
    st.fractions(Fraction(1, 10**12), 10**12), st.lists(st.tuples(st.integers(1, 10**15), st.integers(1, 10**15)), max_size=60)
)
@settings(deadline=None)
def test_every_product_is_right_to_the_last_digit(factor: Fraction, pairs: list[tuple[int, int]]) -> None:
    over, under = (np.array([pair[k] for pair in pairs], dtype=float) for k in (0, 1))
    # Large and small ratios in turn, so that the products stay in range.
    over[1::2], under[1::2] = under[::2][: len(over[1::2])], over[::2][: len(over[1::2])]
    found, truth = running_products(factor, over, under), Fraction(1)
    assert found[0] == 1 and len(found) == len(pairs) + 1
    for product, a, b in zip(found[1:].tolist(), over.tolist(), under.tolist(), strict=True):
        truth *= factor * Fraction(a) / Fraction(b)
        if Fraction(2) ** -1000 < truth < Fraction(2) ** 1000:
            assert abs(Fraction(product) - truth) <= Fraction(101, 100) * _UNIT * truth


@pytest.mark.parametrize(("factor", "size"), [(Fraction(999_983, 1_000_000), 40_000), (Fraction(1_000_003, 999_999), 100_000)])
def test_long_runs_stay_right(factor: Fraction, size: int) -> None:
    """A product of as many doubles would be wrong by hundreds of units."""
    found = running_products(factor, np.ones(size), np.ones(size))
    with localcontext() as context:
        context.prec = 60
        ratio = Decimal(factor.numerator) / Decimal(factor.denominator)
        for k in (1, 127, 128, 129, 9_999, size // 2, size):
            truth = ratio**k
            assert abs(Decimal(float(found[k])) / truth - 1) <= Decimal("1.01") * Decimal(2) ** -53, k


def test_what_vanishes_is_0_and_what_comes_back_is_not() -> None:
    ones = np.ones(40)
    found = running_products(Fraction(1, 10**20), ones, np.where(np.arange(40) < 20, 1.0, 1e15))
    assert found[15] == pytest.approx(1e-300) and not found[20:].any()
    over = np.where(np.arange(60) < 30, 1.0, 1e15)
    back = running_products(Fraction(1), over, over[::-1])
    assert back[30] == 0 and back[60] == 1
