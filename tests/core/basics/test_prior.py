"""Priors: weights of any size, kept exactly, normalised, re-binned."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core.refusals import nested, refused, short
from core.strategies import priors
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.prior import LARGEST_N, Prior, Weights
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


def test_keeps_what_was_given() -> None:
    prior = Prior(["1/4", 0, "25%", 0.5], 3)
    assert prior.specification == ("1/4", 0, "25%", 0.5)
    assert prior.exact == (Fraction(1, 4), 0, Fraction(1, 4), Fraction(1, 2))
    assert prior.probabilities.tolist() == [0.25, 0, 0.25, 0.5]
    assert prior == Prior(("1/4", 0, "25%", 0.5), 3) and hash(prior) == hash(Prior(("1/4", 0, "25%", 0.5), 3))
    assert prior.title == "drawn" and Prior("binomial:0.3", 3).title == "binomial"


def test_takes_arrays() -> None:
    assert Prior(np.array([1.0, 3.0]), 1).exact == (Fraction(1, 4), Fraction(3, 4))  # type: ignore[arg-type]
    counted = Prior(np.array([1, 3]), 1)  # type: ignore[arg-type]
    assert list(counted.specification) == [1, 3] and type(counted.specification[0]) is int and counted == Prior([1, 3], 1)


def test_numpy_integers_do_not_overflow() -> None:
    huge = np.int64(2**62)
    assert Prior([huge, huge, huge, huge], 3).exact == (Fraction(1, 4),) * 4


@given(st.integers(0, 30).flatmap(lambda n: st.tuples(st.just(n), priors(n))))
@settings(deadline=None)
def test_normalised(given_prior: tuple[int, list[Any]]) -> None:
    n, weights = given_prior
    prior = Prior(weights, n)
    assert sum(prior.exact) == 1 and min(prior.exact) >= 0
    assert prior.probabilities.sum() == pytest.approx(1, abs=1e-15 * (n + 1)) and (prior.probabilities >= 0).all()
    # What is typed is meant in decimals; a double below 1e-307 has fewer than 16 of them.
    digits = 1 if any(isinstance(weight, float) and 0 < weight < 1e-307 for weight in weights) else 16
    for probability, truth in zip(prior.probabilities, prior.exact, strict=True):
        assert abs(Fraction(probability) - truth) <= truth * Fraction(8, 10**digits) + Fraction(1, 10**320)


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1e300, 1.7e308, "1e-500", "1e500"])
def test_scale_does_not_matter(weight: Any) -> None:
    prior = Prior([weight, 0, weight], 2)
    assert prior.probabilities.tolist() == [0.5, 0, 0.5]
    assert prior.exact == (Fraction(1, 2), 0, Fraction(1, 2))


@pytest.mark.parametrize("n", [50, 3000])
def test_tiny_tails_are_held_as_they_are_drawn(n: int) -> None:
    drawn = np.exp(-np.linspace(0, 740, n + 1))
    prior = Prior(drawn, n)  # type: ignore[arg-type]
    assert 0 < drawn.min() < 1e-300 and isinstance(prior.specification, Weights)
    typed = Prior(tuple(map(repr, drawn.tolist())), n)
    assert np.array_equal(prior.weights, typed.weights) and np.array_equal(prior.probabilities, typed.probabilities)
    if n < 100:
        assert prior.exact == typed.exact


def test_arrays_cannot_be_changed() -> None:
    prior = Prior([1.0, 2.0], 1)
    for array in (prior.weights, prior.probabilities, Prior("uniform", 5).weights, Prior("uniform", 5).probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40).filter(any), st.integers(0, 60))
def test_over_another_range_counts_keep_their_odds(weights: list[float], n: int) -> None:
    prior = Prior(weights, len(weights) - 1)
    other = prior.resized(n)
    kept = prior.probabilities[: n + 1]
    assert other.n == n and other.probabilities.sum() == pytest.approx(1) and other.resized(prior.n) == prior
    if kept.any():
        assert other.probabilities[: len(kept)] == pytest.approx(kept / kept.sum()) and not other.probabilities[len(kept) :].any()


@pytest.mark.parametrize(
    ("given_prior", "mention"),
    [
        ([1, 1], "2"),
        ([1, 1, 1, 1], "4"),
        ([0, 0, 0], "zeros"),
        ([0.0, 0.0, -0.0], "zeros"),
        ([1, -1, 1], "-1"),
        ([1.0, -1.0, 1.0], "-1"),
        ([1.0, float("nan"), 1.0], "nan"),
        ([1, float("nan"), 1], "nan"),
        ([1.0, float("inf"), 1.0], "inf"),
        (["x", 1, 1], "'x'"),
        (["", 1, 1], "nothing"),
        ([None, 1, 1], "None"),
        ([True, 1, 1], "True"),
        ([b"1", 1, 1], "b'1'"),
        ([[1], 1, 1], "[1]"),
        ([{}, 1, 1], "{}"),
        ([1j, 1, 1], "1j"),
        (["1/0", 1, 1], "1/0"),
        (["-1e5000", 1, 1], ""),
        ([-(10**5000), 1, 1], ""),
        ([nested(), 1, 1], ""),
        ([], "0"),
        (None, "NoneType"),
        (True, "bool"),
        (5, "int"),
        (b"uniform", "bytes"),
        ({}, "dict"),
        ({0: 1, 1: 1, 2: 1}, "dict"),
        (np.ones((3, 3)), ""),
        (np.array(1.0), "float"),
        ("", "nothing"),
        ("uniformly", "'uniformly'"),
        ("x" * 10**6, "xxx"),
    ],
    ids=short,
)
def test_refuses(given_prior: Any, mention: str) -> None:
    with refused("prior", "prior", mention):
        Prior(given_prior, 2)


@pytest.mark.parametrize("n", [-1, 2.5, None, "x", LARGEST_N + 1])
@pytest.mark.parametrize("given_prior", ["uniform", [1, 1]])
def test_refuses_n(given_prior: Any, n: Any) -> None:
    with refused():
        Prior(given_prior, n)


def test_impossible_is_exactly_zero_and_not_too_small_for_doubles() -> None:
    assert Prior("spike:3", 5).impossible.tolist() == [True, True, True, False, True, True]
    assert not Prior("binomial:1/1000", 1999).impossible.any() and (Prior("binomial:1/1000", 1999).weights == 0).any()
    assert Prior("binomial:0", 3).impossible.tolist() == Prior(" spike:0", 3).impossible.tolist() == [False, True, True, True]
    assert Prior(("1", "0", Fraction(1, 10**400)), 2).impossible.tolist() == [False, True, False]
    assert Prior((0.5, 0.0, 0.5), 2).impossible.tolist() == [False, True, False]


def test_a_column_at_hand_is_counted_again_and_one_that_is_not_stays() -> None:
    prior = Prior.of_counts([0, 1, 1, 3, 7], 2, "ages, a.csv")
    assert prior.specification == (1, 2, 2) and prior.largest == 7
    assert prior.title == "ages, a.csv" and prior.notes == ("2 of 5 counts above 2 taken as 2",)
    wider = prior.resized(7)
    assert wider.specification == (1, 2, 0, 1, 0, 0, 0, 1) and wider.source == "ages, a.csv" and wider.largest == 7
    assert wider.resized(20).largest == 7
    gaps = Prior.of_counts([0, 1, 1, 3, 7], 2, "ages, a.csv; 1 blank cell left out")
    assert gaps.resized(7).notes == ("1 blank cell left out",) and gaps.resized(7).resized(2) == gaps
    assert wider.resized(2) == prior and prior.resized(2) is prior
    read = pickle.loads(pickle.dumps(prior))
    assert read == prior and read.largest == 2
    wide = read.resized(7)
    assert wide.title == "ages, a.csv" and wide.specification == (1, 2, 2, 0, 0, 0, 0, 0) and wide.notes == read.notes
    assert wide.resized(2) is read


def test_over_another_range_weights_stay_at_their_counts_and_what_is_cut_is_said() -> None:
    drawn = Prior((0, 3, "1/2", 0, 0.5), 4)
    wider, cut = drawn.resized(6), drawn.resized(3)
    assert wider == Prior((0, 3, "1/2", 0, 0.5, 0, 0), 6) and wider.mean == drawn.mean and wider.impossible[5:].all()
    assert cut == Prior((0, 3, "1/2", 0), 3, "; 13% of the belief was above 3") and cut.resized(4) is drawn is drawn.resized(4)
    assert cut.resized(2).notes == ("13% of the belief was above 2",) and cut.resized(9) == drawn.resized(9)
    none = drawn.resized(0)
    assert none == Prior("uniform", 0, "; all of the belief was above 0") and none.resized(6) == wider
    assert Prior("binomial:0.3", 10).resized(20) == Prior("binomial:0.3", 20)
    assert Prior("spike:15", 20).resized(7) == Prior("uniform", 7, "; all of the belief was above 7")
    assert Prior.of_counts([0, 1, 1, 3], 2, "ages, a.csv").resized(3).specification == (1, 2, 0, 1)
    assert Prior((1, 2, 1), 2, "ages, a.csv").resized(1).source == "ages, a.csv; 25% of the belief was above 1"
    assert drawn.resized(5000).mean == pytest.approx(drawn.mean)


def test_where_weights_are_from_is_part_of_them() -> None:
    prior = Prior((1, 2, 3), 2, "ages, a\x1b.csv")
    assert prior.source == prior.title == "ages, a .csv" and prior != Prior((1, 2, 3), 2)
    assert pickle.loads(pickle.dumps(prior)) == prior and hash(prior) == hash(Prior((1, 2, 3), 2, "ages, a .csv"))
    assert prior.resized(5).resized(8).title == "ages, a .csv" and not prior.resized(5).resized(8).notes
    with refused("prior", "empty for a named prior", "'a.csv'"):
        Prior("uniform", 2, "a.csv")
