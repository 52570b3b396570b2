"""The bars of the prior editor and the gestures on them: paint, erase, straight line, nudge, curve."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.brush import Brush, curve, handles_of, kept, painted
from dpdesigner.desktop.widgets.plot_style import Axis, StyledPlot
from dpdesigner.desktop.widgets.plot_ticks import Tick, count_ticks, number_ticks
from dpdesigner.desktop.widgets.prior_layer import PriorLayer

Floats = NDArray[np.float64]
Mode = Literal["paint", "curve"]

_STILL = 3.0  # pixels within which a press is a click
_NUDGE = 0.05  # of the largest bar, a notch or a key


class PriorPlot(StyledPlot):
    """Weights over 0..n that can be painted. While a stroke lasts the scale stands still and the old shape stays as a ghost.

    Left and Right move the selected bar, Up and Down change it, Delete clears it, L locks it; Esc gives a stroke up.
    """

    changing = Signal(object)  #: the weights so far, while a gesture lasts
    changed = Signal(object, str)  #: the weights after it, and the words of the undo step
    cancelled = Signal()  #: the gesture was given up
    selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.brush = Brush()
        self.mode: Mode = "paint"
        self.bars = PriorLayer()
        self.add_layer(self.bars)
        self._before: Floats | None = None
        self._press: QPointF | None = None
        self._last = (0.0, 0.0)
        self._moved = False
        self._handle: int | None = None
        self.set_axes(Axis("", count_ticks), Axis("", self._percents, grid=True))
        self.set_padding(0, 6, 4, 2)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Prior: how likely each count is"))
        self.set_weights(np.ones(2))

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way."""
        return self._before is not None

    @property
    def weights(self) -> Floats:
        """The weights shown."""
        return self.bars.weights

    def set_weights(self, weights: Floats) -> None:
        """Show weights and emit nothing; during a gesture the scale stays."""
        another = len(weights) != len(self.bars.weights)
        self.bars.weights = weights
        if another:
            self.give_up()
            self.bars.selected = None
        if not self.busy:
            self.bars.handles = handles_of(weights) if self.mode == "curve" else []
            self._fit()
        self._describe()
        self.bars.update()

    def set_mode(self, mode: Mode) -> None:
        """Paint bars or drag the handles of a curve."""
        self.mode = mode
        self.bars.handles = handles_of(self.weights) if mode == "curve" else []
        self.bars.update()

    def set_selected(self, count: int | None) -> None:
        """Mark a bar and emit nothing."""
        self.bars.selected = count
        self._describe()
        self.bars.update()

    def give_up(self) -> None:
        """End a gesture without a result."""
        self._before, self._press, self._handle, self.bars.ghost = None, None, None, None

    def _fit(self) -> None:
        top = float(self.bars.weights.max())
        self.set_range(-0.5, len(self.bars.weights) - 0.5, 0.0, 1.12 * top)

    def _percents(self, low: float, high: float, at_most: int) -> list[Tick]:
        unit = 100 / float(self.bars.weights.sum())
        ticks = number_ticks(low * unit, high * unit, at_most)
        return [Tick(tick.at / unit, f"{tick.text}%") for tick in ticks]

    def read_out(self, count: int) -> list[str]:
        """Say how likely a count is, and that many or fewer."""
        weights = self.bars.weights
        total = float(weights.sum())
        exactly, at_most = 100 * float(weights[count]) / total, 100 * float(weights[: count + 1].sum()) / total
        return [
            self.tr("P(count = {count}) = {percent:.3g} %").format(count=count, percent=exactly),
            self.tr("P(count ≤ {count}) = {percent:.3g} %").format(count=count, percent=at_most),
        ]

    def _describe(self) -> None:
        place = self.bars.selected
        if place is not None and place < len(self.bars.weights):
            self.setAccessibleDescription("; ".join(self.read_out(place)))

    # Gestures ----------------------------------------------------------------------------------------------------------

    def _at(self, position: QPointF) -> tuple[float, float]:
        n = len(self.bars.weights) - 1
        x = min(max(self.frame.value_x(position.x()), 0.0), float(n))
        return x, max(self.frame.value_y(position.y()), 0.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a stroke, or take a handle of the curve."""
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._press, self._moved = event.position(), False
        self._before = self.bars.weights
        self._last = self._at(event.position())
        self.bars.hovered = None
        if self.mode == "curve":
            self._take_handle(event)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue the stroke, or read out the bar under the pointer."""
        if self._press is None or self._before is None:
            self._hover(event.position())
            return
        offset = event.position() - self._press
        if not self._moved and abs(offset.x()) < _STILL and abs(offset.y()) < _STILL:
            return
        self._moved = True
        self.bars.ghost = self._before
        now = self._at(event.position())
        self.bars.weights = self._stroked(now, event)
        self._last = now
        self.bars.update()
        self.axes.update()
        self.changing.emit(self.bars.weights)

    def _stroked(self, now: tuple[float, float], event: QMouseEvent) -> Floats:
        before, weights = self._before, self.bars.weights
        if before is None or self._press is None:
            return weights
        if self.mode == "curve" and self._handle is not None:
            self.bars.handles[self._handle] = (self.bars.handles[self._handle][0], now[1])
            shape = curve(self.bars.handles, len(weights) - 1)
            return shape if shape.max() > 0 else kept(shape, before)
        if event.buttons() & Qt.MouseButton.RightButton:
            return painted(weights, before, (self._last[0], 0.0), (now[0], 0.0), self.brush)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return painted(before, before, self._at(self._press), now, self.brush)
        return painted(weights, before, self._last, now, self.brush)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the stroke; a press that did not move selects."""
        if self._press is None:
            return
        moved, weights = self._moved, self.bars.weights
        words = self.tr("Erase prior") if event.button() == Qt.MouseButton.RightButton else self.tr("Paint prior")
        words = self.tr("Bend prior") if self.mode == "curve" else words
        count = round(self._at(event.position())[0])
        handles = self.bars.handles
        self.give_up()
        if moved:
            self._fit()
            self.bars.handles = handles
            self.changed.emit(weights, words)
        else:
            self.set_selected(count)
            self.selected.emit(count)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add a handle to the curve."""
        if self.mode == "curve":
            x = float(round(self._at(event.position())[0]))
            self.bars.handles = sorted({**dict(self.bars.handles), x: float(self.bars.weights[int(x)])}.items())
            self.bars.update()

    def _take_handle(self, event: QMouseEvent) -> None:
        """Take the nearest handle; the right button removes it."""
        places = [abs(self.frame.x(x) - event.position().x()) for x, _ in self.bars.handles]
        self._handle = int(np.argmin(places))
        if event.button() == Qt.MouseButton.RightButton and len(places) > 2:
            del self.bars.handles[self._handle]
            self.give_up()
            self.bars.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nudge the bar under the pointer; with Ctrl, change the width of the brush."""
        notches = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            width = max(1, min(self.brush.width + 2 * (1 if notches > 0 else -1), 101))
            self.brush = Brush(width, self.brush.soft, self.brush.hold_total, self.brush.locked)
        elif not self.busy:
            self._nudge(round(self._at(event.position())[0]), notches)
        event.accept()

    def _nudge(self, count: int, steps: float) -> None:
        height = max(0.0, float(self.weights[count]) + steps * _NUDGE * float(self.weights.max()))
        self._set_bar(count, height, self.tr("Nudge prior"))

    def _set_bar(self, count: int, height: float, words: str) -> None:
        brush = Brush(1, False, self.brush.hold_total, self.brush.locked)
        weights = painted(self.weights, self.weights, (count, height), (count, height), brush)
        self.set_weights(weights)
        self.changed.emit(weights, words)

    def _hover(self, position: QPointF) -> None:
        if not self.frame.area.contains(position):
            self.bars.hovered = None
        else:
            self.bars.hovered = round(self._at(position)[0])
            self.bars.hover_lines = self.read_out(self.bars.hovered)
        self.bars.update()

    def leaveEvent(self, event: object) -> None:
        """Take the read-out away."""
        self.bars.hovered = None
        self.bars.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do from the keyboard what the mouse does."""
        key, n = event.key(), len(self.weights) - 1
        place = self.bars.selected if self.bars.selected is not None else 0
        if key == Qt.Key.Key_Escape and self.busy and self._before is not None:
            before = self._before
            self.give_up()
            self.set_weights(before)
            self.cancelled.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            place = min(max(place + (1 if key == Qt.Key.Key_Right else -1), 0), n)
            self.set_selected(place)
            self.selected.emit(place)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._nudge(place, 1 if key == Qt.Key.Key_Up else -1)
        elif key == Qt.Key.Key_Delete:
            self._set_bar(place, 0.0, self.tr("Erase prior"))
        elif key == Qt.Key.Key_L:
            self.toggle_lock(place)
        else:
            super().keyPressEvent(event)

    def toggle_lock(self, count: int) -> None:
        """Lock a bar at its probability, or let it go."""
        self.brush = Brush(self.brush.width, self.brush.soft, self.brush.hold_total, self.brush.locked ^ {count})
        self.bars.locked = self.brush.locked
        self.bars.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keyboard works here."""
        super().focusInEvent(event)
        self.set_focused(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show it no more."""
        super().focusOutEvent(event)
        self.set_focused(False)
