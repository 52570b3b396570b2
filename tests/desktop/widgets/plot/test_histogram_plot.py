"""A histogram: what is read of a cell."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.widgets.plot.histogram_plot import Bars, HistogramPlot


def test_a_cell_is_read_in_whole_numbers(qtbot: QtBot) -> None:
    plot = HistogramPlot()
    qtbot.addWidget(plot)
    plot.set_cells(["a", "b", "c"], "cell", "rows")
    plot.set_bars([Bars("error", np.array([-0.3, -1.6, 12345.0]), "accent")])
    assert [plot.read_out(cell)[1] for cell in range(3)] == ["error: 0", "error: −2", "error: 12\u00a0345"]
