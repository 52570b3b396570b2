"""Every epsilon from 1e-6 to 700 gives numbers or a clear word, on every view, for every kind of query."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.histogram_run import verdict

EPSILONS = ["2e-6", "0.01", "0.5", "3", "20", "345.7", "700"]
COSTS = ["absolute", "squared", "power:1/2", "power:7", "drawn:0:0,1:1,3:10", "expression:x**2/(1+abs(x))", "expression:exp(x*x)"]


def studies(epsilon: str, cost: str) -> list[NoiseDesign]:
    found = [
        NoiseDesign(epsilon=epsilon, cost=cost),
        NoiseDesign(epsilon=epsilon, cost=cost, sensitivity="1e-3", gamma="1/2"),
        NoiseDesign("integer", epsilon=epsilon, cost=cost, sensitivity=7),
        NoiseDesign("integer", epsilon=epsilon, cost=cost),
    ]
    return [*found, *(NoiseDesign(epsilon=epsilon, cost=cost, dimension=d) for d in (2, 9) if cost[0] in "asp")]


def sound(values: np.ndarray, *, infinite: bool = True) -> bool:
    """No value is nan or negative; none is infinite unless it may be."""
    return bool((values >= 0).all() and (infinite or np.isfinite(values).all()))


@pytest.mark.parametrize("epsilon", ["1e-6", *EPSILONS[1:]])
@pytest.mark.parametrize("cost", COSTS)
def test_every_number_is_sound(epsilon: str, cost: str) -> None:
    for study in studies(epsilon, cost):
        outcome = study.run()
        assert isinstance(outcome, NoiseAnswer)
        check(outcome)


def check(outcome: NoiseAnswer) -> None:
    study = outcome.design
    assert 0 <= outcome.gamma <= 1 and outcome.cost >= outcome.least * (1 - 1e-12) >= 0
    assert outcome.cost < math.inf or "infinite" in outcome.reason
    assert outcome.cost == math.inf or outcome.laplace_cost >= outcome.cost * (1 - 1e-9) or study.gamma != "optimal"
    assert outcome.noise.height > 0
    shape, costs = outcome.density, outcome.by_epsilon
    assert sound(shape.staircase) and sound(shape.laplace) and (np.diff(shape.x) > 0).all()
    assert sound(costs.least) and sound(costs.staircase) and sound(costs.laplace) and sound(outcome.by_gamma.cost)
    assert sound(costs.gamma[np.isfinite(costs.least)], infinite=False)
    if study.dimension == 1:
        for chance in (0.5, 0.95, 0.9999):
            bounds = outcome.noise.within(chance), outcome.rival.within(chance)  # type: ignore[union-attr]
            assert all(0 <= bound < math.inf for bound in bounds)
        cdf = outcome.noise.cdf(shape.x)  # type: ignore[union-attr]
        assert ((cdf >= 0) & (cdf <= 1)).all() and (np.diff(cdf) >= -1e-15).all()
        beyond = outcome.rival.tail(shape.x + (study.query == "integer"))
        assert outcome.rival.cdf(shape.x) == pytest.approx(1 - beyond, abs=1e-12)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_histograms_tables_and_delta_are_sound(epsilon: str) -> None:
    for neighbours in ("add-remove", "replace"):
        found = HistogramDesign("0..3", neighbours, epsilon=epsilon).run()  # type: ignore[arg-type]
        assert 0 <= found.cost < math.inf and found.within() >= 0 and found.laplace_cost > found.cell.cost
    for table in (ChoiceDesign.starting(neighbours="any"), ChoiceDesign(((0, "0.3", 7), (1, 0, "1/7")), epsilon=1)):
        chosen = table.replace(epsilon=epsilon).run()
        for rule in chosen.rules.values():
            assert rule.probabilities.sum(axis=-1) == pytest.approx(1) and (rule.probabilities >= 0).all()
            here = np.asarray(rule.epsilon_here)
            assert (here >= 0).all() and (here <= rule.epsilon * (1 + 1e-9) + 1e-9).all()
        assert math.isfinite(chosen.findings["value"].value)
    for delta in ("1e-100", "1e-6", "0.4", "0.9"):
        outcome = NoiseDesign(epsilon=epsilon, delta=delta).run()
        assert all(0 <= found.cost < math.inf for found in outcome.alternatives)  # type: ignore[union-attr]


def test_a_unit_is_written_at_every_error_and_squared_with_it():
    design = NoiseDesign(epsilon=2, sensitivity=3, cost="squared", unit="hours")
    answer = design.run()
    assert "Δ = 3\u00a0hours" in str(design.line)
    assert (
        format_finding(answer.findings["value"]) == "3.805\u00a0hours²"
        and answer.findings["value"].label == "expected squared error"
    )
    assert "half of the published answers are within 0.738\u00a0hours of the truth.</b>" in str(answer.sentence)
    root, cost = answer.findings["root"], answer.findings["value"].value
    assert format_finding(root) == "1.951\u00a0hours", "sqrt(3.80498) = 1.95064, rounded up"
    assert root.value**2 >= cost and root.value == pytest.approx(cost**0.5, rel=1e-15)
    for other in (design.replace(cost="absolute"), design.replace(dimension=2)):
        assert "root" not in other.run().findings
    assert format_finding(design.replace(cost="absolute").run().findings["value"]).endswith("\u00a0hours")
    assert design.replace(cost="expression:x**4").run().findings["value"].unit == ""
    assert NoiseDesign.from_json(design.to_json()) == design


@pytest.mark.parametrize("cost", ["absolute", "squared"])
def test_a_unit_is_no_markup_in_a_sentence(cost):
    design = NoiseDesign(epsilon="1/100", cost=cost, unit="<i>h", true_answer=1)
    answer = design.run()
    for sentence in (answer.sentence, *verdict(answer, None)):
        assert "<i>" not in str(sentence)
    assert "&lt;i&gt;h" in str(answer.sentence) and "&lt;i&gt;h" in str(verdict(answer, None)[0])
