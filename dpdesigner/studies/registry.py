"""The one list of studies and their pages: an entry here, a study in studies/ and a page in desktop/pages/ make a kind.

The classes are named by path and imported when first used, so that nothing here imports Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

from dpdesigner.core.numbers.given import shown
from dpdesigner.errors import InputError
from dpdesigner.studies.study import Progress, Study, silent

_DECLARED_PAGE = "dpdesigner.desktop.pages.kit.declared:declared_page"
_DECLARED_TAKEAWAY = "dpdesigner.files.takeaway.declared:DeclaredTakeaway"
_TAKEAWAY = "dpdesigner.files.takeaway.takeaway:Takeaway"


@dataclass(frozen=True)
class Entry:
    """One kind of study: its name in files, its title on the rail, and where its classes live (``module:Class``).

    `run` is the function that runs its studies; it stands in a module of its own, which knows both the study and its outcome.
    A kind whose inputs and panels are only declared (`dpdesigner.studies.declared`) needs only the first three.
    `exact` is the one that does so in rational arithmetic, where there is one.
    `placed`, where studies have data, is the function that looks for them beside a project file: (study, folder) -> study.
    """

    kind: str
    title: str
    study: str
    page: str = ""
    takeaway: str = ""
    run: str = ""
    exact: str = ""
    placed: str = ""

    def study_class(self) -> Any:
        """Import and return the study class."""
        return _load(self.study)

    def page_class(self) -> Any:
        """Import and return the page class (imports Qt)."""
        return _load(self.page) if self.page else _load(_DECLARED_PAGE)(self.kind)

    def runner(self) -> Callable[[Any, Progress], Any]:
        """Import and return the function that runs a study of this kind: (study, progress) -> outcome."""
        return _load(self.run or f"{self.study}.run")  # type: ignore[no-any-return]

    def takeaway_class(self) -> Any:
        """Import and return the class of what can be taken away from a study."""
        return _load(self.takeaway or (_TAKEAWAY if self.page else _DECLARED_TAKEAWAY))


ENTRIES = (
    Entry(
        "count",
        "Count",
        "dpdesigner.studies.count.design:CountDesign",
        "dpdesigner.desktop.pages.count.page:CountPage",
        "dpdesigner.files.takeaway.count:CountTakeaway",
        "dpdesigner.studies.count.run:run",
        "dpdesigner.studies.count.run:run_exactly",
    ),
    Entry(
        "noise",
        "Noise",
        "dpdesigner.studies.noise.design:NoiseStudy",
        "dpdesigner.desktop.pages.noise.page:NoisePage",
        "dpdesigner.files.takeaway.queries:QueryTakeaway",
        "dpdesigner.studies.noise.queries:run",
        placed="dpdesigner.studies.noise.histogram_truth:found_beside",
    ),
)


def entry(kind: object) -> Entry:
    """Return the entry of a kind.

    Raises
    ------
    InputError
        If no study has this kind.
    """
    for found in ENTRIES:
        if found.kind == kind:
            return found
    allowed = ", ".join(found.kind for found in ENTRIES)
    raise InputError(f"a design's kind must be one of {allowed}, got {shown(kind)}.", "kind")


def run(study: Study, progress: Progress = silent) -> Any:
    """Run a study of any kind in the list; gives its outcome."""
    return entry(study.kind).runner()(study, progress)


def placed(study: Study, folder: Path) -> Study:
    """Return a study that was read from this folder, with its data where they are now."""
    where = entry(study.kind).placed
    return _load(where)(study, folder) if where else study


def kinds() -> tuple[str, ...]:
    """Return the kinds of designs that there are.

    >>> "count" in kinds()
    True
    """
    return tuple(found.kind for found in ENTRIES)


def solve(design: Study, exact: bool = False, progress: Progress = silent) -> Any:
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
    object
        The outcome, with the design as ``.design`` and what there is to tell as ``.findings``.

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
    kind = getattr(design, "kind", None)
    if kind is None:
        raise InputError(f"a design must be given, such as a CountDesign, got {shown(design)}.", "design")
    found = entry(kind)
    if not exact:
        return found.runner()(design, progress)
    if not found.exact:
        able = ", ".join(other.kind for other in ENTRIES if other.exact)
        raise InputError(f"exact arithmetic is for {able} designs, got a {found.kind} design.", "file")
    return _load(found.exact)(design, progress)


def _load(path: str) -> Any:
    module, _, names = path.partition(":")
    return reduce(getattr, names.split("."), import_module(module))
