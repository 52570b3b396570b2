"""Scores at once, and near the best: what they pass is in the dual cone in fractions, and they pass what they are made for."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpdesigner import CountDesign
from dpdesigner.core.basics.coverage import Rows, Turns
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.mechanism import scores
from dpdesigner.core.mechanism.remap import bayes_remap
from dpdesigner.core.mechanism.scores import FullScores, NearScores

Floats = NDArray[np.float64]

_LOSSES = ["absolute", "squared", "zero-one", "power:0.5", "pinball:1/3", "threshold:3"]


def _turns(loss: Floats) -> Turns | None:
    rows = Rows.of(loss)
    return rows.turns(loss.shape[1]) if rows.coverage(loss).covered else None


def _least(entries: list[Fraction], alpha: Fraction) -> Fraction:
    """min <v, x> over x in K with x_0 = 1."""
    value = Fraction(0)
    for entry in reversed(entries):
        value = entry + min(alpha * value, value / alpha)
    return value


@given(
    st.integers(0, 80),
    st.integers(0, 2**32),
    st.sampled_from([1e-100, 1e-9, 0.02, 0.5, 0.9, 0.999]),
    st.sampled_from([0.0, 1e-17, 1e-13, 1e-6, 0.1]),
    st.sampled_from(["near", "signed", "random"]),
)
@settings(deadline=None, max_examples=50)
def test_what_passes_is_in_the_dual_cone(n: int, seed: int, alpha: float, shift: float, kind: str) -> None:
    """Duals at the edge of what is feasible, and others; few columns, so that fractions do not take long."""
    rng = np.random.default_rng(seed)
    prior = rng.random(n + 1) ** 3 * (rng.random(n + 1) < rng.choice([0.2, 0.9]))
    prior /= max(float(prior.sum()), 1e-3)
    places = np.sort(rng.integers(0, n + 1, 4))
    loss = np.abs(np.arange(n + 1)[:, None] - places) ** rng.choice([0.0, 0.5, 1.0, 2.0])
    if kind == "signed":
        loss = loss - rng.random((n + 1, 1)) * 3
    if kind == "random":
        loss = rng.standard_normal((n + 1, 4))
    loss = np.ascontiguousarray(loss, dtype=float)
    dual = bayes_remap(prior, loss, PrivacyLevel.from_alpha(alpha)).dual * (1 + rng.choice([0.0, 1e-15, 1e-3, -0.5]))
    charges = np.where(loss.min(axis=1) < 0, prior * np.abs(loss).max(axis=1), 0.0)
    shift = shift * float(np.abs(dual).max()) + 1e-300
    test = FullScores.of(prior, loss, alpha)
    if test is not None and test.passes(dual, charges, shift):
        for column in loss.T:
            entries = [
                Fraction(p) * Fraction(c) - Fraction(w) + Fraction(shift) for p, c, w in zip(prior, column, dual, strict=True)
            ]
            assert _least(entries, Fraction(alpha)) >= 0


@pytest.mark.parametrize("loss", _LOSSES)
@pytest.mark.parametrize("prior", ["uniform", "binomial:0.3", "two-peak:10,80"])
@pytest.mark.parametrize("n", [9, 100, 400, 1200])
def test_duals_of_remaps_pass(n: int, loss: str, prior: str) -> None:
    design = CountDesign(n, epsilon="0.7", prior=prior if n > 9 else "uniform", loss=loss)
    costs, level, none = design.costs, design.privacy, np.zeros(n + 1)
    found = bayes_remap(costs.prior, costs.loss, level, monotone=True, turns=costs.turns)
    dual, test = found.dual, found.sums
    if n == 1200 and prior != "uniform":
        assert test is None  # what the user believes is far from the first or the last output
        return
    assert test is not None and isinstance(test, NearScores) == (n == 1200 or (n == 400 and prior == "uniform"))
    charged = (150 + n / 2) * 2.0**-53 * np.abs(dual)
    assert test.passes(dual - charged, none, float(charged.mean()))
    # Above the optimum no dual is feasible.
    assert not test.passes(dual + 1e-6 * float(dual.max()), none, 0.0)


def test_scores_at_once_are_for_levels_and_priors_that_doubles_hold() -> None:
    loss = np.abs(np.arange(21.0)[:, None] - np.arange(21))
    belief = np.full(21, 1 / 21)
    assert FullScores.of(belief, loss, 0.5) is not None
    assert all(FullScores.of(belief, loss, alpha) is None for alpha in (0.0, 1 - 1e-9, 1.0))
    certain = np.eye(21)[0]
    assert FullScores.of(certain, loss, 0.5) is None  # the best score is 0 everywhere: what is next to it may be lost
    assert FullScores.of(certain, loss + 1, 1e-20) is None
    assert FullScores.of(np.full(402, 1 / 402), np.ones((402, 2)), 0.5) is None


@given(
    st.integers(40, 130),
    st.integers(0, 2**32),
    st.sampled_from([1e-30, 1e-9, 0.02, 0.5, 0.9, 0.99]),
    st.sampled_from([0.0, 1e-17, 1e-13, 1e-6, 0.1]),
    st.sampled_from(["even", "spiky", "steps"]),
    st.sampled_from([0, 400]),
)
@settings(deadline=None, max_examples=30)
def test_scores_near_the_best_are_enough(n: int, seed: int, alpha: float, shift: float, kind: str, small: int) -> None:
    """The same readings and costs as from all scores, and what passes is in the dual cone in fractions, whatever the column."""
    rng = np.random.default_rng(seed)
    prior = rng.dirichlet(np.full(n + 1, 0.2 if kind == "spiky" else 5.0)) + 1e-9
    turns = np.sort(rng.integers(0, n + 1, n + 1)) if kind == "spiky" else np.arange(n + 1)
    loss = np.abs(np.arange(n + 1) - turns[:, None]) ** rng.choice([0.5, 1.0, 2.0]) * rng.random((n + 1, 1)) - rng.choice([0, 2])
    if kind == "steps":
        loss = np.floor(loss / 3)
    level = PrivacyLevel.from_alpha(alpha)
    with patch.object(scores, "_SMALL", small):  # blocks of more rows, and of fewer
        found, plain = (bayes_remap(prior, loss, level, turns=turns) for turns in (_turns(loss), None))
    if not isinstance(found.sums, NearScores):
        return
    assert found.outputs.tolist() == plain.outputs.tolist()
    assert np.abs(found.dual - plain.dual).max() <= 1e-12 * np.abs(plain.dual).max() / (1 - alpha)
    dual = found.dual * (1 + rng.choice([0.0, 1e-15, 1e-3, -0.5]))
    charges = np.where(loss.min(axis=1) < 0, prior * np.abs(loss).max(axis=1), 0.0)
    shift = shift * float(np.abs(dual).max()) + 1e-300
    if found.sums.passes(dual, charges, shift):
        for column in loss.T[rng.integers(0, n + 1, 6)]:
            entries = [
                Fraction(p) * Fraction(c) - Fraction(w) + Fraction(shift) for p, c, w in zip(prior, column, dual, strict=True)
            ]
            assert _least(entries, Fraction(alpha)) >= 0


def test_scores_near_the_best_need_few_columns_and_numbers_that_doubles_hold() -> None:
    loss = np.abs(np.arange(201.0)[:, None] - np.arange(201))
    turns = _turns(loss)
    assert turns is not None and turns.first.tolist() == list(range(201)) and turns.last.tolist() == [*range(1, 201), 200]
    assert _turns(loss % 7) is None
    even, middle = np.full(201, 1 / 201), np.eye(201)[100]
    assert NearScores.of(even, loss, 0.5, turns) is not None
    assert NearScores.of(middle, loss, 0.9, turns) is None  # the first outputs are read as 100
    assert NearScores.of((middle + even) / 2, loss, 1 - 1e-9, turns) is None
    assert NearScores.of(np.eye(201)[:2].sum(axis=0) / 2, loss, 1e-9, turns) is None  # the last scores are too small
    assert CountDesign(200, epsilon=1, loss="absolute").costs.turns is not None
    assert all(CountDesign(n, epsilon=1, loss=kind).costs.turns is None for n, kind in ((100, "absolute"), (200, "power:10")))
