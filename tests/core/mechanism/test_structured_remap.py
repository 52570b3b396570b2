"""Structured losses against definitions in fractions, against the dense path, and at a size where no matrix fits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core import oracle
from core.strategies import ALPHAS, priors
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.mechanism.certificate import certify
from dpdesigner.core.mechanism.mechanism import Solution
from dpdesigner.core.mechanism.remap import bayes_remap
from dpdesigner.core.mechanism.structured_losses import first_reached, monotone_argmin
from dpdesigner.core.mechanism.structured_remap import Structure, least_lowering, structure, structured_remap, structured_value

LOSSES = [
    *["absolute", "squared", "zero-one", "relative", "power:1", "power:2"],
    *["pinball:1/5", "pinball:0.9", "pinball:0", "pinball:1", "threshold:0", "threshold:1", "threshold:2.5", "threshold:50"],
    *["distance:0,1,4", "distance:0,0.5,0.5,7", "distance:0,0,0,1"],
]
OFFSET = ["distance:1,1,3", "distance:-2,0,0,5"]


def _structure(loss: str) -> Structure:
    found = structure(Loss(loss))
    assert found is not None
    return found


def _solved(design: CountDesign) -> Solution:
    return structured_remap(design.prior.probabilities, _structure(str(design.loss.specification)), design.privacy)


@st.composite
def _users(draw: st.DrawFn, largest: int, losses: list[str]) -> CountDesign:
    n = draw(st.integers(0, largest))
    return CountDesign(n=n, alpha=draw(ALPHAS), prior=draw(priors(n)), loss=draw(st.sampled_from(losses)))


@given(_users(7, LOSSES + OFFSET))
@settings(deadline=None, max_examples=30)
def test_value_against_definitions(design: CountDesign) -> None:
    assert design.privacy.exact_alpha is not None
    prior, loss = [Fraction(p) for p in design.prior.probabilities.tolist()], design.loss.exact_matrix(design.n)
    value, _ = oracle.best_remap(prior, loss, design.privacy.exact_alpha)
    found = _solved(design)
    assert abs(Fraction(found.value) - value) <= Fraction(found.certificate.rounding) + Fraction(1, 10**299)
    assert found.value == structured_value(design.prior.probabilities, _structure(str(design.loss.specification)), design.privacy)
    assert all(0 <= r <= design.n for r in found.outputs) and (np.diff(found.outputs) >= 0).all()


@given(_users(7, LOSSES))
@settings(deadline=None, max_examples=40)
def test_every_reading_is_as_good_as_the_best(design: CountDesign) -> None:
    """Also where the output is so unlikely that its costs are too small for a double."""
    alpha, loss = design.privacy.exact_alpha, design.loss.exact_matrix(design.n)
    assert alpha is not None
    prior = [Fraction(p) for p in design.prior.probabilities.tolist()]
    for j, r in enumerate(_solved(design).outputs.tolist()):
        likely = [p * alpha ** abs(i - j) for i, p in enumerate(prior)]
        scores = [sum(weight * loss[i][s] for i, weight in enumerate(likely)) for s in range(design.n + 1)]
        assert scores[r] <= min(scores) + sum(likely) * max(map(max, loss)) / 10**12


@given(_users(7, LOSSES))
@settings(deadline=None, max_examples=20)
def test_certificates_hold_exactly(design: CountDesign) -> None:
    found, alpha, n = _solved(design), design.privacy.exact_alpha, design.n
    assert alpha is not None
    certificate = found.certificate
    assert certificate.checked == certificate.columns == n + 1
    assert certificate.basis.startswith("all ") and not certificate.exact
    lowered = [Fraction(w) - Fraction(certificate.shift) for w in certificate.dual.tolist()]
    for column in _columns(design):
        assert oracle.in_dual_cone([c - w for c, w in zip(column, lowered, strict=True)], alpha)
    assert Fraction(certificate.gap) >= Fraction(found.value) - sum(lowered)
    assert certificate.gap <= 1e-9 * max(float(n) ** 2, 7)


def test_a_weight_of_minus_zero_is_zero() -> None:
    """Without this a dual of 1/2 at an impossible count passed, so that the gap was said to be nearly 0."""
    absolute, dual = _structure("absolute"), np.array([0.5, 0.0])
    assert least_lowering(np.array([-0.0, 1.0]), absolute.kind, dual, 0.5) == (1.0, 2)
    assert not np.signbit(CountDesign(n=1, alpha="1/2", prior=(-0.0, 1.0)).prior.probabilities).any()


@given(_users(6, [loss for loss in LOSSES if loss != "relative"]), st.data())
@settings(deadline=None, max_examples=30)
def test_any_dual_is_lowered_far_enough(design: CountDesign, data: st.DataObject) -> None:
    """Not only the right one; and hardly further than is needed."""
    alpha, given_ = design.privacy.exact_alpha, _structure(str(design.loss.specification))
    assert alpha is not None and given_.offset == 0
    assume(design.privacy.alpha > 1e-280)
    entries = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1e-12, 1e-300]))
    dual = np.array(data.draw(st.lists(entries, min_size=design.n + 1, max_size=design.n + 1)))
    dual *= data.draw(st.sampled_from([1.0, 1e-3, 1e-6]))
    lowering, checked = least_lowering(design.prior.probabilities, given_.kind, dual, design.privacy.alpha)
    assert checked == design.n + 1 and 0 < lowering <= 1

    def feasible(part: Fraction) -> bool:
        lowered = [Fraction(w) * part - Fraction(1, 10**290) for w in dual.tolist()]
        columns = _columns(design)
        return all(oracle.in_dual_cone([c - w for c, w in zip(column, lowered, strict=True)], alpha) for column in columns)

    assert feasible(1 - Fraction(lowering))
    if lowering > 1e-9 and dual.max() > 1e-280:  # far above what is allowed for doubles that vanish
        assert not feasible(1 - Fraction(lowering) / 5)


def _columns(design: CountDesign) -> list[list[Fraction]]:
    """Columns of costs, of the doubles that the prior is held as."""
    loss = design.loss.matrix(design.n)
    probabilities = design.prior.probabilities.tolist()
    return [[Fraction(p) * Fraction(float(cost)) for p, cost in zip(probabilities, column, strict=True)] for column in loss.T]


@pytest.mark.parametrize("loss", LOSSES + OFFSET)
@pytest.mark.parametrize(
    ("prior", "epsilon"), [("uniform", "ln 2"), ("binomial:0.3", 0.05), ("two-peak:5,50", 3), ("spike:17", 0.5)]
)
def test_agrees_with_the_dense_path(loss: str, prior: str, epsilon: Any) -> None:
    n = 300
    design = CountDesign(n=n, epsilon=epsilon, prior=prior, loss=loss)
    found = _solved(design)
    dense = bayes_remap(design.prior.probabilities, design.loss.matrix(n), design.privacy)
    scale = float(design.prior.probabilities @ np.abs(design.loss.matrix(n)).max(axis=1))
    assert found.value == pytest.approx(dense.value, rel=1e-12, abs=1e-15 * scale)
    again = certify(design.costs, found.certificate.dual.copy(), found.value, design.privacy.alpha)
    assert again.gap <= 1e-11 * scale and found.certificate.gap <= 1e-11 * scale
    if loss not in (*OFFSET, "pinball:1", "threshold:50") and prior != "spike:17":  # where the dense path sees ties
        assert (found.outputs == dense.outputs).mean() > 0.99


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "relative", "pinball:1/3", "threshold:2"])
@pytest.mark.parametrize("epsilon", ["0", "inf", "1e-9", "800", "100000"])
def test_extreme_levels(loss: str, epsilon: str) -> None:
    for prior in ("spike:3", "uniform", "geometric:1/1000"):
        design = CountDesign(n=40, epsilon=epsilon, prior=prior, loss=loss)
        found = _solved(design)
        probabilities, matrix = design.prior.probabilities, design.loss.matrix(40)
        if epsilon in ("0", "1e-9"):
            assert found.value == pytest.approx(float((probabilities @ matrix).min()), rel=1e-6, abs=1e-12)
        else:
            assert found.value <= 1e-300
        assert found.certificate.gap <= 1e-9 * float(probabilities @ matrix.max(axis=1)) + 1e-290


def test_certainty_is_read_from_every_output() -> None:
    """However far away: alpha^|i-j| is beyond doubles by thousands of orders of magnitude."""
    n, at = 100_000, 70_000
    for loss in ("absolute", "squared", "zero-one", "pinball:1/3"):
        found = structured_remap(Prior(f"spike:{at}", n).probabilities, _structure(loss), PrivacyLevel.from_epsilon(3))
        assert (found.outputs == at).all() and found.value <= 1e-12


def test_the_nearer_belief_decides() -> None:
    n = 100_001
    prior = np.zeros(n + 1)
    prior[[0, n]] = 0.5
    found = structured_remap(prior, _structure("zero-one"), PrivacyLevel.from_epsilon(3))
    assert (found.outputs[: n // 2 + 1] == 0).all() and (found.outputs[n // 2 + 1 :] == n).all()


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "pinball:1/3", "threshold:1"])
def test_large(loss: str) -> None:
    """Every column is tested, and away from the ends it is the mechanism of a small design."""
    level = PrivacyLevel.from_alpha("1/2")
    found = structured_remap(Prior("uniform", 200_000).probabilities, _structure(loss), level)
    assert found.certificate.basis == "all 200\u202f001 columns checked" and found.certificate.gap <= 1e-12 * found.value
    small = structured_remap(Prior("uniform", 2000).probabilities, _structure(loss), level)
    assert (found.outputs[:1000] == small.outputs[:1000]).all() and (np.diff(found.outputs[100:-100]) == 1).all()
    assert found.value == pytest.approx(small.value, rel=3e-3)


def test_some_columns_where_all_take_too_long() -> None:
    found = structured_remap(Prior("uniform", 200_000).probabilities, _structure("absolute"), PrivacyLevel.from_epsilon("0.001"))
    certificate = found.certificate
    assert 2 <= certificate.checked < certificate.columns
    assert certificate.basis == f"Theorem A; {certificate.checked:,} of 200,001 columns checked".replace(",", "\u202f")
    assert certificate.gap <= 1e-9 * found.value


def test_no_structure() -> None:
    many = "distance:" + ",".join(map(str, range(40)))
    for loss in ("power:1.5", "expression:abs(i-r)", "distance:0,2,1", "distance:1,1", many):
        assert structure(Loss(loss)) is None
    assert structure(Loss([[0, 1], [1, 0]])) is None


@given(st.lists(st.integers(0, 60), min_size=1, max_size=80), st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
def test_searches(places: list[int], seed: int) -> None:
    n = len(places) - 1
    target = np.minimum(np.sort(places), n)
    assert first_reached(lambda r, j: r >= target[j], n).tolist() == target.tolist()
    slopes = np.random.default_rng(seed).integers(1, 5, size=(2, n + 1))
    found = monotone_argmin(lambda r, j: np.where(r < target[j], slopes[0, j], slopes[1, j]) * np.abs(r - target[j]) + 0.0, n, n)
    assert found.tolist() == target.tolist()


def test_steps_where_next_to_nothing_tells_readings_apart() -> None:
    prior = np.zeros(2101)
    prior[[0, 1, 4, 6, 9, 1700]] = [0.25, 0.2, 0.2, 0.1, 0.15, 0.1]
    for n, alpha in ((20, "1e-200"), (35, "1e-200"), (2100, "1e-200"), (2100, "1e-9")):
        beliefs = prior[: n + 1] / prior[: n + 1].sum()
        level = PrivacyLevel.from_alpha(alpha)
        given = structure(Loss("distance:5,5,6,9"))
        assert given is not None
        found = structured_remap(beliefs, given, level)
        assert found.value <= 5 * (1 + 1e-9) and 0 < found.certificate.gap < 1e-9


def test_known_readings_that_fall_among_ties_do_no_harm() -> None:
    def score(r: np.ndarray, j: np.ndarray) -> np.ndarray:
        return np.ones(len(r))

    assert (monotone_argmin(score, 4, 4, np.array([3, -1, 2, -1, 4])) >= 2).all()
