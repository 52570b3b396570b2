"""The one place where the command line asks for what draws: Qt without a screen, or matplotlib where there is no Qt."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.errors import InputError
from dpdesigner.notebook import pictures
from dpdesigner.qt_libraries import without_qt

#: What matplotlib draws as well: files of pictures, and pictures of a shared page.
_DRAWN_BY_MATPLOTLIB = ("pictures", "shares")


@contextmanager
def drawing(module: str, tell: ProgressLine) -> Iterator[ModuleType]:
    """Import a module of the desktop that draws without a window, and stop it between two of its steps only.

    Where there is no Qt it is `dpdesigner.notebook.pictures`, if that can do the same and matplotlib is installed.

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
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a platform with a screen would end in Qt's abort where there is none
    with tell.held():
        try:
            imported = importlib.import_module(f"dpdesigner.desktop.output.{module}")
        except ImportError as error:
            if module not in _DRAWN_BY_MATPLOTLIB or not pictures.installed():
                raise InputError(f"pictures need Qt or matplotlib: {without_qt(error)}.", "qt") from error
            imported = pictures
        yield imported
