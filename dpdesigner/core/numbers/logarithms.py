"""Sums of numbers that are held as logarithms, so that none overflows and none vanishes."""

from __future__ import annotations

import numpy as np

from dpdesigner.arrays import Floats


def log_sum(logs: Floats) -> Floats:
    """Return ln sum exp(logs) along the last axis; -inf where there is nothing."""
    most = logs.max(axis=-1, keepdims=True, initial=-np.inf)
    most = np.where(np.isfinite(most), most, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(most[..., 0] + np.log(np.exp(logs - most).sum(axis=-1)))


def log_shares(logs: Floats) -> Floats:
    """Return ln of each one's share of the sum along the last axis."""
    return np.asarray(logs - log_sum(logs)[..., None])
