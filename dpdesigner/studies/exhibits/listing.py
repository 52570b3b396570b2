"""Discovery of the exhibits: every `Exhibit` class in a file that starts with its paper's key; and the gallery as a design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar

from dpdesigner.core.basics.parsing import excerpt
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, DeclaredDesign
from dpdesigner.studies.exhibits.exhibit import ASKS, DIFFERS, HOLDS, PAPERS, Exhibit, Paper
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

_HERE = __name__.rpartition(".")[0]


@cache
def exhibits_of(paper: Paper) -> tuple[type[Exhibit], ...]:
    """Return the exhibits of a paper: first those that it lists first, then the others by name."""
    names = [found.name for found in iter_modules(import_module(_HERE).__path__) if found.name.startswith(f"{paper.key}_")]
    modules = [import_module(f"{_HERE}.{name}") for name in names]
    kinds = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Exhibit)]
    classes = {kind.exhibit: kind for kind in kinds if kind.exhibit}
    front = [name for first in paper.first if (name := f"{paper.key}/{first}") in classes]
    return tuple(classes[name] for name in (*front, *sorted(classes.keys() - set(front))))


def exhibits() -> tuple[str, ...]:
    """Return the names of all exhibits.

    >>> "notes/laplace-cdf" in exhibits()
    True
    """
    return tuple(each.exhibit for paper in PAPERS for each in exhibits_of(paper))


def exhibit_class(name: object) -> type[Exhibit]:
    """Return the exhibit with this name; only its paper's files are imported.

    Raises
    ------
    InputError
        If there is none.
    """
    if isinstance(name, str):
        for paper in PAPERS:
            if paper.key == name.partition("/")[0]:
                for found in exhibits_of(paper):
                    if found.exhibit == name:
                        return found
    near = get_close_matches(str(name)[:80], exhibits(), 1, 0.0)
    example = near[0] if near else "notes/laplace-cdf"
    raise InputError(f"the exhibit must be one that dpdesigner.exhibits() lists, like {example}, got {excerpt(name)}.", "exhibit")


def exhibit(name: str, **inputs: object) -> Exhibit:
    """Return an exhibit as a design that `solve` runs and files store like any other.

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


class PapersDesign(DeclaredDesign):
    """All exhibits; a file of kind ``exhibit`` that names an exhibit is that exhibit.

    >>> import dpdesigner as dp
    >>> dp.solve(dp.PapersDesign()).findings["value"].value == len(dp.exhibits())
    True
    """

    kind: ClassVar[str] = "exhibit"
    heading: ClassVar[str] = message("Papers")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Any:
        """Make the named exhibit, or the gallery if none is named."""
        if data.get("exhibit"):
            return exhibit_class(data["exhibit"]).from_json(data)
        return super().from_json({key: value for key, value in data.items() if key != "exhibit"})

    @property
    def line(self) -> str:
        """The number of papers, and of their claims."""
        many = sum(each.mark != ASKS for paper in PAPERS for each in exhibits_of(paper))
        return message("{papers} papers · {many} claims", papers=sum(not paper.ours for paper in PAPERS), many=many)

    def run(self, progress: Progress = silent) -> Answer:
        """Count the claims that hold as printed, and list all exhibits."""
        every = [each for paper in PAPERS for each in exhibits_of(paper)]
        many = Counter(each.mark for each in every)
        findings = {
            "value": Finding(message("exhibits"), len(every)),
            "holds": Finding(message("hold as printed"), many[HOLDS]),
            "corrected": Finding(message("need a correction"), many[DIFFERS]),
            "asked": Finding(message("questions"), many[ASKS]),
        }
        rows = tuple((each.paper.short, each.place, each.heading, f"{each.mark} {each.verdict}", each.exhibit) for each in every)
        header = (message("paper"), message("place"), message("claim"), message("here"), message("name"))
        text = message(
            "{holds} of {claims} claims in {papers} papers hold as printed. {corrected} need a correction, from a "
            "misprint to a number of rows that is {times} times too small. {asked} exhibits answer questions.",
            claims=many[HOLDS] + many[DIFFERS],
            papers=sum(not paper.ours for paper in PAPERS),
            holds=many[HOLDS],
            corrected=many[DIFFERS],
            times=round(max(each.too_small for each in every)),
            asked=many[ASKS],
        )
        return Answer(self, findings, (Table("claims", message("The claims"), header, rows),), text)
