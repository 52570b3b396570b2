"""The loss: what it costs the user when the true result is i and the release is read as r."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import expression
from dpdesigner.core.coverage import Coverage, Turns, coverage_of, turns_of
from dpdesigner.core.near_scores import NEAR_FROM
from dpdesigner.core.numbers import Number, cut, double, exact, is_number, nearest, shown
from dpdesigner.core.quick_certificate import QUICK_FROM, least_in_blocks
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]
#: Losses beyond this size would leave the range in which the certificate is computed.
LARGEST = 1e100
_LARGEST_NEAR = 1e15
#: Above this n a loss matrix and a mechanism would fill the memory.
LARGEST_DENSE_N = 5000

Matrix = tuple[tuple[Number, ...], ...]


class _Named(NamedTuple):
    """A named loss: its title, the range of its parameter (None: it has none) and its formula.

    The formula takes i, r and the parameter, as arrays of doubles or as fractions alike.
    """

    title: str
    usage: str
    parameter: tuple[Fraction, Fraction] | None
    formula: Callable[[Any, Any, Any], Any]
    reason: str


def _larger(a: Any, b: Any) -> Any:
    return np.maximum(a, b) if isinstance(a, np.ndarray) else max(a, b)


_DISTANCE = "grows with distance: geometric + remap is optimal (Theorem A)."
_NAMED = {
    "absolute": _Named("absolute", "absolute", None, lambda i, r, _: abs(i - r), _DISTANCE),
    "squared": _Named("squared", "squared", None, lambda i, r, _: (i - r) ** 2, _DISTANCE),
    "zero-one": _Named("0/1", "zero-one", None, lambda i, r, _: (i != r) * 1, _DISTANCE),
    "power": _Named(
        "power", "power:Q with Q in (0, 100]", (Fraction(1, 1000), Fraction(100)), lambda i, r, q: abs(i - r) ** q, _DISTANCE
    ),
    "threshold": _Named(
        "threshold",
        "threshold:T with T >= 0",
        (Fraction(0), Fraction(10**9)),
        lambda i, r, t: (abs(i - r) > t // 1) * 1,
        _DISTANCE,
    ),
    "pinball": _Named(
        "pinball",
        "pinball:TAU with TAU in [0, 1]",
        (Fraction(0), Fraction(1)),
        lambda i, r, tau: _larger(tau * (i - r), (1 - tau) * (r - i)),
        "grows on either side of the true count: geometric + remap is optimal (Theorem A).",
    ),
    "relative": _Named("relative", "relative", None, lambda i, r, _: abs(i - r) / _larger(i, i * 0 + 1), _DISTANCE),
}
_USAGE = "; ".join([named.usage for named in _NAMED.values()] + ["distance:0,1,4", "expression:abs(i-r)", "a matrix"])


@dataclass(frozen=True)
class Loss:
    """A loss function of the true result i and the released result r.

    Attributes
    ----------
    given : str or tuple of tuple of Number
        ``"absolute"``, ``"squared"``, ``"zero-one"``, ``"power:1.5"``, ``"threshold:2"`` (1 where |i-r| > 2),
        ``"pinball:3/4"`` (3/4 a row where r is below i, 1/4 where above), ``"relative"`` (|i-r| / max(i, 1)),
        ``"distance:0,1,4"`` (by distance |i-r|; the last value continues), ``"expression:..."``, or a matrix with rows i
        and columns r.
    """

    given: str | Matrix

    def __post_init__(self) -> None:
        if not isinstance(self.given, str):
            object.__setattr__(self, "given", _as_matrix(self.given))
        elif self.name == "expression":
            expression.check(self.argument)
        elif self.name == "distance":
            _distances(self.argument)
        else:
            _named(self.given)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """The hash of a matrix takes as long as solving it; it is asked for at every turn."""
        return hash(self.given)

    @property
    def name(self) -> str:
        """``"absolute"``, ..., ``"distance"``, ``"expression"`` or ``"matrix"``."""
        return self.given.partition(":")[0].strip() if isinstance(self.given, str) else "matrix"

    @property
    def argument(self) -> str:
        """What stands behind the colon, or nothing."""
        return self.given.partition(":")[2].strip() if isinstance(self.given, str) else ""

    @property
    def parameter(self) -> Fraction | None:
        """The parameter of a named loss: Q, T or TAU."""
        return _named(self.given)[1] if isinstance(self.given, str) and self.name in _NAMED else None

    @property
    def title(self) -> str:
        """Short words for the summary: ``"absolute"``, ``"power 1.5"``, ``"drawn"``."""
        if self.name in _NAMED:
            return f"{_NAMED[self.name].title} {self.argument}".strip()
        return {"distance": "drawn", "expression": self.argument, "matrix": "matrix"}[self.name]

    def matrix(self, n: int) -> Floats:
        """Return l(i, r) as doubles, (n + 1, n + 1), read-only.

        Raises
        ------
        InputError
            If the loss is a matrix of another size or an expression without a finite value.
        """
        return _matrix(self, n)

    def check(self, n: int) -> None:
        """Refuse what `matrix` refuses; at no cost of named losses, which are largest at the ends of 0..n, and of drawn ones.

        Raises
        ------
        InputError
            As `matrix`.
        """
        if self.name in _NAMED and n <= LARGEST_DENSE_N:
            ends = np.array(sorted({0.0, float(min(n, 1)), float(n)}))
            _check_range(self, _named_values(self.given, ends))
        elif self.name == "distance" and n <= LARGEST_DENSE_N:
            _check_range(self, np.array([nearest(value) for value in _distances(self.argument)[: n + 1]]))
        else:
            self.matrix(n)

    def bounds(self, n: int) -> tuple[Floats, Floats, Floats | None, Turns | None]:
        """Return the least and the largest loss of each row, each (n + 1,), and what quick certificates need."""
        return _bounds(self, n)

    def exact_matrix(self, n: int) -> list[list[Fraction]]:
        """Return l(i, r) as fractions.

        Raises
        ------
        InputError
            If a value is irrational.
        """
        if self.name == "expression":
            return expression.evaluate_exactly(self.argument, n)
        if not isinstance(self.given, str):
            self._check_size(n)
            return [[exact(value, "loss") for value in row] for row in self.given]
        if self.name == "distance":
            values = _distances(self.argument)
            return [[values[min(abs(i - r), len(values) - 1)] for r in range(n + 1)] for i in range(n + 1)]
        named, parameter = _named(self.given)
        rows = [[named.formula(Fraction(i), Fraction(r), parameter) for r in range(n + 1)] for i in range(n + 1)]
        if n >= 2 and not isinstance(rows[0][2], (int, Fraction)):
            raise InputError(f"exact arithmetic needs a rational loss; {shown(self.given)} is irrational at distance 2.", "loss")
        return [[Fraction(value) for value in row] for row in rows]

    def coverage(self, n: int) -> Coverage:
        """Tell whether Theorem A covers the loss, so that geometric + remap is optimal whatever the prior.

        Raises
        ------
        InputError
            As `matrix`.
        """
        if self.name in _NAMED:
            return Coverage(True, _NAMED[self.name].reason)
        if self.name == "distance":
            # From twice the length of the curve on, larger n show nothing new: some row has the whole curve on either side.
            return _coverage(self, min(n, 2 * len(_distances(self.argument)) + 1))
        return _coverage(self, n)

    def _check_size(self, n: int) -> None:
        if len(self.given) != n + 1:
            raise InputError(
                f"the loss matrix must have n + 1 = {n + 1} rows and columns, got {len(self.given)} rows and columns.", "loss"
            )


@lru_cache(maxsize=4)
def _matrix(loss: Loss, n: int) -> Floats:
    if n > LARGEST_DENSE_N:
        needed = f"n must be at most {LARGEST_DENSE_N} for a loss that needs its matrix"
        raise InputError(f"{needed}, got {n}.", "n", str(LARGEST_DENSE_N))
    counts = np.arange(n + 1, dtype=float)
    if loss.name == "expression":
        values = expression.evaluate(loss.argument, n)
    elif not isinstance(loss.given, str):
        loss._check_size(n)
        values = np.array([[double(value) for value in row] for row in loss.given])
    elif loss.name == "distance":
        table = np.array([nearest(value) for value in _distances(loss.argument)])
        values = table[np.minimum(abs(counts[:, None] - counts), len(table) - 1).astype(int)]
    else:
        values = _named_values(loss.given, counts)
    _check_range(loss, values)
    values.flags.writeable = False
    return values


def _named_values(given: str | Matrix, counts: Floats) -> Floats:
    """A named loss of some true and released results."""
    named, parameter = _named(given)
    number = None if parameter is None else float(parameter // 1 if named is _NAMED["threshold"] else parameter)
    with np.errstate(over="ignore"):  # what is too large is refused
        return np.asarray(named.formula(counts[:, None], counts[None, :], number), dtype=float)


def _check_range(loss: Loss, values: Floats) -> None:
    if not np.abs(values).max() <= LARGEST:
        raise InputError(f"the loss must be between -1e100 and 1e100 for all i and r, got more in {cut(loss.title)}.", "loss")


@lru_cache(maxsize=16)
def _bounds(loss: Loss, n: int) -> tuple[Floats, Floats, Floats | None, Turns | None]:
    values = loss.matrix(n)
    low, high = values.min(axis=1), values.max(axis=1)
    # Times a larger loss, what doubles round to 0 might matter.
    turns = turns_of(values) if NEAR_FROM <= n < QUICK_FROM and max(-low.min(), high.max()) < _LARGEST_NEAR else None
    return low, high, least_in_blocks(values) if n >= QUICK_FROM else None, turns


@lru_cache(maxsize=16)
def _coverage(loss: Loss, n: int) -> Coverage:
    return coverage_of(loss.matrix(n))


def _named(given: str | Matrix) -> tuple[_Named, Fraction | None]:
    name, colon, text = given.partition(":") if isinstance(given, str) else ("", "", "")
    named = _NAMED.get(name.strip())
    if named is None:
        raise InputError(f"the loss must be one of {_USAGE}, got {shown(given)}.", "loss")
    if named.parameter is None:
        if colon:
            raise InputError(f"the loss {name} takes no parameter, got {shown(given)}.", "loss")
        return named, None
    low, high = named.parameter
    value = exact(text, "loss") if text.strip() else None
    if value is None or not low <= value <= high:
        nearest_allowed = "" if value is None else str(min(max(value, low), high))
        got = shown(given if text.strip() else "")
        raise InputError(f"the loss must be {named.usage}, got {got}.", "loss", nearest_allowed)
    return named, value


def _distances(text: str) -> list[Fraction]:
    return [exact(part, "loss") for part in text.split(",")]


class _Checked(tuple[tuple[Number, ...], ...]):
    """A matrix of which every entry has been looked at."""

    __slots__ = ()


def _as_matrix(given: object) -> Matrix:
    if isinstance(given, _Checked):
        return given
    if isinstance(given, np.ndarray):
        given = given.tolist()
    square = isinstance(given, (list, tuple)) and all(isinstance(row, (list, tuple)) and len(row) == len(given) for row in given)
    if not square or not given:
        raise InputError(f"the loss must be one of {_USAGE} (with as many rows as columns), got something else.", "loss")
    rows = _Checked(tuple(row) for row in given)  # type: ignore[attr-defined]
    for i, row in enumerate(rows):
        for r, value in enumerate(row):
            if (not isinstance(value, float) or value - value != 0) and not is_number(value):
                exact(value, f"the loss at i = {i}, r = {r}", "loss")
    return rows
