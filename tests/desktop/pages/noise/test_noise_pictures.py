"""The pictures of noise and histograms that are exported: those of every view, the open one first."""

from __future__ import annotations

from typing import Any

import pytest

from dpdesigner.desktop.output.pictures import discard, figures_of, hidden_page, show
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign

USUAL = ["density", "density-ratio", "costs", "distribution", "epsilon", "epsilon-ratio"]


@pytest.mark.parametrize(
    ("study", "view", "names"),
    [
        (
            NoiseDesign(delta="1e-3", epsilon=1),
            {"view": "epsilon", "share": 0.2, "chance": 0.5},
            ["epsilon", "epsilon-ratio", "costs", "density", "density-ratio", "distribution", "gamma", "best", "delta"],
        ),
        (NoiseDesign("integer", sensitivity=3, epsilon=1), {"view": "density", "share": 9.0}, [*USUAL, "gamma", "best"]),
        (
            NoiseDesign(dimension=2, epsilon=1),
            {"view": "distribution"},
            ["plane", "plane-laplace", "costs", "several", "several-ratio", "epsilon", "epsilon-ratio", "gamma", "best"],
        ),
        (HistogramDesign("0..3", epsilon=1), {"view": "density", "chance": 0.99}, USUAL[:-1]),
    ],
)
def test_they_are_those_of_every_view(qapp: object, study: Any, view: dict[str, Any], names: list[str]) -> None:
    page = hidden_page(study.kind)
    show(page, study, {"solve": study.run()})
    page.set_view_state(view)
    assert [figure.name for figure in figures_of(page)] == names
    discard(page)


def test_the_density_is_that_of_the_design_wherever_its_lines_were_dragged(qapp: object) -> None:
    page = hidden_page("noise")
    show(page, study := NoiseDesign(sensitivity="3", epsilon=2, unit="hours"), {"solve": (answer := study.run())})
    page.set_view_state({"view": "density", "share": 0.4, "within": 7.0})
    figure = next(iter(figures_of(page)))
    around = figure.widget.parentWidget()
    assert isinstance(around, CurvePlot)
    shown, (band,) = around.plot, around.plot.bands
    assert band.high == pytest.approx(answer.half_within, abs=1e-2) and band.notes[0] == "50%"
    assert not shown.handles and [line.name for line in shown.lines] == ["staircase", "Laplace"]
    discard(page)


def test_before_an_answer_there_are_none(qapp: object) -> None:
    page = hidden_page("noise")
    page.set_study(NoiseDesign(epsilon=1))
    assert list(figures_of(page)) == []
    discard(page)
