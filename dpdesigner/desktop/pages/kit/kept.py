"""What is made anew only when that of which it is made has changed: a label, a picture, a summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class Kept(Generic[Made]):
    """Something that is made of other things, and kept as long as they are the same.

    Things are the same where they are one object, and texts and numbers where they are equal: outcomes are never compared by
    their contents, which may hold millions of numbers.

    Parameters
    ----------
    make : Callable
        Called with the things; what it returns is kept. A part of a page shows them and returns nothing.
    """

    def __init__(self, make: Callable[..., Made]) -> None:
        self._make = make
        self._taken: tuple[Any, ...] | None = None

    def of(self, *things: Any) -> Made:
        """Return what is made of these things."""
        if self._taken is None or not all(map(_same, self._taken, things)):
            self._made = self._make(*things)
            self._taken = things
        return self._made

    def forget(self) -> None:
        """Make it anew the next time in any case: what shows it was changed by something else."""
        self._taken = None


def _same(before: Any, now: Any) -> bool:
    return before is now or (isinstance(before, (str, bool, int, float)) and type(before) is type(now) and before == now)
