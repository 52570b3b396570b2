"""The checks of inputs that all studies share: the members of a JSON object, a name, the privacy level."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from dpdesigner.core.noise.query import LEAST_EPSILON, MOST_EPSILON
from dpdesigner.core.numbers.coercion import ArrayValues
from dpdesigner.core.numbers.parsing import Number, exact, excerpt, plain
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError

_LONGEST_NAME = 200
NO_LEVEL = "the privacy level must be given, as epsilon or as alpha, got neither."
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def members(
    data: object, what: str, allowed: Sequence[str], needed: Sequence[str] = (), optional: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the members of a JSON object, whose values are still to be checked.

    Parameters
    ----------
    data : object
    what : str
        What it stands for, for the sentence of an error: ``"a count design"``.
    allowed, needed : sequence of str
        The members that it may have, and those of them that it must have.
    optional : sequence of str
        Those that may be null, which is the same as leaving them out.

    Raises
    ------
    InputError
        If it is no object, or a member is unknown, missing or null.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{what} must be a JSON object, got {excerpt(data)}.", "file")
    unknown = next((key for key in data if key not in allowed), None)
    if unknown is not None:
        raise InputError(f"{what} may have {', '.join(allowed)}, got {excerpt(unknown)}.", "file")
    missing = next((key for key in needed if key not in data), None)
    if missing is not None:
        raise InputError(f"{what} must have {', '.join(needed)}, but {missing} is missing.", "file")
    null = next((key for key, value in data.items() if value is None and key not in optional), None)
    if null is not None:
        raise InputError(f"{what} must have a value for {null}, got null.", "epsilon" if null == "alpha" else null)
    return {key: value for key, value in data.items() if value is not None}


def json_value(value: Any) -> Any:
    """Return numbers as they were given, or lists of them, as JSON has them."""
    if isinstance(value, ArrayValues):
        return value.tolist()
    if isinstance(value, tuple):
        return [json_value(entry) for entry in value]
    if isinstance(value, Fraction) or value == math.inf:
        return str(value)
    return plain(value)


def checked_name(name: object) -> str:
    """Return what the user calls a study, with a space for every control character, which files and terminals may not bear.

    Raises
    ------
    InputError
        If it is not a text of at most 200 characters.
    """
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        got = f"{len(name)} characters" if isinstance(name, str) else excerpt(name)
        raise InputError(f"the name must be a text of at most {_LONGEST_NAME} characters, got {got}.", "name")
    return _CONTROL.sub(" ", name)


def privacy_level(
    epsilon: Number | None = None, alpha: Number | None = None, privacy: PrivacyLevel | None = None
) -> PrivacyLevel | None:
    """Return the privacy level that was given in one of these ways; None if it was given in none.

    Raises
    ------
    InputError
        If it was given in several ways, or is no level.
    """
    if sum(given is not None for given in (epsilon, alpha, privacy)) > 1:
        raise InputError("the privacy level must be given once, as epsilon or as alpha, got it twice.", "epsilon")
    if epsilon is not None:
        return _level("epsilon", epsilon)
    return privacy if alpha is None else _level("alpha", alpha)


def level_within(
    epsilon: Number | None,
    alpha: Number | None,
    privacy: PrivacyLevel | None,
    *,
    least: float = LEAST_EPSILON,
    most: float = MOST_EPSILON,
    what: str = " for noise",
) -> PrivacyLevel:
    """Return the privacy level that was given in one of these ways.

    Parameters
    ----------
    epsilon, alpha, privacy
        As `privacy_level`.
    least, most : float
        The least and the largest epsilon within reach: of noise, if not given.
    what : str
        What it is for, in the sentence of the error.

    Raises
    ------
    InputError
        If it was given in several ways or in none, is no level, or out of reach.
    """
    level = privacy_level(epsilon, alpha, privacy)
    if level is None:
        raise InputError(NO_LEVEL, "epsilon")
    if not least <= level.epsilon <= most:
        problem = f"epsilon must be between {least:g} and {most:g}{what}, got {level.epsilon:.6g}"
        raise InputError(f"{problem}.", "epsilon", f"{most if level.epsilon > most else least:g}")
    return level


def checked_gamma(gamma: Number) -> Number:
    """Return where in each period noise or weights step down: ``"optimal"``, or a number from 0 to 1.

    Raises
    ------
    InputError
        If it is neither.
    """
    if gamma != "optimal" and not 0 <= exact(gamma, "gamma") <= 1:
        nearest_allowed = str(min(max(round(exact(gamma)), 0), 1))
        raise InputError(f"gamma must be optimal or between 0 and 1, got {excerpt(gamma)}.", "gamma", nearest_allowed)
    return gamma


def checked_cost(cost: object) -> str:
    """Return what noise costs, if it can be read; see `dpdesigner.core.noise.noise_cost.noise_cost`.

    Raises
    ------
    InputError
        If it cannot.
    """
    if not isinstance(cost, str):
        raise InputError(f"the cost must be a text like absolute, got {excerpt(cost)}.", "cost")
    from dpdesigner.core.noise.noise_cost import noise_cost  # a window opens without it

    noise_cost(cost)
    return cost


def _level(form: Literal["epsilon", "alpha"], number: Number) -> PrivacyLevel:
    """A level, the one made before where the same number was given: alpha to the last digit takes as long as a small design."""
    # 0 and -0 are equal, and yet shown as they were given.
    return _remembered(form, number) if isinstance(number, (str, int, float)) and number else PrivacyLevel(form, number)


@lru_cache(maxsize=64, typed=True)
def _remembered(form: Literal["epsilon", "alpha"], number: Number) -> PrivacyLevel:
    return PrivacyLevel(form, number)
