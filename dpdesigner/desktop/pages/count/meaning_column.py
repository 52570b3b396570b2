"""The right of the count page: what is released, what it costs, and how the cost depends on epsilon."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesigner.core.count.costs import CostCurves, Key
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.pages.count.release_card import ReleaseCard
from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.count.costs import label
from dpdesigner.studies.count.panels import loss_plot
from dpdesigner.studies.tables import Rank, Ranking

#: The bars below the first, and those for which there is no room before an audience.
_BARS: tuple[Key, ...] = ("remapped", "real", "face", "staircase", "half", "laplace", "ignore")
_LEFT_OUT = ("real", "half")


class MeaningColumn(QWidget):
    """Three cards: release, cost, cost against epsilon."""

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__()
        self._told: CountAnswer | None = None
        self._presenting = False
        self.release = ReleaseCard()
        question = self.tr("Why is this the best?")
        tip = self.tr("Why none is better: the proof in words, with the numbers behind it")
        self.costs = CostCard(self.tr("expected loss"), question, tip)
        self.curves = AgainstCard(self.tr("Loss against ε"), asking)
        self.curves.curve.setMinimumHeight(110)
        self.curves.curve.show_plot(loss_plot(None, True))
        layout = ColumnLayout(self)
        layout.addWidget(self.release, 5)
        layout.addWidget(self.costs)
        layout.addWidget(self.curves, 6)

    @property
    def plots(self) -> dict[str, QWidget]:
        """The pictures by name, for export."""
        return {
            "release": self.release.plot.figure(),
            "costs": self.costs.bars,
            "loss-against-epsilon": self.curves.curve.figure(),
        }

    def set_costs(self, found: CountAnswer, presenting: bool) -> None:
        """Show what it costs and what others would; those of the design before stay until the new ones are there.

        Before an audience there is less room: of the staircases only the best one is listed.
        """
        before = self._told
        if found.costs is not None or before is None or before.costs is None or before.design.loss != found.design.loss:
            self._told = before = found
        elif presenting == self._presenting:
            return
        self._presenting = presenting
        self._show_costs(before)

    def set_curves(self, curves: CostCurves, covered: bool) -> None:
        """Show loss against epsilon."""
        curve = self.curves.curve
        curve.show_plot(loss_plot(curves, covered, curve.handles()))

    def _show_costs(self, found: CountAnswer) -> None:
        findings, proved = found.findings, found.best.proved
        first = self.tr("Optimal (geometric + remap)") if proved else self.tr("Geometric + remap")
        if found.deciding is not None:
            first = self.tr("Optimal (linear program)") if proved else self.tr("Best found (linear program)")
        costs = [Rank(first, findings["value"].number, "main", proved, "optimal")]
        for key in _BARS:
            told = findings.get(key)
            wanted = {"remapped": found.deciding is not None, "real": told is not None}
            if not wanted.get(key, True) or (self._presenting and key in _LEFT_OUT):
                continue
            name = capital(translated(label(key, found.design)))
            costs.append(Rank(name, told.number if told else None, "rival" if key == "ignore" else "main", key=key))
        self.costs.bars.show_ranking(Ranking("costs", self.tr("What it costs"), tuple(costs)))
