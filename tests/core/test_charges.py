"""What is charged for rounding, provoked: cases at the edge where doubles alone would say yes and the truth is no."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core import oracle

from dpdesigner.core.basics.coverage import Rows
from dpdesigner.core.basics.prior import PROBABILITY_ERROR
from dpdesigner.core.mechanism import certificate, remap
from dpdesigner.core.mechanism.certificate import Costs, certify
from dpdesigner.core.mechanism.scores import FullScores, NearScores

_UNIT = 2.0**-53


def _passes(loss: list[float], dual: list[float], alpha: float, sizes: float, shift: float = 0.0) -> bool:
    """The full test of one column with weights 1, its roundings charged by `sizes` alone."""
    column, ones = np.array(loss)[:, None], np.ones(len(loss))
    return certificate._feasible(column, ones, np.array(dual), np.full(len(loss), sizes), alpha, shift)


def test_the_sum_with_the_shift_is_charged() -> None:
    """1 - (1 + 2^-52) + 1.5 2^-53 is below 0, but rounds to 0."""
    dual, shift = 1 + 2.0**-52, 1.5 * _UNIT
    assert Fraction(1) - Fraction(dual) + Fraction(shift) < 0 <= (shift - dual) + 1
    assert not _passes([1.0], [dual], 0.5, sizes=1.0, shift=shift)


@pytest.mark.parametrize("next_cost", [1.0, -1.0])
@pytest.mark.parametrize("alpha", [0.5, 0.3, 1 - 2.0**-40])
def test_the_error_of_alpha_is_charged(next_cost: float, alpha: float) -> None:
    """V_0 = v_0 + min(alpha v_1, v_1 / alpha) is 0 at the double, as far as doubles tell, and below 0 at a true alpha below."""
    first = -alpha if next_cost > 0 else float(1 / Fraction(alpha))
    assert _least([Fraction(first), Fraction(next_cost)], Fraction(alpha) * (1 - 4 * Fraction(_UNIT))) < 0
    assert not _passes([first, next_cost], [0.0, 0.0], alpha, sizes=0.0)


@pytest.mark.parametrize("low", [0.0, -1.0])
def test_what_the_full_test_is_given_is_charged(monkeypatch: pytest.MonkeyPatch, low: float) -> None:
    """Products with the prior are rounded: lowered where they are not negative, else charged their size."""
    seen: list[tuple[Any, Any]] = []

    def feasible(loss: Any, weights: Any, dual: Any, sizes: Any, *rest: float) -> bool:
        seen.append((weights, sizes))
        return True

    monkeypatch.setattr(certificate, "_feasible", feasible)
    prior, loss, dual = np.array([0.1, 0.3]), np.array([[low, 3.0], [7.0, 0.1]]), np.array([0.2, -0.4])
    certify(Costs(prior, loss, loss.min(axis=1), loss.max(axis=1)), dual, 1.0, 0.5)
    weights, sizes = seen[0]
    assert weights[1] <= 0.3 * (1 - 3 * _UNIT) and (weights[0] < 0.1 if low == 0 else sizes[0] >= 0.2 + 0.1 * 3)
    assert (sizes >= np.abs(dual)).all()


def test_the_sum_of_the_dual_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 + 1.5 2^-53 rounds up, so that the bound would be above the truth."""
    monkeypatch.setattr(certificate, "_least_shift", lambda *given: 0.0)
    monkeypatch.setattr(Costs, "rounding", lambda *given: 0.0)
    dual = np.array([1.0, 1.5 * _UNIT])
    value = float(dual.sum())
    assert Fraction(value) > sum(map(Fraction, dual.tolist()))
    found = certify(Costs.of(np.ones((2, 1))), dual, value, 0.5)
    assert Fraction(found.gap) >= Fraction(value) - sum(map(Fraction, dual.tolist()))


def test_the_shift_is_charged_for_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "_least_shift", lambda *given: 0.25)
    assert certify(Costs.of(np.ones((4, 1))), np.ones(4), 4.0, 0.5).gap >= 1


@pytest.mark.parametrize(("low", "size"), [(0.0, 2.0), (-3.0, 6.0)])
def test_the_expected_loss_is_charged(low: float, size: float) -> None:
    """By its own size, or the largest loss where signs differ: the sums, the powers of alpha, and the prior in both figures."""
    loss = np.array([[low, 4.0], [4.0, 8.0]])
    found = Costs(np.array([0.5, 0.5]), loss, loss.min(axis=1), loss.max(axis=1)).rounding(2.0, 0.5)
    assert found >= (96 * _UNIT + 2 * PROBABILITY_ERROR) * size and PROBABILITY_ERROR >= 48 * _UNIT


@pytest.mark.parametrize("at_once", [True, False])
def test_sums_that_are_equal_in_doubles_do_not_pass(at_once: bool) -> None:
    """Each dual is above its costs in one entry by one unit, so that V_0 < 0; most sums cannot tell."""
    rng, size, passed = np.random.default_rng(3), 12 if at_once else 160, 0
    for _ in range(300 if at_once else 60):
        prior = rng.random(size) + 0.5
        loss = np.abs(np.arange(size)[:, None] - np.arange(size)) + 1.0
        if at_once:
            loss = loss[:, [size // 2]]
        test = FullScores(prior, loss, 0.7)
        column = 0 if at_once else size // 2
        dual = prior * loss[:, column]
        place = rng.integers(size)
        dual[place] = np.nextafter(dual[place], np.inf)
        true = [Fraction(p) * Fraction(c) - Fraction(w) for p, c, w in zip(prior, loss[:, column], dual, strict=True)]
        if _least(true, Fraction(0.7)) < 0:
            passed += test.passes(dual, np.zeros(size), 0.0)
    assert passed == 0


def _least(v: list[Fraction], alpha: Fraction) -> Fraction:
    """V_0: v is in K* if and only if it is at least 0."""
    total = Fraction(0)
    for entry in reversed(v):
        total = entry + min(alpha * total, total / alpha)
    return total


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(2, 3), Fraction(1, 10)])
def test_the_exact_test_is_not_lenient(alpha: Fraction) -> None:
    """Vectors with V_0 = 0 pass; those below it by less than any double can tell do not; the oracle goes ray by ray."""
    assert not remap._passes([0], [Fraction(1)], 1, alpha, Fraction(0))  # one unit of the integers that it works in
    rng = np.random.default_rng(7)
    for _ in range(60):
        v = [Fraction(int(k), 3) for k in rng.integers(-9, 10, rng.integers(1, 7))]
        v[0] -= _least(v, alpha)
        for less in (Fraction(0), Fraction(1, 10**40), Fraction(-1, 10**40)):
            lowered = [v[0] - less, *v[1:]]
            dual = [-entry for entry in lowered]
            expected = less <= 0
            assert oracle.in_dual_cone(lowered, alpha) == expected
            assert remap._passes([0] * len(v), dual, 3, alpha, Fraction(0)) == expected
            assert remap._passes([0] * len(v), dual, 3, alpha, Fraction(1, 10**39))
            shift = remap._shift([[0] * len(v)], dual, 3, alpha)
            assert (shift == 0) == expected and oracle.in_dual_cone([entry + shift for entry in lowered], alpha)


def test_neighbouring_readings_are_told_apart_near_the_best() -> None:
    """Near scores pass no dual that all scores refuse: one unit above the costs of the chosen column at one place."""
    size = 160
    loss, prior = np.abs(np.arange(size)[:, None] - np.arange(size)) + 1.0, np.full(size, 1 / size)
    turns = Rows.of(loss).turns(size)
    assert turns is not None
    near = NearScores.of(prior, loss, 0.7, turns)
    assert near is not None
    for place in range(0, size, 7):
        dual = prior * loss[np.arange(size), near.best]
        dual[place] = np.nextafter(dual[place], np.inf)
        columns = [[Fraction(p) * Fraction(c) for p, c in zip(prior, loss[:, r], strict=True)] for r in (place, near.best[place])]
        true = min(_least([c - Fraction(w) for c, w in zip(column, dual, strict=True)], Fraction(0.7)) for column in columns)
        if true < 0:
            assert not near.passes(dual, np.zeros(size), 0.0)
