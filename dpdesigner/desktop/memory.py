"""Memory that was freed, and what the system gets back of it."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return freed memory to the system, where the C library (glibc) keeps it for later; it takes some hundredths of a second.

    Large arrays that come and go by the dozen, as in a solve of a million rows, would else leave the process several times as
    large as what it holds.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(ctypes.c_size_t(0))
