"""Many weights held as an array: the same prior as from a list, equal by value, and written as numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.problem.weights import Weights
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign

N = 3000
DRAWN = np.random.default_rng(1).random(N + 1)


def test_an_array_and_a_list_are_the_same_prior() -> None:
    held, listed = Prior(DRAWN, N), Prior(DRAWN.tolist(), N)  # type: ignore[arg-type]
    assert isinstance(held.specification, Weights)
    assert held == listed and hash(held) == hash(listed)
    assert held.probabilities.tolist() == listed.probabilities.tolist()
    assert held.exact[:3] == listed.exact[:3] and sum(held.exact) == 1
    assert held != Prior(DRAWN[::-1], N)  # type: ignore[arg-type]


def test_what_is_drawn_later_changes_nothing() -> None:
    drawn = DRAWN.copy()
    prior = Prior(drawn, N)  # type: ignore[arg-type]
    drawn[:] = 0
    assert prior.weights.tolist() == DRAWN.tolist()
    assert not prior.weights.flags.writeable


def test_few_weights_and_texts_stay_as_they_were_given() -> None:
    assert Prior(DRAWN[:4].tolist(), 3).specification == tuple(DRAWN[:4].tolist())
    texts = ["1/3"] + ["1"] * N
    assert Prior(texts, N).specification == tuple(texts)  # type: ignore[arg-type]


def test_weights_that_doubles_hardly_hold_are_those_of_their_decimals() -> None:
    tiny = Prior(np.full(N + 1, 1e-300), N)  # type: ignore[arg-type]
    assert isinstance(tiny.specification, Weights) and set(tiny.weights.tolist()) == {1.0}


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_weights_are_refused(bad: float) -> None:
    drawn = DRAWN.copy()
    drawn[7] = bad
    with pytest.raises(InputError, match="for 7"):
        Prior(drawn, N)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"n \\+ 1 = {N + 1} weights, got {N}"):
        Prior(DRAWN[:N], N)  # type: ignore[arg-type]


def test_a_design_of_many_weights_is_written_and_read_back() -> None:
    design = CountDesign(N, alpha="1/2", prior=DRAWN)
    assert CountDesign.from_json(json.loads(json.dumps(design.to_json()))) == design
