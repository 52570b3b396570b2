"""Controls: a box for one value, boxes and buttons with names in rows that break, buttons with menus, a row of tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QToolButton,
    QWidget,
)

from dpdesigner.desktop.base.layouts import FittedWidget, column_of, flow_of, row_of
from dpdesigner.desktop.base.theme import set_class, set_state, theme

_FRAME = 18  # pixels of padding and border that the style sheet adds


class ValueBox(QLineEdit):
    """A box that emits `committed` on Enter or when the focus leaves, if its text differs from the value last shown.

    Esc brings the given value back. A value given from outside while the user types waits until the typing is over, unless it
    is another one than before. A box that goes away while the user types asks for nothing: what it asked about may be gone.
    The box is as wide as its sample text.
    """

    hushed: ClassVar[bool] = False  #: whether errors of all boxes are suppressed: an invalid value is discarded

    committed = Signal(str)
    abandoned = Signal()  #: the typed text was discarded: with Esc, or because it is the current value again

    def __init__(self, sample: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sample = sample
        self.value = ""  #: the value last shown
        self._refused: str | None = None  # the text of the box when it was marked invalid
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._commit)
        self.textEdited.connect(self._undone)

    def show_value(self, text: str) -> None:
        """Show a value; emit nothing."""
        if text == self.value and self.text() != text and self.isModified() and self.hasFocus():
            return
        self.value = text
        if text != self.text() or self.isModified() or (self.cursorPosition() and not self.hasFocus()):
            self.setText(text)
            self.setCursorPosition(0)
        self.set_invalid(False)

    def enter(self, text: str) -> None:
        """Put a text into the box as if the user had typed it and pressed Enter."""
        self.setText(text)
        if text == self.value:
            self._take_back()
        else:
            self.committed.emit(text)

    def begin(self) -> None:
        """Take the focus, with the value selected so that typing replaces it."""
        if self.isVisible():
            self.setFocus()
            self.selectAll()

    def give_up(self) -> None:
        """Restore the value last shown if another one was typed."""
        if self.text() != self.value:
            self.setText(self.value)
            self._take_back()

    def set_invalid(self, invalid: bool) -> None:
        """Outline the box, or remove the outline; while presenting, restore the value last shown instead."""
        if invalid and ValueBox.hushed:
            self.give_up()
            return
        self._refused = self.text() if invalid else None
        set_state(self, "invalid", invalid)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._sample) + _FRAME
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        """Keep Undo from the window while a refused text is in the box: that is what it takes back."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._undoes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.text() != self.value and (event.key() == Qt.Key.Key_Escape or self._undoes(event)):
            self.give_up()
        else:
            super().keyPressEvent(event)

    def _undoes(self, event: QKeyEvent) -> bool:
        return self._refused is not None and event.matches(QKeySequence.StandardKey.Undo)

    def hideEvent(self, event: QHideEvent) -> None:
        """Discard typed text before the focus leaves; a minimised window keeps it."""
        if self.hasFocus() and not event.spontaneous():
            self.give_up()
        super().hideEvent(event)

    def _take_back(self) -> None:
        self.set_invalid(False)
        self.abandoned.emit()

    @Slot()
    def _undone(self) -> None:
        """Take a refusal back with the text that was refused."""
        if self.text() == self.value != self._refused and self.property("invalid"):
            self._take_back()

    @Slot()
    def _commit(self) -> None:
        if self.text() == self._refused and not (self.isModified() and self.text() == self.value):  # and still shown to be
            return
        if self.text() != self.value:
            self.committed.emit(self.text())
        elif self.property("invalid"):  # the value in force may itself be invalid
            self._take_back()


_TARGET = 24  # pixels in each direction: smaller targets are hard to hit
_SHORT = 2  # longest text, in characters, that may be narrower than that


def value_box(sample: str, name: str, tip: str, slot: Callable[[str], None]) -> ValueBox:
    """Return a box with its name for screen readers."""
    box = ValueBox(sample)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.committed.connect(slot)
    return box


def push_button(text: str, tip: str, pressed: Any, *, checkable: bool = False, padding: str = "") -> QPushButton:
    """Return a button with its tooltip, the slot or signal for a press, and optionally another padding."""
    button = QPushButton(text)
    if padding:
        button.setStyleSheet(f"padding: {padding};")
    button.setMinimumHeight(_TARGET)
    if len(text) <= _SHORT:  # for longer texts, a minimum width could cut the text off
        button.setMinimumWidth(_TARGET)
    button.setCheckable(checkable)
    button.setToolTip(tip)
    button.clicked.connect(pressed)
    return button


def choice_button(text: str, tip: str, pressed: Callable[[], object]) -> QPushButton:
    """Return a narrow button, one of several of which one is checked; Enter in a nearby box does not press it."""
    button = push_button(text, tip, lambda: pressed(), checkable=True, padding="4px 7px")
    button.setAutoDefault(False)
    return button


def named(text: str, box: QWidget, gap: int = 6) -> QWidget:
    """Return a box with its name before it, never separated by a line break."""
    label = QLabel(text)
    label.setBuddy(box)
    return together(label, box, gap=gap)


def together(*widgets: QWidget, gap: int = 6) -> QWidget:
    """Return a row of widgets that are never separated by a line break."""
    whole = QWidget()
    row_of(*widgets, on=whole, gap=gap)
    return whole


def wrapped(*widgets: QWidget, gap: int = 6, spread: bool = False) -> QWidget:
    """Return a row of widgets that wraps where there is no room; with `spread` it fills the width."""
    row = FittedWidget()
    flow_of(*widgets, on=row, gap=gap, spread=spread)
    return row


def hang_menu(button: QToolButton, menu: QMenu) -> None:
    """Attach a menu to a button.

    Parameters
    ----------
    button : QToolButton
        It takes the focus from the keyboard only: a click opens the menu, which has the keys while it is open.
    menu : QMenu
        What it opens.
    """
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    menu.aboutToHide.connect(partial(_leave, button))


def menu_chip(text: str, tip: str, entries: Sequence[tuple[str, Callable[[], object]]]) -> QToolButton:
    """Return a button of the class "chip" that opens a menu; each entry has a text and an action."""
    button = QToolButton()
    menu = QMenu(button)
    set_class(button, "chip")
    button.setText(text)
    button.setToolTip(tip)
    button.setCheckable(True)
    for words, chosen in entries:
        menu.addAction(words, chosen)
    hang_menu(button, menu)
    return button


def _leave(button: QToolButton) -> None:
    """Clear the button's hover state: the mouse left it while the menu had all events, and Qt does not notice."""
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    button.update()


class MoreRow(FittedWidget):
    """Buttons side by side, in as many rows as they need.

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
        self._text, self._more, self._stock = text, tuple(more), QWidget(self)
        column_of(*more, on=self._stock)
        self._stock.hide()
        self.menu_button = QToolButton()
        set_class(self.menu_button, "chip")
        self.menu_button.setCheckable(True)
        self.menu_button.setAccessibleName(self.tr("More") if text == "···" else text.removesuffix(" ▾"))
        self.menu_button.setToolTip(self.tr("More"))
        self._menu = QMenu(self.menu_button)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(lambda: _fill(self._menu, [button for button in self._more if not button.isHidden()]))
        hang_menu(self.menu_button, self._menu)
        flow_of(*buttons, self.menu_button, on=self, gap=4)
        for button in more:
            button.installEventFilter(self)
            button.toggled.connect(self._tell)
        self._menu.aboutToHide.connect(self._tell)  # by then the click has checked the button
        self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide the menu while it would be empty."""
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


class ButtonRow(QWidget):
    """Buttons in one row; those that do not fit are in a menu at its end, so that a picture above never has to give way.

    Parameters
    ----------
    *buttons : QAbstractButton
        From left to right. All are offered at first; see `offer`.
    """

    def __init__(self, *buttons: QAbstractButton, gap: int = 6) -> None:
        super().__init__()
        self._buttons, self._gap = list[QAbstractButton](), gap
        self._offered: dict[QAbstractButton, bool] = {}
        self._rest, self._more = list[QAbstractButton](), list[QAbstractButton]()  # offered in the menu now, and always there
        self.menu_button = QToolButton(self)
        set_class(self.menu_button, "chip")
        self.menu_button.setText("···")
        self.menu_button.setAccessibleName(self.tr("More"))
        self.menu_button.setToolTip(self.tr("More"))
        self._menu = QMenu(self.menu_button)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(lambda: _fill(self._menu, self._rest))
        hang_menu(self.menu_button, self._menu)
        self.menu_button.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for button in buttons:
            self.add(button)

    def add(self, button: QAbstractButton, more: bool = False) -> None:
        """Put a button at the end of the row, or with `more` into the menu."""
        self._more += [button] if more else []
        button.setParent(self)
        self._buttons.append(button)
        self._offered[button] = True
        button.show()
        self.menu_button.raise_()
        for before, after in pairwise((*self._buttons, self.menu_button)):
            QWidget.setTabOrder(before, after)

    def offer(self, button: QAbstractButton, on: bool) -> None:
        """Offer a button, in the row or in the menu, or hide it."""
        if self._offered[button] != on:
            self._offered[button] = on
            self.updateGeometry()
            self._arrange()

    def sizeHint(self) -> QSize:
        widths = [*self._widths(), *[self.menu_button.sizeHint().width()] * bool(self._more)]
        return QSize(sum(widths) + self._gap * max(0, len(widths) - 1), self._high())

    def minimumSizeHint(self) -> QSize:
        widths = self._widths()
        rest = self._gap + self.menu_button.sizeHint().width() if len(widths) > 1 else 0
        return QSize(min(widths[:1], default=0) + rest, self._high())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        """Arrange the buttons again when one of them has another text or size, of which no event comes while it is hidden."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
            self._arrange()

    def _shown(self) -> list[QAbstractButton]:
        return [button for button in self._buttons if self._offered[button] and button not in self._more]

    def _widths(self) -> list[int]:
        return [button.sizeHint().width() for button in self._shown()]

    def _high(self) -> int:
        return max((button.sizeHint().height() for button in self._shown()), default=0)

    def _arrange(self) -> None:
        shown, widths = self._shown(), self._widths()
        fits, left, menu = len(shown), 0, self.menu_button.sizeHint()
        more = [button for button in self._more if self._offered[button]]
        if sum(widths) + self._gap * (len(widths) - 1) + (menu.width() + self._gap) * bool(more) > self.width():
            room = self.width() - menu.width()
            fits = sum(1 for place in range(len(widths)) if sum(widths[: place + 1]) + self._gap * (place + 1) <= room)
        self._rest = [*shown[fits:], *more]
        for button in self._buttons:
            button.setVisible(button in shown[:fits])
        for button, width in zip(shown[:fits], widths, strict=False):
            button.setGeometry(left, 0, width, button.sizeHint().height())
            left += width + self._gap
        self.menu_button.setGeometry(left, 0, menu.width(), menu.height())
        self.menu_button.setVisible(bool(self._rest))


def _fill(menu: QMenu, buttons: Sequence[QAbstractButton]) -> None:
    """Offer buttons in a menu; one with a menu of its own becomes a submenu."""
    menu.clear()
    for button in buttons:
        if isinstance(button, QToolButton) and button.menu() is not None:
            inside = menu.addMenu(button.text().removesuffix(" ▾"))
            inside.addActions(button.menu().actions())
            inside.setEnabled(button.isEnabled())
            continue
        action = menu.addAction(button.text())
        action.setToolTip(button.toolTip())
        action.setEnabled(button.isEnabled())
        action.setCheckable(button.isCheckable())
        action.setChecked(button.isChecked())
        action.triggered.connect(button.click)


class NameBox(QComboBox):
    """A drop-down list that its longest name does not widen: opened, it shows all names whole; closed, it elides."""

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(QStyledItemDelegate(self))  # takes the room around a name from the style sheet
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.currentTextChanged.connect(self.setToolTip)

    def showPopup(self) -> None:
        names = self.view()
        names.setMinimumWidth(names.sizeHintForColumn(0) + 2 * names.frameWidth())
        super().showPopup()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


_GAP = 2  # pixels between tabs
_ROOM = 8  # extra pixels for each tab, if there is room


class ViewTabs(QWidget):
    """A row of tabs to choose one of several views.

    Parameters
    ----------
    tabs : sequence of (key, text, tooltip)
        The views, in order. No text is ever cut off.
    most : int or None
        As many have a tab at most; the others are in the menu.
    """

    chosen = Signal(str)  #: the user chose the view with this key

    def __init__(self, tabs: Sequence[tuple[str, str, str]], most: int | None = None) -> None:
        super().__init__()
        self._most = len(tabs) if most is None else most
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
        widths, shown = self._widths(), self._most
        self._more.setText(self.tr("More ▾"))
        used = widths
        if shown < len(widths):
            self._name_menu(shown)
            used = [*widths[:shown], self._more.sizeHint().width()]
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
