"""A row of a few buttons; those that are needed less often are in a menu at its end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtWidgets import QAbstractButton, QMenu, QToolButton, QWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.layouts import column_of, flow_of
from dpdesigner.desktop.widgets.base.menu_button import hang_menu
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget


class MoreRow(FittedWidget):
    """Buttons beside each other, in as many rows as they need.

    Parameters
    ----------
    *buttons : QWidget
        What is always seen.
    more : sequence of QAbstractButton
        What the menu at the end offers. They stay what is asked, shown and pressed from outside: one that is hidden is not
        offered, and where all are there is no menu.
    text : str
        On the menu's button, while nothing in it is chosen.
    """

    def __init__(self, *buttons: QWidget, more: Sequence[QAbstractButton] = (), text: str = "···") -> None:
        super().__init__()
        self._text = text
        self._stock = QWidget(self)
        column_of(*more, on=self._stock)
        self._stock.hide()
        self._more = tuple(more)
        self.menu_button = QToolButton()
        set_class(self.menu_button, "chip")
        self.menu_button.setCheckable(True)
        self.menu_button.setAccessibleName(self.tr("More") if text == "···" else text.removesuffix(" ▾"))
        self.menu_button.setToolTip(self.tr("More"))
        self._menu = QMenu(self.menu_button)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._fill)
        hang_menu(self.menu_button, self._menu)
        flow_of(*buttons, self.menu_button, on=self)
        for button in more:
            button.installEventFilter(self)
            button.toggled.connect(self._tell)
        self._menu.aboutToHide.connect(self._tell)  # the click has pressed the button down
        self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the menu away while it would be empty."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._tell()
        return False

    @Slot()
    def _tell(self) -> None:
        offered = [button for button in self._more if not button.isHidden()]
        self.menu_button.setVisible(bool(offered))
        chosen = [button.text() for button in offered if button.isChecked()]
        self.menu_button.setText(f"{chosen[0]} ▾" if chosen else self._text)
        self.menu_button.setChecked(bool(chosen))

    @Slot()
    def _fill(self) -> None:
        self._menu.clear()
        for button in self._more:
            if not button.isHidden():
                action = self._menu.addAction(button.text())
                action.setToolTip(button.toolTip())
                action.setEnabled(button.isEnabled())
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.triggered.connect(partial(_press, button))


def _press(button: QAbstractButton, checked: bool = False) -> None:
    button.click()
