"""The right of the count page: what is released, what it costs, and how the cost depends on epsilon."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpdesigner.core.mechanism import Mechanism
from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.widgets.card import Card
from dpdesigner.desktop.widgets.column import ColumnLayout
from dpdesigner.desktop.widgets.cost_bars import Cost, CostBars
from dpdesigner.desktop.widgets.curve import Curve
from dpdesigner.desktop.widgets.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.number_text import counted
from dpdesigner.desktop.widgets.release_plot import ReleasePlot
from dpdesigner.studies.count import CountDesign, CountOutcome
from dpdesigner.studies.count_costs import CostCurves, CostTable
from dpdesigner.studies.count_witness import Witness

_MANY = 100


class MeaningColumn(QWidget):
    """Three cards: release, cost, cost against epsilon."""

    columnSelected = Signal(int)  #: the user chose a released value
    drawRequested = Signal(int)  #: so many real releases for the selected true count are wanted
    posteriorToggled = Signal(bool)  #: whether the posterior is shown
    epsilonMoving = Signal(float)  #: the cursor of the curve is dragged
    epsilonMoved = Signal(float)
    explanationRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mechanism: Mechanism | None = None
        self._design: CountDesign | None = None
        self._table: CostTable | None = None
        self._row = self._column = 0
        self._posterior = False
        layout = ColumnLayout(self)
        layout.addWidget(self._release_card(), 5)
        layout.addWidget(self._cost_card())
        layout.addWidget(self._curve_card(), 6)

    def _release_card(self) -> Card:
        self._release = Card(self.tr("What it says"), self.tr("row"))
        self._plot = ReleasePlot()
        self._plot.selected.connect(self.columnSelected)
        self._plot.setMinimumHeight(90)
        self._release.add(self._plot, 1)
        row = QWidget()
        buttons = QHBoxLayout(row)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(6)
        self._once = QPushButton(self.tr("Release once"))
        self._once.setToolTip(self.tr("Draw one real release for this true count, exactly, from the system's entropy"))
        self._once.clicked.connect(self.release_once)
        self._often = QPushButton(self.tr("× 100"))
        self._often.setToolTip(self.tr("Draw a hundred to see the spread; publishing them all would cost 100 times epsilon"))
        self._often.clicked.connect(self._release_often)
        self._toggle = QPushButton(self.tr("Posterior"))
        self._toggle.setCheckable(True)
        self._toggle.setToolTip(self.tr("Show what you would believe after the selected release, beside your prior"))
        self._toggle.toggled.connect(self._set_posterior)
        for widget in (self._once, self._often, self._toggle):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        self._release.add(row)
        return self._release

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("What it costs"), self.tr("expected loss"))
        self._bars = CostBars()
        self._costs.add(self._bars)
        why = QPushButton(self.tr("Why?"))
        why.setAccessibleName(self.tr("Why is this the best?"))
        why.setToolTip(self.tr("Why nothing can be better: the proof in words, with the numbers behind it"))
        why.clicked.connect(self.explanationRequested)
        self._costs.header.addWidget(why)
        return self._costs

    def _curve_card(self) -> Card:
        self._curves = Card(self.tr("Loss against ε"), self.tr("drag the line"))
        self._curve = CurvePlot()
        self._curve.set_scales(log_x=True, log_y=False)
        self._curve.set_titles(self.tr("ε"), "")
        self._curve.cursorMoving.connect(self.epsilonMoving)
        self._curve.cursorMoved.connect(self.epsilonMoved)
        self._curve.setMinimumHeight(110)
        self._curves.add(self._curve, 1)
        return self._curves

    @property
    def plots(self) -> dict[str, QWidget]:
        """The pictures by name, for export."""
        return {"release": self._plot.figure(), "costs": self._bars, "loss-against-epsilon": self._curve.figure()}

    @property
    def cost_curve(self) -> CurvePlot:
        """The plot of loss against epsilon."""
        return self._curve

    def set_selected(self, row: int, column: int) -> None:
        """Show another row of the mechanism and mark another release."""
        if row != self._row and self._mechanism is not None:
            self._plot.set_draws(None)
        self._row, self._column = row, column
        self._show_release()

    def set_outcome(self, outcome: CountOutcome, witness: Witness | None, mechanism: Mechanism) -> None:
        """Show what was solved."""
        if self._design != outcome.study:
            self._plot.set_draws(None)
        self._design, self._mechanism = outcome.study, mechanism
        self._show_release()
        self._show_costs(outcome, witness)
        self._curve.set_cursor(min(max(outcome.study.privacy.epsilon, 1e-9), 1e9), f"ε = {outcome.study.privacy.epsilon:.4g}")

    def set_costs(self, table: CostTable, outcome: CountOutcome | None, witness: Witness | None) -> None:
        """Show the alternatives."""
        self._table = table
        if outcome is not None:
            self._show_costs(outcome, witness)

    def set_curves(self, curves: CostCurves, covered: bool) -> None:
        """Show loss against epsilon; geometric + remap is the optimum only where Theorem A covers the loss."""
        name, role = (self.tr("Optimal"), "proved") if covered else (self.tr("Geometric + remap"), "accent")
        self._curve.set_curves(
            [
                Curve(name, curves.epsilons, curves.optimal, role, False),
                Curve(self.tr("Laplace"), curves.epsilons, curves.laplace, "quiet", True),
            ]
        )

    def set_stale(self, on: bool) -> None:
        """Say that the costs are being computed anew."""
        self._costs.set_word(self.tr("computing…") if on else self._cost_word())

    def set_presenting(self, on: bool) -> None:
        """Keep the release buttons, hide nothing that explains."""

    @Slot()
    def release_once(self) -> None:
        """Ask for one exact release."""
        self.drawRequested.emit(1)

    @Slot()
    def _release_often(self) -> None:
        self.drawRequested.emit(_MANY)

    def show_draws(self, row: int, draws: list[int]) -> None:
        """Show releases that were drawn for a true count: one in words, many as dots."""
        if self._mechanism is None or row != self._row:
            return
        if len(draws) == 1:
            off = abs(draws[0] - row)
            self._plot.set_draws(None)
            text = self.tr("last: {value}, off by {off}") if off else self.tr("last: {value}, exact")
            self._release.set_word(text.format(value=counted(draws[0]), off=counted(off)))
            return
        counts = Counter(draws)
        self._toggle.setChecked(False)
        self._plot.set_draws(np.array([counts[r] for r in range(self._mechanism.n + 1)]))
        self._release.set_word(self.tr("{right} of {many} exact").format(right=counts[row], many=len(draws)))

    @Slot(bool)
    def _set_posterior(self, on: bool) -> None:
        self._posterior = on
        self._show_release()
        self.posteriorToggled.emit(on)

    def _show_release(self) -> None:
        if self._mechanism is None or self._design is None:
            return
        if self._posterior:
            prior = self._design.prior.probabilities
            posterior = self._mechanism.posterior(prior, self._column)
            self._release.set_heading(self.tr("After the release {value}, you believe").format(value=counted(self._column)))
            self._release.set_word(self.tr("posterior") if posterior is not None else self.tr("never released"))
            self._plot.set_posterior(prior, prior if posterior is None else posterior, self._column)
        else:
            self._release.set_heading(self.tr("If the true count is {count}, it says").format(count=counted(self._row)))
            self._release.set_word(self.tr("row {row}").format(row=counted(self._row)))
            self._plot.set_row(self._mechanism.row(self._row), self._column)

    def _show_costs(self, outcome: CountOutcome, witness: Witness | None) -> None:
        table = self._table if self._table is not None and self._table.study == outcome.study else None
        losses = dict(table.losses) if table is not None else {}
        best = words.shown_value(outcome, witness)
        decided = words.decides(outcome, witness)
        proved = words.badge(outcome, witness)[1] == "proved"
        first = self.tr("Optimal (linear program)") if decided else self.tr("Optimal (geometric + remap)")
        costs = [Cost(first, float(best), "proved" if proved else "other", "optimal")]
        if decided:
            costs.append(Cost(self.tr("Geometric + remap"), float(outcome.value), "other", "remapped"))
        for key, label in (
            ("face", self.tr("Geometric, face value")),
            ("staircase", self.tr("Staircase with the best γ, rounded + remap")),
            ("half", self.tr("Staircase with γ = 1/2, rounded + remap")),
            ("laplace", self.tr("Laplace, rounded + remap")),
        ):
            costs.append(Cost(label, losses.get(key), "other", key))  # type: ignore[call-overload]
        costs.append(Cost(self.tr("Ignore the data"), losses.get("ignore"), "quiet", "ignore"))
        self._bars.set_costs(costs)
        self._costs.set_word(self._cost_word())

    def _cost_word(self) -> str:
        return self.tr("expected loss")
