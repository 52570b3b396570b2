"""A design handed to the window, and what was drawn there handed back."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from dpdesigner.display import has_display
from dpdesigner.errors import InputError
from dpdesigner.files.project.project import SUFFIX, read, save
from dpdesigner.studies.study import Study


def edit(design: Study) -> Study:
    """Open the window with a design, wait until it is closed, and return what was saved there.

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
