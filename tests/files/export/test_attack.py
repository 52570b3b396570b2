"""What is taken away of an attack: numbers of people and curves; nobody's value, unless that is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from golden import run

import dpdesigner as dp

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
    pictures = {"ill-people.svg", "ill-people-private.svg"}  # one icon a person
    assert pictures & given.keys() == (pictures if tell == "values" else set())
    assert given["report.html"].count("<figure") == (5 if tell == "values" else 3)
    assert "ill-lemma.svg" not in given  # who is asked about and how that adds up would tell values
    if tell == "values":
        rows = given["ill-people.csv"].splitlines()
        assert rows[0] == "row,value,guess" and "".join(row.split(",")[2] for row in rows[1:]) == SECRET


def test_an_audit_names_nobody(tmp_path: Path, qapp: object) -> None:
    answers, column = tmp_path / "published-at-home.csv", tmp_path / "column-at-home.csv"
    answers.write_text("answer,error,rows\n2,0,1 2 3\n1,0,2 3\n", "utf-8")
    column.write_text("ill\n1\n0\n1\n", "utf-8")
    path = tmp_path / "audit.dpd"
    dp.save([dp.AttackDesign(answers=answers, column=f"{column}#ill", name="Audit")], path)
    given = taken(path, tmp_path / "out")
    assert [name for name, text in given.items() if "at-home" in text and name != "solve"] == []
    assert "certain" in given["audit-findings.csv"] and "audit-people.csv" not in given
    told = json.loads(given["audit.json"])
    assert told["findings"]["certain"] == 1 and told["design"]["answers"] == "published answers"


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
        from dpdesigner.files.export.export import export_of

        export_of(dp.AttackDesign(n=10, queries=20)).release(1)
