"""``dpdesigner export``, ``demo``, ``report`` and ``share``: tables, pictures and pages, without a window."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from dpdesigner.cli.output import Output, chosen_among, chosen_studies, joined, stems, with_real_errors
from dpdesigner.cli.solve import solution
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.core.basics.parsing import cut
from dpdesigner.data.grid import STANDARD, file_title
from dpdesigner.display import without_qt
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import check_writable, write_atomically
from dpdesigner.files.export import Export, export_of
from dpdesigner.files.formatting import PROGRAM_ENDINGS, file_name
from dpdesigner.files.project import example, read_project
from dpdesigner.files.report import Picture, chapter, html, report, spent_together, targets
from dpdesigner.files.share import CAUTION, page, pictured
from dpdesigner.files.tables import FORMATS
from dpdesigner.notebook import plot
from dpdesigner.studies.spending import RECORD


@contextmanager
def drawing(module: str, tell: ProgressLine) -> Iterator[ModuleType]:
    """Import a desktop module that draws without a window; interrupts take effect only between its steps.

    Where there is no Qt it is `dpdesigner.notebook.plot`, if that can do the same and matplotlib is installed.

    Parameters
    ----------
    module : str
        Its name below ``dpdesigner.desktop.output``.
    tell : ProgressLine
        What is to be called at every step.

    Raises
    ------
    InputError
        If neither can draw.
    """
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] not in ("offscreen", "minimal"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # without a screen, Qt aborts on any platform that needs one
    with tell.held():
        try:
            imported = importlib.import_module(f"dpdesigner.desktop.output.{module}")
        except ImportError as error:
            if (error.name or "").startswith("dpdesigner"):
                raise  # this program is broken, which is not to look like a machine without Qt
            if module != "pictures" or not plot.installed():
                raise InputError(f"pictures need Qt or matplotlib: {without_qt(error)}.", "qt") from error
            imported = plot
        yield imported


TABLES = (*FORMATS, *PROGRAM_ENDINGS)
PICTURES = ("png", "svg", "pdf")

_DEMO = ("csv", "json", "tex", "png")


def export_command(
    path: str,
    which: str | None,
    folder: str,
    formats: str,
    exact: bool,
    fractions: bool,
    real_errors: bool = False,
    bare: bool = False,
) -> Output:
    """Export the results of the designs in a project file.

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
    bare : bool
        Leave out counts of data, and all that is computed from them.

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
        _leave_out(solved, bare)
        _check(solved, wanted, fractions, tell)
        if folder == STANDARD:
            return Output([], None, 0, warnings, _single(solved, wanted, fractions))
        named = zip(stems(path, studies), solved, strict=True)
        outputs = [_export(each, folder, name, wanted, fractions, tell) for name, each in named]
    return joined(outputs, {"files": [entry for output in outputs for entry in output.data]}, warnings)


def _single(solved: Sequence[Export], wanted: Sequence[str], fractions: bool) -> str:
    """Return the text of the only file to write.

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


def _leave_out(solved: Sequence[Export], bare: bool) -> None:
    for each in solved:
        each.bare = bare and each.counts_data(each.study)
        if each.bare and not each.leaving:
            raise InputError(f"the prior cannot be left out of {each.study.kind} designs.", "file")


def _check(solved: Sequence[Export], wanted: Sequence[str], fractions: bool, tell: ProgressLine) -> None:
    """Before anything is written, refuse a format that one of the designs does not support, or pictures without Qt."""
    for each in solved:
        each.check([name for name in wanted if name in TABLES], fractions)
        if each.bare and set(wanted) & set(PICTURES):
            raise InputError("the prior cannot be left out of pictures.", "format")
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
        tell.say(f"writing the tables of {solved.title}")  # takes 15 seconds at n = 2000
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


def report_command(path: str, which: str | None, to: Sequence[str], real_errors: bool = False, bare: bool = False) -> Output:
    """Write a report.

    Parameters
    ----------
    path : str
    which : str or None
        The number of one design, from 1, or its name; None for all.
    to : sequence of str
        Files that end in .html or .pdf, or folders for both; ``-`` alone is HTML on standard output.
    real_errors, bare : bool
        As of `export_command`.

    Returns
    -------
    Output
        Status 2 if there is no Qt and a PDF was asked for besides; the HTML page is written all the same, with figures by
        matplotlib where that is installed.
    """
    if STANDARD in to:
        if len(to) > 1:
            raise InputError("a report goes to standard output or to files, not to both; got --to - with others.", "file")
        with TemporaryDirectory(prefix="dpdesigner-") as folder:
            page = Path(folder) / "report.html"
            made = report_command(path, which, [str(page)], real_errors, bare)
            return Output([], None, made.status, made.warnings, page.read_text("utf-8"))
    if not all(name.strip() for name in to):
        raise InputError("a report must have a file name, got nothing; a dot means the current folder.", "file")
    stem = file_title(path) if path == STANDARD else Path(path).stem
    paths = targets(to, f"{file_name(stem)}-report")
    with ProgressLine() as tell:
        project = read_project(path)
        RECORD.take(project.releases)
        chosen = chosen_among(project.studies, which)
        together = spent_together(project, chosen)
        studies, warnings = with_real_errors(chosen, real_errors)
        for target in paths:
            check_writable(target)
        designs = [export_of(study, exact=None, progress=tell) for study in studies]
        _leave_out(designs, bare)
        title = designs[0].title if len(designs) == 1 else stem
        try:
            with drawing("reports", tell) as reports:
                reports.write_report(title, designs, paths, tell, together)
        except InputError as error:
            if error.field != "qt":
                raise
            if all(path.suffix.lower() == ".pdf" for path in paths):
                needs = str(error).replace("pictures need Qt or matplotlib", "a PDF report needs Qt")
                raise InputError(f"{needs.removesuffix('.')}; a report in a .html file needs no Qt.", "qt") from error
            report = _without_qt(title, designs, paths, str(error), together)
            return joined([report], report.data, warnings)
    return Output([str(written) for written in paths], {"files": [str(written) for written in paths]}, warnings=warnings)


def _without_qt(title: str, designs: Sequence[Export], paths: Sequence[Path], reason: str, together: Sequence[str]) -> Output:
    """Write the HTML pages, with matplotlib figures or without figures; a PDF is not possible, and the warning names it."""
    drawn = plot.installed()
    remark = "" if drawn else f"Figures are omitted: {reason}"
    chapters = [chapter(solved, remark) for solved in designs]
    if drawn:
        chapters = [each.illustrated(plot.figures(solved)) for each, solved in zip(chapters, designs, strict=True)]
    page = html(report(title, chapters, together=together))
    written = [path for path in paths if path.suffix.lower() != ".pdf"]
    for path in written:
        write_atomically(path, page)
    lines = [str(path) for path in written]
    missing = ", ".join(str(path) for path in paths if path not in written)
    warnings = [remark.removesuffix(".") + "."] if remark else []
    if missing:
        warnings.append(f"{cut(missing)} was not written: a PDF report needs Qt.")
    return Output(lines, {"files": lines}, 2 if missing else 0, warnings)


def share_command(path: str, which: str | None, to: str) -> Output:
    """Write an interactive page.

    Parameters
    ----------
    path : str
    which : str or None
        The number of one design, from 1, or its name; None for all.
    to : str
        A file that ends in .html, or ``-`` for standard output.

    Returns
    -------
    Output
        The file, and warnings of what the page shows and what was left out. Without Qt pictures are left out.
    """
    target = Path(to).expanduser()
    if to != STANDARD and (target.suffix.lower() not in (".html", ".htm") or target.is_dir()):
        raise InputError(f"an interactive page must be a .html file, got {cut(target.name) or 'nothing'}.", "file")
    with ProgressLine() as tell:
        project = read_project(path)
        studies = chosen_among(project.studies, which)
        if to != STANDARD:
            check_writable(target)
        designs = [export_of(study, exact=None, progress=tell) for study in studies]
        first = project.studies.index(studies[0]) if which is not None else 0
        scenes = [
            replace(scene, design=scene.design - first) for scene in project.scenes if 0 <= scene.design - first < len(designs)
        ]
        remark = ""
        pictures: Mapping[int, Sequence[Picture]] = {}
        if any(map(pictured, designs)):
            try:
                with drawing("pictures", tell) as drawer:
                    pictures = drawer.pictures_of(designs, tell)
            except InputError as error:
                if error.field != "qt":
                    raise
                remark = f"Pictures are omitted: {error}"
        made = page(designs, scenes, pictures, remark)
        if to != STANDARD:
            write_atomically(target, made.html)
    warnings = [*([CAUTION] if scenes else []), *([remark] if remark else []), *(f"Left out: {each}" for each in made.left_out)]
    if to == STANDARD:
        return Output([], None, 0, warnings, made.html)
    return Output([str(target)], {"files": [str(target)], "left_out": list(made.left_out)}, warnings=warnings)
