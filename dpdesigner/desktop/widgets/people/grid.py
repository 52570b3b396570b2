"""A grid of people: marks or shades, one of them ringed, others outlined; the column behind it can be painted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.arrays import Floats, Integers
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.gesture.gesture import Gesture
from dpdesigner.desktop.widgets.people.marks import Mark, ink, pixmap
from dpdesigner.desktop.widgets.plot.plot_layer import colour, mixed, px

Look = Literal["marks", "seen"]

_WIDE = 25 / 16  # columns to rows
_SMALL = 7.0  # pixels of a cell below which a person is a spot
_GAPS = 4.0  # and below which there is nothing between two
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


def columns_for(n: int) -> int:
    """Return how many columns a grid of n people has, whatever its size: 25 by 16 for 400."""
    return max(1, round(math.sqrt(n * _WIDE)))


class PeopleGrid(QWidget):
    """Shows a person a cell. Clicking, or the arrow keys, ring one; painting changes the column, one stroke at a time.

    Parameters
    ----------
    paintable : bool
        Whether a drag paints: with the left button 1, with the right one 0; Space turns the ringed person's value.
    least : int
        The least height at text scale 1.
    """

    chosen = Signal(int)  #: this person is ringed now
    pointed = Signal(int)  #: the mouse is over this one; -1: over none
    changing = Signal(object)  #: a column (ndarray of int8) while a stroke lasts
    changed = Signal(object)  #: and at its end
    cancelled = Signal()  #: the stroke was given up

    def __init__(self, paintable: bool = False, least: int = 120) -> None:
        super().__init__()
        self.paintable = paintable
        self.values: Floats = np.zeros(0)  #: (n,): in [0, 1]
        self.marks: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        self.look: Look = "marks"
        self.ringed = -1
        self._outlined: Integers = np.zeros(0, dtype=np.int64)
        self._texts: Sequence[str] = ()
        self._least = least
        self._pale = False
        self._last: tuple[int, int] | None = None  # the cell that a stroke has reached
        self._bit = 1
        self._gesture = Gesture(self, np.array_equal)
        self._gesture.changing.connect(self.changing)
        self._gesture.changed.connect(self.changed)
        self._gesture.cancelled.connect(self.cancelled)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self._restyle)

    # What is shown -----------------------------------------------------------------------------------------------------

    def show_people(self, values: Floats, marks: NDArray[np.int8] | None = None, look: Look = "seen") -> None:
        """Show people.

        Parameters
        ----------
        values : ndarray
            (n,): in [0, 1], for the look "seen".
        marks : ndarray of int, optional
            (n,): of `Mark`, for the look "marks".
        look : {"marks", "seen"}
        """
        if self._gesture.active:
            return  # a stroke keeps what it has painted
        self.values = values
        self.marks = np.zeros(len(values), dtype=np.int8) if marks is None else marks
        self.look = look
        self.update()

    def ring(self, person: int, text: str = "") -> None:
        """Ring one person, of whom this is said; -1: nobody."""
        self.ringed = person
        self.setAccessibleDescription(text)
        self.update()

    def outline(self, people: Iterable[int]) -> None:
        """Outline others."""
        self._outlined = np.fromiter(people, dtype=np.int64)
        self.update()

    def set_stale(self, on: bool) -> None:
        """Fade it while it is computed anew."""
        if on != self._pale:
            self._pale = on
            self.update()

    @property
    def n(self) -> int:
        """The number of people."""
        return len(self.values)

    def sizeHint(self) -> QSize:
        """Return a height for which rows are as high as columns are wide."""
        return QSize(round(px(self._least) * _WIDE), round(px(self._least)))

    def minimumSizeHint(self) -> QSize:
        """Return the least size."""
        return QSize(round(px(self._least)), round(px(self._least)))

    @Slot()
    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    # Painting ----------------------------------------------------------------------------------------------------------

    def _shape(self) -> tuple[int, int, float, float]:
        """Columns, rows, and the width and height of a cell."""
        columns = columns_for(self.n)
        rows = max(1, math.ceil(self.n / columns))
        return columns, rows, self.width() / columns, self.height() / rows

    def cell(self, person: int) -> QRectF:
        """Return where a person is, in pixels."""
        columns, _, wide, high = self._shape()
        row, column = divmod(person, columns)
        return QRectF(column * wide, row * high, wide, high)

    def at(self, position: QPointF) -> int:
        """Return who is at a place; -1: nobody."""
        columns, rows, wide, high = self._shape()
        column, row = math.floor(position.x() / wide), math.floor(position.y() / high)
        person = row * columns + column
        return person if 0 <= column < columns and 0 <= row < rows and person < self.n else -1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint everybody, then the rings."""
        if not self.n:
            return
        painter = QPainter(self)
        painter.setOpacity(0.5 if self._pale else 1.0)
        size = min(self._shape()[2:])
        if self.look == "seen":
            self._paint_shades(painter, size)
        elif size < px(_SMALL):
            self._paint_spots(painter, size)
        else:
            self._paint_marks(painter, size)
        painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme().colours.text), px(1)))
        for person in self._outlined:
            if person < self.n:
                painter.drawRect(self.cell(int(person)).adjusted(1, 1, -1, -1))
        if 0 <= self.ringed < self.n:
            painter.setPen(QPen(QColor(theme().colours.selected), px(2)))
            painter.drawRoundedRect(self.cell(self.ringed).adjusted(0.5, 0.5, -0.5, -0.5), px(2), px(2))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme().colours.accent), px(1)))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_marks(self, painter: QPainter, size: float) -> None:
        made = {mark: pixmap(mark, size, self.devicePixelRatioF()) for mark in Mark}
        for person, mark in enumerate(self.marks.tolist()):
            box = self.cell(person)
            painter.drawPixmap(QPointF(box.center().x() - size / 2, box.center().y() - size / 2), made[Mark(mark)])

    def _paint_spots(self, painter: QPainter, size: float) -> None:
        """People who are too small for shapes."""
        soft = colour("accent_soft")
        colours = {Mark.RIGHT: ink(Mark.RIGHT), Mark.UNSURE: soft, Mark.WRONG: ink(Mark.WRONG), Mark.UNKNOWN: soft}
        self._paint_cells(painter, size, [colours[mark] for mark in Mark], self.marks)

    def _paint_shades(self, painter: QPainter, size: float) -> None:
        """Values from the ground of a field to the accent."""
        shades = [mixed(colour("hairline"), colour("accent"), step / 32) for step in range(33)]
        self._paint_cells(painter, size, shades, np.rint(np.clip(self.values, 0, 1) * 32))

    def _paint_cells(self, painter: QPainter, size: float, colours: list[QColor], steps: NDArray[Any]) -> None:
        """Paint a cell each, in the colour of its step, as one picture: in whole pixels, so that all gaps are alike."""
        gap = 1 if size >= _GAPS else 0
        columns, rows, wide, high = self._shape()
        ratio = self.devicePixelRatioF()
        cells = np.zeros(rows * columns, dtype=np.uint32)
        cells[: self.n] = np.array([colour.rgb() for colour in colours], dtype=np.uint32)[steps.astype(int)]
        across = np.floor((np.arange(round(self.width() * ratio)) + 0.5) / (wide * ratio)).astype(int).clip(0, columns - 1)
        down = np.floor((np.arange(round(self.height() * ratio)) + 0.5) / (high * ratio)).astype(int).clip(0, rows - 1)
        pixels = cells.reshape(rows, columns)[down][:, across]
        if gap:
            pixels[:, np.flatnonzero(np.diff(across))] = 0
            pixels[np.flatnonzero(np.diff(down))] = 0
        picture = QImage(pixels.tobytes(), len(across), len(down), 4 * len(across), QImage.Format.Format_ARGB32)
        picture.setDevicePixelRatio(ratio)
        painter.drawImage(0, 0, picture)

    # Mouse and keys ----------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ring somebody, or begin a stroke."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        person = self.at(event.position())
        buttons = (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if self.paintable and event.button() in buttons:
            self._bit = 1 if event.button() == Qt.MouseButton.LeftButton else 0
            self._last = None
            self._gesture.begin(self.values.astype(np.int8), held=True)
            self._paint_to(event.position())
        elif person >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(person)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the stroke, or tell who is under the mouse."""
        if self._gesture.held:
            self._paint_to(event.position())
        self.pointed.emit(self.at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the stroke."""
        if self._gesture.held:
            self._gesture.finish()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse is over nobody."""
        self.pointed.emit(-1)

    def _paint_to(self, position: QPointF) -> None:
        """Paint all cells between the last place of the stroke and this one."""
        columns, rows, wide, high = self._shape()
        column = min(max(math.floor(position.x() / wide), 0), columns - 1)
        row = min(max(math.floor(position.y() / high), 0), rows - 1)
        before = self._last or (column, row)
        self._last = (column, row)
        steps = max(abs(column - before[0]), abs(row - before[1]), 1)
        values = self.values.copy()
        for step in range(steps + 1):
            share = step / steps
            x, y = (round(one + share * (other - one)) for one, other in zip(before, (column, row), strict=True))
            if (person := y * columns + x) < self.n:
                values[person] = self._bit
        self.values = values
        self.update()
        self._gesture.move(values.astype(np.int8))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the ring, turn a value, or give a stroke up."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._gesture.active:
            self.values = np.asarray(self._gesture.start, dtype=np.float64)
            self._gesture.cancel()
            self.update()
        elif key in _STEPS and self.n:
            columns = columns_for(self.n)
            across, down = _STEPS[key]
            step = (10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1) * (across + down * columns)
            person = max(self.ringed, 0) + step if self.ringed >= 0 else 0
            if 0 <= person < self.n:
                self.chosen.emit(person)
        elif key == Qt.Key.Key_Space and self.paintable and 0 <= self.ringed < self.n:
            values = self.values.astype(np.int8)
            values[self.ringed] = 1 - values[self.ringed]
            self.changed.emit(values)
        else:
            super().keyPressEvent(event)
