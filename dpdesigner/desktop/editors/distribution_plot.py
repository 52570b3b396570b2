"""The plot in which a distribution is edited with the mouse, and a column that is drawn in it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import excerpt
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import brief, group_thousands
from dpdesigner.core.synthetic.cells import drawn_counts
from dpdesigner.desktop.base.controls import named, push_button, value_box, wrapped
from dpdesigner.desktop.base.gesture import notches
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import FittedWidget, column_of
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.distribution_view import EditedView
from dpdesigner.desktop.editors.handle_curve import HandleDrag, shaped
from dpdesigner.desktop.editors.weight_rules import Brush, Stroke
from dpdesigner.desktop.plots.axis_layer import Axis, Tick, no_ticks, number_ticks
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs.columns import BARS, MOST_ROWS, ColumnSpec

_STILL = 3.0  # pixels within which a press is a click
_HIGHEST = 20.0  # maximum height of a dragged bar, in plot heights


class DistributionPlot(EditedView):
    """Drag to paint, with Shift a straight line, with the right button to erase; in curve mode, drag handles.

    A click chooses a bar, the wheel raises or lowers it. While a gesture lasts the scale stands still and the shape before it
    stays as a ghost. Where nothing would be left, an empty frame is shown and nothing asked for: Esc brings the shape back.
    Nothing is emitted for values that come from outside.
    """

    pointed = Signal(object)  #: the bar under the mouse, or None
    menu_wanted = Signal(int, QPoint)  #: the bar that was right-clicked, and the screen position
    brush_changed = Signal(object)  #: the `Brush`, after Ctrl + wheel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)

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
            self.gesture.begin(self.weights)
            self._words, self.bars.curve = self.tr("Remove handle"), curve.removed(handle)
            self._follow(shaped(self.weights, self.bars.curve, self.rules))
            self.gesture.finish()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Raise or lower the bar under the mouse; with Ctrl, change the width of the brush."""
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
        self.gesture.begin(self.weights, held=True)
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


FLAT = ColumnSpec(shape=Prior("uniform", BARS - 1), rows=1000)
_HEIGHT = 96  # pixels, at text scale 1


class DrawnColumn(FittedWidget):
    """An editor of a drawn column that requests changes; the drawing gives the distribution of rows, not their number."""

    changing = Signal(object)  #: a column to preview while a stroke lasts
    changed = Signal(object, str)  #: a column, and the label of the undo step
    cancelled = Signal()  #: the stroke was cancelled

    def __init__(self) -> None:
        super().__init__()
        self._column, self._low, self._high = FLAT, 0.0, 1.0
        self.plot = DistributionPlot()
        self.plot.setAccessibleName(self.tr("The drawn column: distribution of its rows along the axis"))
        self.plot.set_axes(Axis("", self._ticks), Axis("", no_ticks))
        self.plot.changing.connect(self._preview)
        self.plot.changed.connect(self._keep)
        self.plot.cancelled.connect(lambda _: self.cancelled.emit())
        self.plot.pointed.connect(self._read)
        self.plot.chosen.connect(self._choose)
        self._words, self.error = SentenceLabel("small"), ErrorLine()
        tip = self.tr("Number of rows in the drawn column")
        self.rows = value_box("20000000", self.tr("Rows of the drawn column"), tip, self._take_rows)
        self._row = wrapped(named(self.tr("rows"), self.rows), *(self._shape(*each) for each in self._shapes()))
        column_of(self.plot, self._words, self._row, self.error, on=self, gap=4)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _shapes(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.tr("Flat"), "uniform"),
            (self.tr("Hump"), f"binomial:{2 / 5}"),
            (self.tr("Two peaks"), f"two-peak:{BARS // 4},{3 * BARS // 4}"),
            (self.tr("Falling"), "geometric:0.9"),
        )

    def _shape(self, text: str, name: str) -> QPushButton:
        return push_button(text, self.tr("Start with this shape"), partial(self._begin, name), padding="2px 7px")

    @Slot()
    def _restyle(self) -> None:
        self.plot.setFixedHeight(round(_HEIGHT * theme().scale))

    def show_column(self, column: ColumnSpec, low: float, high: float) -> None:
        """Show a drawn column and emit nothing; a stroke in progress continues if this is its current result."""
        self._column, self._low, self._high = column, low, high
        self.rows.show_value(str(column.rows))
        self.error.clear()
        if column.shape is not None and not (self.plot.busy and np.array_equal(column.shape.weights, self.plot.weights)):
            self.plot.set_weights(column.shape.weights)
            self.plot.axes.renew()
        self._read(None)

    def set_presenting(self, on: bool) -> None:
        """Hide its buttons."""
        self._row.setVisible(not on)
        self._words.setVisible(not on)

    def _ticks(self, low: float, high: float, at_most: int) -> list[Tick]:
        """Return the ticks. Bars are centred on whole numbers, so the axis starts half a bar left of the first."""
        bars = len(self.plot.weights)
        width = (self._high - self._low) / bars
        ticks = number_ticks(self._low + (low + 0.5) * width, self._low + (high + 0.5) * width, at_most)
        return [Tick((tick.at - self._low) / width - 0.5, tick.text) for tick in ticks]

    def _drawn(self, weights: Floats) -> ColumnSpec:
        return replace(self._column, shape=Prior(tuple(weights.tolist()), len(weights) - 1))

    @Slot(object)
    def _preview(self, weights: Floats) -> None:
        self.changing.emit(self._drawn(weights))

    @Slot(object, str)
    def _keep(self, weights: Floats, words: str) -> None:
        self.changed.emit(self._drawn(weights), self.tr("Draw the column"))

    @Slot(int)
    def _choose(self, bar: int) -> None:
        self.plot.set_selected(bar)
        self._read(bar)

    @Slot(object)
    def _read(self, bar: int | None) -> None:
        """Show the weight of the bar under the mouse, otherwise what can be done here."""
        weights = self.plot.weights
        if bar is None or bar >= len(weights):
            self._words.set_sentence(self.tr("Drag to paint, right-drag to erase. This column is invented data."))
            return
        width = (self._high - self._low) / len(weights)
        many = int(drawn_counts(weights, self._column.rows, len(weights))[bar])
        ends = {"low": brief(self._low + bar * width), "high": brief(self._low + (bar + 1) * width)}
        told = self.tr("{low} to below {high}: {count} rows").format(**ends, count=group_thousands(many))
        self._words.set_sentence(told)
        self.plot.setAccessibleDescription(told)

    def _begin(self, name: str, checked: bool = False) -> None:
        self.changed.emit(replace(self._column, shape=Prior(name, BARS - 1)), self.tr("Draw the column"))

    @Slot(str)
    def _take_rows(self, text: str) -> None:
        given = "".join(text.split())
        rows = int(given) if given.isascii() and given.isdigit() and len(given) < 12 else -1
        if not 1 <= rows <= MOST_ROWS:
            wanted = f"a drawn column must have a whole number of rows from 1 to {group_thousands(MOST_ROWS)}"
            self.error.set_error(InputError(f"{wanted}, got {excerpt(text.strip())}.", "rows"), self.rows)
            return
        self.changed.emit(replace(self._column, rows=rows), self.tr("Change the number of rows"))
