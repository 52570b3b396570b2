"""The pictures and sentences of the noise page, without a widget."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpdesigner.desktop.pages.noise import plots, words
from dpdesigner.desktop.pages.noise.page import NoisePage
from dpdesigner.errors import InputError
from dpdesigner.files.takeaway import noise_tables
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import silent


def test_the_registry_makes_the_page() -> None:
    assert entry("noise").page_class() is entry("histogram").page_class() is NoisePage
    study = NoisePage.starting_study("noise")
    assert isinstance(study, NoiseDesign) and study.run().proved


@pytest.mark.parametrize("study", [NoiseDesign(epsilon=2), NoiseDesign("integer", sensitivity=5, epsilon=2)])
def test_the_ratio_reaches_the_bound_and_never_passes_it(study: NoiseDesign) -> None:
    outcome = study.run()
    for share in (-1, -0.6, 0.2, 1):
        shift = round(share * study.period) if study.query == "integer" else share * study.period
        staircase, laplace = plots.density(outcome, shift)[1].curves
        assert np.abs(staircase.y).max() == 2
        assert np.abs(laplace.y).max() == pytest.approx(2 * abs(shift) / study.period)
    assert np.abs(plots.density(outcome, 0)[1].curves[0].y).max() == 0


def test_noise_among_whole_numbers_is_not_called_what_it_is_not() -> None:
    """The bars of a histogram name the Laplace noise of the textbooks, which costs more: the curves show another one."""
    for query, name in (("real", "Laplace"), ("integer", "discrete Laplace")):
        outcome = NoiseDesign(query).run()
        for curves in (plots.density(outcome, 1)[0].curves, plots.against_epsilon(outcome)[0].curves):
            assert curves[1].name == name
        assert plots.against_epsilon(outcome)[1].curves[0].name == f"{name} / best"


def test_what_becomes_of_the_saving_is_told_only_where_it_is_so() -> None:
    inputs: list[dict[str, Any]] = [{}, {"query": "integer"}, {"query": "integer", "sensitivity": 5}, {"gamma": "0.9"}]
    outcomes = [NoiseDesign(**given).run() for given in (*inputs, {"cost": "drawn:0:5,1:6"}, {"dimension": 2})]
    epsilon, best = ([words.view_sentence(outcome, view) for outcome in outcomes] for view in ("epsilon", "best"))
    assert ["the more percent the staircase saves" in said for said in epsilon] == [True, False, True, False, False, True]
    assert ["towards 0" in said for said in best] == [True, False, False, True, False, False]


def test_with_delta_the_cheapest_is_named() -> None:
    assert "Give a δ" in words.delta_sentence(NoiseDesign().run())
    assert [curve.name for curve in plots.with_delta(NoiseDesign().run())[0].curves] == ["staircase, δ = 0"]
    assert "None of these noises" in words.delta_sentence(NoiseDesign(delta="1e-3").run())
    assert "Truncated Laplace" in words.delta_sentence(NoiseDesign(epsilon="0.01", delta="1e-2").run()).title()
    assert "single real" in words.delta_sentence(NoiseDesign("integer").run())


def test_the_ground_shows_which_noise_is_cheapest() -> None:
    outcome = NoiseDesign(delta="1e-3").run()
    picture = plots.with_delta(outcome)[0]
    ends = [band.low for band in picture.bands] + [picture.bands[-1].high]
    assert ends[0] == outcome.by_epsilon.epsilon[0] and ends[-1] == outcome.by_epsilon.epsilon[-1]
    assert ends == sorted(ends) and all(a.high == b.low for a, b in pairwise(picture.bands))
    assert [band.colour_role for band in picture.bands] == ["accent", "proved"]  # truncated Laplace, then the staircase
    costs = np.array([curve.y for curve in picture.curves])
    inside = (outcome.by_epsilon.epsilon >= ends[1]) & (outcome.by_epsilon.epsilon <= ends[2])
    assert (np.nanargmin(costs[:, inside], axis=0) == 0).all()


def test_an_unknown_format_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="formats must be"):
        noise_tables.write({}, {}, str(tmp_path), "a", ["xml"], silent)
    assert list(tmp_path.iterdir()) == []
