"""A privacy level in words: its texts and its place on the slider, in bets, and rules of thumb for how strong it is."""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from decimal import MAX_EMAX, ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from dpdesigner.core.basics.level import ZONE_LIMITS, PrivacyLevel
from dpdesigner.core.basics.level import bet as largest_bet
from dpdesigner.core.basics.rounding import as_typed, figure
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.studies.plain_language import ZONES

_DIGITS_UP_TO = 16.0  # from this epsilon on, a percentage would need more than five decimals
_MOST_DECIMALS = 6


class Odds(NamedTuple):
    """The furthest that even odds can move.

    Attributes
    ----------
    likely : str
        A percentage below 100, such as ``"67"``, rounded up; empty where `one_in` says it.
    one_in : str
        For a large epsilon: the bet can be lost once in so many times at best, rounded up, such as ``"2.4e10"``.
    """

    likely: str
    one_in: str = ""


def zone(epsilon: float) -> int:
    """Return 0 (very strong) to 4 (hardly any): the zone between `ZONE_LIMITS` that contains epsilon."""
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
        return Odds("", _one_in(level.epsilon_above))
    alpha = level.alpha_below
    unlikely = 100 * alpha / (1 + alpha)
    decimals = _decimals(min(unlikely, 50 - unlikely))
    scale = 10**decimals
    return Odds(f"{Decimal(100 * scale - unlikely * scale // 1).scaleb(-decimals):f}")


def times(level: PrivacyLevel) -> str:
    """Return e^epsilon, the largest ratio of a release's probabilities between neighbouring databases, rounded up."""
    return figure(1 / level.alpha_below, 4)


def _decimals(distance: Fraction) -> int:
    """Return how many decimals show one significant digit of the distance to 0 or to 50."""
    decimals = 0
    while 0 < distance < 1 and decimals < _MOST_DECIMALS:
        distance *= 10
        decimals += 1
    return decimals


def _one_in(epsilon: float) -> str:
    """Return 1 + exp(epsilon), rounded up to two digits."""
    exact = Context(prec=40, rounding=ROUND_CEILING, Emax=MAX_EMAX)
    short = Context(prec=2, rounding=ROUND_CEILING, Emax=MAX_EMAX)
    times = short.plus(exact.add(exact.exp(Decimal(epsilon)), 1))
    digits, exponent = f"{times:e}".split("e")
    return f"{digits}e{int(exponent)}"


_LEAST_EPSILON = 0.01  # at the left end of the slider
_DECADES = 3
_PER_DECADE = 200
SLIDER_STEPS = _DECADES * _PER_DECADE
_WEAK = 3  # the zone of that name
_LARGE_DELTA = Fraction(1, 20)  # from here on, whatever the number of rows, privacy is at best weak
_SHORT = 9  # characters of a fraction that a box can show


def slider_step(epsilon: float) -> int:
    """Return the position of epsilon on the slider, 0 to `SLIDER_STEPS`; values beyond an end are shown at that end."""
    if epsilon <= _LEAST_EPSILON:
        return 0
    if epsilon >= _LEAST_EPSILON * 10**_DECADES:
        return SLIDER_STEPS
    return round(_PER_DECADE * math.log10(epsilon / _LEAST_EPSILON))


def slider_epsilon(step: int) -> str:
    """Return the epsilon at a position of the slider, three significant digits."""
    return as_typed(_LEAST_EPSILON * 10 ** (step / _PER_DECADE))


def epsilon_text(level: PrivacyLevel) -> str:
    """Return epsilon as it was entered, or rounded up to six significant digits if alpha was entered."""
    form, number = level.source
    if form == "epsilon" and math.isfinite(level.epsilon):
        return str(number).strip()
    return figure(level.epsilon_above, 6)


def spoken_epsilon(level: PrivacyLevel) -> str:
    """Return epsilon as people say it: ``ln 2`` if alpha is 1/2, otherwise as `epsilon_text`."""
    rational = level.exact_alpha
    if rational and rational.numerator == 1 and 1 < rational.denominator < 1000:
        return f"ln {rational.denominator}"
    return epsilon_text(level)


def alpha_text(level: PrivacyLevel) -> str:
    """Return alpha as entered, as a short fraction, or rounded down to a few digits; 0 or 1 only if exact."""
    form, number = level.source
    if form == "alpha":
        return str(number).strip()
    rational = level.exact_alpha
    if rational is not None and len(str(rational)) <= _SHORT:
        return str(rational)
    if level.alpha < 1e-3:  # as many digits as a box has room for
        return f"{level.alpha_rounded_down(2):e}"
    lacking = 1 - math.floor(math.log10(max(level.one_minus_alpha, sys.float_info.min)))
    return f"{level.alpha_rounded_down(max(2 + (level.alpha >= 0.01) + (level.alpha >= 0.1), lacking)):f}"


def moved(level: PrivacyLevel) -> str:
    """Return how often a 50 : 50 bet could be won at any level: ``wins at most 67 times in 100``; never an underestimate."""
    if level.exact_alpha == 1:
        return tr("does not change")
    if math.isinf(level.epsilon):
        return tr("can become certain")
    likely, one_in = odds(level)
    if one_in:
        return tr("could be certain, except for 1 chance in {times}").format(times=one_in)
    return tr("wins at most {likely} times in 100").format(likely=likely)


def bet(level: PrivacyLevel, row: tuple[str, str] = ("row", "rows")) -> str:
    """Return how often a bet on one row, by its name for one and for several, can be won, as a sentence."""
    sentence = tr("If {rows} are independent, a 50 : 50 bet on your {row} {moved}.")
    if level.exact_alpha == 1:
        sentence = tr("A 50 : 50 bet on one {row} {moved}.")
    elif math.isinf(level.epsilon):
        sentence = tr("Nothing is hidden: a 50 : 50 bet on one {row} {moved}.")
    return sentence.format(row=row[0], rows=row[1], moved=moved(level)).replace(" : ", "\u00a0:\u00a0")


def bet_with_delta(level: PrivacyLevel, delta: Fraction, most: Fraction | float | None = None) -> str:
    """Return how often a bet on one row is won at most, with a delta and without it; `most` replaces the first if known."""
    alpha = level.alpha_below
    if not alpha:
        return bet(level)
    bets = largest_bet(1 / alpha, delta) if most is None else most, largest_bet(1 / alpha, Fraction(0))
    won, without = (figure(100 * part, 3) for part in bets)
    words = tr("If rows are independent, a 50 : 50 bet on your row wins at most {won} times in 100; without δ, {without}.")
    return words.format(won=won, without=without).replace(" : ", "\u00a0:\u00a0")


def figures(level: PrivacyLevel) -> str:
    """Return epsilon with all its digits, and alpha."""
    alpha, words = alpha_text(level), tr("ε ≤ {epsilon}, α = {alpha}")
    if level.form != "alpha" and alpha != str(level.exact_alpha):
        words = tr("ε ≤ {epsilon}, α ≥ {alpha}, rounded down")
    return words.format(epsilon=repr(level.epsilon_above), alpha=alpha)


def zone_word(level: PrivacyLevel, delta: Fraction = Fraction(0), most: Fraction | float | None = None, rows: int = 0) -> str:
    """Return the strength of a level by a rule of thumb; with a delta that of the bet, at best weak from 1 / rows or 1/20 on.

    With this probability, each row may be published whole: with 1 / rows one of them, on average.
    """
    if delta and (alpha := level.alpha_below):
        won = float(largest_bet(1 / alpha, delta) if most is None else most)
        place = zone(math.log(won / (1 - won)) if won < 1 else math.inf)
        return zone_words()[max(place, _WEAK) if delta >= min(_LARGE_DELTA, Fraction(1, max(rows, 1))) else place]
    if level.exact_alpha == 1:
        return tr("absolute")
    return tr("no privacy") if math.isinf(level.epsilon) else zone_words()[zone(level.epsilon)]


def zones_explained(delta: bool = False) -> str:
    """Return the rules of thumb with their source and, if there can be a delta, its effect on them."""
    words = zone_words()
    limits = (
        tr("{word} up to ε = {limit:g}").format(word=word, limit=limit) for word, limit in zip(words, ZONE_LIMITS, strict=False)
    )
    rule = tr("Rules of thumb, not theorems: {limits}, {last} above.").format(limits=", ".join(limits), last=words[-1])
    source = tr("C. Dwork (Communications of the ACM, 2011) speaks of 0.01, 0.1 or in some cases ln 2 or ln 3.")
    both = tr("With δ, the ε with the same bet counts. From δ = 1/n or 0.05 on it is at best weak: δ may publish whole rows.")
    return f"<p>{rule}</p>{f'<p>{both}</p>' if delta else ''}<p>{source}</p>"


def zone_words() -> tuple[str, ...]:
    """Return the words for the zones, from the strongest privacy on."""
    return tuple(map(translated, ZONES))
