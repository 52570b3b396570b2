"""The privacy level: exact where it can be, and rounded only to the safe side."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from core.refusals import nested, refused, refused_at_once, short
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import RISKS, PrivacyLevel, advantage, bet, found_out, ratio_for
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.count.delta_cells import Cells
from dpdesigner.core.count.delta_reading import uncovered
from dpdesigner.errors import InputError

_EPSILONS = st.one_of(
    st.floats(1e-12, 1000).map(repr),
    st.fractions(Fraction(1, 10**6), Fraction(900), max_denominator=10**6).map(str),
    st.sampled_from(["1/3", "2/3", "1e-12", "800", "745.2", "1e6", "0." + "6" * 60]),
)
_LEVELS = st.one_of(
    st.floats(1e-300, 1, exclude_max=True).map(exact),
    st.fractions(Fraction(1, 10**9), Fraction(1) - Fraction(1, 10**9)),
    st.integers(1, 10**400).map(lambda number: Fraction(number, 10**400 + 1)),
    st.integers(1, 500).map(lambda digits: 1 - Fraction(1, 10**digits)),
    st.integers(1, 500).map(lambda digits: Fraction(1, 10**digits)),
)


def _exponential(epsilon: Fraction) -> Fraction:
    """exp(-epsilon), correct to a relative 1e-140 or so."""
    with localcontext() as context:
        context.prec = 150
        return Fraction((Decimal(-epsilon.numerator) / Decimal(epsilon.denominator)).exp())


def _logarithm(alpha: Fraction) -> Decimal:
    """-ln(alpha), correct to 100 digits beyond those that 1 - alpha loses."""
    with localcontext() as context:
        context.prec = 700
        return -(Decimal(alpha.numerator) / Decimal(alpha.denominator)).ln()


def test_forms() -> None:
    level = PrivacyLevel.from_alpha("1/2")
    assert level.source == ("alpha", "1/2")
    assert level.exact_alpha == level.alpha_above == level.alpha_below == Fraction(1, 2)
    assert level.alpha == level.one_minus_alpha == 0.5
    assert level.epsilon == math.log(2)
    level = PrivacyLevel.from_epsilon("0.7")
    assert level.source == ("epsilon", "0.7")
    assert level.exact_alpha is None and level.exact_epsilon == Fraction(7, 10)
    assert level.epsilon == 0.7 and level.alpha == pytest.approx(math.exp(-0.7), rel=1e-15)


@pytest.mark.parametrize("text", ["ln 2", "ln2", "ln(2)", " ln ( 2 ) ", "ln 4/2", "ln 2.0", "ln 200%"])
def test_logarithms_are_exact(text: str) -> None:
    assert PrivacyLevel.from_epsilon(text).exact_alpha == Fraction(1, 2)


@pytest.mark.parametrize("level", [PrivacyLevel.from_epsilon(0), PrivacyLevel.from_alpha(1), PrivacyLevel.from_epsilon("ln 1")])
def test_absolute_privacy(level: PrivacyLevel) -> None:
    assert level.exact_alpha == level.alpha_above == level.alpha_below == 1
    assert (level.alpha, level.epsilon, level.epsilon_above, level.one_minus_alpha) == (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("epsilon", ["inf", "Infinity", "∞", math.inf])
def test_no_privacy(epsilon: Any) -> None:
    for level in (PrivacyLevel.from_epsilon(epsilon), PrivacyLevel.from_alpha(0)):
        assert level.exact_alpha == level.alpha_above == level.alpha_below == 0
        assert (level.alpha, level.epsilon, level.epsilon_above, level.one_minus_alpha) == (0.0, math.inf, math.inf, 1.0)


@given(_EPSILONS)
@example("1/3")
@example("2/3")
@settings(deadline=None, max_examples=75)
def test_bounds_enclose_alpha(epsilon: str) -> None:
    level, truth = PrivacyLevel.from_epsilon(epsilon), _exponential(Fraction(epsilon))
    assert level.alpha_below <= truth * (1 + Fraction(1, 10**139))
    assert level.alpha_above >= truth * (1 - Fraction(1, 10**139)) or level.alpha_above == 1
    assert level.alpha_above - level.alpha_below < truth / 10**60
    assert level.alpha == float(truth) or math.nextafter(level.alpha, float(truth)) == float(truth)


@pytest.mark.parametrize("epsilon", ["1/3", "2/3", "0.12345678901234567890123456789"])
def test_bounds_do_not_depend_on_the_decimal_context(epsilon: str) -> None:
    expected = PrivacyLevel.from_epsilon(epsilon).alpha_above, PrivacyLevel.from_epsilon(epsilon).alpha_below
    with localcontext() as context:
        context.prec = 5
        level = PrivacyLevel.from_epsilon(epsilon)
        assert (level.alpha_above, level.alpha_below) == expected


@given(_LEVELS)
@settings(deadline=None, max_examples=75)
def test_epsilon_is_never_understated(alpha: Fraction) -> None:
    level, truth = PrivacyLevel.from_alpha(alpha), _logarithm(alpha)
    assert Decimal(level.epsilon_above) >= truth
    assert level.epsilon_above <= float(truth) * (1 + 1e-14) + 5e-324
    assert level.epsilon == pytest.approx(float(truth), rel=1e-14)


def test_epsilon_of_awkward_levels() -> None:
    """A quotient of large numbers, whose logarithms nearly cancel, and a level that a double cannot tell from 1."""
    alpha = Fraction(10**300 // 3, 10**300)
    assert Decimal(PrivacyLevel.from_alpha(alpha).epsilon_above) >= _logarithm(alpha)
    assert PrivacyLevel.from_alpha(1 - Fraction(1, 10**400)).epsilon_above > 0
    assert PrivacyLevel.from_epsilon("1e-400").epsilon_above > 0


@given(st.floats(0, 1e-9))
def test_small_levels_keep_their_digits(epsilon: float) -> None:
    level = PrivacyLevel.from_epsilon(epsilon)
    assert level.one_minus_alpha == pytest.approx(epsilon, rel=1e-8)


@pytest.mark.parametrize(
    "number",
    [-1, "-1/2", 1.5, "101%", math.nan, math.inf, "nan", "", "ln 2", None, True, b"1", {}, [], 10**5000, "9" * 1000],
    ids=short,
)
def test_refuses_alpha(number: Any) -> None:
    with refused("alpha", "alpha"):
        PrivacyLevel.from_alpha(number)


@pytest.mark.parametrize(
    "number",
    [
        -1,
        "-0.1",
        "1e7",
        -math.inf,
        math.nan,
        "nan",
        "",
        "ln",
        "ln 0",
        "ln 1/2",
        "ln -2",
        "ln ln 2",
        "log 2",
        None,
        True,
        b"1",
        {},
        [],
        [[1]],
        10**5000,
        "9" * 1000,
        "x" * 10**6,
        nested(),
        np.array([1.0, 2.0]),
        np.array([]),
    ],
    ids=short,
)
def test_refuses_epsilon(number: Any) -> None:
    with refused("epsilon", "epsilon"):
        PrivacyLevel.from_epsilon(number)


def test_refuses_long_texts_at_once() -> None:
    refused_at_once("dpdesigner.core.basics.level", "PrivacyLevel.from_epsilon('ln' + ' ' * 300_000 + text)", ["", "x y", "("])


def test_refuses_another_form() -> None:
    with refused("epsilon", "'delta'"):
        PrivacyLevel("delta", 1)  # type: ignore[arg-type]


@given(_LEVELS)
@settings(deadline=None)
def test_words_are_short(alpha: Fraction) -> None:
    assert len(PrivacyLevel.from_alpha(alpha).description) < 60


def test_words() -> None:
    assert PrivacyLevel.from_epsilon(" ln( 2)").description == "ε = ln 2 ≈ 0.6932 (α = 1/2)"
    assert PrivacyLevel.from_alpha("1/2").description == "ε ≈ 0.6932 (α = 1/2)"
    assert PrivacyLevel.from_epsilon("ln 2.0000001").description == "ε ≈ 0.6932"
    for level in (PrivacyLevel.from_epsilon("ln 1e3999"), PrivacyLevel.from_alpha("1e-3999")):
        assert level.description in ("ε ≈ 9209", "ε ≈ 9210")


@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        ("800", "ε = 800"),
        ("1e6", "ε = 1e6"),
        ("1e-6", "ε = 1e−6"),
        ("1.04e-6", "ε = 1.04e−6"),
        ("1e-30", "ε = 1e−30"),
        ("inf", "ε = ∞ (α = 0)"),
        (0, "ε = 0 (α = 1)"),
    ],
)
def test_words_say_0_and_1_only_of_what_is(epsilon: str | int, words: str) -> None:
    assert PrivacyLevel.from_epsilon(epsilon).description == words


@given(_LEVELS)
def test_words_are_never_0_or_1_between_them(alpha: Fraction) -> None:
    assert not PrivacyLevel.from_alpha(alpha).description.endswith(("(α = 0)", "(α = 1)"))


@given(_EPSILONS)
def test_words_never_promise_more_than_there_is(epsilon: str) -> None:
    level = PrivacyLevel.from_epsilon(epsilon)
    sign, _, words = level.description.removeprefix("ε ").partition(" ")
    shown, _, alpha = words.removesuffix(")").partition(" (α = ")
    assert exact(shown) >= exact(epsilon) * (1 - Fraction(1, 10**12))
    assert sign == "≈" or exact(shown) <= exact(epsilon) * (1 + Fraction(1, 10**10))
    assert not alpha or Fraction(alpha) == level.exact_alpha


@given(st.one_of(_EPSILONS, st.floats(1e-9, 1e6).map(repr)))
@settings(deadline=None)
def test_alpha_is_the_nearest_double(epsilon: str) -> None:
    exponent, context = exact(epsilon), Context(prec=150, Emin=MIN_EMIN, Emax=MAX_EMAX)
    quotient = context.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    with localcontext(Context(prec=2)):
        assert PrivacyLevel.from_epsilon(epsilon).alpha == float(context.exp(quotient.copy_negate()))


@pytest.mark.parametrize(("off", "nearest"), [("-1e-33", 0.5), ("1e-33", math.nextafter(0.5, 1))])
def test_a_level_too_near_to_call_is_looked_at_again(off: str, nearest: float) -> None:
    """exp(-epsilon) is half-way between two doubles, but for what the first digits do not show."""
    context = Context(prec=70)
    middle = context.add(context.add(Decimal("0.5"), context.power(2, -54)), Decimal(off))
    assert PrivacyLevel.from_epsilon(str(context.ln(middle).copy_negate())).alpha == nearest


def test_by_number() -> None:
    assert ratio_for("found_out", "3/100", "1/100", "1/100") == 2 == ratio_for("bet", "2/3")
    assert bet(F(2), F(1, 100)) == F(67, 100) and found_out(F(2), F(1, 100), F(1, 100)) == F(3, 100)
    assert advantage(F(2), F(0)) == F(1, 3) and advantage(F(2), F(1, 100)) == F(17, 50)


@pytest.mark.parametrize("delta", [F(0), F(1, 100), F(2, 5)])
@pytest.mark.parametrize("ratio", [F(1), F(5, 4), F(2), F(40)])
def test_there_and_back(ratio: F, delta: F) -> None:
    assert ratio_for("bet", bet(ratio, delta), delta) == ratio == ratio_for("advantage", advantage(ratio, delta), delta)
    for rate in (F(1, 100), F(1, 3)):
        risk = found_out(ratio, delta, rate)
        if risk < 1:
            assert found_out(ratio_for("found_out", risk, delta, rate), delta, rate) == risk


def test_the_cells_meet_the_risks() -> None:
    table = list(Cells.of(4, F(1, 3), F(1, 50), exact=True).rows())
    assert uncovered(table, F(1)).delta == advantage(F(3), F(1, 50))  # total variation is the lead over chance


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("found_out", "0.03", "0.05"), "with delta = 0.05, at least 6 in 100 are found out"),
        (("bet", "0.5", "0.01"), "at least 50.5 in 100 bets are won"),
        (("advantage", "1.2"), "even with epsilon = 0"),
        (("found_out", "0.1", "0", "0"), "false-alarm rate must be between 0 and 1"),
        (("luck", "0.1"), f"one of {', '.join(RISKS)}"),
    ],
)
def test_what_cannot_be_reached_is_said(given: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ratio_for(*given)  # type: ignore[arg-type]
