"""What the list of kinds says of one of them, and how the classes that it names are imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from typing import Any

from dpdesigner.studies.study import Progress, Study

_DECLARED = "dpdesigner.studies.base:DeclaredDesign"
_DECLARED_PAGE = "dpdesigner.desktop.pages.kit.declared:declared_page"
_DECLARED_EXPORT = "dpdesigner.files.export.declared:DeclaredExport"
_EXPORT = "dpdesigner.files.export.export:Export"


@dataclass(frozen=True)
class Entry:
    """One kind of study: its name in files, its title, and where its classes and functions live (``module:name``).

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
    """

    kind: str
    title: str
    study: str
    page: str = ""
    export: str = ""
    run: str = ""
    exact: str = ""
    private: bool = True

    def study_class(self) -> Any:
        """Import and return the study class."""
        return load(self.study)

    def page_class(self) -> Any:
        """Import and return the page class (imports Qt)."""
        return load(self.page) if self.page else load(_DECLARED_PAGE)(self.kind)

    def runner(self) -> Callable[[Any, Progress], Any]:
        """Import and return the function that runs a study of this kind: (study, progress) -> outcome."""
        return load(self.run) if self.run else _run_itself

    def export_class(self) -> Any:
        """Import and return the class of its exports."""
        return load(self.export or (_DECLARED_EXPORT if issubclass(self.study_class(), load(_DECLARED)) else _EXPORT))


def _run_itself(study: Study, progress: Progress) -> Any:
    return study.run(progress)


def load(path: str) -> Any:
    """Import and return what a path names, ``module:name``."""
    module, _, names = path.partition(":")
    return reduce(getattr, names.split("."), import_module(module))
