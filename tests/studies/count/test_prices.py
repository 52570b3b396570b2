"""The picture of a proof: bars that sum to what is claimed, green only where they prove it."""

from __future__ import annotations

import numpy as np
import pytest
from published import FIGURE_2_USER

from dpdesigner.studies.count.answer import CountOverview
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.prices import LARGEST_N, price_plot
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.panels import Line, Plot


def picture(solved: CountAnswer) -> Plot:
    plot = price_plot(solved)
    assert plot is not None
    return plot


def heights(line: Line) -> np.ndarray:
    return line.y[1::4]


@pytest.mark.parametrize("exact", [True, False])
def test_both_sum_to_the_value(exact: bool) -> None:
    solved = solve(CountDesign(20, epsilon="ln 2", prior="binomial:1/4", loss="absolute"), exact=exact)
    yours, prices = picture(solved).lines
    assert heights(yours).sum() == pytest.approx(float(solved.value), rel=1e-12)
    assert heights(prices).sum() == pytest.approx(float(solved.value), rel=1e-12)
    assert yours.proved and not prices.proved and np.abs(heights(yours) - heights(prices)).max() > 0.02
    (under,) = picture(solved).under
    assert ("The lower bound equals your expected loss, 1.0011." in under) is exact
    assert exact or under.startswith("Your expected loss is 1.0011; the prices sum to at most ")


def test_a_bar_may_be_below_its_price_and_only_the_sum_is_a_bound() -> None:
    yours, prices = picture(solve(CountDesign(**FIGURE_2_USER))).lines
    assert (heights(yours) < heights(prices) - 0.01).any() and (heights(yours) > heights(prices) + 0.01).any()


def test_what_is_not_proved_has_no_picture() -> None:
    solved = solve(CountDesign(4, alpha="1/2", prior="uniform", loss="expression:(i-r)%3"))
    assert not solved.proved, "these prices pass no test"
    assert CountOverview(solved).why.picture() is None


def test_it_is_in_the_explanation_where_its_bars_can_be_told_apart() -> None:
    for n, there in ((20, True), (LARGEST_N, True), (LARGEST_N + 1, False), (0, False)):
        assert (CountOverview(solve(CountDesign(n, epsilon=1))).why.picture() is not None) is there
