"""The command line as a whole: the window, refusals in one sentence each, exit status, and the program as others start it."""

from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.shipped import BEDS, HOURS, PAPER

import dpdesigner
from dpdesigner.errors import InputError, ProofError


def test_the_window_gets_the_file_and_the_reset(run, monkeypatch):
    opened = []

    def open_window(path, reset):
        opened.append((path, reset))
        return 7

    monkeypatch.setattr("dpdesigner.cli.has_display", lambda: True)
    monkeypatch.setattr("gc.disable", lambda: None)  # the window enables it again
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.window.application", SimpleNamespace(run=open_window))
    assert run()[0] == run("a.dpd")[0] == run("--reset", "b.dpd")[0] == 7
    assert opened == [(None, False), ("a.dpd", False), ("b.dpd", True)]


def test_a_display_without_qt_is_no_reason_to_give_nothing(run, tmp_path, monkeypatch, no_qt):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dpdesigner.cli.has_display", lambda: True)
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.window.application", None)
    monkeypatch.setattr("dpdesigner.notebook.plot.installed", lambda: False)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    status, out, err = run()
    assert status == 0
    assert "The window cannot be opened: Qt" in out
    assert "pictures need Qt" in err
    assert list(tmp_path.glob("temporary/dpdesigner-*/paper-user.csv")) and "dpdesigner demo --to DIR" in out
    assert [item.name for item in tmp_path.iterdir()] == ["temporary"], "nothing is written where nobody asked for it"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve"], "the following arguments are required: FILE.dpd"),
        (["solve", "missing.dpd"], "missing.dpd could not be read: there is no such file."),
        (["missing.dpd"], "missing.dpd could not be read: there is no such file."),
        (["solve", PAPER, "--study", "2"], "the number of the design must be a whole number between 1 and 1, got 2."),
        (["solve", PAPER, "--design", "x"], "a number from 1 to 1 or the name of one ('The paper’s user'), got 'x'."),
        (["export", PAPER, "--to", "x", "--formats", "docx"], "among csv,tsv,json,tex,py,opendp,r,png,svg,pdf, got docx."),
        (["export", PAPER, "--to", "x", "--formats", ","], "got none."),
        (["export", PAPER], "the following arguments are required: --to"),
        (["report", PAPER, "--to", "r.doc"], "a report must be a .html or .pdf file, or a folder for both, got r.doc."),
        (["verify", PAPER], "paper-user.dpd, line 2: the quotation marks do not"),
        (["verify", "t.csv", "--epsilon", "-1"], "epsilon must be between 0 and"),
        (["verify", "t.csv", "--alpha", "nan"], "alpha must be a number like 0.2, 1/3 or 20%, got 'nan'."),
        (["verify", "t.csv", "--alpha", "1", "--epsilon", "1"], "not allowed with argument"),
        (["sample", PAPER], "the true result must be given with --count, a whole number from 0 to 5."),
        (["sample", HOURS, "--count", "6"], "a noise design draws noise to add to the true answer; leave --count out."),
        (["solve", HOURS, "--exact"], "there is no exact arithmetic for noise designs."),
        (["export", HOURS, "--to", "x", "--fractions"], "contain decimals; they cannot be written as fractions."),
        (["export", BEDS, "--to", "x", "--fractions"], "fractions need a rational alpha, for example 1/2;"),
        (["verify", PAPER, "--study", "1"], "--study chooses a design in the file of --design; give --design too."),
        (
            ["verify", PAPER, "--design", HOURS],
            "hours-of-sport.dpd must contain a count design to compare the table with, got none.",
        ),
        (["sample", PAPER, "--count", "6"], "the count must be a whole number between 0 and 5, got 6."),
        (["sample", PAPER, "--count", "1", "--draws", "0"], "the number of draws must be a whole number between 1 and"),
        (["sample", PAPER, "--count", "1", "--draws", "1e9"], "between 1 and 1 000 000, got 1e9."),
        (["solve", PAPER, "--nonsense"], "unrecognized arguments: --nonsense"),
        (["slove", PAPER], "or a command of new, solve, export, report, share, inspect, verify, sample, sweep, demo, got slove "),
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


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (ProofError("the table is withheld."), 1, "the table is withheld."),
        (InputError("n is\nwrong."), 2, "n is wrong."),
        (PermissionError(13, "Permission denied"), 2, "no permission to write to the folder or the file."),
        (MemoryError(), 2, "out of memory."),
        (KeyboardInterrupt(), 130, "stopped."),
    ],
)
def test_whatever_goes_wrong_is_one_sentence(run, monkeypatch, error, status, sentence):
    def fail(**_):
        raise error

    monkeypatch.setattr("dpdesigner.cli.solve.solve_command", fail)
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


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_as_a_program_it_survives_a_reader_that_leaves(monkeypatch, unbuffered):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    command = f"'{sys.executable}' -m dpdesigner sample '{PAPER}' --count 1 --draws 20000 | head -n 1"
    found = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert found.stderr == ""
    assert found.stdout.strip().isdecimal()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_as_a_program_it_works_with_its_output_closed_and_tells_of_a_full_one(monkeypatch, unbuffered):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    command = f"'{sys.executable}' -m dpdesigner solve '{PAPER}'"
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


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted as Linux lists them")
def test_matrix_products_start_no_threads():
    code = (
        "import os, sys; from dpdesigner.cli import main; main(['solve', sys.argv[1]]); "
        "print('numpy' in sys.modules, len(os.listdir('/proc/self/task')))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    root = str(Path(dpdesigner.__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join([root, environment.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", code, PAPER], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True 1"


@pytest.mark.parametrize("words", [["--help"], ["verify", "--help"]])
def test_help_imports_no_kind_of_design(words):
    program = f"import sys, contextlib\nfrom dpdesigner.cli import main\nwith contextlib.suppress(SystemExit): main({words!r})\n"
    program += "print('numpy' in sys.modules, 'dpdesigner.studies.base' in sys.modules, file=sys.stderr)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.startswith("usage: dpdesigner") and found.stderr.split() == ["False", "False"]
