"""The scenes of a document: taken from what is on the screen, shown again, named, ordered; each change is one undo step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.files.project import Scene


class Scenes(QObject):
    """Leads between the document's scenes and the page, and knows which scene was shown last."""

    chosen = Signal(int)  #: the place of the scene that is shown, or -1

    def __init__(self, document: Document, host: PageHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._host = host
        self._index = -1
        self._chosen: Scene | None = None
        document.scenesChanged.connect(self._follow)

    @property
    def index(self) -> int:
        """Place of the scene that was shown last; -1 if none was."""
        return self._index

    @property
    def scene(self) -> Scene | None:
        """The scene that was shown last."""
        return self._chosen

    def show(self, place: int) -> None:
        """Show a scene as it was taken; what was played before is put back."""
        self._document.cancel_preview()
        self._document.put_back()
        if place >= len(self._document.scenes):  # it was made while playing
            return
        scene = self._document.scenes[place]
        self._document.select([design.key for design in self._document.designs].index(scene.design))
        if self._host.page is not None:
            self._host.page.set_view_state(scene.view)
        self._choose(place)

    @Slot()
    def add(self) -> None:
        """Make a scene of what is on the screen, after the one shown last."""
        place = self._index + 1 if self._index >= 0 else len(self._document.scenes)
        scene = self._taken(Scene(0, title=self._document.current.title))
        scenes = self._document.scenes
        self._document.set_scenes((*scenes[:place], scene, *scenes[place:]), self.tr("Add scene"))
        self._choose(place)

    @Slot()
    def retake(self) -> None:
        """Let the scene show what is on the screen; its caption stays."""
        if self.scene is not None:
            self._change(self._taken(self.scene), self.tr("Update scene"))

    def set_caption(self, title: str, text: str, typing: object) -> None:
        """Give the scene another caption.

        Parameters
        ----------
        title, text : str
        typing : object
            Changes that follow each other with the same object are one undo step.
        """
        if self.scene is not None:
            self._change(replace(self.scene, title=title, text=text), self.tr("Edit caption"), (self._index, typing))

    def move(self, steps: int) -> None:
        """Move the scene later (or earlier) by some places."""
        place = self._index + steps
        if self._index >= 0 and 0 <= place < len(self._document.scenes):
            order = list(range(len(self._document.scenes)))
            order.insert(place, order.pop(self._index))
            self.arrange(order)

    def arrange(self, order: Sequence[int]) -> None:
        """Put the scenes into another order, given by their places now."""
        scenes = self._document.scenes
        place = list(order).index(self._index) if self._index >= 0 else -1
        self._document.set_scenes([scenes[old] for old in order], self.tr("Move scene"))
        self._choose(place)

    @Slot()
    def remove(self) -> None:
        """Take the scene out; the next one is then the chosen one, without being shown."""
        if self.scene is not None:
            place, scenes = self._index, self._document.scenes
            self._document.set_scenes(scenes[:place] + scenes[place + 1 :], self.tr("Remove scene"))
            self._choose(min(place, len(self._document.scenes) - 1))

    def mark(self, place: int) -> None:
        """Take a scene for the one shown last, without showing it."""
        self._choose(min(place, len(self._document.scenes) - 1))

    def _taken(self, scene: Scene) -> Scene:
        view = self._host.page.view_state() if self._host.page is not None else {}
        return replace(scene, design=self._document.current.key, view=dict(view))

    def _change(self, scene: Scene, label: str, merge: object = None) -> None:
        scenes = self._document.scenes
        self._document.set_scenes((*scenes[: self._index], scene, *scenes[self._index + 1 :]), label, merge)
        self._choose(self._index)

    def _choose(self, place: int) -> None:
        self._index = place
        self._chosen = self._document.scenes[place] if place >= 0 else None
        self.chosen.emit(place)

    @Slot()
    def _follow(self) -> None:
        """Go with the scene where it has moved; forget it where the scenes of another document, or fewer, are there now."""
        scenes, chosen = self._document.scenes, self._chosen
        if chosen is None or chosen.design not in {scene.design for scene in scenes}:
            self._choose(-1)
        elif chosen in scenes and scenes[self._index : self._index + 1] != (chosen,):
            self._choose(scenes.index(chosen))
        else:
            self._choose(min(self._index, len(scenes) - 1))
