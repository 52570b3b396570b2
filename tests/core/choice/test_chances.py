"""Chances in logarithms, beside decimals of many digits."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from core.choice import by_hand

from dpdesigner.arrays import log_sum
from dpdesigner.core.choice.mechanisms import chance_of_one, exponential_logs, exponents, laplace_logs, permute_and_flip_logs

SCHOOLING = (13, 52, 248, 187, 90, 227, 127)
RULES = {
    "exponential": (exponential_logs, by_hand.exponential),
    "permute-and-flip": (permute_and_flip_logs, by_hand.permute_and_flip),
    "laplace": (laplace_logs, by_hand.noisy_max),
}


def near(logs, wanted, tolerance=1e-12):
    for log, right in zip(logs.tolist(), wanted, strict=True):
        if right > Decimal("1e-300"):
            assert abs(Decimal(math.exp(log)) / right - 1) < Decimal(tolerance)
        else:
            with by_hand.localcontext(prec=60, **by_hand.WIDE):
                assert abs(Decimal(log) / right.ln() - 1) < Decimal("1e-14")


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    "scores",
    [
        (0, 0),
        (0, -1),
        (0, 0, 0, 0, 0),
        (0, "-0.001", "-0.002", -5, "-5.5", -40),
        (0, -30, -30, -31, -90),
        (0, -600),
        (0, -1, -699),
        (0, -60, -61, "-60.0001"),
        *[tuple(np.round(-np.random.default_rng(seed).random(9) * size, 9)) for seed, size in enumerate((0.1, 1, 5, 40, 300))],
    ],
)
def test_as_by_hand(name, scores):
    logs, by_other_means = RULES[name]
    exact = [Fraction(str(s)) for s in scores]
    near(logs(exponents(exact, Fraction(1))), by_other_means([_decimal(s - max(exact)) for s in exact]))


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("epsilon", "least"), [("1e-6", "-1e6"), (50, "-1e6"), ("0.3", 0)])
def test_the_whole_range(name, epsilon, least):
    generator = np.random.default_rng(3)
    utilities = [Fraction(repr(value)) for value in (generator.random(8) * 1e6).tolist()] + [Fraction(least)]
    rate = Fraction(epsilon) / 2
    scores = [_decimal(rate * (u - max(utilities))) for u in utilities]
    logs, by_other_means = RULES[name]
    found = logs(exponents(utilities, rate))
    assert np.isfinite(found).all() and math.exp(log_sum(found)) == pytest.approx(1, rel=1e-14)
    if name != "laplace" or rate < 1:  # exp(2e7) to 200 digits would take long
        near(found, by_other_means(scores))


@pytest.mark.parametrize("name", RULES)
def test_many_options(name):
    exact = [Fraction(place * place % 97, 40) for place in range(150)]
    logs, by_other_means = RULES[name]
    wanted = by_other_means([_decimal(value - max(exact)) for value in exact]) if name == "exponential" else None
    found = logs(exponents(exact, Fraction(1)))
    if wanted is None:  # the terms of the others cancel to a hundred digits: one option stands for all
        near(found[:1], [_one(name, [_decimal(value - max(exact)) for value in exact])])
    else:
        near(found, wanted)


def _one(name, scores):
    with by_hand.localcontext(prec=200):
        if name == "permute-and-flip":
            terms = by_hand._product([(Decimal(1), -s.exp()) for s in scores[1:]])
            return scores[0].exp() * sum(term / (m + 1) for m, term in enumerate(terms))
        edges = [None, *sorted(set(scores)), None]
        return sum(by_hand._piece(scores, 0, low, high) for low, high in pairwise(edges))


def _decimal(value):
    with by_hand.localcontext(prec=200):
        return Decimal(value.numerator) / Decimal(value.denominator)


def test_equal_options_are_equally_likely():
    for size in (2, 40, 1000):
        for logs, _ in RULES.values():
            np.testing.assert_allclose(np.exp(logs(np.zeros(size))), 1 / size, rtol=1e-12)


def test_the_survey():
    """Education of 944 people; an answer may change, epsilon = 0.1."""
    scores = exponents([Fraction(u) for u in SCHOOLING], Fraction(1, 20))
    assert [round(float(np.exp(logs(scores)[2])), 4) for logs, _ in RULES.values()] == [0.7142, 0.8058, 0.7127]


def test_one_among_others_need_not_be_the_best():
    scores = np.array([0.0, -0.3, -2.0])
    for place in range(3):
        others = np.delete(scores, place)
        for shift in (0.0, 5.0):
            assert chance_of_one(scores[place] + shift, others + shift) == pytest.approx(permute_and_flip_logs(scores)[place])
    assert chance_of_one(3.0, np.array([0.0])) == pytest.approx(math.log(1 - math.exp(-3.0) / 2))


def test_a_base_measure_is_a_weight():
    logs = exponential_logs(np.zeros(3), np.log([1.0, 2.0, 5.0]))
    np.testing.assert_allclose(np.exp(logs), [1 / 8, 2 / 8, 5 / 8])


def test_rows_of_a_matrix():
    matrix = np.array([[3.0, 1.0, 2.0], [1e6, 0.0, 1e6 - 1]])
    logs = exponential_logs(exponents(matrix, Fraction(1, 2)))
    for row, found in zip(matrix.tolist(), logs, strict=True):
        np.testing.assert_allclose(found, exponential_logs(exponents([Fraction(u) for u in row], Fraction(1, 2))), rtol=1e-13)
