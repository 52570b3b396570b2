"""The narrator's notes: what to say to the scene that the audience sees, what comes next, and how late it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from dpdesigner.desktop.demonstration.stage import KEYS
from dpdesigner.desktop.demonstration.story import Scene, plain_text
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.layouts import column_of, row_of, styled


class Notes(QDialog):
    """Stands on the narrator's screen, beside the stage; its keys and buttons lead the story as well.

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
        """Show what to say to a step."""
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
        """How many seconds the story should have taken up to the end of the step that is shown."""
        scene, step = self._at
        shown = self._scenes[scene]
        return sum(past.seconds for past in self._scenes[:scene]) + round(shown.seconds * (step + 1) / len(shown.steps))

    def about_time(self, seconds: int) -> str:
        """Return how late it is: gone, of all, and how far behind."""
        total = sum(scene.seconds for scene in self._scenes)
        late = seconds - self.planned
        words = self.tr("{gone} of {total}").format(gone=_minutes(seconds), total=_minutes(total))
        return words if late < 10 else self.tr("{time} · {late} s behind").format(time=words, late=late)

    @Slot()
    def _tell_time(self) -> None:
        self.time.setText(self.about_time(self._clock.elapsed() // 1000))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Lead the story from here as well."""
        move = KEYS.get(event.key())
        if move is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(move)


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"
