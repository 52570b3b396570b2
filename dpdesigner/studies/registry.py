"""The single list of kinds and their pages: an entry here, a design in studies/ and an optional page define a kind.

Kinds whose entries name the same page are shown by it together, as one question. The classes are named by path and imported when
first used, so that nothing here imports Qt.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from dpdesigner.core.basics.parsing import excerpt
from dpdesigner.errors import InputError, with_article
from dpdesigner.messages import message
from dpdesigner.studies.study import Progress, Study, silent

_DECLARED = "dpdesigner.studies.base:DeclaredDesign"
_DECLARED_PAGE = "dpdesigner.desktop.pages.kit.declared:declared_page"
_DECLARED_EXPORT = "dpdesigner.files.declared_export:DeclaredExport"
_EXPORT = "dpdesigner.files.export:Export"
_EXAMPLE = "dpdesigner.files.project:example_project"


@dataclass(frozen=True)
class Entry:
    """One kind of study: its name in files, its title, and the location of its classes and functions (``module:name``).

    Attributes
    ----------
    kind, title : str
    study : str
        The class of its designs.
    page : str
        The class of the page that shows them.
    export : str
        The class of its exports; without one a declared kind has its panels as tables.
    run : str
        Runs a design: (design, progress) -> outcome. It stands in a module of its own, which knows both. A kind whose inputs and
        panels are declared (`dpdesigner.studies.base`) needs neither this nor page and export, and may name each by itself.
    exact : str
        The same in rational arithmetic, where there is that.
    private : bool
        Whether designs may hold data of people: no picture of the window is kept of those.
    about : str
        The subject of its page in a few words: ``"one count of people"``.
    opens : str
        Returns the design that asks what is released in a JSON file, or None for other files: (path) -> design or None.
    example : str
        The bundled example whose first design a new design starts as; without one it has the defaults of its kind.
    """

    kind: str
    title: str
    study: str
    page: str = ""
    export: str = ""
    run: str = ""
    exact: str = ""
    private: bool = True
    about: str = ""
    opens: str = ""
    example: str = ""

    def study_class(self) -> Any:
        """Import and return the study class."""
        return load(self.study)

    def starting(self) -> Any:
        """Return a new design of this kind."""
        return load(_EXAMPLE)(self.example).studies[0] if self.example else self.study_class().starting()

    def page_class(self) -> Any:
        """Import and return the page class (imports Qt)."""
        return load(self.page) if self.page else load(_DECLARED_PAGE)(self.kind)

    def runner(self) -> Callable[..., Any]:
        """Import and return the function that runs a study of this kind: (study, progress) -> outcome."""
        return load(self.run) if self.run else _run_itself

    def export_class(self) -> Any:
        """Import and return the export class."""
        return load(self.export or (_DECLARED_EXPORT if issubclass(self.study_class(), load(_DECLARED)) else _EXPORT))


def _run_itself(study: Study, progress: Progress) -> Any:
    return study.run(progress)


def load(path: str) -> Any:
    """Import and return the object at a path, ``module:name``."""
    module, _, names = path.partition(":")
    return reduce(getattr, names.split("."), import_module(module))


A = TypeVar("A")


def _entry(
    kind: str,
    title: str,
    study: str = "",
    *,
    folder: str = "",
    page: str = "",
    run: str = "run:run",
    export: str = "",
    in_one_file: bool = False,
    private: bool = True,
    **more: str,
) -> Entry:
    """Return an entry whose classes have the default names and locations of its kind: in a folder, or in that of another kind."""
    page, export, name = page or folder or kind, export or kind, kind.capitalize()
    place = f"dpdesigner.studies.{folder}.{kind}" if folder else f"dpdesigner.studies.{kind}"
    between = "_" if folder else "."
    design, run = ("", ":run") if in_one_file else (f"{between}design", f"{between}{run}")
    return Entry(
        kind,
        title,
        f"{place}{design}:{study or name + 'Design'}",
        f"dpdesigner.desktop.pages.{page}.page:{page.capitalize()}Page",
        f"dpdesigner.files.{export}_export:{name}Export",
        f"{place}{run}",
        private=private,
        **more,
    )


#: The kinds of pages that examine what exists; the others design something.
LOOKING = ("inspect", "attack", "exhibit")

_OPENS = "dpdesigner.studies.synthetic.halfspace_structure:opened"
ENTRIES = (
    _entry(
        "count",
        "Count",
        private=False,
        about="one count of people",
        exact="dpdesigner.studies.count.run:run_exactly",
        example="flu-cases",
    ),
    _entry("noise", "Noise", private=False, about="sums, means and bar charts", example="hours-of-sport"),
    _entry("histogram", "Histogram", folder="noise", export="noise", example="doctor-visits-published"),
    _entry("choice", "Choice", about="the best of several options", example="schooling"),
    _entry("auction", "Auction", export="declared", about="one price for many bidders", example="household-price"),
    _entry(
        "synthetic", "Synthetic", "IntervalDesign", run="answer:answered", about="synthetic rows to share", example="survey-ages"
    ),
    _entry("rectangle", "Two columns", folder="synthetic", export="synthetic", in_one_file=True),
    _entry("net", "Small database", folder="synthetic", export="synthetic", run="answer:run", example="small-database"),
    _entry("halfspace", "Linear rules", folder="synthetic", export="synthetic", run="structure:run", opens=_OPENS),
    Entry(
        "sizes",
        "Sample sizes",
        "dpdesigner.studies.synthetic.sizes:SizesDesign",
        "dpdesigner.desktop.pages.synthetic.page:SyntheticPage",
        "dpdesigner.files.synthetic_export:SizesExport",
        private=False,
    ),
    _entry(
        "audience",
        "Audience",
        folder="inspect",
        page="audience",
        private=False,
        about="one number, several readers",
        example="flu-in-a-ward",
    ),
    Entry(
        "inspect",
        "Inspect",
        "dpdesigner.studies.inspect.design:InspectDesign",
        "dpdesigner.desktop.pages.inspect.page:InspectPage",
        "dpdesigner.files.declared_export:InspectExport",
        run="dpdesigner.studies.inspect.run:run",
        private=False,
        about="the risk of a given table",
        example="office-table",
    ),
    _entry("attack", "Attack", export="declared", about="a secret, from its answers", example="who-voted-how"),
    Entry(
        "exhibit",
        "Papers",
        "dpdesigner.studies.exhibits.listing:PapersDesign",
        "dpdesigner.desktop.pages.papers.page:PapersPage",
        private=False,
        about="theorems, recomputed",
    ),
)


@dataclass(frozen=True)
class PageEntry:
    """A page and the kinds that it shows; the first kind determines its name and its icon on the rail."""

    kinds: tuple[str, ...]
    title: str
    about: str = ""  #: its subject in a few words

    @property
    def kind(self) -> str:
        """The kind of a new design on the page."""
        return self.kinds[0]


def pages() -> tuple[PageEntry, ...]:
    """Return the pages, in the order of their first kinds."""
    kinds: dict[str, list[Entry]] = {}
    for known in ENTRIES:
        kinds.setdefault(known.page or known.kind, []).append(known)
    return tuple(
        PageEntry(tuple(known.kind for known in shown_by), shown_by[0].title, shown_by[0].about) for shown_by in kinds.values()
    )


def page_of(kind: str) -> PageEntry:
    """Return the page that shows a kind."""
    return next(page for page in pages() if kind in page.kinds)


def menu_title(kind: str) -> str:
    """Return what a menu calls a kind: its title, after that of the page where it is not the first.

    >>> menu_title("synthetic"), menu_title("rectangle")
    ('Synthetic', 'Synthetic: Two columns')
    """
    page, own = page_of(kind), entry(kind).title
    return own if kind == page.kind else message("{page}: {title}", page=page.title, title=own)


def entry(kind: object) -> Entry:
    """Return the entry of a kind.

    Raises
    ------
    InputError
        If no study has this kind.
    """
    for known in ENTRIES:
        if known.kind == kind:
            return known
    allowed = ", ".join(known.kind for known in ENTRIES)
    raise InputError(f"a design's kind must be one of {allowed}, got {excerpt(kind)}.", "kind")


def title(study: Study) -> str:
    """Return the title of a study: its name, or otherwise its own heading, or the title of its kind."""
    return study.name or study.heading or entry(study.kind).title


def run(study: Study, progress: Progress = silent) -> Any:
    """Run a study of any kind in the list; return its outcome."""
    return entry(study.kind).runner()(study, progress)


def opened(path: str | os.PathLike[str]) -> Study | None:
    """Return the design that asks what is released in a file; None if it is no such file."""
    if Path(path).suffix.lower() != ".json":
        return None
    return next((found for known in ENTRIES if known.opens and (found := load(known.opens)(path))), None)


def kinds() -> tuple[str, ...]:
    """Return the kinds of designs.

    >>> "count" in kinds()
    True
    """
    return tuple(known.kind for known in ENTRIES)


def solve(design: Study[A], exact: bool = False, progress: Progress = silent) -> A:
    """Solve a design of any kind.

    Parameters
    ----------
    design : Study
        Such as ``CountDesign``.
    exact : bool
        Work in rational arithmetic; needs a kind that can, and rational inputs.
    progress : Progress
        Told how far it is; may cancel.

    Returns
    -------
    AnswerLike
        The answer, with the design as ``.design`` and what there is to tell as ``.findings``.

    Raises
    ------
    InputError
        If `exact` is asked of a design that cannot be solved so.

    Examples
    --------
    >>> from dpdesigner.studies.count.design import CountDesign
    >>> result = solve(CountDesign(n=5, alpha="1/2"), exact=True)
    >>> result.findings["value"].value
    Fraction(43, 48)
    >>> list(result.findings)[:3]
    ['value', 'gap', 'bound']
    """
    if (kind := getattr(design, "kind", None)) is None:
        raise InputError(f"a design must be given, for example a CountDesign, got {excerpt(design)}.", "design")
    known = entry(kind)
    if not exact:
        answer: A = known.runner()(design, progress)
        return answer
    if not known.exact:
        able = ", ".join(other.kind for other in ENTRIES if other.exact)
        raise InputError(f"exact arithmetic is for {able} designs, got {with_article(known.kind)} design.", "file")
    proved: A = load(known.exact)(design, progress)
    return proved
