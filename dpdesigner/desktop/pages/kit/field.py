"""What the fields of declared inputs have in common: a card for one input, which shows a value and asks for others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.controls import ValueBox
from dpdesigner.studies.fields import DeclaredInput


class Field(Card):
    """A card for one input.

    Parameters
    ----------
    asked : Asked
    """

    changing = Signal(object)  #: a value to preview while a drag lasts
    changed = Signal(object, str)  #: a value, and the words of the undo step
    cancelled = Signal()  #: the drag was given up

    stretch: ClassVar[int] = 0  #: how much of the room left over it takes
    box: ValueBox | None = None  #: outlined where the value is wrong

    def __init__(self, asked: DeclaredInput, *, flexible: bool = False, foldable: bool = False) -> None:
        super().__init__(translated(asked.label), translated(asked.term), flexible=flexible, foldable=foldable)
        self.asked = asked
        self.words = translated(asked.undo_label)
        self.setToolTip(translated(asked.note))

    def show_value(self, value: Any) -> None:
        """Show a value and emit nothing."""
        raise NotImplementedError

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""

    def _given(self, value: object) -> None:
        self.changed.emit(value, self.words)

    def _choices(self, choices: list[tuple[str, str]], chosen: Callable[[str], None], tip: str = "") -> dict[str, QPushButton]:
        """Buttons, each with what a click on it chooses."""
        buttons = {}
        for value, text in choices:
            button = buttons[value] = QPushButton(text, autoDefault=False)
            button.setStyleSheet("padding: 4px 7px;")
            button.setToolTip(tip)
            button.clicked.connect(partial(_choose, chosen, value))
        return buttons


def _choose(chosen: Callable[[str], None], value: str, checked: bool = False) -> None:
    chosen(value)
