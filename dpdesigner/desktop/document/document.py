"""The document: the designs that are open, which of them is current, where they are saved, and every step that can be undone.

All changes go through here, and each is one `QUndoStack` step that holds the whole content before and after (studies are frozen,
so a content is a short tuple of references). While others play (`start_play`) the same methods change a copy instead, which
is forgotten in the end: nothing that is saved, autosaved or undone ever sees it. Nothing here knows a page or a window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from dpdesigner.desktop.document.content import Content, Design, UndoStep, changed_value
from dpdesigner.files.project import Project, Scene
from dpdesigner.studies.spending import Account
from dpdesigner.studies.study import Study


class Document(QObject):
    """The open designs, at least one. Views listen; only the methods here change anything."""

    studyChanged = Signal(object)  #: the current study as it is to be shown, also while a drag previews it
    studiesChanged = Signal()  #: designs were added, removed or renamed, or another document was loaded
    currentChanged = Signal(int)  #: another design became the current one: its index
    scenesChanged = Signal()  #: scenes or the designs that they show have changed
    playChanged = Signal()  #: playing began, ended, has changed something, or was put back
    referenceChanged = Signal()  #: something else, or nothing, is what the designs are compared with
    samePeopleChanged = Signal()  #: other designs concern the same people, or another total is stated
    pathChanged = Signal()
    loaded = Signal()  #: another document took the place of this one
    modifiedChanged = Signal(bool)
    viewRestored = Signal(object)  #: the view state that belongs to an undone or redone step

    def __init__(self, studies: Sequence[Study], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._clean_changed)
        self._path: Path | None = None
        self._untitled = ""
        self._preview: Study | None = None
        self._play: Content | None = None
        self._content = Content.of(studies)

    @property
    def content(self) -> Content:
        """The decided state that is saved: without a preview, and without changes of players."""
        return self._content

    @property
    def visible(self) -> Content:
        """The state on the screen, without a preview: the decided one, or the copy of the players."""
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
        """The reference of the comparison: one of them as it was when it was pinned; None if none is pinned."""
        return self.visible.pinned

    @property
    def study(self) -> Study:
        """The current study as shown: the preview while a drag lasts."""
        return self.current.study if self._preview is None else self._preview

    @property
    def live(self) -> Content:
        """The state kept for recovery: the decided one, and the preview of a drag that could still become a step."""
        return (self._content if self.playing else self._content.changed(self.study)).kept

    @property
    def unsaved(self) -> bool:
        """Whether there is something for recovery to keep."""
        return self.modified or (self.previewing and not self.playing)

    @property
    def playing(self) -> bool:
        """Whether changes go to a copy."""
        return self._play is not None

    @property
    def played(self) -> bool:
        """Whether the copy differs from what is decided."""
        return self._play is not None and replace(self._play.kept, index=0) != replace(self._content.kept, index=0)

    @property
    def previewing(self) -> bool:
        """Whether a drag is under way."""
        return self._preview is not None

    @property
    def modified(self) -> bool:
        """Whether there are changes that no file holds."""
        return not self.undo_stack.isClean()

    @property
    def path(self) -> Path | None:
        """The file it was read from or last saved to."""
        return self._path

    @property
    def title(self) -> str:
        """The name in the window title: the file's name, the example's, or the first design's."""
        return self._path.stem if self._path else self._untitled or self._content.designs[0].title

    def load(self, project: Project, path: Path | None = None, *, title: str = "", modified: bool = False) -> None:
        """Take other designs and scenes in place of all and forget the history.

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
        self._preview = self._play = None
        self.undo_stack.clear()
        if modified:
            self.undo_stack.resetClean()
        self._untitled = title
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
        """Note that a file now holds the decided studies."""
        self._path = path
        self.undo_stack.setClean()
        self.pathChanged.emit()

    def change(self, study: Study, label: str, view: Mapping[str, Any] | None = None) -> None:
        """Make a study the current design's, as one undo step from the value before any preview."""
        value = changed_value(self.current.study, study)
        self._push(f"{label}: {value}\n{label}" if value else label, self.visible.changed(study), view)

    def preview(self, study: Study) -> None:
        """Show a study while a drag lasts, with no undo step."""
        self._preview = study
        self.studyChanged.emit(study)

    def cancel_preview(self) -> None:
        """Give a drag up: show the decided study again."""
        if self._preview is not None:
            self._preview = None
            self.studyChanged.emit(self.study)

    def add(self, study: Study) -> None:
        """Put a new design after the current one and make it the current one."""
        self._push(self.tr("Add design"), self.visible.inserted(study))

    def visit(self, study: Study) -> None:
        """Show a new design after the current one, with no undo step; until a step changes something it is in no file.

        One of the same kind that was only looked at gives way to it.
        """
        self._show(self.visible.visiting(study))

    def keep(self) -> None:
        """Make a design that is only looked at one of the document's own, as one undo step."""
        if self.current.visited and not self.playing:
            self._push(self.tr("Keep design"), self.visible.settled)

    def duplicate(self) -> None:
        """Put a copy of the current design after it, under a name of its own."""
        copy = self.current.study.replace(name=self.visible.free_name())
        self._push(self.tr("Duplicate design"), self.visible.inserted(copy))

    def remove(self) -> None:
        """Take the current design out, unless it is the only one."""
        if self.current.visited:
            self._show(self.visible.kept)
        elif len(self.designs) > 1:
            self._push(self.tr("Remove design"), self.visible.removed())

    def rename(self, name: str) -> None:
        """Give the current design another name."""
        self._push(self.tr("Rename design"), self.visible.changed(self.current.study.replace(name=name)))

    def pin(self, key: int | None) -> None:
        """Compare the designs with the one of this key as it is now, or with none."""
        label = self.tr("Unpin") if key is None else self.tr("Pin for comparison")
        pinned = next((design for design in self.designs if design.key == key), None)
        self._push(label, replace(self.visible, pinned=pinned))

    def set_same_people(self, account: Account | None) -> None:
        """Say which designs concern the same people, by their keys, and what total is allowed, as one undo step."""
        self._push(self.tr("Same people"), replace(self.visible, same_people=account))

    def select(self, index: int) -> None:
        """Make another design the current one, if it is still there; this is no undo step."""
        if 0 <= index < len(self.designs):
            self._show(self.visible.selected(index))

    def set_scenes(self, scenes: Sequence[Scene], label: str, merge: object = None) -> None:
        """Take other scenes, as one undo step; steps that follow each other with an equal `merge` become one."""
        self._push(label, replace(self.visible, scenes=tuple(scenes)), merge=merge)

    def start_play(self) -> None:
        """Change only a copy from now on."""
        self.cancel_preview()
        if not self.playing:
            self._take(self._content, self._content)

    def put_back(self) -> None:
        """Undo everything that was played; the design that is shown stays if it is not one of the copy's own."""
        if self.playing:
            place = next((place for place, design in enumerate(self._content.designs) if design.key == self.current.key), None)
            self._take(self._content, self._content if place is None else self._content.selected(place))

    def end_play(self) -> None:
        """Forget the copy: everything is as it was when playing began."""
        if self.playing:
            self._take(self._content, None)

    def undo(self) -> None:
        """Take the last step back; a drag under way is given up instead, and what was played is put back as a whole."""
        if self.previewing:
            self.cancel_preview()
        elif self.playing:
            self.put_back()
        else:
            self.undo_stack.undo()

    def redo(self) -> None:
        """Do the next step again."""
        if not self.previewing and not self.playing:
            self.undo_stack.redo()

    def _push(self, label: str, new: Content, view: Mapping[str, Any] | None = None, merge: object = None) -> None:
        if new == self.visible:
            self.cancel_preview()
        elif self.playing:
            self._show(new.settled)
        else:
            self.undo_stack.push(UndoStep(self._decide, label, self._content, new.settled, view or {}, merge))

    def _decide(self, content: Content, view: Mapping[str, Any]) -> None:
        self._take(content, self._play, view)

    def _show(self, content: Content) -> None:
        if self.playing:
            self._take(self._content, content)
        else:
            self._take(content, None)

    def _take(self, decided: Content, play: Content | None, view: Mapping[str, Any] | None = None) -> None:
        """Replace what is decided and what is played, and say what has changed on the screen."""
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
        if view:
            self.viewRestored.emit(view)

    def _clean_changed(self, clean: bool) -> None:
        self.modifiedChanged.emit(not clean)
