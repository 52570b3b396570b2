"""Two made-up columns: the worst rectangle against a search of all, the promise, whole counts, and what is refused."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.synthetic.cells import Cells, Shape
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.regions import (
    grid_counts,
    grid_error_bound,
    integer_counts,
    make_grid,
    order_of,
    rectangle_bounds,
    square_shape,
    worst_rectangle,
)
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies.base import as_table, for_owner
from dpdesigner.studies.findings import public
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.rectangle import RectangleDesign, real_table

ONE = Fraction(1)


def test_the_worst_rectangle_is_the_worst_of_all():
    generator = np.random.default_rng(1)
    for _ in range(20):
        table = generator.integers(-3, 4, (5, 6))
        found = worst_rectangle(table)
        worst = max(
            abs(table[a:b, c:d].sum()) for a in range(5) for b in range(a + 1, 6) for c in range(6) for d in range(c + 1, 7)
        )
        (top, bottom), (left, right) = found.rows, found.columns
        assert abs(found.error) == worst == abs(table[top:bottom, left:right].sum())


def test_pairs_are_counted_in_half_open_cells():
    cells = Cells(Fraction(0), Fraction(4), 2)
    table = grid_counts(cells, cells, [0, 1, 3.99, 1], [0, 2, 3, 2.5])
    assert table[0, 0] == 1 and table[1, 2] == 2 and table[3, 3] == 1 and table.sum() == 4


def test_squares_stand_together():
    order = order_of(2)
    assert sorted(order.tolist()) == list(range(16)) and order[:4].tolist() == [0, 1, 4, 5]
    assert square_shape(3).fans == (16, 4) and square_shape(1).fans == (4,)


def test_whole_counts_are_the_nearest():
    found = integer_counts(np.array([5.5, -3.0, 2.5, 1.0]), 6)
    assert found.sum() == 6 and found.min() >= 0
    assert integer_counts(np.array([-1.0, 2.0]), 0).tolist() == [0, 0]


HALF_EMPTY = np.array([[0] * 8] * 4 + [[29] * 8] * 4)  # the rows lost below 0 are missing in the other half


@pytest.mark.parametrize("real", [np.random.default_rng(2).integers(0, 30, (8, 8)), HALF_EMPTY])
@pytest.mark.parametrize("method", ["laplace", "hierarchy"])
def test_the_synthetic_rows_have_the_error_bound(method, real):
    shape = square_shape(3) if method == "hierarchy" else Shape((64,))
    promise = grid_error_bound(shape, 3, shape.level_privacy(ONE, 2).alpha, 0.05)
    worst = []
    for run in range(200):
        made = make_grid(real, shape, ONE, 2, for_study(run))
        assert made.counts.sum() == real.sum() and made.counts.min() >= 0 and made.table.sum() == pytest.approx(real.sum())
        worst.append(abs(worst_rectangle(made.counts - real).error))
    assert np.mean(np.array(worst) > promise.rows) <= 0.05 and np.median(worst) > promise.rows / 4


@pytest.mark.parametrize("step", [1, 3])
def test_no_rows_miss_by_more_than_the_bound_of_their_noise(step):
    generator, closest = np.random.default_rng(4), 0.0
    for _ in range(300):
        noise = np.round(generator.laplace(0, 3, (4, 4)))
        if generator.random() < 0.5:  # of a hierarchy: not whole, with the total 0
            noise = generator.laplace(0, 3, (4, 4))
            noise -= noise.mean()
        bound = rectangle_bounds(noise[np.newaxis], step)[0]
        for empty in (np.arange(4) < generator.integers(4), generator.random((4, 4)) < generator.random()):
            real = np.where(np.broadcast_to(empty, (4, 4)), 0, 100) + generator.integers(0, 2, (4, 4))
            noisy = real + noise - noise.mean()
            made = integer_counts(noisy.ravel(), int(real.sum())).reshape(4, 4)
            error = abs(worst_rectangle(made - real).error)
            assert error <= bound + 1e-9, (real, noise)
            closest = max(closest, error / bound)
    assert closest > 0.8, "the bound is nearly reached"


def test_two_columns_of_a_survey(tmp_path):
    found = dp.solve(RectangleDesign.starting(seed=3))
    assert found.synthetic.shape == (944, 2) and found.counts.shape == (8, 8)
    assert found.findings["worst-error"].secret and "worst-error" not in public(found.findings)
    _, made, off, *_ = found.panels_in({"view": "off"})
    more, less, *rectangle = off.lines
    assert rectangle[-1].drags and all(line.secret for line in rectangle) and not off.marks, "no label covers a dot"
    assert not any(type(panel).__name__ == "Sentence" for panel in found.panels_in({"view": "made"})), "nor is there a rectangle"
    assert off.key == "off" and (made.x.label, made.y.label) == ("age", "income class") == (off.x.label, off.y.label)
    error = found.counts - real_table(found.design)
    assert len(more.x) == (error > 0).sum() and len(less.x) == (error < 0).sum()
    assert max(more.sizes.max(), less.sizes.max()) == pytest.approx(0.42 / 8) and more.texts[0].endswith("real")
    assert all("real" not in text for line in made.lines for text in line.texts)
    assert {getattr(panel, "key", "") for panel in found.panels_in({"view": "off"}) if not for_owner(panel)} == {
        "rows",
        "made",
    }
    assert {panel.key for panel in found.panels_in({"view": "made"})} >= {"made", "ways"}
    assert "counts" in {panel.key for panel in found.panels_in({})}  # for files
    assert as_table(made) is not None and found.line == "age and income_class · 8 × 8 cells · ε = 1"
    written = export_of(found.design).write(tmp_path, "pairs", ["csv", "json"])
    names = {file.path.name for file in written}
    assert names == {"pairs-counts.csv", "pairs-privacy.txt", "pairs.csv", "pairs.json"}
    lines = (tmp_path / "pairs.csv").read_text("utf-8").splitlines()
    assert lines[0] == "age,income_class" and len(lines) == 945
    assert "survey_1996" not in "".join(file.path.read_text("utf-8") for file in written)
    assert "study only" in (tmp_path / "pairs-privacy.txt").read_text("utf-8")
    fresh = export_of(RectangleDesign.starting())
    assert fresh.release(2).exact and "epsilon = 2" in fresh.release(2).warning


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"first": [1, 2], "second": [1]}, "second", "the same number of rows, got 2 and 1"),
        ({"high": 0}, "high", "must be above the lower end"),
        ({"high": 60}, "high", "every row of age must be at least 0 and below 60, got"),
        (
            {"high2": 10},
            "high2",
            "the range must be one that income_class can have, but 808 rows are outside 0 to 10; a range taken",
        ),
        ({"bits": 7}, "bits", "between 1 and 6"),
    ],
)
def test_what_cannot_be_is_refused(changes, field, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        dp.solve(RectangleDesign.starting(**changes))
    assert caught.value.field == field


def test_both_columns_are_refused_at_once_each_with_what_mends_it(tmp_path):
    (path := tmp_path / "people.csv").write_text("age,income\n34,120000\n20,40000\n,90000\n71,15000\n", "utf-8")
    ages, incomes = ({"path": path, "column": name} for name in ("age", "income"))
    with pytest.raises(InputError, match="the same number of rows") as caught:
        dp.solve(RectangleDesign(ages, second=[1, 2], epsilon=1))
    assert [(other.field, other.suggestion) for other in caught.value.others] == [("first", "1")]
    with pytest.raises(InputError, match="must have a number, got none in row 3") as caught:
        dp.solve(RectangleDesign(ages, second=incomes, epsilon=1, high2=32))
    (other,) = caught.value.others
    assert (caught.value.field, other.field, other.suggestion) == ("first", "high2", "0 to 200000")
    assert "4 rows are outside 0 to 32; a range taken from the data is not private." in str(other)


def test_a_design_is_kept_as_it_was_given():
    design = RectangleDesign([1, 2], second=[3, 4], high=4, high2=8, bits=2, epsilon=1)
    assert RectangleDesign.from_json(design.to_json()) == design and real_table(design).sum() == 2


def test_where_nothing_is_promised_no_way_is_the_best():
    found = dp.solve(
        RectangleDesign([1, 2, 3, 3] * 50, second=[1, 1, 2, 3] * 50, high=4, high2=4, bits=2, delta="1e-4", epsilon=1)
    )
    promised, best = found.findings["value"], found.findings["recommended"]
    assert promised.value is None and promised.note == "no error bound for this small a failure probability"
    assert best.value is None and best.note == "no method has an error bound here"


def test_each_cell_is_a_dot_of_the_area_of_its_rows_and_the_real_ones_stay_here():
    found = dp.solve(RectangleDesign.starting(seed=3))
    both = next(panel for panel in found.panels_in({}) if panel.key == "rows")
    real = real_table(found.design)
    for line, counts in zip(both.lines, (found.counts, real), strict=False):
        expected = counts[counts > 0]  # first column first, as the cells are listed
        assert line.sizes**2 / line.sizes.max() ** 2 == pytest.approx(expected / expected.max()), line.name
    ages, incomes = found.design.first.numbers(), found.design.second.numbers()
    place = np.searchsorted(both.lines[1].x, 40)  # the cell of ages 32 to below 48, income classes 0 to below 4
    inside = int(((ages >= 32) & (ages < 48) & (incomes >= 0) & (incomes < 4)).sum())
    assert (both.lines[1].sizes[place] / both.lines[1].sizes.max()) ** 2 == pytest.approx(inside / real.max())
    made = {(x, y) for x, y in zip(both.lines[0].x, both.lines[0].y, strict=True)}
    assert made & {(x, y) for x, y in zip(both.lines[1].x, both.lines[1].y, strict=True)}, "real and synthetic have one centre"
    shade = both.lines[2]
    low, high, bottom, top = shade.x[0], shade.x[-1], shade.low[0], shade.high[0]
    inside = int(((ages >= low) & (ages < high) & (incomes >= bottom) & (incomes < top)).sum())
    x, y = found.synthetic.T
    made = int(((x >= low) & (x < high) & (y >= bottom) & (y < top)).sum())
    assert abs(made - inside) == abs(round(found.worst.error))
    assert [line.name for line in both.public().lines] == ["synthetic"]
    assert both.lines[0].sizes.max() == 0.42 / 8  # whatever the real rows are


def test_a_corner_of_the_rectangle_is_dragged_and_read():
    found = dp.solve(RectangleDesign.starting(seed=3))
    plot = next(panel for panel in found.panels_in({}) if panel.key == "rows")
    corners, drag = plot.lines[-1], plot.lines[-1].drags[0]
    values = np.concatenate([corners.x, corners.y])
    moved = drag.moved(drag.moved(values, 0, (30.0, 8.2)), 4, (66.0, 19.0))
    view = drag.kept(moved, 4)
    assert moved.tolist() == drag.moved(drag.moved(values, 1, (30.0, 19.0)), 3, (66.0, 8.2)).tolist(), "by the other corners too"
    assert view == {"left": 30.0, "right": 66.0, "bottom": 8.2, "top": 19.0} and plot.captions[-1] == "drag it"
    chosen = found.chosen(view)
    assert (chosen.rows, chosen.columns) == ((2, 4), (2, 5)), "at the nearest edges"
    ages, incomes = found.design.first.numbers(), found.design.second.numbers()
    real = int(((ages >= 32) & (ages < 64) & (incomes >= 8) & (incomes < 20)).sum())
    told = next(panel.text for panel in found.panels_in(view) if type(panel).__name__ == "Sentence")
    assert f"real {real}, synthetic {found.counts[2:4, 2:5].sum()}. The worst error is" in told
    shown = next(panel for panel in found.panels_in(view) if panel.key == "rows").marks[-1].text
    assert shown == f"error {abs(round(chosen.error))} of 64 allowed"
    assert drag.moved(values, 0, (1e9, 1e9))[0] == values[4] - 16, "a corner stays a cell away from the other"
    crossed = found.chosen({"left": 200, "right": -5, "bottom": 31, "top": 31})
    assert crossed.rows == (0, 8) and crossed.columns == (7, 8)


def test_the_middle_moves_the_rectangle_by_whole_cells_within_the_axes():
    found = dp.solve(RectangleDesign.starting(seed=3))
    line = found.panels_in({"left": 32.0, "right": 64.0, "bottom": 8.0, "top": 20.0})[0].lines[-1]
    drag, values = line.drags[0], np.concatenate([line.x, line.y])
    assert (line.x[drag.middle], line.y[drag.middle]) == (48, 14) and drag.middle == 2
    for where, ends in (((60.0, 17.0), (48, 80, 12, 24)), ((50.0, 15.0), (32, 64, 8, 20)), ((-9e9, 9e9), (0, 32, 20, 32))):
        assert drag.kept(drag.moved(values, 2, where), 2) == dict(zip(("left", "right", "bottom", "top"), ends, strict=True))


def test_a_bound_beyond_all_rows_is_no_allowance():
    first = np.arange(200) % 4
    found = dp.solve(RectangleDesign(first, second=first, high=4, high2=4, bits=4, epsilon="0.1", seed=1))
    assert found.bounds["laplace"].rows > 200
    shown, more, *_ = replace(found, more=dict.fromkeys(("laplace", "hierarchy"), np.array([150.0] * 100))).panels_in(
        {"many": True}
    )
    assert shown.marks[-1].text.endswith("of 200 rows") and not more.bands and more.hint == "no useful bound"
    assert more.x.limits[1] < 300, "the axis is that of the errors"


def test_what_is_given_away_has_no_real_rows():
    found = dp.solve(RectangleDesign.starting())
    given = found.given
    lines = given.data().splitlines()
    assert lines[0] == "age\tincome_class" and len(lines) == 945 and "epsilon = 1" in given.statement()
    assert [line.secret for line in given.plot.lines] == [False] and given.plot.lines[0].texts == ()
    along, across = found.design.axes
    dots, cells = given.plot.lines[0], np.nonzero(found.counts)
    assert (along.cells_of(dots.x) == cells[0]).all() and (across.cells_of(dots.y) == cells[1]).all()
    assert (np.argsort(dots.sizes, kind="stable") == np.argsort(found.counts[cells], kind="stable")).all()
    assert "Seed 3" in dp.solve(RectangleDesign.starting(seed=3)).given.note


def test_the_error_bounds_of_both_methods_are_compared_and_choose_a_method():
    found = dp.solve(RectangleDesign.starting(seed=3))
    ways = next(panel for panel in found.panels_in({}) if panel.key == "ways")
    bounds = {name: row.value for name, row in zip(("laplace", "hierarchy"), ways.instead.rows, strict=True)}
    assert bounds["laplace"] == 944 * found.findings["value"].value == 64 and "within 64 of 944 rows (6.78%)" in found.sentence
    other = dp.solve(RectangleDesign.starting(seed=3, method="hierarchy"))
    assert bounds["hierarchy"] == pytest.approx(944 * other.findings["value"].value)
    seen = found.in_view({}).sentence
    assert seen.startswith(found.sentence) and seen.endswith(f"This time: within {abs(round(found.worst.error))}.")
    tiny = dp.solve(RectangleDesign.starting(bits=6, seed=3))
    assert tiny.findings["value"].value is None and "or fewer cells" in tiny.sentence
    assert (ways.select, ways.selected) == ("method", "laplace")


@pytest.mark.parametrize(("epsilon", "few"), [("0.1", True), ("0.2", False), ("0.01", True)])
def test_too_few_rows_are_said_to_be_too_few(epsilon, few):
    for design, what in (
        (RectangleDesign.starting(seed=3, epsilon=epsilon), "a rectangle"),
        (IntervalDesign.starting(bits=7, method="laplace", seed=7, epsilon=epsilon), "a range"),
    ):
        found = dp.solve(design)
        bound = (found.bounds if what == "a rectangle" else found.facts.bounds)["laplace"].rows
        assert (2 * bound >= 944) == few
        assert found.sentence.startswith(f"Too few rows for ε = {epsilon}: ") == few
        if bound < 944:
            said = (
                f"{what} may be wrong by {bound} of 944 rows, and by no more in at least 19 releases of 20."
                if few
                else f"within {bound}"
            )
            assert said in found.sentence
        else:
            assert found.sentence.endswith("the noise may exceed all 944 rows. Choose a larger ε or fewer cells.")


def test_a_dot_says_both_counts_to_the_owner_only():
    found = dp.solve(RectangleDesign.starting(seed=3))
    both = next(panel for panel in found.panels_in({}) if panel.key == "rows")
    real = real_table(found.design)
    i, r = (int(part[0]) for part in np.nonzero(found.counts))
    said = both.lines[0].texts[0]
    assert said.endswith(f"{found.counts[i, r]} synthetic, {real[i, r]} real") and both.public().lines[0].texts == ()


def test_more_releases_are_simulated_for_the_owner():
    found = dp.solve(RectangleDesign.starting(seed=3))
    job, _ = found.design.side_jobs
    drawn = job.run(found, lambda *_: None)
    errors = drawn["laplace"]
    assert len(errors) == 100 and len(set(errors.tolist())) > 10 and errors.min() > 0
    seen = replace(found, more=drawn).panels_in({"many": True})
    more = next(panel for panel in seen if panel.key == "releases")
    assert (
        for_owner(more)
        and more.hint == f"{(errors <= 64).sum()} of 100 within 64, the bound for any data"
        and more.bands[0].high == 64
    )
    waits = next(panel for panel in found.panels_in({"many": True}) if panel.key == "releases")
    assert for_owner(waits) and waits.hint == "computing…" and waits.title == more.title, "no picture moves meanwhile"


def test_dots_drop_when_rows_are_drawn_again():
    found = dp.solve(RectangleDesign.starting(seed=3))
    landing = next(panel for panel in found.panels_in({"draws": 2}) if panel.key == "rows").landing
    assert landing.bars and landing.of == 2


def test_a_bound_of_all_rows_or_more_is_no_useful_one():
    found = dp.solve(RectangleDesign.starting(seed=3, epsilon="0.01"))
    ways = next(panel for panel in found.panels_in({}) if panel.key == "ways")
    assert [(row.value, row.text) for row in ways.instead.rows] == [(None, "no useful bound")] * 2
    assert [(row.value, row.text, row.second) for row in ways.rows] == [(None, "none", "…")] * 2


def test_typical_errors_are_compared_for_the_owner_only():
    found = dp.solve(RectangleDesign.starting(seed=3))
    drawn = found.many(lambda *_: None)
    ways = next(panel for panel in replace(found, more=drawn).panels_in({}) if panel.key == "ways")
    for row in ways.rows:
        typical = np.median(drawn[row.key])
        assert row.value == found.bounds[row.key].rows and row.second == f"{float(f'{typical / 9.44:.2g}'):g}%"
        assert typical < row.value, "a bound for any data is larger"
    assert ways.rows[0].text == "6.78%" and for_owner(ways) and ways.instead.title == "Error bounds"


def test_the_errors_against_epsilon_are_for_the_owner_and_meet_the_numbers_of_the_design():
    design = RectangleDesign.starting(seed=3, bits=2)
    found = dp.solve(design)
    assert "against" not in {panel.key for panel in found.panels_in({})}
    curve = found.find_curve(lambda *_: None)
    seen = replace(found, curve=curve, more=found.many(lambda *_: None))
    against = next(panel for panel in seen.panels_in({}) if panel.key == "against")
    bound, typical = against.lines
    assert for_owner(against) and against.handles[0].target == "epsilon" and against.handles[0].place == 1
    assert bound.at(1.0) == pytest.approx(100 * found.findings["value"].value)
    assert typical.at(1.0) == pytest.approx(100 * float(np.median(seen.more["laplace"])) / 944)
    assert (np.diff(bound.y) < 0).all() and (typical.y < bound.y).all()
    again = dp.solve(design.replace(epsilon=2, seed=5))
    assert again.curve is curve, "it depends neither on the noise nor on epsilon"
    assert dp.solve(design.replace(method="hierarchy")).curve is None


def test_the_seed_of_an_example_is_not_kept_for_other_data(tmp_path):
    (path := tmp_path / "own.csv").write_text("age,income\n" + "20,1\n30,2\n" * 20, "utf-8")
    start = RectangleDesign.starting(seed=7)
    assert start.seed == 7 and start.replace(first=replace(start.first, path=str(path), column="age")).seed is None


def test_rows_without_a_number_in_one_column_are_left_out_of_both(tmp_path):
    (path := tmp_path / "people.csv").write_text("age,pay\n" + "30,1\n,2\n40,\n50,ill\n60,3\n" * 40, "utf-8")
    columns = {key: {"path": str(path), "column": name} for key, name in (("first", "age"), ("second", "pay"))}
    design = RectangleDesign.starting(**columns, high=64, high2=4, bits=2)
    with pytest.raises(InputError, match="every row of age must have a number, got none in row 2 and 39 more") as caught:
        dp.solve(design)
    assert (caught.value.field, caught.value.suggestion) == ("first", "120")
    half = design.replace(first={**columns["first"], "partial": True})
    with pytest.raises(InputError, match="got 'ill'") as caught:
        dp.solve(half)
    assert (caught.value.field, caught.value.suggestion) == ("second", "120")
    found = dp.solve(whole := half.leaving_out())
    assert found.real.sum() == 80 and found.real[1, 1] == found.real[3, 3] == 40, "rows stay together"
    assert found.findings["rows-left-out"].value == 120 and found.findings["rows-left-out"].secret
    told = found.given.statement()
    assert "only those with a number count. Their number is public, and ε does not hide" in told and "120" not in told
    assert type(whole).from_json(whole.to_json()).partial, "it is kept in a file"
    (path := tmp_path / "none.csv").write_text("age,pay\n30,\n,2\n", "utf-8")
    columns = {key: {"path": str(path), "column": name} for key, name in (("first", "age"), ("second", "pay"))}
    with pytest.raises(InputError, match="every row of age") as caught:
        dp.solve(RectangleDesign.starting(**columns))
    assert not caught.value.suggestion, "there would be none left"
    with pytest.raises(InputError, match="a row must have a number in age and in pay, but none has"):
        dp.solve(RectangleDesign.starting(**columns).leaving_out())
