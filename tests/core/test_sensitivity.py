"""Sensitivities, checked against every pair of small databases."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from dpdesigner.core import sensitivity
from dpdesigner.core.sensitivity import Neighbours, Sensitivity, largest_change
from dpdesigner.errors import InputError

BITS = tuple(product((0, 1), repeat=2))
BOTH: tuple[Neighbours, ...] = ("add-remove", "replace")
Rows = tuple[tuple[int, int], ...]


def conjunction(rows: Rows) -> Sequence[int]:
    return [sum(a and b for a, b in rows)]


def bits(rows: Rows) -> Sequence[int]:
    return [sum(a for a, _ in rows), sum(b for _, b in rows)]


def cells(rows: Rows) -> Sequence[int]:
    return [sum(row == cell for row in rows) for cell in BITS]


@pytest.mark.parametrize("neighbours", BOTH)
def test_against_every_pair_of_neighbours(neighbours: Neighbours) -> None:
    assert largest_change(conjunction, BITS, 3, neighbours) == sensitivity.count(neighbours).value == 1
    assert largest_change(bits, BITS, 3, neighbours) == sensitivity.separate_counts(2, neighbours).value == 2
    histogram = {"add-remove": 1, "replace": 2}[neighbours]
    assert largest_change(cells, BITS, 3, neighbours) == sensitivity.histogram(neighbours).value == histogram


@pytest.mark.parametrize("neighbours", BOTH)
def test_bounded_sums(neighbours: Neighbours) -> None:
    found = largest_change(lambda rows: [sum(rows)], (-2, 0, 5), 3, neighbours)
    assert found == sensitivity.bounded_sum(-2, 5, neighbours).value == {"add-remove": 5, "replace": 7}[neighbours]


def test_vectors_add_up() -> None:
    parts = [sensitivity.count("replace"), sensitivity.histogram("replace"), sensitivity.bounded_sum("0", "1/2", "replace")]
    assert sensitivity.together(parts).value == Fraction(7, 2)
    assert all(part.reason.endswith(".") for part in parts)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="add-remove or replace"):
        sensitivity.histogram("either")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        sensitivity.separate_counts(0, "replace")
    with pytest.raises(InputError):
        sensitivity.bounded_sum(2, 2, "replace")
    with pytest.raises(InputError):
        sensitivity.together([])
    with pytest.raises(InputError, match="too many"):
        largest_change(lambda rows: [0], range(10), 9, "replace")
    assert Sensitivity(Fraction(1), "so.").value == 1
