"""The one list of kinds and their pages: an entry here, a folder in studies/ and a page in desktop/pages/ make a kind.

Kinds whose entries name the same page are shown by it together, as one question. The classes are named by path and imported when
first used, so that nothing here imports Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from dpdesigner.core.numbers.parsing import excerpt
from dpdesigner.errors import InputError, with_article
from dpdesigner.studies.kind_entry import Entry, load
from dpdesigner.studies.study import Progress, Study, silent

A = TypeVar("A")


def _entry(
    kind: str, title: str, study: str = "", *, page: str = "", run: str = "run:run", private: bool = True, **more: str
) -> Entry:
    """An entry whose classes are called as its kind is, and stand where those of other kinds do."""
    page, name = page or kind, kind.capitalize()
    return Entry(
        kind,
        title,
        f"dpdesigner.studies.{kind}.design:{study or name + 'Design'}",
        f"dpdesigner.desktop.pages.{page}.page:{page.capitalize()}Page",
        f"dpdesigner.files.export.{kind}:{name}Export",
        f"dpdesigner.studies.{kind}.{run}",
        private=private,
        **more,
    )


#: The kinds of pages that look at what exists; the others design something.
LOOKING = ("inspect", "attack", "exhibit")

ENTRIES = (
    _entry("count", "Count", private=False, exact="dpdesigner.studies.count.run:run_exactly"),
    _entry("noise", "Noise", private=False),
    _entry("histogram", "Histogram", page="noise"),
    _entry("choice", "Choice"),
    _entry("auction", "Auction"),
    _entry("synthetic", "Synthetic", "IntervalDesign", run="answer:answered"),
    _entry("rectangle", "Rectangles", page="synthetic", run="answer:run"),
    _entry("net", "Net", page="synthetic", run="answer:run"),
    _entry("halfspace", "Halfspaces", page="synthetic", run="answer:run"),
    Entry(
        "sizes",
        "Sample sizes",
        "dpdesigner.studies.sizes.design:SizesDesign",
        "dpdesigner.desktop.pages.synthetic.page:SyntheticPage",
        private=False,
    ),
    _entry("audience", "Audience", private=False),
    Entry(
        "inspect",
        "Inspect",
        "dpdesigner.studies.inspect.design:InspectDesign",
        "dpdesigner.desktop.pages.inspect.page:InspectPage",
        run="dpdesigner.studies.inspect.run:run",
        private=False,
    ),
    _entry("attack", "Attack"),
    Entry(
        "exhibit",
        "Papers",
        "dpdesigner.studies.exhibits.papers:PapersDesign",
        "dpdesigner.desktop.pages.papers.page:PapersPage",
        private=False,
    ),
)


@dataclass(frozen=True)
class PageEntry:
    """A page and the kinds that it shows; the first of them gives it its name and its icon on the rail."""

    kinds: tuple[str, ...]
    title: str

    @property
    def kind(self) -> str:
        """The kind that a new design on it has."""
        return self.kinds[0]


def pages() -> tuple[PageEntry, ...]:
    """Return the pages, in the order of their first kinds."""
    kinds: dict[str, list[Entry]] = {}
    for known in ENTRIES:
        kinds.setdefault(known.page or known.kind, []).append(known)
    return tuple(PageEntry(tuple(known.kind for known in shown_by), shown_by[0].title) for shown_by in kinds.values())


def page_of(kind: str) -> PageEntry:
    """Return the page that shows a kind."""
    return next(page for page in pages() if kind in page.kinds)


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
    """Return what a study is called: its name, else its own heading, else the title of its kind."""
    return study.name or getattr(study, "heading", "") or entry(study.kind).title


def run(study: Study, progress: Progress = silent) -> Any:
    """Run a study of any kind in the list; gives its outcome."""
    return entry(study.kind).runner()(study, progress)


def placed(study: Study, folder: Path) -> Study:
    """Return a study that was read from this folder, with its data where they are now."""
    find = getattr(study, "beside", None)
    here: Study = study if find is None else find(folder)
    return here


def kinds() -> tuple[str, ...]:
    """Return the kinds of designs that there are.

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
