"""What the command line gave for a few designs, as text that can be read and compared; see `test_golden`.

    DPDESIGNER_WRITE_GOLDEN=1 python -m pytest tests/test_golden.py tests/desktop/test_golden_window.py

writes tests/data/golden/*.txt anew: read the difference before it is committed.

    python tests/golden.py FOLDER

writes every byte to a folder: `diff -r` two of them, made on one machine before and after a change.

The designs are the shipped examples and those in tests/data/golden/designs, which are read as files of their version. One that
`CHOSEN` does not name is held by its answer only; so nothing need be done for a new example but writing its text. Held are
the files that are written, their columns, lines and numbers (of a long list its ends and a sum), the JSON of `solve` with all its
keys, what a sample is made of, and the parts of a report without its sentences. The numbers of a table that is proved on its own
text are held to the last digit; all others are compared as numbers, since another processor may round otherwise.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import dpdesigner
from dpdesigner.cli import main
from dpdesigner.files.export import Export
from dpdesigner.studies.registry import entry

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "data" / "golden"
TABLES, PICTURES = "csv,tsv,json,tex", "svg"
HOW = "write it with DPDESIGNER_WRITE_GOLDEN=1 python -m pytest tests/test_golden.py tests/desktop/test_golden_window.py"
#: Longer lists are held by their ends and a sum.
LONGEST = 6
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")


@dataclass(frozen=True)
class Case:
    """A design.

    Attributes
    ----------
    path : Path
    exact : bool
        Whether it is solved in fractions too.
    proved : bool
        Whether its tables are made in exact arithmetic, so that every machine writes the same bytes.
    unique : bool
        Whether the answer is the only one. Of a linear program with several, another version of HiGHS may find another; where the
        cost of noise is flat in gamma, another processor may.
    report : bool
        Whether a report is made as well.
    brief : bool
        Whether only its answer is held.
    """

    path: Path
    exact: bool = False
    proved: bool = False
    unique: bool = True
    report: bool = False
    brief: bool = False

    @property
    def name(self) -> str:
        """Of the file that holds it."""
        return self.path.stem


def _case(name: str, **given: bool) -> Case:
    own = FOLDER / "designs" / f"{name}.dpd"
    return Case(own if own.exists() else ROOT / "resources" / "examples" / f"{name}.dpd", **given)


#: What is held of more than the answer, or otherwise.
CHOSEN = (
    _case("paper-user", proved=True, report=True),
    _case("two-points", exact=True, proved=True),
    _case("flu-cases", exact=True, proved=True),
    _case("flu-expected", exact=True, proved=True),
    _case("meals", exact=True, proved=True),
    _case("hospital-beds", proved=True),
    _case("doctor-visits", exact=True, proved=True),
    _case("doctor-visits-published", report=True),
    _case("applicants", report=True),
    _case("hours-of-sport", report=True),
    _case("count-outside-the-theorem", unique=False, report=True),
    _case("count-drawn-loss", exact=True, proved=True),
    _case("count-large"),
    _case("noise-compared"),
    _case("noise-integer", report=True),
    _case("noise-drawn-cost"),
    _case("noise-two-answers"),
    _case("noise-five-answers", unique=False),
    _case("histogram-kept"),
    _case("choice", proved=True, report=True),
    _case("choice-all-rows", proved=True),
    _case("household-price", report=True),
    _case("hundred-bids"),
    _case("five-bidders"),
    _case("attack", report=True),
    _case("survey-ages", report=True),
    _case("visits-made-up"),
    _case("flat-column"),
    _case("small-database"),
    _case("rows-needed"),
    _case("planes"),
    _case("ages-and-incomes"),
    Case(ROOT / "tests" / "data" / "demonstration.dpd"),
)
_FOLDERS = (FOLDER / "designs", ROOT / "resources" / "examples")
_OTHERS = {path.stem for folder in _FOLDERS for path in folder.glob("*.dpd")} - {case.name for case in CHOSEN}
CASES = (*CHOSEN, *(_case(name, brief=True) for name in sorted(_OTHERS)))


def run(*words: object) -> str:
    """What a command prints; it must be good."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(word) for word in words])
    assert status == 0, f"{words}: {err.getvalue()}"
    return out.getvalue()


def golden(case: Case) -> str:
    """The text of a case."""
    return "\n".join(_lines(case)) + "\n"


def _lines(case: Case) -> Iterator[str]:
    yield "== solve --json"
    yield from leaves(json.loads(run("solve", case.path, "--json")), case)
    if case.exact:
        yield "== solve --exact --json"
        yield from leaves(json.loads(run("solve", case.path, "--exact", "--json")), case)
    if case.name == "demonstration" or case.brief:  # its designs are like the others
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if case.name != "count-large":  # too many rows for a table
            run("export", case.path, "--to", folder, "--formats", f"{TABLES},{PICTURES}")
        yield "== exported files"
        files = sorted(folder.iterdir())
        yield from (_described(path) for path in files)
        for path in files:
            if path.suffix != ".svg":
                yield f"== {path.name}"
                yield from _contents(path, case)
    yield "== sample --json"
    yield from leaves(_kinds(_sampled(case)), case)
    if case.report:
        yield "== report"
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "report.html"
            run("report", case.path, "--to", path)
            yield from outline(path.read_text("utf-8"))


def _sampled(case: Case) -> Any:
    """Two draws, where there is something to release; a mechanism for a count wants the true one, a table of a choice its row."""
    design = json.loads(case.path.read_text("utf-8"))["studies"][0]
    releases = entry(design["kind"]).export_class().release is not Export.release
    if case.name.startswith("choice") or not releases:
        return {}
    return json.loads(run("sample", case.path, *(("--count", 1) if design["kind"] == "count" else ()), "--draws", 2, "--json"))


def _described(path: Path) -> str:
    title = re.search(r"<title>(.*?)</title>", path.read_text("utf-8")) if path.suffix == ".svg" else None
    return path.name + (f": {title[1]}" if title else "")


def _contents(path: Path, case: Case) -> Iterator[str]:
    text = path.read_bytes().decode("utf-8")
    if path.suffix == ".json":
        yield from leaves(json.loads(text), case)
        return
    lines = text.splitlines()
    if path.suffix == ".tsv" and text == path.with_suffix(".csv").read_bytes().decode("utf-8").replace(",", "\t"):
        yield "the csv with tabs"
        return
    yield f"{len(lines)} lines" + (f", sha256 {sha256(path.read_bytes()).hexdigest()}" if case.proved else "")
    if not case.unique:
        yield NUMBER.sub("#", lines[0])
        return
    kept = lines if len(lines) <= 2 * LONGEST else [*lines[:LONGEST], "…", lines[-1]]
    yield from (line[:300] + ("…" if len(line) > 300 else "") for line in kept)
    yield f"sum {moment(float(found) for found in NUMBER.findall(text))}"


def moment(numbers: Any) -> str:
    """A sum that changes with any of the numbers, or with their order."""
    return f"{math.fsum((1 + place % 97) * abs(number) for place, number in enumerate(numbers)):.9g}"


def leaves(value: Any, case: Case, key: str = "") -> Iterator[str]:
    """JSON values a line each, named by the keys that lead there."""
    if isinstance(value, dict):
        if not value:
            yield f"{key}: {{}}"
        for name, inner in value.items():
            yield from leaves(inner, case, f"{key}.{name}".lstrip("."))
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        yield f"{key}: {len(value)} of"
        shown = range(len(value)) if len(value) <= LONGEST else (0, 1, len(value) - 1)
        for place in shown:
            yield from leaves(value[place], case, f"{key}[{place}]")
        if len(shown) < len(value) and case.unique:
            found = NUMBER.findall(json.dumps(value).replace('"', " "))
            yield f"{key}: sum {moment(map(float, found))}"
    elif isinstance(value, list):
        shortened = value if len(value) <= LONGEST else [*value[:3], "…", value[-1]]
        words = " ".join(_word(item, case) for item in shortened)
        numbers = [item for item in value if isinstance(item, (int, float)) and not isinstance(item, bool)]
        total = f" sum {moment(numbers)}" if len(value) > LONGEST and len(numbers) == len(value) and case.unique else ""
        yield f"{key}: [{len(value)}] {words}{total}"
    else:
        masked = key.rpartition(".")[2] == "sha256" and not case.proved
        yield f"{key}: {'SHA256' if masked else _word(value, case, held=_held(key))}"


def _held(key: str) -> bool:
    """Whether a number does not depend on which of several answers was found."""
    return not any(part in key for part in ("gap", "iterations", "shift", "repair", "epsilon"))


def _word(value: Any, case: Case, held: bool = False) -> str:
    if not (case.unique or held) and (type(value) in (int, float) or (isinstance(value, str) and NUMBER.fullmatch(value))):
        return "#"
    if isinstance(value, str):
        return json.dumps(value.replace(dpdesigner.__version__, "VERSION"), ensure_ascii=False)
    return f"{value:.12g}" if isinstance(value, float) else json.dumps(value)


def _kinds(value: Any) -> Any:
    """The same with the kind of each number instead of the number, which is drawn."""
    if isinstance(value, dict):
        return {key: _kinds(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_kinds(inner) for inner in value]
    return type(value).__name__ if isinstance(value, (int, float)) and not isinstance(value, bool) else value


class _Outline(HTMLParser):
    """Headings, figures and tables of a report in order, without its sentences and numbers."""

    NAMED = ("h1", "h2", "h3", "h4", "figcaption", "th", "summary", "caption")

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open = ""
        self._text: list[str] = []
        self._heads: list[str] = []
        self._rows = self._items = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.NAMED:
            self._open, self._text = tag, []
        elif tag == "table":
            self._heads, self._rows = [], 0
        elif tag == "ul":
            self._items = 0
        self._rows += tag == "tr"
        self._items += tag == "li"

    def handle_data(self, data: str) -> None:
        if self._open:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        text = " ".join("".join(self._text).split())
        if tag == "table":
            heads = self._heads if len(self._heads) <= 12 else [*self._heads[:8], "…"]
            self.lines.append(f"  table of {self._rows} rows: {' | '.join(heads)}")
        elif tag == "ul":
            self.lines.append(f"  list of {self._items}")
        elif tag == self._open:
            if tag == "th":
                self._heads.append(text)
            else:
                self.lines.append(f"{tag} {text}")
            self._open = ""


def outline(html: str) -> list[str]:
    """The parts of a report."""
    reader = _Outline()
    reader.feed(html)
    return reader.lines


def difference(expected: str, got: str) -> str:
    """The first line in which two texts differ by more than how a processor rounds; empty if there is none."""
    old, new = expected.splitlines(), got.splitlines()
    for place in range(max(len(old), len(new))):
        before, after = (lines[place] if place < len(lines) else "(nothing)" for lines in (old, new))
        if not _same(before, after):
            return f"line {place + 1} was\n  {before}\nand is\n  {after}"
    return ""


def _same(before: str, after: str) -> bool:
    if before == after:
        return True
    if NUMBER.sub("#", before) != NUMBER.sub("#", after):
        return False
    pairs = zip(NUMBER.findall(before), NUMBER.findall(after), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-8, abs_tol=1e-10) for a, b in pairs)


def write_raw(folder: Path) -> None:
    """Write what the commands give, byte by byte, for another run of the same machine to be compared with."""
    for case in CASES:
        place = folder / case.name
        place.mkdir(parents=True, exist_ok=True)
        (place / "solve.json").write_text(run("solve", case.path, "--json"), "utf-8")
        if case.name not in ("demonstration", "count-large") and not case.brief:
            run("export", case.path, "--to", place, "--formats", f"{TABLES},{PICTURES}")


def held(name: str, got: str) -> str:
    """How a text differs from the one that is kept under a name, in words; it is kept anew where that was asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("DPDESIGNER_WRITE_GOLDEN"):
        path.write_text(got, "utf-8")
    if not path.exists():
        return f"{path.name} is not there yet: {HOW}, and commit it."
    changed = difference(path.read_text("utf-8"), got)
    return changed and f"{path.name}: {changed}\nIf that is meant: {HOW}, and read the difference."


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    write_raw(Path(sys.argv[1]))
