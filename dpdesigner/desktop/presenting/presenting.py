"""Presenting: the scenes one after the other, full screen, enlarged, without controls; and back exactly as it was.

While it lasts, changes go to a copy of the document: the audience may play, each step puts everything back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.presenting.caption import Caption
from dpdesigner.desktop.presenting.keys import PresentingKeys
from dpdesigner.desktop.presenting.scenes import Scenes
from dpdesigner.desktop.presenting.screens import chosen_screen, enlargement
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.widgets.base.labels import ErrorLine


@dataclass(frozen=True)
class _Before:
    """What comes back in the end."""

    state: Qt.WindowState
    place: QRect
    shown: tuple[QWidget, ...]
    splitters: tuple[tuple[QSplitter, Any], ...]
    scene: int
    design: int
    views: Mapping[int, Mapping[str, Any]]
    playing: bool


class Presenting(QObject):
    """Switches a window between editing and presenting, and steps through the scenes."""

    changed = Signal(bool)
    sceneShown = Signal(str, str)  #: the title of a scene and its number
    said = Signal(str)  #: a sentence for a moment
    tried = Signal(object)  #: a study that was made while presenting and is put back now

    def __init__(
        self, window: QMainWindow, document: Document, host: PageHost, scenes: Scenes, caption: Caption, hidden: Sequence[QWidget]
    ) -> None:
        super().__init__(window)
        self._window, self._document, self._host = window, document, host
        self._scenes, self._caption, self._hidden = scenes, caption, hidden
        self._before: _Before | None = None
        self._keys = PresentingKeys(window)
        self._keys.moved.connect(self._move)
        scenes.chosen.connect(self._show_caption)

    @property
    def on(self) -> bool:
        """Whether the window presents."""
        return self._before is not None

    @Slot()
    def start(self) -> None:
        """Present from the first scene; without scenes, the current design."""
        self._start(0)

    @Slot()
    def start_here(self) -> None:
        """Present from the scene shown last."""
        self._start(max(self._scenes.index, 0))

    @Slot()
    def stop(self) -> None:
        """Bring everything back."""
        before = self._before
        if before is None:
            return
        tried = self._document.study if self._document.played and not before.playing else None
        self._before = None
        ErrorLine.hush(False, self._window)
        self._keys.rest()
        self._caption.hide()
        preferences().set_enlargement(None)
        self._window.setWindowState(Qt.WindowState.WindowNoState)
        self._window.setGeometry(before.place)
        self._window.setWindowState(before.state)
        for widget in before.shown:
            widget.show()
        self._bring_back(before)
        for splitter, sizes in before.splitters:
            splitter.restoreState(sizes)
        self.changed.emit(False)
        if tried is not None:
            self.tried.emit(tried)

    def _start(self, place: int) -> None:
        if self.on:
            return
        window, document = self._window, self._document
        document.cancel_preview()
        self._before = _Before(
            state=window.windowState(),
            place=window.normalGeometry(),
            shown=tuple(widget for widget in self._hidden if not widget.isHidden()),
            splitters=tuple((splitter, splitter.saveState()) for splitter in self._host.findChildren(QSplitter)),
            scene=self._scenes.index,
            design=document.index,
            views=self._host.views(),
            playing=document.playing,
        )
        for widget in self._before.shown:
            widget.hide()
        document.start_play()
        ErrorLine.hush(True, window)
        self._fill_screen()
        for design in document.designs:
            self._host.page_of(design.study.kind)  # made now, so that no step takes long
        self.changed.emit(True)
        if document.scenes:
            self._caption.show()
            self._caption.set_scenes(document.scenes)
            self._show(place)
        self._keys.watch(stepping=bool(document.scenes))

    def _fill_screen(self) -> None:
        window = self._window
        screen = chosen_screen(preferences().choices.screen, window.screen(), QGuiApplication.screens())
        preferences().set_enlargement(enlargement(screen))
        if screen is not window.screen():
            window.setWindowState(Qt.WindowState.WindowNoState)
            window.setGeometry(screen.geometry())
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)

    def _bring_back(self, before: _Before) -> None:
        if before.playing:
            self._document.put_back()
            self._document.select(min(before.design, len(self._document.designs) - 1))
        else:
            self._document.end_play()
        self._host.set_views(before.views)
        self._scenes.mark(before.scene)

    @Slot(str)
    def _move(self, move: str) -> None:
        last = len(self._document.scenes) - 1
        if move == "end":
            self.stop()
        else:
            places = {"next": self._scenes.index + 1, "previous": self._scenes.index - 1, "first": 0, "last": last}
            if places[move] > last:
                self.said.emit(self.tr("This was the last scene. Esc ends the presentation."))
            elif places[move] >= 0:
                self._show(places[move])

    def _show(self, place: int) -> None:
        self._scenes.show(place)
        self._window.setFocus()

    @Slot(int)
    def _show_caption(self, place: int) -> None:
        if self.on and place >= 0:
            scene = self._document.scenes[place]
            self._caption.set_scene(scene)
            self.sceneShown.emit(scene.title, f"{place + 1} / {len(self._document.scenes)}")
