"""The parts of a page, each shown anew only when something that it takes is another object.

A page lists them once. What a part takes is told by name:

- ``"design"``, ``"presenting"``;
- the name of a job, for its newest outcome: ``"solve"``; ``"late.solve"``: whether that is out of date and long in coming;
- ``"view.row"``: what is selected or open; ``"answer"``, ``"answer.mechanism"``: what the outcomes come to, and a part of it;
- whatever else the page itself knows by name, see `Page.derived`.

A part waits until the first of them is there, and is out of date while that, or another that it rests on, is late. Outcomes are
compared by identity, since what holds arrays has no equality; texts and numbers by value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from PySide6.QtWidgets import QWidget


@dataclass(eq=False)
class Part:
    """Something on a page that is shown as a whole.

    Parameters
    ----------
    widget : QWidget or None
        What it is in: while that is hidden within the page, the part waits. None: it never waits.
    takes : sequence of str
        Everything that it is made from.
    show : callable
        Makes it anew; called with what it takes, in that order. A widget within that the user is dragging keeps what the drag
        gave it.
    stale : callable, optional
        Called with True when what it rests on is long in coming, and with False when that is there.
    rests_on : str
        The job that this is about; empty: the first that it takes.
    """

    widget: QWidget | None
    takes: Sequence[str]
    show: Callable[..., object]
    stale: Callable[[bool], object] | None = None
    rests_on: str = ""
    due: bool = field(default=False, init=False)  #: whether something has changed since it was shown


class Parts:
    """The parts of one page.

    Parameters
    ----------
    page : QWidget
        What they are on.
    known : callable
        Gives what is known by a name now; None for nothing.
    """

    def __init__(self, page: QWidget, known: Callable[[str], Any]) -> None:
        self._page, self._known = page, known
        self._parts: tuple[Part, ...] = ()
        self._last: dict[str, Any] = {}  # what was known by each name when it was last asked for

    def set_parts(self, parts: Sequence[Part]) -> None:
        """Take the parts, in the order in which they are shown."""
        self._parts = tuple(parts)
        self._last = dict.fromkeys(name for part in parts for name in part.takes)

    def refresh(self) -> None:
        """Show what has changed."""
        now = {name: self._known(name) for name in self._last}
        changed = {name for name, value in self._last.items() if value is not now[name] and not _equal(value, now[name])}
        self._last = now
        for part in self._parts:
            part.due = part.due or not changed.isdisjoint(part.takes)
        for part in self._parts:
            taken = [now[name] for name in part.takes]
            if part.due and taken[0] is not None and (part.widget is None or part.widget.isVisibleTo(self._page)):
                part.due = False
                part.show(*taken)

    def set_late(self, name: str, on: bool) -> None:
        """Mark the parts that rest on this as out of date, or no longer."""
        for part in self._parts:
            if part.stale is not None and (part.rests_on or part.takes[0]) == name:
                part.stale(on)


def same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Return whether they are the same objects; what holds arrays has no equality."""
    return len(some) == len(others) and all(map(is_, some, others))


def _equal(one: Any, other: Any) -> bool:
    """Whether two are the same text, number or truth value."""
    return isinstance(one, str | int | float) and type(one) is type(other) and bool(one == other)
