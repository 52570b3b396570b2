"""Numbers that Python programs pass as arrays, Series or ranges, and long arrays of numbers kept as one value.

Numbers given as an array and held as one: a million of them without a million objects.

An array is copied once and can no longer be written to. It stands for the numbers that ``array.tolist()`` gives, and what is made
of it (a prior, a loss) equals what is made of a list of the same numbers. Such equality must not cost more than solving: `same`
compares two arrays at once, and `hash_of` looks at some of the numbers only, the same ones of arrays and of tuples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut, place, plain
from dpdesigner.errors import InputError

#: About this many numbers are hashed.
_SAMPLE = 64


def is_numeric(array: object) -> bool:
    """Return whether an object is an array of integers or doubles, which can be stored."""
    return isinstance(array, np.ndarray) and array.dtype.kind in "iuf"


class ArrayValues:
    """An immutable array of whole numbers or doubles, compared by value.

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
        """Return the numbers as Python numbers, row by row for a matrix."""
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
        return self.tolist() == other.tolist()  # doubles do not represent all whole numbers beyond 2^53

    def __hash__(self) -> int:
        return hash_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.numbers,)

    def __repr__(self) -> str:
        return f"<{' x '.join(map(str, self.numbers.shape))} numbers>"


class ByValue(ABC):
    """A value made from numbers: equal where its arguments are the `same`, with a hash that is computed once."""

    @property
    @abstractmethod
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of the constructor: first any name, then numbers in tuples or frozen arrays."""

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
    """Return whether two specifications (names, tuples or `ArrayValues`) are equal, with numbers compared as in Python."""
    if isinstance(one, ArrayValues) and isinstance(other, tuple):
        return len(one) == len(other) and _tuples(one) == other
    if isinstance(other, ArrayValues) and isinstance(one, tuple):
        return same(other, one)
    return one == other


def hash_of(given: Any) -> int:
    """Return a hash that agrees for all values that are the `same`."""
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


#: A function is called at most a million times.
LARGEST_CALLED_N = 1000
#: Most numbers and characters in a representation.
_FEW_NUMBERS, _LONGEST_REPR = 12, 120


def as_numbers(given: Any, name: str, field: str | None = None, *, by_place: bool = True) -> Any:
    """Return numbers as a list or an array; existing ones and names are returned unchanged.

    Parameters
    ----------
    given : object
        A range, or anything with ``__array__``, such as a pandas Series or DataFrame.
    name : str
        What the numbers are, for the sentence of the error.
    field : str, optional
        The input that they belong to; the name if not given.
    by_place : bool
        Whether a number belongs to its place, as that of a weight does; the rows of a column may have any labels.

    Raises
    ------
    InputError
        If numbers belong to their places and their labels are whole numbers but not 0, 1, 2, … in this order: a table of
        frequencies sorted by frequency would be taken for something else.
    """
    if isinstance(given, range):
        return list(given)
    if isinstance(given, (np.ndarray, np.generic)) or not hasattr(given, "__array__"):
        return given
    for what, labels in (("index", getattr(given, "index", None)), ("columns", getattr(given, "columns", None))):
        names = list(getattr(labels, "tolist", list)())
        if by_place and names and all(isinstance(label, int) for label in names) and names != list(range(len(names))):
            wanted = f"the {what} of {name} must be 0, 1, 2, … in this order"
            raise InputError(f"{wanted}, got {cut(names)}; .reindex(range(n + 1), fill_value=0) makes it so.", field or name)
    array = np.asarray(given)
    if array.dtype.kind == "O" and hasattr(given, "to_numpy") and hasattr(given, "dtype") and given.dtype.kind in "iufb":
        array = given.to_numpy(dtype=float, na_value=np.nan)  # pandas numbers, some of them missing
    return array.tolist() if array.dtype.kind == "O" else array


def short(given: Any) -> str:
    """Return numbers as they were entered, or their count if the line would be too long."""
    if isinstance(given, (str, ArrayValues)):
        return repr(given)
    text = repr(given) if len(given) <= _FEW_NUMBERS else ""
    return text if 0 < len(text) < _LONGEST_REPR else f"<{len(given)} {'rows' if isinstance(given[0], tuple) else 'weights'}>"


def labels_of(given: Any) -> tuple[str, ...] | None:
    """Return the labels of a Series or a mapping that has text labels; None if there are none."""
    index: Any = given.index if hasattr(given, "index") else None
    labels = list(given) if isinstance(given, Mapping) else index.tolist() if hasattr(index, "tolist") else []
    return tuple(labels) if labels and all(isinstance(label, str) for label in labels) else None


def weights_of(prior: Any, n: int) -> Any:
    """Return a prior's weights; for a discrete distribution, such as one from scipy.stats, its probabilities of 0..n.

    Raises
    ------
    InputError
        If a distribution is not discrete or lacks its parameters, or a mapping has another key than 0..n.
    """
    if isinstance(prior, Mapping):
        weights: list[Any] = [0] * (n + 1)
        for value, weight in prior.items():
            weights[place(value, "every value of the prior", n, "prior")] = weight
        return weights
    if not hasattr(prior, "pmf"):
        if hasattr(prior, "cdf"):
            words = "the prior must be a discrete distribution or the weights of 0..n"
            raise InputError(f"{words}, got a continuous distribution ({type(prior).__name__}).", "prior")
        numbers = as_numbers(prior, "the prior", "prior")
        return numbers[:, 0] if isinstance(numbers, np.ndarray) and numbers.ndim == 2 and numbers.shape[1] == 1 else numbers
    try:
        return prior.pmf(np.arange(n + 1))
    except TypeError:
        name = prior.name if hasattr(prior, "name") else type(prior).__name__
        words = "the prior must be a distribution with its parameters, for example scipy.stats.poisson(3)"
        raise InputError(f"{words}, got {name} without them.", "prior") from None


def losses_of(loss: Any, n: int) -> Any:
    """Return a loss as numbers; a function is called for each i and r, because its result for arrays may differ."""
    if not callable(loss):
        return as_numbers(loss, "the loss", "loss")
    if n > LARGEST_CALLED_N:
        raise InputError(f"a function can be a loss for n of at most {LARGEST_CALLED_N}, got {n}; give an array.", "loss")
    values = [[_called(loss, i, r) for r in range(n + 1)] for i in range(n + 1)]
    return np.array(values) if all(isinstance(value, (int, float)) for row in values for value in row) else values


def _called(loss: Any, i: int, r: int) -> Any:
    try:
        return plain(loss(i, r))
    except Exception as error:
        words = f"the loss at i = {i}, r = {r} must be a number, but the function, called with i and r, raised"
        raise InputError(f"{words} {type(error).__name__} ({cut(error).rstrip('.')}).", "loss") from error
