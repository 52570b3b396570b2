"""Answers that may be any real number: against fractions, and against a search over a fine grid of answers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from core.oracle import geometric, optimum
from hypothesis import given, settings
from hypothesis import strategies as st
from published import REAL_ANSWERS

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.count.alternatives import best_answers, exact_mean_cost, mean_cost
from dpdesigner.core.count.costs import exact_real_cost, real_cost
from dpdesigner.studies.count.answer import cost_table


@pytest.mark.parametrize(("n", "alpha", "prior", "cost"), REAL_ANSWERS)
def test_published_costs(n: int, alpha: str, prior: str, cost: str) -> None:
    design = CountDesign(n, alpha=alpha, prior=prior, loss="squared")
    assert exact_real_cost(design) == Fraction(cost)
    found = real_cost(design)
    assert found is not None and Fraction(cost) <= Fraction(found) <= Fraction(cost) * (1 + Fraction(1, 10**11))


@given(st.integers(0, 25), st.integers(0, 2**32), st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
@settings(deadline=None, max_examples=30)
def test_the_posterior_mean_is_never_better_than_the_truth(n: int, seed: int, alpha: Fraction) -> None:
    weights = [int(weight) for weight in np.random.default_rng(seed).integers(0, 5, n + 1)]
    weights[seed % (n + 1)] += 1
    design = CountDesign(n, alpha=alpha, prior=weights, loss="squared")
    truth = exact_mean_cost(design.prior.exact, alpha)
    found = mean_cost(design.prior.probabilities, design.privacy)
    assert truth <= Fraction(found) <= truth + Fraction(design.largest_loss) / 10**11
    assert truth <= solve(design, exact=True).value


def test_no_private_mechanism_with_a_grid_of_answers_is_better() -> None:
    """The exact linear program over the rays of the cone, with answers in steps of 1/8 and the posterior means among them."""
    alpha, prior = Fraction(1, 2), [Fraction(k, 11) for k in (1, 4, 2, 3, 1)]
    means = []
    for column in zip(*geometric(4, alpha), strict=True):
        joint = [p * g for p, g in zip(prior, column, strict=True)]
        means.append(sum(q * i for i, q in enumerate(joint)) / sum(joint))
    answers = sorted({*means, *(Fraction(k, 8) for k in range(33))})
    loss = [[(i - r) ** 2 for r in answers] for i in range(5)]
    assert optimum(prior, loss, alpha) == exact_mean_cost(prior, alpha)


@pytest.mark.parametrize("power", ["1.5", "3", "1.01", "7"])
@pytest.mark.parametrize("prior", ["uniform", "binomial:0.3", "two-peak:2,9"])
def test_powers_against_a_grid(power: str, prior: str) -> None:
    design = CountDesign(12, alpha="2/3", prior=prior, loss=f"power:{power}")
    found, answers = real_cost(design), np.linspace(0, 12, 12 * 512 + 1)
    released = design.prior.probabilities[:, None] * solve(design).released.matrix
    best = (np.abs(np.arange(13)[:, None] - answers) ** float(power)).T @ released
    assert found is not None and found <= float(best.min(axis=0).sum()) * (1 + 1e-12)
    assert found == pytest.approx(float(best.min(axis=0).sum()), rel=1e-5) and found <= solve(design).value * (1 + 1e-12)


@pytest.mark.parametrize("loss", ["absolute", "power:1", "power:0.5", "pinball:0.75", "relative", "zero-one", "threshold:1.4"])
def test_a_whole_number_is_among_the_best(loss: str) -> None:
    """The loss as it is defined, of answers in steps of 1/20, averaged over the posteriors."""
    design = CountDesign(9, alpha="3/5", prior=[1, 5, 0, 2, 2, 7, 1, 1, 0, 3], loss=loss)
    counts, answers = np.arange(10.0)[:, None], np.arange(181) / 20
    distance, number = np.abs(counts - answers), float(loss.partition(":")[2] or 1)
    losses = {
        "zero-one": distance > 0,
        "threshold": distance > number,
        "power": distance**number,
        "absolute": distance,
        "relative": distance / np.maximum(counts, 1),
        "pinball": np.maximum(number * (counts - answers), (1 - number) * (answers - counts)),
    }[loss.partition(":")[0]]
    released = design.prior.probabilities[:, None] * solve(design).released.matrix
    assert float((losses.T @ released).min(axis=0).sum()) == pytest.approx(solve(design).value, rel=1e-12)
    assert best_answers(design.loss) == "whole" and real_cost(design) is None
    assert dict(cost_table(design).losses)["real"] == pytest.approx(solve(design).value, rel=1e-14)


def test_losses_of_whole_numbers_alone_have_no_such_line() -> None:
    for loss in ("distance:0,1,4", "expression:abs(i-r)", "threshold:1.5", "threshold:1/2"):
        design = CountDesign(4, alpha="1/2", loss=loss)
        assert best_answers(Loss(loss)) is None and real_cost(design) is None and exact_real_cost(design) is None
        assert "real" not in dict(cost_table(design).losses)
    assert real_cost(CountDesign(501, alpha="1/2", loss="power:3")) is None


def test_edges() -> None:
    for privacy, cost in ((("alpha", "1"), 35 / 12), (("epsilon", "inf"), 0.0)):
        for loss, factor in (("squared", 1.0), ("power:2", 1.0)):
            found = real_cost(CountDesign(5, **{privacy[0]: privacy[1]}, loss=loss))  # type: ignore[arg-type]
            assert found == pytest.approx(cost * factor, rel=1e-12)
    assert real_cost(CountDesign(5, epsilon="inf", loss="power:3")) == 0
    for loss in ("squared", "power:3"):
        assert real_cost(CountDesign(2500 if loss == "squared" else 50, epsilon=1, prior="spike:7", loss=loss)) == 0
    assert real_cost(CountDesign(0, epsilon=1, loss="squared")) == 0
