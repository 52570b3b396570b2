"""The proof of Theorem A in THEORY.md, carried out step by step in fractions for mechanisms drawn at random."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from math import floor

import pytest

ONE = Fraction(1)


def private(n: int, outputs: int, alpha: Fraction, chance: random.Random) -> list[list[Fraction]]:
    """Rows of a private mechanism: smoothed at random, then mixed with a constant one until it is private."""
    rows = [[Fraction(chance.randint(0, 9)) for _ in range(outputs)] for _ in range(n + 1)]
    rows = [[max(alpha ** abs(i - k) * rows[k][r] for k in range(n + 1)) for r in range(outputs)] for i in range(n + 1)]
    filler = max(map(sum, rows)) + chance.randint(0, 3) + Fraction(1, 7)
    sums = [sum(row) for row in rows]
    while any(alpha * (filler - a) > filler - b or alpha * (filler - b) > filler - a for a, b in pairwise(sums)):
        filler += 1
    place = chance.randrange(outputs + 1)
    return [[value / filler for value in (*row[:place], filler - sum(row), *row[place:])] for row in rows]


def tails(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Phi_t(i) = Pr[R > t | i], t first."""
    return [[sum(row[t + 1 :], Fraction(0)) for row in rows] for t in range(len(rows[0]) - 1)]


def dominating(rows: list[list[Fraction]], peaks: list[int], alpha: Fraction) -> list[list[Fraction]]:
    """Steps (a) and (b): the tails Phi*_t."""
    n, found = len(rows) - 1, []
    for t, tail in enumerate(tails(rows)):
        below = [i for i in range(n + 1) if peaks[i] <= t]
        if not below:
            found.append([ONE] * (n + 1))
            continue
        orbit = dict.fromkeys(range(n + 1), ONE)
        orbit[below[-1]] = tail[below[-1]]
        for i in range(below[-1], n):
            orbit[i + 1] = min(orbit[i] / alpha, 1 - alpha * (1 - orbit[i]))
        for i in range(below[-1], 0, -1):
            orbit[i - 1] = max(alpha * orbit[i], 1 - (1 - orbit[i]) / alpha)
        found.append([orbit[i] for i in range(n + 1)])
    return found


def place(orbit: list[Fraction], n: int, alpha: Fraction) -> Fraction:
    """Step (d): s = j + lambda with orbit = (1 - lambda) tau_j + lambda tau_{j+1}."""
    kink = alpha / (1 + alpha)
    k = next((i for i in range(n + 1) if orbit[i] >= kink), n)
    high = ONE if k == 0 else 1 / (1 + alpha)
    low = Fraction(0) if k == n else kink
    assert low <= orbit[k] <= high
    return k - 1 + (high - orbit[k]) / (high - low)


def geometric_tail(j: int, i: int, n: int, alpha: Fraction) -> Fraction:
    if j < 0 or j >= n:
        return Fraction(int(j < 0))
    return alpha ** (j + 1 - i) / (1 + alpha) if i <= j else 1 - alpha ** (i - j) / (1 + alpha)


@pytest.mark.parametrize("seed", range(40))
def test_a_remap_of_the_geometric_mechanism_is_as_good_in_every_row(seed: int) -> None:
    chance = random.Random(seed)
    n, alpha = chance.randint(1, 5), Fraction(chance.randint(1, 9), 10)
    rows = private(n, chance.randint(1, 6), alpha, chance)
    outputs = len(rows[0])
    for x, y in pairwise(rows):
        assert sum(x) == sum(y) == 1
        assert all(alpha * a <= b <= a / alpha for a, b in zip(x, y, strict=True))
    peaks = sorted(chance.randrange(outputs) for _ in range(n + 1))
    better = dominating(rows, peaks, alpha)
    places = [place(orbit, n, alpha) for orbit in better]
    assert places == sorted(places), "step (c)"
    for s, orbit in zip(places, better, strict=True):
        j = min(floor(s), n - 1)
        lower, upper = ([geometric_tail(k, i, n, alpha) for i in range(n + 1)] for k in (j, j + 1))
        mixed = [(1 - s + j) * a + (s - j) * b for a, b in zip(lower, upper, strict=True)]
        assert mixed == orbit, "steps (d) and (e)"
    for _ in range(5):
        for i in range(n + 1):
            rises = [chance.randint(0, 9) for _ in range(outputs - 1)]
            steps = [rise if t >= peaks[i] else -rise for t, rise in enumerate(rises)]
            saved = (step * (tail[i] - star[i]) for step, tail, star in zip(steps, tails(rows), better, strict=True))
            assert sum(saved) >= 0, "no row costs more"
