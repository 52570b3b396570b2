"""Cells of an axis, and the worst interval against a search of all."""

from fractions import Fraction

import numpy as np
import pytest

from dpdesigner.core.synthetic.cells import Cells, drawn_counts, running_total, worst_interval
from dpdesigner.errors import InputError


def test_cells_are_half_open():
    cells = Cells(Fraction(0), Fraction(8), 3)
    assert cells.counts([0, 0.999, 1, 7, 7.999]).tolist() == [2, 1, 0, 0, 0, 0, 0, 2]
    assert cells.outside([3, 8]) == 1 and cells.outside([0, 7.9]) is None and cells.outside([-1e-9]) == 0
    assert cells.outside([np.nan]) == 0


def test_edges_are_the_nearest_doubles():
    cells = Cells(Fraction(1, 10), Fraction(9, 10), 3)
    assert cells.edges.tolist() == [float(Fraction(k + 1, 10)) for k in range(9)]
    odd = Cells(Fraction(10**20), Fraction(10**20) + 10**6, 2)
    assert odd.edges.tolist() == [float(Fraction(10**20) + 250_000 * k) for k in range(5)]


def test_made_up_rows_are_whole_where_the_edges_are():
    assert Cells(Fraction(0), Fraction(8), 3).values([0, 2, 0, 0, 0, 0, 0, 1]).tolist() == [1, 1, 7]
    assert Cells(Fraction(0), Fraction(1), 1).places.tolist() == [0.25, 0.75]
    assert Cells(Fraction(0), Fraction(16), 2).places.tolist() == [2, 6, 10, 14]


@pytest.mark.parametrize(("low", "high", "bits"), [(0, 1, 0), (0, 1, 21), (1, 1, 3), (2, 1, 3)])
def test_what_is_no_axis_is_refused(low, high, bits):
    with pytest.raises(InputError):
        Cells(Fraction(low), Fraction(high), bits)


def test_the_worst_interval_is_the_worst_of_all():
    generator = np.random.default_rng(3)
    for _ in range(50):
        real, made = generator.integers(0, 9, (2, 12))
        found = worst_interval(real, made)
        errors = {(a, b): int((made - real)[a:b].sum()) for a in range(12) for b in range(a + 1, 13)}
        assert abs(found.error) == max(map(abs, errors.values())) and errors[found.low, found.high] == found.error
    assert worst_interval([1, 2], [1, 2]).error == 0


@pytest.mark.parametrize(
    ("shape", "rows", "size"), [([1], 300, 128), ([1, 2, 5, 3], 1000, 32), ([0, 1, 0], 7, 4), ([3, 1], 5, 1024)]
)
def test_a_drawn_column_lies_as_it_was_drawn(shape, rows, size):
    counts = drawn_counts(shape, rows, size)
    assert counts.sum() == rows and counts.min() >= 0 and len(counts) == size
    below = np.concatenate([[0], np.cumsum(shape)]) / sum(shape) * rows
    wanted = np.interp(np.arange(size + 1) / size, np.arange(len(below)) / len(shape), below)
    assert np.abs(running_total(counts) - wanted).max() <= 0.5 + 1e-9


def test_the_nearest_edge_is_found():
    cells = Cells(Fraction(-10), Fraction(10), 2)
    assert [cells.nearest_edge(value) for value in (-99, -8, -7, 0.1, 99)] == [0, 0, 1, 2, 4]
