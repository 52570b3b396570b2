"""Plots stacked over the same axis: headings, aligned pictures, and keys that work in all of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.base.labels import ElidedLabel
from dpdesigner.desktop.base.layouts import row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.panels import Plot, Strips

_LEAST, _AXIS = 15.0, 23.0  # pixels at text scale 1 for each strip and for the ticks
_SHARE = 165.0  # pixels at every text size, shared by all strips
_ABOVE = 5  # pixels between a strip and the next heading
_PAIR = 2  # of more strips, or of equal ones, none is the main one


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
        self._main = 0.0  # pixels that the first of two strips needs
        self._factors: list[int] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        theme().changed.connect(self._fit)

    def show_strips(self, strips: Strips) -> None:
        """Show strips, each replacing the one before it; emit nothing."""
        before, self.strips = self.strips, strips
        self.setAccessibleName(translated(strips.title))
        while len(self._made) < len(strips.plots):
            self._add()
        labelled = strips.labelled % len(strips.plots)
        shape = [(plot.key, plot.room) for plot in strips.plots]
        if before is None or shape != [(plot.key, plot.room) for plot in before.plots]:
            self.plots = {plot.key: strip.plot for plot, strip in zip(strips.plots, self._made, strict=False)}
            for number, strip in enumerate(self._made):
                for part in strip.parts:
                    part.setVisible(number < len(strips.plots))
            self._fit()
        for number, (plot, strip) in enumerate(zip(strips.plots, self._made, strict=False)):
            strip.plot.make_strip(number == labelled)
            if strip.plot.plot is not plot:
                strip.show_plot(plot)
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Divide the height so that the bars of the strip with the axis are not lower than those of the others."""
        if self.strips is None:
            return
        rooms, labelled = [plot.room for plot in self.strips.plots], self.strips.labelled % len(self.strips.plots)
        axis = self._made[labelled].plot.axis_height()
        shown = self._made[: len(rooms)]
        headings = sum(strip.row.sizeHint().height() for strip in shown) + (2 * len(shown) - 1) * self._column.spacing()
        free = max(self.height() - headings - axis, 1.0)
        factors = [round(free * room / sum(rooms) + axis * (n == labelled)) for n, room in enumerate(rooms)]
        if factors != self._factors:
            self._factors = factors
            for strip, factor in zip(shown, factors, strict=True):
                self._column.setStretchFactor(strip.plot, factor)

    def _add(self) -> None:
        strip = _Strip()
        strip.row.setContentsMargins(0, _ABOVE * bool(self._made), 0, 0)
        self._column.addLayout(strip.row)
        self._column.addWidget(strip.plot, 1)
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
            rooms = [plot.room for plot in self.strips.plots]
            labelled = self.strips.labelled % len(rooms)
            for number, (strip, room) in enumerate(zip(self._made, rooms, strict=False)):
                least = px(_LEAST + _AXIS * (number == labelled)) + _SHARE * room / sum(rooms)
                if not number and len(rooms) <= _PAIR and room > rooms[-1]:
                    least = max(least, self._main)
                strip.plot.setMinimumHeight(round(least))

    def set_least(self, pixels: float) -> None:
        """Keep the first of two strips at least this high if it is the larger one; others share the height."""
        if pixels != self._main:
            self._main = pixels
            self._fit()

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
