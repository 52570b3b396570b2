"""What must stay secret is in nothing that is taken away: the rows of a column, the true counts, the true result of a release.

What is made before anything is released is made twice, from different data, and must be the same to the last byte. What is
released is random, so there markers are looked for instead, which noise meets with a probability of less than one in 100 000.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from golden import run

#: True counts of the cells 0, 1 and 2 or more: nothing else has these numbers.
COUNTS, OTHERS = (4173, 2689, 6257), (11, 4999, 3)
#: A row of a column that is not counted, and values of the one that is; both are in the last cell.
NAME, VALUES = "Zoe-Marker-71", ("27182.75", "31415.625")
SECRETS = (*map(str, (*COUNTS, sum(COUNTS))), NAME, *VALUES)
#: So little epsilon that a released count is the true one about once in four million draws.
EPSILON = "1e-6"

FORMATS = "csv,tsv,json,tex,svg,png"


def written(path: Path, counts: tuple[int, ...], name: str = NAME) -> Path:
    """A file of one row a person."""
    rows = [f"{name},{value}" for value in VALUES] if name == NAME else [f"{name},7"] * 2
    zeros, ones, more = counts
    rows += ["x,0"] * zeros + ["x,1"] * ones + ["x,2"] * (more - 2)
    path.write_text("\n".join(["name,age", *rows, ""]), "utf-8")
    return path


def design(file: Path, **histogram: Any) -> Path:
    """A design of a histogram of three cells."""
    study = {
        "kind": "histogram",
        "name": "People",
        "epsilon": EPSILON,
        "cost": "absolute",
        "cells": "0, 1, 2",
        "neighbours": "add-remove",
        **histogram,
    }
    file.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    return file


def holds(data: bytes | str, secret: str) -> bool:
    """Whether a text holds a secret, as a number of its own or with its digits in groups, in a picture within it too."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    text = re.sub(r"(?<=\d)[\u00a0\u202f\u2009' ,](?=\d{3}(?!\d))", "", text) + "\n" + text
    if re.search(rf"(?<![\w.]){re.escape(secret)}(?:\.0+)?(?![\w]|\.\d)", text):
        return True
    return any(holds(base64.b64decode(found), secret) for found in re.findall(r"base64,([A-Za-z0-9+/=]+)", text))


def found(data: bytes | str) -> list[str]:
    """The secrets that a text holds."""
    return [secret for secret in SECRETS if holds(data, secret)]


def taken(path: Path, folder: Path) -> dict[str, bytes]:
    """Everything that the command line gives of a design before it releases anything."""
    given = {"solve": run("solve", path).encode(), "solve --json": run("solve", path, "--json").encode()}
    printed = run("export", path, "--to", folder, "--formats", FORMATS) + run("report", path, "--to", folder / "report.html")
    printed += run("share", path, "--to", folder / "share.html")
    given["printed"] = printed.replace(str(folder), "").encode()
    for file in folder.iterdir():
        data = file.read_bytes()
        if file.suffix == ".html":
            data = re.sub(rb"Report made by[^<]*", b"", data)
        given[file.name] = data
    return given


def test_secrets_would_be_found() -> None:
    assert found("4173") == ["4173"] and found("a, 6\u202f257;") == ["6257"] and found('"2,689"') == ["2689"]
    assert found("x=4173.0 y") == ["4173"] and found("14173 4173.5 0.4173 41730") == []
    assert found("data:image/svg+xml;base64," + base64.b64encode(b"<text>13 119</text>").decode()) == ["13119"]
    assert found(f"<td>{NAME}</td><td>31415.625</td>") == [NAME, "31415.625"]


@pytest.mark.parametrize("kept", [False, True], ids=["of a column", "kept with the design"])
def test_nothing_that_is_not_released_depends_on_the_data(tmp_path: Path, qapp: object, kept: bool) -> None:
    people = tmp_path / "people.csv"
    given = []
    for place, counts in enumerate((COUNTS, OTHERS)):
        written(people, counts, NAME if place == 0 else "nobody")
        data = {"counts": counts} if kept else {"path": str(people), "column": "age"}
        given.append(taken(design(tmp_path / "people.dpd", **data), tmp_path / f"out{place}"))
    first, second = given
    assert len(first) > 20 and first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    assert {name: found(data) for name, data in first.items() if not name.endswith(".png") and found(data)} == {}


@pytest.mark.parametrize("query", ["real", "integer"])
def test_the_true_answer_of_noise_is_in_nothing_but_the_design(tmp_path: Path, qapp: object, query: str) -> None:
    given, path = [], tmp_path / "noise.dpd"
    for place, truth in enumerate((COUNTS[0], OTHERS[1])):
        study = {"kind": "noise", "query": query, "epsilon": EPSILON, "sensitivity": 1, "true_answer": str(truth)}
        path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
        given.append(taken(path, tmp_path / f"out{place}"))
    first, second = given
    assert len(first) > 8 and first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name] or b"true_answer" in first[name]] == []


def test_a_histogram_of_texts_tells_nothing_of_who_is_in_no_category(tmp_path: Path, qapp: object) -> None:
    people, path, given = tmp_path / "people.csv", tmp_path / "people.dpd", []
    study = {"kind": "histogram", "cells": "0", "neighbours": "add-remove", "epsilon": EPSILON, "cost": "absolute"}
    study |= {"path": str(people), "column": "name", "categories": ["x", "y"], "outside": "other", "listed": "public"}
    path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    for place, name in enumerate((NAME, "nobody")):
        written(people, COUNTS if place == 0 else OTHERS, name)
        given.append(taken(path, tmp_path / f"out{place}"))
        assert found(run("sample", path, "--draws", 5)) == []
    first, second = given
    assert first.keys() == second.keys() and [name for name in first if first[name] != second[name]] == []
    path.write_text(path.read_text("utf-8").replace('"other"', '"refuse"'), "utf-8")
    with pytest.raises(AssertionError, match="hold none") as caught:
        run("sample", path)
    assert found(str(caught.value)) == []


@pytest.mark.parametrize("kept", [False, True], ids=["of a column", "kept with the design"])
def test_a_sample_holds_only_what_was_released(tmp_path: Path, kept: bool) -> None:
    people = written(tmp_path / "people.csv", COUNTS)
    path = design(tmp_path / "people.dpd", **({"counts": COUNTS} if kept else {"path": str(people), "column": "age"}))
    for words in ([], ["--json"]):
        assert found(run("sample", path, "--draws", 5, *words)) == []
    assert str(people) not in run("sample", path, "--json")


def test_the_place_of_the_data_is_told_in_nothing_but_the_design(tmp_path: Path, qapp: object) -> None:
    people = written(tmp_path / "people-at-home.csv", COUNTS)
    path = design(tmp_path / "people.dpd", path=str(people), column="age")
    given = taken(path, tmp_path / "out")
    assert [name for name, data in given.items() if b"people-at-home" in data] == []


def test_the_true_count_of_a_release_is_not_among_what_is_printed(tmp_path: Path) -> None:
    """At alpha = 1 what is released says nothing of the true count. The JSON repeats `count`, as it was given."""
    study = {"kind": "count", "name": "People", "n": 9999, "alpha": "1", "prior": "uniform", "loss": "absolute"}
    path = tmp_path / "count.dpd"
    path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    assert found(run("sample", path, "--count", COUNTS[0], "--draws", 3)) == []
    data = json.loads(run("sample", path, "--count", COUNTS[0], "--draws", 3, "--json"))
    assert data.pop("count") == COUNTS[0]
    assert found(json.dumps(data)) == []
