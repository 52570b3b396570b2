"""The right of the count page: what is released, what it costs, what it discloses, and how the cost depends on epsilon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QPushButton, QSpinBox, QWidget

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import push_button, wrapped
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import capital, tr, translated
from dpdesigner.desktop.pages.kit.cards import CostCard, PlotCard, RiskCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.pages.kit.panel_views import Place
from dpdesigner.desktop.pages.kit.results_column import CardColumn
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.studies.base import Panel
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.jobs import Draws
from dpdesigner.studies.count.panels import loss_plot, near, posterior_plot, release_plot
from dpdesigner.studies.count.result import attained
from dpdesigner.studies.count.run import risks_of
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.table_panels import Ranking

_MANY = 100
_EVERY = 20  # milliseconds from one dot to the next: a hundred fall in two seconds
_LEAST_HEIGHT = 90  # pixels of the bars with their axis, at text scale 1
_LARGE = 32  # height of a button for an audience, in pixels at text scale 1


class ReleaseCard(Card):
    """Bars with buttons for drawing. A hundred draws fall one by one until stopped, or appear at once."""

    rowSelected = Signal(int)  #: the user typed another true count
    columnSelected = Signal(int)  #: the user chose a released value, or one was drawn
    drawRequested = Signal(int)  #: the number of real releases to draw for the selected true count
    posteriorToggled = Signal(bool)  #: whether the posterior is shown

    def __init__(self) -> None:
        super().__init__(tr("True count"), "", flexible=True, foldable=True)
        self._mechanism: Mechanism | None = None
        self._before: Mechanism | None = None
        self._design: CountDesign | None = None
        self._row = self._column = 0
        self._said: tuple[str, ...] = ()
        self._drawn: Draws | None = None
        self._fallen = 0  # number of drawn dots that lie on the bars
        self.falling = QTimer(self, interval=_EVERY)
        self.falling.timeout.connect(self._fall)
        self.count = QSpinBox()
        self.count.setKeyboardTracking(False)  # a number counts once it is typed in full
        self.count.setAccessibleName(self.tr("True count"))
        self.count.valueChanged.connect(self.rowSelected)
        self.header.insertWidget(1, self.count)
        self.plot = CurvePlot()
        self.plot.handleMoved.connect(lambda target, column: self.columnSelected.emit(column))
        theme().follow(self._restyle)
        self.add(self.plot, 1)
        self.add(self._button_row())

    @Slot()
    def _restyle(self) -> None:
        self.plot.setMinimumHeight(round(_LEAST_HEIGHT * theme().scale))

    def _button_row(self) -> QWidget:
        tip = self.tr("Draw one release of this true count, for study. To publish, run the exported program once")
        self._once = push_button(self.tr("Simulate once"), tip, lambda: self.drawRequested.emit(1))
        set_class(self._once, "main")
        self._often = push_button("", "", self._release_often)
        self.posterior = QPushButton(self.tr("Posterior"))
        self.posterior.setCheckable(True)
        self.posterior.setToolTip(self.tr("Show your posterior after the selected release, next to your prior"))
        self.posterior.toggled.connect(self._set_posterior)
        self._name_often()
        return wrapped(self._once, self._often, self.posterior)

    def set_selected(self, row: int, column: int) -> None:
        """Show another row of the mechanism and mark another release."""
        if row != self._row:
            self._forget()
        self._row, self._column = row, column
        self._show()

    def set_mechanism(self, design: CountDesign, mechanism: Mechanism) -> None:
        if self._design != design:
            self._forget()
        self._design, self._mechanism = design, mechanism
        self._show()

    def set_before(self, before: Mechanism | None) -> None:
        """Outline another mechanism's probabilities behind these."""
        self._before = before
        self._show()

    def set_presenting(self, on: bool) -> None:
        """Make the buttons large for an audience."""
        for button in (self._once, self._often, self.posterior):
            button.setMinimumHeight(round(_LARGE * theme().scale) if on else 0)

    def show_draws(self, drawn: Draws) -> None:
        """Show releases that were drawn for a true count: one in words, many as dots."""
        row, draws = drawn.row, drawn.values
        if self._mechanism is None or row != self._row:
            return
        self._forget()
        self._drawn, self._fallen = drawn, 0
        if len(draws) == 1:
            self.columnSelected.emit(draws[0])
            self._show()
            words = self.tr("Simulated: {value}, error {off}. Not to publish"), self.tr("Not to publish: {value}")
            self._say(*(each.format(value=group_thousands(draws[0]), off=group_thousands(abs(draws[0] - row))) for each in words))
            return
        self.posterior.setChecked(False)
        if preferences().choices.reduced_motion:
            self._fallen = len(draws)
        else:
            self.falling.start()
        self._show_fallen()

    @Slot()
    def _release_often(self) -> None:
        if self.falling.isActive():
            self._stop()
        else:
            self.drawRequested.emit(_MANY)

    @Slot()
    def _fall(self) -> None:
        self._fallen += 1
        if self._drawn is None or self._fallen >= len(self._drawn.values):
            self._stop()
        else:
            self._show_fallen()

    def _stop(self) -> None:
        """Stop further dots from falling; those that have landed stay."""
        self.falling.stop()
        if self._drawn is not None:
            self._drawn = replace(self._drawn, values=self._drawn.values[: self._fallen])
        self._show_fallen()

    def _forget(self) -> None:
        """Remove the drawn releases and their description."""
        if self._drawn is not None or self._said:
            self.falling.stop()
            self._said, self._drawn, self._fallen = (), None, 0
            self._name_often()

    def _name_often(self) -> None:
        falling = self.falling.isActive()
        self._often.setText(self.tr("Stop") if falling else self.tr("× {many}").format(many=_MANY))
        tip = self.tr("Draw a hundred to see the spread; publishing them all would cost 100 times epsilon")
        self._often.setToolTip(self.tr("Stop drawing releases") if falling else tip)

    def _show_fallen(self) -> None:
        self._name_often()
        lying = [] if self._drawn is None else self._drawn.values[: self._fallen]
        errors = [abs(value - self._row) for value in lying]
        self._show()
        if errors:
            near, mean = sum(error <= 1 for error in errors), f"{sum(errors) / len(errors):.1f}"
            words = self.tr("{near} of {many} within ±1 · average error {mean}"), self.tr("{near} of {many} within ±1")
            self._say(*(version.format(near=near, many=len(errors), mean=mean) for version in words))

    def _say(self, *versions: str) -> None:
        self._said = versions
        self.set_word(*versions)

    @Slot(bool)
    def _set_posterior(self, on: bool) -> None:
        if on:
            self._forget()
        self._show()
        self.posteriorToggled.emit(on)

    def _show(self) -> None:
        if self._mechanism is None or self._design is None:
            return
        if max(self._row, self._column) > self._mechanism.n:
            return  # the selection belongs to a larger design, whose mechanism is still being computed
        self.count.setHidden(self.posterior.isChecked())
        if self.posterior.isChecked():
            prior = self._design.prior.probabilities
            posterior = self._mechanism.posterior(prior, self._column)
            self.set_heading(self.tr("Posterior after the release {value}").format(value=group_thousands(self._column)))
            self.set_word(*((self.tr("never released"), self.tr("never")) if posterior is None else (self.tr("outline: prior"),)))
            self._show_plot(posterior_plot(prior, prior if posterior is None else posterior, self._column, self._design.unit))
            return
        self.set_heading(self.tr("True count"))
        if self.count.value() != self._row:  # otherwise digits that are being typed would be lost
            with QSignalBlocker(self.count):  # it follows a click elsewhere
                self.count.setValue(self._row)
        row, before = self._mechanism.row(self._row), self._before
        ghost = before.row(self._row) if before is not None and before.n == self._mechanism.n else None
        self.set_word(*(self._said or ("",)))
        self.count.setToolTip(self.tr("A count to try, not the real one. {near}").format(near=translated(near(row, self._row))))
        self._show_plot(release_plot(row, self._column, ghost, self._drawn, self._fallen, self._design.unit))

    def _show_plot(self, plot: Plot) -> None:
        self.plot.show_plot(plot)
        self.plot.setAccessibleName(self.tr("Releases"))


class ResultsColumn(CardColumn):
    """Four cards: release, cost, disclosure risk, cost against epsilon."""

    def __init__(self, asking: AskingColumn[Any], why: Callable[[], object]) -> None:
        self._asking = asking
        self._loss: Any = None  # the loss of the costs shown, once all of them are known
        self.release, self.risk = ReleaseCard(), RiskCard()
        self.costs = CostCard(tr("Accuracy"), tr("expected error"), tr("Why is this the best?"), tr("The proof in words"))
        self.costs.whyRequested.connect(why)
        self.curves = PlotCard(least=110)
        self.curves.show_panel(loss_plot(None))
        cards = ("", self.release, 5), ("costs", self.costs, 0), ("", self.risk, 0), ("", self.curves, 6)
        super().__init__(*cards, folds=(self.risk, self.costs, self.release, self.curves))

    def set_answer(self, answer: Any, beside: Sequence[Panel], place: Place) -> None:
        """Show the panels that are new, and what a reader can find out; costs stay until those of this design are known."""
        design: CountDesign = answer.design
        ranking = next((panel for panel in beside if isinstance(panel, Ranking)), None)
        known = ranking is not None and all(row.value is not None for row in ranking.rows)
        if not known and self._loss is not None and self._loss == design.loss and not design.uncovered:
            beside = [self.shown.get("costs", panel) if panel is ranking else panel for panel in beside]
        else:
            self._loss = design.loss if known and not design.uncovered else None
        self.costs.measure = translated(answer.best.findings["value"].label)
        super().set_answer(answer, beside, place)
        found, won, _ = map(float, risks_of(design)) if design.uncovered else (0.0, 0.0, 0.0)
        self.risk.show_level(attained(answer.best), (won, found) if design.uncovered else None)

    def show_panel(self, panel: Any) -> None:
        if isinstance(panel, Ranking):
            panel = replace(panel, rows=tuple(replace(row, label=capital(translated(row.label))) for row in panel.rows))
        (self.costs if isinstance(panel, Ranking) else self.curves).show_panel(panel)
