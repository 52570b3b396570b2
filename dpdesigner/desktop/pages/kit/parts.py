"""The parts of a page, each shown anew only when something that it takes is another object.

A page lists them once; each reads what it takes from the page's `Snapshot`, for example ``lambda s: (s.answer.costs, s.before)``.
A part waits while something that it takes is not there. Outcomes are compared by identity, since what holds arrays has no
equality; texts and numbers by value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any, Generic

from PySide6.QtWidgets import QWidget

from dpdesigner.studies.snapshot import A, D, Snapshot, Waiting, alike


@dataclass(eq=False)
class Part(Generic[D, A]):
    """Something on a page that is shown as a whole.

    Parameters
    ----------
    widget : QWidget or None
        What it is in: while that is hidden within the page, the part waits. None: it never waits.
    takes : callable
        Gives everything that it is made from, for a snapshot.
    show : callable
        Makes it anew; called with what it takes, in that order. A widget within that the user is dragging keeps what the drag
        gave it.
    stale : callable, optional
        Called with True when what it rests on is long in coming, and with False when that is there.
    rests_on : str
        The job that this is about.
    """

    widget: QWidget | None
    takes: Callable[[Snapshot[D, A]], tuple[Any, ...]]
    show: Callable[..., object]
    stale: Callable[[bool], object] | None = None
    rests_on: str = "solve"
    taken: tuple[Any, ...] | None = field(default=None, init=False)  #: when it was last asked; None while it waits
    due: bool = field(default=False, init=False)  #: whether something has changed since it was shown

    def read(self, now: Snapshot[D, A]) -> None:
        """Take what is there now."""
        try:
            taken = self.takes(now)
        except Waiting:
            self.taken = None
            return
        before = self.taken
        self.due = self.due or before is None or len(before) != len(taken) or not all(map(alike, before, taken))
        self.taken = taken


class Parts(Generic[D, A]):
    """The parts of one page.

    Parameters
    ----------
    page : QWidget
        What they are on.
    snapshot : callable
        Gives what is shown now.
    """

    def __init__(self, page: QWidget, snapshot: Callable[[], Snapshot[D, A]]) -> None:
        self._page, self._snapshot = page, snapshot
        self._parts: tuple[Part[D, A], ...] = ()

    def set_parts(self, parts: Sequence[Part[D, A]]) -> None:
        """Take the parts, in the order in which they are shown; what they cannot take is an error now, not later."""
        self._parts = tuple(parts)
        now = self._snapshot()
        for part in self._parts:
            try:
                part.takes(now)
            except Waiting:
                continue

    def refresh(self) -> None:
        """Show what has changed."""
        now = self._snapshot()
        for part in self._parts:
            part.read(now)
        for part in self._parts:
            if part.due and part.taken is not None and (part.widget is None or part.widget.isVisibleTo(self._page)):
                part.due = False
                part.show(*part.taken)

    def set_late(self, name: str, on: bool) -> None:
        """Mark the parts that rest on this as out of date, or no longer."""
        for part in self._parts:
            if part.stale is not None and part.rests_on == name:
                part.stale(on)


def same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Return whether they are the same objects; what holds arrays has no equality."""
    return len(some) == len(others) and all(map(is_, some, others))
