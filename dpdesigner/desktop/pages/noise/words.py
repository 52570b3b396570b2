"""The sentences of the noise page, made from studies and outcomes; no widget is touched here."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.discrete_staircase import DiscreteStaircase
from dpdesigner.core.rounding import figure
from dpdesigner.desktop.pages.page import Summary
from dpdesigner.desktop.widgets.number_text import significant
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_outcome import NoiseOutcome


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def study_line(study: NoiseStudy) -> str:
    """``real query · Δ = 1 · absolute error · ε = 1 (α = 0.3679)``."""
    query = _tr("integer query") if study.query == "integer" else _tr("real query")
    if study.dimension > 1:
        query = _tr("{count} real answers").format(count=study.dimension)
    parts = [query, f"Δ = {study.sensitivity}", study.noise_cost.title, study.privacy.words]
    return " · ".join(parts if study.delta is None else [*parts, f"δ = {study.delta}"])


def summary(outcome: NoiseOutcome | None, study: NoiseStudy) -> Summary:
    """Header and status bar."""
    if outcome is None:
        return Summary(line=study_line(study))
    proved = outcome.proved
    return Summary(
        line=study_line(study),
        value_label=_tr("expected cost"),
        value=figure(outcome.cost),
        badge=_tr("✓ proved optimal") if proved else _tr("not proved optimal"),
        state="proved" if proved else "open",
        facts=tuple(fact for fact in (gamma_words(outcome), laplace_sentence(outcome)) if fact),
        note=outcome.reason[:1].upper() + outcome.reason[1:] if not proved else "",
    )


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
    extra = outcome.laplace_extra
    if abs(extra) < 1e-9:
        return _tr("Laplace costs the same here")
    if extra < 0:
        return _tr("Laplace costs {percent} % less here").format(percent=significant(-extra, 2))
    if extra >= 300:
        return _tr("Laplace costs {ratio} times as much here").format(ratio=significant(ratio, 3))
    return _tr("Laplace costs {percent} % more here").format(percent=significant(extra, 2))


def ratio_sentence(outcome: NoiseOutcome, shift: float) -> str:
    """What the ratio of two neighbouring answers shows."""
    study = outcome.study
    if study.dimension > 1:
        return _tr("The density depends on the L1 norm of the noise only; drawn is a line through the origin.")
    bound = significant(math.exp(min(study.epsilon, 700)), 4)
    if not shift:
        text = _tr("Drag the line, up to Δ = {period} to either side: no output becomes more than e^ε = {bound} times as likely.")
        return text.format(period=study.sensitivity, bound=bound)
    reach = significant(study.epsilon * abs(shift) / study.period, 3)
    return _tr(
        "With the true answer {shift} away, no output is more than e^ε = {bound} times as likely. The staircase uses the whole "
        "bound wherever its line touches ±ε; Laplace reaches ±{reach} of ±{epsilon}."
    ).format(
        shift=f"{abs(shift):.3g}",
        bound=bound,
        reach=reach,
        epsilon=significant(study.epsilon, 3),
    )


def view_sentence(outcome: NoiseOutcome, view: str) -> str:
    """What to look for in a view other than the densities."""
    if view == "epsilon":
        return _tr("{laplace}. For ε near 0 both cost the same; the larger ε, the more the staircase saves.").format(
            laplace=laplace_sentence(outcome) or _tr("The cost is not finite here")
        )
    if view == "gamma":
        half = outcome.by_gamma.half
        if outcome.study.query == "integer":
            return _tr("γ is r / Δ: where in each Δ whole numbers the probability steps down. Drag the line to choose.")
        extra = 100 * (half / outcome.least - 1) if 0 < outcome.least < math.inf else math.nan
        return _tr("Drag the line to choose another γ. One half costs {percent} % more than the best.").format(
            percent=significant(extra, 2)
        )
    if view == "best":
        return _tr("Where in each period the density steps down: near the middle for small ε, towards 0 for large ε.")
    return delta_sentence(outcome)


def delta_sentence(outcome: NoiseOutcome) -> str:
    """Which noise is cheapest where a delta is allowed."""
    if outcome.study.query == "integer" or outcome.study.dimension > 1:
        return _tr("Noise with a δ is compared for a single real answer.")
    if outcome.study.delta is None:
        return _tr("Give a δ under “How private” to compare with noise that fails with a small chance.")
    best = outcome.alternatives[0]
    shading = _tr("The ground has the colour of the cheapest.")
    if outcome.least <= best.cost:
        return _tr("Allowing δ = {delta} buys nothing here: the pure staircase is the cheapest, at {cost}. {shading}").format(
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
