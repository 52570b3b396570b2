"""Inspecting tables: the numbers of the examples, what is refused in which sentence, and what the commands say."""

from __future__ import annotations

import json
import math
import time
from fractions import Fraction as F

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.core.basics.rounding import of_100
from dpdesigner.notebook.tables import keyed_count, office_text
from dpdesigner.resources import path
from dpdesigner.studies.base import tables_of
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.inspect.answer import TOLD, keyed_costs, people_ranking, private_designs
from dpdesigner.studies.inspect.design import InspectDesign, compute_again, keyed_tables
from dpdesigner.studies.snapshot import Found, Look, Snapshot

KEYS = (
    "exp_epsilon epsilon epsilon_at delta delta_floor exp_epsilon_at_delta epsilon_at_delta "
    "total_variation renyi_2 rho mu posterior success advantage found_out posterior_vulnerability "
    "capacity_sum min_capacity_bits best_loss reading face_loss optimum optimum_delta optimum_requested epsilon_same_use "
    "deficiency releases_loss error_bound error_bound_mass interval_low interval_high interval_mass "
    "posterior_mean bias_max variance_max"
).split()


def found(name, **changes):
    (design,) = dp.read(path("examples", name))
    return design.replace(**changes).run()


def value(answer, key):
    return answer.findings[key].value


def look(answer, **view):
    return Look(Snapshot(answer.design, answer, {**InspectDesign.view_defaults, **view}))


def said_of(answer, **view):
    return answer.panels["words"](look(answer, **view)).text


def test_every_key_is_there():
    assert set(dp.InspectDesign.starting().run().findings) == set(KEYS)


def test_an_offices_table():
    answer = found("office-table.dpd")
    assert value(answer, "delta_floor") == F(61106217, 10**8)
    assert (value(answer, "found_out"), answer.false_alarms) == (F(61106217, 10**8), 0), "where the lead is largest"
    assert float(value(found("office-table.dpd", false_alarms="1/100"), "found_out")) == pytest.approx(0.61496, abs=1e-5)
    assert float(value(answer, "success")) == pytest.approx(0.80554, abs=1e-5)
    assert float(value(answer, "best_loss")) == pytest.approx(0.97627, abs=1e-5)
    assert float(value(answer, "face_loss")) == pytest.approx(1.0166, abs=1e-4)
    same = value(answer, "epsilon_same_use")
    assert same == pytest.approx(0.83706, abs=1e-5)
    assert float(
        dp.InspectDesign(f"geometric: 20, ln {F(math.exp(same)).limit_denominator(10**9)}", false_alarms="1/100")
        .run()
        .findings["found_out"]
        .value
    ) == pytest.approx(0.0231, abs=1e-5)
    assert (value(answer, "epsilon"), value(answer, "epsilon_at"), value(answer, "optimum")) == (math.inf, "1, 0, 1", 0)
    assert not answer.passed and answer.badge[0] == "✗ not private"
    assert "A person alone in their cell is found out with certainty up to 61.2 times in 100." in answer.sentence
    assert any("The keys must stay secret" in check for check in answer.checks)
    crowd = found("office-table.dpd", attacker="outsider", false_alarms="1/100")
    assert float(value(crowd, "found_out")) == pytest.approx(0.0268, abs=1e-5)
    assert value(crowd, "delta") == value(answer, "delta")


def test_geometric_noise():
    answer = found("geometric-inspected.dpd")
    assert (value(answer, "exp_epsilon"), value(answer, "success"), value(answer, "found_out")) == (2, F(2, 3), F(1, 50))
    assert value(answer, "rho") == pytest.approx(0.231049060187, abs=1e-12)
    assert value(answer, "best_loss") == value(answer, "optimum") == value(answer, "optimum_delta")
    assert (value(answer, "deficiency"), value(answer, "error_bound"), value(answer, "error_bound_mass")) == (0, 4, F(23, 24))
    assert answer.passed and answer.badge == ("✓ private · ε = 0.6932", "proved")


def test_gaussian_noise_whose_digits_end():
    answer = found("gaussian-inspected.dpd")
    assert (value(answer, "epsilon"), value(answer, "epsilon_at")) == (math.inf, "1, 0, 15")
    assert value(answer, "delta") == pytest.approx(0.0068296, abs=1e-7)
    assert float(value(answer, "success")) == pytest.approx(0.59871, abs=1e-5)
    assert float(value(answer, "found_out")) == pytest.approx(0.03337, abs=1e-5)
    assert value(answer, "epsilon_same_use") == pytest.approx(0.58625, abs=1e-5)
    assert answer.passed and answer.badge[1] == "proved"
    assert value(answer, "epsilon_at_delta") < 1
    assert not found("gaussian-inspected.dpd", delta="0.001").passed


def test_a_table_whose_rows_do_not_sum_to_1():
    with pytest.raises(
        dp.InputError, match=r"row of true count 8 sums to 0\.999997, not 1, nor do 20 other rows, so nothing can be drawn"
    ) as refused:
        found("printed-table.dpd", mend="no")
    assert (refused.value.field, refused.value.suggestion) == ("mend", "largest")
    assert str(refused.value).endswith("Add the missing 0.000003 to its largest entry?"), "ε = ∞ stays, which helps nobody"
    answer = found("printed-table.dpd")
    assert (value(answer, "epsilon"), value(answer, "delta_floor")) == (math.inf, F(2, 10**6))
    assert value(answer, "delta") == pytest.approx(8.8e-6, abs=5e-8)
    assert not answer.passed and answer.badge == ("✗ not private", "refuted")
    assert answer.certain == "1 time in 500\u202f000"
    cause = "Rounding to 6 decimals made some probabilities exactly 0."
    never = "With private noise at ε = 1, that never happens; the expected error is just as large."
    assert answer.sentence == f"An attacker is certain about one person up to {answer.certain}. {cause} {never}"
    assert answer.headlines[1].endswith(f"{cause} Private noise at ε = 1 avoids this; the error is just as large.")
    assert answer.worst[0] == (6, 5) and answer.false_alarms == 0, "the picture opens where the attacker is certain"
    dragged = found("printed-table.dpd", false_alarms="1/5")
    plots = [dragged.panels["found-out"](look(dragged, pair=pair)) for pair in (-1, TOLD)]
    assert [plot.handles[0].place for plot in plots] == [0.2, 0.0] and plots[1].title == "Is the count 5 or 6?"
    assert answer.stated[0][1] == "Use geometric noise with ε = 1 instead: the expected error is the same, 0.79\u00a0people."
    releases = answer.panels["releases"](look(answer))
    assert [line.y[18:].tolist() for line in releases.lines] == [[3e-06, 1e-06, 1e-06], [1e-06, 0, 0]], "at counts 6 and 5"
    assert [(band.low, band.high, str(band.text), *map(str, band.notes)) for band in releases.bands] == [
        (18.5, 20.5, "19 or 20:", "only at count 6")
    ]
    assert not answer.panels["releases"](look(answer, pair=answer.people.pairs.index((12, 11)))).bands
    for other in (found("printed-table.dpd", delta="1e-3"), found("printed-table.dpd", releases=2), found("office-table.dpd")):
        assert answer.rare and not other.rare and "releases" not in other.keys_in("away"), "people are drawn"
    assert found("printed-table.dpd", delta="0.1").badge[0] == "meets ε = 1, δ = 0.1"
    assert found("printed-table.dpd", delta="1e-9").badge[0] == "✗ misses ε = 1, δ = 1e-9"
    assert answer.source.completed == "21 rows, each by at most 0.000003"
    assert answer.findings["epsilon_same_use"].value == 1, "what the picture calls equal is equal in words"
    office = found("office-table.dpd")
    best = dp.solve(dp.CountDesign(20, epsilon="ln 2")).value
    assert office.findings["optimum_requested"].number == pytest.approx(float(best), abs=1e-12)
    tables = {table.key: table for table in tables_of(office)}
    assert [row[0] for row in tables["use"].rows] == [
        "this table, best reading",
        "geometric noise, ε = ln 2",
        "this table, at face value",
        "ignoring the data",
    ]
    ready = dp.inspect("geometric: 3, ln 2", mend="largest")
    assert ready.badge[1] == "proved" and ready.passed, "no row had to be completed"
    assert office.badge == ("✗ not private", "refuted") and office.sentence.endswith(
        " With private noise at ε = ln 2, that never happens; the expected error is 24% larger."
    )
    assert dp.inspect("geometric: 3, ln 2").sentence.endswith(" No noise of the same ε has a smaller expected error.")


def test_a_delta_that_cannot_be_reached():
    answer = found("office-table.dpd", delta="0.1")
    assert answer.findings["epsilon_at_delta"].note == "δ = 0.1 cannot be reached at any ε: the minimum is 0.612"


def test_several_releases():
    answer = dp.InspectDesign("geometric: 20, ln 2", releases=10, epsilon="ln 8").run()
    assert (value(answer, "delta"), value(answer, "exp_epsilon")) == (F(7912, 19683), 1024)
    assert value(answer, "rho") == pytest.approx(2.31049060187, abs=1e-11)
    assert value(dp.InspectDesign("geometric: 10, ln 2", releases=2).run(), "releases_loss") == F(1009895, 1179648)


def test_epsilon_that_is_irrational_is_rounded_against_the_reader():
    answer = dp.InspectDesign("geometric: 5, ln 4", epsilon=1).run()
    exact = (1 - F(1, 4) * F(math.e)) / (1 + F(1, 4))
    assert exact - F(1, 10**14) <= F(value(answer, "delta")) <= exact + F(1, 10**14)


def test_a_sample_and_a_group():
    assert value(dp.InspectDesign("geometric: 3, ln 2", sampling="3 of 12").run(), "exp_epsilon") == F(5, 4)
    assert value(dp.InspectDesign("geometric: 9, ln 2", group=3).run(), "exp_epsilon") == 8


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([[0.5, 0.5], [0.5]], "row 1 of the table must have 2 entries like row 0, got 1"),
        ([[0.5, 0.5], ["x", 0.5]], "row 1, column 0 of the table must be a number like 0.2, 1/3 or 20%, got 'x'"),
        ([[0.5, 0.5], [-0.5, 1.5]], "row 1, column 0 of the table must not be negative, got -0.5"),
        ("0.5,0.5\n1e400,0\n", "row 1, column 0 of the table must be a probability of at most 1, got 1e400"),
        ([["2/3", "1/3"], [3, 7]], "row 1, column 1 of the table must be a probability of at most 1, got 7"),
        (
            "0.5,0.5\n1e-400,1\n",
            "the row of true count 1 sums to 1 + 1e-400, not 1, so nothing can be drawn from it as written. Take the surplus",
        ),
        ("1/3,1/3\n0.5,0.5\n", "the row of true count 0 sums to about 0.666666666667, not 1"),
        ([[0.5, 0.5]], "the table must have at least two rows, for the counts 0 and 1, got one"),
        (
            [[0.5, 0.5], [0.5, 0.6]],
            "the row of true count 1 sums to 1.1, not 1, so nothing can be drawn from it as written. Take the surplus 0.1 from",
        ),
        ("nowhere.csv", "nowhere.csv could not be read: there is no such file"),
        ("0.5|0.5\n0.4|0.6\n", "the table, line 1: the entry in column 1 must be a number"),
        ("geometric: 5, 1", "must be written as ln of a fraction, for example ln 2"),
        ("", "the table must be the name of a file, or rows of numbers, got nothing"),
        (7, "the table must be a file, or rows of numbers, got 7"),
    ],
)
def test_wrong_tables_get_one_sentence(table, sentence):
    with pytest.raises(dp.InputError) as refused:
        dp.inspect(table)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"prior": ["1", "2"]}, r"the prior must have n \+ 1 = 21 weights, got 2"),
        ({"sampling": "2"}, "the sampled share must be above 0 and at most 1"),
        ({"sampling": "5 of 9"}, r"a sample of 5 needs a table of 5 \+ 1 rows, got 21 rows"),
        ({"delta": 2}, "δ must be between 0 and 1, got 2"),
        ({"releases": 0}, "k must be a whole number between 1 and 1000"),
        ({"attacker": "nobody"}, "attacker must be one of informed, outsider"),
        ({"others": "gaussian", "attacker": "outsider"}, "others must be one of"),
        ({"prior": "poisson"}, "prior must be written like poisson:5, got 'poisson'"),
        ({"sampling": "21 of 9"}, "the size of the population must be a whole number between 21 and 5000"),
        ({"n": 2.5}, "n must be a whole number between 1 and 5000"),
        ({"loss": "none"}, "the loss must be one of"),
    ],
)
def test_wrong_inputs_get_one_sentence(changes, sentence):
    with pytest.raises(dp.InputError, match=sentence):
        dp.InspectDesign.starting(**changes).run()


def test_what_a_wrong_input_offers_is_accepted():
    for changes in ({"sampling": "25 of 9"}, {"sampling": "20 of 9000"}, {"sampling": "5 of 9"}, {"delta": 2}, {"releases": 0}):
        with pytest.raises(dp.InputError) as refused:
            dp.InspectDesign.starting(**changes).run()
        key = next(iter(changes))
        assert refused.value.field == key
        dp.InspectDesign.starting(**{key: refused.value.suggestion}).run()
    with pytest.raises(dp.InputError) as refused:
        dp.InspectDesign.starting(others=[1, 2], attacker="outsider").run()
    assert refused.value.field == "others"


def test_what_was_solved_is_inspected_as_it_is_exported():
    answer = dp.inspect(dp.solve(dp.CountDesign(n=5, alpha="1/2")))
    assert value(answer, "exp_epsilon") == 2
    assert value(dp.inspect(np.array([[0.75, 0.25], [0.25, 0.75]])), "exp_epsilon") == 3


def test_a_design_survives_its_file(tmp_path):
    for table in ([["2/3", "1/3"], ["1/3", "2/3"]], "0.5,0.5\n0.4,0.6\n", "geometric: 4, ln 3"):
        design = dp.InspectDesign(table, delta="1/10", others=["1"], prior=["1", "2"], n=3, released=1)
        dp.save([design], tmp_path / "it.dpd")
        assert dp.read(tmp_path / "it.dpd")[0] == design


def test_every_view_is_made():
    answer = found("office-table.dpd")
    assert {table.key for table in tables_of(answer)} == {"found-out", "delta", "table", "people", "use", "readings", "posterior"}
    details = answer.details()
    assert details["corners"]["points"][1] == {"false_alarms": "0", "found_out": "61106217/100000000"}
    assert len(details["pairs"]) == 40 and details["kinks"][0]["exp_epsilon"] == "1"


def test_a_hundred_by_a_hundred_takes_about_a_second():
    start = time.perf_counter()
    answer = dp.InspectDesign("geometric: 99, ln 2").run()
    assert time.perf_counter() - start < 10  # about a second on a quiet machine
    assert value(answer, "exp_epsilon") == 2


def run(*words, capsys):
    status = main(list(words))
    return status, capsys.readouterr()


def test_the_commands_say_the_same(tmp_path, capsys):
    file = tmp_path / "t.csv"
    file.write_text("2/3,1/3\n1/3,2/3\n")
    status, out = run("inspect", str(file), "--json", capsys=capsys)
    inspected = json.loads(out.out)
    assert (status, inspected["findings"]["exp_epsilon"], inspected["findings"]["advantage"]) == (0, "2", "1/3")
    status, out = run("verify", str(file), "--profile", "--epsilon", "ln 2", "--json", capsys=capsys)
    verified = json.loads(out.out)
    assert status == 0 and verified["passed"] and verified["kinks"] == inspected["kinks"]
    assert verified["findings"]["total_variation"] == inspected["findings"]["total_variation"]


@pytest.mark.parametrize(
    ("text", "words", "status"),
    [
        ("2/3,1/3\n1/3,2/3\n", ("--epsilon", "0.69"), 1),
        ("2/3,1/3\n1/3,2/3\n", ("--epsilon", "0.69", "--delta", "0.01"), 0),
        ("2/3,1/3\n1/3,2/3\n", ("--epsilon", "0.1", "--delta", "0.01"), 1),
        ("2/3,1/3\n1/3,2/3\n", (), 0),
        ("1,0\n1/3,2/3\n", (), 1),
        ("1,0\n1/3,2/3\n", ("--delta", "2/3"), 0),
        ("1,0\n1/3,2/3\n", ("--delta", "0.5"), 1),
        ("1,0\n1/3,0.6\n", (), 1),
        ("1,0\n-1/3,4/3\n", (), 1),
        ("1,0\n1e400,0\n", (), 1),
        ("1,0\n1/3\n", (), 2),
        ("1,0\n1/3,x\n", (), 2),
        ("1,0\n1/3,2/3\n", ("--header",), 2),
    ],
)
def test_what_verify_with_a_profile_ends_with(tmp_path, capsys, text, words, status):
    file = tmp_path / "t.csv"
    file.write_text(text)
    got, out = run("verify", str(file), "--profile", *words, capsys=capsys)
    assert got == status
    assert (out.err.count("\n") == 1) == (status == 2)
    if status < 2:
        assert out.out.strip().splitlines()[-1] == ("FAILED" if status else "PASSED")


def test_delta_alone_asks_for_some_epsilon(tmp_path, capsys):
    file = tmp_path / "t.csv"
    file.write_text("1,0\n0,1\n")
    status, out = run("verify", str(file), "--delta", "0.1", capsys=capsys)
    assert (status, out.err) == (1, "") and out.out.endswith("FAILED\n")  # the count itself is told
    file.write_text("0.5,0.5\n0.45,0.55\n")
    assert run("verify", str(file), "--delta", "0.1", capsys=capsys)[0] == 0


def test_a_table_in_keys_is_written_for_an_office(tmp_path):
    made = keyed_count(5, epsilon="ln 2")
    for form in ("tau-argus", "sas"):
        answer = dp.inspect(office_text(made, form), n=5, loss="absolute")
        assert value(answer, "exp_epsilon") <= 2
        assert float(value(answer, "best_loss")) == pytest.approx(made.value, abs=1e-12)
    assert value(dp.inspect(office_text(made, "keys")), "epsilon") == math.inf
    with pytest.raises(dp.InputError, match="the form must be tau-argus, sas or keys"):
        office_text(made, "excel")


def test_the_risks_say_at_which_pair_they_are_and_how_many_are_found_out_with_certainty() -> None:
    for file, right, limit, most in (
        ("gaussian-inspected.dpd", "59.9%", "limit at ε = 1, δ = 0.01", "73.4%"),
        ("office-table.dpd", "80.6%", "private noise, ε = ln 2", "66.7%"),
    ):
        answer = found(file)
        assert [(row.label, row.text) for row in people_ranking(answer).rows] == [
            ("this table", right),
            (limit, most),
            ("guessing", "50%"),
        ]
    gone = dp.inspect([["0.5", "0.5", "0"], ["0.4", "0.5", "0.1"], ["0", "0.6", "0.4"]])
    assert gone.sentence.startswith("A person alone in their cell is found out with certainty up to 10 times in 100."), (
        "who is in the data comes first"
    )
    absent = dp.inspect([["0.5", "0.3", "0.2"], ["0.4", "0.6", "0"]])
    assert absent.sentence.startswith("If the count is 0 without a person and 1 with, their absence is certain up to 20")
    assert said_of(absent) == "Releases of 2: up to 20 times in 100 at count 0, never at count 1."
    assert absent.worst[0] == (1, 0) and value(absent, "posterior") == F(2, 3), "nobody is found out with certainty"
    group = dp.inspect("1,0,0\n0.5,0.5,0\n0,0.5,0.5\n", group=2)
    assert group.sentence.startswith("If the count is 2 with a group of 2 people and 0 without, they are found out")
    head = people_ranking(found("office-table.dpd")).head
    assert head == "worst case: counts 0 and 1" and found("office-table.dpd").worst[0] == (1, 0)
    one = dp.inspect([["0.8", "0.2", "0"], ["0.2", "0.8", "0"], ["0.2", "0.7", "0.1"]])
    assert people_ranking(one).head == "worst case: counts 0 and 1"
    assert said_of(one) == "Releases of 2: up to 10 times in 100 at count 2, never at count 1.", "the largest ratio of all"
    chosen = one.people.pairs.index((1, 0))
    assert said_of(one, pair=chosen) == "Releases of 1: 4 times as likely at count 1 as at count 0."
    assert said_of(dp.inspect("geometric: 3, ln 2")) == "Releases of 1 to 3: 2 times as likely at count 1 as at count 0."
    assert said_of(found("office-table.dpd")) == "Releases of 1 to 6: up to 61.2 times in 100 at count 1, never at count 0."
    assert (
        said_of(found("gaussian-inspected.dpd"))
        == "Releases of 15: up to 1 time in 142\u202f000\u202f000\u202f000 at count 1, never at count 0."
    )
    answers = dp.inspect(",a,b,c\na,0.8,0.1,0.1\nb,0.1,0.8,0.1\nc,0.1,0.1,0.8\n")
    assert said_of(answers) == ""
    group = people_ranking(dp.inspect("geometric: 3, ln 2", group=2)).rows
    limit = "limit at ε = ln 2"
    assert [row.label for row in group] == ["this table", limit, "guessing"], "noise at ε hides one person, not two"


def test_the_limit_of_the_requested_privacy_touches_a_table_that_just_has_it():
    for given in ({"epsilon": "ln 2"}, {"epsilon": "0.3", "delta": "0.1"}, {"epsilon": 700, "delta": 1}):
        answer = dp.InspectDesign("geometric: 20, ln 2", **given).run()
        seen = answer.panels["found-out"](Look(Snapshot(answer.design, answer, InspectDesign.view_defaults)))
        limit, own = seen.lines[-1], seen.lines[0]
        assert limit.name.startswith(f"{'limit at' if 'delta' in given else 'private noise,'} ε = {given['epsilon']}")
        above = np.interp(own.x, limit.x, limit.y) - own.y
        delta = answer.profile.delta(math.exp(answer.design.privacy.epsilon))
        assert (above.min() > -1e-12) == (float(delta) <= float(given.get("delta", 0)) + 1e-12)
        both = own.short == f"this table · private noise, ε = {given['epsilon']}" and limit.short == " "
        assert both == (given == {"epsilon": "ln 2"}), "one name where they coincide"
        assert not both or abs(above).max() < 1e-12


def test_what_delta_means_is_said_by_its_definition_and_rounded_up() -> None:
    answer = found("gaussian-inspected.dpd")
    assert answer.sentence == (
        "An attacker who knows everybody else is right about one person at most 59.9 times in 100. "
        "With private noise at ε = 1, the expected error is 44% smaller."
    )
    own, best = (answer.findings[key].number for key in ("best_loss", "optimum_requested"))
    assert 0.44 <= 1 - best / own < 0.45
    rows, delta = answer.profile.table.doubles, answer.findings["delta"].number
    excess = [np.clip(rows[i] - np.e * rows[k], 0, None).sum() for i, k in answer.profile.pairs]  # of the worst event
    assert max(excess) <= delta <= min(0.00683, 1 / 146)
    assert answer.badge == ("✓ meets ε = 1, δ = 0.01", "proved"), "not “private” beside ε = ∞"
    assert dp.inspect("geometric: 3, ln 2", epsilon="ln 2", delta=0.01).badge[0].startswith("✓ private · ε = ln 2")


def test_the_accuracy_of_one_release_is_no_curve_of_several():
    one, many = (found("gaussian-inspected.dpd", releases=k) for k in (1, 3))
    names = [[line.name for line in answer.panels["delta"](look(answer)).lines] for answer in (one, many)]
    assert names == [["δ", "private noise, ε = 1"], ["δ"]]
    assert "at most 66.7 times in 100 after 3 independent releases." in many.sentence and "releases" not in one.sentence
    assert (
        found("office-table.dpd", releases=3).sentence
        == "A person alone in their cell is found out with certainty up to 94.2 times in 100 after 3 independent releases."
    )
    three = found("office-table.dpd", releases=3)
    assert said_of(three) == "1 to 6 in one of 3 releases: up to 94.2 times in 100 at count 1, never at count 0."
    assert 1 - (1 - 0.61106217) ** 3 <= 0.942
    assert said_of(dp.InspectDesign([["2/3", "1/3"], ["1/3", "2/3"]], releases=3).run()).startswith("3 releases of 1: 8 times as")
    titles = [next(panel.title for panel in answer.panels_in({}) if panel.key == "use") for answer in (one, many)]
    assert titles == ["Expected error", "Expected error of one release"]


def test_a_table_that_misses_a_level_is_not_called_not_private():
    assert found("gaussian-inspected.dpd", epsilon="0.5").badge == ("✗ misses ε = 0.5, δ = 0.01", "refuted")


def test_the_title_of_an_example_goes_with_it(tmp_path):
    (tmp_path / "own.csv").write_text("1,0\n0.4,0.6\n")
    (office,) = dp.read(path("examples", "office-table.dpd"))
    assert office.name == "An office’s table" == office.replace(epsilon="1").name
    own = office.replace(table=f"file: {tmp_path / 'own.csv'}")
    assert own.name == "own" == own.replace(epsilon="1").name, "the report is titled from the file"
    assert own.replace(table="geometric: 20, ln 2").name == ""
    assert InspectDesign.starting().replace(table="file: example:ptable_D5V2.csv").name == "ptable_D5V2"
    assert own.line.endswith(" · the attacker knows everybody else")
    assert found("printed-table.dpd", table=own.table).design.mend == "no"
    assert office.replace(table=own.table, name="Mine").name == "Mine"
    kept = own.replace(name="Cells").replace(table="geometric: 20, ln 2")
    assert kept.name == "Cells", "a title of own data is the user's"


def test_errors_next_to_each_other_have_equal_decimals():
    for file, shown in (
        ("office-table.dpd", ["0.98", "1.21", "1.02", "5.24"]),
        ("printed-table.dpd", ["0.79", "0.79", "0.79", "5.24"]),
    ):
        answer = found(file)
        use = answer.panels["use"](Look(Snapshot(answer.design, answer, InspectDesign.view_defaults)))
        assert [row.text for row in use.rows] == shown
    assert use.rows[1].value == use.rows[0].value, "what differs by 0.001% is called equal"


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("true count,0,1\n0,0.6,0.4\n1,0.4,0.6\n", {"header", "row labels"}),
        (",0,1\n0,0.6,0.4\n1,0.4,0.6\n", {"header", "row labels"}),
        ("count,p0,p1\nn0,0.6,0.4\nn1,0.4,0.6\n", {"header", "row labels"}),
        ("count;0;1\n0;0,6;0,4\n1;0,4;0,6\n", {"header", "row labels"}),
        ("0,0.6,0.4\n1,0.4,0.6\n", {"row labels"}),
        ("p0,p1\n0.6,0.4\n0.4,0.6\n", {"header"}),
        ("0,1,2\n0.6,0.4,0\n0.4,0.6,0\n", {"header"}),
        ("0.6,0.4\n0.4,0.6\n", set()),
        ("0,1\n0.6,0.4\n0.4,0.6\n", set()),  # a row of probabilities stays one
    ],
)
def test_header_and_labels_are_detected_where_they_can_be_no_probabilities(text, left_out):
    answer = dp.inspect(text)
    assert set(answer.source.left_out) == left_out and answer.releases.weights.shape[1] == 2 + ("2" in text)
    assert not left_out or "as detected" in answer.source.words


@pytest.mark.parametrize(
    ("text", "field", "suggestion", "sentence"),
    [
        ("n,0,1\n0,0.6,0.4\n1,0.4,0.58\n", "mend", "largest", "true count 1 sums to 0.98"),
        ("n,0,1\n0,0.6,abc\n1,0.4,0.6\n", "table", "", "line 2: the entry in column 3 must be a number"),
        ("n,0,1\n5,0.6,0.4\n6,0.4,0.6\n", "table", "", "must have a row for each count 0, 1, 2, …, got 5 in place of 0"),
        ("0,5;0,4;0\n0,5;0,5;0\n0;0;1\n", "mend", "largest", "true count 0 sums to 0.9"),
        ("x,y\nn0,abc\nn1,0.4\n", "headings", "both", "line 2: the entry in column 1"),
    ],
)
def test_what_is_wrong_with_a_labelled_table_is_said_of_its_numbers(text, field, suggestion, sentence):
    with pytest.raises(dp.InputError, match=sentence) as refused:
        dp.inspect(text)
    assert (refused.value.field, refused.value.suggestion or "") == (field, suggestion)


def test_what_is_said_follows_the_attacker():
    crowd = found("office-table.dpd", attacker="outsider")
    assert "knows only the distribution of the others’ count is right about one person at most 57.5 times" in crowd.sentence
    assert people_ranking(crowd).head == "" and "worst two counts" not in crowd.why.plain_text
    look = Look(Snapshot(crowd.design, crowd, {**InspectDesign.view_defaults, "view": "away", "all": True}))
    assert [line.name for line in crowd.panels["found-out"](look).lines] == ["this table", "guessing"]
    informed = found("office-table.dpd")
    assert "At the worst two counts" in informed.why.plain_text


def test_what_is_less_than_all_is_never_100_percent():
    answer = dp.inspect("0.996,0.004\n0.004,0.996\n", epsilon=6)
    assert format_finding(answer.findings["success"]) == "99.6%" == f"{of_100(answer.findings['success'].value, 3)}%"
    assert of_100(F(99996, 100000)) == of_100(F(99996, 100000), 3) == "99.996"
    guessed = [of_100(share, 3) for share in (F("0.98"), F("0.98000000002"), F("0.7705"), F("0.0831"), F("0.0002"))]
    assert guessed == ["98", "98.1", "77.1", "8.4", "< 0.1"], "a risk has one decimal, rounded up"


def test_a_table_above_the_requested_level_is_refused():
    answer = dp.inspect("geometric: 3, ln 3", epsilon="ln 2")
    assert answer.badge == ("✗ misses ε = ln 2: ε = 1.099", "refuted") and not answer.passed
    assert dp.inspect("geometric: 3, ln 3", epsilon="ln 3").badge == ("✓ private · ε = 1.099", "proved")


ROWS = [["0.7", "0.3", "0"], ["0.2", "0.5", "0.3"], ["0.1", "0.3", "0.6"]]
HEADED = "count,0,1,2\n0,0.7,0.3,0\n1,0.2,0.5,0.3\n2,0.1,0.3,0.6\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Perturbation table 2024\nOffice, unit\n\n{HEADED}", "2 comments (lines 1 to 2)"),
        (f"Table 2024,,,\nTrue count,Published,,\n{HEADED}Source: office,,,\n", "3 comments (lines 1 to 2, 7)"),
        ("count,0,1,2\n0,70%,30%,0%\n1,20%,50%,30%\n2,10%,30%,60%\n", "lines 2 to 4;"),
        ("count;0;1;2\n0;70,0 %;30,0 %;0,0 %\n1;20,0 %;50,0 %;30,0 %\n2;10,0 %;30,0 %;60,0 %\n", "lines 2 to 4;"),
        ("count;0;1;2\n0;100,0 %;0,0 %;0,0 %\n1;20,0 %;50,0 %;30,0 %\n2;10,0 %;30,0 %;60,0 %\n", "lines 2 to 4;"),
        ("count,0,1,2\n0,70,30,0\n1,20,50,30\n2,10,30,60\n", ", percentages;"),
        ("70,30,0\n20,50,30\n10,30,60\n", ", percentages;"),
        ("n;0;1;2\n0;7\u202f000;3\u202f000;0\n1;2 000;5 000;3 000\n2;1000;3000;6000\n", ", of 10000 keys;"),
        ("count;0;1;2\n0;0,7;0,3;0\n1;0,2;0,5;0,3\n2;0,1;0,3;0,6\n", "lines 2 to 4;"),
        ("count,0,1,2,Total\n0,70%,30%,0%,100%\n1,20%,50%,30%,100%\n2,10%,30%,60%,100%\n", "the column of totals;"),
        ("0.7,0.3,0,1\n0.2,0.5,0.3,1\n0.1,0.3,0.6,1\n", "the column of totals;"),
        ("count,0,1,2+\n0,0.7,0.3,\n1,0.2,0.5,0.3\n2+,0.1,0.3,0.6\n", ", empty cells are 0;"),
        ("T,\n0,1,2\n0,0.7,0.3,-\n1,0.2,0.5,0.3\n2,0.1,0.3,0.6\n", ", empty cells are 0;"),
    ],
)
def test_tables_are_read_as_offices_write_them(text, words):
    source = dp.inspect(text).source
    rows = ROWS if "100,0 %" not in text else [["1", "0", "0"], *ROWS[1:]]
    assert [list(map(F, row)) for row in source.rows] == [list(map(F, row)) for row in rows]
    assert source.labels == (0, 1, 2) and words in f"{source.words};"


@pytest.mark.parametrize("text", ["100,,\n20,50,30\n", "0.7,0.3\n1\n", f"{HEADED}3,,,0.9\n", f"2024,,,\n{HEADED}"])
def test_no_line_with_a_number_is_left_out(text):
    with pytest.raises(dp.InputError):
        dp.inspect(text)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("r,0,1,2\n0,0.7,0.2,0.1\n1,0.3,0.5,0.3\n2,0,0.3,0.6\n", ROWS),
        ("0.7,0.2,0.1\n0.3,0.5,0.3\n0,0.3,0.6\n", ROWS),
        ("Table\nr,0,1,2\n0,70%,20%,10%\n1,30%,50%,30%\n2,,30%,60%\n", ROWS),
        ("noise,0,1,2\n-1,0,0.2,0.5\n0,0.7,0.6,0.5\n1,0.3,0.2,0\n", [[".7", ".3", "0"], [".2", ".6", ".2"], ["0", ".5", ".5"]]),
    ],
)
def test_a_table_whose_columns_are_the_true_counts_is_turned_on_request_and_never_completed(text, rows):
    with pytest.raises(dp.InputError, match="the columns of the table sum to 1, but its rows do not") as refused:
        dp.inspect(text)
    assert (refused.value.field, refused.value.suggestion) == ("headings", "turned")
    source = dp.inspect(text, headings="turned").source
    assert [list(map(F, row)) for row in source.rows] == [list(map(F, row)) for row in rows] and ", turned" in source.words


def test_below_a_title_the_entry_is_named_that_is_wrong():
    with pytest.raises(dp.InputError, match=r"line 4: the entry in column 3 must be a number like .*, got 'abc'"):
        dp.inspect("Table 2024\n" + HEADED.replace("0.5", "abc"))


def test_a_spreadsheet_is_to_be_saved_as_text(tmp_path):
    (tmp_path / "t.xlsx").write_bytes(b"PK\3\4\x14\0")
    with pytest.raises(dp.InputError, match=r"t\.xlsx must be a text file, got a spreadsheet: save its sheet as CSV"):
        dp.inspect(tmp_path / "t.xlsx")


def test_releases_of_a_sample_are_each_of_a_new_one():
    answer = found("geometric-inspected.dpd", sampling="1/2", releases=2)
    assert value(answer, "exp_epsilon") == F(3, 2) ** 2, "(1 + q (e^ε − 1))^k, each sample drawn anew"
    assert answer.sentence.endswith(" after 2 releases, each of a new sample.")
    table = answer.panels["again"](
        Look(Snapshot(answer.design, answer, InspectDesign.view_defaults, {"again": Found(answer, compute_again(answer))}))
    )
    assert table.note == "Rounded up. Each release is of a new sample."


def test_repeated_releases_depend_on_nothing_of_another_view():
    shown = []
    for false in ("1/100", "1/5"):
        answer = found("office-table.dpd", false_alarms=false)
        now = Snapshot(
            answer.design,
            answer,
            {**InspectDesign.view_defaults, "view": "again"},
            {"again": Found(answer, compute_again(answer))},
        )
        shown.append(
            (answer.panels["again"](Look(now)).rows, [line.name for line in answer.panels["released-again"](Look(now)).lines])
        )
    assert shown[0] == shown[1] and shown[0][1] == ["attacker right", "δ at ε = ln 2"]


def seen_again(answer):
    jobs = {"again": Found(answer, compute_again(answer))}
    return Look(Snapshot(answer.design, answer, {**InspectDesign.view_defaults, "view": "again"}, jobs))


def test_the_curve_of_repeated_releases_is_computed_at_every_number():
    answer = found("office-table.dpd", releases=4)
    plot = answer.panels["released-again"](seen_again(answer))
    assert plot.title == "Independent releases (fresh noise each time)" and plot.handles[0].place == 4
    right, delta = plot.lines
    assert right.x.tolist() == list(range(1, 11)) and right.y[3] == float(value(answer, "success"))
    assert delta.y[3] == float(value(answer, "delta"))
    exact = [float(value(found("office-table.dpd", releases=k), "success")) for k in (1, 6, 7)]
    assert right.y[[0, 5, 6]] == pytest.approx(exact, abs=1e-3)
    assert [row[0] for row in answer.panels["again"](seen_again(answer)).rows] == ["1", "2", "3", "4", "5", "10"]
    many = found("office-table.dpd", releases=12)
    assert many.panels["again"](seen_again(many)).rows[-1][0] == "12"


def test_the_same_key_is_said_where_releases_are_repeated():
    said = [answer.panels["words"](seen_again(answer)).text for answer in (found("office-table.dpd"), found("printed-table.dpd"))]
    assert said[0].startswith("The same people get the same key, so asking again reveals nothing more.") and said[1] == ""


def test_private_noise_for_several_releases_has_the_requested_level_in_total():
    answer = found("printed-table.dpd", releases=4)
    (rows,) = [panel.rows for panel in answer.panels_in({}) if panel.key == "use"]
    assert "private noise, ε = 1 / 4" in [row.short for row in rows]
    single = dp.solve(dp.CountDesign(20, epsilon="0.25")).value
    assert value(answer, "optimum_requested") == pytest.approx(float(single), abs=1e-9)
    costs = private_designs(Snapshot(answer.design, answer, InspectDesign.view_defaults))[0][1]
    assert costs.epsilon == "1 / 4" and costs.error.startswith("2.")


def test_a_table_in_keys_states_its_error_before_it_is_saved():
    answer = found("office-table.dpd", epsilon="1")
    now = Snapshot(answer.design, answer, InspectDesign.view_defaults)
    (count, costs), *_ = private_designs(now)
    assert costs == ("1", "0.79", "") and count.privacy.epsilon == 1
    fine, coarse = keyed_tables(count)
    assert keyed_costs(now, count, fine) == ("1", "0.81", "")
    assert keyed_costs(now, count, coarse) == ("1", "1.23", "even values only")


def test_on_average_less_often_yet_certain_is_said():
    answer = dp.inspect([["0.9", "0.1", "0"], ["0.8", "0.1", "0.1"]], epsilon="ln 2")
    assert people_ranking(answer).note == "On average the attacker wins less often, but some people are certain."
    assert not people_ranking(found("office-table.dpd")).note


def test_shares_are_written_without_the_unit_of_the_ticks():
    answer = found("office-table.dpd")
    table = answer.panels["found-out"](look(answer)).as_table()
    assert table.header[:2] == ("false alarms", "this table") and ["0.0", "0.61106217"] in [list(row[:2]) for row in table.rows]


def test_what_never_occurs_is_never_released():
    answer = dp.inspect("0.5,0.5,0,0\n0.25,0.25,0,0.5\n")
    table = answer.panels["readings"](Look(Snapshot(answer.design, answer, {**InspectDesign.view_defaults, "view": "reading"})))
    assert table.rows[2] == ("2", "never released") and table.rows[3] == ("3", "1") and not table.note


@pytest.mark.parametrize("head", ["true;released;probability\n", "i;j;p\n", ""])
@pytest.mark.parametrize("mark", ["0.25", "0,25", "25%", "1/4"])
def test_a_list_of_pairs_is_read(head, mark):
    rest = {"0.25": "0.75", "0,25": "0,75", "25%": "75%", "1/4": "3/4"}[mark]
    text = f"{head}0;0;{rest}\n0;1;{mark}\n1;2;{rest}\n1;1;{mark}\n"
    for each in (text, text.replace(";", "\t")):
        source = dp.inspect(each).source
        assert [list(map(F, row)) for row in source.rows] == [[F(3, 4), F(1, 4), 0], [0, F(1, 4), F(3, 4)]]
        assert source.words.startswith("read: 4 lines of true count, release and probability")
    with pytest.raises(dp.InputError, match="true count 1 has the release 1 a second time"):
        dp.inspect(f"{text}1;1;{mark}\n")
