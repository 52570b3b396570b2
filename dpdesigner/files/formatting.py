"""Formats of tables and programs with their menu names, and numbers and names as text."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from keyword import iskeyword
from typing import NamedTuple

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact_text
from dpdesigner.core.basics.rounding import figure, rounded_up
from dpdesigner.messages import message


class Format(NamedTuple):
    """A format of tables: its name and its contents."""

    title: str
    holds: str


#: The languages of programs that make releases without dpdesigner.
PROGRAMS: Mapping[str, Format] = {
    "py": Format(message("Python"), message("Releases exactly, with the standard library only")),
    "opendp": Format(message("OpenDP"), message("The same, as an OpenDP measurement")),
    "r": Format(message("R"), message("Simulates the mechanism, for analysis")),
}
#: File name endings of programs, by language.
PROGRAM_ENDINGS = {"py": ".py", "opendp": "_opendp.py", "r": ".R"}
#: The formats of tables that carry no proof.
TABLE_FORMATS: Mapping[str, Format] = {
    "csv": Format(message("CSV"), message("Every table with all its digits")),
    "tsv": Format(message("TSV"), message("Tab-separated")),
    "json": Format(message("JSON"), message("Design, results and tables in one file")),
    "tex": Format(message("LaTeX"), message("Every table rounded for print, for booktabs")),
}


_LONGEST_NUMBER = 20
_UNSAFE = re.compile(r"[^\w.-]+")


def data_url(kind: str, text: str) -> str:
    """Return a text as an address that holds it, for a page that must be complete; `kind` is its media type."""
    return f"data:{kind};base64,{base64.b64encode(text.encode('utf-8')).decode('ascii')}"


def file_name(name: str) -> str:
    """Return a file name: letters, digits, dots, hyphens and underscores, at most 80; ``"design"`` if nothing is left."""
    return _UNSAFE.sub("-", name)[:80].strip("-.") or "design"


def program_name(name: str, language: str) -> str:
    """Return the file name of a program; one in Python can be imported: ``"rent_in_the_district.py"``."""
    if language != "r":
        name = re.sub(r"\W", "_", name).lower()
        name = name if name.isidentifier() and not iskeyword(name) else f"program_{name}"
    return f"{name}{PROGRAM_ENDINGS[language]}"


def number(value: float | Fraction) -> float | str:
    """Return a number as a JSON value: doubles unchanged, infinity and fractions as text."""
    if isinstance(value, Fraction):
        return exact_text(value)
    return float(value) if math.isfinite(value) else str(float(value))


def finite(value: float) -> float | None:
    """Return a double as a JSON value; None if it is infinite or not a number."""
    return value if math.isfinite(value) else None


def small(value: float | Fraction) -> str:
    """Return a number with three digits, rounded up."""
    return f"{rounded_up(value, 3):g}".replace("Infinity", "infinity")


def level_words(level: PrivacyLevel) -> str:
    """Return ``epsilon = 0.693148, alpha = 1/2``."""
    return f"{epsilon_words(level)}, alpha = {alpha_words(level)}"


def epsilon_words(level: PrivacyLevel) -> str:
    """Return epsilon as entered if that is short, otherwise rounded up."""
    form, number = level.source
    given = str(number).strip()
    if form != "epsilon" or len(given) > _LONGEST_NUMBER:
        given = figure(level.epsilon_above, 6).replace("−", "-").replace("∞", "infinity")
    return f"epsilon = {given}"


def alpha_words(level: PrivacyLevel) -> str:
    """Return alpha as a fraction if that is short, otherwise rounded down."""
    alpha = level.exact_alpha
    return str(alpha) if alpha is not None and len(str(alpha)) <= _LONGEST_NUMBER else f"{level.alpha_rounded_down(6):g}"


def rounded(value: float, digits: int = 12) -> str:
    """Return a number computed with doubles, with only its reliable digits."""
    return f"{value:.{digits}g}" if abs(value) < float("inf") else "infinite"
