"""Halfspaces: answers near the truth at a margin, the exact accounting of privacy, what is taken away, what is refused."""

import itertools
import json
import os
import re
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from math import ceil, log
from types import SimpleNamespace

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.basics.rounding import figure, group_thousands, significant
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.regions import (
    Projections,
    answers,
    drawn_points,
    full_parameters,
    margin_of,
    projections,
    release,
    share_above,
)
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies.findings import public
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign, counted_as, mended, read_rule, rule
from dpdesigner.studies.table_panels import Sentence

FIRST = np.eye(5)[0]


@pytest.mark.parametrize(("margin", "slack"), [(0.9, 0.02), (0.5, 0.12)])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_answers_are_near_at_a_margin(margin, slack, share):
    points = drawn_points(20_000, 5, margin, share, 1)
    assert margin_of(points, FIRST) >= margin - 1e-12 and np.allclose(np.linalg.norm(points, axis=1), 1)
    found = release(points, projections(5, 2, 16, 40, 1), Fraction(1), for_study(1))
    assert abs(found.answer(FIRST) - share_above(points, FIRST)) < slack
    assert found.answer(FIRST) == found.answer(7 * FIRST)  # the length of a query does not matter


def test_every_count_has_its_share_of_epsilon():
    plan = projections(5, 2, 16, 40, 1)
    points = drawn_points(100, 5, 0.5, 0.5, 2)
    found = release(points, plan, Fraction(1), for_study(1))
    assert found.privacy.exact_epsilon * plan.counts == 1 and found.counts.shape == (40, 16)
    other = points.copy()
    other[3] = -other[3]
    real = [
        np.array([((each @ matrix.T) @ plan.directions.T > 0).sum(axis=0) for matrix in plan.matrices])
        for each in (points, other)
    ]
    assert abs(real[0] - real[1]).max() == 1  # the sensitivity of each count


def test_the_entries_of_a_projection():
    plan = projections(5, 4, 20, 3, 1)
    assert set(np.unique(abs(plan.matrices))) == {0.5} and np.allclose(np.linalg.norm(plan.directions, axis=1), 1)
    with pytest.raises(InputError, match="at most 20\u202f000 counts"):
        projections(5, 2, 500, 200, 1)


def test_the_theorem_cannot_be_run():
    found = full_parameters(0.5, 0.5, 1)
    assert found.target == 3549 and round(found.log10_directions) == 9505 and found.log10_rows > 9505
    assert full_parameters(0.25, 0.1, 1).target == 22436 == ceil(20 * (4 / 0.25) ** 2 * log(8 / 0.1))
    assert found.log10_rows < found.log10_rows_right and found.projections < found.projections_right


def test_the_mean_of_the_projections_is_the_papers_answer():
    points = drawn_points(5000, 5, 0.9, 0.3, 3)
    made = release(points, projections(5, 2, 15, 41, 3), Fraction(1), for_study(3))
    y = np.array([0.9, 0.1, 0.3, -0.2, 0.05])
    nearest = [
        int(np.argmin(np.linalg.norm(made.plan.directions - a @ y / np.linalg.norm(a @ y), axis=1))) for a in made.plan.matrices
    ]
    shares = [made.counts[i, j] / 5000 for i, j in enumerate(nearest)]
    assert made.mean(y) == pytest.approx(np.mean(shares)) and made.answer(y) == pytest.approx(np.median(shares))


def test_the_answer_keeps_the_points_to_their_owner(tmp_path):
    points = drawn_points(20_000, 5, 0.9, 0.3, 3)
    found = dp.solve(dp.HalfspaceDesign(points, seed=3, epsilon=1))
    assert found.findings["truth"].secret and "truth" not in public(found.findings)
    assert abs(found.findings["released"].value - found.findings["truth"].value) < 0.03
    assert found.panels_in({"angle": 90.0})[2].secret
    files = export_of(found.design).write(tmp_path, "half", ["csv", "json"])
    names = {file.path.name for file in files}
    assert "half-structure.json" in names and "half-points.csv" not in names
    lines = (tmp_path / "half-answers.csv").read_text("utf-8").splitlines()
    assert lines[0].endswith(",rule") and lines[1].endswith(",first axis > 0") and lines[37].endswith(",first axis < 0")
    assert [line.name for panel in export_of(found.design).panels() for line in getattr(panel, "lines", ())] == [
        "released",
        "mean, as in the paper",
    ]


def test_the_header_is_about_the_plane_of_the_view_and_shows_real_shares_of_drawn_points_only():
    found = dp.solve(dp.HalfspaceDesign.starting(rows=2000, seed=3))
    shown = found.in_view({"angle": 120.0})
    off = abs(found.answer(found.across(120.0)) - share_above(found.where, found.across(120.0)))
    assert (shown.findings["value"].value, shown.findings["value"].label) == (pytest.approx(100 * off), "error of this rule")
    assert not shown.findings["value"].secret
    assert found.findings["released"].label == f"released: {rule(found.design, 30.0)}"
    own = dp.solve(dp.HalfspaceDesign(found.where, seed=3, epsilon=1))
    head = own.in_view({"angle": 120.0}).findings["value"]
    assert (head.label, head.secret) == ("released share", False), "not its error, which is for the owner"
    assert head.value == own.answer(own.across(120.0))
    assert own.in_view({}).sentence == (
        "<b>Anyone can ask what share of rows meets any rule whose line goes through 0.</b> "
        f"{(noise := f'Noise: up to {figure(100 * own.noise, 2)} points on any one share, 95 times in 100.')} "
        "The projections add an error without a bound."
    )
    brief = f"<b>Anyone can ask about rules through 0.</b> Noise alone: up to {figure(100 * own.noise, 2)} points (95%)."
    assert own.in_brief[-1] == brief and own.in_brief[0].endswith("The projections add an error without a bound.")
    assert noise in own.given.statement()
    assert figure(100 * own.worst, 3) not in own.sentence, "which goes into files"
    told = own.design.replace(real_errors="published").run().in_view({})
    assert "Measured: wrong by up to " in told.sentence and not told.findings["value"].secret
    points, *_ = own.panels_in({})
    assert all("margin" not in line.shown for line in points.lines), "the margin of people's points is in no picture"


@pytest.mark.parametrize(("rows", "few"), [(50, True), (900, True), (1150, False), (20_000, False)])
def test_the_sentence_says_when_noise_drowns_the_answers(rows, few):
    """A median of 40 noises with a standard deviation of 906 rows is beyond ±227 rows 5 times in 100: a fifth of 1135."""
    found = dp.solve(dp.HalfspaceDesign.starting(rows=rows, seed=7))
    text = found.in_view({}).sentence.replace("\u202f", " ")
    worst = figure(100 * found.worst, 3)
    assert text.startswith(f"<b>Too few rows for ε = 1: the worst of 72 rules has an error of {worst} points.</b>") == few
    assert not few or "For noise up to 20 points, take 1200 rows" in text
    assert text.endswith("or 5 projections.") == (rows == 900), "of 50 rows the noise of 5 would be too much too"
    few_projections = found.design.replace(projections=5).run()
    assert ("Too few" in few_projections.in_view({}).sentence) == (rows == 50)
    enough = found.design.replace(rows=1200).run()
    assert "Too few" not in enough.in_view({}).sentence, "which is what it says"
    assert found.in_view({}).findings["value"].label == "error of this rule"
    own = dp.solve(dp.HalfspaceDesign(found.where, seed=7, epsilon=1))
    assert ("Too few rows" in own.in_view({}).sentence) == few, "which depends on the number of rows alone"
    assert worst not in own.in_view({}).sentence, "at the top only"


@pytest.mark.parametrize("columns", [2, 5])
def test_projections_that_are_not_made_are_said_nowhere(columns):
    design = HalfspaceDesign.starting(dimension=columns, rows=500)
    made, exported = columns > 2, export_of(design)
    assert ("projection" in design.input_named("directions").says(design)) == made
    assert design.input_named("projections").matters(design) == made
    assert ("projections" in exported.data()["design"]) == made
    (answers,) = (panel for panel in exported.panels() if panel.key == "answers")
    assert ("mean, as in the paper" in [line.name for line in answers.lines]) == made
    assert ("mean" in design.run().findings) == made


def test_files_begin_with_what_holds_for_all_rules():
    found = dp.solve(dp.HalfspaceDesign.starting(rows=2000, seed=3))
    assert next(iter(found.findings)) == "worst-error" and next(iter(found.in_view({}).findings)) == "value"
    own = dp.solve(dp.HalfspaceDesign(found.where, seed=3, epsilon=1))
    assert next(iter(own.findings)) == "released", "the errors of people's rows are for their owner"


def test_files_are_about_the_rule_that_is_selected(tmp_path):
    found = dp.solve(dp.HalfspaceDesign.starting(rows=2000, seed=3, names="income, savings"))
    own = dp.solve(dp.HalfspaceDesign(found.where, seed=3, epsilon=1, names="income, savings"))
    for each in (found, own):
        made = export_of(each.design, done={"solve": each.selected({"angle": 120.0})})
        assert made.data()["details"] == {"rule": "savings > 0.5774 × income"}
        assert made.data()["findings"]["released"] == each.answer(each.across(120.0))
        (text,) = (text for label, text in made.facts() if label == "released: savings > 0.5774 × income")
        assert text.startswith(f"{100 * each.answer(each.across(120.0)):.1f}%")
    (side,) = (panel for panel in found.selected({"angle": 120.0}).panels_in({}) if panel.key == "side")
    assert side.rows[1].value == 100 * found.answer(found.across(120.0))
    worst = own.worst_angle
    assert own.selected({"angle": worst}).turned == worst, "a rule that the user turned to may be the worst by chance"
    by_error = {"angle": worst, "worst": worst}
    assert own.selected(by_error).turned == own.turned, "which rule is worst is computed from people's rows"
    caution = "Found by its error on your rows: not private."
    for each, view, cautious in ((own, by_error, True), (own, {"angle": worst}, False), (found, by_error, False)):
        drawn = {panel.key: panel for panel in each.panels_in({**view, "many": False})}
        assert [caution in drawn[key].under for key in ("points", "answers")] == 2 * [cautious]
        assert [drawn[key].title.endswith(" (not private)") for key in ("points", "answers")] == 2 * [cautious], "in files too"
    (picked,) = (line.select for line in drawn["margins"].lines if line.select)
    assert picked.target == "view" and picked.kept(5)["angle"] == picked.kept(5)["worst"], "a dot is chosen by its error"


def test_points_that_are_drawn_are_nobodys():
    found = dp.solve(dp.HalfspaceDesign.starting(rows=2000, seed=3))
    assert not found.findings["truth"].secret and not found.design.replace(real_errors="published").tells
    names = [line.name for panel in export_of(found.design).panels() for line in getattr(panel, "lines", ())]
    assert {"positive side", "plane", "released", "real"} <= set(names)
    assert "stays with you" not in found.line


def test_the_structure_answers_without_the_points(tmp_path):
    made = export_of(dp.HalfspaceDesign.starting(rows=2000, seed=1))
    data = made.outcome.structure
    angle = np.array([0.8, 0.6, 0, 0, 0])
    each = []
    for matrix, counts in zip(np.array(data["projections"]), data["counts"], strict=True):
        each.append(counts[int(np.argmax(np.array(data["directions"]) @ (matrix @ angle)))] / data["rows"])
    assert made.outcome.answer(angle) == pytest.approx(np.median(np.clip(each, 0, 1)))
    assert not data["published"] and not made.release(1).exact


def test_of_two_equally_near_directions_the_first_answers_on_every_processor():
    plan = Projections(-np.eye(2)[np.newaxis], -np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]]))
    for lean in (-1e-15, 0, 1e-15):
        assert answers(plan, [[10, 20, 30, 40]], 100, [1 + lean, 1 - lean]).tolist() == [0.1]
    assert answers(plan, [[10, 20, 30, 40]], 100, [1, 1 + 1e-9]).tolist() == [0.2]


def test_the_answer_on_two_columns_is_interpolated_between_the_directions_next_to_it():
    plan = projections(2, 2, 4, 40, 1)
    assert np.allclose(plan.directions, [[1, 0], [0, 1], [-1, 0], [0, -1]]), "counts on the axes"
    for angle, share in ((0, 0.1), (90, 0.2), (45, 0.15), (30, 0.1 + 0.1 / 3), (315, 0.25), (359, 0.1 + 0.3 / 90), (-90, 0.4)):
        towards = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        assert answers(plan, [[10, 20, 30, 40]], 100, towards).tolist() == [pytest.approx(share)]


def test_an_answer_has_its_noise_at_a_counted_rule_and_the_shares_next_to_it_between_two():
    points = np.random.default_rng(4).integers(-3, 4, (3000, 2)).astype(float)
    points = points[points.any(axis=1)]
    found = HalfspaceDesign(points, epsilon=700, target=2, directions=8).run()
    for angle in range(0, 360, 5):
        (told,) = (each for each in found.panels_in({"angle": float(angle)}) if isinstance(each, Sentence))
        assert not told.secret, "it is of the release alone"
        here, *ends = (significant(100 * found.real(at), 3) for at in (angle, 45.0 * (angle // 45), 45.0 * (angle // 45 + 1)))
        if angle % 45:
            assert told.text == f"Between two counted rules (dots, {ends[0]}% and {ends[1]}%): no bound."
        else:
            assert told.text.startswith(f"A counted rule (dot): {here}% ± ")
    curve = next(each for each in found.panels_in({"many": False}) if each.key == "answers")
    (dots,) = (line for line in curve.lines if line.dots)
    assert dots.x == pytest.approx([45.0 * step for step in range(8)])
    assert not any(line.dots for each in found.panels_in({}) if each.key == "answers" for line in each.lines), "files stay"
    for angle, before, after in ((44.2, 30.0, 45.0), (359.5, 30.0, 0.0), (40.0, 30.0, 40.0), (45.1, 45.0, 45.1)):
        assert found.turned_to(angle, {"angle": before})["angle"] == after, "to a counted rule, but away from it by a key"


def test_the_question_that_is_typed_stays_where_rows_are_on_its_line(tmp_path):
    (path := tmp_path / "people.csv").write_text("age,income\n" + "20,30000\n60,20000\n70,90000\n54,5\n" * 300, "utf-8")
    design = HalfspaceDesign.starting(points=f"file: {path}", ranges="18 to 90, 0 to 120000", directions=8, seed=1)
    found = design.run()
    for typed, real, told in (
        ("age > 54", 0.5, ""),
        ("age >= 54", 0.75, "Counted as age > 54: rows with exactly 54 are not included."),
        ("age <= 54", 0.5, ""),
        ("age < 54", 0.25, "Counted as age ≤ 54: rows with exactly 54 are included."),
        ("income >= -30000 + 1666.6667 age", 0.5, "are not included."),
    ):
        angle, other = read_rule(design, typed)
        assert found.real(angle, other) == pytest.approx(real, abs=1e-9), typed
        assert counted_as(design, angle, other).endswith(told) and bool(told) == other
        assert rule(design, angle, other).startswith(typed.replace(">=", "≥").replace("<=", "≤")[:8])
        with pytest.warns(UserWarning, match=re.escape(told)) if told else nullcontext():
            assert found.answer(typed) == found.released.answer(found.across(angle))
    odd = design.replace(directions=9)
    assert counted_as(odd, *read_rule(odd, "age <= 54")).startswith("Counted as age < 54: rows with exactly 54 are not included.")


def test_a_refused_rule_offers_the_ranges_with_which_it_is_answered(tmp_path):
    design, _ = money(tmp_path, names="age, income", ranges="18 to 90, 0 to 120000")
    told, changed = mended(design, "income > 40,000")
    assert (told, changed.ranges) == ("Set income to 0 to 80\u202f000", "18 to 90, 0 to 80000")
    assert read_rule(changed, "income > 40,000") == (90.0, False)
    told, changed = mended(design, "income > 500 age")
    assert (told, changed.ranges) == ("Rules through 0", design.ranges_around_0)
    assert mended(design, "income > 5 + 500 age") is None and mended(design, "age > 10") is None
    with pytest.raises(InputError) as caught:
        read_rule(design, "age >")
    (example,) = re.findall("like (.*), got", str(caught.value))
    assert read_rule(design, example), "it is itself accepted"


def test_interpolated_answers_have_smaller_errors_than_those_of_the_nearest_direction():
    random, worst, mean = np.random.default_rng(2), [], []
    for points in (
        random.normal(size=(4000, 2)),
        random.normal([-0.5, 0.3], 0.3, (4000, 2)),
        random.uniform(-0.9, 0.4, (4000, 2)),
    ):
        found = HalfspaceDesign(points, epsilon=1, seed=1, target=2, directions=24).run()
        angles, real, made, _ = found.curves
        near = found.released.counts[0][np.round(angles / 15 - 1e-9).astype(int) % 24] / 4000
        worst += [(abs(made - real).max(), abs(near - real).max())]
        mean += [(abs(made - real).mean(), abs(near - real).mean())]
    assert all(np.sum(each, axis=0)[0] < 0.6 * np.sum(each, axis=0)[1] for each in (worst, mean)), (worst, mean)


def test_of_two_opposite_directions_one_is_counted_and_rows_on_the_edge_meet_one_of_the_two_rules(tmp_path):
    points = np.random.default_rng(4).integers(-3, 4, (3000, 2)).astype(float)
    (path := tmp_path / "rows.csv").write_text("a,b\n" + "\n".join(f"{a:g},{b:g}" for a, b in points), "utf-8")
    design = HalfspaceDesign.starting(points=f"file: {path}", ranges="-5 to 5, -5 to 5", directions=8, epsilon=700)
    found = dp.solve(design)
    a, b = points.T
    for angle, told, met in (
        (0.0, "a > 0", a > 0),
        (90.0, "b > 0", b > 0),
        (180.0, "a ≤ 0", a <= 0),
        (270.0, "b ≤ 0", b <= 0),
        (360.0, "a > 0", a > 0),
    ):
        answer, orange = found.selected({"angle": angle}), pictures(found, angle)["points"].lines
        assert rule(design, angle) == told and answer.findings["truth"].value == pytest.approx(met.mean(), abs=1e-12)
        assert answer.findings["released"].value == pytest.approx(met.mean(), abs=1e-12), "without noise, exact"
        assert sum(len(line.x) for line in orange if line.name == "positive side") == met[:1500].sum()
    export_of(design, done={"solve": found}).write(tmp_path, "it", ["json"])
    read, statement = dp.read_halfspaces(tmp_path / "it-structure.json"), found.given.statement()
    assert [read.answer([1, 0]), read.answer([-1, 0])] == pytest.approx([(a > 0).mean(), (a <= 0).mean()])
    assert "4 noisy counts" in statement and "number of rows less" in found.structure["how"]
    assert (
        rule(design.replace(directions=7), 180.0) == "a < 0"
        and "less" not in dp.solve(design.replace(directions=7)).structure["how"]
    )
    assert found.counted.shape == (3000, 2) and sum(found.structure["counts"][0][k] for k in (1, 5)) == 3000


def test_one_count_for_two_opposite_directions_halves_the_noise_and_the_errors():
    points, errors = np.random.default_rng(2).normal([-0.5, 0.3], 0.3, (2000, 2)), []
    for directions in (24, 25):  # of an odd number, none is opposite to another
        plan = projections(2, 2, directions, 1, 1)
        made = [release(points, plan, Fraction(1), for_study(seed)) for seed in range(30)]
        assert made[0].privacy.exact_epsilon == Fraction(1, {24: 12, 25: 25}[directions])
        off = [[abs(one.answer(y) - share_above(points, y)) for y in plan.directions] for one in made]
        errors.append((np.mean(off), np.mean(np.max(off, axis=1))))
    assert (np.array(errors[0]) < 0.6 * np.array(errors[1])).all(), errors


def test_what_is_given_away_is_the_structure_with_its_statement(tmp_path):
    own = dp.HalfspaceDesign(drawn_points(500, 3, 0.5, 0.3, 3), epsilon=1, projections=4, directions=6)
    found = dp.solve(own)
    assert json.loads(found.given.data()) == found.structure and found.structure["counts"] == found.released.counts.tolist()
    assert found.given.plot.bars[0].values.tolist() == found.released.counts[0].tolist()
    assert found.given.plot.x.label == "the first 6 of 24 noisy counts"
    assert found.given.plot.under == (("Negative counts are noise.",) if found.released.counts[0].min() < 0 else ())
    assert (found.given.size, found.given.note) == ("24 counts", "Others can open the file here and type a rule.")
    statement = found.given.statement()
    assert "epsilon = 1, one row replaced" in statement and "24 noisy counts" in statement and "without a bound" in statement
    export_of(own, done={"solve": found}).write(tmp_path, "half", [found.given.file_format])
    assert json.loads((tmp_path / "half-structure.json").read_text("utf-8")) == found.structure
    assert (tmp_path / "half-privacy.txt").read_text("utf-8") == statement
    seeded = dp.solve(own.replace(seed=3)).given
    assert seeded.seeded and seeded.note == "Seed 3: do not publish." and "Not for publication" in seeded.statement()


def test_a_band_without_rows_is_named_for_drawn_points_only(answer):
    seen = {"angle": 0.0, "many": False}
    assert answer.margin(90.0) < 0.005 < answer.margin(0.0)
    for angle, named in ((0.0, True), (90.0, False)):
        points, *others = answer.panels_in({**seen, "angle": angle})
        assert points.under[0].endswith(" No rows are in the grey band.") == named
        assert points.hint == "1500 of 2000 rows" and not any(isinstance(each, Sentence) for each in others)
    own = dp.solve(dp.HalfspaceDesign(answer.where[:100], seed=3, epsilon=1))
    assert "band" not in own.panels_in(seen)[0].under[0], "which is computed from their rows"


def test_points_are_given(tmp_path):
    points = np.array([[1.0, 2, 3], [-1, 0, 0], [0, 0, 5]])
    design = dp.HalfspaceDesign(points, projections=2, directions=4, epsilon=1)
    assert HalfspaceDesign.from_json(design.to_json()) == design
    assert np.allclose(np.linalg.norm(dp.solve(design).where, axis=1), 1)
    path = tmp_path / "my  points.csv"
    path.write_text("x,y\n1,0\n0,2\n", "utf-8")
    assert HalfspaceDesign(f"file: {path}", epsilon=1).where().tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([[0, 0]], "every point must have a direction, got a zero vector in row 1"),
        ([[1], [2]], "rows of 2 to 64 numbers"),
        ([["a", 1]], "rows of numbers"),
        ([[np.nan, 1]], "got a zero vector in row 1"),
        ("points.csv", "must be drawn, or file:"),
    ],
)
def test_what_are_no_points_is_refused(given, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        HalfspaceDesign(given, epsilon=1)
    assert caught.value.field == "points"


def test_no_more_dimensions_are_kept_than_there_are_columns(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("1,0\n0,2\n", "utf-8")
    two = {"points": [[1, 2], [3, 4]]}, {"dimension": 2}, {"points": f"file: {path}"}
    for given in two:
        assert dp.solve(HalfspaceDesign.starting(rows=10, target=2, **given)).released.plan.matrices.shape[1:] == (2, 2)
        with pytest.raises(InputError, match="at most 2, the number of columns, got 3") as caught:
            dp.solve(HalfspaceDesign.starting(rows=10, target=3, **given))
        assert (caught.value.field, caught.value.suggestion) == ("target", "2")


def test_up_to_three_columns_are_not_projected_and_directions_suit_the_rows_and_epsilon(tmp_path):
    path = tmp_path / "people.csv"
    rows = np.column_stack([np.random.default_rng(3).uniform(-1, 1, (6000, 3)) ** 3, np.ones(6000)])
    path.write_text("a,b,c,d\n" + "\n".join(",".join(f"{x:.3f}" for x in row) for row in rows), "utf-8")

    def chosen(design):
        return design.target, design.directions, design.projections

    start = HalfspaceDesign.starting(epsilon=1)
    assert chosen(start) == chosen(start.replace(epsilon=2)) == (2, 16, 40)
    four = start.replace(points=f"file: {path}", ranges="-2 to 1, -1 to 1, -1 to 1, 0 to 2")
    assert chosen(four) == (2, 16, 40)
    own = four.replace(names="a, b, c")
    assert chosen(own) == (3, int(6000 ** (2 / 3) / 3), 40) and not own.projected
    assert chosen(own.replace(names="b, a")) == (2, 4 * round(6000**0.4 / 5), 40), "a multiple of 4: some on each axis"
    assert chosen(own.replace(names="b, a").replace(epsilon="0.0001")) == (2, 8, 40)
    assert chosen(own.replace(epsilon=100)) == (3, 500, 40)
    typed = own.replace(directions=20).replace(epsilon=2)
    assert chosen(typed) == (3, 20, 40), "a number that was typed stays"
    assert chosen(start.replace(dimension=3).replace(dimension=2)) == (2, 4 * round(20_000**0.4 / 5), 40)
    made = [design.replace(seed=3).run() for design in (own, own.replace(target=2))]
    errors = [abs(np.subtract(*each.curves[1:3])) for each in made]
    assert errors[0].max() < errors[1].max() and errors[0].mean() < errors[1].mean()


def test_there_are_at_most_twenty_million_numbers():
    assert HalfspaceDesign.starting(rows=10**6, dimension=20).rows == 10**6
    with pytest.raises(InputError, match="at most 20\u202f000\u202f000 numbers") as caught:
        HalfspaceDesign.starting(rows=10**6, dimension=21)
    assert (caught.value.field, caught.value.suggestion) == ("rows", str(20_000_000 // 21))
    with pytest.raises(InputError, match="got 20\u202f000\u202f064") as caught:
        HalfspaceDesign(np.broadcast_to(np.ones(1), (312_501, 64)), epsilon=1)
    assert caught.value.field == "points"


def test_invented_points_have_one_word():
    kind = HalfspaceDesign.starting().input_named("points")
    assert kind.summary(HalfspaceDesign.starting()) == kind.input.invented[1].lower() == "invented"


@pytest.mark.parametrize("columns", [2, 3])
def test_no_more_columns_than_dimensions_are_counted_as_they_are_once(columns):
    points = np.random.default_rng(3).normal(size=(500, columns)) + 0.4
    found = HalfspaceDesign(points, epsilon=1, seed=2, target=columns, directions=16).run()
    assert (found.released.plan.matrices == np.eye(columns)).all() and found.released.counts.shape == (1, 16)
    noisy = {2: 8, 3: 16}[columns]  # of two opposite directions of a plane, one
    assert found.released.privacy.exact_epsilon * noisy == 1
    units = found.released.plan.directions
    errors = [abs(found.answer(each) - share_above(found.where, each)) for each in units]
    assert max(errors) < 0.25, "at the counted directions there is noise alone"
    spread = (2 * (alpha := found.released.privacy.alpha)) ** 0.5 / (1 - alpha) / 500
    assert found.noise == pytest.approx(log(20) / 2**0.5 * spread), "of one count: Laplace noise"
    counts = f"{noisy} noisy counts"
    assert found.design.line.endswith(f"ε = 1 · {counts}") and f"{counts} answer every" in found.given.statement()
    says = found.design.input_named("directions").says(found.design)
    one = "16 directions are counted in 3 dimensions. An answer is one count."
    assert says == (
        one
        if columns == 3
        else "Of two opposite directions one is counted. Answers are interpolated. Suggested for n, ε and ranges: 8."
    )
    few = HalfspaceDesign(points[:100], epsilon=1, target=columns).run()
    assert few.in_view({}).sentence.endswith(f" or ε = {0.15 * noisy:g}."), "fewer projections there are none"
    assert few.given.note == "Noise hides the answers."


def test_the_middle_of_two_columns_is_named(tmp_path):
    (path := tmp_path / "people.csv").write_text("age,income\n" + "20,1000\n80,140000\n" * 200, "utf-8")
    design = HalfspaceDesign.starting().replace(points=f"file: {path}", ranges="18 to 90, 0 to 150000")
    found, rules = design.run(), "any rule whose line goes through the middle (age 54, income 75\u202f000).</b>"
    assert rules in found.sentence and found.told_noise in found.sentence
    assert "any rule whose line goes through the middle of the ranges.</b>" in found.in_view({}).sentence
    assert (
        "answer every rule whose line goes through the middle (age 54, income 75\u202f000), by those" in found.given.statement()
    )
    at_0 = design.replace(ranges=design.ranges_around_0)
    for each in (design.replace(ranges=""), at_0, HalfspaceDesign.starting()):
        assert (each.rules, each.through) == ("rule whose line goes through 0", "0")


@pytest.fixture(scope="module")
def answer():
    return HalfspaceDesign.starting(rows=2000, seed=3).run()


def pictures(answer, angle):
    return {panel.key: panel for panel in answer.panels_in({"angle": angle})}


def test_another_release_has_new_noise_for_the_same_rows(answer):
    again = answer.design.replace(seed=4).run()
    assert (again.where == answer.where).all() and again.released.answer([1, 0, 0, 0, 0]) != answer.answer([1, 0, 0, 0, 0])
    assert (answer.design.replace(seed=None).where() == answer.where).all()


@pytest.mark.parametrize(("where", "turned"), [(90.23, 90.2), (240.0, 240.0), (365.0, 5.0), (-5.0, 355.0)])
def test_the_dot_turns_the_plane_all_around(answer, where, turned):
    dot = pictures(answer, 30.0)["points"].lines[0]
    drag = dot.drags[0]
    assert drag.target == "view.angle" and drag.around and dot.x.tolist() == [30.0]
    assert drag.kept(drag.moved(dot.x, 0, where), 0) == turned


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 200.0])
def test_the_band_is_as_wide_as_the_margin_and_no_point_is_in_it(answer, angle):
    plot = pictures(answer, angle)["points"]
    _, band = (line for line in plot.lines if line.low is not None and line.role == "aid")
    across, margin = answer.across(angle)[:2], answer.margin(angle)
    for y in (band.low, band.high):
        away = across[0] * band.x + across[1] * y
        assert np.nanmax(abs(away)) <= margin + 1e-9
        assert np.nanmax(band.x**2 + y**2) <= 1 + 1e-9
    assert (abs(answer.where @ answer.across(angle)) >= margin - 1e-12).all()


def test_planes_with_a_margin_have_smaller_errors(answer):
    shown = pictures(answer, 30.0)
    worst = [row.value for row in shown["by-margin"].rows]
    assert worst == sorted(worst, reverse=True) and worst[0] == pytest.approx(100 * answer.worst)
    assert shown["margins"].lines[0].x.min() >= 0 and shown["points"].square


def test_points_of_people_stay_in_the_window():
    points = np.random.default_rng(1).normal(size=(200, 3))
    shown = {p.key: p for p in HalfspaceDesign(points, epsilon=1).run().panels_in({})}
    assert shown["side"].secret and shown["by-margin"].secret and not shown["margins"].public().lines
    lines = shown["points"].public().lines
    assert [line.name for line in lines if np.isfinite(line.y).any()] == ["plane"] and not any(line.dots for line in lines)


@pytest.mark.parametrize(
    ("angle", "told"),
    [
        (30, "savings > −1.732 × income"),
        (300, "savings < 0.5774 × income"),
        (120, "savings > 0.5774 × income"),
        (90, "savings > 0"),
        (180, "income < 0"),
        (270, "savings < 0"),
    ],
)
def test_a_plane_is_explained_as_a_rule_and_has_no_numbers_under_the_pointer(answer, angle, told):
    named = replace(answer, design=answer.design.replace(names="income, savings"))
    shown = pictures(named, angle)
    assert rule(named.design, angle) == told and shown["points"].under[0].startswith(f"Orange if {told}.")
    assert shown["points"].read(0.0) == [] and (shown["points"].x.label, shown["points"].y.label) == ("income", "savings")
    ends = ["high income", "high savings", "low income", "low savings", "high income"]
    assert [text for _, text in shown["answers"].x.ticks] == ends


def test_names_are_of_the_first_two_columns_and_belong_to_their_points():
    named = HalfspaceDesign.starting(names="a < b,  c, d")
    assert named.column_names == ("a < b", "c") and "a < b" in named.run().panels_in({})[0].under[0]
    assert HalfspaceDesign.from_json(named.to_json()) == named
    assert named.replace(points=[[1, 2], [3, 4]]).column_names == ("first axis", "second axis")
    assert named.replace(points=[[1, 2], [3, 4]], names="x, y").column_names == ("x", "y")
    for given in ("income", "income,"):
        with pytest.raises(InputError, match="must be names for two columns") as caught:
            HalfspaceDesign.starting(names=given)
        assert caught.value.field == "names"


def test_many_releases_are_dots_beside_the_real_share_for_the_owner():
    found = dp.solve(HalfspaceDesign.starting(rows=2000, seed=3))
    more = found.many(lambda *_: None)
    assert more.shape == (100, 40, 16) and np.ptp(more, axis=0).min() > 0
    view = {"angle": 31.7, "many": True}
    _, waiting, *_ = found.panels_in(view)
    assert waiting.key == "releases" and waiting.hint == "" and not waiting.public().lines
    _, dots, *_ = replace(found, more=more).panels_in(view)
    (text,) = dots.under
    turned = [found.panels_in({"angle": 31.7, "many": many})[0].lines[0].x[0] for many in (True, False)]
    assert turned == [31.7, 31.7], "all is of the rule that is shown"
    shares = np.array([replace(found.released, counts=each).answer(found.across(31.7)) for each in more])
    curve = found.panels_in({"angle": 30.0, "many": False})[1]
    assert dots.room == curve.room and dots.y.label == "releases", "they have the place of the curve"
    assert dots.lines[0].secret and dots.handles[0].secret and not dots.handles[0].movable
    assert abs(np.sort(dots.lines[0].x) - np.sort(100 * shares)).max() < 0.4
    off = 100 * (shares - share_above(found.where, found.across(31.7)))
    assert dots.handles[0].place == pytest.approx(100 * share_above(found.where, found.across(31.7)))
    biased = abs(off.mean()) > off.std()
    assert ("too high" in text) == (biased and off.mean() > 0) and ("too low" in text) == (biased and off.mean() < 0)


def answering(answer, shares):
    """Counts of releases that answer every rule by these shares."""
    counts = np.round(shares * answer.released.rows).astype(int)
    return np.broadcast_to(counts[:, np.newaxis, np.newaxis], (len(counts), *answer.released.counts.shape))


@pytest.mark.parametrize(
    ("off", "said"),
    [
        (np.r_[np.full(96, 0.03), np.full(4, -0.001)], "96 of 100 are too high: about 2.9 points"),
        (np.full(100, -0.02), "100 of 100 are too low: about 2.0 points"),
        (np.r_[np.full(60, 0.02), np.full(40, -0.02)], "Most of the error here is noise."),
    ],
)
def test_an_error_that_is_larger_than_its_spread_is_the_methods(answer, off, said):
    more = answering(answer, share_above(answer.where, answer.across(30.0)) + off)
    view = {"angle": 30.0, "many": True}
    _, dots, *_ = replace(answer, more=more).panels_in(view)
    assert dots.under[0].startswith(said)


def test_shares_that_are_cut_stand_whole_in_the_picture_and_are_counted(answer):
    more = answering(answer, np.r_[np.full(30, 0.0), np.full(10, 1.0), np.full(60, 0.5)])
    _, dots, *_ = replace(answer, more=more).panels_in({"angle": 30.0, "many": True})
    (line,), (low, high) = dots.lines, dots.x.limits
    assert low == 0 and line.x.min() >= 0 and line.x.max() <= high and dots.under == ("40 of 100 are cut to 0% or 100%.",)


SEEN = {"angle": 30.0, "many": False}


def test_the_papers_mean_is_drawn_in_files():
    found = dp.solve(HalfspaceDesign.starting(rows=2000, seed=3))
    for view, compared in (({}, True), (SEEN, False)):
        assert ("mean, as in the paper" in [line.name for line in found.panels_in(view)[1].lines]) == compared


def errors_of(answer, **view):
    (plot,) = (panel for panel in answer.panels_in({**SEEN, **view}) if panel.key == "margins")
    return plot


def test_each_rule_is_a_dot_at_its_margin_and_its_error_and_selects_the_rule(answer):
    (line,), (angles, real, made, margins) = errors_of(answer).lines, answer.curves
    seen = [int(np.flatnonzero(angles == line.select.kept(which)["angle"])[0]) for which in range(len(line.x))]
    assert sorted(seen) == list(range(72)), "the rule of 0 and 360 degrees is one"
    assert np.allclose(line.x, margins[seen]) and np.allclose(line.y, 100 * abs(real - made)[seen])
    for which, place in enumerate(seen):
        assert line.texts[which] == f"{rule(answer.design, angles[place])}:\nerror {figure(line.y[which], 3)} points"
    assert not answer.panels_in({})[-2].marks, "files have the rules alone"


@pytest.mark.parametrize("angle", [0.0, 30.0, 31.0, 360.0])
def test_the_selected_rule_is_marked_on_its_dot(answer, angle):
    plot = errors_of(answer, angle=angle)
    (mark,), across = plot.marks, answer.across(angle)
    assert mark.y == pytest.approx(100 * abs(share_above(answer.where, across) - answer.answer(across)))
    assert mark.x == pytest.approx(answer.margin(angle)) and plot.y.limits[1] > mark.y


@pytest.mark.parametrize("epsilon", ["1/5", 1, 100])
def test_the_headline_says_how_far_off_the_answers_are(epsilon):
    found = dp.solve(dp.HalfspaceDesign.starting(rows=20_000, margin="0.7", epsilon=epsilon, seed=7))
    _, real, made, _ = found.curves
    most = figure(100 * abs(real - made).max(), 2)
    assert found.in_view({"angle": 120.0}).sentence == (
        "<b>Anyone can ask what share of rows meets any rule whose line goes through 0.</b> Measured: "
        f"wrong by up to {most} points on the 72 rules tried."
    )
    (band,) = errors_of(found).bands
    assert (band.low, band.text) == (0.1, "no row near the line")
    near = replace(found, design=found.design.replace(margin=0), where=np.vstack([found.where, np.eye(5), -np.eye(5)[:2]]))
    near = replace(near, where=np.vstack([near.where, [(np.cos(a), np.sin(a), 0, 0, 0) for a in np.radians(range(0, 360, 5))]]))
    told = f"Measured: wrong by up to {figure(100 * near.worst, 2)} points on the 72 rules tried."
    assert near.in_view({}).sentence.endswith(told), "all are near rows"
    assert not errors_of(near).bands


def test_a_press_turns_to_the_worst_rule(answer):
    (worst,) = HalfspaceDesign.buttons
    now = SimpleNamespace(design=answer.design, answer=answer, view={"angle": None, "last": None})
    looked = worst.run(now)
    assert answer.error(looked["angle"]) == pytest.approx(answer.worst) and not looked["many"] and worst.offered(now)


def test_the_curve_names_the_rule_that_is_pointed_at_and_a_click_turns_to_it(answer):
    line = pictures(answer, 120.0)["answers"].lines[0]
    real, made = (100 * curve[49] for curve in answer.curves[1:3])
    assert line.select.read(49) == f"{rule(answer.design, 245.0)}:\nreal {real:.3g}%, released {made:.3g}%"
    assert (line.select.target, line.select.kept(49)) == ("view.angle", 245.0)
    assert answer.given.plot.read(3) == [
        f"{group_thousands(int(answer.released.counts[0, 3]))} rows on the positive side of a direction, with noise"
    ]


def test_the_margins_reach_as_far_as_the_dots(tmp_path):
    found = dp.solve(money(tmp_path, ranges=RANGES)[0])
    plot = pictures(found, 30.0)["margins"]
    assert plot.x.limits[1] == pytest.approx(1.05 * plot.lines[0].x.max())


def test_errors_are_shown_against_the_rows_near_a_line_where_rows_are_next_to_every_line():
    points = np.random.default_rng(3).normal(size=(5000, 2))
    for where, label in (
        (points, "share of rows near the line"),
        ([[1, 0], [0, 1]] * 500, "distance of the nearest row from the line"),
    ):
        found = HalfspaceDesign(where, epsilon=1, seed=3).run()
        plot = errors_of(found, angle=60.0)
        near = np.mean(abs(found.where @ found.across(60.0)[:2]) < 0.1)
        assert plot.x.label == label and plot.marks[0].x == (near if where is points else found.margin(60.0))


def test_the_real_and_the_released_share_are_written_beside_the_picture_in_the_window_only(answer):
    points = pictures(answer, 120.0)["points"]
    shares = share_above(answer.where, answer.across(120.0)), answer.answer(answer.across(120.0))
    assert [(row.label, row.text) for row in points.figures] == [
        (name, f"{100 * share:.1f}%") for name, share in zip(("Real", "Released"), shares, strict=True)
    ]
    assert points.public().figures == ()


def test_the_card_says_how_an_answer_is_made():
    says = HalfspaceDesign.starting().input_named("directions").says
    assert says(HalfspaceDesign.starting(projections=7, directions=5, target=3)) == (
        "Each projection counts 5 directions in 3 dimensions. An answer is the median of 7."
    )


def test_errors_of_peoples_points_stay_in_the_window(answer):
    plot = errors_of(dp.solve(HalfspaceDesign(answer.where[:100], seed=3, epsilon=1))).public()
    assert not plot.lines and not plot.marks and not plot.handles
    assert plot.under == ("Measured on your rows: do not publish.",), "no number of theirs is below it"


def test_a_folded_card_has_the_name_that_it_has_when_it_is_open():
    folded = {each.key: each for each in HalfspaceDesign.inputs() if each.folded}
    design = HalfspaceDesign.starting(rows=2000)
    assert [each.folded(design) for each in folded.values()] == ["Invented rows: 2000", "Directions: 16"]
    assert all(each.folded(design).startswith(f"{each.label}: ") for each in folded.values()), "the same name as when opened"


def test_names_come_from_the_header_of_a_file(tmp_path):
    path = tmp_path / "money.csv"
    for header, names in (
        ("income,savings,age\n", "income, savings, age"),
        ("", ""),
        ("1e3,savings,savings\n", "1e3, savings, savings 3"),
        ("income,,age\n", "income, column 2, age"),
        ('"a, b",savings,age\n', "a b, savings, age"),
    ):
        path.write_text(header + "1,2,3\n-1,1,2\n", "utf-8")
        assert HalfspaceDesign.starting().replace(points=f"file: {path}").names == names, header
    given = HalfspaceDesign.starting().replace(points=f"file: {path}", names="age, savings")
    assert given.names == "age, savings" and given.replace(rows=99).names == "age, savings"
    path.write_text("1,2,3\n-1,-1,-2\n", "utf-8")
    given = HalfspaceDesign.starting().replace(points=f"file: {path}", names="x, y")
    assert given.names == "x, y" and given.where().shape == (2, 3), "without a header they are names for the first two"
    assert given.replace(points=f"file: {tmp_path / 'none.csv'}").names == ""


def test_columns_of_numbers_are_used_where_others_have_text(tmp_path):
    (path := tmp_path / "people.csv").write_text("id,age,income,town\np1,20,-7,Rome\np2,-3,5,Oslo\n", "utf-8")
    design = HalfspaceDesign.starting().replace(points=f"file: {path}")
    with pytest.raises(InputError, match=r"numbers, but people.csv, line 2 has no number in id, town\.") as caught:
        design.run()
    assert (caught.value.field, caught.value.suggestion) == ("names", "age, income")
    assert design.replace(names="age, income").run().where.shape == (2, 2)


def test_the_file_of_own_points_has_no_inputs_of_drawn_ones():
    made = export_of(HalfspaceDesign([[1, 2], [3, -4]], epsilon=1)).data()["design"]
    assert made["epsilon"] == 1 and not {"rows", "dimension", "margin", "share"} & made.keys()
    assert export_of(HalfspaceDesign.starting(rows=50)).data()["design"]["rows"] == 50


def test_a_changed_file_is_other_data_and_numbers_of_invented_rows_are_not(tmp_path):
    path = tmp_path / "money.csv"
    path.write_text("1,2\n-1,1\n", "utf-8")
    design = HalfspaceDesign(f"file: {path}", epsilon="1/2")
    key = design.noise_key
    assert key == design.replace(rows=50, margin=0, epsilon="0.5", name="Mine", real_errors="published").noise_key
    assert key not in [design.replace(**{name: 7}).noise_key for name in ("epsilon", "directions", "seed")]
    assert key == design.replace(projections=7).noise_key, "two columns are not projected"
    assert design.replace(target=1).noise_key != design.replace(target=1, projections=7).noise_key
    assert key != design.replace(target=1).noise_key and design.replace(seed=1).noise_key != design.replace(seed=2).noise_key
    os.utime(path, (1, 1))
    assert design.noise_key != key


def test_the_statement_says_that_losses_add_up_unless_it_is_for_study():
    design = HalfspaceDesign.starting(rows=2000, projections=5, directions=4)
    assert "privacy losses of releases of the same rows add up. Publish only one" in design.run().given.statement()
    assert "add up" not in design.replace(seed=1).run().given.statement()


def test_the_axis_of_rules_without_names_has_a_caption(answer):
    axis = pictures(answer, 30.0)["answers"].x
    assert axis.title == "direction of the rule" and axis.ticks[1] == (90.0, "high second axis")


def money(tmp_path, **inputs):
    """Incomes, savings and ages, of which no column has values on both sides of 0."""
    random = np.random.default_rng(4)
    columns = random.lognormal(10.3, 0.5, 400).round(), random.uniform(1, 60_000, 400).round(), random.integers(18, 91, 400)
    path = tmp_path / "people.csv"
    rows = "\n".join(",".join(map(str, row)) for row in zip(*columns, strict=True))
    path.write_text(f"income,savings,age\n{rows}\n", "utf-8")
    return HalfspaceDesign.starting(seed=1).replace(points=f"file: {path}", **inputs), columns


RANGES = "0 to 90000, 0..40000, 18 to 90"


def test_columns_on_one_side_of_0_need_ranges(tmp_path):
    design, _ = money(tmp_path)
    with pytest.raises(
        InputError, match="give the range of each column, like 18 to 90, 0 to 120\u202f000: all rules pass"
    ) as caught:
        dp.solve(design)
    assert caught.value.field == "ranges" and not caught.value.suggestion, "no range is taken from the data"
    assert design.input_named("ranges").matters(design) and not HalfspaceDesign.starting().input_named("ranges").matters(
        HalfspaceDesign.starting()
    )


def test_ranges_of_other_columns_are_refused_at_once_so_that_the_last_valid_ones_stay(tmp_path):
    design, _ = money(tmp_path, ranges=RANGES)
    with pytest.raises(InputError, match=r"one per column \(income, savings, age\), 3, got 1"):
        design.replace(ranges="0 to 9")
    assert design.replace(ranges="").ranges == ""


@pytest.mark.parametrize(
    ("ranges", "ends"),
    [
        ("18-90, 0–150000", [[18, 90], [0, 150_000]]),
        ("18 - 90, 0 to 150 000", [[18, 90], [0, 150_000]]),
        ("-5--2, 1e-5 to 2", [[-5, -2], [1e-5, 2]]),
        ("−5 – 5, 0..1.5", [[-5, 5], [0, 1.5]]),
    ],
)
def test_ranges_are_written_in_several_ways(tmp_path, ranges, ends):
    assert money(tmp_path, names="age, income", ranges=ranges)[0].scales.tolist() == ends


@pytest.mark.parametrize(
    ("ranges", "problem"),
    [
        ("0 to 90000, 18 to 90", r"ranges must be one per column \(income, savings, age\), 3, got 2"),
        ("0 to 90000", r"ranges must be one per column \(income, savings, age\), 3, got 1"),
        ("0 to 90000, 40000 to 0, 18 to 90", "the smaller end of a range comes first, got '40000 to 0'"),
        ("0 to 150,000, 18 to 90", "each range must be like 0 to 900, got 000"),
        ("0 to 90000, 5, 18 to 90", "each range must be like 0 to 900, got 5"),
        ("0 to 1e999, 0 to 1, 0 to 1", "each range must be like 0 to 900, got '0 to 1e999'"),
    ],
)
def test_ranges_that_are_none_are_refused(tmp_path, ranges, problem):
    with pytest.raises(InputError, match=problem) as caught:
        dp.solve(money(tmp_path, ranges=ranges)[0])
    assert caught.value.field == "ranges"


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 120.0, 180.0, 200.0, 270.0, 333.0])
def test_a_rule_on_columns_with_ranges_is_one_on_their_values(tmp_path, angle):
    """The rule in words, applied to the values of the file, gives the share that the picture has as real."""
    design, (income, savings, _) = money(tmp_path, ranges=RANGES)
    found = dp.solve(design)
    name, sign, right = re.fullmatch(r"(.+) ([<>]) (.+)", rule(design, angle)).groups()
    values = {"income": income, "savings": savings}
    right = re.sub(r"[−\u202f×]", lambda found: {"−": "-", "×": "*"}.get(found[0], ""), right)
    level, left = eval(right, {"income": income}), values[name]
    share = np.mean(left > level if sign == ">" else left < level)
    assert share == pytest.approx(share_above(found.where, found.across(angle)), abs=0.01), "numbers have three digits"


def test_ranges_are_in_what_is_given_away_and_decide_the_noise(tmp_path):
    design, _ = money(tmp_path, ranges=RANGES)
    found = dp.solve(design)
    assert (
        found.structure["ranges"] == [[0, 90_000], [0, 40_000], [18, 90]]
        and "ranges" not in dp.solve(HalfspaceDesign.starting(rows=50)).structure
    )
    assert design.noise_key != design.replace(ranges="0 to 90000, 0..50000, 18 to 90").noise_key
    assert HalfspaceDesign.from_json(design.to_json()) == design
    assert design.replace(points="drawn").ranges == "", "of another file"
    (copy := tmp_path / "copy.csv").write_bytes((tmp_path / "people.csv").read_bytes())
    some = design.replace(names="savings, age")
    for path in (tmp_path / "people.csv", copy):
        again = some.replace(points=f"file: {path}")
        assert (again.names, again.ranges) == (some.names, some.ranges), "of the same columns"
    copy.write_text("age,weight\n30,80\n40,70\n", "utf-8")
    assert some.replace(points=f"file: {copy}").ranges == "" and some.replace(points=f"file: {copy}").names == "age, weight"


def test_own_rows_do_not_have_the_name_of_invented_ones(tmp_path):
    design = HalfspaceDesign.starting(name="Loan rules of a bank")
    path = money(tmp_path)[0].points
    assert design.replace(points=path).name == "" and design.replace(points=path, name="Ours").name == "Ours"
    assert design.replace(points=path).replace(name="Ours").replace(points=path).name == "Ours"


def test_the_middle_of_ranges_is_at_the_middle_of_the_axes(tmp_path):
    found = dp.solve(money(tmp_path, ranges=RANGES)[0])
    x, y = found.panels_in({"angle": 0.0})[0].x, found.panels_in({"angle": 0.0})[0].y
    assert (x.ticks, y.ticks) == tuple(
        ((-1.0, "0"), (0.0, middle), (1.0, high))
        for middle, high in (("45\u202f000", "90\u202f000"), ("20\u202f000", "40\u202f000"))
    )


def test_rows_outside_the_ranges_are_counted_as_they_are(tmp_path):
    random = np.random.default_rng(4)
    age, income = random.integers(18, 91, 4000), random.lognormal(10.3, 0.8, 4000).round()
    (path := tmp_path / "people.csv").write_text("age,income\n" + "\n".join(f"{a},{i}" for a, i in zip(age, income, strict=True)))
    design = HalfspaceDesign.starting(seed=1).replace(points=f"file: {path}", ranges="30 to 60, 0 to 50000", epsilon=100)
    found = dp.solve(design)
    real = np.mean((age - 45) / 30 + 3**0.5 * (income - 25_000) / 50_000 > 0)
    at = found.selected({"angle": 60.0})
    assert at.findings["truth"].value == pytest.approx(real, abs=1e-9)
    assert at.findings["released"].value == pytest.approx(real, abs=0.01)
    assert found.error(60.0) == abs(found.released.answer(found.across(60.0)) - at.findings["truth"].value)


def test_a_row_moves_each_count_by_at_most_1_wherever_it_is():
    """So that no value need be brought into its range."""
    random = np.random.default_rng(5)
    for far, columns in itertools.product((1, 10, 1e6, 1e100), (2, 4)):
        plan, points = projections(columns, 2, 12, 5, 1), random.normal(size=(30, columns))
        other = points.copy()
        other[7] = far * random.normal(size=columns)
        counts = [release(each, plan, Fraction(10**6), for_study(1)).counts for each in (points, other)]
        assert abs(counts[0] - counts[1]).max() <= 1


@pytest.mark.parametrize("many", [1, 5, 40])
def test_noise_is_beyond_what_is_said_5_times_in_100(many):
    drawn = np.random.default_rng(3).laplace(size=(20_000, many))
    found = HalfspaceDesign.starting(rows=2000, projections=many, directions=4, seed=1).run()
    alpha = found.released.privacy.alpha
    scale = alpha**0.5 / (1 - alpha) / found.released.rows  # of Laplace noise with the deviation of the geometric one
    assert np.mean(abs(np.median(drawn, axis=1)) > found.noise / scale) == pytest.approx(0.05, abs=0.005)


def test_coefficients_as_the_page_prints_them_give_what_it_shows(tmp_path):
    design, _ = money(tmp_path, ranges=RANGES)
    for names, at in (("income, savings", 24.0), ("income, savings", 200.0), ("savings, age, income", 120.0)):
        found = dp.solve(design.replace(names=names))
        export_of(found.design, done={"solve": found}).write(tmp_path, "it", ["json"])
        read = dp.read_halfspaces(tmp_path / "it-structure.json")
        sign, join, weight = re.fullmatch(r".+ ([>≤<]) .+ ([+−]) ([\d.]+) × .+", rule(found.design, at)).groups()
        given = np.array([float(weight) * (1 if join == "−" else -1), 1.0, 0.0]) * (1 if sign == ">" else -1)
        made = {row.label: row.value for row in pictures(found, at)["side"].rows}["Released"]
        given = given[: len(found.design.named)]
        assert 100 * read.answer(given) == pytest.approx(made, abs=0.05) and found.answer(given) == read.answer(given)
        example, told = re.search(r"answer\((.+)\) does this for (.+)\.$", found.structure["how"]).groups()
        assert told == rule(found.design, 135.0)
        assert read.answer(json.loads(example)) == pytest.approx(found.released.answer(found.across(135.0)), abs=0.001)
    assert "interpolate" not in found.structure["how"]


def test_a_row_in_the_middle_of_all_ranges_meets_no_rule(tmp_path):
    path = tmp_path / "middle.csv"
    path.write_text("1,1\n5,5\n9,20\n", "utf-8")
    design = HalfspaceDesign.starting(points=f"file: {path}", ranges="0 to 10, 0 to 10", seed=1)
    assert design.where().tolist()[1] == [0, 0] and np.allclose(np.linalg.norm(design.where()[[0, 2]], axis=1), 1)
    assert [share_above(design.where(), [x, y]) for x, y in ((1, 0), (-1, 0))] == [1 / 3, 1 / 3]


def test_rows_outside_the_ranges_are_counted_and_not_drawn(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age,income,size\n20,5,1\n30,15,1\n95,40,0\n99,7,0\n", "utf-8")
    design = HalfspaceDesign.starting(points=f"file: {path}", ranges="18 to 90, 0 to 30, 0 to 1", seed=1)
    points = dp.solve(design).panels_in({})[0]
    assert points.under[0].endswith(". Rows outside the ranges: 2.") and points.hint == "2 of 4 rows"
    path.write_text("age,income,size\n" + "20,5,1\n" * 1600 + "95,40,0\n" * 7, "utf-8")
    assert dp.solve(design).panels_in({})[0].under[0].endswith(". Rows outside the ranges: 7."), "not only of those drawn"
    path.write_text("age,income,size\n20,5,1\n30,15,1\n95,40,0\n99,7,0\n", "utf-8")
    two = dp.solve(design.replace(names="age, size")).panels_in({"angle": 30})[0]
    assert two.hint == "2 of 4 rows" and two.marks[0].x == pytest.approx(3**0.5 / 2)
    dots = [(x, y) for line in two.lines if line.dots for x, y in zip(line.x, line.y, strict=True)]
    assert sorted(dots) == [(-17 / 18, 1), (-2 / 3, 1)], "rows where they are in the ranges"
    (edge,) = (line for line in two.lines if line.name == "plane")
    assert np.allclose(np.sort(edge.x), [-1 / 3**0.5, 1 / 3**0.5]) and np.allclose(np.sort(edge.y), [-1, 1]), "through the square"
    unnamed = HalfspaceDesign(design.points, ranges=design.ranges, epsilon=1)
    assert unnamed.column_names == ("age", "income"), "the file names them"


def test_names_choose_the_columns_of_a_file_with_their_ranges(tmp_path):
    design, columns = money(tmp_path, ranges=RANGES)
    some = design.replace(names="savings, age")
    assert some.ranges == "0..40000, 18 to 90" and design.replace(names="age, income").ranges == "18 to 90, 0 to 90000"
    scaled = np.stack([columns[1] / 20_000 - 1, (columns[2] - 54) / 36], axis=1)
    assert np.allclose(some.where(), scaled / np.linalg.norm(scaled, axis=1, keepdims=True))
    assert some.noise_key != design.noise_key, "other data have a release of their own"
    found, first = dp.solve(some), dp.solve(some).panels_in({"angle": 0.0})[0]
    assert first.x.label == "savings" and "savings > 20\u202f000" in first.under[0]
    assert (found.structure["columns"], found.structure["ranges"]) == ("savings, age", [[0, 40_000], [18, 90]])
    assert "The columns, in this order: savings, age." in found.given.statement()
    drawn = dp.solve(HalfspaceDesign.starting(rows=50, dimension=3, names="a, b"))
    assert drawn.structure["columns"] == "a, b, column 3"
    assert "columns" not in dp.solve(HalfspaceDesign.starting(rows=50)).structure
    back = some.replace(names="savings, age, income")
    with pytest.raises(InputError, match=r"one per column \(savings, age, income\), 3, got 2") as caught:
        dp.solve(back)
    assert caught.value.field == "ranges", "the range of income is not known any more"
    assert design.replace(names="").names == "income, savings, age"


def test_a_column_that_the_file_does_not_have_is_refused(tmp_path):
    design, _ = money(tmp_path, ranges=RANGES)
    for names in ("savings, debts", "income, savings, debts"):
        problem = "the file has no column 'debts'; its columns are income, savings, age"
        with pytest.raises(InputError, match=problem) as caught:
            design.replace(names=names)
        assert caught.value.field == "names"
        with pytest.raises(InputError, match=problem):
            dp.solve(HalfspaceDesign(design.points, epsilon=1, names=names, ranges=RANGES))
    (tmp_path / "people.csv").write_text("income,savings\n1,2,3\n-1,1,2\n", "utf-8")
    with pytest.raises(InputError, match="must have a name for each column in its first line"):
        dp.solve(design.replace(points=design.points))


def test_a_rule_is_solved_for_the_vertical_axis_and_the_ranges_for_rules_through_0_are_offered(tmp_path):
    design, _ = money(tmp_path, names="age, income", ranges="18 to 90, 0 to 120000")
    assert rule(design, 120.0) == "income > 8038 + 962.3 × age" and rule(design, 240.0) == "income ≤ 112\u202f000 − 962.3 × age"
    at = design.replace(ranges=design.ranges_around_0)
    assert at.ranges == "−90 to 90, −120000 to 120000" and not at.ranges_around_0
    assert rule(at, 120.0) == "income > 769.8 × age"


def test_ranges_around_0_have_more_directions_and_smaller_errors_for_rows_in_one_quadrant(tmp_path):
    ages, draws = np.linspace(18, 90, 2000), np.random.default_rng(1)
    rows = zip(ages, draws.lognormal(10.4, 0.6, 2000), strict=True)
    (path := tmp_path / "people.csv").write_text("age,income\n" + "".join(f"{a:.0f},{b:.0f}\n" for a, b in rows), "utf-8")
    design = HalfspaceDesign.starting().replace(points=f"file: {path}", ranges="18 to 90, 0 to 120000")
    around = design.replace(ranges=design.ranges_around_0)
    assert (design.directions, around.directions) == (16, 32)
    assert around.replace(ranges=design.ranges).directions == 16
    assert design.replace(directions=20).replace(ranges=around.ranges).directions == 20, "of one’s own"
    errors = [np.mean([dp.solve(around.replace(directions=many, seed=seed)).worst for seed in range(5)]) for many in (16, 32)]
    assert errors[1] < 0.6 * errors[0], errors


def test_ends_of_a_range_in_the_wrong_order_are_put_right(tmp_path):
    with pytest.raises(InputError, match="the smaller end of a range comes first, got '90 to 18'") as caught:
        money(tmp_path, names="age, income", ranges="90 to 18, 0 to 9")
    assert caught.value.suggestion == "18 to 90, 0 to 9"


def test_the_report_says_what_is_given_away_and_how_to_ask(tmp_path):
    design, _ = money(tmp_path, names="age, income", ranges="-90 to 90, -120000 to 120000")
    told = dict(export_of(design).stated())
    assert list(told) == ["Question", "What is given away", "How to ask"]
    assert told["Question"] == "What share of the rows meets a rule, like income > 1333 × age?"
    found = dp.solve(design)
    noise = f"A counted rule is answered within {figure(100 * found.noise, 2)} points, 95 times in 100"
    assert noise in told["What is given away"] and noise in found.sentence and "read_halfspaces" in told["How to ask"]
    assert found.findings["noise"].value == found.noise, "the number that the window shows"
    turned = found.selected({"angle": 30.0})
    assert "answer([2309.0, 1.0])" in turned.how and "−2309 × age" in turned.how, "the rule of the question"
    assert len(told["How to ask"]) < 130 and found.how in export_of(design).proof() and "NAME" not in str(told)
    share = significant(100 * found.released.answer(found.across(found.turned)), 3)
    near = f"{share}% ± {figure(100 * found.noise, 2)} points, 95 times in 100"
    assert export_of(design, done={"solve": found}).headline[1] == near
    assert not any(key.endswith("-full") for key in found.findings)
    drawn = found.selected({"angle": found.worst_angle, "worst": found.worst_angle})
    shown = drawn.panels_in({"angle": found.worst_angle, "worst": found.worst_angle})[0]
    assert shown.under[0].startswith(f"Orange if {rule(design, 135.0)}."), "as in the JSON file"
    assert "not private" not in shown.title


def test_a_rule_is_read_as_it_is_printed(tmp_path):
    design, _ = money(tmp_path, names="age, income", ranges="18 to 90, 0 to 120000")
    for each in (design, design.replace(directions=9), HalfspaceDesign.starting(names="income, net-income")):
        for angle in range(0, 360, 5):
            assert read_rule(each, rule(each, angle))[0] == pytest.approx(angle, abs=0.1), rule(each, angle)


@pytest.mark.parametrize(
    ("typed", "angle"),
    [
        ("54<age", 0),
        ("age >= 54", 0),
        ("age <= 54", 180),
        ("age ≤ 54,0", 180),
        ("2 × age < 108", 180),
        ("income > 501 × age + 32946", 106.7),
        ("income - 501 age ≥ 32 946", 106.7),
        ("501*age + 32946 > income", 286.7),
        ("income > 60,000", 90),
        ("income > 1/0 × age", None),
        ("income/1000 − 60 > 0", 90),
    ],
)
def test_terms_of_a_rule_are_on_either_side(tmp_path, typed, angle):
    design, _ = money(tmp_path, names="age, income", ranges="18 to 90, 0 to 120000")
    if angle is None:
        with pytest.raises(InputError, match="a rule must be like"):
            read_rule(design, typed)[0]
    else:
        assert read_rule(design, typed)[0] == pytest.approx(angle, abs=0.1)


@pytest.mark.parametrize(
    ("typed", "told", "valid"),
    [
        ("income > 501 × age", r"ranges \(age 54, income 60.000\)\.", "income > 32\u202f950 + 501 × age"),
        ("income > 9 + 501 × age", r"the ranges \(age 54, income 60.000\)\.", "income > 32\u202f950 + 501 × age"),
        ("age < 50", "through the middle", "age ≤ 54"),
        ("age > 54.1", "through the middle", "age > 54"),
        ("age", "one of > < ≥ ≤ and age or income", ""),
        ("1 < age < 2", "one of > < ≥ ≤ and age or income", ""),
        ("height > 3", "no column .height.; the columns are age, income", ""),
        ("age > 1,054", "like income > −30.000", ""),
        ("age > ", "like income > −30.000", ""),
        ("age 2 > 3", "like income > −30.000", ""),
        ("3 > 2", "must be about age or income", ""),
    ],
)
def test_another_rule_is_refused_with_the_parallel_one(tmp_path, typed, told, valid):
    design, _ = money(tmp_path, names="age, income", ranges="18 to 90, 0 to 120000")
    with pytest.raises(InputError, match=told) as caught:
        read_rule(design, typed)[0]
    assert (caught.value.field, caught.value.suggestion or "") == ("rule", valid)


def test_rows_without_a_number_in_a_column_of_a_rule_are_left_out(tmp_path):
    (path := tmp_path / "people.csv").write_text("age,pay,note\n" + "30,1,\n,2,\n40,,\n50,ill,7\n60,3,\n" * 40, "utf-8")
    design = HalfspaceDesign(f"file: {path}", epsilon=1, names="age, pay", ranges="0 to 100, 0 to 4")
    with pytest.raises(
        InputError, match=r"every row of age must have a number, got none in people.csv, line 3 and 119"
    ) as caught:
        dp.solve(design)
    assert (caught.value.field, caught.value.suggestion) == ("points", "120")
    found = dp.solve(whole := design.leaving_out())
    assert found.released.rows == 80 and whole.noise_key != design.noise_key
    assert "only those with a number count. Their number is public" in found.given.statement()
    assert type(whole).from_json(whole.to_json()).partial, "it is kept in a file"
    assert not whole.replace(points="drawn").partial, "it belongs to the file"
    path.write_text("age,pay,note\n" + "30,1,\n,2,x\n" * 40, "utf-8")
    with pytest.raises(InputError, match=r"columns must have numbers, but people.csv, line 2 has no number in note") as caught:
        dp.solve(whole.replace(names="pay, note", ranges="0 to 4, 0 to 9"))
    assert caught.value.field == "names", "a column of text is another one to choose"
