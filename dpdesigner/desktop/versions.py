"""The versions of the program and of what it stands on."""

from __future__ import annotations

import platform

from PySide6.QtCore import qVersion

from dpdesigner import __version__

_PACKAGES = ("PySide6-Essentials", "numpy", "scipy", "pyqtgraph", "highspy")


def versions() -> list[tuple[str, str]]:
    """Return names and versions, the program's own first; packages that don't say theirs are left out."""
    from importlib.metadata import PackageNotFoundError, version  # takes 30 ms, which the start of the program need not wait

    found = [("dpdesigner", __version__), ("Python", platform.python_version()), ("Qt", qVersion())]
    for package in _PACKAGES:
        try:
            found.append((package.removesuffix("-Essentials"), version(package)))
        except PackageNotFoundError:
            continue
    return [*found, ("System", platform.platform())]
