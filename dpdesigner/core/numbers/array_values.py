"""Numbers given as an array and held as one: a million of them without a million objects.

An array is copied once and can no longer be written to. It stands for the numbers that ``array.tolist()`` gives, and what is made
of it (a prior, a loss) equals what is made of a list of the same numbers. Such equality must not cost more than solving: `same`
compares two arrays at once, and `hash_of` looks at some of the numbers only, the same ones of arrays and of tuples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats

#: About so many numbers are hashed.
_SAMPLE = 64


def is_numeric(array: object) -> bool:
    """Tell whether something is an array of whole numbers or doubles, which can be held."""
    return isinstance(array, np.ndarray) and array.dtype.kind in "iuf"


class ArrayValues:
    """Whole numbers or doubles that do not change, equal by value.

    Parameters
    ----------
    numbers : ndarray
        Of whole numbers or doubles; copied unless `doubles` is given.
    doubles : ndarray, optional
        A copy of them as doubles, where the caller has made one.

    Attributes
    ----------
    numbers : ndarray
        As they were given, read-only.
    doubles : ndarray
        The nearest doubles, read-only; the same array where doubles were given.
    """

    def __init__(self, numbers: NDArray[Any], doubles: Floats | None = None) -> None:
        self.doubles = np.array(numbers, dtype=float, order="C") if doubles is None else doubles
        self.numbers: NDArray[Any] = self.doubles if numbers.dtype.kind == "f" else np.array(numbers, order="C")
        self.doubles.flags.writeable = self.numbers.flags.writeable = False

    def tolist(self) -> list[Any]:
        """Return the numbers as Python's own, row by row where there are rows."""
        return list(self.numbers.tolist())

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, place: int) -> Any:
        return self.numbers[place].tolist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayValues):
            return NotImplemented
        if self is other or self.numbers.dtype.kind == other.numbers.dtype.kind:
            return self is other or np.array_equal(self.numbers, other.numbers)
        return self.tolist() == other.tolist()  # whole numbers beyond 2^53 are no doubles

    def __hash__(self) -> int:
        return hash_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.numbers,)

    def __repr__(self) -> str:
        return f"<{' x '.join(map(str, self.numbers.shape))} numbers>"


class ByValue(ABC):
    """What is made of numbers that were given: equal where what it is made of is the `same`, and its hash is made once."""

    @property
    @abstractmethod
    def arguments(self) -> tuple[Any, ...]:
        """What its class made it of: first what may be a name, numbers in tuples or held numbers."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)) or self is other:
            return self is other
        return all(map(same, self.arguments, other.arguments))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        numbers, *rest = self.arguments
        return hash((hash_of(numbers), *rest))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.arguments


def same(one: object, other: object) -> bool:
    """Tell whether a name, numbers in tuples or held numbers say the same: numbers are equal as Python has it, texts as texts."""
    if isinstance(one, ArrayValues) and isinstance(other, tuple):
        return len(one) == len(other) and _tuples(one) == other
    if isinstance(other, ArrayValues) and isinstance(one, tuple):
        return same(other, one)
    return one == other


def hash_of(given: Any) -> int:
    """Return a hash that is equal for all that is the `same`."""
    if isinstance(given, str) or not len(given):
        return hash(given)
    width = len(given[0]) if isinstance(given, tuple) and isinstance(given[0], tuple) else 0
    if isinstance(given, ArrayValues):
        flat = given.numbers.reshape(-1)
        sample = flat[:: _step(len(flat))].tolist()
    elif width:
        size = len(given) * width
        sample = [given[place // width][place % width] for place in range(0, size, _step(size))]
    else:
        sample = list(given[:: _step(len(given))])
    return hash((len(given), *sample))


def _step(size: int) -> int:
    return max(size // _SAMPLE, 1)


def _tuples(held: ArrayValues) -> tuple[Any, ...]:
    return tuple(tuple(row) if isinstance(row, list) else row for row in held)
