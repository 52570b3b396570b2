"""How long computations say how far they are, and how they are stopped."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called by long computations to say how far they are; raises `dpdesigner.errors.Cancelled` to stop them."""

    def __call__(self, fraction: float | None, text: str = "") -> None:
        """Report a fraction in [0, 1] (None: unknown) and a short text such as ``"1204 iterations"``."""


def silent(fraction: float | None, text: str = "") -> None:
    """Report to nobody and never cancel."""
