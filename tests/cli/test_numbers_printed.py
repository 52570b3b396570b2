"""The numbers that `solve` prints: six digits in one style, over every shipped example; all of them with --exact and --json."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from dpdesigner.studies.findings import Finding, format_finding

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
#: A number with a point or a power of ten, of a double; whole numbers and fractions are exact.
DECIMAL = re.compile(r"(?<![\w/.])\d+(?:\.\d+(?:e[-+−]?\d+)?|e[-+−]?\d+)(?![\w/])")


def faults(text: str) -> list[str]:
    """Numbers with more than six digits that count, with a useless ``.0``, or with a padded power of ten."""
    found = []
    for number in DECIMAL.findall(text):
        mantissa, _, power = number.partition("e")
        digits = mantissa.replace(".", "").lstrip("0")
        if len(digits) > 6 or mantissa.endswith(".0") or re.match(r"[-+−]?0", power) or power.startswith("+"):
            found.append(number)
    return found


def test_the_faults_are_seen() -> None:
    text = "OPT 1.7999999999999998, sold 3.0, 1.04295e+06, 1e-08; but 1.8, 3, 0.000123457, 4.4e−14, 161 551 213, 2846135/2359296"
    assert faults(text) == ["1.7999999999999998", "3.0", "1.04295e+06", "1e-08"]


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("a", 1.7999999999999998), "1.8"),
        (Finding("a", 1042950.0), "1\u202f042\u202f950"),
        (Finding("a", 3.0), "3"),
        (Finding("a", 1.0429512345e6), "1.04295e6"),
        (Finding("a", 0.69314718055994531, rounding="up"), "0.693148"),
        (Finding("a", 0.69314718055994531, rounding="down"), "0.693147"),
        (Finding("a", 4.364e-14, rounding="up", digits=1), "5e−14"),
        (Finding("a", Fraction(2846135, 2359296)), "2846135/2359296 ≈ 1.20635"),
        (Finding("a", Fraction(1, 2)), "1/2 = 0.5"),
        (Finding("a", Fraction(1, 10**8)), "1/100000000 = 1e−8"),
        (Finding("a", Fraction(10**30 + 1, 3)), "3.33333e29"),
        (Finding("a", 0.9675, share=True), "96.75%"),
        (Finding("a", float("inf")), "∞"),
        (Finding("a", -17.568995225124475), "−17.569"),
    ],
)
def test_a_line_of_the_command_line(finding: Finding, text: str) -> None:
    assert format_finding(finding, "line") == text


def test_all_digits_are_had_with_exact(run, tmp_path) -> None:
    path = tmp_path / "flu.dpd"
    path.write_bytes((EXAMPLES / "flu-cases.dpd").read_bytes())
    assert "2846135/2359296 or about 1.2063492668999567" in run("solve", path, "--exact")[1]
    assert "1.2063492668999" in run("solve", path, "--json")[1]
    assert "  1.20635\u00a0pupils\n" in run("solve", path)[1]
