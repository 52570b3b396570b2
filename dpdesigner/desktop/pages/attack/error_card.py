"""How far off an answer may be: anywhere within a bound, rounded, or noise of an epsilon."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtWidgets import QLabel, QPushButton, QToolButton

from dpdesigner.core.numbers.rounding import brief, significant
from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import named, push_button, value_box, wrapped
from dpdesigner.desktop.widgets.base.menu_button import menu_chip
from dpdesigner.desktop.widgets.base.wrap_layout import WrapLayout
from dpdesigner.desktop.widgets.gesture.slider import named_slider
from dpdesigner.studies.attack.design import ERRORS, AttackDesign
from dpdesigner.studies.attack.inputs import SizeInput

_STEPS = 200
_WIDEST = 2.0  # E at the end of the slider, in roots of n
_LEAST, _MOST = 0.1, 1000.0  # epsilon at its ends
_QUARTER = 25  # steps of a quarter root, which catches what is dragged


class ErrorCard(Card):
    """Asks for the kind of error, and for how large it is."""

    def __init__(self, asking: AskingColumn[AttackDesign]) -> None:
        super().__init__(self.tr("How far off an answer may be"), self.tr("error E"))
        self._asking = asking
        words = {key: translated(text) for key, text in ERRORS}
        self.buttons: dict[str, QPushButton] = {}
        for key in ("uniform", "rounded"):
            self.buttons[key] = push_button(words[key], words[key], partial(self._choose, key), checkable=True)
            self.buttons[key].setStyleSheet("padding: 4px 7px;")
        self.noise = self._menu(self.tr("Noise ▾"), self.tr("Noise of an epsilon, without a bound"), ERRORS[4:])
        self.more = self._menu(self.tr("More ▾"), self.tr("Errors that show what a proof needs"), ERRORS[2:4])
        tip, change = self.tr("How far off an answer may be"), self.tr("Change the error")
        self.slider = named_slider(_STEPS, tip, self._slide, change, self._spoken)
        self.slider.cancelled.connect(asking.previewCancelled)
        tip = self.tr("How far off an answer may be, in people or as 0.5 sqrt n")
        self.bound = value_box("0.55 sqrt n", self.tr("Error E"), tip, partial(self._type, self.tr("Change the error"), "size"))
        tip = self.tr("Epsilon of all answers together")
        self.epsilon = value_box("0.12345", tip, tip, partial(self._type, self.tr("Change epsilon"), "epsilon"))
        self._sizes = named("±", self.bound)
        self._epsilons = named(self.tr("ε in all"), self.epsilon)
        self.note = QLabel()
        set_class(self.note, "small")
        row = WrapLayout(gap=4)
        for button in (*self.buttons.values(), self.noise, self.more):
            row.addWidget(button)
        self.body.insertLayout(1, row)
        self.add(self.slider)
        self.add(wrapped(self._sizes, self._epsilons, self.note))
        for field, box in (("size", self.bound), ("epsilon", self.epsilon), ("error", None)):
            asking.field(field, partial(show_in, self, box))

    def _menu(self, text: str, tip: str, kinds: tuple[tuple[str, str], ...]) -> QToolButton:
        button = menu_chip(text, tip, [(translated(words), partial(self._choose, key)) for key, words in kinds])
        button.setStyleSheet("padding: 4px 3px;")
        return button

    def show_design(self, design: AttackDesign) -> None:
        """Show what a design asks for."""
        for key, button in self.buttons.items():
            button.setChecked(key == design.error)
        words = translated(dict(ERRORS)[design.error])
        for menu, text, kinds in ((self.noise, self.tr("Noise ▾"), ERRORS[4:]), (self.more, self.tr("More ▾"), ERRORS[2:4])):
            menu.setChecked(design.error in dict(kinds))
            menu.setText(f"{words} ▾" if design.error in dict(kinds) else text)
        self._sizes.setVisible(not design.noisy)
        self._epsilons.setVisible(design.noisy)
        self.bound.show_value(design.size)
        self.epsilon.show_value(str(design.epsilon))
        if design.noisy:
            self.slider.set_marks(())
            share = math.log(max(design.epsilon_in_all, 1e-300) / _LEAST) / math.log(_MOST / _LEAST)
            each = significant(design.epsilon_in_all / design.queries)
            self.note.setText(self.tr("= {each} an answer").format(each=each))
        else:
            self.slider.set_marks(range(0, _STEPS + 1, _QUARTER))
            share = design.bound / math.sqrt(design.n) / _WIDEST
            rooted = "√" in SizeInput().text(design.size)
            text = brief(design.bound) if rooted else f"{brief(design.bound / math.sqrt(design.n))} √n"
            self.note.setText(self.tr("= {size} people · private at no ε").format(size=text) if rooted else f"= {text}")
        self.slider.show_value(round(_STEPS * min(max(share, 0), 1)))

    def _slide(self, label: str, step: int) -> None:
        if self._asking.design is not None and self._asking.design.noisy:
            epsilon = _LEAST * (_MOST / _LEAST) ** (step / _STEPS)
            self._ask(label, epsilon=f"{epsilon:.2g}" if epsilon < 100 else f"{epsilon:.0f}")
        else:
            self._ask(label, size=f"{_WIDEST * step / _STEPS:g} sqrt n")

    def _spoken(self) -> str:
        box = self.epsilon if self._sizes.isHidden() else self.bound
        return f"{box.accessibleName()} {box.text()} {self.note.text()}"

    def _type(self, label: str, field: str, text: str) -> None:
        self._ask(label, **{field: text.strip()})

    def _choose(self, key: str) -> None:
        self._asking.restore()
        self._ask(self.tr("Change the kind of error"), error=key)

    def _ask(self, label: str, **changes: object) -> None:
        self._asking.ask(label, lambda design: design.replace(**changes))
