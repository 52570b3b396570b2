"""Edits of a distribution: the one change that each gesture comes to, and what the keys do."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.distribution.handle_curve import HandleCurve, HandleDrag
from dpdesigner.desktop.widgets.distribution.reshaping import raised, replaced
from dpdesigner.desktop.widgets.distribution.stroke import Stroke
from dpdesigner.desktop.widgets.distribution.view import DistributionView
from dpdesigner.desktop.widgets.distribution.weight_rules import Floats, Settled

_STEP = 0.05  # of the highest bar: one key press or notch of the wheel
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class EditedView(DistributionView):
    """Left and Right choose a bar, Up and Down raise and lower it, Delete clears it, L locks it, Esc gives a gesture up."""

    changing = Signal(object)  #: weights, at most once an event, while a gesture lasts
    changed = Signal(object, str)  #: weights at its end, and the words of the undo step
    cancelled = Signal(object)  #: it was given up; the weights before it
    explained = Signal(str)  #: why a gesture is not followed in full; empty when it is
    chosen = Signal(int)  #: a bar was chosen
    lock_wanted = Signal(int)  #: a bar is to be locked, or let go

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._press: tuple[QPointF, Qt.MouseButton] | None = None  # where a button of the mouse went down, and which
        self._drag: Stroke | HandleDrag | None = None
        self._place: int | None = None  # the bar that is raised by steps
        self._words = ""  # of the undo step
        self.gesture.changing.connect(self.changing)
        self.gesture.changed.connect(self._keep)
        self.gesture.cancelled.connect(self._take_back)
        self.gesture.ended.connect(self._forget)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_weights(self, weights: Floats) -> None:
        """Show weights, on a scale that suits them; a gesture under way ends without a word."""
        self.gesture.drop()
        self._forget()
        super().set_weights(weights)

    def step(self, count: int, steps: float) -> None:
        """Raise a bar, with those on the same pixel, by a twentieth of the highest so many times."""
        if self._press is not None:
            return
        if self.blank:
            self.commit(Settled(np.eye(1, len(self.weights), count)[0] * self.weights.max()), self.tr("Nudge prior"))
            return
        if self._place != count:
            self.gesture.begin(self.weights)
            self._place, self._words = count, self.tr("Nudge prior")
        reach = self.pixel_reach()
        low, high = max(count - reach, 0), min(count + reach, len(self.weights) - 1)
        self._follow(raised(self.weights, low, high, steps * _STEP * float(self.gesture.start.max()), self.rules))
        if count in self.rules.locked:
            self.explained.emit(self._locked(count))
        if float(self.weights.max()) > self.frame.top:
            self.fit()

    def cancel(self) -> bool:
        """Give the gesture up and show what was before it; return whether there was one."""
        busy = self.busy
        self.gesture.cancel()
        self._forget()
        if busy:
            self.explained.emit("")
        return busy

    def commit(self, settled: Settled, words: str) -> None:
        """Take an edit that is over as soon as it is made."""
        self.gesture.finish()
        if self._empties(settled):
            self.set_blank(True)
            return
        before = self.weights
        self.set_blank(False)
        if self.mode == "curve":
            self.bars.curve = self.curve_for(settled.weights)
        self.draw_weights(settled.weights)
        self.fit()
        if not np.array_equal(settled.weights, before):
            self.changed.emit(settled.weights, words)
        self._explain(settled)

    def _empties(self, settled: Settled) -> bool:
        """Tell whether an edit leaves nothing that is free to be drawn."""
        return settled.kept is not None and not self.rules.bind

    def _follow(self, settled: Settled) -> None:
        self.set_blank(isinstance(self._drag, Stroke) and self._empties(settled))
        if self.blank:
            return
        self.draw_weights(settled.weights)
        self.gesture.move(settled.weights)
        self._explain(settled)

    def why_not(self, count: int, settled: Settled) -> str:
        """Return why a count does not get the weight that an edit gives it; empty where it does."""
        if settled.kept is not None:
            return tr("At least one count must stay possible, so {count} keeps its weight.").format(count=count)
        return self._locked(count) if settled.stuck or count in self.rules.locked else ""

    def _locked(self, count: int) -> str:
        return tr("Count {count} is locked; press L to unlock it.").format(count=count)

    def _explain(self, settled: Settled) -> None:
        words = ""
        if settled.stuck:
            words = self.tr("All probability is locked; unlock a count first.")
        elif settled.kept is not None:
            words = self.tr("At least one count must stay possible, so {count} keeps its bar.").format(count=settled.kept)
        self.explained.emit(words)

    @Slot(object)
    def _keep(self, weights: Floats) -> None:
        """Choose the scale anew, and tell what the gesture did."""
        if self._place is not None and self.mode == "curve":
            self.bars.curve = HandleCurve.fitted(weights)
        self.fit()
        self.changed.emit(weights, self._words)

    @Slot()
    def _take_back(self) -> None:
        before = self.gesture.start
        self.set_weights(before)
        self.cancelled.emit(before)

    @Slot()
    def _forget(self) -> None:
        if self._drag is not None:
            self.bars.taken = None
        self._press = self._drag = self._place = self.bars.ghost = None

    # Keys --------------------------------------------------------------------------------------------------------------

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
        if not plain or self._press is not None:
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
