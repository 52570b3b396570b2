"""Theorem A's conditions, against their definition and against the theorem itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import published
import pytest
from core import oracle
from core.strategies import COVERED, UNCOVERED, unimodal
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpdesigner.core.basics.coverage import Coverage, Rows
from dpdesigner.core.basics.loss import Loss

Floats = NDArray[np.float64]


def _coverage(loss: Floats) -> Coverage:
    return Rows.of(loss).coverage(loss)


def _by_definition(rows: list[list[int]]) -> bool:
    """Some choice of peaks m(i), nondecreasing, has every row fall up to m(i) and rise from it."""

    def falls_and_rises(row: list[int], peak: int) -> bool:
        return all(row[k] >= row[k + 1] for k in range(peak)) and all(row[k] <= row[k + 1] for k in range(peak, len(row) - 1))

    choices = [[peak for peak in range(len(row)) if falls_and_rises(row, peak)] for row in rows]
    return any(list(peaks) == sorted(peaks) for peaks in product(*choices))


@given(st.integers(1, 4).flatmap(lambda m: st.lists(st.lists(st.integers(0, 3), min_size=m, max_size=m), min_size=1, max_size=4)))
@settings(max_examples=125)
def test_agrees_with_the_definition(rows: list[list[int]]) -> None:
    coverage = _coverage(np.array(rows, dtype=float))
    assert coverage.covered == _by_definition(rows)
    assert coverage.reason.endswith(".") and "\n" not in coverage.reason


@given(st.data(), st.integers(0, 5), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
@settings(deadline=None, max_examples=30)
def test_covered_losses_are_solved_by_a_remap(data: st.DataObject, n: int, alpha: Fraction) -> None:
    """The theorem, with the optimum found by another method."""
    loss = data.draw(unimodal(n))
    assert _coverage(np.array(loss, dtype=float)).covered
    weights = data.draw(st.lists(st.integers(0, 4), min_size=n + 1, max_size=n + 1).filter(any))
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    assert oracle.best_remap(prior, loss, alpha)[0] == oracle.optimum(prior, loss, alpha)


@pytest.mark.parametrize(("given_loss", "n", "alpha", "remap", "optimum"), published.UNCOVERED)
def test_known_gaps(given_loss: str, n: int, alpha: str, remap: str, optimum: str) -> None:
    loss, prior = Loss(given_loss), [Fraction(1, n + 1)] * (n + 1)
    coverage = loss.coverage(n)
    assert not coverage.covered and "a release farther from the best one can cost less" in coverage.reason
    assert oracle.best_remap(prior, loss.exact_matrix(n), Fraction(alpha))[0] == Fraction(remap)
    assert oracle.optimum(prior, loss.exact_matrix(n), Fraction(alpha)) == Fraction(optimum)


def test_footnote_4() -> None:
    """A private mechanism that no remap of G gives, and a user whose optimum it is."""
    prior = [Fraction(weight) for weight in published.FOOTNOTE_4_PRIOR]
    loss = Loss(published.PARITY).exact_matrix(2)
    assert oracle.is_private(published.FOOTNOTE_4, Fraction(1, 2))
    assert oracle.loss_of(prior, [row[::-1] for row in loss], [row[::-1] for row in published.FOOTNOTE_4]) == Fraction(2, 3)
    swapped = [[row[1], row[0], row[2]] for row in published.FOOTNOTE_4]
    assert oracle.loss_of(prior, loss, swapped) == published.FOOTNOTE_4_VALUES[0] == oracle.optimum(prior, loss, Fraction(1, 2))
    assert oracle.best_remap(prior, loss, Fraction(1, 2))[0] == published.FOOTNOTE_4_VALUES[1]


def test_reasons() -> None:
    assert "moves down" in _coverage(np.array([[1.0, 0.0], [0.0, 1.0]])).reason
    assert "true count 1" in _coverage(np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 0.0], [2.0, 1.0, 0.0]])).reason
    for given_loss in COVERED:
        assert Loss(given_loss).coverage(6).covered, given_loss
    for given_loss in UNCOVERED:
        assert not Loss(given_loss).coverage(6).covered, given_loss
    # One or two releases, or one count, leave little room.
    assert _coverage(np.array([[3.0]])).covered and _coverage(np.array([[3.0, -1.0, 0.0]])).covered


@given(st.integers(1, 12), st.integers(1, 30), st.integers(0, 2**32), st.sampled_from(["any", "one turn", "flat", "turns back"]))
@settings(deadline=None)
def test_rows_are_read_as_they_are(rows: int, m: int, seed: int, kind: str) -> None:
    """Least, largest, and where they are least, against each row on its own; copied where that is asked for."""
    rng = np.random.default_rng(seed)
    loss = rng.integers(0, 3, (rows, m)).astype(float)
    if kind != "any":
        loss = np.abs(np.arange(m) - np.sort(rng.integers(0, m, (rows, 1)), axis=0)) // (2.0 if kind == "flat" else 1.0)
    if kind == "turns back":
        loss[rng.integers(rows), rng.integers(m)] += rng.integers(-2, 3)
    copy = np.empty_like(loss)
    read = Rows.of(loss, copy)
    assert np.array_equal(copy, loss)
    assert np.array_equal(read.low, loss.min(axis=1)) and np.array_equal(read.high, loss.max(axis=1))
    for row, first, last in zip(loss, read.first, read.last, strict=True):
        least = np.flatnonzero(row == row.min())
        turns_once = not (np.diff(row[: least[0] + 1]) > 0).any() and not (np.diff(row[least[0] :]) < 0).any()
        assert (first <= last) == turns_once
        if turns_once:
            assert (first, last) == (least[0], least[-1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (0, 40), (20, 20), (20, 21), (40, 3), (40, 40)])
def test_what_is_no_number_is_seen(bad: float, place: tuple[int, int]) -> None:
    loss = np.abs(np.arange(41.0)[:, None] - np.arange(41))
    loss[place] = bad
    read = Rows.of(loss)
    assert not (np.isfinite(read.low).all() and np.isfinite(read.high).all())
