"""What is released for the selected true count, or believed after the selected release; and real releases, one or a hundred."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.number_text import group_thousands
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget, WrapLayout
from dpdesigner.desktop.widgets.plot.falling_draws import FallingDraws
from dpdesigner.desktop.widgets.plot.release_plot import ReleasePlot, near
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.jobs import Draws

_MANY = 100
_LEAST_HEIGHT = 90  # pixels of the bars with their axis, at text scale 1
_LARGE = 32  # pixels, at text scale 1, that a button is high for an audience


class ReleaseCard(Card):
    """Bars with the buttons that draw. A hundred draws fall one by one until they are stopped, or are there at once."""

    columnSelected = Signal(int)  #: the user chose a released value, or one was drawn
    drawRequested = Signal(int)  #: so many real releases for the selected true count are wanted
    posteriorToggled = Signal(bool)  #: whether the posterior is shown

    def __init__(self) -> None:
        super().__init__(tr("Releases"), "", flexible=True, foldable=True)
        self._mechanism: Mechanism | None = None
        self._before: Mechanism | None = None
        self._design: CountDesign | None = None
        self._row = self._column = 0
        self._said = ""
        self.plot = ReleasePlot()
        self.dots = FallingDraws(self.plot)
        self.dots.changed.connect(self._show_fallen)
        self.plot.selected.connect(self.columnSelected)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.add(self.plot, 1)
        self.add(self._button_row())

    @Slot()
    def _restyle(self) -> None:
        self.plot.setMinimumHeight(round(_LEAST_HEIGHT * theme().scale))

    def _button_row(self) -> QWidget:
        self._once = QPushButton(self.tr("Release once"))
        set_class(self._once, "main")
        self._once.setToolTip(self.tr("Draw one release for this true count, exactly"))
        self._once.clicked.connect(self.release_once)
        self._often = QPushButton()
        self._often.clicked.connect(self._release_often)
        self._toggle = QPushButton(self.tr("Posterior"))
        self._toggle.setCheckable(True)
        self._toggle.setToolTip(self.tr("Show your posterior after the selected release, next to your prior"))
        self._toggle.toggled.connect(self._set_posterior)
        row = FittedWidget()
        layout = WrapLayout(row, gap=6)
        for button in (self._once, self._often, self._toggle):
            layout.addWidget(button)
        self._name_often()
        return row

    def set_selected(self, row: int, column: int) -> None:
        """Show another row of the mechanism and mark another release."""
        if row != self._row:
            self._forget()
        self._row, self._column = row, column
        self._show()

    def set_mechanism(self, design: CountDesign, mechanism: Mechanism) -> None:
        """Show what the mechanism of a design says."""
        if self._design != design:
            self._forget()
        self._design, self._mechanism = design, mechanism
        self._show()

    def set_before(self, before: Mechanism | None) -> None:
        """Outline what another mechanism says behind this one."""
        self._before = before
        self._show()

    def set_presenting(self, on: bool) -> None:
        """Make the buttons large for an audience."""
        for button in (self._once, self._often, self._toggle):
            button.setMinimumHeight(round(_LARGE * theme().scale) if on else 0)

    @Slot()
    def release_once(self) -> None:
        """Ask for one exact release."""
        self.drawRequested.emit(1)

    def show_draws(self, drawn: Draws) -> None:
        """Show releases that were drawn for a true count: one in words, many as dots."""
        row, draws = drawn.row, drawn.values
        if self._mechanism is None or row != self._row:
            return
        self._forget()
        if len(draws) == 1:
            off = abs(draws[0] - row)
            self.columnSelected.emit(draws[0])
            self.plot.set_landed(draws[0], drawn)
            text = self.tr("last: {value}, error {off}") if off else self.tr("last: {value}, exact")
            self._say(text.format(value=group_thousands(draws[0]), off=group_thousands(off)))
            return
        self._toggle.setChecked(False)
        self.dots.let_fall(draws, at_once=preferences().choices.reduced_motion)

    @Slot()
    def _release_often(self) -> None:
        if self.dots.timer.isActive():
            self.dots.stop()
        else:
            self.drawRequested.emit(_MANY)

    def _forget(self) -> None:
        """Take the dots away, and what was said of them."""
        if self.dots.lying.size or self.dots.timer.isActive() or self._said:
            self._said = ""
            self.dots.forget()
            self.plot.set_landed(None)
            self._name_often()

    def _name_often(self) -> None:
        falling = self.dots.timer.isActive()
        self._often.setText(self.tr("Stop") if falling else self.tr("× {many}").format(many=_MANY))
        tip = self.tr("Draw a hundred to see the spread; publishing them all would cost 100 times epsilon")
        self._often.setToolTip(self.tr("Stop drawing releases") if falling else tip)

    @Slot()
    def _show_fallen(self) -> None:
        self._name_often()
        lying = self.dots.lying
        right = int((lying == self._row).sum())
        self._say(self.tr("{right} of {many} exact").format(right=right, many=len(lying)))

    def _say(self, words: str) -> None:
        self._said = words
        self.set_word(words)

    @Slot(bool)
    def _set_posterior(self, on: bool) -> None:
        if on:
            self._forget()
            self.plot.set_landed(None)
        self._show()
        self.posteriorToggled.emit(on)

    def _show(self) -> None:
        if self._mechanism is None or self._design is None:
            return
        if max(self._row, self._column) > self._mechanism.n:
            return  # the selection is of a larger design, whose mechanism is on its way
        if self._toggle.isChecked():
            prior = self._design.prior.probabilities
            posterior = self._mechanism.posterior(prior, self._column)
            self.set_heading(self.tr("Posterior after the release {value}").format(value=group_thousands(self._column)))
            never = self.tr("never released"), self.tr("never")
            self.set_word(*never if posterior is None else (self.tr("posterior"),))
            self.plot.set_posterior(prior, prior if posterior is None else posterior, self._column)
            return
        self.set_heading(self.tr("Release if the true count is {count}").format(count=group_thousands(self._row)))
        row, before = self._mechanism.row(self._row), self._before
        ghost = before.row(self._row) if before is not None and before.n == self._mechanism.n else None
        words, part = near(row, self._row)
        self.set_word(self._said or f"{words}: {part}", part)
        self.set_line(self.tr("If {count}: releases {words}").format(count=group_thousands(self._row), words=words))
        self.plot.set_row(row, self._column, ghost)
