from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpdesigner.core.summing import total


@pytest.mark.parametrize("count", [0, 1, 4095, 4096, 4097, 50_000])
def test_a_sum_is_rounded_once(count: int) -> None:
    numbers = np.random.default_rng(count).normal(size=count) * 10.0 ** np.arange(count).clip(0, 20)
    assert total(numbers) == math.fsum(numbers.tolist())
    assert total(numbers[::-1]) == math.fsum(numbers.tolist())


def test_no_call_holds_on_to_all_numbers() -> None:
    lengths: list[int] = []

    class Watched(np.ndarray[Any, np.dtype[np.float64]]):
        def tolist(self) -> Any:
            lengths.append(len(self))
            return super().tolist()

    assert total(np.ones(100_000).view(Watched)) == sum(lengths) == 100_000
    assert max(lengths) <= 5000
