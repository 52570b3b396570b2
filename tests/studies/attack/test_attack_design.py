"""Attack designs: what can be asked, what is refused in which sentence, and what comes out."""

from __future__ import annotations

import json
import math
import pickle
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.core.basics.rounding import brief, figure
from dpdesigner.core.reconstruction import attack as attacking
from dpdesigner.core.reconstruction.attack import ranges
from dpdesigner.core.reconstruction.counting import Lemma, Questions
from dpdesigner.core.reconstruction.problem import Curves, curves, plan
from dpdesigner.files.project import read_project
from dpdesigner.resources import path
from dpdesigner.studies.attack.answer import (
    because,
    exposing,
    fewer,
    in_brief,
    in_short,
    in_vain,
    leaving_out,
    noise_inputs,
    noise_instead,
)
from dpdesigner.studies.attack.design import AttackDesign, answering, asked_again, problem_of, secret_of, setting
from dpdesigner.studies.attack.run import (
    attack,
    badge,
    beside,
    certain_of,
    curve,
    hint,
    how_close,
    lemma,
    private_noise,
    privately,
    question_texts,
    recovered,
    run,
)
from dpdesigner.studies.attack.run import people as people_table
from dpdesigner.studies.findings import format_finding

VOTES = "example:survey_1996.csv#vote"


def test_the_design_of_the_contract():
    design = AttackDesign(
        n=500, queries=2000, error="uniform", size="0.5 sqrt n", epsilon=None, share="1/2", attacker="interior", seed=7
    )
    assert design == AttackDesign.starting() and design.bound == pytest.approx(0.5 * math.sqrt(500))
    found = dp.solve(design.replace(n=60, queries=240))
    assert found.values.shape == found.guess.shape == found.unsure.shape == (60,)
    assert found.wrong == found.findings["wrong"].value and found.findings["recovered"].value == 1 - found.wrong
    assert found.findings["epsilon"].value == found.findings["epsilon-composed"].value == math.inf
    again = dp.solve(AttackDesign.from_json(json.loads(json.dumps(design.replace(n=60, queries=240).to_json()))))
    assert (again.values == found.values).all() and (again.problem.answers == found.problem.answers).all()


def test_the_voters_in_words():
    design = AttackDesign(n=400, queries=1600, column=VOTES)
    found = dp.solve(design)
    assert found.line == "n = 400 · 1600 answers, each within ±10 (0.5 √n) · interior point"
    people = "387 of 400 people (96.75%; guessing: 232)"
    begin = f"From 1600 answers, each within 10 of the truth, the attack recovers the values of {people}."
    assert found.sentence.startswith(begin)
    limit = (
        "no more than guessing (232); limit for any attack: 293 on average, if people are independent"  # 400 e / (1 + e) = 292.4
    )
    useless = "each answer is wrong by about 1600 on average, in groups of about 200: useless. Ask only 20: wrong by ≈ 20."
    assert found.sentence.endswith(f" With a total ε of 1, the same questions recover {limit}; {useless}")
    assert str(in_brief(found)).endswith(f" With it (total ε = 1), {limit}.")
    assert str(in_brief(found)).startswith("Without privacy, this attack recovers "), "others may recover more"
    assert str(in_short(found)) == "387 of 400 people recovered; with privacy no more than guessing: 232."
    few, warned = dp.solve(design.replace(queries=20)), ", but other questions may expose people"
    assert str(in_brief(few)).startswith(
        f"Without privacy, this attack recovers no more than guessing (232 of 400 people){warned}. With it"
    )
    assert str(in_short(few)) == f"This attack recovers no more than guessing (232 of 400 people){warned}."
    needed = few.completed(curves=Curves({"questions": {4.0: [1.0]}}))
    poor = "no more than guessing (232 of 400 people)"
    assert str(in_short(needed)) == f"This attack recovers {poor}; 1600 questions recover 95%."
    some = dp.solve(design.replace(queries=100)).completed(curves=needed.curves)
    assert str(in_short(some)) == "266 of 400 people recovered from 100 questions; 1600 recover 95%."
    assert str(in_brief(some)).startswith(
        "Without privacy, this attack recovers 266 of 400 people (guessing: 232); 1600 questions recover 95%. With it"
    )
    assert not in_vain(found, found.reconstruction) and str(hint(found)) == ""
    exact = dp.solve(design.replace(queries=20, size="0"))
    assert "from 20 answers without error" in exact.sentence.lower() and warned in exact.sentence
    assert str(hint(exact)) == "Check your own questions with “File…”."
    flipped = replace(
        exact.reconstruction, values=np.where(np.arange(400) < 232 + 17, exact.problem.secret, 1 - exact.problem.secret)
    )
    assert not in_vain(exact, flipped), "a tenth of the 168 whom guessing gets wrong are 16.8"
    flipped = replace(
        exact.reconstruction, values=np.where(np.arange(400) < 232 + 16, exact.problem.secret, 1 - exact.problem.secret)
    )
    assert in_vain(exact, flipped)
    assert str(found.findings["limit"].label) == "limit for any attack on private answers"
    assert found.badge == ("no privacy · ε = ∞", "open") and "1600 × 1/1600 = total ε of 1" in found.checks[1]
    assert found.findings["private-error"].value == pytest.approx(1600, abs=0.1)
    assert format_finding(found.findings["limit"]) == "73.2%" and found.findings["theorem"].value == 14360
    assert 0.4 < found.findings["private-recovered"].value < 0.6
    assert found.problem.rows.tolist()[:2] == sorted(found.problem.rows.tolist())[:2] and found.problem.rows.max() <= 944


def test_a_poor_attack_is_told_with_the_limit_for_any_attack():
    design = AttackDesign(n=100, queries=800, size="0", share="1/2")
    for noise in ({}, {"error": "laplace"}):
        near = dp.solve(design.replace(epsilon=10, **noise))
        limit = ": hardly any privacy (limit for any attack: 100)"
        assert f"{limit};" in near.sentence and str(in_brief(near)).endswith(f"{limit}.")
        for epsilon, most in ((3, 96), (1, 74)):  # 100 / (1 + e^-epsilon), rounded up
            told = f"; limit for any attack: {most} on average, if people are independent"
            assert told in dp.solve(design.replace(epsilon=epsilon, **noise)).sentence


@pytest.mark.parametrize(("answer", "exposed"), [(90.6, True), (84.0, False), (87.9, False), (88.1, True)])
def test_a_guess_is_exposed_if_its_count_is_further_than_e_from_the_answer(answer, exposed):
    secret = np.array([1] * 84 + [0] * 100, dtype=np.int8)
    guess = np.array([0] * 6 + [1] * 78 + [0] * 100, dtype=np.int8)
    ruling = Lemma(Questions.of(np.ones((1, 184), dtype=bool)), secret, 10)
    vars(ruling)["other"] = guess
    plot = lemma(ruling, 0, answer - 84)
    assert (
        str(plot.title) == f"Question 1 {'exposes' if exposed else 'does not expose'} an example guess: off by {answer - 78:.3g}"
    )
    (band,), (line,) = plot.bands, plot.lines
    assert (band.low, band.high) == (-10, 10) and line.y[-1] == pytest.approx(78 - answer) and exposed == (line.y[-1] < band.low)


def test_the_epsilon_of_private_answers_is_rounded_up():
    found = dp.solve(AttackDesign(n=20, queries=40, epsilon="1/3"))
    assert format_finding(found.findings["private-epsilon"]) == "0.33334"


@pytest.mark.parametrize("error", ["laplace", "geometric", "staircase"])
def test_noise_has_the_epsilon_of_the_answers_that_count_a_person(error):
    found = dp.solve(AttackDesign(n=40, queries=160, error=error, epsilon=8))
    most = found.problem.questions.most()[1]
    assert found.findings["epsilon"].value == pytest.approx(8 * most / 160)
    assert found.findings["epsilon-composed"].value == pytest.approx(8)
    assert found.findings["epsilon"].value < found.findings["epsilon-composed"].value
    assert "noise of total ε = 8" in found.sentence and "private-people" not in found.findings
    assert found.badge == ("total ε = 8", "open") and str(in_brief(found)).startswith("With privacy (total ε = 8), ")
    assert (
        found.findings["epsilon"].label == "ε of the person counted most"
        and f"in {most} of the 160 answers" in found.findings["epsilon"].note
    )


def test_answers_that_do_not_depend_on_the_secret_have_no_epsilon():
    for error in ("tightness", "rounded"):
        found = dp.solve(AttackDesign(n=20, queries=40, error=error, size=20))
        assert found.findings["epsilon"].value == 0 and found.badge[0] == "attained ε = 0"


NO_SIZE = "E must be a number of people like 10, or a multiple of the root of n like 0.5 sqrt n, got {}."


@pytest.mark.parametrize(
    ("given", "field", "sentence", "suggestion"),
    [
        ({"n": 0}, "n", "n must be a whole number between 1 and 20\u202f000, got 0.", "1"),
        ({"n": 20001}, "n", "n must be a whole number between 1 and 20\u202f000, got 20001.", "20000"),
        ({"queries": 0}, "queries", "t must be a whole number between 1 and 1\u202f000\u202f000, got 0.", "1"),
        ({"n": 20000, "queries": 200000}, "queries", "queries must be at most 100000 for 20000 people, got 200000.", "100000"),
        ({"n": 100, "size": 101}, "size", "E must be between 0 and n = 100, got 101.", "100"),
        ({"size": -1}, "size", "E must be between 0 and n = 500, got -1.", "0"),
        ({"size": "nan"}, "size", NO_SIZE.format("'nan'"), ""),
        (
            {"size": math.inf},
            "size",
            "E must be a number of people like 10, or a multiple of the root of n like 0.5 sqrt n, got inf.",
            "",
        ),
        ({"n": 9, "size": "4 sqrt n"}, "size", "E must be between 0 and n = 9, got '4 sqrt n'.", "9"),
        ({"epsilon": 0}, "epsilon", "ε must be between 0.0001 and 10\u202f000\u202f000, got 0.", "1e-4"),
        ({"share": 2}, "share", "s must be between 0 and 1, got 2.", "1"),
        ({"column": [0, 1, 2]}, "column", "the column must contain 0 and 1 only, got 2 in row 3.", ""),
        ({"column": []}, "column", "the column must be a list of 1 to 20000 values, got shape (0,).", ""),
        ({"column": "0101", "n": 5}, "n", "n must be 4, the length of the column, got 5.", "4"),
        ({"error": "gauss"}, "error", None, ""),
        ({"seed": -1}, "seed", "seed must be a whole number between 0 and 2\u202f147\u202f483\u202f647, got -1.", "0"),
        ({"answers": 3}, "answers", "answers must be a text of at most 4000 characters, got 3.", ""),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(given, field, sentence, suggestion):
    with pytest.raises(dp.InputError) as refused:
        AttackDesign.starting(**given)
    assert refused.value.field == field and refused.value.suggestion == suggestion
    assert sentence is None or str(refused.value) == sentence


def test_a_column_may_be_given_in_many_ways(tmp_path):
    bits = [1, 0, 0, 1, 1]
    for column in (bits, tuple(bits), np.array(bits), np.array(bits, dtype=bool), "10011", map(str, "")):
        if isinstance(column, map):
            continue
        design = AttackDesign(column=column)
        assert design.n == 5 and design.column == "10011" and secret_of(design)[0].tolist() == bits
    path = tmp_path / "people.csv"
    path.write_text("name,ill\nx,1\ny,0\nz,1\n", "utf-8")
    design = AttackDesign(n=3, queries=6, column=f"{path}#ill")
    assert secret_of(design)[0].tolist() == [1, 0, 1] and "ill" in design.inputs()[8].input.text(design.column)
    with pytest.raises(dp.InputError, match=r"this column has 3 people, got 500") as refused:
        dp.solve(AttackDesign(column=f"{path}#ill"))
    assert refused.value.suggestion == "3"
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    path.rename(moved / "people.csv")
    assert (
        design.beside(moved).column == f"{moved / 'people.csv'}#ill"
        and AttackDesign.starting().beside(moved) == AttackDesign.starting()
    )
    with pytest.raises(dp.InputError, match="no such file"):
        dp.solve(design)


def test_a_painted_column_is_kept_when_n_changes():
    design = AttackDesign(column="101")
    assert design.replace(n=5).column == "10100" and design.replace(n=2).column == "10"
    assert design.replace(column="0011").n == 4 and design.replace(queries=7).n == 3
    assert design.replace(column="", n=9).n == 9


def test_e_in_roots_of_n_stays_so():
    for text, value in (
        ("0.5 sqrt n", 5),
        ("½ √n", 5),
        ("sqrt n", 10),
        ("1/4 √n", 2.5),
        ("0.5 √people", 5),
        ("0.5*sqrt(n)", 5),
        (7, 7),
        ("7/2", 3.5),
    ):
        design = AttackDesign(n=100, size=text)
        assert design.bound == value and AttackDesign.from_json(design.to_json()) == design
        assert design.replace(n=400).bound == (2 * value if "√" in str(text) or "n" in str(text) else value)


def test_large_problems_are_attacked_by_least_squares():
    design = AttackDesign(n=1001, queries=1001)
    assert design.who == "least-squares" and "least squares" in design.line and AttackDesign(n=1000).who == "interior"
    assert attack(design.replace(n=1001, queries=50)).find_others() == {}


def test_runs_are_kept_and_told_one_by_one():
    design = AttackDesign(n=25, queries=100)
    kept, told = {}, []
    found = curves(setting(design), kept, told=told.append, design=design)
    assert found.done == found.planned == len(told) == len(kept) and [each.done for each in told] == list(
        range(1, found.done + 1)
    )
    x, mean, low, high = found.line("interior")
    assert x.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0] and (low <= mean).all() and (mean <= high).all() and mean[0] == 100
    before = dict(kept)
    assert curves(setting(design), kept).shares == found.shares and kept == before
    again = curves(setting(design.replace(size="0.75 sqrt n")), kept, places=plan(setting(design), 1, rivals=False))
    assert again.shares["private"] == {at: runs[:1] for at, runs in found.shares["private"].items()}
    noisy = setting(design.replace(error="laplace"))
    assert {name for name, _, _ in plan(noisy)} == {"interior"}, "the page has no second attack with noise"
    assert curves(noisy, {}, places=iter([("interior", 1000.0, 0), ("interior", 0.1, 0)])).line("interior")[1].tolist()[1] > 90


def test_the_secret_and_the_questions_have_their_own_seeds():
    for column in ("", "example:survey_1996.csv#vote"):
        design = AttackDesign(n=30, queries=60, column=column, seed=5)
        assert design.secret_seed == 5 and "secret_seed" in design.to_json()
        older = {key: value for key, value in design.to_json().items() if key != "secret_seed"}
        assert AttackDesign.from_json(older) == design
        again, other = design.replace(seed=6), design.replace(secret_seed=6)
        now, asked, secret = (problem_of(each) for each in (design, again, other))
        assert (now.secret == asked.secret).all() and (now.rows == asked.rows).all()
        assert (now.questions.dense != asked.questions.dense).any() and (now.questions.dense == secret.questions.dense).all()
        assert (now.secret != secret.secret).any()
        assert design.asked_privately not in (again.asked_privately, other.asked_privately)


def test_the_next_seed_uses_the_runs_that_it_shares():
    design, kept = AttackDesign(n=25, queries=100), {}
    curves(setting(design), kept)
    many, found = len(kept), curves(setting(design.replace(seed=8)), kept)
    assert len(kept) - many == (found.planned + 14) // 3, "a third, and all of the seven that are made once"
    assert found.shares == curves(setting(design.replace(seed=8)), {}).shares


def test_large_problems_have_fewer_runs():
    large = setting(AttackDesign(n=2000, queries=8000))
    small = list(plan(setting(AttackDesign(n=25, queries=100))))
    assert {(name, run) for name, _, run in small if name == "vertex"} == {("vertex", 0)}, "the simplex takes ten times as long"
    assert {run for _, _, run in plan(large)} == {0} and not any(name == "vertex" for name, _, _ in plan(large))
    assert list(plan(setting(AttackDesign(n=20000, queries=80000)))) == []


def test_what_is_found_on_the_way_is_told():
    told = []
    design = AttackDesign(n=60, queries=240)
    found = attack(design, told=told.append)
    assert len(told) > 4 and all(each.design is design for each in told) and (told[-1].guess == found.guess).all()
    beside = attack(design.replace(size=3)).find_private()
    assert design.replace(size=3).asked_privately == design.asked_privately != design.replace(epsilon=2).asked_privately
    assert (beside.values == found.find_private().values).all(), "it does not rest on the error"
    assert set(attack(design).find_others()) == {"least-squares", "vertex"}
    assert pickle.loads(pickle.dumps(found)).design == design


PAIR = "answer,error,rows\n2,0,1 2 3\n1,0,2 3\n"


def test_published_answers_tell_what_is_certain(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(PAIR, "utf-8")
    found = dp.solve(AttackDesign(answers=path))
    assert found.ranges.certain.tolist() == [1, -1, -1] and next(iter(found.findings)) == "certain"
    assert found.findings["certain"].value == 1 and found.wrong is None
    assert found.badge == ("✗ not private as published", "refuted") and found.findings["epsilon"].value == math.inf
    assert found.findings["epsilon"].note.startswith("if the error bounds always hold: ")
    assert found.findings["epsilon"].state == "open" and found.findings["open"].value == 2
    path.write_text("answer,error,rows\n1,0,1 2\n", "utf-8")
    none = dp.solve(AttackDesign(answers=path))
    assert none.badge == ("privacy unknown", "open") and none.findings["epsilon"].value is None
    assert none.findings["epsilon"].note == "unknown: an error bound alone gives no ε" and none.findings["certain"].value == 0
    path.write_text("answer,error,rows\n1,0,1\n", "utf-8")
    one = dp.solve(AttackDesign(answers=path))
    assert one.sentence.startswith(
        "If the published count is exact, the values of 1 of 1 people follow. One answer exposes everybody it counts."
    )
    path.write_text(PAIR, "utf-8")
    step = "Publish noisy counts instead: with total ε = 1 they are wrong by ≈ 1.92, and no value is certain."
    assert (
        found.sentence
        == "If the 2 published counts are exact, the values of 1 of 3 people follow. They follow only by combining answers. "
        + step
    )
    assert [str(certain_of(found, place)) for place in (0, 1)] == ["row 1: 1, certain: answers 1, 2", "row 2: 0 or 1"]
    unfinished = replace(found, ranges=replace(found.ranges, both=np.zeros(3, dtype=bool)))
    words = "the values of at least 1 of 3 people follow. They follow only by combining answers. "
    words += f"Still undecided after 1 s: 2. {step}"
    assert unfinished.sentence == f"If the 2 published counts are exact, {words}" and unfinished.findings["undecided"].value == 2
    assert str(certain_of(unfinished, 1)) == "row 2: still undecided" and found.findings["undecided"].value == 0
    unproved = replace(found, ranges=replace(found.ranges, fitting=False))
    assert unproved.findings["certain"].state == "open" and str(certain_of(unproved, 0)).startswith(
        "row 1: 1, if the answers are right"
    )
    assert not any(
        word in str(text) for text in (beside(found), recovered(found, found.reconstruction)) for word in ("certain", "sure")
    )
    known = dp.solve(AttackDesign(answers=str(path), column=[1, 0, 1]))
    assert known.wrong == 1 / 3 and known.findings["wrong"].value == 1 / 3
    with pytest.raises(dp.InputError, match="has 2 rows, but the answers count 3 people"):
        dp.solve(AttackDesign(answers=path, column=[1, 0]))


def test_answers_that_only_fractions_fit_are_refused(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("answer,error,rows\n1,0,1 2\n1,0,2 3\n1,0,1 3\n", "utf-8")
    with pytest.raises(dp.InputError, match="these 3 answers contradict each other; no column of 0 and 1") as refused:
        dp.solve(AttackDesign(answers=path))
    assert refused.value.field == "answers"
    path.write_text("answer,error,rows\n1,0,1 2\n1,0,2 3\n2,0,1 3 4\n", "utf-8")
    found = dp.solve(AttackDesign(answers=path))
    assert "the values of 4 of 4 people follow. They follow only by combining answers." in found.sentence
    assert found.ranges.certain.tolist() == [1, 0, 1, 0] and found.findings["certain"].state == "measured"


def test_an_audit_says_which_answers_reveal_a_person_alone_and_its_condition(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("answer,error,rows\n0,0,1 2\n3,0,3 4 5\n1,0,3\n2,1,6 7 8\n1,0,6 7\n2,0,6 7 8\n", "utf-8")
    found = dp.solve(AttackDesign(answers=path))
    assert (
        "the values of 6 of 8 people follow. 3 answers expose everybody they count; one more value follows by combining answers."
        in found.sentence
    )
    assert found.sentence.startswith("If each answer is within its stated error, ")
    told = [str(certain_of(found, place)) for place in (0, 2, 3, 7)]
    assert told[:2] == ["row 1: 0, certain: answer 1 counts 0 of 2", "row 3: 1, certain: answer 3 counts 1 of 1"]
    assert told[2:] == ["row 4: 1, certain: answer 2 counts 3 of 3", "row 8: 1, certain: answers 5, 6"]
    assert (found.ranges.alone, found.ranges.rest.certain.tolist()) == ((0, 1, 2), [-1, -1, -1, -1, -1, -1, -1, 1])
    assert (
        str(leaving_out(found)) == "Leave out the 3 exposing answers\n(1 value stays certain)"
        and found.findings["certain-rest"].value == 1
    )
    assert leaving_out(replace(found, ranges=replace(found.ranges, fitting=False))) == "", (
        "not while the page says something else"
    )
    part = dp.solve(found.design.replace(left_out="3 1 2"))
    assert str(certain_of(part, 7)) == "row 8: 1, certain: answers 5, 6", "numbered as in the file"
    assert str(leaving_out(part)) == "Put all back"
    posed = found.problem
    for person, reason in found.ranges.reasons.items():  # the other answers are not needed
        chosen = list(reason)
        part = ranges(Questions.of(posed.questions.dense[chosen] > 0), posed.answers[chosen], posed.bound[chosen])
        assert part.certain[person] == found.ranges.certain[person]
    searching = replace(found, ranges=None)
    assert searching.badge == ("not known yet", "open"), "not before nothing is known to be certain"


def test_own_answers_name_the_design_keep_a_secret_that_fits_and_show_nobodys_value(tmp_path):
    path, design = tmp_path / "wards.csv", AttackDesign(column="10110", tell="values", queries=9)
    path.write_text(PAIR, "utf-8")
    found = answering(str(path), design)
    assert (found.name, found.column, found.tell, found.n) == ("wards", "10110", "numbers", 5) and dp.solve(found).problem.n == 3
    assert (
        answering(str(path), design.replace(column="11110")).column
        == ""
        == answering(str(path), design.replace(column="10")).column
    )
    (other := tmp_path / "streets.csv").write_text(PAIR, "utf-8")
    assert answering(str(other), found).name == "streets", "the next file names it anew"
    assert asked_again(None, design) is design, "there is nothing to leave"
    back = asked_again(design, found.replace(tell="values"))
    assert (back.name, back.column, back.tell, back.answers) == ("", "10110", "numbers", "")
    assert asked_again(None, answering(str(path), design.replace(name="Audit"))).name == "Audit"


def test_an_answer_that_is_published_is_about_framed_people(tmp_path):
    (path := tmp_path / "answers.csv").write_text(PAIR, "utf-8")
    found = dp.solve(AttackDesign(answers=path))
    long, short, _ = question_texts(found, 1)[0]
    assert (str(long), str(short)) == ("How many of the 2 framed people have a 1?", "How many of the 2 framed have a 1?")
    assert str(question_texts(found, 0)[0][0]) == "How many of all 3 people have a 1?", "nobody is framed"


def test_a_column_that_does_not_fit_the_answers_is_refused_and_a_title_of_ones_own_stays(tmp_path):
    (path := tmp_path / "answers.csv").write_text(PAIR, "utf-8")
    (people := tmp_path / "people.csv").write_text("ill,well\n1,0\n1,0\n0,1\n", "utf-8")
    audit = AttackDesign(answers=path, name="Wards")
    with pytest.raises(dp.InputError, match=r"^this column does not fit answer 1: truth 1, published 2\. It is kept") as refused:
        audit.with_column(f"{people}#well")
    assert refused.value.field == "column"
    taken = audit.with_column(f"{people}#ill")
    assert (taken.name, taken.column) == ("Wards", f"{people}#ill")
    names = {"": "ill", "well": "ill", "Votes": "Votes"}
    (long := tmp_path / "long.csv").write_text("answer,error,rows\n1,0,1 200\n", "utf-8")
    with pytest.raises(dp.InputError, match=r"has 3 rows, but the answers count 200 people\. It is kept for the next"):
        AttackDesign(answers=long).with_column(f"{people}#ill")
    for before, after in names.items():
        assert AttackDesign(name=before, column=f"{people}#well", n=3).with_column(f"{people}#ill").name == after
    example = AttackDesign(name="Who voted how", column="example:survey_1996.csv#vote", n=9)
    assert example.with_column(f"{people}#ill").name == "ill"


def test_noise_instead_is_compared_with_the_answers_and_exposing_answers_name_rows(tmp_path):
    (path := tmp_path / "answers.csv").write_text("answer,error,rows\n0,0,1 2\n3,0,3 4 5\n1,0,3\n", "utf-8")
    found = dp.solve(AttackDesign(answers=path, epsilon=2))
    alone = {0: "1: rows 1, 2", 1: "2: rows 3, 4, 5", 2: "3: row 3"}
    assert exposing(found) == alone
    off = figure(1 / math.sinh(2 / 2), 3)  # row 3 is in two answers
    assert (
        str(noise_instead(found))
        == f"Wrong by ≈ {off}: larger than 1 of your 3 counts (0 to 3). Each person is in at most 2 of the 3 counts."
    )
    assert f"with total ε = 2 they are wrong by ≈ {off}" in found.sentence
    little = dp.solve(found.design.replace(epsilon=20)).sentence
    assert little.endswith("Noise with total ε = 20 is too little: most counts stay exact.") and "Publish noisy" not in little
    left = dp.solve(found.design.replace(left_out="1 2 3"))
    assert left.sentence.startswith("Without 3 of the 3 answers, the values of 0 of 5 people still follow. A gap can itself show")
    assert left.findings["certain"].value == 0 and left.unsure.all() and exposing(left) == alone
    assert str(noise_instead(left)) == "", "nothing is published"
    some = attack(found.design.replace(left_out="2"), known=found)
    assert some.ranges is None and some.badge == ("not known yet", "open"), "not searched yet"
    some = some.completed(ranges=some.find_ranges())
    assert str(some.design.line) == "answers in answers.csv, 1 left out" and some.checks == ("✓ fits all 2 answers exactly",)
    assert (some.findings["t"].value, some.ranges.alone, some.ranges.rest.out) == (2, (0, 2), (0, 1, 2))
    assert attack(left.design, known=some).ranges is some.ranges.rest, "people are not searched again"
    for wrong in ("0", "x", "-1"):
        with pytest.raises(dp.InputError, match="left_out must be numbers of answers, like '9 37', got"):
            found.design.replace(left_out=wrong)
    with pytest.raises(dp.InputError, match="left_out must be at most 3, got 4"):
        dp.solve(found.design.replace(left_out="4"))
    assert some.sentence.startswith("Without 1 of the 3 answers, the values of 3 of 5 people still follow.")
    assert (
        str(noise_instead(some))
        == "Wrong by ≈ 0.276: larger than 1 of your 2 counts (0 to 1). Each person is in at most 1 of the 2 counts."
    ), "a row is in one answer only"


def test_an_audit_without_an_answer_is_that_of_a_file_without_it(tmp_path):
    lines = ["3,0,1 2 3 4 5", "2,0,1 2 3", "1,0,2 3", "2,1,3 4 5", "0,0,6 7"]
    (path := tmp_path / "answers.csv").write_text("\n".join(["answer,error,rows", *lines]), "utf-8")
    (less := tmp_path / "less.csv").write_text("\n".join(["answer,error,rows", *lines[:2], *lines[3:]]), "utf-8")
    both = AttackDesign(answers=path, left_out="3", column="1100100"), AttackDesign(answers=less, column="1100100")
    some, other = map(dp.solve, both)
    assert some.sentence.split(". ", 1)[0] != other.sentence and some.ranges.certain.tolist() == other.ranges.certain.tolist()
    assert (some.values == other.values).all() and some.checks == other.checks and some.wrong == other.wrong
    assert str(because(some)) == str(because(other)) == "One answer exposes everybody it counts"
    assert some.findings["certain"].value == 2
    whole = dp.solve(both[0].replace(left_out="", tell="values"))
    assert people_table(whole).header[-1] == "answers" and people_table(whole).rows[0][-1] == "2, 3"
    assert str(in_short(whole)) == "Within their errors, 3 of 7 values are certain. Noise with total ε = 1: wrong by ≈ 3.96."
    assert "Wrong by ≈ 0; " in str(noise_instead(dp.solve(whole.design.replace(epsilon=1000))))
    told = exposing(whole)
    assert [*map(str, told.values())] == ["5: rows 6, 7", "2, with others: row 1", "3, with others: row 1", "1", "4"]
    assert [*map(str, exposing(some).values())] == ["5: rows 6, 7", "3", "1", "2", "4"], "what is left out stays above"
    assert dp.AttackDesign.from_json(both[0].to_json()) == both[0] and "left_out" not in both[1].to_json()


def test_random_questions_after_an_audit_are_about_the_people_of_its_column(tmp_path):
    (path := tmp_path / "answers.csv").write_text(PAIR, "utf-8")
    (people := tmp_path / "people.csv").write_text("ill\n1\n1\n0\n", "utf-8")
    audit = AttackDesign(n=200, answers=path, column=f"{people}#ill", left_out="1")
    back = asked_again(None, audit)
    assert (back.n, back.column, back.left_out) == (3, audit.column, "") and dp.solve(back).problem.n == 3


PEOPLE = "name,region,ill\nAnn,North,1\nBob,South,0\nCem,South,0\nDia,North,0\n"


def test_answers_by_group_are_about_the_people_of_the_column_and_have_their_names(tmp_path):
    path, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    path.write_text("answer,error,region\n1,0,North\n0,0,South\n1,0,all\n", "utf-8")
    people.write_text(PEOPLE, "utf-8")
    found = dp.solve(answering(str(path), AttackDesign(column=f"{people}#ill")))
    assert found.problem.n == 4 and "the values of 2 of 4 people follow" in found.sentence
    assert [*exposing(found).values()] == ["South: Bob, Cem", "North", "everybody"]
    assert str(certain_of(found, 1)) == "Bob: 0, certain: “South” counts 0 of 2"
    assert str(question_texts(found, 0)[1][0]) == "North: truth 1, published 1"
    assert people_table(replace(found, design=found.design.replace(tell="values"))).rows[1][:2] == ("Bob", "0")
    with pytest.raises(dp.InputError, match=r"for groups, choose the column of these people first\. The page still"):
        answering(str(path), AttackDesign(n=4))
    path.write_text("answer,error,region\n2,0,North\n", "utf-8")
    with pytest.raises(
        dp.InputError, match=r"does not fit “North”: truth 1, published 2\. If these are other people, choose their column"
    ):
        answering(str(path), AttackDesign(column=f"{people}#ill"))
    path.write_text("cell,answer,error,rows\nno,3,0,1 2\n", "utf-8")
    with pytest.raises(dp.InputError, match="this answer is impossible: “no” says 3 of 2 people"):
        dp.solve(AttackDesign(answers=path))


def test_a_column_chosen_before_its_answers_is_taken_with_them(tmp_path):
    path, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    path.write_text("answer,error,rows\n1,0,1 2\n", "utf-8")
    people.write_text(PEOPLE, "utf-8")
    shown = AttackDesign(answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    with pytest.raises(dp.InputError, match=r"this column has 4 rows, but the answers count 200 people\. It is kept"):
        shown.with_column(f"{people}#ill")
    shown = shown.replace(name="An audit of published tables")
    taken = answering(str(path), shown, chosen=f"{people}#ill")
    assert (taken.column, taken.name) == (f"{people}#ill", "answers"), "nor does the title of an example stay"
    voted = AttackDesign(column="example:survey_1996.csv#vote", name="Who voted how")
    assert answering(str(path), voted, chosen=f"{people}#ill").name == "answers" and asked_again(None, shown).name == ""
    assert shown.with_column(f"{people}#ill", str(path)) == taken, "answers that were refused before it"
    path.write_text("answer,error,rows\n2,0,1 3\n", "utf-8")
    assert answering(str(path), shown, chosen=f"{people}#ill").column == "", "it contradicts them"
    with pytest.raises(dp.InputError, match="the answers count 200 people"):
        shown.with_column(f"{people}#ill", str(path))
    path.write_text("answer,error,region\n1,0,North\n", "utf-8")
    with pytest.raises(
        dp.InputError, match=r"^survey_1996\.csv has no column region for answers\.csv: choose the column of these"
    ):
        answering(str(path), shown)


def test_a_question_states_its_people_in_every_length():
    found = replace(run(AttackDesign(column="0110", queries=30)), one="sick_leave = yes")
    size = int(found.problem.questions.members(1).sum())
    assert all(f"How many of {size}" in str(text) for text in question_texts(found, 1)[0])


def test_clashing_answers_are_named(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(PAIR + "3,0.25,1 2\n", "utf-8")
    with pytest.raises(dp.InputError, match=r"^this answer is impossible: answer 3 says 2.75 to 3.25 of 2 people\.$"):
        dp.solve(AttackDesign(answers=path))
    path.write_text(PAIR + "0,0,1\n", "utf-8")
    words = (
        "these 3 answers contradict each other; no column of 0 and 1 fits them all: answer 1 says 2 of 3 people; answer 2 says 1 "
        "of 2 people;"
    )
    with pytest.raises(dp.InputError, match=words) as refused:
        dp.solve(AttackDesign(answers=path))
    assert refused.value.field == "answers"


def test_the_audit_of_published_tables_is_right_about_everybody_of_whom_it_is_certain():
    found = dp.solve(dp.read(resources.path("examples", "published-tables.dpd"))[0])
    certain = found.ranges.certain
    assert len(found.ranges.alone) == 22 and found.findings["certain-rest"].value == 39, "as the help says"
    assert found.findings["certain"].value == 39 == (certain >= 0).sum() and found.problem.questions.t == 81
    assert (certain[certain >= 0] == found.problem.secret[certain >= 0]).all()
    assert (found.ranges.least <= found.problem.secret).all() and (found.problem.secret <= found.ranges.largest).all()


def test_how_far_off_an_answer_may_be_is_rounded_up():
    assert "each within ±14.2 (0.5 √n)" in AttackDesign(n=800).line  # 14.142


def test_the_numbers_of_the_captions_come_out() -> None:
    project = read_project(path("examples", "who-voted-scenes.dpd"))
    found = [dp.solve(study) for study in project.studies]
    everything, one, hundred, rough = found
    near = dp.solve(everything.design.replace(size="5"))
    private = {epsilon: dp.solve(everything.design.replace(epsilon=epsilon)) for epsilon in (300, 1000)}
    people = [each.findings["people"].value for each in (hundred, everything, near, rough)]
    known = [private[epsilon].findings["private-people"].value for epsilon in (300, 1000)]
    members = int(one.problem.questions.members(0).sum())
    expected = [
        [400, 1996, 0, 1, 168, 1, 10],
        [members, 1, int(one.problem.truth[0]), float(brief(one.problem.answers[0])), 400],
        [100, people[0], 0, one.findings["unasked"].value, 1600, people[1]],
        [5, people[2], 40, people[3], rough.problem.truth[0], round(rough.problem.answers[0])],
        [1, everything.findings["private-people"].value, 300, known[0], 1000, 1600, 1600],
    ]
    told = [
        [float(number) for number in re.findall(r"\d+(?:\.\d+)?", scene.text.replace("\u202f", ""))] for scene in project.scenes
    ]
    assert known[1] == 400 == near.findings["people"].value, "everybody"
    assert told == [pytest.approx(row) for row in expected]
    assert int(one.problem.secret.sum()) == 168 and one.findings["unsure"].value == 400
    assert everything.findings["private-error"].number == pytest.approx(1600, abs=0.5)


def test_one_answer_is_told_as_one() -> None:
    (study,) = (each for each in read_project(path("examples", "who-voted-scenes.dpd")).studies if each.queries == 1)
    assert str(dp.solve(study).sentence).startswith(
        "From one answer, within 10 of the truth, the attack recovers no more than guessing (232 of 400 people)"
    )


def test_fewer_right_than_by_guessing_has_its_reason() -> None:
    answer = run(AttackDesign(n=40, queries=80, epsilon="1/10", column="1" * 30 + "0" * 10))
    figure, first, second = privately(answer, answer.private)
    assert int(figure.split()[0]) < 30 and first == "recovered; limit for any attack: 30"
    assert second == "answers wrong by ≈ 800: useless"
    assert "Expected error: 800." in private_noise(answer)
    clear = run(AttackDesign(n=40, queries=80, epsilon=1000, column="1" * 30 + "0" * 10))
    assert int(privately(clear, clear.private)[0].split()[0]) > 30
    assert (
        privately(clear, clear.private)[1] == "recovered; limit for any attack: 40"
        and "wrong by" in privately(clear, clear.private)[2]
    )


def test_the_progress_of_the_runs_is_the_share_of_them_that_is_done() -> None:
    told: list[tuple[float, str]] = []
    known = attack(AttackDesign(n=30, queries=60, seed=99))
    known.find_curves(lambda share, text="": told.append((share, text)))
    assert told[0][0] == 0 and [share for share, _ in told] == sorted(share for share, _ in told) and told[-1][0] < 1
    assert all(re.fullmatch(r"\d+ of \d+ runs", text) for _, text in told) and len(told) > len(set(told))


def test_only_up_to_five_is_a_proof_of_epsilon_green():
    assert badge(dp.AttackDesign(n=50, epsilon=5)) == ("✓ ε proved", "proved")
    assert badge(dp.AttackDesign(n=50, epsilon=120)) == ("hardly any privacy", "open")


def test_the_axis_of_the_error_leaves_room_for_names_and_cuts_no_curve() -> None:
    answer = run(AttackDesign(n=40, queries=80))
    x, (high, low) = np.array([0.5, 1.0, 2.0]), (np.array([1.0, 0.9, 0.8]), np.array([1.0, 0.7, 0.45]))
    for shares, least in ((high, 50.0), (low, 40.0), (low - 0.2, 20.0)):
        runs = Curves({"interior": {float(at): (float(share),) for at, share in zip(x, shares, strict=True)}})
        plot = curve("error", answer.completed(curves=runs))
        assert plot.y.limits == (least, 104.0)
        assert plot.lines[0].x == pytest.approx(x * np.sqrt(40))
        assert plot.handles[0].place == pytest.approx(0.5 * np.sqrt(40)) and plot.handles[0].label == "±3.17"  # rounded up


def test_the_curve_starts_at_exact_answers_and_says_of_how_many_runs_it_is_the_mean() -> None:
    answer = run(AttackDesign(n=20, queries=80, size="0"))
    assert str(how_close(answer)) == "guessing all 1: 11"
    answer = answer.completed(curves=answer.find_curves())
    line = curve("error", answer).lines[0]
    assert (line.x[0], line.y[0]) == (0.0, 100.0) and curve("error", answer).title == "More accurate answers reveal more"
    rounded = curve("error", answer.completed(design=answer.design.replace(error="rounded")))
    assert rounded.title == "Some coarse grids reveal more" and len(rounded.lines[0].x) > 0
    assert str(curve("privacy", answer).lines[0].name) == "this attack, mean of 3 runs"


@pytest.mark.parametrize(("kind", "expected"), [("laplace", 16.0), ("geometric", 15.98959), ("staircase", 15.9974)])
def test_the_error_of_noise_is_the_expected_one_of_any_seed(kind: str, expected: float) -> None:
    one, other = (run(AttackDesign(n=20, queries=80, error=kind, epsilon=5, seed=seed)) for seed in (1, 2))
    assert one.findings["error"].value == other.findings["error"].value == pytest.approx(expected, abs=1e-4)
    assert str(one.findings["error"].label) == "expected error of an answer" and str(how_close(one)) == (
        "answers wrong by ≈ 16: useless"
    )
    assert str(fewer(one)) == "Ask only 20: wrong by ≈ 3.96"


@pytest.mark.parametrize("epsilon", ["1", "1.07"])
def test_the_limit_has_the_same_digits_in_the_chart(epsilon: str) -> None:
    answer = run(AttackDesign(n=50, queries=80, error="laplace", epsilon=epsilon))
    read = curve("privacy", answer).read(float(epsilon))
    assert f"limit for any attack (if people are independent): {format_finding(answer.findings['limit'])}" in map(str, read)


def test_the_axis_reaches_down_to_the_dot_of_a_bad_run() -> None:
    answer = run(AttackDesign(n=20, queries=80))
    wrong = replace(answer.private, values=1.0 - answer.problem.secret)
    plot = next(each for each in answer.completed(private=wrong, curves=Curves()).panels_in({}) if each.key == "privacy")
    assert plot.handles[0].height == plot.y.limits[0] == 0.0


def test_noise_for_published_answers_has_the_error_that_the_audit_names():
    found = attack(AttackDesign(answers="example:published_counts.csv", epsilon="1/2"))
    given = noise_inputs(found)
    most = int(found.problem.questions.dense.sum(axis=0).max())
    assert given["epsilon"] == str(Fraction(1, 2 * most)) and f"in at most {most} of the 81 answers" in given["basis"]
    noise = dp.solve(dp.NoiseDesign(**given))
    assert noise.cost == pytest.approx(found.problem.noise_error(0.5), rel=1e-9)
    assert "total ε of 1/2" in noise.design.basis and noise.design.sensitivity == 1


def test_what_is_known_of_the_same_answers_is_not_computed_again(monkeypatch, tmp_path):
    (answers := tmp_path / "answers.csv").write_text("answer,error,rows\n1,0,1 2\n2,0,3 4\n1,0,2 5 6\n", "utf-8")
    first = attack(AttackDesign(answers=answers))
    first = first.completed(ranges=first.find_ranges())
    part = attack(first.design.replace(left_out="1"), known=first)
    assert part.ranges is None, "another set of answers is searched"
    part = part.completed(ranges=part.find_ranges())

    def again(*given, **named):
        raise AssertionError

    for name in ("ranges", "whole_column"):
        monkeypatch.setattr(attacking, name, again)
    back = attack(part.design.replace(left_out=""), known=part)
    assert back.ranges is first.ranges and back.reconstruction is first.reconstruction
    assert attack(part.design, known=back).ranges is part.ranges
    short = replace(first.ranges, both=np.zeros(6, dtype=bool), allowed=1.0)
    first.problem.known["ranges", ()] = short
    assert not short.complete and first.find_ranges(seconds=1.0) is short
    with pytest.raises(AssertionError):  # a longer search begins again
        first.find_ranges(seconds=6.0)
