"""The right of the count page: what is released, what it costs, and how the cost depends on epsilon."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.pages.count.release_card import ReleaseCard
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.count.costs import CostCurves, CostTable
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.panels import epsilon_handle, loss_plot
from dpdesigner.studies.count.witness import Witness
from dpdesigner.studies.tables import Rank, Ranking


class MeaningColumn(QWidget):
    """Three cards: release, cost, cost against epsilon."""

    columnSelected = Signal(int)  #: the user chose a released value
    drawRequested = Signal(int)  #: so many real releases for the selected true count are wanted
    posteriorToggled = Signal(bool)  #: whether the posterior is shown
    epsilonMoving = Signal(float)  #: the cursor of the curve is dragged
    epsilonMoved = Signal(float)
    epsilonCancelled = Signal()
    explanationRequested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._table: CostTable | None = None
        self._solved: tuple[CountOutcome, Witness | None] | None = None
        self._presenting = False
        self.release = ReleaseCard()
        self.release.columnSelected.connect(self.columnSelected)
        self.release.drawRequested.connect(self.drawRequested)
        self.release.posteriorToggled.connect(self.posteriorToggled)
        layout = ColumnLayout(self)
        layout.addWidget(self.release, 5)
        layout.addWidget(self._cost_card())
        layout.addWidget(self._curve_card(), 6)

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("What it costs"), self.tr("expected loss"))
        self._bars = CostBars()
        self._costs.add(self._bars)
        why = QPushButton(self.tr("Why?"))
        why.setAccessibleName(self.tr("Why is this the best?"))
        why.setToolTip(self.tr("Why none is better: the proof in words, with the numbers behind it"))
        why.clicked.connect(self.explanationRequested)
        self._costs.header.addWidget(why)
        return self._costs

    def _curve_card(self) -> Card:
        self._curves = Card(self.tr("Loss against ε"), self.tr("drag the line"))
        self._curve = CurvePlot()
        self._curve.show_plot(loss_plot(None, True))
        self._curve.handleMoving.connect(self._preview)
        self._curve.handleMoved.connect(self._settle)
        self._curve.handleCancelled.connect(self.epsilonCancelled)
        self._curve.setMinimumHeight(110)
        self._curves.add(self._curve, 1)
        return self._curves

    @property
    def plots(self) -> dict[str, QWidget]:
        """The pictures by name, for export."""
        return {"release": self.release.plot.figure(), "costs": self._bars, "loss-against-epsilon": self._curve.figure()}

    def set_outcome(self, outcome: CountOutcome, witness: Witness | None, mechanism: Mechanism) -> None:
        """Show what was solved."""
        self.release.set_mechanism(outcome.study, mechanism)
        if self._table is None or self._table.study.loss != outcome.study.loss or self._table.study == outcome.study:
            self._show_costs(outcome, witness)  # else the alternatives of the design before stay until the new ones are there

    def set_design(self, design: CountDesign) -> None:
        """Put the handle where a design is, whether or not it is solved yet."""
        self._curve.set_handles((epsilon_handle(design),))

    def set_costs(self, table: CostTable, outcome: CountOutcome | None, witness: Witness | None) -> None:
        """Show the alternatives."""
        self._table = table
        if outcome is not None:
            self._show_costs(outcome, witness)

    def set_curves(self, curves: CostCurves, covered: bool) -> None:
        """Show loss against epsilon."""
        self._curves.set_word(self.tr("drag the line"))
        self._curve.show_plot(loss_plot(curves, covered, self._curve.handles()))

    @Slot(str, float)
    def _preview(self, target: str, epsilon: float) -> None:
        self.epsilonMoving.emit(epsilon)

    @Slot(str, float)
    def _settle(self, target: str, epsilon: float) -> None:
        self.epsilonMoved.emit(epsilon)

    def set_presenting(self, on: bool) -> None:
        """Make the buttons large for an audience, and room for them: of the staircases only the best one is listed."""
        self.release.set_presenting(on)
        self._presenting = on
        if self._solved is not None:
            self._show_costs(*self._solved)

    def mark_stale(self, name: str) -> None:
        """Say that ``"costs"`` or ``"curves"`` are being computed anew."""
        (self._costs if name == "costs" else self._curves).set_word(self.tr("computing…"))

    def _show_costs(self, outcome: CountOutcome, witness: Witness | None) -> None:
        self._solved = (outcome, witness)
        table = self._table if self._table is not None and self._table.study == outcome.study else None
        losses = dict(table.losses) if table is not None else {}
        best = words.shown_value(outcome, witness)
        decided = words.decides(outcome, witness)
        proved = words.badge(outcome, witness)[1] == "proved"
        first = self.tr("Optimal (geometric + remap)") if proved else self.tr("Geometric + remap")
        if decided:
            first = self.tr("Optimal (linear program)") if proved else self.tr("Best found (linear program)")
        costs = [Rank(first, float(best), "main", proved, "optimal")]
        if decided:
            costs.append(Rank(self.tr("Geometric + remap"), float(outcome.value), key="remapped"))
        if "real" in losses and not self._presenting:
            costs.append(Rank(words.real_answers(outcome.study), losses["real"], key="real"))
        for key, label in (
            ("face", self.tr("Geometric, face value")),
            ("staircase", self.tr("Staircase best γ, rounded + remap")),
            ("half", self.tr("Staircase γ = 1/2, rounded + remap")),
            ("laplace", self.tr("Laplace, rounded + remap")),
        ):
            if not (self._presenting and key == "half"):
                costs.append(Rank(label, losses.get(key), key=key))  # type: ignore[call-overload]
        costs.append(Rank(self.tr("Ignore the data"), losses.get("ignore"), "rival", key="ignore"))
        self._bars.show_ranking(Ranking("costs", self.tr("What it costs"), tuple(costs)))
        self._costs.set_word(self._cost_word())

    def _cost_word(self) -> str:
        return self.tr("expected loss")
