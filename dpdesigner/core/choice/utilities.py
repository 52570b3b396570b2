"""The utilities of a choice, of one list of options or of a table (databases by options), and its neighbouring rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.coercion import as_numbers
from dpdesigner.core.basics.parsing import Number, exact, excerpt
from dpdesigner.errors import InputError

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Neighbouring:
    """Neighbouring rows of a table: each and the next, all of them, or those of a list.

    Attributes
    ----------
    which : "next", "all", or tuple of (int, int)
    rows : int
    """

    which: str | Pairs
    rows: int

    @property
    def pairs(self) -> Pairs:
        """The pairs; for "all", every pair, if there are not too many."""
        if self.which == "all":
            return tuple((i, j) for i in range(self.rows) for j in range(i + 1, self.rows))
        if isinstance(self.which, str):
            return tuple((i, i + 1) for i in range(self.rows - 1))
        return self.which

    def farthest(self, values: Floats) -> Floats:
        """Return each row's largest difference in any value from a neighbouring row, (rows,)."""
        if self.which == "all":
            spread = np.maximum(values - values.min(axis=0), values.max(axis=0) - values)
            return np.asarray(spread.max(axis=1))
        distances = np.zeros(len(values))
        for i, j in self.pairs:
            far = float(np.abs(values[i] - values[j]).max())
            distances[i], distances[j] = max(distances[i], far), max(distances[j], far)
        return distances

    def same_way(self, values: Floats) -> bool:
        """Whether all values of a row move in the same direction between neighbours."""
        moves = (values[i] - values[j] for i, j in self.pairs)
        return all(bool((move >= 0).all() or (move <= 0).all()) for move in moves)


MOST_OPTIONS = 1000
_LARGEST = 10**12
_SMALL = 4000  # cells of a table that is compared exactly


class Utilities(tuple[Any, ...]):
    """Checked utilities as they were entered: the numbers of one vector, or a tuple of numbers for each database."""

    @classmethod
    def checked(cls, given: object) -> Self:
        """Read a list of numbers, or a list of equally long lists of numbers.

        Raises
        ------
        InputError
            If it is neither, or one of them is no number or too large.
        """
        if isinstance(given, cls):
            return given
        given = as_numbers(given, "the utilities", "utilities")
        given = given.tolist() if isinstance(given, np.ndarray) else given
        if not isinstance(given, Sequence) or isinstance(given, str) or not given:
            raise InputError(f"the utilities must be a list of numbers or a table of them, got {excerpt(given)}.", "utilities")
        table = any(isinstance(row, Sequence) and not isinstance(row, str) for row in given)
        if table and not all(isinstance(row, Sequence) and not isinstance(row, str) for row in given):
            raise InputError("the utilities must be all numbers, or all lists of numbers; got both.", "utilities")
        utilities = cls(map(tuple, given) if table else given)
        lengths = sorted({len(row) for row in utilities.rows})
        if len(utilities.rows) > MOST_OPTIONS or len(lengths) > 1 or not 2 <= lengths[0] <= MOST_OPTIONS:
            got = f"{len(utilities)} rows of {' or '.join(map(str, lengths[:2]))}" if table else str(lengths[0])
            what = f"rows of one length, at most {MOST_OPTIONS} of them, each of" if table else "those of"
            raise InputError(f"the utilities must be {what} 2 to {MOST_OPTIONS} options, got {got}.", "utilities")
        if float(np.abs(utilities.numbers).max()) > _LARGEST:
            raise InputError(f"every utility must be between -{_LARGEST:g} and {_LARGEST:g}.", "utilities")
        return utilities

    @property
    def table(self) -> bool:
        """Whether there is a row for each database."""
        return isinstance(self[0], tuple)

    @property
    def rows(self) -> tuple[tuple[Number, ...], ...]:
        """The rows: one for each database, or a single row for a single vector."""
        return tuple(self) if self.table else (tuple(self),)

    @property
    def options(self) -> int:
        """The number of options."""
        return len(self.rows[0])

    @cached_property
    def numbers(self) -> Floats:
        """(rows, options): the nearest doubles."""
        return np.array([[_double(value) for value in row] for row in self.rows])

    def fractions(self, row: int = 0) -> list[Fraction]:
        """Return a row as fractions."""
        return [exact(value, "a utility", "utilities") for value in self.rows[row]]


def _double(value: object) -> float:
    if type(value) is int or (type(value) is float and abs(value) <= _LARGEST):
        return float(value) if abs(value) <= _LARGEST else 2.0 * _LARGEST
    try:
        return float(exact(value, "a utility", "utilities"))
    except OverflowError:
        return 2.0 * _LARGEST


def derived_sensitivity(utilities: Utilities, which: str | Pairs) -> Fraction:
    """Return the largest difference of a utility between neighbouring rows: exactly for small tables."""
    neighbouring = Neighbouring(which, len(utilities.rows))
    if utilities.numbers.size > _SMALL:
        return Fraction(float(np.max(neighbouring.farthest(utilities.numbers)))).limit_denominator(10**9)
    rows = [utilities.fractions(row) for row in range(len(utilities.rows))]
    if len(rows) < 2:
        return Fraction(0)
    return max(abs(a - b) for i, j in neighbouring.pairs for a, b in zip(rows[i], rows[j], strict=True))


def checked_pairs(given: object, rows: int) -> str | Pairs:
    """Return which rows of a table are neighbours.

    Raises
    ------
    InputError
        If it is neither "next" nor "all" nor a list of pairs of rows.
    """
    if given in ("any", "changes", "next"):
        return "next"
    if given == "all":
        return "all"
    if isinstance(given, Sequence) and not isinstance(given, str) and given:
        pairs = []
        for pair in given:
            checked = tuple(pair) if isinstance(pair, Sequence) and not isinstance(pair, str) else ()
            if len(checked) != 2 or not all(type(row) is int and 0 <= row < rows for row in checked) or checked[0] == checked[1]:
                what = f"pairs of two different rows, from 0 to {rows - 1}"
                raise InputError(f"the neighbours of a table must be {what}, got {excerpt(pair)}.", "neighbours")
            pairs.append((checked[0], checked[1]))
        return tuple(pairs)
    raise InputError(
        f"the neighbours of a table must be next, all, or a list of pairs of rows, got {excerpt(given)}.", "neighbours"
    )


def read_moves(text: str, options: int) -> Floats | None:
    """Return one person's moves from the text of the view; None for the worst."""
    moves = np.zeros(options)
    try:
        for part in filter(None, text.split(",")):
            option, _, move = part.partition(":")
            moves[int(option)] = min(max(float(move), -1.0), 1.0)
    except (ValueError, IndexError):
        return None
    return moves if moves.any() else None


def moved(moves: Floats, option: int, to: float, neighbours: str) -> Floats:
    """Return one person's moves that move an option this far, in units of Delta; other bars give way.

    ``any``: within -1..1. ``joins``: the others that move the other way come back. ``changes``: one rises and one falls, and
    the bar that moved the same way before takes its move back.
    """
    after = moves.copy()
    to = min(max(to, -1.0), 1.0)
    if neighbours == "changes":
        sign = float(np.sign(round(to)))
        if not sign or after[option] == sign:
            return after
        partner = int(np.flatnonzero(after == -sign)[0]) if (after == -sign).any() else (option + 1) % len(after)
        if partner == option:  # if the option turns round, so does its partner
            partner = int(np.flatnonzero(after == sign)[0]) if (after == sign).any() else (option + 1) % len(after)
        after[:] = 0.0
        after[option], after[partner] = sign, -sign
        return after
    if neighbours == "joins":
        to = float(round(to, 2))
        after[np.sign(after) == -np.sign(to)] = 0.0
    after[option] = round(to, 2)
    return after
