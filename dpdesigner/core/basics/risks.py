"""An attacker's risk measures for one person under (epsilon, delta), and the epsilon at which a risk has a given value.

With t = e^epsilon, for an attacker who knows everybody else: found out at the false-alarm rate a with probability at most
min(1, t a + delta, 1 - (1 - delta - a) / t); the lead over chance at most (t - 1 + 2 delta) / (t + 1); a 50:50 bet is won with
probability at most (1 + lead) / 2. The cells of `dpdesigner.core.count.delta_cells` reach all three for every pair of neighbours.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

from dpdesigner.core.basics.parsing import Number, exact, excerpt
from dpdesigner.core.basics.rounding import figure
from dpdesigner.errors import InputError

Risk = Literal["found_out", "bet", "advantage"]
RISKS: tuple[Risk, ...] = get_args(Risk)

#: The default false-alarm rate.
USUAL_RATE = Fraction(1, 100)


def found_out(ratio: Fraction, delta: Fraction, rate: Fraction) -> Fraction:
    """Return the largest true positive rate of an attack on one person at a false positive rate."""
    return max(Fraction(0), min(Fraction(1), ratio * rate + delta, 1 - (1 - delta - rate) / ratio))


def advantage(ratio: Fraction, delta: Fraction) -> Fraction:
    """Return the largest advantage of an attack: true positive rate minus false positive rate."""
    return (ratio - 1 + 2 * delta) / (ratio + 1)


def bet(ratio: Fraction, delta: Fraction) -> Fraction:
    """Return the largest probability of winning a 50:50 bet on one person."""
    return (1 + advantage(ratio, delta)) / 2


def ratio_for(risk: Risk, allowed: Number, delta: Number = 0, rate: Number = USUAL_RATE) -> Fraction:
    """Return the e^epsilon at which a risk is as large as allowed, exactly.

    Parameters
    ----------
    risk : {"found_out", "bet", "advantage"}
    allowed : Number
        A probability: how often found out, how often the bet is won; or the lead over chance.
    delta : Number
        What epsilon may leave uncovered.
    rate : Number
        Of false alarms, for ``"found_out"``.

    Raises
    ------
    InputError
        If no epsilon has this risk: one sentence with what can be reached.
    """
    if risk not in RISKS:
        raise InputError(f"the risk must be one of {', '.join(RISKS)}, got {excerpt(risk)}.", "aim")
    p, uncovered = exact(allowed, "the risk"), exact(delta, "delta")
    if risk == "found_out":
        a = exact(rate, "the false-alarm rate")
        if not 0 < a < 1:
            raise InputError(f"the false-alarm rate must be between 0 and 1, got {excerpt(rate)}.", "aim")
        least = min(Fraction(1), a + uncovered)
        if not least <= p < 1:
            raise InputError(_unreachable(uncovered, least, "are found out", p), "aim", str(least))
        return max((p - uncovered) / a, (1 - uncovered - a) / (1 - p))
    lead = 2 * p - 1 if risk == "bet" else p
    if not uncovered <= lead < 1:
        least = (1 + uncovered) / 2 if risk == "bet" else uncovered
        words = "bets are won" if risk == "bet" else "is the lead over chance"
        raise InputError(_unreachable(uncovered, least, words, p), "aim", str(least))
    return (1 + lead - 2 * uncovered) / (1 - lead)


def _unreachable(delta: Fraction, least: Fraction, words: str, given: Fraction) -> str:
    part = figure(100 * least, 4)
    start = f"with delta = {figure(delta, 4)}, at least" if delta else "even with epsilon = 0,"
    return f"{start} {part} in 100 {words}; the risk must be at least that and below 100, got {figure(100 * given, 4)} in 100."
