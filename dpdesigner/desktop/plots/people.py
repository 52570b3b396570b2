"""People: how each is drawn, a grid of them that can be painted, and a card with a number, a legend and the one who is ringed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontInfo, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.rounding import group_thousands, grouped, of_100, rounded_down
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import push_button, together
from dpdesigner.desktop.base.gesture import Gesture
from dpdesigner.desktop.base.labels import ElidedLabel
from dpdesigner.desktop.base.layouts import column_of, flow_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class, set_state, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.plot_layer import FADED, LEAST_PICTURE, colour, fade, mixed, px


class Mark(IntEnum):
    """The state of a person; the last two are certain values."""

    RIGHT, UNSURE, WRONG, TIE, UNKNOWN, ONE, ZERO = range(7)


def ink(mark: Mark, grey: bool = False) -> QColor:
    """Return the colour of a mark; grey where being right tells nothing."""
    quiet = grey or mark in (Mark.TIE, Mark.WRONG, Mark.UNKNOWN)
    return colour("quiet" if quiet else "text" if mark == Mark.ZERO else "accent")


def shade(value: float) -> QColor:
    """Return the colour of a value in [0, 1], from the background of a field to the accent."""
    return mixed(colour("hairline"), colour("accent"), value)


def draw_mark(painter: QPainter, mark: Mark, box: QRectF, grey: bool = False) -> None:
    """Draw a mark into a square."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size, centre = min(box.width(), box.height()), box.center()
    width, arm = max(1.0, size / 12), 0.27 * size
    painter.setPen(QPen(ink(mark, grey), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(ink(mark, grey) if mark == Mark.RIGHT else Qt.BrushStyle.NoBrush)
    if mark == Mark.WRONG:
        for sign in (-1, 1):
            painter.drawLine(centre - QPointF(arm, sign * arm), centre + QPointF(arm, sign * arm))
    elif mark == Mark.UNKNOWN:
        painter.drawEllipse(centre, width / 2, width / 2)
    elif mark in (Mark.ONE, Mark.ZERO):
        font = theme().font(1, bold=True)
        font.setPixelSize(max(1, round(0.9 * size)))
        painter.setFont(font)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "1" if mark == Mark.ONE else "0")
    else:
        painter.drawPath(person(centre, size * 0.8))


def person(centre: QPointF, size: float) -> QPainterPath:
    """Draw a head above shoulders."""
    path = QPainterPath()
    path.addEllipse(centre - QPointF(0, 0.24 * size), 0.2 * size, 0.2 * size)
    left, right, foot = centre.x() - 0.34 * size, centre.x() + 0.34 * size, centre.y() + 0.44 * size
    path.moveTo(left, foot)
    path.cubicTo(left, centre.y() + 0.02 * size, right, centre.y() + 0.02 * size, right, foot)
    path.closeSubpath()
    return path


def pixmap(mark: Mark, size: float, ratio: float, grey: bool) -> QPixmap:
    """Return a mark as a picture of this many pixels, for drawing many times."""
    made = QPixmap(max(1, round(size * ratio)), max(1, round(size * ratio)))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    draw_mark(painter, mark, QRectF(0, 0, size, size), grey)
    painter.end()
    return made


Look = Literal["marks", "seen"]

_WIDE = 25 / 16  # ratio of columns to rows
_SMALL = 7.0  # pixels per cell, below which a person is drawn as a spot
_GAPS = 4.0  # pixels per cell, below which there are no gaps
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


def columns_for(n: int) -> int:
    """Return the number of columns in a grid of n people, whatever its size: 25 by 16 for 400."""
    return max(1, round(math.sqrt(n * _WIDE)))


class PeopleGrid(QWidget):
    """A grid with one cell per person. A click or arrow key rings one; painting changes the column, one stroke at a time.

    If it is paintable, a drag paints, with the left button 1, with the right one 0; Space turns the ringed person's value.
    `least` is its least height at text scale 1.
    """

    chosen = Signal(int)  #: the person who is now ringed
    pointed = Signal(int)  #: the person under the mouse; -1: none
    changing = Signal(object)  #: a column (ndarray of int8) while a stroke lasts
    changed = Signal(object)  #: the column at the end of a stroke
    cancelled = Signal()  #: the stroke was cancelled

    def __init__(self, paintable: bool = False, least: int = 120) -> None:
        super().__init__()
        self.paintable = paintable
        self.values: Floats = np.zeros(0)  #: (n,): in [0, 1]
        self.marks: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        self.look: Look = "marks"
        self.grey = False  #: whether being right tells nothing, as by guessing
        self.ringed = -1
        self._outlined: Integers = np.zeros(0, dtype=np.int64)
        self._least = least
        self._pale = False
        self._last: tuple[int, int] | None = None  # the last cell that a stroke reached
        self._bit = 1
        self._gesture = Gesture(self, np.array_equal)
        self._gesture.changing.connect(self.changing)
        self._gesture.changed.connect(self.changed)
        self._gesture.cancelled.connect(self.cancelled)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self._restyle)

    # Display -----------------------------------------------------------------------------------------------------------

    def show_people(self, values: Floats, marks: NDArray[np.int8] | None = None, look: Look = "seen") -> None:
        """Show people: values (n,) in [0, 1] for the look "seen", marks (n,) of `Mark` for the look "marks"."""
        if self._gesture.active:
            return  # a stroke keeps what it has painted
        self.values = values
        self.marks = np.zeros(len(values), dtype=np.int8) if marks is None else marks
        self.look = look
        self.update()

    def ring(self, person: int, text: str = "") -> None:
        """Ring one person, with this description; -1: nobody."""
        self.ringed = person
        self.setAccessibleDescription(text)
        self.update()

    def outline(self, people: Iterable[int]) -> None:
        self._outlined = np.fromiter(people, dtype=np.int64)
        self.update()

    def set_stale(self, on: bool) -> None:
        if on != self._pale:
            self._pale = on
            self.update()

    @property
    def n(self) -> int:
        return len(self.values)

    def sizeHint(self) -> QSize:
        return QSize(round(px(self._least) * _WIDE), round(px(self._least)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(px(self._least)), round(px(self._least)))

    @Slot()
    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    # Painting ----------------------------------------------------------------------------------------------------------

    def _shape(self) -> tuple[int, int, float, float]:
        """Return the columns and rows, and the width and height of a cell."""
        rows = max(1, math.ceil(self.n / (columns := columns_for(self.n))))
        return columns, rows, self.width() / columns, self.height() / rows

    def cell(self, person: int) -> QRectF:
        columns, _, wide, high = self._shape()
        row, column = divmod(person, columns)
        return QRectF(column * wide, row * high, wide, high)

    def at(self, position: QPointF) -> int:
        """Return the person at a position; -1: nobody."""
        columns, rows, wide, high = self._shape()
        column, row = math.floor(position.x() / wide), math.floor(position.y() / high)
        person = row * columns + column
        return person if 0 <= column < columns and 0 <= row < rows and person < self.n else -1

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.n:
            return
        painter = QPainter(self)
        painter.setOpacity(FADED if self._pale else 1.0)
        size = min(*self._shape()[2:], px(44))
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
        """Paint people as one picture, which is small in a file, and sharp where it is not on the screen."""
        ratio = self.devicePixelRatioF() * (1 if self.isVisible() else 2)
        made = {mark: pixmap(mark, size, ratio, self.grey) for mark in Mark}
        whole = QPixmap(self.size() * ratio)
        whole.setDevicePixelRatio(ratio)
        whole.fill(Qt.GlobalColor.transparent)
        inner = QPainter(whole)
        for person, mark in enumerate(self.marks.tolist()):
            box = self.cell(person)
            inner.drawPixmap(QPointF(box.center().x() - size / 2, box.center().y() - size / 2), made[Mark(mark)])
        inner.end()
        painter.drawPixmap(0, 0, whole)

    def _paint_spots(self, painter: QPainter, size: float) -> None:
        """Paint people who are too small for shapes."""
        soft = {Mark.UNSURE, Mark.TIE, Mark.UNKNOWN, *[Mark.WRONG] * self.grey}
        pale = colour("hairline" if self.grey else "accent_soft")
        self._paint_cells(painter, size, [pale if mark in soft else ink(mark, self.grey) for mark in Mark], self.marks)

    def _paint_shades(self, painter: QPainter, size: float) -> None:
        shades = [shade(step / 32) for step in range(33)]
        self._paint_cells(painter, size, shades, np.rint(np.clip(self.values, 0, 1) * 32))

    def _paint_cells(self, painter: QPainter, size: float, colours: list[QColor], steps: NDArray[Any]) -> None:
        """Paint a cell each, in the colour of its step, as one picture; whole pixels keep all gaps equal."""
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

    # Mouse and keyboard ------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
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
        if self._gesture.held:
            self._paint_to(event.position())
        self.pointed.emit(self.at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._gesture.held:
            self._gesture.finish()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1)

    def _paint_to(self, position: QPointF) -> None:
        """Paint all cells between the last position of the stroke and this one."""
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
        """Move the ring, flip a value, or cancel a stroke."""
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


_EACH, _ROWS = 100, (10, 5, 4)  # people per group, and the numbers of rows that they may fill
_HEIGHT, _LEAST_HEIGHT = 150, 36  # pixels of a group: at text scale 1, and where room is short


class Crowd(QWidget):
    """100 people in the data and 100 who are not: filled figures show how many are found out, and how many are false alarms."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = (-1, -1)  #: the counts with each of the two groups; below 0 if the others' count is not known
        self.shares = (0.0, 0.0)  #: the share found out of those in the data, and that of false alarms among those not in it
        self._stale = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.updateGeometry)

    def show_shares(self, found: float, false: float) -> None:
        """Show the shares of people found out and of false alarms."""
        self.shares = found, false
        self.setAccessibleName("; ".join(f"{name}: {count}" for name, count, *_ in self.lines()))
        self.update()

    def set_stale(self, on: bool) -> None:
        self._stale = on
        self.update()

    def lines(self) -> tuple[tuple[str, str, float, str], ...]:
        """Return the name, the number in words, the share and the colour of each group."""
        colours, (found, false), count = theme().colours, self.shares, f"{100 * self.shares[1]:.3g}"
        wrong = self.tr("{count}% false alarms").format(count=count)
        rate = f"{of_100(found, 3)}%"
        if 0 < found < 0.001:  # as in the sentence above
            rate = self.tr("1 in {many}").format(many=grouped(float(rounded_down((1 + 1e-9) / found, 3))))
        out = self.tr("{rate} found out, {wrong}").format(rate=rate, wrong=wrong)
        names = [self.tr("100 in the data"), self.tr("100 not in the data")]
        if min(self.counts) >= 0:
            words = self.tr("{people} · count {count}")
            names = [words.format(people=each, count=n) for each, n in zip(names, self.counts, strict=True)]
        return (names[0], out, found, colours.selected), (names[1], wrong, false, colours.quiet)

    def sizeHint(self) -> QSize:
        return QSize(round(px(320)), 2 * self.fontMetrics().height() + round(px(_HEIGHT)))

    def minimumSizeHint(self) -> QSize:
        return QSize(round(px(200)), 2 * self.fontMetrics().height() + _LEAST_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme().colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(FADED if self._stale else 1.0)
        high, gap, wide = self.fontMetrics().height(), px(14), (self.width() - px(14)) / 2
        widest = max(self.fontMetrics().horizontalAdvance(words) for name, number, *_ in self.lines() for words in (name, number))
        room = 0.96 * wide / widest  # for both sides in the same letters
        for place, (name, number, share, ink) in enumerate(self.lines()):
            left = place * (wide + gap)
            painter.setPen(QColor(colours.text))
            letters = self.font()
            letters.setPointSizeF(QFontInfo(letters).pointSizeF() * min(1.0, room))
            painter.setFont(letters)
            painter.drawText(QRectF(left, 0, wide, high), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setPen(QColor(ink))
            painter.drawText(QRectF(left, high, wide, high), Qt.AlignmentFlag.AlignVCenter, number)
            self._draw_group(painter, QRectF(left, 2 * high, wide, self.height() - 2 * high), _EACH * share, QColor(ink))

    @staticmethod
    def _draw_group(painter: QPainter, area: QRectF, people: float, ink: QColor) -> None:
        shapes = [(area.width() * rows / _EACH, area.height() / rows) for rows in _ROWS]
        wide, high = max(shapes, key=lambda shape: min(1.5 * shape[0], shape[1]))
        across = round(area.width() / wide)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(_EACH):
            box = QRectF(area.left() + number % across * wide, area.top() + number // across * high, wide, high)
            shape = person(box.center(), 0.85 * min(box.width() * 1.5, box.height()))
            filled = min(max(people - number, 0.0), 1.0)
            painter.fillPath(shape, colour("hairline"))
            if filled:
                painter.save()
                painter.setClipRect(QRectF(box.left(), box.top(), box.width() * filled, box.height()))
                painter.fillPath(shape, ink)
                painter.restore()


Bits = NDArray[np.int8]


class Sign(QWidget):
    """A mark, or the shade of a value, next to its label in a legend."""

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self._mark, self._shown = mark, (False, False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(round(px(15)), round(px(15)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, room, (shaded, grey) = QPainter(self), round(px(3)), self._shown
        if shaded:
            painter.fillRect(self.rect().adjusted(room, room, -room, -room), shade(1 - self._mark / 2))
        else:
            draw_mark(painter, self._mark, QRectF(self.rect()), grey)
        painter.end()

    def show_as(self, shaded: bool, grey: bool) -> None:
        self._shown = shaded, grey
        self.update()


class PeopleCard(Card):
    """A grid of people below a number; `tabs` has key, text and tooltip of each look, or there is a badge and a link."""

    lookChosen = Signal(str)
    personChosen = Signal(int)
    whyRequested = Signal()

    def __init__(self, heading: str, tabs: Sequence[tuple[str, str, str]] = ()) -> None:
        super().__init__(heading, flexible=True)
        self.setProperty("aside", False)
        self.looks: dict[str, QPushButton] = {}
        looks = QWidget()
        for key, text, tip in tabs:
            self.looks[key] = push_button(text, tip, partial(self._choose, key), checkable=True, padding="2px 7px")
        self.badge = styled("badge")
        self.badge.hide()
        self.why = push_button(self.tr("Why?"), self.tr("Explanation and sources"), self.whyRequested.emit)
        set_class(self.why, "link")
        self.why.setHidden(bool(tabs))
        self.top = row_of(*self.looks.values(), self.badge, self.why, on=looks)
        self.header.removeWidget(self._heading)
        self._word.hide()
        self.body.removeItem(self.header)
        self.body.insertLayout(0, flow_of(self._heading, looks, gap=8, spread=True))
        self.figure, self.first, self.second = QLabel(), QLabel(), QLabel()
        for label in (self.first, self.second):
            label.setWordWrap(True)
        set_class(self.second, "muted")
        words, lines = QWidget(), QWidget()
        column_of(self.first, self.second, gap=0, on=lines)
        self.beside = row_of(self.figure, (lines, 1), on=words)
        self.grid = PeopleGrid(least=120)
        self.grid.setMinimumHeight(LEAST_PICTURE)
        self.grid.setAccessibleName(self.tr("People"))  # until it shows people
        self.grid.chosen.connect(self.personChosen)
        self.grid.pointed.connect(self._point)
        self._ordered = PeopleGrid()
        self._ordered.setParent(self)
        self._ordered.hide()
        self._says: Callable[[int], str] = lambda person: ""
        marks = Mark.RIGHT, Mark.ONE, Mark.ZERO, Mark.UNSURE, Mark.TIE, Mark.WRONG
        self._legend = {mark: (*(pair := (Sign(mark), QLabel())), together(*pair)) for mark in marks}
        self.one = ElidedLabel(yields=False)
        self.legend = QWidget()
        flow_of(*(whole for *_, whole in self._legend.values()), self.one, on=self.legend)
        self.add(words)
        self.add(self.grid, 1)
        self.add(self.legend)
        self._fading = (self.figure, lines, self.badge, self.legend)
        theme().follow(self._restyle)

    @Slot()
    def _restyle(self) -> None:
        self.figure.setFont(theme().font(16, bold=True))
        self.one.setStyleSheet(f"color: {theme().colours.selected};")

    def show_marks(
        self, values: NDArray[np.float64], marks: Bits, look: Look, names: tuple[str, ...], grey: bool = False
    ) -> None:
        """Show people, and a legend of marks (in their order), or in the look "seen" of the values 1, open (the fifth) and 0."""
        self.grid.grey = grey
        self.grid.show_people(values, marks, look)
        if look == "seen":
            names = self.tr("seen as 1"), "".join(names[4:5]) or self.tr("unsure: ⅓ to ⅔"), self.tr("seen as 0")
            vague = (values >= 1 / 3) & (values <= 2 / 3)
            marks = np.select([vague, values > 0.5], [Mark.UNSURE, Mark.RIGHT], Mark.WRONG)
        for mark, (sign, label, whole) in self._legend.items():
            name = "".join(names[mark : mark + 1])
            label.setText(f"{group_thousands(int((marks == mark).sum()))} {name}" if name else "")
            whole.setVisible(bool(name))
            sign.show_as(look == "seen", grey)

    def picture(self, in_order: bool) -> tuple[str, PeopleGrid]:
        """Return the title and the people; in the order of their marks they say how many are right or certain, and not who."""
        title, sure = f"{self.accessibleName()}: {self.grid.accessibleName()}", bool((self.grid.marks >= Mark.ONE).any())
        if not in_order:
            return self.tr("{0}; 1, 0: certain, outline: open (in file order)").format(title) if sure else title, self.grid
        self._ordered.grey = self.grid.grey
        self._ordered.show_people(
            np.zeros(self.grid.n), np.sort(np.where(self.grid.marks >= Mark.ONE, Mark.RIGHT, self.grid.marks)), "marks"
        )
        legend = self.tr("{0}; outline: unsure, cross: wrong (sorted)")
        legend = self.tr("{0}; filled: certain, outline: open (sorted)") if sure else legend
        return legend.format(title) if self.looks or sure else title, self._ordered  # once: the other card stands next to it

    def set_look(self, key: str) -> None:
        """Mark the chosen look."""
        for other, button in self.looks.items():
            button.setChecked(other == key)

    def set_presenting(self, on: bool) -> None:
        for button in self.looks.values():
            button.setHidden(on)

    def _choose(self, key: str) -> None:
        self.set_look(key)
        self.lookChosen.emit(key)

    def say(self, figure: str, first: str, second: str) -> None:
        """Show the number, and the two texts next to it."""
        for label, text in zip((self.figure, self.first, self.second), (figure, first, second), strict=True):
            label.setText(text)
        self.grid.setAccessibleName(f"{figure} {first}")

    def say_badge(self, text: str, state: str, tip: str) -> None:
        """Show a badge, green only for proved statements."""
        self.badge.setText(text)
        set_state(self.badge, "state", state)
        self.badge.setToolTip(tip)
        self.badge.setVisible(bool(text))

    def ring(self, person: int, says: Callable[[int], str]) -> None:
        """Ring a person; `says` describes everybody, also those whom the mouse points at."""
        self._says, text = says, translated(says(person))
        self.grid.ring(person, text)
        self.one.set_full_text(text)

    @Slot(int)
    def _point(self, person: int) -> None:
        self.grid.setToolTip(translated(self._says(person)))

    def set_stale(self, on: bool) -> None:
        """Let the people, their number, their legend and the badge turn pale."""
        self.grid.set_stale(on)
        fade(on, *self._fading)
