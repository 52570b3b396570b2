"""Paints a `Plot`: curves against a quantity, such as the expected loss against epsilon, with handles that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.desktop.widgets.gesture.gesture import Gesture
from dpdesigner.desktop.widgets.plot.axis_layer import Axis as DrawnAxis
from dpdesigner.desktop.widgets.plot.curve_layer import CurveLayer
from dpdesigner.desktop.widgets.plot.handle_layer import HandleLayer
from dpdesigner.desktop.widgets.plot.line_shapes import axis_ends
from dpdesigner.desktop.widgets.plot.plot_holder import PlotHolder
from dpdesigner.desktop.widgets.plot.plot_layer import fade, font, px
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot
from dpdesigner.desktop.widgets.plot.plot_ticks import Tick, TickFinder, count_ticks, log_ticks, number_ticks
from dpdesigner.studies.panels import Axis, Handle, Plot

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: -6, Qt.Key.Key_PageUp: 6}
_TURNS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}  # to another handle
_STEP = 1 / 60  # of the axis, for one press of an arrow key
_DIGITS = 3  # significant digits of a place chosen with the mouse or the keys
_NEAR = 6.0  # pixels from a handle within which it is grabbed
_STILL = 3.0  # pixels that a mouse may slip in a click


@dataclass
class _Grip:
    """Where the mouse went down: the pixel, how far that is from the handle if it grabbed it, and whether it has moved since."""

    x: float
    away: float
    grabbed: bool
    moved: bool = False


class CurvePlot(PlotHolder[StyledPlot]):
    """Shows a plot. Hovering tells exact numbers, dragging moves the handle that is grabbed, anywhere else the nearest one.

    Left, Right, Page Up and Page Down move the first handle too; Esc gives a drag up, and so does ending where it began.
    """

    handleMoving = Signal(str, object)  #: the user moves the handle, bar or point with this target, now here
    handleMoved = Signal(str, object)  #: the user has put it here, or has clicked it
    handleCancelled = Signal(str)  #: the user has given it up; it is where it was

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(StyledPlot(), parent)
        self._curves = CurveLayer()
        self._handles = HandleLayer(self._curves)
        self._plot.add_layer(self._curves)
        self._plot.add_layer(self._handles)
        self._gesture = Gesture(self)
        self._target = ""  # of the handle that is moved
        self._grip: _Grip | None = None
        self.setMinimumHeight(90)
        self._connect()
        self._pad()
        self._set_axes()
        self._fit()

    def _connect(self) -> None:
        self._plot.pressed.connect(self._press)
        self._plot.dragged.connect(self._drag)
        self._plot.released.connect(self._release)
        self._plot.hovered.connect(self._hover)
        self._plot.left.connect(self._clear_hover)
        self._gesture.changing.connect(self._preview)
        self._gesture.changed.connect(self._settle)
        self._gesture.cancelled.connect(self._restore)
        theme().changed.connect(self._pad)

    # What is shown -----------------------------------------------------------------------------------------------------

    @property
    def plot(self) -> Plot:
        """What is shown."""
        return self._curves.plot

    def show_plot(self, plot: Plot) -> None:
        """Show a plot; no signal is emitted."""
        before = self.plot
        self._curves.show_plot(plot)
        same = replace(before.x, limits=None) == replace(plot.x, limits=None)
        if not same or replace(before.y, limits=None) != replace(plot.y, limits=None):
            self._set_axes()
        self._fit()
        self.set_handles(plot.handles)

    def set_handles(self, handles: Sequence[Handle]) -> None:
        """Put the handles elsewhere; no signal is emitted."""
        if self._gesture.active and not any(handle.movable and handle.target == self._target for handle in handles):
            self._grip = None
            self._gesture.drop()  # a drag of what is gone is over
        self._handles.handles = tuple(handles)
        self._handles.update()
        read = self.plot.read(handles[0].place) if handles else ()
        self.setAccessibleDescription("; ".join(read))

    def handles(self) -> tuple[Handle, ...]:
        """Return the handles where they are."""
        return self._handles.handles

    def set_stale(self, on: bool) -> None:
        """Fade the curves while newer ones are being computed."""
        fade(on, self._curves)

    # Range -------------------------------------------------------------------------------------------------------------

    def _set_axes(self) -> None:
        """Take titles and scales; `_fit` lays the plot out with them."""
        plot, axes = self.plot, self._plot.axes
        name = plot.y.title or next((line.name for line in plot.lines), "y")
        self.setAccessibleName(self.tr("{y} against {x}").format(x=plot.x.title or "x", y=name))
        axes.horizontal, axes.vertical = (
            DrawnAxis(plot.x.title, _ticks(plot.x)),
            DrawnAxis(plot.y.title, _ticks(plot.y), grid=True),
        )
        axes.renew()  # also where no range is another

    @Slot()
    def _pad(self) -> None:
        """Keep a line above the curves for the texts of the handles."""
        self._plot.set_padding(0, QFontMetricsF(font()).height() / theme().scale + 4, 10, 2)

    def _fit(self) -> None:
        plot = self.plot
        xs = [line.x for line in plot.lines] + [np.array([mark.x]) for mark in plot.marks]
        ys = [y for line in plot.lines for y in (line.y, line.low, line.high) if y is not None]
        ys += [np.array([mark.y]) for mark in plot.marks]
        left, right = axis_ends(plot.x.limits, xs, plot.x.log, from_zero=False)
        bottom, top = axis_ends(plot.y.limits, ys, plot.y.log, from_zero=True)
        self._plot.set_range(left, right, bottom, top)
        self._clear_hover()

    # Mouse and keys ----------------------------------------------------------------------------------------------------

    def _pixel(self, handle: Handle) -> float:
        return self._curves.pixel(handle.place, 1.0).x()

    def _movable(self, x: float) -> Handle | None:
        """Return the handle that can be moved and is nearest to a pixel."""
        movable = [handle for handle in self.handles() if handle.movable]
        return min(movable, key=lambda handle: abs(np.nan_to_num(self._pixel(handle)) - x), default=None)

    def _rounded(self, place: float) -> float:
        """Return the value at a place on the axis, rounded as a person would and kept on the axis."""
        ends = self._plot.frame.left, self._plot.frame.right
        low, high, value = (10.0**each if self.plot.x.log else each for each in (*ends, min(max(place, ends[0]), ends[1])))
        return min(max(float(f"{value:.{_DIGITS}g}"), low), high)

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if (handle := self._movable(position.x())) is not None:
            away = position.x() - self._pixel(handle)
            grabbed = abs(away) <= px(_NEAR)
            self._grip = _Grip(position.x(), away if grabbed else 0.0, grabbed)
            self._target = handle.target
            self._gesture.begin(handle.place, held=True)
            self._clear_hover()

    @Slot(QPointF)
    def _drag(self, position: QPointF) -> None:
        """Follow the mouse: a handle keeps where it was grabbed, and back there it has not moved."""
        grip, x = self._grip, position.x()
        if grip is None or not self._gesture.held:
            return
        if not grip.moved and abs(x - grip.x) <= (0 if grip.grabbed else px(_STILL)):
            return  # a click moves no handle
        grip.moved = True
        back = grip.grabbed and round(x) == round(grip.x)
        self._gesture.move(self._gesture.start if back else self._rounded(self._plot.frame.value_x(x - grip.away)))

    @Slot(QPointF)
    def _release(self, position: QPointF) -> None:
        self._grip = None
        if self._gesture.held:
            self._gesture.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the handle that was moved last, or the first; choose another one of several; or give a drag up."""
        movable = [handle for handle in self.handles() if handle.movable]
        at = next((place for place, handle in enumerate(movable) if handle.target == self._target), 0)
        step, turn = _STEPS.get(Qt.Key(event.key()), 0), _TURNS.get(Qt.Key(event.key()), 0)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            step *= 10
        if event.key() == Qt.Key.Key_Escape and self._gesture.active:
            self._gesture.cancel()
        elif step and movable and not self._gesture.held:
            self._step(step, movable[at])
        elif turn and len(movable) > 1 and not self._gesture.held:
            self._gesture.finish()
            self._target = movable[(at + turn) % len(movable)].target
        else:
            super().keyPressEvent(event)

    def _step(self, step: int, handle: Handle) -> None:
        frame, place = self._plot.frame, handle.place
        if self.plot.x.log:
            place = float(np.log10(place)) if place > 0 else frame.left
        if not self._gesture.active:
            self._target = handle.target
            self._gesture.begin(handle.place)
        if handle.step and not self.plot.x.log:
            self._gesture.move(min(max(place + step * handle.step, frame.left), frame.right))
        else:
            self._gesture.move(self._rounded(place + step * _STEP * (frame.right - frame.left)))

    def _move(self, place: float) -> None:
        """Put the handle that is moved at a place."""
        moved = [
            replace(handle, place=place, text=significant(place)) if handle.movable and handle.target == self._target else handle
            for handle in self.handles()
        ]
        self.set_handles(moved)

    @Slot(object)
    def _preview(self, place: float) -> None:
        self._move(place)
        self.handleMoving.emit(self._target, place)

    @Slot(object)
    def _settle(self, place: float) -> None:
        self.handleMoved.emit(self._target, place)

    @Slot()
    def _restore(self) -> None:
        self._move(self._gesture.start)
        self.handleCancelled.emit(self._target)

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        near = (handle := self._movable(position.x())) is not None and abs(self._pixel(handle) - position.x()) < px(_NEAR)
        self._plot.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)
        if not self.plot.lines or not self._plot.frame.area.contains(position):
            self._clear_hover()
            return
        place = self._plot.frame.value_x(position.x())
        self._handles.hovered = self.plot.nearest(10.0**place if self.plot.x.log else place)
        self._handles.hover_lines = self.plot.read(self._handles.hovered)
        self._handles.update()

    @Slot()
    def _clear_hover(self) -> None:
        self._handles.hovered = None
        self._handles.hover_lines = ()
        self._handles.update()


def _ticks(axis: Axis) -> TickFinder:
    """Return what finds the ticks of an axis."""
    if axis.scale == "names":
        return lambda low, high, at_most: [
            Tick(float(place), name) for place, name in enumerate(axis.names) if low <= place <= high
        ]
    return {"log": log_ticks, "whole": count_ticks}.get(axis.scale, number_ticks)
