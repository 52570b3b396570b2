"""The one place where the command line asks for Qt: to draw, without a screen."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

from dpdesigner.errors import InputError


def drawing(module: str) -> ModuleType:
    """Import a module of the desktop that draws without a window.

    Parameters
    ----------
    module : str
        Its name below ``dpdesigner.desktop``.

    Raises
    ------
    InputError
        If Qt, or one of its libraries, is not there.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        return importlib.import_module(f"dpdesigner.desktop.{module}")
    except ImportError as error:
        raise InputError(f"pictures need Qt, which cannot be loaded here: {error}.", "qt") from error
