"""Files of before version 3, in which histograms and choices were queries of a noise design: read as what they are today."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import dpdesigner
from dpdesigner import ChoiceDesign, CountDesign, HistogramDesign, NoiseDesign
from dpdesigner.errors import InputError
from dpdesigner.files.project.project import Project, dumps_project, loads_project, read_project
from dpdesigner.files.project.scene import Scene

DATA = Path(__file__).parents[1] / "data"
SIX = [[abs(r - q) for r in range(6)] for q in range(6)]
COSTS = (("0", "1", "2"), ("1/2", 0, 1), (2, "0.25", 0))
NOISE = {"kind": "noise", "query": "real", "epsilon": 1, "sensitivity": 1, "cost": "absolute"}


def test_every_query_of_a_real_old_file_is_a_design_of_its_kind() -> None:
    """Also those that held the inputs of the queries that they do not ask; scenes and reference stay where they were."""
    project = read_project(DATA / "version-2-queries.dpd")
    assert project.studies == (
        NoiseDesign("real", epsilon="1/2", sensitivity="3", cost="squared", dimension=2, name="Two sums"),
        NoiseDesign("integer", alpha="1/3", sensitivity=2, gamma="1/2", name="Count twice", weights=(1, "1/2")),
        HistogramDesign(
            "0, 18, 65",
            "replace",
            epsilon="ln 3",
            cost="squared",
            path="example:doctor_visits.csv",
            column="visits",
            name="Visits",
        ),
        ChoiceDesign(
            ((0, -1, -2), ("-1/2", 0, -1), (-2, "-1/4", 0)),
            neighbours="all",
            alpha="1/4",
            rule="staircase",
            gamma="1/3",
            sensitivity=2,
            name="Which of three",
        ),
        ChoiceDesign.from_json({"kind": "choice", "costs": SIX, "neighbours": "next", "epsilon": 1}),
        HistogramDesign(),
    )
    assert [(scene.design, scene.view["view"]) for scene in project.scenes] == [(2, "histogram"), (3, "costs"), (0, "plane")]
    assert project.reference == 3


def test_real_old_files_of_version_1_are_read() -> None:
    (kept,) = read_project(DATA / "version-1-histogram.dpd").studies
    assert isinstance(kept, HistogramDesign) and kept.neighbours == "replace" and kept.counts is not None
    (choice,) = read_project(DATA / "version-1-choice.dpd").studies
    assert isinstance(choice, ChoiceDesign) and choice.name == "A choice"


@pytest.mark.parametrize("name", ["version-1-histogram.dpd", "version-1-choice.dpd", "version-2-queries.dpd"])
def test_they_are_written_so_that_older_programs_refuse_them(name: str) -> None:
    project = read_project(DATA / name)
    text = dumps_project(project)
    data = json.loads(text)
    assert data["version"] == 3 and loads_project(text) == project and dumps_project(loads_project(text)) == text
    assert ("scenes" in data) is bool(project.scenes)
    for study in data["studies"]:
        assert not {"histogram", "table"} & study.keys() and study.get("query") not in ("histogram", "table")


@pytest.mark.parametrize("made", [HistogramDesign(epsilon=1), ChoiceDesign(epsilon=1)])
def test_version_3_is_only_where_a_kind_needs_it(made: Any) -> None:
    others = (CountDesign(5, alpha="1/2"), NoiseDesign(epsilon=1))
    assert json.loads(dumps_project(Project(others)))["version"] == 1
    assert json.loads(dumps_project(Project(others, (Scene(1),))))["version"] == 2
    project = Project((*others, made), (Scene(2),), 1)
    assert json.loads(dumps_project(project))["version"] == 3
    assert loads_project(dumps_project(project)) == project
    assert "scenes" not in json.loads(dumps_project(Project((made,))))


def old(**changes: Any) -> str:
    return json.dumps({"format": "dpdesigner", "version": 1, "studies": [{**NOISE, **changes}]})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"query": "median"}, "the query must be one of real, integer, got 'median'"),
        ({"query": ["table"]}, "the query must be one of"),
        ({"histogram": {"cells": "0..2", "data": [1]}}, "a histogram may have .* got 'data'"),
        ({"histogram": 3}, "a histogram must be a JSON object, got 3"),
        ({"table": {"cost": [[0, 1]]}}, "a table may have .* got 'cost'"),
        ({"histogram": {"counts": [1] * 11}}, "counts can be given for the query histogram only"),
        ({"query": "histogram", "histogram": {"cells": "0..2", "counts": [1]}}, "one count a cell, 3, got 1"),
        ({"query": "histogram", "histogram": {"neighbours": "both"}}, "neighbours must be"),
        ({"query": "histogram", "histogram": {"neighbours": ["both"]}}, "neighbours must be"),
        ({"query": "histogram", "sensitivity": 2}, "sensitivity of a histogram must be 1, got 2"),
        ({"query": "histogram", "histogram": {"neighbours": "replace"}}, "sensitivity of a histogram must be 2, got 1"),
        ({"query": "histogram", "dimension": 2}, "several dimensions are for real queries"),
        ({"query": "table", "delta": "1e-6"}, "delta is for a single real answer"),
        ({"query": "histogram", "gamma": 7}, "gamma must be optimal or between 0 and 1"),
        ({"query": "table", "table": {"costs": [[0, 1], [0]]}}, "rows, each of as many costs"),
        ({"colour": 1}, "a noise design may have .* got 'colour'"),
        ({"sensitivity": None}, "must have a value for sensitivity"),
        ({"query": "table", "epsilon": None}, "got null"),
    ],
)
def test_what_was_refused_still_is(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        loads_project(old(**changes), "old.dpd")
    assert str(caught.value).startswith("old.dpd, design 1: ") and str(caught.value).endswith(".")


@pytest.mark.parametrize("query", ["histogram", "table"])
def test_a_file_of_today_has_no_such_queries(query: str) -> None:
    text = json.dumps({"format": "dpdesigner", "version": 3, "studies": [{**NOISE, "query": query}]})
    with pytest.raises(InputError, match="the query must be one of real, integer"):
        loads_project(text)


def test_the_old_names_are_gone() -> None:
    for name in ("NoiseStudy", "HistogramQuery", "TableQuery"):
        assert not hasattr(dpdesigner, name)
    package = Path(dpdesigner.__file__).parent
    pattern = re.compile(r"\b(NoiseStudy|HistogramQuery|TableQuery|TableOutcome)\b")
    assert [path.name for path in package.rglob("*.py") if pattern.search(path.read_text("utf-8"))] == []
