"""The answer to a design of halfspaces: what was released, and how far off it is for the planes across the first two axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import double
from dpdesigner.core.numbers.rounding import group_thousands, rounded_down, significant
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.halfspaces import Released, full_parameters, margin_of, projections, release, share_above
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.halfspace.design import HalfspaceDesign
from dpdesigner.studies.halfspace.pictures import ANGLES, answers_plot, by_margin, margins_plot, points_plot, side
from dpdesigner.studies.release_inputs import KEPT
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Sentence

_START = 30.0  # degrees of the first plane
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
        angle = float(np.clip(at, 0, 360)) if isinstance(at, (int, float)) else _START
        return (
            points_plot(self, angle),
            answers_plot(self, angle),
            Sentence(self._told(angle), secret=not self.design.drawn),
            side(self, angle),
            margins_plot(self, angle),
            by_margin(self),
        )

    def across(self, angle: float) -> Floats:
        """Return the direction at an angle between the first two axes."""
        direction = np.zeros(self.where.shape[1])
        direction[:2] = cos(radians(angle)), sin(radians(angle))
        return direction

    def margin(self, angle: float) -> float:
        """Return the distance from the plane across an angle to the point nearest to it."""
        return margin_of(self.where, self.across(angle))

    def _told(self, angle: float) -> str:
        across = self.across(angle)
        real, made = share_above(self.where, across), self.released.answer(across)
        return message(
            "At {angle}°: {real}% of the points are on the positive side, {made}% released. No point is nearer than {margin}.",
            angle=f"{angle:.0f}",
            real=significant(100 * real, 3),
            made=significant(100 * made, 3),
            margin=f"{rounded_down(self.margin(angle), 2):g}",
        )

    @cached_property
    def curves(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Angles all around; the real share of points on the positive side, the released one, and the margin there."""
        angles = np.linspace(0, 360, ANGLES)
        real = np.array([share_above(self.where, self.across(angle)) for angle in angles])
        made = np.array([self.released.answer(self.across(angle)) for angle in angles])
        return angles, real, made, np.array([self.margin(angle) for angle in angles])

    @cached_property
    def worst(self) -> float:
        """The largest error on the planes across the first two axes."""
        _, real, made, _ = self.curves
        return float(abs(real - made).max())


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
        "<b>{counts} noisy counts answer every plane.</b> There is no error bound in advance, because the theorem’s net is "
        "too large to compute.",
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
        "value": Finding(message("released, at 0°"), answer.answer(first), digits=4, state="measured", share=True),
        "mean": Finding(
            message("mean over the projections"),
            answer.mean(first),
            digits=4,
            state="measured",
            share=True,
            note=message("Definition 6.5"),
        ),
        "truth": Finding(message("true share, at 0°"), share_above(answer.where, first), digits=4, secret=kept, share=True),
        "worst-error": Finding(
            message("worst error of {count} planes", count=ANGLES),
            answer.worst,
            digits=3,
            rounding="up",
            secret=kept,
            share=True,
        ),
        "epsilon": design.of_epsilon(),
        "counts": Finding(message("noisy counts"), plan.counts),
        "noise": Finding(message("standard deviation of a count"), spread, digits=3, rounding="up", share=True),
        "target-full": Finding(message("Theorem 6.9: dimensions T"), full.target, note=told),
        "projections-full": Finding(message("Theorem 6.9: projections m"), full.projections, note=told),
        "directions-full": Finding(
            message("Theorem 6.9: directions, power of ten"), full.log10_directions, digits=5, rounding="up"
        ),
        "rows-full": Finding(message("Theorem 6.9: rows, power of ten"), full.log10_rows, digits=5, rounding="up"),
    }
