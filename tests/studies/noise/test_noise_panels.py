"""The plots of noise as data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpdesigner.core.noise.several_dimensions import vector_laplace_density
from dpdesigner.studies.base import flattened
from dpdesigner.studies.noise.answer import Drawn
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import density, distribution, epsilon_plots, planes, plots, with_delta
from dpdesigner.studies.panels import landed


@pytest.mark.parametrize("study", [NoiseDesign(epsilon=2), NoiseDesign("integer", sensitivity=5, epsilon=2)])
def test_the_ratio_reaches_the_bound_and_never_passes_it(study: NoiseDesign) -> None:
    outcome = study.run()
    for share in (-1, -0.6, 0.2, 1):
        shift = round(share * study.period) if study.query == "integer" else share * study.period
        staircase, laplace = density(outcome, shift)[1].lines
        assert np.abs(staircase.y).max() == 2
        assert np.abs(laplace.y).max() == pytest.approx(2 * abs(shift) / study.period)
    assert np.abs(density(outcome, 0)[1].lines[0].y).max() == 0


@pytest.mark.parametrize("cost", ["power:1.5", "squared", "absolute"])
def test_an_edge_that_rounding_makes_twice_is_no_needle_in_the_ratio(cost: str) -> None:
    for sensitivity in (3, "1/3", "0.7"):
        outcome = NoiseDesign(epsilon=2, sensitivity=sensitivity, cost=cost).run()
        for shift in (outcome.design.period, -outcome.design.period):
            line = density(outcome, shift)[1].lines[0]
            assert (np.diff(line.x) > 1e-9 * outcome.design.period).all()
            outside = np.abs(line.x[:-1] + np.diff(line.x) / 2 - shift / 2) > abs(shift) / 2  # not between both answers
            assert outside.any() and set(np.abs(line.y[:-1][outside]).tolist()) == {2.0}


def test_noise_among_whole_numbers_is_not_called_what_it_is_not() -> None:
    """The bars of a histogram name the Laplace noise of the textbooks, which costs more: the curves show another one."""
    for query, name in (("real", "Laplace"), ("integer", "discrete Laplace")):
        outcome = NoiseDesign(query, epsilon=1, sensitivity=3).run()
        for lines in (density(outcome, 1)[0].lines, epsilon_plots(outcome)[0].lines):
            assert [line.name for line in lines[:2]] == ["staircase", name]
        assert epsilon_plots(outcome)[1].lines[0].name == f"{name} / best"


def test_geometric_noise_is_one_curve_with_one_name() -> None:
    outcome = NoiseDesign("integer", epsilon=1).run()
    for plot in (*density(outcome, 1), *distribution(outcome, 0.9), epsilon_plots(outcome)[0]):
        named = [line.name for line in plot.lines if line.role != "bound" and line.name != "neighbour"]
        assert named == ["geometric"]


def test_the_ground_shows_which_noise_is_cheapest() -> None:
    outcome = NoiseDesign(delta="1e-3", epsilon=1).run()
    plot = with_delta(outcome)[0]
    ends = [band.low for band in plot.bands] + [plot.bands[-1].high]
    assert ends[0] == outcome.by_epsilon.epsilon[0] and ends[-1] == outcome.by_epsilon.epsilon[-1]
    assert ends == sorted(ends) and all(a.high == b.low for a, b in pairwise(plot.bands))
    assert [band.proved for band in plot.bands] == [False, True]  # truncated Laplace, then the staircase
    costs = np.array([line.y for line in plot.lines])
    inside = (outcome.by_epsilon.epsilon >= ends[1]) & (outcome.by_epsilon.epsilon <= ends[2])
    assert (np.nanargmin(costs[:, inside], axis=0) == 0).all()


@pytest.mark.parametrize(
    "study",
    [
        NoiseDesign(epsilon=1),
        NoiseDesign("integer", sensitivity=5, epsilon=1),
        NoiseDesign(dimension=5, epsilon=1),
        NoiseDesign(gamma="0.2", epsilon=1),
    ],
)
def test_every_view_of_plots_names_its_figures(study: NoiseDesign) -> None:
    outcome = study.run().prepare("several") if study.dimension > 1 else study.run()
    for view in study.views:
        found = {panel.key: panel for panel in outcome.panels_in({"view": view.key})}
        assert [*found] == [*view.panels, "told", "costs"]
        for number, key in enumerate(view.panels):
            titles = {"budget": study.cost_label, "density": "Density"}
            assert found[key].title == titles.get(key, [view.title, f"{view.title}, ratio"][number])
            for plot in flattened([found[key]] if key != "budget" else []):
                assert plot.lines and all(line.role == "main" for line in plot.lines if line.proved)
    assert plots("plane", outcome) == () == plots("budget", outcome)


def test_the_effect_of_one_row_is_folded_away() -> None:
    for study, keys in (
        (NoiseDesign(epsilon=1), ["density", "density-ratio"]),
        (NoiseDesign(dimension=5, epsilon=1), ["density"]),
    ):
        (strips,) = (panel for panel in study.run().panels_in({"view": "density"}) if panel.key == "density")
        assert [plot.key for plot in strips.plots] == keys and [plot.key for plot in strips.shown] == ["density"]


def test_a_row_that_adds_makes_high_answers_likelier() -> None:
    for query, ends in (("real", 1), ("integer", 0)):
        study = NoiseDesign(query, epsilon=1)
        _, ratio = plots("density", study.run(), shift=1.0)
        for line in ratio.lines:
            assert line.y[0] < -0.99 and line.y[-1 - ends] > 0.99, line.name


def test_only_what_is_proved_is_green() -> None:
    for study, proved in (
        (NoiseDesign(epsilon=1), True),
        (NoiseDesign(gamma="0.2", epsilon=1), False),
        (NoiseDesign(dimension=5, epsilon=1), False),
    ):
        outcome = study.run()
        for view in [view.key for view in study.views]:
            lines = [line for plot in plots(view, outcome, shift=0.5) for line in plot.lines]
            if not proved:
                assert not any(line.proved for line in lines if view != "delta"), view
            elif view in ("density", "distribution", "epsilon"):
                assert lines[0].proved and not any(line.proved for line in lines if line.role != "main")


def test_what_a_view_shows_later_is_computed_when_it_is_prepared() -> None:
    outcome = NoiseDesign(dimension=2, epsilon="1/2", sensitivity=3).run()
    assert not outcome.ready("plane") and not outcome.ready("several") and outcome.ready("epsilon")
    assert [panel.key for panel in outcome.panels_in({"view": "plane"})] == ["told", "costs"], "a job computes the rest"
    outcome.prepare("plane")
    assert [panel.key for panel in outcome.panels_in({"view": "plane"})] == ["plane", "told", "costs"]
    assert outcome.ready("plane") and not outcome.ready("several")
    (both,) = planes(outcome)
    staircase, laplace = both.planes
    assert staircase.values.shape == (181, 181) and staircase.reach == 24 and staircase.ends == laplace.ends
    middle = 90
    for plane in (staircase, laplace):
        step = plane.reach / 90
        assert plane.values[middle + 30, middle - 12] == plane.at(-12 * step, 30 * step)
    assert laplace.at(1, -2) == vector_laplace_density(np.asarray(3.0), 0.5, 2, 3.0)
    assert (
        both.along(1, -2) == 3
        and "its L1 norm 3.00" in both.read(1, -2)
        and [plane.name for plane in both.planes] == ["staircase", "Laplace"]
    )
    assert planes(NoiseDesign(dimension=3, epsilon=1).run()) == ()


@pytest.mark.parametrize(
    "asked", [{"sensitivity": 3}, {"query": "integer", "sensitivity": 3}, {"dimension": 2}, {"epsilon": "0.05"}]
)
def test_bars_of_very_many_draws_are_the_curve(asked: dict[str, Any]) -> None:
    answer = NoiseDesign(**{"epsilon": 1, "cost": "squared", **asked}).run()
    (plot, *_) = plots("density", answer)
    curve, generator, places = plot.lines[0], np.random.default_rng(1), np.arange(-200, 201)
    many = generator.choice(places, 200_000, p=answer.noise.mass(places)) if answer.split else answer.simulate(200_000, 1)
    made = Drawn(np.asarray(many, dtype=np.float64).reshape(200_000, -1))
    boxes = made.landing(plot).boxes
    assert boxes is not None and 4 <= len(boxes) <= 45
    for left, low, right, high in boxes.tolist():
        middle = np.linspace(left, right, 401)[1:-1]
        expected = np.mean([curve.at(round(x) if curve.spikes else x) for x in middle])
        assert low == 0 and high == pytest.approx(expected, rel=0.1, abs=0.02 * curve.y.max())
    hundred = Drawn(made.values[:100]).landing(plot)
    assert landed(plot, hundred).landing is hundred
    limits, top = landed(plot, hundred).y.limits, hundred.boxes[:, 3].max()
    assert limits is None if top <= curve.y.max() else limits[1] > top, "no bar ends above the axis"
