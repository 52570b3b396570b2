"""What a count design costs beside other ways of releasing the count, and what these are called."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpdesigner.core.count.costs import Key, costs_of_others
from dpdesigner.messages import Message, message
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.study import Progress, silent


@dataclass(frozen=True)
class CostTable:
    """Expected losses of the same user under several mechanisms, or some of them; see `costs_of_others`."""

    design: CountDesign
    losses: tuple[tuple[Key, float | Fraction], ...]


_LABELS: dict[str, Message] = {
    "remapped": message("geometric + remap"),
    "laplace": message("with Laplace noise"),
    "ignore": message("ignoring the data"),
    "face": message("geometric, face value"),
    "staircase": message("staircase noise, best γ"),
    "half": message("staircase noise, γ = 1/2"),
}
_REAL: dict[str | None, Message] = {
    "mean": message("any real number (posterior mean)"),
    "whole": message("any real number (a whole one is best)"),
}


def label(key: Key, design: CountDesign) -> Message:
    """Return what a way of releasing the count is called, everywhere."""
    if key != "real":
        return _LABELS[key]
    from dpdesigner.core.count.alternatives import best_answers  # late: a window opens without it

    return _REAL.get(best_answers(design.loss), message("any real number (the best one)"))


def cost_table(design: CountDesign, progress: Progress = silent) -> CostTable:
    """Compute the expected losses of the alternatives for a design."""
    return CostTable(design, costs_of_others(design, progress))
