"""The state of a page at one moment, as one frozen value, and the actions of its buttons; no widget is known here.

The parts of a page, the panels of an answer and the buttons of a kind all read a snapshot. What is not there yet raises
`Waiting`: whatever asked for it is then shown, or offered, later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from dpdesigner.studies.answer import AnswerLike, Panel
from dpdesigner.studies.study import Study

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    D = TypeVar("D", bound=Study, default=Any)
    A = TypeVar("A", bound=AnswerLike, default=Any)
else:
    from typing import TypeVar

    D, A = TypeVar("D"), TypeVar("A")


class Waiting(Exception):
    """Raised when a requested part of a snapshot is not available yet."""


@dataclass(frozen=True, eq=False)
class Snapshot(Generic[D, A]):
    """The state of a page at one moment.

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
    refused : bool
        Whether an input is refused, so that the design is not what is typed.
    """

    study: D | None = None
    answered: A | None = None
    view: Mapping[str, Any] = field(default_factory=dict)
    outcomes: Mapping[str, Any] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    before: A | None = None
    presenting: bool = False
    refused: bool = False

    @property
    def design(self) -> D:
        """The design; raises `Waiting` before the first one."""
        if self.study is None:
            raise Waiting
        return self.study

    @property
    def answer(self) -> A:
        """The newest answer; raises `Waiting` if there is none yet."""
        if self.answered is None:
            raise Waiting
        return self.answered

    def is_current(self) -> bool:
        """Return whether the answer is that of the design, and no input is refused; raises `Waiting` while there is none."""
        return bool(self.answer.design == self.design) and not self.refused

    def outcome(self, name: str) -> Any:
        """Return the result of the job with this name; raises `Waiting` if there is none yet."""
        if (outcome := self.outcomes.get(name)) is None:
            raise Waiting
        return outcome

    @property
    def solved(self) -> Any:
        """The result of the job ``"solve"``: the answer before side jobs added to it, to which `Found` refers."""
        return self.outcomes.get("solve")

    def job(self, name: str) -> Any:
        """Return a declared job's result for the newest answer; raises `Waiting` if there is none yet."""
        found = self.outcomes.get(name)
        if not isinstance(found, Found) or found.answer not in (self.answered, self.solved):
            raise Waiting
        if any(self.view.get(key) != value for key, value in found.read.items()):
            raise Waiting
        return found.value


@dataclass(frozen=True, eq=False)
class Found:
    """The result of a declared job, with the answer that it started from and the view values that it read."""

    answer: Any
    value: Any
    read: Mapping[str, Any] = field(default_factory=dict)

    @property
    def design(self) -> Any:
        """The design that the result belongs to; None if there was no answer."""
        return None if self.answer is None else self.answer.design


def alike(one: Any, other: Any) -> bool:
    """Return whether two are the same object, or the same text, number or truth value; what holds arrays has no equality."""
    return one is other or (isinstance(one, str | int | float) and type(one) is type(other) and bool(one == other))


class Look:
    """A snapshot for one panel that records what the panel uses: the panel is remade only if that changes.

    Attributes
    ----------
    view : mapping
        What is selected and open, by the names in the design's `view_defaults`.
    """

    def __init__(self, now: Snapshot) -> None:
        self._answer, self._now, self._taken = now.answer, now, dict[str, Any]()
        self._whole, self._parts = True, list[tuple[Callable[[Any], tuple[Any, ...]], tuple[Any, ...]]]()
        self.view: Mapping[str, Any] = _Noted(now.view, self._taken)
        self._jobs: dict[str, Any] = {}
        self._pinned: tuple[Any, ...] = ()

    @property
    def answer(self) -> Any:
        """The answer; with another one the panel is made again."""
        self._whole = True
        return self._answer

    def only(self, parts: Callable[[Any], tuple[Any, ...]]) -> Any:
        """Return the answer, of which the panel takes only these parts: it is made again when one of them is another object.

        It is for answers that come together from several jobs; called before anything else.
        """
        self._whole = False
        self._parts.append((parts, parts(self._answer)))
        return self._answer

    def job(self, name: str) -> Any:
        """Return a declared job's result for this answer; raises `Waiting` if there is none yet."""
        self.last(name)
        return self._now.job(name)

    def done(self, name: str) -> Any:
        """Return a declared job's result for this answer; None if there is none yet."""
        try:
            return self.job(name)
        except Waiting:
            return None

    def last(self, name: str) -> Any:
        """Return a declared job's latest result, even for another answer or view; None if there has never been one."""
        found = self._jobs[name] = self._now.outcomes.get(name)
        if not isinstance(found, Found):
            return None
        self._taken.update({key: self._now.view.get(key) for key in found.read})
        return found.value

    @property
    def before(self) -> Any:
        """The answer of the pinned design, to be drawn behind this one; None if there is none."""
        self._pinned = (self._now.before,)
        return self._now.before

    def same(self, now: Snapshot) -> bool:
        """Return whether the panel would be remade from the same values."""
        return (
            now.answered is not None
            and (now.answered is self._answer or not self._whole)
            and all(all(map(alike, taken, parts(now.answered))) for parts, taken in self._parts)
            and all(now.view.get(name) == value for name, value in self._taken.items())
            and all(now.outcomes.get(name) is value for name, value in self._jobs.items())
            and all(now.before is answer for answer in self._pinned)
        )


class _Noted(Mapping[str, Any]):
    """A mapping that records which values are read."""

    def __init__(self, values: Mapping[str, Any], notes: dict[str, Any]) -> None:
        self._values, self._notes = values, notes

    def __getitem__(self, name: str) -> Any:
        self._notes[name] = self._values[name]
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


#: Makes a panel when it becomes visible.
Maker = Callable[[Look], Panel]


def always(now: Snapshot) -> bool:
    """Return True: the condition of jobs that always run."""
    return True


@dataclass(frozen=True)
class SideJob:
    """A computation in addition to the answer, declared on a kind; read its result with `Snapshot.job` and `Look.job`.

    Attributes
    ----------
    name : str
        Any but ``"solve"``.
    run : callable
        ``run(answer, progress)``, in another thread; the values of the view that it reads follow by their names.
    when : callable
        Whether it is wanted now, for example only in the view that shows it.
    slow, live, title
        As in `dpdesigner.studies.study.Job`; the first two may depend on the answer.
    reads : tuple of str
        The values of the view that it depends on; it is run again when one of them changes.
    into : str
        The field of the answer that its result becomes; the page names the job in `answering` then. Empty: none.
    tells : bool
        Whether `run` takes, after `progress`, a callable ``tell(value)`` by which it shows what it has so far: panels read it
        with ``look.job(so_far(name))``.
    """

    name: str
    run: Callable[..., Any]
    when: Callable[[Snapshot], bool] = always
    slow: bool | Callable[[Any], bool] = True
    live: bool | Callable[[Any], bool] = False
    title: str = ""
    reads: tuple[str, ...] = ()
    into: str = ""
    tells: bool = False


def so_far(name: str) -> str:
    """Return the name of a job's intermediate result."""
    return f"{name} so far"


@dataclass(frozen=True)
class Action:
    """A button that is also a command of the Design menu.

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
        The views below which the button stands, with blanks between them; empty: every view.
    when : callable
        Whether it can be pressed.
    chosen : callable or None
        Whether it is shown as pressed down, for what is on or off; None: a plain button.
    key : str
        What the ``keys`` of strips call it by.
    command : str
        Its text in the menu, where that is not the button's.
    button : bool
        Whether there is a button; without one it is a command of the menu, and of a key.
    presented : bool
        Whether the button stays while somebody presents.
    menu : tuple of (str, callable)
        What a menu below the button has instead of `run`: texts, each with what is run.
    offered : callable
        Whether there is the button at all.
    main : bool
        Whether it is the main action of its page, and looks like it.
    spends : bool
        Whether it releases the data: it asks first if they have been released before.
    more : bool
        Whether it is in the menu at the end of the row.
    asks : str
        A question before it is run, unless it is pressed down; empty: none.
    """

    text: str
    run: Callable[[Snapshot], Any]
    tip: str = ""
    shortcut: str = ""
    on: str = ""
    when: Callable[[Snapshot], bool] = always
    chosen: Callable[[Snapshot], bool] | None = None
    key: str = ""
    command: str = ""
    button: bool = True
    presented: bool = False
    menu: tuple[tuple[str, Callable[[Snapshot], Any]], ...] = ()
    offered: Callable[[Snapshot], bool] = always
    main: bool = False
    spends: bool = False
    more: bool = False
    asks: str = ""
