"""Plots stacked over the same axis: headings, aligned pictures, and keys that work in all of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.base.card import Disclosure
from dpdesigner.desktop.base.labels import ElidedLabel
from dpdesigner.desktop.base.layouts import row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.panels import Fold, Plot, Strips

_LEAST = 15.0  # pixels at text scale 1 for each strip, besides its axis
_SHARE = 165.0  # pixels at every text size, shared by all strips
_ABOVE = 5  # pixels between a strip and the next heading


class _Strip:
    """One plot with its heading."""

    def __init__(self) -> None:
        self.title, self.hint, self.plot = styled("heading"), ElidedLabel(), CurvePlot()
        set_class(self.hint, "muted")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.row = row_of(self.title, (self.hint, 1), gap=12)

    def show_plot(self, plot: Plot) -> None:
        self.title.setText(translated(plot.title))
        self.hint.set_full_text(*map(translated, plot.captions), "")
        self.plot.show_plot(plot)
        self.plot.setAccessibleName(translated(plot.title))

    @property
    def parts(self) -> tuple[QLabel, ElidedLabel, CurvePlot]:
        return self.title, self.hint, self.plot


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
        before, self.strips, plots = self.strips, strips, strips.shown
        self.setAccessibleName(translated(strips.title))
        while len(self._made) < len(plots):
            self._add()
        if before is None or strips.fold != before.fold or _shape(strips) != _shape(before):
            self.plots = {plot.key: strip.plot for plot, strip in zip(plots, self._made, strict=False)}
            for number, strip in enumerate(self._made):
                for part in strip.parts:
                    part.setVisible(number < len(plots))
            self._offer(strips.fold)
        labelled = _labelled(strips)
        for number, (plot, strip) in enumerate(zip(plots, self._made, strict=False)):
            strip.plot.make_strip(number in labelled)
            if strip.plot.plot is not plot:
                strip.show_plot(plot)
        self._fit()
        self._share()

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
        if factors != self._factors:
            self._factors = factors
            for strip, factor in zip(shown, factors, strict=True):
                self._column.setStretchFactor(strip.plot, factor)

    def _add(self) -> None:
        strip = _Strip()
        strip.row.setContentsMargins(0, _ABOVE * bool(self._made), 0, 0)
        self._column.addLayout(strip.row)
        self._column.addWidget(strip.plot, 1)
        if self._made:
            QWidget.setTabOrder(self._made[-1].plot, strip.plot)
        strip.plot.handleMoving.connect(self.moving)
        strip.plot.handleMoved.connect(self.moved)
        strip.plot.handleCancelled.connect(self.cancelled)
        strip.plot.placeHovered.connect(self._point)
        self._made.append(strip)
        strip.plot.figure().align_with(self._made[0].plot.figure())

    @Slot(int)
    def _point(self, place: int) -> None:
        for plot in self.plots.values():
            plot.show_hovered(place)

    @Slot()
    def _fit(self) -> None:
        if self.strips is not None:
            rooms = [plot.room for plot in self.strips.shown]
            largest = max(rooms)
            for strip, room in zip(self._made, rooms, strict=False):
                least = px(_LEAST) + strip.plot.axis_height() + _SHARE * room / sum(rooms)
                if room == largest and rooms.count(largest) == 1:
                    least = max(least, self._main)
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
        for plot in self.plots.values():
            plot.set_stale(on)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle a key as the strips define it."""
        key = QKeySequence(event.key()).toString()
        action = "" if self.strips is None or event.modifiers() else self.strips.keys.get(key, "")
        if action:
            self.pressed.emit(action)
        elif key == "N" and not event.modifiers():
            self._go_on()
        else:
            super().keyPressEvent(event)

    def _go_on(self) -> None:
        able = [plot for plot in self.plots.values() if plot.plot.drags]
        if able:
            at = next((number for number, plot in enumerate(able) if plot.hasFocus()), -1)
            able[(at + 1) % len(able)].setFocus(Qt.FocusReason.TabFocusReason)
