"""What an outcome says: one text for each value, rounded the way it promises, secrets kept."""

from __future__ import annotations

import pickle
from fractions import Fraction
from math import inf

import pytest

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.messages import message
from dpdesigner.studies.findings import Finding, Value, as_json, describe_finding, format_finding, public


@pytest.mark.parametrize(
    ("finding", "short", "full", "words"),
    [
        (Finding("found out", 0.033372, share=True, digits=2, rounding="up"), "3.4%", "0.033372", "3.4%"),
        (Finding("loss", 1.1689134, rounding="up"), "1.169", "1.1689134", "1.17"),
        (Finding("loss", Fraction(37, 24), rounding="up"), "1.5417", "37/24 or about 1.5416666666666667", "1.55"),
        (Finding("gap", 2.4e-14, digits=1, rounding="up"), "3e−14", "2.4e-14", "3e−14"),
        (Finding("loss", Fraction(1, 2**1000)), "9.3326e−302", f"a fraction of 303 digits = {2.0**-1000!r}", "9.33e−302"),
        (Finding("loss", Fraction(3, 2), rounding="up"), "1.5", "3/2 = 1.5", "1.5"),
        (Finding("alpha", 0.36787944, digits=3, rounding="down"), "0.367", "0.36787944", "0.367"),
        (Finding("share", 28.349, "%", digits=3), "28.3%", "28.349%", "28.3%"),
        (Finding("people", 12345, "people"), "12\u202f345\u00a0people", "12345\u00a0people", "12\u202f345\u00a0people"),
        (Finding("loss", inf), "∞", "∞", "∞"),
        (Finding("method", "closed form"), "closed form", "closed form", "closed form"),
        (Finding("proved", True), "yes", "yes", "yes"),
        (Finding("limit", None, note="not computed above 12 options"), "–", "–", "–"),
    ],
)
def test_a_value_is_shown_in_three_forms(finding: Finding, short: str, full: str, words: str) -> None:
    assert (format_finding(finding), format_finding(finding, "full"), format_finding(finding, "words")) == (short, full, words)


@pytest.mark.parametrize(
    ("finding", "long"),
    [
        (Finding("loss", Fraction(37, 24), rounding="up"), "37/24 ≤ 1.54166666667"),
        (Finding("bound", Fraction(37, 24), rounding="down"), "37/24 ≥ 1.54166666666"),
        (Finding("loss", Fraction(3, 4), rounding="up"), "3/4 = 0.75"),
        (Finding("loss", Fraction(2), rounding="up"), "2"),
        (Finding("loss", Fraction(1, 3**80), rounding="up"), "6.76549570119e−39"),
        (Finding("loss", 1.1689134), "1.16891340000"),
    ],
)
def test_the_long_form_has_twelve_digits_and_the_fraction_where_it_can_be_read(finding: Finding, long: str) -> None:
    assert format_finding(finding, "long") == long


def test_everything_is_told_with_what_else_is_to_be_said() -> None:
    assert describe_finding(Finding("gap", 0.25, digits=1, note="all columns checked")) == "0.25 (all columns checked)"
    assert describe_finding(Finding("limit", None, note="not computed above 12 options")) == "not computed above 12 options"
    assert describe_finding(Finding("error", Fraction(17, 60), digits=4, rounding="up", share=True, note="A")) == (
        "28.34% (17/60 or about 0.2833333333333333; A)"
    )
    assert describe_finding(Finding("error", 0.3107, digits=4, share=True)) == "31.07% (0.3107)"
    assert describe_finding(Finding("limit", None)) == "–" and describe_finding(Finding("proved", True)) == "yes"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.5, 1.5), (Fraction(1, 3), "1/3"), (inf, "inf"), (3, 3), (None, None), ("closed form", "closed form"), (True, True)],
)
def test_json_has_numbers_and_texts_only(value: Value, expected: object) -> None:
    assert as_json(Finding("x", value)) == expected


def test_secrets_stay_in_the_window() -> None:
    findings = {"value": Finding("loss", 1.0), "truth": Finding("true count", 7, secret=True)}
    assert list(public(findings)) == ["value"]


def test_numbers_and_exactness_are_told() -> None:
    assert Finding("x", Fraction(1, 4)).number == 0.25 and Finding("x", Fraction(1, 4)).exact
    assert Finding("x", "words").number is None and Finding("x", True).number is None and not Finding("x", 0.25).exact


def test_what_was_said_remembers_its_template() -> None:
    text = message("error of {method}", method=message("Laplace"))
    assert text == "error of Laplace" and text.template == "error of {method}" and text.values == {"method": "Laplace"}
    copy = pickle.loads(pickle.dumps(text))
    assert copy == text and copy.template == text.template
    assert message("50% of {x} stays as it is") == "50% of {x} stays as it is"


@pytest.mark.parametrize(
    ("value", "text"), [(123456.7, group_thousands(123450)), (1234567.0, "1.2345e6"), (-0.000123456, "−0.00012346"), (0.0, "0")]
)
def test_what_is_rounded_down_is_written_as_what_is_rounded_up(value: float, text: str) -> None:
    assert format_finding(Finding("promised", value, rounding="down")) == text
