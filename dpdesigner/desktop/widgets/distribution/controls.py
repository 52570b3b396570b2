"""The row of buttons under a distribution that is being edited, and the menus behind them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QLabel, QMenu, QSlider, QToolButton, QWidget, QWidgetAction

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.menu_button import hang_menu
from dpdesigner.desktop.widgets.base.wrap_layout import WrapLayout
from dpdesigner.desktop.widgets.distribution.preset_form import PresetForm
from dpdesigner.desktop.widgets.distribution.stroke import Brush
from dpdesigner.desktop.widgets.distribution.weight_rules import Rules

_WIDEST = 25  # bars on either side; the wheel goes further
_GAP = 4  # pixels between buttons


class BrushBox(QWidget):
    """Shows a `Brush` and asks for another."""

    changed = Signal(object)  #: the `Brush` asked for

    def __init__(self) -> None:
        super().__init__()
        self.reach, self.softness = self._slider(_WIDEST, 1), self._slider(100, 10)
        self.reach.setAccessibleName(self.tr("Bars painted on either side of the mouse"))
        self.reach.setToolTip(self.tr("Number of bars painted at once; also Ctrl + wheel over the bars"))
        self.softness.setAccessibleName(self.tr("Softness of the brush’s edge in percent"))
        self.softness.setToolTip(self.tr("Left: a hard edge. Right: a wide brush fades towards its edge"))
        self._words, self._brush = QLabel(), Brush()
        grid = QGridLayout(self)
        grid.setContentsMargins(26, 4, 12, 4)
        grid.setHorizontalSpacing(12)
        grid.addWidget(self._words, 0, 0)
        grid.addWidget(self.reach, 0, 1)
        grid.addWidget(QLabel(self.tr("Soft edge")), 1, 0)
        grid.addWidget(self.softness, 1, 1)
        grid.setColumnStretch(1, 1)
        self.reach.valueChanged.connect(self._widen)
        self.softness.valueChanged.connect(self._soften)
        self.show_brush(self._brush)

    def show_brush(self, brush: Brush) -> None:
        """Show a brush and emit nothing; one that is wider than the slider reaches stays so until that is moved."""
        self._brush = brush
        with QSignalBlocker(self.reach), QSignalBlocker(self.softness):
            self.reach.setValue(brush.reach)
            self.softness.setValue(round(100 * brush.softness))
        self._words.setText(self.tr("Brush, {width} wide").format(width=brush.width))

    def _slider(self, last: int, step: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, last)
        slider.setSingleStep(step)
        slider.setPageStep(5 * step)
        slider.setMinimumWidth(96)
        return slider

    @Slot(int)
    def _widen(self, reach: int) -> None:
        self._change(replace(self._brush, reach=reach))

    @Slot(int)
    def _soften(self, percent: int) -> None:
        self._change(replace(self._brush, softness=percent / 100))

    def _change(self, brush: Brush) -> None:
        self.show_brush(brush)
        self.changed.emit(brush)


class DistributionControls(QWidget):
    """Paint | Curve | Table | Preset | Smooth | more; where that is too wide, Smooth is in the menu only."""

    mode_chosen = Signal(str)  #: ``"paint"``, ``"curve"`` or ``"table"``
    smooth_wanted = Signal()
    mirror_wanted = Signal()
    hold_chosen = Signal(bool)  #: whether the total is to be held
    lock_wanted = Signal()  #: the selected bar is to be locked, or let go
    unlock_wanted = Signal()  #: all bars are to be let go
    pin_wanted = Signal()
    csv_wanted = Signal()
    paste_wanted = Signal()

    def __init__(self, presets: PresetForm) -> None:
        super().__init__()
        self.brush = BrushBox()
        self.modes: dict[str, QToolButton] = {}
        row = WrapLayout(self, gap=_GAP)
        group = QButtonGroup(self)
        for mode, text, tip in self._mode_words():
            button = self._chip(text, tip)
            button.setCheckable(True)
            button.clicked.connect(partial(self._choose_mode, mode))
            group.addButton(button)
            row.addWidget(button)
            self.modes[mode] = button
        self.modes["paint"].setChecked(True)
        self.preset = self._chip(self.tr("Preset ▾"), self.tr("Start with a named shape"))
        self.preset_menu = self._menu(self.preset)
        presets.fill(self.preset_menu)
        self.smooth = self._chip(self.tr("Smooth"), self.tr("Average each bar with its neighbours"))
        self.smooth.clicked.connect(self.smooth_wanted)
        self.more = self._chip("⋯", self.tr("Brush, smooth, mirror, locks, CSV, paste"))
        self.more.setAccessibleName(self.tr("More"))
        self.menu = self._menu(self.more)
        self._fill_menu()
        for button in (self.preset, self.smooth, self.more):
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave Smooth, then Table out of a row that would need a second one for it: both are in the menu too."""
        super().resizeEvent(event)
        buttons: list[QWidget] = [*self.modes.values(), self.preset, self.smooth, self.more]
        for button in (self.smooth, self.modes["table"]):
            if sum(other.sizeHint().width() + _GAP for other in buttons) - _GAP > event.size().width():
                buttons.remove(button)
            button.setVisible(button in buttons)
        self.table.setVisible(self.modes["table"] not in buttons)

    def show_mode(self, mode: str) -> None:
        """Mark a mode as the one in force."""
        self.modes[mode].setChecked(True)

    def show_rules(self, rules: Rules, selected: int | None) -> None:
        """Show what is locked and held, and which bar the lock is about."""
        self.hold.setChecked(rules.hold_total)
        self.lock.setEnabled(selected is not None)
        name = self.tr("Lock the selected count") if selected is None else self.tr("Lock count {count}").format(count=selected)
        self.lock.setText(f"{name}\tL")
        self.lock.setChecked(selected in rules.locked)
        self.unlock.setEnabled(bool(rules.locked))

    def open_menu(self, at: QPoint) -> None:
        """Open what is behind the last button, at a point of the screen."""
        self.menu.popup(at)

    def _mode_words(self) -> tuple[tuple[str, str, str], ...]:
        return (
            ("paint", self.tr("Paint"), self.tr("Drag over the bars. Shift: a straight line; right button: erase; wheel: nudge")),
            ("curve", self.tr("Curve"), self.tr("Drag handles, or the curve for a new one; a double click removes one")),
            ("table", self.tr("Table"), self.tr("Read and type every weight: 0.2, 1/3 or 20%")),
        )

    def _chip(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text.rstrip(" ▾"))
        button.setAccessibleDescription(tip)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_class(button, "chip")
        button.setStyleSheet("padding: 4px 5px;")
        return button

    def _menu(self, button: QToolButton) -> QMenu:
        menu = QMenu(button)
        hang_menu(button, menu)
        return menu

    def _fill_menu(self) -> None:
        brush = QWidgetAction(self.menu)
        brush.setDefaultWidget(self.brush)
        self.menu.addAction(brush)
        self.table = self.menu.addAction(self.tr("Table"))
        self.table.triggered.connect(partial(self._choose_mode, "table"))
        self.table.setVisible(False)
        self._action(self.tr("Smooth"), self.smooth_wanted)
        self._action(self.tr("Mirror"), self.mirror_wanted)
        self.menu.addSeparator()
        self.lock = self._action("", self.lock_wanted, checkable=True)
        self.unlock = self._action(self.tr("Unlock all"), self.unlock_wanted)
        self.hold = self._action(self.tr("Hold total: other bars make room"), self.hold_chosen, checkable=True)
        self.menu.addSeparator()
        self.pin = self._action(self.tr("Pin this shape to compare"), self.pin_wanted)
        self._action(self.tr("Data column…"), self.csv_wanted)
        paste = QKeySequence(QKeySequence.StandardKey.Paste).toString(QKeySequence.SequenceFormat.NativeText)
        self._action(self.tr("Paste numbers") + f"\t{paste}", self.paste_wanted)
        self.show_rules(Rules(), None)

    def _action(self, text: str, wanted: SignalInstance, *, checkable: bool = False) -> QAction:
        action = self.menu.addAction(text)
        action.setCheckable(checkable)
        action.triggered.connect(wanted)
        return action

    def _choose_mode(self, mode: str, checked: bool = False) -> None:
        self.mode_chosen.emit(mode)
