"""The curves of two designs, each pair in one plot."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesigner.desktop.compare.comparison import Comparison
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.panels import Plot, laid_over

_LOWEST = 170
#: Plots beside each other; more stand below them.
_ACROSS = 3


class ChartsCard(Card):
    """As many plots as the designs have curves in common, up to three beside each other."""

    def __init__(self) -> None:
        super().__init__(self.tr("Their curves"), self.tr("what is pinned is dashed"), flexible=True)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(16)
        self._charts: list[_ChartBox] = []
        box = QWidget()
        box.setLayout(self._grid)
        self.add(box, 1)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show the curves that both designs have."""
        pairs = comparison.charts
        self.setVisible(bool(pairs))
        while len(self._charts) < len(pairs):
            self._charts.append(_ChartBox())
            down, across = divmod(len(self._charts) - 1, _ACROSS)
            self._grid.addWidget(self._charts[-1], down, across)
        for across in range(_ACROSS):
            self._grid.setColumnStretch(across, int(across < len(pairs)))
        for place, box in enumerate(self._charts):
            box.setVisible(place < len(pairs))
            if place < len(pairs):
                box.show_pair(pairs[place], comparison.names)


class _ChartBox(QWidget):
    """A plot under its heading."""

    def __init__(self) -> None:
        super().__init__()
        self._heading, self._plot = ElidedLabel(), CurvePlot()
        column_of(self._heading, (self._plot, 1), on=self, gap=2)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self._plot.setMinimumHeight(round(_LOWEST * theme().scale))

    def show_pair(self, pair: tuple[Plot, Plot], names: tuple[str, str]) -> None:
        """Show both curves, and where the designs stand on them."""
        self._heading.set_full_text(pair[0].title)
        self._plot.show_plot(laid_over(*pair, names, self.tr("both")))
