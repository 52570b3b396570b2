"""Releasing histograms."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.noise.histogram import cell_edges, cell_privacy, release, tally
from dpdesigner.errors import InputError


def test_cell_privacy() -> None:
    level = PrivacyLevel.from_epsilon("0.3")
    assert cell_privacy(level, "add-remove") == level
    assert cell_privacy(level, "replace").exact_epsilon == Fraction(3, 20)
    half = cell_privacy(PrivacyLevel.from_epsilon("ln 2"), "replace").exact_epsilon
    assert half is not None
    assert 0 <= math.log(2) / 2 - half < 1e-14
    for end in ("0", "inf"):
        assert cell_privacy(PrivacyLevel.from_epsilon(end), "replace").epsilon == float(end)


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_release_has_the_right_spread(neighbours: str) -> None:
    level = PrivacyLevel.from_epsilon(1)
    truth = [5] * 4000
    released = release(truth, level, neighbours, random.Random(1).randrange)  # type: ignore[arg-type]
    noise = np.array(released) - 5
    alpha = math.exp(-1 if neighbours == "add-remove" else -0.5)
    spread = 2 * alpha / (1 - alpha) ** 2
    assert abs(noise.mean()) < 5 * math.sqrt(spread / 4000)
    assert (noise**2).mean() == pytest.approx(spread, rel=0.25)


def test_without_privacy_the_truth_is_released() -> None:
    assert release([3, 0, 7], PrivacyLevel.from_epsilon("inf"), "replace") == (3, 0, 7)
    with pytest.raises(InputError):
        release([3], PrivacyLevel.from_epsilon(0), "replace")


def test_tally() -> None:
    assert tally([5, 0, 9.99, 10, 1000, -1], [0, 10, 20]).tolist() == [3, 1, 1]
    income = np.arange(0, 501_000, 50_000)
    assert len(tally([], income)) == 11
    assert tally([500_000, 9e9], income).tolist() == [0] * 10 + [2]


@pytest.mark.parametrize(("values", "edges"), [([1], []), ([1], [1, 1]), ([1], [2, 1]), ([math.nan], [0]), ([1], [math.inf])])
def test_bad_input(values: list[float], edges: list[float]) -> None:
    with pytest.raises(InputError):
        tally(values, edges)


@pytest.mark.parametrize("text", ["18 to 90 by 10", "18..90 by 10", "18-90 by 10", "18 – 90 by 10", "18 to 90 in steps of 10"])
def test_ranges_are_read_as_people_write_them(text: str) -> None:
    assert cell_edges(text) == tuple(map(Fraction, range(18, 90, 10)))


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("1,5", "1, 5"),
        ("0,5; 6,5", ""),
        ("1 204", "1, 204"),
        ("0, 1 204", "0, 1, 204"),
        ("1,100,200", "1, 100, 200"),
        ("100 200 300", "100, 200, 300"),
        ("18,5 65 80,5", ""),
        ("1.484,00", ""),
        ("0,5..10", ""),
        ("1 204..1 500 by 10", ""),
    ],
)
def test_a_comma_or_a_space_that_may_belong_to_a_number_is_refused(text: str, suggestion: str) -> None:
    with pytest.raises(InputError) as refused:
        cell_edges(text)
    assert refused.value.suggestion == suggestion
    if suggestion:
        assert cell_edges(suggestion) == tuple(map(Fraction, suggestion.split(", ")))


def test_the_refusal_says_what_is_allowed() -> None:
    with pytest.raises(InputError, match=r"lower edges like 0, 18, 65, or a range like 0..10 or 18 to 90 by 10, got 'many'"):
        cell_edges("many")
