"""The document: the open designs, the current one, the file they are saved in, and every step that can be undone.

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

    studyChanged = Signal(object)  #: the current study to show, including previews during a drag
    studiesChanged = Signal()  #: designs were added, removed or renamed, or another document was loaded
    currentChanged = Signal(int)  #: the index of the new current design
    scenesChanged = Signal()  #: scenes or the designs that they show have changed
    playChanged = Signal()  #: playing began, ended, has changed something, or was put back
    referenceChanged = Signal()  #: the design to compare with was replaced or removed
    samePeopleChanged = Signal()  #: which designs concern the same people, or the stated total, has changed
    pathChanged = Signal()
    loaded = Signal()  #: another document replaced this one
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
        """Record that a file now holds the committed studies."""
        self._path = path
        self.undo_stack.setClean()
        self.pathChanged.emit()

    def change(self, study: Study, label: str, view: Mapping[str, Any] | None = None) -> None:
        """Change the current design to a study, as one undo step from the value before any preview."""
        value = changed_value(self.current.study, study)
        self._push(f"{label}: {value}\n{label}" if value else label, self.visible.changed(study), view)

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
        if view:
            self.viewRestored.emit(view)

    def _clean_changed(self, clean: bool) -> None:
        self.modifiedChanged.emit(not clean)
