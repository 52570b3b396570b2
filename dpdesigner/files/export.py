"""Export of a study, in one form for every kind: findings, proof, tables and releases.

The command line, the export and the report know only this class, never a kind. A kind whose outcome has ``findings`` needs
nothing more; one that has tables, a proof or releases gives a class of its own, named in `dpdesigner.studies.registry`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from dpdesigner.core.basics.accountant import together
from dpdesigner.core.basics.parsing import cut as cut_short
from dpdesigner.core.basics.rounding import figure
from dpdesigner.errors import InputError, with_article
from dpdesigner.files.atomic import folder_for, write_together
from dpdesigner.files.formatting import PROGRAM_ENDINGS, Format, file_name, program_name
from dpdesigner.files.programs import Program, heading, test_program
from dpdesigner.messages import message, without_markup
from dpdesigner.studies import registry
from dpdesigner.studies.findings import Findings, Form, State, as_json, describe_finding, format_finding, public
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
    """A table for people to read, possibly cut to a sensible size.

    Attributes
    ----------
    title : str
    header : tuple of str
    rows : tuple of tuple of str
        The first cell of each names the row. None where a figure shows them.
    note : str
        Where it is cut, and where the whole is; empty if it is whole.
    full : Attachment or None
        The table as a file.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    full: Attachment | None = None


def cut(listing: Listing, most: int, where: str) -> Listing:
    """Return a table cut to this many rows and columns after the labels; its note says where the whole table is.

    It is whole if it is larger by at most a quarter: a table that lacks one row looks like a mistake.
    """
    columns = len(listing.header) - 1
    if max(len(listing.rows), columns) <= most + most // 4:
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
    return Listing(listing.title, header, rows, " ".join(filter(None, (f"Shown: {shown}.", listing.note, where))), listing.full)


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
    names : tuple of str
        What the numbers of a list are of, where they have names.
    """

    values: Sequence[Any]
    warning: str = ""
    exact: bool = True
    names: tuple[str, ...] = ()


def released(values: Sequence[Any], epsilon: float, what: str, seed: int | None = None) -> Releases:
    """Return the drawn values.

    Parameters
    ----------
    epsilon : float
        What each has, rounded up; of several it is said what they have together.
    what : str
        What several are: ``"releases of the same rows"``.
    seed : int, optional
        What they were drawn from, if it was no entropy: then they must not be published.
    """
    if seed is not None:
        return Releases(values, f"seed {seed}: for study only, not to be published.", exact=False)
    if len(values) < 2:
        return Releases(values)
    total = figure(together([epsilon] * len(values)), 6)
    return Releases(values, f"{len(values)} {what}: together they have epsilon = {total}, rounded up.")


def refuse_count(count: str | None, why: str) -> None:
    """Refuse a true result if a release needs none."""
    if count is not None:
        raise InputError(f"{why}; leave --count out.", "count")


_HEADLINE = 5  # digits of the main number on the first page of a report, at most; its appendix has all


NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class TableFile:
    """A file for `Export.write`: its name, contents, and the facts verified on it in one sentence and as JSON values."""

    name: str
    text: str
    statement: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenFile:
    """A file that was written, with the facts verified on it in one sentence and as JSON values."""

    path: Path
    statement: str
    data: Mapping[str, Any]


class Export:
    """The export of one study.

    Parameters
    ----------
    outcome : object
        What running the study gave, with ``.design`` and ``.findings``.
    done : mapping
        What a page has computed for the study, by the names of its jobs.
    """

    formats: ClassVar[Mapping[str, Format]] = {}  #: the formats that `write` supports
    programs: ClassVar[bool] = False  #: whether there are programs that make releases without dpdesigner
    fractions: ClassVar[bool] = False  #: whether tables can be written in fractions, too
    added: ClassVar[bool] = False  #: whether `release` draws noise, to be added to a true answer
    reported: ClassVar[tuple[str, ...]] = ()  #: the jobs of a page whose results its report takes over
    lasting: ClassVar[tuple[str, ...]] = ()  #: those of them that a changed design keeps
    open_words: ClassVar[bool] = False  #: whether sentence and checks reveal no secret, even where findings do
    leaving: ClassVar[str] = ""  #: offers to leave out counts of data and all numbers computed from them; empty if it cannot be
    #: Said before files with exact counts are written.
    caution: ClassVar[str] = message("Some of these files hold your exact counts: do not publish them.")
    front_checks: ClassVar[int] = 2  #: the checks on the first page of a report, at most
    of_data: ClassVar[Sequence[str]] = ()  #: the formats that are not written without them
    bare = False  #: whether they are left out
    #: How the name of the file goes on that is given away alone; None: a page saves all files of its format.
    alone: ClassVar[str | None] = None

    #: What `inputs` omits, if it omits anything.
    left_out: ClassVar[str] = "inputs that are not used or must not be published"

    outcome: Any

    def __init__(self, outcome: Any, done: Mapping[str, Any] = NOTHING) -> None:
        self.outcome, self.done = outcome, done

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings to read before any of the files is given away."""
        return ()

    @classmethod
    def counts_data(cls, study: Any) -> bool:
        """Return whether the design has exact counts of data, which its JSON file, its report and its project file hold."""
        return False

    @classmethod
    def shows_values(cls, study: Any) -> bool | None:
        """Return whether a report shows everybody's value in private data; None if that does not depend on the design."""
        return None

    @classmethod
    def proposed_name(cls, study: Any) -> str:
        """Return a name for the files of a design: its title, unless a kind has a better one."""
        return registry.title(study)

    @classmethod
    def of(
        cls, study: Any, *, done: Mapping[str, Any] = NOTHING, exact: bool | None = False, progress: Progress = silent
    ) -> Self:
        """Run a study, unless its result is available.

        Parameters
        ----------
        study : Study
        done : mapping
            What has been computed for this very study, by the names of its page's jobs.
        exact : bool or None
            Whether to work in rational arithmetic; None: where that is possible and quick.
        progress : Progress

        Raises
        ------
        InputError
            If exact arithmetic is asked for where there is none.
        """
        if exact:
            raise InputError(f"there is no exact arithmetic for {study.kind} designs.", "file")
        outcome = done.get("solve")
        return cls(study.run(progress) if outcome is None else cls.completed(outcome, done, progress), done)

    @classmethod
    def completed(cls, outcome: Any, done: Mapping[str, Any], progress: Progress) -> Any:
        """Return a page's outcome completed by the page's other jobs, which are run now if they are not done."""
        return outcome

    def prepare(self, progress: Progress) -> None:
        """Compute in advance, with progress, what takes long in tables or a report."""

    @property
    def findings(self) -> Findings:
        """The findings that may be published."""
        return public(self.outcome.findings)

    @property
    def study(self) -> Study:
        """The design that was run."""
        study: Study = design_of(self.outcome)
        return study

    @property
    def title(self) -> str:
        """The title."""
        return registry.title(self.study)

    @property
    def line(self) -> str:
        """The inputs in one line."""
        line: str = self.outcome.line
        return line

    @property
    def for_study(self) -> bool:
        """True if a release was drawn from a seed: anyone who knows the seed can remove the noise."""
        return False

    @property
    def told(self) -> bool:
        """True if sentence and checks may be published: they reveal no secret, or no finding is one."""
        return self.open_words or not any(finding.secret for finding in self.outcome.findings.values())

    @property
    def sentence(self) -> str:
        """The result in plain words, without markup; empty if there is none, or if it would reveal a secret."""
        return without_markup(self.outcome.sentence) if self.told else ""

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that were made; empty if they would reveal secret values."""
        return tuple(str(check) for check in self.outcome.checks) if self.told else ()

    @property
    def badge(self) -> tuple[str, State]:
        """The badge in words, and the state of its proof."""
        badge: tuple[str, State] = self.outcome.badge
        return badge

    @property
    def headline(self) -> tuple[str, str]:
        """The label of the first public finding and its formatted value; empty if all findings are secret."""
        first = next(iter(self.findings.values()), None)
        return ("", "") if first is None else (first.label, format_finding(replace(first, digits=min(first.digits, _HEADLINE))))

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the answer as pairs of a label and a text, numbers with all digits or with six."""
        form: Form = "full" if full else "line"
        return [(finding.label, describe_finding(finding, form)) for finding in self.findings.values()]

    def data(self) -> dict[str, Any]:
        """Return the inputs and the whole answer as JSON values, with the same keys for every kind."""
        return {
            "program": "dpdesigner",
            "version": sys.modules["dpdesigner"].__version__,
            "design": self.inputs(),
            "findings": {key: as_json(finding) for key, finding in self.findings.items()},
            "proved": self.badge[1] == "proved",
            "checks": list(self.checks),
            "details": self.details(),
        }

    def details(self) -> dict[str, Any]:
        """Return this kind's own data besides findings and tables, as JSON values: remaps, certificates, remarks."""
        return {}

    def inputs(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as entered, without those that must not be published."""
        return self.study.to_public_json()

    def stated(self) -> list[tuple[str, str]]:
        """Return titles and texts without which the answer cannot be understood: a claim and why it holds."""
        return [(title, without_markup(text)) for title, text in self.outcome.stated]

    def proof(self) -> list[str]:
        """Return the verified facts, the methods and the numbers behind them, each in one or two sentences."""
        return []

    def listings(self) -> list[Listing]:
        """Return the tables of a report."""
        return []

    def panels(self) -> list[Any]:
        """Return the panels that can be drawn outside the window (`dpdesigner.studies.panels`), the most informative first."""
        return []

    def computed(self) -> dict[str, Any]:
        """Return results that the page's jobs need not compute again, by job name; None for a job that is not run at all."""
        return {**self.done, "solve": self.outcome}

    @classmethod
    def side(cls, study: Any) -> int | None:
        """Return the number of rows and columns of a table that a study can evaluate; None if it cannot evaluate any."""
        return None

    def judged(self, matrix: NDArray[np.float64]) -> tuple[float, float]:
        """Return the cost of a mechanism's table under this study, and its largest possible excess over the optimum."""
        raise NotImplementedError

    def program(self, language: str) -> str:
        """Return a program that releases without dpdesigner, in a language of `dpdesigner.files.programs`."""
        return self.made_program(language, self._heading).text

    def made_program(self, language: str, head: str) -> Program:
        """Return a program with the data needed to test it.

        Parameters
        ----------
        language : str
            One of `dpdesigner.files.formatting.PROGRAMS`.
        head : str
            Its first lines.
        """
        raise InputError(f"there is no program for {with_article(self.study.kind)} design.", "format")

    def refused(self, formats: Iterable[str]) -> dict[str, str]:
        """Return the languages among these formats in which there is no program, each with the reason."""
        reasons = dict[str, str]()
        for language in (wanted for wanted in formats if wanted in PROGRAM_ENDINGS):
            try:
                self.made_program(language, "")
            except InputError as error:
                reasons[language] = str(error)
        return reasons

    @property
    def _heading(self) -> str:
        return heading(f"{self.title}: {self.line}", {} if self.counts_data(self.study) else self.inputs())

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse in advance what `write` could not write; same parameters.

        Raises
        ------
        InputError
            If a format or fractions are not to be had, the table would be too large, or there is none yet.
        """
        possible = (*self.formats, *(PROGRAM_ENDINGS if self.programs else ()))
        impossible = next((wanted for wanted in formats if wanted not in possible), None)
        if impossible is not None:
            allowed = ", ".join(possible) or "none"
            shown = cut_short(impossible)
            raise InputError(f"the formats of a table of {cut_short(self.title)} are {allowed}, got {shown}.", "format")
        if formats and fractions and not self.fractions:
            raise InputError(
                f"the tables of {cut_short(self.title)} contain decimals; they cannot be written as fractions.", "format"
            )

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make the files for `write` one by one; each name ends in a distinguishing part and its format."""
        return iter(())

    @classmethod
    def verify_again(cls, study: Any, name: str, text: str) -> None:
        """Verify again a file that another machine made for a study; files without their own proof are not checked.

        Raises
        ------
        ProofError
            If its table is no mechanism, or less private than asked.
        """

    def write(
        self,
        folder: str | Path,
        name: str,
        formats: Sequence[str],
        fractions: bool = False,
        *,
        beside: Iterable[tuple[str, bytes]] = (),
        alone: bool = False,
        progress: Progress = silent,
    ) -> list[WrittenFile]:
        """Write the tables, all of them or none, and return them.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        name : str
            Of the files, without an ending; what file systems dislike is replaced.
        formats : sequence of str
            Of `formats`.
        fractions : bool
            Write fractions rather than decimals.
        beside : iterable of (name, contents)
            Other files to be written together with them, such as pictures.
        alone : bool
            Write only the file that is given away.
        progress : Progress
            Called before each file, and a last time before they take their names.

        Raises
        ------
        InputError
            If a format is not to be had, or a file cannot be written; then none is.
        ProofError
            If a table fails its proof.
        """
        self.check(formats, fractions)
        self.prepare(progress)
        tables: list[TableFile] = []

        def made(where: Path) -> Iterator[tuple[Path, str | bytes]]:
            given = [f"{file_name(name)}{self.alone or ''}.{wanted}" for wanted in formats]
            for file in self._all_files(file_name(name), list(dict.fromkeys(formats)), fractions):
                if alone and file.name not in given:
                    continue
                progress(None, file.name)
                tables.append(file)
                yield where / file.name, file.text
            yield from ((where / other, contents) for other, contents in beside)
            progress(None)

        with folder_for(folder) as where:
            write_together(made(where))
        return [WrittenFile(where / file.name, file.statement, file.data) for file in tables]

    def _all_files(self, name: str, formats: Sequence[str], fractions: bool) -> Iterator[TableFile]:
        tables = [wanted for wanted in formats if wanted not in PROGRAM_ENDINGS]
        yield from self.files(name, tables, fractions) if tables else ()
        for wanted in formats:
            if wanted in PROGRAM_ENDINGS:
                file, made = program_name(name, wanted), self.made_program(wanted, self._heading)
                yield TableFile(file, made.text)
                if file.endswith(".py") and (text := test_program(self._heading, file, made)):
                    yield TableFile(f"test_{file}", text)

    @property
    def true_results(self) -> int:
        """The number of true results, if `release` needs one of them; 0 if it needs none."""
        return 0

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw from the mechanism.

        Parameters
        ----------
        draws : int
            How many.
        count : str or None
            The true result, where the mechanism needs one: see `true_results`.
        """
        raise InputError(f"{with_article(self.study.kind)} design has nothing to release.", "file")


def export_of(
    study: Study, *, done: Mapping[str, Any] = NOTHING, exact: bool | None = False, progress: Progress = silent
) -> Export:
    """Run a study of any kind, reusing finished results; see `Export.of`. Results for another study are ignored."""
    kind: type[Export] = entry(study.kind).export_class()
    own = {name: found for name, found in done.items() if name in kind.lasting or (design_of(found) or study) == study}
    return kind.of(study, done=own, exact=exact, progress=progress)
