"""Remaps in runs, from which every reading follows, and in words."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.files.words import plain, remap_runs, remap_words, small


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
    assert remap_words([5, 0] * 40).endswith("(80 runs in all)")


def test_numbers():
    from fractions import Fraction

    assert plain(Fraction(1, 3)) == "1/3 = 0.3333333333333333"
    assert plain(2.5) == "2.5"
    assert small(Fraction(1, 3)) == "0.334"
