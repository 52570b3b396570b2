"""``dpdesigner share``: one interactive HTML page of a design, or of all designs and scenes of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dpdesigner.cli.offscreen import drawing
from dpdesigner.cli.output import Output, chosen_among
from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.data.grid import STANDARD
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import check_writable, write_atomically
from dpdesigner.files.export.export import export_of
from dpdesigner.files.project.project import read_project
from dpdesigner.files.report.report import Picture
from dpdesigner.files.share.page import CAUTION, page, pictured


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
                with drawing("shares", tell) as shares:
                    pictures = shares.pictures_of(designs, tell)
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
