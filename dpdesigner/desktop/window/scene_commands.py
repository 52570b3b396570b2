"""Connects scenes, presenting and playing: the strip of scenes, the Present menu, the mark in the header."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot

from dpdesigner.desktop.window.layout import Parts


class SceneCommands(QObject):
    """The commands of one window that have to do with its scenes."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        self._comparing = False
        self._document, self._scenes, self._panel, self._menus = parts.document, parts.scenes, parts.scenes_panel, parts.menus
        self._connect_panel()
        self._connect_menus()
        self._document.playChanged.connect(self._show_play)
        parts.presenting.changed.connect(self._show_play)
        parts.presenting.changed.connect(self._put_comparison_aside)
        parts.presenting.tried.connect(self._offer_tried)
        self._show_scenes()

    def _connect_panel(self) -> None:
        panel, scenes = self._panel, self._scenes
        panel.showAsked.connect(scenes.show)
        panel.captionEdited.connect(scenes.set_caption)
        panel.orderAsked.connect(scenes.arrange)
        panel.list.moveAsked.connect(scenes.move)
        panel.list.removeAsked.connect(scenes.remove)
        panel.shownChanged.connect(self._menus.scenes.setChecked)
        scenes.chosen.connect(self._show_scenes)
        self._document.scenesChanged.connect(self._show_scenes)
        self._document.loaded.connect(self._open_panel)

    def _connect_menus(self) -> None:
        menus = self._menus
        menus.scenes.toggled.connect(self._panel.setVisible)
        menus.add_scene.triggered.connect(self._add)
        menus.update_scene.triggered.connect(self._scenes.retake)
        menus.remove_scene.triggered.connect(self._scenes.remove)
        menus.play.triggered.connect(self._let_play)

    @Slot()
    def _add(self) -> None:
        self._scenes.add()
        self._panel.show()
        self._panel.title.setFocus()
        self._panel.title.selectAll()

    @Slot()
    def _open_panel(self) -> None:
        """Show the scenes that come with a document; an empty strip takes no room from one without."""
        self._panel.setVisible(bool(self._document.scenes))

    @Slot()
    def _show_scenes(self) -> None:
        self._panel.set_scenes(self._document.scenes, self._scenes.index)
        for action in (self._menus.update_scene, self._menus.remove_scene):
            action.setEnabled(self._scenes.index >= 0)

    @Slot(bool)
    def _let_play(self, on: bool) -> None:
        if on:
            self._document.start_play()
        else:
            self._document.end_play()

    @Slot()
    def _show_play(self) -> None:
        locked = self._document.playing and not self._parts.presenting.on
        self._menus.play.setChecked(locked)
        self._parts.header.mark.setVisible(locked)

    @Slot(bool)
    def _put_comparison_aside(self, presenting: bool) -> None:
        """Scenes show pages: a comparison that is open comes back afterwards."""
        if presenting:
            self._comparing = self._menus.compare.isChecked()
        self._menus.compare.setChecked(self._comparing and not presenting)

    @Slot(object)
    def _offer_tried(self, study: Any) -> None:
        text = self.tr("The document is restored to its state before presenting. You can keep the last changes as a new design.")
        self._parts.banner.ask(text, self.tr("Keep changes"), partial(self._document.add, study))
