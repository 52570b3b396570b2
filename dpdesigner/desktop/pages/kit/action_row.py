"""The buttons of a page that its kind declares: a row below the pictures, and the same commands in the Design menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton, QToolButton

from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.menu_button import hang_menu
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget, WrapLayout
from dpdesigner.studies.snapshot import Action, Snapshot, Waiting
from dpdesigner.studies.study import Job


class ActionRow(FittedWidget):
    """Buttons that act on what a page shows.

    Parameters
    ----------
    page : Page
        Runs the jobs that they give, changes to their designs and looks at their views.
    actions : sequence of Action
    """

    def __init__(self, page: Page, actions: Sequence[Action]) -> None:
        super().__init__()
        self._page, self._actions = page, actions
        self.buttons: list[QAbstractButton] = []
        row = WrapLayout(self, gap=6)
        for action in actions:
            button = QToolButton() if action.menu else QPushButton(autoDefault=False)
            button.setText(translated(action.text))
            button.setCheckable(action.chosen is not None)
            if action.main:
                set_class(button, "main")
            button.setToolTip(translated(action.tip))
            if isinstance(button, QToolButton):
                self._hang(button, action)
            else:
                button.clicked.connect(partial(self._act, action))
                page.add_command(translated(action.command or action.text), action.shortcut, partial(self._act, action))
            row.addWidget(button)
            self.buttons.append(button)
        if not actions:
            self.hide()  # to show it before it is in a page would make it a window

    def _hang(self, button: QToolButton, action: Action) -> None:
        set_class(button, "chip")
        menu = QMenu(button)
        for text, run in action.menu:
            menu.addAction(translated(text)).triggered.connect(partial(self._act, replace(action, run=run)))
        hang_menu(button, menu)

    def states(self, now: Snapshot) -> tuple[tuple[bool, bool, bool], ...]:
        """Return of each button whether it is seen, whether it can be pressed, and whether it is pressed down."""
        return tuple(
            (
                action.button
                and (action.presented or not now.presenting)
                and (not action.on or now.view.get("view") in action.on.split())
                and _holds(action.offered, now),
                _holds(action.when, now),
                action.chosen is not None and _holds(action.chosen, now),
            )
            for action in self._actions
        )

    def show_states(self, *states: tuple[bool, bool, bool]) -> None:
        """Show what `states` gave."""
        for button, (seen, possible, chosen) in zip(self.buttons, states, strict=True):
            button.setVisible(seen)
            button.setEnabled(possible)
            button.setChecked(chosen)
        self.setVisible(any(seen for seen, _, _ in states))

    def press(self, key: str) -> None:
        """Do what a key of the strips is for."""
        for action in self._actions:
            if action.key == key:
                self._act(action)

    def _act(self, action: Action, checked: bool = False) -> None:
        """Do what an action gives."""
        now = self._page.snapshot()
        if _holds(action.when, now):
            with suppress(Waiting):
                self._do(action, action.run(now))
        self.show_states(*self.states(self._page.snapshot()))  # a click has pressed a button down

    def _do(self, action: Action, wanted: Any) -> None:
        if isinstance(wanted, Job):
            self._page.requested.emit(wanted)
        elif isinstance(wanted, Mapping):
            self._page.look(**wanted)
        elif wanted is not None:
            self._page.changed.emit(wanted, translated(action.text))


def _holds(condition: Callable[[Snapshot], bool], now: Snapshot) -> bool:
    try:
        return bool(condition(now))
    except Waiting:
        return False
