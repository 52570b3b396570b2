"""The versions of the program and of what it computes and draws with."""

from __future__ import annotations

import platform

from dpdesigner import __version__

_PACKAGES = {
    "numpy": "numpy",
    "scipy": "scipy",
    "highspy": "HiGHS (highspy)",
    "PySide6-Essentials": "Qt (PySide6)",
    "pyqtgraph": "pyqtgraph",
}


def versions() -> list[tuple[str, str]]:
    """Return names and versions, the program's own first; packages without a known version are left out."""
    from importlib.metadata import PackageNotFoundError, version  # takes 30 ms, which the start of the program can do without

    named = [("dpdesigner", __version__), ("Python", platform.python_version())]
    for package, name in _PACKAGES.items():
        try:
            named.append((name, version(package)))
        except PackageNotFoundError:
            continue
    return [*named, ("System", platform.platform())]
