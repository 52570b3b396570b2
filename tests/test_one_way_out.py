"""What is taken away goes one way, for every kind: nothing on it knows a kind by name, and pages touch no file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dpdesigner
from dpdesigner.files.export import Export
from dpdesigner.studies.registry import ENTRIES

PACKAGE = Path(dpdesigner.__file__).parent
KINDS = "|".join(
    {entry.study.partition(":")[0].split(".")[2] for entry in ENTRIES} | {entry.kind for entry in ENTRIES} - {"exhibit"}
)

#: Commands of their own for one kind, the one whose options depend on the exhibit, and what is written of one kind.
ALONE = ("verify.py", "new.py", "count_proof.py", "programs.py", "share.py")
#: What must know a kind through the registry only.
NEUTRAL = [
    *(path for path in (PACKAGE / "cli").glob("*.py") if path.name not in ALONE),
    *(path for path in (PACKAGE / "files").glob("*.py") if path.name not in ALONE and not path.stem.endswith("_export")),
    *(PACKAGE / "desktop" / "output").glob("*.py"),
    *(PACKAGE / "desktop" / "document").glob("*.py"),
    *(PACKAGE / "desktop" / "window").glob("*.py"),
]
PAGES = sorted((PACKAGE / "desktop" / "pages").rglob("*.py"))


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_on_the_way_knows_a_kind_by_name(path: Path) -> None:
    text = path.read_text("utf-8")
    found = re.findall(rf"(?:studies|pages|files)\.(?:{KINDS})(?:\b|_)[\w.]*", text)
    assert found + re.findall(rf"kind\b\S* *[!=]= *[\"'](?:{KINDS})", text) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(PACKAGE / "desktop" / "pages")))
def test_pages_touch_no_file(path: Path) -> None:
    text = path.read_text("utf-8")
    touching = r"QFileDialog|(?<![.\w])(?<!def )open\(|\.(?:read|write)_(?:text|bytes)|read_text|write_\w+\("
    assert not re.findall(touching, text)
    taken = re.findall(r"^from dpdesigner\.(?:data\.\w+|files\.tables) import (.+)$", text, re.M)
    known = {"EXAMPLE", "categories_text", "choice_table", "readable_kinds", "tabbed", "takes_queries"}
    assert set(", ".join(taken).split(", ")) - {""} <= known, "names, texts and tables made of numbers"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.kind)
def test_every_kind_is_taken_away_by_a_class(entry: object) -> None:
    found = entry.export_class()  # type: ignore[attr-defined]
    assert issubclass(found, Export) and set(found.formats) <= {"csv", "tsv", "json", "tex", "curve"}
    page = entry.page_class()  # type: ignore[attr-defined]
    gone = ("write_tables", "table_formats", "tables_proved", "exported", "exportFailed")
    assert [name for name in gone if hasattr(page, name)] == []
