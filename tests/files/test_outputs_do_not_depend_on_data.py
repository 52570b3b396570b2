"""What may not depend on private data does not: the same design with other data of the same size gives the same bytes.

Every kind is in one of two lists, so that a new kind is refused here until it says which data of it are private.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden import run

import dpdesigner as dp
from dpdesigner.notebook.display import html
from dpdesigner.notebook.sweep import sweep_to
from dpdesigner.studies.registry import ENTRIES

Made = Callable[[Path, int], dict[str, Any]]

#: Kinds without private data, or whose outputs are themselves drawn from them, which cannot be the same twice: why, and where a
#: marker is looked for instead.
OTHERS = {
    "count": "a prior and a loss are beliefs; the true count is told to `sample` only: tests/test_secrets.py",
    "noise": "a query, no data",
    "attack": "numbers of people are told, nobody's value is: tests/files/export/test_attack.py",
    "synthetic": "the made-up column is drawn from the data: tests/files/export/test_synthetic.py",
    "interval": "the made-up column is drawn from the data: tests/files/export/test_synthetic.py",
    "rectangle": "the rows are drawn from the data: tests/studies/rectangle",
    "net": "the probabilities are the owner's, and it is said: tests/studies/net",
    "halfspace": "the structure is drawn from the data: tests/studies/halfspace",
    "sizes": "no data",
    "exhibit": "no data",
}


def people(folder: Path, place: int) -> Path:
    """A file of as many people, of whom more or fewer have answered a, b and c, and who bid in another way."""
    counts = ((4, 9, 7), (13, 2, 5))[place]
    rows = [f"{answer},{5 + k * (place + 1)}" for answer, count in zip("abc", counts, strict=True) for k in range(count)]
    path = folder / "people.csv"
    path.write_text("\n".join(["answer,bid", *rows, ""]), "utf-8")
    return path


def histogram(folder: Path, place: int) -> dict[str, Any]:
    where = {"path": str(people(folder, place)), "column": "bid"}
    return {"kind": "histogram", "cells": "0..40 by 10", "neighbours": "add-remove", "epsilon": 1, "cost": "absolute", **where}


def counted(folder: Path, place: int) -> dict[str, Any]:
    where = {"path": str(people(folder, place)), "column": "answer", "categories": ["a", "b", "c"]}
    return {"kind": "choice", "neighbours": "changes", "epsilon": 1, **where}


def bids(folder: Path, place: int) -> dict[str, Any]:
    values = ((10, 20, "61.918273", 30), (5, 5, 70, 44))[place]
    return {"kind": "auction", "bids": list(values), "cap": 100, "epsilon": 1, "bids_are": "secret"}


def curves(folder: Path, place: int) -> dict[str, Any]:
    values = ([[10, 3], [20, 1]], [[61, 2]]) if place else ([[12, 2], [50, 1]], [[33, 1]])
    return {"kind": "auction", "demand": list(values), "cap": 100, "epsilon": 1, "bids_are": "secret"}


def bids_of_a_file(folder: Path, place: int) -> dict[str, Any]:
    return {"kind": "auction", "path": str(people(folder, place)), "column": "bid", "cap": 100, "epsilon": 1}


PRIVATE: list[Made] = [histogram, counted, bids, curves, bids_of_a_file]


def test_every_kind_says_what_of_it_is_private(tmp_path: Path) -> None:
    known = {str(made(tmp_path, 0)["kind"]) for made in PRIVATE} | OTHERS.keys()
    assert {entry.kind for entry in ENTRIES} <= known


def everything(file: Path, folder: Path) -> dict[str, bytes]:
    """All that a design gives before anything is drawn from it: texts, files, pictures, report, notebook, summary of a sweep."""
    given = {"solve": run("solve", file).encode(), "solve --json": run("solve", file, "--json").encode()}
    for wanted in ("csv", "tsv", "json", "tex", "svg", "png"):
        try:
            given[f"printed {wanted}"] = (
                run("export", file, "--to", folder, "--formats", wanted).replace(str(folder), "").encode()
            )
        except AssertionError as refused:  # some tables are not written, in one sentence
            given[f"printed {wanted}"] = str(refused).replace(str(folder), "").encode()
    run("report", file, "--to", folder / "report.html")
    (design,) = dp.read(file)
    outcome = dp.solve(design)
    given["repr"], given["notebook"] = repr(outcome).encode(), html(outcome).encode()
    rows = list(sweep_to(folder / "swept", [design.to_json()], ["json"]))
    given["findings of a sweep"] = json.dumps([dict(row.findings) for row in rows]).encode()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "sweep.jsonl":  # which has the checksum of the design
            given[str(path.relative_to(folder))] = re.sub(rb"Report made by[^<]*", b"", path.read_bytes())
    return given


@pytest.mark.parametrize("made", PRIVATE, ids=lambda made: made.__name__)
def test_other_data_give_the_same_bytes(tmp_path: Path, qapp: object, made: Made) -> None:
    given = []
    for place in (0, 1):
        file = tmp_path / "it.dpd"
        study = {"name": "Private", **made(tmp_path, place)}
        file.write_text(json.dumps({"format": "dpdesigner", "version": 5, "studies": [study]}), "utf-8")
        given.append(everything(file, tmp_path / f"out{place}"))
    first, second = given
    assert first.keys() == second.keys() and len(first) >= 10
    assert [name for name in first if first[name] != second[name]] == []


def test_public_bids_are_told_with_for_whom_they_are(tmp_path: Path) -> None:
    file = tmp_path / "it.dpd"
    study = {**bids(tmp_path, 0), "bids_are": "public"}
    file.write_text(json.dumps({"format": "dpdesigner", "version": 5, "studies": [study]}), "utf-8")
    run("export", file, "--to", tmp_path / "out", "--formats", "csv,json")
    for name in ("it.json", "it-findings.csv"):
        text = (tmp_path / "out" / name).read_text("utf-8")
        assert "not private: they are for the seller" in text and text.count("61.918273") >= 1  # OPT, which is a bid
