"""The other small programs: vertices, sensitivities, noise on whole numbers, worst cases, the optimal face."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from dpdesigner.core.basics.sensitivity import Sensitivities, sensitivities
from dpdesigner.core.mechanism.adjacency_graphs import (
    best_integer_noise,
    derivable,
    kinds,
    least_worst_distance,
    optimal_face,
    rays,
    vertices,
)
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.progress import silent


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
