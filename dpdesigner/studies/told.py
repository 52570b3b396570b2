"""What every outcome can do in a script or a notebook: say itself in one line, give its table, its picture and its page.

Tables and pages are made where they belong, above the studies, and are named here by path as the kinds are in `registry`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpdesigner.core.numbers.given import cut
from dpdesigner.studies.findings import Findings, public, shown

_LONGEST = 160  # characters of a line
_NOTEBOOK = "dpdesigner.notebook.outcomes"


class Told:
    """An outcome with ``.design`` and ``.findings``."""

    if TYPE_CHECKING:  # fields or properties of the outcome

        @property
        def design(self) -> Any: ...  # noqa: D102  (described above)
        @property
        def findings(self) -> Findings: ...  # noqa: D102

    @property
    def line(self) -> str:
        """What was asked, in one line."""
        line: str = self.design.line
        return line

    def table(self, file_format: str = "csv", *, fractions: bool = False) -> str:
        """Return the text of the table that ``dpdesigner export`` would write, proved on this very text where tables are proved.

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

    def _repr_html_(self) -> str:
        page: str = import_module(_NOTEBOOK).html(self)
        return page

    def __repr__(self) -> str:
        first = next(iter(public(self.findings).values()))
        return f"<{type(self).__name__}: {cut(self.line, _LONGEST)}; {first.label} {shown(first)}>"
