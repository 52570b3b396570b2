"""The pictures of halfspaces: the points with the plane asked about, all planes around, and what a margin does for the error."""

from __future__ import annotations

from math import acos, cos, degrees, radians, sin
from typing import Any, Protocol

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import figure, group_thousands, significant
from dpdesigner.core.synthetic.halfspaces import share_above
from dpdesigner.messages import message
from dpdesigner.studies.halfspace.design import HalfspaceDesign
from dpdesigner.studies.panels import Axis, Drag, Handle, Line, Mark, Plot
from dpdesigner.studies.table_panels import Rank, Ranking, Role

ANGLES = 73  #: planes across the first two axes
_SHOWN = 1500  # points in the picture
_MARGINS = (0.1, 0.5)
_ENDS = (-1.06, 1.06)
_PERCENT = tuple((share / 100, f"{share}%") for share in (0, 25, 50, 75, 100))


class Asked(Protocol):
    """What the pictures are made of: a halfspace answer."""

    @property
    def design(self) -> HalfspaceDesign:
        """The design."""

    @property
    def where(self) -> Floats:
        """The points, (rows, d)."""

    @property
    def curves(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Angles, real shares, released shares, margins."""

    def across(self, angle: float) -> Floats:
        """Return the direction at an angle."""

    def answer(self, direction: Any) -> float:
        """Return the released share."""

    def mean(self, direction: Any) -> float:
        """Return it by the mean."""

    def margin(self, angle: float) -> float:
        """Return the margin of the plane across an angle."""


def points_plot(found: Asked, angle: float) -> Plot:
    """Some of the points in the plane of the first two axes; the plane asked about with its margin; a dot that turns it."""
    own, across, margin = not found.design.drawn, found.across(angle)[:2], found.margin(angle)
    some = found.where[:_SHOWN, :2]
    some = some[np.argsort(some[:, 0], kind="stable")]
    above = some @ across > 0
    x = np.linspace(-1, 1, 201)
    rim = np.sqrt(1 - x * x)
    nowhere = np.full_like(x, np.nan)
    dot = Line(np.array([cos(radians(angle))]), nowhere[:1], drags=(_turning(angle),))  # what is seen of it is the mark
    lines = [dot, _plane(across), Line(x, nowhere, "", "aid", low=-rim, high=rim)]
    sides: tuple[tuple[Any, str, Role], ...] = (
        (above, message("positive side"), "main"),
        (~above, message("negative side"), "rival"),
    )
    lines += [Line(some[side, 0], some[side, 1], name, role, dots=True, secret=own) for side, name, role in sides if side.any()]
    band, beyond = _between(across, -margin, margin, x, rim), _between(across, margin, 2.0, x, rim)
    lines.append(Line(x, nowhere, "", "bound", low=band[0], high=band[1], secret=own))
    lines.append(Line(x, nowhere, "", "main", low=beyond[0], high=beyond[1], secret=own))
    tip = Mark(cos(radians(angle)), sin(radians(angle)), message("{angle}°", angle=f"{angle:.0f}"), "other")
    x_axis, y_axis = (Axis(name, limits=_ENDS, ticks=()) for name in (message("first axis"), message("second axis")))
    hint = message(
        "{shown} of {count} points, first two axes", shown=group_thousands(len(some)), count=group_thousands(len(found.where))
    )
    title = message("Points and plane: drag the dot")
    return Plot("points", title, x_axis, y_axis, tuple(lines), (tip,), hint=hint, square=True, room=6)


def _turning(angle: float) -> Drag:
    """Return what dragging the dot does: it stays on its half of the circle."""
    lower = angle % 360 > 180

    def moved(values: Floats, which: int, where: float) -> Floats:
        return np.array([min(max(where, -1.0), 1.0)])

    def kept(values: Floats, which: int) -> float:
        turn = degrees(acos(min(max(float(values[0]), -1.0), 1.0)))
        return float(round(360 - turn if lower else turn))

    return Drag("view.angle", moved, kept, message("Turn the plane"), step=0.05)


def _plane(across: Floats) -> Line:
    """The plane asked about, which is a line across the circle."""
    ends = np.array([[-across[1], across[0]], [across[1], -across[0]]])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    return Line(ends[:, 0], ends[:, 1], message("plane"), "bound")


def _between(across: Floats, low: float, high: float, x: Floats, rim: Floats) -> tuple[Floats, Floats]:
    """Return for each x where the distance from the plane is between two values within the circle; nan where it nowhere is."""
    cosine, sine = float(across[0]), float(across[1])
    if abs(sine) < 1e-9:
        inside = (cosine * x >= low) & (cosine * x <= high)
        return np.where(inside, -rim, np.nan), np.where(inside, rim, np.nan)
    ends = np.sort(np.array([(low - cosine * x) / sine, (high - cosine * x) / sine]), axis=0)
    least, most = np.maximum(ends[0], -rim), np.minimum(ends[1], rim)
    empty = least > most
    return np.where(empty, np.nan, least), np.where(empty, np.nan, most)


def answers_plot(found: Asked, angle: float) -> Plot:
    """The real and the released share on the positive side of every plane around."""
    angles, real, made, _ = found.curves
    mean = np.array([found.mean(found.across(at)) for at in angles])
    lines = (
        Line(angles, made, message("released")),
        Line(angles, mean, message("mean, as in the paper"), "rival", dashed=True),
        Line(angles, real, message("real"), "truth", secret=not found.design.drawn),
    )
    handle = Handle(angle, message("{angle}°", angle=f"{angle:.0f}"), "view.angle")
    x, y = (
        Axis(message("direction"), "°", limits=(0.0, 360.0)),
        Axis(message("share on its side"), limits=(0.0, 1.0), ticks=_PERCENT),
    )
    return Plot("answers", message("Every plane through the first two axes"), x, y, lines, handles=(handle,), room=4)


def side(found: Asked, angle: float) -> Ranking:
    """The share of the points on the positive side, as it is and as released."""
    own, across = not found.design.drawn, found.across(angle)
    real, made = 100 * share_above(found.where, across), 100 * found.answer(across)
    rows = (
        Rank(message("Real"), real, "truth", text=f"{significant(real, 4)}%", second=" "),
        Rank(message("Released"), max(made, 0.0), "main", text=f"{significant(made, 4)}%", second=" "),
    )
    return Ranking("side", message("On the positive side"), rows, ends=100.0, secret=own)


def margins_plot(found: Asked, angle: float) -> Plot:
    """The error of each plane against its margin."""
    own = not found.design.drawn
    _, real, made, margins = found.curves
    errors, order = 100 * abs(real - made), np.argsort(margins, kind="stable")
    line = Line(margins[order], errors[order], "", dots=True, sizes=np.full(len(order), 0.018), secret=own)
    across = found.across(angle)
    here = 100 * abs(share_above(found.where, across) - found.answer(across))
    mark = Mark(found.margin(angle), here, message("this plane"), "other", secret=own)
    x, y = Axis(message("margin: distance of the nearest point"), limits=(0.0, 1.0)), Axis(message("error"), "%")
    return Plot("margins", message("A margin makes it accurate"), x, y, (line,), (mark,), room=4)


def by_margin(found: Asked) -> Ranking:
    """The worst error of all planes, and of those with a margin."""
    _, real, made, margins = found.curves
    rows = []
    for least, name in (
        (0.0, message("Every plane")),
        *((m, message("Margin {margin} and more", margin=f"{m:g}")) for m in _MARGINS),
    ):
        some = abs(real - made)[margins >= least]
        if len(some):
            worst = 100 * float(some.max())
            rows.append(Rank(name, worst, "main" if least else "rival", text=f"{figure(worst, 3)}%", second=" "))
    title = message("Worst error of {count} planes", count=ANGLES)
    return Ranking("by-margin", title, tuple(rows), secret=not found.design.drawn)
