"""What a page shows at one moment, as one frozen value, and what its buttons do with it; no widget is known here.

The parts of a page, the panels of an answer and the buttons of a kind all read a snapshot. What is not there yet raises
`Waiting`: whatever asked for it is then shown, or offered, later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from dpdesigner.studies.answer import AnswerLike, Panel
from dpdesigner.studies.study import Progress, Study

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    D = TypeVar("D", bound=Study, default=Any)
    A = TypeVar("A", bound=AnswerLike, default=Any)
else:
    from typing import TypeVar

    D, A = TypeVar("D"), TypeVar("A")


class Waiting(Exception):
    """Something that was asked of a snapshot is not there yet."""


@dataclass(frozen=True, eq=False)
class Snapshot(Generic[D, A]):
    """What a page shows at one moment.

    Attributes
    ----------
    study : Study or None
        The design as it is shown, also while a drag previews it; None before the first.
    answered : AnswerLike or None
        The newest answer; None while there is none.
    view : mapping
        What is selected and open; a name that is not declared raises `KeyError`.
    outcomes : mapping
        What jobs gave, by their names.
    late : frozenset of str
        The jobs whose outcome is out of date and long in coming.
    before : AnswerLike or None
        The answer of the design that was pinned.
    presenting : bool
        Whether what only serves editing is hidden.
    """

    study: D | None = None
    answered: A | None = None
    view: Mapping[str, Any] = field(default_factory=dict)
    outcomes: Mapping[str, Any] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    before: A | None = None
    presenting: bool = False

    @property
    def design(self) -> D:
        """The design; raises `Waiting` before the first."""
        if self.study is None:
            raise Waiting
        return self.study

    @property
    def answer(self) -> A:
        """The newest answer; raises `Waiting` while there is none."""
        if self.answered is None:
            raise Waiting
        return self.answered

    def outcome(self, name: str) -> Any:
        """Return what the job of this name gave; raises `Waiting` where it gave nothing yet."""
        if (outcome := self.outcomes.get(name)) is None:
            raise Waiting
        return outcome

    def job(self, name: str) -> Any:
        """Return what a declared job found for the newest answer; raises `Waiting` where it has found nothing for it yet."""
        found = self.outcomes.get(name)
        if not isinstance(found, Found) or found.answer is not self.answered:
            raise Waiting
        return found.value


@dataclass(frozen=True, eq=False)
class Found:
    """What a declared job found, with the answer that it started from."""

    answer: Any
    value: Any


class Look:
    """A snapshot for one panel, which notes what the panel takes: only if that changes is it made again.

    Attributes
    ----------
    answer : AnswerLike
    view : mapping
        What is selected and open, by the names in the design's `view_defaults`.
    """

    def __init__(self, now: Snapshot) -> None:
        self.answer, self._now, self._taken = now.answer, now, dict[str, Any]()
        self.view: Mapping[str, Any] = _Noted(now.view, self._taken)
        self._jobs: dict[str, Any] = {}

    def job(self, name: str) -> Any:
        """Return what a declared job found for this answer; raises `Waiting` where it has found nothing yet."""
        self._jobs[name] = self._now.outcomes.get(name)
        return self._now.job(name)

    def same(self, now: Snapshot) -> bool:
        """Return whether the panel would be made from the same again."""
        return (
            now.answered is self.answer
            and all(now.view.get(name) == value for name, value in self._taken.items())
            and all(now.outcomes.get(name) is value for name, value in self._jobs.items())
        )


class _Noted(Mapping[str, Any]):
    """A mapping that notes what is read of it."""

    def __init__(self, values: Mapping[str, Any], notes: dict[str, Any]) -> None:
        self._values, self._notes = values, notes

    def __getitem__(self, name: str) -> Any:
        self._notes[name] = self._values[name]
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


#: What makes a panel when it is seen.
Maker = Callable[[Look], Panel]


def always(now: Snapshot) -> bool:
    """Return True: the condition of what is always wanted."""
    return True


@dataclass(frozen=True)
class SideJob:
    """A computation beside the answer, declared on a kind; its result is read with `Snapshot.job` and `Look.job`.

    Attributes
    ----------
    name : str
        Any but ``"solve"``.
    run : callable
        ``run(answer, progress)``, in another thread.
    when : callable
        Whether it is wanted now, for example only in the view that shows it.
    slow, live, title
        As in `dpdesigner.studies.job.Job`.
    """

    name: str
    run: Callable[[Any, Progress], Any]
    when: Callable[[Snapshot], bool] = always
    slow: bool = True
    live: bool = False
    title: str = ""


@dataclass(frozen=True)
class Action:
    """A button, which is a command of the Design menu as well.

    Attributes
    ----------
    text : str
        On the button, and in the menu.
    run : callable
        ``run(now)``: a `Job` to run, a design to change to (as an undo step called as the button), a mapping of view values to
        look at, or None where it has done everything itself.
    tip, shortcut : str
        Its tooltip; its keys, for example ``"Ctrl+R"``.
    on : str
        The view below which the button stands; empty: every view.
    when : callable
        Whether it can be pressed.
    """

    text: str
    run: Callable[[Snapshot], Any]
    tip: str = ""
    shortcut: str = ""
    on: str = ""
    when: Callable[[Snapshot], bool] = always
