"""``dpdesigner export``, ``demo`` and ``report``: what is written, with Qt and without."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.shipped import HOURS, PAPER

from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import open_table
from dpdesigner.files.project import Project, example, write_project
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.inspect.audience_design import AudienceDesign
from dpdesigner.studies.noise.design import NoiseDesign

PARITY = CountDesign(5, alpha="1/3", loss="expression:(i-r)%2", name="parity")


@pytest.fixture
def pictures(monkeypatch):
    """A stand-in for the drawing, which has its own tests."""
    drawn = []

    def save_figures(solved, folder, name, endings, progress):
        written = [Path(folder) / f"{name}-matrix.{ending}" for ending in endings]
        for path in written:
            path.write_bytes(b"picture")
        drawn.extend((solved, path) for path in written)
        return written

    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.output.pictures", SimpleNamespace(save_figures=save_figures))
    return drawn


def test_export(run, tmp_path, pictures):
    status, out, err = run("export", PAPER, "--to", tmp_path / "out", "--formats", "csv, tex,PNG,svg")
    assert (status, err) == (0, "")
    files = {path.suffix: path for path in (tmp_path / "out").iterdir()}
    assert set(files) == {".csv", ".json", ".tex", ".png", ".svg"}
    assert verify_table(list(open_table(files[".csv"]).rows())).satisfies(CountDesign(1, alpha="1/2").privacy)
    assert out.count("proved on its text") == 3
    assert [path.suffix for _, path in pictures] == [".png", ".svg"]
    data = json.loads(run("export", PAPER, "--to", tmp_path / "out", "--formats", "csv", "--fractions", "--json")[1])
    assert next(iter(open_table(data["files"][0]["path"]).rows()))[0] == Fraction(2, 3)


def test_export_of_several_designs(run, tmp_path):
    path = tmp_path / "two.dpd"
    write_project(path, Project((PARITY, CountDesign(2, epsilon=1))))
    status, out, _ = run("export", path, "--to", tmp_path)
    assert status == 0
    assert "Theorem A does not cover the loss, so this is the result of the linear program" in out
    assert sorted(item.name for item in tmp_path.glob("*.csv")) == ["two-1.csv", "two-2.csv"]
    assert run("export", path, "--to", tmp_path / "one", "--study", "2")[0] == 0
    assert [item.name for item in (tmp_path / "one").glob("*.csv")] == ["two.csv"]


def test_pictures_without_qt_and_matplotlib_are_refused_before_anything_is_written(run, tmp_path, monkeypatch, no_qt):
    monkeypatch.setattr("dpdesigner.notebook.plot.installed", lambda: False)
    status, out, err = run("export", PAPER, "--to", tmp_path / "out", "--formats", "csv,png")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "pictures need Qt or matplotlib: Qt or pyqtgraph is not installed" in err
    assert not (tmp_path / "out").exists()
    assert run("demo", "--to", tmp_path / "demo")[0] == 0


def test_nothing_is_written_where_one_of_several_designs_cannot_be(run, tmp_path):
    path = tmp_path / "both.dpd"
    write_project(path, Project((CountDesign(2, alpha="1/2"), CountDesign(2500, epsilon=1), NoiseDesign(epsilon=1))))
    for words in (("--design", "3", "--fractions"), ("--fractions",), ()):
        status, out, err = run("export", path, "--to", tmp_path / "out", *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
    assert [item.name for item in tmp_path.iterdir()] == ["both.dpd"]


def test_nothing_is_written_where_the_program_of_a_later_design_cannot_be(run, tmp_path):
    path = tmp_path / "both.dpd"
    write_project(path, Project((CountDesign(2, alpha="1/2"), CountDesign(2, alpha=1))))
    for formats in ("csv,py", "py,csv,png", "opendp"):
        status, out, err = run("export", path, "--to", tmp_path / "out", "--formats", formats)
        assert (status, out, err.count("\n")) == (2, "", 1) and "above 0 and finite" in err
    assert [item.name for item in tmp_path.iterdir()] == ["both.dpd"]


def test_a_choice_is_exported_with_rows_that_sum_to_1(run, tmp_path):
    path = tmp_path / "choice.dpd"
    table = [[-abs(r - q) for r in range(6)] for q in range(6)]
    write_project(path, Project((ChoiceDesign(table, rule="exponential", epsilon=600),)))
    status, out, err = run("export", path, "--to", tmp_path / "out", "--formats", "csv,tex,json")
    assert (status, err) == (0, "") and "checked on its text" in out
    table = tmp_path / "out" / "choice-probabilities.csv"
    found = verify_table(list(open_table(table).rows()))
    assert found.stochastic and 299 < found.epsilon <= 600  # and nothing is lost to underflow
    assert run("verify", table, "--epsilon", "600")[0] == 0
    assert "\\toprule" in table.with_suffix(".tex").read_text("utf-8")
    status, _, err = run("sample", path)
    assert status == 2 and "needs its row, --count 0 to 5" in err
    assert run("sample", path, "--count", "3", "--draws", "2")[1].split()[:2] == ["3", "3"]


def test_a_vote_is_taken_away_and_drawn(run, tmp_path):
    path = tmp_path / "vote.dpd"
    write_project(path, Project((ChoiceDesign((40, 3, 0), ("a", "b, c", "d"), epsilon=1),)))
    assert run("export", path, "--to", tmp_path, "--formats", "csv,tsv,json,tex")[0] == 0
    rows = [line.split(",") for line in (tmp_path / "vote-chances.csv").read_text("utf-8").splitlines()]
    assert rows[0][:4] == ["option", "utility", "permute-and-flip", "exponential"] and [row[0] for row in rows[1:]] == [
        "a",
        "b  c",
        "d",
    ]
    assert sum(float(row[2]) for row in rows[1:]) == pytest.approx(1)
    status, out, err = run("sample", path, "--draws", "3")
    assert status == 0 and set(out.split()) <= {"a", "b,", "c", "d"} and "together they have epsilon = 3" in err
    assert run("sample", path, "--count", "1")[0] == 2


def test_counts_of_somebodys_data_are_not_exported(run, tmp_path):
    (tmp_path / "v.csv").write_text("answer\nyes\nno\nyes\n", "utf-8")
    path = tmp_path / "vote.dpd"
    design = ChoiceDesign(path=str(tmp_path / "v.csv"), column="answer", categories=("yes", "no"), epsilon=1)
    write_project(path, Project((design,)))
    status, _, err = run("export", path, "--to", tmp_path / "out")
    assert status == 2 and "only programs (py, opendp, r) are written" in err
    data = json.loads(run("solve", path, "--json")[1])
    assert "value" not in data["findings"] and data["findings"]["epsilon"] == 1 and "path" not in data["design"]
    assert run("sample", path)[0] == 0


def test_report(run, tmp_path):
    status, _, err = run("report", PAPER, "--to", tmp_path / "new" / "r.html", "--to", tmp_path / "r.pdf")
    assert (status, err) == (0, "")
    page = (tmp_path / "new" / "r.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.count("data:image/svg+xml;base64,") >= 4
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
    data = json.loads(run("report", PAPER, "--to", tmp_path, "--json")[1])
    assert [Path(name).name for name in data["files"]] == ["paper-user-report.html", "paper-user-report.pdf"]


def test_a_report_that_cannot_be_written_is_refused_before_anything_is(run, tmp_path):
    (tmp_path / "file").touch()
    status, out, err = run("report", PAPER, "--to", tmp_path / "good.html", "--to", tmp_path / "file" / "R.pdf")
    assert (status, out) == (2, "") and "must be a folder, but a file is there" in err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_pdf_report_without_qt_is_refused_in_one_sentence(run, tmp_path, no_qt):
    status, out, err = run("report", PAPER, "--to", tmp_path / "r.pdf")
    assert (status, out, err.count("\n")) == (2, "", 1) and "a PDF report needs Qt" in err and "a .html file" in err
    assert list(tmp_path.iterdir()) == []


def test_a_report_without_qt_and_matplotlib_has_no_figures_and_no_pdf(run, tmp_path, monkeypatch, no_qt):
    monkeypatch.setattr("dpdesigner.notebook.plot.installed", lambda: False)
    assert run("report", HOURS, "--to", tmp_path / "r.html")[0] == 0
    assert "Figures are omitted: pictures need Qt" in (tmp_path / "r.html").read_text("utf-8")
    status, out, err = run("report", PAPER, "--to", tmp_path)
    assert status == 2 and "pictures need Qt" in err and "report.html" in out and "report.pdf" not in out
    assert not list(tmp_path.glob("*.pdf"))


def test_a_prior_counted_from_data_can_be_left_out(run, tmp_path):
    """With all that is computed from it; a checksum of it would identify the data, so programs have none in any case."""
    prior = Prior.of_counts([0] * 1237 + [1] * 2431 + [2] * 3319, 2, "ages, a.csv")
    write_project(path := tmp_path / "ward.dpd", Project((CountDesign(2, alpha="1/2", prior=prior, name="Ward"),)))
    for option, holds in ((), True), (("--leave-out-prior",), False):
        status, out, _ = run("export", path, "--to", tmp_path, "--formats", "csv,json,tex,py", *option)
        written = "".join((tmp_path / f"ward.{ending}").read_text("utf-8") for ending in ("csv", "json", "tex", "py"))
        assert status == 0 and ("The prior is left out" in out) is not holds
        assert ("2431" in written, "ages" in written) == (holds, holds) and "Inputs: SHA-256" not in written
    assert "Inputs: SHA-256" in run("export", PAPER, "--to", "-", "--formats", "py", "--leave-out-prior")[1], "nothing is counted"
    for option, holds in ((), True), (("--leave-out-prior",), False):
        assert ("2431" in run("report", path, "--to", "-", *option)[1]) == holds
    status, out, err = run("export", path, "--to", tmp_path, "--formats", "png", "--leave-out-prior")
    assert (status, out) == (2, "") and "the prior cannot be left out of pictures" in err
    reader = {"name": "A", "prior": [1, 2, 3], "loss": "absolute", "prior_source": "cases, ward.csv"}
    write_project(path, Project((AudienceDesign(readers=[reader], n=2, alpha="1/2"),)))
    status, out, err = run("export", path, "--to", tmp_path, "--leave-out-prior")
    assert (status, out) == (2, "") and "the prior cannot be left out of audience designs" in err


def test_demo_and_no_display(run, tmp_path, pictures, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("demo", "--to", "shown")
    assert status == 0
    assert sorted(item.suffix for item in (tmp_path / "shown").iterdir()) == [".csv", ".json", ".png", ".tex"]
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    status, out, _ = run()
    assert status == 0
    assert "To open the window" in out
    assert list(tmp_path.glob("temporary/dpdesigner-*/paper-user.csv"))
    assert list(tmp_path.glob("temporary/dpdesigner-*/paper-user-matrix.png"))
    assert sorted(item.name for item in tmp_path.iterdir()) == ["shown", "temporary"]
    status, out, _ = run(example("flu-cases").path)
    assert "Flu cases in a school" in out
    data = json.loads(run("demo", "--json")[1])
    assert data["solutions"][0]["details"]["remap"] == [0, 2, 2, 3, 4, 5]
