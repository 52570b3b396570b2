"""``dpdesigner export`` and ``dpdesigner demo``: mechanisms as tables and pictures, without a window."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpdesigner.cli.report import Report, count_designs, joined
from dpdesigner.cli.solving import Solved, solution, solve_design
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import make_folder
from dpdesigner.files.examples import examples
from dpdesigner.files.export import FORMATS as TABLES
from dpdesigner.files.export import export_tables, file_name, number

PICTURES = ("png", "svg", "pdf")

_DEMO = ("csv", "json", "tex", "png")


def export_command(path: str, study: str | None, folder: str, formats: str, exact: bool, fractions: bool) -> Report:
    """Write the count mechanisms of a project file.

    Parameters
    ----------
    path : str
    study : str or None
        The number of one study, from 1; None for all.
    folder : str
        Where to; made if it is not there.
    formats : str
        Names with commas between them.
    exact : bool
        Solve in rational arithmetic.
    fractions : bool
        Write fractions rather than decimals.

    Returns
    -------
    Report
        Status 2 if a picture that was asked for could not be drawn; the tables are there all the same.
    """
    wanted = [name.strip().lower() for name in formats.split(",") if name.strip()]
    unknown = next((name for name in wanted if name not in (*TABLES, *PICTURES)), None)
    if unknown is not None or not wanted:
        raise InputError(f"the formats must be some of {','.join((*TABLES, *PICTURES))}, got {unknown or 'none'}.", "format")
    designs = count_designs(path, study)
    reports = []
    for name, design in zip(_names(path, len(designs)), designs, strict=True):
        reports.append(_export(solve_design(design, exact), folder, name, wanted, fractions))
    return joined(reports, {"files": [entry for report in reports for entry in report.data]})


def demo_command(folder: str, path: str | None = None) -> Report:
    """Do the main job without a screen: solve designs, write their tables and draw them.

    Parameters
    ----------
    folder : str
        Where to; made if it is not there.
    path : str, optional
        A project file; by default the example of the founding paper.

    Returns
    -------
    Report
        Status 0 also where there is no Qt to draw with; a warning says so.
    """
    file = str(examples()[0].path) if path is None else path
    designs = count_designs(file)
    reports, solutions, files = [], [], []
    for name, design in zip(_names(file, len(designs)), designs, strict=True):
        solved = solve_design(design)
        found, written = solution(solved), _export(solved, folder, name, _DEMO, False)
        reports += [found, Report(written.lines, None, 0, written.warnings)]
        solutions.append(found.data)
        files += written.data
    return joined(reports, {"solutions": solutions, "files": files})


def _export(solved: Solved, folder: str, name: str, formats: Sequence[str], fractions: bool) -> Report:
    lines: list[str] = []
    data: list[dict[str, Any]] = []
    if not solved.outcome.study.covered:
        lines.append(f"the loss is outside Theorem A; written is what the {solved.best.method} gives")
    tables = [wanted for wanted in formats if wanted in TABLES]
    if tables:
        for written in export_tables(solved.outcome, folder, name, tables, witness=solved.witness, fractions=fractions):
            epsilon = written.table.epsilon
            lines.append(f"{written.path}: proved on its text, every row sums to exactly 1 and epsilon is at most {epsilon!r}")
            data.append({"path": str(written.path), "epsilon": number(epsilon)})
    try:
        drawn = _draw(solved, folder, name, [wanted for wanted in formats if wanted in PICTURES])
    except InputError as error:
        return Report(lines, data, 2, [str(error)])
    return Report([*lines, *map(str, drawn)], [*data, *({"path": str(path)} for path in drawn)])


def _draw(solved: Solved, folder: str, name: str, formats: Sequence[str]) -> list[Path]:
    if not formats:
        return []
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        pictures = importlib.import_module("dpdesigner.desktop.pictures")
    except ImportError as error:
        raise InputError(f"pictures need Qt, which cannot be loaded here: {error}.", "format") from error
    paths = [make_folder(folder) / f"{file_name(name)}.{wanted}" for wanted in formats]
    for path in paths:
        pictures.draw_outcome(solved.outcome, path, solved.best.mechanism)
    return paths


def _names(path: str, number_of_designs: int) -> list[str]:
    stem = Path(path).stem
    return [stem] if number_of_designs == 1 else [f"{stem}-{k}" for k in range(1, number_of_designs + 1)]
