"""Draws that fall on the bars of a release plot as dots, one by one, until they are stopped, or are there at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpdesigner.desktop.widgets.plot.release_plot import ReleasePlot

_EVERY = 20  # milliseconds from one dot to the next: a hundred fall in two seconds


class FallingDraws(QObject):
    """The dots of one plot."""

    changed = Signal()  #: more dots lie than before, or they have stopped falling

    def __init__(self, plot: ReleasePlot) -> None:
        super().__init__(plot)
        self._plot = plot
        self._draws: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._fallen = 0
        self.timer = QTimer(self, interval=_EVERY)
        self.timer.timeout.connect(self._fall)

    @property
    def lying(self) -> NDArray[np.int64]:
        """The draws whose dots have fallen."""
        return self._draws[: self._fallen]

    def let_fall(self, draws: Sequence[int], *, at_once: bool) -> None:
        """Let the dots of these draws fall, in place of all others."""
        self.forget()
        self._draws = np.asarray(draws, dtype=np.int64)
        if at_once:
            self._fallen = len(self._draws)
        else:
            self.timer.start()
        self._show()

    def stop(self) -> None:
        """Let no more dots fall; those that lie stay."""
        self.timer.stop()
        self._draws = self.lying
        self._show()

    def forget(self) -> None:
        """Take the dots away."""
        self.timer.stop()
        self._draws, self._fallen = self._draws[:0], 0
        self._plot.set_draws(None)

    @Slot()
    def _fall(self) -> None:
        self._fallen += 1
        if self._fallen >= len(self._draws):
            self.stop()
        else:
            self._show()

    def _show(self) -> None:
        size = self._plot.bars
        self._plot.set_draws(np.bincount(self.lying, minlength=size), np.bincount(self._draws, minlength=size))
        self.changed.emit()
