"""The project file, ``NAME.dpd``: studies and scenes as UTF-8 JSON, numbers as entered; and the shipped examples.

``{"format": "dpdesigner", "version": 1, "studies": [{"kind": "count", ...}, ...]}``, and where there are any, ``"scenes":
[{"design": 0, "view": {...}, "title": "...", "text": "..."}, ...]``, where ``design`` is a place in ``studies``, and
``"reference"``, what the others are compared with: a place in ``studies``, or a study that one of them was before it was changed;
``"same_people": {"designs": [0, 2], "times": [1, 52], "epsilon": "1", "delta": "1e-6"}``, the designs whose losses add up, and
``"releases": [{"data": "people.csv", "kind": "choice", "epsilon": "0.1", "time": "2026-11-28T21:40:03"}, ...]``, those made; a
``"design"`` in one has the inputs that exported files state, and ``"released"`` the values that it published.
What is not understood is refused rather than lost at the next save. CONTRIBUTING.md says what later versions promise.

A scene: what is shown of one design while presenting, and what is said of it; with its form in the project file.

A view is what a page gives and takes to restore its selection. Its meaning belongs to the page, so a file's view is only
checked for being harmless: few and small JSON values. A page ignores what it does not know.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from dpdesigner import resources
from dpdesigner.core.basics.parsing import cut, excerpt
from dpdesigner.data.grid import LARGEST_BYTES, file_title, read_text
from dpdesigner.errors import InputError, passed_over
from dpdesigner.files.atomic import json_text, write_atomically
from dpdesigner.studies.findings import State
from dpdesigner.studies.input_kinds import members
from dpdesigner.studies.registry import entry, kinds, opened
from dpdesigner.studies.spending import Account, Release
from dpdesigner.studies.study import Study

T = TypeVar("T")

LONGEST_TITLE, LONGEST_TEXT, LONGEST_VIEW = 200, 4000, 10_000

#: The largest number in a view: every integer up to here is exactly a double.
_LARGEST = 2**53
_DEEPEST = 10


@dataclass(frozen=True)
class Scene:
    """One scene.

    Parameters
    ----------
    design : int
        Which design it shows: its place in a project file (from 0), its key in an open document.
    view : Mapping
        Which of the page's views is open and what is selected, as JSON values.
    title, text : str
        The caption: a few words, and one to three sentences.
    """

    design: int
    view: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the scene as JSON values."""
        return {"design": self.design, "view": dict(self.view), "title": self.title, "text": self.text}

    @classmethod
    def from_json(cls, data: object, designs: int) -> Scene:
        """Make a scene from `to_json`'s values.

        Parameters
        ----------
        data : object
        designs : int
            How many designs the file has.

        Raises
        ------
        InputError
            If it is anything else; one sentence.
        """
        given = members(data, "a scene", ("design", "view", "title", "text"))
        design = given.get("design")
        if type(design) is not int or not 0 <= design < designs:
            raise InputError(f"a scene's design must be a whole number from 0 to {designs - 1}, got {excerpt(design)}.", "design")
        title, text = _text(given, "title", LONGEST_TITLE), _text(given, "text", LONGEST_TEXT)
        return cls(design, _view(given.get("view", {})), title, text)


def _text(data: dict[str, Any], name: str, longest: int) -> str:
    text = data.get(name, "")
    if not isinstance(text, str) or len(text) > longest:
        got = f"{len(text)} characters" if isinstance(text, str) else excerpt(text)
        raise InputError(f"a scene's {name} must be text of at most {longest} characters, got {got}.", name)
    return text


def _view(view: object) -> dict[str, Any]:
    if not isinstance(view, dict):
        raise InputError(f"a scene's view must be a JSON object, got {excerpt(view)}.", "view")
    if not _small(view, _DEEPEST) or len(json.dumps(view)) > LONGEST_VIEW:
        limits = f"numbers up to 2^53, {_DEEPEST} levels and at most {LONGEST_VIEW} characters"
        raise InputError(f"a scene's view must have {limits}, got more.", "view")
    return view


def _small(value: object, levels: int) -> bool:
    """Return whether a JSON value is not nested too deeply, and all its numbers are finite and small enough for any page."""
    if isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_small(item, levels - 1) for item in inner)
    return not isinstance(value, (int, float)) or -_LARGEST <= value <= _LARGEST


FORMAT = "dpdesigner"
VERSION = 1
SUFFIX = ".dpd"

_KEYS = ("format", "version", "studies", "scenes", "reference", "same_people", "releases")
_MOST, _MOST_RELEASES = 1000, 10**6


@dataclass(frozen=True)
class Project:
    """The contents of a project file.

    Parameters
    ----------
    studies : tuple of Study
        At least one.
    scenes : tuple of Scene
        Each names its design by its place in `studies`.
    reference : int, Study or None
        What the others are compared with: the place of one of them, or what one of them was before.
    same_people : Account or None
        The designs that concern the same people, by their places.
    releases : tuple of Release
        The releases that were made of people's data, also with designs that are gone.
    imported : bool
        Whether it was made of a released file, which is not to be overwritten with it.
    """

    studies: tuple[Study, ...]
    scenes: tuple[Scene, ...] = ()
    reference: int | Study | None = None
    same_people: Account | None = None
    releases: tuple[Release, ...] = ()
    imported: bool = False


def read_project(path: str | os.PathLike[str]) -> Project:
    """Read a project file, or a released one that a kind opens; moved data files are found in its folder.

    Raises
    ------
    InputError
        If it is not a project file of this version; one sentence.
    """
    if (study := opened(path)) is not None:
        return Project((study,), imported=True)
    project = loads_project(read_text(path, piped=True), file_title(path))
    folder, reference = Path(path).parent, project.reference
    if reference is not None and not isinstance(reference, int):
        reference = reference.beside(folder)
    return replace(project, studies=tuple(study.beside(folder) for study in project.studies), reference=reference)


class _Designs(list[Study]):
    """The designs of a project file, with the releases that it remembers."""

    releases: tuple[Release, ...] = ()


def read(path: str | os.PathLike[str]) -> list[Study]:
    """Return the designs of a project file; `save` keeps the releases that it remembers.

    Raises
    ------
    InputError
        As `read_project`.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> dp.read(dp.resources.path("examples", "two-points.dpd"))[0].kind
    'count'
    """
    project = read_project(path)
    designs = _Designs(project.studies)
    designs.releases = project.releases
    return designs


def save(designs: Study | Iterable[Study], path: str | os.PathLike[str]) -> None:
    """Write designs to a project file, as a whole or not at all.

    Parameters
    ----------
    designs : design, or iterable of designs
        Of any kinds, at least one. The releases that a list of `read` came with are kept.
    path : path
        The releases that a project there remembers are kept.

    Raises
    ------
    InputError
        If something else is among them, or as `write_project`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dpdesigner import CountDesign
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "mine.dpd"
    >>> save([CountDesign(n=5, alpha="1/2", name="mine")], path)
    >>> [design.name for design in read(path)]
    ['mine']
    >>> folder.cleanup()
    """
    studies = tuple(designs) if isinstance(designs, Iterable) and not isinstance(designs, (str, bytes)) else (designs,)
    for place, design in enumerate(studies, 1):
        if getattr(design, "kind", None) not in kinds():
            where = f" at position {place}" if len(studies) > 1 else ""
            raise InputError(f"only designs can be saved, got {excerpt(design)}{where}.", "designs")
    releases = dict.fromkeys(designs.releases if isinstance(designs, _Designs) else ())
    if Path(path).is_file():
        with suppress(InputError):  # another file that is replaced
            releases.update(dict.fromkeys(read_project(path).releases))
    write_project(path, Project(studies, releases=tuple(releases)))


def write_project(path: str | os.PathLike[str], project: Project) -> None:
    """Write a project file, as a whole or not at all.

    Raises
    ------
    InputError
        If there is no study, the file would be too large to be read again, or it cannot be written; what was there before is
        untouched.
    """
    contents = dumps_project(project).encode("utf-8")
    if len(contents) > LARGEST_BYTES:
        most, got = LARGEST_BYTES // 1_000_000, len(contents) // 1_000_000
        raise InputError(f"a project must be at most {most} MB, got {got} MB; draw its priors over fewer values.", "file")
    write_atomically(path, contents)


def dumps_project(project: Project) -> str:
    """Return the text of a project file.

    Raises
    ------
    InputError
        If there is no study, or a scene could not be read again.
    """
    if not project.studies:
        raise InputError("a project must have at least one design, got none.", "file")
    reference = project.reference
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "studies": [study.to_json() for study in project.studies]}
    if project.scenes:
        # Validated as on reading: a scene that could not be read again is refused now.
        data["scenes"] = [Scene.from_json(scene.to_json(), len(project.studies)).to_json() for scene in project.scenes]
    if isinstance(reference, int):
        data["reference"] = _reference(reference, len(project.studies), "the project")
    elif reference is not None:
        data["reference"] = reference.to_json()
    if project.same_people is not None:
        data["same_people"] = Account.from_json(project.same_people.to_json(), len(project.studies)).to_json()
    if project.releases:
        data["releases"] = [release.to_json() for release in project.releases]
    return json_text(data)


def loads_project(text: str, name: str = "the project") -> Project:
    """Read the text of a project file; see `read_project`.

    Parameters
    ----------
    text : str
    name : str
        What to call it in the sentence of an error.
    """
    name = cut(name)
    data = _parsed(text, name)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'{name} is not a dpdesigner project: it must be a JSON object with "format": "{FORMAT}".', "file")
    version = data.get("version")
    if type(version) is not int or version < 1:
        raise InputError(f"{name} must have a whole number of at least 1 as its version, got {excerpt(version)}.", "file")
    if version > VERSION:
        newer = f"{name} was made by a newer dpdesigner (version {excerpt(version)})"
        raise InputError(f"{newer}; this one reads up to {VERSION}.", "file")
    members(data, name, _KEYS)
    studies = tuple(_study(item, f"{name}, design {k}") for k, item in enumerate(_list(data, "studies", name, 1), 1))
    listed = _list(data, "scenes", name, 0) if "scenes" in data else []
    scenes = tuple(_read(partial(Scene.from_json, item, len(studies)), f"{name}, scene {k}") for k, item in enumerate(listed, 1))
    reference: int | Study | None = None
    if isinstance(data.get("reference"), dict):
        reference = _study(data["reference"], f"{name}, reference")
    elif "reference" in data:
        reference = _reference(data["reference"], len(studies), name)
    account = Account.from_json(data["same_people"], len(studies)) if "same_people" in data else None
    listed = _list(data, "releases", name, 1, _MOST_RELEASES) if "releases" in data else []
    releases = tuple(_read(partial(Release.from_json, item), f"{name}, release {k}") for k, item in enumerate(listed, 1))
    return Project(studies, scenes, reference, account, releases)


def _list(data: dict[str, Any], key: str, name: str, least: int, most: int = _MOST) -> list[Any]:
    entries = data.get(key)
    if not isinstance(entries, list) or not least <= len(entries) <= most:
        got = f"{len(entries)}" if isinstance(entries, list) else excerpt(entries)
        raise InputError(f"{name} must have a list of {least} to {most} {key}, got {got}.", "file")
    return entries


def _reference(place: object, studies: int, name: str) -> int:
    if type(place) is not int or not 0 <= place < studies:
        raise InputError(f"{name} must give its reference as a position from 0 to {studies - 1}, got {excerpt(place)}.", "file")
    return place


def _read(read: Callable[[], T], where: str) -> T:
    try:
        return read()
    except InputError as error:
        raise InputError(f"{where}: {error}", error.field) from error


def _study(item: object, where: str) -> Study:
    if not isinstance(item, dict):
        raise InputError(f"{where} must be a JSON object, got {excerpt(item)}.", "file")
    return _read(lambda: entry(item.get("kind")).study_class().from_json(item), where)


def _parsed(text: str, name: str) -> object:
    def refuse_constant(constant: str) -> NoReturn:
        raise InputError(f"{name} must contain finite numbers only, got {constant}.", "file")

    def finite(number: str) -> float:
        value = float(number)
        if not value and any(mark in "123456789" for mark in number.lower().partition("e")[0]):
            raise InputError(f"{name} must give numbers below 5e-324 as strings, got {cut(number)}.", "file")
        if not math.isfinite(value):
            raise InputError(f"{name} must contain finite numbers only, got {cut(number)}.", "file")
        return value

    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise InputError(f"{name} must give every key once, got {excerpt(repeated)} twice.", "file")
        return members

    try:
        data = json.loads(text, parse_constant=refuse_constant, parse_float=finite, object_pairs_hook=without_repeats)
        if "\\ud" in text.lower():  # JSON can contain half a surrogate pair, which cannot be saved to a file
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        return data
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise InputError(f"{name} must contain complete characters only, got {half}, half of one.", "file") from None
    except json.JSONDecodeError as error:
        if not text.lstrip().startswith("{"):
            got = "an empty file" if not text.strip() else "another kind of text"
            raise InputError(f"{name} is not a dpdesigner project: it must be a {SUFFIX} file, got {got}.", "file") from None
        problem = error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        raise InputError(f"{name} is not valid JSON: {problem} at line {error.lineno}, column {error.colno}.", "file") from None
    except RecursionError:
        raise InputError(f"{name} is nested too deeply to be a dpdesigner project.", "file") from None
    except InputError:
        raise
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        raise InputError(f"{name} must contain numbers of fewer than 4 000 digits, got a longer one.", "file") from None


@dataclass(frozen=True)
class Example:
    """One example: a project file to open as an untitled copy.

    Attributes
    ----------
    title : str
    question : str
        One short question that it answers.
    answer : str
        The answer in a few words, each number as the page says it; empty if the scenes of the example tell it.
    description : str
        One to three sentences on who the user is and what to look for.
    path : Path
    state : State
        How far its answer is proved: what the badge says.
    alone : bool
        Whether it is opened without the design that it is compared with.
    """

    title: str
    question: str
    answer: str
    description: str
    path: Path
    state: State = "proved"
    alone: bool = False

    @cached_property
    def kind(self) -> str:
        """The kind of the first design; count if the file cannot be read."""
        try:
            kind: str = json.loads(self.path.read_text("utf-8"))["studies"][0]["kind"]
        except (OSError, ValueError, LookupError, TypeError) as error:
            passed_over(f"reading {self.path}", error)
            kind = "count"
        return kind


def examples() -> list[Example]:
    """Return the examples in display order; the first is the one that opens when the program starts."""
    return [
        Example(
            item["title"],
            item["question"],
            item.get("answer", ""),
            item["description"],
            resources.path("examples", item["file"]),
            item.get("state", "proved"),
        )
        for item in resources.listed_examples()
    ]


def example(stem: str) -> Example:
    """Return the example whose file has this name, without the extension."""
    return next(known for known in examples() if known.path.stem == stem)


def example_project(stem: str) -> Project:
    """Read the example whose file has this name, without the extension."""
    return read_project(example(stem).path)
