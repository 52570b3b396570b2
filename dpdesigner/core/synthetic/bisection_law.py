"""The law of bisection, in full, for tiny domains: every output with its probability, and the privacy that it really has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import exp, log

import numpy as np

from dpdesigner.core.synthetic.bisection import Plan
from dpdesigner.errors import InputError

MOST_BITS, MOST_ROWS = 3, 4
_ROUNDING = 1e-12

Law = Mapping[tuple[int, ...], float]
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


def exact_privacy(plan: Plan, *, joins: bool = False) -> ExactPrivacy:
    """Return the privacy that bisection really has, over all databases of ``plan.rows`` rows and all their neighbours.

    Parameters
    ----------
    plan : Plan
        Bits at most 3, rows at most 4.
    joins : bool
        Whether neighbours have a row more or less (n then stands for what was made known of it), rather than one replaced.
    """
    if plan.rows > MOST_ROWS:
        raise InputError(f"the privacy is enumerated for at most {MOST_ROWS} rows, got {plan.rows}.", "rows")
    size = 1 << plan.bits
    sizes = (plan.rows, plan.rows + 1) if joins else (plan.rows,)
    laws = {base: law(base, plan) for rows in sizes for base in databases(size, rows)}
    worst = ExactPrivacy(0.0, (), (), ())
    for one, other in _neighbours(laws, size):
        for output, chance in laws[one].items():
            ratio = abs(log(chance / laws[other][output]))
            if ratio > worst.epsilon:
                worst = ExactPrivacy(ratio, output, one, other)
    return ExactPrivacy(worst.epsilon * (1 + _ROUNDING), worst.output, worst.one, worst.other)


def databases(size: int, rows: int) -> Iterator[Database]:
    """Yield the counts of every database of so many rows in so many cells, in the order of multisets."""
    for chosen in combinations_with_replacement(range(size), rows):
        yield tuple(np.bincount(np.array(chosen, dtype=np.int64), minlength=size).tolist())


def _neighbours(laws: Mapping[Database, Law], size: int) -> Iterator[tuple[Database, Database]]:
    for one in laws:
        for into in range(size):
            added = _moved(one, into, 1)
            if added in laws:
                yield one, added
            for out in range(size):
                if one[out] and out != into and (other := _moved(added, out, -1)) in laws:
                    yield one, other


def _moved(base: Database, place: int, by: int) -> Database:
    return (*base[:place], base[place] + by, *base[place + 1 :])
