"""Plots stacked over the same axis: headings or rows of words, aligned pictures, and keys that work in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesigner.desktop.base.card import Disclosure
from dpdesigner.desktop.base.labels import ElidedLabel
from dpdesigner.desktop.base.layouts import row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import FADED, colour, colour_role, font, line, px
from dpdesigner.studies.panels import Fold, Plot, Strips
from dpdesigner.studies.plot_parts import Axis

_LEAST = 15.0  # pixels at text scale 1 for each strip, besides its axis
_SHARE = 165.0  # pixels at every text size, shared by all strips, less by those that together have less room than a plot
_ABOVE = 5  # pixels between a strip and the next heading
_WORDS, _FIRST, _LINE = 150.0, 17.0, 15.0  # pixels at text scale 1: the words at the left of a row, and its lines
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class _Row(QWidget):
    """The words at the left of a plot, and a mark if it is selected."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._plot, self._selected, self._stale = Plot("", "", Axis(), Axis()), False, False
        theme().changed.connect(self.updateGeometry)

    def show_plot(self, plot: Plot, selected: bool) -> None:
        self._plot, self._selected = plot, selected
        self.setAccessibleName("; ".join(translated(each.label) for each in plot.figures))
        self.updateGeometry()
        self.update()

    def set_stale(self, on: bool) -> None:
        self._stale = on
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(px(_WORDS)), round(px(_FIRST + _LINE * max(len(self._plot.figures) - 1, 0) + 8)))

    minimumSizeHint = sizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(FADED if self._stale else 1.0)
        if self._selected:
            painter.setPen(line("accent", px(3)))
            painter.drawLine(QPointF(px(1.5), px(3)), QPointF(px(1.5), self.height() - px(3)))
        lines = list(self._plot.figures)
        while lines[1:] and px(_FIRST + 4 + _LINE * (len(lines) - 1)) > self.height():  # no line is cut in half
            lines.remove(next((each for role in ("rival", "aid") for each in lines if each.role == role), lines[-1]))
        for number, each in enumerate(lines):
            painter.setFont(font(8.5, bold=not number))
            painter.setPen(colour(colour_role(each) if number else "text"))
            metrics, room = QFontMetricsF(painter.font()), self.width() - px(12)
            shown = metrics.elidedText(translated(each.label), Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(px(8), px(4 + (_FIRST + _LINE * (number - 1)) * bool(number)) + metrics.ascent()), shown)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit()


class _Strip:
    """One plot with its heading above it or, in a row, at its left."""

    def __init__(self) -> None:
        self.title, self.hint, self.plot, self.words = styled("heading"), ElidedLabel(), CurvePlot(), _Row()
        set_class(self.hint, "muted")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.row = row_of(self.title, (self.hint, 1), gap=12)
        self.body = row_of(self.words, (self.plot, 1), gap=0)

    def show_plot(self, plot: Plot, title: str) -> None:
        self.title.setText(translated(title))
        self.hint.set_full_text(*map(translated, plot.captions), "")
        self.plot.show_plot(plot)
        self.plot.setAccessibleName(translated(plot.title))

    def set_shown(self, on: bool, headed: bool, in_row: bool) -> None:
        for part, shown in ((self.title, headed), (self.hint, headed), (self.words, in_row), (self.plot, True)):
            part.setVisible(on and shown)


def _labelled(strips: Strips) -> Sequence[int]:
    """Return the plots under which the axis has its ticks or names."""
    count = len(strips.shown)
    return range(count) if strips.labelled is None else (strips.labelled % count,)


def _shape(strips: Strips) -> list[tuple[str, int]]:
    return [(plot.key, plot.room) for plot in strips.plots]


class PlotStack(QWidget):
    """A stack of strips. Hovering the bars of one strip highlights them in all; N goes to the next draggable strip."""

    moving = Signal(str, object)  #: the dragged target, and the value it would take
    moved = Signal(str, object)
    cancelled = Signal(str)
    pressed = Signal(str)  #: the action of a key that the strips handle

    def __init__(self) -> None:
        super().__init__()
        self.strips: Strips | None = None
        self.plots: dict[str, CurvePlot] = {}  #: the plots that are shown, by key
        self._made: list[_Strip] = []
        self._main = 0.0  # pixels that the largest strip needs
        self._factors: list[int] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._more = Disclosure()
        self._more.setParent(self)
        self._more.clicked.connect(self._open)
        theme().changed.connect(self._fit)

    def show_strips(self, strips: Strips) -> None:
        """Show strips, each replacing the one before it; emit nothing."""
        before, self.strips, plots, rows = self.strips, strips, strips.shown, strips.select is not None
        self.setAccessibleName(translated(strips.title))
        while len(self._made) < len(plots):
            self._add()
        if before is None or strips.fold != before.fold or _shape(strips) != _shape(before):
            self.plots = {plot.key: strip.plot for plot, strip in zip(plots, self._made, strict=False)}
            for number, strip in enumerate(self._made):
                strip.set_shown(number < len(plots), number == 0 or not rows, rows)
                strip.row.setContentsMargins(0, _ABOVE * bool(number and not rows), 0, _ABOVE * (rows and not number))
            self._column.setSpacing(1 if rows else 2)
            self._offer(strips.fold)
        labelled = _labelled(strips)
        for number, (plot, strip) in enumerate(zip(plots, self._made, strict=False)):
            strip.plot.make_strip(number in labelled, joined=rows)
            strip.words.show_plot(plot, number == strips.selected)
            if strip.plot.plot is not plot:
                strip.show_plot(plot, strips.title if rows else plot.title)
        self._fit()
        self._share()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a line above each row."""
        if self.strips is not None and self.strips.select is not None:
            painter = QPainter(self)
            painter.setPen(line("hairline"))
            for plot in self.plots.values():
                painter.drawLine(0, plot.y() - 1, self.width(), plot.y() - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Divide the height so that the bars of the strip with the axis are not lower than those of the others."""
        if self.strips is None:
            return
        rooms = [plot.room for plot in self.strips.shown]
        labelled, shown = _labelled(self.strips), self._made[: len(rooms)]
        axes = [strip.plot.axis_height() if number in labelled else 0 for number, strip in enumerate(shown)]
        rows = [strip.row for strip in shown] + [self._more] * (not self._more.isHidden())
        headings = sum(row.sizeHint().height() for row in rows) + (len(rows) + len(shown) - 1) * self._column.spacing()
        free = max(self.height() - headings - sum(axes), 1.0)
        factors = [round(free * room / sum(rooms) + axis) for room, axis in zip(rooms, axes, strict=True)]
        factors += [0] * (len(self._made) - len(shown))  # Qt gives room to empty layouts too
        if factors != self._factors:
            self._factors = factors
            for strip, factor in zip(self._made, factors, strict=True):
                self._column.setStretchFactor(strip.body, factor)

    def _add(self) -> None:
        strip = _Strip()
        self._column.addLayout(strip.row)
        self._column.addLayout(strip.body, 1)
        if self._made:
            QWidget.setTabOrder(self._made[-1].plot, strip.plot)
        strip.plot.handleMoving.connect(self.moving)
        strip.plot.handleMoved.connect(self.moved)
        strip.plot.handleCancelled.connect(self.cancelled)
        strip.plot.placeHovered.connect(self._point)
        strip.plot.figure().pressed.connect(partial(self._choose, len(self._made)))
        strip.words.chosen.connect(partial(self._choose, len(self._made)))
        self._made.append(strip)
        strip.plot.figure().align_with(self._made[0].plot.figure())

    @Slot(int)
    def _point(self, place: int) -> None:
        for plot in self.plots.values():
            plot.show_hovered(place)

    def _choose(self, number: int, *_: object) -> None:
        """Request the selection of a row."""
        if self.strips is not None and self.strips.select is not None and number != self.strips.selected:
            self.moved.emit(self.strips.select.target, self.strips.select.kept(number))

    @Slot()
    def _fit(self) -> None:
        if self.strips is not None:
            rooms = [plot.room for plot in self.strips.shown]
            largest = max(rooms)
            for strip, room in zip(self._made, rooms, strict=False):
                least = px(_LEAST) + strip.plot.axis_height() + _SHARE * room / max(sum(rooms), Plot.room)
                if room == largest and rooms.count(largest) == 1:
                    least = max(least, self._main)
                if self.strips.select is not None:  # its words are whole
                    least = max(least, strip.words.sizeHint().height())
                strip.plot.setMinimumHeight(round(least))

    def set_least(self, pixels: float) -> None:
        """Keep the largest strip at least this high; equal ones share the height."""
        if pixels != self._main:
            self._main = pixels
            self._fit()

    def _offer(self, fold: Fold | None) -> None:
        """Put the link to the folded strips before them; the one before an open strip hides them again."""
        if fold is not None and self.strips is not None:
            self._column.removeWidget(self._more)
            place = 2 * (len(self.strips.plots) - fold.last)
            self._column.insertWidget(place, self._more, 0, Qt.AlignmentFlag.AlignLeft)
            self._more.setChecked(fold.opened)
        self._more.offer("" if fold is None else translated(fold.title))

    @Slot(bool)
    def _open(self, on: bool) -> None:
        if self.strips is not None and self.strips.fold is not None:
            self.moved.emit(self.strips.fold.target, on)

    def set_stale(self, on: bool) -> None:
        for strip in self._made:
            strip.plot.set_stale(on)
            strip.words.set_stale(on)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle a key as the strips define it."""
        key = QKeySequence(event.key()).toString()
        action = "" if self.strips is None or event.modifiers() else self.strips.keys.get(key, "")
        if action:
            self.pressed.emit(action)
        elif self.strips is not None and self.strips.select is not None and (step := _STEPS.get(Qt.Key(event.key()))):
            number = min(max(self.strips.selected + step, 0), len(self.plots) - 1)
            self._made[number].plot.setFocus(Qt.FocusReason.TabFocusReason)
            self._choose(number)
        elif key == "N" and not event.modifiers() and not (self.strips and self.strips.select):
            self._go_on()
        else:
            super().keyPressEvent(event)

    def _go_on(self) -> None:
        able = [plot for plot in self.plots.values() if plot.plot.drags]
        if able:
            at = next((number for number, plot in enumerate(able) if plot.hasFocus()), -1)
            able[(at + 1) % len(able)].setFocus(Qt.FocusReason.TabFocusReason)
