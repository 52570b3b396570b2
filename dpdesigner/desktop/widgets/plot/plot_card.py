"""A card with a plot, under tabs where there are several, whose lines can be dragged and which can be played step by step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot

from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import push_button
from dpdesigner.desktop.widgets.base.layouts import row_of
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.base.view_tabs import ViewTabs
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.panels import Plot

_PACE = 450  # milliseconds a step


class PlotCard(Card):
    """A plot whose line can be dragged, under tabs where there are several.

    Parameters
    ----------
    tabs : sequence of (key, text, tooltip)
    """

    plotChosen = Signal(str)  #: a tab was pressed
    moving = Signal(str, object)  #: a handle is dragged: its target, and where it is
    moved = Signal(str, object)
    cancelled = Signal(str)
    nextWanted = Signal()  #: the next step of what is played

    def __init__(self, tabs: Sequence[tuple[str, str, str]] = ()) -> None:
        super().__init__("" if tabs else " ", flexible=True)
        self.tabs = ViewTabs(tabs)
        self.tabs.chosen.connect(self.plotChosen)
        self.tabs.setParent(self)
        self.tabs.setVisible(bool(tabs))
        words = self.tr("Play"), self.tr("Play the steps")
        self.play = push_button(*words, self._play, checkable=True, padding="4px 7px")
        self.play.setParent(self)
        self.play.hide()
        if tabs:
            self.body.addLayout(row_of((self.tabs, 1), self.play))
        self.plot, self.under = CurvePlot(), SentenceLabel("small")
        self.plot.handleMoving.connect(self.moving)
        self.plot.handleMoved.connect(self.moved)
        self.plot.handleCancelled.connect(self.cancelled)
        self._timer = QTimer(self, interval=_PACE)
        self._timer.timeout.connect(self.nextWanted)
        self.add(self.plot, 1)
        self.add(self.under)

    def show_plot(self, plot: Plot, played: bool = False) -> None:
        """Show a plot, as one of several steps where it is played."""
        self.set_heading(translated(plot.title))
        self.set_word(self.tr("drag the line") if plot.handles else "")
        self.plot.show_plot(plot)
        self.under.set_sentence(" ".join(map(translated, (plot.title, *plot.under))) if plot.under else "")
        self.play.setVisible(played)
        if not played:
            self.stop()

    def show_words(self) -> None:
        """Show no plot: something else stands in its place."""
        self.under.clear()
        self.play.hide()
        self.stop()

    def stop(self) -> None:
        """Ask for no more steps."""
        self._timer.stop()
        self.play.setChecked(False)

    @Slot()
    def _play(self) -> None:
        if self.play.isChecked():
            self._timer.start()
            self.nextWanted.emit()
        else:
            self._timer.stop()
