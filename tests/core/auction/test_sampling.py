"""Draws of a price: exactly as likely as they must be, on a list of prices that no bid decides."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from core.auction.test_price import FIVE
from scipy.stats import chi2

from dpdesigner.core.auction import sampling as drawing
from dpdesigner.core.auction.demand import Demand
from dpdesigner.core.auction.price import Price
from dpdesigner.core.auction.sampling import ExactPrice, Step

LIMIT = 1e-6  # the chance that a right sampler fails a test


def steps(bids: list[Fraction]) -> list[Step]:
    return [(Fraction(0), bid, Fraction(1)) for bid in bids]


def surprise(counts: list[int], chances: list[float]) -> float:
    """The chance of a chi-square at least as large."""
    total = sum(counts)
    large = [(count, chance) for count, chance in zip(counts, chances, strict=True) if total * chance > 5]
    rest = total - sum(count for count, _ in large), 1 - sum(chance for _, chance in large)
    cells = [*large, *([rest] if total * rest[1] > 5 else [])]
    assert rest[1] > 1e-12 or rest[0] == 0
    value = sum((count - total * chance) ** 2 / (total * chance) for count, chance in cells)
    return float(chi2.sf(value, len(cells) - 1)) if len(cells) > 1 else 1.0


@pytest.mark.parametrize("always", [False, True], ids=["by the first bits", "by more bits"])
@pytest.mark.parametrize("count", [1, 7, 40])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(3), Fraction(60)])
def test_the_law_on_a_few_prices(monkeypatch: pytest.MonkeyPatch, count: int, epsilon: Fraction, always: bool) -> None:
    monkeypatch.setattr(drawing, "STEPS", count)
    if always:
        monkeypatch.setattr(drawing, "_LEAST", 2**300)
    bids = [Fraction(1, 2), Fraction(9, 10), Fraction(3, 10), Fraction(1, 3), Fraction(7, 5)]
    prices = [Fraction(g, count) for g in range(1, count + 1)]
    q = np.array([float(epsilon * p * sum(bid >= p for bid in bids)) for p in prices])
    weights = np.exp(q - q.max())
    price, below = ExactPrice(steps(bids), epsilon, True), random.Random(8).randrange
    found = Counter(price.draw(below) for _ in range(1500 if always else 20_000))
    assert surprise([found[g] for g in range(1, count + 1)], (weights / weights.sum()).tolist()) > LIMIT


def test_the_law_of_curves_on_a_few_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "STEPS", 30)
    curves = [[("1/5", "2"), ("1/2", "1")], [("1/10", "20"), ("9/10", "1")], [("1", "0.7")], [("1/3", "1000000000")]]
    all_steps, q = [], np.zeros(30)
    for curve in curves:
        low = Fraction(0)
        for high, quantity in curve:
            all_steps.append((low, Fraction(high), Fraction(quantity)))
            low = Fraction(high)
        for g in range(1, 31):
            bought = next((Fraction(quantity) for high, quantity in curve if Fraction(g, 30) <= Fraction(high)), Fraction(0))
            q[g - 1] += float(min(Fraction(g, 30) * bought, 1))
    weights = np.exp(5 * q)
    price, below = ExactPrice(all_steps, Fraction(5), False), random.Random(9).randrange
    found = Counter(price.draw(below) for _ in range(20_000))
    assert surprise([found[g] for g in range(1, 31)], (weights / weights.sum()).tolist()) > LIMIT


@pytest.mark.parametrize("epsilon", ["1e-6", "1", "50"])
def test_the_law_on_the_continuum(epsilon: str) -> None:
    """Fifty cells that are equally likely by the density."""
    price = Price(Demand.of_bids(FIVE * 9).revenue, float(epsilon))
    cells = [0.0, *(price.quantile(k / 50) for k in range(1, 50)), 1.0]
    exact, below = (
        ExactPrice(steps([Fraction(k, 5) for k in range(1, 6)] * 9), Fraction(epsilon), True),
        random.Random(10).randrange,
    )
    drawn = np.array([exact.draw(below) for _ in range(20_000)]) / drawing.STEPS
    counts = [int(((drawn > low) & (drawn <= high)).sum()) for low, high in pairwise(cells)]
    assert surprise(counts, [0.02] * 50) > LIMIT and 0 < drawn.min() and drawn.max() <= 1


def test_bounds_are_on_the_right_side() -> None:
    for x in (0, 1, 17, 88, 200, 690, 760, 10**6):
        for below_line in (1, 3, 10**30):
            above = x * below_line + (1 if below_line > 1 else 0)
            least, most = drawing._scaled_exponential(above, below_line, 192)
            assert 0 <= least <= most <= least + 2 + least // 2**100
            assert drawing._bound(above, below_line) << 64 >= most - 1 or least < 2**64


def test_draws_are_from_the_systems_entropy_unless_said_otherwise() -> None:
    price = ExactPrice(steps([Fraction(1, 2)]), Fraction(1), True)
    assert len({price.draw() for _ in range(20)}) > 15
    assert [price.draw(random.Random(1).randrange)] == [price.draw(random.Random(1).randrange)]
    nobody = ExactPrice([], Fraction(1), True)
    assert 1 <= nobody.draw() <= drawing.STEPS
