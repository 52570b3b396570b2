"""The left of the choice page: which states of the data are neighbours, and how private the weights must be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QLabel, QPushButton

from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.privacy_card import PrivacyCard
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import wrapped
from dpdesigner.studies.choice.design import ChoiceDesign, Which
from dpdesigner.studies.choice.outcome import ChoiceOutcome


class InputsColumn(AskingColumn[ChoiceDesign]):
    """Two cards that show a design and ask for another; its costs are asked for where they are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.query = Card(self.tr("What you ask"), self.tr("one of a few outputs"))
        self.pairs = {
            "next": self._button(self.tr("the next row"), self.tr("Each row of the costs is a neighbour of the next"), "next"),
            "all": self._button(self.tr("every row"), self.tr("All rows of the costs are neighbours"), "all"),
        }
        self.query.add(wrapped(QLabel(self.tr("one row can lead to")), *self.pairs.values()))
        self.privacy = PrivacyCard(self)
        self.privacy.set_word(self.tr("ε of the weights"))
        self.add(self.query)
        self.add(self.privacy, "epsilon", "alpha", box=self.privacy.control.epsilon_box)
        self.column.addStretch(1)

    def _button(self, text: str, tip: str, which: Which) -> QPushButton:
        button = QPushButton(text, autoDefault=False)
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setStyleSheet("padding: 4px 7px;")
        make: Callable[[ChoiceDesign], ChoiceDesign] = partial(_with_neighbours, which)
        button.clicked.connect(lambda: self._change(make))
        return button

    def _change(self, make: Callable[[ChoiceDesign], ChoiceDesign]) -> None:
        self.restore()
        self.ask(self.tr("Change what one row may do"), make)

    def show_design(self, before: ChoiceDesign | None, design: ChoiceDesign) -> None:
        """Show what is in force."""
        self.restore()

    def restore(self) -> None:
        """Show the buttons and the level of the design in force."""
        if self.design is not None:
            for which, button in self.pairs.items():
                button.setChecked(which == self.design.neighbours)
            self.privacy.control.set_privacy(self.design.privacy)

    def show_attained(self, outcome: ChoiceOutcome | None) -> None:
        """Say in words what privacy the probabilities shown have; without an answer, what is certain all the same."""
        if self.design is None:
            return
        if outcome is None:
            certain, words = self.design.certain_privacy, self.tr("Any such weights have at most")
            self.privacy.set_attained(self.design.privacy, certain, words)
        else:
            self.privacy.set_attained(outcome.design.privacy, outcome.attained, self.tr("The probabilities shown have"))


def _with_neighbours(which: Which, design: ChoiceDesign) -> ChoiceDesign:
    return design.replace(neighbours=which)
