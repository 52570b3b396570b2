"""The answer to a design of halfspaces: the release, its errors for rules on the first two columns, and pictures."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import ceil, cos, radians, sin
from typing import Any, ClassVar

import numpy as np
from typing_extensions import override

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import double
from dpdesigner.core.basics.rounding import figure, group_thousands, rounded_up, significant
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.regions import (
    Released,
    across,
    apart,
    between,
    coefficients,
    full_parameters,
    margin_of,
    projections,
    reach,
    release,
    released_again,
    scaled,
    share_near,
)
from dpdesigner.data.halfspaces import instructions, number_text
from dpdesigner.messages import message
from dpdesigner.studies.answer import Given
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.fields import KEPT, KEPT_RELEASES
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Handle, Line, Mark, Select
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic.answer import releases
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign, counted_as, read_rule, rule
from dpdesigner.studies.synthetic.statements import publication, statement_in_brief
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence

RULES = 72  #: planes across the first two axes
_SHOWN, _SOON, _SEEN = 1500, 10**6, 16  # points in the picture; numbers that are drawn within a frame; counts in the picture
_MARGINS, _LEAST = (0.1, 0.25), 0.005  # least: a smaller one is called none
_NOISY = 0.2  # noise of an answer, as a share, from which on the sentence says that the rows are too few
_FEW = 5  # projections that are proposed where there are too few rows
_WHO = message("Who meets the rule?")
_TURN: dict[str, Any] = {"step": 0.1, "kept": lambda values, _: round(float(values[0]), 1), "words": message("Turn the rule")}
_TURNING = Drag("view.angle", lambda _, __, at: np.array([at % 360]), around=True, cue=message("drag the dot"), **_TURN)
_BRIEF = "<b>Anyone can ask about rules through {through}.</b> {error}"
ASKED = message("<b>Anyone can ask what share of rows meets any {rule}.</b>")
_PERCENT = tuple((share / 100, f"{share}%") for share in (0, 25, 50, 75, 100))


def points_plot(found: HalfspaceAnswer, angle: float, other: bool = False) -> Plot:
    """Some of the points in the plane of the first two axes; the plane asked about with its margin; a dot that turns it."""
    own, across, box = not found.design.drawn, found.across(angle)[:2], found.design.scales is not None
    margin = 0.0 if box else found.margin(angle)
    every = found.where[:_SHOWN, :2]
    some = every[(abs(every) < 1 + 1e-9).all(axis=1)]  # in the picture
    some, x = some[np.argsort(some[:, 0], kind="stable")], np.linspace(-1, 1, 201)
    above = ~(some @ -across > 0) if found.design.closed(angle) ^ other else some @ across > 0
    rim = np.ones_like(x) if box else np.sqrt(1 - x * x)
    nowhere = np.full_like(x, np.nan)
    dot = Line(np.array([angle]), nowhere[:1], role="other", drags=(_TURNING,))
    lines = [dot, _plane(across / abs(across).max() if box else across), Line(x, nowhere, "", "aid", low=-rim, high=rim)]
    sides: tuple[tuple[Any, str, Role], ...] = (
        (above, message("positive side"), "other"),
        (~above, message("negative side"), "rival"),
    )
    one, two = some.T
    lines += [Line(one[at], two[at], name, role, dots=True, secret=own, short=" ") for at, name, role in sides if at.any()]
    band, further = between(across, -margin, margin, x, rim), between(across, margin, 2.0, x, rim)
    lines.append(Line(x, nowhere, "", "aid", low=band[0], high=band[1], secret=own))
    lines.append(Line(x, nowhere, "", "other", low=further[0], high=further[1], secret=own and not box))  # a box has no band
    tip = Mark(cos(radians(angle)), sin(radians(angle)), "", "other")
    columns, beyond = found.where.shape[1], int((abs(found.where[:, :2]) >= 1 + 1e-9).any(axis=1).sum())
    under = "Orange if {rule}." + " No rows are in the grey band." * (not own and margin >= _LEAST)
    under += " Rows outside the ranges: {beyond}." * bool(beyond)
    under += " Only directions count: rows are on the rim." * (columns == 2 and not box)
    under = message(under, rule=rule(found.design, angle, other), beyond=group_thousands(beyond))
    seen = message("{shown} of {count} rows", shown=group_thousands(len(some)), count=group_thousands(len(found.where)))
    shown: dict[str, Any] = {
        "under": (under,),
        "hint": seen,
        "square": True,
        "room": 9,
        "figures": side(found, angle, other).rows,
        "bands": (Band(-0.012, 0.012, role="truth"), Band(-0.012, 0.012, role="truth", along="y")),  # through the middle
    }
    return Plot("points", _WHO, *_two_axes(found.design), tuple(lines), (tip,), **shown)


def _two_axes(design: HalfspaceDesign) -> tuple[Axis, Axis]:
    at, made = np.array([-1.0, 0.0, 1.0] if design.scales is not None else [0.0]), []
    for name, ends in zip(design.column_names, design.shown_ranges, strict=True):
        ticks = tuple(zip(at.tolist(), map(number_text, np.interp(at, (-1, 1), ends)), strict=True))
        made.append(Axis(name, limits=(-1.06, 1.06), ticks=ticks))
    return made[0], made[1]


def points_before(design: HalfspaceDesign) -> Plot | None:
    """The points alone, before there is an answer; None if they are a file's, or very many."""
    if not design.drawn or design.rows * design.dimension > _SOON:
        return None
    one, two = (some := design.where()[:_SHOWN, :2])[np.argsort(some[:, 0], kind="stable")].T
    line = Line(one, two, message("points"), "rival", short=" ", dots=True)
    return Plot("points", _WHO, *_two_axes(design), (line,), hint=message("computing…"), square=True, room=9)


def _plane(across: Floats) -> Line:
    ends = np.array(sorted([[-across[1], across[0]], [across[1], -across[0]]], key=lambda end: end[0]))
    return Line(ends[:, 0], ends[:, 1], message("plane"), "bound", short=" ")


def answers_plot(found: HalfspaceAnswer, angle: float, compared: bool) -> Plot:
    """The real and the released share on the positive side of every plane around; and the mean, where it is compared."""
    (angles, real, _, _), counted = found.curves, found.released.plan.angles[slice(0 if compared else None)]
    mean = np.array([found.released.mean(found.across(at)) for at in angles])
    every = np.unique(np.append(angles, counted))
    made = np.array([found.released.answer(found.across(at)) for at in every])

    def read(which: int) -> str:
        at = float(every[which])
        values = {"real": significant(100 * found.real(at), 3), "made": significant(100 * float(made[which]), 3)}
        return message("{rule}:\nreal {real}%, released {made}%", rule=rule(found.design, at), **values)

    select = Select("view.angle", every.tolist().__getitem__, read)
    paper = Line(angles, mean, message("mean, as in the paper"), "rival", dashed=True, short=message("mean"))
    lines = [
        Line(every, made, message("released"), short=message("released"), select=select),
        *(_dots(counted, np.interp(counted, every, made)) for _ in range(len(counted) > 0)),
        *(paper for _ in range(compared and len(found.released.plan.matrices) > 1)),
        Line(angles, real, message("real"), "truth", secret=not found.design.drawn),
    ]
    handle = Handle(angle, message("this rule"), "view.angle", step=0.1)
    ends = [message(end, name=name) for end in ("high {name}", "low {name}") for name in found.design.column_names]
    ticks = tuple((90.0 * quarter, ends[quarter % 4]) for quarter in range(5))
    x = Axis(message("direction of the rule"), limits=(0.0, 360.0), ticks=ticks, optional=True)
    y = Axis(message("share"), limits=(-0.08, 1.0), ticks=_PERCENT)
    return Plot("answers", message("The answer for every direction"), x, y, tuple(lines), handles=(handle,), room=6)


def _dots(x: Floats, y: Floats) -> Line:
    return Line(x, y, short=" ", dots=True, sizes=np.full(len(x), 0.022))


def side(found: HalfspaceAnswer, angle: float, other: bool = False) -> Ranking:
    """The share of the points on the positive side, as it is and as released."""
    own, real, made = not found.design.drawn, 100 * found.real(angle, other), 100 * found.released.answer(found.across(angle))
    rows = (
        Rank(message("Real"), real, "truth", text=f"{significant(real, 3)}%", second=" "),
        Rank(message("Released"), max(made, 0.0), "main", text=f"{significant(made, 3)}%", second=" "),
    )
    return Ranking("side", message("Share that meets the rule"), rows, ends=100.0, secret=own)


def margins_plot(found: HalfspaceAnswer, angle: float | None = None) -> Plot:
    """The error of each rule against its margin; a click selects a rule, and in the window the one of an angle is marked."""
    own, (angles, real, made, margins) = not found.design.drawn, (curve[:RULES] for curve in found.curves)
    place, label = found.margin, message("distance of the nearest row from the line")
    if own and margins.max() < _LEAST:  # rows are next to every line
        place = lambda angle: share_near(found.where, found.across(angle), _MARGINS[0])  # noqa: E731
        label = message("share of rows near the line")
        margins = np.array([place(angle) for angle in angles.tolist()])
    errors, order = 100 * abs(real - made), np.argsort(np.round(margins, 9), kind="stable")  # opposite rules in order
    sizes = np.full(len(order), 0.014)
    line = Line(np.maximum.accumulate(margins[order]), errors[order], dots=True, sizes=sizes, secret=own)
    end = 1.05 * (float(margins.max()) or 0.1)
    x = Axis(label, limits=(0.0, end))
    title = message("Error of each rule")
    if angle is None:
        return Plot("margins", title, x, Axis(message("error"), "%"), (line,))
    texts = tuple(
        message("{rule}:\nerror {error} points", rule=rule(found.design, angles[k]), error=figure(errors[k], 3)) for k in order
    )
    picked = [{"angle": at, "worst": at, "edge": False} for at in angles[order].tolist()]
    line = replace(line, texts=texts, select=Select("view", picked.__getitem__))
    mark = Mark(min(place(angle), end), 100 * found.error(angle), "", "other", secret=own)
    x = replace(x, limits=(-0.03 * end, end))  # dots at 0 are whole
    y = Axis(message("error"), message("points"), limits=(0.0, 1.08 * max(float(errors.max()), mark.y, 0.1)))
    under = (message("Measured on your rows: do not publish."),) if own else ()
    bands = (Band(_MARGINS[0], end, message("no row near the line"), secret=own),) if found.far.any() else ()
    return Plot("margins", title, x, y, (line,), (mark,), bands, under=under, room=6, hint=message("click one"))


def by_margin(found: HalfspaceAnswer) -> Ranking:
    """The worst error of all planes, and of those with a margin."""
    (_, real, made, margins), rows = found.curves, list[Rank]()
    for least in (0.0, *_MARGINS):
        name = message("Margin ≥ {margin}", margin=f"{least:g}") if least else message("Every rule")
        some = abs(real - made)[margins >= least]
        if len(some):
            worst = 100 * float(some.max())
            role: Role = "main" if least else "rival"
            rows.append(Rank(name, worst, role, text=f"{figure(worst, 3)}%", second=" "))
    title = message("Largest error of {count} rules on two columns", count=RULES)
    return Ranking("by-margin", title, tuple(rows), secret=not found.design.drawn)


_START = 30.0  # degrees of the first plane
_ALPHA, _BETA = 0.5, 0.05  # accuracy and failure probability for the theorem's parameters


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class HalfspaceAnswer(Answer):
    """The release, and the points, which are for their owner.

    Attributes
    ----------
    design : HalfspaceDesign
    released : Released
    where, counted : ndarray
        (rows, d): the points with their ranges from -1 to 1, and of unit length.
    columns : str
        The names of the columns of a file, in their order; empty if it has none.
    more : ndarray or None
        (releases, m, |U|): the counts of more releases, for the owner.
    """

    design: HalfspaceDesign
    released: Released
    where: Floats
    counted: Floats
    columns: str = ""
    more: Integers | None = None
    shared: bool = False  #: for files, which do not show a rule found by its error on private rows
    turned: float = _START  #: the rule of files
    listed: ClassVar[Mapping[str, Finding]] = {}  #: the findings that the window lists

    def many(self, progress: Progress) -> Integers:
        """Return the counts of a hundred more releases with the same projections."""
        return released_again(self.counted, self.released.plan, self.design.budget, progress)

    def answer(self, direction: Any) -> float:
        """Return the released share of points that meet a rule, in words or by its coefficients in the columns' units."""
        return self._answered(self.released.answer, direction)

    def mean(self, direction: Any) -> float:
        """Return the released share by the mean over the projections, as in Definition 6.5 of [BLR]."""
        return self._answered(self.released.mean, direction)

    def _answered(self, answer: Any, asked: Any) -> float:
        return answered(answer, asked, self.design.scales, self.where.shape[1], lambda: self.design)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels; ``view["angle"]`` is the direction of the query, in degrees."""
        angle, many, own = self.angle_in(view), bool(view.get("many")), not self.design.drawn
        other = bool(view.get("edge"))
        text = self.told(angle, other) if self.more is None or not many else self._many_told(angle, self.more)
        told = Sentence(text, secret=many)
        again = replace(self._again(angle, other), room=6, under=() if own else (told.text,)) if many else None
        pictures = points_plot(self, angle, other), again or answers_plot(self, angle, "many" not in view)
        found = (message("Found by its error on your rows: not private."),) if self._by_error(view) and not self.shared else ()
        title = "{title} (not private)" if found else "{title}"
        return (
            *(replace(each, title=message(title, title=each.title), under=(*each.under, *found)) for each in pictures),
            *((told,) if text and (own or not many) else ()),  # a caption says it
            *((margins_plot(self, angle),) if "many" in view else (side(self, angle), margins_plot(self), by_margin(self))),
        )

    @property
    def how(self) -> str:
        """Instructions to answer new queries, with a rule as an example."""
        two, others = coefficients(self.turned, self.design.shown_ranges), [0.0] * (self.where.shape[1] - 2)
        given = None if self.design.scales is None else [*(float(f"{each:.4g}") for each in two), *others]
        return instructions(self.released.plan.how, rule(self.design, self.turned), given)

    @property
    def structure(self) -> dict[str, Any]:
        """The released structure as JSON values. It is enough to answer new queries."""
        released, design = self.released, self.design
        return {
            "how": self.how,
            "privacy": f"epsilon = {figure(design.privacy.epsilon_above, 6)}, one point replaced by any other",
            "accuracy": str(self.told_noise),
            "published": design.seed is None,
            **({"columns": self.columns} if self.columns else {}),
            **({"ranges": design.scales.tolist()} if design.scales is not None else {}),
            "rows": released.rows,
            "projections": released.plan.matrices.tolist(),
            "directions": released.plan.directions.tolist(),
            "counts": released.counts.tolist(),
        }

    @cached_property
    def given(self) -> Given:
        """The noisy counts, which are given away; its picture has those of the first projection."""
        plan, design = self.released.plan, self.design
        first = self.released.counts[0, : plan.noisy : max(plan.noisy // _SEEN, 1)][:_SEEN].astype(float)
        some = "the first {shown} of {counts} noisy counts" if plan.noisy < 2 * _SEEN else "{shown} of {counts} noisy counts"
        told = message(some if len(first) < plan.counts else "", shown=len(first), counts=group_thousands(plan.counts))
        plot = Plot("given", "", Axis(told, ticks=()), Axis(message("rows")), bars=(Bars(first, texts=_rows),), room=8)
        plot = replace(plot, under=(message("Negative counts are noise."),)) if first.min() < 0 else plot
        counts = {"counts": design.counts_in_words("noisy counts"), "projections": len(plan.matrices)}
        counts |= {"rule": design.rules, "noise": self.told_noise}
        by = "the median over {projections} random projections" if len(plan.matrices) > 1 else "those next to it"
        order = " The columns, in this order: {columns}." if self.columns else ""
        text = "{counts} answer every {rule}, by " + by + ". {noise}" + order
        sentence = message(text + " Others can open the file in dpdesigner and type a rule.", columns=self.columns, **counts)
        usable = message("Noise hides the answers." if self.drowned else "Others can open the file here and type a rule.")
        warned = design.seed is not None or KEPT_RELEASES.warning(design) is not None
        note, what = publication(design) if warned else usable, message("the noisy counts")
        size = design.counts_in_words("counts")
        stated = partial(statement_in_brief, design, sentence)
        copied = partial(json.dumps, self.structure, ensure_ascii=False)
        return Given(what, size, note, plot, copied, stated, design.seed is not None, "json")

    @override
    def selected(self, view: Mapping[str, Any]) -> HalfspaceAnswer:
        """Return the answer about the rule of the view; not if it was found by its error on private rows."""
        made = replace(self, shared=True)
        made = replace(made, turned=made.angle_in(view))
        return replace(made, findings=findings_of(made))

    def _by_error(self, view: Mapping[str, Any]) -> bool:
        return not self.design.drawn and view.get("angle") is not None and view["angle"] == view.get("worst")

    def angle_in(self, view: Mapping[str, Any]) -> float:
        """Return the direction of the rule that a view shows, in degrees."""
        at = None if self.shared and self._by_error(view) else view.get("angle")
        return float(np.clip(at, 0, 360)) if isinstance(at, (int, float)) else self.turned

    def turned_back(self, before: Answer, view: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return another view after another release, if the rule was found by its error on private rows in the one before."""
        if not isinstance(before, HalfspaceAnswer):
            return {}
        again = self._by_error(view) and self.released is not before.released
        again = again or self.design.ranges != before.design.ranges  # the same direction is another rule
        return {"angle": None, "last": None, "worst": None, "edge": False} if again else {}

    def in_view(self, view: Mapping[str, Any]) -> HalfspaceAnswer:
        """Return the answer for the header: the error of this rule, or of people's rows its released share."""
        own, angle = not self.design.drawn, self.angle_in(view)
        error = Finding(message("error of this rule"), 100 * self.error(angle), message("points"), digits=3, rounding="up")
        shown = {"value": self.headed(view) if own else error} | dict(self.findings)
        few = message(
            "<b>Too few rows for ε = {epsilon}: noise up to {noise} (95 times in 100).</b> {help}"
            if own
            else "<b>Too few rows for ε = {epsilon}: the worst of {rules} rules has an error of {worst} points.</b> {help}",
            **self._texts,
            help=self._remedy(),
        )
        asked, told = (
            message(ASKED, rule=self.design.rules_in_brief),
            self.told_noise if own and not self.design.tells else self._errors,
        )
        sentence = few if self.drowned else message("{asked} {told}", asked=asked, told=told)
        return replace(self, findings=shown, sentence=sentence)

    def headed(self, view: Mapping[str, Any]) -> Finding:
        """Return the released share of the rule of a view."""
        share = self.released.answer(self.across(self.angle_in(view)))
        return Finding(message("released share"), share, digits=3, state="measured", share=True)

    @property
    def _texts(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"worst": figure(100 * self.worst, 3), "noise": _points(self.noise), "rules": RULES}
        return {**shown, "most": figure(100 * self.worst, 2), "epsilon": self.design.epsilon}

    @property
    def in_brief(self) -> tuple[str, ...]:
        """Shorter sentences for the header."""
        kept = not (self.design.drawn or self.design.tells)
        short = message("Noise alone: up to {noise} (95%)." if kept else "Errors up to {worst} points.", **self._texts)
        told = self.told_noise if kept else self._errors, short
        return () if self.drowned else tuple(message(_BRIEF, through=self.design.through, error=each) for each in told)

    @property
    def told_noise(self) -> str:
        """The noise of an answer in words, which may be published."""
        return message(
            "Noise: up to {noise} on any one share, 95 times in 100. The projections add an error without a bound."
            if self.design.projected
            else "A counted rule is answered within {noise}, 95 times in 100; between two of them, no bound is known in advance.",
            **self._texts,
        )

    @property
    def far(self) -> Any:
        """A mask of the rules on the grid that have no row near their line."""
        return self.curves[3] >= _MARGINS[0]

    @property
    def _errors(self) -> str:
        return message("Measured: wrong by up to {most} points on the {rules} rules tried.", **self._texts)

    def _remedy(self) -> str:
        """Return what makes the noise small enough: more rows, a larger ε, or few projections (their median has less)."""
        noise = reach(PrivacyLevel.from_epsilon(self.design.budget / (_FEW * self.released.plan.noisy)), _FEW)
        fewer = self.design.made_projections > _FEW and noise < _NOISY * self.released.rows
        return message(
            "For noise up to {noise} points, take {rows} rows, ε = {epsilon} or {few} projections."
            if fewer
            else "For noise up to {noise} points, take {rows} rows or ε = {epsilon}.",
            noise=f"{100 * _NOISY:g}",
            rows=group_thousands(int(rounded_up(self.noise / _NOISY * self.released.rows, 2))),
            epsilon=figure(self.noise / _NOISY * self.design.privacy.epsilon, 2),
            few=_FEW,
        )

    @property
    def noise(self) -> float:
        """The 95% quantile of the noise of an answer, the median over the projections, as a share of the rows."""
        return reach(self.released.privacy, len(self.released.plan.matrices)) / self.released.rows

    @property
    def drowned(self) -> bool:
        """True if the rows are too few for the noise."""
        return self.noise >= _NOISY

    def across(self, angle: float) -> Floats:
        """Return the direction at an angle between the first two axes."""
        return across(angle, self.where.shape[1])

    def error(self, angle: float) -> float:
        """Return the measured error of the rule across an angle, as a share of the rows."""
        return abs(self.released.answer(self.across(angle)) - self.real(angle))

    def real(self, angle: float, other: bool = False) -> float:
        """Return the share of the rows that meet the rule across an angle, or its `other` one of > and ≥."""
        closed = self.design.closed(angle) ^ other
        return float(((self.where @ self.across(angle - 180 * closed) > 0) ^ closed).mean())

    def turned_to(self, angle: float, view: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the view of a counted direction near an angle, or of the angle if it is a step of a key away from the last."""
        near = min(self.released.plan.angles.tolist(), key=lambda at: apart(at, angle), default=angle)
        close = apart(near, angle) < min(2, 60 / self.design.directions) and apart(angle, self.angle_in(view)) > 0.15
        return {"angle": near if close else angle, "worst": None, "edge": False}

    def margin(self, angle: float) -> float:
        """Return the distance from the plane across an angle to the point nearest to it."""
        return margin_of(self.where, self.across(angle))

    def told(self, angle: float, other: bool = False) -> str:
        """Return which rule is counted, and how near its share is, of two columns: all of it may be published."""
        told = counted_as(self.design, angle, other)
        if not len(dots := self.released.plan.angles):
            return told
        ends = dots[(after := np.searchsorted(dots, angle) % len(dots)) - 1], dots[after]
        share, low, high = (significant(100 * self.released.answer(self.across(at)), 3) for at in (angle, *ends))
        text = message(
            "A counted rule (dot): {share}% ± {noise}, 95 times in 100."
            if min(apart(at, angle) for at in ends) < 1e-6
            else "Between two counted rules (dots, {low}% and {high}%): no bound.",
            **{**self._texts, "share": share, "low": low, "high": high},
        )
        return message("{told} {text}", told=told, text=text) if told else text

    def _many_told(self, angle: float, more: Integers) -> str:
        off = 100 * ((there := self._at(angle, more)) - self.real(angle))
        if cut := int(((there <= 0) | (there >= 1)).sum()):
            return message("{cut} of {count} are cut to 0% or 100%.", cut=cut, count=len(off))
        if abs(mean := float(off.mean())) <= float(off.std()):
            return message("Most of the error here is noise.")
        return message(
            "{some} of {count} are too high: about {off} points of error are the method’s, not the noise’s."
            if mean > 0
            else "{some} of {count} are too low: about {off} points of error are the method’s, not the noise’s.",
            some=int((off * mean > 0).sum()),
            count=len(off),
            off=significant(abs(mean), 2),
        )

    def _at(self, angle: float, more: Integers) -> Floats:
        return np.array([replace(self.released, counts=counts).answer(self.across(angle)) for counts in more])

    def _again(self, angle: float, other: bool) -> Plot:
        """The shares that more releases answer for the rule, and the real one."""
        real, here = 100 * self.real(angle, other), 100 * self.released.answer(self.across(angle))
        shares = None if self.more is None else 100 * self._at(angle, self.more)
        low, high = (end(np.append([real, here], () if shares is None else shares)) for end in (np.min, np.max))
        ends = max(float(low) - 2, 0.0), float(high) + 2
        handle = Handle(real, message("real"), movable=False, secret=True)
        plot = releases(shares, here, None, "%", ends[1], ends[0], message("released share"))
        return replace(plot, y=replace(plot.y, label=message("releases"), ticks=None), handles=(handle,))

    @cached_property
    def curves(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Angles all around (the last is the first again), and there the real and the released share above, and the margin."""
        angles = np.linspace(0, 360, RULES + 1)
        real = np.array([self.real(angle) for angle in angles])
        made = np.array([self.released.answer(self.across(angle)) for angle in angles])
        return angles, real, made, np.array([self.margin(angle) for angle in angles])

    @cached_property
    def worst(self) -> float:
        """The largest error on the grid of rules."""
        return float(abs(self.curves[1] - self.curves[2]).max())

    @property
    def worst_angle(self) -> float:
        """The direction of the plane with the largest error, in degrees."""
        return float(self.curves[0][abs(self.curves[1] - self.curves[2]).argmax()])


def _points(share: float) -> str:
    return message("1 point" if (told := figure(100 * share, 2)) == "1" else "{points} points", points=told)


def _rows(count: float) -> str:
    return message("{count} rows on the positive side of a direction, with noise", count=group_thousands(round(count)))


def answered(answer: Callable[[Floats], float], asked: Any, ranges: Floats | None, columns: int, design: Any) -> float:
    """Return the answer to a rule in words, for the design that is made, or to the coefficients of one on these ranges."""
    if not isinstance(asked, str):
        return answer(scaled(asked, ranges))
    angle, other = read_rule(made := design(), asked)
    if told := counted_as(made, angle, other):
        warnings.warn(told, stacklevel=4)
    return answer(across(angle, columns))


def run(design: HalfspaceDesign, progress: Progress = silent, kept: Released | None = None) -> HalfspaceAnswer:
    """Release the counts, or take kept ones."""
    counted, where = design.placed()
    progress(None, "")
    plan = projections(where.shape[1], design.target, design.directions, design.projections, design.seed or 0)
    released = kept or release(counted, plan, design.budget, source_of(design.seed))
    named = design.named or design.header  # of all columns, or of the first two
    named += tuple(f"column {place + 1}" for place in range(len(named), where.shape[1])) if named else ()
    own: dict[str, Any] = {"columns": ", ".join(named), "why": Why(template="halfspace", help="synthetic#rules")}
    own |= {"where": where, "counted": counted, "turned": _START if design.drawn else plan.start}
    answer = HalfspaceAnswer(design=design, findings={}, badge=design.badge(), released=released, **own)
    asked = message(ASKED, rule=design.rules)
    sentence = asked if design.drawn else message("{asked} {noise}", asked=asked, noise=answer.told_noise)
    return replace(answer, findings=findings_of(answer), sentence=sentence, checks=design.checks(design.private()))


def findings_of(answer: HalfspaceAnswer) -> dict[str, Finding]:
    """Return the findings about the rule of files."""
    design, plan = answer.design, answer.released.plan
    at = answer.across(answer.turned)
    margin = double(design.margin) if design.drawn else 0.5
    kept = design.real_errors == KEPT and not design.drawn
    told = message("α = {alpha}, γ = {margin}, β = {beta}", alpha=_ALPHA, margin=f"{margin:g}", beta=_BETA)
    label = message("largest error of {count} rules on two columns", count=RULES)
    worst = Finding(label, answer.worst, digits=3, secret=kept, share=True)
    mean = Finding(message("mean over the projections"), answer.released.mean(at), "", 4, state="measured", share=True)
    label, share = message("released: {rule}", rule=rule(design, answer.turned)), answer.released.answer(at)
    released = Finding(label, share, digits=3, state="measured", share=True)
    label = message("noise alone, 95 times in 100" if design.projected else "noise at any one counted rule, 95 times in 100")
    full = full_parameters(max(margin, 0.01), _ALPHA, design.privacy.epsilon, answer.where.shape[1], _BETA)
    found = {
        **({"worst-error": worst} if design.drawn else {}),
        "released": released,
        **({"mean": replace(mean, note=message("Definition 6.5"))} if len(plan.matrices) > 1 else {}),
        "truth": Finding(message("true share of this rule"), answer.real(answer.turned), digits=4, secret=kept, share=True),
        "worst-error": worst,
        "epsilon": design.of_epsilon(),
        "counts": Finding(message("noisy counts"), plan.counts),
        "noise": Finding(label, answer.noise, digits=2, rounding="up", share=True),
        "target-full": Finding(message("Theorem 6.9: dimensions T"), full.target, note=told),
        "projections-full": Finding(message("Theorem 6.9: projections m"), full.projections, note=told),
        "directions-full": Finding(message("Theorem 6.9: directions, power of ten"), ceil(full.log10_directions)),
        "rows-full": Finding(message("Theorem 6.9: rows, power of ten"), ceil(full.log10_rows)),
    }
    return {key: each for key, each in found.items() if design.projected or not key.endswith("-full")}
