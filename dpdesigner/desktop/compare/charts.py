"""The curves of two designs, each pair in one plot."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesigner.desktop.compare.comparison import Comparison
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.pages.kit.portrait import Chart
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.plot.curve import Curve, Marker
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot

#: How the design and the reference are drawn: colour, dashed.
_STYLES = (("accent", False), ("selected", True))
_LOWEST = 170


class ChartsCard(Card):
    """As many plots beside each other as the designs have curves in common."""

    def __init__(self) -> None:
        super().__init__(self.tr("Their curves"), self.tr("the reference is dashed"), flexible=True)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)
        self._charts: list[_ChartBox] = []
        box = QWidget()
        box.setLayout(self._row)
        self.add(box, 1)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show the curves that both designs have."""
        pairs = comparison.charts
        self.setVisible(bool(pairs))
        while len(self._charts) < len(pairs):
            self._charts.append(_ChartBox())
            self._row.addWidget(self._charts[-1], 1)
        for place, box in enumerate(self._charts):
            box.setVisible(place < len(pairs))
            if place < len(pairs):
                box.show_pair(pairs[place], comparison.names)


class _ChartBox(QWidget):
    """A plot under its heading."""

    def __init__(self) -> None:
        super().__init__()
        self._heading, self._plot = ElidedLabel(), CurvePlot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._heading)
        layout.addWidget(self._plot, 1)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self._plot.setMinimumHeight(round(_LOWEST * theme().scale))

    def show_pair(self, pair: tuple[Chart, Chart], names: tuple[str, str]) -> None:
        """Show both curves, and where the designs stand on them."""
        mine = pair[0]
        self._heading.set_full_text(mine.title)
        ends = [chart.limits for chart in pair if chart.limits is not None]
        drawn = list(zip(pair, names, _STYLES, strict=True))
        same = np.array_equal(mine.x, pair[1].x) and np.array_equal(mine.y, pair[1].y)
        lines = [(mine, self.tr("both"), _STYLES[0])] if same else drawn
        self._plot.set_picture(
            [Curve(name, chart.x, chart.y, *style, steps=chart.steps) for chart, name, style in lines],
            markers=[Marker(*chart.mark, colour_role=style[0]) for chart, _, style in drawn if chart.mark is not None],
            titles=mine.axes,
            logarithmic=mine.logarithmic,
            limits=((min(low for low, _ in ends), max(high for _, high in ends)) if ends else None, None),
        )
