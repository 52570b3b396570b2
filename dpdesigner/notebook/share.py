"""An interactive page from Python, and editing a design in the window."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dpdesigner.core.basics.parsing import excerpt
from dpdesigner.display import has_display
from dpdesigner.errors import InputError
from dpdesigner.files.project import SUFFIX, Project, Scene, read, save, write_project
from dpdesigner.studies.registry import kinds
from dpdesigner.studies.study import Study, design_of


def edit(design: Study) -> Study:
    """Open the window with a design, wait until it is closed, and return the saved design.

    The window is a process of its own, so that it stands beside a notebook. What is saved in it, with Ctrl+S or by the question
    that closing asks, is what comes back; a window closed without saving gives the design as it was.

    Parameters
    ----------
    design : Study
        Of any kind.

    Returns
    -------
    Study
        The first design of the window; of another kind if the user has made it one.

    Raises
    ------
    InputError
        If there is no display, or Qt is not installed.
    """
    if not has_display():
        raise InputError("a window needs a display, but there is none.", "design")
    if find_spec("PySide6") is None or find_spec("pyqtgraph") is None:
        raise InputError("a window needs Qt and pyqtgraph: pip install 'dpdesigner[desktop]'.", "design")
    with tempfile.TemporaryDirectory(prefix="dpdesigner-") as folder:
        path = Path(folder, f"edited{SUFFIX}")
        save([design], path)
        subprocess.run([sys.executable, "-m", "dpdesigner", str(path)], cwd=folder, check=False)
        return read(path)[0]


#: Environment of the child process, which needs no screen.
_QUIET = {"QT_QPA_PLATFORM": "offscreen"}


def share(designs: Study | Iterable[Any], path: str | os.PathLike[str], scenes: Iterable[Scene | Mapping[str, Any]] = ()) -> Path:
    """Write one HTML file that anybody can open: designs of a count and of noise are interactive, others have pictures.

    The page loads nothing and holds no data of people. It shows the true counts that scenes select.

    Parameters
    ----------
    designs : design, result, or iterable of them
        At least one.
    path : path
        Ends in ``.html``; replaced if it is there.
    scenes : iterable of mappings
        ``{"design": 0, "title": "…", "text": "…", "view": {"row": 6}}``; ``design`` is a place in `designs`.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If something else is given, or the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import dpdesigner as dp
    >>> folder = tempfile.TemporaryDirectory()
    >>> page = dp.share(dp.CountDesign(n=5, alpha="1/2", name="Flu"), pathlib.Path(folder.name) / "flu.html")
    >>> "Flu" in page.read_text("utf-8")
    True
    >>> folder.cleanup()
    """
    given: Any = [designs] if hasattr(designs, "kind") or design_of(designs) is not None else designs
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise InputError(f"only designs can be shared, got {excerpt(designs)}.", "designs")
    studies = tuple(design_of(each) or each for each in given)
    for place, study in enumerate(studies, 1):
        if not hasattr(study, "kind") or study.kind not in kinds():
            raise InputError(f"only designs can be shared, got {excerpt(study)} at position {place}.", "designs")
    shown = tuple(each if isinstance(each, Scene) else Scene.from_json(dict(each), len(studies)) for each in scenes)
    target = Path(path).expanduser().absolute()
    with tempfile.TemporaryDirectory(prefix="dpdesigner-") as folder:
        project = Path(folder, f"shared{SUFFIX}")
        write_project(project, Project(studies, shown))
        command = [sys.executable, "-m", "dpdesigner", "share", str(project), "--to", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **_QUIET})
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise InputError((said[-1] if said else "the page could not be written").removeprefix("dpdesigner: "), "file")
    return target
