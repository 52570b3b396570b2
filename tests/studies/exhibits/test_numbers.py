"""The numbers of the exhibits, each with where it is from, to the digits given there."""

from __future__ import annotations

import math
from fractions import Fraction as F
from typing import Any

import pytest

import dpdesigner as dp


def found(name: str, key: str = "value", /, **inputs: Any) -> Any:
    return dp.solve(dp.exhibit(name, **inputs)).findings[key].value


def near(value: float, digits: str) -> bool:
    """Whether a number is the one given, to the digits given."""
    decimals = len(digits.partition("e")[0].partition(".")[2])
    scale = 10.0 ** int(digits.partition("e")[2] or 0)
    return abs(value - float(digits)) <= 0.51 * 10.0**-decimals * scale


# [GRS] Example 2.2; the even n are not in the paper, and were found by linear programs over all mechanisms.
@pytest.mark.parametrize(
    ("n", "alpha", "value"),
    [
        (1, "1/2", F(1, 3)),
        (2, "1/2", F(1, 4)),
        (3, "1/2", F(1, 6)),
        (5, "1/2", F(1, 12)),
        (7, "1/2", F(1, 24)),
        (10, "1/2", F(1, 64)),
        (5, "1/3", F(1, 36)),
        (7, "1/3", F(1, 108)),
    ],
)
def test_example_2_2(n: int, alpha: str, value: F) -> None:
    assert found("grs/example-2.2", n=n, alpha=alpha) == value == found("grs/example-2.2", "closed-form", n=n, alpha=alpha)
    a = F(alpha)
    assert found("grs/example-2.2", "stands", n=n, alpha=alpha) == 2 * a / (1 + a)
    assert found("grs/example-2.2", "clamped", n=n, alpha=alpha) == a / (1 + a)


def test_laplace_distribution_function() -> None:
    assert near(found("notes/laplace-cdf"), "0.70") and near(found("notes/laplace-cdf", "value-printed"), "1.30")
    assert math.isclose(found("notes/laplace-cdf", x="-2", b="2"), math.exp(-1) / 2)
