"""What is to be seen in each view of an outcome, in words; every sentence holds for the study shown, or is not said."""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.numbers.rounding import at_most, brief, figure, significant
from dpdesigner.messages import message
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.plots import percent
from dpdesigner.studies.panels import Landing, Plot

_MOST = 4  # numbers that are told of one draw


def view_text(outcome: NoiseAnswer, view: str, shift: float = 0.0, chance: float = 0.95) -> str:
    """Return what to look for in a view; parameters as `dpdesigner.studies.noise.plots.plots`."""
    if view == "density":
        return _ratio(outcome, shift)
    if view == "distribution":
        return _within(outcome, chance)
    if view == "epsilon":
        return _against_epsilon(outcome)
    if view == "gamma":
        return _against_gamma(outcome)
    if view == "best":
        if not _is_regular(outcome) or outcome.design.query == "integer" or outcome.design.dimension > 1:
            return message("Position of the step within each period, against ε.")
        return message(
            "γ is the position in each period where the density steps down: near the middle for small ε, near 0 for large ε."
        )
    if view in ("several", "plane"):
        return _several(outcome)
    return outcome.delta_text if view == "delta" else ""


def _ratio(outcome: NoiseAnswer, shift: float) -> str:
    """What the ratio of two neighbouring answers shows."""
    design, bound = outcome.design, figure(1 / outcome.attained.alpha_below, 4)
    if design.dimension > 1:
        return message("The density depends only on the L1 norm of the noise. The plot shows it along a line through the origin.")
    if not shift:
        return message(
            "Drag the line by up to Δ = {period} to either side. No output becomes more than e^ε = {bound} times as likely.",
            period=design.sensitivity,
            bound=bound,
        )
    return message(
        "If the true answer moves by {shift}, no output becomes more than e^ε = {bound} times as likely. The staircase uses "
        "the whole bound wherever its line touches ±ε; Laplace reaches ±{reach} of ±{epsilon}.",
        shift=brief(abs(shift)),
        bound=bound,
        reach=at_most(design.epsilon * abs(shift) / design.period),
        epsilon=at_most(design.epsilon),
    )


def _within(outcome: NoiseAnswer, chance: float) -> str:
    """Within which bounds a share of the errors lies; whole numbers jump over a share."""
    if isinstance(outcome.noise, VectorStaircase):
        return ""
    if outcome.split is not None:
        return message(
            "At least {share} of the errors are within ±{staircase}; of discrete Laplace noise, within ±{laplace}. Drag "
            "the line.",
            share=percent(chance),
            staircase=outcome.noise.within(chance),
            laplace=outcome.rival.within(chance),
        )
    return message(
        "{share} of the errors are within ±{staircase}; of Laplace noise, within ±{laplace}. Drag the line to see other shares.",
        share=percent(chance),
        staircase=at_most(float(outcome.noise.within(chance)), 4),
        laplace=at_most(float(outcome.rival.within(chance)), 4),
    )


def _against_epsilon(outcome: NoiseAnswer) -> str:
    here = outcome.compared or message("The cost is not finite here")
    if not _is_regular(outcome) or outcome.design.gamma != "optimal":
        return message("{laplace}.", laplace=here)
    return message(
        "{laplace}. For ε near 0 both cost nearly the same. The percentage that the staircase saves grows with ε.", laplace=here
    )


def _against_gamma(outcome: NoiseAnswer) -> str:
    if outcome.design.query == "integer":
        return message("γ is r / Δ, the position of the step within each run of Δ whole numbers. Drag the line to choose.")
    extra = 100 * (outcome.by_gamma.half / outcome.least - 1) if 0 < outcome.least < math.inf else math.nan
    return message(
        "Drag the line to choose another γ. One half costs {percent}% more than the best.", percent=significant(extra, 2)
    )


def _several(outcome: NoiseAnswer) -> str:
    """How good the staircase is in several dimensions, and how sure that is."""
    return message(
        "Δ = {period} in the L1 norm, for all answers together. The staircase is proved to be the best added noise for d = 1 "
        "and, for the sum of absolute errors, for d = 2; for other cases this is a conjecture. Here γ{star} = {gamma}, and "
        "{laplace}.",
        period=outcome.design.sensitivity,
        star="*" if outcome.design.gamma == "optimal" else "",
        gamma=significant(outcome.gamma, 6),
        laplace=outcome.compared,
    )


def _is_regular(outcome: NoiseAnswer) -> bool:
    """Whether more and more is saved as epsilon grows: for powers, unless the noise is geometric as Laplace's is."""
    design = outcome.design
    return isinstance(design.noise_cost, PowerCost) and (design.query == "real" or outcome.design.period > 1)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Noise that was drawn: a row for each draw, with a number for each answer."""

    values: Floats

    @property
    def text(self) -> str:
        """The numbers of the first draw, with their signs."""
        first = self.values[0]
        texts = [f"{value:+.4g}".replace("-", "−").replace("+0", "0" if value == 0 else "+0") for value in first[:_MOST].tolist()]
        return ", ".join(texts + ["…"] * (len(first) > _MOST))

    def landing(self, plot: Plot) -> Landing:
        """Return the draws on the plot of the density: several answers at their L1 norm."""
        places = tuple(np.abs(self.values).sum(axis=1).tolist() if self.values.shape[1] > 1 else self.values[:, 0].tolist())
        if len(places) > 1:
            return Landing(places, of=self)
        return Landing(places, (plot.lines[0].at(places[0]),), self.text, self)


def drawn(solved: NoiseAnswer, many: int = 1) -> Drawn:
    """Draw noise, a number for each answer: exactly for whole numbers, for simulation only otherwise."""
    values = solved.draws(many) if solved.split is not None else solved.simulate(many, secrets.randbits(63))
    return Drawn(np.array(values, dtype=np.float64).reshape(many, -1))


def drawn_text(made: Drawn) -> str:
    """Say what was drawn."""
    if len(made.values) > 1:
        return message("{count} draws of the noise.", count=len(made.values))
    return message("Drawn: {values}.", values=made.text)
