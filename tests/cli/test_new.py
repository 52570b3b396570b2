"""``dpdesigner new``: a design of every kind from options, refusals in one sentence, and pipes from it into other commands."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.shipped import shipped

import dpdesigner as dp
from dpdesigner.cli.new import options_of
from dpdesigner.files.project import loads_project
from dpdesigner.studies.registry import ENTRIES

READERS = json.dumps(json.loads(Path(shipped("flu-in-a-ward")).read_text("utf-8"))["studies"][0]["readers"])
#: What each kind needs besides what it has defaults for.
NEEDED = {
    "count": ["--n", "10", "--epsilon", "1"],
    "noise": ["--sensitivity", "1", "--epsilon", "1"],
    "histogram": ["--cells", "0, 18, 65", "--counts", "[3, 4, 5]", "--neighbours", "replace", "--epsilon", "1"],
    "choice": ["--utilities", "[3, 4]", "--neighbours", "any", "--epsilon", "1"],
    "auction": ["--bids", "[1, 2]", "--cap", "3", "--epsilon", "1"],
    "inspect": ["--table", "geometric: 5, ln 2"],
    "synthetic": ["--column", "example:survey_1996.csv#age", "--epsilon", "1"],
    "rectangle": ["--first", "example:survey_1996.csv#age", "--second", "example:survey_1996.csv#income_class", "--epsilon", "1"],
    "net": ["--counts", "[3, 4, 5, 6]", "--epsilon", "1"],
    "halfspace": ["--points", "drawn", "--epsilon", "1"],
    "sizes": ["--points", "64", "--epsilon", "1"],
    "attack": ["--n", "60"],
    "audience": ["--n", "20", "--readers", READERS, "--epsilon", "1"],
    "exhibit": ["--exhibit", "grs/figure-1"],
}


@pytest.fixture
def typed(run, monkeypatch):
    """Run a command with a text as its standard input."""

    def call(text, *words):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return run(*words)

    return call


@pytest.mark.parametrize("kind", [known.kind for known in ENTRIES])
def test_every_kind_can_be_made_and_read_again(run, kind):
    status, out, err = run("new", kind, "--name", "mine", *NEEDED.get(kind, ["--epsilon", "1"]))
    assert status == 0, err
    (design,) = loads_project(out).studies
    assert (design.kind, design.name) == (kind, "mine")
    status, help_text, _ = run("new", kind, "--help")
    if kind != "exhibit":
        assert all(f"--{option.key.replace('_', '-')}" in help_text for option in options_of(type(design)))
        assert {option.key for option in options_of(type(design))} >= set(design.to_json()) - {"kind", "name"}
    assert all(len(option.text) > 3 for option in options_of(type(design))), "no symbol alone"


def test_values_are_those_of_a_project_file(run, tmp_path):
    (tmp_path / "weights.csv").write_text("w\n1\n2\n0\n", "utf-8")
    words = ["new", "count", "--n", "2", "--alpha", "1/2", "--loss", "[[0, 1, 2], [1, 0, 1], [2, 1, 0]]"]
    (design,) = loads_project(run(*words, "--prior", f"{tmp_path / 'weights.csv'}#w")[1]).studies
    assert design == dp.CountDesign(2, alpha="1/2", prior=[1, 2, 0], loss=[[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    (design,) = loads_project(run("new", "count", "--n", "2", "--epsilon", "ln 2", "--prior", "1 2 0")[1]).studies
    assert design == dp.CountDesign(2, epsilon="ln 2", prior=["1", "2", "0"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "the following arguments are required: KIND"),
        (["kount"], "invalid choice: 'kount'"),
        (["count", "--n", "5"], "a count design needs a privacy level: give --epsilon or --alpha."),
        (["synthetic"], "a synthetic design needs a privacy level: give --epsilon."),
        (["count", "--epsilon", "1"], "a count design must have n, got none."),
        (["count", "--n", "5.5", "--epsilon", "1"], "n must be a whole number between 0 and"),
        (["count", "--n", "5", "--epsilon", "1", "--alpha", "1/2"], "given once, as epsilon or as alpha"),
        (["count", "--n", "5", "--epsilon", "1", "--prior", "[1"], "prior, which begins with [, must be JSON, got '[1'."),
        (["count", "--n", "5", "--epsilon", "1", "--colour", "red"], "unrecognized arguments: --colour red"),
        (["exhibit", "--exhibit", "grs/figure"], "the exhibit must be one that"),
    ],
)
def test_wrong_options_are_one_sentence_and_status_2(run, words, sentence):
    status, out, err = run("new", *words)
    assert (status, out) == (2, "") and sentence in err and err.count("\n") == 1


def test_data_must_be_named(run):
    status, _, err = run("new", "synthetic", "--epsilon", "1")
    assert status == 2 and "a synthetic design must have column, got none." in err


def test_a_pipe_goes_from_a_design_to_its_proved_table(typed, run):
    project = run("new", "count", "--n", "10", "--epsilon", "1", "--prior", "binomial:0.3")[1]
    solved = dp.solve(dp.CountDesign(10, epsilon=1, prior="binomial:0.3"))
    assert json.loads(typed(project, "solve", "-", "--json")[1])["findings"]["value"] == solved.value
    status, table, _ = typed(project, "export", "-", "--to", "-")
    assert (status, table) == (0, solved.table())
    status, out, _ = typed(table, "verify", "-", "--epsilon", "1")
    assert status == 0 and out.startswith("standard input: ") and out.endswith("PASSED\n")
    status, out, _ = typed(table, "inspect", "-", "--epsilon", "1")
    assert status == 0 and out.startswith("standard input: ")
    assert typed(table, "verify", "-", "--epsilon", "1", "--profile")[0] == 0
    assert typed(project, "sample", "-", "--count", "3")[1].strip().isdecimal()
    status, page, _ = typed(project, "share", "-", "--to", "-")
    assert status == 0 and page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    status, report, _ = typed(project, "report", "-", "--to", "-")
    assert status == 0 and report.startswith("<!DOCTYPE html>")
    assert "def " in typed(project, "export", "-", "--to", "-", "--formats", "py")[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["export", "-", "--to", "-", "--formats", "csv,tex"],
            "--to - writes one design in one format that is text, got csv,tex",
        ),
        (["export", "-", "--to", "-", "--formats", "png"], "in one format that is text, got png"),
        (["demo", "--to", "-"], "so --to must be a folder, got -."),
        (["report", "-", "--to", "-", "--to", "x.html"], "to standard output or to files, not to both"),
        (["solve", "-", "-"], "standard input can be read once"),
        (["solve", "-", "-", "--design", "1"], "--design selects a design of one file; got 2 files."),
        (["verify", "-"], "standard input"),
    ],
)
def test_what_cannot_be_piped_is_one_sentence(typed, run, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    project = run("new", "count", "--n", "3", "--epsilon", "1")[1]
    status, out, err = typed(project, *words)
    assert (status, out) == (2, "") and sentence in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_empty_input_is_named(typed):
    assert "standard input is not a dpdesigner project" in typed("", "solve", "-")[2]


def test_several_files_are_solved_in_turn(run, tmp_path):
    for n in (3, 4):
        (tmp_path / f"{n}.dpd").write_text(run("new", "count", "--n", n, "--epsilon", "1")[1], "utf-8")
    status, out, _ = run("solve", tmp_path / "3.dpd", tmp_path / "4.dpd")
    assert status == 0
    assert [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")] == ["3.dpd", "4.dpd"]
    data = json.loads(run("solve", tmp_path / "3.dpd", tmp_path / "4.dpd", "--json")[1])
    assert [[each["design"]["n"] for each in file["studies"]] for file in data["files"]] == [[3], [4]]
    assert run("solve", tmp_path / "3.dpd", "missing.dpd")[:2] == (2, "")


def test_quiet_leaves_results_and_errors(run, tmp_path):
    project = tmp_path / "a.dpd"
    project.write_text(run("new", "count", "--n", "3", "--epsilon", "1", "--quiet")[1], "utf-8")
    assert run("export", project, "--to", tmp_path / "t", "--quiet") == (0, "", "")
    assert (tmp_path / "t" / "a.csv").is_file()
    assert run("verify", tmp_path / "t" / "a.csv", "--epsilon", "1", "-q") == (0, "", "")
    assert run("verify", tmp_path / "t" / "a.csv", "--epsilon", "0.5", "-q") == (1, "", "")
    assert run("solve", project, "-q")[1] == run("solve", project)[1]
    assert "could not be read" in run("export", "missing.dpd", "--to", tmp_path / "t", "-q")[2]


def test_a_shell_completes_commands_kinds_and_options(tmp_path):
    pytest.importorskip("argcomplete")

    def completions(line):
        answers = tmp_path / "answers"
        environment = {
            **os.environ,
            "_ARGCOMPLETE": "1",
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
            "_ARGCOMPLETE_IFS": " ",
        }
        environment["_ARGCOMPLETE_STDOUT_FILENAME"] = str(answers)
        subprocess.run([sys.executable, "-m", "dpdesigner"], env=environment, check=False, timeout=60)
        return {word.split(":")[0].strip() for word in answers.read_text("utf-8").split(" ")}

    assert {"solve", "new", "sweep"} <= completions("dpdesigner ")
    assert {"count", "noise"} <= completions("dpdesigner new ")
    assert {"--prior", "--epsilon"} <= completions("dpdesigner new count --")
