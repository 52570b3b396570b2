"""Weights over 0..n from counts, and from pasted text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpdesigner.core.basics.parsing import exact, listed
from dpdesigner.errors import InputError


def weights_of_counts(counts: Sequence[int], n: int) -> tuple[int, ...]:
    """Return the frequency of each of 0..n among some counts; counts above n go into the last."""
    kept = np.minimum(np.asarray(counts, dtype=np.int64), n)
    return tuple(np.bincount(kept, minlength=n + 1).tolist())


def weights_of_text(text: str, n: int) -> tuple[str | int, ...]:
    """Return pasted weights if there are n + 1 of them, or otherwise the frequency of each of 0..n among pasted counts.

    Raises
    ------
    InputError
        If it is neither.
    """
    parts = listed(text, "pasted numbers", "prior")
    if len(parts) == n + 1:
        return tuple(parts)
    values = [exact(part, "prior") for part in parts[:1_000_000]]
    if not values or any(value.denominator != 1 or value < 0 for value in values):
        raise InputError(
            f"pasted text must be n + 1 = {n + 1} weights or a column of whole counts, got {len(parts)} values.", "prior"
        )
    return weights_of_counts([min(int(value), n) for value in values], n)
