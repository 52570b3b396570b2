"""The share of the errors within a bound, against the density added up by exact or forty-digit arithmetic."""

from __future__ import annotations

from decimal import Decimal, getcontext

import numpy as np
import pytest

from dpdesigner.studies.noise.answer import Drawn
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import WITHIN, chance_within, density, shares_within
from dpdesigner.studies.noise.run import drawn_text, run, within_of

getcontext().prec = 40


def real_share(epsilon: str, period: str, gamma: float, bound: str) -> float:
    """The area of the staircase over [-bound, bound], step by step, with the height for which all areas sum to 1."""
    b, width, first, left = (-Decimal(epsilon)).exp(), Decimal(period), Decimal(gamma), Decimal(bound)
    height = 1 / (2 * width * (first + b * (1 - first)) / (1 - b))
    share, level = Decimal(0), height
    while left > 0:
        for part, factor in ((first, Decimal(1)), (1 - first, b)):
            taken = min(left, part * width)
            share += 2 * taken * level * factor
            left -= taken
        level *= b
    return float(share)


@pytest.mark.parametrize(
    ("epsilon", "period", "cost", "gamma", "bound"),
    [
        ("2", "3", "squared", "optimal", "1"),
        ("2", "3", "squared", "optimal", "1.00531"),
        ("2", "3", "squared", "optimal", "7.5"),
        ("1/2", "1", "absolute", "optimal", "0.3"),
        ("1/2", "1", "absolute", "1/4", "0.999"),
        ("6", "10", "absolute", "1/2", "12"),
    ],
)
def test_a_real_answer(epsilon: str, period: str, cost: str, gamma: str, bound: str) -> None:
    answer = run(NoiseDesign("real", epsilon=epsilon, sensitivity=period, cost=cost, gamma=gamma))
    exact = "0.5" if epsilon == "1/2" else epsilon
    assert chance_within(answer, float(bound)) == pytest.approx(real_share(exact, period, answer.gamma, bound), rel=1e-13)
    laplace = float(1 - (-Decimal(exact) * Decimal(bound) / Decimal(period)).exp())
    assert answer.chances(float(bound))[1] == pytest.approx(laplace, rel=1e-13)


@pytest.mark.parametrize(("epsilon", "period", "bound"), [("1", 3, 0), ("1", 3, 1), ("1", 3, 7), ("1/2", 1, 6), ("2", 5, 4)])
def test_a_whole_number(epsilon: str, period: int, bound: int) -> None:
    answer = run(NoiseDesign("integer", epsilon=epsilon, sensitivity=period))
    b, r = (-Decimal("0.5" if epsilon == "1/2" else epsilon)).exp(), answer.split
    weights = {i: b ** (i // period) * (1 if i % period < r else b) for i in range(2000)}
    total = 2 * sum(weights.values()) - weights[0]
    wanted = (2 * sum(weights[i] for i in range(bound + 1)) - weights[0]) / total
    assert chance_within(answer, bound) == pytest.approx(float(wanted), rel=1e-12)


def test_the_mock_up_of_the_page() -> None:
    """68 in 100 within one hour, Laplace noise 49: ours is rounded down, and the rival's up."""
    answer = run(NoiseDesign("real", epsilon=2, sensitivity=3, cost="squared", unit="hours"))
    assert shares_within(answer, 1.0) == ("67.7%", "48.7%")
    upper, _ = density(answer, 3.0, 1.0)
    (band,) = upper.bands
    assert (band.low, band.high, str(band.text)) == (-1.0, 1.0, "±1.0 hours") and band.proved
    assert [str(note) for note in band.notes] == ["67.7%", "Laplace: 48.7%"]
    assert [(handle.place, handle.target) for handle in upper.handles[1:]] == [(-1.0, WITHIN[0]), (1.0, WITHIN[1])]
    assert not density(answer, 3.0)[0].bands


def test_the_bound_of_a_whole_number_is_one() -> None:
    answer = run(NoiseDesign("integer", epsilon=1, sensitivity=1))
    assert (within_of(answer, None), within_of(answer, -2.4), within_of(answer, 0.2)) == (1.0, 2.0, 0.0)
    (band,) = density(answer, 1.0, 2.0)[0].bands
    assert (band.low, band.high) == (-2.5, 2.5), "whole bars are inside"
    assert len(band.notes) == 1, "at sensitivity 1 it is the same as discrete Laplace noise"


def test_several_answers_have_no_bound() -> None:
    answer = run(NoiseDesign("real", epsilon=1, dimension=3))
    assert not density(answer, 0.0, 1.0)[0].bands


def test_of_many_draws_those_within_the_bound_are_counted() -> None:
    answer = run(NoiseDesign("real", epsilon=2, sensitivity=3, cost="squared", unit="hours"))
    made = Drawn(np.linspace(-2, 2, 100)[:, None])
    assert drawn_text(made, answer, 1.0) == "50 of 100 within ±1.0 hours (67.7% expected)."
    whole = run(NoiseDesign("integer", epsilon=1, sensitivity=3))
    assert str(drawn_text(Drawn(np.array([[1.0], [-1.0], [2.0], [0.0]])), whole, 1.0)).startswith("3 of 4 within ±1 (")


@pytest.mark.parametrize("epsilon", ["1/10", "1", "5"])
def test_half_of_the_errors_are_within_the_bound_of_the_sentence(epsilon: str) -> None:
    answer = run(NoiseDesign("real", epsilon=epsilon, sensitivity="3", cost="squared"))
    assert real_share(str(answer.design.epsilon), "3", answer.gamma, repr(answer.half_within)) == pytest.approx(0.5, rel=1e-12)
    shown = str(answer.sentence).partition("within ")[2].partition(" of")[0]
    assert answer.half_within <= float(shown) < 1.01 * answer.half_within


def test_in_whole_steps_the_sentence_says_how_many() -> None:
    steps = run(NoiseDesign(epsilon=2, sensitivity=3, cost="squared", unit="hours", step="0.1"))
    assert "55% of the published answers are within 0.8\u00a0hours of the rounded truth" in str(steps.sentence)
    assert steps.chances(0.8)[0] == pytest.approx(0.5593750531) and steps.chances(0.7)[0] < 0.5
    one = run(NoiseDesign("integer", epsilon=1, unit="patients"))
    assert str(one.sentence).startswith("<b>Add geometric noise: 80% of the published answers are within 1 of the truth.</b>")
    assert 1 - 2 * np.exp(-2) / (1 + np.exp(-1)) == pytest.approx(one.chances(1.0)[0])


@pytest.mark.parametrize(("step", "said"), [("0.1", "The steps cost 0.029% more."), ("2", "The steps cost 72% more.")])
def test_coarse_steps_say_their_cost(step: str, said: str) -> None:
    real = run(NoiseDesign(epsilon=2, sensitivity=3, cost="squared"))
    steps = run(real.design.replace(step=step))
    assert said in str(steps.sampling[-1]) and f"{100 * (steps.cost / real.cost - 1):.2g}%" in said


@pytest.mark.parametrize("design", [NoiseDesign(epsilon=2, sensitivity=3), NoiseDesign("integer", epsilon=1, sensitivity=5)])
def test_the_moved_density_is_drawn_across_the_picture(design: NoiseDesign) -> None:
    for shift in (design.period, -2.0):
        (own, *_, moved) = density(run(design), shift)[0].lines
        assert (moved.x[0], moved.x[-1]) == (own.x[0], own.x[-1])
        assert moved.y.max() == pytest.approx(own.y.max())
