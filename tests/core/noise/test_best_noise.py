from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesigner.core.noise.best_noise import best_noise, epsilon_for_cost
from dpdesigner.core.noise.noise_cost import NoiseQuery
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
    with pytest.raises(InputError, match="must be a number"):
        epsilon_for_cost(NoiseQuery(False, 1.0, 1.0, "absolute"), target)


def test_it_can_be_cancelled() -> None:
    def stop(done: float, what: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        epsilon_for_cost(NoiseQuery(False, 1.0, 1.0, "absolute"), 1.2, progress=stop)
