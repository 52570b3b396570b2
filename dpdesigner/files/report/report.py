"""A report of one or more designs as values: answer, pictures, tables, proof, inputs, versions.

It says what a `Export` says and nothing else. `dpdesigner.files.report.report_html` makes the page of it; pictures are drawn by
the desktop, where there is one, and put in with `illustrated`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from dpdesigner.core.numbers.parsing import cut
from dpdesigner.errors import InputError
from dpdesigner.files.export.export import Export
from dpdesigner.files.export.report_table import Listing
from dpdesigner.files.project.project import Project
from dpdesigner.files.report.versions import versions
from dpdesigner.studies import registry
from dpdesigner.studies.study import Study

ENDINGS = (".html", ".pdf")

_MOST_INPUTS, _MOST_CHECKS = 20_000, 2
_PLAIN_LIST = re.compile(r"\[\s+([^\[\]{}]*?)\s+\]")
_LINES = re.compile(r"\s*\n\s*")


@dataclass(frozen=True)
class Picture:
    """A figure: its title, the text of an SVG file, and its size in pixels."""

    title: str
    svg: str
    width: int
    height: int


@dataclass(frozen=True)
class Chapter:
    """The chapter of a report about one design.

    Attributes
    ----------
    title, line : str
        What it is called, and its inputs in one line.
    sentence : str
        The result in plain words; may be empty.
    headline : (str, str)
        The label of the main number, and that number as people write it.
    badge : str
    checks : tuple of str
        What was checked, in two lines at most.
    facts : tuple of (str, str)
        The answer with all its digits.
    listings : tuple of Listing
    proof : tuple of str
        What was verified.
    inputs : str
        The study as it stands in a project file.
    pictures : tuple of Picture
    remark : str
        Why there are no pictures; empty if there are.
    front : int
        How many of the pictures stand on its first page.
    """

    title: str
    line: str
    sentence: str
    headline: tuple[str, str]
    badge: str
    checks: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    listings: tuple[Listing, ...]
    proof: tuple[str, ...]
    inputs: str
    pictures: tuple[Picture, ...] = ()
    remark: str = ""
    front: int = 1

    def illustrated(self, pictures: Sequence[Picture], front: int = 1) -> Chapter:
        """Return the chapter with these pictures, the first of them on its first page."""
        return replace(self, pictures=tuple(pictures), remark="", front=front)


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes
    ----------
    title : str
    made : str
        Date and time, with the offset from UTC.
    chapters : tuple of Chapter
    versions : tuple of (str, str)
        Of the program and of what it computed with.
    together : tuple of str
        What the designs that concern the same people have together; empty where that is not said.
    """

    title: str
    created: str
    chapters: tuple[Chapter, ...]
    versions: tuple[tuple[str, str], ...]
    together: tuple[str, ...] = ()


def chapter(solved: Export, remark: str = "") -> Chapter:
    """Return what a report says of a design, without pictures.

    Parameters
    ----------
    solved : Export
    remark : str
        Why there are no pictures.
    """
    facts, proof = tuple(solved.facts()), tuple(solved.proof())
    badge, checks = str(solved.outcome.badge[0]), solved.checks[:_MOST_CHECKS]
    first = (solved.title, solved.line, solved.sentence, solved.headline, badge, checks)
    return Chapter(*first, facts, tuple(solved.listings()), proof, _inputs(solved), (), remark)


def report(title: str, chapters: Sequence[Chapter], now: datetime | None = None, together: Sequence[str] = ()) -> Report:
    """Put chapters together.

    Parameters
    ----------
    title : str
    chapters : sequence of Chapter
    now : datetime, optional
        The date of the report; by default the present.
    together : sequence of str
        See `spent_together`.
    """
    made = (now or datetime.now()).astimezone().strftime("%Y-%m-%d %H:%M %z")
    return Report(title, made, tuple(chapters), tuple(versions()), tuple(together))


def spent_together(project: Project, studies: Sequence[Study]) -> tuple[str, ...]:
    """Return sentences on the designs of a project that concern the same people; none where no chapter is of one of them."""
    account = project.same_people
    if account is None:
        return ()
    among = [project.studies[place] for place in account.designs]
    if not any(study in among for study in studies):
        return ()
    names = ", ".join(registry.title(study) for study in among)
    return (*account.sentences(account.total(among)), f"They are: {names}.")


def _inputs(solved: Export) -> str:
    """The inputs as JSON, a list of numbers on one line; cut where they are longer than anyone reads."""
    inputs = solved.inputs()
    text = json.dumps(inputs, ensure_ascii=False, indent=1)
    text = _PLAIN_LIST.sub(lambda match: "[" + _LINES.sub(" ", match[1]) + "]", text)
    if len(text) > _MOST_INPUTS:
        shown = f"Shown: the first {_MOST_INPUTS} of {len(text)} characters; the project file has all of them."
        text = f"{text[:_MOST_INPUTS]} …\n\n{shown}"
    return text if inputs == solved.study.to_json() else f"{text}\n\nOmitted: {solved.left_out}."


def targets(wanted: Sequence[str], stem: str) -> list[Path]:
    """Return the files to write: those named, and for a folder an HTML and a PDF file in it.

    Parameters
    ----------
    wanted : sequence of str
        Names that end in .html or .pdf, or folders, which need not exist.
    stem : str
        What the files in a folder are called.

    Raises
    ------
    InputError
        If a name has another ending, or none is given.
    """
    files: list[Path] = []
    for name in wanted:
        path = Path(name).expanduser()
        ending = path.suffix.lower()
        if ending in ENDINGS and not path.is_dir():
            files.append(path)
        elif path.is_dir() or not ending:
            files += [path / f"{stem}{each}" for each in ENDINGS]
        else:
            raise InputError(f"a report must be a .html or .pdf file, or a folder for both, got {cut(path.name)}.", "file")
    if not files:
        raise InputError("name the output of the report: a .html or .pdf file, or a folder for both.", "file")
    return list(dict.fromkeys(files))
