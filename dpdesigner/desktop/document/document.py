"""A document: its designs, which of them is current, its scenes, and undo.

All changes go through here, and each is one `QUndoStack` step that holds the whole content before and after (studies are frozen,
so a content is a short tuple of references). While others play (`start_play`) the same methods change a copy instead, which
is forgotten in the end: nothing that is saved, autosaved or undone ever sees it. Nothing here knows a page or a window.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.files.project import Project, Scene
from dpdesigner.studies import registry
from dpdesigner.studies.spending import RECORD, Account, kept
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
            return Project(self.studies, scenes, None if self.pinned is None else self.pinned.study, account, RECORD.kept)
        return Project(self.studies, scenes, places[self.pinned.key], account, RECORD.kept)

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
    if type(old) is not type(new):
        return ""
    before, now = vars(old), vars(new)
    inputs = [each.name for each in fields(new) if each.name != "name"]
    changed = [now[key] for key in inputs if isinstance(now[key], _SHOWN) and now[key] != before[key]]
    if len(changed) != 1:
        return ""
    text = changed[0].description if isinstance(changed[0], PrivacyLevel) else str(changed[0])
    return text if len(text) <= _LONGEST else ""


class UndoStep(QUndoCommand):
    """Replaces one content by another.

    Parameters
    ----------
    decide : Callable
        Called to make a content the document's; what is selected on the page stays.
    label : str
        What the user did; the history shows what stands before a line break, the menu the rest.
    old, new : Content
    merge : object
        Steps that follow each other with an equal value become one; None merges with nothing.
    """

    def __init__(
        self,
        decide: Callable[[Content], None],
        label: str,
        old: Content,
        new: Content,
        merge: object,
    ) -> None:
        super().__init__(label)
        self._decide, self._old, self._new, self._merge = decide, old, new, merge

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
        """Show the content after the step."""
        self._decide(self._new)

    def undo(self) -> None:
        """Show the content before the step."""
        self._decide(self._old)


class Document(QObject):
    """The open designs, at least one. Views listen; only the methods here change anything."""

    studyChanged = Signal(object)  #: the current study to show, including previews during a drag
    studiesChanged = Signal()  #: designs were added, removed or renamed, or another document was loaded
    currentChanged = Signal(int)  #: the index of the new current design
    scenesChanged = Signal()  #: scenes or the designs that they show have changed
    playChanged = Signal()  #: playing began, ended, has changed something, or was put back
    referenceChanged = Signal()  #: the design to compare with was replaced or removed
    samePeopleChanged = Signal()  #: which designs concern the same people, or the stated total, has changed
    releasesChanged = Signal()  #: a release of people's data was made, which is no step
    pathChanged = Signal()
    loaded = Signal()  #: another document replaced this one
    modifiedChanged = Signal(bool)

    def __init__(self, studies: Sequence[Study], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._clean_changed)
        self._path: Path | None = None
        self._untitled = "", ""  # the title, while the first design has this name
        self._preview: Study | None = None
        self._play: Content | None = None
        self._content = Content.of(studies)
        RECORD.take(())
        self._filed = self._known = RECORD.kept  # the releases that the file has, and those that were announced

    @property
    def content(self) -> Content:
        """The committed state that is saved: without a preview or the changes of players."""
        return self._content

    @property
    def visible(self) -> Content:
        """The state on the screen without a preview: the committed one, or the players' copy."""
        return self._content if self._play is None else self._play

    @property
    def designs(self) -> tuple[Design, ...]:
        """The designs, in order, without a preview."""
        return self.visible.designs

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes, in order."""
        return self.visible.scenes

    @property
    def index(self) -> int:
        """Index of the current design."""
        return self.visible.index

    @property
    def current(self) -> Design:
        """The current design, without a preview."""
        return self.visible.current

    @property
    def reference(self) -> Design | None:
        """The reference of the comparison: a design as it was when pinned; None if none is pinned."""
        return self.visible.pinned

    @property
    def study(self) -> Study:
        """The current study as shown: the preview during a drag."""
        return self.current.study if self._preview is None else self._preview

    @property
    def live(self) -> Content:
        """The state kept for recovery: the committed one, plus the preview of a drag that could still become a step."""
        return (self._content if self.playing else self._content.changed(self.study)).kept

    @property
    def unsaved(self) -> bool:
        """Whether there is unsaved work for recovery to keep."""
        return self.modified or (self.previewing and not self.playing)

    @property
    def playing(self) -> bool:
        """Whether changes apply to a copy."""
        return self._play is not None

    @property
    def played(self) -> bool:
        """Whether the copy differs from the committed state."""
        return self._play is not None and replace(self._play.kept, index=0) != replace(self._content.kept, index=0)

    @property
    def previewing(self) -> bool:
        """Whether a drag is in progress."""
        return self._preview is not None

    @property
    def modified(self) -> bool:
        """Whether there are changes that are not saved in any file."""
        return not self.undo_stack.isClean() or self._filed != RECORD.kept

    @property
    def path(self) -> Path | None:
        """The file it was read from or last saved to."""
        return self._path

    @property
    def title(self) -> str:
        """The name in the window title: the file's name, the example's until its first design is renamed, or that design's."""
        (title, name), first = self._untitled, self._content.designs[0]
        return self._path.stem if self._path else title if title and first.study.name == name else first.title

    def load(self, project: Project, path: Path | None = None, *, title: str = "", modified: bool = False) -> None:
        """Replace all designs and scenes and clear the history.

        Parameters
        ----------
        project : Project
            Its first design becomes the current one.
        path : Path or None
            The file they come from; None for an untitled document.
        title : str
            What an untitled document is called.
        modified : bool
            Whether they hold changes that no file holds (after a recovery).
        """
        self._content = Content.of(project.studies, project.scenes, project.reference, project.same_people)
        RECORD.take(project.releases, project.studies)
        self._filed = self._known = RECORD.kept
        self._preview = self._play = None
        self.undo_stack.clear()
        if modified:
            self.undo_stack.resetClean()
        self._untitled = title, project.studies[0].name
        self._path = path
        self.pathChanged.emit()
        self.studiesChanged.emit()
        self.scenesChanged.emit()
        self.playChanged.emit()
        self.referenceChanged.emit()
        self.samePeopleChanged.emit()
        self.currentChanged.emit(self.index)
        self.studyChanged.emit(self.study)
        self.loaded.emit()

    def mark_saved(self, path: Path) -> None:
        """Record that a file now holds the committed studies."""
        self._path, self._filed = path, RECORD.kept
        self.undo_stack.setClean()
        self.modifiedChanged.emit(self.modified)
        self.pathChanged.emit()

    def note_releases(self) -> None:
        """Announce releases that were made since the last time; the document is modified until a file has them."""
        if self._known != RECORD.kept:
            self._known = RECORD.kept
            self.releasesChanged.emit()
            self.modifiedChanged.emit(self.modified)

    def change(self, study: Study, label: str) -> None:
        """Change the current design to a study, as one undo step from the value before any preview."""
        value = changed_value(self.current.study, study)
        self._push(f"{label}: {value}\n{label}" if value else label, self.visible.changed(study))

    def preview(self, study: Study) -> None:
        """Show a study during a drag, with no undo step."""
        self._preview = study
        self.studyChanged.emit(study)

    def cancel_preview(self) -> None:
        """Abandon a drag: show the committed study again."""
        if self._preview is not None:
            self._preview = None
            self.studyChanged.emit(self.study)

    def add(self, study: Study) -> None:
        """Put a new design after the current one and make it the current one."""
        self._push(self.tr("Add design"), self.visible.inserted(study))

    def visit(self, study: Study) -> None:
        """Show a new design after the current one, with no undo step; it is not saved in any file until a step changes it.

        One of the same kind that was only looked at gives way to it.
        """
        self._show(self.visible.visiting(study))

    def keep(self) -> None:
        """Turn a design that is only visited into a regular one, as one undo step."""
        if self.current.visited and not self.playing:
            self._push(self.tr("Keep design"), self.visible.settled)

    def duplicate(self) -> None:
        """Insert a copy of the current design after it, under a unique name."""
        copy = self.current.study.replace(name=self.visible.free_name())
        self._push(self.tr("Duplicate design"), self.visible.inserted(copy))

    def remove(self) -> None:
        """Remove the current design, unless it is the only one."""
        if self.current.visited:
            self._show(self.visible.kept)
        elif len(self.designs) > 1:
            self._push(self.tr("Remove design"), self.visible.removed())

    def rename(self, name: str) -> None:
        """Give the current design another name."""
        self._push(self.tr("Rename design"), self.visible.changed(self.current.study.replace(name=name)))

    def pin(self, key: int | None) -> None:
        """Compare the designs with the current state of the one with this key, or with none."""
        label = self.tr("Unpin") if key is None else self.tr("Pin for comparison")
        pinned = next((design for design in self.designs if design.key == key), None)
        self._push(label, replace(self.visible, pinned=pinned))

    def set_same_people(self, account: Account | None) -> None:
        """Set which designs concern the same people, by their keys, and the total allowed, as one undo step."""
        self._push(self.tr("Same people"), replace(self.visible, same_people=account))

    def select(self, index: int) -> None:
        """Make another design the current one, if it still exists; this is not an undo step."""
        if 0 <= index < len(self.designs):
            self._show(self.visible.selected(index))

    def set_scenes(self, scenes: Sequence[Scene], label: str, merge: object = None) -> None:
        """Replace the scenes, as one undo step; consecutive steps with an equal `merge` become one."""
        self._push(label, replace(self.visible, scenes=tuple(scenes)), merge=merge)

    def start_play(self) -> None:
        """Apply all further changes to a copy only."""
        self.cancel_preview()
        if not self.playing:
            self._take(self._content, self._content)

    def put_back(self) -> None:
        """Undo all changes of the players; the design shown stays unless it exists only in the copy."""
        if self.playing:
            place = next((place for place, design in enumerate(self._content.designs) if design.key == self.current.key), None)
            self._take(self._content, self._content if place is None else self._content.selected(place))

    def end_play(self) -> None:
        """Discard the copy and return to the state before playing began."""
        if self.playing:
            self._take(self._content, None)

    def undo(self) -> None:
        """Undo the last step; during a drag, abandon the drag instead; while playing, undo all changes of the players."""
        if self.previewing:
            self.cancel_preview()
        elif self.playing:
            self.put_back()
        else:
            self.undo_stack.undo()

    def redo(self) -> None:
        """Redo the next step."""
        if not self.previewing and not self.playing:
            self.undo_stack.redo()

    def _push(self, label: str, new: Content, merge: object = None) -> None:
        if new == self.visible:
            self.cancel_preview()
        elif self.playing:
            self._show(new.settled)
        else:
            self.undo_stack.push(UndoStep(self._decide, label, self._content, new.settled, merge))

    def _decide(self, content: Content) -> None:
        self._take(content, self._play)

    def _show(self, content: Content) -> None:
        if self.playing:
            self._take(self._content, content)
        else:
            self._take(content, None)

    def _take(self, decided: Content, play: Content | None) -> None:
        """Replace the committed and the played state, and emit signals for all visible changes."""
        old, shown, previewed, play_before = self.visible, self.study, self.previewing, (self.playing, self.played)
        self._content, self._play, self._preview = decided, play, None
        content = self.visible
        if old.outline != content.outline:
            self.studiesChanged.emit()
        if (old.scenes, old.outline) != (content.scenes, content.outline):
            self.scenesChanged.emit()
        if old.pinned != content.pinned:
            self.referenceChanged.emit()
        if old.same_people != content.same_people:
            self.samePeopleChanged.emit()
        if old.current.key != content.current.key:
            self.currentChanged.emit(content.index)
        if old.current.key != content.current.key or previewed or shown != self.study:
            self.studyChanged.emit(self.study)
        if play_before != (self.playing, self.played):
            self.playChanged.emit()

    def _clean_changed(self, clean: bool) -> None:
        self.modifiedChanged.emit(self.modified)
