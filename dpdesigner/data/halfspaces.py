"""Released structures of halfspaces in files, for readers of the release, and rules in words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut, double, excerpt, is_number, ungrouped
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.regions import MOST_COUNTS, Projections, coefficients
from dpdesigner.data.grid import read_text
from dpdesigner.errors import InputError
from dpdesigner.messages import message

_MOST_ROWS, _MOST_DIMENSION, _MOST = 10**9, 1000, 2.0**53


class Structure:
    """A released halfspace structure, read from a file.

    Attributes
    ----------
    plan : Projections
    counts : ndarray
        (m, |U|).
    rows : int
        How many points it stands for.
    privacy : str
        What is said of it.
    published : bool
        Whether it was drawn from the system's entropy; else it is for study only.
    ranges : ndarray or None
        Of the columns, (d, 2), if there are any.
    columns : str
        Their names in their order, separated by commas; empty if they have none.
    """

    def __init__(self, path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
        self.path, wanted = path, (("projections", 3), ("directions", 2), ("counts", 2))
        matrices, directions, self.counts = (_numbers(data[key], axes) for key, axes in wanted)
        self.plan, self.rows = Projections(matrices, directions), data["rows"]
        self.privacy, self.published, self.columns = str(data["privacy"]), data["published"] is True, str(data.get("columns", ""))
        self.ranges = _numbers(data["ranges"], 2) if "ranges" in data else None
        fits = self.counts.shape == (len(matrices), len(directions)) and matrices.shape[1] == directions.shape[1]
        fits = fits and (self.ranges is None or self.ranges.shape == (matrices.shape[2], 2))
        few = self.counts.size <= MOST_COUNTS and abs(self.counts).max() < _MOST
        if not (fits and few and type(self.rows) is int and 0 < self.rows <= _MOST_ROWS):
            raise ValueError("shapes that do not fit")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a structure from a file, or raise an `InputError`."""
        if (found := cls.found(path)) is None:
            raise no_structure(path)
        return found

    @classmethod
    def found(cls, path: str | os.PathLike[str]) -> Self | None:
        """Return the structure in a file, or None if it has no part of one; raises as `read` if it has, and is none."""
        text = read_text(path)
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if not (isinstance(data, dict) and {"projections", "directions", "counts", "structure"} & data.keys()):
            return None
        try:
            return cls(path, data.get("structure", data))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise no_structure(path) from None


def no_structure(path: str | os.PathLike[str]) -> InputError:
    """Return the error of a file that has no structure."""
    name = cut(Path(path).name)
    right = f"{stem}-structure.json" if not (stem := Path(name).stem).endswith("-structure") else "NAME-structure.json"
    return InputError(f"{name} must be the structure of halfspaces as export wrote it, like {right}.", "file")


def _numbers(given: object, axes: int) -> Floats:
    numbers = np.array(given, dtype=float)
    if numbers.ndim != axes or not numbers.size or numbers.shape[-1] > _MOST_DIMENSION or not np.isfinite(numbers).all():
        raise ValueError("no such array")
    return numbers


RULE_DIGITS = 4  # of the numbers of a rule: three would let it be met by noticeably other rows


def number_text(value: float, digits: int = 3) -> str:
    """Return a value of a column with so many digits."""
    value = float(f"{value:.{digits}g}") + 0.0  # no −0
    return (group_thousands(round(value)) if abs(value) >= 1000 else f"{value:g}").replace("-", "−")


def rule_text(angle: float, ranges: Floats, names: Sequence[str], closed: bool) -> str:
    """Return the rule that points on the positive side of a plane meet, or `closed` on it, solved for the second column."""
    weights = coefficients(angle, ranges)
    last = int(weights[1] != 0)
    level, slope = float(weights @ ranges.mean(axis=1)) * weights[last], -float(weights[0] * weights[1])
    level = level if abs(level) > 1e-9 * np.ptp(ranges[last]) else 0.0
    sign = "<>≤≥"[2 * closed + bool(weights[last] > 0)]
    told = {"name": names[last], "sign": sign, "level": number_text(level, RULE_DIGITS)}
    if not weights.all():
        return message("{name} {sign} {level}", **told)
    told |= {"weight": number_text(abs(slope) if level else slope, RULE_DIGITS), "joined": "−" if slope < 0 else "+"}
    text = "{name} {sign} {level} {joined} {weight} × {other}" if level else "{name} {sign} {weight} × {other}"
    return message(text, other=names[0], **told)


_SCALED = (
    "The directions are those of columns scaled so that their ranges become -1 to 1. Coefficients in the columns' units become a "
    "direction y if each is multiplied by the length of its range. The edge of every rule goes through the middle of the ranges. "
    "Open it in dpdesigner and type rules. In Python, dpdesigner.read_halfspaces(FILE).answer({given}) does this for {rule}."
)


def instructions(how: str, rule: str, given: Sequence[float] | None) -> str:
    """Return how to ask: the steps from the counts, and a rule with its coefficients in the units of columns with ranges."""
    if given is None:
        return f"{how} Open this file in dpdesigner and type a rule; in Python: dpdesigner.read_halfspaces(FILE).answer(y)."
    return f"{how} {_SCALED.format(rule=rule, given=list(given))}"


_NAMED = "\ue000\ue001"  # in place of the two columns
_NUMBER = r"(\d[\d.,\s]*(?:e[+-]?\d+)?)"
_TERM = re.compile(rf"\s*([+-])?\s*(?:{_NUMBER}[×*]?\s*([{_NAMED}])?|([{_NAMED}])\s*(?:([×*/])\s*{_NUMBER})?)\s*")
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})*,(000|\d{3},\d{3}|\d{3}\.\d+)")


def rule_terms(text: str, names: Sequence[str], example: str) -> tuple[Floats, str]:
    """Return the weights of two columns in a rule and what is added, all on the side that is larger, and its sign."""
    one, two = names
    plain = text.replace("−", "-").replace(">=", "≥").replace("<=", "≤")
    for name, mark in sorted(((one, _NAMED[0]), (two, _NAMED[1])), key=lambda each: -len(each[0])):
        plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", mark, plain)
    if found := next((word for word in re.findall(r"[^\W\d_]\w*", re.sub(r"\de[+-]?\d", "", plain)) if word not in names), ""):
        raise InputError(f"no column {excerpt(found)}; the columns are {one}, {two}.", "rule")
    sides = re.split("([<>≤≥])", plain)
    if len(sides) != 3:
        raise InputError(f"a rule must have one of > < ≥ ≤ and {one} or {two}, got {excerpt(text)}.", "rule")
    terms = np.subtract(*(_terms(side, text, example) for side in sides[::2])) * (1 if sides[1] in ">≥" else -1)
    if not terms[:2].any():
        raise InputError(f"a rule must be about {one} or {two}, got {excerpt(text)}.", "rule")
    return terms, sides[1]


def _terms(side: str, text: str, example: str) -> Floats:
    made, end = np.zeros(3), 0
    while match := _TERM.match(side, end):
        sign, before, named, alone, by, after = match.groups()
        number = (before or after or "1").strip()
        plain = number.replace(",", "") if _THOUSANDS.fullmatch(number) else ungrouped(number)
        plain = re.sub(r"^(\d+),(\d{1,2}|\d{4,})$", r"\1.\2", plain)
        if (end and not sign) or not is_number(plain) or (by == "/" and not double(plain)):
            break
        weight = (1 / double(plain) if by == "/" else double(plain)) * (-1 if sign == "-" else 1)
        made[_NAMED.index(named or alone) if named or alone else 2] += weight
        if (end := match.end()) == len(side):
            return made
    raise InputError(f"a rule must be like {example}, got {excerpt(text)}.", "rule")
