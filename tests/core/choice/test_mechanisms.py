"""Exact draws: by chi-square against the chances, and where nothing is left to chance."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chisquare

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.choice.mechanisms import (
    draw_accepted,
    draw_exponential,
    draw_noisy_max,
    draw_permute_and_flip,
    exponential_logs,
    exponents,
    laplace_logs,
    permute_and_flip_logs,
    rational_epsilon,
)

RULES = [(draw_exponential, exponential_logs), (draw_permute_and_flip, permute_and_flip_logs), (draw_noisy_max, laplace_logs)]
DRAWS = 4000


def below(seed):
    return random.Random(seed).randrange


@pytest.mark.parametrize(("draw", "logs"), RULES)
@pytest.mark.parametrize("utilities", [(3, 1, "2.5", 0), (0, 0, 0), ("1/3", "-1/7", "0.1")])
def test_as_often_as_the_chances_say(draw, logs, utilities):
    exact = [Fraction(u) for u in utilities]
    rate = Fraction(7, 10)
    chances = np.exp(logs(exponents(exact, rate)))
    source = below(5)
    counts = np.bincount([draw(exact, rate, source) for _ in range(DRAWS)], minlength=len(exact))
    assert chisquare(counts, chances * DRAWS).pvalue > 1e-4


@pytest.mark.parametrize(("draw", "logs"), RULES)
def test_from_the_systems_entropy(draw, logs):
    assert {draw([Fraction(0), Fraction(0)], Fraction(1)) for _ in range(200)} == {0, 1}
    assert {draw([Fraction(0), Fraction(10**6)], Fraction(50)) for _ in range(20)} == {1}
    assert {draw([Fraction(7)], Fraction(1)) for _ in range(3)} == {0}


def test_a_base_measure_is_met_exactly():
    source, base = below(1), (1, 0, 3)
    counts = np.bincount(
        [draw_exponential([Fraction(1), Fraction(9), Fraction(0)], Fraction(1), source, base) for _ in range(DRAWS)]
    )
    assert counts[1] == 0
    weights = np.array([np.e, 3.0])
    assert chisquare(counts[[0, 2]], weights / weights.sum() * DRAWS).pvalue > 1e-4


def test_proposals_are_accepted_by_their_cost():
    source = below(2)
    counts = np.bincount([draw_accepted(lambda: source(3), lambda x: Fraction(x, 2), source) for _ in range(DRAWS)])
    weights = np.exp(-np.arange(3) / 2)
    assert chisquare(counts, weights / weights.sum() * DRAWS).pvalue > 1e-4


def test_an_irrational_epsilon_is_rounded_to_more_privacy():
    assert rational_epsilon(PrivacyLevel.from_epsilon("1/3")) == Fraction(1, 3)
    for number in ("1/2", "0.9999999", "1e-200"):
        level = PrivacyLevel.from_alpha(number)
        found = rational_epsilon(level)
        assert found < Fraction(level.epsilon_above)
        assert float(found) == pytest.approx(level.epsilon, rel=2e-15)
        # exp(-found) > alpha: at least as private as asked
        assert PrivacyLevel.from_epsilon(found).alpha_above >= level.exact_alpha
