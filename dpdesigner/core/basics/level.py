"""The privacy level, kept exactly as alpha or epsilon; and an attacker's risk measures for one person at it.

[GRS] A. Ghosh, T. Roughgarden, M. Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", 2009: alpha in [0, 1],
1 is absolute privacy. Neighbouring databases differ in one row that is replaced.

An attacker's risk measures for one person under (epsilon, delta), and the epsilon at which a risk has a given value.

With t = e^epsilon, for an attacker who knows everybody else: found out at the false-alarm rate a with probability at most
min(1, t a + delta, 1 - (1 - delta - a) / t); the lead over chance at most (t - 1 + 2 delta) / (t + 1); a 50:50 bet is won with
probability at most (1 + lead) / 2. The cells of `dpdesigner.core.count.delta_cells` reach all three for every pair of neighbours.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

from dpdesigner.core.basics.parsing import Number, exact, excerpt, limit, plain
from dpdesigner.core.basics.rounding import Quotient, context, decimal, figure, stated
from dpdesigner.errors import InputError

#: The largest epsilon of each zone but the last. Rules of thumb, not theorems: C. Dwork (Communications of the ACM 54(1), 2011)
#: speaks of 0.01, 0.1 "or in some cases" ln 2 or ln 3, so 0.1 ends the first zone and ln 3 (1.0986...) the second. The other
#: two are where the bet reaches 9 : 1 (ln 9 is 2.1972...) and 99.4 : 0.6.
ZONE_LIMITS = (0.1, 1.1, 2.2, 5.0)

_DIGITS = 80
#: This few digits determine most doubles; for an epsilon up to a million, their rounding stays within these factors.
_FEW_DIGITS, _NEARLY = 28, (Decimal("0." + 20 * "9"), Decimal("1." + 19 * "0" + "1"))
_LARGEST_EPSILON = 10**6
_LOGARITHM = re.compile(r"\s*ln\s*\(?\s*([^()\s]+)\s*\)?\s*")
_LONGEST = 1000
_SHORT = 5  # characters of a logarithm's argument that a description repeats
_INFINITE = ("inf", "infinity", "∞")


@dataclass(frozen=True)
class PrivacyLevel:
    """The privacy level of a release.

    Attributes
    ----------
    form : {"epsilon", "alpha"}
        Which of the two the user gave.
    number : Number
        What the user gave, as it was given: ``"1/2"``, 0.7, ``"ln 2"``, ``"inf"``.
    """

    form: Literal["epsilon", "alpha"]
    number: Number

    def __post_init__(self) -> None:
        if self.form not in ("epsilon", "alpha"):
            raise InputError(f"the privacy level must be given as epsilon or alpha, got {excerpt(self.form)}.", "epsilon")
        object.__setattr__(self, "number", plain(self.number))
        self._values  # noqa: B018  (checks the number)

    @classmethod
    def from_epsilon(cls, epsilon: Number) -> PrivacyLevel:
        """Make a level from epsilon in [0, 1000000] or infinity; ``"ln 2"`` gives alpha = 1/2 exactly.

        Raises
        ------
        InputError
            If epsilon is not such a number.
        """
        return cls("epsilon", epsilon)

    @classmethod
    def from_alpha(cls, alpha: Number) -> PrivacyLevel:
        """Make a level from alpha = exp(-epsilon) in [0, 1].

        Raises
        ------
        InputError
            If alpha is not such a number.
        """
        return cls("alpha", alpha)

    @property
    def source(self) -> tuple[str, Number]:
        """The form and the number as the user entered them."""
        return self.form, self.number

    @property
    def exact_alpha(self) -> Fraction | None:
        """The rational alpha, or None if epsilon was specified and exp(-epsilon) is irrational."""
        return self._values[0]

    @property
    def exact_epsilon(self) -> Fraction | None:
        """The rational epsilon, or None if alpha was specified or epsilon is infinite."""
        return self._values[1]

    @cached_property
    def alpha(self) -> float:
        """exp(-epsilon) as the nearest double (not exp of a rounded epsilon); 0 if it is below the range of doubles."""
        rational = self.exact_alpha
        if rational is not None:
            return float(rational)
        # A third of the digits takes a tenth of the time, and determines the nearest double unless it is too close to call.
        nearly = self._exponential(ROUND_FLOOR, _FEW_DIGITS)
        least, most = (float(context(_FEW_DIGITS, ROUND_FLOOR).multiply(nearly, factor)) for factor in _NEARLY)
        return least if least == most else float(self._exponential(ROUND_FLOOR))

    @cached_property
    def epsilon(self) -> float:
        """-ln(alpha) as the nearest double; infinite for alpha = 0."""
        rational, epsilon = self._values
        if epsilon is not None:
            return float(epsilon)
        return float(Quotient.of(1 / rational).logarithm) if rational else math.inf

    @cached_property
    def one_minus_alpha(self) -> float:
        """1 - alpha without cancellation."""
        rational = self.exact_alpha
        return float(1 - rational) if rational is not None else -math.expm1(-self.epsilon)

    @cached_property
    def epsilon_above(self) -> float:
        """A double that is certainly at least epsilon: the figure to show in privacy claims."""
        rational, epsilon = self._values
        if epsilon is None:
            return Quotient.of(1 / rational).logarithm_above if rational else math.inf
        return self.epsilon if Fraction(self.epsilon) >= epsilon else math.nextafter(self.epsilon, math.inf)

    @cached_property
    def alpha_above(self) -> Fraction:
        """A rational at least alpha, within a relative 1e-70 of it: privacy at this alpha implies the required privacy."""
        rational = self.exact_alpha
        if rational is not None:
            return rational
        return min(Fraction(1), Fraction(self._exponential(ROUND_FLOOR).next_plus(context(_DIGITS, ROUND_CEILING))))

    @cached_property
    def alpha_below(self) -> Fraction:
        """A rational at most alpha, within a relative 1e-70 of it."""
        rational = self.exact_alpha
        return rational if rational is not None else Fraction(self._decimal_below)

    def alpha_rounded_down(self, digits: int) -> Decimal:
        """Return the largest decimal with this many significant digits that is at most alpha."""
        down, rational = context(digits, ROUND_FLOOR), self.exact_alpha
        return down.plus(self._decimal_below) if rational is None else decimal(rational, down)

    @cached_property
    def _decimal_below(self) -> Decimal:
        return self._exponential(ROUND_CEILING).next_minus(context(_DIGITS, ROUND_FLOOR))

    @property
    def logarithm(self) -> str:
        """``ln 2`` for alpha = 1/2; empty if 1 / alpha is no short whole number above 1."""
        alpha = self.exact_alpha
        return f"ln {alpha.denominator}" if alpha and alpha.numerator == 1 < alpha.denominator < 1000 else ""

    @property
    def description(self) -> str:
        """``ε = 0.7``, ``ε ≈ 0.6932 (α = 1/2)`` if it is rounded up, or ``ε = ln 2 ≈ 0.6932 (α = 1/2)``; alpha if it is short."""
        rational = self.exact_alpha
        short = rational is not None and rational.denominator < 10**6 and len(str(rational)) <= 9
        logarithm = _LOGARITHM.fullmatch(self.number) if self.form == "epsilon" and isinstance(self.number, str) else None
        entered = f"ln {logarithm[1]} ≈ " if logarithm is not None and len(logarithm[1]) <= _SHORT else ""
        epsilon = f"ε = {entered}{figure(self.epsilon_above, 4)}" if entered else stated("ε", self.epsilon_above)
        return f"{epsilon}{f' (α = {rational})' if short else ''}"

    def _exponential(self, rounding: str, digits: int = _DIGITS) -> Decimal:
        epsilon = self.exact_epsilon
        if epsilon is None:
            raise AssertionError("only an irrational alpha is approximated")
        rounded = context(digits, rounding)
        return rounded.exp(decimal(epsilon, rounded).copy_negate())

    @cached_property
    def _values(self) -> tuple[Fraction | None, Fraction | None]:
        return _from_epsilon(self.number) if self.form == "epsilon" else (_alpha(self.number), None)


def _alpha(number: Number) -> Fraction:
    alpha = exact(number, "alpha")
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha must be between 0 and 1, got {excerpt(number)}.", "alpha", "0" if alpha < 0 else "1")
    return alpha


def _from_epsilon(number: Number) -> tuple[Fraction | None, Fraction | None]:
    """Return alpha and epsilon, each where it is rational."""
    if isinstance(number, str):
        infinite = number.strip().lower() in _INFINITE
        logarithm = _LOGARITHM.fullmatch(number) if len(number) <= _LONGEST else None
    else:
        infinite, logarithm = isinstance(number, float) and number == math.inf, None
    if infinite:
        return Fraction(0), None
    if logarithm is not None:
        argument = exact(logarithm[1], "epsilon")
        if argument < 1:
            sentence = f"epsilon must be at least 0, so ln needs a number of at least 1, got {excerpt(number)}."
            raise InputError(sentence, "epsilon", "0")
        return 1 / argument, None
    epsilon = exact(number, "epsilon")
    if not 0 <= epsilon <= _LARGEST_EPSILON:
        nearest_allowed = "0" if epsilon < 0 else str(_LARGEST_EPSILON)
        allowed = f"between 0 and {limit(_LARGEST_EPSILON)}, or inf"
        raise InputError(f"epsilon must be {allowed}, got {excerpt(number)}.", "epsilon", nearest_allowed)
    return (Fraction(1), Fraction(0)) if not epsilon else (None, epsilon)


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
