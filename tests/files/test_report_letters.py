"""Wide tables on paper: no number is broken, and all can be read."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.files.export import Listing, export_of
from dpdesigner.files.report import Chapter, chapter, html, report
from dpdesigner.studies.count.design import CountDesign

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=timezone.utc)


def sizes(design: CountDesign, for_print: bool) -> set[float]:
    page = html(report("T", [chapter(export_of(design))], NOON), for_print=for_print)
    return {float(size) for size in re.findall(r'<td style="font-size: ([0-9.]+)pt"', page)}


def table(columns: int, letters: int) -> Listing:
    header = ("true", *map(str, range(columns)))
    return Listing("A table", header, tuple((str(i), *("x" * letters,) * columns) for i in range(3)), "")


def test_only_wide_tables_have_smaller_letters_and_only_on_paper() -> None:
    assert sizes(CountDesign(2, epsilon=1), True) == sizes(CountDesign(11, epsilon=4), False) == set()
    page = printed(table(10, 10))
    assert page.count("<table") == 1 and "font-size: 5.7pt" in page and "columns" not in page
    assert "font-size" not in printed(table(8, 10)) + printed(table(20, 10))


def printed(listing: Listing) -> str:
    """What stands on paper below the heading of the tables."""
    page = html(report("T", [Chapter("T", "", "", ("", ""), "", (), (), (listing,), (), "")], NOON), for_print=True)
    return page.partition("<h3>Tables</h3>")[2].partition("<h3")[0]


@given(st.integers(1, 40), st.integers(1, 200))
def test_tables_wider_than_the_page_are_put_in_blocks_of_columns(columns: int, letters: int) -> None:
    page = printed(table(columns, letters))
    heads = [re.findall("<th[^>]*>([^<]*)</th>", block.partition("</tr>")[0]) for block in page.split("<table")[1:]]
    assert all(head[0] == "true" for head in heads)
    assert [name for head in heads for name in head[1:]] == list(map(str, range(columns)))
    if len(heads) > 1:
        assert re.findall("columns ([0-9]+) to ([0-9]+)", page) == [(head[1], head[-1]) for head in heads]
        assert all(len(head) == 2 or 5.5 + (len(head) - 1) * (letters + 1.5) <= 106 for head in heads)
    assert page.count("<tr>") == 4 * len(heads)
