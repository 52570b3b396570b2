"""The strips of a choice as plots: utilities that are dragged, chances, what one person can move, and what that does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.messages import message
from dpdesigner.studies.panels import Axis, Band, Bars, Drag, Plot, Select, Strips

_ROOMS = (33, 37, 12, 18)  # how the height is shared out
_FEW = 12  # options whose utilities are written at their bars
_SEEN = 0.05  # chances from which on they are written in bold


@dataclass(frozen=True, eq=False)
class Change:
    """How the utilities of options, and the change of one person, can be dragged.

    Attributes
    ----------
    utilities : callable
        ``utilities(values)`` returns the changes of the design that make these the utilities.
    neighbour : callable
        ``neighbour(moves)`` returns the text of the view for what one person moves.
    neighbours : {"any", "joins", "changes"}
    line : bool
        Whether the options are the cells of an interval: a drag goes on to the cells that the mouse passes over.
    """

    utilities: Callable[[Floats], Mapping[str, Any]]
    neighbour: Callable[[Floats], str]
    neighbours: str = "any"
    line: bool = False


def strips(
    names: tuple[str, ...],
    utilities: Floats,
    chances: Floats,
    moves: Floats,
    ratios: Floats,
    *,
    epsilon: float,
    rule: str,
    rival: Floats | None = None,
    rival_name: str = "",
    drawn: Integers | None = None,
    counted: bool = False,
    option: int = -1,
    change: Change | None = None,
) -> Strips:
    """Return the four strips.

    Parameters
    ----------
    names : tuple of str
    utilities, chances, moves, ratios : ndarray
        (k,) each: utilities; how likely each option is; by how many Delta the neighbour moves it; ln of the ratio.
    epsilon : float
        No ratio is beyond it.
    rule : str
        What gives the chances.
    rival : ndarray, optional
        The chances of the rule that is compared with, and its name.
    rival_name : str
    drawn : ndarray, optional
        How often each was drawn.
    counted : bool
        Whether utilities are numbers of people.
    option : int
        The one that is selected; -1: none.
    change : Change, optional
        Where utilities and moves can be dragged.
    """
    axis, select = Axis(scale="names", names=names), Select("view.option")
    best = utilities == utilities.max()
    level = figure(epsilon, 4)  # rounded up
    title = message("What people said") if counted else message("How good each option is")
    words = message("counts, the utility · drag a bar") if counted else message("utility · drag a bar")
    gains = _gains if counted else _steps
    dragged = () if change is None else (_utilities_drag(utilities, counted, change),)
    moved_by = () if change is None else (_moves_drag(change),)
    bars = (
        Bars(
            utilities,
            message("utility"),
            "rival",
            texts=number_text if len(names) <= _FEW else None,
            strong=best,
            faint=True,
            drags=dragged,
        ),
        Bars(
            chances,
            message("chance"),
            texts=percent,
            strong=chances > _SEEN,
            rival=rival,
            rival_name=rival_name,
            dots=drawn,
        ),
        Bars(moves, message("moves by"), "bound", texts=gains if 0 < np.count_nonzero(moves) <= 2 else None, drags=moved_by),
        Bars(np.clip(ratios, -epsilon, epsilon), message("ln ratio"), texts=ratio_text),
    )
    heads = (
        ("utilities", title, words if change is not None else message("utility")),
        ("chances", message("How often each is announced"), message("chances · {rule}", rule=rule)),
        (
            "moves",
            message("What one person can move"),
            message("a neighbour, in units of Δ · drag a bar") if change is not None else message("the next row"),
        ),
        ("ratios", message("What that does to the chances"), message("ln ratio · never outside ±ε")),
    )
    axes = Axis(), Axis(), _within(1.0, "1"), _within(epsilon, level)
    plots = (
        Plot(key, title, axis, y, bars=(each,), bands=_band(y), selected=option, select=select, hint=hint, room=room)
        for (key, title, hint), y, each, room in zip(heads, axes, bars, _ROOMS, strict=True)
    )
    keys = {"Space": "draw", "W": "worst"}
    return Strips("strips", message("Chances"), tuple(plots), labelled=0, keys=keys)


def _within(limit: float, text: str) -> Axis:
    return Axis(limits=(-limit, limit), ticks=((limit, f"+{text}"), (-limit, f"−{text}")))


def _band(y: Axis) -> tuple[Band, ...]:
    return () if y.limits is None else (Band(*y.limits, role="main", along="y"),)


def _gains(move: float) -> str:
    return "" if not move else message("gains one") if move > 0 else message("loses one")


def _steps(move: float) -> str:
    return number_text(move) if move else ""


def _utilities_drag(utilities: Floats, counted: bool, change: Change) -> Drag:
    whole = counted or bool((utilities == np.round(utilities)).all())
    span = float(np.abs(utilities).max()) or 1.0
    digits = 0 if whole else max(0, 2 - int(np.floor(np.log10(span))))

    def put(values: Floats, which: int, where: float) -> Floats:
        after = values.copy()
        after[which] = max(round(where, digits), 0.0) if counted else round(where, digits)
        return after

    step = 1.0 if whole else float(np.ptp(utilities) or 1.0) / 100
    return Drag(
        "design", put, lambda values, which: change.utilities(values), message("Drag a utility"), step=step, sweep=change.line
    )


def _moves_drag(change: Change) -> Drag:
    def put(values: Floats, which: int, where: float) -> Floats:
        return moved(values, which, where, change.neighbours)

    return Drag("view.neighbour", put, lambda values, which: change.neighbour(values))


def moved(moves: Floats, option: int, to: float, neighbours: str) -> Floats:
    """Return what one person can do that moves an option so far, in units of Delta; other bars give way.

    ``any``: within -1..1. ``joins``: the others that move the other way come back. ``changes``: one rises and one falls, and
    the bar that moved the same way before takes its move back.
    """
    after = moves.copy()
    to = min(max(to, -1.0), 1.0)
    if neighbours == "changes":
        sign = float(np.sign(round(to)))
        if not sign or after[option] == sign:
            return after
        partner = int(np.flatnonzero(after == -sign)[0]) if (after == -sign).any() else (option + 1) % len(after)
        if partner == option:  # it turns round: so does the other
            partner = int(np.flatnonzero(after == sign)[0]) if (after == sign).any() else (option + 1) % len(after)
        after[:] = 0.0
        after[option], after[partner] = sign, -sign
        return after
    if neighbours == "joins":
        to = float(round(to, 2))
        after[np.sign(after) == -np.sign(to)] = 0.0
    after[option] = round(to, 2)
    return after


def percent(chance: float) -> str:
    """Return a chance above a bar: ``81%``, ``0.02%``, ``< 0.01%``; ``100%`` only where it is certain."""
    value = 100 * chance
    if value < 0.01:
        return "< 0.01%"
    if 99.5 <= value < 100:
        return f"{floor(100 * value) / 100:g}%"
    return f"{value:.0f}%" if value >= 9.95 else f"{value:.2g}%"


def number_text(value: float) -> str:
    """Return a utility as it stands above its bar."""
    return f"{value:.0f}".replace("-", "−") if value == round(value) and abs(value) < 1e7 else f"{value:.4g}".replace("-", "−")


def ratio_text(value: float) -> str:
    """Return ln of a ratio with its sign."""
    return f"{value:+.4f}".replace("-", "−") if abs(value) >= 0.0005 or not value else f"{value:+.1e}".replace("-", "−")
