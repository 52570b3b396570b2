"""The answer of a design: a protocol for every kind, and the base class with its table and picture for scripts.

Pages, the command line, exports, reports, comparisons and notebooks use an answer through `AnswerLike` and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut
from dpdesigner.messages import message
from dpdesigner.studies.findings import Findings, State, format_finding, public

if TYPE_CHECKING:
    from dpdesigner.studies.matrices import Matrix, Planes
    from dpdesigner.studies.panels import Plot, Strips
    from dpdesigner.studies.table_panels import Ranking, Sentence, Table

Panel: TypeAlias = "Plot | Strips | Matrix | Planes | Ranking | Table | Sentence"

_LONGEST = 160  # characters of a line
_NOTEBOOK, _SHARE = "dpdesigner.notebook.plot", "dpdesigner.notebook.share"


@dataclass(frozen=True)
class Why:
    """The reason for an answer, as templates of simple rich text: ``{key}`` stands for the words of a finding.

    Paragraphs are parted by empty lines. Where sentences hold under conditions only, a template in ``resources/why`` says it all.
    """

    plain_text: str = ""
    title: str = message("Why?")
    formula: str = ""
    sources: str = ""
    help: str = "start"
    template: str = ""  #: name of the template in ``resources/why``
    values: Callable[[], Mapping[str, Any]] = field(default=dict, compare=False)  #: gives values for the template
    picture: Callable[[], Plot | None] = field(default=lambda: None, compare=False)  #: gives the plot above the text


def _nothing() -> str:
    return ""


@dataclass(frozen=True, eq=False)
class Given:
    """The data that leave the window, such as ``"the released counts"``, and their size.

    Attributes
    ----------
    what, size : str
    note : str
        The sentences below its picture.
    plot : Plot or None
        Its picture; None: nothing can be given away.
    data, statement : callable
        Return the texts that are copied: the data, and the privacy statement.
    seeded : bool
        Whether they are for study only, so that saving them is nothing to propose.
    file_format : str
        What they are saved as.
    ready : bool
        Whether they are there, so that they can be saved and copied; before, the picture is empty.
    earlier : Study or None
        The other design that they were released from, which is the one to save; their picture is faded.
    made : Found or None
        The release, for a report of another design, too.
    """

    what: str
    size: str
    note: str
    plot: Plot | None
    data: Callable[[], str] = _nothing
    statement: Callable[[], str] = _nothing
    seeded: bool = False
    file_format: str = "csv"
    ready: bool = True
    earlier: Any = None
    made: Any = None


class AnswerLike(Protocol):
    """The answer of a design of any kind: a frozen value."""

    @property
    def design(self) -> Any:
        """The design that was solved."""
        ...

    @property
    def findings(self) -> Findings:
        """The reported numbers and words, by key; the first is the headline."""
        ...

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels of the open view, ``view["view"]``, at the view's other values."""
        ...

    @property
    def sentence(self) -> str:
        """The result in plain words, simple rich text."""
        ...

    @property
    def badge(self) -> tuple[str, State]:
        """The proved result, or a note that nothing is proved."""
        ...

    @property
    def checks(self) -> Sequence[str]:
        """The completed checks, as shown in the status bar and the report."""
        ...

    @property
    def why(self) -> Why | None:
        """The explanation of the answer."""
        ...

    @property
    def stated(self) -> Sequence[tuple[str, str]]:
        """Titles and texts that a report needs to be understood: a claim, and why it holds."""
        ...

    @property
    def note(self) -> str:
        """The text of the status bar while nothing runs: how it was computed, or why it is not proved."""
        ...

    @property
    def line(self) -> str:
        """The design in one line."""
        ...


class Outcome:
    """The base of all answers, with ``.design`` and ``.findings``; the other members of `AnswerLike` are empty here."""

    if TYPE_CHECKING:  # fields or properties of the outcome

        @property
        def design(self) -> Any: ...  # noqa: D102  (described above)
        @property
        def findings(self) -> Findings: ...  # noqa: D102

    @property
    def line(self) -> str:
        """The design in one line."""
        line: str = self.design.line
        return line

    @property
    def sentence(self) -> str:
        """The result in plain words, simple rich text."""
        return ""

    @property
    def badge(self) -> tuple[str, State]:
        """The proved result, or a note that nothing is proved."""
        return "", "open"

    @property
    def checks(self) -> Sequence[str]:
        """The completed checks, as shown in the status bar and the report."""
        return ()

    @property
    def why(self) -> Why | None:
        """The explanation of the answer."""
        return None

    @property
    def stated(self) -> Sequence[tuple[str, str]]:
        """Titles and texts that a report needs to be understood: a claim, and why it holds."""
        return ()

    @property
    def note(self) -> str:
        """The text of the status bar while nothing runs."""
        return ""

    @property
    def cells_compared(self) -> Floats | None:
        """A public table whose cells a comparison shows, where no panel is one."""
        return None

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels of the open view, ``view["view"]``, at the view's other values."""
        return ()

    def table(self, file_format: str = "csv", *, fractions: bool = False) -> str:
        """Return the text of the table that ``dpdesigner export`` would write, itself proved where tables are proved.

        Parameters
        ----------
        file_format : str
            ``"csv"``, ``"tsv"``, ``"json"`` or ``"tex"``.
        fractions : bool
            Fractions rather than decimals, where there are such tables.

        Raises
        ------
        InputError
            If there is no such table.
        ProofError
            If it fails its proof.
        """
        text: str = import_module(_NOTEBOOK).table(self, file_format, fractions)
        return text

    def plot(self, which: str | None = None, axes: Any = None) -> Any:
        """Draw a picture with matplotlib.

        Parameters
        ----------
        which : str, optional
            The key of the picture; by default the first. A key that is not there is answered with those that are.
        axes : matplotlib.axes.Axes, optional
            What to draw on; by default new ones.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed, or there is no such picture.
        """
        return import_module(_NOTEBOOK).plot(self, which, axes)

    def share(self, path: str | os.PathLike[str]) -> Path:
        """Write an interactive page of the design: one HTML file that anybody can open; see ``dpdesigner.share``.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        page: Path = import_module(_SHARE).share(self, path)
        return page

    def _repr_html_(self) -> str:
        page: str = import_module(_NOTEBOOK).html(self)
        return page

    def __repr__(self) -> str:
        first = next(iter(public(self.findings).values()))
        return f"<{type(self).__name__}: {cut(self.line, _LONGEST)}; {first.label} {format_finding(first)}>"
