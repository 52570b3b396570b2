"""Plots one above the other over the same prices: cause above effect; the bids among them can be taken by the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.look.theme import set_class, theme
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.layouts import row_of, styled
from dpdesigner.desktop.widgets.plot.axis_layer import Axis as DrawnAxis
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.desktop.widgets.plot.plot_ticks import no_ticks
from dpdesigner.studies.auction.market import Source
from dpdesigner.studies.panels import Handle, Line, Plot
from dpdesigner.studies.said import said

_STILL = 3.0  # pixels that a mouse may slip in a click
_STEP = 0.01  # of the cap, for one press of an arrow key
_DIGITS = 3  # of a price said with the mouse


class Strip(CurvePlot):
    """One of the plots; only the last has ticks below it."""

    def __init__(self, last: bool) -> None:
        self._last = last
        super().__init__()

    def _set_axes(self) -> None:
        super()._set_axes()
        axes = self._plot.axes
        if not self._last:
            axes.horizontal = replace(axes.horizontal, title="", finder=no_ticks)
        axes.vertical = replace(axes.vertical, title="") if self.plot.y.label else DrawnAxis("", no_ticks)


class BidStrip(Strip):
    """The bids: a drag moves what the bidder under the mouse says, with Alt the truth itself; Esc says the truth again.

    Left and Right go from bidder to bidder, with Shift they move what the bidder says; Home says the truth, M takes the bidder
    whom lying gains most, Space draws a price, W shows the whole range.
    """

    lookedAt = Signal(int, object)  #: a bidder, and the price said instead of the truth or None
    truthMoving = Signal(int, float)  #: the truth of a bidder is dragged to here
    truthMoved = Signal(int, float)
    truthCancelled = Signal()
    mostWanted = Signal()  #: the bidder whom lying gains most is wanted
    drawWanted = Signal()  #: a price is to be drawn
    wholeWanted = Signal()  #: all prices are to be seen, or no longer

    def __init__(self) -> None:
        super().__init__(last=False)
        self._worths, self._cap = np.zeros(0), 1.0
        self._bidder = -1
        self._says: float | None = None
        self._from, self._true, self._moved = 0.0, False, False

    def set_bids(self, worths: np.ndarray, cap: float, bidder: int, says: float | None) -> None:
        """Take the bids, and which bidder is looked at."""
        self._worths, self._cap = np.minimum(worths, cap), cap
        if not self._gesture.held:
            self._bidder, self._says = bidder, says

    def set_handles(self, handles: Sequence[Handle]) -> None:
        """Put the handles elsewhere; what is dragged here is no handle, and the drag goes on."""
        self._handles.handles = tuple(handles)
        self._handles.update()

    def _nearest(self, position: QPointF) -> int:
        """The bidder under the mouse: the one looked at if it is as near as any."""
        frame = self._plot.frame
        pixels = frame.area.width() / (frame.right - frame.left)
        at = np.abs(frame.area.left() + (self._worths - frame.left) * pixels - position.x())
        near = float(at.min())
        if 0 <= self._bidder < len(at):
            says = self._worths[self._bidder] if self._says is None else self._says
            if abs(self._curves.pixel(float(says), 1.0).x() - position.x()) <= max(near, px(7)):
                return self._bidder
        return int(at.argmin())

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if not len(self._worths):
            return
        bidder = self._nearest(position)
        if bidder != self._bidder:
            self._bidder, self._says = bidder, None
        self._true = bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.AltModifier)
        self._from, self._moved = position.x(), False
        self._gesture.begin(self._says, held=True)
        self._clear_hover()

    @Slot(QPointF)
    def _drag(self, position: QPointF) -> None:
        if not self._gesture.held or (not self._moved and abs(position.x() - self._from) <= px(_STILL)):
            return
        self._moved = True
        place = min(max(self._plot.frame.value_x(position.x()), 0.0), self._cap)
        self._gesture.move(float(f"{place:.{_DIGITS}g}"))

    @Slot(QPointF)
    def _release(self, position: QPointF) -> None:
        if not self._gesture.held:
            return
        if not self._moved:
            self.lookedAt.emit(self._bidder, self._says)
        self._gesture.finish()

    @Slot(object)
    def _preview(self, place: float) -> None:
        if self._true:
            self.truthMoving.emit(self._bidder, place)
        else:
            self._says = place
            self.lookedAt.emit(self._bidder, place)

    @Slot(object)
    def _settle(self, place: float) -> None:
        if self._true:
            self._says = None
            self.truthMoved.emit(self._bidder, place)

    @Slot()
    def _restore(self) -> None:
        self._says = self._gesture.start
        if self._true:
            self.truthCancelled.emit()
        else:
            self.lookedAt.emit(self._bidder, self._says)

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        self._plot.setCursor(Qt.CursorShape.SizeHorCursor)
        if not len(self._worths) or not self._plot.frame.area.contains(position):
            self._clear_hover()
            return
        bidder = self._nearest(position)
        self._handles.hovered = float(self._worths[bidder])
        worth = f"{self._worths[bidder]:.4g}"
        self._handles.hover_lines = [self.tr("bidder {number}, worth {worth}").format(number=bidder + 1, worth=worth)]
        self._handles.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from bidder to bidder, or move what one says."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape and self._gesture.active:
            self._gesture.cancel()
        elif event.key() in (Qt.Key.Key_M, Qt.Key.Key_Space, Qt.Key.Key_W):
            wanted = {Qt.Key.Key_M: self.mostWanted, Qt.Key.Key_Space: self.drawWanted, Qt.Key.Key_W: self.wholeWanted}
            wanted[Qt.Key(event.key())].emit()
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_Escape) and self._says is not None:
            self._look(self._bidder, None)
        elif step and len(self._worths) and shift and self._bidder >= 0:
            says = self._worths[self._bidder] if self._says is None else self._says
            self._look(self._bidder, min(max(float(says) + step * _STEP * self._cap, 0.0), self._cap))
        elif step and len(self._worths):
            order = np.argsort(self._worths, kind="stable")
            place = int(np.flatnonzero(order == self._bidder)[0]) if self._bidder >= 0 else 0
            self._look(int(order[min(max(place + step, 0), len(order) - 1)]), None)
        else:
            QWidget.keyPressEvent(self, event)

    def _look(self, bidder: int, says: float | None) -> None:
        self._bidder, self._says = bidder, None if says is None else float(f"{says:.{_DIGITS + 1}g}")
        self.lookedAt.emit(self._bidder, self._says)


class Strips(QWidget):
    """The four plots with their headings."""

    _HEIGHTS = (10, 4, 7, 7)  # of the room; the last has its ticks in it

    def __init__(self) -> None:
        super().__init__()
        self.revenue, self.bids, self.density, self.ratio = Strip(False), BidStrip(), Strip(False), Strip(True)
        self.plots = {"revenue": self.revenue, "bids": self.bids, "density": self.density, "ratio": self.ratio}
        self.titles: dict[str, tuple[QLabel, ElidedLabel]] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        terms = {
            "revenue": self.tr("revenue against price"),
            "bids": self.tr("one line a bidder · drag any of them"),
            "density": self.tr("density ∝ exp(ε · revenue / cap)"),
            "ratio": self.tr("ln ratio of the densities"),
        }
        for (key, plot), share in zip(self.plots.items(), self._HEIGHTS, strict=True):
            column.addLayout(self._heading(key, terms[key]))
            column.addWidget(plot, share)
            plot.figure().align_with(self.revenue.figure())
        theme().changed.connect(self._fit)
        self._fit()

    def _heading(self, key: str, term: str) -> QHBoxLayout:
        title, word = styled("heading"), ElidedLabel()
        set_class(word, "muted")
        word.set_full_text(term, term.partition(" · ")[0], "")
        word.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = row_of(title, (word, 1), gap=12)
        self.titles[key] = title, word
        return row

    @Slot()
    def _fit(self) -> None:
        for plot, share in zip(self.plots.values(), self._HEIGHTS, strict=True):
            plot.setMinimumHeight(round(px(9 * share + 8)))
            plot.figure().set_padding(0, 6, 10, 2 if plot is self.ratio else 7)  # no handle has a text above it

    def show_plots(self, plots: dict[str, Plot], drawn: tuple[float, ...], before: dict[str, Plot]) -> None:
        """Show these plots, with the prices that were drawn, and behind them those of what was pinned."""
        for key, widget in self.plots.items():
            plot = plots.get(key)
            for part in (*self.titles[key], widget):
                part.setVisible(plot is not None)
            if plot is None:
                continue
            self.titles[key][0].setText(translated(plot.title))
            widget.show_plot(with_before(with_drawn(plot, drawn), before.get(key)))
            widget.setAccessibleName(translated(plot.title))

    def set_bids(self, source: Source, cap: float, bidder: int, says: float | None, told: str) -> None:
        """Take the bids, which bidder is looked at, and what is said of that one."""
        self.bids.set_bids(source.worths, cap, bidder, says)
        self.bids.setAccessibleDescription(told)

    def set_stale(self, on: bool) -> None:
        """Fade them while newer ones are being computed."""
        for plot in self.plots.values():
            plot.set_stale(on)


def with_before(plot: Plot, before: Plot | None) -> Plot:
    """Return a plot with the main line of another one behind it, where prices are counted alike."""
    if before is None or not before.lines or before.x.unit != plot.x.unit or plot.key not in ("revenue", "density"):
        return plot
    theirs, mine = before.lines[0], plot.lines[0]
    if np.array_equal(theirs.x, mine.x) and np.array_equal(theirs.y, mine.y):
        return plot
    behind = Line(theirs.x, theirs.y, translated(said("before")), "before", dashed=True, secret=theirs.secret)
    return replace(plot, lines=(*plot.lines, behind))


def with_drawn(plot: Plot, prices: tuple[float, ...]) -> Plot:
    """Return a plot with the prices that were drawn: a flag for one, lines for many."""
    if not prices:
        return plot
    if len(prices) == 1:
        return replace(plot, handles=(*plot.handles, Handle(prices[0], movable=False)))
    if plot.key != "density" or not plot.lines:
        return plot
    most = float(np.nanmax(plot.lines[0].y))
    flags = Line(np.sort(prices), np.full(len(prices), most / 3), "", "other", spikes=True)
    return replace(plot, lines=(*plot.lines, flags))
