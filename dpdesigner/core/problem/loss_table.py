"""A loss given as an array: copied, checked and read in one go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.numbers.array_values import ArrayValues
from dpdesigner.core.numbers.parsing import cut, exact
from dpdesigner.core.problem.coverage import Rows
from dpdesigner.errors import InputError

#: Losses beyond this size would leave the range in which the certificate is computed.
LARGEST = 1e100


class LossTable(ArrayValues):
    """A loss matrix that was given as an array of numbers.

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
    """Say that a loss is too large.

    Raises
    ------
    InputError
    """
    raise InputError(f"the loss must be between -1e100 and 1e100 for all i and r, got more in {cut(title)}.", "loss")
