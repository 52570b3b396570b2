"""The middle of the choice page: the probabilities as a picture, the costs as numbers to edit, and the choice of gamma."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent

from dpdesigner.core.numbers.given import exact
from dpdesigner.desktop.pages.choice.table_panel import TablePanel
from dpdesigner.desktop.pages.choice.words import privacy_sentence
from dpdesigner.desktop.pages.kit.gamma_row import GammaRow
from dpdesigner.desktop.pages.kit.view_sentence import ViewSentence
from dpdesigner.desktop.pages.kit.views_card import ViewsCard
from dpdesigner.errors import InputError
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome


class TableCard(ViewsCard):
    """Tabs, the table, a sentence on its privacy, and the choice of gamma."""

    gammaTyped = Signal(str)  #: a number, or "optimal"

    def __init__(self) -> None:
        super().__init__(self.tr("Choice"))
        self._presenting = False
        self.table, self.sentence, self.gamma = TablePanel(), ViewSentence(), GammaRow()
        self.gamma.typed.connect(self.gammaTyped)
        self.add(self.table, 1)
        self.add(self.sentence)
        self.add(self.gamma)
        self.viewChosen.connect(self.set_view)
        costs = self.tr("What each output costs for each state of the data; click a cell to change it")
        probabilities = self.tr("How likely each output is for each state of the data")
        self.offer([("table", self.tr("Probabilities"), probabilities), ("costs", self.tr("Costs"), costs)])

    @property
    def view(self) -> str:
        """The open view."""
        return self.tabs.current()

    @Slot(str)
    def set_view(self, view: str) -> None:
        """Open ``"table"`` or ``"costs"``; another changes nothing."""
        self.tabs.set_current(view)
        self.table.open(self.view)

    def set_design(self, design: ChoiceDesign) -> None:
        """Show the costs and gamma."""
        self.set_error("")
        self.gamma.set_gamma(str(design.gamma))
        self.table.set_design(design)

    def set_outcome(self, outcome: ChoiceOutcome) -> None:
        """Show the probabilities."""
        self.table.set_outcome(outcome)
        self.gamma.note.setText(f"γ = {exact(outcome.gamma, 'gamma')}")
        self.sentence.say(self.view, privacy_sentence(outcome))

    def show_gamma_error(self, error: InputError) -> None:
        """Show a sentence beside gamma."""
        self.gamma.box.set_invalid(True)
        self.error.set_error(error, self.gamma.box)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self.table.set_presenting(on)
        self.gamma.setVisible(not on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the sentence take what it needs at the new width."""
        super().resizeEvent(event)
        self.sentence.forget()
