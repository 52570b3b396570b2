"""A document at one moment: its designs, which of them is current, and its scenes; and one step of undo."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

from PySide6.QtGui import QUndoCommand

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.files.project import Project, Scene
from dpdesigner.studies import registry
from dpdesigner.studies.spending import Account, kept
from dpdesigner.studies.study import Study

#: The suffix that distinguishes a copy from its original design.
_COPY = re.compile(r" \(\d+\)$")

_keys = count(1)


@dataclass(frozen=True)
class Design:
    """A study and its key, which stays the same while the study changes.

    Parameters
    ----------
    key : int
    study : Study
    visited : bool
        Whether it is only looked at: no step has made it or changed it, so that no file keeps it. Only the current one can be.
    """

    key: int
    study: Study
    visited: bool = False

    @property
    def title(self) -> str:
        """The title."""
        return registry.title(self.study)


@dataclass(frozen=True)
class Content:
    """The designs, at least one, and the index of the current one; an undo step stores it before and after.

    Parameters
    ----------
    designs : tuple of Design
        In order.
    index : int
        Place of the current one.
    pinned : Design or None
        What the others are compared with: a design as it was when it was pinned, whatever has become of it.
    scenes : tuple of Scene
        Each names its design by its key.
    same_people : Account or None
        The designs that concern the same people, by their keys.
    """

    designs: tuple[Design, ...]
    index: int = 0
    pinned: Design | None = None
    scenes: tuple[Scene, ...] = ()
    same_people: Account | None = None

    @classmethod
    def of(
        cls,
        studies: Sequence[Study],
        scenes: Sequence[Scene] = (),
        reference: int | Study | None = None,
        same_people: Account | None = None,
    ) -> Content:
        """Make a content from new designs, the first of them current; the other arguments may refer to them by index.

        Raises
        ------
        ValueError
            If there are no studies.
        """
        if not studies:
            raise ValueError("a document needs at least one study")
        designs = tuple(Design(next(_keys), study) for study in studies)
        pinned = (
            designs[reference] if isinstance(reference, int) else None if reference is None else Design(next(_keys), reference)
        )
        account = kept(same_people, {place: design.key for place, design in enumerate(designs)})
        return cls(designs, 0, pinned, tuple(replace(scene, design=designs[scene.design].key) for scene in scenes), account)

    @property
    def current(self) -> Design:
        """The current design."""
        return self.designs[self.index]

    @property
    def studies(self) -> tuple[Study, ...]:
        """The studies in order."""
        return tuple(design.study for design in self.designs)

    @property
    def outline(self) -> tuple[tuple[int, str], ...]:
        """Keys and titles in order, for lists of designs."""
        return tuple((design.key, design.title) for design in self.designs)

    @property
    def kept(self) -> Content:
        """The same content without a visited design that was never changed."""
        return self.removed() if self.current.visited else self

    @property
    def settled(self) -> Content:
        """The same content with a visited design turned into a regular one."""
        pinned = None if self.pinned is None else replace(self.pinned, visited=False)
        return replace(self, designs=tuple(replace(design, visited=False) for design in self.designs), pinned=pinned)

    @property
    def project(self) -> Project:
        """The part that is saved in a project file."""
        return self.kept._project

    @property
    def _project(self) -> Project:
        places = {design.key: place for place, design in enumerate(self.designs)}
        scenes = tuple(replace(scene, design=places[scene.design]) for scene in self.scenes)
        account = kept(self.same_people, places)
        if self.pinned is None or self.pinned not in self.designs:
            return Project(self.studies, scenes, None if self.pinned is None else self.pinned.study, account)
        return Project(self.studies, scenes, places[self.pinned.key], account)

    def changed(self, study: Study) -> Content:
        """Return this content with another study in the current design."""
        designs = list(self.designs)
        visited = self.current.visited and study == self.current.study
        designs[self.index] = replace(self.current, study=study, visited=visited)
        return replace(self, designs=tuple(designs))

    def inserted(self, study: Study, visited: bool = False) -> Content:
        """Return this content with a new design after the current one; the new design is current."""
        at = self.index + 1
        design = Design(next(_keys), study, visited)
        return replace(self, designs=(*self.designs[:at], design, *self.designs[at:]), index=at)

    def visiting(self, study: Study) -> Content:
        """Return this content with a visited design, which keeps the key of a visited one of its kind that it replaces."""
        if not self.current.visited or self.current.study.kind != study.kind:
            return self.kept.inserted(study, visited=True)
        designs = list(self.designs)
        designs[self.index] = replace(self.current, study=study)
        return replace(self, designs=tuple(designs))

    def selected(self, index: int) -> Content:
        """Return this content with another current design; one that was only visited is removed when it is left."""
        if index == self.index or not self.current.visited:
            return replace(self, index=index)
        return replace(self.removed(), index=index - (index > self.index))

    def removed(self) -> Content:
        """Return this content without the current design and its scenes."""
        rest = self.designs[: self.index] + self.designs[self.index + 1 :]
        scenes = tuple(scene for scene in self.scenes if scene.design != self.current.key)
        at = self.index - 1 if self.current.visited else self.index  # from a merely visited design, go back to the previous one
        account = kept(self.same_people, {design.key: design.key for design in rest})
        return replace(self, designs=rest, index=min(max(at, 0), len(rest) - 1), scenes=scenes, same_people=account)

    def free_name(self) -> str:
        """Return the current title, without a copy number, followed by the first number that makes it unique."""
        taken = {design.title for design in self.designs}
        title = _COPY.sub("", self.current.title)
        return next(name for number in count(2) if (name := f"{title} ({number})") not in taken)


_LONGEST = 24  # characters of a value in the history
_SHOWN = (str, int, float, PrivacyLevel)


def changed_value(old: Study, new: Study) -> str:
    """Return the value of the only number or text in which two designs differ, if it is short; otherwise an empty text."""
    before, now = (getattr(study, "__dict__", {}) for study in (old, new))
    inputs = {key: value for key, value in now.items() if not isinstance(getattr(type(new), key, None), cached_property)}
    changed = [value for key, value in inputs.items() if key != "name" and isinstance(value, _SHOWN) and value != before.get(key)]
    if len(changed) != 1 or type(old) is not type(new):
        return ""
    text = changed[0].description if isinstance(changed[0], PrivacyLevel) else str(changed[0])
    return text if len(text) <= _LONGEST else ""


class UndoStep(QUndoCommand):
    """Replaces one content by another.

    Parameters
    ----------
    decide : Callable
        Called as ``decide(content, view)`` to make a content the document's; an empty view leaves the page's selection alone.
    label : str
        What the user did; the history shows what stands before a line break, the menu the rest.
    old, new : Content
    view : Mapping
        What was selected on the page when it was done.
    merge : object
        Steps that follow each other with an equal value become one; None merges with nothing.
    """

    def __init__(
        self,
        decide: Callable[[Content, Mapping[str, Any]], None],
        label: str,
        old: Content,
        new: Content,
        view: Mapping[str, Any],
        merge: object,
    ) -> None:
        super().__init__(label)
        self._decide, self._old, self._new, self._view, self._merge = decide, old, new, view, merge
        self._undone = False

    def id(self) -> int:
        """Return the id by which Qt offers steps to each other for merging."""
        return -1 if self._merge is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Merge with the next step if both belong together (letters typed into one field)."""
        if not isinstance(other, UndoStep) or other._merge != self._merge:
            return False
        self._new = other._new
        return True

    def redo(self) -> None:
        """Show the content after the step; the first time, the page has just made it and needs no view state."""
        self._decide(self._new, self._view if self._undone else {})

    def undo(self) -> None:
        """Show the content before the step."""
        self._undone = True
        self._decide(self._old, self._view)
