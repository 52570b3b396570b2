"""The limit of any private rule that treats names alike."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import numpy as np
import pytest

from dpdesigner.core.choice.exponential import exponents
from dpdesigner.core.choice.limit import limit
from dpdesigner.core.choice.neighbours import LOGS
from dpdesigner.errors import Cancelled

SCHOOLING = [13.0, 52, 248, 187, 90, 227, 127]


def test_two_survey_questions():
    found = limit(SCHOOLING, 1.0, 0.1, "changes")
    assert (found.tables, found.moving) == (513, 3) and round(found.chance, 4) == 0.8192
    found = limit([103.0, 100, *[50] * 22], 1.0, 0.1, "joins")
    assert (found.tables, found.moving) == (136, 2) and round(found.chance, 4) == 0.6296


@pytest.mark.parametrize("gap", [0, 1, 4])
def test_two_options_that_join_are_a_line(gap):
    """p grows by e^eps a step from 1/2, and so does 1 - p fall: permute-and-flip meets it."""
    found = limit([10.0 + gap, 10], 1.0, 0.5, "joins")
    wrong = 0.5 * math.exp(-0.5 * gap)
    assert found.chance == pytest.approx(1 if gap == 0 else 1 - wrong, abs=1e-7)
    flip = LOGS["exponential"](exponents([Fraction(10 + gap), Fraction(10)], Fraction(1, 2)))
    assert math.exp(flip[0]) == pytest.approx(1 - wrong)


@pytest.mark.parametrize("neighbours", ["any", "changes", "joins"])
def test_no_rule_is_above_it(neighbours):
    for utilities in ([5.0, 3, 1], [4.0, 4, 0], [7.0, 6, 6, 6], [2.5, 0.25] if neighbours != "changes" else [9.0, 2]):
        rate = Fraction(1, 5) if neighbours == "joins" else Fraction(1, 10)
        found = limit(utilities, 1.0, 0.2, neighbours)
        scores = exponents([Fraction(u) for u in utilities], rate)
        best = scores == 0
        assert all(np.exp(logs(scores))[best].sum() <= found.chance for logs in LOGS.values())
        assert found.chance <= 1


def test_a_limit_next_to_1_is_not_below_what_a_rule_attains():
    """HiGHS may end 1e-7 short of the least, here at 0.99999992."""
    found = limit(SCHOOLING, 1.0, 1.0, "joins")
    flip = LOGS["exponential"](exponents([Fraction(u) for u in SCHOOLING], Fraction(1)))
    assert 0.9999999996 < math.exp(flip[2]) <= found.chance <= 1


def test_where_there_are_too_many_vectors_there_is_none():
    assert limit([1e6, 0.0], 1.0, 0.1, "any") is None
    assert limit([1.5, 0.0], 1.0, 0.1, "changes") is None, "moves of exactly Delta never make these equal"


@pytest.mark.parametrize("after", [0.0, 0.3, 0.8])
def test_the_largest_program_stops_within_half_a_second_wherever_it_is(after):
    """More than a thousand vectors take seconds; whoever waits no longer is not kept waiting."""
    began, raised = time.monotonic(), []

    def report(fraction, text=""):
        if time.monotonic() - began >= after:
            raised.append(time.monotonic())
            raise Cancelled

    with pytest.raises(Cancelled):
        limit([170.0, 135, 77, 3], 1.0, 0.1, "changes", report)
    assert len(raised) == 1 and raised[0] - began < after + 0.5, "it is asked often enough"
    assert time.monotonic() - raised[0] < 0.5, "and ends when told to"
