"""What a privacy level means in bets, and in words. No Qt: numbers in, texts of numbers out.

Someone who gives even odds on a row, to them independent of the others, believes it afterwards, whatever is released, with
probability at most 1 / (1 + alpha), where alpha = exp(-epsilon) (Bayes' rule with the largest likelihood ratio that the level
allows). All texts here are rounded so that they never promise more privacy than there is.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import MAX_EMAX, ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel

#: The largest epsilon of each zone but the last. Rules of thumb, not theorems: C. Dwork (Communications of the ACM 54(1), 2011)
#: speaks of 0.01, 0.1 "or in some cases" ln 2 or ln 3, so 0.1 ends the first zone and ln 3 (1.0986...) the second. The other
#: two are where the bet reaches 96 : 4 and 99.4 : 0.6.
ZONE_LIMITS = (0.1, 1.1, 3.0, 5.0)

_DIGITS_UP_TO = 16.0  # from this epsilon on, a percentage would need more than five decimals
_MOST_DECIMALS = 6


class Odds(NamedTuple):
    """The most that even odds can move.

    Attributes
    ----------
    likely, unlikely : str
        Two percentages with sum 100, such as ``"67"`` and ``"33"``; the first is rounded up, the second down, never to 0.
        Empty where `one_in` says it.
    one_in : str
        For a large epsilon: the bet can be lost once in so many times at best, rounded up, such as ``"2.4e10"``.
    """

    likely: str
    unlikely: str
    one_in: str = ""


def zone(epsilon: float) -> int:
    """Return 0 (very strong) to 4 (hardly any): which of the zones between `ZONE_LIMITS` holds epsilon."""
    return bisect_left(ZONE_LIMITS, epsilon)


def odds(level: PrivacyLevel) -> Odds:
    """Return how far even odds can move at a privacy level with 0 < epsilon < infinity.

    Parameters
    ----------
    level : PrivacyLevel
        The level; alpha must be positive.

    Raises
    ------
    ValueError
        If epsilon is infinite: then even odds can move to certainty.
    """
    if level.exact_alpha == 0:
        raise ValueError("odds need a finite epsilon")
    if level.epsilon > _DIGITS_UP_TO:
        return Odds("", "", _one_in(level.epsilon_above))
    alpha = level.alpha_below
    unlikely = 100 * alpha / (1 + alpha)
    decimals = _decimals(min(unlikely, 50 - unlikely))
    scale = 10**decimals
    below = unlikely * scale // 1
    return Odds(_plain(100 * scale - below, decimals), _plain(below, decimals))


def times(level: PrivacyLevel) -> str:
    """Return e^epsilon, the most by which the chance of a release can grow or fall between neighbours, rounded up."""
    return figure(1 / level.alpha_below, 4)


def _decimals(distance: Fraction) -> int:
    """Decimals that show one significant digit of the distance to 0 or to 50."""
    decimals = 0
    while 0 < distance < 1 and decimals < _MOST_DECIMALS:
        distance *= 10
        decimals += 1
    return decimals


def _plain(scaled: int, decimals: int) -> str:
    return f"{Decimal(scaled).scaleb(-decimals):f}"


def _one_in(epsilon: float) -> str:
    """1 + exp(epsilon), rounded up to two digits."""
    exact = Context(prec=40, rounding=ROUND_CEILING, Emax=MAX_EMAX)
    short = Context(prec=2, rounding=ROUND_CEILING, Emax=MAX_EMAX)
    times = short.plus(exact.add(exact.exp(Decimal(epsilon)), 1))
    digits, exponent = f"{times:e}".split("e")
    return f"{digits}e{int(exponent)}"
