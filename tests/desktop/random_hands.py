"""Hands that press, drag, type and choose at random, the same for the same seed, with a stopwatch for each thing they do."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop import mouse
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.window.main_window import MainWindow

Keys, Buttons, Modifiers = Qt.Key, Qt.MouseButton, Qt.KeyboardModifier

_MOVES = [getattr(Keys, f"Key_{move}") for move in ("Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown")]
_EDITS = [Keys.Key_Return, Keys.Key_Escape, Keys.Key_Space, Keys.Key_Delete, Keys.Key_Backspace, Keys.Key_Plus, Keys.Key_Minus]
_WALKS = [Keys.Key_Tab, Keys.Key_Tab, Keys.Key_Backtab, Keys.Key_F1, Keys.Key_F2, Keys.Key_F5, Keys.Key_F6, Keys.Key_F11]
_LETTERS = [getattr(Keys, f"Key_{letter}") for letter in "ABCDEGHKNOPRSXYZ0123456789"]
_MODIFIERS = [
    *(Modifiers.NoModifier,) * 3,
    *(Modifiers.ControlModifier, Modifiers.ShiftModifier, Modifiers.ControlModifier | Modifiers.ShiftModifier),
]
_DROPPED = ["a.dpd", "b.dpd", "missing/c.dpd", "counts.csv"]
_TEXTS = ["0", "1", "7", "0.5", "1/3", "ln 2", "20 %", "1e-6", "700", "40", "150", "-1", "abc", "", "inf", "nan", "r*r"]


@dataclass(frozen=True)
class Deed:
    """What was done, and the most seconds of its own that the window's thread then worked before it looked for input again."""

    seconds: float
    words: str


class Hands:
    """Work one window."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self._window = window
        self._chance = random.Random(seed)
        self.deeds: list[Deed] = []
        self._top: QWidget = window
        self._doing = False
        self._since = self._longest = 0.0
        self._timer = QTimer(window)
        self._timer.setInterval(20)
        self._timer.timeout.connect(self._leave)
        self._timer.start()

    def act(self) -> None:
        """Do one thing and let the window answer."""
        kinds: list[tuple[int, Callable[[], str]]] = [
            (22, self._click),
            (14, self._drag),
            (8, self._turn),
            (24, self._press_key),
            (8, self._type),
            (12, self._command),
            (10, self._push),
            (2, self._resize),
            (2, self._drop),
        ]
        deed = self._chance.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]
        self._since, self._longest = time.thread_time(), 0.0
        self._doing = True
        words = deed()
        self._doing = False
        self._answer()
        self.deeds.append(Deed(self._longest, words))

    def _answer(self) -> None:
        """Let the window answer what was done last; every desktop's event loop looks for input before it lays out and paints."""
        self._lap()
        QApplication.processEvents()
        self._lap()

    def _lap(self) -> None:
        """The window looks for input: a stretch of work has ended."""
        before, self._since = self._since, time.thread_time()
        self._longest = max(self._longest, self._since - before)

    def slowest(self, many: int = 10) -> list[str]:
        """What took longest."""
        worst = sorted(self.deeds, key=lambda deed: -deed.seconds)[:many]
        return [f"{1000 * deed.seconds:.0f} ms: {deed.words}" for deed in worst]

    # Where ---------------------------------------------------------------------------------------------------------------

    def _front(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window

    def _place(self) -> tuple[QWidget, QPoint]:
        top = self._front()
        point = QPoint(self._chance.randrange(max(1, top.width())), self._chance.randrange(max(1, top.height())))
        self._top = top  # Python forgets the children of a popup of Qt's own together with the popup
        widget = top.childAt(point) or top
        return widget, widget.mapFrom(top, point)

    def _modifiers(self) -> Modifiers:
        return self._chance.choice(_MODIFIERS)

    # What ----------------------------------------------------------------------------------------------------------------

    def _click(self) -> str:
        widget, here = self._place()
        button = self._chance.choice([Buttons.LeftButton] * 4 + [Buttons.RightButton, Buttons.MiddleButton])
        actions = QTest.mouseClick, QTest.mouseClick, QTest.mouseDClick, QTest.mousePress, QTest.mouseRelease
        action = self._chance.choice(actions)
        words = f"{action.__name__} {button.name} on {name(widget)}"
        try:
            action(widget, button, self._modifiers(), here)
        except RuntimeError:
            if isValid(widget):  # it may go away while it is pressed
                raise
        return words

    def _drag(self) -> str:
        widget, here = self._place()
        button, keys = self._chance.choice([Buttons.LeftButton] * 4 + [Buttons.RightButton]), self._modifiers()
        words = f"drag {button.name} on {name(widget)}"
        steps = self._chance.randrange(1, 6)
        reach = max(1, widget.width()), max(1, widget.height())
        points = [here, *(QPoint(self._chance.randrange(reach[0]), self._chance.randrange(reach[1])) for _ in range(steps))]
        kinds = [QEvent.Type.MouseButtonPress, *[QEvent.Type.MouseMove] * steps, QEvent.Type.MouseButtonRelease]
        for kind, point in zip(kinds, [*points, points[-1]], strict=True):
            if not isValid(widget):
                break
            held = Buttons.NoButton if kind == QEvent.Type.MouseButtonRelease else button
            changed = Buttons.NoButton if kind == QEvent.Type.MouseMove else button
            at = QPointF(point)
            QApplication.sendEvent(widget, QMouseEvent(kind, at, widget.mapToGlobal(at), changed, held, keys))
            if self._chance.random() < 0.1:
                meanwhile = self._chance.choice([Keys.Key_Escape, Keys.Key_Z])
                QTest.keyClick(QApplication.focusWidget() or self._front(), meanwhile, keys)
            self._answer()
        return words

    def _turn(self) -> str:
        widget, here = self._place()
        words = f"wheel on {name(widget)}"
        turns = QPoint(0, self._chance.choice([-360, -120, -15, 15, 120, 360]))
        at = QPointF(here)
        phase = Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(at, widget.mapToGlobal(at), QPoint(), turns, Buttons.NoButton, self._modifiers(), phase, False)
        QApplication.sendEvent(widget, event)
        return words

    def _press_key(self) -> str:
        widget = QApplication.activePopupWidget() or QApplication.focusWidget() or self._front()
        key = self._chance.choice(self._chance.choice([_MOVES, _EDITS, _WALKS, _LETTERS]))
        keys = self._modifiers()
        words = f"key {key.name} {keys.name} on {name(widget)}"
        if not (key == Keys.Key_Q and keys & Modifiers.ControlModifier):
            QTest.keyClick(widget, key, keys)
        return words

    def _type(self) -> str:
        widget = QApplication.focusWidget() or self._front()
        text = self._chance.choice(_TEXTS)
        words = f"type {text!r} on {name(widget)}"
        QTest.keyClick(widget, Keys.Key_A, Modifiers.ControlModifier)
        QTest.keyClicks(QApplication.focusWidget() or self._front(), text)
        QTest.keyClick(QApplication.focusWidget() or self._front(), Keys.Key_Return)
        return words

    def _command(self) -> str:
        if QApplication.activeModalWidget() is not None:
            return self._close()
        quit_action = self._window.menus.quit
        actions: list[QAction] = [action for _, action in self._window.menus.commands() if action is not quit_action]
        action = self._chance.choice(actions)
        words = f"command {action.text()}"
        action.trigger()
        return words

    def _push(self) -> str:
        """Press one of the buttons, wherever it is, so that small ones have their turn."""
        front = QApplication.activeModalWidget() or self._window.demonstration.stage or self._window  # which it covers
        buttons = [button for button in front.findChildren(QAbstractButton) if button.isVisible() and button.isEnabled()]
        if not buttons:
            return self._close()
        button = self._chance.choice(buttons)
        words = f"push {name(button)}"
        QTest.mouseClick(button, Buttons.LeftButton)
        return words

    def _leave(self) -> None:
        """Choose from a menu, or close a dialog, that waits for an answer before what was done goes on."""
        self._lap()
        front = self._front()
        if self._doing and front is not self._window:
            if self._chance.random() < 0.5:
                QTest.keyClick(front, Keys.Key_Down)
                if isValid(front):
                    QTest.keyClick(front, Keys.Key_Return)
            else:
                front.close()

    def _close(self) -> str:
        front = self._front()
        if front is not self._window:
            words = f"close {name(front)}"
            front.close()
            return words
        return "nothing"

    def _resize(self) -> str:
        width, height = self._chance.choice([(1280, 720), (1280, 720), (2560, 1440), (900, 620), (1000, 1400), (400, 300)])
        self._window.resize(width, height)
        return f"resize to {width} x {height}"

    def _drop(self) -> str:
        """Drop one or two files from the working folder on the window."""
        if self._front() is not self._window:
            return self._close()
        dropped = self._chance.sample(_DROPPED, self._chance.choice([1, 1, 1, 2]))
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(Path(file).absolute())) for file in dropped])
        at = QPoint(self._chance.randrange(self._window.width()), self._chance.randrange(self._window.height()))
        mouse.drop(self._window, QPointF(at), data)
        return f"drop {', '.join(dropped)}"


def name(widget: QWidget) -> str:
    """What a widget is, in words for a report."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {(widget.accessibleName() or widget.objectName() or text)[:60]!r}"
