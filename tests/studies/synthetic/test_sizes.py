"""The calculators as a study: domain, class and dimension are inputs, and what comes out is what the core computes."""

from fractions import Fraction
from math import ceil

import pytest

import dpdesigner as dp
from dpdesigner.core.synthetic import error_bounds as sizes
from dpdesigner.core.synthetic.net import conjunctions, intervals, thresholds, vc_dimension
from dpdesigner.errors import InputError


def test_the_numbers_of_intervals_on_64_points():
    """MATH of [BLR], Lemma 3.7: 192, 765 and 3057 rows as printed."""
    for alpha, rows in (("1/5", 192), ("1/10", 765), ("1/20", 3057)):
        found = dp.solve(dp.SizesDesign(points=64, error=alpha, epsilon=1)).findings
        assert found["rows-stated"].value == rows
        assert found["rows"].value > sizes.net_size(2080, float(Fraction(alpha))).right
        assert found["value"].value == ceil(sizes.class_size(64, 2080, 1, float(Fraction(alpha)), 0.05).right)
    assert found["rows-dimension"].value == sizes.dimension_rows(2, 0.05)


@pytest.mark.parametrize(
    ("name", "points", "made"),
    [
        ("intervals", 8, intervals(8)),
        ("conjunctions", 8, conjunctions(3)),
        ("monotone conjunctions", 8, conjunctions(3, monotone=True)),
        ("conjunctions", 4, conjunctions(2)),
    ],
)
def test_named_classes_are_those_of_nets(name, points, made):
    found = dp.SizesDesign(points=points, queries=name, epsilon=1).query_class
    assert (found.queries, found.dimension) == (made.size, vc_dimension(made))


def test_every_class_has_an_example_of_a_question():
    for queries, words in (("intervals", "30 to 45"), ("thresholds", "younger"), ("conjunctions", "not over 50")):
        panels = dp.solve(dp.SizesDesign(points=64, epsilon=1, queries=queries)).panels
        assert words in next(panel for panel in panels if panel.key == "plan").under[0]


def test_thresholds_have_dimension_one():
    found = dp.SizesDesign(points=8, queries="thresholds", epsilon=1).query_class
    assert found.dimension == vc_dimension(thresholds(8)) == 1 and abs(found.queries - thresholds(8).size) <= 1


def test_another_class_is_given_by_its_numbers():
    design = dp.SizesDesign(points="1e9", queries="other", class_size="1e6", dimension=12, epsilon=1)
    assert (design.query_class.queries, design.query_class.dimension) == (1e6, 12)
    assert dp.solve(design).findings["rows-dimension"].value == sizes.dimension_rows(12, 0.1)


@pytest.mark.parametrize("points", [2, "1e100"])
def test_the_ends_of_what_is_allowed(points):
    for queries in ("intervals", "thresholds", "conjunctions", "monotone conjunctions", "other"):
        found = dp.solve(
            dp.SizesDesign(points=points, queries=queries, error="1/1000", class_size="1e300", dimension=1000, epsilon=1)
        )
        assert all(finding.value > 0 for finding in found.findings.values())
    with pytest.raises(InputError, match=r"\|X\| must be between 2 and 1e100, got 1"):
        dp.SizesDesign(points=1, epsilon=1)
    with pytest.raises(InputError, match="VC must be a whole number between 1 and 1000, got 0"):
        dp.SizesDesign.starting(dimension=0)


def test_a_size_with_very_many_digits_is_rounded_up():
    table = dp.solve(dp.SizesDesign(points="1234400000000000", queries="thresholds", epsilon=1)).panels[-1]
    assert table.key == "theorems"
    assert table.rows[0][-1] == "1.235e15"


@pytest.mark.parametrize("alpha", ["1/10", "9/10"])
def test_the_squares_have_the_areas_of_the_numbers_of_rows(alpha):
    answer = dp.solve(dp.SizesDesign(points=64, error=alpha, epsilon=1))
    squares = next(panel for panel in answer.panels if panel.key == "squares")
    areas = sorted((line.x[-1] - line.x[0]) * line.high.max() for line in squares.lines)
    assert areas == pytest.approx(sorted(answer.findings[key].value for key in ("rows", "value", "value-stated")))
    heights = [mark.y for mark in squares.marks]
    assert squares.square and heights == sorted(heights, reverse=True), "the largest is behind the others"
    assert len({line.x[-1] for line in squares.lines} | {mark.x for mark in squares.marks}) == 1, "all end at the same corner"


def test_the_plan_can_be_dragged_and_says_what_saves_rows():
    design = dp.SizesDesign(points=1024, queries="conjunctions", epsilon=1)
    answer = dp.solve(design)
    rows = answer.findings["value"].value
    plan, private, levers = answer.panels_in({"view": "plan"})
    assert [handle.target for plot in (plan, private) for handle in plot.handles] == ["error", "epsilon"]
    assert plan.marks[0].y == rows and plan.captions == ("drag the line",)
    assert plan.lines[0].at(0.1, logarithmic=True) == pytest.approx(rows, rel=0.02)
    assert private.lines[0].at(1, logarithmic=True) == pytest.approx(rows, rel=0.01)
    changes = ({"error": "0.2"}, {"epsilon": 2}, {"delta": "0.1"}, {"points": 512})
    expected = [dp.solve(design.replace(**each)).findings["value"].value for each in changes]
    assert [rank.value for rank in levers.rows] == [rows, *expected]
    assert [panel.key for panel in answer.panels_in({"view": "theorems"})] == ["sizes", "squares", "theorems"]


def test_only_demands_that_can_be_halved_are_offered():
    levers = dp.solve(dp.SizesDesign(points=2, epsilon=20, error="0.9", delta="1/2")).panels[-2]
    assert levers.key == "levers" and [rank.label for rank in levers.rows] == ["This plan"]
