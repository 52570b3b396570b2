"""Pictures of a design as files, drawn with matplotlib: what a server without Qt exports, and puts into reports and shared pages.

They show the panels that the export of the design names, whatever its kind; nothing secret is among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from dpdesigner.files.atomic import folder_for, write_together
from dpdesigner.files.export.export import Export
from dpdesigner.files.export.formatting import file_name
from dpdesigner.files.report.report import Picture
from dpdesigner.files.share.page import pictured
from dpdesigner.notebook.plot import drawn
from dpdesigner.studies.base import flattened, for_owner
from dpdesigner.studies.matrices import Matrix
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Ranking

#: The size of pictures in files, and of the first and the others in a report, in pixels.
_SIZE, _LARGE, _SMALL = (900, 700), (640, 420), (400, 280)
_DOTS = 100  # an inch
#: No file says when it was made, and the names inside an SVG file are the same each time.
_STYLE = {"svg.hashsalt": "dpdesigner", "pdf.fonttype": 42, "font.size": 9}
_WITHOUT_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}, "png": {"Software": None}}


def installed() -> bool:
    """Return whether there is matplotlib to draw with."""
    try:
        return find_spec("matplotlib") is not None
    except ImportError:
        return False


def save_figures(
    solved: Export, folder: str | Path, name: str, endings: Sequence[str], progress: Progress = silent
) -> list[Path]:
    """Draw every panel of a design as ``NAME-PANEL.ENDING``; all files are written, or none.

    Parameters
    ----------
    solved : Export
    folder : path
        Made if it is not there.
    name : str
        The files' names start with it.
    endings : sequence of str
        Of ``"png"``, ``"svg"``, ``"pdf"``.
    progress : Progress
        Called as it goes on, and after each file.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    progress(None, solved.title)
    written: list[Path] = []
    with folder_for(folder) as where:

        def made() -> Iterator[tuple[Path, bytes]]:
            for panel in panels_of(solved):
                for ending in endings:
                    path = where / f"{file_name(name)}-{panel.key}.{ending}"
                    progress(None, path.name)
                    written.append(path)
                    yield path, _bytes(panel, ending, _SIZE)

        write_together(made())
    return written


def figures(solved: Export) -> list[Picture]:
    """Return the pictures of a design for a page, the first of them larger than the others."""
    made: list[Picture] = []
    for panel in panels_of(solved):
        size = _SMALL if made else _LARGE
        text = _bytes(panel, "svg", size).decode("utf-8")
        made.append(Picture(str(panel.title), text[text.index("<svg") :], *size))
    return made


def pictures_of(designs: Sequence[Export], progress: Progress = silent) -> dict[int, list[Picture]]:
    """Return the pictures of those designs of a shared page that have any there, by their places."""
    made = {}
    for place, solved in enumerate(designs):
        if pictured(solved):
            progress(place / len(designs), solved.title)
            made[place] = figures(solved)
    return made


def panels_of(solved: Export) -> list[Any]:
    """Return the panels of a design that can be drawn, without what is secret."""
    panels = [each for each in flattened(solved.panels()) if isinstance(each, (Plot, Matrix, Ranking)) and not for_owner(each)]
    return list({panel.key: panel for panel in panels}.values())


def _bytes(panel: Any, ending: str, size: tuple[int, int]) -> bytes:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):  # a figure of its own needs no screen and is kept by nobody
        figure = Figure(figsize=(size[0] / _DOTS, size[1] / _DOTS), dpi=_DOTS, layout="constrained")
        drawn(panel, figure.add_subplot())
        file = BytesIO()
        figure.savefig(file, format=ending, metadata=_WITHOUT_DATE[ending])
    return file.getvalue()
