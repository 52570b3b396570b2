"""Many weights as they were drawn: an array that behaves like a tuple of doubles, without a million objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Weights(Sequence[float]):
    """Doubles that do not change, equal by value.

    Parameters
    ----------
    values : array (k,)
        They are copied.
    """

    def __init__(self, values: ArrayLike) -> None:
        self.array: NDArray[np.float64] = np.array(values, dtype=float)
        self.array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> Weights: ...
    def __getitem__(self, place: int | slice) -> float | Weights:
        return Weights(self.array[place]) if isinstance(place, slice) else float(self.array[place])

    def __iter__(self) -> Iterator[float]:
        return iter(self.array.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and (self is other or np.array_equal(self.array, other.array))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.array + 0.0).tobytes())  # 0 and -0 are equal

    def __repr__(self) -> str:
        return f"<{len(self)} weights>"
