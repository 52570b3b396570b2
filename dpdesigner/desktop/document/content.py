"""What a document holds at one moment: its designs, which of them is current, and its scenes, as frozen values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from dpdesigner.files.project import Project, Scene
from dpdesigner.studies import registry
from dpdesigner.studies.spending import Account, kept
from dpdesigner.studies.study import Study

#: What tells a copy from the design that it was made of.
_COPY = re.compile(r" \(\d+\)$")

_keys = count(1)


@dataclass(frozen=True)
class Design:
    """A study and the key that stays its own while the study changes.

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
    """The designs, at least one, and the index of the current one; an undo step keeps one before and one after.

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
        """Make a content of new designs, the first of them current; what else there is may name them by their places.

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
        """Keys and titles in order: what lists of designs show."""
        return tuple((design.key, design.title) for design in self.designs)

    @property
    def kept(self) -> Content:
        """The same without a design that is only looked at."""
        return self.removed() if self.current.visited else self

    @property
    def settled(self) -> Content:
        """The same where a design that was only looked at is one of its own."""
        pinned = None if self.pinned is None else replace(self.pinned, visited=False)
        return replace(self, designs=tuple(replace(design, visited=False) for design in self.designs), pinned=pinned)

    @property
    def project(self) -> Project:
        """The part that a project file keeps."""
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
        """Return this content with a new design after the current one, and current."""
        at = self.index + 1
        design = Design(next(_keys), study, visited)
        return replace(self, designs=(*self.designs[:at], design, *self.designs[at:]), index=at)

    def visiting(self, study: Study) -> Content:
        """Return this content with a design that is only looked at; it keeps the key of one of its kind that it replaces."""
        if not self.current.visited or self.current.study.kind != study.kind:
            return self.kept.inserted(study, visited=True)
        designs = list(self.designs)
        designs[self.index] = replace(self.current, study=study)
        return replace(self, designs=tuple(designs))

    def selected(self, index: int) -> Content:
        """Return this content with another current design; one that was only looked at goes when it is left."""
        if index == self.index or not self.current.visited:
            return replace(self, index=index)
        return replace(self.removed(), index=index - (index > self.index))

    def removed(self) -> Content:
        """Return this content without the current design and its scenes."""
        rest = self.designs[: self.index] + self.designs[self.index + 1 :]
        scenes = tuple(scene for scene in self.scenes if scene.design != self.current.key)
        at = self.index - 1 if self.current.visited else self.index  # what was only looked at came after the one before
        account = kept(self.same_people, {design.key: design.key for design in rest})
        return replace(self, designs=rest, index=min(max(at, 0), len(rest) - 1), scenes=scenes, same_people=account)

    def free_name(self) -> str:
        """Return the current title, without the number of a copy, with the first number behind it that no other design has."""
        taken = {design.title for design in self.designs}
        title = _COPY.sub("", self.current.title)
        return next(name for number in count(2) if (name := f"{title} ({number})") not in taken)
