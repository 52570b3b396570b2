"""The sentences of the noise page, made from studies and outcomes; no widget is touched here."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.widgets.base.number_text import at_most, brief, significant
from dpdesigner.desktop.widgets.privacy.odds import times
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import percent


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def ratio_sentence(outcome: NoiseOutcome, shift: float) -> str:
    """What the ratio of two neighbouring answers shows."""
    design = outcome.design
    if design.dimension > 1:
        return _tr("The density depends on the L1 norm of the noise only; drawn is a line through the origin.")
    bound = times(outcome.attained)
    if not shift:
        text = _tr("Drag the line, up to Δ = {period} to either side: no output becomes more than e^ε = {bound} times as likely.")
        return text.format(period=design.sensitivity, bound=bound)
    reach = at_most(design.epsilon * abs(shift) / design.period)
    return _tr(
        "With the true answer {shift} away, no output is more than e^ε = {bound} times as likely. The staircase uses the whole "
        "bound wherever its line touches ±ε; Laplace reaches ±{reach} of ±{epsilon}."
    ).format(
        shift=brief(abs(shift)),
        bound=bound,
        reach=reach,
        epsilon=at_most(design.epsilon),
    )


def view_sentence(outcome: NoiseOutcome, view: str) -> str:
    """What to look for in a view other than the densities."""
    if view == "epsilon":
        here = translated(outcome.compared) or _tr("The cost is not finite here")
        if not _is_regular(outcome) or outcome.design.gamma != "optimal":
            return f"{here}."
        text = _tr("{laplace}. For ε near 0 both cost nearly the same; the larger ε, the more percent the staircase saves.")
        return text.format(laplace=here)
    if view == "gamma":
        half = outcome.by_gamma.half
        if outcome.design.query == "integer":
            return _tr("γ is r / Δ: where in each Δ whole numbers the probability steps down. Drag the line to choose.")
        extra = 100 * (half / outcome.least - 1) if 0 < outcome.least < math.inf else math.nan
        return _tr("Drag the line to choose another γ. One half costs {percent} % more than the best.").format(
            percent=significant(extra, 2)
        )
    if view == "best":
        if not _is_regular(outcome) or outcome.design.query == "integer" or outcome.design.dimension > 1:
            return _tr("Where in each period it steps down, against ε.")
        return _tr("Where in each period the density steps down: near the middle for small ε, towards 0 for large ε.")
    if view in ("several", "plane"):
        return several_sentence(outcome)
    return delta_sentence(outcome)


def distribution_sentence(outcome: NoiseOutcome, chance: float) -> str:
    """Within which bounds a share of the errors lies."""
    if isinstance(outcome.noise, VectorStaircase):
        return ""
    bounds = [at_most(float(noise.within(chance)), 4) for noise in (outcome.noise, outcome.rival)]
    if outcome.split is not None:
        bounds = [str(noise.within(chance)) for noise in (outcome.noise, outcome.rival)]
    text = _tr("{share} of the errors are within ±{staircase}; of Laplace noise, within ±{laplace}. Drag the line for others.")
    if outcome.split is not None:  # whole numbers jump over a share
        text = _tr("At least {share} of the errors are within ±{staircase}; of discrete Laplace noise ±{laplace}. Drag the line.")
    return text.format(share=percent(chance), staircase=bounds[0], laplace=bounds[1])


def several_sentence(outcome: NoiseOutcome) -> str:
    """How good the staircase is in several dimensions, and how sure that is."""
    return _tr(
        "Δ = {period} in the L1 norm, for all answers together. The staircase is proved to be the best added noise for d = 1 "
        "and, for the sum of absolute errors, for d = 2; it is conjectured for the rest. Here γ{star} = {gamma}, and {laplace}."
    ).format(
        period=outcome.design.sensitivity,
        star="*" if outcome.design.gamma == "optimal" else "",
        gamma=significant(outcome.gamma, 6),
        laplace=_lower(translated(outcome.compared)),
    )


def _is_regular(outcome: NoiseOutcome) -> bool:
    """Whether more and more is saved as epsilon grows: for powers, unless the noise is geometric as Laplace's is."""
    design = outcome.design
    return isinstance(design.noise_cost, PowerCost) and (design.query == "real" or outcome.design.period > 1)


def _lower(sentence: str) -> str:
    return sentence if sentence.startswith("Laplace") else sentence[:1].lower() + sentence[1:]


def delta_sentence(outcome: NoiseOutcome) -> str:
    """Which noise is cheapest where a delta is allowed."""
    if outcome.design.query == "integer" or outcome.design.dimension > 1:
        return _tr("Noise with a δ is compared for a single real answer.")
    if outcome.design.delta is None:
        return _tr("Give a δ under “How private” to compare with noise whose probabilities may exceed what ε allows, by δ.")
    best = outcome.alternatives[0]
    shading = _tr("The ground has the colour of the cheapest.")
    if outcome.least <= best.cost:
        return _tr("None of these noises with δ = {delta} is cheaper here: the pure staircase costs {cost}. {shading}").format(
            delta=outcome.design.delta, cost=figure(outcome.least), shading=shading
        )
    return _tr("Cheapest here: {name}, at {cost} instead of {pure} for the pure staircase. {shading}").format(
        name=translated(outcome.findings[best.key].label), cost=figure(best.cost), pure=figure(outcome.least), shading=shading
    )


def geometric_sentence(outcome: NoiseOutcome) -> str:
    """That this noise is the geometric mechanism, where it is."""
    if outcome.geometric is None:
        return ""
    if outcome.design.query == "integer":
        return _tr("At sensitivity 1 the staircase is the two-sided geometric mechanism of the Count page, for every cost.")
    return _tr("With Δ = 1 and γ = 1/2, rounded to whole numbers, this is the geometric mechanism of the Count page.")
