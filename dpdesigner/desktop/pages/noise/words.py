"""The sentences of the noise page, made from studies and outcomes; no widget is touched here."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.numbers.rounding import figure, rounded_down
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.widgets.base.number_text import at_most, brief, significant
from dpdesigner.desktop.widgets.privacy.odds import times
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import percent


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def study_line(study: NoiseStudy) -> str:
    """``real query · Δ = 1 · absolute error · ε = 1 (α = 0.3678)``."""
    if study.query == "table":
        size = _tr("{rows} × {columns} costs").format(rows=len(study.table.costs), columns=len(study.table.costs[0]))
        return " · ".join((_tr("one of a few"), size, _tr("weights with {privacy}").format(privacy=study.privacy.words)))
    queries = {"integer": _tr("integer query"), "real": _tr("real query"), "histogram": _tr("histogram")}
    query = queries[study.query]
    if study.query == "histogram":
        query = _tr("histogram of {count} cells").format(count=len(study.histogram.edges))
    elif study.dimension > 1:
        query = _tr("{count} real answers").format(count=study.dimension)
    parts = [query, f"Δ = {study.sensitivity}", study.cost_title, study.privacy.words]
    return " · ".join(parts if study.delta is None else [*parts, f"δ = {study.delta}"])


def summary(answer: NoiseOutcome | HistogramOutcome | TableOutcome | None, study: NoiseStudy) -> Summary:
    """Header and status bar."""
    if answer is None:
        return Summary(line=study_line(study))
    if isinstance(answer, NoiseOutcome):
        facts = tuple(fact for fact in (gamma_words(answer), laplace_sentence(answer)) if fact)
        return _summary(answer, _tr("expected cost"), answer.cost, _tr("✓ proved optimal"), _tr("not proved optimal"), facts)
    if isinstance(answer, HistogramOutcome):
        facts = (_tr("ε = {cell} in each cell").format(cell=figure(answer.cell_privacy.epsilon_above, 5)),)
        label, best = _tr("cost of each cell"), _tr("✓ proved best for each cell")
        return _summary(answer, label, answer.cell.cost, best, _tr("not proved optimal"), facts)
    badge = _tr("ε = {level} in all").format(level=level(answer))
    return _summary(answer, _tr("expected cost"), answer.cost, badge, badge, ())


def _summary(
    answer: NoiseOutcome | HistogramOutcome | TableOutcome, label: str, cost: float, best: str, other: str, facts: tuple[str, ...]
) -> Summary:
    return Summary(
        line=study_line(answer.study),
        value_label=label,
        value=figure(cost),
        badge=best if answer.proved else other,
        state="proved" if answer.proved else "open",
        facts=facts,
        note=answer.reason[:1].upper() + answer.reason[1:] if not answer.proved else "",
    )


def table_sentence(answer: TableOutcome) -> str:
    """What privacy a table has, and what to ask for to be sure of it."""
    epsilon = answer.study.epsilon
    if answer.mechanism.level <= epsilon * (1 + 1e-9):
        return answer.reason
    return _tr("{reason} To be sure of ε = {epsilon} whatever the costs, ask for {half}.").format(
        reason=answer.reason[:1].upper() + answer.reason[1:], epsilon=figure(epsilon, 3), half=f"{rounded_down(epsilon / 2, 3):g}"
    )


def level(answer: TableOutcome) -> str:
    """Return the epsilon that a table really has, rounded up."""
    return figure(answer.attained.epsilon_above, 6)


def gamma_words(outcome: NoiseOutcome) -> str:
    """``γ* = 0.3775``, or for an integer query ``r* = 2 of Δ = 5``."""
    star = "*" if outcome.study.gamma == "optimal" else ""
    if isinstance(outcome.noise, DiscreteStaircase):
        return f"r{star} = {outcome.noise.split}, Δ = {outcome.noise.sensitivity}"
    return f"γ{star} = {significant(outcome.gamma, 4)}"


def laplace_sentence(outcome: NoiseOutcome) -> str:
    """How much more Laplace noise costs."""
    ratio = outcome.laplace_ratio
    if not math.isfinite(ratio):
        return _tr("Laplace noise has no finite cost to compare with") if outcome.laplace_cost == math.inf else ""
    return laplace_extra(outcome.laplace_extra)


def laplace_extra(extra: float) -> str:
    """How much more Laplace noise costs, given that in percent."""
    if abs(extra) < 1e-9:
        return _tr("Laplace costs the same here")
    if extra < 0:
        return _tr("Laplace costs {percent} % less here").format(percent=significant(-extra, 2))
    if extra >= 300:
        return _tr("Laplace costs {ratio} times as much here").format(ratio=significant(1 + extra / 100, 3))
    return _tr("Laplace costs {percent} % more here").format(percent=significant(extra, 2))


def ratio_sentence(outcome: NoiseOutcome, shift: float) -> str:
    """What the ratio of two neighbouring answers shows."""
    study = outcome.study
    if study.dimension > 1:
        return _tr("The density depends on the L1 norm of the noise only; drawn is a line through the origin.")
    bound = times(outcome.attained)
    if not shift:
        text = _tr("Drag the line, up to Δ = {period} to either side: no output becomes more than e^ε = {bound} times as likely.")
        return text.format(period=study.sensitivity, bound=bound)
    reach = at_most(study.epsilon * abs(shift) / study.period)
    return _tr(
        "With the true answer {shift} away, no output is more than e^ε = {bound} times as likely. The staircase uses the whole "
        "bound wherever its line touches ±ε; Laplace reaches ±{reach} of ±{epsilon}."
    ).format(
        shift=brief(abs(shift)),
        bound=bound,
        reach=reach,
        epsilon=at_most(study.epsilon),
    )


def view_sentence(outcome: NoiseOutcome, view: str) -> str:
    """What to look for in a view other than the densities."""
    if view == "epsilon":
        here = laplace_sentence(outcome) or _tr("The cost is not finite here")
        if not _is_regular(outcome) or outcome.study.gamma != "optimal":
            return f"{here}."
        text = _tr("{laplace}. For ε near 0 both cost nearly the same; the larger ε, the more percent the staircase saves.")
        return text.format(laplace=here)
    if view == "gamma":
        half = outcome.by_gamma.half
        if outcome.study.query == "integer":
            return _tr("γ is r / Δ: where in each Δ whole numbers the probability steps down. Drag the line to choose.")
        extra = 100 * (half / outcome.least - 1) if 0 < outcome.least < math.inf else math.nan
        return _tr("Drag the line to choose another γ. One half costs {percent} % more than the best.").format(
            percent=significant(extra, 2)
        )
    if view == "best":
        if not _is_regular(outcome) or outcome.study.query == "integer" or outcome.study.dimension > 1:
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
        period=outcome.study.sensitivity,
        star="*" if outcome.study.gamma == "optimal" else "",
        gamma=significant(outcome.gamma, 6),
        laplace=_lower(laplace_sentence(outcome)),
    )


def _is_regular(outcome: NoiseOutcome) -> bool:
    """Whether more and more is saved as epsilon grows: for powers, unless the noise is geometric as Laplace's is."""
    study = outcome.study
    return isinstance(study.noise_cost, PowerCost) and (study.query == "real" or outcome.study.period > 1)


def _lower(sentence: str) -> str:
    return sentence if sentence.startswith("Laplace") else sentence[:1].lower() + sentence[1:]


def delta_sentence(outcome: NoiseOutcome) -> str:
    """Which noise is cheapest where a delta is allowed."""
    if outcome.study.query == "integer" or outcome.study.dimension > 1:
        return _tr("Noise with a δ is compared for a single real answer.")
    if outcome.study.delta is None:
        return _tr("Give a δ under “How private” to compare with noise whose probabilities may exceed what ε allows, by δ.")
    best = outcome.alternatives[0]
    shading = _tr("The ground has the colour of the cheapest.")
    if outcome.least <= best.cost:
        return _tr("None of these noises with δ = {delta} is cheaper here: the pure staircase costs {cost}. {shading}").format(
            delta=outcome.study.delta, cost=figure(outcome.least), shading=shading
        )
    return _tr("Cheapest here: {name}, at {cost} instead of {pure} for the pure staircase. {shading}").format(
        name=alternative_name(best.key), cost=figure(best.cost), pure=figure(outcome.least), shading=shading
    )


def alternative_name(key: str) -> str:
    """Return the name of a kind of (epsilon, delta)-private noise."""
    names = {
        "truncated-laplace": _tr("Truncated Laplace (ε, δ)"),
        "gaussian": _tr("Gaussian (ε, δ)"),
        "uniform": _tr("Uniform (0, δ)"),
    }
    return names[key]


def geometric_sentence(outcome: NoiseOutcome) -> str:
    """That this noise is the geometric mechanism, where it is."""
    if outcome.geometric is None:
        return ""
    if outcome.study.query == "integer":
        return _tr("At sensitivity 1 the staircase is the two-sided geometric mechanism of the Count page, for every cost.")
    return _tr("With Δ = 1 and γ = 1/2, rounded to whole numbers, this is the geometric mechanism of the Count page.")
