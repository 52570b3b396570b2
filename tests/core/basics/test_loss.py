"""Losses: the named ones by their definitions, in doubles and in fractions alike."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core.refusals import nested, refused, short
from core.strategies import COVERED, UNCOVERED
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.loss import Loss
from dpdesigner.errors import InputError


@pytest.mark.parametrize(
    ("given_loss", "at_3_5", "at_5_3"),
    [
        ("absolute", 2, 2),
        ("squared", 4, 4),
        ("zero-one", 1, 1),
        ("power:3", 8, 8),
        ("threshold:1", 1, 1),
        ("threshold:2", 0, 0),
        ("threshold:1.5", 1, 1),
        # Below the true count each row costs TAU, above it 1 - TAU.
        ("pinball:3/4", Fraction(1, 2), Fraction(3, 2)),
        ("pinball:0", 2, 0),
        ("pinball:100%", 0, 2),
        ("relative", Fraction(2, 3), Fraction(2, 5)),
        ("distance:0,1", 1, 1),
        ("distance:0,1,5/2", Fraction(5, 2), Fraction(5, 2)),
        ("distance:0,1,4,9", 4, 4),
        ("expression:abs(i-r)*i", 6, 10),
    ],
)
def test_definitions(given_loss: str, at_3_5: Fraction, at_5_3: Fraction) -> None:
    loss = Loss(given_loss)
    exactly = loss.exact_matrix(6)
    assert (exactly[3][5], exactly[5][3]) == (at_3_5, at_5_3)
    assert loss.matrix(6)[3, 5] == pytest.approx(float(at_3_5), rel=1e-15)
    assert loss.matrix(6)[5, 3] == pytest.approx(float(at_5_3), rel=1e-15)


@given(st.sampled_from(COVERED + UNCOVERED), st.integers(0, 9))
@settings(deadline=None)
def test_doubles_agree_with_fractions(given_loss: str, n: int) -> None:
    loss = Loss(given_loss)
    exactly = [[float(value) for value in row] for row in loss.exact_matrix(n)]
    assert loss.matrix(n) == pytest.approx(np.array(exactly), rel=1e-15)
    low, high, *_ = loss.bounds(n)
    assert (low == loss.matrix(n).min(axis=1)).all() and (high == loss.matrix(n).max(axis=1)).all()


def test_relative_at_zero() -> None:
    assert Loss("relative").matrix(2)[0].tolist() == [0, 1, 2]


def test_powers() -> None:
    assert Loss("power:1.5").matrix(9)[0, 9] == pytest.approx(27, rel=1e-15)
    assert Loss("power:1.5").exact_matrix(1) == [[0, 1], [1, 0]]
    assert Loss("power:2").exact_matrix(3) == Loss("squared").exact_matrix(3)
    with refused("loss", "rational", "power:1.5"):
        Loss("power:1.5").exact_matrix(5)


def test_matrices() -> None:
    loss = Loss([["1/3", 0.1], ["20%", -2]])
    assert loss.specification == (("1/3", 0.1), ("20%", -2)) and loss.name == "matrix"
    assert loss.exact_matrix(1) == [[Fraction(1, 3), Fraction(1, 10)], [Fraction(1, 5), -2]]
    assert loss.matrix(1).tolist() == [[1 / 3, 0.1], [0.2, -2]]
    assert loss == Loss((("1/3", 0.1), ("20%", -2))) and hash(loss) == hash(Loss((("1/3", 0.1), ("20%", -2))))


@pytest.mark.parametrize("n", [0, 2, 5])
def test_a_matrix_of_another_size_is_refused(n: int) -> None:
    loss = Loss([[0, 1], [1, 0]])
    for use in (loss.matrix, loss.exact_matrix, loss.coverage, loss.bounds):
        with refused("loss", str(n + 1), "2"):
            use(n)


def test_the_entries_of_a_matrix_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = Loss([["0", "1"], [2, "1/3"]])
    monkeypatch.setattr("dpdesigner.core.basics.loss.is_number", None)
    assert Loss(loss.specification) == loss and Loss(loss.specification).specification is loss.specification


def test_arrays_cannot_be_changed() -> None:
    for given_loss in ("absolute", "distance:0,1", "expression:i+r", [[1.0, 2.0], [3.0, 4.0]]):
        with pytest.raises(ValueError, match="read-only"):
            Loss(given_loss).matrix(1)[0, 0] = 7  # type: ignore[arg-type]


def test_titles() -> None:
    titles = {"absolute": "absolute", "zero-one": "0/1", "power:1.5": "power 1.5", "pinball:3/4": "pinball 3/4"}
    for given_loss, title in titles.items():
        assert Loss(given_loss).title == title
    assert Loss("distance:0,1").title == "drawn" and Loss("expression: i+r").title == "i+r" and Loss([[0]]).title == "matrix"
    assert Loss("power:1.5").parameter == Fraction(3, 2) and Loss("absolute").parameter is None


def test_named_losses_are_covered() -> None:
    for given_loss in COVERED[:9]:
        coverage = Loss(given_loss).coverage(10**6)
        assert coverage.covered and "Theorem A" in coverage.reason


def test_a_threshold_just_below_a_distance() -> None:
    """A parameter that a double cannot tell from 1 still means what it says."""
    loss = Loss("threshold:0." + "9" * 30)
    assert loss.matrix(1).tolist() == loss.exact_matrix(1) == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("given_loss", "mention"),
    [
        ("", "nothing"),
        ("absolutely", "'absolutely'"),
        ("absolute:1", "absolute:1"),
        ("squared:", "squared"),
        ("power", "power"),
        ("power:", "power:"),
        ("power:0", "power:0"),
        ("power:-1", "power:-1"),
        ("power:101", "power:101"),
        ("power:x", "x"),
        ("threshold:-1", "threshold:-1"),
        ("threshold:nan", "nan"),
        ("pinball:1.5", "pinball:1.5"),
        ("pinball:-10%", "pinball:-10%"),
        ("pinball:1/0", "1/0"),
        ("distance", "nothing"),
        ("distance:", "nothing"),
        ("distance:0,,1", "nothing"),
        ("distance:0,x", "'x'"),
        ("expression", "0"),
        ("expression:", "0"),
        ("x" * 10**6, "xxx"),
        ("power:" + "1" * 2000, "111"),
        ([], ""),
        ([[]], ""),
        ([[1, 2]], ""),
        ([[1, 2], [3]], ""),
        ([[0, "x"], [1, 0]], "'x'"),
        ([[0, None], [1, 0]], "None"),
        ([[0, True], [1, 0]], "True"),
        ([[0, float("nan")], [1, 0]], "nan"),
        ([[0.0, float("inf")], [1.0, 0.0]], "inf"),
        ([[0, [1]], [1, 0]], "[1]"),
        ([[0, {}], [1, 0]], "{}"),
        ([[0, 10**5000], [1, 10**5000]], ""),
        ([[nested()]], ""),
        (nested(), ""),
        ([1, 2], ""),
        (["ab", "cd"], ""),
        (None, ""),
        (True, ""),
        (5, ""),
        (b"absolute", ""),
        ({}, ""),
        ({"absolute": 1}, ""),
        (np.ones(3), ""),
        (np.ones((2, 2, 2)), ""),
        (np.array(1.0), ""),
    ],
    ids=short,
)
def test_refuses(given_loss: Any, mention: str) -> None:
    with refused("loss", "loss", mention):
        Loss(given_loss).matrix(1)


@pytest.mark.parametrize(
    "given_loss", ["distance:0,1e101", "power:100", "expression:10.0**(2*i)", [["1e200"] * 61] * 61, [[1e101] * 61] * 61]
)
def test_refuses_losses_out_of_range(given_loss: Any) -> None:
    with refused("loss", "1e100"):
        Loss(given_loss).matrix(60)


def test_a_drawn_loss_is_checked_as_its_matrix_is(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Loss("distance:0,1,1e101,5")
    assert drawn.matrix(1).max() == 1
    monkeypatch.setattr(Loss, "matrix", None)  # not needed
    drawn.check(1)
    with refused("loss", "1e100"):
        drawn.check(2)


def test_losses_at_the_edge_of_the_range() -> None:
    assert Loss("distance:0,1e100").matrix(2)[0, 1] == 1e100
    assert Loss([[-1e100, 1e100], [5e-324, -0.0]]).matrix(1).tolist() == [[-1e100, 1e100], [5e-324, 0.0]]


@pytest.mark.parametrize("spec", ["absolute", "zero-one", "power:1.5", "power:100", "threshold:2", "pinball:3/4", "relative"])
@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_a_check_refuses_what_the_matrix_refuses(spec: str, n: int) -> None:
    loss = Loss(spec)
    try:
        loss.matrix(n)
    except InputError as error:
        with pytest.raises(InputError, match="between -1e100 and 1e100"):
            loss.check(n)
        assert str(error).endswith("got more in power 100.")
    else:
        loss.check(n)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 40])
def test_named_losses_are_largest_at_the_ends(n: int) -> None:
    ends = sorted({0, min(n, 1), n})
    for spec in ("squared", "zero-one", "power:0.3", "power:3", "threshold:5", "pinball:0.9", "pinball:0", "relative"):
        matrix = Loss(spec).matrix(n)
        assert matrix[np.ix_(ends, ends)].max() == matrix.max()
