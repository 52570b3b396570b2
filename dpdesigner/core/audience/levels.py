"""Several precisions from one draw: each more private release is drawn from the one before, and nothing more is learned of it.

G_b = G_a T with T = G_a^-1 G_b a table of chances where a <= b. So y_1 is drawn with the least private level, y_2 from y_1 by T,
and so on: whoever sees several of them learns what the least private tells. Independent draws would multiply instead.
"""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.mechanism import geometric
from dpdesigner.errors import InputError


def kernel(a: Fraction, b: Fraction, n: int) -> list[list[Fraction]]:
    """Return T, (n + 1, n + 1), which makes geometric noise at alpha = b out of that at alpha = a.

    Raises
    ------
    InputError
        Unless 0 <= a <= b < 1.
    """
    if not 0 <= a <= b < 1:
        raise InputError(
            f"a release can only be made more private: alpha must not fall from {a} to {b}, and be below 1.", "levels"
        )
    if n == 0:
        return [[Fraction(1)]]
    if a == 0:
        weights, powers = geometric.exact_weights(b, n), geometric.powers(b, n)
        return [[powers[abs(j - r)] * weights[r] for r in range(n + 1)] for j in range(n + 1)]
    fine, coarse, powers = geometric.exact_weights(a, n), geometric.exact_weights(b, n), geometric.powers(b, n)
    rows = []
    for j in range(n + 1):
        end = j in (0, n)
        beside = (1 - a / b) * (1 if end else 1 - a * b)
        own = 1 - a * b if end else 1 + a * a - 2 * a * b
        row = [own if r == j else powers[abs(j - r)] * beside for r in range(n + 1)]
        rows.append([value / (1 - a * a) * coarse[r] / fine[j] for r, value in enumerate(row)])
    return rows


def refined(a: Fraction, b: Fraction, n: int, true: int, released: int) -> list[Fraction]:
    """Return the chances of a more precise release at alpha = a, after one at alpha = b >= a was published.

    Both together are as private as the more precise one alone: the pair is as if `released` had been drawn from it.

    Parameters
    ----------
    a, b : Fraction
        0 < a <= b < 1.
    n : int
    true, released : int
        The true count, and what was published.
    """
    fine = geometric.powers(a, n)
    weights = geometric.exact_weights(a, n)
    made = kernel(a, b, n)
    chances = [fine[abs(true - y)] * weights[y] * made[y][released] for y in range(n + 1)]
    total = sum(chances, Fraction(0))
    return [chance / total for chance in chances]
