"""A structure of halfspaces that was taken away answers as the one that was released; what is none is refused."""

import json

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.files.export import export_of


@pytest.fixture
def structure(tmp_path):
    found = export_of(dp.HalfspaceDesign.starting(rows=3000, seed=5))
    found.write(tmp_path, "planes", ["json"])
    return found.outcome, tmp_path / "planes-structure.json"


def test_it_answers_new_queries_without_the_points(structure):
    outcome, path = structure
    found, generator = dp.read_halfspaces(path), np.random.default_rng(1)
    for direction in generator.normal(size=(20, 5)):
        assert found.answer(direction) == outcome.answer(direction)
    assert found.rows == 3000 and not found.published and "epsilon = 1" in found.privacy
    with pytest.raises(dp.InputError, match="a direction must have 5 numbers"):
        found.answer([1, 2])
    assert "points" not in json.loads(path.read_text("utf-8"))


def test_a_rule_is_asked_in_words(tmp_path):
    (path := tmp_path / "people.csv").write_text("age,income\n" + "20,30000\n60,20000\n70,90000\n54,5\n" * 300, "utf-8")
    found = export_of(dp.HalfspaceDesign.starting().replace(points=f"file: {path}", ranges="18 to 90, 0 to 120000"))
    found.write(tmp_path, "it", ["json"])
    read = dp.read_halfspaces(tmp_path / "it-structure.json")
    assert read.answer("income > 30000 + 1667 × age - 60000") == pytest.approx(read.answer([-1667, 1]), abs=1e-4)
    for text, given in (("age > 54", [1, 0]), ("age ≤ 54", [-1, 0]), ("income ≤ 60 000", [0, -1])):
        assert read.answer(text) == read.answer(given) == found.outcome.answer(text) == found.outcome.answer(given)
    with pytest.warns(UserWarning, match="Counted as income ≤ 60.000: rows with exactly 60.000 are included"):
        assert read.answer("income < 60,000") == read.answer([0, -1])
    with pytest.raises(dp.InputError, match="the owner released only rules through the middle of the ranges"):
        read.answer("age > 50")


def test_a_structure_is_opened_as_a_design_that_asks_it(structure, tmp_path):
    outcome, path = structure
    (design,) = dp.read(path)
    found = dp.solve(design)
    assert (design.epsilon, design.directions, design.projections, design.spent) == ("1", 16, 40, None)
    for angle in (0.0, 33.0, 200.0):
        assert found.released.answer(found.across(angle)) == outcome.released.answer(outcome.across(angle))
    assert not {"truth", "worst-error"} & found.findings.keys() and found.badge[0] == "for study only"
    assert found.findings["noise"].value == outcome.noise
    files = export_of(design).write(tmp_path, "asked", ["csv", "json"])
    assert not any("structure" in file.path.name or "privacy" in file.path.name for file in files)
    with pytest.raises(dp.InputError, match="released already"):
        export_of(design).release(1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"counts": [[1, 2]]}', "must be the structure of halfspaces as export wrote it"),
        ('{"projections": [[[1', "is not valid JSON"),
        ('{"a": 1}', "is not a dpdesigner project"),
        ("[" * 10_000, "nested too deeply"),
    ],
)
def test_other_json_is_refused_in_one_sentence(tmp_path, text, told):
    (path := tmp_path / "it-structure.json").write_text(text, "utf-8")
    with pytest.raises(dp.InputError, match=told):
        dp.read(path)


@pytest.mark.parametrize("changes", [{"privacy": "very"}, {"ranges": [[1, 0]] * 5}, {"columns": "x" * 9999}])
def test_a_structure_that_no_design_can_ask_is_refused(structure, changes):
    _, path = structure
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    with pytest.raises(dp.InputError, match=r"planes-structure\.json must be the structure of halfspaces"):
        dp.read(path)


def test_no_more_privacy_is_told_than_there_is(tmp_path):
    for design, said in (
        (dp.HalfspaceDesign.starting(rows=3000, seed=5, epsilon="ln 2"), "epsilon = 0.693148, one point"),
        (dp.RectangleDesign.starting(seed=5, epsilon="ln 2"), "epsilon = 0.693148, one row"),
        (dp.IntervalDesign.starting(seed=5, epsilon="ln 2"), "epsilon = 0.693148 for"),
    ):
        written = export_of(design).write(tmp_path, "it", ["csv"])
        assert any(said in file.path.read_text("utf-8") for file in written)


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": 0},
        {"rows": "many"},
        {"counts": [[1, 2]]},
        {"counts": "none"},
        {"counts": [[1e300] * 16] * 40},
        {"projections": []},
        {"directions": [[float("nan")] * 2] * 16},
        {"directions": [[1, 2, 3]] * 16},
    ],
)
def test_what_is_no_structure_is_refused(structure, changes):
    _, path = structure
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    with pytest.raises(dp.InputError, match=r"planes-structure\.json must be the structure of halfspaces"):
        dp.read_halfspaces(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", "[" * 5000, '{"rows": 3}'])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(
        dp.InputError, match=r"must be the structure of halfspaces as export wrote it, like other-structure\.json"
    ):
        dp.read_halfspaces(path)
    with pytest.raises(dp.InputError, match="no such file"):
        dp.read_halfspaces(tmp_path / "none.json")
