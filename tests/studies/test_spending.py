"""What designs of each kind spend, and the account of a document."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.errors import InputError
from dpdesigner.files.project import Project, dumps_project, loads_project, read_project, write_project
from dpdesigner.studies.spending import RECORD, Account, Record, so_far

TENTH = dp.HistogramDesign("0, 18", epsilon="0.1")


@pytest.mark.parametrize(
    ("design", "epsilon"),
    [
        (dp.CountDesign(5, alpha="1/2"), math.log(2)),
        (dp.NoiseDesign("real", epsilon=2, delta="1e-6"), 2),
        (TENTH, 0.1),
        (TENTH.replace(listed="data"), math.inf),
        (dp.ChoiceDesign([1, 2], epsilon=1), 1),
        (dp.ChoiceDesign([1, 2], epsilon=1, rule="exponential-cacm"), 2),
        (dp.ChoiceDesign([1, 2], epsilon=1, neighbours="joins", rule="exponential-cacm"), 1),
        (dp.ChoiceDesign(path="example:survey_1996.csv", column="vote", epsilon=1), math.inf),
        (dp.AuctionDesign([1, 2], cap=2, epsilon=1), 1),
        (dp.AuctionDesign(demand=[[(1, 1)]], cap=2, epsilon=1), 2),
        (dp.IntervalDesign([1, 2], epsilon="0.3"), 0.3),
        (dp.IntervalDesign([1, 2], epsilon="0.3", real_errors="published"), math.inf),
        (dp.AudienceDesign.starting(), math.log(2)),
    ],
)
def test_what_a_design_spends(design: Any, epsilon: float) -> None:
    found = dp.total_epsilon([design])
    assert (found == epsilon == math.inf) or 0 <= found - epsilon < 1e-15
    answer = dp.solve(design)
    if epsilon < math.inf and "epsilon" in answer.findings and design.kind not in ("synthetic", "audience"):
        assert found >= float(answer.findings["epsilon"].value) - 1e-9  # never less than what its answer says


def test_printed_rules_spend_what_they_really_have() -> None:
    for rule in ("exponential-cacm", "exponential-notes", "exponential-blr"):
        for neighbours in ("any", "joins"):
            design = dp.ChoiceDesign([1, 2, 5], epsilon="0.7", sensitivity=2, neighbours=neighbours, rule=rule)
            assert dp.total_epsilon([design]) >= dp.solve(design).rule.epsilon * (1 - 1e-12)


def test_totals_of_scripts() -> None:
    assert dp.total_epsilon([TENTH] * 10) == 1 and dp.total_epsilon([dp.solve(TENTH), TENTH]) == 0.2
    assert dp.total_epsilon([TENTH] * 10, delta="1e-3") < 1
    delta = dp.CountDesign(5, epsilon=1, delta="1e-6")
    assert dp.total_epsilon([delta, delta]) == 2
    for wrong, words in (
        ([1], "only designs have a total, got 1 at position 1"),
        ([TENTH, dp.SizesDesign(64, epsilon=1)], "the sizes design at position 2 releases nothing"),
        ([TENTH, dp.AttackDesign(n=9)], "the attack design at position 2 releases nothing"),
    ):
        with pytest.raises(InputError, match=words):
            dp.total_epsilon(wrong)
    with pytest.raises(InputError, match="delta must be at least 2e-06"):
        dp.total_epsilon([delta, delta], delta="1e-6")


def test_an_account_says_its_total_and_whether_it_is_exceeded() -> None:
    account = Account((0, 1), "0.2")
    found = account.total([TENTH, TENTH])
    assert not account.exceeded(found) and account.short(found) == "total ε 0.2 of 0.2"
    account = replace(account, times=(1, 2))
    over = account.total([TENTH, TENTH])
    assert account.exceeded(over) and account.short(over) == "total ε 0.3, above 0.2"
    assert account.sentences(over) == (
        "3 releases concern the same people. They have ε = 0.3 together.",
        "This is the sum of their levels (basic composition).",
        "This exceeds the stated total of ε = 0.2.",
    )
    mixed = Account((0, 1), None).total([TENTH, dp.IntervalDesign([1], epsilon="0.1")])
    assert mixed.epsilon == 0.3 or math.nextafter(0.3, 1) == mixed.epsilon
    assert "count twice" in Account((0, 1)).sentences(mixed)[-1]
    monthly = Account((0,), None, "1e-3", (12,))
    exactly = monthly.total([TENTH])
    assert exactly.epsilon == dp.total_epsilon([TENTH] * 12, delta="1e-3") and exactly.delta == Fraction(1, 1000)
    assert "composed exactly" in " ".join(monthly.sentences(exactly))
    for each in ("1e-6", "0.0001"):  # their own deltas count as often
        weekly = Account((0,), None, 0, (52,)).total([dp.CountDesign(5, epsilon=1, delta=each)])
        assert weekly.delta == 52 * Fraction(each) and weekly.epsilon == 52
    assert Account((0,)).total([dp.SizesDesign(64, epsilon=1)]).releases == 0


def test_a_project_keeps_its_account() -> None:
    project = Project((TENTH, dp.CountDesign(5, alpha="1/2"), TENTH), same_people=Account((0, 2), "1/3", "1e-6", (1, 52)))
    text = dumps_project(project)
    assert '"same_people"' in text and loads_project(text) == project
    assert "same_people" not in dumps_project(Project((TENTH,)))
    for account, words in (
        ('{"designs": [3]}', r"must list designs by their positions from 0 to 2, got \[3\]"),
        ('{"designs": [0, 0]}', "must list every design once"),
        ('{"designs": [0], "epsilon": -1}', "epsilon must be between 0"),
        ('{"designs": [0], "delta": 1}', "δ must be at least 0 and below 1"),
        ('{"designs": [0], "times": 2}', "times must be a list with a number for each design, got 2"),
        ('{"designs": [0], "times": [2, 1]}', "there must be as many times as designs, got 2 for 1"),
        ('{"designs": [0], "times": [0]}', "times must be a whole number between 1 and 1000, got 0"),
        ('{"epsilon": 1}', "designs is missing"),
        ("[0]", "must be a JSON object"),
    ):
        start = text.index('"same_people":')
        with pytest.raises(InputError, match=words):
            loads_project(text[:start] + f'"same_people": {account}}}')


def test_releases_are_remembered_by_their_file() -> None:
    record = Record()
    ages = TENTH.replace(path="/home/me/people.csv", column="age")
    record.add(ages, ages.release_loss)
    other = ages.replace(path=r"C:\data\people.csv", name="Copy", epsilon="0.3", column="pay", listed="data")
    record.add(other, other.release_loss)
    votes = dp.ChoiceDesign(path="people.csv", column="vote", categories=["a", "b"], epsilon=1, neighbours="changes")
    assert so_far(record.of(ages)) == "2 releases of these rows have ε = 0.4 together." == so_far(record.of(votes))
    record.add(votes, votes.release_loss)
    assert so_far(record.of(other)) == "3 releases of these rows have ε = 1.8 together.", "people who join or leave count twice"
    for public in (
        ages.replace(path="example:doctor_visits.csv"),
        dp.ChoiceDesign([1, 2], epsilon=1),
        dp.CountDesign(5, epsilon=1),
    ):
        record.add(public, public.release_loss)
        assert not record.is_kept(public)
    assert len(record.kept) == 3 and so_far(record.of(ages.replace(path="others.csv"))) == ""
    assert all("/" not in each.data and "me" not in each.to_json().values() for each in record.kept)


def test_a_release_that_is_saved_with_its_error_stays_without_privacy() -> None:
    record, rows = Record(), dp.IntervalDesign({"path": "people.csv", "column": "age"}, epsilon="0.3")
    for _ in range(2):
        record.add(rows, rows.release_loss, "first")
    assert [each.level.epsilon for each in record.of(rows)] == [0.3]
    published = rows.replace(real_errors="published")
    record.add(published, published.spent, "first")
    record.add(rows, rows.release_loss, "first")
    assert so_far(record.of(rows)) == "1 release of these rows has ε = ∞."
    kept = record.kept
    record.take(())
    record.add(rows, rows.release_loss, "first")
    assert record.kept == kept, "shown again, it is the same release in another project"


AGES = dp.HistogramDesign("0, 1, 2", path="/home/me/people.csv", column="age", epsilon="1/2", name="Ages")


def made(design: dp.HistogramDesign = AGES) -> Project:
    """A project that has released 1, −2 and 3 of the counts 4173, 2689 and 6257."""
    record, released = Record(), design.remade([1, -2, 3])
    truth = replace(released.release, truth=np.array([4173, 2689, 6257]))
    record.add(design, design.release_loss, made=replace(released, release=truth))
    return Project((design,), releases=record.kept)


def test_a_file_keeps_what_was_released_and_nothing_else_of_the_data() -> None:
    text = dumps_project(made())
    (given,) = json.loads(text)["releases"]
    assert given["released"] == [1, -2, 3] and given["design"]["cells"] == "0, 1, 2" and given["data"] == "people.csv"
    assert not {"path", "counts", "name"} & given["design"].keys() and "/home" not in json.dumps(given)
    assert not [secret for secret in ("4173", "2689", "6257") if secret in text]
    record, project = Record(), loads_project(text)
    record.take(project.releases, project.studies)
    (known,) = record.known("histogram")
    assert known.releases(AGES) and known.values == [1, -2, 3] and record.known("choice") == []
    assert dumps_project(Project(project.studies, releases=record.kept)) == text
    stored = AGES.replace(counts=(1, 2, 3))
    record.take(project.releases, (stored,))
    assert record.known("histogram")[0].releases(stored)
    record.take(project.releases, (AGES, AGES.replace(path="/elsewhere/people.csv")))
    assert not record.known("histogram")[0].counts_column(AGES), "of which of the two files it is not known"
    assert "released" not in dumps_project(made(AGES.replace(listed="data"))), "ε does not cover the cells"


def test_a_script_that_saves_keeps_the_releases(tmp_path: Path) -> None:
    write_project(first := tmp_path / "first.dpd", made())
    designs = dp.read(first)
    dp.save(designs, second := tmp_path / "second.dpd")
    dp.save([design.replace(name="other") for design in designs], second)
    assert read_project(second).releases == made().releases and dp.read(second)[0].name == "other"
    dp.save(designs, third := tmp_path / "third.txt")
    assert [each.made.values for each in read_project(third).releases] == [[1, -2, 3]]


def test_counts_in_a_design_find_their_release() -> None:
    own = dp.HistogramDesign("0, 1, 2", counts=(9, 9, 9), epsilon=1)
    project, record = loads_project(dumps_project(made(own))), Record()
    record.take(project.releases, project.studies)
    assert record.known("histogram")[0].releases(own) and "9" not in json.dumps(project.releases[0].to_json()["design"])
    record.take(project.releases, (own, own.replace(counts=(1, 1, 1))))
    assert not record.known("histogram")[0].releases(own)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"released": [1, 2]}, r"release 1: a release of this histogram must list 3 counts, got \[1, 2\]"),
        ({"released": [1, 2, 10**19]}, "a released count must be a whole number between"),
        ({"released": [1, 2, 0.5]}, "a released count must be a whole number between"),
        ({"released": [1, 2, float("nan")]}, "must contain finite numbers only, got NaN"),
        ({"released": [1, 2, "nan"]}, "a released count must be a whole number between"),
        ({"released": {"0": 1}}, "must list 3 counts"),
        ({"design": {"cells": "0, 1, 2", "neighbours": "add-remove", "epsilon": 1}}, "must have its privacy loss"),
        ({"design": {"cells": "2, 1"}}, "release 1: "),
        ({"design": []}, "must have its design and what was released, or neither"),
        ({"kind": "count"}, "must have its design and what was released, or neither"),
        ({"design": {"cells": "0, 1, 2", "neighbours": "add-remove", "epsilon": "1/2", "path": "a"}}, ""),
    ],
)
def test_a_release_that_nothing_can_have_made_is_refused(changed: dict[str, object], words: str) -> None:
    data = json.loads(dumps_project(made()))
    data["releases"][0].update(changed)
    if not words:  # a file's name is that of the release
        assert loads_project(json.dumps(data)).releases[0].made.design.path == "people.csv"
        return
    with pytest.raises(InputError, match=words):
        loads_project(json.dumps(data))


def test_the_total_of_the_same_people_has_what_was_released() -> None:
    ages = TENTH.replace(path="people.csv", column="age")
    RECORD.take(())
    account, every = Account((0, 1, 2)), (ages, ages.replace(name="Copy", epsilon="0.2"), dp.CountDesign(5, epsilon=1))
    assert account.total(every).epsilon == 1.3 and "Released once each" in account.sentences(account.total(every))[0]
    for _ in range(4):
        RECORD.add(ages, ages.release_loss)
    found = account.total(every)
    told = "5 releases concern the same people, 4 of them made already. They have ε = 1.4 together."
    assert account.sentences(found)[0] == told and found.made == 4
    assert replace(account, times=(7, 1, 1)).total(every).releases == 9, "4 made and 3 more"
    RECORD.take(())
