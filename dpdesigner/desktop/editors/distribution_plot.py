"""The plot in which a distribution is edited: bars over a percent axis, other curves, and the effect of mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.base.gesture import Gesture, notches
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.editors.distribution_layers import DistributionLayer, Overlay, OverlayLayer
from dpdesigner.desktop.editors.weight_rules import (
    Brush,
    Floats,
    HandleCurve,
    HandleDrag,
    Rules,
    Settled,
    Stroke,
    raised,
    replaced,
    shaped,
)
from dpdesigner.desktop.plots.axis_layer import Axis, Tick, count_ticks, percent_ticks
from dpdesigner.desktop.plots.plot_style import StyledPlot

Mode = Literal["paint", "curve"]

_HEADROOM = 1.12  # of the highest bar
_ROOM = 2.2  # of the mean bar: a flat shape has as much room above as below
_STEP = 0.05  # of the highest bar, per key press or wheel notch
_STILL = 3.0  # pixels within which a press is a click
_HIGHEST = 20.0  # maximum height of a dragged bar, in plot heights
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class DistributionPlot(StyledPlot):
    """Weights over 0..n as bars, which mouse and keys change; the axis shows their shares of the total.

    Drag to paint, with Shift a straight line, with the right button to erase; in curve mode, drag handles. A click chooses a bar,
    the wheel raises or lowers it. Left and Right select a bar, Up and Down raise and lower it, Delete clears it, L locks it, Esc
    cancels a gesture.

    While a gesture lasts the scale stands still and the shape before it stays as a ghost. Where nothing would be left, an empty
    frame is shown and nothing asked for: Esc brings the shape back. Nothing is emitted for values that come from outside.
    """

    changing = Signal(object)  #: weights, at most once per event, during a gesture
    changed = Signal(object, str)  #: weights at the end of a gesture, and the label of the undo step
    cancelled = Signal(object)  #: a gesture was cancelled; the weights before it
    explained = Signal(str)  #: why a gesture is not followed in full; empty when it is
    chosen = Signal(int)  #: a bar was chosen
    pointed = Signal(object)  #: the bar under the mouse, or None
    menu_wanted = Signal(int, QPoint)  #: the bar that was right-clicked, and the screen position
    lock_wanted = Signal(int)  #: the bar to lock or unlock
    rules_changed = Signal()
    brush_changed = Signal(object)  #: the `Brush`, after Ctrl + wheel
    blanked = Signal(bool)  #: whether nothing is left to draw; the weights then stay unchanged

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gesture = Gesture(self, np.array_equal)
        self.brush = Brush()
        self.rules = Rules()
        self.mode: Mode = "paint"
        self.anew = False  #: whether the last edit began with nothing drawn
        self.hovered_count: int | None = None
        self._pinned: Sequence[Overlay] = ()
        self.ghosts, self.bars = OverlayLayer(), DistributionLayer()
        for layer in (self.ghosts, self.bars):
            self.add_layer(layer)
        self.set_axes(Axis("", count_ticks), Axis("", self._percents, grid=True, widest="99.9%"))
        self.set_padding(0, 4, 6, 0)
        self.fit()
        self._press: tuple[QPointF, Qt.MouseButton] | None = None  # where a mouse button was pressed, and which one
        self._drag: Stroke | HandleDrag | None = None
        self._place: int | None = None  # the bar that is changed in steps
        self._words = ""  # label of the undo step
        self.gesture.changing.connect(self.changing)
        self.gesture.changed.connect(self._keep)
        self.gesture.cancelled.connect(self._take_back)
        self.gesture.ended.connect(self._forget)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)

    @property
    def weights(self) -> Floats:
        """The weights shown, an array (n + 1,)."""
        return self.bars.weights

    def set_weights(self, weights: Floats) -> None:
        """Show weights on a suitable scale; a gesture in progress ends silently."""
        self.gesture.drop()
        self._forget()
        self.set_blank(False)
        if self.mode == "curve":
            self.bars.curve = self.curve_for(weights)
        self.draw_weights(weights)
        self._show_overlays()

    @property
    def blank(self) -> bool:
        """Whether nothing is left to draw."""
        return bool(self.bars.blank)

    def set_blank(self, on: bool) -> None:
        """Draw an empty frame instead of the bars, or the bars again."""
        if on != self.blank:
            self.bars.blank = self.tr("Drag across to draw what you expect") if on else ""
            self.bars.update()
            self.blanked.emit(on)

    def set_mode(self, mode: Mode) -> None:
        """Let the mouse paint bars, or drag the handles of a curve."""
        self.mode = mode
        self.bars.curve = HandleCurve.fitted(self.weights) if mode == "curve" else None
        self.bars.taken = self.bars.brushed = None
        self.bars.update()

    def set_rules(self, rules: Rules) -> None:
        """Lock bars, fix the total."""
        self.rules = rules
        self.bars.locked = rules.locked
        self.bars.update()
        self.rules_changed.emit()

    @Slot(bool)
    def set_hold_total(self, on: bool) -> None:
        """Set whether the other bars change to keep the total fixed."""
        self.set_rules(Rules(self.rules.locked, on))

    @Slot(int)
    def toggle_lock(self, count: int) -> None:
        """Lock a bar, or unlock it."""
        self.set_rules(self.rules.toggled(count))

    @Slot()
    def toggle_selected(self) -> None:
        """Lock the selected bar, or unlock it."""
        if self.bars.selected is not None:
            self.toggle_lock(self.bars.selected)

    @Slot()
    def unlock(self) -> None:
        """Unlock all bars."""
        self.set_rules(Rules(hold_total=self.rules.hold_total))

    def set_brush(self, brush: Brush) -> None:
        """Use another brush."""
        self.brush = brush
        self.show_brush()

    def set_selected(self, count: int | None) -> None:
        """Draw a bar in a warm colour."""
        self.bars.selected = count
        self.bars.update()

    @property
    def busy(self) -> bool:
        """Whether a gesture is in progress, during which the scale stays fixed."""
        return self.gesture.active

    def set_pinned(self, pinned: Sequence[tuple[str, ArrayLike]]) -> None:
        """Draw distributions for comparison: their names and their probabilities, arrays (n + 1,)."""
        self._pinned = [Overlay(name, np.asarray(probabilities, dtype=float)) for name, probabilities in pinned]
        self._show_overlays()

    def _show_overlays(self) -> None:
        """Draw the pinned distributions over the same counts behind the bars."""
        self.ghosts.show_overlays([other for other in self._pinned if len(other.probabilities) == len(self.weights)])
        if not self.busy:
            self.fit()

    def fit(self) -> None:
        """Choose the scale: room above the highest bar, and more above flat shapes; overlays do not count."""
        weights = self.weights
        top = max(_HEADROOM * float(weights.max()), _ROOM * float(weights.mean()) if len(weights) > 1 else 0.0)
        self.set_range(-0.5, len(weights) - 0.5, 0.0, top)

    def draw_weights(self, weights: Floats) -> None:
        """Draw weights on the current scale."""
        self.bars.weights = weights
        self.ghosts.weights, self.ghosts.total = weights, float(weights.sum())
        self.axes.renew()
        for layer in (self.ghosts, self.bars):
            layer.update()

    def _percents(self, low: float, high: float, at_most: int) -> list[Tick]:
        total = self.ghosts.total
        return [Tick(tick.at * total, tick.text) for tick in percent_ticks(low / total, high / total, at_most)]

    def curve_for(self, weights: Floats) -> HandleCurve:
        """Return the current curve if the shape is the same, otherwise a new one."""
        old, curve = self.weights, self.bars.curve
        factor = float(weights.sum() / old.sum())
        if curve is not None and len(old) == len(weights) and np.allclose(old * factor, weights, rtol=1e-9, atol=0):
            return curve.scaled(factor)
        return HandleCurve.fitted(weights)

    def count_at(self, position: QPointF) -> int | None:
        """Return the bar at a pixel, or None outside the bars."""
        area = self.frame.area
        if not area.left() <= position.x() <= area.right():
            return None
        return min(max(int(np.floor(self.frame.value_x(position.x()) + 0.5)), 0), len(self.weights) - 1)

    def pixel_reach(self) -> int:
        """Return how many bars on either side of a bar share its pixel."""
        return int(len(self.weights) / max(self.frame.area.width(), 1.0) / 2)

    def show_brush(self) -> None:
        """Shade the bars that the brush would paint."""
        count, reach = self.hovered_count, self.brush.reach
        shown = count is not None and self.mode == "paint"
        last = len(self.weights) - 1
        self.bars.brushed = (max(count - reach, 0), min(count + reach, last)) if shown and count is not None else None
        self.bars.update()

    # Edits -------------------------------------------------------------------------------------------------------------

    def step(self, count: int, steps: float) -> None:
        """Raise a bar, with those on the same pixel, by this many twentieths of the highest."""
        if self._press is not None:
            return
        if self.blank:
            weights = np.eye(1, len(self.weights), count)[0] * self.weights.max()
            self.commit(Settled(weights), self.tr("Nudge prior"), anew=True)
            return
        if self._place != count:
            self._begin()
            self._place, self._words = count, self.tr("Nudge prior")
        reach = self.pixel_reach()
        low, high = max(count - reach, 0), min(count + reach, len(self.weights) - 1)
        self._follow(raised(self.weights, low, high, steps * _STEP * float(self.gesture.start.max()), self.rules))
        if count in self.rules.locked:
            self.explained.emit(self._locked(count))
        if float(self.weights.max()) > self.frame.top:
            self.fit()

    def cancel(self) -> bool:
        """Cancel the gesture and show the previous state; return whether there was a gesture."""
        busy = self.busy
        self.gesture.cancel()
        self._forget()
        if busy:
            self.explained.emit("")
        return busy

    def _begin(self, *, held: bool = False, anew: bool = False) -> None:
        self.gesture.begin(self.weights, held=held)
        self.anew = anew

    def commit(self, settled: Settled, words: str, *, anew: bool = False) -> None:
        """Apply an edit that is complete as soon as it is made."""
        self.gesture.finish()
        self.anew = anew
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
        """Return whether an edit clears all bars while no rule restricts them."""
        return settled.kept is not None and not self.rules.bind

    def _follow(self, settled: Settled) -> None:
        self.set_blank(isinstance(self._drag, Stroke) and self._empties(settled))
        if self.blank:
            return
        self.draw_weights(settled.weights)
        self.gesture.move(settled.weights)
        self._explain(settled)

    def why_not(self, count: int, settled: Settled) -> str:
        """Return why a count does not get the weight that an edit gives it; empty if it does."""
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
        """Choose the scale again, and emit the result of the gesture."""
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

    # Mouse -------------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Get ready to paint (left), erase (right) or take a handle."""
        event.accept()
        wanted = event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if not wanted or self._press is not None or self.count_at(event.position()) is None:
            return
        self.gesture.finish()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.set_focused(False)
        self._press = event.position(), event.button()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(event.position())
        if self._press is None:
            return
        at, button = self._press
        if self._drag is None and (event.position() - at).manhattanLength() >= _STILL:
            self._drag = self._drag_from(at, button)
            self.bars.ghost = self.weights
        if self._drag is not None:
            straight = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            settled = self._drag.move(*self._values(event.position()), straight=straight)
            if isinstance(self._drag, HandleDrag):
                self.bars.curve = self._drag.curve
            self._follow(settled)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture; a press without a movement selects a bar, or opens its menu."""
        event.accept()
        if self._press is None or event.button() != self._press[1]:
            return
        count = self.count_at(self._press[0]) if self._drag is None else None
        blank = self.blank and self._drag is not None
        (self.gesture.cancel if blank else self.gesture.finish)()
        self._forget()
        if blank:
            self.set_blank(True)
        if count is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(count)
        elif count is not None:
            self.menu_wanted.emit(count, event.globalPosition().toPoint())
        self._point(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add or remove a handle of the curve; on bars, treat a double click as a second press."""
        curve = self.bars.curve
        if curve is None or event.button() != Qt.MouseButton.LeftButton:
            self.mousePressEvent(event)
            return
        handle = self.bars.handle_at(event.position())
        if handle is None:
            self.bars.curve, self.bars.taken = curve.added(self.frame.value_x(event.position().x()))
            self.bars.update()
        elif curve.removed(handle) != curve:
            self._begin()
            self._words, self.bars.curve = self.tr("Remove handle"), curve.removed(handle)
            self._follow(shaped(self.weights, self.bars.curve, self.rules))
            self.gesture.finish()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With the focus, raise or lower the bar under the mouse; with Ctrl, change the brush; otherwise scroll the page."""
        if not (self.hasFocus() or event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            event.ignore()
            return
        count, turned = self.count_at(event.position()), notches(event)
        if not turned:  # the touch of a touchpad begins and ends without a turn
            pass
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step = max(1, self.brush.reach // 4) * (1 if turned > 0 else -1)
            self.set_brush(replace(self.brush, reach=min(max(self.brush.reach + step, 0), len(self.weights))))
            self.brush_changed.emit(self.brush)
        elif count is not None:
            self.step(count, turned)
            self.gesture.finish_soon()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        if not self.gesture.held:
            self.gesture.finish()
        self._set_hovered(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget a press that has not become a gesture yet."""
        self._forget()
        super().hideEvent(event)

    def _values(self, position: QPointF) -> tuple[float, float]:
        height = self.frame.value_y(position.y())
        return self.frame.value_x(position.x()), min(max(height, 0.0), _HIGHEST * self.frame.top)

    def _drag_from(self, at: QPointF, button: Qt.MouseButton) -> Stroke | HandleDrag | None:
        """Begin the gesture of a press and return it; away from all handles of a curve, add a new one."""
        x, y = self._values(at)
        erasing, curve = button == Qt.MouseButton.RightButton, self.bars.curve
        if curve is not None and erasing:
            return None
        self._begin(held=True, anew=self.blank and curve is None)
        if curve is None:
            self._words = self.tr("Erase prior") if erasing else self.tr("Paint prior")
            brush = Brush(max(self.brush.reach, self.pixel_reach()), self.brush.softness)
            stroke = Stroke(self.weights, brush, self.rules, erasing=erasing, blank=self.blank)
            stroke.press(x, y)
            return stroke
        self._words, handle = self.tr("Bend prior"), self.bars.handle_at(at)
        if handle is None:
            curve, handle = curve.added(x)
        self.bars.taken = handle
        return HandleDrag(self.weights, curve, handle, self.rules)

    def _point(self, position: QPointF) -> None:
        inside = self.frame.area.adjusted(0, -4, 0, 4).contains(position) or self._drag is not None
        self._set_hovered(self.count_at(position) if inside else None)
        if self._drag is None and self.bars.curve is not None:
            taken = self.bars.handle_at(position)
            if taken != self.bars.taken:
                self.bars.taken = taken
                self.bars.update()

    def _set_hovered(self, count: int | None) -> None:
        if count != self.hovered_count:
            if self._place not in (None, count):
                self.gesture.finish()
            self.hovered_count = count
            self.show_brush()
            self.pointed.emit(count)

    # Keys --------------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select, raise, lower, clear and lock bars, or cancel the gesture."""
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
        """Undo an edit that cleared all bars here, because the document does not know of it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self.blank and event.matches(QKeySequence.StandardKey.Undo):
                event.accept()
                return True
        return bool(super().event(event))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Leave the key to the parent: pyqtgraph would pass it to its scene."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.set_focused(event.reason() in _BY_KEY)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.set_focused(False)
        super().focusOutEvent(event)
