"""The noise study."""

import json
import math
import random
import re
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from published_noise import DISCRETE, SEVERAL_DIMENSIONS, STAIRCASE, TRUNCATED_LAPLACE
from scipy.integrate import dblquad

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.noise.curves import Curves
from dpdesigner.core.noise.noise_cost import nearest_step
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.files.programs import sampler
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import chance_within
from dpdesigner.studies.noise.run import within_of


def python_snippet(outcome: NoiseAnswer) -> str:
    return sampler(outcome)


STUDIES = [
    NoiseDesign(epsilon=1),
    NoiseDesign(epsilon="ln 2", cost="squared", sensitivity="3/2", gamma="1/3", name="half"),
    NoiseDesign(alpha="1/3", cost="power:1.5"),
    NoiseDesign(epsilon=0.2, cost="drawn:0:0,1:1,3:10", delta="1e-3"),
    NoiseDesign(epsilon="7/2", cost="expression:x*x/(1+abs(x))", delta=0.6),
    NoiseDesign("integer", epsilon=1, sensitivity=5),
    NoiseDesign("integer", epsilon=Fraction(1, 2), sensitivity="3", gamma=0.9, cost="power:3"),
    NoiseDesign(epsilon=5, dimension=2),
    NoiseDesign(epsilon=5, dimension=3, gamma=0.2, cost="squared"),
    NoiseDesign(epsilon=1e-6),
    NoiseDesign(epsilon=700, cost="squared"),
]


@pytest.mark.parametrize("epsilon", STAIRCASE)
@pytest.mark.parametrize(("m", "cost"), [(1, "absolute"), (2, "squared")])
def test_published_answers(epsilon: float, m: int, cost: str) -> None:
    gamma, least, ratio = STAIRCASE[epsilon][m - 1]
    outcome = NoiseDesign(epsilon=epsilon, cost=cost, sensitivity=2).run()
    assert outcome.gamma == pytest.approx(gamma, rel=1e-9)
    assert outcome.cost == pytest.approx(least * 2**m, rel=3e-12)
    assert outcome.laplace_ratio == pytest.approx(ratio, rel=1e-9)
    assert outcome.laplace_extra == pytest.approx(100 * (ratio - 1), rel=1e-5)
    assert outcome.proved


def test_other_published_answers() -> None:
    integer = NoiseDesign("integer", sensitivity=8, epsilon=1).run()
    assert (integer.cost, integer.split) == (pytest.approx(DISCRETE[8][0], rel=1e-10), DISCRETE[8][1])
    plane = NoiseDesign(epsilon=5, dimension=2).run()
    assert plane.cost == pytest.approx(SEVERAL_DIMENSIONS[2, 5.0], rel=1e-9)
    truncated = {found.key: found for found in NoiseDesign(delta="1/1000", epsilon=1).run().alternatives}["truncated-laplace"]
    assert (truncated.width, truncated.cost) == pytest.approx(TRUNCATED_LAPLACE[:2], rel=1e-11)


@pytest.mark.parametrize("study", STUDIES)
def test_json_round_trip(study: NoiseDesign) -> None:
    text = json.dumps(study.to_json(), allow_nan=False)
    again = NoiseDesign.from_json(json.loads(text))
    assert json.dumps(again.to_json()) == text
    assert again.epsilon == study.epsilon
    assert again.noise_cost == study.noise_cost
    assert study.replace() == study
    assert hash(study.replace()) == hash(study)


@pytest.mark.parametrize("study", STUDIES)
def test_outcomes_hold_together(study: NoiseDesign) -> None:
    outcome = study.run()
    assert outcome.design is study
    assert outcome.least <= outcome.cost * (1 + 1e-12)
    assert outcome.least <= outcome.laplace_cost * (1 + 1e-12)
    assert outcome.by_gamma.least == pytest.approx(outcome.least, rel=1e-12)
    assert outcome.by_gamma.cost.min() >= outcome.least * (1 - 1e-12)
    assert outcome.by_gamma.half >= outcome.least * (1 - 1e-12)
    curves = outcome.by_epsilon
    assert curves.epsilon[0] <= study.epsilon * (1 + 1e-12)
    assert curves.epsilon[-1] >= study.epsilon * (1 - 1e-12)
    assert (curves.least <= curves.laplace * (1 + 1e-12)).all()
    assert (curves.least <= curves.staircase * (1 + 1e-12)).all()
    assert (np.diff(curves.least) < 0).all()
    assert curves.ratio == pytest.approx(curves.laplace / curves.least)
    log_cost = np.interp(math.log(study.epsilon), np.log(curves.epsilon), np.log(curves.least))
    assert log_cost == pytest.approx(math.log(outcome.least), abs=0.05 * (1 + study.epsilon))
    assert outcome.reason.endswith(".")


@pytest.mark.parametrize("study", STUDIES)
def test_arrays_cannot_be_changed(study: NoiseDesign) -> None:
    outcome = study.run()
    curves: list[Curves] = [outcome.by_epsilon, outcome.by_gamma, outcome.density]
    if outcome.by_epsilon_with_delta is not None:
        curves.append(outcome.by_epsilon_with_delta)
    for found in curves:
        columns = found.columns()
        assert len({len(column) for column in columns.values()}) == 1
        for column in columns.values():
            assert not column.flags.writeable


@pytest.mark.parametrize("study", STUDIES)
def test_densities(study: NoiseDesign) -> None:
    outcome = study.run()
    x, staircase, laplace = outcome.density.columns().values()
    assert (np.diff(x) > 0).all()
    assert x[0] == -x[-1]
    assert (staircase >= 0).all()
    if study.query == "integer":
        assert staircase == pytest.approx(staircase[::-1])
        assert staircase.sum() <= 1 + 1e-12
        assert laplace.sum() <= 1 + 1e-12
        assert staircase.sum() > 0.9
        assert len(x) < 10 * max(study.period, 1000)
    elif study.dimension == 1:
        noise = Staircase(study.epsilon, outcome.gamma, study.period)
        assert (np.diff(x) * staircase[:-1]).sum() == pytest.approx(1 - 2 * float(noise.tail(x[-1])), rel=1e-9)
        assert laplace == pytest.approx(outcome.laplace.density(x))


@pytest.mark.parametrize(
    "study",
    [
        NoiseDesign(epsilon=700, cost="power:0.001", sensitivity="1e-9"),
        NoiseDesign(epsilon=0.5, cost="power:100", sensitivity="1e-9"),
        NoiseDesign(epsilon=1e-6, cost="power:100", sensitivity="1e12"),
        NoiseDesign(epsilon=2, cost="squared", sensitivity="1e12", dimension=50),
        NoiseDesign(epsilon=0.01, cost="expression:exp(abs(x))", sensitivity="1e12", delta=0.1),
        NoiseDesign(epsilon=700, cost="drawn:1:1,2:5", sensitivity="1e-9"),
    ],
)
def test_extreme_inputs_are_harmless(study: NoiseDesign) -> None:
    outcome = study.run()
    assert outcome.cost >= 0
    assert outcome.laplace_cost >= 0
    assert (outcome.by_epsilon.least >= 0).all()


def test_limits_are_near_the_curves() -> None:
    curves = NoiseDesign(cost="squared", sensitivity=3, epsilon=1).run().by_epsilon
    assert curves.small_limit is not None
    assert curves.large_limit is not None
    small = curves.epsilon < 0.3
    assert curves.small_limit[small] == pytest.approx(curves.least[small], rel=1e-4)
    assert curves.large_limit[-1] == pytest.approx(curves.least[-1], rel=1e-3)
    assert NoiseDesign("integer", epsilon=1).run().by_epsilon.small_limit is None
    assert NoiseDesign(cost="drawn:1:1", epsilon=1).run().by_epsilon.large_limit is None


def test_delta() -> None:
    outcome = NoiseDesign(epsilon=1, delta=1e-3).run()
    costs = [found.cost for found in outcome.alternatives]
    assert costs == sorted(costs)
    assert outcome.cost < costs[0]
    curves = outcome.by_epsilon_with_delta
    assert curves is not None
    assert curves.epsilon == pytest.approx(outcome.by_epsilon.epsilon)
    assert np.isfinite(curves.truncated_laplace).all()
    large = NoiseDesign(delta=0.6, epsilon=1).run()
    assert {found.key for found in large.alternatives} == {"gaussian", "uniform"}
    assert large.by_epsilon_with_delta is not None
    assert np.isnan(large.by_epsilon_with_delta.truncated_laplace).all()
    assert NoiseDesign(epsilon=1).run().by_epsilon_with_delta is None


def test_what_is_proved_and_what_not() -> None:
    assert NoiseDesign(dimension=2, epsilon=1).run().proved
    squared = NoiseDesign(dimension=2, cost="squared", epsilon=1).run()
    assert not squared.proved and "conjectured, not proved here" in squared.reason
    for dip in ("abs(x)", "abs(x) - 0.5 * exp(-((abs(x) - 5) / 0.001) ** 2)"):  # no look at points tells them apart
        typed = NoiseDesign(cost=f"expression:{dip}", epsilon=1).run()
        assert not typed.proved and not typed.best_proved and "test points" in typed.reason
    assert (
        NoiseDesign(gamma="1/2", epsilon=1).run().best_proved
        and not NoiseDesign(gamma="1/2", dimension=3, epsilon=1).run().best_proved
    )
    three = NoiseDesign(dimension=3, epsilon=1).run()
    assert not three.proved
    assert "conjectured, not proved here" in three.reason
    chosen = NoiseDesign(gamma="1/2", epsilon=1).run()
    assert not chosen.proved
    assert "optimal one costs 0.9595" in chosen.reason
    infinite = NoiseDesign(cost="expression:exp(2*abs(x)) - 1", epsilon=1).run()
    assert infinite.cost == infinite.laplace_cost == math.inf
    assert not infinite.proved
    assert "infinite" in infinite.reason
    assert math.isnan(infinite.laplace_ratio)


def test_where_it_is_the_geometric_mechanism() -> None:
    level = PrivacyLevel.from_epsilon("ln 3")
    assert NoiseDesign("integer", privacy=level).run().geometric == level
    assert NoiseDesign(privacy=level, gamma="0.5").run().geometric == level
    assert NoiseDesign("integer", privacy=level, sensitivity=2).run().geometric is None
    assert NoiseDesign(privacy=level).run().geometric is None
    assert NoiseDesign(privacy=level, gamma=0.5, sensitivity=2).run().geometric is None


def test_the_picture_of_the_plane() -> None:
    outcome = NoiseDesign(epsilon=3, dimension=2, sensitivity=2).run()
    axis = np.abs(np.linspace(-16, 16, 801))
    plane = outcome.noise.density(np.add.outer(axis, axis))
    step = 16 * 2 / 800
    assert plane.sum() * step**2 == pytest.approx(1, rel=0.02)
    assert plane == pytest.approx(plane.T)
    assert plane[400, 400] == plane.max()
    with pytest.raises(InputError):
        NoiseDesign(dimension=3, epsilon=1).run().by_place  # noqa: B018


def test_draws() -> None:
    integer = NoiseDesign("integer", epsilon="1/2", sensitivity=3).run()
    draws = integer.draws(3000, random.Random(4).randrange)
    assert np.abs(draws).mean() == pytest.approx(integer.cost, rel=0.1)
    real = NoiseDesign(epsilon=2).run()
    assert np.abs(real.simulate(100_000, 7)).mean() == pytest.approx(real.cost, rel=0.02)
    with pytest.raises(InputError):
        integer.simulate(1, 1)
    with pytest.raises(InputError):
        real.draws(1)


def test_snippets_run() -> None:
    integer = NoiseDesign("integer", epsilon="0.5", sensitivity=3).run()
    names: dict[str, object] = {}
    exec(python_snippet(integer), names)
    draw = names["draw"]
    assert callable(draw)
    assert np.abs([draw() for _ in range(3000)]).mean() == pytest.approx(integer.cost, rel=0.15)
    real = NoiseDesign(epsilon=2, sensitivity="1/2", gamma=0).run()
    exec(python_snippet(real), names)
    for study, texts in ((integer, str.isdecimal), (real, lambda text: bool(float(text)))):
        ran = subprocess.run([sys.executable, "-c", python_snippet(study)], capture_output=True, text=True, check=True)
        assert len(ran.stdout.split()) == 10 and all(texts(text.lstrip("-")) for text in ran.stdout.split())
    simulate = names["simulate"]
    assert callable(simulate)
    assert np.abs([simulate() for _ in range(20_000)]).mean() == pytest.approx(real.cost, rel=0.1)
    with pytest.raises(InputError):
        python_snippet(NoiseDesign(dimension=2, epsilon=1).run())
    halved = NoiseDesign("integer", epsilon="ln 2", sensitivity=3).run()
    exec(python_snippet(halved), names)
    draw = names["draw"]
    assert callable(draw)
    assert np.abs([draw() for _ in range(3000)]).mean() == pytest.approx(halved.cost, rel=0.15)


def test_sensitivity_only_scales_powers() -> None:
    one, five = (
        NoiseDesign(cost="power:3/2", epsilon=1).run().by_epsilon,
        NoiseDesign(cost="power:3/2", sensitivity=5, epsilon=1).run().by_epsilon,
    )
    assert five.least == pytest.approx(one.least * 5**1.5, rel=1e-12)
    assert five.gamma == pytest.approx(one.gamma)


def test_progress_and_cancelling() -> None:
    seen: list[float] = []

    def listen(fraction: float | None, text: str = "") -> None:
        seen.append(fraction or 0.0)
        if len(seen) > 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        NoiseDesign(cost="power:1.2345", epsilon=1).run(listen)
    assert all(a <= b for a, b in pairwise(seen))
    assert NoiseDesign(cost="power:1.2345", epsilon=1).run().cost > 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"query": "complex"}, "query"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": 701}, "epsilon"),
        ({"epsilon": "inf"}, "epsilon"),
        ({"alpha": 1}, "epsilon"),
        ({"alpha": "1/2", "epsilon": 1}, "epsilon"),
        ({"sensitivity": 0}, "sensitivity"),
        ({"sensitivity": "1e13"}, "sensitivity"),
        ({"query": "integer", "sensitivity": "1/2"}, "sensitivity"),
        ({"query": "integer", "sensitivity": 10**6}, "sensitivity"),
        ({"cost": "cubic"}, "cost"),
        ({"cost": 3}, "cost"),
        ({"gamma": 1.5}, "gamma"),
        ({"gamma": "best"}, "gamma"),
        ({"dimension": 0}, "dimension"),
        ({"dimension": 51}, "dimension"),
        ({"dimension": 2, "query": "integer"}, "dimension"),
        ({"dimension": 2, "cost": "drawn:1:1"}, "cost"),
        ({"delta": 0}, "delta"),
        ({"delta": 1}, "delta"),
        ({"delta": 0.1, "query": "integer"}, "delta"),
        ({"delta": 0.1, "dimension": 2}, "delta"),
        ({"name": 3}, "name"),
    ],
)
def test_bad_input_gets_a_sentence(changes: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as error:
        NoiseDesign.starting(**changes)
    assert error.value.field == field
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "noise", "query": "real", "sensitivity": 1, "cost": "absolute"},
        {"kind": "noise", "query": "real", "epsilon": 1, "cost": "absolute"},
        {"kind": "noise", "query": "real", "epsilon": 1, "sensitivity": 1, "cost": "absolute", "colour": 1},
        {"kind": "noise", "query": ["real"], "epsilon": 1, "sensitivity": 1, "cost": "absolute"},
        {"kind": "noise", "query": "real", "epsilon": {}, "sensitivity": 1, "cost": "absolute"},
        {"kind": "noise", "query": "real", "epsilon": 1, "sensitivity": [1], "cost": "absolute"},
        {"kind": "noise", "query": "real", "epsilon": 1, "sensitivity": 1, "cost": ["absolute"]},
        {"kind": "noise", "query": "real", "epsilon": 1, "sensitivity": 1, "cost": "absolute", "gamma": None},
        {"kind": "noise", "query": "real", "epsilon": 1, "sensitivity": 1, "cost": "absolute", "dimension": "two"},
    ],
)
def test_bad_files_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(InputError):
        NoiseDesign.from_json(data)


@pytest.mark.parametrize("gamma", ["optimal", "1/5"])
def test_the_sum_of_squares_by_quadrature_over_the_plane(gamma: str) -> None:
    """Shell by shell: the density times x^2 + y^2 over |x| + |y| = r, which is 4 sides of x from 0 to r, y = r - x."""
    study = NoiseDesign(epsilon=2, dimension=2, sensitivity=3, cost="sum-of-squares", gamma=gamma)
    outcome, total = study.run(), 0.0
    edges = np.sort(np.concatenate((np.arange(40.0), np.arange(40.0) + outcome.gamma))) * 3.0
    for low, high in pairwise(edges):
        height = float(outcome.noise.density((low + high) / 2))
        total += height * dblquad(lambda x, r: 4 * (x**2 + (r - x) ** 2), low, high, 0, lambda r: r)[0]
    assert outcome.cost == pytest.approx(total, rel=1e-9)
    assert outcome.laplace_cost == pytest.approx(2 * 2 * (3 / 2) ** 2, rel=1e-12)  # two Laplace variables of scale 3/2


@pytest.mark.parametrize("dimension", [3, 7])
def test_the_sum_of_squares_by_simulation(dimension: int) -> None:
    study = NoiseDesign(epsilon=1, dimension=dimension, cost="sum-of-squares")
    outcome = study.run()
    sums = np.square(outcome.simulate(200_000, 5)).sum(axis=1)
    assert outcome.cost == pytest.approx(float(sums.mean()), abs=5 * float(sums.std()) / math.sqrt(len(sums)))
    assert outcome.laplace_cost == pytest.approx(2 * dimension, rel=1e-12) and outcome.least == outcome.cost


def test_the_sum_of_squares_is_the_squared_norm_up_to_a_share() -> None:
    """The same gamma is best; the squared error of several answers keeps meaning the square of the sum of sizes."""
    squares, norm = (NoiseDesign(epsilon=5, dimension=4, cost=cost).run() for cost in ("sum-of-squares", "squared"))
    assert squares.gamma == norm.gamma and not squares.proved
    for name in ("least", "staircase", "laplace", "large_limit"):
        assert getattr(squares.by_epsilon, name) == pytest.approx(0.4 * getattr(norm.by_epsilon, name), rel=1e-12)
    assert squares.by_dimension.least[0] == norm.by_dimension.least[0]
    assert squares.by_dimension.least[1:] == pytest.approx(
        2 / (squares.by_dimension.dimension[1:] + 1) * norm.by_dimension.least[1:], rel=1e-12
    )
    assert squares.by_gamma.cost == pytest.approx(0.4 * norm.by_gamma.cost, rel=1e-12)
    design = squares.design
    assert design.noise_cost.title == "sum of squares" and NoiseDesign.from_json(design.to_json()) == design
    for query in ("real", "integer"):
        one, plain = (NoiseDesign(query, epsilon=5, cost=cost).run() for cost in ("sum-of-squares", "squared"))
        assert one.cost == plain.cost and one.proved


def test_findings_are_what_the_outcome_says() -> None:
    outcome = NoiseDesign(delta="1e-3", epsilon="ln 2").run()
    told = outcome.findings
    assert next(iter(told)) == "value" and told["value"].value == outcome.cost and told["step"].value == outcome.gamma
    assert told["value"].state == "proved" and outcome.badge == ("✓ proved optimal for δ = 0", "proved")
    assert told["epsilon"].value == outcome.attained.epsilon_above and told["epsilon"].rounding == "up"
    assert {other.key: told[other.key].value for other in outcome.alternatives} == {
        other.key: other.cost for other in outcome.alternatives
    }
    assert {*outcome.ranking, *outcome.numbers} <= told.keys() and outcome.line.endswith(
        "ε = ln 2 ≈ 0.6932 (α = 1/2) · absolute error · compared with δ = 1e-3"
    )
    assert told["saved"].value == pytest.approx(100 * (1 - outcome.cost / outcome.laplace_cost))


def test_findings_of_a_chosen_split() -> None:
    outcome = NoiseDesign("integer", sensitivity=5, gamma="4/5", epsilon=1).run()
    told = outcome.findings
    assert (told["step"].value, told["step"].label, told["step"].note) == (4, "r", "of 5")
    assert told["value"].value == told["chosen"].value == outcome.cost > told["best"].value == outcome.least
    assert told["value"].state == "open" and told["best"].state == "proved" and "half" not in told
    assert outcome.line.startswith("integer query · Δ = 5 · ε = 1 · absolute error") and outcome.verdict == "not proved optimal"
    assert outcome.badge == ("✓ proved private · not proved optimal", "proved")
    steps = NoiseDesign(sensitivity=5, step=1, epsilon=1).run()
    assert steps.badge == ("✓ proved private · optimal", "proved") and steps.checks[0] == "✓ private: ε = 1, by construction"


def test_what_is_infinite_is_no_number_of_percent() -> None:
    told = NoiseDesign(cost="expression:exp(3*abs(x))", epsilon=1).run().findings
    assert told["value"].value == math.inf and told["saved"].value is None and told["value"].state == "open"


@pytest.mark.parametrize(
    "cost", ["absolute", "squared", "power:1.5", "drawn:0:0,1:1,3:10", "expression:x**2 / (1 + abs(x))", "expression:2x²"]
)
def test_noise_in_steps_costs_what_real_noise_costs_in_the_same_unit(cost: str) -> None:
    real = NoiseDesign(epsilon=1, sensitivity=1, unit="hours", cost=cost)
    steps = real.replace(step="1/1000")
    assert steps.cost == real.cost and steps.cost_unit == real.cost_unit
    for key, finding in real.run().findings.items():
        if key in ("value", "best", "laplace", "root"):
            told = steps.run().findings[key]
            assert told.value == pytest.approx(finding.value, rel=0.01) and told.unit == finding.unit
    curves = [design.run().by_epsilon.staircase[20:50] for design in (real, steps)]
    assert curves[1] == pytest.approx(curves[0], rel=0.02)


def test_a_step_of_one_is_the_noise_of_whole_numbers() -> None:
    whole = NoiseDesign("integer", epsilon=1, sensitivity=5, cost="squared").run()
    steps = NoiseDesign("real", epsilon=1, sensitivity=5, cost="squared", step=1).run()
    assert (steps.noise, steps.cost, steps.laplace_cost) == (whole.noise, whole.cost, whole.laplace_cost)
    assert steps.density.x.tolist() == whole.density.x.tolist() and "step" not in whole.design.to_json()


def test_the_sensitivity_is_rounded_up_to_whole_steps_exactly() -> None:
    design = NoiseDesign(epsilon=1, sensitivity="0.3", step="0.1", unit="hours")
    assert (design.reach, design.period) == (Fraction(3, 10), 0.3), "in doubles 0.3 / 0.1 is below 3, and 0.3 above 3 × 0.1"
    assert "Δ" not in str(design.rounding)
    more = design.replace(sensitivity="0.30000001")
    assert more.reach == Fraction(4, 10) and more.run().noise.sensitivity == 4
    words = "Rounding to steps of 0.1 hours, halves up, changes the answer by at most 0.05 hours."
    assert str(more.rounding).replace("\xa0", " ") == f"{words} Δ is rounded up to 0.4 hours."


def test_answers_that_are_neighbours_stay_within_the_sensitivity_when_rounded() -> None:
    """Half to even would round 0.05 and 0.15, one step apart, to 0 and 2 steps."""
    assert [nearest_step(value, Fraction(1, 10)) for value in ("0.05", "0.15", "-0.05")] == [1, 2, 0]


@pytest.mark.parametrize(("step", "shown"), [("0.1", r"-?\d+\.\d"), ("0.25", r"-?\d+\.(00|25|50|75)"), ("1/3", r"-?\d+(/3)?")])
def test_what_would_be_published_is_a_multiple_of_the_step_in_the_unit(step: str, shown: str) -> None:
    answer = NoiseDesign(epsilon=1, sensitivity=1, step=step, true_answer="37.06").run()
    for _ in range(20):
        made = answer.drawn()
        published = made.published.replace("−", "-")
        assert re.fullmatch(shown, published) and Fraction(published) % Fraction(step) == 0
        assert abs(float(Fraction(published)) - 37.06 - made.values[0, 0]) <= float(Fraction(step)) / 2 + 1e-9
    assert all(each % Fraction(step) == 0 for each in answer.draws(20))


@pytest.mark.parametrize("step", ["4", "0", "-1", "0.0000001", "abc", "1e16"])
def test_a_step_is_refused_in_one_sentence(step: str) -> None:
    with pytest.raises(InputError) as caught:
        NoiseDesign(epsilon=1, sensitivity=3, step=step)
    assert caught.value.field == "step" and re.match("steps must be |the step must be ", str(caught.value))


@pytest.mark.parametrize("other", [{"query": "integer"}, {"dimension": 2}])
def test_a_step_is_for_a_single_real_answer(other: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="a step is for a single real answer"):
        NoiseDesign(**{"query": "real", "epsilon": 1, "sensitivity": 3, "step": 1, **other})


@pytest.mark.parametrize("sensitivity", ["1e-9", "1/3", "3", "250", "50000", "1e12"])
def test_the_usual_step_is_allowed(sensitivity: str) -> None:
    steps = NoiseDesign(epsilon=1, sensitivity=sensitivity).in_steps()
    assert 10 <= steps.reach / steps.grid <= 10_000


@pytest.mark.parametrize("bound", [0.1, 0.3, 0.7])
def test_the_share_of_errors_within_a_bound_counts_whole_steps(bound: float) -> None:
    answer = NoiseDesign(epsilon=1, sensitivity=1, step="0.1").run()
    own, steps = answer.noise, round(bound * 10)
    assert chance_within(answer, bound) == pytest.approx(float(own.mass(np.arange(-steps, steps + 1)).sum()), rel=1e-12)
    assert within_of(answer, bound) == bound
