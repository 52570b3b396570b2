"""The command line: what it prints, what it writes, its exit status, and one sentence for everything it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import linprog

import dpdesigner
from dpdesigner.cli import main
from dpdesigner.core.verification import verify_table
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.examples import examples
from dpdesigner.files.project import Project, write_project
from dpdesigner.files.reading import read_table
from dpdesigner.studies.count import CountDesign
from dpdesigner.studies.noise import NoiseStudy

PAPER = str(examples()[0].path)
BEDS = str(next(example.path for example in examples() if example.path.stem == "hospital-beds"))
HOURS = str(next(example.path for example in examples() if example.path.stem == "hours-of-sport"))
PARITY = CountDesign(5, alpha="1/3", loss="expression:(i-r)%2", name="parity")


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the program in this process; returns status, standard output and standard error."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    def call(*words):
        try:
            status = main(list(map(str, words)))
        except SystemExit as leaving:  # argparse leaves this way
            status = leaving.code
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def pictures(monkeypatch):
    """A stand-in for the drawing, which has its own tests."""
    drawn = []

    def save_figures(solved, folder, name, endings):
        written = [Path(folder) / f"{name}-matrix.{ending}" for ending in endings]
        for path in written:
            path.write_bytes(b"picture")
        drawn.extend((solved, path) for path in written)
        return written

    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.pictures", SimpleNamespace(save_figures=save_figures))
    return drawn


def test_solve(run):
    status, out, err = run("solve", PAPER)
    assert (status, err) == (0, "")
    assert "expected loss   1.194232155316291" in out
    assert "remap           0 2 2 3 4 5" in out
    assert "no private mechanism is better by more than" in out


def test_solve_as_json(run):
    status, out, _ = run("solve", PAPER, "--json")
    data = json.loads(out)
    assert status == 0
    assert data["value"] == pytest.approx(1.19423215531629191254, rel=1e-14)
    assert data["remap"] == [0, 2, 2, 3, 4, 5]
    assert data["alpha"] == "1/2"
    assert data["epsilon"] > np.log(2)
    assert 0 < data["certificate"]["gap"] < 1e-12
    assert data["theorem_a"]["covered"] is True
    assert "linear_program" not in data


def test_solve_exactly(run, tmp_path):
    path = tmp_path / "two.dpd"
    write_project(path, Project((CountDesign(5, alpha="1/2", prior=["1/2", 0, 0, 0, 0, "1/2"], loss="zero-one"),)))
    data = json.loads(run("solve", path, "--exact", "--json")[1])
    assert data["value_exact"] == "1/12"
    assert data["certificate"] == {"gap": "0", "exact": True, "basis": "all columns checked in exact arithmetic"}
    out = run("solve", path, "--exact")[1]
    assert "expected loss   1/12 = 0.083333" in out
    assert "optimal: gap 0 (all columns checked in exact arithmetic)" in out
    status, out, err = run("solve", PAPER, "--exact")
    assert (status, out) == (2, "")
    assert "rational" in err


def test_solve_outside_the_theorem_says_so_and_asks_the_linear_program(run, tmp_path):
    path = tmp_path / "parity.dpd"
    write_project(path, Project((PARITY, CountDesign(201, alpha="1/3", loss="expression:(i-r)%2"),)))
    status, out, _ = run("solve", path, "--study", 1)
    assert status == 0
    assert "the answer      linear program" in out
    assert "closed form" in out
    data = json.loads(run("solve", path, "--study", "1", "--json")[1])
    assert data["value"] == data["linear_program"]["value"] < data["closed_form"]["value"]
    assert data["theorem_a"]["covered"] is False
    every = json.loads(run("solve", path, "--json")[1])["studies"]
    assert [item["design"]["n"] for item in every] == [5, 201]
    assert "linear program  not run, since n is above 200" in run("solve", path, "--study", 2)[1]


def test_export(run, tmp_path, pictures):
    status, out, err = run("export", PAPER, "--to", tmp_path / "out", "--formats", "csv, tex,PNG,svg")
    assert (status, err) == (0, "")
    files = {path.suffix: path for path in (tmp_path / "out").iterdir()}
    assert set(files) == {".csv", ".json", ".tex", ".png", ".svg"}
    assert verify_table(read_table(files[".csv"])).satisfies(CountDesign(1, alpha="1/2").privacy)
    assert out.count("proved on its text") == 3
    assert [path.suffix for _, path in pictures] == [".png", ".svg"]
    data = json.loads(run("export", PAPER, "--to", tmp_path / "out", "--formats", "csv", "--fractions", "--json")[1])
    assert read_table(data["files"][0]["path"])[0][0] == Fraction(2, 3)


def test_export_of_several_designs(run, tmp_path):
    path = tmp_path / "two.dpd"
    write_project(path, Project((PARITY, CountDesign(2, epsilon=1),)))
    status, out, _ = run("export", path, "--to", tmp_path)
    assert status == 0
    assert "the loss is outside Theorem A, so this is what the linear program" in out
    assert sorted(item.name for item in tmp_path.glob("*.csv")) == ["two-1.csv", "two-2.csv"]
    assert run("export", path, "--to", tmp_path / "one", "--study", "2")[0] == 0
    assert [item.name for item in (tmp_path / "one").glob("*.csv")] == ["two.csv"]


def test_pictures_without_qt_are_a_sentence_and_tables_are_written_all_the_same(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.pictures", None)
    status, _, err = run("export", PAPER, "--to", tmp_path, "--formats", "csv,png")
    assert status == 2
    assert "pictures need Qt, which cannot be loaded here" in err
    assert (tmp_path / "paper-user.csv").exists()
    assert run("demo", "--to", tmp_path / "demo")[0] == 0


def test_verify(run, tmp_path):
    run("export", PAPER, "--to", tmp_path)
    table = tmp_path / "paper-user.csv"
    for words in (["--alpha", "1/2"], ["--epsilon", "ln2"], ["--epsilon", "0.7"], [], ["--design", PAPER]):
        status, out, _ = run("verify", table, *words)
        assert (status, out.splitlines()[-1]) == (0, "PASSED")
    status, out, _ = run("verify", table, "--epsilon", "0.69")
    assert status == 1
    assert "not satisfied, the table is less private than asked" in out
    data = json.loads(run("verify", table, "--design", PAPER, "--json")[1])
    assert data["passed"] is data["stochastic"] is data["satisfied"] is True
    assert data["epsilon"] <= float(np.nextafter(np.log(2), 1))
    assert data["cost"]["value"] == pytest.approx(1.194232155316292, rel=1e-14)
    assert 0 <= data["cost"]["gap"] < 1e-13


def test_verify_tells_where_a_raw_answer_of_highs_is_not_private_at_all(run, tmp_path):
    n, alpha = 20, np.exp(-1)
    matrix = raw_linear_program(n, alpha)
    path = tmp_path / "raw.csv"
    np.savetxt(path, matrix, delimiter=",")
    status, out, err = run("verify", path, "--epsilon", 1)
    assert (status, err) == (1, "")
    assert "epsilon is infinite" in out
    data = json.loads(run("verify", path, "--epsilon", 1, "--json")[1])
    assert data["epsilon"] == "inf"
    assert data["n_infinite"] > 0
    for place in data["infinite"]:
        pair = sorted(matrix[[place["row"], place["next_row"]], place["column"]])
        assert pair[0] <= 0 < pair[1]
        assert f"rows {place['row']} and {place['next_row']}, column {place['column']}" in out


def raw_linear_program(n, alpha):
    """The user's linear program as everyone writes it, solved by scipy."""
    size = n + 1
    counts = np.arange(size)
    cost = abs(counts[:, None] - counts) / size
    inequalities = []
    for i in range(n):
        for r in range(size):
            for upper, lower in ((i, i + 1), (i + 1, i)):
                row = np.zeros((size, size))
                row[upper, r], row[lower, r] = alpha, -1
                inequalities.append(row.ravel())
    sums = np.kron(np.eye(size), np.ones(size))
    answer = linprog(cost.ravel(), A_ub=np.array(inequalities), b_ub=np.zeros(len(inequalities)), A_eq=sums, b_eq=np.ones(size))
    return answer.x.reshape(size, size)


def test_sample(run):
    status, out, _ = run("sample", PAPER, "--count", 3, "--draws", 50)
    assert status == 0
    assert len(out.split()) == 50
    assert set(map(int, out.split())) <= {0, 2, 3, 4, 5}  # output 1 is read as 2
    data = json.loads(run("sample", PAPER, "--count", 0, "--json")[1])
    assert data["count"] == 0
    assert len(data["draws"]) == 1


def test_noise_is_solved_written_and_drawn(run, tmp_path):
    integer = NoiseStudy("integer", sensitivity=5, epsilon=2, name="whole numbers")
    path = tmp_path / "both.dpd"
    write_project(path, Project((CountDesign(2, epsilon=1, name="count"), integer, NoiseStudy())))
    out = run("solve", path)[1]
    for words in ("count: n = 2, absolute loss", "whole numbers: integer query, sensitivity 5", "proved optimal"):
        assert words in out
    data = json.loads(run("solve", path, "--design", "whole numbers", "--json")[1])
    assert data["design"] == integer.to_json() and data["proved"] is True
    assert data["cost"] == integer.run().cost
    assert json.loads(run("solve", path, "--design", "3", "--json")[1])["gamma"] == NoiseStudy().run().gamma
    status, out, err = run("sample", path, "--design", "whole numbers", "--draws", 40)
    assert (status, err, len([int(line) for line in out.split()])) == (0, "", 40)
    status, out, err = run("sample", path, "--design", "3", "--draws", 4, "--json")
    assert status == 0 and err.startswith("dpdesigner: for simulation only") and json.loads(out)["exact"] is False
    status, out, err = run("export", path, "--design", "2", "--to", tmp_path / "out", "--formats", "csv,json")
    assert (status, err) == (0, "")
    assert "both-probabilities.csv" in out and (tmp_path / "out" / "both.json").exists()
    status, _, err = run("sample", path)
    assert status == 2 and "both.dpd has 3 designs; say which one with --design, by name or number." in err


def test_nothing_is_written_where_one_of_several_designs_cannot_be(run, tmp_path):
    path = tmp_path / "both.dpd"
    write_project(path, Project((CountDesign(2, alpha="1/2"), CountDesign(2500, epsilon=1), NoiseStudy())))
    for words in (("--design", "3", "--fractions"), ("--fractions",), ()):
        status, out, err = run("export", path, "--to", tmp_path / "out", *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
    assert [item.name for item in tmp_path.iterdir()] == ["both.dpd"]


def test_a_choice_is_exported_with_rows_that_sum_to_1(run, tmp_path):
    path = tmp_path / "choice.dpd"
    write_project(path, Project((NoiseStudy("table", epsilon=300),)))
    status, out, err = run("export", path, "--to", tmp_path / "out", "--formats", "csv,tex,json")
    assert (status, err) == (0, "") and "checked on its text" in out
    table = tmp_path / "out" / "choice-probabilities.csv"
    found = verify_table(read_table(table))
    assert found.stochastic and found.epsilon < 601  # and nothing is lost to underflow
    assert run("verify", table, "--epsilon", "600")[0] == 0
    assert "\\toprule" in table.with_suffix(".tex").read_text("utf-8")
    status, _, err = run("sample", path)
    assert status == 2 and "dpdesigner export writes its probabilities" in err


def test_report(run, tmp_path):
    status, _, err = run("report", PAPER, "--to", tmp_path / "new" / "r.html", "--to", tmp_path / "r.pdf")
    assert (status, err) == (0, "")
    page = (tmp_path / "new" / "r.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.count("data:image/svg+xml;base64,") >= 4
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
    data = json.loads(run("report", PAPER, "--to", tmp_path, "--json")[1])
    assert [Path(name).name for name in data["files"]] == ["paper-user-report.html", "paper-user-report.pdf"]


def test_a_report_without_qt_has_no_figures_and_no_pdf(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.reports", None)
    assert run("report", HOURS, "--to", tmp_path / "r.html")[0] == 0
    assert "Figures are left out: pictures need Qt" in (tmp_path / "r.html").read_text("utf-8")
    status, out, err = run("report", PAPER, "--to", tmp_path)
    assert status == 2 and "pictures need Qt" in err and "report.html" in out and "report.pdf" not in out
    assert not list(tmp_path.glob("*.pdf"))


def test_demo_and_no_display(run, tmp_path, pictures, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("demo", "--to", "shown")
    assert status == 0
    assert sorted(item.suffix for item in (tmp_path / "shown").iterdir()) == [".csv", ".json", ".png", ".tex"]
    status, out, _ = run()
    assert status == 0
    assert "To get the window" in out
    assert (tmp_path / "dpdesigner-demo" / "paper-user.csv").exists()
    assert (tmp_path / "dpdesigner-demo" / "paper-user-matrix.png").exists()
    status, out, _ = run(examples()[1].path)
    assert "Flu cases in a school" in out
    data = json.loads(run("demo", "--json")[1])
    assert data["solutions"][0]["remap"] == [0, 2, 2, 3, 4, 5]


def test_the_window_gets_the_file_and_the_reset(run, monkeypatch):
    opened = []

    def open_window(path, reset):
        opened.append((path, reset))
        return 7

    monkeypatch.setattr("dpdesigner.cli.has_display", lambda: True)
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.application", SimpleNamespace(run=open_window))
    assert run()[0] == run("a.dpd")[0] == run("--reset", "b.dpd")[0] == 7
    assert opened == [(None, False), ("a.dpd", False), ("b.dpd", True)]


def test_a_display_without_qt_is_no_reason_to_give_nothing(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dpdesigner.cli.has_display", lambda: True)
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.application", None)
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.pictures", None)
    status, out, err = run()
    assert status == 0
    assert "The window cannot be opened, since Qt cannot be loaded" in out
    assert "pictures need Qt" in err
    assert (tmp_path / "dpdesigner-demo" / "paper-user.csv").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve"], "the following arguments are required: FILE.dpd"),
        (["solve", "missing.dpd"], "missing.dpd could not be read: there is no such file."),
        (["missing.dpd"], "missing.dpd could not be read: there is no such file."),
        (["solve", PAPER, "--study", "2"], "the number of the design must be a whole number between 1 and 1, got '2'."),
        (["solve", PAPER, "--design", "x"], "a number from 1 to 1 or the name of one (\"The paper's user\"), got 'x'."),
        (["export", PAPER, "--to", "x", "--formats", "docx"], "must be some of csv,tsv,json,tex,png,svg,pdf, got docx."),
        (["export", PAPER, "--to", "x", "--formats", ","], "got none."),
        (["export", PAPER], "the following arguments are required: --to"),
        (["report", PAPER, "--to", "r.doc"], "a report must be a .html or a .pdf file, or a folder for both, got r.doc."),
        (["verify", PAPER], "paper-user.dpd, line 2: the quotation marks do not"),
        (["verify", "t.csv", "--epsilon", "-1"], "epsilon must be between 0 and"),
        (["verify", "t.csv", "--alpha", "nan"], "alpha must be a number such as 0.2, 1/3 or 20%, got 'nan'."),
        (["verify", "t.csv", "--alpha", "1", "--epsilon", "1"], "not allowed with argument"),
        (["sample", PAPER], "the true result must be given with --count, a whole number from 0 to 5."),
        (["sample", HOURS, "--count", "6"], "a noise design draws noise, to be added to the true answer; leave --count out."),
        (["solve", HOURS, "--exact"], "exact arithmetic is for count designs, got a noise design."),
        (["export", HOURS, "--to", "x", "--fractions"], "noise has curves of decimals; fractions are for count designs."),
        (["export", BEDS, "--to", "x", "--fractions"], "fractions need a rational alpha, such as 1/2;"),
        (["verify", PAPER, "--study", "1"], "--study names a design of the file given with --design; give that too."),
        (["verify", PAPER, "--design", HOURS], "hours-of-sport.dpd must hold a count design to judge a table by, got none."),
        (["sample", PAPER, "--count", "6"], "the count must be a whole number between 0 and 5, got '6'."),
        (["sample", PAPER, "--count", "1", "--draws", "0"], "the number of draws must be a whole number between 1 and"),
        (["sample", PAPER, "--count", "1", "--draws", "1e9"], "between 1 and 1000000, got '1e9'."),
        (["solve", PAPER, "--nonsense"], "unrecognized arguments: --nonsense"),
        (["slove", PAPER], "give one FILE.dpd or a command of solve, export, report, verify, sample, demo, got slove "),
        (["sample", PAPER, "--count", "six"], "the count must be a whole number between 0 and 5, got 'six'."),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(run, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert err.startswith("dpdesigner")
    assert list(tmp_path.iterdir()) == []


def test_a_table_of_another_size_cannot_be_judged_by_a_design(run, tmp_path):
    (tmp_path / "t.csv").write_text("0.5,0.5\n0.5,0.5\n")
    status, _, err = run("verify", tmp_path / "t.csv", "--design", PAPER)
    assert status == 2
    assert "n + 1 = 6 rows and columns to be judged by this design, got 2 rows and 2 columns" in err


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (ProofError("the table is withheld."), 1, "the table is withheld."),
        (InputError("n is\nwrong."), 2, "n is wrong."),
        (PermissionError(13, "Permission denied"), 2, "may not be written to."),
        (MemoryError(), 2, "the memory is full."),
        (KeyboardInterrupt(), 130, "stopped."),
    ],
)
def test_whatever_goes_wrong_is_one_sentence(run, monkeypatch, error, status, sentence):
    def fail(*_):
        raise error

    monkeypatch.setattr("dpdesigner.cli.solving.solve_command", fail)
    found, out, err = run("solve", PAPER)
    assert (found, out) == (status, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_version_and_help(run):
    status, out, _ = run("--version")
    assert (status, out) == (0, f"dpdesigner {dpdesigner.__version__}\n")
    status, out, _ = run("--help")
    assert status == 0
    assert all(name in out for name in ("solve", "export", "report", "verify", "sample", "demo", "FILE.dpd"))
    assert run("verify", "--help")[0] == 0


def program(*words, **options):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run([sys.executable, "-m", "dpdesigner", *words], env=environment, capture_output=True, **options)


def test_as_a_program_it_needs_no_qt_to_solve(tmp_path):
    blocked = "import sys; sys.modules['PySide6'] = None; from dpdesigner.cli import main; sys.exit(main(['solve', sys.argv[1]]))"
    assert subprocess.run([sys.executable, "-c", blocked, PAPER], capture_output=True).returncode == 0


def test_as_a_program_it_survives_a_reader_that_leaves(tmp_path):
    command = f"{sys.executable} -m dpdesigner sample '{PAPER}' --count 1 --draws 20000 | head -n 1"
    found = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert found.stderr == ""
    assert found.stdout.strip().isdecimal()


def test_as_a_program_it_works_with_its_output_closed_and_tells_of_a_full_one(tmp_path):
    command = f"{sys.executable} -m dpdesigner solve '{PAPER}'"
    found = subprocess.run(["sh", "-c", f"{command} >&-"], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    if Path("/dev/full").exists():
        found = subprocess.run(["sh", "-c", f"{command} >/dev/full"], capture_output=True, text=True)
        assert found.returncode == 2 and found.stderr.count("\n") == 1 and "Errno" not in found.stderr


def test_as_a_program_its_status_is_the_exit_status(tmp_path):
    (tmp_path / "t.csv").write_text("0.5,0.5\n0.4,0.6\n")
    assert program("verify", str(tmp_path / "t.csv"), "--epsilon", "1").returncode == 0
    found = program("verify", str(tmp_path / "t.csv"), "--epsilon", "0.1", text=True)
    assert found.returncode == 1
    assert Decimal(found.stdout.split("epsilon is ")[1].split()[0]) >= Decimal("1.25").ln()
