"""The influence of one person: the neighbouring vector of utilities that changes a probability most, for each option.

Neighbours of u are, with the sensitivity Delta:

- ``any``: every utility moves by at most Delta;
- ``changes``: one utility rises by Delta, another falls by Delta (an answer is changed);
- ``joins``: all utilities move the same way by at most Delta (a row is added or removed: monotone).

All rules here are the largest of u + independent noise whose distribution function F is log-concave. So the chance of an option
rises with its own utility and falls with every other; only differences of utilities count; and lowering another option by Delta
multiplies the chance, at every noisy value x, by F(x - u_j + Delta) / F(x - u_j), which is the larger the higher u_j is. Hence
the chance of option r is moved most by moving r alone, relative to the others, by 2 Delta (``any``) or Delta (``joins``),
either way, and for ``changes`` by moving r by Delta and the best of the others by Delta the other way: two vectors an option,
not all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.mechanisms import chance_of_one, exponential_logs, laplace_logs, permute_and_flip_logs
from dpdesigner.progress import Progress, silent

#: Ratios that differ by less than this count as equal.
_ALIKE = 1e-11
Neighbours = Literal["any", "changes", "joins"]
Noise = Literal["gumbel", "exponential", "laplace"]

LOGS: dict[Noise, Callable[[Floats], Floats]] = {
    "gumbel": exponential_logs,
    "exponential": permute_and_flip_logs,
    "laplace": laplace_logs,
}


@dataclass(frozen=True)
class Worst:
    """The neighbour that changes a probability most.

    Attributes
    ----------
    ratio : float
        |ln| of the ratio of that chance.
    option : int
        Whose chance it is.
    rises : bool
        Whether the option's own utility rises, or falls.
    other : int or None
        The option whose utility moves the other way, where only one does.
    """

    ratio: float
    option: int
    rises: bool
    other: int | None = None

    def moves(self, size: int, neighbours: Neighbours) -> Floats:
        """Return by how much each utility moves, in units of Delta."""
        sign = 1.0 if self.rises else -1.0
        moves = np.full(size, -sign if neighbours == "any" else 0.0)
        moves[self.option] = sign
        if self.other is not None:
            moves[self.other] = -sign
        return moves


def worst(
    noise: Noise,
    exponents: Floats,
    step: float,
    neighbours: Neighbours,
    progress: Progress = silent,
    base: Floats | None = None,
) -> Worst:
    """Return the worst neighbour of a vector.

    Parameters
    ----------
    noise : {"gumbel", "exponential", "laplace"}
        The rule, as the noise of which it is the largest: exponential mechanism, permute-and-flip, Laplace.
    exponents : ndarray
        (k,), k >= 2: utilities in units of the noise's scale, the largest 0.
    step : float
        Delta in the same units.
    neighbours : {"any", "changes", "joins"}
    progress : Progress
    base : ndarray, optional
        (k,): ln of the base measure, with "gumbel"; an option of none is never chosen, and tells nothing.
    """
    logs = LOGS[noise](exponents) if base is None else exponential_logs(exponents, base)
    best, second = np.argsort(-(exponents if base is None else logs), kind="stable")[:2].tolist()
    worst_yet = Worst(-1.0, 0, True)
    for sign in (1.0, -1.0):
        moved = _moved(noise, exponents, logs, sign * step, neighbours, (best, second), progress)
        ratios = np.abs(np.subtract(moved, logs, out=np.zeros_like(logs), where=np.isfinite(logs)))
        # If several options move equally far, the most likely of them reveals most.
        option = int(np.argmax(np.where(ratios >= ratios.max() - _ALIKE, logs, -np.inf)))
        if ratios[option] > worst_yet.ratio + (_ALIKE if logs[option] <= logs[worst_yet.option] else -_ALIKE):
            other = (second if option == best else best) if neighbours == "changes" else None
            worst_yet = Worst(float(ratios[option]), option, sign > 0, other)
    return worst_yet


def guarantee(rate_step: float, neighbours: Neighbours) -> float:
    """Return the supremum of the log ratio over all vectors: Delta in units of the scale, twice that unless monotone."""
    return rate_step if neighbours == "joins" else 2 * rate_step


def _moved(
    noise: Noise, exponents: Floats, logs: Floats, step: float, neighbours: Neighbours, two: tuple[int, int], progress: Progress
) -> Floats:
    """Return each option's log probability at the vector that changes it most, its own utility moving by the sign of step."""
    best, second = two
    if noise == "gumbel":
        chances = np.exp(logs)
        own = step if neighbours == "joins" else 2 * step
        if neighbours != "changes":
            likeliest = int(logs.argmax())
            with np.errstate(divide="ignore"):  # log 0 if the likeliest has probability 1; its rest is summed below
                rest = np.log1p(-chances)
            rest[likeliest] = np.logaddexp.reduce(np.delete(logs, likeliest))
            return np.asarray(logs + own - np.logaddexp(rest, logs + own))
        others = np.where(np.arange(len(chances)) == best, chances[second], chances[best])
        return np.asarray(logs + step - np.log1p(math.expm1(step) * chances + math.expm1(-step) * others))
    others = np.full(len(exponents), best)
    others[best] = second
    own = 2 * step if neighbours == "any" else step
    moved = np.empty(len(exponents))
    seen: dict[tuple[float, bool], float] = {}
    for option, value in enumerate(exponents.tolist()):
        alike = (value, option == best)
        if alike not in seen:
            progress((step < 0) / 2 + (option + 1) / (2 * len(moved)))
            changed = exponents.copy()
            changed[option] += own
            if neighbours == "changes":
                changed[others[option]] -= step
            seen[alike] = _chance(noise, changed, option)
        moved[option] = seen[alike]
    return moved


def _chance(noise: Noise, exponents: Floats, option: int) -> float:
    if noise == "exponential":
        return chance_of_one(float(exponents[option]), np.delete(exponents, option))
    return float(LOGS[noise](exponents - exponents.max())[option])
