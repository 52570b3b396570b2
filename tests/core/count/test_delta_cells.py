"""The universal (epsilon, delta) mechanism: its cells by number, exactly private, and where it could go wrong."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.count.delta_cells import Cells
from dpdesigner.core.count.delta_reading import uncovered


def rows(n: int, alpha: F, delta: F) -> list[list[F]]:
    return list(Cells.of(n, alpha, delta, exact=True).rows())


def test_small_ones_by_number() -> None:
    assert rows(1, F(1, 2), F(1, 10)) == [[F(1, 10), F(3, 5), F(3, 10), F(0)], [F(0), F(3, 10), F(3, 5), F(1, 10)]]
    cells = Cells.of(2, F(1, 2), F(1, 100))
    first = [F(1, 100), F(1, 50), F(16, 25), F(17, 100), F(4, 25), F(0), F(0)]
    assert list(cells.rows())[:2] == [first, [F(0), F(1, 100), F(8, 25), F(17, 50), F(8, 25), F(1, 100), F(0)]]
    width = F(191, 34)
    assert cells.noise.half_width == width and set(cells.cuts) == {i + s * width for i in range(3) for s in (1, -1)} | {
        F(1, 2),
        F(3, 2),
    }


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("alpha", [F(1, 2), F(1, 5), F(9, 10), F(1)])
@pytest.mark.parametrize("delta", [F(1, 1000), F(1, 10), F(2, 5), F(9, 10)])
def test_rows_sum_to_one_and_delta_is_met_exactly(n: int, alpha: F, delta: F) -> None:
    table = rows(n, alpha, delta)
    assert all(len(row) == 3 * n + 1 and sum(row) == 1 and min(row) >= 0 for row in table)
    ratio = 1 / alpha
    assert uncovered(table, ratio).delta == delta == uncovered(table, 5 * ratio).delta  # only the outermost cells exceed e^eps
    assert uncovered(table, F(1)).delta == max((1 - alpha) * (1 - delta) / (1 + alpha) + delta, delta)
    for i in range(n):  # every pair of neighbours is as bad as any
        assert uncovered(table[i : i + 2], ratio).delta == delta


def test_groups_of_k_by_the_formula() -> None:
    table, alpha, delta = rows(6, F(1, 2), F(1, 100)), F(1, 2), F(1, 100)
    for k in (2, 3):
        pairs = [[table[i], table[i + k]] for i in range(7 - k)]
        assert {uncovered(pair, 1 / alpha**k).delta for pair in pairs} == {delta * ((1 / alpha**k) - 1) / (1 / alpha - 1)}


def test_cuts_that_coincide_stay_in_order() -> None:
    cells = Cells.of(4, F(1, 2), F(1, 10))  # L = 5/2: ends and starts meet, and so do halves
    assert cells.noise.half_width == F(5, 2) and sum(weight == 0 for weight in cells.weights) > 0
    assert all(lo <= p <= hi for lo, p, hi in zip(cells.low, cells.peak, cells.high, strict=True))
    near = Cells.of(4, F(1, 2), F(1, 10), exact=False)
    assert [w > 0 for w in near.weights] == [w > 0 for w in cells.weights]
    assert np.allclose(near.sizes, cells.sizes, rtol=1e-15, atol=0)


@pytest.mark.parametrize("delta", ["1e-12", "1e-3", "1/3"])
def test_small_tails_lose_no_digits(delta: str) -> None:
    """From the right the weights are those from the left: nothing is found as the complement of something near 1."""
    cells = Cells.of(30, PrivacyLevel.from_epsilon("0.3").alpha_above, F(delta))
    assert np.allclose(cells.sizes, cells.sizes[::-1], rtol=1e-14, atol=0)
    assert np.allclose(cells.matrix.sum(axis=1), 1, rtol=1e-13)
    outer = cells.sizes[0] * cells.directions[0, 0]
    assert math.isclose(outer, float(F(delta)), rel_tol=1e-13)


@pytest.mark.parametrize(
    ("epsilon", "delta", "size"),
    [
        (1, "1e-3", 0.842984043354),
        ("ln 2", "1/10", 0.8),
        ("ln 2", "1/100", 39 / 32),
        ("ln 2", "1/1000", 16837 / 12800),
        ("ln 3", "1/50", 203 / 300),
        (0, "0.05", 5.0),
        (0, "0.3", 0.8),
    ],
)
def test_the_integer_noise_by_number(epsilon: object, delta: str, size: float) -> None:
    noise = Cells.of(1, PrivacyLevel.from_epsilon(epsilon).alpha_above, F(delta)).noise  # type: ignore[arg-type]
    inner = sum(k * noise.alpha**k for k in range(1, noise.steps))
    last = noise.steps * noise.part * noise.alpha**noise.steps  # the outermost step counts partially
    assert math.isclose(2 * noise.height * (inner + last), size, rel_tol=1e-11)


@pytest.mark.parametrize("epsilon", ["1e-6", "0.01", "30", "700"])
@pytest.mark.parametrize("delta", ["1e-300", "1e-9", "0.999"])
def test_extreme_levels_are_distributions(epsilon: str, delta: str) -> None:
    cells = Cells.of(5, PrivacyLevel.from_epsilon(epsilon).alpha_above, F(delta))
    assert np.allclose(cells.matrix.sum(axis=1), 1, rtol=1e-12) and (cells.sizes >= 0).all()
