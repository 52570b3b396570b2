"""The right of the count page: what is released, what it costs, and how the cost depends on epsilon."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.pages.count.release_card import ReleaseCard
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.plot.cost_bars import Cost, CostBars
from dpdesigner.desktop.widgets.plot.curve import Curve
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.count.costs import CostCurves, Key, label
from dpdesigner.studies.count.design import CountDesign

#: The bars below the first, and those for which there is no room before an audience.
_BARS: tuple[Key, ...] = ("remapped", "real", "face", "staircase", "half", "laplace", "ignore")
_LEFT_OUT = ("real", "half")


class MeaningColumn(QWidget):
    """Three cards: release, cost, cost against epsilon."""

    columnSelected = Signal(int)  #: the user chose a released value
    drawRequested = Signal(int)  #: so many real releases for the selected true count are wanted
    posteriorToggled = Signal(bool)  #: whether the posterior is shown
    epsilonMoving = Signal(float)  #: the cursor of the curve is dragged
    epsilonMoved = Signal(float)
    explanationRequested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._told: CountAnswer | None = None
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
        self._draw_curves()
        self._curve.cursorMoving.connect(self.epsilonMoving)
        self._curve.cursorMoved.connect(self.epsilonMoved)
        self._curve.setMinimumHeight(110)
        self._curves.add(self._curve, 1)
        return self._curves

    @property
    def plots(self) -> dict[str, QWidget]:
        """The pictures by name, for export."""
        return {"release": self.release.plot.figure(), "costs": self._bars, "loss-against-epsilon": self._curve.figure()}

    def set_mechanism(self, design: CountDesign, mechanism: Mechanism) -> None:
        """Show what a mechanism releases, and where its design stands on the curve."""
        self.release.set_mechanism(design, mechanism)
        epsilon = design.privacy.epsilon_above
        self._curve.set_cursor(min(max(epsilon, 1e-9), 1e9), f"ε = {figure(epsilon, 4)}")

    def set_costs(self, found: CountAnswer) -> None:
        """Show what it costs and what others would; those of the design before stay until the new ones are there."""
        before = self._told
        if found.costs is not None or before is None or before.costs is None or before.design.loss != found.design.loss:
            self._told = found
            self._show_costs(found)

    def set_curves(self, curves: CostCurves, covered: bool) -> None:
        """Show loss against epsilon; geometric + remap is the optimum only where Theorem A covers the loss."""
        name, role = (self.tr("Optimal"), "proved") if covered else (self.tr("Geometric + remap"), "accent")
        self._curves.set_word(self.tr("drag the line"))
        self._draw_curves(
            Curve(name, curves.epsilons, curves.optimal, role, False),
            Curve(self.tr("Laplace"), curves.epsilons, curves.laplace, "quiet", True),
        )

    def _draw_curves(self, *curves: Curve) -> None:
        self._curve.set_picture(curves, titles=(self.tr("ε"), self.tr("expected loss")), logarithmic=(True, False))

    def set_presenting(self, on: bool) -> None:
        """Make the buttons large for an audience, and room for them: of the staircases only the best one is listed."""
        self.release.set_presenting(on)
        self._presenting = on
        if self._told is not None:
            self._show_costs(self._told)

    def mark_stale(self, name: str) -> None:
        """Say that ``"costs"`` or ``"curves"`` are being computed anew."""
        (self._costs if name == "costs" else self._curves).set_word(self.tr("computing…"))

    def _show_costs(self, found: CountAnswer) -> None:
        findings, proved = found.findings, found.best.proved
        first = self.tr("Optimal (geometric + remap)") if proved else self.tr("Geometric + remap")
        if found.deciding is not None:
            first = self.tr("Optimal (linear program)") if proved else self.tr("Best found (linear program)")
        costs = [Cost(first, findings["value"].number, "proved" if proved else "other", "optimal")]
        for key in _BARS:
            told = findings.get(key)
            wanted = {"remapped": found.deciding is not None, "real": told is not None}
            if not wanted.get(key, True) or (self._presenting and key in _LEFT_OUT):
                continue
            name = capital(translated(label(key, found.design)))
            costs.append(Cost(name, told.number if told else None, "quiet" if key == "ignore" else "other", key))
        self._bars.set_costs(costs)
        self._costs.set_word(self.tr("expected loss"))
