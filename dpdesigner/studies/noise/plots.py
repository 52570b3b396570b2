"""The curves of noise as plots: densities, distribution functions, costs, and the joint density of two answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import brief, figure, rounded_down, rounded_up, significant
from dpdesigner.core.noise.curves import merged_edges, moved_density
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.result import ROUNDING
from dpdesigner.core.noise.several_dimensions import VectorStaircase, vector_laplace_density
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.messages import Message, message
from dpdesigner.studies.findings import with_unit
from dpdesigner.studies.matrices import Plane, Planes
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Line, Mark, Scale, epsilon_handle

_EPSILON = Axis("ε", scale="log")


def plots(
    view: str, outcome: NoiseAnswer, shift: float = 0.0, chance: float = 0.95, within: float | None = None, rows: bool = False
) -> tuple[Plot, ...]:
    """Return the one or two plots of a view, the second below the first with the same x; none for other views.

    The neighbouring answer is `shift` more than the first one; the shown bounds contain the share `chance` of the errors, or are
    `within`. It is due to one person, or one of the `rows` of a histogram.
    """
    if view == "density":
        return density(outcome, shift, within, rows)
    if view == "distribution":
        return distribution(outcome, chance)
    return _PLOTS[view](outcome) if view in _PLOTS else ()


def _cost(outcome: NoiseAnswer, scale: Scale = "log", limits: tuple[float, float] | None = None) -> Axis:
    return Axis(outcome.design.cost_label, outcome.design.cost_unit, scale=scale, limits=limits)


def _plot(
    x: Axis, y: Axis, *lines: Line, marks: tuple[Mark, ...] = (), bands: tuple[Band, ...] = (), handle: Handle | None = None
) -> Plot:
    return Plot("", "", x, y, lines, marks, bands, () if handle is None else (handle,))


def gamma_handle(gamma: float) -> Handle:
    """Return the handle of the curves against gamma."""
    return Handle(gamma, f"γ = {gamma:.4g}", "gamma")


def _staircase(outcome: NoiseAnswer, x: Floats, y: Floats, *, steps: bool = False, spikes: bool = False) -> Line:
    """Return the curve of the noise itself, which is green only if it is proved to be the best."""
    name = message("geometric") if outcome.is_geometric else message("staircase")
    return Line(x, y, name, proved=outcome.proved, steps=steps, spikes=spikes)


def laplace_name(outcome: NoiseAnswer) -> str:
    """Return the name of the noise to compare with: for integers it is not the Laplace noise of the textbooks."""
    return message("discrete Laplace") if isinstance(outcome.noise, DiscreteStaircase) else message("Laplace")


def _rival(outcome: NoiseAnswer, x: Floats, y: Floats, *, steps: bool = False) -> tuple[Line, ...]:
    """Return the curve of the noise to compare with; none where it is the same noise."""
    return () if outcome.is_geometric else (Line(x, y, laplace_name(outcome), "rival", dashed=True, steps=steps),)


def density(outcome: NoiseAnswer, shift: float, within: float | None = None, rows: bool = False) -> tuple[Plot, ...]:
    """Plot both densities with that of a neighbouring answer, and the log ratio of the two; shade the errors within a bound.

    The neighbouring answer and the handles are in the window only.
    """
    shape, noise = outcome.density, outcome.noise
    whole = isinstance(noise, DiscreteStaircase)
    lines = [_staircase(outcome, shape.x, shape.staircase, steps=not whole, spikes=whole)]
    lines += _rival(outcome, shape.x, shape.laplace)
    several = isinstance(noise, VectorStaircase)
    ends = float(shape.x[0]), float(shape.x[-1])
    x = Axis(message("noise, its L1 norm") if several else message("noise"), outcome.design.unit, limits=ends)
    y = Axis(message("probability") if whole else message("density"))
    title = message("Probability of the noise") if whole else message("Density of the noise")
    if isinstance(noise, VectorStaircase):
        return (replace(_plot(x, y, *lines), title=title),)
    if shift:
        moved = moved_density(outcome.query, noise, shape.x, shift)
        lines.append(Line(*moved, message("neighbour"), "other", thin=True, steps=not whole, short=" ", secret=True))

    def one(moved: float) -> Message:
        words = message("one row: {shift}") if rows else message("one person: {shift}")
        return message(words, shift=_signed(outcome, snapped(outcome, moved)))

    reach = outcome.design.period
    own: Any = {"of": len(lines) - 1 if shift else 0, "ends": (-reach, reach), "says": one}
    handle = Handle(shift, one(shift), "view.share", secret=True, **own)
    upper = replace(_plot(x, y, *lines, handle=handle), title=title)
    if within is not None:
        edge: Any = {"step": float(outcome.query.step) if whole else 0.0, "edge": True, "secret": True}
        edges = [Handle(end, "", target, **edge) for end, target in zip((-within, within), WITHIN, strict=True)]
        upper = replace(upper, bands=(_within(outcome, within),), handles=(*upper.handles, *edges))
    return upper, _ratio(outcome, noise, shift, rows)


def _signed(outcome: NoiseAnswer, shift: float) -> str:
    one = outcome.design.query == "integer" and abs(shift) == 1 and "×" not in outcome.design.unit  # units are in the plural
    return with_unit(("+" if shift > 0 else "") + brief(shift), "" if one else outcome.design.unit)


WITHIN = "view.below", "view.within"  #: the targets of both ends of the bound


def _within(outcome: NoiseAnswer, bound: float) -> Band:
    """Return the errors within a bound, half a step wider for whole numbers, with their share and that of Laplace noise."""
    reach = bound + float(outcome.query.step) / 2 * (outcome.split is not None)
    share, rival = shares_within(outcome, bound)
    other = (message("Laplace: {rival}", rival=rival),) if rival else ()
    return Band(-reach, reach, _plus_minus(outcome, bound), "main", outcome.proved, notes=(share, *other))


def within_words(outcome: NoiseAnswer, bound: float) -> Message:
    """Return a bound in words, with its unit, which is in the plural."""
    return message("within {bound}", bound=_plus_minus(outcome, bound))


def _plus_minus(outcome: NoiseAnswer, bound: float) -> str:
    shown, unit = figure(bound, 3), f" {outcome.design.unit}" if outcome.design.unit else ""
    if unit and shown == "1" and "×" not in unit:
        shown, unit = ("1", "") if outcome.design.query == "integer" else ("1.0", unit)
    return f"±{shown}{unit}"


def shares_within(outcome: NoiseAnswer, bound: float) -> tuple[str, str]:
    """Return the share of the errors within a bound in percent, rounded down, and that of Laplace noise, rounded up.

    The latter is empty if it is the same noise.
    """
    share, rival = outcome.chances(bound)
    if abs(outcome.laplace_extra) < ROUNDING and abs(share - rival) < ROUNDING:
        return percent(share), ""
    return percent(share), f"{min(100.0, float(rounded_up(100 * rival * (1 - 1e-13), 3))):g}%"


def chance_within(outcome: NoiseAnswer, bound: float) -> float:
    """Return the probability that a single answer's error is within a bound."""
    return 0.0 if outcome.query.dimension > 1 else outcome.chances(bound)[0]


def _ratio(outcome: NoiseAnswer, noise: Staircase | DiscreteStaircase, shift: float, rows: bool) -> Plot:
    """The ratio of the probabilities of each output with the row, which moves the answer, and without it."""
    epsilon = outcome.design.epsilon
    x = edges = outcome.density.x
    if isinstance(noise, Staircase):
        edges = merged_edges(x, shift, noise.sensitivity)
        ratio = -noise.log_ratio((edges[1:] + edges[:-1]) / 2, shift)
        staircase = _staircase(outcome, edges, np.append(ratio, ratio[-1]), steps=True)
    else:
        near, own = (np.rint(place / float(outcome.query.step)).astype(np.int64) for place in (x - shift, x))
        steps = noise.step(own) - noise.step(near)
        staircase = _staircase(outcome, x, np.asarray(epsilon * steps, dtype=np.float64), spikes=True)
    laplace = _rival(outcome, edges, -outcome.laplace.log_ratio(edges, shift))
    most = brief(math.exp(epsilon))
    ticks = (epsilon, f"×{most}"), (0.0, "×1"), (-epsilon, f"÷{most}")
    up = Axis(message("times as likely"), limits=(-1.2 * epsilon, 1.2 * epsilon), ticks=ticks, optional=True)
    band = Band(-epsilon, epsilon, role="main", along="y")
    lines = replace(staircase, short=" "), *laplace  # the first has its name above
    plot = _plot(Axis(limits=(float(x[0]), float(x[-1]))), up, *lines, bands=(band,))
    titles = message("How much likelier one person makes each answer"), message("How much likelier one row makes each answer")
    return replace(plot, title=titles[rows], hint=_signed(outcome, shift))


def snapped(outcome: NoiseAnswer, place: float) -> float:
    """Return the nearest place to which a line of the view is dragged: in decimal steps, or at the sensitivity itself."""
    period = outcome.design.period
    if outcome.split is not None:
        return outcome.query.nearest(place)
    digits = -math.floor(math.log10(period / 20))
    return math.copysign(period, place) if abs(abs(place) - period) <= 0.5 * 10.0**-digits else round(place, digits)


def distribution(outcome: NoiseAnswer, chance: float) -> tuple[Plot, ...]:
    """Plot both distribution functions, with the bounds that contain a given share of the errors."""
    curves, noise = outcome.distribution, outcome.noise
    if curves is None or isinstance(noise, VectorStaircase):
        return ()
    whole, (bound, _) = isinstance(noise, DiscreteStaircase), outcome.bounds(chance)
    own = _staircase(outcome, curves.x, curves.staircase, steps=whole)
    lines = own, *_rival(outcome, curves.x, curves.laplace, steps=whole)
    reach = max(float(curves.x[-1]), 1.05 * bound)
    words = message("at least {share} within ±{bound}") if whole else message("{share} within ±{bound}")
    text = message(words, share=percent(chance), bound=figure(bound, 4))
    x, y = Axis(message("noise"), outcome.design.unit, limits=(-reach, reach)), Axis(message("P(noise ≤ x)"), limits=(0.0, 1.0))
    return (_plot(x, y, *lines, bands=(Band(-bound, bound, role="main"),), handle=Handle(bound, text, "view.chance")),)


def percent(chance: float) -> str:
    """Return a share in percent with the significant digits, rounded down: ``95%``, ``99.9%``."""
    return f"{float(rounded_down(100 * chance * (1 + 1e-13), 4 if chance > 0.99 else 3)):g}%"


def epsilon_plots(outcome: NoiseAnswer) -> tuple[Plot, ...]:
    """Plot both costs with their limits, and the cost of Laplace noise relative to the least one."""
    data = outcome.by_epsilon
    lines = [_staircase(outcome, data.epsilon, _finite(data.staircase))]
    if not np.allclose(data.staircase, data.laplace, rtol=ROUNDING, equal_nan=True):
        lines += _rival(outcome, data.epsilon, _finite(data.laplace))
    for name, limit in ((message("limit ε → 0"), data.small_limit), (message("limit ε → ∞"), data.large_limit)):
        if limit is not None:
            lines.append(Line(data.epsilon, _near(limit, data.least), name, "bound", dashed=True))
    ratio = Line(data.epsilon, _finite(data.ratio), message("{laplace} / best", laplace=laplace_name(outcome)))
    known = ratio.y[np.isfinite(ratio.y)]
    top = float(known.max()) if known.size else 2.0
    times = Axis(message("times"), scale="log", limits=(1.0, max(top, 1.1)))
    handle = epsilon_handle(outcome.design.epsilon)
    costs = _finite(np.append(data.staircase, data.laplace))  # negligible ones are left out
    ends = float(np.nanmin(costs)), float(np.nanmax(costs))
    y = _cost(outcome, limits=(max(ends[0], 1e-4 * outcome.cost), ends[1]) if math.isfinite(outcome.cost) else None)
    return _plot(_EPSILON, y, *lines, handle=handle), _plot(_EPSILON, times, ratio, handle=replace(handle, name=""))


def against_total(plot: Plot, parts: int) -> Plot:
    """Return a plot against the ε of one cell as one against the total ε, of which a cell has one of these parts."""
    lines = tuple(replace(line, x=line.x * parts) for line in plot.lines)
    handles = tuple(replace(handle, place=handle.place * parts, text="") for handle in plot.handles)
    return replace(plot, lines=lines, handles=handles)


_USUAL = 0.1, 10.0  # the range of epsilon that the small curve shows, wider only if epsilon is outside of it


def usual_epsilons(outcome: NoiseAnswer, unit: str, parts: int) -> Plot:
    """Plot both costs in a unit over the usual range of epsilon, for a small card; only one of them if they are the same."""
    plot = against_total(epsilon_plots(outcome)[0], parts)
    own, (low, high) = parts * outcome.design.epsilon, _USUAL
    low = low if own >= low else 10.0 ** math.floor(math.log10(own))
    high = high if own <= high else 10.0 ** math.ceil(math.log10(own))
    best = plot.lines[0]
    near = (best.x >= low) & (best.x <= high)
    seen = (line for line in plot.lines if line.role != "bound")
    lines = tuple(replace(line, x=line.x[near], y=line.y[near], short=" " if line is best else "") for line in seen)
    y = replace(plot.y, label=unit or plot.y.label, unit="", limits=None)
    return replace(plot, title=message("Cost against ε"), y=y, lines=lines)


def gamma_plots(outcome: NoiseAnswer) -> tuple[Plot, ...]:
    """Plot the cost of every gamma, with the best one, one half, and Laplace noise."""
    data = outcome.by_gamma
    cost = _finite(data.cost)
    lines, marks = [Line(data.gamma, cost, message("staircase"))], []
    values = cost[np.isfinite(cost)]
    if np.isfinite(outcome.laplace_cost):
        lines += _rival(outcome, data.gamma, np.full(data.gamma.shape, outcome.laplace_cost))
        values = np.append(values, outcome.laplace_cost)
    own = outcome.gamma == data.best  # the handle has the number
    if np.isfinite(data.least):
        marks.append(Mark(data.best, data.least, "" if own else f"γ* = {data.best:.4g}", "main", outcome.best_proved))
    if np.isfinite(data.half) and outcome.split is None:
        marks.append(Mark(0.5, data.half, "γ = 1/2", "other"))
    limits = None
    if values.size:
        room = 0.08 * (values.max() - values.min()) or 1e-6 * abs(values.max())
        limits = float(values.min() - room), float(values.max() + room)
    x, y = Axis("γ", limits=(0.0, 1.0)), _cost(outcome, "linear", limits)
    return (_plot(x, y, *lines, marks=tuple(marks), handle=gamma_handle(outcome.gamma)),)


def best_gamma(outcome: NoiseAnswer) -> tuple[Plot, ...]:
    """Plot the best gamma against epsilon."""
    data, whole = outcome.by_epsilon, outcome.split is not None
    line = Line(data.epsilon, _finite(data.gamma), message("r* / Δ") if whole else "γ*", steps=whole, short=" ")
    half = Band(0.5, 0.5005, along="y")
    return (_plot(_EPSILON, Axis(message("best γ")), line, bands=(half,), handle=epsilon_handle(outcome.design.epsilon)),)


def dimension_plots(outcome: NoiseAnswer) -> tuple[Plot, ...]:
    """Plot the cost of the best noise for one answer, two, three, ..., next to Laplace noise on each of them."""
    data, own = outcome.by_dimension, outcome.design.dimension
    proved = outcome.design.noise_cost.growth.bounded
    d, least, few = data.dimension, _finite(data.least), data.dimension <= 2
    lines = Line(d, least, message("staircase")), Line(d, _finite(data.laplace), message("Laplace"), "rival", dashed=True)
    marks = tuple(
        Mark(x, y, message("proved") if x == 2 else "", "main", proved)
        for x, y in zip(d[few].tolist(), least[few].tolist(), strict=True)
    )
    saved = Line(d, _finite(data.ratio), message("Laplace / best"))
    upper = _plot(Axis(), Axis(message("expected cost")), *lines, marks=marks, handle=Handle(own, f"d = {own}", movable=False))
    return upper, _plot(Axis(message("answers d")), Axis(message("times")), saved, handle=Handle(own, movable=False))


def with_delta(outcome: NoiseAnswer) -> tuple[Plot, ...]:
    """Plot the cost of noise if every probability may exceed its bound by delta."""
    data, own = outcome.by_epsilon_with_delta, outcome.by_epsilon
    lines = [Line(own.epsilon, _finite(own.least), message("staircase, δ = 0"), proved=outcome.best_proved)]
    bands: tuple[Band, ...] = ()
    if data is not None:
        lines += [
            Line(data.epsilon, _finite(data.truncated_laplace), message("truncated Laplace")),
            Line(data.epsilon, _finite(data.gaussian), message("Gaussian"), "other"),
            Line(data.epsilon, _finite(data.uniform), message("uniform, (0, δ)"), "rival", dashed=True),
        ]
        bands = _cheapest(lines)
    return (_plot(_EPSILON, _cost(outcome), *lines, bands=bands, handle=epsilon_handle(outcome.design.epsilon)),)


def _cheapest(lines: list[Line]) -> tuple[Band, ...]:
    """Return bands that show which line is the lowest; all share their x."""
    x, heights = lines[0].x, np.array([np.where(np.isnan(line.y), np.inf, line.y) for line in lines])
    lowest = heights.argmin(axis=0)
    starts = np.flatnonzero(np.diff(lowest, prepend=-1))
    ends = [*starts[1:].tolist(), len(x) - 1]
    stretches = [(lines[lowest[start]], x[start], x[end]) for start, end in zip(starts.tolist(), ends, strict=True)]
    return tuple(Band(float(low), float(high), role=line.role, proved=line.proved) for line, low, high in stretches)


def compared_plots(outcome: NoiseAnswer) -> tuple[Plot, ...]:
    """Return the curves to overlay on those of another design: the noise, and its cost against epsilon."""
    costs, epsilon = outcome.by_epsilon, outcome.design.epsilon
    shape = density(outcome, 0)[0]
    x, lines = replace(shape.x, label=message("noise")), (replace(shape.lines[0], spikes=False),)
    noise = replace(shape, key="density", x=x, lines=lines, handles=())
    stands = costs.epsilon[0] <= epsilon <= costs.epsilon[-1] and outcome.cost > 0
    marks = (Mark(epsilon, outcome.cost),) if stands else ()
    cost = Line(costs.epsilon, costs.staircase, message("staircase"), proved=outcome.proved)
    return noise, Plot("epsilon", message("Cost against ε"), _EPSILON, _cost(outcome), (cost,), marks)


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, np.nan)


def _near(limit: Floats, cost: Floats) -> Floats:
    """Return a limit only where it is within a factor of 3 of the cost, to show where it is tight without being in the way."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(np.log(limit / cost)) < np.log(3.0), limit, np.nan)


_PLOTS: dict[str, Callable[[NoiseAnswer], tuple[Plot, ...]]] = {
    "epsilon": epsilon_plots,
    "gamma": gamma_plots,
    "best": best_gamma,
    "delta": with_delta,
    "several": dimension_plots,
}


def planes(outcome: NoiseAnswer) -> tuple[Planes, ...]:
    """Return the densities of the noise of two answers and of Laplace noise in the same colours; empty for other studies."""
    noise, design = outcome.noise, outcome.design
    if not isinstance(noise, VectorStaircase) or design.dimension != 2:
        return ()
    shown, epsilon, period = outcome.by_place, design.epsilon, design.period

    def staircase(x: float, y: float) -> float:
        return float(noise.density(abs(x) + abs(y)))

    def laplace(x: float, y: float) -> float:
        return float(vector_laplace_density(abs(x) + abs(y), epsilon, 2, period))

    def read(x: float, y: float) -> Message:
        return message(
            "Noise ({x}, {y}), its L1 norm {norm}: density {steps} for the staircase, {smooth} for Laplace noise.",
            x=significant(x),
            y=significant(y),
            norm=significant(abs(x) + abs(y)),
            steps=significant(staircase(x, y)),
            smooth=significant(laplace(x, y)),
        )

    steps, smooth = message("Staircase, two answers"), message("Laplace")
    both = (
        Plane("plane", steps, shown.staircase, shown.reach, shown.ends, staircase, message("staircase")),
        Plane("plane-laplace", smooth, shown.laplace, shown.reach, shown.ends, laplace, smooth),
    )
    cut = density(outcome, 0)[0]
    return (Planes("plane", message("density of two answers"), both, cut, lambda x, y: abs(x) + abs(y), read),)
