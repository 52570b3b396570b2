"""The staircase under any cost."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_noise import POWER_GAMMAS, POWERS_AT_1, STAIRCASE, STAIRCASE_LN2
from scipy.integrate import quad

from dpdesigner.core.noise import staircase
from dpdesigner.core.noise import staircase as powers
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import DrawnCost, PowerCost, noise_cost
from dpdesigner.core.noise.staircase import (
    Staircase,
    absolute_cost,
    absolute_gamma,
    drawn_cost,
    drawn_slope,
    least_absolute_cost,
    least_squared_cost,
    optimal_gamma,
    optimum,
    small_epsilon_limit,
    squared_gamma,
    staircase_cost,
)
from dpdesigner.errors import InputError

COST = (powers.absolute_cost, powers.squared_cost)
GAMMA = (powers.absolute_gamma, powers.squared_gamma)
LEAST = (powers.least_absolute_cost, powers.least_squared_cost)


@pytest.mark.parametrize("epsilon", STAIRCASE)
@pytest.mark.parametrize("m", [1, 2])
def test_published_table(epsilon: float, m: int) -> None:
    gamma, cost, ratio = STAIRCASE[epsilon][m - 1]
    assert GAMMA[m - 1](epsilon) == pytest.approx(gamma, rel=1e-9)
    assert LEAST[m - 1](epsilon) == pytest.approx(cost, rel=3e-12)
    assert math.factorial(m) / epsilon**m / LEAST[m - 1](epsilon) == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize("m", [1, 2])
def test_at_ln_2(m: int) -> None:
    gamma, cost = STAIRCASE_LN2[m - 1]
    assert GAMMA[m - 1](math.log(2)) == pytest.approx(gamma, rel=1e-14)
    assert LEAST[m - 1](math.log(2)) == pytest.approx(cost, rel=1e-14)


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.4, 3.0, 30.0, 300.0, 700.0])
def test_the_least_cost_is_the_cost_of_the_best_gamma(m: int, epsilon: float) -> None:
    gamma = GAMMA[m - 1](epsilon)
    least = COST[m - 1](epsilon, gamma)
    assert LEAST[m - 1](epsilon) == pytest.approx(float(least), rel=1e-13)
    assert (COST[m - 1](epsilon, gamma * np.array([0.5, 0.9, 1.1, 1.5])) >= least * (1 - 1e-15)).all()
    assert LEAST[m - 1](epsilon, 3.0) == pytest.approx(3.0**m * LEAST[m - 1](epsilon), rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_squared_gamma_is_the_published_expression(epsilon: float) -> None:
    b = math.exp(-epsilon)
    published = -b / (1 - b) + (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3) / (2 ** (1 / 3) * (1 - b) ** 2)
    assert powers.squared_gamma(epsilon) == pytest.approx(published, rel=1e-10)


@pytest.mark.parametrize("m", [1, 2])
def test_gamma_0_and_gamma_1_are_the_same_noise(m: int) -> None:
    for epsilon in (1e-6, 1.0, 700.0):
        assert COST[m - 1](epsilon, 0.0) == COST[m - 1](epsilon, 1.0)


def test_towards_epsilon_0_the_gap_to_laplace_tends_to_its_limits() -> None:
    epsilon = 1e-3
    assert (1 / epsilon - powers.least_absolute_cost(epsilon)) / epsilon == pytest.approx(1 / 24, rel=1e-5)
    assert 2 / epsilon**2 - powers.least_squared_cost(epsilon) == pytest.approx(1 / 12, rel=1e-5)
    gaps = [2 / e**2 - powers.least_squared_cost(e) for e in (0.1, 0.5, 1.0, 2.0)]
    assert gaps == sorted(gaps, reverse=True)
    for m in (1, 2):
        assert powers.small_epsilon_limit(1e-2, m) == pytest.approx(LEAST[m - 1](1e-2), rel=1e-9)
        assert GAMMA[m - 1](1e-6) == pytest.approx(0.5, abs=1e-6)


def test_towards_infinity_the_costs_tend_to_their_limits() -> None:
    for m in (1, 2):
        limit = 2.0**m * math.exp(-m * (60 + math.log(m)) / (m + 1))
        assert limit == pytest.approx(LEAST[m - 1](60.0, 2.0), rel=1e-8)
    assert powers.least_absolute_cost(60.0) * math.exp(30) == pytest.approx(1, rel=1e-12)
    assert powers.least_squared_cost(90.0) * math.exp(60) == pytest.approx(2 ** (-2 / 3), rel=1e-9)
    assert powers.absolute_gamma(60.0) * math.exp(30) == pytest.approx(1, rel=1e-12)
    assert powers.squared_gamma(90.0) * math.exp(30) == pytest.approx(2 ** (-1 / 3), rel=1e-9)


def test_gamma_never_becomes_0() -> None:
    assert powers.absolute_gamma(1e5) > 0
    assert powers.squared_gamma(1e5) > 0


EPSILONS = [1e-6, 1e-3, 0.05, 1.0, 7.0, 40.0, 700.0]
#: The same cost written in different ways, so that it is computed by different routes.
ALIKE = [
    ("absolute", "expression:abs(x)"),
    ("squared", "expression:x*x"),
    ("power:3", "expression:abs(x)**3"),
    ("power:1/2", "expression:sqrt(abs(x))"),
    ("power:3/2", "expression:abs(x)*sqrt(abs(x))"),
    ("drawn:0:0,1:1", "absolute"),
    ("drawn:0:0,2:2,5:5,7:7", "absolute"),
    ("drawn:0:0,1:1,3:10", "expression:max(abs(x), 1 + 4.5*(abs(x) - 1))"),
    ("drawn:0:1,3:4,4:4", "expression:1 + min(abs(x), 3)"),
]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_every_route_gives_the_same_cost(one: str, other: str, epsilon: float) -> None:
    gammas = np.array([0.0, 1e-3, 0.2, 0.5, 0.9, 1.0])
    for sensitivity in (0.7, 3.0):
        costs = staircase_cost(noise_cost(one), epsilon, gammas, sensitivity)
        assert costs == pytest.approx(staircase_cost(noise_cost(other), epsilon, gammas, sensitivity), rel=1e-12)
        first, second = optimum(noise_cost(one), epsilon, sensitivity), optimum(noise_cost(other), epsilon, sensitivity)
        assert first.cost == pytest.approx(second.cost, rel=1e-12)
        assert first.gamma == pytest.approx(second.gamma, rel=1e-9)
        assert first.cost <= costs.min() * (1 + 1e-11)


@pytest.mark.parametrize("epsilon", [1e-6, 0.05, 1.0, 7.0, 700.0])
def test_the_general_optimum_meets_the_closed_forms(epsilon: float) -> None:
    nearly = 1 + 1e-13
    one, two = optimum(PowerCost(nearly), epsilon), optimum(PowerCost(2 * nearly), epsilon)
    assert one.gamma == pytest.approx(float(absolute_gamma(epsilon)), rel=1e-10)
    assert two.gamma == pytest.approx(float(squared_gamma(epsilon)), rel=1e-10)
    assert one.cost == pytest.approx(float(least_absolute_cost(epsilon)), rel=1e-10)
    assert two.cost == pytest.approx(float(least_squared_cost(epsilon)), rel=1e-10)


@pytest.mark.parametrize("epsilon", POWER_GAMMAS)
def test_published_gammas_of_powers(epsilon: float) -> None:
    assert [optimal_gamma(epsilon, m) for m in (1, 2, 3, 4)] == pytest.approx(POWER_GAMMAS[epsilon], abs=5.1e-9)


@pytest.mark.parametrize("m", POWERS_AT_1)
def test_published_costs_of_powers(m: int) -> None:
    gamma, cost = POWERS_AT_1[m]
    assert optimum(PowerCost(float(m)), 1.0) == pytest.approx((gamma, cost), rel=3e-10)


@pytest.mark.parametrize("m", [0.3, 0.5, 1.5, 2.5, 6.0])
def test_limits_of_powers(m: float) -> None:
    cost = PowerCost(m)
    small = 1e-3
    # The limit leaves out terms of relative size epsilon^(m + 2) and epsilon^4.
    allowed = 0.1 * small ** min(m + 2, 4) + 1e-13
    assert optimum(cost, small).cost == pytest.approx(float(small_epsilon_limit(small, m)), rel=allowed)
    assert optimum(cost, 200.0).cost == pytest.approx(math.exp(-m * (200 + math.log(m)) / (m + 1)), rel=1e-6)


@pytest.mark.parametrize(
    "given_cost", ["power:0.7", "power:2.5", "drawn:0:0,0.4:3,2:5,9:60", "expression:log1p(x*x)", "expression:x**4/(1+x*x)"]
)
@pytest.mark.parametrize(("epsilon", "gamma", "sensitivity"), [(0.8, 0.3, 1.0), (2.5, 0.05, 0.6), (1.2, 0.8, 2.0)])
def test_costs_against_quadrature_over_the_density(given_cost: str, epsilon: float, gamma: float, sensitivity: float) -> None:
    cost, noise = noise_cost(given_cost), Staircase(epsilon, gamma, sensitivity)
    edges, heights = noise.outline(70 / epsilon * sensitivity)
    corners = [corner for corner in cost.corners if corner < edges[-1]]
    edges = np.union1d(edges, [*corners, *[-corner for corner in corners]])
    middles = (edges[1:] + edges[:-1]) / 2
    total = 0.0
    for low, high, height in zip(edges[:-1], edges[1:], noise.density(middles), strict=True):
        if low >= 0:
            total += 2 * height * quad(lambda x: float(cost.value(np.array([x]))[0]), low, high, epsabs=0, epsrel=1e-12)[0]
    assert float(staircase_cost(cost, epsilon, gamma, sensitivity)) == pytest.approx(total, rel=1e-11)
    assert heights.max() == noise.height


@settings(max_examples=40, deadline=None)
@given(
    epsilon=st.floats(1e-3, 30),
    first=st.floats(0.01, 5),
    steps=st.lists(st.tuples(st.floats(0.01, 5), st.floats(0, 5)), max_size=4),
)
def test_the_optimum_of_a_drawn_cost_is_a_minimum(epsilon: float, first: float, steps: list[tuple[float, float]]) -> None:
    x, y = np.cumsum([(0.0, 0.0), (1.0, first), *steps], axis=0).T
    cost = noise_cost("drawn:" + ",".join(f"{a!r}:{b!r}" for a, b in zip(x.tolist(), y.tolist(), strict=True)))
    best = optimum(cost, epsilon)
    assert (staircase_cost(cost, epsilon, np.linspace(0, 1, 101)) >= best.cost * (1 - 1e-12)).all()


def test_jumps() -> None:
    """The cost 1 where |x| > 2, else 0, is P(|X| > 2)."""
    cost = noise_cost("expression:where(abs(x) > 2, 1, 0)")
    for epsilon, gamma in ((0.5, 0.3), (3.0, 0.9)):
        noise = Staircase(epsilon, gamma, 0.7)
        assert float(staircase_cost(cost, epsilon, gamma, 0.7)) == pytest.approx(2 * float(noise.tail(2.0)), rel=1e-10)


@pytest.mark.parametrize("epsilon", [5.0, 40.0, 200.0])
def test_jumps_and_corners_where_the_noise_steps(epsilon: float) -> None:
    """Costs that vanish up to 2 at sensitivity 1: what lies below 2 must not leak into them."""
    b, gammas = math.exp(-epsilon), np.array([1e-6, 0.3, 1.0])
    jump = staircase_cost(noise_cost("expression:where(abs(x) > 2, 1, 0)"), epsilon, gammas)
    assert jump == pytest.approx(b**2 * np.ones(3), rel=1e-12)
    corner = staircase_cost(noise_cost("expression:max(abs(x) - 2, 0)"), epsilon, gammas)
    assert corner == pytest.approx(b**2 * absolute_cost(epsilon, gammas), rel=1e-12)


def test_costs_that_grow_too_fast_are_infinite() -> None:
    cost = noise_cost("expression:exp(abs(x)) - 1")
    assert optimum(cost, 0.9).cost == math.inf
    assert math.isnan(optimum(cost, 0.9).gamma)
    b, g = math.exp(-2.0), 0.3
    exact = sum(2 * b**k * (math.exp(k + g) - 1 - (k + g)) for k in range(80)) * (1 - b) ** 2 / (2 * (g + b * (1 - g)))
    assert float(staircase_cost(cost, 2.0, g)) == pytest.approx(exact, rel=1e-12)
    assert optimum(noise_cost("expression:exp(x*x)"), 50.0).cost == math.inf
    assert optimum(PowerCost(100.0), 1e-6).cost == math.inf


def test_the_ends_of_epsilon() -> None:
    assert optimal_gamma(0) == 0.5
    assert optimal_gamma(math.inf) == 0.0
    assert optimal_gamma(3.0) == pytest.approx(1 / (1 + math.exp(1.5)), rel=1e-15)
    assert absolute_cost(700.0, optimal_gamma(700.0)) == pytest.approx(math.exp(-350), rel=1e-12)


@pytest.mark.parametrize("epsilon", [1e-12, 1e-6, 0.1, math.log(2), 1.0, 5.0, 40.0, 700.0])
def test_rounded_with_gamma_a_half_is_the_geometric_mechanism(epsilon: float) -> None:
    mass, tail = staircase.rounded(epsilon, 0.5, 40)
    alpha = math.exp(-epsilon)
    powers = np.array([math.exp(-epsilon * k) for k in range(41)])
    spread = -math.expm1(-epsilon) / (1 + alpha)
    assert mass == pytest.approx(spread * powers, rel=1e-14)
    assert tail == pytest.approx(powers / (1 + alpha), rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("gamma", [0.0, 0.01, 0.3, 0.5, 0.8, 1.0])
def test_rounded_integrates_the_density(epsilon: float, gamma: float) -> None:
    b = math.exp(-epsilon)
    height = (1 - b) / (2 * (gamma + b * (1 - gamma)))

    def below(x: float) -> float:
        """P(0 <= X <= x)."""
        k = math.floor(x)
        part = min(x - k, gamma) + b * max(x - k - gamma, 0)
        return height * (sum(b**j for j in range(k)) * (gamma + b * (1 - gamma)) + b**k * part)

    mass, tail = staircase.rounded(epsilon, gamma, 6)
    assert mass[0] == pytest.approx(2 * below(0.5), rel=1e-12)
    assert mass[1:] == pytest.approx([below(k + 0.5) - below(k - 0.5) for k in range(1, 7)], rel=1e-9)
    assert tail[1:] == pytest.approx([0.5 - below(k - 0.5) for k in range(1, 7)], rel=1e-9)
    assert tail[0] + tail[1] == pytest.approx(1, rel=1e-15)


def test_rounded_at_the_ends_of_epsilon() -> None:
    for gamma in (0, 0.3, 1):
        mass, tail = staircase.rounded(math.inf, gamma, 3)
        assert mass.tolist() == tail.tolist() == [1, 0, 0, 0]
        assert staircase.rounded(1e-12, gamma, 2)[0] == pytest.approx([5e-13] * 3, rel=1e-11)
        assert np.isfinite(staircase.rounded(800.0, gamma, 5)[0]).all()
    assert staircase.rounded(3000.0, staircase.optimal_gamma(3000.0), 2)[0].tolist() == [1, 0, 0]


def test_rounded_keeps_the_privacy_far_out() -> None:
    mass, tail = staircase.rounded(1.5, 0.2, 400)
    assert mass[300] / mass[301] == pytest.approx(math.exp(1.5), rel=1e-12)
    assert tail[300] / tail[301] == pytest.approx(math.exp(1.5), rel=1e-12)


NOISES = [
    Staircase(1.0, 0.3, 2.0),
    Staircase(1e-3, 0.5),
    Staircase(3.0, 0.0),
    Staircase(3.0, 1.0),
    Staircase(12.0, 1e-3, 0.5),
    Staircase(0.7, 0.9, 40.0),
]


@pytest.mark.parametrize("noise", NOISES)
def test_distribution(noise: Staircase) -> None:
    edges, heights = noise.outline(5.3 * noise.sensitivity)
    masses = np.diff(edges) * heights
    outside = float(noise.tail(edges[-1]))
    assert masses.sum() + 2 * outside == pytest.approx(1, rel=1e-13)
    assert outside + np.cumsum(masses) == pytest.approx(noise.cdf(edges[1:]), rel=1e-12)
    assert noise.tail(edges) == pytest.approx(noise.cdf(-edges), rel=1e-15)
    assert (np.diff(edges) > 0).all()
    assert edges == pytest.approx(-edges[::-1])
    assert heights.max() == pytest.approx(noise.height)


@pytest.mark.parametrize("noise", NOISES)
def test_quantiles_invert_the_cdf(noise: Staircase) -> None:
    p = np.array([1e-200, 1e-30, 1e-5, 0.1, 0.3, 0.499, 0.5, 0.77, 1 - 1e-9])
    assert noise.cdf(noise.quantile(p)) == pytest.approx(p, rel=1e-11)
    assert noise.quantile(0.5) == 0
    assert noise.quantile([0.0, 1.0]).tolist() == [-math.inf, math.inf]
    assert noise.tail([-math.inf, math.inf]).tolist() == [1.0, 0.0]
    assert Staircase(1e9, 0.3, 1e-9).tail(1e300) == 0.0


@given(
    epsilon=st.floats(1e-6, 300),
    gamma=st.floats(0, 1),
    x=st.floats(-50, 50),
    shift=st.floats(-1, 1),
)
def test_privacy_holds_between_any_answers_within_the_sensitivity(epsilon: float, gamma: float, x: float, shift: float) -> None:
    noise = Staircase(epsilon, gamma, 1.5)
    steps = int(noise.step(x - shift * 1.5) - noise.step(x))
    # |x| and |x - shift| are rounded, so a place exactly one period away may fall a rounding beyond.
    near = abs(abs(x - shift * 1.5) - abs(x)) > 1.5 * (1 - 1e-12)
    assert abs(steps) <= 1 or near
    assert float(noise.log_ratio(x, shift * 1.5)) == pytest.approx(epsilon * steps)


def test_privacy_is_tight() -> None:
    noise = Staircase(1.0, 0.3, 2.0)
    x = np.linspace(2.01, 9.0, 200)
    assert noise.log_ratio(x, 2.0) == pytest.approx(-np.ones(200))
    assert noise.log_ratio(-x, 2.0) == pytest.approx(np.ones(200))


def test_density_is_the_published_one() -> None:
    noise = Staircase(math.log(2), 0.25, 2.0)
    a = 0.5 / (2 * 2 * (0.25 + 0.5 * 0.75))
    assert noise.density([0.0, 0.49, 0.51, -1.9, 2.1, -2.6, 4.0]) == pytest.approx(a * 0.5 ** np.array([0, 0, 1, 1, 1, 2, 2]))


def test_large_and_small_epsilon() -> None:
    sharp = Staircase(700.0, float(staircase.optimal_gamma(700.0)))
    assert np.isfinite(sharp.outline(3.0)[1]).all()
    assert float(sharp.tail(0.0)) == 0.5
    flat = Staircase(1e-6, 0.5)
    assert float(flat.quantile(0.75)) == pytest.approx(math.log(2) * 1e6, rel=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "gamma", "sensitivity", "field"),
    [
        (0.0, 0.5, 1.0, "epsilon"),
        (math.inf, 0.5, 1.0, "epsilon"),
        (math.nan, 0.5, 1.0, "epsilon"),
        (1.0, -0.1, 1.0, "gamma"),
        (1.0, 1.1, 1.0, "gamma"),
        (1.0, math.nan, 1.0, "gamma"),
        (1.0, 0.5, 0.0, "sensitivity"),
        (1.0, 0.5, math.inf, "sensitivity"),
    ],
)
def test_bad_parameters(epsilon: float, gamma: float, sensitivity: float, field: str) -> None:
    with pytest.raises(InputError) as error:
        Staircase(epsilon, gamma, sensitivity)
    assert error.value.field == field


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


@given(st.floats(1e-4, 300), st.floats(0, 1), st.floats(0, 0.9999), st.floats(0.01, 1000))
def test_bounds_hold_exactly_the_share(epsilon: float, gamma: float, chance: float, sensitivity: float) -> None:
    for noise in (Staircase(epsilon, gamma, sensitivity), Laplace(epsilon, sensitivity)):
        bound = noise.within(chance)
        assert bound >= 0 and 1 - 2 * float(noise.tail(bound)) == pytest.approx(chance, abs=1e-9)


def test_known_bounds() -> None:
    assert Laplace(1.0).within(0.95) == pytest.approx(math.log(20), rel=1e-13)
    assert Laplace(0.5, 2.0).within(0.5) == pytest.approx(4 * math.log(2), rel=1e-13)
    assert Staircase(math.log(2), 1.0).within(0.5) == pytest.approx(1.0, rel=1e-13)


@pytest.mark.parametrize(("ratio", "chance", "reach"), [(19, 0.9, 0), (4, 0.9, 1), (3, 0.5, 0)])
def test_a_reach_that_has_the_chance_exactly_is_enough(ratio: int, chance: float, reach: int) -> None:
    """P(|X| > k) = 2 a^(k + 1) / (1 + a) with a = 1 / ratio: 2/20, 2/20 and 1/2."""
    assert DiscreteStaircase(math.log(ratio), 1).within(chance) == reach
