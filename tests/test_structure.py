"""The package gets no more tangled: import circles and the sizes of folders may go down, and never up.

Imports for type checking count, and imports within functions too: they are all things that a reader has to follow. Whoever
lowers a number below lowers it in the table as well, and whoever needs a higher one has found a reason to arrange things anew.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpdesigner

PACKAGE = Path(dpdesigner.__file__).parent

#: Circles (largest sets of modules that all reach each other), and the modules that lie on one.
CIRCLES, MODULES_ON_CIRCLES = 3, 14
#: Modules a folder, at most; one that is not in the table holds at most `MOST`.
MOST = 26
FOLDERS = {"core": 63, "desktop": 63, "desktop/pages/noise": 27, "desktop/widgets": 72}


def modules() -> dict[str, Path]:
    """Every module of the package by its full name; a package has the name of its folder."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


def imported(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports; of a name that is no module, the module that has it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in MODULES or node.module in MODULES:
                    yield full if full in MODULES else str(node.module)


GRAPH = {name: set(imported(path)) - {name} for name, path in MODULES.items()}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of two or more modules that all reach each other."""
    reached = {name: reach(graph, name) for name in graph}
    found = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]}
    return sorted(sorted(circle) for circle in found)


def reach(graph: dict[str, set[str]], start: str) -> set[str]:
    """What can be come to from a module, by one import or more."""
    seen: set[str] = set()
    waiting = set(graph[start])
    while waiting:
        seen |= waiting
        waiting = set().union(*(graph[name] for name in waiting)) - seen
    return seen


def folder_sizes() -> dict[str, int]:
    """How many modules each folder holds; `__init__` is none."""
    sizes = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in MODULES.values() if path.name != "__init__.py")
    return dict(sizes)


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}}, [["a", "b", "c"], ["d", "e"]]),
    ],
)
def test_circles_are_found(graph, expected):
    assert circles(graph) == expected


def test_imports_for_type_checking_are_seen():
    assert any("TYPE_CHECKING" in path.read_text("utf-8") for path in MODULES.values())
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                wanted = {
                    found.module for found in ast.walk(node) if isinstance(found, ast.ImportFrom) and found.module in MODULES
                }
                assert all(any(other == full or other.startswith(f"{full}.") for other in GRAPH[name]) for full in wanted)


def test_there_are_no_more_circles():
    found = circles(GRAPH)
    told = "\n".join(" ".join(circle) for circle in found)
    assert len(found) <= CIRCLES, told
    assert sum(map(len, found)) <= MODULES_ON_CIRCLES, told


def test_no_folder_grows():
    assert {folder: size for folder, size in folder_sizes().items() if size > FOLDERS.get(folder, MOST)} == {}


def test_the_table_names_only_what_is_there_and_larger_than_the_rest():
    assert [folder for folder, most in FOLDERS.items() if folder not in folder_sizes() or most <= MOST] == []


def test_sizes_are_told(record_property, capsys):
    """Told and not held: fewer is better, but no number says when it is good."""
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in MODULES.values())
    importers = Counter(name for found in GRAPH.values() for name in found)
    single = sum(count == 1 for count in importers.values())
    for name, value in (("modules", len(MODULES)), ("lines", lines), ("modules with a single importer", single)):
        record_property(name, value)
    with capsys.disabled():
        print(f"\n{lines} lines in {len(MODULES)} modules, {single} of them with a single importer; folders: {folder_sizes()}")
    assert 0 < single < len(MODULES)
