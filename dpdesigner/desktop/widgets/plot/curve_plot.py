"""Curves against a quantity, such as the expected loss against epsilon, with a cursor that can be dragged."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.desktop.widgets.plot.axis_layer import Axis
from dpdesigner.desktop.widgets.plot.curve import Band, Curve, Marker, axis_ends, nearest_sample, table_of
from dpdesigner.desktop.widgets.plot.curve_layer import CursorLayer, CurveLayer
from dpdesigner.desktop.widgets.plot.plot_holder import PlotHolder
from dpdesigner.desktop.widgets.plot.plot_layer import font
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot
from dpdesigner.desktop.widgets.plot.plot_ticks import log_ticks, number_ticks

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: -6, Qt.Key.Key_PageUp: 6}
_STEP = 1 / 60  # of the axis, for one press of an arrow key
_DIGITS = 3  # significant digits of a place chosen with the mouse or the keys


class CurvePlot(PlotHolder[StyledPlot]):
    """Named curves on linear or logarithmic axes. Hovering tells exact numbers, dragging moves the cursor.

    Left, Right, Page Up and Page Down move the cursor too.
    """

    cursorMoving = Signal(float)  #: the user is dragging the cursor, now here
    cursorMoved = Signal(float)  #: the user has put the cursor here

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(StyledPlot(), parent)
        self._curves = CurveLayer()
        self._cursor = CursorLayer(self._curves)
        self._plot.add_layer(self._curves)
        self._plot.add_layer(self._cursor)
        self._titles = ("", "")
        self._ends: dict[str, tuple[float, float] | None] = {"x": None, "y": None}
        self._movable = self._dragging = False
        self._dragged = 0.0
        self.setMinimumHeight(90)
        self._plot.pressed.connect(self._press)
        self._plot.dragged.connect(self._drag)
        self._plot.released.connect(self._release)
        self._plot.hovered.connect(self._hover)
        self._plot.left.connect(self._leave)
        theme().changed.connect(self._pad)
        self._pad()
        self._set_axes()
        self._fit()

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_picture(
        self,
        curves: Iterable[Curve],
        *,
        markers: Iterable[Marker] = (),
        bands: Iterable[Band] = (),
        titles: tuple[str, str] = ("", ""),
        logarithmic: tuple[bool, bool] = (False, False),
        limits: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None),
    ) -> None:
        """Show a picture; the cursor stays.

        Parameters
        ----------
        curves, markers, bands
            What is drawn; the cursor's dot is on the first curve.
        titles : (str, str)
            Of the axes; an empty title takes no room.
        logarithmic : (bool, bool)
            Whether x and y are; there, what is not positive is left out.
        limits : pair of (low, high) or None
            Ends of the axes; None fits them.
        """
        layer = self._curves
        layer.curves, layer.markers, layer.bands = list(curves), list(markers), list(bands)
        self._ends = {"x": limits[0], "y": limits[1]}
        axes = (titles, logarithmic)
        if axes != (self._titles, (layer.log_x, layer.log_y)):
            layer.log_x, layer.log_y = logarithmic
            self._titles = titles
            self._set_axes()
        self._fit()

    def set_cursor(self, x: float | None, text: str = "", *, movable: bool = True) -> None:
        """Put the cursor at a place, or nowhere; no signal is emitted.

        Parameters
        ----------
        x : float, optional
            The place.
        text : str
            Written above the cursor, such as ``ε = ln 2``.
        movable : bool
            Whether the user can move it.
        """
        self._movable = movable and x is not None
        self._dragging = self._dragging and self._movable  # a drag of what is gone is over
        if (x, text) != (self._cursor.place, self._cursor.text):
            self._show_cursor(x, text)

    def set_stale(self, on: bool) -> None:
        """Fade the curves while newer ones are being computed."""
        self._curves.setOpacity(0.55 if on else 1.0)

    def cursor_place(self) -> float | None:
        """Return where the cursor is."""
        return self._cursor.place

    def as_table(self) -> tuple[list[str], list[list[str]]]:
        """Return the curves as a header and rows of text with all digits, ready for a CSV file."""
        return table_of(self._curves.curves, self._titles[0] or "x")

    def read_out(self, x: float) -> list[str]:
        """Return what the curves are at a place, a line each; ``≈`` before what lies between two points of a curve."""
        lines = [f"{self._titles[0] or 'x'} = {significant(x, 4)}"]
        for curve in self._curves.curves:
            value = curve.at(x, logarithmic=self._curves.log_x)
            if not np.isnan(value):
                about = "" if curve.steps or x in curve.x else "≈ "
                lines.append(f"{curve.name}: {about}{significant(value, 5)}")
        return lines

    # Range -------------------------------------------------------------------------------------------------------------

    def _set_axes(self) -> None:
        """Take titles and scales; `_fit` lays the plot out with them."""
        x, y = self._titles
        name = y or next((curve.name for curve in self._curves.curves), "y")
        self.setAccessibleName(self.tr("{y} against {x}").format(x=x or "x", y=name))
        finders = [log_ticks if log else number_ticks for log in (self._curves.log_x, self._curves.log_y)]
        axes = self._plot.axes
        axes.horizontal, axes.vertical = Axis(x, finders[0]), Axis(y, finders[1], grid=True)

    @Slot()
    def _pad(self) -> None:
        """Keep a line above the curves for the cursor's text."""
        self._plot.set_padding(0, QFontMetricsF(font()).height() / theme().scale + 4, 10, 2)

    def _fit(self) -> None:
        layer = self._curves
        xs = [curve.x for curve in layer.curves] + [np.array([marker.x]) for marker in layer.markers]
        ys = [curve.y for curve in layer.curves] + [np.array([marker.y]) for marker in layer.markers]
        left, right = axis_ends(self._ends["x"], xs, layer.log_x, from_zero=False)
        bottom, top = axis_ends(self._ends["y"], ys, layer.log_y, from_zero=True)
        self._plot.set_range(left, right, bottom, top)
        layer.renew()
        self._show_cursor(self._cursor.place, self._cursor.text)
        self._clear_hover()

    def _show_cursor(self, x: float | None, text: str) -> None:
        cursor, curves = self._cursor, self._curves.curves
        cursor.place, cursor.text = x, text
        known = x is not None and bool(curves)
        cursor.height = curves[0].at(x, logarithmic=self._curves.log_x) if known and x is not None else float("nan")
        cursor.update()
        self.setAccessibleDescription("; ".join(self.read_out(x)) if x is not None else "")

    # Mouse and keys ----------------------------------------------------------------------------------------------------

    def _value_at(self, position: QPointF) -> float:
        return self._rounded(self._plot.frame.value_x(position.x()))

    def _rounded(self, place: float) -> float:
        """Return the value at a place on the axis, kept on the axis and rounded as a person would."""
        frame = self._plot.frame
        place = min(max(place, frame.left), frame.right)
        return float(f"{10.0**place if self._curves.log_x else place:.{_DIGITS}g}")

    def _move(self, x: float) -> None:
        self._show_cursor(x, self._cursor.text if x == self._cursor.place else significant(x))

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self._movable:
            self._dragging = True
            self._clear_hover()
            self._drag(position)

    @Slot(QPointF)
    def _drag(self, position: QPointF) -> None:
        if self._dragging:
            x = self._dragged = self._value_at(position)
            if x != self._cursor.place:
                self._move(x)
                self.cursorMoving.emit(x)

    @Slot(QPointF)
    def _release(self, position: QPointF) -> None:
        if self._dragging:
            self._dragging = False
            self.cursorMoved.emit(self._dragged)  # an undo on the way may have put the cursor elsewhere

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor."""
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if not step or not self._movable or self._cursor.place is None:
            super().keyPressEvent(event)
            return
        frame, place = self._plot.frame, self._cursor.place
        if self._curves.log_x:
            place = float(np.log10(place)) if place > 0 else frame.left
        x = self._rounded(place + step * _STEP * (frame.right - frame.left))
        self._move(x)
        self.cursorMoved.emit(x)

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        near = self._cursor.place is not None and abs(self._curves.pixel(self._cursor.place, 1.0).x() - position.x()) < 6
        self._plot.setCursor(Qt.CursorShape.SizeHorCursor if near and self._movable else Qt.CursorShape.ArrowCursor)
        if not self._curves.curves or not self._plot.frame.area.contains(position):
            self._clear_hover()
            return
        place = self._plot.frame.value_x(position.x())
        logarithmic = self._curves.log_x
        x = nearest_sample(self._curves.curves, 10.0**place if logarithmic else place, logarithmic=logarithmic)
        cursor = self._cursor
        cursor.hovered, cursor.hover_lines = x, self.read_out(x)
        cursor.hover_dots = [(curve.at(x, logarithmic=logarithmic), curve.colour_role) for curve in self._curves.curves]
        cursor.update()

    @Slot()
    def _leave(self) -> None:
        self._clear_hover()

    def _clear_hover(self) -> None:
        self._cursor.hovered = None
        self._cursor.hover_lines = ()
        self._cursor.update()
