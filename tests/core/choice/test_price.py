"""Expected revenue, OPT and promise against published numbers and against a grid; no overflow anywhere."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from core.choice import auction_by_hand as by_hand
from scipy.stats import chi2

from dpdesigner.core.choice import price as drawing
from dpdesigner.core.choice.demand import Demand
from dpdesigner.core.choice.price import ExactPrice, Price, Step, log_share, mean_part, revenue_bound

HUNDRED = [i / 100 for i in range(1, 101)]
FIVE = [0.2, 0.4, 0.6, 0.8, 1.0]
CURVES = [
    [[(0.2, 3.0), (0.8, 1.0)], [(0.2, 3.0), (0.5, 2.0), (0.9, 1.0)], [(0.1, 5.0), (0.4, 2.0)]],
    [[(1.0, 0.7)], [(0.05, 40.0), (0.3, 2.5)], [(0.6, 1.5)]],
    [[(0.5, 1e9)], [(0.25, 3.3), (0.7, 0.1)]],
]


@pytest.mark.parametrize(
    ("bids", "epsilon", "expected", "bound"),
    [
        (HUNDRED, 1, 24.771793, 4.041506),
        (HUNDRED, 0.5, 24.26136, None),
        (HUNDRED, 0.1, 21.00423, None),
        (HUNDRED, 2, 25.042246, 12.693707),
        ([0.5] * 100, 1, 49.0, 24.44679),
        (FIVE, 1, 1.2467398, -4.4823556),
    ],
)
def test_published_expectations(bids: list[float], epsilon: float, expected: float, bound: float | None) -> None:
    price = Price(Demand.of_bids(bids).revenue, epsilon)
    assert price.expected_revenue == pytest.approx(expected, abs=1e-6)
    assert bound is None or price.revenue_bound == pytest.approx(bound, abs=1e-6)
    apart = price.disagreement()
    assert apart is not None and apart < 1e-13


def test_the_best_price_sells_the_fewest_items_where_several_are_best() -> None:
    revenue = Demand.of_bids(HUNDRED).revenue  # 51 at 0.50 and 50 at 0.51 bring the same
    assert (revenue.optimum, revenue.best_price, revenue.sold) == pytest.approx((25.5, 0.51, 50))
    assert revenue_bound(25.5, 50, 1) == pytest.approx(4.041506, abs=1e-6)
    assert revenue_bound(25.5, 51, 1) == pytest.approx(3.9822, abs=1e-4)


@pytest.mark.parametrize("curves", [by_hand.unit(FIVE), by_hand.unit([0, 0.3, 0.3, 1.7]), *CURVES])
@pytest.mark.parametrize("epsilon", [1e-6, 4, 60])
def test_expectations_on_a_grid(curves: by_hand.Curves, epsilon: float) -> None:
    demand = Demand.of_curves([[*curve] for curve in curves])
    price, weights, q = Price(demand.revenue, epsilon), by_hand.weights(curves, epsilon), by_hand.revenue(curves)
    assert price.revenue.at(by_hand.PRICES) == pytest.approx(q, abs=1e-9)
    assert price.expected_revenue == pytest.approx(weights @ q, abs=3e-4 * max(epsilon, 1))
    assert price.mean == pytest.approx(weights @ by_hand.PRICES, abs=3e-4 * max(epsilon, 1))
    assert price.revenue.blind == pytest.approx(q.mean(), abs=3e-4) and price.revenue.optimum >= q.max() - 1e-9
    assert price.density(by_hand.PRICES).mean() == pytest.approx(1, abs=2e-3 * max(epsilon, 1))
    for share in (0.05, 0.5, 0.95):
        at = price.quantile(share)
        assert weights[at > by_hand.PRICES].sum() == pytest.approx(share, abs=3e-4 * max(epsilon, 1))
        assert price.below(np.array([0.0, at, 1.0])) == pytest.approx([0.0, share, 1.0], abs=1e-9)


def test_bids_for_one_item_are_curves_of_one_step() -> None:
    one, other = Demand.of_bids(FIVE), Demand.of_curves(by_hand.unit(FIVE))
    assert Price(one.revenue, 1).expected_revenue == Price(other.revenue, 1).expected_revenue
    assert one.bought([0, 0.2, 0.21, 1, 1.01]).tolist() == other.bought([0, 0.2, 0.21, 1, 1.01]).tolist() == [5, 5, 4, 1, 0]
    assert one.surplus([0.5]).tolist() == pytest.approx([0.1 + 0.3 + 0.5])


def test_what_is_above_the_cap_counts_as_the_cap() -> None:
    demand = Demand.of_bids([0.5, 1.5, 3])
    assert demand.cut == 2 and demand.revenue.optimum == 2 and demand.revenue.best_price == 1
    greedy = Demand.of_curves([[(0.5, 1e12)], [(0.9, 1.0)]])
    assert greedy.cut == 1 and greedy.revenue.at([0.1, 0.5, 0.6]) == pytest.approx([1.1, 1.5, 0.6])


def test_nothing_overflows_and_nothing_to_earn_is_a_price_like_any_other() -> None:
    many = Demand.of_bids(np.linspace(0, 1, 20_000))
    for epsilon in (1e-6, 50, 700):
        price = Price(many.revenue, epsilon)
        assert 0 < price.expected_revenue <= price.revenue.optimum and 0 <= price.quantile(0.05) <= price.quantile(0.95) <= 1
    for demand in (Demand.of_bids([]), Demand.of_bids([0, 0]), Demand.of_curves([[]])):
        price = Price(demand.revenue, 1)
        assert (price.expected_revenue, price.revenue.optimum, price.revenue.sold) == (0, 0, 0)
        assert price.density([0, 0.3, 1, 1.1]).tolist() == [1, 1, 1, 0] and price.quantile(0.25) == pytest.approx(0.25)
        assert price.revenue_bound == -3


def test_a_quantile_where_all_of_a_steep_piece_lies_above() -> None:
    for epsilon in (1, 5, 50):
        price = Price(Demand.of_bids([0.9] * 50).revenue, epsilon)
        assert price.quantile(0.0) == price.quantile(1e-20) == 0 and price.quantile(1.0) == 1


def test_the_parts_of_a_piece_near_and_far_from_zero() -> None:
    from fractions import Fraction

    u = np.array([0, 1e-12, 1e-4, 0.1, 0.4999999, 0.5, 0.51, 3, 40, 900.0])
    for value, share, part in zip(u.tolist(), np.exp(log_share(u)), mean_part(u), strict=True):
        # Powers of u over factorials, added exactly: (e^-u - 1 + u) and its like lose no digit so.
        if 0 < value < 4:
            x, term, total, first = Fraction(value), Fraction(1), Fraction(0), Fraction(0)
            for k in range(1, 60):
                total += term / k  # sum of (-x)^(k-1) / k!
                first += term * Fraction(1, k + 1)  # sum of (-x)^(k-1) / ((k+1) (k-1)!)
                term *= -x / k
            assert share == pytest.approx(float(total), rel=1e-14)
            assert part == pytest.approx(float(first / total), rel=1e-13)
        elif value:
            assert share == pytest.approx(1 / value, rel=1e-12) and part == pytest.approx(1 / value, rel=1e-12)
    assert (np.exp(log_share(u))[0], mean_part(u)[0]) == (1, 0.5)


def test_the_promise_holds() -> None:
    random = np.random.default_rng(3)
    for _ in range(200):
        demand = Demand.of_bids(random.random(random.integers(1, 400)) ** random.integers(1, 4))
        price = Price(demand.revenue, float(np.exp(random.uniform(-3, 3))))
        assert price.revenue_bound <= price.expected_revenue <= price.revenue.optimum
    assert math.isfinite(revenue_bound(0, 0, 1e-6))


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
