"""What may not depend on private data does not: the same design with other data of the same size gives the same bytes.

Three statements, each the strongest that is true of a kind:
- nothing is released by `solve`, `export` and `report`: every output has the same bytes whatever the private data are;
- something is released there, at random: every output has the same bytes once the release is the same, so that whatever is
  written is a function of what was released and of public inputs, and of nothing else;
- an attack tells how many people it gets right, which is a number of the private column: outputs differ in such numbers only,
  and hold no list of one entry a person.
Every kind is in one of these lists, or says in tests/every_kind.py why it has no private data.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import run

import dpdesigner as dp
from dpdesigner.notebook.plot import html
from dpdesigner.notebook.sweep import sweep_to
from dpdesigner.studies.synthetic import answer as synthetic
from dpdesigner.studies.synthetic import halfspace_answer as halfspace
from dpdesigner.studies.synthetic import net_answer as net
from dpdesigner.studies.synthetic import rectangle

Made = Callable[[Path, int], dict[str, Any]]


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


def small_databases(folder: Path, place: int) -> dict[str, Any]:
    counts = ((41, 3, 7, 19), (2, 30, 27, 11))[place]
    return {"kind": "net", "counts": list(counts), "size": 3, "epsilon": 1, "queries": "intervals", "net": "all", "seed": 1}


#: Designs of which `solve`, `export` and `report` release nothing.
PRIVATE: list[Made] = [histogram, counted, bids, curves, bids_of_a_file]


def values(folder: Path, place: int) -> Path:
    """A file of two columns and as many rows, spread in another way."""
    dice = random.Random(place)
    rows = [f"{dice.randrange(4, 12 + 40 * place)}.25,{dice.randrange(0, 30)}" for _ in range(120)]
    path = folder / "values.csv"
    path.write_text("\n".join(["age,income", *rows, ""]), "utf-8")
    return path


def made_up(method: str, neighbours: str = "replace") -> Made:
    def made(folder: Path, place: int) -> dict[str, Any]:
        column = {"path": str(values(folder, place)), "column": "age"}
        low, high = 0, 64
        return {
            **{"kind": "synthetic", "column": column, "low": low, "high": high, "bits": 4, "epsilon": 1, "method": method},
            **{"error": "0.2", "delta": "0.05", "neighbours": neighbours, "outside": "refuse", "seed": 7},
        }

    made.__name__ = f"{method} {neighbours}"
    return made


def two_columns(folder: Path, place: int) -> dict[str, Any]:
    path = str(values(folder, place))
    first, second = {"path": path, "column": "age"}, {"path": path, "column": "income"}
    axes = {"first": first, "low": 0, "high": 64, "second": second, "low2": 0, "high2": 32}
    return {"kind": "rectangle", **axes, "bits": 2, "epsilon": 1, "delta": "0.05", "method": "laplace", "seed": 7}


def planes(folder: Path, place: int) -> dict[str, Any]:
    dice = random.Random(place)
    rows = [",".join(f"{dice.gauss(place, 1):.4f}" for _ in range(3)) for _ in range(120)]
    path = folder / "points.csv"
    path.write_text("\n".join(["x,y,z", *rows, ""]), "utf-8")
    numbers = {"target": 2, "directions": 8, "projections": 5, "epsilon": 1, "seed": 7}
    return {"kind": "halfspace", "points": f"file: {path}", **numbers}


#: Designs whose answer has a release in it, and the function that draws it.
RELEASED: list[tuple[Made, Any, str]] = [
    *((made_up(method), synthetic, "make") for method in ("blr", "laplace", "hierarchy", "mwem", "quantiles")),
    (made_up("laplace", "add-remove"), synthetic, "make"),
    (two_columns, rectangle, "make_grid"),
    (planes, halfspace, "release"),
    (small_databases, net, "draw_small"),
]


def attack(folder: Path, place: int) -> dict[str, Any]:
    """Two columns with as many ones; that number is told."""
    bits = [1] * 50 + [0] * 100
    random.Random(place).shuffle(bits)
    asked = {"n": 150, "queries": 300, "error": "uniform", "size": "0.5 sqrt n", "attacker": "interior", "seed": 7}
    return {"kind": "attack", **asked, "column": "".join(map(str, bits)), "tell": "numbers"}


def _printed(file: Path, folder: Path, formats: str) -> bytes:
    return run("export", file, "--to", folder, "--formats", formats).replace(str(folder), "").encode()


def everything(file: Path, folder: Path) -> dict[str, bytes]:
    """All that a design gives before anything is drawn from it: texts, files, pictures, report, notebook, summary of a sweep."""
    given = {"solve": run("solve", file).encode(), "solve --json": run("solve", file, "--json").encode()}
    printed = partial(_printed, file, folder)
    try:
        given["printed"] = printed("svg,png,csv,tsv,json,tex")
    except AssertionError:  # some tables are not written, in one sentence; then all others are
        for wanted in ("svg,png", "csv", "tsv", "json", "tex"):
            try:
                given[f"printed {wanted}"] = printed(wanted)
            except AssertionError as refused:
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


def twice(made: Made, folder: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """All outputs of a design with one database and with another one; the same outputs, in any case."""
    given = []
    for place in (0, 1):
        file = folder / "it.dpd"
        study = {"name": "Private", **made(folder, place)}
        file.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
        given.append(everything(file, folder / f"out{place}"))
    first, second = given
    assert first.keys() == second.keys() and len(first) >= 10
    return first, second


@pytest.mark.parametrize("made", PRIVATE, ids=lambda made: made.__name__)
def test_other_data_give_the_same_bytes(tmp_path: Path, qapp: object, made: Made, caplog: Any) -> None:
    caplog.set_level(0)
    first, second = twice(made, tmp_path)
    assert [name for name in first if first[name] != second[name]] == []
    assert not any("61.918" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize(("made", "module", "draw"), RELEASED, ids=lambda each: getattr(each, "__name__", str(each)))
def test_what_is_not_released_has_no_influence(
    tmp_path: Path, qapp: object, monkeypatch: pytest.MonkeyPatch, made: Made, module: Any, draw: str
) -> None:
    """The release of the first database is given out for the second one too: then all bytes are the same."""
    drawn: list[Any] = []
    original = getattr(module, draw)
    calls = []

    def once(real: Any, *rest: Any, **options: Any) -> Any:
        calls.append(np.asarray(real).tobytes())
        if not drawn:
            drawn.append(original(real, *rest, **options))
        return drawn[0]

    monkeypatch.setattr(module, draw, once)
    first, second = twice(made, tmp_path)
    assert len(set(calls)) == 2  # both databases were read
    assert [name for name in first if first[name] != second[name]] == []
    assert not any(str(tmp_path).encode() in data for data in first.values())  # nor is it said where the data lie


NUMBER = re.compile(rb"\d+(?:[.,\xc2\xa0 ]\d+)*(?:e[-+]?\d+)?")


def test_an_attack_tells_numbers_of_people_and_nothing_of_one(tmp_path: Path, qapp: object) -> None:
    """Another column with as many ones: texts differ in numbers alone, and no table or list has an entry a person."""
    first, second = twice(attack, tmp_path)
    pictures = [name for name in first if name.endswith(".svg")]  # whose ticks and corners follow from the shares recovered
    for name in pictures:
        words = [{NUMBER.sub(b"#", word) for word in re.findall(rb">([^<]+)<", given[name])} for given in (first, second)]
        assert words[0] == words[1] and abs(first[name].count(b"<") - second[name].count(b"<")) < 20, name
    texts = [name for name in first if not name.endswith((".png", ".svg"))]
    attached = re.compile(rb"base64,[A-Za-z0-9+/=]+|[0-9a-f]{40,64}")  # which are the files below once more, and their checksums
    masked = [{name: NUMBER.sub(b"#", attached.sub(b"", given[name])) for name in texts} for given in (first, second)]
    assert [name for name in texts if masked[0][name] != masked[1][name]] == []
    people = {name for name in first if "people" in name}  # pictures with an icon a person, first all who are right
    assert people == {f"it-people{side}.{ending}" for side in ("", "-private") for ending in ("png", "svg")}
    for name, data in first.items():
        if name.endswith((".csv", ".tsv")):
            assert len(data.splitlines()) < 100, name
    lists = [len(each) for each in _lists(json.loads(first["it.json"]))]
    assert max(lists) < 100
    names = ("solve", "solve --json", "repr", "notebook", "it.json", "it-findings.csv")
    whole = "".join(str(bit) for bit in attack(tmp_path, 0)["column"]).encode()
    assert all(whole not in first[name] for name in names)


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    for each in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from _lists(each)


def test_public_bids_are_told_with_for_whom_they_are(tmp_path: Path) -> None:
    file = tmp_path / "it.dpd"
    study = {**bids(tmp_path, 0), "bids_are": "public"}
    file.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    run("export", file, "--to", tmp_path / "out", "--formats", "csv,json")
    for name in ("it.json", "it-findings.csv"):
        text = (tmp_path / "out" / name).read_text("utf-8")
        assert "not private. They are for the seller" in text and text.count("61.918273") >= 1  # OPT, which is a bid
