"""Every kind of design has all its parts; what a new one has not is said at once, in the order of CONTRIBUTING.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from every_kind import SAID
from files.test_european_decimals import READING
from files.test_exported_epsilon import TABLES
from files.test_outputs_do_not_depend_on_data import PRIVATE, RELEASED, attack
from golden import FOLDER, HOW

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.studies.registry import ENTRIES, Entry

pytestmark = pytest.mark.usefixtures("kept_answers")
TESTS = Path(__file__).parent


def missing(known: Entry, private: set[str]) -> Iterator[str]:
    """What a kind has not yet, one sentence each."""
    kind, place = known.kind, known.study.partition(":")[0].split(".")[2]
    if not any(f'"{kind}"' in path.read_text("utf-8") or kind in path.stem for path in (TESTS / "studies" / place).glob("*.py")):
        yield f"tests of its numbers and errors in tests/studies/{place}"
    if ">>>" not in (known.study_class().__doc__ or ""):
        yield "an example in the docstring of its class; then packaging/reference.py and packaging/manual.py"
    why = dp.solve(known.study_class().starting()).why
    if why and why.help.partition("#")[0] not in json.loads(resources.path("help", "contents.json").read_text("utf-8")):
        yield f"a help page resources/help/{kind}.html, named in contents.json, and `Why(help={kind!r})`"
    folder = resources.path("examples")
    listed = [each["file"] for each in json.loads((folder / "examples.json").read_text("utf-8"))]
    files = [file for file in listed if f'"kind": "{kind}"' in (folder / file).read_text("utf-8")]
    if not files:
        yield "an example in resources/examples, with its entry in examples.json"
    yield from (
        f"the golden text of {file}: {HOW}" for file in files if not (FOLDER / f"{file.removesuffix('.dpd')}.txt").is_file()
    )
    if kind not in SAID:
        yield "an entry in tests/every_kind.py, which says what it neither writes nor reads"
        return
    said = SAID[kind]
    for reason, made, where in (
        (said.no_table, kind in TABLES, "a design in TABLES of tests/files/test_exported_epsilon.py"),
        (said.no_data, kind in private, "a design in PRIVATE or RELEASED of tests/files/test_outputs_do_not_depend_on_data.py"),
        (said.no_file, kind in READING, "a design in READING of tests/files/test_european_decimals.py"),
        (said.no_cost, known.study_class().starting().spent is not None, "a property `spent` with what a release costs"),
    ):
        if bool(reason) == made:
            yield f"either {where}, or the reason in tests/every_kind.py why there is none; not both"
    if known.private == bool(said.no_data):
        yield f"`private={not known.private}` in its entry of the registry, as tests/every_kind.py says"


@pytest.fixture
def private(tmp_path: Path) -> set[str]:
    """The kinds of the designs with private data."""
    return {str(made(tmp_path, 0)["kind"]) for made in (*PRIVATE, *(made for made, _, _ in RELEASED), attack)}


@pytest.mark.parametrize("known", ENTRIES, ids=lambda known: known.kind)
def test_every_kind_has_all_its_parts(known: Entry, private: set[str]) -> None:
    wanted = list(missing(known, private))
    assert not wanted, f"the kind {known.kind} needs:\n- " + "\n- ".join(wanted)


def test_nothing_is_said_of_kinds_that_there_are_not(private: set[str]) -> None:
    assert {*SAID, *TABLES, *READING, *private} == {known.kind for known in ENTRIES}


def test_what_a_new_kind_has_not_is_said_at_once(private: set[str]) -> None:
    new = Entry("response", "Response", "dpdesigner.studies.noise.design:NoiseDesign")
    wanted = " ".join(missing(new, private))
    assert all(part in wanted for part in ("tests/studies", "examples.json", "every_kind.py")) and "docstring" not in wanted
    (count,) = (known for known in ENTRIES if known.kind == "count")
    assert list(missing(count, private | {"count"})) != []
