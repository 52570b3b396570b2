"""Tables are read and looked into quickly; a drag is computed in doubles, and agrees with what is exact."""

from __future__ import annotations

import random
from fractions import Fraction
from time import perf_counter

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.studies.inspect.run import run

pytest.importorskip("scipy.special")


def test_a_drag_in_doubles_agrees_with_the_fractions() -> None:
    source = random.Random(7)
    rows = [[source.randint(1, 1000) for _ in range(9)] for _ in range(9)]
    table = [[Fraction(entry, sum(row)) for entry in row] for row in rows]
    design = dp.InspectDesign(table, epsilon="0.3", false_alarms="0.07", delta="0.01")
    exactly, roughly = run(design), run(design, roughly=True)
    assert exactly.profile.exact and not roughly.profile.exact
    for key in ("success", "found_out", "delta", "exp_epsilon", "best_loss", "rho", "mu", "epsilon_at_delta"):
        assert roughly.findings[key].number == pytest.approx(exactly.findings[key].number, rel=1e-9), key


def test_a_table_of_a_million_entries_is_read_within_seconds() -> None:
    places = np.arange(1001)
    alpha = np.exp(-0.05)
    table = (1 - alpha) / (1 + alpha) * alpha ** abs(places[:, np.newaxis] - places)
    whole = np.rint(table * 10**12).astype(np.int64)
    whole[places, places] += 10**12 - whole.sum(axis=1)
    text = "\n".join(",".join(f"0.{entry:012d}" for entry in row) for row in whole.tolist())
    begun = perf_counter()
    answer = run(dp.InspectDesign(text))
    assert perf_counter() - begun < 20, "some 3 seconds on an idle machine"
    assert answer.releases.n == 1000 and 0 < answer.findings["delta_floor"].number < 1e-11, "the zeros of the text"
