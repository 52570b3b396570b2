"""``dpdesigner solve`` and ``dpdesigner sample``: the answers and the releases that they print."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from cli.shipped import PAPER

from dpdesigner import resources
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.synthetic.design import IntervalDesign

PARITY = CountDesign(5, alpha="1/3", loss="expression:(i-r)%2", name="parity")


def test_solve(run):
    status, out, err = run("solve", PAPER)
    assert (status, err) == (0, "")
    told = dict(line.split("  ", 1) for line in map(str.strip, out.splitlines()[1:]))
    told = {label: text.strip() for label, text in told.items()}
    assert out.startswith("The paper’s user: n = 5 · power 1.5 loss · drawn prior · ε ≈ 0.6932 (α = 1/2)\n")
    assert told["expected loss"].startswith("1.19424") and told["remap"] == "0 2 2 3 4 5"
    assert "no private release of a whole number 0 to n from the count alone is better by more than" in told["certified gap"]
    assert told["basis of the gap"] == "all columns checked" and told["values that can be released"] == "5"


def test_solve_as_json(run):
    status, out, _ = run("solve", PAPER, "--json")
    data = json.loads(out)
    assert status == 0
    assert data["findings"]["value"] == pytest.approx(1.19423215531629191254, rel=1e-14)
    assert data["details"]["remap"] == [0, 2, 2, 3, 4, 5]
    assert data["findings"]["alpha"] == "1/2"
    assert data["findings"]["epsilon"] > np.log(2)
    assert 0 < data["details"]["certificate"]["gap"] < 1e-12
    assert data["details"]["theorem_a"]["covered"] is True
    assert "linear_program" not in data


def test_solve_exactly(run, tmp_path):
    path = tmp_path / "two.dpd"
    write_project(path, Project((CountDesign(5, alpha="1/2", prior=["1/2", 0, 0, 0, 0, "1/2"], loss="zero-one"),)))
    data = json.loads(run("solve", path, "--exact", "--json")[1])
    assert data["findings"]["value"] == "1/12"
    assert data["details"]["certificate"] == {"gap": "0", "exact": True, "basis": "all columns checked in exact arithmetic"}
    out = run("solve", path, "--exact")[1]
    assert "1/12 or about 0.083333" in out
    assert "  0 (no private release of a whole number 0 to n from the count alone is better)" in out
    status, out, err = run("solve", PAPER, "--exact")
    assert (status, out) == (2, "")
    assert "rational" in err


def test_what_any_real_number_would_cost_is_said_where_it_is_less(run, tmp_path):
    """In fractions where the rest is; never where a whole number is as good."""
    path = tmp_path / "squared.dpd"
    designs = (CountDesign(5, alpha="1/2", loss=loss) for loss in ("squared", "absolute", "power:3"))
    write_project(path, Project(tuple(designs)))
    data = [json.loads(run("solve", path, "--study", k, "--json")[1]) for k in (1, 2, 3)]
    assert data[0]["findings"]["real"] == pytest.approx(4829 / 3276, rel=1e-12)
    assert "real" not in data[1]["findings"] and data[2]["findings"]["real"] < data[2]["findings"]["value"]
    exactly = json.loads(run("solve", path, "--study", 1, "--exact", "--json")[1])
    assert exactly["findings"]["real"] == "4829/3276"
    assert "4829/3276 or about 1.474" in run("solve", path, "--study", 1, "--exact")[1]


def test_solve_outside_the_theorem_says_so_and_asks_the_linear_program(run, tmp_path):
    path = tmp_path / "parity.dpd"
    write_project(path, Project((PARITY, CountDesign(201, alpha="1/3", loss="expression:(i-r)%2"))))
    status, out, _ = run("solve", path, "--study", 1)
    assert status == 0
    assert "  linear program (HiGHS), repaired to be exactly private" in out
    assert "closed form" in out
    data = json.loads(run("solve", path, "--study", "1", "--json")[1])
    assert data["findings"]["value"] == data["details"]["linear_program"]["value"] < data["details"]["closed_form"]["value"]
    assert data["details"]["theorem_a"]["covered"] is False
    assert (
        data["findings"]["program"] == data["findings"]["value"]
        and data["findings"]["remapped"] == data["details"]["closed_form"]["value"]
    )
    every = json.loads(run("solve", path, "--json")[1])["studies"]
    assert [item["design"]["n"] for item in every] == [5, 201]
    assert re.search("linear program  +not run because n is above 200", run("solve", path, "--study", 2)[1])


def test_sample(run):
    status, out, _ = run("sample", PAPER, "--count", 3, "--draws", 50)
    assert status == 0
    assert len(out.split()) == 50
    assert set(map(int, out.split())) <= {0, 2, 3, 4, 5}  # output 1 is read as 2
    assert json.loads(run("sample", PAPER, "--count", "6/2", "--json")[1])["count"] == 3
    data = json.loads(run("sample", PAPER, "--count", 0, "--json")[1])
    assert data["count"] == 0
    assert len(data["draws"]) == 1


def test_noise_is_solved_written_and_drawn(run, tmp_path):
    integer = NoiseDesign("integer", sensitivity=5, epsilon=2, name="whole numbers")
    path = tmp_path / "both.dpd"
    write_project(path, Project((CountDesign(2, epsilon=1, name="count"), integer, NoiseDesign(epsilon=1))))
    out = run("solve", path)[1]
    for words in ("count: n = 2 · absolute loss", "whole numbers: integer query, sensitivity 5", "proved optimal"):
        assert words in out
    data = json.loads(run("solve", path, "--design", "whole numbers", "--json")[1])
    assert data["design"] == integer.to_json() and data["proved"] is True
    assert data["findings"]["value"] == integer.run().cost
    assert json.loads(run("solve", path, "--design", "3", "--json")[1])["findings"]["step"] == NoiseDesign(epsilon=1).run().gamma
    status, out, err = run("sample", path, "--design", "whole numbers", "--draws", 40)
    assert (status, err, len([int(line) for line in out.split()])) == (0, "", 40)
    status, out, err = run("sample", path, "--design", "3", "--draws", 4, "--json")
    assert status == 0 and err.startswith("dpdesigner: for simulation only") and json.loads(out)["exact"] is False
    status, out, err = run("export", path, "--design", "2", "--to", tmp_path / "out", "--formats", "csv,json")
    assert (status, err) == (0, "")
    assert "both-probabilities.csv" in out and (tmp_path / "out" / "both.json").exists()
    status, _, err = run("sample", path)
    assert status == 2 and "both.dpd has 3 designs; choose one with --design, by name or number." in err


@pytest.mark.parametrize(
    "design",
    [
        CountDesign(3, alpha="1/2"),
        PARITY,
        NoiseDesign(epsilon=1),
        NoiseDesign(delta="1e-5", epsilon=1),
        NoiseDesign(query="integer", epsilon=1),
        HistogramDesign.starting(),
        ChoiceDesign.starting(),
    ],
    ids=["count", "outside", "real", "delta", "integer", "histogram", "choice"],
)
def test_the_help_names_every_member_of_the_json(run, tmp_path, design):
    path = tmp_path / "d.dpd"
    write_project(path, Project((design,)))
    named = set(re.findall(r"<code>(\w+)</code>", resources.path("help", "command-line.html").read_text("utf-8")))
    answer = json.loads(run("solve", path, "--json")[1])
    assert list(answer) == ["program", "version", "design", "findings", "proved", "checks", "details"], "of every kind"
    assert not {*answer, *answer["details"]} - named
    if design.kind == "count":
        run("export", path, "--to", tmp_path)
        checked = json.loads(run("verify", tmp_path / "d.csv", "--design", path, "--json")[1])
        assert not set(checked) - named


def test_exact_answers_of_many_thousand_digits_are_written(run, tmp_path):
    path = tmp_path / "long.dpd"
    write_project(path, Project((CountDesign(3, alpha="1e-3999"),)))
    status, out, err = run("solve", path, "--exact")
    assert (status, err) == (0, "") and max(map(len, out.splitlines())) < 300 and "a fraction of" in out
    value = json.loads(run("solve", path, "--exact", "--json")[1])["findings"]["value"]
    assert len(value) > 4300 and set(value) <= set("0123456789/")
    assert run("export", path, "--to", tmp_path, "--exact", "--formats", "json")[0] in (0, 2)


def test_real_errors_are_told_only_where_they_are_asked_for(run, tmp_path):
    path, folder = tmp_path / "column.dpd", tmp_path / "out"
    write_project(path, Project((IntervalDesign([3, 3, 4, 7, 9] * 40, 0, 16, 4, method="laplace", epsilon=1), PARITY)))
    status, out, err = run("solve", path, "--design", 1)
    assert status == 0 and "measured error" not in out and err == ""
    status, out, err = run("solve", path, "--design", 1, "--real-errors")
    assert status == 0 and "measured error" in out and "not private" in err
    assert "worst-error" in json.loads(run("solve", path, "--design", 1, "--real-errors", "--json")[1])["findings"]
    status, _, err = run("export", path, "--design", 1, "--real-errors", "--to", folder)
    assert status == 0 and "not private" in err
    assert "Warning: the measured error is included" in (folder / "column-privacy.txt").read_text("utf-8")
    status, _, err = run("report", path, "--design", 1, "--real-errors", "--to", folder / "column.html")
    assert "not private" in err and "the measured error is included" in (folder / "column.html").read_text("utf-8")
    status, _, err = run("solve", path, "--design", "parity", "--real-errors")
    assert status == 2 and "applies to designs with a measured error" in err
