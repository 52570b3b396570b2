"""The exported pictures of noise and its portrait for comparisons; they need no widget of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize

from dpdesigner.core.noise.best_noise import best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.desktop.pages.kit.declared_results import figures as figures_of
from dpdesigner.desktop.pages.kit.painting import Figure, HiddenPage
from dpdesigner.desktop.pages.kit.portrait import Portrait, portrait
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.messages import message
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import compared_plots
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.snapshot import Look, Snapshot, Waiting

#: The findings that are compared.
_COMPARED = ("value", "proof", "step", "laplace")


class HiddenNoise(HiddenPage):
    """The figures of the noise page without the page."""

    def set_study(self, study: NoiseDesign | HistogramDesign) -> None:
        """Take a study; its first view is open."""
        super().set_study(study)
        self.view = {"view": study.views[0].key, **study.view_defaults}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Take the values of the view that there are."""
        keys = [view.key for view in self.design.views]
        self.view |= {key: value for key, value in state.items() if key in self.view and (key != "view" or value in keys)}

    def figures(self) -> Iterator[Figure]:
        """Return the pictures of all views, the open one first, and the costs."""
        answer = self.outcomes.get("solve")
        if answer is not None:
            yield from figures(Snapshot(self.design, answer, self.view, self.outcomes), {})


def figures(now: Snapshot[Any, Any], sizes: Mapping[str, QSize | None]) -> Iterator[Figure]:
    """Yield the pictures of all views, in these sizes, the open one first, and the costs; never a true count."""
    answer: NoiseAnswer | HistogramAnswer = now.answer
    views = [view for view in answer.design.views if view.key != "delta" or answer.noise_shown.design.delta is not None]
    for view in sorted(views, key=lambda view: view.key != now.view["view"]):
        answer.noise_shown.prepare(view.key)
        for key in view.panels:
            try:
                panel = answer.panels[key](Look(now))
            except Waiting:  # no data are there yet
                continue
            if key != "budget":
                yield from (replace(each, size=sizes.get(each.name)) for each in figures_of(panel))
    yield from figures_of(answer.panels["costs"](Look(now)))


def sketched(design: NoiseDesign | HistogramDesign) -> Portrait:
    """Return the shape of the noise, without the curves that take long to compute."""
    number = design if isinstance(design, NoiseDesign) else NoiseDesign("integer", privacy=design.privacy, cost=design.cost)
    curves = density_curves(number.noise_query, best_noise(number.noise_query).noise)
    line = Line(curves.x, curves.staircase, steps=number.query == "real")
    return Portrait({}, charts=(Plot("density", "", Axis(), Axis(), (line,)),))


def portrait_of(design: NoiseDesign | HistogramDesign, answer: NoiseAnswer | HistogramAnswer | None) -> Portrait:
    """Return inputs, results and curves."""
    inputs = dict(portrait(design, None).inputs)
    if isinstance(design, HistogramDesign):  # what a number has as an input follows from the cells
        query = Finding(message("query"), message("histogram of {cells} cells", cells=design.size))
        inputs = {"query": query, "sensitivity": Finding(message("sensitivity Δ"), str(design.sensitivity.value)), **inputs}
    inputs["cost"] = replace(inputs["cost"], value=translated(design.cost_title))  # several answers have a cost together
    if answer is None or answer.design != design:
        return Portrait(inputs)
    results = {key: finding for key, finding in answer.findings.items() if key in _COMPARED}
    return Portrait(inputs, results, None, compared_plots(answer.noise_shown))
