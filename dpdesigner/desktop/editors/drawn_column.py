"""A column that is drawn instead of read: its shape as bars to paint, and its number of rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import excerpt
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import brief, group_thousands
from dpdesigner.core.synthetic.cells import drawn_counts
from dpdesigner.desktop.base.controls import named, push_button, value_box, wrapped
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import FittedWidget, column_of
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.plots.axis_layer import Axis, Tick, no_ticks, number_ticks
from dpdesigner.errors import InputError
from dpdesigner.studies.column_inputs import BARS, MOST_ROWS, ColumnSpec

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
        theme().follow(self._restyle)

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
