"""Below the people: the curve of privacy in a card of its own, and the question that rules a column out, played step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot

from dpdesigner.desktop.pages.kit.declared_results import CardColumn
from dpdesigner.desktop.pages.kit.panel_views import Place, PlotPanel
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.controls import push_button
from dpdesigner.desktop.widgets.base.layouts import ColumnLayout
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.panels import Handle, Plot

_PACE = 450  # milliseconds a step


class LemmaPanel(PlotPanel):
    """One question after the other, played."""

    nextWanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        words = self.tr("Play"), self.tr("Play the steps")
        self.play = push_button(*words, self._play, checkable=True, padding="4px 7px")
        self.column.insertWidget(0, self.play)
        self._timer = QTimer(self, interval=_PACE)
        self._timer.timeout.connect(self._go_on)

    def show_panel(self, panel: Plot, place: Place) -> None:
        """Show a question; with noise there is none to be played."""
        super().show_panel(panel, place)
        self.play.setVisible(not panel.handles)

    @Slot()
    def _play(self) -> None:
        if self.play.isChecked():
            self._timer.start()
            self._go_on()
        else:
            self._timer.stop()

    @Slot()
    def _go_on(self) -> None:
        if self.isVisible():
            self.moved.emit("view.question", -1)
        else:
            self._timer.stop()
            self.play.setChecked(False)


class PrivacyColumn(CardColumn):
    """The curve of what is recovered against epsilon."""

    def __init__(self) -> None:
        super().__init__()
        self.card = Card(" ", self.tr("drag the line"), flexible=True)
        self.plot = CurvePlot()
        self.card.add(self.plot, 1)
        layout = ColumnLayout(self)
        layout.addWidget(self.card, 1)
        self.plot.handleMoving.connect(self.moving)
        self.plot.handleMoved.connect(self.moved)
        self.plot.handleCancelled.connect(self.cancelled)

    def set_answer(self, answer: Any, beside: Sequence[Any], place: Place) -> None:
        """Show the curve, where it is new."""
        super().set_answer(answer, beside, place)
        self.card.setVisible(not answer.design.answers)

    def show_panel(self, panel: Plot) -> None:
        """Show a curve."""
        self.card.set_heading(translated(panel.title))
        self.plot.show_plot(panel)

    def put_handles(self, place: Place) -> None:
        """Put the line where the design is, whose answer may come later."""
        handles = [(handle, place(handle.target)) for handle in self.plot.handles()]
        if all(at is not None for _, at in handles):
            self.plot.set_handles([_at(handle, at) for handle, at in handles])

    def set_late(self, keys: Sequence[str]) -> None:
        """Fade what waits for a job."""
        self.set_stale("privacy" in keys)

    def set_stale(self, on: bool) -> None:
        """Fade what is out of date."""
        self.plot.set_stale(on)


def _at(handle: Handle, place: float | None) -> Handle:
    return handle if place is None else replace(handle, place=place)
