"""The pictures of the noise page as data, made from an outcome; no widget is touched here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.numbers.rounding import figure, rounded_down
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.plot.curve import Band, Curve, Marker
from dpdesigner.studies.noise.outcome import NoiseOutcome

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Picture:
    """What one plot shows.

    Attributes
    ----------
    x, y : str
        Titles of the axes.
    curves, markers, bands : tuple
        What is drawn; the cursor's dot is on the first curve.
    logarithmic : (bool, bool)
        Whether x and y are.
    limits : pair of (low, high) or None
        Ends of the axes; None fits them.
    cursor : float or None
        Where the cursor is.
    text : str
        Written above the cursor.
    fixed : bool
        Whether the cursor stays where it is.
    """

    x: str
    y: str
    curves: tuple[Curve, ...]
    markers: tuple[Marker, ...] = ()
    bands: tuple[Band, ...] = ()
    logarithmic: tuple[bool, bool] = (False, False)
    limits: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    cursor: float | None = None
    text: str = ""
    fixed: bool = False


class Spikes(Curve):
    """Probabilities of whole numbers: an upright line from zero to each point."""

    upright = True

    def points(self) -> tuple[Floats, Floats]:
        """Return the ends of the lines, with a gap after each."""
        heights = np.column_stack((np.zeros_like(self.y), self.y, np.full_like(self.y, np.nan)))
        return np.repeat(self.x, 3), heights.ravel()


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def role(outcome: NoiseOutcome) -> str:
    """Return the colour of the staircase: green only where it is proved to be the best."""
    return "proved" if outcome.proved else "accent"


def _laplace(outcome: NoiseOutcome) -> str:
    """Return what the noise to compare with is called: among whole numbers it is not the Laplace noise of the textbooks."""
    return _tr("discrete Laplace") if isinstance(outcome.noise, DiscreteStaircase) else _tr("Laplace")


def density(outcome: NoiseOutcome, shift: float) -> tuple[Picture, ...]:
    """Both densities with the one of a neighbouring answer, and the logarithm of the ratio of the two."""
    shape, noise = outcome.density, outcome.noise
    whole = isinstance(noise, DiscreteStaircase)
    name, make = _tr("staircase"), Spikes if whole else Curve
    curves = [
        make(name, shape.x, shape.staircase, role(outcome), steps=not whole),
        Curve(_laplace(outcome), shape.x, shape.laplace, "quiet", True),
    ]
    title = _tr("noise") if outcome.design.dimension == 1 else _tr("noise, its L1 norm")
    what = _tr("probability") if whole else _tr("density")
    ends = float(shape.x[0]), float(shape.x[-1])
    if outcome.design.dimension > 1:
        return (Picture(title, what, tuple(curves), limits=(ends, None)),)
    if shift:
        moved = Curve(_tr("neighbour"), shape.x + shift, shape.staircase, "selected", True, steps=not whole)
        curves.append(moved)
    text = _tr("neighbouring answer: {shift}").format(shift=("+" if shift > 0 else "") + brief(shift))
    upper = Picture(title, what, tuple(curves), limits=(ends, None), cursor=shift, text=text)
    return upper, _ratio(outcome, shift)


def _ratio(outcome: NoiseOutcome, shift: float) -> Picture:
    """How much likelier each output is under the first answer than under its neighbour."""
    epsilon, noise = outcome.design.epsilon, outcome.noise
    x = outcome.density.x
    edges: Floats = x
    if isinstance(noise, Staircase):
        edges = np.asarray(np.union1d(x, np.clip(x + shift, x[0], x[-1])), dtype=np.float64)
        middles = (edges[1:] + edges[:-1]) / 2
        found = noise.log_ratio(middles, shift)
        staircase = Curve(_tr("staircase"), edges, np.append(found, found[-1]), role(outcome), steps=True)
    elif isinstance(noise, DiscreteStaircase):
        steps = noise.step(np.rint(x - shift).astype(np.int64)) - noise.step(x.astype(np.int64))
        staircase = Spikes(_tr("staircase"), x, epsilon * steps, role(outcome))
    else:
        return Picture("", "", ())
    laplace = Curve(_laplace(outcome), edges, outcome.laplace.log_ratio(edges, shift), "quiet", True)
    band = Band(-epsilon, epsilon, "", "accent", along="y")
    limits = (float(x[0]), float(x[-1])), (-1.3 * epsilon, 1.3 * epsilon)
    return Picture("", _tr("ln ratio, within ±ε"), (staircase, laplace), bands=(band,), limits=limits)


def distribution(outcome: NoiseOutcome, chance: float) -> tuple[Picture, ...]:
    """Both distribution functions, with the bounds within which a share of the errors lies."""
    found, noise = outcome.distribution, outcome.noise
    if found is None or isinstance(noise, VectorStaircase):
        return (Picture("", "", ()),)
    x = found.x
    whole = isinstance(noise, DiscreteStaircase)
    curves = (
        Curve(_tr("staircase"), x, found.staircase, role(outcome), steps=whole),
        Curve(_laplace(outcome), x, found.laplace, "quiet", True, steps=whole),
    )
    bound = float(noise.within(chance))
    reach = max(float(x[-1]), 1.05 * bound)
    text = _tr("{share} within ±{bound}").format(share=percent(chance), bound=figure(bound, 4))
    bands = (Band(-bound, bound, "", "accent"),)
    limits = ((-reach, reach), (0.0, 1.0))
    return (Picture(_tr("noise"), _tr("P(noise ≤ x)"), curves, bands=bands, limits=limits, cursor=bound, text=text),)


def chance_within(outcome: NoiseOutcome, bound: float) -> float:
    """Return the probability that a single answer's error is within a bound."""
    noise = outcome.noise
    if isinstance(noise, VectorStaircase):
        return 0.0
    beyond = noise.tail(int(bound) + 1) if isinstance(noise, DiscreteStaircase) else noise.tail(bound)
    return 1 - 2 * float(beyond)


def percent(chance: float) -> str:
    """Return a share in percent with the digits that matter, rounded down: ``95 %``, ``99.9 %``."""
    return f"{float(rounded_down(100 * chance * (1 + 1e-13), 4 if chance > 0.99 else 3)):g} %"


def against_epsilon(outcome: NoiseOutcome) -> tuple[Picture, ...]:
    """Both costs with their limits, and how many times the least one Laplace noise costs."""
    data, epsilon = outcome.by_epsilon, outcome.design.epsilon
    curves = [
        Curve(_tr("staircase"), data.epsilon, _finite(data.staircase), role(outcome)),
        Curve(_laplace(outcome), data.epsilon, _finite(data.laplace), "quiet", True),
    ]
    for name, limit in ((_tr("limit ε → 0"), data.small_limit), (_tr("limit ε → ∞"), data.large_limit)):
        if limit is not None:
            curves.append(Curve(name, data.epsilon, _near(limit, data.least), "selected", True))
    text = f"ε = {figure(epsilon, 4)}"
    upper = Picture("ε", _tr("expected cost"), tuple(curves), logarithmic=(True, True), cursor=epsilon, text=text)
    ratio = Curve(_tr("{laplace} / best").format(laplace=_laplace(outcome)), data.epsilon, _finite(data.ratio), "accent")
    known = ratio.y[np.isfinite(ratio.y)]
    top = float(known.max()) if known.size else 2.0
    lower = Picture(
        "ε", _tr("times"), (ratio,), logarithmic=(True, True), limits=(None, (1.0, max(top, 1.1))), cursor=epsilon, text=""
    )
    return upper, lower


def against_gamma(outcome: NoiseOutcome) -> tuple[Picture, ...]:
    """The cost of every gamma with the best one, one half, and Laplace noise."""
    data = outcome.by_gamma
    cost = _finite(data.cost)
    curves = [Curve(_tr("staircase"), data.gamma, cost, "accent")]
    values = cost[np.isfinite(cost)]
    markers = []
    if np.isfinite(outcome.laplace_cost):
        flat = np.full(data.gamma.shape, outcome.laplace_cost)
        curves.append(Curve(_laplace(outcome), data.gamma, flat, "quiet", True))
        values = np.append(values, outcome.laplace_cost)
    if np.isfinite(data.least):
        markers.append(Marker(data.best, data.least, f"γ* = {data.best:.4g}", "proved" if outcome.best_proved else "accent"))
    if np.isfinite(data.half) and outcome.design.query == "real":
        markers.append(Marker(0.5, data.half, "γ = 1/2", "selected"))
    limits = None
    if values.size:
        room = 0.08 * (values.max() - values.min()) or 1e-6 * abs(values.max())
        limits = float(values.min() - room), float(values.max() + room)
    text = f"γ = {outcome.gamma:.4g}"
    ends = (0.0, 1.0)
    cursor = outcome.gamma
    return (Picture("γ", _tr("expected cost"), tuple(curves), tuple(markers), limits=(ends, limits), cursor=cursor, text=text),)


def best_gamma(outcome: NoiseOutcome) -> tuple[Picture, ...]:
    """The best gamma against epsilon."""
    data, epsilon = outcome.by_epsilon, outcome.design.epsilon
    name = _tr("r* / Δ") if outcome.design.query == "integer" else "γ*"
    curve = Curve(name, data.epsilon, _finite(data.gamma), "accent", steps=outcome.design.query == "integer")
    half = Band(0.5, 0.5005, "", "muted", along="y")
    text = f"ε = {figure(epsilon, 4)}"
    return (Picture("ε", _tr("best γ"), (curve,), bands=(half,), logarithmic=(True, False), cursor=epsilon, text=text),)


def against_dimension(outcome: NoiseOutcome) -> tuple[Picture, ...]:
    """What the best noise costs for one answer, two, three, ..., beside Laplace noise on each of them."""
    data = outcome.by_dimension
    name, proved = _tr("staircase"), "proved" if outcome.design.noise_cost.growth.bounded else "accent"
    d = data.dimension
    few = d <= 2
    curves = (
        Curve(name, d, _finite(data.least), "accent"),
        Curve(_tr("Laplace"), d, _finite(data.laplace), "quiet", True),
    )
    markers = tuple(
        Marker(x, y, _tr("proved") if x == 2 else "", proved)
        for x, y in zip(d[few].tolist(), _finite(data.least)[few].tolist(), strict=True)
    )
    own = outcome.design.dimension
    text = f"d = {own}"
    saved = Curve(_tr("Laplace / best"), d, _finite(data.ratio), "accent")
    lower = Picture(_tr("answers d"), _tr("times"), (saved,), cursor=own, text="", fixed=True)
    return Picture("", _tr("expected cost"), curves, markers, cursor=own, text=text, fixed=True), lower


def with_delta(outcome: NoiseOutcome) -> tuple[Picture, ...]:
    """What noise costs when every probability may exceed its bound by delta."""
    data, epsilon = outcome.by_epsilon_with_delta, outcome.design.epsilon
    own, text = outcome.by_epsilon, f"ε = {figure(epsilon, 4)}"
    pure = Curve(_tr("staircase, δ = 0"), own.epsilon, _finite(own.least), "proved" if outcome.best_proved else "accent")
    if data is None:
        return (Picture("ε", _tr("expected cost"), (pure,), logarithmic=(True, True), cursor=epsilon, text=text),)
    curves = (
        pure,
        Curve(_tr("truncated Laplace"), data.epsilon, _finite(data.truncated_laplace), "accent"),
        Curve(_tr("Gaussian"), data.epsilon, _finite(data.gaussian), "selected"),
        Curve(_tr("uniform, (0, δ)"), data.epsilon, _finite(data.uniform), "quiet", True),
    )
    bands = _cheapest(curves)
    return (Picture("ε", _tr("expected cost"), curves, bands=bands, logarithmic=(True, True), cursor=epsilon, text=text),)


def _cheapest(curves: tuple[Curve, ...]) -> tuple[Band, ...]:
    """Shade where which curve is the lowest; all share their x."""
    x, heights = curves[0].x, np.array([np.where(np.isnan(curve.y), np.inf, curve.y) for curve in curves])
    lowest = heights.argmin(axis=0)
    starts = np.flatnonzero(np.diff(lowest, prepend=-1))
    ends = [*starts[1:].tolist(), len(x) - 1]
    found = [(curves[lowest[start]], x[start], x[end]) for start, end in zip(starts.tolist(), ends, strict=True)]
    return tuple(Band(float(low), float(high), "", curve.colour_role) for curve, low, high in found)


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, np.nan)


def _near(limit: Floats, cost: Floats) -> Floats:
    """Keep a limit where it is within a factor of 3 of the cost, so that it shows where it holds and stays out of the way."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(np.log(limit / cost)) < np.log(3.0), limit, np.nan)


PICTURES: dict[str, Callable[[NoiseOutcome], tuple[Picture, ...]]] = {
    "epsilon": against_epsilon,
    "gamma": against_gamma,
    "best": best_gamma,
    "delta": with_delta,
    "several": against_dimension,
}
