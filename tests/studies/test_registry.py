"""The one list of kinds: each has its classes and functions, and the pages are what their entries name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dpdesigner as dp
from dpdesigner.errors import InputError
from dpdesigner.files.declared_export import DeclaredExport
from dpdesigner.files.export import Export
from dpdesigner.studies import registry
from dpdesigner.studies.exhibits.exhibit import PAPERS
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.registry import ENTRIES, Entry, entry, page_of, pages

LARGEST = 1250  # lines of a kind of study
#: A count has two forms, with a delta and without, a matrix for each of eight views, and its proof; a histogram two sources,
#: numbers and texts, with its sentences (also on rows in no cell), columns kept, and what converts noise; a choice nine rules
#: and options in four forms; an audience four views; noise nine, a true answer to try it on, and steps; an auction counts all
#: prices from the same bids; an inspection has two attackers, and reads tables of which nobody says whether they have a header,
#: and says what private noise in its place costs; an attack also designs the noise to publish instead.
MORE = {
    "count": 831,
    "synthetic": 97,
    "noise": 242,
    "histogram": 451,
    "halfspace": 8,
    "choice": 400,
    "audience": 562,
    "auction": 55,
    "inspect": 246,
    "attack": 146,
}

#: How the files of exhibits begin: each exhibit is no kind of its own.
CLAIMS = tuple(f"{paper.key}_" for paper in PAPERS)


def test_kinds_that_name_the_same_page_share_it() -> None:
    assert [kind for page in pages() for kind in page.kinds if kind == page.kind] == [page.kind for page in pages()]
    assert sorted(kind for page in pages() for kind in page.kinds) == sorted(known.kind for known in ENTRIES)
    for page in pages():
        assert page.title == entry(page.kind).title and all(page_of(kind) == page for kind in page.kinds)
        assert len({entry(kind).page or kind for kind in page.kinds}) == 1
    assert page_of("histogram") == page_of("noise") and page_of("histogram").kind == "noise"
    assert page_of("net").kinds[:3] == ("synthetic", "rectangle", "net")


@pytest.mark.usefixtures("kept_answers")
@pytest.mark.parametrize("known", ENTRIES, ids=lambda known: known.kind)
def test_every_kind_runs_tells_its_findings_and_is_no_larger_than_it_may_be(known: Entry) -> None:
    design = known.study_class().starting()
    outcome = registry.run(design)
    assert design.kind == known.kind and outcome.design == design and callable(known.export_class())
    assert outcome.findings and all(isinstance(found, Finding) for found in outcome.findings.values())
    #: Its own folder, or that of another kind, with its name in each file.
    place = Path(registry.__file__).parent / known.study.partition(":")[0].split(".")[2]
    others = tuple(other.kind for other in ENTRIES if other is not known and place.name != other.kind)
    files = (
        [*place.glob(f"{known.kind}*.py")]
        if place.name != known.kind
        else [path for path in place.glob("*.py") if not path.name.startswith((*others, *CLAIMS))]
    )
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    largest = LARGEST + MORE.get(known.kind, 0)
    assert lines <= largest, f"{place} has {lines} lines, at most {largest}: new mathematics goes into core/"


@pytest.mark.usefixtures("kept_answers")
@pytest.mark.parametrize("kind", ["noise", "histogram", "choice", "auction"])
def test_an_outcome_tells_its_headline_first(kind: str) -> None:
    outcome = registry.run(entry(kind).study_class().starting())
    assert next(iter(outcome.findings)) == "value"
    assert outcome.design.line == outcome.line and outcome.badge[0] and outcome.badge[1] in ("proved", "open")


def test_a_declared_kind_takes_its_panels_away_whatever_shows_them() -> None:
    for page in ("", "desktop.fakes:FakePage"):
        assert Entry("laplace", "Laplace", "declared_kind:LaplaceDesign", page).export_class() is DeclaredExport
    assert Entry("fake", "Fake", "desktop.fakes:FakeStudy", "desktop.fakes:FakePage").export_class() is Export


def test_an_unknown_kind_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=f"must be one of {', '.join(known.kind for known in ENTRIES)}, got 'table'"):
        entry("table")


@pytest.mark.parametrize(
    "design",
    [
        dp.NetDesign([1, 2, 3], 2, queries="file: HERE", epsilon=1),
        dp.HalfspaceDesign("file: HERE", epsilon=1),
        dp.ChoiceDesign(path="HERE", column="a", epsilon=1),
        dp.HistogramDesign.starting(path="HERE", column="a"),
        dp.AuctionDesign(path="HERE", column="a", epsilon=1),
        dp.AttackDesign(column="HERE#a"),
        dp.AttackDesign(answers="HERE"),
        dp.RectangleDesign({"path": "HERE", "column": "a"}, second={"path": "HERE", "column": "b"}, epsilon=1),
    ],
    ids=lambda design: design.kind,
)
def test_data_that_were_moved_with_the_project_are_found(design: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    given = json.dumps(design.to_json())
    new.mkdir()
    (new / "data.csv").write_text("a,b,c\n1,0,1\n0,1,1\n", "utf-8")

    def at(folder: Path) -> Any:
        return type(design).from_json(json.loads(given.replace("HERE", str(folder / "data.csv"))))

    assert at(old).beside(new) == at(new) == at(new).beside(new) and at(old).beside(tmp_path) == at(old)
