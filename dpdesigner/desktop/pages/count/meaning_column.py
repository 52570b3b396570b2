"""The right of the count page: what is released, what it costs, and how the cost depends on epsilon."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.pages.count.release_card import ReleaseCard
from dpdesigner.desktop.pages.kit.against_card import AgainstCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.cost_card import CostCard
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.plot.cost_bars import Cost
from dpdesigner.desktop.widgets.plot.curve import Curve
from dpdesigner.studies.count.costs import CostCurves, CostTable
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.witness import Witness


class MeaningColumn(QWidget):
    """Three cards: release, cost, cost against epsilon."""

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__()
        self._table: CostTable | None = None
        self._presenting = False
        self.release = ReleaseCard()
        question = self.tr("Why is this the best?")
        tip = self.tr("Why none is better: the proof in words, with the numbers behind it")
        self.costs = CostCard(self.tr("expected loss"), question, tip)
        self.curves = AgainstCard(self.tr("Loss against ε"), asking)
        self.curves.curve.setMinimumHeight(110)
        self._draw_curves()
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

    def set_costs(self, outcome: CountOutcome, witness: Witness | None, table: CostTable | None, presenting: bool) -> None:
        """Show what an answer costs beside the alternatives; those of another loss are not known yet.

        Those of the design before stay until the new ones are there. Before an audience only the best staircase is listed.
        """
        self._presenting, self._table = presenting, table if table is not None else self._table
        if self._table is None or self._table.study.loss != outcome.study.loss or self._table.study == outcome.study:
            self._show_costs(outcome, witness)

    def set_curves(self, curves: CostCurves, covered: bool) -> None:
        """Show loss against epsilon; geometric + remap is the optimum only where Theorem A covers the loss."""
        name, role = (self.tr("Optimal"), "proved") if covered else (self.tr("Geometric + remap"), "accent")
        self._draw_curves(
            Curve(name, curves.epsilons, curves.optimal, role, False),
            Curve(self.tr("Laplace"), curves.epsilons, curves.laplace, "quiet", True),
        )

    def _draw_curves(self, *curves: Curve) -> None:
        self.curves.curve.set_picture(curves, titles=(self.tr("ε"), self.tr("expected loss")), logarithmic=(True, False))

    def _show_costs(self, outcome: CountOutcome, witness: Witness | None) -> None:
        table = self._table if self._table is not None and self._table.study == outcome.study else None
        losses = dict(table.losses) if table is not None else {}
        best = words.shown_value(outcome, witness)
        decided = words.decides(outcome, witness)
        proved = words.badge(outcome, witness)[1] == "proved"
        first = self.tr("Optimal (geometric + remap)") if proved else self.tr("Geometric + remap")
        if decided:
            first = self.tr("Optimal (linear program)") if proved else self.tr("Best found (linear program)")
        costs = [Cost(first, float(best), "proved" if proved else "other", "optimal")]
        if decided:
            costs.append(Cost(self.tr("Geometric + remap"), float(outcome.value), "other", "remapped"))
        if "real" in losses and not self._presenting:
            costs.append(Cost(words.real_answers(outcome.study), losses["real"], "other", "real"))
        for key, label in (
            ("face", self.tr("Geometric, face value")),
            ("staircase", self.tr("Staircase best γ, rounded + remap")),
            ("half", self.tr("Staircase γ = 1/2, rounded + remap")),
            ("laplace", self.tr("Laplace, rounded + remap")),
        ):
            if not (self._presenting and key == "half"):
                costs.append(Cost(label, losses.get(key), "other", key))  # type: ignore[call-overload]
        costs.append(Cost(self.tr("Ignore the data"), losses.get("ignore"), "quiet", "ignore"))
        self.costs.bars.set_costs(costs)
