"""What the plot of a distribution shows: bars with the axis in percent, and other curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.distribution.handle_curve import HandleCurve
from dpdesigner.desktop.widgets.distribution.layer import DistributionLayer
from dpdesigner.desktop.widgets.distribution.overlay_layer import Overlay, OverlayLayer
from dpdesigner.desktop.widgets.distribution.stroke import Brush
from dpdesigner.desktop.widgets.distribution.weight_rules import Floats, Rules
from dpdesigner.desktop.widgets.gesture.gesture import Gesture
from dpdesigner.desktop.widgets.plot.axis_layer import Axis
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot
from dpdesigner.desktop.widgets.plot.plot_ticks import Tick, count_ticks, percent_ticks

Mode = Literal["paint", "curve"]

_HEADROOM = 1.12  # of the highest bar
_ROOM = 2.2  # of the mean bar: a flat shape has as much room above as below


class DistributionView(StyledPlot):
    """Weights over 0..n as bars; the axis says what share of the total they are."""

    rules_changed = Signal()
    blanked = Signal(bool)  #: whether nothing is left to draw; the weights are as they were then

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gesture = Gesture(self, np.array_equal)
        self.brush = Brush()
        self.rules = Rules()
        self.mode: Mode = "paint"
        self.hovered_count: int | None = None
        self._pinned: Sequence[Overlay] = ()
        self.posterior: Floats | None = None  #: what is believed after a release
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
        """Show weights, on a scale that suits them."""
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
        """Draw an empty frame in place of the bars, or the bars again."""
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
        """Lock bars, hold the total."""
        self.rules = rules
        self.bars.locked = rules.locked
        self.bars.update()
        self.rules_changed.emit()

    @Slot(bool)
    def set_hold_total(self, on: bool) -> None:
        """Let the other bars make room for what is painted, or not."""
        self.set_rules(Rules(self.rules.locked, on))

    @Slot(int)
    def toggle_lock(self, count: int) -> None:
        """Lock a bar, or let it go."""
        self.set_rules(self.rules.toggled(count))

    @Slot()
    def toggle_selected(self) -> None:
        """Lock the selected bar, or let it go."""
        if self.bars.selected is not None:
            self.toggle_lock(self.bars.selected)

    @Slot()
    def unlock(self) -> None:
        """Let all bars go."""
        self.set_rules(Rules(hold_total=self.rules.hold_total))

    def set_brush(self, brush: Brush) -> None:
        """Paint with another brush."""
        self.brush = brush
        self.show_brush()

    def set_selected(self, count: int | None) -> None:
        """Draw a bar warm."""
        self.bars.selected = count
        self.bars.update()

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way, while which the scale stands still."""
        return self.gesture.active

    def set_pinned(self, pinned: Sequence[tuple[str, ArrayLike]]) -> None:
        """Draw distributions to compare with: their names and their probabilities, arrays (n + 1,)."""
        self._pinned = [Overlay(name, np.asarray(probabilities, dtype=float)) for name, probabilities in pinned]
        self._show_overlays()

    def set_posterior(self, probabilities: ArrayLike | None) -> None:
        """Draw what is believed after a release, an array (n + 1,) of probabilities, beside the prior; None for nothing."""
        if probabilities is None and self.posterior is None:
            return
        self.posterior = None if probabilities is None else np.asarray(probabilities, dtype=float)
        self._show_overlays()

    def _show_overlays(self) -> None:
        """Draw the overlays that are over the same counts: what was pinned behind the bars, what follows over them."""
        after = [] if self.posterior is None else [Overlay(self.tr("posterior"), self.posterior, pinned=False)]
        for layer, overlays in ((self.ghosts, self._pinned), (self.overlays, after)):
            layer.show_overlays([other for other in overlays if len(other.probabilities) == len(self.weights)])
        if not self.busy:
            self.fit()

    def fit(self) -> None:
        """Choose the scale: room over the highest bar, and more over flat shapes; what is drawn beside does not count."""
        weights = self.weights
        top = max(_HEADROOM * float(weights.max()), _ROOM * float(weights.mean()) if len(weights) > 1 else 0.0)
        self.set_range(-0.5, len(weights) - 0.5, 0.0, top)

    def draw_weights(self, weights: Floats) -> None:
        """Draw weights on the scale there is."""
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
        """Return the curve there is if the shape is the same, else a new one."""
        old, curve = self.weights, self.bars.curve
        factor = float(weights.sum() / old.sum())
        if curve is not None and len(old) == len(weights) and np.allclose(old * factor, weights, rtol=1e-9, atol=0):
            return curve.scaled(factor)
        return HandleCurve.fitted(weights)

    def count_at(self, position: QPointF) -> int | None:
        """Return the bar at a pixel, or None beside the bars."""
        area = self.frame.area
        if not area.left() <= position.x() <= area.right():
            return None
        return min(max(int(np.floor(self.frame.value_x(position.x()) + 0.5)), 0), len(self.weights) - 1)

    def pixel_reach(self) -> int:
        """Return how many bars on either side of one share its pixel."""
        return int(len(self.weights) / max(self.frame.area.width(), 1.0) / 2)

    def show_brush(self) -> None:
        """Shade the bars that the brush would paint."""
        count, reach = self.hovered_count, self.brush.reach
        shown = count is not None and self.mode == "paint"
        last = len(self.weights) - 1
        self.bars.brushed = (max(count - reach, 0), min(count + reach, last)) if shown and count is not None else None
        self.bars.update()
