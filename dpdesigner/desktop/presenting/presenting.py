"""Presenting scenes on a screen: keys, captions, and the window as it was afterwards.

While it lasts, changes go to a copy of the document: the audience may play, each step puts everything back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

from dpdesigner.desktop.base.labels import ErrorLine, announce
from dpdesigner.desktop.base.layouts import row_of, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.presenting.scenes import Scenes
from dpdesigner.files.project import Scene

Move = Literal["next", "previous", "first", "last", "end"]

_Key = Qt.Key
_ALWAYS: dict[int, Move] = {_Key.Key_PageDown: "next", _Key.Key_PageUp: "previous"}
_OUTSIDE_FIELDS: dict[int, Move] = {
    _Key.Key_Right: "next",
    _Key.Key_Left: "previous",
    _Key.Key_Home: "first",
    _Key.Key_End: "last",
    _Key.Key_Escape: "end",
}
_FREE: dict[int, Move] = {_Key.Key_Down: "next", _Key.Key_Up: "previous"}
_FIELDS = (QLineEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox)


def move_of(key: int, focus: QWidget | None) -> Move | None:
    """Return what a key does while presenting, or None if the focused control should get it.

    Page Up and Down (the keys of a clicker) always step; Left, Right, Home and End do outside text fields; Space does except on a
    button; Up and Down only while no control has the focus, since they work the controls.
    """
    if key in _ALWAYS:
        return _ALWAYS[key]
    if isinstance(focus, _FIELDS):
        return None
    if key in _OUTSIDE_FIELDS:
        return _OUTSIDE_FIELDS[key]
    if key == _Key.Key_Space:
        return None if isinstance(focus, QAbstractButton) else "next"
    return _FREE.get(key) if focus is None or focus.isWindow() else None


class PresentingKeys(QObject):
    """A filter for the keys pressed in one window, installed on the control that has the focus.

    It goes with the focus rather than watch the whole application, where every event of every object, also of one that is just
    being destroyed, would pass through Python.
    """

    moved = Signal(str)  #: a `Move`

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._stepping = self._watching = False
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def watch(self, stepping: bool) -> None:
        """Start watching; without `stepping`, only for the key that ends the presentation."""
        self.rest()
        self._stepping, self._watching = stepping, True
        self._window.installEventFilter(self)
        self._follow(None, self._window.focusWidget())

    def rest(self) -> None:
        """Stop watching."""
        self._watching = False
        self._window.removeEventFilter(self)
        self._follow(self._window.focusWidget(), None)

    @Slot(QWidget, QWidget)
    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and old is not self._window:
            old.removeEventFilter(self)
        if self._watching and new is not None and new.window() is self._window:
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that change the scene before shortcuts and controls see them."""
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        move = move_of(event.key(), self._window.focusWidget())
        if move is None or not (self._stepping or move == "end"):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        else:
            self.moved.emit(move)
        return True


#: The two choices that are not screen names: a screen other than the window's, if there is one, and the window's own.
OTHER, SAME = "", "same"
#: The screen for which unenlarged sizes are designed.
_NORMAL = QSize(1280, 720)
_LEAST, _MOST = 1.1, 3.0


def chosen_screen(choice: str, window: QScreen, screens: Sequence[QScreen]) -> QScreen:
    """Return the screen to present on.

    Parameters
    ----------
    choice : str
        `OTHER`, `SAME`, or the name of a screen; a screen that is gone counts as `OTHER`.
    window : QScreen
        Where the window is.
    screens : sequence of QScreen
        All there are.
    """
    if choice == SAME:
        return window
    named = [screen for screen in screens if choice and screen.name() == choice]
    others = [screen for screen in screens if screen is not window]
    return next(iter(named or others), window)


def enlargement(screen: QScreen) -> float:
    """Return the factor by which text and plots are enlarged on a screen while presenting; it grows with the screen."""
    size = screen.size()
    share = min(size.width() / _NORMAL.width(), size.height() / _NORMAL.height())
    return min(max(round(_LEAST * share, 2), _LEAST), _MOST)


#: Text size in points before enlargement.
TEXT = 12.5


class Caption(QFrame):
    """A label with the text of a scene."""

    def __init__(self) -> None:
        super().__init__()
        set_class(self, "bar")
        self._texts: Sequence[str] = ()
        self.text, self.keys = QLabel(), styled("small", self.tr("← → step · Tab ↑ ↓ try · Esc end"))
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.keys.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        row_of((self.text, 1), self.keys, on=self, margins=(16, 8, 16, 10), gap=24)
        theme().follow(self._restyle)
        self.hide()

    def set_scenes(self, scenes: Sequence[Scene]) -> None:
        """Reserve room for the longest text of these scenes."""
        self._texts = [scene.text for scene in scenes]
        self._fit()

    def set_scene(self, scene: Scene) -> None:
        """Show the text of a scene, and announce it to screen readers."""
        self.text.setText(scene.text)
        self.setAccessibleName(scene.title)
        self.setAccessibleDescription(scene.text)
        announce(self, f"{scene.title}. {scene.text}")

    @Slot()
    def _restyle(self) -> None:
        self.text.setFont(theme().font(TEXT))
        self._fit()

    def _fit(self) -> None:
        self.text.ensurePolished()
        around = QRect(0, 0, max(self.text.width(), 200), 10_000)
        wrapped = Qt.TextFlag.TextWordWrap
        heights = [self.text.fontMetrics().boundingRect(around, wrapped, text).height() for text in self._texts]
        self.text.setMinimumHeight(max(heights, default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


@dataclass(frozen=True)
class _Before:
    """The state that is restored at the end."""

    state: Qt.WindowState
    place: QRect
    shown: tuple[QWidget, ...]
    splitters: tuple[tuple[QSplitter, Any], ...]
    scene: int
    design: int
    views: Mapping[int, Mapping[str, Any]]
    playing: bool


class Presenting(QObject):
    """A switch between editing and presenting in one window, with steps through the scenes."""

    changed = Signal(bool)
    sceneShown = Signal(str, str)  #: the title of a scene and its number
    said = Signal(str)  #: a message to show for a moment
    tried = Signal(object)  #: a study edited during the presentation, which is now reset

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
        """Whether the window is presenting."""
        return self._before is not None

    @Slot()
    def start(self) -> None:
        """Present from the first scene; if there are no scenes, the current design."""
        self._start(0)

    @Slot()
    def start_here(self) -> None:
        """Present from the scene shown last."""
        self._start(max(self._scenes.index, 0))

    @Slot()
    def stop(self) -> None:
        """Restore the window as it was."""
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
        for splitter, sizes in before.splitters:
            splitter.restoreState(sizes)
        self.changed.emit(False)
        self._bring_back(before)  # with the selections, of which pages hide some from an audience
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
