"""The checks of inputs that all studies share: the members of a JSON object, a name, the privacy level."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from dpdesigner.core.numbers.given import Number, shown
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError

_LONGEST_NAME = 200
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
        raise InputError(f"{what} must be a JSON object, got {shown(data)}.", "file")
    unknown = next((key for key in data if key not in allowed), None)
    if unknown is not None:
        raise InputError(f"{what} may have {', '.join(allowed)}, got {shown(unknown)}.", "file")
    missing = next((key for key in needed if key not in data), None)
    if missing is not None:
        raise InputError(f"{what} must have {', '.join(needed)}, got none for {missing}.", "file")
    null = next((key for key, value in data.items() if value is None and key not in optional), None)
    if null is not None:
        raise InputError(f"{what} must have a value for {null}, got null.", "epsilon" if null == "alpha" else null)
    return {key: value for key, value in data.items() if value is not None}


def checked_name(name: object) -> str:
    """Return what the user calls a study, with a space for every control character, which files and terminals may not bear.

    Raises
    ------
    InputError
        If it is not a text of at most 200 characters.
    """
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        got = f"{len(name)} characters" if isinstance(name, str) else shown(name)
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


def _level(form: Literal["epsilon", "alpha"], number: Number) -> PrivacyLevel:
    """A level, the one made before where the same number was given: alpha to the last digit takes as long as a small design."""
    # 0 and -0 are equal, and yet shown as they were given.
    return _remembered(form, number) if isinstance(number, (str, int, float)) and number else PrivacyLevel(form, number)


@lru_cache(maxsize=64, typed=True)
def _remembered(form: Literal["epsilon", "alpha"], number: Number) -> PrivacyLevel:
    return PrivacyLevel(form, number)
