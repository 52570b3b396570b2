from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.desktop.editors.odds import (
    SLIDER_STEPS,
    alpha_text,
    epsilon_text,
    odds,
    slider_epsilon,
    slider_step,
    zone,
)

E, A = PrivacyLevel.from_epsilon, PrivacyLevel.from_alpha


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (A("1/2"), ("67", "")),
        (E("ln 2"), ("67", "")),
        (A("1/3"), ("75", "")),
        (E("0.1"), ("53", "")),
        (E("1"), ("74", "")),
        (E("10"), ("99.996", "")),
        (E("0.01"), ("50.3", "")),
        (E("1e-12"), ("50.000001", "")),
        (E("20"), ("", "4.9e8")),
        (E("1000"), ("", "2.0e434")),
    ],
)
def test_odds_are_rounded_up(level, expected):
    assert odds(level) == expected


@settings(max_examples=40)
@given(st.floats(1e-9, 16.0))
def test_odds_never_promise_more_than_there_is(epsilon):
    level = E(epsilon)
    likely = odds(level).likely
    assert Fraction(likely) >= 100 / (1 + level.alpha_below)
    assert 50 < Fraction(likely) < 100


def test_odds_refuse_no_privacy():
    with pytest.raises(ValueError, match="finite"):
        odds(A(0))


def test_zones_change_at_their_limits():
    assert [zone(epsilon) for epsilon in (0.01, 0.1, 0.11, A("1/3").epsilon, 1.2, 2.2, 2.3, 5, 6, 1e6)] == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
        4,
        4,
    ]


def test_slider_covers_three_decades():
    assert slider_epsilon(0) == "0.01"
    assert slider_epsilon(SLIDER_STEPS) == "10"
    assert [slider_step(epsilon) for epsilon in (0.0, 1e-9, 10.0, 1e6)] == [0, 0, SLIDER_STEPS, SLIDER_STEPS]
    assert all(slider_step(float(slider_epsilon(step))) == step for step in range(SLIDER_STEPS + 1))


@pytest.mark.parametrize(
    ("level", "epsilon", "alpha"),
    [
        (A("1/2"), "0.693148", "1/2"),
        (E("ln 2"), "ln 2", "1/2"),
        (E("ln(3)"), "ln(3)", "1/3"),
        (E("1/3"), "1/3", "0.7165"),
        (E("20%"), "20%", "0.8187"),
        (E(0), "0", "1"),
        (E("inf"), "∞", "0"),
        (A(0), "∞", "0"),
        (E("2.5"), "2.5", "0.0820"),
        (E(50), "50", "1.9e-22"),
        (E(6), "6", "0.0024"),
        (E(10), "10", "4.5e-5"),
        (E(100), "100", "3.7e-44"),
        (E(69.07755), "69.07755", "1.0e-30"),
        (E(800), "800", "3.6e-348"),
        (E("1e-7"), "1e-7", "0.999999900"),
        (E(1000), "1000", "5.0e-435"),
    ],
)
def test_boxes_keep_what_was_given(level, epsilon, alpha):
    assert (epsilon_text(level), alpha_text(level)) == (epsilon, alpha)


@settings(max_examples=20)
@given(st.floats(1e-12, 1e6))
def test_alpha_is_never_shown_as_0_or_1_unless_it_is(epsilon):
    shown = Fraction(alpha_text(E(epsilon)))
    assert 0 < shown < 1


@given(st.floats(1e-9, 1e3))
def test_boxes_never_promise_more_than_there_is(epsilon):
    assert Fraction(alpha_text(E(epsilon))) <= E(epsilon).alpha_above
    alpha = A(Fraction(1, 3) + Fraction(epsilon) / 10**4)
    assert float(epsilon_text(alpha)) >= alpha.epsilon * (1 - 1e-12)
