"""The demonstration in the window, and the notes of its narrator.

The audience sees a stage: over the window, or, where there is another screen, on that one, with the narrator's notes on the
window's. Only at the very end, and only if somebody presses Start, a design of theirs is added to the user's document.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMainWindow, QPushButton, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.presenting.presenting import chosen_screen
from dpdesigner.desktop.presenting.story import Scene, plain_text
from dpdesigner.desktop.presenting.story_stage import KEYS

if TYPE_CHECKING:
    from dpdesigner.desktop.presenting.story import Numbers
    from dpdesigner.desktop.presenting.story_stage import Stage


class Notes(QDialog):
    """A window on the narrator's screen; its keys and buttons also control the story.

    Parameters
    ----------
    scenes : sequence of Scene
    """

    moved = Signal(str)  #: as `Stage.moved`

    def __init__(self, scenes: Sequence[Scene], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Narrator’s notes"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._scenes = scenes
        self._clock = QElapsedTimer()
        self._clock.start()
        self.title, self.caption, self.next = (styled(style, wrapped=True) for style in ("title", "muted", "muted"))
        self.place, self.note, self.time = styled("muted"), QLabel(), QLabel()
        self.note.setWordWrap(True)
        for label in (self.title, self.caption, self.note, self.next):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.back, self.forward = QPushButton(self.tr("← Back")), QPushButton(self.tr("Next →"))
        self.back.clicked.connect(partial(self.moved.emit, "previous"))
        self.forward.clicked.connect(partial(self.moved.emit, "next"))
        for button in (self.back, self.forward):
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()
        self._lay_out()
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._tell_time)
        self._timer.start()
        self._at = (0, 0)

    def _lay_out(self) -> None:
        top, foot = row_of((self.place, 1), self.time), row_of((self.next, 1), self.back, self.forward)
        column_of(top, self.title, self.note, self.caption, None, foot, on=self, margins=(20, 16, 20, 16), gap=12)
        self.note.setFont(theme().font(14))
        self.resize(round(560 * theme().scale), round(380 * theme().scale))

    def show_step(self, scene: int, step: int) -> None:
        """Show the script for a step."""
        self._at = (scene, step)
        shown, following = self._scenes[scene], self._following(scene, step)
        words = self.tr("Scene {scene} of {count}, step {step} of {steps}")
        self.place.setText(words.format(scene=scene + 1, count=len(self._scenes), step=step + 1, steps=len(shown.steps)))
        self.title.setText(translated(shown.title))
        self.note.setText(translated(shown.steps[step].note))
        caption = plain_text(translated(shown.steps[step].caption))
        self.caption.setText(self.tr("They read: {caption}").format(caption=caption))
        self.next.setText(self.tr("Then: {title}").format(title=following) if following else self.tr("This is the end."))
        self._tell_time()

    def _following(self, scene: int, step: int) -> str:
        if step + 1 < len(self._scenes[scene].steps):
            return self.tr("the next step of this scene")
        return translated(self._scenes[scene + 1].title) if scene + 1 < len(self._scenes) else ""

    @property
    def planned(self) -> int:
        """The planned time in seconds up to the end of the current step."""
        scene, step = self._at
        shown = self._scenes[scene]
        return sum(past.seconds for past in self._scenes[:scene]) + round(shown.seconds * (step + 1) / len(shown.steps))

    def about_time(self, seconds: int) -> str:
        """Return the timing: elapsed, total, and the delay."""
        total = sum(scene.seconds for scene in self._scenes)
        late = seconds - self.planned
        words = self.tr("{gone} of {total}").format(gone=_minutes(seconds), total=_minutes(total))
        return words if late < 10 else self.tr("{time} · {late} s behind").format(time=words, late=late)

    @Slot()
    def _tell_time(self) -> None:
        self.time.setText(self.about_time(self._clock.elapsed() // 1000))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step the story; Esc and N close the notes alone."""
        move = KEYS.get(event.key())
        if move in ("end", "notes"):
            self.close()
        elif move is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(move)


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


class Demonstration(QObject):
    """The demonstration, scene by scene.

    Parameters
    ----------
    window : QMainWindow
    worker : Worker
        Computes what is told.
    """

    started = Signal(object)  #: a study requested in the last scene

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
        """Whether it is running."""
        return self.stage is not None

    @property
    def notes(self) -> Notes | None:
        """The narrator's notes, if open."""
        return self._notes if self._notes is not None and isValid(self._notes) and self._notes.isVisible() else None

    @Slot()
    def start(self) -> None:
        """Start; the first time, wait until its numbers have been computed."""
        if self.on:
            return
        if self._numbers is None:
            from dpdesigner.desktop.presenting.story import compute

            self._worker.submit(self, compute)
        else:
            self._open()

    @Slot()
    def stop(self) -> None:
        """End the demonstration and restore the window."""
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
        from dpdesigner.desktop.presenting.story import story
        from dpdesigner.desktop.presenting.story_stage import Stage

        window = self._window
        self._scenes = story(self._numbers)
        self._focus = QApplication.focusWidget()
        wanted = chosen_screen(preferences().choices.screen, window.screen(), QGuiApplication.screens())
        other = None if wanted is window.screen() else wanted
        ground = window.grab()
        stage = self.stage = Stage(self._scenes, self._numbers, ground, window)
        window.menuBar().setEnabled(False)  # a menu bar owned by the system is not covered by the stage
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

        self._notes = notes = Notes(self._scenes, self._window)
        notes.moved.connect(self._move)
        if self.stage is not None:
            notes.show_step(self.stage.scene, self.stage.step)
        room, place = self._window.frameGeometry(), notes.size()
        notes.move(room.right() - place.width() - 16, room.top() + 48)  # on the same screen, the caption stays visible
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
        """Keep the stage as large as the window."""
        if event.type() == QEvent.Type.Resize and self.stage is not None:
            self.stage.setGeometry(self._window.rect())
        return False
