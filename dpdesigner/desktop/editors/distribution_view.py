"""The plot of a distribution: bars with the axis in percent, other curves, and what each gesture and key changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.base.gesture import Gesture
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.editors.distribution_layers import DistributionLayer, Overlay, OverlayLayer
from dpdesigner.desktop.editors.handle_curve import HandleCurve, HandleDrag
from dpdesigner.desktop.editors.weight_rules import Brush, Floats, Rules, Settled, Stroke, raised, replaced
from dpdesigner.desktop.plots.axis_layer import Axis, Tick, count_ticks, percent_ticks
from dpdesigner.desktop.plots.plot_style import StyledPlot

Mode = Literal["paint", "curve"]

_HEADROOM = 1.12  # of the highest bar
_ROOM = 2.2  # of the mean bar: a flat shape has as much room above as below


class DistributionView(StyledPlot):
    """Weights over 0..n as bars; the axis shows their shares of the total."""

    rules_changed = Signal()
    blanked = Signal(bool)  #: whether nothing is left to draw; the weights then stay unchanged

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gesture = Gesture(self, np.array_equal)
        self.brush = Brush()
        self.rules = Rules()
        self.mode: Mode = "paint"
        self.hovered_count: int | None = None
        self._pinned: Sequence[Overlay] = ()
        self.posterior: Floats | None = None  #: the belief after a release
        self.ghosts, self.bars, self.overlays = OverlayLayer(), DistributionLayer(), OverlayLayer()
        self.add_layer(self.ghosts)
        self.add_layer(self.bars)
        self.add_layer(self.overlays)
        self.set_axes(Axis("", count_ticks), Axis("", self._percents, grid=True))
        self.set_padding(0, 4, 6, 0)
        self.fit()

    @property
    def weights(self) -> Floats:
        """The weights shown, an array (n + 1,)."""
        return self.bars.weights

    def set_weights(self, weights: Floats) -> None:
        """Show weights on a suitable scale."""
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

    def set_posterior(self, probabilities: ArrayLike | None) -> None:
        """Draw the posterior after a release, an array (n + 1,) of probabilities, next to the prior; None for nothing."""
        if probabilities is None and self.posterior is None:
            return
        self.posterior = None if probabilities is None else np.asarray(probabilities, dtype=float)
        self._show_overlays()

    def _show_overlays(self) -> None:
        """Draw the overlays over the same counts: pinned ones behind the bars, the posterior in front of them."""
        after = [] if self.posterior is None else [Overlay(self.tr("posterior"), self.posterior, pinned=False)]
        for layer, overlays in ((self.ghosts, self._pinned), (self.overlays, after)):
            layer.show_overlays([other for other in overlays if len(other.probabilities) == len(self.weights)])
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
        total = float(weights.sum())
        for overlay in (self.ghosts, self.overlays):
            overlay.weights, overlay.total = weights, total
        self.axes.renew()
        for layer in (self.ghosts, self.bars, self.overlays):
            layer.update()

    def _percents(self, low: float, high: float, at_most: int) -> list[Tick]:
        total = self.overlays.total
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


_STEP = 0.05  # of the highest bar, per key press or wheel notch
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class EditedView(DistributionView):
    """Left and Right select a bar, Up and Down raise and lower it, Delete clears it, L locks it, Esc cancels a gesture."""

    changing = Signal(object)  #: weights, at most once per event, during a gesture
    changed = Signal(object, str)  #: weights at the end of a gesture, and the label of the undo step
    cancelled = Signal(object)  #: a gesture was cancelled; the weights before it
    explained = Signal(str)  #: why a gesture is not followed in full; empty when it is
    chosen = Signal(int)  #: a bar was chosen
    lock_wanted = Signal(int)  #: the bar to lock or unlock

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._press: tuple[QPointF, Qt.MouseButton] | None = None  # where a mouse button was pressed, and which one
        self._drag: Stroke | HandleDrag | None = None
        self._place: int | None = None  # the bar that is changed in steps
        self._words = ""  # label of the undo step
        self.gesture.changing.connect(self.changing)
        self.gesture.changed.connect(self._keep)
        self.gesture.cancelled.connect(self._take_back)
        self.gesture.ended.connect(self._forget)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_weights(self, weights: Floats) -> None:
        """Show weights on a suitable scale; a gesture in progress ends silently."""
        self.gesture.drop()
        self._forget()
        super().set_weights(weights)

    def step(self, count: int, steps: float) -> None:
        """Raise a bar, with those on the same pixel, by this many twentieths of the highest."""
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
        """Cancel the gesture and show the previous state; return whether there was a gesture."""
        busy = self.busy
        self.gesture.cancel()
        self._forget()
        if busy:
            self.explained.emit("")
        return busy

    def commit(self, settled: Settled, words: str) -> None:
        """Apply an edit that is complete as soon as it is made."""
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
        """Show that the plot has the keyboard focus."""
        self.set_focused(event.reason() in _BY_KEY)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Stop showing that the plot has the keyboard focus."""
        self.set_focused(False)
        super().focusOutEvent(event)
