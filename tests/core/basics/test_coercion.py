"""Arrays that are held: equal to lists of the same numbers, written as they were given, and never written to again."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core.refusals import refused
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.coercion import ArrayValues, hash_of, same
from dpdesigner.core.basics.loss import Loss, LossTable
from dpdesigner.core.basics.prior import Prior, Weights

DISTANCE = np.abs(np.arange(41.0)[:, None] - np.arange(41))


def _loss(given: Any) -> Loss:
    return Loss(given)


@given(st.integers(0, 12), st.integers(0, 2**32), st.booleans())
@settings(deadline=None)
def test_arrays_and_lists_of_the_same_numbers_are_equal(n: int, seed: int, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    loss: NDArray[Any] = rng.integers(-3, 9, (n + 1, n + 1)) if whole else rng.standard_normal((n + 1, n + 1))
    prior: NDArray[Any] = rng.integers(1, 9, n + 1) if whole else rng.random(n + 1) + 0.1
    held = CountDesign(n, alpha="1/2", prior=prior, loss=loss)
    listed = CountDesign(n, alpha="1/2", prior=prior.tolist(), loss=loss.tolist())
    assert held == listed and listed == held and hash(held) == hash(listed)
    assert json.dumps(held.to_json()) == json.dumps(listed.to_json())
    assert held.loss.exact_matrix(n) == listed.loss.exact_matrix(n) and held.prior.exact == listed.prior.exact
    assert np.array_equal(held.loss.matrix(n), listed.loss.matrix(n)) and held.loss.coverage(n) == listed.loss.coverage(n)
    other = loss.copy()
    other[rng.integers(n + 1), rng.integers(n + 1)] += 1
    assert held != CountDesign(n, alpha="1/2", prior=prior, loss=other) != listed


def test_texts_stay_texts() -> None:
    """A third is no double, and "1" is not 1: what the user typed is kept."""
    typed, held = Loss((("1/3", "0"), ("0", "1/3"))), _loss(np.eye(2) / 3)
    assert typed != held and held != typed and typed.exact_matrix(1)[0][0] == Fraction(1, 3)
    assert held.exact_matrix(1)[0][0] == Fraction("0.3333333333333333")
    assert Prior(("1", "1"), 1) != Prior(np.ones(2), 1)  # type: ignore[arg-type]


def test_whole_numbers_are_written_as_such() -> None:
    design = CountDesign(1, alpha="1/2", prior=np.array([1, 3]), loss=np.array([[0, 1], [1, 0]], dtype=np.int8))
    assert json.dumps([design.to_json()["prior"], design.to_json()["loss"]]) == "[[1, 3], [[0, 1], [1, 0]]]"
    large = _loss(np.array([[2**62 + 1, 0], [0, 1]]))
    assert large.exact_matrix(1)[0][0] == 2**62 + 1 and large.matrix(1)[0, 0] == 2.0**62
    assert large != _loss(np.array([[2.0**62, 0], [0, 1]]))


def test_zero_has_no_sign() -> None:
    plain, minus = _loss(DISTANCE), _loss(np.where(DISTANCE == 0, -0.0, DISTANCE))
    assert plain == minus and hash(plain) == hash(minus)


def test_what_is_drawn_later_changes_nothing_and_nothing_can_be_written() -> None:
    loss, prior = DISTANCE.copy(), np.ones(41)
    design = CountDesign(40, epsilon=1, prior=prior, loss=loss)
    loss[:], prior[:] = 7, 0
    assert design.loss.matrix(40)[0, 1] == 1 and design.prior.weights.min() == 1
    for array in (design.loss.matrix(40), design.prior.weights, *design.loss.bounds(40)[:2]):
        assert array is not loss and array is not prior
    for held in (design.loss.matrix(40), design.prior.weights):
        with pytest.raises(ValueError, match="read-only"):
            held[0] = 7


def test_a_changed_copy_holds_the_same_arrays() -> None:
    design = CountDesign(40, epsilon=1, prior=np.ones(41), loss=DISTANCE)
    changed = design.replace(epsilon=2, name="other")
    assert changed.loss is design.loss and changed.prior is design.prior
    assert Loss(design.loss.specification).specification is design.loss.specification
    assert design.loss.matrix(40) is changed.loss.matrix(40)


def test_designs_travel_without_what_was_worked_out() -> None:
    design = CountDesign(40, epsilon=1, prior=np.ones(41), loss=DISTANCE)
    empty = len(pickle.dumps(design))
    outcome, number = solve(design), hash(design)
    assert len(pickle.dumps(design)) < empty + 200 and number == hash(outcome.design)
    for twin in (pickle.loads(pickle.dumps(design)), copy.deepcopy(design)):
        assert twin == design and solve(twin).value == outcome.value
        assert not twin.loss.matrix(40).flags.writeable and not twin.prior.weights.flags.writeable


def test_hashes_hold_in_another_process() -> None:
    """Texts are hashed otherwise in each process: a hash that travelled along would be wrong there."""
    design = CountDesign(3, epsilon=1, prior=("1/3", "1", "1", "1"), loss="squared")
    hash(design)
    code = (
        "import sys, pickle; design = pickle.loads(bytes.fromhex(sys.stdin.read()));"
        "print(hash(design) == hash(type(design).from_json(design.to_json())))"
    )
    sent = pickle.dumps(design).hex()
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.parametrize("place", [(0, 0), (3, 7), (40, 40)])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_losses_that_are_no_numbers_are_refused_where_they_stand(place: tuple[int, int], bad: float) -> None:
    loss = DISTANCE.copy()
    loss[place] = bad
    with refused("loss", f"i = {place[0]}, r = {place[1]}", "finite"):
        _loss(loss)


def test_losses_that_are_too_large_are_refused() -> None:
    with refused("loss", "between -1e100 and 1e100"):
        CountDesign(40, epsilon=1, loss=DISTANCE * 1e99)


@pytest.mark.parametrize("shape", [(0, 0), (2, 3), (4,)])
def test_arrays_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with refused("loss", "as many rows as columns"):
        _loss(np.zeros(shape))


def test_other_arrays_are_read_as_lists() -> None:
    assert _loss(np.array([["1/3", "0"], ["0", "1"]])).specification == (("1/3", "0"), ("0", "1"))
    assert _loss(np.array([[Fraction(1, 3), 0], [0, 1]], dtype=object)).exact_matrix(1)[0][0] == Fraction(1, 3)
    with refused("loss", "i = 0, r = 0"):
        _loss(np.eye(2) > 0)
    assert _loss(np.eye(3, dtype=np.float32)).matrix(2).dtype == np.float64
    assert np.array_equal(_loss(DISTANCE[::-1, ::-1].T).matrix(40), DISTANCE)


def test_held_numbers_behave_like_tuples_of_numbers() -> None:
    row, table = Weights(np.array([0.0, 0.5, 1.0])), LossTable(np.array([[0, 1], [2, 0]]))
    assert list(row) == [0.0, 0.5, 1.0] and len(row) == 3 and row[1] == 0.5 and 0.5 in row
    assert list(table) == [[0, 1], [2, 0]] and table[1] == [2, 0]
    assert same(row, (0.0, 0.5, 1)) and same((0.0, 0.5, 1), row) and not same(row, (0.0, 0.5)) and not same(row, "uniform")
    assert same(table, ((0, 1), (2, 0))) and hash_of(table) == hash_of(((0, 1), (2.0, 0)))
    assert row != "uniform" and row == ArrayValues(np.array([0.0, 0.5, 1.0]))
    assert repr(row) == "<3 numbers>" and repr(table) == "<2 x 2 numbers>"
