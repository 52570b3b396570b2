"""Imports point one way: core <- studies <- files <- cli or desktop, and Qt stays in desktop."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpdesigner

PACKAGE = Path(dpdesigner.__file__).parent
QT = ("PySide6", "shiboken6", "pyqtgraph")

#: A module whose name starts with the key imports nothing of dpdesigner whose name starts with one of the values.
FORBIDDEN = {
    "core": ("studies", "files", "cli", "desktop"),
    "studies": ("files", "cli", "desktop"),
    "files": ("cli", "desktop"),
    "errors": ("core", "studies", "files", "cli", "desktop"),
    "resources": ("core", "studies", "files", "cli", "desktop"),
    "desktop.widgets": ("cli", "studies", "desktop.pages", "desktop.main_window", "desktop.document"),
    "desktop.pages": ("cli", "desktop.main_window", "desktop.document"),
    "desktop": ("cli",),
}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def inside(module: str, part: str) -> bool:
    return module == part or module.startswith(f"{part}.")


def imports(path: Path, at_start_only: bool = False) -> Iterator[tuple[int, str]]:
    """Line and full name of every module imported; ``from a import b`` counts as a.b where that is a module."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body if at_start_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield node.lineno, full if full.removeprefix("dpdesigner.") in MODULES else str(node.module)


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_imports_point_one_way(layer):
    wrong = [
        f"{name}:{line} imports {imported}"
        for name, path in MODULES.items()
        if inside(name, layer)
        for line, imported in imports(path)
        if any(inside(imported, f"dpdesigner.{part}") for part in FORBIDDEN[layer])
    ]
    assert wrong == []


def test_only_the_desktop_imports_qt():
    wrong = [
        f"{name}:{line} imports {imported}"
        for name, path in MODULES.items()
        if not inside(name, "desktop")
        for line, imported in imports(path)
        if imported.partition(".")[0] in QT
    ]
    assert wrong == []


def test_the_desktop_is_not_imported_below_it_at_start():
    wrong = [
        f"{name}:{line} imports {imported}"
        for name, path in MODULES.items()
        if not inside(name, "desktop")
        for line, imported in imports(path, at_start_only=True)
        if inside(imported, "dpdesigner.desktop")
    ]
    assert wrong == []


def test_two_pages_never_import_each_other():
    """A page is a module or package in desktop/pages; `page` and other shared parts that are no page may be imported."""
    folder = PACKAGE / "desktop" / "pages"
    packages = {entry.name for entry in folder.iterdir() if (entry / "__init__.py").exists()}
    pages = packages | {entry.study.partition(":")[0].rpartition(".")[2] for entry in _entries()}
    wrong = [
        f"{name}:{line} imports {imported}"
        for name, path in MODULES.items()
        for page in pages
        if inside(name, f"desktop.pages.{page}")
        for line, imported in imports(path)
        for other in pages - {page}
        if inside(imported, f"dpdesigner.desktop.pages.{other}")
    ]
    assert wrong == []


def _entries():
    from dpdesigner.studies.registry import ENTRIES

    return ENTRIES


def test_all_but_the_desktop_works_without_qt():
    names = [f"dpdesigner.{name}".rstrip(".") for name in MODULES if not inside(name, "desktop") and name != "__main__"]
    program = "\n".join(
        [
            "import sys",
            f"for name in {QT!r}: sys.modules[name] = None",
            *(f"import {name}" for name in names),
            "assert not [name for name in sys.modules if name.startswith('dpdesigner.desktop')]",
            "import dpdesigner",
            "assert dpdesigner.solve(dpdesigner.CountDesign(3, alpha='1/2')).remap.tolist() == [0, 1, 2, 3]",
        ]
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_slow_libraries_are_not_imported_before_they_are_needed():
    slow = ("scipy.optimize", "scipy.signal", "highspy")
    program = f"import sys, dpdesigner, dpdesigner.cli; print([name for name in {slow!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


def test_the_window_starts_without_reading_sources():
    program = "import linecache, dpdesigner.desktop.main_window, pyqtgraph; print(*linecache.cache)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [name for name in found.stdout.split() if "dpdesigner" in name or "pyqtgraph" in name] == []
