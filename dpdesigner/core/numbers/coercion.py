"""What Python programs hand over as numbers: Series, DataFrames, ranges and whatever else is an array of numbers at heart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpdesigner.core.numbers.array_values import ArrayValues
from dpdesigner.core.numbers.parsing import cut, place, plain
from dpdesigner.errors import InputError

#: A function is asked a million times at most.
LARGEST_CALLED_N = 1000
#: Of numbers in a representation, and of its characters.
_FEW_NUMBERS, _LONGEST_REPR = 12, 120


def as_numbers(given: Any, name: str, field: str | None = None, *, by_place: bool = True) -> Any:
    """Return numbers as a list or an array; what is already one, or a name, as it is.

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
        array = given.to_numpy(dtype=float, na_value=np.nan)  # numbers of pandas of which some are missing
    return array.tolist() if array.dtype.kind == "O" else array


def short(given: Any) -> str:
    """Numbers as they were given, or how many they are where the line would be too long."""
    if isinstance(given, (str, ArrayValues)):
        return repr(given)
    text = repr(given) if len(given) <= _FEW_NUMBERS else ""
    return text if 0 < len(text) < _LONGEST_REPR else f"<{len(given)} {'rows' if isinstance(given[0], tuple) else 'weights'}>"


def labels_of(given: Any) -> tuple[str, ...] | None:
    """Return the labels of a Series or a mapping that has texts as labels; None where there are none."""
    index: Any = given.index if hasattr(given, "index") else None
    labels = list(given) if isinstance(given, Mapping) else index.tolist() if hasattr(index, "tolist") else []
    return tuple(labels) if labels and all(isinstance(label, str) for label in labels) else None


def weights_of(prior: Any, n: int) -> Any:
    """A prior's weights: of a discrete distribution, such as those of scipy.stats, how likely it makes 0..n.

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
    """A loss: a function is asked for each true result and each release, since what it says of arrays may be something else."""
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
