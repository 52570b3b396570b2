"""Several answers, one budget."""

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest

from dpdesigner.core.basics.parsing import Number
from dpdesigner.core.noise.best_noise import Share, shares_of
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.run import budget_sentence, shared


def budget_shares(design: NoiseDesign, weights: Sequence[Number]) -> tuple[Share, ...]:
    return shares_of(design.noise_query, design.privacy, weights)


@pytest.mark.parametrize("study", [NoiseDesign(epsilon="1"), NoiseDesign("integer", epsilon=1, sensitivity=3, cost="squared")])
def test_each_share_costs_what_it_would_alone(study: NoiseDesign) -> None:
    shares = budget_shares(study, [1, 2, "1/2"])
    assert sum(share.epsilon for share in shares) == 1
    for share in shares:
        alone = study.replace(epsilon=share.epsilon).run()
        assert (share.cost, share.laplace_cost) == pytest.approx((alone.cost, alone.laplace_cost), rel=1e-12)
    assert shares[1].cost < shares[0].cost < shares[2].cost


def test_even_split() -> None:
    shares = budget_shares(NoiseDesign(epsilon="0.3"), [1] * 3)
    assert [share.epsilon for share in shares] == [Fraction(1, 10)] * 3
    assert shares[0].laplace_cost == pytest.approx(10)


def test_an_irrational_budget_is_rounded_down() -> None:
    total = sum(share.epsilon for share in budget_shares(NoiseDesign(epsilon="ln 2"), [1, 1]))
    assert 0 < math.log(2) - total < 2e-15


def test_bad_input() -> None:
    with pytest.raises(InputError):
        budget_shares(NoiseDesign(epsilon=1), [])
    with pytest.raises(InputError):
        budget_shares(NoiseDesign(epsilon=1), [1] * 101)
    with pytest.raises(InputError):
        budget_shares(NoiseDesign(dimension=2, epsilon=1), [1, 1])
    with pytest.raises(InputError, match="at least"):
        budget_shares(NoiseDesign(epsilon="1e-6"), [1, 1])


def test_one_answer_says_what_several_would_cost_as_far_as_epsilon_reaches() -> None:
    found = NoiseDesign(epsilon=1).run().budget
    assert [many for many, _ in found.equal] == [2, 3, 4, 5, 6, 8, 10, 15, 20] and found.shares == (found.alone,)
    assert found.equal[0][1] == budget_shares(NoiseDesign(epsilon=1), [1, 1])[0]
    assert [many for many, _ in NoiseDesign(epsilon="2.5e-6").run().budget.equal] == [2]
    shared = NoiseDesign(epsilon=1, weights=["1", "3"]).run().budget
    assert not shared.equal and [share.epsilon for share in shared.shares] == [Fraction(1, 4), Fraction(3, 4)]


def test_shares_are_rounded_down_and_costs_have_a_unit() -> None:
    design = NoiseDesign(epsilon=2, sensitivity=3, cost="squared", unit="hours", weights=["1", "2"])
    answer = design.run()
    bars = [(row.label, row.text) for row in shared(answer.budget, design).rows]
    assert [str(label) for label, _ in bars] == ["one answer alone, ε = 2", "answer 1, ε = 0.6666", "answer 2, ε = 1.333"]
    assert [text for _, text in bars] == ["1.951\u00a0hours", "6.306\u00a0hours", "3.066\u00a0hours"]
    said = "The ε of answers about the same people add up to 2, for any questions."
    more = (
        f"{said} The expected squared error of all 2 answers adds up to 49.16\u00a0hours²; with Laplace noise, 50.63\u00a0hours²."
    )
    assert str(budget_sentence(answer.budget, design)) == more
    assert str(budget_sentence(answer.budget, design.replace(weights=()))) == said
