"""Gestures on a distribution: what is previewed while they last, kept at their end, or given up."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.distribution_view import DistributionView
from dpdesigner.desktop.widgets.handle_curve import HandleCurve, HandleDrag
from dpdesigner.desktop.widgets.nudge import Nudge
from dpdesigner.desktop.widgets.reshaping import raised
from dpdesigner.desktop.widgets.stroke import Stroke
from dpdesigner.desktop.widgets.weight_rules import Floats, Settled

_STEP = 0.05  # of the highest bar: one key press or notch of the wheel


class DistributionGestures(DistributionView):
    """A view whose weights change in gestures: drags, steps of a bar, and edits that are over at once.

    While a gesture lasts the scale stands still and the shape before it stays as a ghost. Nothing is emitted for values that
    come from outside.
    """

    changing = Signal(object)  #: weights, at most once a mouse event, while a gesture lasts
    changed = Signal(object, str)  #: weights at its end, and the words of the undo step
    cancelled = Signal(object)  #: it was given up; the weights before it
    explained = Signal(str)  #: why a gesture is not followed in full; empty when it is

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._press: tuple[QPointF, Qt.MouseButton] | None = None
        self._drag: Stroke | HandleDrag | None = None
        self._before: Floats = self.weights
        self._previewed = False
        self._nudge = Nudge(self)
        self._nudge.ended.connect(self._keep)

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way."""
        return self._drag is not None or self._nudge.active

    def set_weights(self, weights: Floats) -> None:
        """Show weights, on a scale that suits them; a gesture under way ends without a word."""
        self.abandon()
        super().set_weights(weights)

    def step(self, count: int, steps: float) -> None:
        """Raise a bar, with those on the same pixel, by a twentieth of the highest so many times; `end_steps` ends this."""
        if self._press is not None:
            return
        if not (self._nudge.active and self._nudge.place == count):
            self._nudge.begin(count)
            self._before = self.weights
        reach = self.pixel_reach()
        last = len(self.weights) - 1
        low, high = max(count - reach, 0), min(count + reach, last)
        self._follow(raised(self.weights, low, high, steps * _STEP * float(self._before.max()), self.rules))
        if count in self.rules.locked:
            self.explained.emit(self.tr("Count {count} is locked; press L to unlock it.").format(count=count))
        if float(self.weights.max()) > self.frame.top:
            self.fit()

    @Slot()
    def end_steps(self) -> None:
        """End what `step` began, and tell of the change."""
        self._nudge.end()

    def cancel(self) -> bool:
        """Give the gesture up and show what was before it; return whether there was one."""
        busy = self.busy
        self.abandon()
        if busy:
            before = self._before
            self.set_weights(before)
            self.explained.emit("")
            self.cancelled.emit(before)
        return busy

    def abandon(self) -> None:
        """Forget the gesture under way without a word."""
        self._nudge.drop()
        self._press = self._drag = self.bars.ghost = self.bars.taken = None

    def commit(self, found: Settled, words: str) -> None:
        """Take an edit that is over as soon as it is made."""
        self.end_steps()
        self._before, self._previewed = self.weights, False
        if self.mode == "curve":
            self.bars.curve = self.curve_for(found.weights)
        self.draw_weights(found.weights)
        self._conclude(words)
        self._explain(found)

    def _follow(self, found: Settled) -> None:
        self.draw_weights(found.weights)
        self._previewed = True
        self.changing.emit(found.weights)
        self._explain(found)

    def _explain(self, found: Settled) -> None:
        words = ""
        if found.stuck:
            words = self.tr("All probability is locked; unlock a count first.")
        elif found.kept is not None:
            words = self.tr("One count must stay possible: {count} keeps its bar.").format(count=found.kept)
        self.explained.emit(words)

    @Slot()
    def _keep(self) -> None:
        if self.mode == "curve":
            self.bars.curve = HandleCurve.fitted(self.weights)
        self._conclude(self.tr("Nudge prior"))

    def _conclude(self, words: str) -> None:
        """End a gesture: choose the scale anew, and tell what it did."""
        self.fit()
        if not np.array_equal(self.weights, self._before):
            self.changed.emit(self.weights, words)
        elif self._previewed:
            self.cancelled.emit(self._before)
