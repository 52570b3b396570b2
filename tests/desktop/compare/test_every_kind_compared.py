"""Of every kind: designs that differ are never called the same, and what is pinned has the header's own figure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.compare.comparison import Comparison
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies import registry
from dpdesigner.studies.base import DeclaredDesign
from dpdesigner.studies.exhibits.listing import exhibit
from dpdesigner.studies.findings import format_finding

KINDS = [entry.kind for entry in registry.ENTRIES]


def starting(kind: str) -> Any:
    if kind == "exhibit":
        return exhibit("grs/example-2.2")
    return registry.entry(kind).page_class().starting_study(kind)


def altered(value: Any) -> Iterator[Any]:
    """Other values like this one, of which some may be refused."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
        yield value / 2
    elif isinstance(value, str):
        yield from (str(float(value) + 1), str(float(value) / 2)) if value.replace(".", "", 1).isdigit() else ()
        yield from ("geometric", "exponential", "replace", "add-remove", "laplace", "squared", "binomial:0.3", "integer", "none")
    elif isinstance(value, dict):
        for key in value.keys() - {"name"}:
            yield from ({**value, key: other} for other in altered(value[key]))
    elif isinstance(value, list) and value:
        for other in altered(value[0]):
            yield [other, *value[1:]]


def neighbours(design: Any) -> Iterator[tuple[str, Any]]:
    """Designs that have another value of one input, of those that matter."""
    data = design.to_json()
    idle = {each.key for each in design.inputs() if not each.matters(design)} if isinstance(design, DeclaredDesign) else set()
    idle |= set() if data.get("path") else {"column"}
    for key, value in data.items():
        if key in ("kind", "name", "exhibit") or key in idle:
            continue
        for other in altered(value):
            try:
                changed = type(design).from_json(json.loads(json.dumps({**data, key: other})))
            except (DpDesignerError, TypeError):
                continue
            if changed.to_json() != data:
                yield key, changed
                break


@pytest.mark.parametrize("kind", KINDS)
def test_a_design_with_another_input_is_not_the_same(qtbot: QtBot, kind: str) -> None:
    design = starting(kind)
    page: Page[Any, Any] = registry.entry(kind).page_class()()
    qtbot.addWidget(page)
    page.set_study(design)
    seen = 0
    for key, other in neighbours(design):
        compared = Comparison(("a", "b"), page.portrait(other, {}), page.portrait(design, {}))
        assert any(row.differs for row in compared.rows if not row.title), f"{key} of {kind} makes no difference"
        seen += 1
    assert seen or len(design.to_json()) <= 2


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_pinned_has_the_figure_of_the_header(qtbot: QtBot, kind: str) -> None:
    design = starting(kind)
    page: Page[Any, Any] = registry.entry(kind).page_class()()
    qtbot.addWidget(page)
    page.set_study(design)
    for job in page.jobs(design):
        if job.name == "solve":
            page.outcomes["solve"] = job.run(lambda *_: None)
            page.show_outcome("solve", page.outcomes["solve"])
    summary, portrait = page.summary(), page.portrait(design, page.outcomes)
    first = next(iter(portrait.results.values()), None)
    headline = next(iter(page.outcomes["solve"].findings.values()), None) if "solve" in page.outcomes else None
    if headline is not None and headline.secret and first != headline:  # for its owner only: not in this comparison
        assert first is not None and not first.secret
    elif first is not None and summary.value:
        assert str(first.label) == summary.value_label
        if "/" in summary.value:  # a short fraction of an exhibit
            assert first.value == Fraction(summary.value)
        else:
            assert str(format_finding(first)) == summary.value


def test_curves_along_other_axes_are_not_laid_over_each_other() -> None:
    portraits = {kind: _solved(kind) for kind in ("count", "synthetic")}
    for mine in portraits.values():
        for theirs in portraits.values():
            for one, other in Comparison(("a", "b"), mine, theirs).charts:
                assert (one.x.title, one.y.title) == (other.x.title, other.y.title)
    assert Comparison(("a", "b"), portraits["count"], portraits["synthetic"]).charts == ()


def _solved(kind: str) -> Portrait:
    page = registry.entry(kind).page_class()
    return page.sketched(page.starting_study(kind))
