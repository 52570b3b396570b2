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
