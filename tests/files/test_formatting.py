"""Remaps in runs, from which every reading follows, and in words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.files.formatting import level_words, small
from dpdesigner.studies.plain_language import remap_runs, remap_words


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60))
def test_every_reading_follows_from_the_runs(remap):
    runs = remap_runs(remap)
    read = [run.read + run.step * k for run in runs for k in range(run.last - run.first + 1)]
    assert read == remap
    assert [run.first for run in runs] == [0, *(run.last + 1 for run in runs[:-1])]
    assert all(run.step in (0, 1) for run in runs)


def test_a_million_readings_are_a_few_runs_and_words():
    remap = np.clip(np.arange(1_000_001), 7, 999_990)
    assert remap_runs(remap) == [(0, 7, 7, 0), (8, 999_990, 8, 1), (999_991, 1_000_000, 999_990, 0)]
    assert remap_words(remap) == "0 to 7 as 7; 8 to 999990 as they are; 999991 to 1000000 as 999990"
    assert remap_words(remap + 1).startswith("0 to 7 as 8; 8 to 999990 as 9 to 999991;")
    assert remap_words([0, 2, 2]) == "0 2 2"
    assert remap_words([5, 0] * 40).endswith("(80 runs in total)")


def test_numbers():
    from fractions import Fraction

    assert small(Fraction(1, 3)) == "0.334"


@pytest.mark.parametrize(
    "form, number, words",
    [
        ("alpha", "1/2", "epsilon = 0.693148, alpha = 1/2"),
        ("alpha", "0", "epsilon = infinity, alpha = 0"),
        ("alpha", "1", "epsilon = 0, alpha = 1"),
        ("epsilon", "ln 2", "epsilon = ln 2, alpha = 1/2"),
        ("epsilon", "1/3", "epsilon = 1/3, alpha = 0.716531"),
        ("epsilon", "1e-9", "epsilon = 1e-9, alpha = 0.999999"),
        ("epsilon", "0.1234567890123456789012", "epsilon = 0.123457, alpha = 0.883859"),
    ],
)
def test_a_level_is_never_more_private_than_asked(form: str, number: str, words: str) -> None:
    level = PrivacyLevel.from_alpha(number) if form == "alpha" else PrivacyLevel.from_epsilon(number)
    assert level_words(level) == words
