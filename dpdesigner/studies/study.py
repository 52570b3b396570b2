"""The base of every study: the frozen inputs of one kind, its progress while it runs, and its background jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.progress import Progress as Progress
from dpdesigner.progress import silent as silent

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Self, TypeVar

    from dpdesigner.core.basics.accountant import Spent

    A_co = TypeVar("A_co", covariant=True, default=Any)  #: the answer; a `Study` without it returns any
else:
    from typing import TypeVar

    A_co = TypeVar("A_co", covariant=True)


def design_of(outcome: Any) -> Any:
    """Return the design of an outcome; None if it has none."""
    return getattr(outcome, "design", None)


class Study(Protocol[A_co]):
    """The inputs of one kind: frozen, checked when created, and compared by value."""

    kind: ClassVar[str]
    compared_as: ClassVar[str]  #: the numbers of two designs mean the same if this is the same
    heading: ClassVar[str]  #: the title of a design without a name; empty: that of its kind
    __dataclass_fields__: ClassVar[dict[str, Any]]  # a study is a frozen dataclass

    @property
    def name(self) -> str:
        """The user's name for the study; may be empty."""
        ...

    def run(self, progress: Progress = silent) -> A_co:
        """Compute the outcome, a frozen value with this study as ``.design`` and with ``.findings``."""
        ...

    @property
    def spent(self) -> Spent | None:
        """The privacy loss of one release for the people in its data; None if nothing is released."""
        ...

    @property
    def data_name(self) -> str:
        """The name by which a project remembers releases of the data; empty where they are nobody's."""
        ...

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the window's initial design; scripts must give its privacy level and data."""
        ...

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again."""
        ...

    def beside(self, folder: Path) -> Self:
        """Return a copy with moved data files located by name in a folder."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, with numbers as entered; includes ``"kind"``."""
        ...

    def to_public_json(self) -> dict[str, Any]:
        """Return the inputs as exported files state them: without what must not leave the window."""
        ...

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a study from `to_json`'s values; raises `dpdesigner.errors.InputError` for anything else."""
        ...


@dataclass(frozen=True)
class Job:
    """A computation for a study in the background.

    Parameters
    ----------
    name : str
        What it gives: ``"solve"``, ``"lp_check"``, ... A new job takes the place of the page's older one of the same name.
    run : Callable
        Called as ``run(progress)`` in another thread; it must touch no widget. What it returns goes to the page.
    slow : bool
        Whether it may take longer than a few frames. Slow jobs wait for each other but never delay the quick ones.
    live : bool
        Whether it keeps up with the mouse: it runs for previews too, and while a drag lasts each answer is shown even if a newer
        one is already asked for. Otherwise it runs for settled studies only and is cancelled when the study changes.
    title : str
        What the status bar calls it while it runs, for example ``"linear program"``.
    """

    name: str
    run: Callable[[Progress], Any]
    slow: bool = False
    live: bool = True
    title: str = ""


@dataclass(frozen=True)
class Aim:
    """The level that attains a target loss or cost, and whether the drag that set the target has ended."""

    design: Study
    level: PrivacyLevel
    final: bool

    @classmethod
    def job(cls, design: Study, final: bool, find: Callable[[Progress], PrivacyLevel]) -> Job:
        """Return the job ``"target"``, which finds the most private level that attains a target."""
        return Job("target", lambda progress: cls(design, find(progress), final), live=True)
