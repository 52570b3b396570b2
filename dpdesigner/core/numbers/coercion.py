"""What Python programs hand over as numbers: Series, DataFrames, ranges and whatever else is an array of numbers at heart."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpdesigner.core.numbers.array_values import ArrayValues
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.errors import InputError

#: A function is asked a million times at most.
LARGEST_CALLED_N = 1000
#: Of numbers in a representation, and of its characters.
_FEW_NUMBERS, _LONGEST_REPR = 12, 120


def as_numbers(given: Any, name: str, field: str | None = None) -> Any:
    """Return numbers as a list or an array; what is already one, or a name, as it is.

    Parameters
    ----------
    given : object
        A range, or anything with ``__array__``, such as a pandas Series or DataFrame.
    name : str
        What the numbers are, for the sentence of the error.
    field : str, optional
        The input that they belong to; the name if not given.

    Raises
    ------
    InputError
        If their labels are whole numbers but not 0, 1, 2, … in this order: a table of frequencies sorted by frequency would be
        taken for something else.
    """
    if isinstance(given, range):
        return list(given)
    if isinstance(given, (np.ndarray, np.generic)) or not hasattr(given, "__array__"):
        return given
    for what, labels in (("index", getattr(given, "index", None)), ("columns", getattr(given, "columns", None))):
        names = list(getattr(labels, "tolist", list)())
        if names and all(isinstance(label, int) for label in names) and names != list(range(len(names))):
            wanted = f"the {what} of {name} must be 0, 1, 2, … in this order"
            raise InputError(f"{wanted}, got {cut(names)}; .reindex(range(n + 1), fill_value=0) makes it so.", field or name)
    array = np.asarray(given)
    return array.tolist() if array.dtype.kind == "O" else array


def short(given: Any) -> str:
    """Numbers as they were given, or how many they are where the line would be too long."""
    if isinstance(given, (str, ArrayValues)):
        return repr(given)
    text = repr(given) if len(given) <= _FEW_NUMBERS else ""
    return text if 0 < len(text) < _LONGEST_REPR else f"<{len(given)} {'rows' if isinstance(given[0], tuple) else 'weights'}>"


def weights_of(prior: Any, n: int) -> Any:
    """A prior's weights: of a discrete distribution, such as those of scipy.stats, how likely it makes 0..n."""
    return prior.pmf(np.arange(n + 1)) if callable(getattr(prior, "pmf", None)) else as_numbers(prior, "the prior", "prior")


def losses_of(loss: Any, n: int) -> Any:
    """A loss: a function is asked for each true result and each release, since what it says of arrays may be something else."""
    if not callable(loss):
        return as_numbers(loss, "the loss", "loss")
    if n > LARGEST_CALLED_N:
        raise InputError(f"a function can be a loss for n of at most {LARGEST_CALLED_N}, got {n}; give an array.", "loss")
    return np.array([[loss(i, r) for r in range(n + 1)] for i in range(n + 1)])
