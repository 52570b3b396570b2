"""Findings of an outcome: header, cards, comparison, command line, JSON and report all show these.

An outcome gives an ordered mapping of keys to findings, the headline first. `shown` is the one place in which a value becomes
text, so that a number never has two names or two roundings.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from dpdesigner.core.basics.parsing import exact_text
from dpdesigner.core.basics.rounding import figure, group_thousands, rounded_down, rounded_up, significant, small
from dpdesigner.messages import message

Value = Fraction | float | int | str | bool | tuple[Any, ...] | None
State = Literal["proved", "refuted", "measured", "given", "open", "pending"]
Rounding = Literal["up", "down", "nearest"]
Form = Literal["short", "line", "long", "full", "words"]

_WORDS_DIGITS = 3  # digits of a number inside a sentence
_LONG_DIGITS, _LONGEST_FRACTION = 12, 24
_LINE_DIGITS = 6  # digits of a number on the command line
_LONGEST_EXACT = 200  # characters of a fraction written in full
_LARGEST_WHOLE = 10**15  # up to here, doubles that are integers are written as such
_NOTHING = "–"


@dataclass(frozen=True)
class Finding:
    """One reported value of an outcome.

    Attributes
    ----------
    label : str
        What it is: ``"expected loss"``. A `said` text, which the desktop translates.
    value : Fraction, float, int, str, bool, tuple or None
        What was found; None where there is none here, and `note` says why. A tuple is a list of values, or a table of rows.
    unit : str
        ``"people"``, ``"%"`` (the value is then in percent); empty for a pure number.
    digits : int
        Significant digits of the short form; a single one that is rounded up is written as a power of ten, ``3e−14``.
    rounding : {"up", "down", "nearest"}
        Which way the short form is rounded: losses, gaps and epsilon up, alpha down, so that it is never better than the truth.
    state : {"proved", "refuted", "measured", "given", "open", "pending"}
        How it is known; decides its colour everywhere, green only for what is proved, red for a guarantee that does not hold.
    measure : Hashable
        What it is measured by, such as the loss: values measured by different things have no difference.
    share : bool
        Whether it is a share of 1, which is shown in percent.
    secret : bool
        Whether it is told in the window only, in no file, JSON, report, sample or clipboard.
    note : str
        One clause: ``"all 21 columns checked"``.
    """

    label: str
    value: Value
    unit: str = ""
    digits: int = 5
    rounding: Rounding = "nearest"
    state: State = "given"
    measure: Hashable = None
    share: bool = False
    secret: bool = False
    note: str = ""

    @property
    def exact(self) -> bool:
        """Whether the value is exact."""
        return isinstance(self.value, (Fraction, int))

    @property
    def number(self) -> float | None:
        """The value as a double, for bars and differences; None for words and missing values."""
        if self.value is None or isinstance(self.value, (str, bool, tuple)):
            return None
        return float(self.value)


Findings = Mapping[str, Finding]


def root_of(cost: float, squared: bool, unit: str, state: State) -> dict[str, Finding]:
    """Return the root of an expected squared error, rounded up, as a finding; none for other costs."""
    if not squared or not math.isfinite(cost):
        return {}
    root = math.nextafter(math.sqrt(cost), math.inf) if cost else 0.0
    return {"root": Finding(message("root mean square error"), root, unit, 4, "up", state)}


def format_finding(finding: Finding, form: Form = "short") -> str:
    """Return the value of a finding as text.

    Parameters
    ----------
    finding : Finding
    form : {"short", "line", "long", "full", "words"}
        With the finding's digits, rounded as it says; with six or with twelve, rounded the same way, and a fraction where it
        can be read; with all its digits, a fraction with its decimal value; or for a sentence, with its digits, three at most.

    Returns
    -------
    str
        With its unit; a dash where there is no value.
    """
    value = finding.value
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return message("yes") if value else message("no")
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return _list_text(finding, value, form)
    if finding.share and form != "full":
        return format_finding(replace(finding, value=100 * value, unit="%", share=False), form)
    text = _full(value, finding.rounding) if form == "full" else _rounded(finding, value, form)
    return with_unit(text, finding.unit)


def with_unit(text: str, unit: str) -> str:
    """Return a number with its unit after a non-breaking space; a percent sign has no space."""
    return f"{text}{unit}" if unit in ("", "%") else f"{text}\u00a0{unit}"


def several(text: str, unit: str) -> str:
    """Return a number with its unit, which is in the plural and so left out after 1."""
    return with_unit(text, "" if text == "1" and "×" not in unit else unit)


def describe_finding(finding: Finding, form: Form = "full") -> str:
    """Return the value with its note in parentheses, in full unless another form is requested; percentages have six digits."""
    if finding.value is None:
        return finding.note or _NOTHING
    text = format_finding(finding, "line" if finding.unit == "%" and form == "full" else form)
    more = [finding.note] if finding.note else []
    if finding.share and form == "full" and finding.number is not None:
        text, more = format_finding(finding), [text, *more]
    return f"{text} ({'; '.join(more)})" if more else text


def as_json(finding: Finding) -> Any:
    """Return the value for JSON: tuples as lists, fractions and non-finite numbers as text."""
    return _json(finding.value)


def _json(value: Value) -> Any:
    if isinstance(value, tuple):
        return [_json(each) for each in value]
    if isinstance(value, Fraction):
        return exact_text(value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def public(findings: Findings) -> dict[str, Finding]:
    """Return the findings that may leave the window."""
    return {key: finding for key, finding in findings.items() if not finding.secret}


def _list_text(finding: Finding, values: tuple[Any, ...], form: Form) -> str:
    """Return values separated by commas, each formatted as a finding; for several tables their number, for one its rows."""
    if values and isinstance(values[0], tuple):
        if values[0] and isinstance(values[0][0], tuple):
            return message("{count} tables", count=len(values)) if len(values) > 1 else message("1 table")
        return message("{count} rows", count=len(values))
    return ", ".join(format_finding(replace(finding, value=value), form) for value in values)


def _rounded(finding: Finding, value: Fraction | float | int, form: Form) -> str:
    if isinstance(value, int):
        return group_thousands(int(rounded_up(value, finding.digits)) if form == "short" and finding.rounding == "up" else value)
    if isinstance(value, float) and not math.isfinite(value):
        return significant(value)
    if form == "words":
        return _with_thousands(_directed(value, min(finding.digits, _WORDS_DIGITS), finding.rounding))
    if form == "line":
        if value == int(value) and -_LARGEST_WHOLE < value < _LARGEST_WHOLE:
            return group_thousands(int(value))
        text = _without_zeros(_directed(value, 1 if finding.digits == 1 else _LINE_DIGITS, finding.rounding))
    else:
        text = _directed(value, _LONG_DIGITS if form == "long" else finding.digits, finding.rounding)
    if form == "short":
        return _with_thousands(text)
    if not isinstance(value, Fraction) or len(fraction := exact_text(value)) > _LONGEST_FRACTION:
        return text
    about = "≥" if finding.rounding == "down" else "≤" if finding.rounding == "up" else "≈"
    sign = "=" if Fraction(text.replace("−", "-")) == value else about
    return text if value.denominator == 1 else f"{fraction} {sign} {text}"


def _with_thousands(text: str) -> str:
    """Return a number with its thousands separated from 10 000 on, like whole numbers."""
    sign, digits = ("−", text[1:]) if text.startswith("−") else ("", text)
    whole, point, rest = digits.partition(".")
    return sign + group_thousands(int(whole)) + point + rest if whole.isdecimal() else text


def _directed(value: Fraction | float, digits: int, rounding: Rounding) -> str:
    if rounding == "up":
        return small(value) if digits == 1 else figure(value, digits)
    if rounding == "down":
        down = rounded_down(value, digits)
        return f"{down:{'f' if 0 <= down.adjusted() < 6 else 'g'}}".replace("e+", "e").replace("-", "−")
    return significant(float(value), digits)


def _without_zeros(text: str) -> str:
    mantissa, power, exponent = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + power + exponent


def _double(value: float, rounding: Rounding) -> str:
    """Return a double with all its digits, without those of its own rounding if the rounding has no direction."""
    if value.is_integer() and abs(value) < _LARGEST_WHOLE:
        return str(int(value))
    plain = float(f"{value:.15g}")
    return repr(plain) if rounding == "nearest" and len(repr(plain)) + 2 < len(repr(value)) else repr(value)


def _full(value: Fraction | float | int, rounding: Rounding) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction) and value.denominator == 1:
        return exact_text(value)
    if not isinstance(value, Fraction):
        return _double(value, rounding) if math.isfinite(value) else significant(value)
    text = exact_text(value)
    if len(text) > _LONGEST_EXACT:
        text = f"a fraction of {len(text) - 1} digits"
    return f"{text} {'=' if Fraction(float(value)) == value else 'or about'} {float(value)!r}"
