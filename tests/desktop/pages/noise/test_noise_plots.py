"""The pictures and sentences of the noise page, without a widget."""

from __future__ import annotations

from typing import Any

from dpdesigner.desktop.pages.noise.page import NoisePage
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import with_delta
from dpdesigner.studies.noise.run import view_text
from dpdesigner.studies.registry import entry


def test_the_registry_makes_the_page() -> None:
    assert entry("noise").page_class() is entry("histogram").page_class() is NoisePage
    study = NoisePage.starting_study("noise")
    assert isinstance(study, NoiseDesign) and study.run().proved


def test_what_becomes_of_the_best_step_is_told_only_where_it_is_so() -> None:
    inputs: list[dict[str, Any]] = [{}, {"query": "integer"}, {"query": "integer", "sensitivity": 5}, {"gamma": "0.9"}]
    outcomes = [NoiseDesign.starting(**given).run() for given in (*inputs, {"cost": "drawn:0:5,1:6"}, {"dimension": 2})]
    said = [view_text(outcome, "best") for outcome in outcomes]
    assert ["near 0 for large" in each for each in said] == [True, False, False, True, False, False]


def test_with_delta_the_cheapest_is_named() -> None:
    assert "Enter a δ" in NoiseDesign(epsilon=1).run().delta_text
    assert [line.name for line in with_delta(NoiseDesign(epsilon=1).run())[0].lines] == ["staircase, δ = 0"]
    assert "None of these noises" in NoiseDesign(delta="1e-3", epsilon=1).run().delta_text
    assert "Truncated Laplace" in NoiseDesign(epsilon="0.01", delta="1e-2").run().delta_text.title()
