"""What the editor of a distribution consists of, and how values from outside come to be shown in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from dpdesigner.desktop.theme import theme
from dpdesigner.desktop.widgets.distribution_controls import DistributionControls
from dpdesigner.desktop.widgets.distribution_plot import DistributionPlot
from dpdesigner.desktop.widgets.distribution_table import DistributionTable
from dpdesigner.desktop.widgets.number_text import brief
from dpdesigner.desktop.widgets.overlay_layer import Overlay
from dpdesigner.desktop.widgets.preset_form import PresetForm
from dpdesigner.desktop.widgets.read_out import ReadOut
from dpdesigner.desktop.widgets.sentence_label import ErrorLine
from dpdesigner.desktop.widgets.weight_rules import Floats, Rules, alike, checked
from dpdesigner.desktop.widgets.wrap_layout import FittedWidget

_LEAST_HEIGHT = 92  # pixels of the bars with their axis, at text scale 1
_MODERATE = 1e9  # weights beyond, or all below its inverse, are drawn as probabilities


class DistributionReading(ReadOut):
    """One line that says how likely a count is, in as many words as fit."""

    def say(self, *versions: str, warning: bool = False) -> None:
        """Show a text, given in versions from long to short; a warning in the colour of errors."""
        self.set_style("error" if warning else "small")
        self.setText(*versions)

    def read(self, weights: Floats, count: int | None, posterior: Floats | None = None) -> None:
        """Say how likely a count is, and that many or fewer, and what is believed of it after a release."""
        if count is None or count >= len(weights):
            self.say("")
            return
        total = float(weights.sum())
        exactly, below = brief(100 * float(weights[count]) / total), brief(100 * float(weights[: count + 1].sum()) / total)
        long = self.tr("P(count = {count}) = {percent} %, P(count ≤ {count}) = {below} %")
        short = self.tr("P(= {count}) = {percent} %, P(≤ {count}) = {below} %")
        lines = [words.format(count=count, percent=exactly, below=below) for words in (long, short)]
        if posterior is not None and len(posterior) == len(weights):
            after = self.tr("posterior {percent} %").format(percent=brief(100 * float(posterior[count])))
            lines.insert(0, f"{lines[0]}; {after}")
        self.say(*lines)

    def described(self, weights: Floats, count: int | None) -> str:
        """Return what a screen reader says of a count; nothing without one."""
        if count is None or count >= len(weights):
            return ""
        percent = brief(100 * float(weights[count]) / float(weights.sum()))
        return self.tr("count {count}: {percent} percent").format(count=count, percent=percent)


class DistributionSheet(FittedWidget):
    """A line to read, bars or a table, the parameters of a named shape, and buttons. It emits nothing of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts: tuple[str, ...] | None = None  #: the weights as they were given
        self.spec = ""  #: the name and parameters of the shape, if it has a name
        self.count: int | None = None  #: the selected one
        self.used = False  #: whether the user has found out what to do here
        self._presenting = False
        self.warning = ""  #: why a gesture was not followed in full
        self._pinned: Sequence[tuple[str, Floats]] = ()
        self._posterior: Floats | None = None
        self.reading = DistributionReading(style="small")
        self.plot, self.table = DistributionPlot(), DistributionTable()
        self.presets = PresetForm()
        self.controls = DistributionControls(self.presets)
        self.error = ErrorLine()
        self.stack = QStackedWidget()
        self._build()
        self.set_distribution(np.ones(1))

    def _build(self) -> None:
        self.setAccessibleName(self.tr("Prior"))
        self.plot.setAccessibleName(self.tr("Prior: how likely each count is"))
        for view in (self.plot, self.table):
            self.stack.addWidget(view)
        theme().changed.connect(self._restyle)
        self._restyle()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.reading)
        column.addWidget(self.stack, 1)
        column.addWidget(self.presets)
        column.addWidget(self.error)
        column.addWidget(self.controls)

    @Slot()
    def _restyle(self) -> None:
        self.stack.setMinimumHeight(round(_LEAST_HEIGHT * theme().scale))

    def set_distribution(self, weights: ArrayLike, *, texts: tuple[str, ...] | None = None, spec: str = "") -> None:
        """Show a prior and emit nothing; a gesture under way goes on if these are the weights that it has reached.

        Parameters
        ----------
        weights : array (n + 1,)
            Finite, at or above 0, not all 0. They need not sum to 1.
        texts : tuple of str, optional
            The weights as the user gave them, for the table. Without them, the table shows probabilities.
        spec : str
            The name and the parameters of a prior that has a name, such as ``"binomial:0.3"``.

        Raises
        ------
        InputError
            If the weights cannot be a prior, or the texts are not as many. What was shown stays.
        """
        shown = checked(weights, None if texts is None else len(texts))
        if self.plot.busy and alike(shown, self.plot.weights):
            return
        self.texts, self.spec, self.warning = texts, spec, ""
        another = len(shown) != len(self.plot.weights)
        if texts is None or not 1 / _MODERATE < shown.max() < _MODERATE:
            shown = shown / shown.max()
            shown = shown / shown.sum()
        self.plot.set_weights(shown)
        if another:
            self.plot.set_rules(Rules(hold_total=self.plot.rules.hold_total))
        self.error.clear()
        self.refresh()

    def set_pinned(self, pinned: Sequence[tuple[str, ArrayLike]]) -> None:
        """Draw distributions to compare with: their names and their probabilities, arrays (n + 1,)."""
        self._pinned = [(name, np.asarray(probabilities, dtype=float)) for name, probabilities in pinned]
        self._show_overlays()
        if not self.plot.busy:
            self.plot.fit()

    def set_posterior(self, probabilities: ArrayLike | None) -> None:
        """Draw what is believed after a release, an array (n + 1,) of probabilities, beside the prior; None for nothing."""
        if probabilities is None and self._posterior is None:
            return
        self._posterior = None if probabilities is None else np.asarray(probabilities, dtype=float)
        self._show_overlays()
        if not self.plot.busy:
            self.plot.fit()

    def set_selected(self, count: int | None) -> None:
        """Mark a count and emit nothing."""
        self.count = count
        self.plot.set_selected(count)
        self.table.show_count(count)
        self.controls.show_rules(self.plot.rules, count)
        self.read_out()

    def figure(self) -> DistributionPlot:
        """Return the part that is saved as a picture."""
        return self.plot

    @Slot(str)
    def set_mode(self, mode: str) -> None:
        """Show the bars to paint (``"paint"``), the curve to bend (``"curve"``) or the ``"table"``."""
        self.plot.cancel()
        self.controls.show_mode(mode)
        self.error.clear()
        self.warning = ""
        if mode == "table":
            self._fill_table()
        else:
            self.plot.set_mode("curve" if mode == "curve" else "paint")
        self.stack.setCurrentWidget(self.table if mode == "table" else self.plot)
        self.refresh()

    def set_presenting(self, on: bool) -> None:
        """Leave the buttons and the boxes away, for an audience."""
        self.controls.setVisible(not on)
        self._presenting = on
        self.refresh()

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height for the least plot and the rows of buttons at the width in force."""
        least, layout = super().minimumSizeHint(), self.layout()
        return QSize(least.width(), least.height() if layout is None else layout.minimumHeightForWidth(self.width()))

    @Slot(bool)
    def set_hold_total(self, on: bool) -> None:
        """Let the other bars make room for what is painted, or not."""
        self.set_rules(Rules(self.plot.rules.locked, on))

    def set_rules(self, rules: Rules) -> None:
        """Lock bars, hold the total."""
        self.plot.set_rules(rules)
        self.refresh()

    def refresh(self) -> None:
        """Bring everything beside the bars up to date."""
        if self.stack.currentWidget() is self.table:
            self._fill_table()
        self.presets.show_spec("" if self._presenting else self.spec, len(self.plot.weights) - 1)
        self.controls.show_rules(self.plot.rules, self.count)
        self._show_overlays()
        self.read_out()

    def _fill_table(self) -> None:
        self.table.rows.show_weights(self.plot.weights, self.texts, self.plot.rules.locked)
        self.table.show_count(self.count)

    def _show_overlays(self) -> None:
        """Draw the overlays that are over the same counts."""
        found = [Overlay(name, probabilities) for name, probabilities in self._pinned]
        if self._posterior is not None:
            found.append(Overlay(self.tr("posterior"), self._posterior, pinned=False))
        self.plot.set_overlays([overlay for overlay in found if len(overlay.probabilities) == len(self.plot.weights)])

    def read_out(self) -> None:
        """Say how likely the count under the mouse is, else the selected one, and describe the selected one."""
        weights, place = self.plot.weights, self.plot.hovered_count
        self.plot.setAccessibleDescription(self.reading.described(weights, self.count))
        if self.warning:
            self.reading.say(self.warning, warning=True)
        elif place is None and not self.used and not self._presenting and self.stack.currentWidget() is self.plot:
            self.reading.say(self.tr("Drag to paint, click to select, right-drag to erase"), self.tr("Drag to paint"))
        else:
            self.reading.read(weights, self.count if place is None else place, self._posterior)
