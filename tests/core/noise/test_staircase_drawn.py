"""The staircase under a drawn cost, in closed form."""

from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np
import pytest

from dpdesigner.core.noise.noise_cost import DrawnCost
from dpdesigner.core.noise.staircase import Staircase, absolute_cost, absolute_gamma, drawn_cost, drawn_slope

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


@pytest.mark.parametrize("epsilon", [12.0, 30.0, 200.0, 700.0])
@pytest.mark.parametrize("gamma", [1e-9, 1e-4, 0.37, 0.4, 0.8, 1.0])
@pytest.mark.parametrize("sensitivity", [1.0, 0.25, 1.7])
def test_large_epsilons_against_long_decimals(epsilon: float, gamma: float, sensitivity: float) -> None:
    """The density times the lines, piece by piece, with 400 digits; where b is tiny, what is above the cost at 0 is tiny too."""
    with localcontext() as context:
        context.prec = 400
        b, g, unit = (-Decimal(epsilon)).exp(), Decimal(gamma), Decimal(sensitivity)
        xs, ys = ([Decimal(number) for number in numbers] for numbers in zip(*BENT.points, strict=True))
        slopes = [(y - v) / (x - u) for u, x, v, y in zip(xs, xs[1:], ys, ys[1:], strict=False)]

        def line(x: Decimal) -> Decimal:
            k = min(max(sum(x >= u for u in xs) - 1, 0), len(slopes) - 1)
            return ys[k] + slopes[k] * (x - xs[k])

        edges = sorted({*xs, *(k * unit for k in range(40)), *((k + g) * unit for k in range(40))})
        total = Decimal(0)
        for low, high in pairwise(edges):
            k, inside = divmod(((low + high) / 2) / unit, 1)
            if k < 38:
                total += (high - low) * b ** int(k + (inside >= g)) * (line(low) + line(high)) / 2
        height = (1 - b) / (2 * unit * (g + b * (1 - g)))
        truth = float(2 * height * total)
    found = float(drawn_cost(BENT, epsilon, np.asarray(gamma), sensitivity))
    assert found == pytest.approx(truth, rel=1e-13)
    # What little there is above the cost at 0 is right too.
    assert found - 0.5 == pytest.approx(truth - 0.5, rel=1e-9, abs=1e-15)
