"""What the page says and shows of each of its kinds: a number (or several), and a histogram, whose curves are those of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.noise.best import best_noise
from dpdesigner.core.noise.curves import density_curves
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.portrait import Chart, Fact, Portrait
from dpdesigner.desktop.pages.noise.explaining import explain_noise
from dpdesigner.desktop.pages.noise.explaining_histogram import explain_histogram
from dpdesigner.errors import InputError
from dpdesigner.studies.findings import shown
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome

Asked = NoiseDesign | HistogramDesign
Answer = NoiseOutcome | HistogramOutcome

D = TypeVar("D", bound=Asked)
A = TypeVar("A", bound=Answer)

_SINGLE = ("density", "distribution", "epsilon", "gamma", "best")


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


class Side(Generic[D, A]):
    """One kind of the page."""

    own_view: ClassVar[bool] = False  #: whether it opens with its own first view, whatever was open before
    gamma: ClassVar[bool] = True  #: whether there is a gamma to choose

    def views(self, design: D) -> tuple[str, ...]:
        """Return the keys of the views that show something of a design, in order."""
        raise NotImplementedError

    def tabs(self, design: D) -> list[tuple[str, str, str]]:
        """Return key, text and tooltip of each view."""
        texts = _tabs()
        return [(view, *texts[view]) for view in self.views(design)]

    def scale(self, design: D) -> tuple[float, int]:
        """Return the sensitivity and the number of answers, which a picture of the cost is drawn for."""
        raise NotImplementedError

    def noise(self, answer: A) -> NoiseOutcome:
        """Return the noise whose curves are drawn."""
        raise NotImplementedError

    def look(self, answer: A, view: str) -> None:
        """Compute too what only this view shows, so that it is not worked out while drawing."""

    def explanation(self, answer: A) -> Explanation:
        """Explain an answer."""
        raise NotImplementedError

    def sketched(self, design: D) -> Portrait:
        """Return the shape of the noise, without the curves that take long to compute."""
        raise NotImplementedError

    def inputs(self, design: D) -> tuple[Fact, ...]:
        """Return what is asked, to be compared with other designs."""
        raise NotImplementedError

    def portrait(self, design: D, answer: A | None) -> Portrait:
        """Return inputs, results and curves."""
        inputs = self.inputs(design)
        if answer is None:
            return Portrait(inputs)
        told = (answer.findings[key] for key in ("value", "proof", "step", "laplace") if key in answer.findings)
        results = tuple(Fact(translated(finding.label), shown(finding), finding.number, finding.measure) for finding in told)
        return Portrait(inputs, results, None, _charts(self.noise(answer)))


class NumberSide(Side[NoiseDesign, NoiseOutcome]):
    """A number, or several together."""

    def views(self, design: NoiseDesign) -> tuple[str, ...]:
        """Return the views: those of several answers have no distribution function."""
        if design.query == "integer":
            return (*_SINGLE, "budget")
        if design.dimension == 1:
            return (*_SINGLE, "delta", "budget")
        return ("plane" if design.dimension == 2 else "density", "epsilon", "gamma", "best", "several")

    def scale(self, design: NoiseDesign) -> tuple[float, int]:
        """Return the design's own."""
        return design.period, design.dimension

    def noise(self, answer: NoiseOutcome) -> NoiseOutcome:
        """Return the answer itself."""
        return answer

    def look(self, answer: NoiseOutcome, view: str) -> None:
        """Compute the costs of other numbers of answers, or the shares of the budget."""
        if view == "several" and answer.design.dimension > 1:
            answer.by_dimension  # noqa: B018
        elif view == "budget" and answer.design.dimension == 1:
            with suppress(InputError):  # said where the budget is shown
                answer.budget  # noqa: B018

    def explanation(self, answer: NoiseOutcome) -> Explanation:
        """Explain the noise."""
        return explain_noise(answer)

    def sketched(self, design: NoiseDesign) -> Portrait:
        """Return the shape of the noise."""
        asked = design.asked
        noise = best_noise(asked).noise
        curves = density_curves(asked, noise)
        return Portrait((), charts=(Chart("", ("", ""), curves.x, curves.staircase, steps=not asked.whole),))

    def inputs(self, design: NoiseDesign) -> tuple[Fact, ...]:
        """Return what is asked."""
        found = [
            Fact(_tr("query"), _tr("integer") if design.query == "integer" else _tr("real")),
            Fact(_tr("answers"), str(design.dimension)),
            Fact(_tr("sensitivity Δ"), str(design.sensitivity)),
            Fact(_tr("cost of noise"), design.cost_title, held=design.cost),
            Fact(_tr("γ asked"), _tr("the best") if design.gamma == "optimal" else str(design.gamma)),
            Fact(_tr("privacy asked"), design.privacy.words),
        ]
        return tuple(found if design.delta is None else [*found, Fact("δ", str(design.delta))])


class HistogramSide(Side[HistogramDesign, HistogramOutcome]):
    """A histogram: its own view, and the curves of the noise of a cell."""

    own_view = True
    gamma = False

    def views(self, design: HistogramDesign) -> tuple[str, ...]:
        """Return the views."""
        return ("histogram", "density", "distribution", "epsilon")

    def tabs(self, design: HistogramDesign) -> list[tuple[str, str, str]]:
        """Say that the density is that of one cell."""
        cell = ("density", _tr("Noise of a cell"), _tr("How likely each amount of noise is in one cell"))
        return [cell if tab[0] == "density" else tab for tab in super().tabs(design)]

    def scale(self, design: HistogramDesign) -> tuple[float, int]:
        """Return the sensitivity of all cells together, one answer at a time."""
        return float(design.sensitivity.value), 1

    def noise(self, answer: HistogramOutcome) -> NoiseOutcome:
        """Return the noise of a cell."""
        return answer.cell

    def explanation(self, answer: HistogramOutcome) -> Explanation:
        """Explain the noise of the cells."""
        return explain_histogram(answer)

    def sketched(self, design: HistogramDesign) -> Portrait:
        """Return the shape of geometric noise."""
        asked = NoiseDesign("integer", privacy=design.privacy, cost=design.cost).asked
        curves = density_curves(asked, best_noise(asked).noise)
        return Portrait((), charts=(Chart("", ("", ""), curves.x, curves.staircase),))

    def inputs(self, design: HistogramDesign) -> tuple[Fact, ...]:
        """Return what is asked."""
        return (
            Fact(_tr("query"), _tr("histogram of {cells} cells").format(cells=len(design.edges)), held=design.cells),
            Fact(_tr("sensitivity Δ"), str(design.sensitivity.value)),
            Fact(_tr("cost of noise"), design.cost_title, held=design.cost),
            Fact(_tr("privacy asked"), design.privacy.words),
        )


_SIDES: Mapping[str, Side[Any, Any]] = {NoiseDesign.kind: NumberSide(), HistogramDesign.kind: HistogramSide()}


def side_of(design: Asked) -> Side[Any, Any]:
    """Return what the page knows of the kind of a design."""
    return _SIDES[design.kind]


def noise_of(answer: Answer | None) -> NoiseOutcome | None:
    """Return the noise whose curves are drawn of an answer."""
    return None if answer is None else side_of(answer.design).noise(answer)


def _charts(solved: NoiseOutcome) -> tuple[Chart, ...]:
    shape, costs = solved.density, solved.by_epsilon
    whole, epsilon = solved.split is not None, solved.design.epsilon
    density = _tr("Probability of the noise") if whole else _tr("Density of the noise")
    axes = _tr("noise"), _tr("probability") if whole else _tr("density")
    mark = (epsilon, solved.cost) if costs.epsilon[0] <= epsilon <= costs.epsilon[-1] and solved.cost > 0 else None
    return (
        Chart(density, axes, shape.x, shape.staircase, steps=not whole, limits=(float(shape.x[0]), float(shape.x[-1]))),
        Chart(_tr("Cost against ε"), ("ε", _tr("expected cost")), costs.epsilon, costs.staircase, (True, True), mark=mark),
    )


def _tabs() -> dict[str, tuple[str, str]]:
    return {
        "density": (_tr("Density"), _tr("How likely each amount of noise is, beside Laplace noise")),
        "distribution": (_tr("Distribution"), _tr("The distribution function, and within which bounds most errors lie")),
        "epsilon": (_tr("Cost against ε"), _tr("Expected cost against epsilon")),
        "gamma": (_tr("Cost against γ"), _tr("Expected cost against gamma, the place of the step")),
        "best": (_tr("γ* against ε"), _tr("The best gamma against epsilon")),
        "delta": ("(ε, δ)", _tr("What is gained where probabilities may exceed what ε allows, by δ at most")),
        "budget": (_tr("Budget"), _tr("Several answers about the same people: how epsilon is shared among them")),
        "plane": (_tr("Plane"), _tr("The density of the noise of two answers, as a picture")),
        "several": (_tr("Cost against d"), _tr("Expected cost against the number of answers")),
        "histogram": (_tr("Histogram"), _tr("A column of your data, released with exact noise beside the truth")),
    }
