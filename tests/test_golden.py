"""What users and files see of a few designs is what it was; `golden` says how the texts are made anew."""

from __future__ import annotations

import pytest
from cli.test_numbers_printed import faults
from golden import CASES, FOLDER, HOW, Case, difference, golden, held, leaves, outline, run

pytestmark = pytest.mark.usefixtures("kept_answers")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_is_what_it_was_and_its_numbers_have_six_digits(case: Case, qapp: object) -> None:
    assert held(case.name, golden(case)) == ""
    assert faults(run("solve", case.path)) == []


def test_every_text_belongs_to_a_case_and_every_case_has_one() -> None:
    names, texts = {case.name for case in CASES}, {path.stem for path in FOLDER.glob("*.txt")}
    assert names - texts == set(), f"have no text yet: {HOW}"
    assert {name for name in texts - names if not name.startswith("window-")} == set(), "belong to no design: remove them"


def test_a_difference_is_found() -> None:
    text = "value: 0.25\nrows: [2] 1 2"
    assert difference(text, text.replace("0.25", "0.25000000000001")) == ""
    assert "0.2501" in difference(text, text.replace("0.25", "0.2501"))
    assert "rows" in difference(text, text.replace("rows", "lines"))
    assert "(nothing)" in difference(text, text + "\nmore: 1") and "(nothing)" in difference(text, "value: 0.25")


def test_numbers_in_long_lists_are_held_by_value_and_place() -> None:
    long = list(range(10))
    (told,) = leaves({"a": long}, CASES[0])
    assert told != next(leaves({"a": [*long[:4], 5, 4, *long[6:]]}, CASES[0]))


def test_a_report_is_held_by_its_parts() -> None:
    page = "<h3>Proof</h3><ul><li>So.</li></ul><table><tr><th>n</th><td>5</td></tr></table><p>Prose.</p>"
    assert outline(page) == ["h3 Proof", "  list of 1", "  table of 1 rows: n"]
