"""Sensitivities, checked against every pair of small databases."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from dpdesigner.core.basics import sensitivity
from dpdesigner.core.basics.sensitivity import Neighbours, Sensitivity
from dpdesigner.errors import InputError

BITS = tuple(product((0, 1), repeat=2))
BOTH: tuple[Neighbours, ...] = ("add-remove", "replace")
Rows = tuple[tuple[int, int], ...]


def largest_change(query: Callable[..., Sequence[int | Fraction]], domain: Sequence, n: int, neighbours: Neighbours):  # type: ignore[no-untyped-def, type-arg]
    """The sensitivity of a query on databases of n rows by trying every pair of neighbours; a removed row leaves n - 1."""
    largest = Fraction(0)
    for rows in product(domain, repeat=n):
        for place in range(n):
            before, after = rows[:place], rows[place + 1 :]
            others = [(*before, row, *after) for row in domain] if neighbours == "replace" else [before + after]
            for other in others:
                largest = max(largest, sum(abs(a - b) for a, b in zip(query(rows), query(other), strict=True)))
    return largest


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


@pytest.mark.parametrize("neighbours", BOTH)
def test_bounded_means(neighbours: Neighbours) -> None:
    """Of 3 values, of which one may be removed."""
    found = largest_change(lambda values: [Fraction(sum(values), len(values))], (-2, 0, 5), 3, neighbours)
    assert found == sensitivity.bounded_mean(-2, 5, 3, neighbours).value == Fraction(7, 3)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="add-remove or replace"):
        sensitivity.histogram("either")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        sensitivity.separate_counts(0, "replace")
    with pytest.raises(InputError):
        sensitivity.bounded_sum(2, 2, "replace")
    with pytest.raises(InputError, match="at least one row"):
        sensitivity.bounded_mean(0, 1, 0, "replace")
    assert Sensitivity(Fraction(1), "so.").value == 1


def test_a_number_of_many_digits_is_cut_in_the_sentence() -> None:
    with pytest.raises(InputError, match=r"^the lower bound must be below the upper one, got 1{40,57}\.\.\. and 1\.$"):
        sensitivity.bounded_sum("1" * 900, 1, "replace")
