"""Sums of many numbers that are as right as doubles can be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_AT_ONCE = 4096


def total(numbers: Floats) -> float:
    """Return the sum of an array, rounded once, as `math.fsum` does; a window in another thread can be painted meanwhile.

    A single call over a million numbers would keep the interpreter for a noticeable part of a second.
    """
    return math.fsum(chain.from_iterable(_parts(numbers)))


def _parts(numbers: Floats) -> Iterator[list[float]]:
    for start in range(0, len(numbers), _AT_ONCE):
        yield numbers[start : start + _AT_ONCE].tolist()
