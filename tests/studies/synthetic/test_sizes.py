"""The calculators as a study: domain, class and dimension are inputs, and what comes out is what the core computes."""

import re
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from math import ceil, log

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.synthetic import error_bounds as sizes
from dpdesigner.core.synthetic.net import conjunctions, intervals, thresholds, vc_dimension
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies.findings import format_finding

theorem = partial(dp.SizesDesign, method="database")


def test_the_numbers_of_intervals_on_64_points():
    """MATH of [BLR], Lemma 3.7: 192, 765 and 3057 rows as printed."""
    for alpha, rows in (("1/5", 192), ("1/10", 765), ("1/20", 3057)):
        found = dp.solve(theorem(points=64, error=alpha, epsilon=1)).findings
        assert found["small-database-stated"].value == rows
        assert found["small-database"].value > sizes.net_size(2080, float(Fraction(alpha))).right
        assert found["value"].value == ceil(sizes.class_size(64, 2080, 1, float(Fraction(alpha)), 0.05).right)
    assert found["small-database-dimension"].value == sizes.dimension_rows(2, 0.05)


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
    found = theorem(points=points, queries=name, epsilon=1).query_class
    assert (found.queries, found.dimension) == (made.size, vc_dimension(made))


def test_every_class_has_an_example_of_a_question():
    asked = theorem(points=64, epsilon=1).input_named("queries")
    assert set(asked.input.tips) == {value for value, _ in asked.input.options}
    for queries, words in (("intervals", "30 to 45"), ("thresholds", "younger"), ("conjunctions", "smoke and have no dog")):
        assert words in asked.says(theorem(points=64, epsilon=1, queries=queries))


@pytest.mark.parametrize(("find", "digits"), [("epsilon", "1.08"), ("error", "")])
def test_one_number_has_one_rounding_on_the_whole_page(find, digits):
    answer = dp.solve(theorem(points=1024, epsilon=1, queries="intervals", find=find, rows=82540))
    plan = next(panel for panel in answer.panels if panel.key == "levers").rows[0]
    said = plan.text.removesuffix("%")
    assert f"{said}% of the rows" in answer.sentence if find == "error" else f"ε = {said} (" in answer.sentence
    assert not digits or said == digits


def test_rows_are_rounded_alike_in_the_plan_and_in_the_theorems():
    answer = dp.solve(theorem(points=1024, epsilon=1, queries="conjunctions"))
    panels = {panel.key: panel for panel in answer.panels}
    rows = panels["levers"].rows[0].text
    assert rows == "82 600".replace(" ", rows[2])
    read = [panels[key].read(place) for key, place in (("plan", 0.1), ("privacy", 1.0))]
    assert all("enough rows: " + rows.replace("600", "540") in texts for texts in read), "the exact number, not one near it"
    assert panels["theorems"].rows[4][2] == rows


@pytest.mark.parametrize(("queries", "said"), [("conjunctions", "3⁶⁴"), ("monotone conjunctions", "2⁶⁴")])
def test_a_very_long_number_of_queries_is_a_power(queries, said):
    design = theorem(points=2**64, epsilon=1, queries=queries)
    assert f"all {said} queries are answered" in dp.solve(design).sentence
    for panel in dp.solve(design).panels:
        if panel.key in ("plan", "privacy"):
            assert len(panel.y.ticks) > 1  # a grid of round numbers, as for small domains


@pytest.mark.parametrize(("typed", "kept", "said"), [("20%", "0.2", "20%"), ("0.2", "0.2", "20%"), ("1/3", "1/3", "1/3")])
def test_an_error_is_typed_in_percent_or_as_a_share_and_kept_as_a_share(typed, kept, said):
    design = theorem(points=64, epsilon=1, error=typed)
    assert (design.error, design.input_named("error").input.text(design.error)) == (kept, said)
    assert design.to_json()["error"] == kept


def test_an_error_of_1_is_said_to_be_100_percent():
    with pytest.raises(InputError, match="99%, and 1 means 100%"):
        theorem(points=64, epsilon=1, error="1")


def test_errors_are_in_percent_on_the_axis_above_the_line_and_in_the_header():
    found = dp.solve(theorem(1024, queries="conjunctions", epsilon=1, find="error", rows=10_000))
    assert format_finding(found.findings["error"]) == "28.1%" and found.findings["error"].value == 0.281
    plan, private = found.panels[:2]
    assert plan.handles[0].label == "error 28.1%" and plan.handles[0].moved(0.1234).label == "error 12.34%"
    assert plan.x.ticks[0] == (0.01, "1%") and plan.x.text(0.125) == "12.5%"
    assert (plan.title, private.title) == ("Error for my rows", "Error and ε for my rows")
    plan, private = dp.solve(theorem(1024, epsilon=1, find="epsilon", rows=100_000)).panels[:2]
    assert (plan.title, private.title) == ("Error and ε for my rows", "ε for my rows")


@pytest.mark.parametrize("rows", [3000, 5000])
def test_the_smaller_plot_has_error_and_epsilon_unless_rows_are_asked_for(rows):
    design = dp.SizesDesign(64, queries="conjunctions", epsilon="0.1", find="error", rows=rows)
    plan, private = dp.solve(design).panels[:2]
    (line,), (now,) = private.lines, private.marks
    assert (now.x, now.y) == (0.1, plan.handles[0].place) and private.handles[0].target == "epsilon"
    for epsilon in (0.05, 0.1, 1):
        found = dp.solve(design.replace(epsilon=epsilon)).findings["error"].value
        assert line.at(epsilon, logarithmic=True) == pytest.approx(found, rel=0.03)
    design = design.replace(find="epsilon", error="0.2")
    (line,) = dp.solve(design).panels[0].lines
    for error in ("0.02", "0.1"):
        found = dp.solve(design.replace(error=error)).findings["epsilon"].value
        assert line.at(float(error), logarithmic=True) == pytest.approx(found, rel=0.03)


@pytest.mark.parametrize(
    ("queries", "find", "unused"),
    [
        ("intervals", "rows", {"class_size", "dimension", "rows"}),
        ("other", "error", {"error"}),
        ("other", "epsilon", {"epsilon"}),
    ],
)
def test_files_state_only_the_inputs_that_are_used(queries, find, unused):
    design = theorem(points=64, queries=queries, find=find, epsilon=1)
    assert design.to_json().keys() - export_of(design).data()["design"].keys() == unused


@pytest.mark.parametrize(
    ("changes", "question"),
    [
        ({}, "How many rows are enough to answer all queries like “How many are 30 to 45?” within 10% of the rows, at ε = 1?"),
        ({"find": "error", "queries": "other"}, "With 100 000 rows and ε = 1, how large are the errors of all 1000 queries?"),
        (
            {"find": "epsilon"},
            "What ε is enough to answer all queries like “How many are 30 to 45?” within 10% of the rows, with 100 000 rows?",
        ),
    ],
)
def test_a_report_has_the_question_and_the_meaning_of_epsilon(changes, question):
    (one, asked), _, (other, meaning), _ = export_of(theorem(points=64, epsilon=1, **changes)).stated()
    assert (one, asked.replace("\u202f", " ")) == ("Question", question)
    epsilon = "0.109" if "epsilon" in changes.values() else "1"
    assert other == "Privacy" and meaning.endswith(f"of 100 bets at 50 : 50 on one row at ε = {epsilon}.")


def test_thresholds_have_dimension_one():
    found = theorem(points=8, queries="thresholds", epsilon=1).query_class
    assert found.dimension == vc_dimension(thresholds(8)) == 1 and abs(found.queries - thresholds(8).size) <= 1


def test_another_class_is_given_by_its_numbers():
    design = theorem(points="1e9", queries="other", class_size="1e6", dimension=12, epsilon=1)
    assert (design.query_class.queries, design.query_class.dimension) == (1e6, 12)
    assert dp.solve(design).findings["small-database-dimension"].value == sizes.dimension_rows(12, 0.1)


@pytest.mark.parametrize("points", [2, "1e100"])
def test_the_ends_of_what_is_allowed(points):
    for queries in ("each column", "intervals", "thresholds", "conjunctions", "monotone conjunctions", "other"):
        found = dp.solve(theorem(points=points, queries=queries, error="1/1000", class_size="1e300", dimension=996, epsilon=1))
        assert all(finding.value > 0 for key, finding in found.findings.items() if not key.endswith("-stated"))
    with pytest.raises(InputError, match=r"\|X\| must be between 2 and 1e100, got 1"):
        theorem(points=1, epsilon=1)
    with pytest.raises(InputError, match="VC must be a whole number between 1 and 1000, got 0"):
        dp.SizesDesign.starting(dimension=0)


def test_a_size_with_very_many_digits_is_rounded_up():
    table = dp.solve(theorem(points="1234400000000000", queries="thresholds", epsilon=1)).panels[-1]
    assert table.key == "theorems"
    assert table.rows[0][-1] == "1.235 × 10¹⁵"


def test_the_plan_can_be_dragged_and_says_what_saves_rows():
    design = theorem(points=1024, queries="conjunctions", epsilon=1)
    answer = dp.solve(design)
    rows = answer.findings["value"].value
    plan, private, levers = answer.panels_in({"view": "plan"})
    assert [handle.target for plot in (plan, private) for handle in plot.handles] == ["error", "epsilon"]
    assert plan.marks[0].y == rows and plan.captions == ("drag the line",)
    assert plan.lines[0].at(0.1, logarithmic=True) == pytest.approx(rows, rel=0.02)
    assert private.lines[0].at(1, logarithmic=True) == pytest.approx(rows, rel=0.01)
    changes = ({"error": "0.2"}, {"epsilon": 2}, {"points": 512})
    expected = [dp.solve(design.replace(**each)).findings["value"].value for each in changes]
    *tried, noise = levers.rows
    assert [rank.value for rank in tried] == [rows, *expected] and levers.title == "What saves rows?"
    assert (
        noise.label == "Noise on each count instead" and levers.taken(noise.key) == {"method": "counts"} and noise.text == "2351"
    )
    clicked = [dp.solve(design.replace(**levers.taken(rank.key))).findings["value"].value for rank in tried[1:]]
    assert clicked == expected and levers.select == "design" and not levers.rows[0].key, "a click makes the change"
    assert not any("failure" in rank.label for rank in levers.rows), "a larger failure probability saves hardly any row"
    assert [panel.key for panel in answer.panels_in({"view": "plan"}) if panel.key in design.beside_views] == ["privacy"]
    assert design.replace(find="epsilon", rows=100_000).beside_views == ("plan",)
    assert [panel.key for panel in answer.panels_in({})] == ["plan", "privacy", "sizes", "levers", "theorems"], "for files"


@pytest.mark.parametrize(("find", "title"), [("error", "What lowers the error?"), ("epsilon", "What lowers ε?")])
def test_what_lowers_an_error_or_epsilon_is_compared_by_it(find, title):
    design = theorem(points=1024, queries="conjunctions", epsilon=1, error="0.2", find=find, rows=100_000)
    answer = dp.solve(design)
    levers = next(panel for panel in answer.panels if panel.key == "levers")
    here, *others = [rank.value for rank in levers.rows]
    assert levers.title == title and here == answer.findings[find].value and len(others) == 4
    twice = dp.solve(design.replace(rows=200_000)).findings[find].value
    assert levers.rows[1].label == "Twice the rows: 200\u202f000" and others[0] == twice < here
    texts, unit = [rank.text.rstrip("%") for rank in levers.rows], 100 if find == "error" else 1
    assert all(len(text.lstrip("0.").replace(".", "")) <= 4 for text in texts), texts
    pairs = zip(texts, (here, *others), strict=True)
    assert all(value - 1e-12 <= float(text) / unit < 1.01 * value for text, value in pairs)
    assert all(value <= here for value in others)


def test_twice_the_rows_are_twice_those_typed():
    design = theorem(points=64, queries="thresholds", epsilon=1, find="error", rows=11_020)
    levers = next(panel for panel in dp.solve(design).panels if panel.key == "levers")
    assert levers.rows[1].label == "Twice the rows: 22\u202f040"
    assert levers.rows[1].value == dp.solve(design.replace(rows=22_040)).findings["error"].value


def test_only_demands_that_can_be_halved_are_offered():
    levers = dp.solve(theorem(points=2, epsilon=20, error="0.9", delta="1/2", method="counts")).panels[-2]
    assert levers.key == "levers" and [rank.label for rank in levers.rows] == ["This plan"]


@pytest.mark.parametrize("queries", ["intervals", "conjunctions", "other"])
@pytest.mark.parametrize("rows", [3000, 82_540, 10**9])
def test_rows_promise_the_least_error_and_epsilon_for_which_they_are_enough(queries, rows):
    design = theorem(points=1024, queries=queries, epsilon="1/2", find="error", rows=rows)
    found = dp.solve(design)
    error = found.findings["error"].value
    forward = design.replace(find="rows")
    assert next(iter(found.findings)) == "error" and found.findings["value"].value <= rows
    assert dp.solve(forward.replace(error=error)).findings["value"].value <= rows
    fewer = f"{Decimal(str(error)).next_minus(Context(prec=3)):f}"
    assert dp.solve(forward.replace(error=fewer)).findings["value"].value > rows, "no smaller error of three digits"
    design = design.replace(find="epsilon", rows=rows, error="0.2")
    found = dp.solve(design)
    epsilon = Fraction(found.findings["epsilon"].value).limit_denominator(10**6)
    forward = design.replace(find="rows", error="0.2")
    assert next(iter(found.findings)) == "epsilon" and found.findings["value"].value <= rows
    assert dp.solve(forward.replace(epsilon=epsilon)).findings["value"].value <= rows
    if epsilon > Fraction("0.0001"):
        assert dp.solve(forward.replace(epsilon=epsilon * Fraction("0.99"))).findings["value"].value > rows, "no smaller epsilon"


def test_too_few_rows_are_answered_with_how_many_would_do():
    for find, least, goal in (("error", 464, {"error": "0.1"}), ("epsilon", 118, {"epsilon": 1})):
        design = theorem(points=1024, queries="conjunctions", epsilon=1, find=find, rows=least)
        assert dp.solve(design).findings[find].value is not None
        found, enough = dp.solve(design.replace(rows=least - 1)), dp.solve(design.replace(find="rows", **goal)).findings["value"]
        assert found.findings[find].value is None and found.findings[find].note == "no useful answer with so few rows"
        assert found.findings["value"].value == enough.value == 82_540 and found.checks == ()
        assert found.sentence.replace("\u202f", " ").startswith(
            f"<b>{least - 1} rows are too few to be useful; 82 600 allow an error of 10% at ε = 1 (95% sure).</b>"
        )
        assert dp.solve(design.replace(rows=1)).sentence.startswith("<b>1 row is too few to be useful; ")
        plot = found.panels[0 if find == "error" else 1]
        assert plot.y.limits[0] < least - 1 < plot.lines[0].y.min(), "the dot is seen, below the line"
        plan, enough_rows, *_ = (levers := next(panel for panel in found.panels if panel.key == "levers")).rows
        assert (plan.value, levers.value_text(plan)) == (None, "no useful answer")
        assert enough_rows.label.replace("\u202f", " ") == "82 600 rows"
        clicked = dp.solve(found.design.replace(**levers.taken(enough_rows.key))).findings[find].value
        assert clicked == enough_rows.value == pytest.approx(float(goal[find]), rel=0.01)
        assert design.replace(rows=least - 1).replace(find="rows").rows_for(0.1, 1) == pytest.approx(82_540, abs=1)


@pytest.mark.parametrize(("rows", "error"), [(319_000 * 10**4, 1e-5), (10**15, 1e-6)])
def test_small_errors_are_not_cut(rows, error):
    found = dp.solve(dp.SizesDesign(2**24, queries="conjunctions", epsilon=1, find="error", rows=rows))
    assert found.findings["error"].value == pytest.approx(error, rel=0.01)
    (ticks,) = {panel.x.ticks for panel in found.panels if panel.key == "plan"}
    assert ticks[0][0] <= 1.0001 * error and len(ticks) <= 12


def test_numbers_of_rows_are_whole_in_pictures_and_files():
    for find in ("rows", "error", "epsilon"):
        for panel in dp.solve(theorem(1024, queries="conjunctions", epsilon=1, find=find)).panels:
            lines = getattr(panel, "lines", ()) if "rows" in getattr(getattr(panel, "y", None), "title", "") else ()
            assert all((np.nan_to_num(line.y) % 1 == 0).all() for line in lines if line.name)


@pytest.mark.parametrize("rows", [40, 4000, 10**6])
def test_numbers_typed_stay_when_the_question_changes(rows):
    typed = {"epsilon": "ln 3", "error": "1/3", "rows": rows}
    design = dp.SizesDesign(2**12, queries="conjunctions", **typed)
    for other in ("error", "epsilon", "rows", "epsilon", "error", "rows"):
        design = design.replace(find=other)
        assert {key: getattr(dp.solve(design).design, key) for key in typed} == typed, "the answer is not written into the design"


@pytest.mark.parametrize("find", ["rows", "error", "epsilon"])
def test_the_answer_names_epsilon_rows_and_error(find):
    found = dp.solve(dp.SizesDesign(2**12, queries="conjunctions", epsilon=1, error="0.05", rows=20_000, find=find))
    solved = found.design.solved()
    for said in (f"ε = {solved.epsilon}", f"{float(solved.error) * 100:.3g}%"):
        assert said in found.sentence.partition("</b>")[0]


@pytest.mark.parametrize(("error", "epsilon"), [("0.001", 1), ("0.005", "1e-4"), ("0.1", 1), ("0.99", 700), ("0.01", "0.005")])
def test_the_axes_reach_as_far_as_the_plan(error, epsilon):
    for find in ("rows", "error", "epsilon"):
        design = theorem(points=64, epsilon=epsilon, error=error, find=find, rows=10**15)
        plan, private = dp.solve(design).panels[:2]
        for plot in (plan, private):
            (low, high), place = plot.x.limits, plot.handles[0].place
            assert low <= place * (1 + 1e-12) and place <= high * (1 + 1e-12), (plot.key, plot.x.limits, place)
            ends = plot.lines[0].x[[0, -1]].tolist()
            assert (find, plot.key) == ("error", "privacy") or ends == pytest.approx([low, high]), (
                "ε may be given beyond its curve"
            )
    assert dp.solve(theorem(points=64, epsilon=1, error="0.01")).panels[0].x.limits == (0.01, 0.9)


def test_the_dot_on_the_curve_is_dragged_to_another_number_of_rows():
    design = theorem(points=1024, queries="conjunctions", epsilon=1, find="error", rows=100_000)
    for find, key, place, expected in (("error", "plan", 0.2, 21_046), ("epsilon", "privacy", 2.0, None)):
        asked = design.replace(find=find)
        plot = next(panel for panel in dp.solve(asked).panels if panel.key == key)
        line = plot.lines[-1]
        drag = line.drags[0]
        rows = int(drag.kept(drag.moved(line.x, 0, place), 0))
        changed = dp.solve(asked.replace(**{drag.target: rows}))
        assert plot.captions[-1] == "drag the dot" and not any(handle.movable for handle in plot.handles)
        assert changed.findings[find].value == pytest.approx(place, rel=1e-3) and expected in (rows, None)


@pytest.mark.parametrize("find", ["rows", "error", "epsilon"])
def test_numbers_of_rows_are_read_off_the_curves(find):
    design = theorem(points=1024, queries="conjunctions", epsilon=1, error="0.1", find=find, rows=82_540)
    plots, known = {panel.key: panel for panel in dp.solve(design).panels}, design.solved()
    now, *others = plots["plan"].marks
    asked = known.privacy.epsilon if find == "epsilon" else 82_540
    assert (now.x, pytest.approx(now.y)) == (known.error if find == "error" else 0.1, asked)
    assert [mark.x for mark in others] == ([] if find == "epsilon" else [0.01, 0.2])
    levels = [mark for mark in plots["privacy"].marks if mark.role == "rival"]
    assert len(levels) == (3 if find == "epsilon" else 0), "but no number next to that of the design"
    for mark, rows in (
        *((mark, known.rows_for(mark.x)) for mark in others),
        *((mark, known.rows_for(0.1, mark.x)) for mark in levels),
    ):
        shown = float(mark.text.replace("\u202f", ""))
        assert mark.y == pytest.approx(rows) and rows <= shown < 1.01 * rows, "rounded up"


@pytest.mark.parametrize("method", ["better", "database", "counts"])
def test_the_curve_of_the_other_method_is_grey(method):
    design = theorem(points=2**24, queries="conjunctions", epsilon=1, method=method)
    enough, _, *grey = dp.solve(design).panels[0].lines
    names = {"database": "synthetic database", "counts": "noise"}
    assert [line.name for line in grey] == [name for key, name in names.items() if key != method]
    for alpha in (0.02, 0.1, 0.18, 0.5):
        needed = {key: design.rows_for(alpha, method=key) for key in names}
        assert all(line.short != "synthetic" for line in grey), "which cannot be drawn"
        assert design.rows_for(alpha) == needed.get(method, needed["counts"]), "a database cannot be drawn"
        assert enough.at(alpha, logarithmic=True) == pytest.approx(design.rows_for(alpha), rel=0.04)


@pytest.mark.parametrize("error", ["0.1", "0.3"])
def test_no_database_is_better_that_cannot_be_drawn(error):
    design = dp.SizesDesign(2**24, queries="conjunctions", epsilon=1, error=error)
    found, fixed, other = (dp.solve(design.replace(method=method)) for method in ("better", "counts", "database"))
    assert (design.method, design.used, found.sentence) == ("better", "counts", fixed.sentence)
    assert (found.findings["database"].value < found.findings["value"].value) == (error == "0.3"), "even if it needs fewer rows"
    assert "rows are enough at ε = 1 (95% sure): by adding noise to each count, all" in found.sentence
    assert "</b> A synthetic database (in theory only: too large to draw) would need " in found.sentence
    assert ": with a synthetic database (in theory only: too large to draw), all" in other.sentence
    bound = "([DMNS06], Chernoff’s bound)"
    assert found.checks[0].endswith("95% sure") and bound in found.findings["value"].note
    assert not any("database" in rank.label for rank in found.panels[-2].rows)
    assert "theory" not in dp.solve(theorem(2, queries="thresholds", epsilon=1, error="0.9")).sentence


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "Add Laplace noise of scale 2/ε = 20 to the count of each of the 64 possible rows."),
        ({"queries": "cells"}, "Add Laplace noise of scale 2/ε = 20 to the count of each of the 64 possible rows."),
        ({"queries": "each column"}, "Add Laplace noise of scale 6/ε = 60 to the count of each of the 6 queries."),
        ({"method": "database"}, "Draw one of all databases of "),
    ],
)
def test_a_report_states_what_to_do_and_has_the_theorems_only_where_they_are_used(changes, said):
    export = export_of(dp.SizesDesign(64, **{"queries": "conjunctions", "epsilon": "0.1", **changes}))
    told, theorems = dict(export.stated()), "method" in changes
    assert told["What to do"].startswith(said)
    assert told["Privacy"].startswith("One row may be replaced by another; the number of rows is public.")
    assert any("[BLR]" in each.title for each in export.listings()) == theorems
    assert any("as printed" in label for label, _ in export.facts()) == theorems and export.facts()[0][0] == "enough"
    assert "sizes-theorems.csv" in {file.name for file in export.files("sizes", ["csv"])}, "files have them all"


@pytest.mark.parametrize(("n", "points"), [(3000, "1.8"), (10_000, "0.98"), (9605, "1.0")])
def test_page_and_report_state_what_sampling_adds(n, points):
    design = dp.SizesDesign(64, queries="conjunctions", epsilon="0.1", find="error", rows=n)
    told = export_of(design).stated()[-1][1].replace("\u202f", "")
    assert 100 * 1.96 * (0.25 / n) ** 0.5 <= float(points) < 1.03 * 98 / n**0.5, "1.96 standard errors of a share of a half"
    assert f"your rows, not the population: a simple random sample of {n} adds at most about ±{points} points to any one" in told
    for find, key in (("error", "plan"), ("rows", "plan"), ("epsilon", "privacy")):
        panels = {panel.key: panel for panel in dp.solve(design.replace(find=find)).panels}
        assert "sample of " in panels[key].under[0]


def test_the_number_of_counts_is_said():
    for method, said in (("better", "One noisy count for each of 16\u202f777\u202f216 possible rows."), ("database", "Shaded")):
        (under,) = dp.solve(dp.SizesDesign(2**24, queries="conjunctions", epsilon=1, method=method)).panels[0].under
        assert said in under and ("noisy" in under) == (method == "better")


def test_a_method_with_too_few_rows_is_named_nowhere():
    found = dp.solve(theorem(2**64, queries="conjunctions", epsilon=1, find="error", rows=10**6))
    assert "counts" not in found.findings and "each count" not in found.sentence
    other = dp.solve(found.design.replace(method="counts"))
    assert other.findings["error"].value is None and other.sentence.endswith("(95% sure).</b>"), "the rest would be cut"


@pytest.mark.parametrize(("columns", "theory"), [(29, False), (30, True), (60, True)])
def test_noise_on_more_counts_than_can_be_published_is_in_theory_only(columns, theory):
    design = dp.SizesDesign(2**columns, queries="conjunctions", epsilon=1, error="0.05", method="counts")
    found, better = dp.solve(design), dp.solve(design.replace(method="better"))
    assert ("by adding noise to each count (in theory only: too many counts), all" in found.sentence) == theory
    assert better.sentence.count("in theory only") == 1 + theory, "the bound of the other method is theory in any case"
    assert dict(export_of(design).stated())["What to do"].endswith("in theory only.") == theory
    answers = {"queries": "other", "class_size": 10**7, "dimension": 5, "points": 10**8}
    counts, fewer = dp.SizesDesign(epsilon=1, **answers), dp.SizesDesign(epsilon=1, **{**answers, "points": 10**10})
    assert (counts.on_answers, fewer.on_answers) == (False, True), "which are more exact, and which can be published"
    assert dp.SizesDesign(2**60, queries="each column", epsilon=1).runs("counts", 0.1)


def test_too_few_rows_are_enough_for_fewer_columns():
    design = dp.SizesDesign(2**24, queries="conjunctions", epsilon=1, find="error", rows=4000)
    levers = next(panel for panel in dp.solve(design).panels if panel.key == "levers")
    (bar,) = [each for each in levers.rows if "columns" in each.label]
    most = int(bar.label.split()[2])
    assert [design.replace(columns=columns).rows_for(0.1) <= 4000 for columns in (most, most + 1)] == [True, False]
    clicked = dp.solve(design.replace(**levers.taken(bar.key)))
    assert clicked.design.columns == most and clicked.findings["error"].value == bar.value <= 0.1


def test_the_domain_of_conjunctions_is_a_number_of_columns():
    design = theorem(points=1024, queries="conjunctions", epsilon=1)
    assert design.columns == 10 and design.line.startswith("10 yes/no columns · combinations")
    assert design.replace(columns="12").points == 4096 and dp.SizesDesign.from_json(design.to_json()) == design
    with pytest.raises(InputError, match="d must be a whole number between 1 and 332") as caught:
        design.replace(columns=0)
    assert caught.value.field == "columns"
    shown = {each.key for each in design.asked() if each.matters(design)}
    assert "columns" in shown and "points" not in shown
    other = design.replace(queries="intervals")
    assert {each.key for each in other.asked() if each.matters(other)} == shown - {"columns"} | {"points"}
    assert other.line.startswith("1024 possible values · intervals")


def test_rows_are_rounded_up_to_three_digits_where_they_are_shown():
    found = dp.solve(theorem(points=1024, queries="conjunctions", epsilon=1))
    assert found.findings["value"].value == 82_540 and "82 600 rows are enough at ε = 1" in found.sentence.replace("\u202f", " ")
    assert format_finding(found.findings["value"]).replace("\u202f", " ") == "82 600\u00a0rows"


@pytest.mark.parametrize(("error", "percent"), [("0.1", "10"), ("1/3", "33.4"), ("0.123444", "12.4")])
def test_the_error_is_said_in_percent_of_the_rows_and_never_too_small(error, percent):
    assert f"queries are answered within {percent}% of the rows." in dp.solve(theorem(64, epsilon=1, error=error)).sentence


@pytest.mark.parametrize("queries", ["conjunctions", "monotone conjunctions"])
def test_conjunctions_have_as_many_possible_rows_as_their_columns_allow(queries):
    design = theorem(1000, epsilon=1).replace(queries=queries)
    assert (
        design.points == 1024 and design.replace(points=1025).points == 2048 and design.replace(points="1e100").points == 2**332
    )
    assert design.replace(queries="intervals", points=1000).points == 1000
    levers = next(panel for panel in dp.solve(design).panels if panel.key == "levers")
    fewer = dp.solve(design.replace(points=512)).findings["value"].value
    assert {rank.label: rank.value for rank in levers.rows}["One column fewer"] == fewer


def test_the_axis_of_rows_stays_while_epsilon_changes():
    plots = [dp.solve(theorem(64, epsilon=epsilon)).panels[0] for epsilon in ("1/10", 1, 3)]
    assert (
        np.ptp([plot.y.limits for plot in plots], axis=0) == pytest.approx(0, abs=1e-6)
        and len({plot.lines[0].y[0] for plot in plots}) == 3
    )
    for plot in plots:
        assert all(plot.y.limits[0] < line.y.min() <= line.y.max() < plot.y.limits[1] for line in plot.lines if line.name)


def test_an_error_is_in_percent_everywhere():
    found = dp.solve(theorem(1024, queries="conjunctions", epsilon=1, find="error", rows=82_540))
    assert "errors are at most 10% of the rows (95% sure)" in found.sentence and "promises 0.285%." in found.sentence
    assert "all errors within 10% of the rows," in found.checks[0] and "points" not in f"{found.sentence} {found.checks}"
    asked = theorem(1000, queries="other", class_size=1000, dimension=5, epsilon=1, error="1/8")
    assert "1000 queries of VC dimension 5" in asked.line.replace("\u202f", "") and "error 12.5%" in asked.line
    assert [rank.label for rank in dp.solve(asked).panels[-2].rows][1] == "Twice the error: 25%"


@pytest.mark.parametrize("find", ["rows", "error", "epsilon"])
def test_numbers_of_rows_that_are_enough_are_shaded_where_the_plan_is_made(find):
    answer = theorem(points=1024, queries="conjunctions", epsilon=1, find=find, rows=100_000).run()
    shown = {panel.key: panel for panel in answer.panels}
    for key in ("plan", "privacy"):
        if (key, find) in (("plan", "epsilon"), ("privacy", "error")):
            continue  # which has no rows
        curve, area = shown[key].lines[:2]
        assert np.isnan(area.y).all() and (area.low == curve.y).all() and (area.high == shown[key].y.limits[1]).all()
        shaded = any("Shaded: enough rows." in text for text in shown[key].under)
        assert shaded == ((key == "privacy") == (find == "epsilon"))
        bare = replace(shown[key], lines=tuple(line for line in shown[key].lines if line is not area))
        assert bare.as_table() == shown[key].as_table(), "the area is in no table"


def test_no_number_of_rows_is_written_across_the_line_of_epsilon():
    for rows, gone in ((1_000_000, {0.1}), (100_000, {1.0})):
        answer = theorem(points=1024, queries="conjunctions", find="epsilon", epsilon=1, rows=rows).run()
        (plot,) = (panel for panel in answer.panels if panel.key == "privacy")
        assert {mark.x for mark in plot.marks[:-1]} == {0.01, 0.1, 1.0, 10.0} - gone


@pytest.mark.parametrize(("key", "name"), [("points", "|X|"), ("class_size", "|C|")])
def test_a_number_of_things_is_asked_for_as_one(key, name):
    with pytest.raises(InputError, match=rf"{re.escape(name)} must be a number like 1000 or 1e12, got '1x'"):
        theorem(**{"points": 64, "epsilon": 1, "queries": "other", key: "1x"})


def test_noise_on_each_count_is_named_where_it_needs_less():
    few = {"points": 256, "queries": "conjunctions", "rows": 3000}
    found = dp.solve(theorem(**few, epsilon=1, find="error"))
    assert found.sentence.endswith("Noise on each count promises 3.89%.") and found.findings["counts"].share
    exact = sizes.noisy_counts_error(sizes.query_class("conjunctions", 256, 8).sums, 1, 0.05) / 3000
    assert exact <= found.findings["counts"].value < 1.01 * exact
    found = dp.solve(theorem(**few, epsilon=1, error="0.05", find="epsilon"))
    assert "(hardly any privacy) is enough (95% sure)" in found.sentence
    assert found.sentence.endswith("Noise on each count would need ε = 0.778.")


@pytest.mark.parametrize("values", ["18 to 90", "18-90", 73])
def test_a_range_of_whole_numbers_is_read_as_a_number_of_values(values):
    design = theorem(points=values, epsilon=1)
    assert design.points == 73 and design.query_class.queries == 73 * 74 / 2
    with pytest.raises(InputError, match="must be between 2 and 1e100"):
        theorem(points="90 to 18", epsilon=1)


@pytest.mark.parametrize(("find", "said"), [("rows", "82 600 rows, ε = 1: "), ("error", "100 000 rows, ε = 1: ")])
def test_the_plan_is_stated_with_its_bound(find, said):
    found = dp.solve(theorem(1024, queries="conjunctions", epsilon=1, find=find))
    (plan,) = (check.replace("\u202f", " ") for check in found.checks)
    assert found.badge == ("✓ proved", "proved") and export_of(found.design).data()["proved"]
    few = dp.solve(found.design.replace(rows=1, find="error"))
    assert few.checks == () and few.badge == ("", "open")
    assert plan.startswith(f"✓ proved: {said}all errors within ") and plan.endswith("95% sure")


@pytest.mark.parametrize(("rows", "word"), [(10**7, "very strong"), (10**5, "strong"), (30_000, "weak"), (10**4, "hardly any")])
def test_an_epsilon_that_is_found_has_the_word_of_its_zone(rows, word):
    found = dp.solve(theorem(1024, queries="conjunctions", epsilon=1, find="epsilon", rows=rows))
    assert f" ({word} privacy) is enough (95% sure): " in found.sentence


def test_one_share_for_each_column_needs_noise_on_as_many_answers():
    design = dp.SizesDesign(2**12, queries="each column", epsilon=1, find="error", rows=4000)
    found, by_hand = dp.solve(design), 12 * log(12 / 0.05) / 4000
    assert by_hand == pytest.approx(0.01644, abs=1e-5)
    assert by_hand <= found.findings["error"].value == 0.0165
    assert (
        "by adding noise to each answer, all 12 queries are answered" in found.sentence
        and "([DMNS06], union bound)" in found.findings["value"].note
    )
    assert found.panels[0].under[0].startswith("Shaded: enough rows. One noisy answer to each of 12 queries, with ε/12. ")
    assert found.sentence.endswith("A synthetic database (in theory only: too large to draw) promises 32.3%.")
    fewer = dp.solve(design.replace(rows=1000)).sentence
    assert fewer.endswith(
        "A synthetic database (in theory only: too large to draw) promises nothing useful; always answering 50% is as good."
    )
    assert (design.query_class.queries, design.query_class.dimension) == (12, 3) and design.line.startswith("12 yes/no columns")
    halves = dp.solve(design.replace(find="rows", error="0.02", epsilon="1/2"))
    assert halves.findings["value"].value == ceil(24 * log(240) / 0.02)


def test_the_cells_of_a_table_need_far_fewer_rows_than_conjunctions():
    design = dp.SizesDesign(2**24, queries="cells", epsilon=1, find="error", rows=100_000)
    found, conjunctions = dp.solve(design), dp.solve(design.replace(queries="conjunctions"))
    assert 2 * log(2**24 / 0.05) / 100_000 <= found.findings["error"].value == 0.000393
    assert conjunctions.findings["error"].value > 100 * found.findings["error"].value
    assert "One noisy count for each of 16\u202f777\u202f216 possible rows." in found.panels[0].under[0]
    told = "An average cell holds 1 in 16\u202f777\u202f216 rows: an error of 0.0393% says little about single cells."
    assert told in found.panels[0].under[0] and "cell" not in conjunctions.panels[0].under[0]
    assert "cell" not in dp.solve(design.replace(points=2**4)).panels[0].under[0], "an average one has 1 in 16 rows, not 0.02%"
    assert (
        "by adding noise to each count, all 16\u202f777\u202f216 queries" in found.sentence
        and "union bound" in found.findings["value"].note
    )
    assert design.replace(points=1000).points == 2**10 and design.line.startswith("24 yes/no columns · cells")


@pytest.mark.parametrize(("queries", "answers"), [(12, True), (10**6, False)])
def test_any_few_queries_are_answered_with_noise_on_each_answer(queries, answers):
    design = dp.SizesDesign(4096, queries="other", class_size=queries, dimension=2, epsilon=1, method="counts")
    each, counts = queries * log(queries / 0.05), sizes.noisy_counts_error(((queries, 2048),), 1, 0.05)
    assert (each < counts) == answers
    assert dp.solve(design).findings["value"].value == ceil(min(each, counts) / 0.1)
    assert ("union bound" in dp.solve(design).findings["value"].note) == answers


def test_a_dimension_is_at_most_the_logarithm_of_the_number_of_queries():
    design = theorem(64, queries="other", class_size=8, dimension=3, epsilon=1)
    for changes, field, nearest, said in (
        ({"dimension": 5}, "dimension", "3", "VC must be at most 3 for 8 queries, got 5"),
        ({"class_size": 7}, "class_size", "8", r"\|C\| must be at least 8 for VC dimension 3"),
    ):
        with pytest.raises(InputError, match=said) as caught:
            design.replace(**changes)
        assert (caught.value.field, caught.value.suggestion) == (field, nearest)
        assert design.replace(queries="intervals").replace(**changes).queries == "intervals", "where it is not used"


def test_a_plan_counts_no_release_of_others():
    assert dp.SizesDesign.starting().data_name == "", "there are no rows, so none of a small database count"


def test_why_says_how_much_less_a_column_needs_than_the_textbook_bound():
    plan = dp.SizesDesign(points=64, queries="intervals", epsilon=1, error="0.1").run()
    column = dp.IntervalDesign([3] * 1000, low=0, high=64, bits=6, epsilon=1, method="laplace", seed=1).run()
    needed = ceil(column.facts.bound_rows / Fraction(1, 10))
    assert (plan.findings["value"].value, needed) == (670, 360), "as resources/why/sizes.html has it"
