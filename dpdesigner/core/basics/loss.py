"""The loss: the user's cost if the true result is i and the release is read as r."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics import arithmetic
from dpdesigner.core.basics.coercion import ArrayValues, ByValue, is_numeric
from dpdesigner.core.basics.coverage import Coverage, Rows, Turns
from dpdesigner.core.basics.parsing import Number, cut, double, exact, excerpt, is_number, nearest
from dpdesigner.errors import InputError


class NamedLoss(NamedTuple):
    """A named loss: its title, its parameter's range (None if it has no parameter) and its formula.

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
NAMED = {
    "absolute": NamedLoss("absolute", "absolute", None, lambda i, r, _: abs(i - r), _DISTANCE),
    "squared": NamedLoss("squared", "squared", None, lambda i, r, _: (i - r) ** 2, _DISTANCE),
    "zero-one": NamedLoss("0/1", "zero-one", None, lambda i, r, _: (i != r) * 1, _DISTANCE),
    "power": NamedLoss(
        "power",
        "power:Q with Q from 0.001 to 100",
        (Fraction(1, 1000), Fraction(100)),
        lambda i, r, q: abs(i - r) ** q,
        _DISTANCE,
    ),
    "threshold": NamedLoss(
        "threshold",
        "threshold:T with T at least 0",
        (Fraction(0), Fraction(10**9)),
        lambda i, r, t: (abs(i - r) > t // 1) * 1,
        _DISTANCE,
    ),
    "pinball": NamedLoss(
        "pinball",
        "pinball:TAU with TAU from 0 to 1",
        (Fraction(0), Fraction(1)),
        lambda i, r, tau: _larger(tau * (i - r), (1 - tau) * (r - i)),
        "grows on either side of the true count: geometric + remap is optimal (Theorem A).",
    ),
    "relative": NamedLoss("relative", "relative", None, lambda i, r, _: abs(i - r) / _larger(i, i * 0 + 1), _DISTANCE),
}
#: The allowed losses, for error messages.
USAGE = "; ".join([named.usage for named in NAMED.values()] + ["distance:0,1,4", "a formula like 2|i-r|", "a matrix"])


def named_loss(given: object) -> tuple[NamedLoss, Fraction | None]:
    """Return a named loss and its parameter.

    Raises
    ------
    InputError
        If there is no loss of that name, or its parameter is missing or cannot be used.
    """
    name, colon, text = given.partition(":") if isinstance(given, str) else ("", "", "")
    named = NAMED.get(name.strip())
    if named is None:
        raise InputError(f"the loss must be one of {USAGE}, got {excerpt(given)}.", "loss")
    if named.parameter is None:
        if colon:
            raise InputError(f"the loss {name} takes no parameter, got {excerpt(given)}.", "loss")
        return named, None
    low, high = named.parameter
    value = exact(text, "loss") if text.strip() else None
    if value is None or not low <= value <= high:
        nearest_allowed = "" if value is None else str(min(max(value, low), high))
        got = excerpt(given if text.strip() else "")
        raise InputError(f"the loss must be {named.usage}, got {got}.", "loss", nearest_allowed)
    return named, value


def named_values(given: object, counts: Floats) -> Floats:
    """Return a named loss for some true results and releases, as doubles."""
    named, parameter = named_loss(given)
    number = None if parameter is None else float(parameter // 1 if named is NAMED["threshold"] else parameter)
    with np.errstate(over="ignore"):  # values that are too large are refused
        return np.asarray(named.formula(counts[:, None], counts[None, :], number), dtype=float)


#: Losses beyond this size would leave the range in which the certificate is computed.
LARGEST = 1e100


class LossTable(ArrayValues):
    """A loss matrix specified as an array of numbers.

    Parameters
    ----------
    numbers : ndarray
        (n + 1, n + 1), rows i and columns r, of whole numbers or doubles.

    Attributes
    ----------
    rows : Rows
        What is known of its rows.
    coverage : Coverage
        Whether Theorem A covers it.
    """

    def __init__(self, numbers: NDArray[Any]) -> None:
        doubles = np.empty(numbers.shape)
        self.rows = Rows.of(numbers, doubles)
        super().__init__(numbers, doubles)
        if not (self.rows.low.min() >= -LARGEST and self.rows.high.max() <= LARGEST):
            self._refuse()
        self.coverage = self.rows.coverage(self.doubles)

    def _refuse(self) -> None:
        bad = np.argwhere(~np.isfinite(self.doubles))
        for i, r in bad[:1].tolist():
            exact(self.doubles[i, r], f"the loss at i = {i}, r = {r}", "loss")
        refuse_size("matrix")


def refuse_size(title: str) -> None:
    """Refuse a loss that is too large.

    Raises
    ------
    InputError
    """
    raise InputError(f"the loss must be between -1e100 and 1e100 for all i and r, got more in {cut(title)}.", "loss")


_LARGEST_NEAR = 1e15
#: Above this n a loss matrix and a mechanism would fill the memory.
LARGEST_DENSE_N = 5000
#: From this n on, scores near the best readings take less time than all scores at once, unless too many columns are near.
_NEAR_FROM = 150

Matrix = tuple[tuple[Number, ...], ...]


@dataclass(frozen=True, eq=False)
class Loss(ByValue):
    """A loss function of the true result i and the released result r.

    Attributes
    ----------
    specification : str, tuple of tuple of Number or LossTable
        ``"absolute"``, ``"squared"``, ``"zero-one"``, ``"power:1.5"``, ``"threshold:2"`` (1 where |i-r| > 2),
        ``"pinball:3/4"`` (3/4 a row where r is below i, 1/4 where above), ``"relative"`` (|i-r| / max(i, 1)),
        ``"distance:0,1,4"`` (by distance |i-r|; the last value continues), ``"expression:..."``, or a matrix with rows i
        and columns r. A formula such as ``"2(i-r)^2"`` needs no name before it. A matrix in lists is kept as it was given,
        one in an array as a `LossTable`; they are equal where their numbers are.
    """

    specification: str | Matrix | LossTable

    def __post_init__(self) -> None:
        if not isinstance(self.specification, str):
            object.__setattr__(self, "specification", _as_matrix(self.specification))
        elif _is_formula(self.specification):
            object.__setattr__(self, "specification", f"expression:{self.specification.strip()}")
        elif self.name == "expression":
            arithmetic.check(self.argument)
        elif self.name == "distance":
            _distances(self.argument)
        else:
            named_loss(self.specification)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments as passed."""
        return (self.specification,)

    @property
    def name(self) -> str:
        """``"absolute"``, ..., ``"distance"``, ``"expression"`` or ``"matrix"``."""
        return self.specification.partition(":")[0].strip() if isinstance(self.specification, str) else "matrix"

    @property
    def argument(self) -> str:
        """The text after the colon, if any."""
        return self.specification.partition(":")[2].strip() if isinstance(self.specification, str) else ""

    @property
    def parameter(self) -> Fraction | None:
        """The parameter of a named loss: Q, T or TAU."""
        return named_loss(self.specification)[1] if isinstance(self.specification, str) and self.name in NAMED else None

    @property
    def fractional(self) -> bool:
        """True if a release of fractions may cost less than the best one of whole numbers."""
        return self.name == "squared" or (self.name == "power" and (self.parameter or 0) > 1)

    @property
    def title(self) -> str:
        """A short title for the summary: ``"absolute"``, ``"power 1.5"``, ``"drawn"``."""
        if self.name in NAMED:
            return f"{NAMED[self.name].title} {self.argument}".strip()
        return {"distance": "drawn", "expression": self.argument, "matrix": "matrix"}[self.name]

    def matrix(self, n: int) -> Floats:
        """Return l(i, r) as doubles, (n + 1, n + 1), read-only.

        Raises
        ------
        InputError
            If the loss is a matrix of another size or an expression without a finite value.
        """
        if isinstance(self.specification, LossTable):
            self._check_size(n)
            return self.specification.doubles
        return _matrix(self, n)

    def check(self, n: int) -> None:
        """Refuse what `matrix` refuses; free for drawn losses and for named losses, which are largest at the ends of 0..n.

        Raises
        ------
        InputError
            As `matrix`.
        """
        if self.name in NAMED and n <= LARGEST_DENSE_N:
            ends = np.array(sorted({0.0, float(min(n, 1)), float(n)}))
            _check_range(self, named_values(self.specification, ends))
        elif self.name == "distance" and n <= LARGEST_DENSE_N:
            _check_range(self, np.array([nearest(value) for value in _distances(self.argument)[: n + 1]]))
        else:
            self.matrix(n)

    def bounds(self, n: int) -> tuple[Floats, Floats, Turns | None]:
        """Return the least and largest loss of each row, (n + 1,) each, and where the rows turn, if that saves time."""
        rows = self._rows(n)
        # Multiplied by a larger loss, values that doubles round to 0 might matter.
        near = _NEAR_FROM <= n and max(-rows.low.min(), rows.high.max()) < _LARGEST_NEAR
        turns = rows.turns(n + 1) if near and self._read_coverage(n).covered else None
        return rows.low, rows.high, turns

    def exact_matrix(self, n: int) -> list[list[Fraction]]:
        """Return l(i, r) as fractions.

        Raises
        ------
        InputError
            If a value is irrational.
        """
        if self.name == "expression":
            return arithmetic.evaluate_exactly(self.argument, n)
        if not isinstance(self.specification, str):
            self._check_size(n)
            return [[exact(value, "loss") for value in row] for row in self.specification]
        if self.name == "distance":
            values = _distances(self.argument)
            return [[values[min(abs(i - r), len(values) - 1)] for r in range(n + 1)] for i in range(n + 1)]
        named, parameter = named_loss(self.specification)
        rows = [[named.formula(Fraction(i), Fraction(r), parameter) for r in range(n + 1)] for i in range(n + 1)]
        if n >= 2 and not isinstance(rows[0][2], (int, Fraction)):
            raise InputError(
                f"exact arithmetic needs a rational loss; {excerpt(self.specification)} is irrational at distance 2.", "loss"
            )
        return [[Fraction(value) for value in row] for row in rows]

    def coverage(self, n: int) -> Coverage:
        """Return whether Theorem A covers the loss, so that geometric + remap is optimal for every prior.

        Raises
        ------
        InputError
            As `matrix`.
        """
        if self.name in NAMED:
            return Coverage(True, NAMED[self.name].reason)
        if self.name == "distance":
            # From twice the length of the curve on, larger n add nothing new: some row has the whole curve on either side.
            costs = _distances(self.argument)
            known = self._read_coverage(min(n, 2 * len(costs) + 1))
            if known.covered:
                return known
            less = next(k for k in range(1, len(costs)) if costs[k] < costs[k - 1])
            return Coverage(False, f"an error of {less} costs less than one of {less - 1}.")
        return self._read_coverage(n)

    def _rows(self, n: int) -> Rows:
        """Known properties of the rows of the matrix."""
        if isinstance(self.specification, LossTable):
            self._check_size(n)
            return self.specification.rows
        return _rows(self, n)

    def _read_coverage(self, n: int) -> Coverage:
        """Return whether Theorem A covers the loss matrix in doubles."""
        if isinstance(self.specification, LossTable):
            self._check_size(n)
            return self.specification.coverage
        return _coverage(self, n)

    def grows_with_distance(self, n: int) -> bool:
        """Return whether [GRS] Theorem 3.1 itself covers the loss: each row is an increasing function of |i - r|.

        Raises
        ------
        InputError
            As `matrix`.
        """
        if self.name in NAMED:
            return self.name != "pinball" or self.parameter == Fraction(1, 2)
        if self.name == "distance":
            distances = _distances(self.argument)
            return all(a <= b for a, b in pairwise(distances[: n + 1]))
        return _grows_with_distance(self, n)

    def _check_size(self, n: int) -> None:
        if len(self.specification) != n + 1:
            raise InputError(
                f"the loss matrix must have n + 1 = {n + 1} rows and columns, got {len(self.specification)} rows and columns.",
                "loss",
            )


@lru_cache(maxsize=4)
def _grows_with_distance(loss: Loss, n: int) -> bool:
    for i, row in enumerate(loss.matrix(n)):
        below, above = row[i::-1], row[i:]
        both = min(len(below), len(above))
        if (below[:both] != above[:both]).any() or (np.diff(below) < 0).any() or (np.diff(above) < 0).any():
            return False
    return True


@lru_cache(maxsize=4)
def _matrix(loss: Loss, n: int) -> Floats:
    if n > LARGEST_DENSE_N:
        needed = f"n must be at most {LARGEST_DENSE_N} for a loss that needs its matrix"
        raise InputError(f"{needed}, got {n}.", "n", str(LARGEST_DENSE_N))
    counts = np.arange(n + 1, dtype=float)
    if loss.name == "expression":
        values = arithmetic.evaluate(loss.argument, n)
    elif isinstance(loss.specification, tuple):
        loss._check_size(n)
        values = np.array([[double(value) for value in row] for row in loss.specification])
    elif loss.name == "distance":
        table = np.array([nearest(value) for value in _distances(loss.argument)])
        values = table[np.minimum(abs(counts[:, None] - counts), len(table) - 1).astype(int)]
    else:
        values = named_values(loss.specification, counts)
    _check_range(loss, values)
    values.flags.writeable = False
    return values


def _check_range(loss: Loss, values: Floats) -> None:
    if not np.abs(values).max() <= LARGEST:
        refuse_size(loss.title)


@lru_cache(maxsize=16)
def _rows(loss: Loss, n: int) -> Rows:
    return Rows.of(loss.matrix(n))


@lru_cache(maxsize=16)
def _coverage(loss: Loss, n: int) -> Coverage:
    return _rows(loss, n).coverage(loss.matrix(n))


def _is_formula(text: str) -> bool:
    """Whether a text is a formula without the prefix ``expression:``."""
    if text.partition(":")[0].strip() in (*NAMED, "distance", "expression") or not set(text) & set("irx"):
        return False
    try:
        arithmetic.check(text)
    except InputError:
        return False
    return True


def _distances(text: str) -> list[Fraction]:
    return [exact(part, "loss") for part in text.split(",")]


class _Checked(tuple[tuple[Number, ...], ...]):
    """A matrix whose entries have all been checked."""

    __slots__ = ()


def _as_matrix(given: object) -> Matrix | LossTable:
    if isinstance(given, (_Checked, LossTable)):
        return given
    if isinstance(given, np.ndarray):
        if is_numeric(given) and given.ndim == 2 and given.shape[0] == given.shape[1] > 0:
            return LossTable(given)
        given = given.tolist()
    square = isinstance(given, (list, tuple)) and all(isinstance(row, (list, tuple)) and len(row) == len(given) for row in given)
    if not square or not given:
        raise InputError(f"the loss must be one of {USAGE} (with as many rows as columns), got something else.", "loss")
    rows = _Checked(tuple(row) for row in given)  # type: ignore[attr-defined]
    for i, row in enumerate(rows):
        for r, value in enumerate(row):
            if (not isinstance(value, float) or value - value != 0) and not is_number(value):
                exact(value, f"the loss at i = {i}, r = {r}", "loss")
    return rows
