"""The staircase under a drawn cost, in closed form."""

import numpy as np
import pytest

from dpdesigner.core.noise_cost import DrawnCost
from dpdesigner.core.staircase import Staircase
from dpdesigner.core.staircase_drawn import drawn_cost, drawn_slope
from dpdesigner.core.staircase_powers import absolute_cost, absolute_gamma

LINE = DrawnCost(((0.0, 0.0), (1.0, 1.0)))
BENT = DrawnCost(((0.0, 0.5), (0.4, 0.5), (1.7, 3.0), (6.0, 3.2)))


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 2.0, 700.0])
def test_one_line_is_the_absolute_error(epsilon: float) -> None:
    gammas = np.array([0.01, 0.4, 1.0])
    assert drawn_cost(LINE, epsilon, gammas, 3.0) == pytest.approx(absolute_cost(epsilon, gammas, 3.0), rel=1e-13)
    best = float(absolute_gamma(epsilon))
    assert drawn_slope(LINE, epsilon, best * 0.99, 3.0) > 0 > drawn_slope(LINE, epsilon, best * 1.01, 3.0)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.5, 1.0), (3.0, 0.7), (9.0, 1.7)])
def test_against_a_fine_sum_over_the_density(epsilon: float, sensitivity: float) -> None:
    noise = Staircase(epsilon, 0.3, sensitivity)
    edges, _ = noise.outline(60 / epsilon * sensitivity)
    edges = np.union1d(edges[edges >= 0], [0.4, 1.7, 6.0])
    middles = (edges[1:] + edges[:-1]) / 2
    exact = 2 * np.diff(edges) @ (noise.density(middles) * BENT.value(middles))
    assert float(drawn_cost(BENT, epsilon, np.asarray(0.3), sensitivity)) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.5, 1.0), (3.0, 0.7), (6.0, 1.7)])
def test_the_slope_has_the_sign_of_the_fall(epsilon: float, sensitivity: float) -> None:
    gammas = np.linspace(0.02, 0.98, 49)
    costs = drawn_cost(BENT, epsilon, gammas, sensitivity)
    falls = costs[:-1] - costs[1:]
    slopes = np.array([drawn_slope(BENT, epsilon, gamma, sensitivity) for gamma in (gammas[:-1] + gammas[1:]) / 2])
    clear = np.abs(falls) > 1e-4 * np.abs(falls).max()
    assert (np.sign(falls[clear]) == np.sign(slopes[clear])).mean() > 0.97
    assert (np.diff(slopes) <= 1e-12).all()
