"""The attack told in five scenes: every number of the captions comes out."""

from __future__ import annotations

import re

import pytest

import dpdesigner as dp
from dpdesigner.core.basics.rounding import brief
from dpdesigner.files.project import read_project
from dpdesigner.resources import path


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
        "From one answer, within 10 of the truth, the attack recovers the values of 211 of "
    )
