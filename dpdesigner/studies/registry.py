"""The one list of studies and their pages: an entry here, a study in studies/ and a page in desktop/pages/ make a kind.

The classes are named by path and imported when first used, so that nothing here imports Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from typing import Any

from dpdesigner.core.numbers.given import shown
from dpdesigner.errors import InputError
from dpdesigner.studies.study import Progress, Study, silent

_DECLARED_PAGE = "dpdesigner.desktop.pages.kit.declared:declared_page"
_DECLARED_TAKEAWAY = "dpdesigner.files.takeaway.declared:DeclaredTakeaway.of"
_TAKEAWAY = "dpdesigner.files.takeaway.takeaway:Takeaway.of"


@dataclass(frozen=True)
class Entry:
    """One kind of study: its name in files, its title on the rail, and where its classes live (``module:Class``).

    `run` is the function that runs its studies; it stands in a module of its own, which knows both the study and its outcome.
    A kind whose inputs and panels are only declared (`dpdesigner.studies.declared`) needs none of the last three.
    """

    kind: str
    title: str
    study: str
    page: str = ""
    takeaway: str = ""
    run: str = ""

    def study_class(self) -> Any:
        """Import and return the study class."""
        return _load(self.study)

    def page_class(self) -> Any:
        """Import and return the page class (imports Qt)."""
        return _load(self.page) if self.page else _load(_DECLARED_PAGE)(self.kind)

    def runner(self) -> Callable[[Any, Progress], Any]:
        """Import and return the function that runs a study of this kind: (study, progress) -> outcome."""
        return _load(self.run or f"{self.study}.run")  # type: ignore[no-any-return]

    def takeaway_maker(self) -> Any:
        """Import and return the function that runs a study and gives what can be taken away from it."""
        return _load(self.takeaway or (_TAKEAWAY if self.page else _DECLARED_TAKEAWAY))


ENTRIES = (
    Entry(
        "count",
        "Count",
        "dpdesigner.studies.count.design:CountDesign",
        "dpdesigner.desktop.pages.count.page:CountPage",
        "dpdesigner.files.takeaway.count:CountTakeaway.of",
        "dpdesigner.studies.count.run:run",
    ),
    Entry(
        "noise",
        "Noise",
        "dpdesigner.studies.noise.design:NoiseStudy",
        "dpdesigner.desktop.pages.noise.page:NoisePage",
        "dpdesigner.files.takeaway.queries:noise_takeaway",
        "dpdesigner.studies.noise.queries:run",
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


def _load(path: str) -> Any:
    module, _, names = path.partition(":")
    return reduce(getattr, names.split("."), import_module(module))
