"""A synthetic column by multiplicative weights (MWEM; Hardt, Ligett and McSherry, 2012) for interval queries.

In each of T rounds the exponential mechanism chooses an interval that the column made so far gets wrong, its count is taken with
geometric noise, and the weights of its cells move towards that count. Each round has eps / T, half of it to choose: weights
exp(eps / (4 T) |error|), the error in whole rows, and half to count: noise of ratio exp(-eps / (2 T)). Replacing, adding or
removing a row moves the count of an interval by at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import Query, running_total
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise, weighted_choice
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

MOST_BITS = 10
ROUNDS = 10
_PASSES = 20  # over all counts so far, after each round


@dataclass(frozen=True, eq=False)
class Weighted:
    """A release by multiplicative weights: the count of each round, and the made-up counts."""

    rounds: tuple[Query, ...]
    counts: Integers


def multiplicative_weights(
    counts: ArrayLike,
    epsilon: Fraction,
    total: int,
    rounds: int = ROUNDS,
    source: Source = SYSTEM,
    progress: Progress = silent,
) -> Weighted:
    """Release a column by multiplicative weights.

    Parameters
    ----------
    counts : array_like of int
        (2^bits,), bits at most 10: the real counts.
    epsilon : Fraction
    total : int
        The public number of rows, or what was released of it.
    rounds : int
    source : Source
    progress : callable
        May raise to stop.
    """
    totals = running_total(counts)
    size = len(totals) - 1
    if size > 1 << MOST_BITS:
        raise InputError(f"multiplicative weights are for at most {MOST_BITS} bits of cells, got more.", "bits", str(MOST_BITS))
    choosing, counting = (PrivacyLevel.from_epsilon(epsilon / (share * rounds)) for share in (4, 2))
    guess = np.full(size, total / size)
    measured: list[Query] = []
    for number in range(rounds):
        progress(number / rounds, "")
        low, high = _chosen(totals, guess, choosing, source)
        answer = int(totals[high] - totals[low]) + int(geometric_noise(counting, 1, source)[0])
        measured.append(Query(low, high, answer))
        guess = _moved(guess, measured, total)
    whole = np.floor(np.concatenate([[0.0], np.cumsum(guess)]) + 0.5).astype(np.int64)
    whole[-1] = total
    return Weighted(tuple(measured), np.diff(np.minimum(whole, total)))


def _chosen(totals: Integers, guess: Floats, level: PrivacyLevel, source: Source) -> tuple[int, int]:
    """An interval, the more likely the further its count is off; what is made up is rounded first, so that errors are whole."""
    made = np.floor(np.concatenate([[0.0], np.cumsum(guess)]) + 0.5).astype(np.int64)
    path = totals - made
    size = len(path)
    errors = np.abs(path[np.newaxis, :] - path[:, np.newaxis])[np.triu_indices(size, 1)]
    place = weighted_choice(-errors, level, source)
    starts = np.cumsum(np.arange(size - 1, 0, -1))
    low = int(np.searchsorted(starts, place, side="right"))
    return low, low + 1 + place - (int(starts[low - 1]) if low else 0)


def _moved(guess: Floats, rounds: list[Query], total: int) -> Floats:
    """Weights moved towards what was counted, several times over: what was released may be used as often as one likes."""
    if total <= 0:
        return guess
    weights = guess.copy()
    for _ in range(_PASSES):
        for each in reversed(rounds):
            off = (each.answer - weights[each.low : each.high].sum()) / (2 * total)
            weights[each.low : each.high] *= np.exp(np.clip(off, -20, 20))
            weights *= total / weights.sum()
    return weights
