"""The count study: inputs checked when made, kept as given, solved at every edge."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core import oracle
from core.refusals import refused
from core.strategies import users
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import LARGEST_DENSE_N, Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.studies.registry import entry


def _again(design: CountDesign) -> CountDesign:
    """Written to JSON text and read back."""
    return CountDesign.from_json(json.loads(json.dumps(design.to_json(), allow_nan=False)))


def test_keeps_what_was_given() -> None:
    design = CountDesign(n=3, alpha="1/3", prior=["1/4", 0, "25%", 0.5], loss=[["1/3", 1, 2, 3.5]] * 4, name="flu")
    assert design.to_json() == {
        "kind": "count",
        "name": "flu",
        "n": 3,
        "alpha": "1/3",
        "prior": ["1/4", 0, "25%", 0.5],
        "loss": [["1/3", 1, 2, 3.5]] * 4,
    }
    assert _again(design) == design and hash(_again(design)) == hash(design)
    assert design.privacy.source == ("alpha", "1/3") and design.prior.specification[2] == "25%"


@pytest.mark.parametrize("epsilon", ["ln 2", "1/3", 0.7, 1, "inf", "0.1", 1e-12])
def test_epsilon_is_kept_as_given(epsilon: Any) -> None:
    design = CountDesign(n=2, epsilon=epsilon, prior="binomial:1/3", loss="pinball:3/4")
    assert design.to_json()["epsilon"] == epsilon and "alpha" not in design.to_json()
    assert _again(design) == design


@given(
    st.integers(0, 2**32),
    st.integers(0, 30),
    st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    st.sampled_from(["absolute", "squared", "zero-one", "power:3", "pinball:1/3", "relative", "distance:-1,1/3,5"]),
    st.sampled_from(["binomial:1/3", "poisson:9/2", "two-peak:0,0", "doubles", "fractions"]),
)
@settings(deadline=None, max_examples=75)
def test_the_optimum_is_within_the_gap_of_the_value(seed: int, n: int, alpha: Fraction, loss: str, prior: str) -> None:
    """In doubles the value is not the nearest one; what it may be wrong by is counted in the gap."""
    rng = np.random.default_rng(seed)
    drawn = (rng.random(n + 1) ** rng.choice([1, 5, 40]) + 1e-9).tolist()
    fractions = [Fraction(weight).limit_denominator(99) + 1 for weight in drawn]
    belief: Any = {"doubles": drawn, "fractions": fractions}.get(prior, prior)
    design = CountDesign(n, alpha=alpha, prior=belief, loss=loss)
    found, exactly = solve(design), solve(design, exact=True)
    assert exactly.certificate.gap == 0
    assert abs(Fraction(found.value) - Fraction(exactly.value)) <= Fraction(found.certificate.gap)


@given(users(largest=4))
@settings(deadline=None, max_examples=50)
def test_round_trip(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    again = _again(design)
    assert _again(again) == again and again.to_json() == design.to_json()
    assert again.prior.exact == design.prior.exact and again.privacy.exact_alpha == design.privacy.exact_alpha
    assert again.loss.exact_matrix(design.n) == design.loss.exact_matrix(design.n)


@pytest.mark.parametrize(
    "user",
    [
        {"n": 1, "alpha": np.float64(0.5), "prior": np.array([1.0, 2.0]), "loss": np.eye(2)},
        {
            "n": np.int64(1),
            "alpha": "1/2",
            "prior": [np.int64(1), np.float64(2)],
            "loss": [[np.int64(0), 1], [np.float32(0.5), 0]],
        },
        {"n": 1, "alpha": Fraction(1, 2), "prior": [Fraction(1, 3), 1], "loss": [[0, Fraction(1, 7)], [1, 0]]},
        {"n": 1, "epsilon": math.inf},
    ],
    ids=["arrays", "scalars", "fractions", "infinity"],
)
def test_numbers_of_other_kinds_can_be_written(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    again = _again(design)
    assert again.privacy.exact_alpha == design.privacy.exact_alpha and again.prior.exact == design.prior.exact
    assert again.loss.exact_matrix(1) == design.loss.exact_matrix(1)


def test_replace() -> None:
    design = CountDesign(n=3, alpha="1/3", prior=[1, 2, 3, 4], loss="absolute", name="flu")
    assert design.replace() == design
    assert design.replace(epsilon="0.7").privacy.source == ("epsilon", "0.7")
    assert design.replace(alpha=0.5).privacy.source == ("alpha", 0.5)
    assert design.replace(loss="squared").loss == Loss("squared") and design.replace(name="x").name == "x"
    assert design.replace(privacy=PrivacyLevel.from_alpha(1)).privacy.alpha == 1
    assert design.replace(n=7).prior == Prior([1, 2, 3, 4, 0, 0, 0, 0], 7)
    assert design.replace(n=2).prior == Prior([1, 2, 3], 2, "; 40% of the belief was above 2")
    assert design.replace(n=1, prior=[1, 1]).prior == Prior([1, 1], 1)
    with refused("loss", "5"):
        CountDesign(n=1, alpha="1/2", loss=[[0, 1], [1, 0]]).replace(n=4)
    assert design == CountDesign(n=3, alpha="1/3", prior=[1, 2, 3, 4], loss="absolute", name="flu")


@pytest.mark.parametrize(
    "level", [{"alpha": 0}, {"alpha": 1}, {"alpha": "1/2"}, {"epsilon": 0}, {"epsilon": "inf"}, {"epsilon": 1e-12}]
)
@pytest.mark.parametrize("loss", ["absolute", "zero-one", "expression:-5-i+r*0", "distance:1e100,0"])
def test_smallest_counts(level: dict[str, Any], loss: str) -> None:
    """n = 0: nothing to release. n = 1: two rows."""
    alone = solve(CountDesign(n=0, prior=[7], loss=loss, **level))
    assert alone.remap.tolist() == [0] and alone.mechanism.tolist() == [[1.0]] and alone.geometric.tolist() == [[1.0]]
    assert alone.constraints.shape == (0, 1) and alone.epsilon == 0
    assert alone.value == alone.design.loss.matrix(0)[0, 0] and alone.proved
    pair = solve(CountDesign(n=1, prior=[1, 3], loss=loss, **level))
    assert pair.mechanism.shape == (2, 2) and pair.mechanism.sum(axis=1) == pytest.approx(1)
    assert pair.constraints.shape == (1, 2) and pair.proved


def test_no_privacy() -> None:
    outcome = solve(CountDesign(n=4, alpha=0, prior=[1, 0, 1, 1, 1]), exact=True)
    assert outcome.value == 0 and outcome.certificate.gap == 0 and outcome.epsilon == math.inf
    assert outcome.geometric.tolist() == np.eye(5).tolist()


def test_absolute_privacy() -> None:
    outcome = solve(CountDesign(n=4, alpha=1, prior=[1, 0, 1, 1, 1]), exact=True)
    assert outcome.value == min(sum(Fraction(abs(i - r), 4) for i in (0, 2, 3, 4)) for r in range(5)) == Fraction(5, 4)
    assert outcome.remap.tolist() == [2] * 5 and outcome.epsilon == 0 and outcome.certificate.gap == 0


@pytest.mark.parametrize("epsilon", [800, "1000.5"])
def test_beyond_the_range_of_doubles(epsilon: Any) -> None:
    """n epsilon = 16000: in doubles the release is the truth; the exact rows know better, and are private."""
    outcome = solve(CountDesign(n=20, epsilon=epsilon, prior="binomial:0.3"))
    assert outcome.remap.tolist() == list(range(21)) and outcome.value == pytest.approx(0, abs=1e-280) and outcome.proved
    alpha = outcome.design.privacy.alpha_above
    assert 0 < alpha < Fraction(1, 10**300)
    assert oracle.is_private(list(outcome.induced.exact_rows(alpha)), alpha)
    decimals = [[Fraction(entry) for entry in row] for row in outcome.induced.decimal_rows(alpha, 17)]
    assert all(entry > 0 for row in decimals for entry in row)
    truth = list(outcome.induced.exact_rows(alpha))
    assert all(abs(a - b) <= b / 10**16 for x, y in zip(decimals, truth, strict=True) for a, b in zip(x, y, strict=True))


def test_nearly_absolute_privacy() -> None:
    outcome = solve(CountDesign(n=20, epsilon=1e-12, prior="binomial:0.3"))
    truth = solve(CountDesign(n=20, alpha=1, prior="binomial:0.3"), exact=True)
    assert outcome.value == pytest.approx(float(truth.value), rel=1e-9) and outcome.proved
    alpha = outcome.design.privacy.alpha_above
    assert 1 - Fraction(2, 10**12) < alpha < 1
    assert oracle.is_private(list(outcome.induced.exact_rows(alpha)), alpha)


def test_signs_and_sizes_of_losses() -> None:
    """A loss may be negative, huge, or shifted by a constant for each count; the remap does not care."""
    design = CountDesign(n=6, alpha="2/3", prior=[1, 0, 3, 2, 0, 5, 1])
    plain = solve(design)
    for text, factor, shift in [
        ("abs(i-r)-1000", 1, -1000.0),
        ("1e99*abs(i-r)", 1e99, 0.0),
        ("abs(i-r)/1e99", 1e-99, 0.0),
        ("abs(i-r)-r+r", 1, 0),
    ]:
        outcome = solve(design.replace(loss=f"expression:{text}"))
        assert outcome.remap.tolist() == plain.remap.tolist()
        assert outcome.value == pytest.approx(float(plain.value) * factor + shift, rel=1e-12) and outcome.proved
    matrix = [[abs(i - r) - 10.0 * i for r in range(7)] for i in range(7)]
    assert solve(design.replace(loss=matrix)).remap.tolist() == plain.remap.tolist()
    assert solve(design.replace(loss=[[-0.0] * 7] * 7)).remap.tolist() == [*range(7)]


def test_weights_of_every_size() -> None:
    tiny, huge, plain = ([w * weight for weight in (1, 0, 2, 1)] for w in (5e-324, 1e300, 1))
    values = [solve(CountDesign(n=3, alpha="1/2", prior=prior)).value for prior in (tiny, huge, plain)]
    assert values[0] == values[1] == values[2]
    mixed = CountDesign(n=3, alpha="1/2", prior=[1e300, 5e-324, 0.0, 1e-300])
    assert solve(mixed).proved and solve(mixed).value == pytest.approx(0, abs=1e-280)
    assert solve(mixed, exact=True).certificate.gap == 0


def test_exact_needs_rational_inputs() -> None:
    with refused("epsilon", "0.7"):
        solve(CountDesign(n=2, epsilon="0.7"), exact=True)
    with refused("loss", "power:1.5"):
        solve(CountDesign(n=2, alpha="1/2", loss="power:1.5"), exact=True)
    for level in ({"epsilon": "ln 2"}, {"epsilon": 0}, {"epsilon": "inf"}, {"alpha": 0.25}):
        assert solve(CountDesign(n=2, **level), exact=True).certificate.gap == 0


def test_results_cannot_be_changed() -> None:
    outcome = solve(CountDesign(n=3, alpha="1/2"))
    for array in (outcome.mechanism, outcome.geometric, outcome.certificate.dual, outcome.constraints):
        with pytest.raises((ValueError, TypeError)):
            array[0] = array[1]
    with pytest.raises(AttributeError):
        outcome.design.n = 7  # type: ignore[misc]


@pytest.mark.parametrize("loss", ["expression:abs(i-r)", "distance:0,2,1", "power:3"])
def test_losses_without_structure_are_refused_for_large_n(loss: str) -> None:
    """With a sentence, before their matrix fills the memory."""
    for use in (lambda: CountDesign(n=10**6, alpha="1/2", loss=loss), lambda: Loss(loss).matrix(10**6)):
        with refused("n", str(LARGEST_DENSE_N)):
            use()


def test_is_registered() -> None:
    assert entry("count").study_class() is CountDesign and CountDesign.kind == "count"
    outcome = CountDesign(n=3, alpha="1/2").run()
    assert outcome.value == solve(outcome.design).value
