"""How much of a table epsilon leaves uncovered, exactly: the largest sum over releases of (P - t Q)+ of neighbouring rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple


class Uncovered(NamedTuple):
    """The delta that epsilon does not cover, and its rows.

    Attributes
    ----------
    delta : Fraction
        Exactly.
    row, neighbour : int
        The first pair for which it is that much: sum over releases of (x[row] - t x[neighbour])+.
    """

    delta: Fraction
    row: int = 0
    neighbour: int = 0


def uncovered(rows: Sequence[Sequence[Decimal | Fraction]], ratio: Fraction) -> Uncovered:
    """Return the delta that a table has at the ratio t = e^epsilon, over all neighbouring rows in both orders.

    Parameters
    ----------
    rows : sequence of sequence of Decimal or Fraction
        Row i is of the true result i.
    ratio : Fraction
        At least 1; a ratio below the true one gives a delta that is certainly not too small.
    """
    worst = Uncovered(Fraction(0), 0, min(1, len(rows) - 1))
    above, below = ratio.numerator, ratio.denominator
    weights, units = zip(*map(_whole, rows), strict=True)
    for i in range(len(rows) - 1):
        unit = math.lcm(units[i], units[i + 1])
        upper = [weight * (unit // units[i]) for weight in weights[i]]
        lower = [weight * (unit // units[i + 1]) for weight in weights[i + 1]]
        for mine, theirs, row, neighbour in ((upper, lower, i, i + 1), (lower, upper, i + 1, i)):
            excess = sum(over for p, q in zip(mine, theirs, strict=True) if (over := p * below - q * above) > 0)
            if excess * worst.delta.denominator > worst.delta.numerator * unit * below:
                worst = Uncovered(Fraction(excess, unit * below), row, neighbour)
    return worst


def _whole(row: Sequence[Decimal | Fraction]) -> tuple[list[int], int]:
    """A row as whole numbers over one denominator."""
    ratios = [entry.as_integer_ratio() for entry in row]
    unit = math.lcm(*(below for _, below in ratios))
    return [above * (unit // below) for above, below in ratios], unit
