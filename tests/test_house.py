"""The house: imports point one way and make no circle, each folder says first what it may know, and Qt stays in desktop.

Imports for type checking count, and imports within functions too: they are all things that a reader has to follow.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import dpdesigner

PACKAGE = Path(dpdesigner.__file__).parent
QT = ("PySide6", "shiboken6", "pyqtgraph")

#: What the text at the top of every ``__init__.py`` is like.
FIRST_LINES = '''"""What lives here, in a sentence.

May know: errors, core, studies.study.
Begin with: design, then outcome.
"""'''
#: Imports of one folder by another, at most, without the common modules.
MOST_ARROWS = 238
#: Lines of a page by hand, at most: what a declaration says belongs into the kind's study, and what pages share into the kit.
PAGES = {
    "attack": 1015,
    "auction": 579,
    "audience": 755,
    "choice": 789,
    "count": 979,
    "inspect": 456,
    "noise": 824,
    "papers": 735,
    "synthetic": 740,
}
#: Modules a folder, at most; files and folders in all, at most; lines of a file, at most.
MOST, MOST_FILES, MOST_FOLDERS, LONGEST = 22, 358, 43, 589
#: The layers: what each may know of the others, whatever its first lines say.
LAYERS = {
    "core": set(),
    "data": {"core"},
    "studies": {"core", "data"},
    "files": {"core", "data", "studies"},
    "notebook": {"core", "data", "studies", "files"},
    "cli": {"core", "data", "studies", "files", "notebook", "desktop"},
    "desktop": {"core", "data", "studies", "files"},
}


def module_name(path: Path) -> str:
    """The name below the package; a folder has its own, the package itself is empty."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
#: What belongs to no folder: all may know it, and it knows nothing.
COMMON = {name for name, path in MODULES.items() if name and "." not in name and path.name not in ("__init__.py", "__main__.py")}
FOLDERS = {name: path for name, path in MODULES.items() if path.name == "__init__.py" and name}


def inside(module: str, part: str) -> bool:
    return module == part or module.startswith(f"{part}.")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(parsed(path)))


def imports(path: Path, at_start_only: bool = False) -> Iterator[tuple[int, str]]:
    """Line and full name of every module imported; ``from a import b`` counts as a.b where that is a module."""
    for node in parsed(path).body if at_start_only else nodes(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield node.lineno, full if full.removeprefix("dpdesigner.") in MODULES else str(node.module)


def own(path: Path) -> set[str]:
    """The modules of the package that a file imports; the package itself is ``""``."""
    names = {name for _, name in imports(path)}
    found = {name.removeprefix("dpdesigner").removeprefix(".") for name in names if inside(name, "dpdesigner")}
    assert found <= MODULES.keys(), f"{path} imports what is not there: {found - MODULES.keys()}"
    return found


@cache
def graph() -> dict[str, set[str]]:
    """The modules that each module imports."""
    return {name: own(path) - {name} for name, path in MODULES.items()}


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    parsed.cache_clear()
    nodes.cache_clear()


def folder(module: str) -> str:
    return module if module in FOLDERS else module.rpartition(".")[0]


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of two or more that all reach each other."""
    reached = {name: reach(graph, name) for name in graph}
    found = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]}
    return sorted(sorted(circle) for circle in found)


def reach(graph: dict[str, set[str]], start: str) -> set[str]:
    """What can be come to by one import or more."""
    seen: set[str] = set()
    waiting = set(graph[start])
    while waiting:
        seen |= waiting
        waiting = set().union(*(graph[name] for name in waiting)) - seen
    return seen


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
    seen = 0
    for name, path in MODULES.items():
        for node in nodes(path):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                inner = [found.module for found in ast.walk(node) if isinstance(found, ast.ImportFrom)]
                wanted = {str(module).removeprefix("dpdesigner.") for module in inner if str(module).startswith("dpdesigner.")}
                assert all(any(inside(other, module) for other in graph()[name]) for module in wanted)
                seen += len(wanted)
    assert seen


def test_no_module_is_on_a_circle():
    assert circles(graph()) == []


def test_no_folder_is_on_a_circle():
    rooms: dict[str, set[str]] = {name: set() for name in FOLDERS}
    for name, taken in graph().items():
        if folder(name):
            # The command line asks for Qt late, by name; the package's own face, the errors and the resources are no room.
            rooms.setdefault(folder(name), set()).update({folder(other) for other in taken} - {"", folder(name)})
    assert circles(rooms) == []


def test_layers_know_only_lower_ones():
    wrong = [
        f"{name} imports {other}"
        for name, taken in graph().items()
        if (layer := name.partition(".")[0]) in LAYERS
        for other in taken
        if (lower := other.partition(".")[0]) not in LAYERS[layer] | COMMON | {layer}
        and not (lower == "" and layer in ("files", "notebook", "cli", "desktop"))
    ]
    assert wrong == []


def test_the_common_modules_know_nothing():
    assert {"errors", "resources"} <= COMMON
    assert {name: graph()[name] for name in COMMON} == {name: set() for name in COMMON}


def test_every_folder_has_first_lines():
    missing = sorted({path.parent.relative_to(PACKAGE).as_posix() for path in MODULES.values()} - {
        path.parent.relative_to(PACKAGE).as_posix() for path in MODULES.values() if path.name == "__init__.py"
    })  # fmt: skip
    assert missing == [], f"have no __init__.py, which needs these lines:\n{FIRST_LINES}"


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_says_first_what_lives_there_what_it_may_know_and_where_to_begin(name):
    lines = (ast.get_docstring(parsed(FOLDERS[name])) or "").splitlines()
    how = f"{FOLDERS[name]} begins with:\n{FIRST_LINES}"
    assert len(lines) >= 4 and lines[0] and not lines[1], how
    assert re.fullmatch(r"May know: [a-z_., ]+\.", lines[2]), (
        f"{how}\nThe list is on one line; “studies” stands for all its modules."
    )
    begin = re.fullmatch(r"Begin with: ([a-z_/]+)(, then ([a-z_/]+))?\.", lines[3])
    assert begin, how
    for place in filter(None, (begin[1], begin[3])):
        assert f"{name}.{place.replace('/', '.')}" in MODULES, f"{FOLDERS[name]}: there is no {place} to begin with"


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_knows_what_it_says_and_no_more(name):
    doc = ast.get_docstring(parsed(FOLDERS[name])) or ""
    said = doc.splitlines()[2].removeprefix("May know: ").removesuffix(".").split(", ")
    allowed = [] if said == ["nothing"] else ["" if entry == "dpdesigner" else entry for entry in said]
    assert set(allowed) <= MODULES.keys(), "a folder that is not there"
    taken = {
        (module, other) for module, found in graph().items() if inside(module, name) for other in found if not inside(other, name)
    }
    wrong = [pair for pair in taken if not any(pair[1] == entry or (entry and inside(pair[1], entry)) for entry in allowed)]
    assert wrong == [], f"{FOLDERS[name]}: name them in its line “May know: …”, or do without"
    unused = [entry for entry in allowed if not any(other == entry or (entry and inside(other, entry)) for _, other in taken)]
    assert unused == [], f"{FOLDERS[name]}: leave them out of its line “May know: …”"


def test_folders_stay_small():
    sizes = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in MODULES.values() if path.name != "__init__.py")
    assert {name: size for name, size in sizes.items() if size > MOST} == {}


def test_arrows_between_folders_are_few():
    pairs = {(folder(name), folder(other)) for name, taken in graph().items() for other in taken}
    arrows = {(one, other) for one, other in pairs if one and other and one != other}
    why = f"{len(arrows)}: what always changes together belongs together; a new kind may raise MOST_ARROWS by its own"
    assert len(arrows) <= MOST_ARROWS, why


def test_pages_are_declared_rather_than_written():
    sizes = {
        page.name: sum(len(path.read_text("utf-8").splitlines()) for path in page.glob("*.py"))
        for page in (PACKAGE / "desktop" / "pages").iterdir()
        if page.is_dir() and page.name not in ("kit", "__pycache__")
    }
    assert {name: size for name, size in sizes.items() if size > PAGES[name]} == {}


def test_files_are_few_and_tell_one_idea_each():
    why = f"{len(MODULES)} files, {len(FOLDERS)} folders: a new kind may raise MOST_FILES and MOST_FOLDERS by its own"
    assert len(MODULES) <= MOST_FILES and len(FOLDERS) <= MOST_FOLDERS, why
    lengths = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


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
    pages = {name for name in FOLDERS if name.startswith("desktop.pages.") and name != "desktop.pages.kit"}
    assert len(pages) > 1
    wrong = [
        f"{name} imports {other}"
        for name, taken in graph().items()
        for page in pages
        if inside(name, page) or (name.startswith("desktop.pages.kit") and page)
        for other in taken
        if any(inside(other, rival) for rival in pages - ({page} if inside(name, page) else set()))
    ]
    assert wrong == []


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


def test_pages_are_imported_without_slow_libraries():
    """Pages are imported in the background soon after the start: scipy alone takes 45 MB."""
    pages = "from dpdesigner.studies.registry import ENTRIES; [entry.page_class() for entry in ENTRIES]"
    program = f"import sys; {pages}; print([name for name in ('scipy', 'highspy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_window_starts_without_reading_sources():
    program = "import linecache, dpdesigner.desktop.window.main_window, pyqtgraph; print(*linecache.cache)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [name for name in found.stdout.split() if "dpdesigner" in name or "pyqtgraph" in name] == []


def test_folders_import_nothing_when_they_are_entered():
    """What `desktop` and `cli` do at once has a reason, told there; every other folder's face is its first lines only."""
    busy = [name for name, path in FOLDERS.items() if len(parsed(path).body) > 1]
    assert busy == ["cli", "desktop"]


#: What one description of what is drawn has replaced: nothing is called so again.
GONE = {
    "Picture": "pages",
    "Chart": "",
    "Curve": "",
    "Spikes": "",
    "Marker": "",
    "MatrixSource": "",
    "Gallery": "pages",
    "Content": "pages",
    "Cost": "",
    "ReleasePlot": "",
    "BarLayer": "",
    "BarList": "",
}


@pytest.mark.parametrize("name", GONE)
def test_what_is_drawn_has_one_description(name):
    room = PACKAGE / "desktop" / GONE[name]
    classes = {
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in sorted({*room.rglob("*.py"), *(PACKAGE / "studies").rglob("*.py")})
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and node.name == name
    }
    assert classes == set(), "see studies/plot_parts.py"


def test_no_class_is_cut_into_files_by_inheritance():
    """A base class that only its one subclass names is a part of that class: it is told whole, or has real parts."""
    every = [node for path in MODULES.values() for node in nodes(path)]
    named = Counter(
        node.id if isinstance(node, ast.Name) else node.attr for node in every if isinstance(node, ast.Name | ast.Attribute)
    )
    classes = [node for node in every if isinstance(node, ast.ClassDef)]
    bases = Counter(ast.unparse(base).partition("[")[0] for node in classes for base in node.bases)
    cut = {node.name for node in classes if bases[node.name] == named[node.name] == 1}
    assert cut <= {"NoiseResult"}, "the mathematics of a result, to which its panels are added"


#: Where attributes are asked for by a name that is computed: by libraries' names, of declared fields, and these.
BY_NAME = {
    "files.project": 1,
    "notebook.sweep": 1,
    "notebook.sweep_tables": 1,
    "cli.sweep": 1,
    "__main__": 1,
    "__init__": 1,
    "core.basics.arithmetic": 1,
    "core.basics.coercion": 3,
    "core.reconstruction.interior_point": 1,
    "core.synthetic.net": 1,
    "data.data_files": 1,
    "desktop": 1,
    "desktop.background.queue": 1,
    "display": 1,
    "notebook.plot": 2,
    "studies.fields": 1,
    "studies.noise.answer": 1,
    "studies.plot_parts": 7,
    "studies.registry": 1,
    "studies.study": 1,
}


def test_nobody_asks_an_answer_for_what_it_may_not_have():
    """Answers fit `studies.answer.AnswerLike`, so that mypy sees what is asked of them; new ``getattr`` is refused."""
    found = Counter(
        name or "__init__"
        for name, path in MODULES.items()
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
    )
    more = {name: f"{count}, at most {BY_NAME.get(name, 0)}" for name, count in found.items() if count > BY_NAME.get(name, 0)}
    assert more == {}, "declare it in `AnswerLike` or in the design"
    assert {name: found[name] for name, count in BY_NAME.items() if found[name] < count} == {}, "make the numbers smaller"


#: Which modules paint rectangles in plots and pages, and what these are. Bars of plots are painted in one place.
RECTANGLES = {
    "plots/bar_painter.py": "the bars of every plot",
    "plots/curve_layer.py": "bands, curves as dense as a band, and the ground of a mark's text",
    "plots/landing_layer.py": "the bars of many draws, and the ground of the number of one",
    "plots/plot_layer.py": "the card of a read-out",
    "plots/axis_layer.py": "the frame of the focus",
    "plots/cost_bars.py": "a ranking, and the frame of its focus",
    "plots/matrix_colour.py": "the key of a matrix",
    "plots/matrix_layers.py": "cells of a matrix, and frames around them",
    "plots/matrix_pictures.py": "a matrix as a small picture",
    "plots/people.py": "a crowd of people as cells",
    "pages/kit/thumbnails.py": "small pictures of designs and panels",
    "pages/papers/tile.py": "the frame of a tile",
    "pages/audience/remap_strips.py": "cells of remaps, and the beliefs below them",
    "pages/kit/panel_views.py": "the frame of the focus of pictures painted by hand",
}


#: The kinds whose inputs are declared and whose answer is one class; Count keeps its own.
CONVERTED = ("attack", "auction", "choice", "noise")
#: The kinds in the folder of another.
GUESTS = ("histogram_",)


def _bases(folder: Path) -> dict[str, set[str]]:
    """The classes of a folder and their bases; files that begin with the name of another kind are of that one."""
    own_files = [path for path in folder.glob("*.py") if not path.name.startswith(GUESTS)]
    every = [node for path in own_files for node in nodes(path)]
    classes = [node for node in every if isinstance(node, ast.ClassDef)]
    return {node.name: {ast.unparse(base).partition("[")[0] for base in node.bases} for node in classes}


@pytest.mark.parametrize("kind", [*CONVERTED, "count"])
def test_a_page_is_a_declared_page(kind):
    pages = _bases(PACKAGE / "desktop" / "pages" / kind)
    assert [name for name, bases in pages.items() if "Page" in bases] == []
    assert [name for name, bases in pages.items() if "DeclaredPage" in bases] == [f"{kind.capitalize()}Page"]


@pytest.mark.parametrize("kind", CONVERTED)
def test_the_answer_of_a_converted_kind_is_one_class(kind):
    studies = _bases(PACKAGE / "studies" / kind)
    assert [name for name, bases in studies.items() if "Outcome" in bases] == []
    assert [name for name, bases in studies.items() if bases & {"Answer", "PanelAnswer"}] == [f"{kind.capitalize()}Answer"]
    assert [name for name, bases in studies.items() if bases & studies.keys()] == [], "no class is cut into files by inheritance"
    design = (PACKAGE / "studies" / kind / "design.py").read_text("utf-8")
    made = [node for node in ast.walk(ast.parse(design)) if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    assert all(isinstance(node.body[-1], ast.Expr) for node in made), "inputs are declared; an __init__ is there for types only"


def test_bars_of_plots_are_painted_in_one_place():
    desktop = PACKAGE / "desktop"
    names = {"drawRect", "drawRects", "drawRoundedRect", "fillRect"}
    found = {
        path.relative_to(desktop).as_posix()
        for room in ("plots", "pages")
        for path in (desktop / room).rglob("*.py")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr in names
    }
    assert found == set(RECTANGLES), "bars are data: Bars of studies/plot_parts.py in a Plot"
