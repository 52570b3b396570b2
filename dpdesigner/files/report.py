"""Reports on one or more designs: as values, and as one self-contained HTML page.

It says what a `Export` says and nothing else. `dpdesigner.files.report` makes the page of it; pictures are drawn by
the desktop, where there is one, and put in with `illustrated`.

A report as one HTML page that needs nothing else: pictures and whole tables are inside it, and it can load nothing.

The page is the template ``report/report.html`` among the resources, filled in by Jinja, which escapes whatever is put in. It is
plain enough for Qt's text engine, which makes the PDF from it: with `for_print` pictures are named rather than held, and whole
tables are named with their checksums only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from dpdesigner import resources
from dpdesigner.core.basics.parsing import cut
from dpdesigner.errors import InputError
from dpdesigner.files.export import Export, Listing
from dpdesigner.files.formatting import data_url
from dpdesigner.files.project import Project
from dpdesigner.files.versions import versions
from dpdesigner.studies import registry
from dpdesigner.studies.spending import RECORD, so_far
from dpdesigner.studies.study import Study

ENDINGS = (".html", ".pdf")

_MOST_INPUTS = 20_000
_FIRST = "What to do", "To announce", "To publish", "Not private yet"  # titles of texts on the first page
NO_PICTURE = "There is no picture: each would show what only the owner of the data may see."
_PLAIN_LIST = re.compile(r"\[\s+([^\[\]{}]*?)\s+\]")
_LINES = re.compile(r"\s*\n\s*")
_LONG_FRACTION = re.compile(r"(-?\d{24,}/\d{24,}|a fraction of \d+ digits) or (?=about)")


@dataclass(frozen=True)
class Picture:
    """A figure: its title, the text of an SVG file, and its size in pixels."""

    title: str
    svg: str
    width: int
    height: int


@dataclass(frozen=True)
class Chapter:
    """A report chapter about one design.

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
    stated, later : tuple of (str, str)
        Titles and texts of the first page: a claim, what to do; and those that follow it.
    state : str
        Of the proof: a refuted badge is as large as the sentence.
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
    stated: tuple[tuple[str, str], ...] = ()
    later: tuple[tuple[str, str], ...] = ()
    state: str = "open"

    def illustrated(self, pictures: Sequence[Picture], front: int = 1) -> Chapter:
        """Return the chapter with these pictures, the first `front` of them on its first page."""
        return replace(self, pictures=tuple(pictures), remark="" if pictures else NO_PICTURE, front=front)


@dataclass(frozen=True)
class Report:
    """A complete report.

    Attributes
    ----------
    title : str
    created : str
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
    """Return the report chapter of a design, without pictures.

    Parameters
    ----------
    solved : Export
    remark : str
        Why there are no pictures.
    """
    facts = tuple((label, _LONG_FRACTION.sub("", text)) for label, text in solved.facts())
    proof = tuple(solved.proof())
    checks = solved.checks[: solved.front_checks]
    first = (solved.title, str(solved.line), solved.sentence, solved.headline, str(solved.badge[0]), checks)
    made = Chapter(*first, facts, tuple(solved.listings()), proof, _inputs(solved), (), remark)
    texts, claims = solved.stated(), len(solved.outcome.stated)
    stated = tuple(text for place, text in enumerate(texts) if place < claims or text[0] in _FIRST)
    return replace(made, stated=stated, later=tuple(text for text in texts if text not in stated), state=solved.badge[1])


def report(title: str, chapters: Sequence[Chapter], now: datetime | None = None, together: Sequence[str] = ()) -> Report:
    """Combine chapters into a report.

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
    """Return sentences on the total ε of the designs that concern the same people; none if no chapter is one of them."""
    account, made = project.same_people, dict[str, list[str]]()
    for study in studies:
        if RECORD.is_kept(study):
            made.setdefault(so_far(RECORD.of(study)), []).append(registry.title(study))
    told = [f"{', '.join(titles)}: {words}" for words, titles in made.items()]
    among = [] if account is None else [project.studies[place] for place in account.designs]
    if account is None or not any(study in among for study in studies):
        return tuple(told)
    often = [f" ({times} times)" if times > 1 else "" for times in account.times]
    names = ", ".join(registry.title(study) + words for study, words in zip(among, often, strict=True))
    return (*told, *account.sentences(account.total(among)), f"They are: {names}.")


def _inputs(solved: Export) -> str:
    """Return the inputs as JSON, each list of numbers on one line; very long ones are cut."""
    inputs = solved.inputs()
    text = json.dumps(inputs, ensure_ascii=False, indent=1)
    text = _PLAIN_LIST.sub(lambda match: "[" + _LINES.sub(" ", match[1]) + "]", text)
    if len(text) > _MOST_INPUTS:
        shown = f"Shown: the first {_MOST_INPUTS} of {len(text)} characters; the project file has all of them."
        text = f"{text[:_MOST_INPUTS]} …\n\n{shown}"
    return text if inputs == solved.study.to_json() else f"{text}\n\nOmitted: {solved.left_out}."


def targets(wanted: Sequence[str], stem: str) -> list[Path]:
    """Return the files to write: the named ones, and an HTML and a PDF file for each folder.

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


_LETTERS, _LEAST_LETTERS = 6.5, 5.5  #: font sizes in points for tables on paper
_ACROSS = 106  #: characters of the larger size that are as wide as the page
_GAP = 1.5  #: characters between columns
_HALF = 0.77  #: scale of each of two pictures that are side by side on paper


@dataclass(frozen=True)
class Block:
    """Table columns that fit next to each other on paper.

    Attributes
    ----------
    columns : range
        Besides the first one, which names the rows and is in every block.
    names : tuple of str
        What to say above them; empty where the table is one block.
    size : float
        Of the letters, in points; 0 where it is the usual one.
    """

    columns: range
    names: tuple[str, ...] = ()
    size: float = 0.0


def html(report: Report, *, for_print: bool = False) -> str:
    """Return the HTML page.

    Parameters
    ----------
    report : Report
    for_print : bool
        For Qt's text engine: pictures are ``<img src="C-K">``, picture K of chapter C with its title above it.
    """
    style = resources.path("report", "print.css" if for_print else "screen.css").read_text("utf-8")
    program = dict(report.versions)["dpdesigner"]
    template = resources.templates("report", keep_trailing_newline=True, autoescape=True).get_template("report.html")
    helpers = {"blocks": _blocks, "data_url": data_url, "half": _HALF, "picture_name": picture_name}
    return template.render(report=report, program=program, style=style, for_print=for_print, **helpers)


def picture_name(c: int, k: int) -> str:
    """Return the name of picture k of chapter c, both from 1, on a page for print."""
    return f"{c}-{k}"


def _blocks(listing: Listing) -> list[Block]:
    """Split a table for paper: legible type, and only as many columns per block as fit without breaking a number."""
    needed = [max(map(len, column)) + _GAP for column in zip(listing.header, *listing.rows, strict=True)]
    size = _LETTERS * _ACROSS / sum(needed)
    if size >= _LEAST_LETTERS:
        return [Block(range(1, len(needed)), size=size if size < _LETTERS else 0.0)]
    ends = pairwise([*_starts(needed), len(needed)])
    return [Block(range(*end), tuple(name for name in listing.header[slice(*end)] if name != "…")) for end in ends]


def _starts(needed: Sequence[float]) -> list[int]:
    """Return the first column of each block; a block is at most as wide as the page, and the first column is in all of them."""
    starts, width = [1], needed[0]
    for k in range(1, len(needed)):
        width += needed[k]
        if width > _ACROSS and k > starts[-1]:
            starts.append(k)
            width = needed[0] + needed[k]
    return starts
