"""A row of buttons that stay down, for what can be shown or left away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from dpdesigner.desktop.widgets.base.layouts import flow_of
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget


class Toggles(FittedWidget):
    """Buttons by their keys.

    Parameters
    ----------
    buttons : sequence of (str, str, str)
        The key, the text and the tooltip of each.
    """

    changed = Signal(str, bool)  #: the key of a button, and whether it is down

    def __init__(self, buttons: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        for key, text, tip in buttons:
            self.buttons[key] = button = QPushButton(text)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.toggled.connect(partial(self.changed.emit, key))
        flow_of(*self.buttons.values(), on=self)

    def on(self, key: str) -> bool:
        """Return whether a button is offered and down."""
        return self.buttons[key].isChecked() and not self.buttons[key].isHidden()

    def set_on(self, key: str, on: bool) -> None:
        """Press a button, or let it go."""
        self.buttons[key].setChecked(on)

    def offer(self, key: str, on: bool) -> None:
        """Show a button, or hide it."""
        self.buttons[key].setVisible(on)
