"""What the four strips show, as numbers and words: one column an option, cause above effect."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.desktop.theme.translation import tr


@dataclass(frozen=True, eq=False)
class Strips:
    """Four strips over the same columns.

    Attributes
    ----------
    names : tuple of str
    utilities, chances, moves, ratios : ndarray
        (k,) each: utilities; how likely each option is; by how many Delta the neighbour moves it; ln of the ratio.
    rival : ndarray or None
        The chances of the rule that is compared with, and its name.
    rival_name, rule_name : str
    epsilon : float
        The band of the ratios.
    counted : bool
        Whether utilities are numbers of people.
    movable : tuple of bool
        Whether utilities and moves can be dragged.
    line : bool
        Whether the options are the cells of an interval.
    drawn : ndarray or None
        How often each was drawn.
    """

    names: tuple[str, ...]
    utilities: Floats
    chances: Floats
    moves: Floats
    ratios: Floats
    epsilon: float
    rule_name: str
    rival: Floats | None = None
    rival_name: str = ""
    counted: bool = False
    movable: tuple[bool, bool] = (True, True)
    line: bool = False
    drawn: Integers | None = None

    @property
    def size(self) -> int:
        """How many options there are."""
        return len(self.names)

    @property
    def whole(self) -> bool:
        """Whether all utilities are whole numbers."""
        return bool((self.utilities == np.round(self.utilities)).all())

    def rows(self) -> list[list[str]]:
        """Return all numbers with a header, for the clipboard."""
        header = ["option", "utility", "chance", "moves by", "ln ratio"]
        columns = (self.utilities, self.chances, self.moves, self.ratios)
        return [header, *([name, *map(repr, row)] for name, row in zip(self.names, np.array(columns).T.tolist(), strict=True))]


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


def read(strips: Strips, option: int) -> str:
    """Return an option in words, for the screen reader and under the mouse."""
    words = tr("{name}, {utility}, announced {chance}, ln ratio {ratio}")
    if strips.counted:
        words = tr("{name}, {utility} people, announced {chance}, ln ratio {ratio}")
    chance, ratio = percent(float(strips.chances[option])), ratio_text(float(strips.ratios[option]))
    return words.format(
        name=strips.names[option], utility=number_text(float(strips.utilities[option])), chance=chance, ratio=ratio
    )


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
