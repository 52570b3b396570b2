"""The left of the attack page: the secret, the questions, their errors, and who attacks."""

from __future__ import annotations

from dpdesigner.desktop.pages.attack.attackers_card import AttackersCard
from dpdesigner.desktop.pages.attack.error_card import ErrorCard
from dpdesigner.desktop.pages.attack.questions_card import QuestionsCard
from dpdesigner.desktop.pages.attack.secret_card import SecretCard
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.run import place_of
from dpdesigner.studies.inputs.numbers import Range


class InputsColumn(AskingColumn[AttackDesign]):
    """Four cards that show a design and ask for another."""

    def __init__(self) -> None:
        super().__init__()
        self.secret, self.questions = SecretCard(self), QuestionsCard(self)
        self.error, self.attackers = ErrorCard(self), AttackersCard(self)
        for card in (self.secret, self.questions, self.error):
            self.add(card)
        self.add(self.attackers, "attacker")
        self.column.addStretch(1)
        self.folding = Folding(self, (self.attackers, self.error, self.questions, self.secret))

    def show_design(self, before: AttackDesign | None, design: AttackDesign) -> None:
        """Show what is in force."""
        self.error.setVisible(not design.answers)
        self.restore()

    def restore(self) -> None:
        """Show the buttons of the design in force."""
        if self.design is not None:
            for card in (self.secret, self.questions, self.error, self.attackers):
                card.show_design(self.design)

    def drag(self, target: str, place: float, final: bool) -> None:
        """Ask for what a line was dragged to."""
        label = self.tr("Drag the line") if final else ""
        if target == "size":
            self.change(label, size=f"{round(place, 2):g} sqrt n")
        else:
            kind = next(each.input for each in AttackDesign.inputs() if each.key == target)
            self.change(label, **{target: kind.near(place) if isinstance(kind, Range) else str(place)})

    def place(self, target: str) -> float | None:
        """Return where the handle of an input is now."""
        return None if self.design is None or self.design.answers else place_of(self.design, target)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self.secret.set_presenting(on)
        self.questions.set_presenting(on)
