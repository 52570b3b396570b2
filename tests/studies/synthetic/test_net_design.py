"""Nets: the distribution over small databases by its definition, its exact privacy, draws, the smallest net, what is refused."""

import os
from dataclasses import replace
from itertools import combinations_with_replacement
from math import exp, log

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.net import integer_losses, intervals, smallest_net, thresholds
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies.synthetic.net_answer import draw_small, rows_curve
from dpdesigner.studies.synthetic.net_design import NetDesign


def test_the_probabilities_of_all_multisets():
    found = dp.solve(dp.NetDesign([3, 1, 2], 2, epsilon="0.7"))
    weights = []
    for chosen in combinations_with_replacement(range(3), 2):
        share = [chosen.count(point) / 2 for point in range(3)]
        error = max(abs(sum(share[a:b]) - sum((3, 1, 2)[a:b]) / 6) for a in range(3) for b in range(a + 1, 4))
        weights.append(exp(-0.7 * 6 * error / 2))
    assert found.probabilities == pytest.approx(np.array(weights) / sum(weights), rel=1e-12)


def test_the_exact_privacy_of_four_points():
    found = dp.solve(NetDesign([2, 1, 1, 1], 4, epsilon=1))
    assert found.epsilon == pytest.approx(0.768686, abs=5e-7) and found.epsilon_here <= found.epsilon
    assert found.findings["epsilon"].value == found.epsilon and found.findings["dimension"].value == 2
    large = dp.solve(NetDesign.starting())
    assert large.epsilon == 1 and "bounded by" in large.findings["epsilon"].note


def test_usefulness_is_bounded():
    found = dp.solve(NetDesign([200, 300, 500, 0], 6, epsilon=1)).findings
    assert found["best"].value <= found["value"].value <= found["bound"].value
    assert next(iter(found)) == "bound" and found["bound"].state == "proved", "the headline may be published"
    assert found["value"].secret and found["best"].secret and not found["bound"].secret


@pytest.mark.parametrize("given", ["intervals", "thresholds", "1 0 0 1; 0 1/2 1 0", [["1/3", 0, 0, 1]], "monotone conjunctions"])
def test_draws_have_the_probabilities(given):
    found = dp.solve(NetDesign([4, 1, 0, 2], 2, 2, given))
    losses, scale = integer_losses(found.net, found.design.counts)
    assert losses / scale == pytest.approx(7 * found.net.errors(found.design.counts), abs=1e-5)
    weights = np.exp(-2 * losses / (2 * scale))
    assert weights / weights.sum() == pytest.approx(found.probabilities, abs=1e-5)
    drawn = export_of(found.design).release(5)
    assert drawn.exact and all(sum(counts) == 2 for counts in drawn.values) and "epsilon = 10" in drawn.warning


def test_draws_of_a_seed_are_not_all_the_same_and_the_first_is_the_one_shown():
    found = dp.solve(NetDesign([4, 1, 0, 2], 2, "0.1", seed=7))
    drawn = export_of(found.design).release(20).values
    assert len({tuple(counts) for counts in drawn}) > 3 and drawn[0] == found.net.counts[found.drawn].tolist()


def test_queries_from_a_file(tmp_path):
    path = tmp_path / "my  queries.csv"
    path.write_text("1,0,0\n0,1,1\n", "utf-8")
    design = NetDesign([1, 2, 3], 2, queries=f"file: {path}", epsilon=1)
    assert dp.solve(design).findings["queries"].value == 2
    path.write_text("1,0,0\n0,1,1\n1,1,0\n", "utf-8")
    os.utime(path, ns=(1, 1))
    assert dp.solve(design).findings["queries"].value == 3


@pytest.mark.parametrize(("delta", "sure"), [("0.05", "95"), ("1/3", "66.66"), ("0.001", "99.9"), ("1e-6", "99.9999")])
def test_what_is_not_certain_is_not_told_as_100_percent(delta, sure):
    assert dp.solve(NetDesign([2, 1, 1], 2, delta=delta, epsilon=1)).findings["bound"].label == f"error bound, {sure}% sure"


def test_the_smallest_net_is_near_every_database():
    found = smallest_net(intervals(4), 5, 4, 0.25)
    assert len(found.counts) == found.least == 8 and found.proved
    assert smallest_net(thresholds(4), 6, 4, 0.2).least == 10
    assert smallest_net(intervals(4), 5, 1, 0.1) is None
    small = dp.solve(NetDesign([2, 1, 1, 1], 4, net="smallest", error="1/4", epsilon=1))
    assert len(small.probabilities) == 8 and small.findings["databases"].note == "smallest net"
    assert small.net.near == pytest.approx(0.25, abs=2e-9), "as the net was searched for"
    assert small.epsilon <= 1


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"counts": [1]}, "counts", "2 to 64 whole numbers"),
        ({"counts": [0, 0]}, "counts", "a total of 1 to 1\u202f000\u202f000 rows, got 0"),
        ({"counts": "1 x"}, "counts", "must be a whole number"),
        ({"counts": [10] * 20, "size": 8}, "size", "at most 200\u202f000"),
        ({"queries": "cubes"}, "queries", "from 0 to 1"),
        ({"queries": [[1, 0]]}, "queries", "one number per point \\(8\\), got 2"),
        ({"counts": [1, 2, 3], "queries": "conjunctions"}, "queries", "2, 4, 8"),
        ({"queries": "file: nowhere.csv"}, "file", "no such file"),
        ({"net": "smallest"}, "net", "1500 databases; 140 rows of 8 values have more than 1"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(changes, field, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        dp.solve(NetDesign.starting(**changes))
    assert caught.value.field == field


def test_a_design_with_a_smallest_set_among_too_many_is_kept_for_its_error_to_be_shown_at_its_field():
    design = NetDesign.starting(net="smallest")
    assert NetDesign.from_json(design.to_json()) == design
    with pytest.raises(InputError) as caught:
        dp.solve(design)
    assert (caught.value.field, caught.value.suggestion) == ("net", "all")
    with pytest.raises(InputError, match="at most 1500 databases"):
        NetDesign.starting().replace(net="smallest")


def test_a_design_is_kept_as_it_was_given():
    for given in ("intervals", [["1/3", 0, 1]], "1 0 1; 0 1 0"):
        design = NetDesign([1, 2, 3], 2, queries=given, epsilon=1)
        assert NetDesign.from_json(design.to_json()) == design


def test_files_hold_what_is_computed_from_the_real_database_only_where_that_is_asked_for(tmp_path):
    counts = [271, 3, 828, 45]
    for told in ("kept", "published"):
        design = NetDesign(counts, 3, real_errors=told, epsilon=1)
        answer = dp.solve(design)
        kept = export_of(design, done={"solve": answer})
        kept.write(tmp_path / told, "net", ["csv", "json", "tex"])
        text = "\n".join(file.read_text("utf-8") for file in sorted((tmp_path / told).iterdir()))
        text += "\n".join(kept.proof()) + answer.sentence
        secrets = [str(count) for count in counts if count > 45]
        secrets += [repr(answer.findings[key].value) for key in ("value", "best", "epsilon-here")]
        assert repr(min(answer.useful.within, 1.0)) in text
        assert all((secret in text) is (told == "published") for secret in secrets), told
        assert ("not private" in text) is (told == "published") is (answer.badge[1] == "open")
        assert (tmp_path / told / "net-probabilities.csv").exists() is (told == "published")


@pytest.fixture(scope="module")
def answer():
    return NetDesign.starting(seed=1).run()


def pictures(answer, **view):
    return {panel.key: panel for panel in answer.panels_in({"view": "candidates", **view})}


def test_the_area_of_a_dot_is_the_probability_of_its_database(answer):
    likely, *_ = pictures(answer)["candidates"].lines
    chances = np.sort(answer.probabilities[answer.probabilities >= 0.01])
    areas = np.sort(likely.sizes**2)
    assert areas / areas.sum() == pytest.approx(chances / chances.sum(), rel=1e-9)
    best = int(np.argmax(likely.sizes))
    assert likely.texts[best] == "2, 3, 4, 6:\nworst error 18.6%, drawn with probability 49.8%"
    told = [text.rpartition("probability ")[2] for line in pictures(answer)["candidates"].lines for text in line.texts]
    rare = [odds for odds in told if not odds.endswith("%")]
    assert len(rare) == (answer.probabilities < 1e-4).sum() and not any("e−" in odds or "e2" in odds for odds in told)
    assert rare.count("less than 1 in a billion") == (answer.probabilities < 1e-9).sum() > 0
    assert all(odds.startswith("1 in ") for odds in rare if "billion" not in odds)


def test_likely_dots_have_their_probability_and_the_drawn_one_lands_on_its_own(answer):
    plot = pictures(answer)["candidates"]
    assert [mark.text for mark in plot.marks][:2] == ["50%", "30%"] and all(mark.secret for mark in plot.marks)
    likely = plot.lines[0]
    place = int(np.flatnonzero(likely.x == plot.landing.x[0])[0])
    assert plot.landing.size == likely.sizes[place] and plot.landing.inside == "30%" and plot.public().landing is None
    sure = dp.solve(NetDesign([900, 100], 1, 20, seed=1))
    mark, *_ = pictures(sure)["candidates"].marks
    assert mark.text == "99%", "100% would be certain"


def test_the_bound_of_each_number_of_rows_is_that_of_its_design(answer):
    curve = pictures(answer)["rows"]
    for size in (1, 4, 9):
        bound = answer.design.replace(size=size).run().useful.within
        assert curve.lines[0].at(size) == pytest.approx(100 * min(bound, 1))
    (handle,) = curve.handles
    assert (handle.text, handle.says(1.0)) == ("4 rows", "1 row")
    at, named = pictures(answer)["candidates"].lines[-1], pictures(answer)["candidates"].marks[-1]
    assert at.x[0] == at.x[1] == named.x == pytest.approx(100 * answer.useful.within) and at.secret and at.proved
    assert named.text == "bound for any data: 34.5%", "as the headline"
    assert (handle.target, handle.place, handle.step, curve.lines[0].x[-1]) == ("size", 4, 1, 12)
    assert "rows" not in pictures(answer.design.replace(counts=[2, 1, 1, 1], names="", net="smallest", error="1/4").run())
    many = answer.design.replace(counts=[1] * 64, size=2, names="")
    assert rows_curve(many).lines[0].x[-1] == 3, "more rows have too many databases"


def test_a_published_row_is_a_tile_with_a_person_over_the_real_shares(answer):
    made, real = pictures(answer)["people"].bars
    assert made.figure == 25 and (made.values % 25 == 0).all() and not made.behind
    assert real.behind and real.secret and not real.figure


def test_the_sentence_has_the_bound_that_holds_for_any_data(answer):
    assert (
        answer.in_view({}).sentence
        == answer.sentence
        == ("<b>4 made-up rows replace 140 real ones.</b> With probability 95%, no interval’s error exceeds 34.5% of the rows.")
    )
    assert answer.useful.within == pytest.approx(7 / 8 / 4 + 2 / 140 * log(330 / 0.05), rel=1e-12) and answer.useful.exact < 0.229
    other = answer.design.replace(counts=[140, 0, 0, 0, 0, 0, 0, 0]).run()
    assert other.sentence == answer.sentence and other.findings["bound"] == answer.findings["bound"]
    assert "no error of the 8 queries exceeds" in answer.design.replace(queries="thresholds").run().sentence


def test_points_have_names():
    names = "20s, 30s, 40s, 50s, 60s, 70s, 80s, 90s"
    found = NetDesign.starting(seed=1, names=names).run()
    seen = pictures(found)
    assert seen["people"].x.names == tuple(names.split(", ")) and "50s" in seen["worst"].text
    assert seen["candidates"].hint == "drawn (orange): off by 19.3%" and not seen["candidates"].landing.text
    assert set(found.rows) <= set(names.split(", "))
    assert NetDesign([1, 2, 3, 4], 2, 1, "conjunctions").point_names == ("00", "01", "10", "11")
    with pytest.raises(InputError, match=r"there must be a name for each point \(8\), got 2"):
        NetDesign.starting().replace(names="young, old")
    fewer = found.design.replace(counts=[1, 2, 3])
    assert fewer.names == names and fewer.point_names == ("1", "2", "3"), "unused while their number differs"
    says = next(each.says for each in NetDesign.inputs() if each.key == "counts")
    assert (says(fewer), says(found.design)) == ("Names unused: 8 for 3 values.", "")
    assert fewer.replace(counts=[1] * 8).point_names == tuple(names.split(", "))
    assert NetDesign.from_json(fewer.to_json()) == fewer, "a document with them can be opened again"
    with pytest.raises(InputError, match="a name for each point"):
        found.design.replace(names="young, old")
    with pytest.raises(InputError, match="each point must have its own name, got 'x' twice") as caught:
        found.design.replace(names=", ".join("abcdefgh").replace("b", "x").replace("e", "x"))
    assert caught.value.field == "names"


def test_what_is_given_away_is_the_database_that_was_drawn(answer, tmp_path):
    drawn = answer.net.counts[answer.drawn]
    rows = np.repeat(np.arange(1, 9), drawn).astype(str).tolist()
    assert (
        answer.given.data().splitlines() == rows and "Seed 1" in answer.given.note and "epsilon = 1" in answer.given.statement()
    )
    assert list(answer.given.plot.x.names) == rows, "a tile for each row, with its name"
    export_of(answer.design, done={"solve": answer}).write(tmp_path, "small", ["csv"])
    assert (tmp_path / "small.csv").read_text("utf-8").split() == ["row", *rows]
    assert "seed" in (tmp_path / "small-privacy.txt").read_text("utf-8")
    other = answer.design.replace(seed=None, counts=(12, 30, 41, 25, 18, 9, 4, 2))  # rows of which no release was shown
    assert other.run().given.note == "The measured error stays here: it is not private."


def test_dots_do_not_overlap_and_all_stand_in_sight(answer):
    likely, others, *_ = pictures(answer)["candidates"].lines
    assert len(likely.x) + len(others.x) == 330
    y, radii = (np.concatenate([getattr(line, name) for line in (likely, others)]) for name in ("y", "sizes"))
    errors = np.concatenate([line.x for line in (likely, others)])
    x = np.rint(errors / errors.max() * 1.7 / 0.022) * 0.022
    apart, reach = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y)), np.add.outer(radii, radii)
    np.fill_diagonal(apart, 9)
    assert (apart >= reach - 1e-6).all() and (y + radii).max() <= 1
    assert ((apart < reach + 1e-6).any(axis=1) | (abs(y - radii) < 1e-9)).all(), "on the axis or on another"


@pytest.mark.parametrize("size", [5, 12])
def test_of_many_small_databases_so_few_are_shown_that_no_dot_is_over_another(size):
    found = dp.solve(NetDesign.starting(size=size, seed=1))
    lines = next(panel for panel in found.panels_in({}) if panel.key == "candidates").lines[:2]
    errors, y, radii = (np.concatenate([getattr(line, name) for line in lines]) for name in ("x", "y", "sizes"))
    x = np.rint(errors / errors.max() * 1.7 / 0.022) * 0.022
    apart = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y)) + 9 * np.eye(len(x))
    assert (apart >= np.add.outer(radii, radii) - 1e-6).all() and (y + radii).max() <= 1 and 250 <= len(x) < len(found.net.counts)


def test_a_draw_is_the_same_for_the_same_seed_and_lands_where_its_database_is(answer):
    again = answer.design.run()
    assert again.drawn == answer.drawn
    seen = pictures(answer)
    assert seen["candidates"].landing.x == (pytest.approx(100 * answer.net.errors(answer.design.counts)[answer.drawn]),)
    design, net = answer.design, answer.net
    drawn = [draw_small(design.counts, net, design.budget, for_study(seed)) for seed in range(400)]
    assert drawn.count(int(np.argmax(answer.probabilities))) / 400 == pytest.approx(answer.probabilities.max(), abs=0.08)
    assert (seen["people"].bars[0].values == 100 * answer.net.counts[answer.drawn] / 4).all()


def test_a_bar_of_the_real_database_is_dragged(answer):
    real = pictures(answer)["people"].bars[1]
    (drag,) = real.drags
    assert drag.kept(real.values, 0) == list(answer.design.counts)
    moved = drag.moved(real.values, 0, 100 * 20 / 140)
    assert drag.kept(moved, 0) == [20, *answer.design.counts[1:]] and real.secret
    assert answer.design.replace(counts=drag.kept(moved, 0)).rows == 148
    assert drag.kept(drag.moved(real.values, 1, -5.0), 1)[1] == 0


def test_the_worst_query_is_the_one_with_the_largest_difference(answer):
    which = answer.drawn
    band = pictures(answer)["people"].bands[0]
    first, last = int(band.low + 0.5), int(band.high - 0.5)
    real, made = np.array(answer.design.counts) / 140, answer.net.counts[which] / 4
    error = abs(real[first : last + 1].sum() - made[first : last + 1].sum())
    assert error == pytest.approx(answer.net.errors(answer.design.counts)[which])


def test_nothing_but_the_drawn_rows_leaves_the_window_unless_that_is_asked_for(answer):
    kept = export_of(answer.design).panels()
    assert not any(getattr(panel, "key", "") in ("quality", "worst") for panel in kept)
    assert not any(panel.public().lines for panel in kept if getattr(panel, "key", "") == "candidates")
    (people,) = [panel.public() for panel in kept if getattr(panel, "key", "") == "people"]
    assert people.bars[0].values.tolist() == (100 * answer.net.counts[answer.drawn] / 4).tolist()
    assert len(people.bars) == 1 and people.y.limits is None and not people.bands, "nothing tells the real rows"
    picked = pictures(answer, candidate=" ".join(map(str, answer.net.counts[(answer.drawn + 1) % 330])))["people"].public()
    assert not picked.bars, "a database that was not drawn privately"
    told = export_of(answer.design.replace(real_errors="published")).panels()
    assert {"candidates", "people", "quality"} <= {panel.key for panel in told}


def test_a_view_has_the_table_and_the_sentence_that_belong_to_it():
    found = NetDesign.starting().run()
    keys = {
        view: [panel.key for panel in found.panels_in({"view": view} if view else {})] for view in ("", "candidates", "theory")
    }
    assert {"worst", "useful", "chances", "samples", "databases", "sizes"} <= set(keys[""]), "files have all of them"
    assert keys["candidates"] == ["quality", "rows", "candidates", "people", "worst"] and "rows" not in keys[""]
    assert keys["theory"] == ["rows", "useful", "samples", "needed"], "which has room for the table"
    brief, whole = (
        next(panel for panel in found.panels_in(view) if panel.key == key)
        for key, view in (("needed", {"view": "theory"}), ("sizes", {}))
    )
    assert brief.title == "Rows that suffice for 20% error" and len(whole.rows) == 6
    assert [row[1:] for row in brief.rows] == [row[1:] for row in whole.rows[:2]]


def test_a_click_on_a_dot_shows_its_rows_and_its_worst_query(answer):
    drawn = pictures(answer)
    line = drawn["candidates"].lines[1]
    key = line.select.kept(7)["candidate"]
    assert (
        line.select.target == "view"
        and not line.select.kept(7)["many"]
        and [int(part) for part in key.split()] in answer.net.counts.tolist()
    )
    seen = pictures(answer, candidate=key)
    counts = np.array([int(part) for part in key.split()])
    assert (seen["people"].bars[0].values == 100 * counts / 4).all() and seen["people"].title == "4 rows selected, 140 real"
    mark = seen["candidates"].marks[-1]
    assert (mark.x, mark.y, mark.role) == (line.x[7], line.y[7], "truth") and mark.secret and "selected" in seen["worst"].text
    assert all(mark.role == "main" for mark in drawn["candidates"].marks)
    for other in ("", "1 2", "9 9 9 9 9 9 9 9", "x"):
        assert pictures(answer, candidate=other)["people"].title == "4 rows drawn, 140 real"


def test_many_draws_are_shown_on_the_axis_of_the_candidates():
    found = dp.solve(NetDesign.starting(seed=1))
    more = found.many(lambda *_: None)
    shares = [100 * found.probabilities[abs(100 * found.net.errors(found.design.counts) - error) < 1e-9].sum() for error in more]
    assert len(more) == 100 and np.mean(shares) > 5, "likely errors are drawn often"
    panels = {panel.key: panel for panel in replace(found, more=more).panels_in({"view": "candidates", "many": True})}
    shown = panels["releases"]
    assert "people" not in panels and shown.x.limits == panels["candidates"].x.limits and not shown.public().lines
    (now,) = shown.marks
    assert now.text == "this release" and now.y < 0.98 * shown.y.limits[1], "in sight above its stack"
    assert shown.hint == f"{(more <= 100 * found.useful.within + 1e-9).sum()} of 100 within 34.5%", "as the headline"
    assert "people" in {panel.key for panel in replace(found, more=more).panels_in({"view": "candidates"})}


def test_of_many_small_databases_the_likeliest_are_shown_and_said_to_be_and_likely_dots_stay_large():
    found = dp.solve(NetDesign.starting(size=8, seed=1))
    plot = next(panel for panel in found.panels_in({}) if panel.key == "candidates")
    likely, rare, *_ = plot.lines
    assert plot.title == "The 500 likeliest of 6435" and len(likely.x) + len(rare.x) == 500
    assert plot.hint.startswith("drawn (orange): off by ")
    assert likely.sizes.max() > 0.05 > 0.02 > rare.sizes.max()
    for line in plot.lines[:2]:
        assert (line.y + line.sizes).max() <= 1 and line.y.min() > 0
    few = next(panel for panel in dp.solve(NetDesign.starting(seed=1)).panels_in({}) if panel.key == "candidates")
    assert few.title == "330 candidates"


def test_where_one_dot_has_nearly_all_probability_no_band_is_named():
    band, none = (
        next(panel for panel in dp.solve(NetDesign.starting(epsilon=epsilon, seed=1)).panels_in({}) if panel.key == "candidates")
        for epsilon in (1, 20)
    )
    assert band.bands[0].text == "at least 95% of draws" and not none.bands


def test_the_guarantees_say_how_many_rows_are_needed_and_an_unknown_word_which_are_known():
    samples = next(panel for panel in dp.solve(NetDesign.starting(seed=1)).panels if panel.key == "samples")
    assert samples.under[0].startswith("With privacy, 644 real rows suffice.")
    with pytest.raises(InputError, match=r"one of intervals, thresholds, conjunctions, .* and a path, got 'foo'"):
        NetDesign.starting(queries="foo")


def test_a_bound_of_everything_is_none():
    found = dp.solve(NetDesign.starting(epsilon="0.1", seed=1))
    assert found.useful.within >= 1 == found.findings["bound"].value
    assert found.sentence.endswith("replace 140 real ones.</b> At ε = 0.1, their error has no useful bound.")
    quality = next(panel for panel in found.panels_in({}) if panel.key == "quality")
    assert quality.title == "Error, 95% sure" and not quality.head
    assert (quality.rows[0].value, quality.rows[0].text) == (100, "100%"), "as in the header"


@pytest.mark.parametrize("given", ["12, 30, x, 5", "12, 30, 1.5", "3, -1"])
def test_each_count_is_a_whole_number(given):
    with pytest.raises(InputError, match="each count must be a whole number from 0 to 1\u202f000\u202f000, got ") as caught:
        NetDesign(given, epsilon=1)
    assert caught.value.field == "counts"


def test_a_database_that_is_exact_is_shown_so():
    found = dp.solve(dp.NetDesign([100, 200, 300], size=12, epsilon=1, seed=1))
    assert found.findings["value"].value == found.useful.best == 0
    quality, seen, bars, worst, *_ = found.panels_in({})
    assert quality.rows[1].text == quality.rows[2].text == "0%"
    assert [row.note for row in quality.rows] == ["may be published", "", "", ""], "beside its bar"
    assert seen.hint == "drawn (orange): off by 0%" and seen.x.limits[0] < 0, "the dot at 0 is whole"
    assert worst.text == "Every query is answered exactly."
    assert bars.y.limits[1] >= 1.4 * 50, "the names of the bars are above the last ones"


def test_worst_errors_are_drawn_on_one_scale_of_all_rows() -> None:
    found = dp.solve(dp.NetDesign(counts=(100_000, 0, 0, 1), size=2, epsilon=1))
    bars = next(panel for panel in found.panels_in({}) if panel.key == "quality")
    assert bars.ends == 100.0 and max(row.value for row in bars.rows) <= 100.0
