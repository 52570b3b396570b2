"""``dpdesigner export`` and ``dpdesigner demo``: mechanisms and noise as tables and pictures, without a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpdesigner.cli.offscreen import drawing
from dpdesigner.cli.output import Output, chosen_studies, joined, stems, with_real_errors
from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.cli.solve import solution
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.data.grid import STANDARD
from dpdesigner.errors import InputError
from dpdesigner.files.export.export import Export, export_of
from dpdesigner.files.export.formats import PROGRAM_ENDINGS
from dpdesigner.files.project.examples import example
from dpdesigner.files.tables.formats import FORMATS

TABLES = (*FORMATS, *PROGRAM_ENDINGS)
PICTURES = ("png", "svg", "pdf")

_DEMO = ("csv", "json", "tex", "png")


def export_command(
    path: str, which: str | None, folder: str, formats: str, exact: bool, fractions: bool, real_errors: bool = False
) -> Output:
    """Write what the designs of a project file give.

    Parameters
    ----------
    path : str
    which : str or None
        The number of one design, from 1, or its name; None for all.
    folder : str
        Where to; made if it is not there. ``-``: a single file goes to standard output.
    formats : str
        Names with commas between them.
    exact : bool
        Solve in rational arithmetic.
    fractions : bool
        Write fractions rather than decimals.
    real_errors : bool
        Tell real errors, too, which is not private.

    Returns
    -------
    Output
        What was written. Every format of every design is checked before the first file is.
    """
    wanted = [name.strip().lower() for name in formats.split(",") if name.strip()]
    unknown = next((name for name in wanted if name not in (*TABLES, *PICTURES)), None)
    if unknown is not None or not wanted:
        raise InputError(f"the formats must be among {','.join((*TABLES, *PICTURES))}, got {cut(unknown or 'none')}.", "format")
    if not folder.strip():
        raise InputError("the output folder must have a name, got nothing; a dot means the current folder.", "file")
    with ProgressLine() as tell:
        studies, warnings = with_real_errors(chosen_studies(path, which), real_errors)
        solved = [export_of(study, exact=exact, progress=tell) for study in studies]
        _check(solved, wanted, fractions, tell)
        if folder == STANDARD:
            return Output([], None, 0, warnings, _single(solved, wanted, fractions))
        named = zip(stems(path, studies), solved, strict=True)
        outputs = [_export(each, folder, name, wanted, fractions, tell) for name, each in named]
    return joined(outputs, {"files": [entry for output in outputs for entry in output.data]}, warnings)


def _single(solved: Sequence[Export], wanted: Sequence[str], fractions: bool) -> str:
    """The only file that there is to write, as its text.

    Raises
    ------
    InputError
        If there are several files, or a picture.
    """
    if len(solved) > 1 or len(wanted) > 1 or wanted[0] in PICTURES:
        got = f"{len(solved)} designs" if len(solved) > 1 else ",".join(wanted)
        raise InputError(f"--to - writes one design in one format that is text, got {got}; choose with --design.", "file")
    if wanted[0] in PROGRAM_ENDINGS:
        return solved[0].program(wanted[0])
    texts = [file.text for file in solved[0].files("-", wanted, fractions) if file.name.endswith(f".{wanted[0]}")]
    if len(texts) != 1:
        raise InputError(
            f"--to - writes a single file, but this design has {len(texts)} {wanted[0]} files; name a folder.", "file"
        )
    return texts[0]


def _check(solved: Sequence[Export], wanted: Sequence[str], fractions: bool, tell: ProgressLine) -> None:
    """Refuse, before anything is written, a format that one of the designs cannot be written in, or pictures without Qt."""
    for each in solved:
        each.check([name for name in wanted if name in TABLES], fractions)
        for language in PROGRAM_ENDINGS:
            if language in wanted:
                each.program(language)
    if set(wanted) & set(PICTURES):
        with drawing("pictures", tell):
            pass


def demo_command(folder: str, path: str | None = None) -> Output:
    """Do the main job without a screen: solve designs, write their tables and draw them.

    Parameters
    ----------
    folder : str
        Where to; made if it is not there.
    path : str, optional
        A project file; by default the example of the founding paper.

    Returns
    -------
    Output
        Status 0 also where there is no Qt to draw with; a warning says so.
    """
    file = str(example("paper-user").path) if path is None else path
    if folder == STANDARD:
        raise InputError("the demonstration writes several files, so --to must be a folder, got -.", "file")
    if not folder.strip():
        raise InputError("the output folder must have a name, got nothing; a dot means the current folder.", "file")
    outputs, solutions, files = [], [], []
    with ProgressLine() as tell:
        studies = chosen_studies(file)
        for name, study in zip(stems(file, studies), studies, strict=True):
            solved = export_of(study, progress=tell)
            formats = [wanted for wanted in _DEMO if wanted in (*solved.formats, *PICTURES)]
            results, written = solution(solved), _export(solved, folder, name, formats, False, tell)
            outputs += [results, Output(written.lines, None, 0, written.warnings)]
            solutions.append(results.data)
            files += written.data
    return joined(outputs, {"solutions": solutions, "files": files})


def _export(solved: Export, folder: str, name: str, formats: Sequence[str], fractions: bool, tell: ProgressLine) -> Output:
    lines: list[str] = []
    data: list[dict[str, Any]] = []
    tables = [wanted for wanted in formats if wanted in TABLES]
    if tables:
        tell.say(f"writing the tables of {solved.title}")  # which takes a quarter of a minute at n = 2000
        for written in solved.write(folder, name, tables, fractions, progress=tell):
            lines.append(f"{written.path}: {written.statement}" if written.statement else str(written.path))
            data.append({"path": str(written.path), **written.data})
    pictures = [wanted for wanted in formats if wanted in PICTURES]
    if not pictures:
        return Output(lines, data)
    try:
        with drawing("pictures", tell) as drawer:
            drawn = drawer.save_figures(solved, folder, name, pictures, tell)
    except InputError as error:
        return Output(lines, data, 2, [str(error)])
    warnings = [] if drawn else [f"{cut(solved.title)} has no picture that may be exported."]
    return Output([*lines, *map(str, drawn)], [*data, *({"path": str(path)} for path in drawn)], 0, warnings)
