"""A row of tabs; those that do not fit are in a menu at its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QMenu, QSizePolicy, QToolButton, QWidget

from dpdesigner.desktop.base.controls import hang_menu
from dpdesigner.desktop.base.theme import set_class, theme

_GAP = 2  # pixels between tabs
_ROOM = 8  # extra pixels for each tab, if there is room


class ViewTabs(QWidget):
    """A row of tabs to choose one of several views.

    Parameters
    ----------
    tabs : sequence of (key, text, tooltip)
        The views, in order. No text is ever cut off.
    """

    chosen = Signal(str)  #: the user chose the view with this key

    def __init__(self, tabs: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.setStyleSheet('QToolButton[class="tab"] { padding: 4px 3px; } QToolButton::menu-indicator { image: none; }')
        self._keys = [key for key, _, _ in tabs]
        self._group = QButtonGroup(self)
        self._buttons = [self._tab(text, tip) for _, text, tip in tabs]
        for place, button in enumerate(self._buttons):
            self._group.addButton(button, place)
        self._menu = QMenu(self)
        self._actions = [self._menu.addAction(text) for _, text, _ in tabs]
        for action, (_, _, tip) in zip(self._actions, tabs, strict=True):
            action.setCheckable(True)
            action.setToolTip(tip)
        self._more = self._tab(self.tr("More ▾"), self.tr("More views"))
        hang_menu(self._more, self._menu)
        theme().changed.connect(self._restyle)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Views"))
        self._group.idClicked.connect(self._click)
        self._menu.triggered.connect(self._trigger)
        if self._keys:
            self.set_current(self._keys[0])

    def _tab(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        set_class(button, "tab")
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleDescription(tip)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.installEventFilter(self)
        return button

    def set_current(self, key: str) -> None:
        """Mark a view as the chosen one; emit nothing. An unknown key changes nothing."""
        if key not in self._keys:
            return
        place = self._keys.index(key)
        self._buttons[place].setChecked(True)
        for other, action in enumerate(self._actions):
            action.setChecked(other == place)
        self._arrange()

    def follow(self, other: ViewTabs) -> None:
        """Follow another row in the tab order, to take its place."""
        for before, after in pairwise((other._more, *self._buttons, self._more)):
            self.setTabOrder(before, after)

    def current(self) -> str:
        """Return the key of the chosen view; empty if there are none."""
        place = self._group.checkedId()
        return self._keys[place] if place >= 0 else ""

    @Slot(int)
    def _click(self, place: int) -> None:
        self._choose(place)

    @Slot(QAction)
    def _trigger(self, action: QAction) -> None:
        self._choose(self._actions.index(action))

    def _choose(self, place: int) -> None:
        self.set_current(self._keys[place])
        self.chosen.emit(self._keys[place])

    def _arrange(self) -> None:
        """Place the tabs that fit, as wide as the width allows, then the menu for the others."""
        widths, shown = self._widths(), len(self._buttons)
        self._more.setText(self.tr("More ▾"))
        used = widths
        while shown > 0 and self._spare(used) < 0:
            shown -= 1
            self._name_menu(shown)
            used = [*widths[:shown], self._more.sizeHint().width()]
        roomier = min(_ROOM, max(self._spare(used), 0) // max(len(used), 1))
        left = 0
        for place, button in enumerate(self._buttons):
            button.setVisible(place < shown)
            self._actions[place].setVisible(place >= shown)
            if place < shown:
                button.setGeometry(left, 0, widths[place] + roomier, self.height())
                left += widths[place] + roomier + _GAP
        self._more.setVisible(shown < len(self._buttons))
        self._more.setChecked(self._group.checkedId() >= shown)
        self._more.setGeometry(left, 0, min(self._more.sizeHint().width() + roomier, self.width() - left), self.height())

    def _widths(self) -> list[int]:
        return [button.sizeHint().width() for button in self._buttons]

    def _spare(self, widths: Sequence[int]) -> int:
        """Return how many pixels tabs of these widths leave over; negative if they do not fit."""
        return self.width() - sum(widths) - _GAP * (len(widths) - 1)

    def _name_menu(self, shown: int) -> None:
        """Show the name of the chosen view on the menu button if that view is in the menu."""
        place = self._group.checkedId()
        self._more.setText(f"{self._buttons[place].text()} ▾" if place >= shown else self.tr("More ▾"))

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        """Let the arrow keys choose the previous and next view."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
            place = self._group.checkedId() + step
            if step and 0 <= place < len(self._keys):
                self._choose(place)
                button = self._buttons[place]
                (button if button.isVisible() else self._more).setFocus(Qt.FocusReason.TabFocusReason)
            return bool(step)
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + (_GAP + _ROOM) * len(self._buttons), self._more.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._more.sizeHint().width(), self._more.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot()
    def _restyle(self) -> None:
        """Arrange the tabs for a new text size."""
        self.updateGeometry()
        self._arrange()
