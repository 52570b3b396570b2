"""What a mechanism would say: the distribution of the release, or the posterior after one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import chance, group_thousands, in_so_many, significant
from dpdesigner.desktop.widgets.plot.axis_layer import Axis
from dpdesigner.desktop.widgets.plot.bar_layer import BarLayer
from dpdesigner.desktop.widgets.plot.landing_layer import LandingLayer
from dpdesigner.desktop.widgets.plot.plot_holder import PlotHolder
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot
from dpdesigner.desktop.widgets.plot.plot_ticks import count_ticks, no_ticks
from dpdesigner.errors import InputError
from dpdesigner.studies.panels import Landing

_MANY = 500  # bars from which on only those that matter are shown
_NOTHING = 1e-6  # of the total may be out of view on either side
_BESIDE = 10  # bars, at least, shown on either side of those


class ReleasePlot(PlotHolder[StyledPlot]):
    """Bars over 0..n: the chances of each released value for one true count, or prior and posterior for one released value.

    Of very many bars, those are shown where nearly all of the total is.

    Left and Right move between the bars, as a click does.
    """

    selected = Signal(int)  #: the user chose this bar

    def __init__(self) -> None:
        super().__init__(StyledPlot())
        self._bars = BarLayer()
        self._current: int | None = None
        self._after = False  # whether it is what is believed after a release
        self._plot.add_layer(self._bars)
        self._landing = LandingLayer(self._plot, lambda x, y: QPointF(self._plot.frame.x(x), self._plot.frame.y(y)))
        self._plot.add_layer(self._landing)
        self._name_axes(self.tr("released value"))
        self._plot.set_padding(4, 16, 4, 2)
        self.setMinimumHeight(72)
        self.setAccessibleName(self.tr("Releases"))
        self._plot.pressed.connect(self._press)
        self._plot.dragged.connect(self._press)
        self._plot.hovered.connect(self._hover)
        self._plot.left.connect(self._leave)

    def set_row(self, probabilities: ArrayLike, selected: int | None = None, before: ArrayLike | None = None) -> None:
        """Show a row of a mechanism.

        Parameters
        ----------
        probabilities : array (n+1,)
            The chance of each released value.
        selected : int, optional
            The released value drawn warm.
        before : array (n+1,), optional
            What the row was when it was pinned, drawn as a dashed outline.

        Raises
        ------
        InputError
            If the array is not a list of numbers at or above 0. What was shown stays.
        """
        bars, ghost = _bars(probabilities), None if before is None else _bars(before)
        self._after = False
        self._show(bars, ghost if ghost is not None and len(ghost) == len(bars) else None, selected, None)
        self._name_axes(self.tr("released value"))

    def set_posterior(self, prior: ArrayLike, posterior: ArrayLike, released: int | None) -> None:
        """Show what is believed about the true count before (dashed) and after (bars) a release.

        Parameters
        ----------
        prior, posterior : array (n+1,)
            The chance of each true count.
        released : int, optional
            The value released, marked on the axis.

        Raises
        ------
        InputError
            If the arrays are not two lists of numbers at or above 0 of one length. What was shown stays.
        """
        before, after = _bars(prior), _bars(posterior)
        if len(before) != len(after):
            raise InputError(f"Prior and posterior must have the same length, got {len(before)} and {len(after)}.", "prior")
        self._after = True
        self._show(after, before, None, released)
        self._name_axes(self.tr("true count"))

    def set_draws(self, counts: ArrayLike | None, final: ArrayLike | None = None) -> None:
        """Stack one dot per sampled release on the bars, or none.

        Parameters
        ----------
        counts : array (n+1,) of int, optional
            How often each value was released.
        final : array (n+1,) of int, optional
            How often it will have been once all dots have fallen, if that is more; the scale is made for these.

        Raises
        ------
        InputError
            If it is not as long as the row that is shown.
        """
        draws = None if counts is None else np.asarray(counts, dtype=np.int64)
        if draws is not None and draws.shape != self._bars.values.shape:
            raise InputError(f"Draws must be counted for {len(self._bars.values)} values, got {draws.size}.", "draws")
        self._bars.draws = draws
        self._bars.final = draws if final is None else np.asarray(final, dtype=np.int64)
        self._refresh()

    def set_landed(self, value: int | None, of: object = None) -> None:
        """Let a release drop onto its bar, or take it away.

        Parameters
        ----------
        value : int, optional
            What was released.
        of : object
            What it was drawn in; the same one again does not drop again.
        """
        self._bars.labelled = value is None  # the number that was released stands there
        if value is None or self._after or not 0 <= value < self.bars:
            self._landing.show_landing(None)
            return
        height = float(self._bars.values[value])
        self._landing.show_landing(Landing((float(value),), (height,), group_thousands(value), of, upright=False))

    @property
    def landed(self) -> int | None:
        """The release that lies on its bar."""
        landing = self._landing.landing
        return None if landing is None or self._landing.fallen < 1 else int(landing.x[0])

    @property
    def bars(self) -> int:
        """The number of bars."""
        return len(self._bars.values)

    def read_out(self, place: int) -> str:
        """Return what the bar at a place says."""
        value = float(self._bars.values[place])
        if not self._after or self._bars.outline is None:
            words = chance(value)
            text = self.tr("releases {value}: {chance}").format(value=place, chance=significant(value))
            return f"{text} ({words})" if words else text
        return self.tr("count {value}: prior {prior}, posterior {posterior}").format(
            value=place, prior=_percent(float(self._bars.outline[place])), posterior=_percent(value)
        )

    def _name_axes(self, bars: str) -> None:
        """Say what the bars are over, where there is room for it."""
        if self._plot.axes.horizontal.title != bars:
            self._plot.set_axes(Axis(bars, count_ticks, optional=True), Axis(self.tr("probability"), no_ticks, optional=True))

    def _show(self, values: Floats, outline: Floats | None, selected: int | None, mark: int | None) -> None:
        bars = self._bars
        if values.shape != bars.values.shape or self._after:
            bars.draws = bars.final = None
        bars.values, bars.outline, bars.mark = values, outline, mark
        bars.selected = selected if selected is not None and 0 <= selected < len(values) else None
        self._current = bars.selected
        if bars.hovered is not None and bars.hovered >= len(values):
            bars.hovered = None
        self._refresh()

    def _refresh(self) -> None:
        bars = self._bars
        if not len(bars.values):
            return
        first, last = _where_it_is(bars.values)
        self._plot.set_range(first - 0.5, last + 0.5, 0.0, bars.top())
        self._set_hovered(bars.hovered)
        best = int(np.argmax(bars.values))
        parts = [self.tr("most likely: {text}").format(text=self.read_out(best))]
        if bars.selected is not None:
            parts.append(self.read_out(bars.selected))
        self.setAccessibleDescription("; ".join(parts))

    def _place(self, position: QPointF) -> int | None:
        place = int(np.floor(self._plot.frame.value_x(position.x()) + 0.5))
        return place if 0 <= place < len(self._bars.values) else None

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        place = self._place(position)
        if place is not None:
            self._choose(place)

    def _choose(self, place: int) -> None:
        if place == self._current:
            return
        self._current = place
        if not self._after:
            self._bars.selected = place
            self._refresh()
        self.selected.emit(place)

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        self._set_hovered(self._place(position))

    @Slot()
    def _leave(self) -> None:
        self._set_hovered(None)

    def _set_hovered(self, place: int | None) -> None:
        self._bars.hovered = place
        self._bars.hover_lines = [] if place is None else [self.read_out(place)]
        self._bars.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the bar before or after."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step or not len(self._bars.values):
            super().keyPressEvent(event)
            return
        start = self._current
        if start is None:
            start = int(np.argmax(self._bars.values)) - step
        self._choose(min(max(start + step, 0), len(self._bars.values) - 1))


def near(row: Floats, count: int) -> tuple[str, str]:
    """Return the values next to a true count, ``5 to 7``, and how often one of them is said: ``3 in 4``."""
    low, high = max(count - 1, 0), min(count + 1, len(row) - 1)
    words = (
        group_thousands(low)
        if low == high
        else tr("{low} to {high}").format(low=group_thousands(low), high=group_thousands(high))
    )
    return words, in_so_many(float(row[low : high + 1].sum()))


def _bars(values: ArrayLike) -> Floats:
    held = np.asarray(values, dtype=float)
    if held.ndim != 1 or held.size == 0 or not np.isfinite(held).all() or held.min() < 0:
        raise InputError(f"Bars must be a list of finite numbers at or above 0, got an array of shape {held.shape}.", "values")
    return held


def _percent(value: float) -> str:
    return f"{100 * value:.3g}%"


def _where_it_is(values: Floats) -> tuple[int, int]:
    """Return the first and the last bar to show: all, but of very many only those where nearly all of the total is."""
    last = len(values) - 1
    if last < _MANY:
        return 0, last
    total = np.cumsum(values)
    low, high = np.searchsorted(total, [_NOTHING * total[-1], (1 - _NOTHING) * total[-1]]).tolist()
    beside = max((high - low) // 4, _BESIDE)
    if high - low + 2 * beside > last / 2:
        return 0, last
    return max(0, low - beside), min(last, high + beside)
