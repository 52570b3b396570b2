"""The exact solution: known users, further users against another exact method, and the published example in doubles."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import published
import pytest
from core import oracle
from core.strategies import COVERED, UNCOVERED, unimodal, users
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign, solve
from dpdesigner.core.dense.exact import solve_exactly


@pytest.mark.parametrize(
    "user", published.reference_users(), ids=lambda user: f"{user['name']}-{user['n']}-{user['alpha']}-{user['loss']}"
)
def test_reference_users(user: dict[str, Any]) -> None:
    design = CountDesign(n=user["n"], alpha=user["alpha"], prior=user["prior"], loss=user["loss"])
    assert design.prior.exact == CountDesign(n=user["n"], alpha=1, prior=user["named"]).prior.exact
    exactly = solve(design, exact=True)
    assert exactly.value == Fraction(user["value"]) and isinstance(exactly.value, Fraction)
    assert exactly.remap.tolist() == user["remap"]
    if user["dual_w"] is not None:
        assert list(exactly.certificate.dual) == [Fraction(w) for w in user["dual_w"]]
    assert exactly.certificate.gap == exactly.certificate.shift == 0 and exactly.certificate.exact
    prior, loss = design.prior.exact, design.loss.exact_matrix(design.n)
    assert oracle.loss_of(prior, loss, oracle.geometric(design.n, Fraction(user["alpha"]))) == Fraction(
        user["face_value_clamped"]
    )
    nearly = solve(design)
    assert nearly.value == pytest.approx(user["value_float"], rel=1e-13)
    # Beyond n = 50 the last reading beats the one before it by 2^-n only, which doubles take for a tie.
    assert (nearly.remap == user["remap"]).all() or (design.n > 50 and (nearly.remap[:-1] == user["remap"][:-1]).all())
    assert 0 <= nearly.certificate.gap <= 3e-13 * max(map(max, loss)) and nearly.proved


FURTHER = [
    (2, "2/5", [3, 0, 1], "absolute"),
    (2, "5/6", ["1/7", "2/7", "4/7"], "pinball:1/5"),
    (3, "3/7", [0, 1, 1, 0], "zero-one"),
    (3, "1/10", [1, 2, 3, 4], "relative"),
    (3, "99/100", [4, 3, 2, 1], "squared"),
    (4, "1/7", "two-peak:0,4", "absolute"),
    (4, "4/5", [1, 0, 0, 0, 1], "threshold:1"),
    (4, "2/3", "triangular:0,1,4", "distance:0,1,1,5"),
    (4, "1/2", [5, 1, 0, 1, 5], "power:3"),
    (5, "1/4", "poisson:2", "pinball:2/3"),
    (5, "3/4", "geometric:1/3", "relative"),
    (5, "19/20", "uniform", "threshold:2"),
    (5, "2/7", [0, 0, 1, 0, 0, 2], "expression:abs(i-r)*(1+i)"),
    (5, "5/8", "spike:3", "squared"),
    (6, "1/2", [1, 1, 0, 0, 0, 1, 1], "absolute"),
    (6, "1/3", "binomial:2/5", "expression:where(r>i,3,1)*abs(i-r)"),
    (6, "6/7", "quantiles:10%=1,90%=4", "squared"),
    (6, "1/100", "uniform", "pinball:9/10"),
    (7, "1/2", ["0.05", "0.1", "0.2", "0.3", "0.15", "0.1", "5%", "5%"], "absolute"),
    (7, "7/9", "binomial:1/4", "zero-one"),
    (7, "11/13", [1, 2, 4, 8, 16, 32, 64, 128], "relative"),
    (8, "3/5", "two-peak:2,6", "squared"),
    (8, "1/2", [0, 1, 0, 1, 0, 1, 0, 1, 0], "threshold:1"),
    (8, "9/11", "poisson:9/2", "pinball:1/3"),
    (9, "1/2", "uniform", "expression:(i-r)**2 + abs(i-r) - 7"),
    (10, "2/3", "triangular:2,5,9", "power:4"),
    (11, "1/2", "binomial:1/2", "distance:0,0,1,3,3,9"),
    (12, "4/7", "geometric:4/5", "absolute"),
    (12, "17/20", "two-peak:1,11", "expression:max(i-r,(r-i)/2)"),
    (16, "1/2", [i * i % 7 for i in range(17)], "squared"),
]


@pytest.mark.parametrize(("n", "alpha", "prior", "loss"), FURTHER)
def test_further_users(n: int, alpha: str, prior: Any, loss: str) -> None:
    design = CountDesign(n=n, alpha=alpha, prior=prior, loss=loss)
    beliefs, costs, level = design.prior.exact, design.loss.exact_matrix(n), Fraction(alpha)
    value, remap = oracle.best_remap(beliefs, costs, level)
    if n <= 8:
        assert oracle.optimum(beliefs, costs, level) == value
    exactly = solve(design, exact=True)
    assert design.covered and exactly.value == value == sum(exactly.certificate.dual)
    assert exactly.remap.tolist() == remap
    assert exactly.certificate.gap == 0 and exactly.proved
    assert oracle.loss_of(beliefs, costs, exactly.mechanism) == value
    assert oracle.is_private(exactly.mechanism, level)
    nearly = solve(design)
    assert nearly.value == pytest.approx(float(value), rel=1e-13, abs=1e-13) and nearly.remap.tolist() == remap


def test_figures_2_and_3() -> None:
    outcome = solve(CountDesign(**published.FIGURE_2_USER))
    assert outcome.remap.tolist() == published.FIGURE_2_REMAP
    assert list(outcome.induced.exact_rows(Fraction(1, 2))) == published.FIGURE_2
    assert outcome.mechanism == pytest.approx(np.array(published.FIGURE_2, dtype=float), rel=1e-15)
    assert outcome.value == pytest.approx(float(published.FIGURE_2_VALUE), rel=2e-15)
    assert outcome.certificate.dual == pytest.approx(np.array(published.FIGURE_2_DUAL), rel=1e-13)
    assert outcome.certificate.gap < 1e-13 and outcome.proved
    assert outcome.constraints.tolist() == published.FIGURE_3
    assert (outcome.constraints == "S").sum() == (outcome.constraints == "Z").all(axis=0).sum() == 1


@pytest.mark.parametrize(("n", "alpha"), published.EXAMPLE_2_2)
def test_example_2_2(n: int, alpha: str) -> None:
    design = CountDesign(n=n, alpha=alpha, prior=[1, *[0] * (n - 1), 1], loss="zero-one")
    exactly = solve(design, exact=True)
    assert exactly.value == Fraction(published.EXAMPLE_2_2[n, alpha])
    assert exactly.certificate.gap == 0
    middle = (n + 1) // 2 + (n + 1) % 2
    assert exactly.remap.tolist() == [0] * middle + [n] * (n + 1 - middle)
    face = oracle.loss_of(design.prior.exact, design.loss.exact_matrix(n), exactly.geometric)
    assert face == Fraction(alpha) / (1 + Fraction(alpha))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10"])
def test_theorem_6_1(n: int, alpha: str) -> None:
    """Uniform prior and binary loss: the optimum is G itself, and G alone."""
    exactly = solve(CountDesign(n=n, alpha=alpha, loss="zero-one"), exact=True)
    assert exactly.value == published.uniform_binary(n, Fraction(alpha))
    assert exactly.mechanism.tolist() == exactly.geometric.tolist() == oracle.geometric(n, Fraction(alpha))
    # Nearby users all have G as an optimum too, so no other mechanism is optimal for all of them; for this one the
    # dual is strictly inside on all but one ray of each output: moving along any other ray costs.
    prior, loss = exactly.design.prior.exact, exactly.design.loss.exact_matrix(n)
    for other in range(n + 1):
        nudged = [[entry + (Fraction(1, 10**6) if r == other else 0) for r, entry in enumerate(row)] for row in loss]
        solved = solve_exactly(prior, nudged, Fraction(alpha))
        assert solved.outputs == tuple(range(n + 1)) and solved.certificate.gap == 0


@given(users(largest=5))
@settings(deadline=None, max_examples=80)
def test_random_users(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    assert design.privacy.exact_alpha is not None
    prior, loss, alpha = design.prior.exact, design.loss.exact_matrix(design.n), design.privacy.exact_alpha
    value, remap = oracle.best_remap(prior, loss, alpha)
    exactly = solve(design, exact=True)
    assert exactly.value == value and exactly.remap.tolist() == remap
    truth = value - oracle.optimum(prior, loss, alpha)
    assert exactly.certificate.gap >= truth and (exactly.certificate.gap == 0) == (truth == 0)
    if design.covered:
        assert truth == 0
        size = sum(p * max(map(abs, row)) for p, row in zip(prior, loss, strict=True))
        assert abs(Fraction(solve(design).value) - value) <= (size if min(map(min, loss)) < 0 else value) / 10**12 + Fraction(
            1, 10**285
        )


@given(st.data(), st.integers(0, 7), st.sampled_from([Fraction(0), Fraction(1)]))
@settings(deadline=None, max_examples=60)
def test_extreme_levels(data: st.DataObject, n: int, alpha: Fraction) -> None:
    """alpha = 0: the truth is released and read as well as possible. alpha = 1: nothing is released, so one answer for all."""
    loss = data.draw(st.one_of(unimodal(n), st.sampled_from(COVERED + UNCOVERED)))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=n + 1, max_size=n + 1).filter(any))
    exactly = solve(CountDesign(n=n, alpha=alpha, prior=weights, loss=loss), exact=True)
    prior, costs = exactly.design.prior.exact, exactly.design.loss.exact_matrix(n)
    if alpha == 0:
        assert exactly.value == sum(p * min(row) for p, row in zip(prior, costs, strict=True))
    else:
        assert exactly.value == min(sum(p * row[r] for p, row in zip(prior, costs, strict=True)) for r in range(n + 1))
        assert len(set(exactly.remap.tolist())) == 1
    assert exactly.certificate.gap == 0 and sum(exactly.certificate.dual) == exactly.value
    assert oracle.is_private(exactly.mechanism, alpha)
    nearly = solve(exactly.design)
    assert nearly.value == pytest.approx(float(exactly.value), abs=1e-12) and nearly.proved
