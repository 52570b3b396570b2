"""What is taken away from a declared kind by the command line and the report: its findings and its panels, nothing secret."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import ClassVar

import declared_all
import declared_kind
import pytest
from declared_all import ResponseDesign
from declared_kind import LaplaceDesign
from golden import run

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, read_project, write_project
from dpdesigner.files.report import chapter, html, report
from dpdesigner.studies import registry
from dpdesigner.studies.base import Answer, DeclaredDesign
from dpdesigner.studies.column_inputs import ColumnSpec
from dpdesigner.studies.fields import column, declare, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.snapshot import Found
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic.design import AGES


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_kind.ENTRY, declared_all.ENTRY))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.dpd"
    write_project(path, Project((LaplaceDesign("2/2", name="The notes"),)))
    return path


def test_a_project_file_keeps_it(file):
    assert read_project(file).studies == (LaplaceDesign("2/2", name="The notes"),)


def test_solve(file, capsys):
    assert main(["solve", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "The notes: b = 2/2 · x = 0.5 · Both sides",
        "  printed         1.30327",
        "  right           0.696735",
    ]
    assert main(["solve", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["design"]["b"] == "2/2" and data["findings"]["printed"] == pytest.approx(1.3032653298563166)


def test_export(file, tmp_path, capsys):
    assert main(["export", str(file), "--to", str(tmp_path / "out"), "--formats", "csv,tsv,json,tex,svg"]) == 0
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == ["notes-cdf.csv", "notes-cdf.svg", "notes-cdf.tex", "notes-cdf.tsv", "notes.json"]
    header, *rows = csv.reader((tmp_path / "out" / "notes-cdf.csv").read_text("utf-8").splitlines())
    assert header == ["x", "right", "as printed"] and len(rows) == 401
    assert [float(text) for text in rows[300]] == pytest.approx([2, 0.9323323583816936, 1.0676676416183064])
    data = json.loads((tmp_path / "out" / "notes.json").read_text("utf-8"))
    assert data["tables"]["cdf"][0] == header and set(data["findings"]) == {"printed", "right"}
    assert r"x & right & as printed \\" in (tmp_path / "out" / "notes-cdf.tex").read_text("utf-8")
    assert "as printed" in (tmp_path / "out" / "notes-cdf.svg").read_text("utf-8")


def test_a_report(file, tmp_path):
    assert main(["report", str(file), "--to", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "At 0.5 the printed function gives 1.30, the right one 0.70." in page
    assert "data:image/svg+xml" in page and "notes-cdf.csv" in page.replace("The-", "")
    assert page.count("<tr>") < 20, "a curve of 401 points is a figure, and a file inside the page"


def test_nothing_secret_leaves(tmp_path):
    solved = export_of(ResponseDesign())
    solved.write(tmp_path, "out", solved.formats)
    texts = [path.read_text("utf-8") for path in tmp_path.iterdir()]
    texts += [html(report("A report", [chapter(solved)])), json.dumps(solved.data()), str(solved.facts())]
    assert any("wrong" in text for text in texts) and any("square" in text for text in texts)
    assert not any("true answer" in text or "secret" in text for text in texts)
    assert '"0.286, kept"' in (tmp_path / "out-table.csv").read_text("utf-8")


class SecretDesign(DeclaredDesign):
    """A number that only the window and project files may have, a column, and a number that is told instead of 30 and more."""

    kind: ClassVar[str] = "secretive"
    limit: int = declare(whole_number(1, 10**6, symbol="n"), default=61918, label="Limit", secret=True)
    age: ColumnSpec = declare(column(AGES), default=(61.918, 3), label="Age")
    shown: int = declare(
        whole_number(1, 99, symbol="m"),
        default=61,
        label="Shown",
        secret=lambda design: design.shown >= 30,
        instead="30 or more",
    )

    def run(self, progress: Progress = silent) -> Answer:
        return Answer(self, {"value": Finding("people", 5)}, (), "Five people.")


@pytest.mark.parametrize(("shown", "told"), [(61, "30 or more"), (29, 29)])
def test_a_secret_input_stays_in_the_window_and_in_project_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: int, told: object
) -> None:
    monkeypatch.setattr(registry, "ENTRIES", (registry.Entry("secretive", "Secretive", f"{__name__}:SecretDesign"),))
    design = SecretDesign(shown=shown)
    assert design.to_public_json() == {"kind": "secretive", "name": "", "age": "value", "shown": told}
    assert design.line == ("2 numbers" if shown >= 30 else "2 numbers · m = 29")
    solved = export_of(design)
    solved.write(tmp_path / "files", "it", ["csv", "json", "tex"])
    write_project(tmp_path / "it.dpd", Project((design,)))
    (again,) = read_project(tmp_path / "it.dpd").studies
    assert again == design
    leaving = [html(report("A report", [chapter(solved)])), json.dumps(solved.data())]
    leaving += [path.read_text("utf-8") for path in (tmp_path / "files").iterdir()]
    assert len(leaving) >= 3 and not [text for text in leaving if "61918" in text or "61.918" in text]


def test_what_it_does_not_have_is_refused(file, tmp_path, capsys):
    for words, sentence in (
        (("export", str(file), "--to", str(tmp_path), "--fractions"), "contain decimals; they cannot be written as fractions"),
        (("solve", str(file), "--exact"), "there is no exact arithmetic for laplace designs"),
        (("sample", str(file)), "nothing to release"),
    ):
        assert main(list(words)) != 0
        assert sentence in capsys.readouterr().err
    with pytest.raises(InputError, match="the formats of a table of The notes are csv, tsv, json, tex, got xls"):
        export_of(LaplaceDesign(name="The notes")).check(["xls"])


#: A secret that nothing but its values could be: 37 people.
SECRET = "1101001110101100010111010010110011101"
FORMATS = "csv,tsv,json,tex,svg"


def taken(path: Path, folder: Path) -> dict[str, str]:
    given = {"solve": run("solve", path) + run("solve", path, "--json")}
    run("export", path, "--to", folder, "--formats", FORMATS)
    run("report", path, "--to", folder / "report.html")
    return given | {file.name: file.read_text("utf-8") for file in folder.iterdir()}


@pytest.mark.parametrize("tell", ["numbers", "values"])
def test_nobodys_value_is_told_unless_that_is_asked_for(tmp_path: Path, qapp: object, tell: str) -> None:
    design = dp.AttackDesign(column=SECRET, queries=148, tell=tell, name="Ill")
    path = tmp_path / "ill.dpd"
    dp.save([design], path)
    given = taken(path, tmp_path / "out")
    assert {
        "ill-error.csv",
        "ill-questions.csv",
        "ill-privacy.csv",
        "ill-findings.csv",
        "ill.json",
        "report.html",
    } <= given.keys()
    assert [name for name, text in given.items() if SECRET in text] == []
    assert json.loads(given["ill.json"])["design"]["column"] == "painted"
    assert ("ill-people.csv" in given) == (tell == "values")
    assert ("people" in json.loads(given["ill.json"])["tables"]) == (tell == "values")
    for name, title in (("people", "Without privacy: "), ("people-private", "With privacy: "), ("error", "More accurate")):
        assert re.search(f">{title}[^<]+</text>", given[f"ill-{name}.svg"]), "a picture has its title"
    assert given["report.html"].count("<figure") == 5
    assert "ill-lemma.svg" not in given  # who is asked about and how that adds up would tell values
    if tell == "values":
        rows = given["ill-people.csv"].splitlines()
        assert rows[0] == "row,value,guess" and "".join(row.split(",")[2] for row in rows[1:]) == SECRET


def test_files_of_an_attack_have_the_runs_of_the_page() -> None:
    answer = registry.run(dp.AttackDesign(n=30, queries=60))
    page = {"solve": answer, "curves": Found(answer, answer.find_curves())}
    for_file, from_page = export_of(answer.design), export_of(answer.design, done=page)
    assert [file.text for file in for_file.files("it", ["csv"])] == [file.text for file in from_page.files("it", ["csv"])]
    assert str(for_file.panels()[-1].lines[0].name) == "this attack, mean of 3 runs"


def test_the_runs_of_an_attack_are_counted_while_its_tables_are_made(tmp_path: Path) -> None:
    told = list[str]()
    export_of(dp.AttackDesign(n=31, queries=60)).write(tmp_path, "it", ["csv"], progress=lambda share, text="": told.append(text))
    assert any(re.fullmatch(r"\d+ of \d+ runs", text) for text in told)


def test_an_audit_names_nobody(tmp_path: Path, qapp: object) -> None:
    answers, column = tmp_path / "at-home" / "published.csv", tmp_path / "column-at-home.csv"
    answers.parent.mkdir()
    answers.write_text("answer,error,rows\n2,0,1 2 3\n1,0,2 3\n", "utf-8")
    column.write_text("ill\n1\n0\n1\n", "utf-8")
    path = tmp_path / "audit.dpd"
    dp.save([dp.AttackDesign(answers=answers, column=f"{column}#ill", name="Audit")], path)
    given = taken(path, tmp_path / "out")
    assert [name for name, text in given.items() if "at-home" in text and name != "solve"] == []
    assert "certain" in given["audit-findings.csv"] and "audit-people.csv" not in given
    told = json.loads(given["audit.json"])
    assert told["findings"]["certain"] == 1 and told["design"]["answers"] == "published answers"
    assert told["findings"]["unasked"] == 2


def test_the_report_of_an_audit_lists_exposing_answers_and_says_what_to_do(tmp_path: Path) -> None:
    answers = tmp_path / "wards.csv"
    answers.write_text("answer,error,rows\n" + "".join(f"1,0,{row}\n" for row in range(1, 13)) + "1,0,13 14\n", "utf-8")
    heading = "Answers that expose all they count"
    (listed, first), (advised, advice) = export_of(dp.AttackDesign(answers=answers)).stated()
    assert (str(listed), first) == (heading, "; ".join(f"{k}: 1 person" for k in range(1, 13)))
    left = "If you leave out every answer that alone exposes somebody, 0 of 14 values stay certain. "
    left += "A gap can itself show what was left out."
    assert (str(advised), advice.partition(" With a total")[0]) == ("What to do", f"Publish noisy counts. {left}")
    shown = dict(export_of(dp.AttackDesign(answers=answers, tell="values", epsilon=100)).stated())
    assert shown[heading].startswith("1: row 1; 2: row 2; ") and shown["What to do"].endswith("Choose an ε below 100.")
    answers.write_text("answer,error,rows\n1,0,1 2\n", "utf-8")
    assert export_of(dp.AttackDesign(answers=answers)).stated() == [], "no value is certain"


def test_the_report_of_an_audit_names_the_answers_left_out(tmp_path: Path) -> None:
    (answers := tmp_path / "wards.csv").write_text(
        "ward,answer,error,rows\nNorth,1,0,1\nSouth,1,0,2 3\nWest,1,0,2 3 4\n", "utf-8"
    )
    for out, names in (("1 3", "North; West"), ("1 2 3", "North; South; West")):  # also where no value is certain then
        told = [(str(label), text) for label, text in export_of(dp.AttackDesign(answers=answers, left_out=out)).stated()]
        assert ("Answers left out", names) in told


def test_the_report_of_an_audit_is_complete_alone(tmp_path: Path) -> None:
    answers = tmp_path / "wards.csv"
    answers.write_text("answer,error,rows\n2,0,1 2 3\n1,0,2 3\n", "utf-8")
    export = export_of(dp.AttackDesign(answers=answers, column="101"))
    assert str(export.line) == "answers in wards.csv" and "the values of 1 of 3 people follow" in export.sentence
    proof = " ".join(map(str, export.proof()))
    assert "two linear programs find the least and the largest value" in proof and "found a column of 0 and 1" in proof
    assert export.stated() == [
        ("Answers that expose with others", "1; 2"),
        ("What to do", "Publish noisy counts. With a total ε of 1, the noise is larger than 1 of the 2 counts."),
    ]
    assert ("right by guessing 1 for everyone", "2") in [(str(label), str(text)[:1]) for label, text in export.facts()]


def test_answers_that_clash_are_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dpdesigner.cli import main

    answers = tmp_path / "answers.csv"
    answers.write_text("answer,error,rows\n2,0,1\n", "utf-8")
    path = tmp_path / "audit.dpd"
    dp.save([dp.AttackDesign(answers=answers)], path)
    assert main(["solve", str(path)]) == 2
    assert "this answer is impossible: answer 1 says 2 of 1 people." in capsys.readouterr().err


def test_there_is_nothing_to_release(tmp_path: Path) -> None:
    with pytest.raises(dp.InputError, match="attack design has nothing to release"):
        from dpdesigner.files.export import export_of

        export_of(dp.AttackDesign(n=10, queries=20)).release(1)
