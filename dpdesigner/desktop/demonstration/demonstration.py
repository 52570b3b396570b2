"""Gives the demonstration over a window, and the window back as it was: it asks nothing, saves nothing and changes nothing.

The audience sees a stage: over the window, or, where there is another screen, on that one, with the narrator's notes on the
window's. Only at the very end, and only if somebody presses Start, a design of theirs is added to the user's document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.presenting.screens import chosen_screen
from dpdesigner.desktop.theme.preferences import preferences

if TYPE_CHECKING:
    from dpdesigner.desktop.demonstration.notes import Notes
    from dpdesigner.desktop.demonstration.numbers import Numbers
    from dpdesigner.desktop.demonstration.stage import Stage
    from dpdesigner.desktop.demonstration.story import Scene


class Demonstration(QObject):
    """Leads through the story.

    Parameters
    ----------
    window : QMainWindow
    worker : Worker
        Computes what is told.
    """

    started = Signal(object)  #: a study that somebody asked for in the last scene

    def __init__(self, window: QMainWindow, worker: Worker) -> None:
        super().__init__(window)
        self._window, self._worker = window, worker
        self.stage: Stage | None = None
        self._notes: Notes | None = None
        self._numbers: Numbers | None = None
        self._scenes: tuple[Scene, ...] = ()
        self._focus: QWidget | None = None
        worker.answered.connect(self._take)

    @property
    def on(self) -> bool:
        """Whether it is under way."""
        return self.stage is not None

    @property
    def notes(self) -> Notes | None:
        """The narrator's notes, while they are open."""
        return self._notes if self._notes is not None and isValid(self._notes) and self._notes.isVisible() else None

    @Slot()
    def start(self) -> None:
        """Begin; the first time, once what it tells is computed."""
        if self.on:
            return
        if self._numbers is None:
            from dpdesigner.desktop.demonstration.numbers import compute

            self._worker.submit(self, compute)
        else:
            self._open()

    @Slot()
    def stop(self) -> None:
        """Give the window back."""
        stage, self.stage = self.stage, None
        if stage is None:
            return
        self._window.removeEventFilter(self)
        if self.notes is not None:
            self.notes.close()
        stage.close()
        stage.deleteLater()
        self._window.menuBar().setEnabled(True)
        if self._focus is not None and isValid(self._focus):
            self._focus.setFocus()
        self._focus = None

    @Slot(object, object)
    def _take(self, key: object, answer: Any) -> None:
        if key is self:
            self._numbers = answer
            self._open()

    def _open(self) -> None:
        if self.on or self._numbers is None:
            return
        from dpdesigner.desktop.demonstration.stage import Stage
        from dpdesigner.desktop.demonstration.story import story

        window = self._window
        self._scenes = story(self._numbers)
        self._focus = QApplication.focusWidget()
        wanted = chosen_screen(preferences().choices.screen, window.screen(), QGuiApplication.screens())
        other = None if wanted is window.screen() else wanted
        ground = window.grab()
        stage = self.stage = Stage(self._scenes, self._numbers, ground, window)
        window.menuBar().setEnabled(False)  # where the system has it, the stage does not cover it
        if other is None:
            stage.setGeometry(window.rect())
            window.installEventFilter(self)
        else:
            stage.setWindowFlag(Qt.WindowType.Window)
            stage.setGeometry(other.geometry())
            stage.setWindowState(Qt.WindowState.WindowFullScreen)
        stage.moved.connect(self._move)
        stage.sceneAsked.connect(self._go_to)
        stage.form.started.connect(self._begin)
        stage.form.ended.connect(self.stop)
        stage.form.stepped.connect(self._move)
        stage.show()
        stage.raise_()
        if other is not None:
            self._open_notes()
            stage.activateWindow()
        self._show(0, 0)

    def _open_notes(self) -> None:
        if self.notes is not None:
            self.notes.close()
            return
        from dpdesigner.desktop.demonstration.notes import Notes

        self._notes = notes = Notes(self._scenes, self._window)
        notes.moved.connect(self._move)
        if self.stage is not None:
            notes.show_step(self.stage.scene, self.stage.step)
        notes.show()

    @Slot(str)
    def _move(self, move: str) -> None:
        if self.stage is None:
            return
        scene, step = self.stage.scene, self.stage.step
        if move == "end":
            self.stop()
        elif move == "notes":
            self._open_notes()
        elif move in ("first", "last"):
            self._show(0 if move == "first" else len(self._scenes) - 1, 0)
        elif move == "next":
            if step + 1 < len(self._scenes[scene].steps):
                self._show(scene, step + 1)
            elif scene + 1 < len(self._scenes):
                self._show(scene + 1, 0)
        elif step:
            self._show(scene, step - 1)
        elif scene:
            self._show(scene - 1, len(self._scenes[scene - 1].steps) - 1)

    @Slot(int)
    def _go_to(self, scene: int) -> None:
        self._show(scene, 0)

    def _show(self, scene: int, step: int) -> None:
        if self.stage is not None:
            self.stage.show_step(scene, step)
        if self.notes is not None:
            self.notes.show_step(scene, step)

    @Slot(object)
    def _begin(self, study: Any) -> None:
        self.stop()
        self.started.emit(study)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the whole window, whatever its size."""
        if event.type() == QEvent.Type.Resize and self.stage is not None:
            self.stage.setGeometry(self._window.rect())
        return False
