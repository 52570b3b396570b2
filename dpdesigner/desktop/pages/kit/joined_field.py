"""An input that shares the card of the one before it: its name and a box, in a row that breaks where there is no room."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QSizePolicy

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.widgets.base.labelled import together, value_box
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget, WrapLayout
from dpdesigner.studies.asked import Asked


class JoinedField(Field):
    """A name and a box, without the frame of a card; what is wrong is said by the card around it."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        set_class(self, "")
        self._heading.hide()
        self._word.hide()
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        label, term = translated(asked.label), translated(asked.term)
        symbol = "" if asked.input.symbol == asked.key else asked.input.symbol
        name = self.tr("{name}, the number").format(name=label)
        self.box = value_box("1000000", name, translated(asked.note) or (f"{label}: {term}" if term else label), self._given)
        words = QLabel(f"{label}: {symbol} =" if symbol else f"{label}, {term}:" if term else label)
        words.setBuddy(self.box)
        self.add(together(words, self.box))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        """Show a number or a text."""
        if self.box is not None:
            self.box.show_value(self.asked.input.text(value))


class JoinedRow(FittedWidget):
    """The fields that share a card."""

    def __init__(self) -> None:
        super().__init__()
        self._row = WrapLayout(self, gap=6)

    def add(self, field: JoinedField) -> None:
        """Put a field behind the others."""
        self._row.addWidget(field)
