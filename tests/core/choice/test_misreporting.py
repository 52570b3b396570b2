"""What lying gains: against a grid, within the proved limits, and the best lie against a search."""

from __future__ import annotations

import math

import numpy as np
import pytest
from core.choice import auction_by_hand as by_hand
from core.choice.test_price import CURVES, FIVE

from dpdesigner.core.choice.demand import Demand
from dpdesigner.core.choice.misreporting import Bidder, best_single_lies, most_to_gain, saying


@pytest.mark.parametrize("epsilon", [0.2, 1, 5])
@pytest.mark.parametrize("lie", [0.05, 0.45, 0.99])
def test_a_lie_on_a_grid(epsilon: float, lie: float) -> None:
    worths = by_hand.surplus([(0.8, 1.0)])
    truth = by_hand.weights(by_hand.unit(FIVE), epsilon) @ worths
    other = by_hand.weights(by_hand.unit([0.2, 0.4, 0.6, lie, 1.0]), epsilon) @ worths
    bidder = Bidder(Demand.of_bids(FIVE), 3, epsilon, True)
    assert bidder.truth == pytest.approx(truth, abs=2e-5) and bidder.surplus(Demand.of_bids([lie])) == pytest.approx(
        other, abs=2e-5
    )
    assert bidder.gain(Demand.of_bids([lie])) == pytest.approx(other / truth - 1, abs=2e-4)


@pytest.mark.parametrize("curves", CURVES)
@pytest.mark.parametrize("epsilon", [0.2, 3])
def test_a_lie_about_a_curve_on_a_grid(curves: by_hand.Curves, epsilon: float) -> None:
    demand = Demand.of_curves([[*curve] for curve in curves])
    for place in range(len(curves)):
        worths, bidder = by_hand.surplus(curves[place]), Bidder(demand, place, epsilon, False)
        truth = by_hand.weights(curves, epsilon) @ worths
        assert bidder.truth == pytest.approx(truth, rel=1e-3)
        for lie in ([(0.3, 2.0)], [(0.1, 1e12), (0.6, 0.5)], [(0.35, 1e15)]):
            others = [*curves[:place], lie, *curves[place + 1 :]]
            found = bidder.surplus(Demand.of_curves([lie]))
            assert found == pytest.approx(by_hand.weights(others, epsilon) @ worths, rel=1e-3)
            assert found / truth - 1 <= math.expm1(2 * epsilon)


@pytest.mark.parametrize("single", [True, False])
def test_along_all_lies_and_the_best_of_them(single: bool) -> None:
    random = np.random.default_rng(5)
    for _ in range(12):
        worths = random.random(random.integers(1, 30)) * random.choice([1, 1.3])
        epsilon, place = float(np.exp(random.uniform(-2, 3))), int(random.integers(len(worths)))
        bidder = Bidder(Demand.of_bids(worths), place, epsilon, single)
        places = np.sort(random.random(40))
        along = bidder.along(places)
        direct = [bidder.surplus(saying([said], single)) for said in places]
        assert along == pytest.approx(direct, rel=1e-9)
        said, gain = bidder.best
        assert gain >= max(0.0, *(np.array(direct) / bidder.truth - 1)) - 1e-9
        assert gain <= math.expm1(epsilon if single else 2 * epsilon) * (1 + 1e-12)
        if gain > 1e-6 and worths[place] < 1:  # bid what it is worth to you less what you expect to gain
            own = Demand.of_bids([worths[place]])
            assert own.surplus([said])[0] == pytest.approx(bidder.surplus(saying([said], single)), abs=1e-5)


def test_the_quick_search_finds_who_gains_most() -> None:
    random = np.random.default_rng(6)
    for count, epsilon in ((1, 1.0), (7, 0.5), (40, 8.0), (200, 0.3)):
        demand = Demand.of_bids(random.random(count))
        all_of_them = [Bidder(demand, place, epsilon, True).best[1] for place in range(count)]
        _, nearly = best_single_lies(demand, epsilon)
        assert nearly == pytest.approx(all_of_them, abs=1e-5)
        place, said, gain = most_to_gain(demand, epsilon, True)
        assert gain == pytest.approx(max(all_of_them), abs=1e-12) and 0 <= said <= demand.high[place]


def test_no_price_becomes_more_likely_than_allowed() -> None:
    random = np.random.default_rng(7)
    prices = np.linspace(0, 1, 2001)
    for _ in range(40):
        epsilon, bids = float(np.exp(random.uniform(-2, 2))), random.random(random.integers(1, 12))
        bidder, lie = Bidder(Demand.of_bids(bids), 0, epsilon, True), Demand.of_bids(random.random(1) * 1.2)
        ratios = bidder.log_ratio(lie, prices)
        assert abs(ratios).max() <= bidder.largest_ratio(lie) + 1e-12 and bidder.largest_ratio(lie) <= epsilon * (1 + 1e-12)
        assert bidder.largest_ratio(lie) <= abs(ratios).max() + epsilon / 500
    curve = Demand.of_curves([[(0.02, 40.0), (1.0, 0.01)], [(1.0, 1.0)]])
    steep = Bidder(curve, 0, 1.0, False).largest_ratio(Demand.of_curves([[(1.0, 1.0)]]))
    assert 1 < steep <= 2  # a curve has more than epsilon, and never more than twice that


def test_nothing_to_gain() -> None:
    demand = Demand.of_bids([0.0, 0.5])
    bidder = Bidder(demand, 0, 1.0, True)
    assert (bidder.truth, bidder.gain(Demand.of_bids([0.7])), bidder.best[1]) == (0, 0, 0)
    low = Demand.of_bids([0.1, *[0.9] * 3000])  # the surplus of the first is below the range of doubles
    assert Bidder(low, 0, 50.0, True).gain(Demand.of_bids([0.05])) <= 0
    assert most_to_gain(low, 50.0, True)[2] >= 0
    assert Bidder(demand, 1, 1.0, True).gain(Demand.of_bids([0.5])) == pytest.approx(0, abs=1e-15)
