"""The privacy level: alpha = exp(-epsilon), specified either way and kept exactly.

[GRS] A. Ghosh, T. Roughgarden, M. Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", 2009: alpha in [0, 1],
1 is absolute privacy. Neighbouring databases differ in one row that is replaced.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Literal

from dpdesigner.core.basics.parsing import Number, exact, excerpt, plain
from dpdesigner.core.basics.rounding import Quotient, context, decimal, figure
from dpdesigner.errors import InputError

_DIGITS = 80
#: This few digits determine most doubles; for an epsilon up to a million, their rounding stays within these factors.
_FEW_DIGITS, _NEARLY = 28, (Decimal("0." + 20 * "9"), Decimal("1." + 19 * "0" + "1"))
_LARGEST_EPSILON = 10**6
_LOGARITHM = re.compile(r"\s*ln\s*\(?\s*([^()\s]+)\s*\)?\s*")
_LONGEST = 1000
_TINY = 1e-300  # doubles near the end of their range have few digits
_NEAR_ONE = 5e-5  # values closer to 1 would be rounded to 1
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
    def description(self) -> str:
        """``ε = 0.6932 (α = 1/2)``, with alpha as a fraction if that is short; rounded towards less privacy."""
        rational = self.exact_alpha
        short = rational is not None and rational.denominator < 10**6 and len(str(rational)) <= 9
        return f"ε = {figure(self.epsilon_above, 4)} (α = {rational if short else self._short_alpha()})"

    def _short_alpha(self) -> str:
        """Return alpha to four digits, never 0 or 1; near 1, as its difference from 1."""
        if self.one_minus_alpha < _NEAR_ONE:
            return f"1 − {figure(max(self.one_minus_alpha, _TINY), 2)}"
        return f"{self.alpha_rounded_down(4):g}".replace("-", "−")

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
        raise InputError(f"alpha must be in [0, 1], got {excerpt(number)}.", "alpha", "0" if alpha < 0 else "1")
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
        allowed = f"between 0 and {_LARGEST_EPSILON}, or inf"
        raise InputError(f"epsilon must be {allowed}, got {excerpt(number)}.", "epsilon", nearest_allowed)
    return (Fraction(1), Fraction(0)) if not epsilon else (None, epsilon)
