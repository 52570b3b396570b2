"""What the keys do in the plot of a distribution, and that it shows where they work."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.distribution.reshaping import replaced
from dpdesigner.desktop.widgets.distribution.view import DistributionView
from dpdesigner.desktop.widgets.distribution.weight_rules import Settled
from dpdesigner.desktop.widgets.gesture.gesture import Gesture

_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class KeyedView(DistributionView):
    """Left and Right choose a bar, Up and Down raise and lower it, Delete clears it, L locks it, Esc gives a gesture up."""

    chosen = Signal(int)  #: a bar was chosen
    lock_wanted = Signal(int)  #: a bar is to be locked, or let go

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gesture = Gesture(self, np.array_equal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def held_down(self) -> bool:
        """Whether a button of the mouse is down."""
        return False

    def step(self, count: int, steps: float) -> None:
        """Raise a bar so many times."""
        raise NotImplementedError

    def cancel(self) -> bool:
        """Give the gesture up; return whether there was one."""
        raise NotImplementedError

    def commit(self, settled: Settled, words: str) -> None:
        """Take an edit that is over as soon as it is made."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose, raise, lower, clear and lock bars, or give the gesture up."""
        keys, key = Qt.Key, Qt.Key(event.key())
        chosen = self.bars.selected
        count = int(np.argmax(self.weights)) if chosen is None else chosen
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if key == keys.Key_Escape and self.cancel():
            return
        if self.blank and (key == keys.Key_Escape or event.matches(QKeySequence.StandardKey.Undo)):
            self.set_blank(False)
            return
        if not plain or self.held_down:
            event.ignore()
        elif key in (keys.Key_Left, keys.Key_Right):
            self.gesture.finish()
            step = 0 if chosen is None else 1 if key == keys.Key_Right else -1
            self.chosen.emit(min(max(count + step, 0), len(self.weights) - 1))
        elif key in (keys.Key_Up, keys.Key_Down, keys.Key_Plus, keys.Key_Minus):
            self.step(count, 1 if key in (keys.Key_Up, keys.Key_Plus) else -1)
        elif key in (keys.Key_Delete, keys.Key_Backspace):
            self.commit(replaced(self.weights, count, 0.0, self.rules), self.tr("Clear count {count}").format(count=count))
        elif key == keys.Key_L:
            self.lock_wanted.emit(count)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """Undo what left nothing to draw here, where the document knows nothing of it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self.blank and event.matches(QKeySequence.StandardKey.Undo):
                event.accept()
                return True
        return bool(super().event(event))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Leave it to the parent: pyqtgraph would give it to its scene."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys work here."""
        self.set_focused(event.reason() in _BY_KEY)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no more that the keys work here."""
        self.set_focused(False)
        super().focusOutEvent(event)
