"""What Python programs hand over as numbers: Series, DataFrames, ranges and whatever else is an array of numbers at heart."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpdesigner.core.numbers.given import cut
from dpdesigner.errors import InputError


def plain(given: Any, name: str, field: str | None = None) -> Any:
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
        found = list(getattr(labels, "tolist", list)())
        if found and all(isinstance(label, int) for label in found) and found != list(range(len(found))):
            wanted = f"the {what} of {name} must be 0, 1, 2, … in this order"
            raise InputError(f"{wanted}, got {cut(found)}; .reindex(range(n + 1), fill_value=0) makes it so.", field or name)
    array = np.asarray(given)
    return array.tolist() if array.dtype.kind == "O" else array
