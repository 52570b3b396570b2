"""Where the files that ship with the program are: icons, examples, data, fonts."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def path(*parts: str) -> Path:
    """Return the path of a shipped file or folder.

    Parameters
    ----------
    *parts : str
        Names below the resources, such as ``"examples"``, ``"flu.dpd"``.

    Returns
    -------
    Path
        In ``dpdesigner/resources`` where the program is installed from a wheel or bundled, in ``resources`` beside the package in
        a source tree.
    """
    installed = _PACKAGE / "resources"
    return (installed if installed.is_dir() else _PACKAGE.parent / "resources").joinpath(*parts)
