"""Clicks, drags and keys on the bars and points of a plot. Each gesture is one request; the result is not handled here."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.gesture import Gesture
from dpdesigner.desktop.plots.plot_layer import Frame, px
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Bars, Drag, Line

_STILL = 3.0  # pixels that the mouse may move during a click
_NEAR = 7.0  # pixels from a point of an earlier line within which it takes precedence over later lines
_POINTED = 24.0  # pixels from a dot within which the mouse points at it
_SIDE = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_UP = {Qt.Key.Key_Down: -1, Qt.Key.Key_Up: 1}
_FAR = 10  # multiplies the step while Shift is held down

Values = tuple[Floats, int]


@dataclass
class _Grip:
    """The part that the mouse holds: one point of a line or a bar, where the mouse went down, how far away, whether it moved."""

    mark: int
    which: int
    drag: Drag | None
    at: QPointF
    away: QPointF
    moved: bool = False
    selects: bool = False  # whether the press has selected it


def _same(one: Values, other: Values) -> bool:
    return np.array_equal(one[0], other[0])


class MarkHands(QObject):
    """The current gesture on the marks of one plot.

    Parameters
    ----------
    widget : CurvePlot
        Where the keys work; it has the plot and its frame.
    """

    moving = Signal(str, object)  #: a target and the value it would take
    moved = Signal(str, object)
    cancelled = Signal(str)
    shown = Signal(int, object)  #: values of a mark to show until the answer arrives
    began = Signal()  #: a drag has begun; the ranges of the axes must stay fixed
    ended = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._grip: _Grip | None = None
        self.place = -1  # the bar or point selected with the keyboard
        self._values: Floats = np.zeros(0)
        self._taken: Drag | None = None
        self._mark, self._which = 0, 0
        self.gesture = Gesture(widget, _same)
        self.gesture.changing.connect(self._preview)
        self.gesture.changed.connect(self._settle)
        self.gesture.cancelled.connect(self._restore)
        self.gesture.ended.connect(self.ended)

    def _plot(self) -> Plot:
        plot: Plot = self.parent().plot  # type: ignore[union-attr]  # a reference to the widget would be a cycle
        return plot

    def _frame(self) -> Frame:
        frame: Frame = self.parent().figure().frame  # type: ignore[union-attr]
        return frame

    # Marks -------------------------------------------------------------------------------------------------------------

    def _marks(self) -> tuple[Line | Bars, ...]:
        """Return bars, then lines, by number: a mark keeps its number while it is dragged."""
        plot = self._plot()
        return (*plot.bars, *plot.lines)

    @staticmethod
    def values(mark: Line | Bars) -> Floats:
        """Return the values of a mark that are dragged: heights of bars, positions of a line's points."""
        if isinstance(mark, Bars):
            return mark.values
        return np.concatenate([mark.x, mark.y]) if any(drag.plane for drag in mark.drags) else mark.x

    def _pixels(self, line: Line) -> tuple[Floats, Floats]:
        """Return where the points of a line are, in pixels."""
        plot, frame = self._plot(), self._frame()
        return frame.x(_on_axis(line.x, plot.x)), frame.y(_on_axis(line.y, plot.y))

    def place_at(self, position: QPointF) -> int:
        """Return the position of the bars at a pixel, or -1."""
        place, plot = int(np.floor(self._frame().value_x(position.x()) + 0.5)), self._plot()
        return place if 0 <= place < plot.places else -1

    def point_at(self, position: QPointF) -> tuple[int, int] | None:
        """Return the numbers of a line and of its point nearest to a pixel; earlier lines take precedence."""
        if (dot := self.dot_at(position)) is not None:
            return dot
        found = list[tuple[float, int, int]]()
        for number, mark in enumerate(self._marks()):
            if isinstance(mark, Line) and (mark.drags or mark.select is not None):
                x, y = self._pixels(mark)
                inside = x.min() <= position.x() <= x.max() and y.min() <= position.y() <= y.max()
                if inside and (whole := next((drag.middle for drag in mark.drags if drag.middle >= 0), None)) is not None:
                    return number, whole
                away = np.abs(x - position.x())
                if mark.sizes is not None or any(drag.plane for drag in mark.drags):
                    away = np.hypot(away, y - position.y())
                if mark.sizes is not None:
                    away = np.maximum(away - mark.sizes * self._frame().area.height(), 0)
                found.append((float(away.min()), number, int(away.argmin())))
        if not found:
            return None
        nearest = min(away for away, _, _ in found)
        return next((number, which) for away, number, which in found if away <= max(nearest, px(_NEAR)))

    def dot_at(self, position: QPointF, near: float = _NEAR) -> tuple[int, int] | None:
        """Return the number of a line and of its dot right under the mouse that can be dragged; it goes before a handle."""
        for number, mark in enumerate(self._marks()):
            if isinstance(mark, Line) and mark.dots and mark.drags:
                x, y = self._pixels(mark)
                away = np.hypot(x - position.x(), y - position.y())
                if away.min() <= px(near):
                    return number, int(away.argmin())
        return None

    def dot_text_at(self, position: QPointF) -> tuple[float, str] | None:
        """Return the place and the text of the dot nearest to a pixel, if it is near, or of the bar around it."""
        found, frame = list[tuple[float, float, str]](), self._frame()
        for line in self._plot().lines:
            if line.texts:
                x, y = self._pixels(line)
                if line.filled and line.low is not None and line.high is not None:
                    ends = frame.y(float(line.high[0])), frame.y(float(line.low[0]))
                    if x[0] <= position.x() <= x[-1] and ends[0] <= position.y() <= ends[1]:
                        return float(line.x[-1]), line.texts[-1]
                    continue
                away = np.hypot(x - position.x(), y - position.y())
                which = int(away.argmin())
                found.append((float(away[which]), float(line.x[which]), line.texts[which]))
        nearest, place, text = min(found, default=(math.inf, 0.0, ""))
        return (place, text) if nearest <= px(_POINTED) else None

    def told_at(self, position: QPointF) -> tuple[float, str] | None:
        """Return the position and text of the nearest point on the line that describes its points."""
        line = next((line for line in self._plot().lines if line.select is not None and line.select.read is not None), None)
        if line is None or line.select is None or line.select.read is None:
            return None
        which = int(np.abs(self._pixels(line)[0] - position.x()).argmin())
        return float(line.x[which]), line.select.read(which)

    def takes(self, position: QPointF) -> Drag | None:
        """Return the input that a drag starting at a pixel would change."""
        if (place := self.place_at(position)) >= 0:
            drag = next((bars.drags[0] for bars in self._plot().bars if bars.drags), None)
            return None if drag is None or place in drag.fixed else drag
        at = self.point_at(position) if place < 0 else None
        mark = None if at is None else self._marks()[at[0]]
        return mark.drags[0] if mark is not None and mark.drags else None

    # Mouse -------------------------------------------------------------------------------------------------------------

    def press(self, position: QPointF) -> bool:
        """Grab the mark under the mouse, and select a bar or a point; return whether there is a mark."""
        plot = self._plot()
        if plot.bars:
            if (place := self.place_at(position)) < 0:
                return False
            self._select(place)
            at: tuple[int, int] | None = (self._nearest_bars(place, position), place)
        else:
            at = self.point_at(position)
        if at is None:
            return False
        mark, away, selects = self._marks()[at[0]], QPointF(), False
        if isinstance(mark, Line) and mark.select is not None and not mark.drags:
            selects = True
            self.moved.emit(mark.select.target, mark.select.kept(at[1]))
            at = self.dot_at(position, _NEAR + _STILL) or at  # what has come under the mouse can be dragged on
            mark = self._marks()[at[0]]
        if isinstance(mark, Line) and at[1] < len(mark.x):
            away = QPointF(*(float(each[at[1]]) for each in self._pixels(mark))) - position
        drag = _chosen(mark.drags)
        drag = None if drag is None or at[1] in drag.fixed else drag
        self._grip = _Grip(at[0], at[1], drag, position, away, selects=selects)
        return True

    def _nearest_bars(self, place: int, position: QPointF) -> int:
        """Return the kind of bars to drag: the one under the mouse, or the first that can be dragged."""
        plot = self._plot()
        under = int((self._frame().value_x(position.x()) - place + 0.5) * len(plot.bars))
        under = min(max(under, 0), len(plot.bars) - 1)
        return under if plot.bars[under].drags else next((k for k, bars in enumerate(plot.bars) if bars.drags), under)

    def drag(self, position: QPointF) -> None:
        """Follow the mouse during a drag."""
        grip = self._grip
        if grip is not None and grip.drag is None and self._plot().bars:
            if (under := self.place_at(position)) not in (-1, self.place):
                self._select(under)
            return
        if grip is None or grip.drag is None or (grip.moved and not self.gesture.held):
            return
        if not grip.moved:
            if (position - grip.at).manhattanLength() <= px(_STILL):
                return  # a click moves nothing
            grip.moved = True
            mark = self._marks()[grip.mark]
            if isinstance(mark, Line) and mark.select is not None and grip.which != self._plot().selected:
                self.moved.emit(mark.select.target, mark.select.kept(grip.which))
            self._begin(grip.mark, grip.which, grip.drag, held=True)
        mark, frame = self._marks()[grip.mark], self._frame()
        if isinstance(mark, Line):
            where, up, plot = frame.value_x(position.x()), frame.value_y(position.y()), self._plot()
            if grip.drag.plane and grip.which == grip.drag.middle:
                position = position + grip.away
                where, up = frame.value_x(position.x()), frame.value_y(position.y())
            if grip.drag.plane:
                self._move((_value_at(where, plot.x), _value_at(up, plot.y)))
            elif grip.drag.around:
                self._move(math.degrees(math.atan2(up, where)) % 360)
            else:
                self._move(_value_at(where, plot.x))
            return
        if grip.drag.sweep and (under := self.place_at(position)) >= 0:
            self._which = under
        self._move(frame.value_y(position.y()))

    def release(self) -> None:
        """End the drag; a click on a point selects it."""
        grip, self._grip = self._grip, None
        if grip is not None and not (grip.moved or grip.selects) and grip.mark < len(self._marks()):
            mark = self._marks()[grip.mark]
            if isinstance(mark, Line) and mark.select is not None and grip.which < len(mark.x):
                self.moved.emit(mark.select.target, mark.select.kept(grip.which))
        if self.gesture.held:
            self.gesture.finish()

    def _select(self, place: int) -> None:
        """Request the selection of a bar or a point, if it differs from the current one."""
        plot = self._plot()
        select = plot.select if plot.bars else next((line.select for line in plot.lines if line.select is not None), None)
        before, self.place = plot.selected if select is not None else self.place, place
        if select is not None and place != before:
            self.moved.emit(select.target, select.kept(place))

    # Gesture -----------------------------------------------------------------------------------------------------------

    def _begin(self, mark: int, which: int, drag: Drag, *, held: bool) -> None:
        self.gesture.finish()
        self.began.emit()
        self._mark, self._which, self._taken = mark, which, drag
        self._values = self.values(self._marks()[mark])
        self.gesture.begin((self._values, which), held=held)

    def _move(self, where: Any) -> None:
        if self._taken is not None and self.gesture.active:
            self._values = np.asarray(self._taken.moved(self._values, self._which, where), dtype=np.float64)
            self.gesture.move((self._values, self._which))

    @Slot(object)
    def _preview(self, value: Values) -> None:
        if self._taken is not None:
            before = self._plot()
            self.moving.emit(self._taken.target, self._taken.kept(*value))
            if self._plot() is before:  # the answer is not there yet
                self.shown.emit(self._mark, value[0])

    @Slot(object)
    def _settle(self, value: Values) -> None:
        if self._taken is not None:
            self.moved.emit(self._taken.target, self._taken.kept(*value))

    @Slot()
    def _restore(self) -> None:
        self._grip = None
        if self._taken is not None:
            before = self._plot()
            self.cancelled.emit(self._taken.target)
            if self._plot() is before:
                self.shown.emit(self._mark, self.gesture.start[0])

    def keep(self, plot: Plot) -> None:
        """Adopt another plot: a gesture on a mark that no longer exists ends."""
        if self.gesture.active:
            marks: tuple[Line | Bars, ...] = (*plot.bars, *plot.lines)
            targets = [drag.target for drag in marks[self._mark].drags] if self._mark < len(marks) else []
            if self._taken is None or self._taken.target not in targets:
                self._grip = None
                self.gesture.drop()

    # Keyboard ----------------------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Select with Left and Right, change bars with Up and Down and points with Shift; return whether the key was used."""
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape and self.gesture.active:
            self.gesture.cancel()
            return True
        plot = self._plot()
        if self.gesture.held or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        if plot.bars:
            if key in _SIDE:
                at = self.current
                self._select(min(max(at + _SIDE[key], 0), plot.places - 1) if at >= 0 else int(np.argmax(plot.bars[0].values)))
                return True
            return key in _UP and self.step(_UP[key] * (_FAR if shift else 1), event.modifiers())
        if key in (*_SIDE, *_UP, Qt.Key.Key_Home) and any(drag.plane for drag in plot.drags):
            return self._step_corner(_SIDE.get(key, 0), _UP.get(key, 0), home=key == Qt.Key.Key_Home)
        turns = any(drag.around for drag in plot.drags)
        if key in _SIDE and (shift or turns):
            return self.step(_SIDE[key] * (_FAR if shift and turns else 1), event.modifiers())
        if key in (*_SIDE, Qt.Key.Key_Home):
            line = next((line for line in plot.lines if line.select is not None), None)
            if line is not None and line.select is not None:
                place = min(max(self.current + _SIDE.get(key, 0), 0), len(line.x) - 1)
                self.place = place
                self.moved.emit(line.select.target, line.select.kept(place))
                return True
        return False

    def _step_corner(self, right: int, up: int, *, home: bool) -> bool:
        """Move a corner by a step to the right and up, or go on to the next corner."""
        number = next(k for k, mark in enumerate(self._marks()) if any(drag.plane for drag in mark.drags))
        mark, frame = self._marks()[number], self._frame()
        x, y = np.split(self.values(mark), 2)
        self.place = (max(self.place, 0) + home) % len(x)
        if home:
            return True
        drag, which = mark.drags[0], self.place
        if not self.gesture.active or (self._mark, self._which) != (number, which):
            self._begin(number, which, drag, held=False)
        wide, high = frame.right - frame.left, frame.top - frame.bottom
        plot = self._plot()
        across, above = (float(_on_axis(values[which : which + 1], axis)[0]) for values, axis in ((x, plot.x), (y, plot.y)))
        self._move((_value_at(across + right * drag.step * wide, plot.x), _value_at(above + up * drag.step * high, plot.y)))
        return True

    @property
    def current(self) -> int:
        """The position of the keyboard: the selection, otherwise where the keys were last."""
        return self._plot().selected if self._plot().selected >= 0 else self.place

    def step(self, steps: float, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
        """Move the selected bar, or the first movable point, by some steps; return whether there is one."""
        number = next((k for k, mark in enumerate(self._marks()) if mark.drags), -1)
        if number < 0:
            return False
        mark = self._marks()[number]
        which = self.current if len(self.values(mark)) > 1 else 0  # a single point describes the selected one
        drag = _chosen(mark.drags, modifiers)
        if not 0 <= which < len(self.values(mark)) or drag is None or which in drag.fixed:
            return False
        if not self.gesture.active or (self._mark, self._which) != (number, which):
            self._begin(number, which, drag, held=False)
        self._move(float(self._values[which]) + steps * drag.step)
        return True


def _on_axis(values: Floats, axis: Axis) -> Floats:
    """Return the places of values on an axis: their decimal logarithms on a logarithmic one."""
    return np.log10(np.maximum(values, 1e-300)) if axis.log else values


def _value_at(place: float, axis: Axis) -> float:
    return float(10.0**place) if axis.log else float(place)


def _chosen(drags: tuple[Drag, ...], modifiers: Qt.KeyboardModifier | None = None) -> Drag | None:
    """Return the first of these, or the second while the Ctrl key is pressed."""
    held = QGuiApplication.keyboardModifiers() if modifiers is None else modifiers
    return drags[min(int(bool(held & Qt.KeyboardModifier.ControlModifier)), len(drags) - 1)] if drags else None


def with_values(plot: Plot, number: int, values: Any) -> Plot:
    """Return a plot with other values for one of its marks; bars come first, as in `MarkHands`."""
    bars, lines = list(plot.bars), list(plot.lines)
    if number < len(bars):
        bars[number] = replace(bars[number], values=values)
    else:
        line = lines[number - len(bars)]
        x, y = np.split(np.asarray(values), 2) if any(drag.plane for drag in line.drags) else (np.asarray(values), line.y)
        order = np.argsort(x, kind="stable")
        lines[number - len(bars)] = replace(line, x=x[order], y=y[order])
    return replace(plot, bars=tuple(bars), lines=tuple(lines))
