"""Answers for halfspaces with a margin, scaled down so that it runs, and what the theorem would need."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import override

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.coercion import ArrayValues, as_numbers
from dpdesigner.core.numbers.parsing import Number, double, excerpt
from dpdesigner.core.numbers.rounding import group_thousands, grouped, rounded_down, significant
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.halfspaces import (
    MOST_COUNTS,
    Released,
    drawn_points,
    full_parameters,
    margin_of,
    projections,
    release,
    share_above,
)
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel, ViewValue, Why
from dpdesigner.studies.fields import declare, number, seed, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.inputs.bits import FILE, TableInput, table_lines
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.release_inputs import KEPT, Releasing, how_private, real_errors
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role, Sentence

DRAWN = "drawn"
_MOST_ROWS, _MOST_NUMBERS, _MOST_DIMENSION = 1_000_000, 20_000_000, 64


class PointsInput(TableInput[str | ArrayValues]):
    """Points: ``"drawn"``, ``"file: PATH"`` with a point a line, or an array with a point a row."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | ArrayValues:
        if isinstance(given, ArrayValues):
            return given
        if isinstance(given, os.PathLike):
            given = f"{FILE} {os.fspath(given)}"
        if isinstance(given, str):
            text = given.strip()  # a path may have several spaces on end
            if text != DRAWN and not text.startswith(FILE):
                raise InputError(f"the points must be {DRAWN}, or {FILE} and a path, got {excerpt(given)}.", key, DRAWN)
            return text
        try:
            points = np.array(as_numbers(given, "the points", key), dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"the points must be rows of numbers, got {excerpt(given)}.", key) from None
        return ArrayValues(_checked(points, key))

    @override
    def as_json(self, value: str | ArrayValues, key: str) -> dict[str, Any]:
        return {key: value if isinstance(value, str) else value.tolist()}

    @override
    def text(self, value: str | ArrayValues) -> str:
        return value if isinstance(value, str) else f"{len(value)} points"

    @override
    def identity(self, value: str | ArrayValues) -> Hashable:
        return value if isinstance(value, str) else (value.numbers.shape, value.numbers.tobytes())


def _checked(points: Floats, key: str = "points") -> Floats:
    """Points of unit length."""
    allowed = f"1 to {_MOST_ROWS} rows of 2 to {_MOST_DIMENSION} numbers"
    if points.ndim != 2 or not 1 < points.shape[1] <= _MOST_DIMENSION or not 0 < len(points) <= _MOST_ROWS:
        raise InputError(f"the points must be {allowed}, got an array of shape {points.shape}.", key)
    lengths = np.linalg.norm(points, axis=1)
    wrong = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(wrong):
        raise InputError(f"every point must have a direction, got a zero vector in row {int(wrong[0]) + 1}.", key)
    return np.asarray(points / lengths[:, np.newaxis])


def _read(text: str) -> Floats:
    name, table = table_lines(text)
    rows = []
    for line in table:
        try:
            rows.append([double(cell) for cell in line.cells])
        except InputError as error:
            if rows or line.number > 1:
                raise InputError(f"{name}, line {line.number}: {error}", "points") from None
    if len({len(row) for row in rows}) != 1:
        raise InputError(f"{name} must have one point per line, with the same number of values in each.", "points")
    return _checked(np.array(rows))


class HalfspaceDesign(Releasing, DeclaredDesign):
    """The share of points on one side of any plane through 0, released for all planes at once.

    Parameters
    ----------
    points : "drawn", "file: PATH" or array_like (rows, d)
        Only their directions matter.
    rows, dimension, margin, share
        Of points that are drawn: how many, in how many dimensions, how near they come to the plane across the first axis, and how
        many of them are on its positive side.
    target, directions, projections : int
        T, |U| and m: the dimension projected to, the directions counted there, and how many projections there are.
    epsilon : Number
        Of all counts together.
    seed : int or None
        Of the points drawn and of the noise, for study; None draws the noise from the system's entropy.
    real_errors : {"kept", "published"}
        Whether true shares and errors, computed from the points, go into files; of people's points that is not private.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.HalfspaceDesign("drawn", epsilon=1, rows=2000, seed=1))
    >>> found.released.counts.shape, 0 <= found.answer([1, 0, 0, 0, 0]) <= 1
    ((40, 16), True)
    """

    kind: ClassVar[str] = "halfspace"
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"angle": None}  #: the direction asked about, in degrees

    points: Any = declare(
        PointsInput(),
        default=DRAWN,
        required=True,
        label=message("The points"),
        term=message("only directions matter"),
        note=message("drawn, or file: and the path of a table with one point per line"),
        undo=message("Change the points"),
    )
    rows: int = declare(
        whole_number(10, 1_000_000, symbol="n", slide=(1000, 100_000)),
        default=20_000,
        label=message("Number of points"),
        when=lambda design: design.drawn,
        undo=message("Change the number of points"),
        joined=True,
    )
    dimension: int = declare(
        whole_number(2, _MOST_DIMENSION, symbol="d", slide=(2, 20)),
        default=5,
        label=message("Dimensions"),
        when=lambda design: design.drawn,
        undo=message("Change the dimension"),
        joined=True,
    )
    margin: Number = declare(
        number(0, "99/100", symbol="γ"),
        default="0.9",
        label=message("Margin"),
        term=message("distance from the plane"),
        when=lambda design: design.drawn,
    )
    share: Number = declare(
        number(0, 1),
        default="0.3",
        label=message("On the positive side"),
        when=lambda design: design.drawn,
        undo=message("Change the share"),
        joined=True,
        aside=True,
    )
    epsilon: Number = how_private()
    target: int = declare(
        whole_number(1, 8, symbol="T"),
        default=2,
        label=message("Projected to"),
        term=message("dimensions"),
        undo=message("Change T"),
    )
    directions: int = declare(
        whole_number(2, 500, symbol="|U|", slide=(2, 64)),
        default=16,
        label=message("Directions counted"),
        term=message("net"),
        undo=message("Change the net"),
        joined=True,
    )
    projections: int = declare(
        whole_number(1, 200, symbol="m", slide=(1, 100)),
        default=40,
        label=message("Projections"),
        undo=message("Change m"),
        joined=True,
    )
    seed: int | None = declare(seed(), default=None, label=message("Seed"), term=message("for study only"), joined=True)
    real_errors: str = real_errors()

    @override
    def check(self) -> None:
        if self.projections * self.directions > MOST_COUNTS:
            given = f"{self.projections} times {self.directions}"
            raise InputError(f"there must be at most {MOST_COUNTS} counts, got {given}.", "directions")

    @property
    def drawn(self) -> bool:
        """Whether the points are drawn."""
        return bool(isinstance(self.points, str) and self.points == DRAWN)

    def where(self) -> Floats:
        """Return the points, (rows, d), of unit length; those that are drawn are the same for the same seed."""
        if isinstance(self.points, ArrayValues):
            return self.points.doubles
        if self.drawn:
            return drawn_points(self.rows, self.dimension, double(self.margin), double(self.share), self.seed or 0)
        return _read(self.points)


_SHOWN = 1500  # points in the picture
_ANGLES = 73
_ALPHA, _BETA = 0.5, 0.05  # accuracy and failure of the theorem's parameters

WHY = Why(
    message(
        "<b>Privacy.</b> There is one count for every projection and every direction of the net. Replacing a row "
        "changes each count by at most 1. Geometric noise of ratio e<sup>−ε/m|U|</sup> makes all counts together "
        "ε-private for any points: ε = {epsilon}.\n\n<b>Accuracy</b> is measured here; there is no bound in advance. A "
        "projection preserves inner products only approximately, so answers are meaningful only for planes with a "
        "margin: planes that no point is close to. Theorem 6.9 needs T = {target-full} dimensions and a net of 10 to "
        "the {directions-full} directions, so it cannot be run.\n\n<b>Mean or median.</b> Definition 6.5 answers by the "
        "mean over the projections. Here the answer is the median. In few dimensions a projection often misplaces "
        "points, which pulls the mean towards ½ but hardly affects the median."
    ),
    formula=message(
        "<i>q</i>(<i>y</i>) = median over <i>A</i> of count(⟨<i>Ax</i>, <i>u</i>⟩ > 0), <i>u</i> ∈ <i>U</i> nearest to <i>Ay</i>"
    ),
    sources=message(
        "A. Blum, K. Ligett, A. Roth (2008), section 6. Changed here: the projected query is normalised before its "
        "nearest direction is found; the median replaces the mean."
    ),
    help="synthetic",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class HalfspaceAnswer(Answer):
    """The release, and the points for their owner.

    Attributes
    ----------
    design : HalfspaceDesign
    released : Released
    where : ndarray
        (rows, d): the points.
    """

    design: HalfspaceDesign
    released: Released
    where: Floats

    def answer(self, direction: ArrayLike) -> float:
        """Return the released share of points on the positive side of the plane across a direction."""
        return self.released.answer(direction)

    def mean(self, direction: ArrayLike) -> float:
        """Return the released share by the mean over the projections, as in Definition 6.5 of [BLR]."""
        return self.released.mean(direction)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the pictures; ``view["angle"]`` is the direction asked about, in degrees."""
        at = view.get("angle")
        angle = float(np.clip(at, 0, 360)) if isinstance(at, (int, float)) else 0.0
        return (self._points(angle), self._answers(angle), Sentence(self._told(angle), secret=not self.design.drawn))

    def across(self, angle: float) -> Floats:
        """Return the direction at an angle between the first two axes."""
        direction = np.zeros(self.where.shape[1])
        direction[:2] = cos(radians(angle)), sin(radians(angle))
        return direction

    def _told(self, angle: float) -> str:
        across = self.across(angle)
        real, said_ = share_above(self.where, across), self.released.answer(across)
        return message(
            "Across {angle}°: true share {real}, released {released} (mean of the projections {mean}); the margin is {margin}.",
            angle=f"{angle:.0f}",
            real=significant(real, 3),
            released=significant(said_, 3),
            mean=significant(self.released.mean(across), 3),
            margin=f"{rounded_down(margin_of(self.where, across), 2):g}",
        )

    def _points(self, angle: float) -> Plot:
        """Some of the points in the plane of the first two axes, and the plane asked about."""
        some = self.where[:_SHOWN, :2]
        order = np.argsort(some[:, 0], kind="stable")
        above = (some @ self.across(angle)[:2] > 0)[order]
        x, y = some[order, 0], some[order, 1]
        sides: tuple[tuple[NDArray[np.bool_], str, Role], ...] = (
            (above, message("positive side"), "main"),
            (~above, message("negative side"), "rival"),
        )
        own = not self.design.drawn
        lines = [Line(x[side], y[side], name, role, dots=True, secret=own) for side, name, role in sides if side.any()]
        across = self.across(angle)[:2]
        margin = margin_of(self.where, self.across(angle))
        plane = Line(*_chord(across, 0.0), message("plane"), "bound")
        lines += [Line(*_chord(across, off), "", "aid", dashed=True, secret=own) for off in (-margin, margin)]
        tip = Mark(cos(radians(angle)), sin(radians(angle)), message("{angle}°", angle=f"{angle:.0f}"), "main")
        limits = Axis(message("first axis"), limits=(-1.05, 1.05)), Axis(message("second axis"), limits=(-1.05, 1.05))
        under = message(
            "Up to {count} points, projected onto the first two axes. The dashed lines mark the margin, which contains "
            "no points.",
            count=grouped(_SHOWN),
        )
        return Plot("points", message("Points and the plane of the query"), *limits, (plane, *lines), (tip,), under=(under,))

    @cached_property
    def _curves(self) -> tuple[Floats, Floats, Floats]:
        angles = np.linspace(0, 360, _ANGLES)
        real = np.array([share_above(self.where, self.across(angle)) for angle in angles])
        made = np.array([self.released.answer(self.across(angle)) for angle in angles])
        return angles, real, made

    @cached_property
    def worst(self) -> float:
        """The largest error on the planes across the first two axes."""
        _, real, made = self._curves
        return float(abs(real - made).max())

    def _answers(self, angle: float) -> Plot:
        angles, real, made = self._curves
        mean = np.array([self.released.mean(self.across(at)) for at in angles])
        lines = (
            Line(angles, made, message("released")),
            Line(angles, mean, message("mean, as in the paper"), "rival", dashed=True),
            Line(angles, real, message("real"), "truth", secret=not self.design.drawn),
        )
        handle = Handle(angle, message("{angle}°", angle=f"{angle:.0f}"), "view.angle")
        x, y = Axis(message("direction"), "°", limits=(0.0, 360.0)), Axis(message("share above"), limits=(0.0, 1.0))
        return Plot("answers", message("Every plane through the first two axes"), x, y, lines, handles=(handle,))


def _chord(across: Floats, off: float) -> tuple[Floats, Floats]:
    """The stretch within the circle of the line at this distance from 0, across a direction of the plane."""
    half = float(np.sqrt(max(1 - off * off, 0.0)))
    ends = np.array([off * across + side * half * np.array([-across[1], across[0]]) for side in (-1, 1)])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    return ends[:, 0], ends[:, 1]


def run(design: HalfspaceDesign, progress: Progress = silent) -> HalfspaceAnswer:
    """Release the counts."""
    where = design.where()
    progress(None, "")
    plan = projections(where.shape[1], design.target, design.directions, design.projections, design.seed or 0)
    released = release(where, plan, design.budget, source_of(design.seed))
    badge = design.badge(message("✓ proved private · accuracy measured"))
    answer = HalfspaceAnswer(design=design, findings={}, badge=badge, why=WHY, released=released, where=where)
    private = message(
        "✓ private: {counts} counts with ε / {counts} each, whole-number noise", counts=group_thousands(plan.counts)
    )
    return replace(answer, findings=_findings(answer), sentence=_sentence(answer), checks=design.checks(private))


def _sentence(answer: HalfspaceAnswer) -> str:
    return message(
        "{counts} noisy counts answer every halfspace. Their accuracy has no bound in advance, because the theorem’s "
        "net is too large to compute.",
        counts=group_thousands(answer.released.plan.counts),
    )


def _findings(answer: HalfspaceAnswer) -> dict[str, Finding]:
    design, plan = answer.design, answer.released.plan
    first = answer.across(0.0)
    margin = double(design.margin) if design.drawn else 0.5
    full = full_parameters(max(margin, 0.01), _ALPHA, design.privacy.epsilon, answer.where.shape[1], _BETA)
    noise = answer.released.privacy
    spread = (2 * noise.alpha) ** 0.5 / noise.one_minus_alpha / len(answer.where)
    kept = design.real_errors == KEPT and not design.drawn
    told = message("α = {alpha}, γ = {margin}, β = {beta}", alpha=_ALPHA, margin=f"{margin:g}", beta=_BETA)
    return {
        "value": Finding(message("released, across the first axis"), answer.answer(first), digits=4, state="measured"),
        "mean": Finding(
            message("mean over the projections"), answer.mean(first), digits=4, state="measured", note=message("Definition 6.5")
        ),
        "truth": Finding(message("really"), share_above(answer.where, first), digits=4, secret=kept),
        "worst-error": Finding(
            message("worst of {count} planes", count=_ANGLES), answer.worst, digits=3, rounding="up", secret=kept
        ),
        "epsilon": design.of_epsilon(),
        "counts": Finding(message("noisy counts"), plan.counts),
        "noise": Finding(message("noise of a count"), spread, digits=3, rounding="up", note=message("as a share of the points")),
        "target-full": Finding(message("Theorem 6.9: dimensions T"), full.target, note=told),
        "projections-full": Finding(message("Theorem 6.9: projections m"), full.projections, note=told),
        "directions-full": Finding(
            message("Theorem 6.9: directions, power of ten"), full.log10_directions, digits=5, rounding="up"
        ),
        "rows-full": Finding(message("Theorem 6.9: rows, power of ten"), full.log10_rows, digits=5, rounding="up"),
    }
