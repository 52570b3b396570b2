"""Wide tables on paper: letters so small that no number is broken."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from dpdesigner.files.report import chapter, report
from dpdesigner.files.report_html import html
from dpdesigner.files.takeaway import takeaway
from dpdesigner.studies.count import CountDesign

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=timezone.utc)


def sizes(design: CountDesign, for_print: bool) -> set[float]:
    page = html(report("T", [chapter(takeaway(design))], NOON), for_print=for_print)
    return {float(size) for size in re.findall(r'<td style="font-size: ([0-9.]+)pt"', page)}


def test_only_wide_tables_have_smaller_letters_and_only_on_paper() -> None:
    assert sizes(CountDesign(2, epsilon=1), True) == set()
    (wide,) = sizes(CountDesign(11, epsilon=4), True)
    (less_wide,) = sizes(CountDesign(9, epsilon="0.7"), True)
    assert 3.8 <= wide < less_wide < 6.5
    assert sizes(CountDesign(11, epsilon=4), False) == set()
