"""What is done on a page: what is dragged in its panels, and the buttons that its kind declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QInputDialog, QMenu, QMessageBox, QPushButton, QToolButton, QWidget

from dpdesigner.desktop.base.controls import ButtonRow, ValueBox, hang_menu
from dpdesigner.desktop.base.layouts import row_of
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.studies.snapshot import Action, Snapshot, Waiting
from dpdesigner.studies.study import Job

VIEW = "view."
#: Targets of drags that yield a mapping of several values.
DESIGN, WHOLE_VIEW = "design", "view"


class Handles(QObject):
    """Responds to drags on plots.

    A target is an input (``"epsilon"``), ``"design"`` for several inputs by name, a value of the view (``"view.share"``), or
    ``"view"`` for several. While a drag lasts there are previews; at its end one undo step, or another view; where it is given up
    (Esc), everything is as before.

    Parameters
    ----------
    page : Page
        Its column is asked for designs; ``"view.NAME"`` is what it looks at.
    looks : callable
        Gives the values of `Page.view` for the name of a handle of the view, and its place; by default that.
    """

    def __init__(self, page: Page, looks: Callable[[str, Any], Mapping[str, Any]] = lambda name, value: {name: value}) -> None:
        super().__init__(page)
        self._page, self._looks = page, looks
        self._before: dict[str, Any] | None = None  # the view when the drag began

    def follow(self, plots: Any, words: Callable[[str], str] = lambda target: "") -> None:
        """Handle drags of a plot, or of a card or column with plots; `words` returns the undo label for a target."""
        plots.moving.connect(partial(self._move, words, False))
        plots.moved.connect(partial(self._move, words, True))
        plots.cancelled.connect(self._give_up)

    def _move(self, words: Callable[[str], str], final: bool, target: str, value: Any) -> None:
        if not _of_view(target):
            self._ask(target, value, (words(target) or self.tr("Drag")) if final else "")
            return
        values = value if target == WHOLE_VIEW else self._looks(target.removeprefix(VIEW), value)
        if not values.keys() <= self._page.view.keys():
            return  # a handle in a picture of the previous design, which had other views
        self._before = None if final else self._before or dict(self._page.view)
        self._page.look(**values)

    def _ask(self, target: str, value: Any, words: str) -> None:
        if (asking := self._page.asking) is None:
            return
        if target == DESIGN:
            asking.change(words, **value)
        else:
            asking.drag(target, value, bool(words))

    @Slot(str)
    def _give_up(self, target: str) -> None:
        """Revert the changes of a drag."""
        before, self._before = self._before, None
        if not _of_view(target):
            self._page.previewCancelled.emit()
        elif before is not None:
            self._page.view = before
            self._page.look()


def _of_view(target: str) -> bool:
    return target == WHOLE_VIEW or target.startswith(VIEW)


class ActionRow(QWidget):
    """Buttons that act on the content of a page, in one row.

    Parameters
    ----------
    page : Page
        Runs the jobs that they give, changes to their designs and looks at their views.
    actions : sequence of Action
    """

    def __init__(self, page: Page, actions: Sequence[Action]) -> None:
        super().__init__()
        self._page, self._actions, self._row = page, actions, ButtonRow()
        row_of((self._row, 1), on=self)
        self.buttons: list[QAbstractButton] = []
        self._commands: dict[int, QAction] = {}  # by the place of the button
        for place, action in enumerate(actions):
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
                text, run = translated(action.command or action.text), partial(self._act, action)
                self._commands[place] = page.add_command(text, action.shortcut, run)
            self._row.add(button, action.more)
            self.buttons.append(button)
        if not actions:
            self.hide()  # showing it before it is in a page would open it as a window

    def _hang(self, button: QToolButton, action: Action) -> None:
        set_class(button, "chip")
        menu = QMenu(button)
        for text, run in action.menu:
            menu.addAction(translated(text)).triggered.connect(partial(self._act, replace(action, run=run)))
        hang_menu(button, menu)

    def states(self, now: Snapshot) -> tuple[tuple[bool, bool, bool, bool], ...]:
        """Return for each action whether it is offered, and whether its button is visible, enabled and pressed down."""
        return tuple(self._state(action, now, _holds(action.offered, now)) for action in self._actions)

    @staticmethod
    def _state(action: Action, now: Snapshot, offered: bool) -> tuple[bool, bool, bool, bool]:
        here = not action.on or now.view.get("view") in action.on.split()
        seen = offered and here and action.button and (action.presented or not now.presenting)
        return offered, seen, offered and _holds(action.when, now), bool(offered and action.chosen and _holds(action.chosen, now))

    def show_states(self, *states: tuple[bool, bool, bool, bool]) -> None:
        held = next((button for button in self.buttons if button.hasFocus()), None)
        for place, (button, (offered, seen, possible, chosen)) in enumerate(zip(self.buttons, states, strict=True)):
            self._row.offer(button, seen)
            button.setEnabled(possible)
            button.setChecked(chosen)
            if place in self._commands:
                self._commands[place].setVisible(offered)
        self.setVisible(any(seen for _, seen, _, _ in states))
        if held is not None and held.isHidden():  # the focus stays in the row
            left = next((button for button in self.buttons if not button.isHidden() and button.isEnabled()), None)
            if left is not None:
                left.setFocus(Qt.FocusReason.OtherFocusReason)

    def press(self, key: str) -> None:
        """Run the action of a shortcut key of the strips."""
        for action in self._actions:
            if action.key == key:
                self._act(action)

    def _act(self, action: Action, checked: bool = False) -> None:
        """Run an action and handle its result; what is typed in a box that has the focus counts, as after Enter."""
        if isinstance(box := self._page.focusWidget(), ValueBox) and box.hasFocus():
            box.editingFinished.emit()
            if box.property("invalid"):
                return
        now = self._page.snapshot()
        if _holds(action.offered, now) and _holds(action.when, now):
            with suppress(Waiting):
                if (not action.spends or self._page.may_release(now.design)) and self._agreed(action, now):
                    self._do(action, action.run(now))
        self.show_states(*self.states(self._page.snapshot()))  # a click has left a button pressed

    def _do(self, action: Action, wanted: Any) -> None:
        if isinstance(wanted, Job):
            self._page.requested.emit(wanted)
        elif isinstance(wanted, Mapping):
            self._page.look(**wanted)
        elif wanted is not None:
            self._page.request(wanted, translated(action.text))

    def _agreed(self, action: Action, now: Snapshot) -> bool:
        if not action.asks or (action.chosen and _holds(action.chosen, now)):
            return True
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel
        return QMessageBox.question(self.window(), "dpdesigner", translated(action.asks), yes | no, no) == yes


def _holds(condition: Callable[[Snapshot], bool], now: Snapshot) -> bool:
    try:
        return bool(condition(now))
    except Waiting:
        return False


def ask_text(title: str, question: str, text: str, take: Callable[[str], object], parent: QWidget) -> None:
    """Ask for a short text in a dialog, and pass it on once it is accepted."""
    dialog = QInputDialog(parent.window())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(take)
    dialog.open()
