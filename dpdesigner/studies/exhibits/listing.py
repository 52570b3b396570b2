"""Finds the exhibits: every file in the folder of a paper that has a class of `Exhibit`; nothing lists them by hand."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from dpdesigner.core.numbers.parsing import excerpt
from dpdesigner.errors import InputError
from dpdesigner.studies.exhibits.exhibit import Exhibit, Paper

_HERE = __name__.rpartition(".")[0]
_NAME = re.compile(r"([a-z]+)/([a-z0-9]+(?:[-.][a-z0-9]+)*)")


@cache
def papers() -> tuple[Paper, ...]:
    """Return the papers, in the order of their shelves: every folder here has one."""
    folders = [folder.name for folder in iter_modules(import_module(_HERE).__path__) if folder.ispkg]
    each: list[Paper] = [import_module(f"{_HERE}.{name}.paper").PAPER for name in folders]
    return tuple(sorted(each, key=lambda paper: paper.shelf))


@cache
def exhibits_of(paper: Paper) -> tuple[type[Exhibit], ...]:
    """Return the exhibits of a paper: those that it puts in front, then the others by name."""
    names = [module.name for module in iter_modules(import_module(f"{_HERE}.{paper.key}").__path__)]
    classes = {each.exhibit: each for name in names if (each := _in_module(paper, name)) is not None}
    front = [name for first in paper.first if (name := f"{paper.key}/{first}") in classes]
    return tuple(classes[name] for name in (*front, *sorted(classes.keys() - set(front))))


def exhibits() -> tuple[str, ...]:
    """Return the names of all exhibits.

    >>> "notes/laplace-cdf" in exhibits()
    True
    """
    return tuple(each.exhibit for paper in papers() for each in exhibits_of(paper))


def exhibit_class(name: object) -> type[Exhibit]:
    """Return the exhibit of a name; only its own file is imported.

    Raises
    ------
    InputError
        If there is none.
    """
    parts = _NAME.fullmatch(name) if isinstance(name, str) else None
    paper = next((each for each in papers() if parts and each.key == parts[1]), None)
    module = re.sub(r"[-.]", "_", parts[2]) if parts else ""
    if paper is not None and any(found.name == module for found in iter_modules(import_module(f"{_HERE}.{paper.key}").__path__)):
        found = _in_module(paper, module)
        if found is not None and found.exhibit == name:
            return found
    near = get_close_matches(str(name)[:80], exhibits(), 1, 0.0)
    example = near[0] if near else "notes/laplace-cdf"
    raise InputError(f"the exhibit must be one that dpdesigner.exhibits() lists, like {example}, got {excerpt(name)}.", "exhibit")


def exhibit(name: str, **inputs: object) -> Exhibit:
    """Return an exhibit as a design, which `solve` runs, and files keep, as any other.

    Parameters
    ----------
    name : str
        One of `exhibits`.
    **inputs
        Its parameters; those left out are as at first.

    Raises
    ------
    InputError
        If there is no such exhibit, or it has no such parameter, or a value cannot be used.

    Examples
    --------
    >>> exhibit("notes/laplace-cdf", x=1).line
    'b = 1 · x = 1'
    """
    chosen = exhibit_class(name)
    allowed = ["name", *(key for each in chosen.inputs() for key in each.input.keys(each.key)), *(a.key for a in chosen.inputs())]
    unknown = next((key for key in inputs if key not in allowed), None)
    if unknown is not None:
        raise InputError(f"{name} may have {', '.join(dict.fromkeys(allowed))}, got {excerpt(unknown)}.", "exhibit")
    return chosen(**inputs)  # type: ignore[arg-type]  # its inputs are checked when it is made


@cache
def _in_module(paper: Paper, name: str) -> type[Exhibit] | None:
    module = import_module(f"{_HERE}.{paper.key}.{name}")
    for each in vars(module).values():
        if isinstance(each, type) and issubclass(each, Exhibit) and each.__module__ == module.__name__ and each.exhibit:
            return each
    return None
