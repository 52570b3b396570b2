"""The one place where the command line asks for Qt: to draw, without a screen."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.errors import InputError
from dpdesigner.qt_libraries import without_qt


@contextmanager
def drawing(module: str, tell: ProgressLine) -> Iterator[ModuleType]:
    """Import a module of the desktop that draws without a window, and stop it between two of its steps only.

    Parameters
    ----------
    module : str
        Its name below ``dpdesigner.desktop.output``.
    tell : ProgressLine
        What is to be called at every step.

    Raises
    ------
    InputError
        If Qt, or one of its libraries, is not there.
    """
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] not in ("offscreen", "minimal"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a platform with a screen would end in Qt's abort where there is none
    with tell.held():
        try:
            imported = importlib.import_module(f"dpdesigner.desktop.output.{module}")
        except ImportError as error:
            raise InputError(f"pictures need Qt: {without_qt(error)}.", "qt") from error
        yield imported
