"""Progress of computations, and how they are stopped."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Callback with which long computations report progress; raises `dpdesigner.errors.Cancelled` to stop them."""

    def __call__(self, fraction: float | None, text: str = "") -> None:
        """Report a fraction in [0, 1] (None: unknown) and a short text like ``"1204 iterations"``."""


def silent(fraction: float | None, text: str = "") -> None:
    """Report to nobody and never cancel."""
