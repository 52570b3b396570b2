"""The quick test of the certificate: what it passes is in the dual cone in fractions, and it passes what it is made for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.quick_certificate import QuickTest, least_in_blocks
from dpdesigner.core.remap import bayes_remap

_LOSSES = ["absolute", "squared", "zero-one", "power:0.5", "pinball:1/3", "threshold:3"]


def _least(entries: list[Fraction], alpha: Fraction) -> Fraction:
    """min <v, x> over x in K with x_0 = 1."""
    value = Fraction(0)
    for entry in reversed(entries):
        value = entry + min(alpha * value, value / alpha)
    return value


@given(
    st.integers(0, 80), st.integers(0, 2**32), st.sampled_from([1e-100, 1e-9, 0.02, 0.5, 0.9, 0.999]),
    st.sampled_from([0.0, 1e-17, 1e-13, 1e-6, 0.1]), st.sampled_from(["near", "signed", "random"]),
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
    if QuickTest(prior, loss, least_in_blocks(loss), alpha).passes(dual, charges, shift):
        for column in loss.T:
            entries = [
                Fraction(p) * Fraction(c) - Fraction(w) + Fraction(shift) for p, c, w in zip(prior, column, dual, strict=True)
            ]
            assert _least(entries, Fraction(alpha)) >= 0


@pytest.mark.parametrize("loss", _LOSSES)
@pytest.mark.parametrize("prior", ["uniform", "binomial:0.3", "two-peak:300,800"])
def test_duals_of_remaps_pass(loss: str, prior: str) -> None:
    design = CountDesign(1200, epsilon="0.7", prior=prior, loss=loss)
    costs, level = design.costs, design.privacy
    assert costs.least is not None
    dual = bayes_remap(costs.prior, costs.loss, level, monotone=True).dual
    test, none = QuickTest(costs.prior, costs.loss, costs.least, level.alpha), np.zeros(1201)
    assert test.passes(dual, none, 2e-13 * float(dual.max()))
    # Above the optimum no dual is feasible.
    assert not test.passes(dual + 1e-6 * float(dual.max()), none, 0.0)
