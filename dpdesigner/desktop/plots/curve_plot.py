"""The widget for a `Plot`: curves and bars over one axis, with handles, points and bars that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.base.gesture import Gesture
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.axis_layer import Axis as DrawnAxis
from dpdesigner.desktop.plots.axis_layer import Tick, TickFinder, count_ticks, log_ticks, no_ticks, number_ticks
from dpdesigner.desktop.plots.bar_painter import TEXT, rises
from dpdesigner.desktop.plots.curve_layer import CurveLayer, HandleLayer
from dpdesigner.desktop.plots.landing_layer import LandingLayer
from dpdesigner.desktop.plots.line_shapes import axis_ends
from dpdesigner.desktop.plots.mark_hands import MarkHands, with_values
from dpdesigner.desktop.plots.plot_layer import fade, font, px
from dpdesigner.desktop.plots.plot_style import PlotHolder, StyledPlot
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Handle

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: -6, Qt.Key.Key_PageUp: 6}
_TURNS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}  # moves to another handle
_STEP = 1 / 60  # of the axis, for one press of an arrow key
_DIGITS = 3  # significant digits of a place chosen with the mouse or the keys
_NEAR = 6.0  # pixels from a handle within which it is grabbed
_STILL = 3.0  # pixels that the mouse may move during a click


@dataclass
class _Grip:
    """The start of a drag: the pixel, its distance from the handle if it grabbed it, and whether it has moved since."""

    x: float
    away: float
    grabbed: bool
    moved: bool = False


class CurvePlot(PlotHolder[StyledPlot]):
    """A plot. Hovering shows exact numbers; dragging moves the handle under the mouse, otherwise the nearest one.

    Where there is none it moves a bar or a point that has a `Drag`, and a click selects. Left, Right, Page Up and Page Down move
    the first handle too; `MarkHands` says what keys do to bars and points. Esc gives a drag up; so does ending where it began.
    """

    handleMoving = Signal(str, object)  #: the user is moving the handle, bar or point with this target to here
    handleMoved = Signal(str, object)  #: the user has dropped it here, or has clicked it
    handleCancelled = Signal(str)  #: the user cancelled the move; it is back where it was
    placeHovered = Signal(int)  #: index of the bars under the mouse; -1 for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(StyledPlot(), parent)
        self._curves = CurveLayer()
        self._handles = HandleLayer(self._curves)
        self._plot.add_layer(self._curves)
        self._plot.add_layer(self._handles)
        self._landing = LandingLayer(self._plot, self._curves)
        self._plot.add_layer(self._landing)
        self._gesture = Gesture(self)
        self.hands = MarkHands(self)
        self._kept_ends: tuple[float, float] | None = None  # of the y axis, while a bar is dragged
        self._strip, self._labelled, self._joined = False, True, False
        self._read: Plot | None = None  # whose values a screen reader has been told
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
        self.hands.moving.connect(self.handleMoving)
        self.hands.moved.connect(self.handleMoved)
        self.hands.cancelled.connect(self.handleCancelled)
        self.hands.shown.connect(self._show_values)
        self.hands.began.connect(self._keep_ends)
        self.hands.ended.connect(self._let_go)
        self._plot.turned.connect(self._turn)

    def make_strip(self, labelled: bool, joined: bool = False) -> None:
        """Become one of several plots over one axis, labelled here or in another; joined ones touch, handles too."""
        if (True, labelled, joined) != (self._strip, self._labelled, self._joined):
            self._strip, self._labelled, self._joined = True, labelled, joined
            self._pad()
            self._set_axes()
            self._fit()

    def axis_height(self) -> float:
        """Return the pixels that the x axis takes with its names and its title."""
        return self._plot.axes.line_height()

    # Display -----------------------------------------------------------------------------------------------------------

    @property
    def plot(self) -> Plot:
        return self._curves.plot

    def show_plot(self, plot: Plot) -> None:
        """Show a plot; emit nothing."""
        before = self.plot
        self.hands.keep(plot)
        if plot.looks_like(before):
            self._curves.plot = plot  # a drag may now have another effect
            self.set_handles(plot.handles)
            return
        self._curves.show_plot(plot)
        if _shape(before) != _shape(plot):
            self._pad()
        if not _same_axis(before.x, plot.x) or not _same_axis(before.y, plot.y) or bool(before.bars) != bool(plot.bars):
            self._set_axes()
        self._watch_wheel(self.hasFocus())
        self._plot.axes.select(plot.selected if plot.select is not None else -1)
        self._fit()
        self._landing.show_landing(plot.landing)
        self.set_handles(plot.handles)

    @property
    def landed(self) -> bool:
        """Whether the drawn results have reached their final positions."""
        return self._landing.landing is not None and self._landing.fallen == 1

    @Slot(int, object)
    def _show_values(self, number: int, values: object) -> None:
        """Show dragged values until their answer arrives."""
        self._curves.show_plot(with_values(self.plot, number, values))
        self._fit()

    def show_hovered(self, place: int) -> None:
        """Highlight the bars at a position, or none if it is -1; emit nothing."""
        pointed = place if 0 <= place < self.plot.places else None
        if self._curves.hovered != pointed:
            self._curves.hovered = pointed
            self._curves.update()

    def set_handles(self, handles: Sequence[Handle]) -> None:
        """Move the handles; emit nothing."""
        if self._gesture.active and not any(handle.movable and handle.target == self._target for handle in handles):
            self._grip = None
            self._gesture.drop()  # ends the drag of a handle that no longer exists
        if self._handles.handles != tuple(handles):
            self._handles.handles = tuple(handles)
            self._handles.update()
        elif self._read is self.plot:
            return
        self._read = self.plot
        read = self.plot.read(handles[0].place) if handles else ()
        if self.plot.bars and 0 <= self.hands.current and not self.plot.spoken:
            read = self.plot.read_bars(min(self.hands.current, self.plot.places - 1))
        self.setAccessibleDescription(translated(self.plot.spoken) or "; ".join(map(translated, read)))

    def handles(self) -> tuple[Handle, ...]:
        return self._handles.handles

    def set_stale(self, on: bool) -> None:
        fade(on, self._curves, self._landing)

    # Range -------------------------------------------------------------------------------------------------------------

    def _set_axes(self) -> None:
        """Set titles and scales; `_fit` lays out the plot with them."""
        plot, axes = self.plot, self._plot.axes
        name = plot.y.title or next((line.name for line in plot.lines if line.name), "y")
        self.setAccessibleName(self.tr("{y} against {x}").format(x=plot.x.title or "x", y=name))
        names = tuple(plot.x.names) if plot.bars and plot.x.scale == "names" else ()
        horizontal = DrawnAxis(plot.x.title, no_ticks if names else _ticks(plot.x), optional=plot.x.optional, names=names)
        vertical = DrawnAxis(plot.y.title, _ticks(plot.y), grid=plot.y.ticks is None, optional=plot.y.optional)
        if self._strip and not self._labelled:
            horizontal = DrawnAxis("", no_ticks)
        if self._strip:
            vertical = replace(vertical, title="")
        if (self._strip or plot.bars) and not plot.y.label and plot.y.ticks is None:
            vertical = DrawnAxis("", no_ticks)
        axes.horizontal, axes.vertical = horizontal, vertical
        axes.renew()  # even if no range has changed

    @Slot()
    def _pad(self) -> None:
        """Keep a line free above the curves for the texts of the handles, or of bars."""
        above, below = QFontMetricsF(font()).height() / theme().scale + 4, 2.0
        if self._strip and not _headed(self.plot):
            above, below = 6.0, 2.0 if self._labelled else 7.0
        if self._joined:
            above, below = above if _headed(self.plot) else 0.0, 0.0
        if self.plot.bars:
            above, below = TEXT + 2 if _texts(self.plot) else 4.0, 2.0
        if _close(self.plot):
            self._plot.set_padding(4, TEXT + 1, 4, 2)
            return
        self._plot.set_padding(0, above, 10, below)

    @Slot()
    def _keep_ends(self) -> None:
        """Keep the ends of the y axis while a bar is dragged."""
        if self.plot.bars:
            self._kept_ends = self._plot.frame.bottom, self._plot.frame.top

    @Slot()
    def _let_go(self) -> None:
        self._kept_ends = None
        self._fit()

    def _fit(self) -> None:
        plot = self.plot
        if not plot.square:
            self._plot.set_free()
        if plot.bars:
            self._fit_bars(plot)
            return
        xs = [line.x for line in plot.lines] + [np.array([mark.x]) for mark in plot.marks]
        ys = [y for line in plot.lines for y in (line.y, line.low, line.high) if y is not None]
        ys += [np.array([mark.y]) for mark in plot.marks]
        left, right = axis_ends(plot.x.limits, xs, plot.x.log, from_zero=False)
        bottom, top = axis_ends(plot.y.limits, ys, plot.y.log, from_zero=True)
        self._plot.set_range(left, right, bottom, top)
        if plot.square:
            self._plot.set_longest(1.0)
            self._plot.set_cells(right - left, top - bottom)
        self._clear_hover()

    def _fit_bars(self, plot: Plot) -> None:
        """Show all bars, equally wide, from 0 to the highest."""
        left, right = plot.x.limits or (-0.5, plot.places - 0.5)
        low, high = self._kept_ends or plot.y.limits or _bar_ends(plot)
        self._plot.set_range(left, right, low, high)
        self._clear_hover()

    # Mouse and keyboard ------------------------------------------------------------------------------------------------

    def _pixel(self, handle: Handle) -> float:
        return self._curves.pixel(handle.place, 1.0).x()

    def _movable(self, x: float) -> Handle | None:
        """Return the movable handle nearest to a pixel."""
        movable = [handle for handle in self.handles() if handle.movable]
        return min(movable, key=lambda handle: abs(np.nan_to_num(self._pixel(handle)) - x), default=None)

    def _rounded(self, place: float) -> float:
        """Return the value at a position on the axis, rounded naturally and kept on the axis, or where the handle can be."""
        ends = self._plot.frame.left, self._plot.frame.right
        low, high, value = (10.0**each if self.plot.x.log else each for each in (*ends, min(max(place, ends[0]), ends[1])))
        least, most = next((handle.ends for handle in self.handles() if handle.target == self._target), None) or (low, high)
        return min(max(float(f"{value:.{_DIGITS}g}"), low, least), high, most)

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.hands.dot_at(position) is None and (handle := self._movable(position.x())) is not None:
            away = position.x() - self._pixel(handle)
            grabbed = abs(away) <= px(_NEAR)
            self._grip = _Grip(position.x(), away if grabbed else 0.0, grabbed)
            self._target = handle.target
            self._gesture.begin(handle.place, held=True)
            self._clear_hover()
            self._plot.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self.hands.press(position):
            self._clear_hover()
            if self.hands.takes(position) is not None:
                self._plot.setCursor(Qt.CursorShape.ClosedHandCursor)

    @Slot(QPointF)
    def _drag(self, position: QPointF) -> None:
        """Follow the mouse, keeping the grab point of the handle; back at the start, the handle has not moved."""
        grip, x = self._grip, position.x()
        self.hands.drag(position)
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
        dragged = self.hands.gesture.held or self._gesture.held
        self.hands.release()
        if self._gesture.held:
            self._gesture.finish()
        self._hover(position)
        if dragged and not self.plot.bars:
            self._clear_hover()  # it would cover what the drag has changed

    @Slot(QPointF, float)
    def _turn(self, position: QPointF, notches: float) -> None:
        """Move the selected bar by the wheel, once the plot has the focus."""
        if self.hands.step(notches):
            self.hands.gesture.finish_soon()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let the wheel move the same things as the keys."""
        super().focusInEvent(event)
        self._watch_wheel(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Let the page scroll again."""
        super().focusOutEvent(event)
        self._watch_wheel(False)

    def _watch_wheel(self, focused: bool) -> None:
        self._plot.takes_wheel = focused and any(bars.drags for bars in self.plot.bars)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the last moved handle, or the first; choose another one if there are several; or cancel a drag."""
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
        elif (not movable or turn or self.hands.gesture.active) and self.hands.key(event):
            if self.plot.bars and not _close(self.plot):
                self._tell(self.hands.current)
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
            self._gesture.move(round(min(max(place + step * handle.step, frame.left), frame.right), 12))
        else:
            self._gesture.move(self._rounded(place + step * _STEP * (frame.right - frame.left)))

    def _move(self, place: float) -> None:
        """Put the moving handle at a position."""
        moved = [handle.moved(place) if handle.movable and handle.target == self._target else handle for handle in self.handles()]
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
        self._plot.setCursor(Qt.CursorShape.OpenHandCursor if near else Qt.CursorShape.ArrowCursor)
        if self.plot.bars:
            self._hover_bars(position)
            return
        if not near and self.hands.takes(position) is not None:
            self._plot.setCursor(Qt.CursorShape.OpenHandCursor)
        if not self.plot.lines or not self._plot.frame.area.contains(position):
            self._clear_hover()
            return
        silent = any(line.texts for line in self.plot.lines) or self.hands.dot_at(position) is not None
        if silent and self.hands.dot_text_at(position) is None:
            self._clear_hover()
            return
        if (point := self.hands.dot_text_at(position) or self.hands.told_at(position)) is not None:
            self._handles.hovered, text = point
            self._handles.hover_lines = translated(text).splitlines()
            self._handles.update()
            return
        place = self._plot.frame.value_x(position.x())
        self._handles.hovered = self.plot.nearest(10.0**place if self.plot.x.log else place)
        self._handles.hover_lines = self.plot.read(self._handles.hovered)
        self._handles.update()

    def _hover_bars(self, position: QPointF) -> None:
        """Highlight the bars under the mouse and show their numbers: next to them, or after a moment if room is short."""
        place = self.hands.place_at(position)
        able = place >= 0 and self.hands.takes(position) is not None
        self._plot.setCursor(Qt.CursorShape.OpenHandCursor if able else Qt.CursorShape.ArrowCursor)
        if (place if place >= 0 else None) != self._curves.hovered:
            self.show_hovered(place)
            self._tell(place)
            self.placeHovered.emit(place)

    def _tell(self, place: int) -> None:
        read = tuple(map(translated, self.plot.read_bars(place))) if place >= 0 else ()
        self.setAccessibleDescription("; ".join(read))
        if self._strip:
            self._plot.setToolTip("\n".join(read))
            return
        self._handles.hovered = float(place) if place >= 0 else None
        self._handles.hover_lines = read
        self._handles.update()

    @Slot()
    def _clear_hover(self) -> None:
        if self._curves.hovered is not None and not self._plot.underMouse():
            self.show_hovered(-1)
            self.placeHovered.emit(-1)
        if self._handles.hover_lines or self._handles.hovered is not None:
            self._handles.hovered = None
            self._handles.hover_lines = ()
            self._handles.update()
            if self.plot.spoken:
                self.setAccessibleDescription(translated(self.plot.spoken))


def _names(names: Sequence[str], low: float, high: float, at_most: int) -> list[Tick]:
    """Return names at their positions; if there is no room for all, the first, and every second, third or so after it."""
    seen = [Tick(float(place), translated(name)) for place, name in enumerate(names) if low <= place <= high]
    return seen[:: -(-len(seen) // at_most)] if seen else []


def _ticks(axis: Axis) -> TickFinder:
    """Return a function that computes the ticks of an axis."""
    if (ticks := axis.ticks) is not None:

        def given(low: float, high: float, at_most: int) -> list[Tick]:
            places = [(float(np.log10(at)) if axis.log else at, text) for at, text in sorted(ticks)]
            shown = [Tick(place, translated(text)) for place, text in places if low - 1e-9 <= place <= high + 1e-9]
            return shown if len(shown) <= at_most or at_most < 2 else [shown[0], shown[-1]] if at_most == 2 else shown

        return given
    if axis.scale == "names":
        return partial(_names, axis.names)
    return {"log": log_ticks, "whole": count_ticks}.get(axis.scale, number_ticks)


def _same_axis(one: Axis, other: Axis) -> bool:
    """Return whether two axes have the same titles and ticks, apart from their ends."""
    return one is other or _apart_from_ends(one) == _apart_from_ends(other)


def _apart_from_ends(axis: Axis) -> tuple[object, ...]:
    return axis.label, axis.unit, axis.scale, axis.names, axis.ticks, axis.optional


def _texts(plot: Plot) -> bool:
    """Return whether there are texts above the bars."""
    return rises(plot) and not plot.y.label and any(bars.texts is not None or bars.labels for bars in plot.bars)


def _close(plot: Plot) -> bool:
    """Return whether these are the bars of one distribution."""
    return any(bars.close for bars in plot.bars)


def _shape(plot: Plot) -> tuple[bool, ...]:
    """Return the features of a plot that determine the room around it."""
    return bool(plot.bars), _texts(plot), _close(plot), _headed(plot)


def _headed(plot: Plot) -> bool:
    """Return whether texts of handles stand above a plot."""
    return any(handle.label for handle in plot.handles)


def _bar_ends(plot: Plot) -> tuple[float, float]:
    """Return the ends of the y axis of bars: 0 and the highest value, or what bars below 0 need."""
    values = np.concatenate([part for bars in plot.bars for part in (bars.values, bars.rival, bars.outline) if part is not None])
    for bars in plot.bars:
        if (drawn := bars.drawn) is not None:
            values = np.append(values, drawn.max() / drawn.sum())
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    if low < 0 and high == 0:
        high = -0.05 * low
    if plot.y.label and any(bars.rival is not None for bars in plot.bars):
        high += 0.06 * (high - low)  # so that the highest mark is clearly on the axis
    if plot.drags:
        high += 0.15 * (high - low)  # the scale is kept during a drag, so there is room for a higher bar
    return low, high if high > low else low + 1.0
