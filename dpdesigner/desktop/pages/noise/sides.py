"""What the page says and shows of each of its kinds: a number (or several), and a histogram, whose curves are those of a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.noise.asked import Asked as NoiseAsked
from dpdesigner.core.noise.best import Noise, best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.desktop.pages.kit.explanation import Explanation, explained
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.studies.findings import Finding, Findings
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.histogram.views import TABS
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import compared_plots
from dpdesigner.studies.noise.views import Tab, tabs_of
from dpdesigner.studies.noise.words import delta_words, geometric_words
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.said import said

Asked = NoiseDesign | HistogramDesign
Answer = NoiseOutcome | HistogramOutcome

D = TypeVar("D", bound=Asked)
A = TypeVar("A", bound=Answer)


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


class Side(Generic[D, A]):
    """One kind of the page."""

    own_view: ClassVar[bool] = False  #: whether it opens with its own first view, whatever was open before
    gamma: ClassVar[bool] = True  #: whether there is a gamma to choose

    def tabs(self, design: D) -> Sequence[Tab]:
        """Return key, text and tooltip of each view that shows something of a design, in order."""
        raise NotImplementedError

    def scale(self, design: D) -> tuple[float, int]:
        """Return the sensitivity and the number of answers, which a picture of the cost is drawn for."""
        raise NotImplementedError

    def noise(self, answer: A) -> NoiseOutcome:
        """Return the noise whose curves are drawn."""
        raise NotImplementedError

    def look(self, answer: A, view: str) -> None:
        """Compute too what only this view shows, so that it is not worked out while drawing."""
        found = self.noise(answer)
        if any(key == view for key, _, _ in side_of(answer.design).tabs(answer.design)):
            found.prepare(view)

    def explanation(self, answer: A) -> Explanation:
        """Explain an answer."""
        raise NotImplementedError

    def sketched(self, design: D) -> Portrait:
        """Return the shape of the noise, without the curves that take long to compute."""
        raise NotImplementedError

    def inputs(self, design: D) -> Findings:
        """Return what is asked, to be compared with other designs."""
        raise NotImplementedError

    def portrait(self, design: D, answer: A | None) -> Portrait:
        """Return inputs, results and curves."""
        inputs = self.inputs(design)
        if answer is None:
            return Portrait(inputs)
        results = {key: finding for key, finding in answer.findings.items() if key in ("value", "proof", "step", "laplace")}
        return Portrait(inputs, results, None, compared_plots(self.noise(answer)))


class NumberSide(Side[NoiseDesign, NoiseOutcome]):
    """A number, or several together."""

    def tabs(self, design: NoiseDesign) -> Sequence[Tab]:
        """Return the views of a number, or of several."""
        return tabs_of(design)

    def scale(self, design: NoiseDesign) -> tuple[float, int]:
        """Return the design's own."""
        return design.period, design.dimension

    def noise(self, answer: NoiseOutcome) -> NoiseOutcome:
        """Return the answer itself."""
        return answer

    def explanation(self, answer: NoiseOutcome) -> Explanation:
        """Explain the noise."""
        return explained("noise", "noise", answer, delta_words, geometric_words)

    def sketched(self, design: NoiseDesign) -> Portrait:
        """Return the shape of the noise."""
        asked = design.asked
        return Portrait({}, charts=(_shape(asked, best_noise(asked).noise),))

    def inputs(self, design: NoiseDesign) -> Findings:
        """Return what is asked."""
        asked = {
            "query": Finding(said("query"), said("integer") if design.query == "integer" else said("real")),
            "answers": Finding(said("answers"), str(design.dimension)),
            "sensitivity": Finding(said("sensitivity Δ"), str(design.sensitivity)),
            "cost": Finding(said("cost of noise"), design.cost_title, measure=design.cost),
            "gamma": Finding(said("γ asked"), said("the best") if design.gamma == "optimal" else str(design.gamma)),
            "privacy": Finding(said("privacy asked"), design.privacy.words),
        }
        return asked if design.delta is None else {**asked, "delta": Finding("δ", str(design.delta))}


class HistogramSide(Side[HistogramDesign, HistogramOutcome]):
    """A histogram: its own view, and the curves of the noise of a cell."""

    own_view = True
    gamma = False

    def tabs(self, design: HistogramDesign) -> Sequence[Tab]:
        """Return the view of a histogram, and those of the noise of a cell."""
        return TABS

    def scale(self, design: HistogramDesign) -> tuple[float, int]:
        """Return the sensitivity of all cells together, one answer at a time."""
        return float(design.sensitivity.value), 1

    def noise(self, answer: HistogramOutcome) -> NoiseOutcome:
        """Return the noise of a cell."""
        return answer.cell

    def explanation(self, answer: HistogramOutcome) -> Explanation:
        """Explain the noise of the cells."""
        return explained("histogram", "histograms", answer)

    def sketched(self, design: HistogramDesign) -> Portrait:
        """Return the shape of geometric noise."""
        asked = NoiseDesign("integer", privacy=design.privacy, cost=design.cost).asked
        return Portrait({}, charts=(_shape(asked, best_noise(asked).noise),))

    def inputs(self, design: HistogramDesign) -> Findings:
        """Return what is asked."""
        query = said("histogram of {cells} cells", cells=len(design.edges))
        return {
            "query": Finding(said("query"), query, measure=design.cells),
            "sensitivity": Finding(said("sensitivity Δ"), str(design.sensitivity.value)),
            "cost": Finding(said("cost of noise"), design.cost_title, measure=design.cost),
            "privacy": Finding(said("privacy asked"), design.privacy.words),
        }


_SIDES: Mapping[str, Side[Any, Any]] = {NoiseDesign.kind: NumberSide(), HistogramDesign.kind: HistogramSide()}


def side_of(design: Asked) -> Side[Any, Any]:
    """Return what the page knows of the kind of a design."""
    return _SIDES[design.kind]


def noise_of(answer: Answer | None) -> NoiseOutcome | None:
    """Return the noise whose curves are drawn of an answer."""
    return None if answer is None else side_of(answer.design).noise(answer)


def _shape(asked: NoiseAsked, noise: Noise) -> Plot:
    """Return the shape of noise as a plot without words."""
    curves = density_curves(asked, noise)
    return Plot("density", "", Axis(), Axis(), (Line(curves.x, curves.staircase, steps=not asked.whole),))
