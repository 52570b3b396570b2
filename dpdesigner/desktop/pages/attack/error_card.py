"""Error of the answers: anywhere within a bound, rounded, or noise of an epsilon."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtWidgets import QPushButton, QToolButton

from dpdesigner.core.numbers.parsing import exact
from dpdesigner.core.numbers.rounding import brief, significant
from dpdesigner.core.reconstruction.problem import in_roots
from dpdesigner.core.reconstruction.sweep import sizes
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import named, push_button, value_box, wrapped
from dpdesigner.desktop.widgets.base.layouts import styled
from dpdesigner.desktop.widgets.base.menu_button import menu_chip
from dpdesigner.desktop.widgets.gesture.slider import named_slider
from dpdesigner.studies.attack.design import EPSILON, ERRORS, AttackDesign

_STEPS = 200
_EPSILON = EPSILON


class ErrorCard(Card):
    """Asks for the kind of error, and for how large it is."""

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
        """Show what a design asks for."""
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
            more = self.tr("the easy case") if design.error == "random-sign" else self.tr("private at no ε")
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
