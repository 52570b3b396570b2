"""Curves with more points than pixels look as they would with all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from dpdesigner.desktop.plots.axis_layer import log_ticks
from dpdesigner.desktop.plots.cost_bars import longest_bar
from dpdesigner.desktop.plots.line_shapes import band, is_band, thinned, uncovered

AREA = QRectF(10, 20, 200, 100)


@given(st.integers(0, 2**32 - 1), st.integers(401, 3000))
def test_thinned_curves_keep_the_extremes_of_every_column(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    line = np.column_stack([np.sort(rng.uniform(10, 210, size)), rng.uniform(20, 120, size)])
    found = thinned(line, AREA)
    assert len(found) <= 2 * 200 + 4
    for column in range(10, 210):
        here, there = (part[np.floor(part[:, 0]) == column, 1] for part in (line, found))
        if len(here):
            assert (here.min(), here.max()) == (there.min(), there.max())
    assert (found[0] == line[0]).all() and (found[-1] == line[-1]).all()


def test_short_curves_and_gaps_are_left_alone() -> None:
    short = np.column_stack([np.linspace(10, 210, 300), np.full(300, 50.0)])
    assert thinned(short, AREA) is short and not is_band(short, AREA)
    gaps = np.tile(short, (3, 1))
    gaps[7] = np.nan
    assert thinned(gaps, AREA) is gaps


def test_a_curve_has_a_gap_where_another_covers_it() -> None:
    x = np.arange(5.0)
    line, above = np.column_stack([x, [9, 5, 3, 3, 3]]), np.column_stack([x, [7, 5, 3, 3, 3]])
    found = uncovered(line, [above])
    assert (found[:2] == line[:2]).all() and np.isnan(found[2:]).all(), "down to where they meet"
    assert (uncovered(line, [above[:3]]) == line).all() and uncovered(line, []) is line


@pytest.mark.parametrize("periods", [150, 2000])
def test_a_dense_square_wave_is_a_band(periods: int) -> None:
    x = np.repeat(np.linspace(10, 210, 2 * periods), 2)[1:-1]
    line = np.column_stack([x, np.tile([30.0, 30.0, 110.0, 110.0], periods)[: len(x)]])
    assert is_band(line, AREA)
    boxes = band(line, AREA, 2)
    assert len(boxes) >= 199 and min(box.top() for box in boxes) == pytest.approx(30, abs=1.1)
    assert max(box.bottom() for box in boxes) == pytest.approx(110, abs=1.1)
    assert all(box.height() >= 2 for box in boxes)


def test_spikes_are_boxes_where_they_stand() -> None:
    places, heights = np.linspace(10, 209, 300), np.linspace(40, 100, 300)
    line = np.column_stack([np.repeat(places, 3), np.column_stack([np.full(300, 120.0), heights, np.full(300, np.nan)]).ravel()])
    assert is_band(line, AREA)
    boxes = band(line, AREA, 2)
    assert len(boxes) == 200 and boxes[0].top() == pytest.approx(40) and boxes[0].bottom() == pytest.approx(120)
    assert band(np.full((500, 2), np.nan), AREA, 2) == []


@pytest.mark.parametrize(
    ("values", "longest"), [([], 0), ([-3], 0), ([1, 2, 3.8], 3.8), ([1, 1.1, 40], 1.1 * 1.3), ([1, 50, 60], 1.3), ([2, 11], 11)]
)
def test_a_huge_cost_does_not_flatten_the_others(values: list[float], longest: float) -> None:
    assert longest_bar(values) == pytest.approx(longest)


def test_logarithmic_ticks_of_a_linear_range_do_not_hang() -> None:
    assert len(log_ticks(0.0, 1e12, 10)) <= 10 and log_ticks(400, 500, 5) == []
