"""Figures without a page: noise and histograms are drawn without a widget of their page, and as the page draws them."""

from __future__ import annotations

from typing import Any

import pytest

from dpdesigner.desktop.output.pictures import SIZE, discard, figure_bytes, figures_of, hidden_page, show
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.pages.kit.summary import HiddenPage
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.registry import entry


@pytest.mark.parametrize(
    ("study", "view"),
    [
        (NoiseDesign(delta="1e-3", epsilon=1), {"view": "epsilon", "share": 0.2, "chance": 0.5}),
        (NoiseDesign("integer", sensitivity=3, epsilon=1), {"view": "density", "share": 9.0}),
        (NoiseDesign(dimension=2, epsilon=1), {"view": "distribution"}),
        (HistogramDesign("0..3", epsilon=1), {"view": "density", "chance": 0.99}),
    ],
)
def test_they_are_those_of_the_page(qapp: object, study: Any, view: dict[str, Any]) -> None:
    page: Page = entry(study.kind).page_class()()
    hidden, outcomes = hidden_page(study.kind), {"solve": study.run()}
    assert isinstance(hidden, HiddenPage)
    told = []
    for drawn in (page, hidden):
        show(drawn, study, outcomes)
        drawn.set_view_state(view)
        told.append([(figure.name, figure.title, figure_bytes(figure.widget, "svg", SIZE)) for figure in figures_of(drawn)])
    discard(page)
    assert told[0] == told[1] and len(told[0]) >= 4


def test_before_an_answer_there_are_none(qapp: object) -> None:
    hidden = hidden_page("noise")
    hidden.set_study(NoiseDesign(epsilon=1))
    assert list(hidden.figures()) == []
