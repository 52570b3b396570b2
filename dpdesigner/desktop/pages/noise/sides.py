"""What the page says and shows of each of its kinds: a number (or several), and a histogram, whose curves are those of a cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpdesigner.core.noise.best import best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.desktop.pages.kit.explanation import Explanation, explained
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.studies.histogram.converting import Asked as Asked
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.histogram.views import TABS
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import compared_plots
from dpdesigner.studies.noise.views import Tab
from dpdesigner.studies.noise.views import tabs_of as tabs_of_number
from dpdesigner.studies.noise.words import delta_words, geometric_words
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.study import Progress

Answer = NoiseOutcome | HistogramOutcome


def tabs_of(design: Asked) -> Sequence[Tab]:
    """Return key, text and tooltip of each view that shows something of a design, in order."""
    return TABS if isinstance(design, HistogramDesign) else tabs_of_number(design)


def scale_of(design: Asked) -> tuple[float, int]:
    """Return the sensitivity of one answer at a time, and the number of answers, which a picture of the cost is drawn for."""
    return (float(design.sensitivity.value), 1) if isinstance(design, HistogramDesign) else (design.period, design.dimension)


def noise_of(answer: Answer | None) -> NoiseOutcome | None:
    """Return the noise whose curves are drawn of an answer."""
    return answer.cell if isinstance(answer, HistogramOutcome) else answer


def looked_at(design: Asked, view: str) -> Callable[[Progress], Answer]:
    """Return a run that computes too what only this view shows, so that it is not worked out while drawing."""

    def run(progress: Progress) -> Answer:
        answer: Answer = design.run(progress)
        noise = noise_of(answer)
        if noise is not None and view in (key for key, _, _ in tabs_of(design)):
            noise.prepare(view)
        return answer

    return run


def explanation_of(answer: Answer) -> Explanation:
    """Explain an answer."""
    if isinstance(answer, HistogramOutcome):
        return explained("histogram", "histograms", answer)
    return explained("noise", "noise", answer, delta_words, geometric_words)


def sketched(design: Asked) -> Portrait:
    """Return the shape of the noise, without the curves that take long to compute."""
    number = design if isinstance(design, NoiseDesign) else NoiseDesign("integer", privacy=design.privacy, cost=design.cost)
    curves = density_curves(number.asked, best_noise(number.asked).noise)
    line = Line(curves.x, curves.staircase, steps=number.query == "real")
    return Portrait({}, charts=(Plot("density", "", Axis(), Axis(), (line,)),))


def portrait_of(design: Asked, answer: Answer | None) -> Portrait:
    """Return inputs, results and curves."""
    noise = noise_of(answer)
    if answer is None or noise is None:
        return Portrait(design.inputs)
    results = {key: finding for key, finding in answer.findings.items() if key in ("value", "proof", "step", "laplace")}
    return Portrait(design.inputs, results, None, compared_plots(noise))
