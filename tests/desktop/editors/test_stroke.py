"""Strokes: which bars they paint, and how high."""

from __future__ import annotations

from itertools import pairwise
from math import floor

import numpy as np
import pytest
from desktop.distributions import check, rules, weights
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.desktop.editors.weight_rules import Brush, Rules, Stroke

#: Pointer positions on a grid of eighths, so that no sum of them rounds.
_X = st.integers(-20, 200).map(lambda eighth: eighth / 8)
_Y = st.integers(0, 100).map(lambda eighth: eighth / 8)
_PATHS = st.lists(st.tuples(_X, _Y), min_size=1, max_size=8)


def run(stroke: Stroke, path: list[tuple[float, float]]) -> np.ndarray:
    found = stroke.press(*path[0])
    for x, y in path[1:]:
        found = stroke.move(x, y)
    return found.weights


@given(_PATHS)
def test_exactly_the_bars_crossed_are_painted(path: list[tuple[float, float]]) -> None:
    stroke = Stroke(np.ones(20), Brush(), Rules())
    after = run(stroke, path)
    crossed = {floor(path[0][0] + 0.5)}
    for (x0, _), (x1, _) in pairwise(path):
        first, last = sorted((floor(x0 + 0.5), floor(x1 + 0.5)))
        crossed |= set(range(first, last + 1))
    assert set(np.flatnonzero(stroke.touched)) == crossed & set(range(20))
    assert np.all(after[~stroke.touched] == 1)


@given(st.data())
def test_every_stroke_leaves_a_distribution(data: st.DataObject) -> None:
    before = data.draw(weights())
    kept_to = data.draw(rules(len(before)))
    brush = Brush(data.draw(st.integers(0, 6)), data.draw(st.sampled_from([0.0, 0.5, 1.0])))
    check(before, run(Stroke(before, brush, kept_to, erasing=data.draw(st.booleans())), data.draw(_PATHS)), kept_to)


@given(st.floats(0, 30), st.floats(0, 30), st.integers(0, 4), st.integers(1, 9))
def test_a_line_is_the_same_however_seldom_the_mouse_reports(x0: float, x1: float, reach: int, reports: int) -> None:
    before, brush = np.full(31, 0.5), Brush(reach, 0.5)
    xs, ys = np.linspace(x0, x1, reports + 1), np.linspace(1, 1 + abs(x1 - x0) / 50, reports + 1)
    line = list(zip(xs, ys, strict=True))
    at_once, in_steps = Stroke(before, brush, Rules()), Stroke(before, brush, Rules())
    one, many = run(at_once, [line[0], line[-1]]), run(in_steps, line)
    assert np.array_equal(in_steps.touched, at_once.touched)
    # A bar in which the mouse reported stands at that height, not at that of the line over its middle: half a bar's slope.
    assert np.allclose(many, one, atol=0.02)


def test_the_bar_under_the_pointer_is_as_high_as_the_pointer() -> None:
    stroke = Stroke(np.ones(10), Brush(), Rules())
    assert stroke.press(2.3, 0.25).weights[2] == 0.25
    after = stroke.move(5.4, 0.75).weights
    assert after[5] == 0.75
    assert after[2] == 0.25
    assert after[3] == pytest.approx(0.25 + 0.5 * (3 - 2.3) / 3.1, abs=1e-4)
    assert stroke.move(5.2, 2.5).weights[5] == 2.5


def test_straight_lines_start_at_the_press_and_forget_the_rest() -> None:
    stroke = Stroke(np.ones(10), Brush(), Rules())
    stroke.press(1, 0.0)
    stroke.move(8, 3.0)
    after = stroke.move(5, 0.4, straight=True).weights
    assert after == pytest.approx([1, 0, 0.1, 0.2, 0.3, 0.4, 1, 1, 1, 1])
    assert stroke.move(6, 0.8).weights[4:7] == pytest.approx([0.3, 0.4, 0.8])


def test_a_soft_brush_fades_to_both_sides() -> None:
    after = Stroke(np.zeros(9) + 1, Brush(3, 1.0), Rules()).press(4, 2.0).weights
    assert after == pytest.approx(after[::-1])
    assert np.all(np.diff(after[:5]) > 0) or after[0] == 1
    assert (after[0], after[4]) == (1, 2)
    assert Stroke(np.ones(9), Brush(1, 0.0), Rules()).press(4, 2.0).weights.tolist() == [1, 1, 1, 2, 2, 2, 1, 1, 1]


def test_erasing_sets_bars_to_zero_wherever_the_pointer_is() -> None:
    stroke = Stroke(np.ones(6), Brush(), Rules(), erasing=True)
    stroke.press(1, 0.9)
    assert stroke.move(3, 0.2).weights.tolist() == [1, 0, 0, 0, 1, 1]


def test_erasing_everything_keeps_the_last_bar() -> None:
    stroke = Stroke(np.array([0.0, 1.0, 1.0]), Brush(), Rules(), erasing=True)
    stroke.press(0, 0)
    found = stroke.move(2, 0)
    assert (found.kept, found.weights.tolist()) == (2, [0, 0, 1])


def test_heights_are_short_decimals() -> None:
    weights = Stroke(np.array([0.5, 0.5]), Brush(), Rules()).press(0, 0.123456789).weights
    assert weights[0] == 0.1235


def test_a_stroke_changes_nothing_given_to_it() -> None:
    before = np.ones(4)
    run(Stroke(before, Brush(2, 0.5), Rules(frozenset({1}), True)), [(0, 2), (3, 0)])
    assert before.tolist() == [1, 1, 1, 1]
