"""Files with anything in any place: each is what it says or is refused with one short sentence, and none takes long."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from files.hostile import FIRST, NUMBERS, changed, places, projects, tables
from hypothesis import HealthCheck, example, given, settings

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import TableText, open_table
from dpdesigner.errors import InputError
from dpdesigner.files.project import Project, dumps_project, loads_project, read_project

steady = settings(
    deadline=None,
    derandomize=True,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)


@contextmanager
def quick_and_in_one_sentence() -> Iterator[None]:
    began = time.monotonic()
    try:
        yield
    except InputError as error:
        sentence = str(error)
        assert len(sentence) < 400 and "\n" not in sentence and "\u202e" not in sentence and sentence.endswith("."), sentence
    assert time.monotonic() - began < 5


@steady
@given(projects())
def test_a_project_is_what_it_says_or_refused(text: str) -> None:
    with quick_and_in_one_sentence():
        project = loads_project(text, "hostile.dpd")
        for study in project.studies:
            study.privacy.description, study.privacy.epsilon_above  # noqa: B018  (neither may fail)
        assert loads_project(dumps_project(project)) == project


@steady
@given(tables())
@example(b"true\\released,0,1\n0,0.5,0.5\n")
def test_a_table_is_read_whole_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with quick_and_in_one_sentence():
        table = open_table(path)
        rows = list(table.rows())
        found = verify_table(rows)
        assert found.epsilon >= 0 and len(rows) == table.n_rows and {len(row) for row in rows} == {table.n_columns}
        if found.stochastic:
            assert all(sum(map(exact, map(str, row))) == 1 for row in rows if all(len(str(entry)) < 900 for entry in row))
        digits = sum(any(map(str.isnumeric, cell)) for line in data_lines(data) for cell in line)
        left = sum(len(across) for across in [table.header.startswith("as written") and data_lines(data)[0]] if across)
        left += table.n_rows if table.labels.startswith("as its") else 0
        assert digits <= table.n_rows * table.n_columns + left or table.remarks


def data_lines(data: bytes) -> list[list[str]]:
    """The cells of a table as anybody would count them: those that hold a digit cannot be overlooked."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    mark = next((mark for mark in "\t;," if mark in next(iter(text.split("\n")), "")), None)
    return [line.split(mark) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("kind", sorted(FIRST))
def test_null_is_refused_wherever_a_value_stands(kind: str) -> None:
    study = FIRST[kind]
    for path in places(study)[1:]:
        text = json.dumps({"format": "dpdesigner", "version": 1, "studies": [changed(study, path, None)]})
        if path in (("delta",), ("counts",), ("histogram", "counts")):  # null is the same as none
            loads_project(text)
            continue
        with pytest.raises(InputError) as caught:
            loads_project(text)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("kind", sorted(kind for kind in FIRST if "before" not in kind and kind != "choice of costs"))
def test_a_project_is_written_as_it_was_read(kind: str) -> None:
    text = json.dumps({"format": "dpdesigner", "version": 1, "studies": [FIRST[kind]]})
    (again,) = json.loads(dumps_project(loads_project(text)))["studies"]
    assert {key: again[key] for key in FIRST[kind]} == FIRST[kind]


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("real", {"epsilon": None}, "a noise design must have a value for epsilon, got null"),
        ("count", {"alpha": None}, "must have a value for alpha, got null"),
        ("histogram", {"epsilon": None}, "a histogram design must have a value for epsilon, got null"),
        ("histogram", {"query": "integer"}, "a histogram design may have .*, got 'query'"),
        ("choice", {"cost": "absolute"}, "a choice design may have .*, got 'cost'"),
        ("count", {"epsilon": "ln 1e99999", "alpha": 1}, "4000 digits"),
        (
            "count",
            {"prior": [1, 2, 3, "1e-99999"]},
            "the prior's weight of 3 must be a number of at most 4000 digits, got 1e-99999",
        ),
    ],
)
def test_what_would_be_changed_without_a_word_is_refused(kind: str, changes: dict[str, object], words: str) -> None:
    text = json.dumps({"format": "dpdesigner", "version": 1, "studies": [{**FIRST[kind], **changes}]})
    with pytest.raises(InputError, match=words):
        loads_project(text)


def test_a_column_is_kept_without_its_file() -> None:
    study = {key: value for key, value in FIRST["histogram"].items() if key not in ("path", "counts")}
    text = json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]})
    assert json.loads(dumps_project(loads_project(text)))["studies"] == [{"name": "", **study}]


def test_a_number_that_a_double_would_lose_is_refused() -> None:
    text = json.dumps({"format": "dpdesigner", "version": 1, "studies": [FIRST["count"]]}).replace('"1/2"', "1e-400")
    with pytest.raises(InputError, match="must give numbers below 5e-324 as strings, got 1e-400"):
        loads_project(text)
    assert loads_project(text.replace("1e-400", "0e-400")) and loads_project(text.replace("1e-400", '"1e-400"'))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_level_is_what_it_says_or_refused(number: str) -> None:
    for level in (PrivacyLevel.from_epsilon, PrivacyLevel.from_alpha):
        with quick_and_in_one_sentence():
            found = level(number)
            assert found.description and found.epsilon <= found.epsilon_above
            found.alpha, found.alpha_above, found.alpha_below, found.one_minus_alpha  # noqa: B018


@pytest.mark.parametrize(
    "data",
    [
        b'{"format": "dpdesigner", "version": 1, "studies": [' * 5000,
        b'{"format": "dpdesigner", "version": 1, "studies": [{"kind": "count", "n": 1, "n": 2}]}',
        '{"format": "dpdesigner"'.encode("utf-16")[:-1],
        b'{"format": "dpdesign\xc3',
        b'{"format": "dpdesigner\\u0000", "version": 1}',
        b'{"format": "dpdesigner", "version": 1, "studies": [' + b"[" * 900 + b"]" * 900 + b"]}",
        b'{"format": "dpdesigner", "version": 1, "studies": [], "scenes": ' + b"[" * 900 + b"]" * 900 + b"}",
    ],
)
def test_broken_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / f"{'x' * 200}.dpd").write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_project(tmp_path / f"{'x' * 200}.dpd")
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


def test_long_numbers_take_no_time() -> None:
    began = time.monotonic()
    found = verify_table(TableText("1e-49999,1\n" * 500, "t.csv").rows())
    assert len(found.excesses) == 500 and "more than 1 by 1e-49999" in found.sentences[0]
    rows = TableText("\n".join([",".join(["1e-49999"] * 100)] * 100), "t.csv").rows()
    assert not verify_table(rows).stochastic
    with pytest.raises(InputError, match="common denominator of at most 20000 digits"):
        verify_table(TableText(",".join(f"1/{10**4000 + k}" for k in range(1, 20)), "t.csv").rows())
    study = {**FIRST["count"], "n": 1999, "prior": ["1e-3999"] * 2000}
    (count,) = loads_project(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]})).studies
    assert count.prior.probabilities[0] == 1 / 2000
    assert time.monotonic() - began < 5


def test_a_project_of_one_design_is_equal_to_itself_however_it_is_written() -> None:
    (study,) = loads_project(json.dumps({"format": "dpdesigner", "version": 1, "studies": [FIRST["count"]]})).studies
    assert loads_project(dumps_project(Project((study,))).encode("utf-16").decode("utf-16")) == Project((study,))
