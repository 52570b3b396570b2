"""The output of a command, and the choice of designs in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpdesigner.core.basics.parsing import cut, excerpt, parse_integer
from dpdesigner.data.grid import STANDARD, file_title
from dpdesigner.errors import InputError
from dpdesigner.files.project import read_project
from dpdesigner.files.verification_report import side_of
from dpdesigner.studies.fields import PUBLISHED, WARNING, Releasing
from dpdesigner.studies.registry import ENTRIES
from dpdesigner.studies.study import Study


@dataclass(frozen=True)
class Output:
    """The result of a command.

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
    content : str or None
        A file that goes to standard output as it is, instead of the lines or the JSON values.
    """

    lines: list[str]
    data: Any
    status: int = 0
    warnings: list[str] = field(default_factory=list)
    content: str | None = None


def joined(outputs: Iterable[Output], data: Any, warnings: Sequence[str] = ()) -> Output:
    """Return one output with all lines and warnings, the worst status, and the given JSON values."""
    every = list(outputs)
    return Output(
        [line for output in every for line in output.lines],
        data,
        max((output.status for output in every), default=0),
        [*warnings, *(warning for output in every for warning in output.warnings)],
    )


def chosen_studies(path: str, which: str | None = None) -> list[Study]:
    """Return the studies of a project file, or only the one with this number (from 1) or name.

    Raises
    ------
    InputError
        If the file cannot be read or there is no such study.
    """
    return chosen_among(read_project(path).studies, which)


def chosen_among(found: Iterable[Study], which: str | None = None) -> list[Study]:
    """Return all of the given studies, or only the one with this number (from 1) or name.

    Raises
    ------
    InputError
        If there is no such study.
    """
    studies = list(found)
    if which is None:
        return studies
    named = [study for study in studies if study.name == which]
    if named:
        return named[:1]
    if which.strip().isascii() and which.strip().isdigit():
        return [studies[parse_integer(which, "the number of the design", 1, len(studies)) - 1]]
    names = ", ".join(repr(study.name) for study in studies if study.name) or "none has a name"
    raise InputError(
        f"the design must be a number from 1 to {len(studies)} or the name of one ({cut(names, 150)}), got {excerpt(which)}.",
        "file",
    )


def with_real_errors(studies: Sequence[Study], real_errors: bool) -> tuple[list[Study], list[str]]:
    """Return the studies, with measured errors included on request, and the warning that this requires.

    Raises
    ------
    InputError
        If it is asked for and none of them keeps a real error.
    """
    chosen = list(studies)
    if real_errors:
        kinds = [each.kind for each in ENTRIES if "real_errors" in each.study_class().__dataclass_fields__]
        chosen = [each.replace(real_errors=PUBLISHED) if each.kind in kinds else each for each in studies]
        if not any(each.kind in kinds for each in chosen):
            raise InputError(f"--real-errors applies to designs with a measured error: {', '.join(kinds)}.", "file")
    return chosen, [f"{WARNING}."] if any(isinstance(each, Releasing) and each.tells for each in chosen) else []


def chosen_study(path: str, which: str | None = None) -> Study:
    """Return the one study of a project file, or the one with this number or name.

    Raises
    ------
    InputError
        If there are several and none is chosen; else as `chosen_studies`.
    """
    return _only(chosen_studies(path, which), path, "--design")


def judging_study(path: str, which: str | None = None) -> Study:
    """Return the one study of a project file that can check tables, or the one with this number or name.

    Raises
    ------
    InputError
        If there is none, or several and none is chosen.
    """
    studies = [study for study in chosen_studies(path, which) if side_of(study) is not None]
    if not studies:
        kinds = " or ".join(each.kind for each in ENTRIES if "side" in vars(each.export_class()))
        raise InputError(f"{file_title(path)} must contain a {kinds} design to compare the table with, got none.", "file")
    return _only(studies, path, "--study")


def _only(designs: Sequence[Study], path: str, option: str) -> Study:
    if len(designs) > 1:
        problem = f"has {len(designs)} designs; choose one with {option}, by name or number"
        raise InputError(f"{file_title(path)} {problem}.", "file")
    return designs[0]


def shown(path: str) -> str:
    """Return how messages name an input file."""
    return file_title(path) if path == STANDARD else path


def stems(path: str, studies: list[Study]) -> list[str]:
    """Return the base names of each study's files: the project file's name, numbered if there are several studies."""
    stem = "design" if path == STANDARD else Path(path).stem
    return [stem] if len(studies) == 1 else [f"{stem}-{k}" for k in range(1, len(studies) + 1)]
