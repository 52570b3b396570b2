"""Least costs on graphs of databases, against numbers known from elsewhere, each with its proof in fractions."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from dpdesigner.core.basics.sensitivity import Sensitivities, sensitivities
from dpdesigner.core.mechanism.adjacency_graphs import (
    best_integer_noise,
    best_mechanism,
    databases,
    derivable,
    edges,
    kinds,
    least_worst_distance,
    optimal_face,
    rays,
    vertices,
)
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.progress import silent

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


def test_vertices_are_private_and_the_one_of_footnote_4_is_among_them() -> None:
    alpha = F(1, 2)
    found = vertices(2, 3, alpha)
    assert (len(found), len(kinds(found))) == (27, 5) and len(rays(2, alpha)) == 4
    for columns in found:
        assert all(sum(row) == 1 for row in zip(*columns, strict=True))
        assert all(alpha * x <= y and alpha * y <= x for column in columns for x, y in pairwise(column))
    (other,) = kinds([columns for columns in found if not derivable(columns, alpha)])
    assert set(other) == {(F(1, 3), F(2, 3), F(1, 3)), (F(2, 3), F(1, 3), F(2, 3)), (F(0), F(0), F(0))}


def test_sensitivities_by_going_through_all() -> None:
    assert sensitivities(3, False) == Sensitivities(1, 2, 2, 120) and sensitivities(3, True) == Sensitivities(1, 2, 1, 40)


def test_noise_on_whole_numbers() -> None:
    noise = best_integer_noise(1, 1e-3, silent)
    assert noise.chances[0] + 2 * sum(noise.chances[1:]) == pytest.approx(1) and noise.cost == pytest.approx(
        0.842984043, abs=1e-9
    )
    both = [*noise.chances[::-1], *noise.chances[1:], 0.0]
    assert sum(max(0.0, x - math.e * y) for x, y in zip([0.0, *both], both, strict=False)) <= 1e-3 + 1e-9
    with pytest.raises(InputError, match="delta must be large enough for noise within"):
        best_integer_noise(0, 1e-6, silent)


def test_the_worst_case_and_the_face() -> None:
    assert least_worst_distance(3, 0.25).value == pytest.approx(168 / 415, rel=1e-9)
    face = optimal_face(2, 0.5, silent)
    assert face.value == pytest.approx(1 - 2.5 / 4.5) and float(np.abs(face.high - face.low).max()) < 1e-9

    def stop(fraction: float | None, text: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        optimal_face(2, 0.5, stop)
