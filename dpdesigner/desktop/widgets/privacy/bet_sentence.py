"""A privacy level in words: how far a bet can move, and rules of thumb for how strong that is."""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesigner.core.delta import risks
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.privacy.odds import ZONE_LIMITS, odds, zone
from dpdesigner.desktop.widgets.privacy.text import alpha_text


def moved(level: PrivacyLevel) -> str:
    """Return how far a bet at 50 : 50 could move, for any level: ``could move at most to 67 : 33``; never less than is true."""
    if level.exact_alpha == 1:
        return tr("could not move at all")
    if math.isinf(level.epsilon):
        return tr("could become certain")
    likely, unlikely, one_in = odds(level)
    if one_in:
        return tr("could be certain, except for 1 chance in {times}").format(times=one_in)
    return tr("could move at most to {likely} : {unlikely}").format(likely=likely, unlikely=unlikely)


def bet(level: PrivacyLevel) -> str:
    """Return how far a bet on one row can move, as a sentence."""
    sentence = tr("A 50 : 50 bet on one row, independent of the others, {moved}.")
    if level.exact_alpha == 1:
        sentence = tr("A 50 : 50 bet on one row {moved}.")
    elif math.isinf(level.epsilon):
        sentence = tr("Nothing is hidden: a 50 : 50 bet on one row {moved}.")
    return sentence.format(moved=moved(level)).replace(" : ", "\u00a0:\u00a0")


def bet_with_delta(level: PrivacyLevel, delta: Fraction, most: Fraction | float | None = None) -> str:
    """Return how often a bet on one row is won at most with a delta, and without it; `most` where more than that is known."""
    alpha = level.alpha_below
    if not alpha:
        return bet(level)
    bets = risks.bet(1 / alpha, delta) if most is None else most, risks.bet(1 / alpha, Fraction(0))
    won, without = (figure(100 * part, 3) for part in bets)
    words = tr("A 50 : 50 bet on one row, independent of the others, is won at most {won} times in 100; without δ, {without}.")
    return words.format(won=won, without=without).replace(" : ", "\u00a0:\u00a0")


def figures(level: PrivacyLevel) -> str:
    """Return epsilon and alpha with all their digits."""
    return tr("ε ≤ {epsilon}, α = {alpha}").format(epsilon=repr(level.epsilon_above), alpha=alpha_text(level))


def zone_word(level: PrivacyLevel) -> str:
    """Return how strong a level is by a rule of thumb."""
    if level.exact_alpha == 1:
        return tr("absolute")
    return tr("no privacy") if math.isinf(level.epsilon) else _zone_words()[zone(level.epsilon)]


def zones_explained() -> str:
    """Return what the rules of thumb are, and where they are from."""
    words = _zone_words()
    limits = (
        tr("{word} up to ε = {limit:g}").format(word=word, limit=limit) for word, limit in zip(words, ZONE_LIMITS, strict=False)
    )
    rule = tr("Rules of thumb, not theorems: {limits}, {last} above.").format(limits=", ".join(limits), last=words[-1])
    source = tr("C. Dwork (Communications of the ACM, 2011) speaks of 0.01, 0.1 or in some cases ln 2 or ln 3.")
    return f"<p>{rule}</p><p>{source}</p>"


def _zone_words() -> tuple[str, ...]:
    return tr("very strong"), tr("strong"), tr("moderate"), tr("weak"), tr("hardly any")
