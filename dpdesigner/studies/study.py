"""What every study is: the frozen inputs of one kind, and how running them reports on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from dpdesigner.progress import Progress as Progress
from dpdesigner.progress import silent as silent

if TYPE_CHECKING:
    from typing_extensions import Self, TypeVar

    from dpdesigner.core.privacy.accountant import Spent

    A_co = TypeVar("A_co", covariant=True, default=Any)  #: the answer; a `Study` without it gives any
else:
    from typing import TypeVar

    A_co = TypeVar("A_co", covariant=True)


def design_of(outcome: Any) -> Any:
    """Return the design that an outcome carries; None where it carries none."""
    return getattr(outcome, "design", None)


class Study(Protocol[A_co]):
    """One kind's inputs: frozen, checked when made, equal by value."""

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """The name given by the user; may be empty."""
        ...

    def run(self, progress: Progress = silent) -> A_co:
        """Compute the outcome, a frozen value that carries this study as ``.design`` and tells its ``.findings``."""
        ...

    @property
    def spent(self) -> Spent | None:
        """The privacy loss of one release for the people in its data; None if it releases nothing."""
        ...

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the design that a new one in the window starts from; scripts must give its privacy level and data."""
        ...

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as the user gave them; includes ``"kind"``."""
        ...

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a study from `to_json`'s values; raises `dpdesigner.errors.InputError` for anything else."""
        ...
