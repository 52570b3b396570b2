"""``dpdesigner report``: one HTML page and one PDF of a design, or of all designs of a file, without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from dpdesigner.cli.offscreen import drawing
from dpdesigner.cli.output import Output, chosen_among, joined, with_real_errors
from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.data.grid import STANDARD, file_title
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import check_writable, write_atomically
from dpdesigner.files.export.export import Export, export_of
from dpdesigner.files.export.formatting import file_name
from dpdesigner.files.project.project import read_project
from dpdesigner.files.report.report import chapter, report, spent_together, targets
from dpdesigner.files.report.report_html import html
from dpdesigner.notebook import pictures


def report_command(path: str, which: str | None, to: Sequence[str], real_errors: bool = False) -> Output:
    """Write a report.

    Parameters
    ----------
    path : str
    which : str or None
        The number of one design, from 1, or its name; None for all.
    to : sequence of str
        Files that end in .html or .pdf, or folders for both; ``-`` alone is HTML on standard output.
    real_errors : bool
        Tell real errors, too, which is not private.

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
            made = report_command(path, which, [str(page)], real_errors)
            return Output([], None, made.status, made.warnings, page.read_text("utf-8"))
    if not all(name.strip() for name in to):
        raise InputError("a report must have a file name, got nothing; a dot means the current folder.", "file")
    stem = file_title(path) if path == STANDARD else Path(path).stem
    paths = targets(to, f"{file_name(stem)}-report")
    with ProgressLine() as tell:
        project = read_project(path)
        chosen = chosen_among(project.studies, which)
        together = spent_together(project, chosen)
        studies, warnings = with_real_errors(chosen, real_errors)
        for target in paths:
            check_writable(target)
        designs = [export_of(study, exact=None, progress=tell) for study in studies]
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
    """Write the HTML pages, with figures by matplotlib or without any; a PDF is not to be had, and the warning names it."""
    drawn = pictures.installed()
    remark = "" if drawn else f"Figures are omitted: {reason}"
    chapters = [chapter(solved, remark) for solved in designs]
    if drawn:
        chapters = [each.illustrated(pictures.figures(solved)) for each, solved in zip(chapters, designs, strict=True)]
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
