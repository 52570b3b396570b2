"""Who attacks: three ways to find a column from the same answers, and how much each recovers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from dpdesigner.core.reconstruction.attack import Reconstruction, programmable
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.controls import push_button
from dpdesigner.desktop.widgets.base.labels import SentenceLabel
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.design import SHORT, WHO, AttackDesign
from dpdesigner.studies.snapshot import Found


class AttackersCard(Card):
    """Asks for the attacker."""

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("Who attacks"), self.tr("recovered"), foldable=True)
        self._asking = asking
        self.buttons: dict[str, QPushButton] = {}
        self.shares: dict[str, QLabel] = {}
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        for place, (key, words) in enumerate(WHO):
            padding = "2px 7px; text-align: left"
            button = push_button(translated(words), "", partial(self._choose, key), checkable=True, padding=padding)
            self.buttons[key], share = button, QLabel()
            self.shares[key] = share
            share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(button, place, 0)
            grid.addWidget(share, place, 1)
        grid.setColumnStretch(0, 1)
        self.note = SentenceLabel("small")
        self.add(rows)
        self.add(self.note)

    def show_design(self, design: AttackDesign) -> None:
        """Show who attacks."""
        large = not design.answers and not programmable(design.n, design.queries)
        for key, button in self.buttons.items():
            button.setChecked(key == design.who)
            button.setEnabled(not large or key == "least-squares")
        self.note.set_sentence(
            self.tr("Least squares is used here, because the linear program would take minutes.") if large else ""
        )
        self.set_line(self.tr("Attack: {who}").format(who=translated(SHORT[design.who])))

    def show_shares(self, outcome: AttackAnswer, others: Found | None) -> None:
        """Show what each recovers of the secret; of an earlier design, or of nobody's, nothing."""
        beside = others.value if others is not None and others.answer.design == outcome.design else {}
        attacks: dict[str, Reconstruction] = {outcome.reconstruction.attacker: outcome.reconstruction, **beside}
        secret = outcome.problem.secret
        for key, label in self.shares.items():
            known = key in attacks and secret is not None
            label.setText(f"{100 * (1 - attacks[key].wrong(secret)):.1f}%" if known and secret is not None else "")

    def _choose(self, key: str) -> None:
        self._asking.choose(self.tr("Change who attacks"), attacker=key)
