"""What a command of the command line gives back, and how it writes numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpdesigner.core.numbers import whole
from dpdesigner.core.rounding import rounded_up
from dpdesigner.errors import InputError
from dpdesigner.files.project import read_project
from dpdesigner.studies.count import CountDesign


@dataclass(frozen=True)
class Report:
    """What a command found.

    Attributes
    ----------
    lines : list of str
        For people.
    data : object
        The same as JSON values.
    status : int
        The exit status: 0 good, 1 a check failed, 2 something asked for could not be done.
    warnings : list of str
        Sentences for standard error.
    """

    lines: list[str]
    data: Any
    status: int = 0
    warnings: list[str] = field(default_factory=list)


def joined(reports: Iterable[Report], data: Any) -> Report:
    """Return one report with all lines and warnings, the worst status, and these JSON values."""
    every = list(reports)
    return Report(
        [line for report in every for line in report.lines],
        data,
        max((report.status for report in every), default=0),
        [warning for report in every for warning in report.warnings],
    )


def count_designs(path: str, which: str | None = None) -> list[CountDesign]:
    """Return the count designs of a project file, or only the study with this number (from 1).

    Raises
    ------
    InputError
        If the file cannot be read or holds no such design.
    """
    studies = read_project(path)
    chosen = studies if which is None else [studies[whole(which, "the number of the study", 1, len(studies)) - 1]]
    designs = [study for study in chosen if isinstance(study, CountDesign)]
    if not designs:
        raise InputError(f"{Path(path).name} must hold a count design, got none.", "file")
    return designs


def count_design(path: str, which: str | None = None) -> CountDesign:
    """Return the one count design of a project file, or the study with this number (from 1).

    Raises
    ------
    InputError
        If there are several and none is chosen; else as `count_designs`.
    """
    designs = count_designs(path, which)
    if len(designs) > 1:
        raise InputError(f"{Path(path).name} has {len(designs)} designs; say which one with --study.", "file")
    return designs[0]


def small(value: float | Fraction) -> str:
    """Return a number with three digits, never less than it is."""
    return f"{rounded_up(value, 3):g}".replace("Infinity", "infinity")


def plain(value: float | Fraction) -> str:
    """Return a number with all its digits, a fraction with its decimal value beside it."""
    return f"{value} = {float(value)!r}" if isinstance(value, Fraction) and value.denominator > 1 else repr(float(value))
