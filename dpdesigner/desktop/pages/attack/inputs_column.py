"""The left of the attack page: the secret, the questions, their errors, and the attacker."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QToolButton, QWidget

from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.rounding import brief, significant
from dpdesigner.core.reconstruction.attack import Reconstruction, programmable
from dpdesigner.core.reconstruction.problem import in_roots, sizes
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import menu_chip, named, push_button, value_box, wrapped
from dpdesigner.desktop.base.gesture import named_slider
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import styled
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.attack.secret_card import QuestionsCard, SecretCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, show_in
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.design import EPSILON, ERRORS, SHORT, WHO, AttackDesign
from dpdesigner.studies.attack.run import place_of
from dpdesigner.studies.number_inputs import Range
from dpdesigner.studies.snapshot import Found

_STEPS = 200
_EPSILON = EPSILON


class ErrorCard(Card):
    """The controls for the kind and size of the error."""

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("Error of the answers"), self.tr("error E"), foldable=True)
        self._asking = asking
        self.buttons: dict[str, QPushButton] = {}
        for key, text in ERRORS[:2]:
            words = translated(text)
            self.buttons[key] = push_button(words, words, partial(self._choose, key), checkable=True, padding="3px 7px")
        self._menus = (
            (self.tr("Noise ▾"), self.tr("Noise with an epsilon, without a bound"), ERRORS[4:]),
            (self.tr("More ▾"), self.tr("Errors that show the limits of a proof"), ERRORS[2:4]),
        )
        self.noise, self.more = (self._menu(*each) for each in self._menus)
        tip, change = self.tr("Error of the answers"), self.tr("Change the error")
        self.slider = named_slider(_STEPS, tip, self._slide, change, self._spoken)
        self.slider.cancelled.connect(asking.previewCancelled)
        tip = self.tr("Largest error of an answer, in people or like 0.5 sqrt n")
        self.bound = asking.box("size", self, "0.55 sqrt n", self.tr("Error E"), tip, change)
        tip, words = self.tr("Epsilon of all answers together"), self.tr("Change epsilon")
        self.epsilon = asking.box("epsilon", self, "0.12345", tip, tip, words)
        tip = self.tr("Epsilon of each answer; the total is this times the number of questions")
        self.each = value_box("0.12345", self.tr("Epsilon of an answer"), tip, self._give_each)
        self._sizes = named("±", self.bound)
        self._epsilons = wrapped(named(self.tr("total ε"), self.epsilon), named(self.tr("of an answer"), self.each))
        self.note = styled("small")
        self.add(wrapped(*self.buttons.values(), self.noise, self.more, gap=4))
        self.add(self.slider)
        self.add(wrapped(self._sizes, self._epsilons, self.note))
        asking.field("error", partial(show_in, self, None))

    def _menu(self, text: str, tip: str, kinds: tuple[tuple[str, str], ...]) -> QToolButton:
        button = menu_chip(text, tip, [(translated(words), partial(self._choose, key)) for key, words in kinds])
        button.setStyleSheet("padding: 3px 3px;")
        return button

    def show_design(self, design: AttackDesign) -> None:
        for key, button in self.buttons.items():
            button.setChecked(key == design.error)
        words = translated(dict(ERRORS)[design.error])
        for menu, (text, _, kinds) in zip((self.noise, self.more), self._menus, strict=True):
            menu.setChecked(design.error in dict(kinds))
            menu.setText(f"{words} ▾" if design.error in dict(kinds) else text)
        self._sizes.setVisible(not design.noisy)
        self._epsilons.setVisible(design.noisy)
        self.note.setVisible(not design.noisy)
        self.bound.show_value(design.size)
        self.epsilon.show_value(str(design.epsilon))
        if design.noisy:
            self.slider.set_marks(())
            share = _EPSILON.place(design.epsilon)
            self.each.show_value(significant(design.epsilon_in_all / design.queries))
            self.set_line(self.tr("{kind}: total ε = {epsilon}").format(kind=words, epsilon=design.epsilon))
        else:
            widest = sizes(design.error)[-1]
            self.slider.set_marks([round(_STEPS * quarter / 4 / widest) for quarter in range(round(4 * widest) + 1)])
            share = design.bound / math.sqrt(design.n) / widest
            rooted = in_roots(design.size) is not None
            text = brief(design.bound) if rooted else f"{brief(design.bound / math.sqrt(design.n))} √n"
            more = self.tr("the easy case") if design.error == "random-sign" else self.tr("not private")
            self.note.setText(self.tr("= {size} people · {more}").format(size=text, more=more) if rooted else f"= {text}")
            self.set_line(self.tr("{kind}: within ±{bound}").format(kind=words, bound=brief(design.bound)))
        self.slider.show_value(round(_STEPS * min(max(share, 0), 1)))

    def _slide(self, label: str, step: int) -> None:
        if self._asking.design is not None and self._asking.design.noisy:
            self._asking.change(label, epsilon=_EPSILON.at(step / _STEPS))
        elif self._asking.design is not None:
            self._asking.change(label, size=f"{round(sizes(self._asking.design.error)[-1] * step / _STEPS, 2):g} sqrt n")

    def _spoken(self) -> str:
        if self._sizes.isHidden():
            words = self.tr("= {each} per answer").format(each=self.each.text())
            return f"{self.epsilon.accessibleName()} {self.epsilon.text()} {words}"
        return f"{self.bound.accessibleName()} {self.bound.text()} {self.note.text()}"

    def _give_each(self, text: str) -> None:
        def given(design: AttackDesign) -> AttackDesign:
            return design.replace(epsilon=str(design.queries * exact(text, "ε of an answer", "epsilon")))

        self._asking.ask(self.tr("Change epsilon"), given)

    def _choose(self, key: str) -> None:
        self._asking.choose(self.tr("Change the kind of error"), error=key)


class AttackersCard(Card):
    """The controls for the attacker."""

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("Attacker"), self.tr("recovered"), foldable=True)
        self._asking = asking
        self.buttons: dict[str, QPushButton] = {}
        self.shares: dict[str, QLabel] = {}
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        for place, (key, words) in enumerate(WHO):
            padding = "2px 7px; text-align: left"
            button = push_button(
                capital(translated(SHORT[key])), translated(words), partial(self._choose, key), checkable=True, padding=padding
            )
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
        large = not design.answers and not programmable(design.n, design.queries)
        for key, button in self.buttons.items():
            button.setChecked(key == design.who)
            button.setEnabled(not large or key == "least-squares")
        self.note.set_sentence(
            self.tr("Least squares is used here, because the linear program would take minutes.") if large else ""
        )
        self.set_line(self.tr("Attack: {who}").format(who=translated(SHORT[design.who])))

    def show_shares(self, outcome: AttackAnswer, others: Found | None) -> None:
        """Show the share of the secret that each attacker recovers; empty for an earlier design or without a secret."""
        beside = others.value if others is not None and others.answer.design == outcome.design else {}
        attacks: dict[str, Reconstruction] = {outcome.reconstruction.attacker: outcome.reconstruction, **beside}
        secret = outcome.problem.secret
        for key, label in self.shares.items():
            known = key in attacks and secret is not None
            label.setText(f"{100 * (1 - attacks[key].wrong(secret)):.1f}%" if known and secret is not None else "")

    def _choose(self, key: str) -> None:
        self._asking.choose(self.tr("Change who attacks"), attacker=key)


class InputsColumn(AskingColumn[AttackDesign]):
    """Four cards that show a design and request changes."""

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
        self.error.setVisible(not design.answers)
        self.restore()

    def restore(self) -> None:
        if self.design is not None:
            for card in (self.secret, self.questions, self.error, self.attackers):
                card.show_design(self.design)

    def drag(self, target: str, place: float, final: bool) -> None:
        """Request the value that a line was dragged to."""
        label = self.tr("Drag the line") if final else ""
        if target == "size":
            self.change(label, size=f"{round(place, 2):g} sqrt n")
        else:
            kind = next(each.input for each in AttackDesign.inputs() if each.key == target)
            self.change(label, **{target: kind.near(place) if isinstance(kind, Range) else str(place)})

    def place(self, target: str) -> float | None:
        return None if self.design is None or self.design.answers else place_of(self.design, target)

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls."""
        self.secret.set_presenting(on)
        self.questions.set_presenting(on)
