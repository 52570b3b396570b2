"""What the page says and shows of each of its kinds: a number (or several), and a histogram, whose curves are those of a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpdesigner.core.noise.best_noise import best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.desktop.pages.kit.explanation import Explanation, explained
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.theme.words import tr, translated
from dpdesigner.messages import message
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.conversion import Asked as Asked
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.release_text import TABS
from dpdesigner.studies.matrices import Planes
from dpdesigner.studies.noise.answer import NoiseAnswer, headlines
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.joint_density import planes
from dpdesigner.studies.noise.panels import compared_plots, plots
from dpdesigner.studies.noise.view_text import delta_text, geometric_text
from dpdesigner.studies.noise.views import Tab
from dpdesigner.studies.noise.views import tabs_of as tabs_of_number
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.study import Progress
from dpdesigner.studies.table_panels import Rank, Ranking

Answer = NoiseAnswer | HistogramAnswer

#: The neighbouring answer is drawn a whole sensitivity away, and the bounds hold this share, until they are dragged.
START = 1.0, 0.95
MOST_CHANCE = 0.9999


def tabs_of(design: Asked) -> Sequence[Tab]:
    """Return key, text and tooltip of each view that shows something of a design, in order."""
    return TABS if isinstance(design, HistogramDesign) else tabs_of_number(design)


def scale_of(design: Asked) -> tuple[float, int]:
    """Return the sensitivity of one answer at a time, and the number of answers, which a picture of the cost is drawn for."""
    return (float(design.sensitivity.value), 1) if isinstance(design, HistogramDesign) else (design.period, design.dimension)


def noise_of(answer: Answer | None) -> NoiseAnswer | None:
    """Return the noise whose curves are drawn of an answer."""
    return answer.cell if isinstance(answer, HistogramAnswer) else answer


def looked_at(design: Asked, view: str) -> Callable[[Progress], Answer]:
    """Return a run that computes too what only this view shows, so that it is not worked out while drawing."""

    def run(progress: Progress) -> Answer:
        answer: Answer = design.run(progress)
        noise = noise_of(answer)
        if noise is not None and view in (key for key, _, _ in tabs_of(design)):
            noise.prepare(view)
        return answer

    return run


def bars(answer: Answer) -> Ranking:
    """Return a bar for each finding that is a cost, the best first; what is only there to be compared with stays behind."""
    costs = {key: answer.findings[key] for key in answer.ranking}
    rows = [
        Rank(translated(cost.label), cost.number, "rival" if cost.state == "given" else "main", cost.state == "proved", key)
        for key, cost in costs.items()
    ]
    return Ranking("costs", tr("What it costs"), tuple(rows))


def explanation_of(answer: Answer) -> Explanation:
    """Explain an answer."""
    if isinstance(answer, HistogramAnswer):
        return explained("histogram", "histograms", answer)
    return explained("noise", "noise", answer, delta_text, geometric_text)


def headlines_of(answer: Answer) -> tuple[str, ...]:
    """Return how far off an answer is, and what Laplace noise would cost, in plain words, in versions from long to short."""
    if isinstance(answer, HistogramAnswer):
        return headlines(answer, message("The error of each count"))
    return headlines(answer, message("The error"), answer.design.dimension)


def sketched(design: Asked) -> Portrait:
    """Return the shape of the noise, without the curves that take long to compute."""
    number = design if isinstance(design, NoiseDesign) else NoiseDesign("integer", privacy=design.privacy, cost=design.cost)
    curves = density_curves(number.noise_query, best_noise(number.noise_query).noise)
    line = Line(curves.x, curves.staircase, steps=number.query == "real")
    return Portrait({}, charts=(Plot("density", "", Axis(), Axis(), (line,)),))


def portrait_of(design: Asked, answer: Answer | None) -> Portrait:
    """Return inputs, results and curves."""
    noise = noise_of(answer)
    if answer is None or noise is None or answer.design != design:
        return Portrait(design.inputs)
    results = {key: finding for key, finding in answer.findings.items() if key in ("value", "proof", "step", "laplace")}
    return Portrait(design.inputs, results, None, compared_plots(noise))


def shift_of(noise: NoiseAnswer, share: float) -> float:
    """Return the neighbouring answer less the first one, at a share of the sensitivity: a whole number for an integer query."""
    place = share * noise.design.period
    return float(round(place)) if noise.design.query == "integer" else float(f"{place:.3g}")


def panels_of(design: Asked, answer: Answer | None, view: str, share: float, chance: float) -> tuple[Plot | Planes, ...]:
    """Return what a view of panels shows of an answer, handles where the newest design is; none for other views."""
    noise = noise_of(answer)
    if answer is None or noise is None:
        return ()
    if view == "plane":
        return planes(noise)
    titles = {key: title for key, title, _ in tabs_of(design)}
    asked = {"epsilon": design.epsilon * (noise.design.epsilon / answer.design.epsilon)}
    if isinstance(design, NoiseDesign) and design.chosen_gamma is not None and noise.design.query == "real":
        asked["gamma"] = design.chosen_gamma
    return plots(view, titles.get(view, ""), noise, shift_of(noise, share), chance, asked)


def seen(design: Asked | None, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a saved view fits: the open one, the place of the neighbouring answer and the share within bounds."""
    fits: dict[str, Any] = {}
    share, chance, view = state.get("share"), state.get("chance"), state.get("view")
    if isinstance(share, int | float):
        fits["share"] = min(max(float(share), -1.0), 1.0)
    if isinstance(chance, int | float):
        fits["chance"] = min(max(float(chance), 0.0), MOST_CHANCE)
    if design is not None and view in [key for key, _, _ in tabs_of(design)]:
        fits["view"] = view
    return fits
