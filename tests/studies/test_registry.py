"""The one list of kinds: each has its classes and functions, and the pages are what their entries name."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.registry import ENTRIES, Entry, entry, page_of, pages

LARGEST = 900  # lines of a kind of study


def test_kinds_that_name_the_same_page_share_it() -> None:
    assert [(page.kinds, page.title) for page in pages()] == [
        (("count",), "Count"),
        (("noise", "histogram"), "Noise"),
        (("choice",), "Choice"),
        (("auction",), "Auction"),
        (("attack",), "Attack"),
        (("synthetic", "rectangle", "net", "halfspace", "sizes"), "Synthetic"),
        (("exhibit",), "Papers"),
    ]
    assert page_of("histogram") == page_of("noise") and page_of("histogram").kind == "noise"


@pytest.mark.parametrize("known", ENTRIES, ids=lambda known: known.kind)
def test_every_kind_runs_and_is_no_larger_than_it_may_be(known: Entry) -> None:
    design = known.study_class()(**({"n": 5, "alpha": "1/2"} if known.kind == "count" else {}))
    assert design.kind == known.kind and registry.run(design) is not None and callable(known.takeaway_class())
    folder = Path(registry.__file__).parent / known.study.split(".")[2]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in folder.glob("*.py")) <= LARGEST


@pytest.mark.parametrize("kind", ["noise", "histogram", "choice", "auction"])
def test_an_outcome_tells_its_findings_headline_first(kind: str) -> None:
    outcome = registry.run(entry(kind).study_class()())
    assert next(iter(outcome.findings)) == "value" and all(isinstance(found, Finding) for found in outcome.findings.values())
    assert outcome.design.line == outcome.line and outcome.badge[0] and outcome.badge[1] in ("proved", "open")


def test_an_unknown_kind_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=f"must be one of {', '.join(known.kind for known in ENTRIES)}, got 'table'"):
        entry("table")
