"""Least costs on graphs of databases, against numbers known from elsewhere, each with its proof in fractions."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from dpdesigner.core.mechanism.adjacency_graphs import best_mechanism, databases, edges

HALF = F(1, 2)


def binary(prior: list[F], outputs: int) -> list[list[F]]:
    return [[p * (i != r) for r in range(outputs)] for i, p in enumerate(prior)]


def test_a_path_is_a_count_query() -> None:
    for n in (1, 3, 5):
        found = best_mechanism(binary([HALF] + [F(0)] * (n - 1) + [HALF], n + 1), HALF, [(i, i + 1) for i in range(n)])
        assert found.proved and found.value == found.bound == HALF ** ((n + 1) // 2) / (1 + HALF)


# The triangle: alone 2a/(1 + 2a) and a/(1 + a); together a(1 - a)/(2 (1 + 2a)(1 + a)) more, for a up to 1/2.
@pytest.mark.parametrize("alpha", [F(1, 10), F(3, 10), HALF])
def test_two_users_of_a_triangle_cannot_share(alpha: F) -> None:
    joined = [(0, 1), (1, 2), (0, 2)]
    one, two = binary([F(1, 3)] * 3, 3), binary([HALF, HALF, F(0)], 3)
    shared = [[a + b for a in row for b in other] for row, other in zip(one, two, strict=True)]
    alone, other, both = (best_mechanism(costs, alpha, joined) for costs in (one, two, shared))
    assert alone.value == 2 * alpha / (1 + 2 * alpha) and other.value == alpha / (1 + alpha)
    assert both.proved and both.value - alone.value - other.value == alpha * (1 - alpha) / (2 * (1 + 2 * alpha) * (1 + alpha))


def test_the_star_of_three() -> None:
    joined = [(0, 1), (0, 2), (0, 3)]
    far = [[F(0 if d == r else 1 if 0 in (d, r) else 2) for r in range(4)] for d in range(4)]
    priors = [[F(k, 12) for k in (1, 5, 5, 1)], [F(k, 8) for k in (0, 6, 1, 1)]]
    one, two = ([[p * x for x in row] for p, row in zip(prior, far, strict=True)] for prior in priors)
    shared = [[a + b for a in row for b in other] for row, other in zip(one, two, strict=True)]
    alone, other, both = (best_mechanism(costs, HALF, joined).value for costs in (one, two, shared))
    assert both - alone - other == F(1, 24)


def test_what_cannot_be_proved_is_a_double_with_a_bound() -> None:
    alpha = F("0.123456789123456789")
    found = best_mechanism(binary([F(1, 4)] * 4, 4), alpha, [(0, 1), (1, 2), (2, 3)])
    assert not found.proved and isinstance(found.value, float) and found.bound <= found.value + 1e-9
    assert float(found.bound) == pytest.approx(found.value, abs=1e-6)


def test_databases_and_their_neighbours() -> None:
    rows = databases(3)
    assert len(rows) == 8 and len(edges(rows)) == 12 and len(edges(databases(3, 3))) == 27 * 6 // 2
