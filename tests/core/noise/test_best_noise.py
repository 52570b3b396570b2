""""""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from published_noise import DISCRETE_LN2, TRUNCATED_LAPLACE

from dpdesigner.core.noise.best_noise import best_noise, epsilon_for_cost
from dpdesigner.core.noise.discrete_staircase import best_split
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import ABSOLUTE, SQUARED, NoiseQuery, PowerCost, noise_cost
from dpdesigner.core.noise.several_dimensions import vector_laplace_cost, vector_optimum
from dpdesigner.core.noise.staircase import Staircase, optimum, staircase_cost
from dpdesigner.errors import Cancelled, InputError


def test_of_geometric_noise_the_closed_form_is_found() -> None:
    """E|Z| = 2a / (1 - a^2) = t has a = (sqrt(1 + t^2) - 1) / t."""
    for target in (0.01, 0.5, 1.2, 40.0, 2000.0):
        alpha = (math.sqrt(1 + target**2) - 1) / target
        found = float(epsilon_for_cost(NoiseQuery(True, 1.0, 1.0, "absolute"), target))
        assert -math.log(alpha) * (1 - 1e-9) <= found <= -math.log(alpha) * (1 + 1e-5)


def test_of_the_staircase_the_closed_form_is_found() -> None:
    """The least E|X| is Delta exp(eps/2) / (exp(eps) - 1) = Delta / (2 sinh(eps/2)) [Geng, corollary 5]."""
    for target in (0.02, 1.2, 70.0):
        epsilon = 2 * math.asinh(3 / (2 * target))
        found = float(epsilon_for_cost(NoiseQuery(False, 0.2, 3.0, "absolute"), target))
        assert epsilon * (1 - 1e-9) <= found <= epsilon * (1 + 1e-5)


@pytest.mark.parametrize(
    "asked",
    [
        NoiseQuery(False, 1.0, 1.0, "squared"),
        NoiseQuery(False, 1.0, 2.0, "absolute", gamma=0.9),
        NoiseQuery(False, 1.0, 1.0, "absolute", dimension=2),
        NoiseQuery(False, 1.0, 1.0, "expression:x**2/(1+abs(x))"),
        NoiseQuery(False, 5.0, 1.0, "expression:exp(abs(x))"),
        NoiseQuery(False, 1.0, 1.0, "drawn:0:0,1:1,3:10"),
        NoiseQuery(True, 1.0, 7.0, "squared"),
        NoiseQuery(True, 1.0, 7.0, "absolute", gamma=0.5),
    ],
)
def test_it_is_enough_and_a_little_less_is_not(asked: NoiseQuery) -> None:
    target = 3.0
    found = epsilon_for_cost(asked, target)
    assert len(found.normalize().as_tuple().digits) <= 6
    assert best_noise(replace(asked, epsilon=float(found))).cost <= target * (1 + 1e-12)
    assert best_noise(replace(asked, epsilon=float(found) * (1 - 2e-5))).cost > target
    elsewhere = epsilon_for_cost(replace(asked, epsilon=30.0), target)
    assert abs(elsewhere - found) <= found * Decimal("1e-5"), "where the search begins does not matter"


def test_the_cells_of_a_histogram_share_what_is_found() -> None:
    asked = NoiseQuery(True, 1.0, 1.0, "absolute")
    alone, shared = epsilon_for_cost(asked, 1.2), epsilon_for_cost(asked, 1.2, share=2)
    assert float(shared) == pytest.approx(2 * float(alone), rel=2e-5)
    assert best_noise(replace(asked, epsilon=float(shared) / 2)).cost <= 1.2


@pytest.mark.parametrize(
    ("asked", "target", "part"),
    [
        (NoiseQuery(False, 1.0, 1.0, "absolute"), 0.0, "No ε up to 700 gives an expected cost as low as 0. With ε = 10 it is"),
        (NoiseQuery(False, 1.0, 1.0, "absolute"), -3.0, "as low as −3."),
        (NoiseQuery(False, 1.0, 1.0, "absolute", gamma=0.5), 0.2, "With ε = 10 it is 0.25"),
        (NoiseQuery(False, 1.0, 1.0, "absolute"), 1e9, "No allowed ε costs as much as"),
    ],
)
def test_an_impossible_aim_says_so_and_offers_one_that_can_be_reached(asked: NoiseQuery, target: float, part: str) -> None:
    with pytest.raises(InputError, match=part.replace(".", r"\.").replace("(", r"\(")) as refused:
        epsilon_for_cost(asked, target)
    assert refused.value.field == "target"
    offered = float(refused.value.suggestion)
    assert best_noise(replace(asked, epsilon=float(epsilon_for_cost(asked, offered)))).cost <= offered


@pytest.mark.parametrize("target", [math.nan, math.inf])
def test_what_is_no_number_is_refused(target: float) -> None:
    with pytest.raises(InputError, match="must be a number" if math.isnan(target) else "is too large"):
        epsilon_for_cost(NoiseQuery(False, 1.0, 1.0, "absolute"), target)


def test_it_can_be_cancelled() -> None:
    def stop(done: float, what: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        epsilon_for_cost(NoiseQuery(False, 1.0, 1.0, "absolute"), 1.2, progress=stop)


def test_two_answers_at_large_epsilon() -> None:
    assert vector_optimum(1, 60.0, 2).gamma * math.exp(20) == pytest.approx(2 ** (1 / 3), rel=1e-6)


def test_at_ln_2() -> None:
    assert Laplace(math.log(2)).cost(ABSOLUTE) == pytest.approx(1.442695041, abs=5e-10)
    assert Laplace(math.log(2)).cost(SQUARED) == pytest.approx(4.162737, abs=1e-6)
    for sensitivity, cost in DISCRETE_LN2.items():
        assert best_split(ABSOLUTE, math.log(2), sensitivity).cost == pytest.approx(cost, rel=1e-14)


def test_truncated_laplace_may_cost_more_than_the_pure_staircase() -> None:
    assert TRUNCATED_LAPLACE[1] > optimum(ABSOLUTE, 1.0).cost


def test_laplace_in_two_dimensions_costs_two_scales() -> None:
    assert vector_laplace_cost(1, 1.0, 2) == pytest.approx(2, rel=1e-14)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.3, 1.0, 7.0, 50.0, 700.0])
@pytest.mark.parametrize(("text", "power"), [("expression:abs(x)", 1.0), ("expression:x*x", 2.0), ("expression:abs(x)**3", 3.0)])
def test_quadrature_of_a_typed_cost_is_the_closed_form(epsilon: float, text: str, power: float) -> None:
    for gamma in (0.01, 0.37, 0.5, 1.0):
        closed = float(staircase_cost(PowerCost(power), epsilon, gamma, 1.5))
        assert float(staircase_cost(noise_cost(text), epsilon, gamma, 1.5)) == pytest.approx(closed, rel=1e-10)
    assert Laplace(epsilon, 1.5).cost(noise_cost(text)) == pytest.approx(Laplace(epsilon, 1.5).cost(PowerCost(power)), rel=1e-10)


def test_the_laplace_distribution_function_stays_below_one() -> None:
    noise = Laplace(1.0)
    assert float(noise.cdf(0.5)) == pytest.approx(1 - math.exp(-0.5) / 2, rel=1e-15)
    b = math.exp(-1)
    assert float(Staircase(1.0, 0.5).cdf(0.5)) == pytest.approx(0.5 + 0.5 * (1 - b) / (1 + b), rel=1e-13)
