"""What can be taken away from a study, in one form for every kind: findings, proof, tables and releases.

The command line, the export and the report know only this class, never a kind. A kind whose outcome has ``findings`` needs
nothing more; one that has tables, a proof or releases gives a class of its own, named in `dpdesigner.studies.registry`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.numbers.given import cut as cut_short
from dpdesigner.errors import InputError
from dpdesigner.studies.findings import as_json, public, told
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Progress, Study, design_of, silent


@dataclass(frozen=True)
class Attachment:
    """A whole file as text: its name and contents."""

    name: str
    text: str

    @cached_property
    def sha256(self) -> str:
        """The checksum of the file as it is written, in UTF-8."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()


@dataclass(frozen=True)
class Listing:
    """A table to be read by people, perhaps cut to a sensible size.

    Attributes
    ----------
    title : str
    header : tuple of str
    rows : tuple of tuple of str
        The first cell of each names the row.
    note : str
        Where it is cut, and where the whole is; empty if it is whole.
    whole : Attachment or None
        The table as a file.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    whole: Attachment | None = None


@dataclass(frozen=True)
class Written:
    """A file that was written, what was verified on it in one sentence, and that as JSON values."""

    path: Path
    said: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Releases:
    """Values drawn from a mechanism.

    Attributes
    ----------
    values : tuple
        Numbers; lists of numbers where several belong together.
    warning : str
        What must be known before they are used; empty where there is nothing.
    exact : bool
        Whether they have exactly the probabilities of the mechanism; else they must not be published.
    """

    values: Sequence[int | float | list[int] | list[float]]
    warning: str = ""
    exact: bool = True


class Takeaway:
    """What can be taken away from one study.

    Parameters
    ----------
    outcome : object
        What running the study gave, with ``.design`` and ``.findings``.
    """

    formats: ClassVar[tuple[str, ...]] = ()  #: what `write` can write

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome

    @classmethod
    def of(cls, study: Any, *, exact: bool | None = False, progress: Progress = silent) -> Self:
        """Run a study.

        Parameters
        ----------
        study : Study
        exact : bool or None
            Whether to work in rational arithmetic; None: where that is possible and quick.
        progress : Progress

        Raises
        ------
        InputError
            If exact arithmetic is asked for where there is none.
        """
        if exact:
            raise InputError(f"exact arithmetic is for count designs, got a {study.kind} design.", "file")
        return cls(study.run(progress))

    @property
    def study(self) -> Study:
        """What was run."""
        found: Study = design_of(self.outcome)
        return found

    @property
    def title(self) -> str:
        """What the user calls it, or the title of its kind."""
        return self.study.name or entry(self.study.kind).title

    @property
    def line(self) -> str:
        """The inputs in one line."""
        return getattr(self.outcome, "line", "")

    def facts(self) -> list[tuple[str, str]]:
        """Return the answer as pairs of a label and a text."""
        return [(finding.label, told(finding)) for finding in public(self.outcome.findings).values()]

    def data(self) -> dict[str, Any]:
        """Return the inputs and the whole answer as JSON values."""
        return {"design": self.inputs(), **getattr(self.outcome, "facts", dict)(), **self._findings()}

    def _findings(self) -> dict[str, Any]:
        """The findings as JSON values; nothing where an outcome has none yet."""
        found = public(getattr(self.outcome, "findings", {}))
        return {"findings": {key: as_json(finding) for key, finding in found.items()}} if found else {}

    def inputs(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given, but for what must not be published."""
        return self.study.to_json()

    def proof(self) -> list[str]:
        """Return what was verified, how, and the numbers behind it: one sentence or two each."""
        return []

    def listings(self) -> list[Listing]:
        """Return the tables of a report."""
        return []

    def computed(self) -> dict[str, Any]:
        """Return what the page's jobs need not compute again, by job name; None where a job is not to be run at all."""
        return {}

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse what `write` could not write, before anything is written; parameters as there.

        Raises
        ------
        InputError
            If a format or fractions are not to be had, or the table would be too large.
        """
        impossible = next((wanted for wanted in formats if wanted not in self.formats), None)
        if impossible is not None:
            allowed = ", ".join(self.formats) or "none"
            shown = cut_short(impossible)
            raise InputError(f"the formats of a table of {cut_short(self.title)} are {allowed}, got {shown}.", "format")

    def write(self, folder: str | Path, name: str, formats: Sequence[str], fractions: bool = False) -> list[Written]:
        """Write the tables.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        name : str
            Of the files, without an ending.
        formats : sequence of str
            Of `formats`.
        fractions : bool
            Write fractions rather than decimals.
        """
        raise InputError(f"a {self.study.kind} design has no tables to write.", "format")

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw from the mechanism.

        Parameters
        ----------
        draws : int
            How many.
        count : str or None
            The true result, where the mechanism needs one.
        """
        raise InputError(f"a {self.study.kind} design has nothing to release.", "file")


def takeaway(study: Study, *, exact: bool | None = False, progress: Progress = silent) -> Takeaway:
    """Run a study of any kind; see `Takeaway.of`."""
    found: Takeaway = entry(study.kind).takeaway_maker()(study, exact=exact, progress=progress)
    return found


def cut(listing: Listing, most: int, where: str) -> Listing:
    """Return a table with at most so many rows and as many columns behind the labels; its note says where the whole is."""
    columns = len(listing.header) - 1
    if len(listing.rows) <= most and columns <= most:
        return listing
    rows, header = listing.rows, listing.header
    if columns > most:
        header = (*header[: most + 1], "…")
        rows = tuple((*row[: most + 1], "…") for row in rows)
    if len(rows) > most:
        rows = (*rows[:most], ("…",) * len(header))
    shown = f"the first {min(most, len(listing.rows))} of {len(listing.rows)} rows"
    if columns > most:
        shown += f" and the first {most} of {columns} columns"
    return Listing(listing.title, header, rows, f"Shown: {shown}. {listing.note} {where}".replace("  ", " "), listing.whole)
