"""Tiny domains in full: all databases and pairs of neighbours, and of bisection every output with its probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import exp, log

import numpy as np

from dpdesigner.arrays import Integers
from dpdesigner.core.synthetic.bisection import Plan
from dpdesigner.errors import InputError

MOST_BITS, MOST_ROWS = 3, 4
_ROUNDING = 1e-12

Database = tuple[int, ...]


def law(counts: Sequence[int], plan: Plan) -> dict[tuple[int, ...], float]:
    """Return the probability of every way in which the cells can end.

    Parameters
    ----------
    counts : sequence of int
        (2^bits,), bits at most 3.
    plan : Plan

    Notes
    -----
    P(count + Z >= least) for two-sided geometric Z of ratio a = exp(-eps'): a^k / (1 + a) for k = least - count > 0, and
    1 - a^(1 - k) / (1 + a) otherwise. All paths of the bisections are followed.
    """
    if plan.bits > MOST_BITS:
        raise InputError(f"the law is enumerated for at most {MOST_BITS} bits, got {plan.bits}.", "bits")
    totals = np.concatenate([[0], np.cumsum(np.asarray(counts, dtype=np.int64))]).tolist()
    chances: dict[tuple[int, ...], float] = {}
    open_: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while open_:
        ends, chance = open_.pop()
        start = ends[-1] if ends else 0
        if start == 1 << plan.bits:
            chances[ends] = chances.get(ends, 0.0) + chance
            continue
        last = len(ends) == plan.most - 1
        for end, part in _ends(start, totals, plan) if not last else [(1 << plan.bits, 1.0)]:
            open_.append(((*ends, end), chance * part))
    return dict(sorted(chances.items()))


def _ends(start: int, totals: Sequence[int], plan: Plan) -> Iterator[tuple[int, float]]:
    waiting = [(start + 1, 1 << plan.bits, 1.0)]
    while waiting:
        low, high, chance = waiting.pop()
        if low == high:
            yield low, chance
            continue
        middle = (low + high) // 2
        above = at_least(totals[middle] - totals[start], plan)
        waiting += [(low, middle, chance * above), (middle + 1, high, chance * (1 - above))]


def at_least(count: int, plan: Plan) -> float:
    """Return the chance that a count with noise is at least ``plan.least``."""
    ratio, lacking = exp(-plan.query.epsilon), plan.least - count
    return ratio**lacking / (1 + ratio) if lacking > 0 else 1 - ratio ** (1 - lacking) / (1 + ratio)


@dataclass(frozen=True)
class ExactPrivacy:
    """The largest log ratio of two neighbours' probabilities of one output, rounded up, and where it is attained."""

    epsilon: float
    output: tuple[int, ...]
    one: Database
    other: Database


def exact_privacy(plan: Plan) -> ExactPrivacy:
    """Return the privacy that bisection really has, over all databases of ``plan.rows`` rows and all their neighbours."""
    every, ones, others = neighbours(plan.bits, plan.rows)
    bases = [tuple(base) for base in every.tolist()]
    laws = [law(base, plan) for base in bases]
    worst = ExactPrivacy(0.0, (), (), ())
    for one, other in zip(ones.tolist(), others.tolist(), strict=True):
        for output, chance in laws[one].items():
            ratio = abs(log(chance / laws[other][output]))
            if ratio > worst.epsilon:
                worst = ExactPrivacy(ratio, output, bases[one], bases[other])
    return replace(worst, epsilon=worst.epsilon * (1 + _ROUNDING))


@lru_cache(maxsize=32)
def neighbours(bits: int, rows: int) -> tuple[Integers, Integers, Integers]:
    """Return the counts of all databases of so many rows in 2^bits cells, and the places of all pairs that differ by one row.

    Returns
    -------
    counts : ndarray of int
        (databases, 2^bits).
    one, other : ndarray of int
        (pairs,): one row of `one` is replaced by another in `other`; each pair once.
    """
    if bits > MOST_BITS or not 0 < rows <= MOST_ROWS:
        allowed = f"{MOST_BITS} bits and from 1 to {MOST_ROWS} rows"
        raise InputError(f"all databases are tried for at most {allowed}, got {bits} bits and {rows} rows.", "bits")
    every = list(databases(1 << bits, rows))
    counts = np.array(every, dtype=np.int64)
    off = np.abs(counts[:, np.newaxis] - counts).sum(axis=2)
    one, other = np.nonzero(np.triu(off == 2))
    return counts, one.astype(np.int64), other.astype(np.int64)


def databases(size: int, rows: int) -> Iterator[Database]:
    """Yield the counts of every database of so many rows in so many cells, in the order of multisets."""
    for chosen in combinations_with_replacement(range(size), rows):
        yield tuple(np.bincount(np.array(chosen, dtype=np.int64), minlength=size).tolist())
