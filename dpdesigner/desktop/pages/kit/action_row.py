"""The buttons of a page that its kind declares: a row below the pictures, and the same commands in the Design menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtWidgets import QPushButton

from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.theme.words import translated
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget, WrapLayout
from dpdesigner.studies.job import Job
from dpdesigner.studies.snapshot import Action, Snapshot, Waiting


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
        self.buttons: list[QPushButton] = []
        row = WrapLayout(self, gap=6)
        for action in actions:
            button = QPushButton(translated(action.text), autoDefault=False)
            button.setToolTip(translated(action.tip))
            button.clicked.connect(partial(self._act, action))
            page.add_command(translated(action.text), action.shortcut, partial(self._act, action))
            row.addWidget(button)
            self.buttons.append(button)
        self.setVisible(bool(actions))

    def states(self, now: Snapshot) -> tuple[tuple[bool, bool], ...]:
        """Return of each button whether it is seen, and whether it can be pressed."""
        seen = not now.presenting
        return tuple((seen and action.on in ("", now.view.get("view")), _possible(action, now)) for action in self._actions)

    def show_states(self, *states: tuple[bool, bool]) -> None:
        """Show what `states` gave."""
        for button, (seen, possible) in zip(self.buttons, states, strict=True):
            button.setVisible(seen)
            button.setEnabled(possible)
        self.setVisible(any(seen for seen, _ in states))

    def _act(self, action: Action, checked: bool = False) -> None:
        """Do what an action gives."""
        now = self._page.snapshot()
        if not _possible(action, now):
            return
        try:
            wanted = action.run(now)
        except Waiting:
            return
        if isinstance(wanted, Job):
            self._page.requested.emit(wanted)
        elif isinstance(wanted, Mapping):
            self._page.look(**wanted)
        elif wanted is not None:
            self._page.changed.emit(wanted, translated(action.text))


def _possible(action: Action, now: Snapshot) -> bool:
    try:
        return bool(action.when(now))
    except Waiting:
        return False
