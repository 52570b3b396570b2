"""Made-up columns: what is promised, what is the owner's alone, what is refused, and that large columns are quick."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.synthetic.error_bounds import RowsNeeded, draws_for, rows_needed
from dpdesigner.core.synthetic.method_comparison import EpsilonCurve, epsilon_for, error_paths
from dpdesigner.core.synthetic.methods import METHODS, Budget, method_error_bound
from dpdesigner.errors import InputError
from dpdesigner.progress import silent
from dpdesigner.studies.column_inputs import ColumnSpec
from dpdesigner.studies.findings import format_finding, public
from dpdesigner.studies.registry import title
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import answered, interval_answer, panels, surer
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.statements import sureness

AGES = {"path": "example:survey_1996.csv", "column": "age"}


def ages(**changes):
    return IntervalDesign(
        **{"column": AGES, "epsilon": 1, "low": 0, "high": 128, "bits": 7, "method": "laplace", "seed": 7, **changes}
    )


def test_the_ages_of_a_survey():
    found = dp.solve(ages())
    assert found.findings["promised-error"].value == 52 / 944 and format_finding(found.findings["promised-error"]) == "5.51%"
    assert len(found.synthetic) == 944 and set(found.synthetic) <= set(range(128))
    assert found.counts.shape == (128,) and found.counts.sum() == 944
    worst = found.findings["worst-error"]
    path = np.cumsum(found.counts) - np.cumsum(found.facts.real)
    assert worst.value == (max(path.max(), 0) - min(path.min(), 0)) / 944 and worst.secret
    assert found.findings["epsilon"].value == 1 and found.findings["epsilon"].state == "proved"
    promise = "all 8256 ranges are within 52 of 944 rows (5.51%) of the truth in at least 19 releases of 20."
    assert found.sentence == f"At ε = 1, {promise}"
    assert found.findings["recommended"].value == "Cell by cell"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("neighbours", ["replace", "add-remove"])
def test_every_way_at_the_same_epsilon(method, neighbours):
    found = answered(ages(method=method, neighbours=neighbours), quick=True)
    spent = sum(charge.epsilon for charge in found.facts.synthetic.charges)
    assert spent <= 1 and (method == "blr" or spent == 1)
    assert found.counts.sum() == found.facts.total == len(found.synthetic) and found.counts.min() >= 0
    promised = found.findings["promised-error"].value
    assert (promised is not None) == (method in ("laplace", "hierarchy"))
    assert (found.facts.total == 944) or neighbours == "add-remove"
    assert found.panels_in({"low": 20, "high": 57})


@pytest.mark.parametrize("method", ["laplace", "hierarchy"])
@pytest.mark.parametrize("bits", [2, 7, 10])
@pytest.mark.parametrize("delta", ["0.3", "0.05", "0.01"])
def test_a_first_promise_is_never_better_and_says_that_it_is_one(method, bits, delta):
    first = answered(ages(method=method, bits=bits, delta=delta, epsilon=5), quick=True)
    later = surer(first.facts)
    assert first.facts.bound_rows >= later.facts.bound_rows
    assert first.findings["promised-error"].state == "pending" and "This is a first estimate" in first.sentence
    assert later.findings["promised-error"].state == "measured" and "This is a first estimate" not in later.sentence


def test_no_promise_is_more_than_all_rows():
    assert answered(ages(epsilon="0.01"), quick=True).findings["promised-error"].value == 1


def test_the_sizes_of_bisection():
    def sizes(**changes):
        found = answered(ages(method="blr", **changes), quick=True).findings
        return [found[key].value for key in ("stated-size", "corrected-size", "corrected-size-smooth")]

    assert sizes(error="0.3") == [1536, 622_754, 614_138]
    assert sizes(error="0.9")[::2] == [444, 19_708]
    assert rows_needed(20, 1, 0.3, 0.05) == RowsNeeded(4947, 2_006_058, 1_978_641)


def test_very_many_cells_have_promises_too():
    """Cell by cell is far behind there: it is asked only where it is the way."""
    found = answered(ages(bits=17, method="laplace"), quick=True).facts.bounds
    assert 330 < found["hierarchy"].rows < 500 and found["laplace"].rows == 944  # no more rows can be off than there are
    assert answered(ages(bits=17, method="quantiles"), quick=True).facts.bounds["laplace"] is None


def test_tiny_columns_have_their_privacy_enumerated():
    found = answered(IntervalDesign([0, 3, 3], 0, 4, 2, error="1/2", epsilon="ln 2", method="blr"), quick=True)
    exact = found.findings["epsilon-exact"]
    assert 0 < exact.value <= np.log(2) and exact.state == "proved"
    for method, least in (("laplace", 1), ("hierarchy", 1), ("mwem", 0.8), ("quantiles", 0.1)):
        found = answered(IntervalDesign([0, 3, 3], 0, 4, 2, epsilon=1, method=method), quick=True).findings["epsilon-exact"]
        assert least <= found.value <= 1 and found.state == "proved" and "enumerated" in found.note
    assert "epsilon-exact" not in answered(ages(method="blr"), quick=True).findings


def test_the_real_column_is_its_owners():
    """Two columns with the same made-up one tell the same in all that may leave the window."""
    found = answered(ages(method="blr", error="0.9"), quick=True)
    secret = {key for key, finding in found.findings.items() if finding.secret}
    assert secret == {"worst-error", "largest-share"} and not secret & public(found.findings).keys()
    assert "really" not in found.sentence


def test_a_seed_is_for_study_and_none_is_the_systems_entropy():
    assert (answered(ages(), quick=True).counts == answered(ages(), quick=True).counts).all()
    fresh = [answered(ages(seed=None), quick=True) for _ in range(2)]
    assert (fresh[0].counts != fresh[1].counts).any()
    assert any("for study only" in text for text in answered(ages(), quick=True).checks)
    assert not any("study" in text for text in (*fresh[0].checks, fresh[0].badge[0]))


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"column": []}, "column", "got none"),
        ({"column": [1, None, 3]}, "column", "got none in row 2"),
        ({"column": ["old"]}, "column", "got 'old' in row 1"),
        ({"column": [5, 200, 130, 1, 2]}, "outside", "at least 0 and below 128, or be clamped, got 200 in row 2 and 1 more out"),
        ({"column": [5, 200, 130]}, "high", "the range must be one that value can have, but 2 rows are outside 0 to 128"),
        ({"low": 128}, "high", "must be above the lower end, got 128 to 128"),
        ({"bits": 0}, "bits", "whole number between 1 and 20"),
        ({"bits": 11, "method": "mwem"}, "bits", "at most 1024 cells, got 2048"),
        ({"epsilon": 0}, "epsilon", "must be between"),
        ({"epsilon": "inf"}, "epsilon", "must be"),
        ({"error": 1}, "error", "between 0.1% and 99%"),
        ({"delta": 0}, "delta", "between 0.000001 and 1/2"),
        ({"method": "magic"}, "method", "must be one of laplace, hierarchy"),
        ({"column": {"path": "nowhere.csv", "column": "age"}}, "file", "no such file"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(changes, field, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        answered(ages(**changes), quick=True)
    assert caught.value.field == field and str(caught.value).count(". ") == 0


def test_rows_outside_are_clamped_where_that_is_said():
    found = answered(ages(column=[-5, *[3] * 300, 500], outside="clamp"), quick=True)
    assert found.facts.real[0] == 1 and found.facts.real[127] == 1
    assert found.findings["rows-clamped"].value == 2 and found.findings["rows-clamped"].secret
    assert "of the clamped column" in found.sentence and "of the truth" not in found.sentence
    told = found.given.statement()
    assert "Real rows outside the range count in its nearest cell." in told and "2 rows clamped" not in told


@pytest.mark.parametrize("neighbours", ["replace", "add-remove"])
def test_rows_without_a_number_are_left_out_where_that_is_said(tmp_path, neighbours):
    (path := tmp_path / "people.csv").write_text("name,age\n" + "A,30\nB,\nC,40\nD,ill\nE,50\n" * 40, "utf-8")
    asked = {"path": str(path), "column": "age"}
    with pytest.raises(InputError, match="got 'ill'") as caught:
        answered(ages(column=asked), quick=True)
    assert (caught.value.field, caught.value.suggestion) == ("column", "80")
    design = ages(column={**asked, "partial": True}, neighbours=neighbours)
    found = answered(design, quick=True)
    assert found.facts.real.sum() == 120 and found.facts.moved == (80, 0)
    assert found.findings["rows-left-out"].value == 80 and found.findings["rows-left-out"].secret
    public = "80 rows without a number are left out. The number left, 120, is public."
    owner = "Do not publish: 80 rows left out."
    assert statements.moved(found.facts) == (public if neighbours == "replace" else owner)
    told = found.given.statement()
    assert "only those with a number count" in told and " 80 " not in told
    assert ("does not hide whether a row has a number" in told) == (neighbours == "replace"), "which add-remove does"
    clamped = answered(design.replace(high=45, outside="clamp"), quick=True)
    both = "Do not publish: 80 rows left out, 40 rows clamped."
    assert statements.moved(clamped.facts) == (f"{public} Do not publish: 40 rows clamped." if neighbours == "replace" else both)
    assert type(design).from_json(design.to_json()).column.partial, "it is kept in a file"


def test_a_column_of_a_file_has_a_title_of_its_own():
    design = ages(name="Ages in a survey")
    assert design.replace(epsilon=2).name == "Ages in a survey"
    other = design.replace(column={"path": "/nowhere/people.csv", "column": "income"})
    assert other.name == "" and title(other) == "income of people"
    assert other.replace(name="Mine", column={"path": "b.csv", "column": "x"}).replace(epsilon=2).name == "Mine"


def test_a_constant_column_is_told_to_its_owner():
    found = answered(ages(column=[5] * 40), quick=True)
    assert found.findings["largest-share"].note == "it contains all 40 rows: the column is constant"


def test_a_design_is_kept_as_it_was_given(tmp_path):
    design = ages(epsilon="ln 3", low="1/2", seed=None)
    assert IntervalDesign.from_json(design.to_json()) == design and design.epsilon == "ln 3"
    assert design.replace(privacy=dp.IntervalDesign.starting(epsilon=2).privacy).epsilon == 2
    (tmp_path / "ages.csv").write_text("age\n31\n", "utf-8")
    moved = ages(column={"path": "/gone/ages.csv", "column": "age"}).beside(tmp_path)
    assert moved.column == ColumnSpec(str(tmp_path / "ages.csv"), "age")
    assert design.budget.epsilon <= Fraction(np.log(3)) + Fraction(1, 10**12)


def test_the_signature():
    design = dp.IntervalDesign([1, 2], 0, 4, epsilon=1)
    assert (design.bits, design.epsilon, design.error, design.delta) == (10, 1, "0.05", "0.05")
    assert (design.neighbours, design.method, design.seed) == ("replace", "blr", None)


def test_a_million_rows_take_seconds():
    column = np.random.default_rng(1).normal(50, 10, 1_000_000).clip(0, 99.9)
    start = time.perf_counter()
    found = answered(IntervalDesign(column, 0, 100, 10, method="hierarchy", epsilon=1), quick=True)
    assert len(found.synthetic) == 1_000_000
    assert time.perf_counter() - start < 30  # about one second on a quiet machine


def test_no_method_has_a_star_before_all_errors_are_known():
    found = answered(ages(), quick=True)
    labels = [
        [row.label for row in next(panel for panel in each.panels_in({}) if getattr(panel, "key", "") == "ways").rows]
        for each in (found, interval_answer(replace(found.facts, typical={"laplace": 30.0})))
    ]
    assert found.facts.recommended and not any("★" in label for label in labels[0])
    assert [label for label in labels[1] if "★" in label] == ["★ Cell by cell"]


def test_where_nothing_is_promised_no_way_is_the_best():
    found = answered(ages(delta="1e-6"), quick=True)
    best = found.findings["recommended"]
    assert found.facts.bound.rows is None and best.value is None and best.note == "no method has an error bound here"
    ways = next(panel for panel in found.panels_in({}) if getattr(panel, "key", "") == "ways")
    assert ways.secret and ways.head == "typical" and not any(row.label.startswith("★") for row in ways.rows)
    assert [row.text for row in ways.rows] == ["no bound"] * 4
    few = answered(ages(column=[5] * 40, epsilon="1e-4", method="mwem"), quick=True)  # every way may be off by all of them
    assert few.findings["recommended"].value is None and few.sentence == "No error bound is known for this method."


@pytest.mark.parametrize(
    ("delta", "often"),
    [
        ("0.05", "in at least 19 releases of 20"),
        ("0.03", "in at least 97% of releases"),
        ("1e-5", "in at least 99.999% of releases"),
        ("0.3", "in at least 70% of releases"),
    ],
)
def test_what_is_not_certain_is_not_told_as_100_percent(delta, often):
    assert sureness(delta) == often


def test_the_axis_of_a_picture_that_leaves_the_window_tells_nothing_of_the_real_column():
    facts = answered(ages(), quick=True).facts
    ends = set()
    for error in (1.0, 900.0):
        more = replace(facts, epsilon_curve=EpsilonCurve((0.5, 1.0), (90.0, 50.0), (error, error)))
        plot = next(panel for panel in panels(more, {}) if getattr(panel, "key", "") == "against")
        ends.add(plot.public().y.limits)
    assert len(ends) == 1


def test_bisection_has_its_bound_where_there_are_enough_rows():
    column = np.arange(210_000)
    design = IntervalDesign(column, low=0, high=2**20, bits=20, epsilon=10, error="0.3", method="blr", seed=1)
    found = dp.solve(design)
    assert found.findings["promised-error"].value == 0.3 and "if no cell contains more than 525 rows" in found.sentence
    assert found.findings["largest-share"].note == "1 rows share it; the bound allows 525"
    assert found.findings["recommended"].value != "Bisection [BLR]", "its condition is on the data"
    fewer = answered(design.replace(column=column[:200_000]), quick=True)
    assert fewer.findings["promised-error"].value is None and "its bound needs 200 8" in fewer.sentence.replace("\u00a0", " ")
    unknown = answered(design.replace(neighbours="add-remove", bits=12, high=2**18), quick=True)
    assert unknown.findings["promised-error"].value is None and "only if the number of rows is public" in unknown.sentence


def test_a_release_beyond_its_bound_says_so():
    """Of 100 releases some exceed the bound; each of them says so to its owner, and no other does."""
    beyond = 0
    for seed in range(60):
        facts = dp.solve(IntervalDesign.starting(bits=4, method="laplace", delta="1/5", seed=seed)).facts
        text = statements.interval_sentence(facts, facts.worst.low, facts.worst.high)
        exceeded = abs(facts.worst.error) > facts.bound_rows
        assert ("one of the 1 in 5 releases whose worst error exceeds the bound" in text) is exceeded is facts.beyond
        assert "exceeds" not in facts_sentence(facts)
        beyond += exceeded
    assert 0 < beyond <= 24


def test_errors_are_shown_against_the_bound_as_a_height_and_for_many_releases_one_by_one():
    facts = dp.solve(ages()).facts
    plot = next(panel for panel in panels(facts, {}) if panel.key == "difference")
    band, path = plot.bands[1], facts.totals[2]
    assert band.high - band.low == facts.bound_rows and "error bound: 52" == band.text
    assert band.low <= path.min() and path.max() <= band.high, "a path of a smaller range lies in the band"
    facts = replace(facts, paths=error_paths(facts.column, facts.design.way, silent))
    shown = {panel.key: panel for panel in panels(facts, {})}
    line = shown["releases"].lines[0]
    assert "difference" not in shown and line.secret and not shown["releases"].public().bands
    errors = facts.paths.max(axis=1) - facts.paths.min(axis=1)
    inside = int((errors <= facts.bound_rows).sum())
    assert 80 <= inside < 100 and shown["releases"].hint == f"{inside} of 100 within 52"
    assert sum(line.x <= facts.bound_rows) == inside, "no stack is on both sides of the bound"
    assert abs(np.sort(line.x) - np.sort(errors)).max() <= 1 and list(line.texts) == [
        f"worst error: {each}" for each in np.sort(errors)
    ]
    assert len({*zip(line.x.tolist(), line.y.tolist(), strict=True)}) == 100, "no dot is over another"


@pytest.mark.parametrize("epsilon", ["0.002", 1, 60])
def test_the_curve_of_errors_goes_on_to_the_epsilon_of_the_design(epsilon):
    facts = dp.solve(ages(epsilon=epsilon)).facts
    curve = EpsilonCurve((0.05, 1.0, 10.0), (900.0, 52.0, 6.0), (500.0, 30.0, 3.0))
    against = panels(replace(facts, epsilon_curve=curve, typical={"laplace": 20.0}), {})[-1]
    bound, typical = against.lines
    (low, high), here = against.x.limits, float(epsilon)
    assert against.key == "against" and low == min(0.05, here) and high == max(10, here)
    assert against.handles[0].place == here and len(bound.x) == 3 + (epsilon != 1)
    if epsilon != 1:
        assert bound.at(here) == pytest.approx(min(100 * facts.bound_rows / facts.total, 100))
        assert typical.at(here) == pytest.approx(100 * 20 / facts.rows)


def facts_sentence(facts):
    return statements.sentence(facts) + " ".join(statements.checks(facts)) + " ".join(statements.statement(facts))


@pytest.mark.parametrize("method", ["laplace", "hierarchy", "blr"])
def test_an_aim_has_one_answer(method):
    """The least epsilon of three digits: it does not depend on the epsilon before, and a digit less is too little."""
    rows, total, alpha = (int(0.05 * 944), 944, Fraction(1, 20)) if method != "blr" else (90_000, 300_000, Fraction(3, 10))
    answers = {
        epsilon_for(method, 7, Budget(Fraction(epsilon), "replace"), 0.05, rows, total, alpha, silent) for epsilon in ("1/2", "9")
    }
    (found,) = answers
    assert found is not None

    def bound(epsilon):
        kept = method_error_bound(method, 7, Budget(epsilon, "replace"), 0.05, draws_for(128, 20_000), silent, total, alpha)
        return None if kept is None else kept.rows

    assert bound(found) <= rows
    below = bound(found - Fraction(1, 100 if found >= 1 else 1000))
    assert below is None or below > rows
    assert epsilon_for("mwem", 7, Budget(Fraction(1), "replace"), 0.05, rows, total, alpha, silent) is None


def test_a_number_of_cells_is_read_as_the_power_that_is_shown_and_in_files_as_its_exponent() -> None:
    asked = IntervalDesign.starting().input_named("bits").input
    for given, bits in (("128", 7), (" 2^7 ", 7), (7, 7), ("2", 1), ("1048576", 20)):
        assert asked.read(given, "bits", {}) == bits
    assert (asked.text(7), asked.read(asked.near(7.4), "bits", {}), asked.read(asked.at(0.0), "bits", {})) == ("128", 7, 1)
    for given in (7, "7", "2^7"):
        assert IntervalDesign.from_json({"column": AGES, "epsilon": 1, "bits": given}).bits == 7
    for given, near in (("100", "128"), ("0", "2"), ("1e9", "1048576"), ("2^21", ""), ("many", "")):
        with pytest.raises(InputError, match="bits must be a power of two between 2 and 1\u202f048\u202f576, got") as caught:
            asked.read(given, "bits", {})
        assert caught.value.suggestion == near
