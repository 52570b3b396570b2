"""Named priors with their parameters, and the row of buttons and menus under a distribution that is being edited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QLabel, QMenu, QSlider, QToolButton, QWidget, QWidgetAction

from dpdesigner.core.basics.named_priors import parameters
from dpdesigner.core.basics.parsing import exact, parse_integer
from dpdesigner.desktop.base.controls import ValueBox, hang_menu
from dpdesigner.desktop.base.layouts import WrapLayout
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.editors.weight_rules import Brush, Rules
from dpdesigner.errors import InputError

#: The inputs of "certainty % between low and high", in the order of their boxes.
QUANTILES = ("certainty", "least count", "largest count")
_FROM_QUANTILES = ("quantiles", "smooth-quantiles")  # in steps, as in older files; smooth
_SHARES = ("binomial", "geometric", *_FROM_QUANTILES)  # priors whose boxes hold shares, not counts
_BOX = re.compile(r"\[(.*?)\]")  # in a sentence: the name of the box at this position


class PresetForm(QWidget):
    """A named prior as a sentence, which requests others; hidden for priors without parameters or without a name."""

    chosen = Signal(str)  #: a prior by name, for example ``"binomial:0.3"``
    refused = Signal(object, object)  #: the `InputError` about the parameters, and the box it concerns, or None

    def __init__(self) -> None:
        super().__init__()
        self._name, self._n = "", 1
        self._shown = ("", 1)
        self.boxes: list[ValueBox] = []
        self.typed = False  #: whether the last prior was typed, and not chosen in the menu
        self.follows: QWidget | None = None  #: the widget before the boxes in the Tab order
        self._parts: list[QWidget] = []
        self._row = WrapLayout(self, gap=4)
        self.hide()

    def fill(self, menu: QMenu) -> None:
        """Put the named priors into a menu."""
        for name, (title, sentence) in self._texts().items():
            if title:
                menu.addAction(f"{title}…" if sentence else title).triggered.connect(partial(self.choose, name))

    def choose(self, name: str, checked: bool = False) -> None:
        """Request the prior with this name, with parameters that suit n."""
        try:
            text = self._spec(name, default_parameters(name, self._n))
            parameters(name, text, self._n)
        except InputError as error:
            self.refused.emit(error, None)
            return
        self.typed = False
        self.chosen.emit(f"{name}:{text}" if text else name)
        if self.boxes and self._name == name:
            self.boxes[0].begin()

    def show_spec(self, spec: str, n: int) -> None:
        """Show the current prior; an empty spec for a drawn one. Unfinished typing stays."""
        name, _, text = spec.partition(":")
        self._n = n
        values = self._typed(name, text) if text and name in self._texts() else []
        sentence = self._texts()[name][1] if values else ""
        if (sentence, self._n) != self._shown:
            self._build(name, sentence)
        for box, value in zip(self.boxes, values, strict=True):
            box.show_value(value)
        self.setVisible(bool(values))

    def show_quantiles(self, spec: str, n: int) -> None:
        """Show quantiles, unless some are shown already, and focus the box of the count that is rarely exceeded."""
        if self._name not in _FROM_QUANTILES or not self.boxes:
            self.show_spec(spec, n)
        if self.boxes:
            self.boxes[-1].setFocus()
            self.boxes[-1].selectAll()

    def _texts(self) -> dict[str, tuple[str, str]]:
        """Return the title of each prior, and the sentence for its parameters: [name of a box]."""
        rows = self._n
        return {
            "uniform": (self.tr("Uniform"), ""),
            "binomial": (self.tr("Binomial"), self.tr("Each of {n} rows counts with probability [probability]").format(n=rows)),
            "poisson": (self.tr("Poisson"), self.tr("Rare events, [mean] on average")),
            "geometric": (self.tr("Geometric"), self.tr("Each count is [ratio] times as likely as the one before")),
            "spike": (self.tr("Spike"), self.tr("Certainly [count]")),
            "two-peak": (self.tr("Two peaks"), self.tr("Around [first peak] or around [second peak]")),
            "triangular": (
                self.tr("Triangular"),
                self.tr("From [least count] to [largest count], most likely [likeliest count]"),
            ),
            "smooth-quantiles": (
                self.tr("From quantiles"),
                self.tr("[certainty]% sure: [least count] to [largest count]"),
            ),
            "quantiles": ("", self.tr("[certainty]% sure: [least count] to [largest count], flat within")),
        }

    def _limits(self) -> dict[str, str]:
        """Return the allowed values of single boxes in words, where they do not depend on the other boxes."""
        return {
            "binomial": self.tr("between 0 and 1"),
            "poisson": self.tr("between 0 and 100 000"),
            "geometric": self.tr("above 0 and at most 1"),
            "spike": self.tr("a whole number from 0 to {n}").format(n=self._n),
            "two-peak": self.tr("between 0 and {n}").format(n=self._n),
        }

    def _build(self, name: str, sentence: str) -> None:
        self._name, self._shown = name, (sentence, self._n)
        while self._row.takeAt(0) is not None:
            pass
        for old in self._parts:
            old.hide()
            old.deleteLater()
        self.boxes, self._parts = [], []
        for place, part in enumerate(_BOX.split(sentence)):
            if place % 2:
                box = ValueBox("0.33" if name in _SHARES else str(max(self._n, 10)), self)
                box.setAccessibleName(part)
                box.setToolTip(self.tr("A number like 0.2, 1/3 or 20%") if name in _SHARES else self.tr("A count"))
                box.committed.connect(self._commit)
                self.boxes.append(box)
                self._parts.append(box)
                continue
            for word in part.split():
                label = QLabel(word, self)
                set_class(label, "small")
                self._parts.append(label)
        for widget in self._parts:
            self._row.addWidget(widget)
            widget.show()
        for before, after in pairwise((*([self.follows] if self.follows else []), *self.boxes)):
            QWidget.setTabOrder(before, after)

    def _commit(self, text: str) -> None:
        values = [box.text().strip() for box in self.boxes]
        try:
            spec = self._spec(self._name, values)
            parameters(self._name, spec, self._n)
        except InputError as error:
            sender = self.sender()
            box = self.boxes[QUANTILES.index(error.field)] if error.field in QUANTILES else sender
            if isinstance(box, ValueBox):
                if limits := self._limits().get(self._name):
                    words = self.tr("The {name} must be {limits}, got {text}.")
                    error = InputError(words.format(name=box.accessibleName(), limits=limits, text=text.strip()), "prior")
                self.refused.emit(error, box)
                box.set_invalid(True)
            return
        for box in self.boxes:
            box.set_invalid(False)
        self.typed = True
        self.chosen.emit(f"{self._name}:{spec}")

    def _spec(self, name: str, values: Sequence[str]) -> str:
        """Return the parameters in the form that a prior takes, from the boxes in the order of the sentence."""
        if name == "triangular":
            return ",".join((values[0], values[2], values[1]))
        if name in _FROM_QUANTILES:
            return interval_quantiles(values[0], values[1], values[2], self._n)
        return ",".join(values)

    def _typed(self, name: str, text: str) -> list[str]:
        """Return the texts of the boxes for given parameters; empty if the sentence cannot express them."""
        values = [value.strip() for value in text.split(",")]
        if name == "triangular" and len(values) == 3:
            return [values[0], values[2], values[1]]
        if name in _FROM_QUANTILES:
            return quantile_interval(values, self._n)
        return values if len(values) == len(_BOX.findall(self._texts()[name][1])) else []


def default_parameters(name: str, n: int) -> list[str]:
    """Return sensible values for the boxes of a named prior over 0..n."""
    low, high = n // 6, max(n // 6, min(3 * n // 5, n))
    return {
        "binomial": ["0.3"],
        "poisson": [str(max(1, n // 4))],
        "geometric": ["0.8"],
        "spike": [str(n // 3)],
        "two-peak": [str(n // 4), str(n - n // 4)],
        "triangular": [str(n // 10), str(n - n // 4), str(2 * n // 5)],
        "smooth-quantiles": ["90", str(low), str(high)],
    }.get(name, [])


def interval_quantiles(certainty: str, low: str, high: str, n: int) -> str:
    """Return the quantiles that say "certainty % between low and high", both included.

    What is left is shared equally by the counts below and above; where there are none on one side, the other has it all.

    Raises
    ------
    InputError
        If the certainty is not between 0 and 100%, or low..high is not a part of 0..n, or all of it.
    """
    sure = exact(certainty.rstrip("% "), "certainty")
    if not 0 < sure < 100:
        words = tr("The certainty must be between 0% and 100%, got {given}.").format(given=certainty)
        raise InputError(words, "certainty", "1" if sure <= 0 else "99")
    first, last = parse_integer(low, "least count", 0, n), parse_integer(high, "largest count", 0, n)
    if first > last or last - first == n:
        words = tr(
            "The two counts must be whole numbers in rising order, within 0..{n} but not the whole range, got {low} and {high}."
        )
        raise InputError(words.format(n=n, low=low, high=high), "prior")
    left_over = 100 - sure
    below = left_over if last == n else left_over / 2 if first > 0 else Fraction(0)
    pairs = [(below, first - 1)] if first > 0 else []
    if last < n:
        pairs.append((below + sure, last))
    return ",".join(f"{chance}%={count}" for chance, count in pairs)


def quantile_interval(pairs: Sequence[str], n: int) -> list[str]:
    """Return the certainty and the least and largest count that give these quantiles; empty if they have another form."""
    try:
        chances = [100 * exact(pair.partition("=")[0]) for pair in pairs]
        counts = [exact(pair.partition("=")[2]) for pair in pairs]
    except InputError:
        return []
    if len(pairs) == 2 and chances[0] + chances[1] == 100:
        return [str(chances[1] - chances[0]), str(counts[0] + 1), str(counts[1])]
    if len(pairs) == 1 and chances[0] >= 50:
        return [str(chances[0]), "0", str(counts[0])]
    if len(pairs) == 1:
        return [str(100 - chances[0]), str(counts[0] + 1), str(n)]
    return []


_WIDEST = 25  # bars on either side; the wheel goes further
_GAP = 3  # pixels between buttons


class BrushBox(QWidget):
    """The settings of a `Brush`; requests changed ones."""

    changed = Signal(object)  #: the requested `Brush`

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
        """Show a brush and emit nothing; a brush wider than the slider's range stays so until the slider is moved."""
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
    """Paint | Curve | Table | Preset | Data | Smooth | more; if that is too wide, Smooth is only in the menu."""

    mode_chosen = Signal(str)  #: ``"paint"``, ``"curve"`` or ``"table"``
    smooth_wanted = Signal()
    mirror_wanted = Signal()
    hold_chosen = Signal(bool)  #: whether to keep the total fixed
    lock_wanted = Signal()  #: lock or unlock the selected bar
    unlock_wanted = Signal()  #: unlock all bars
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
        tip = self.tr("Count a column of a file. Each row is one earlier count; for one row per person use Histogram")
        self.data = self._chip(self.tr("Data…"), tip)
        self.data.clicked.connect(self.csv_wanted)
        self.smooth = self._chip(self.tr("Smooth"), self.tr("Average each bar with its neighbours"))
        self.smooth.clicked.connect(self.smooth_wanted)
        self.more = self._chip("⋯", self.tr("Brush, smooth, mirror, locks, paste"))
        self.more.setAccessibleName(self.tr("More"))
        self.menu = self._menu(self.more)
        self._fill_menu()
        for button in (self.preset, self.data, self.smooth, self.more):
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out Smooth, then Table, if the row would wrap otherwise; both are in the menu too."""
        super().resizeEvent(event)
        buttons: list[QWidget] = [*self.modes.values(), self.preset, self.data, self.smooth, self.more]
        for button in (self.smooth, self.modes["table"]):
            if sum(other.sizeHint().width() + _GAP for other in buttons) - _GAP > event.size().width():
                buttons.remove(button)
            button.setVisible(button in buttons)
        self.table.setVisible(self.modes["table"] not in buttons)

    def show_mode(self, mode: str) -> None:
        """Mark a mode as the current one."""
        self.modes[mode].setChecked(True)

    def show_rules(self, rules: Rules, selected: int | None) -> None:
        """Show the locks and the fixed total, and which bar the lock command applies to."""
        self.hold.setChecked(rules.hold_total)
        self.lock.setEnabled(selected is not None)
        name = self.tr("Lock the selected count") if selected is None else self.tr("Lock count {count}").format(count=selected)
        self.lock.setText(f"{name}\tL")
        self.lock.setChecked(selected in rules.locked)
        self.unlock.setEnabled(bool(rules.locked))

    def open_menu(self, at: QPoint) -> None:
        """Open the menu of the last button at a point of the screen."""
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
        button.setStyleSheet("padding: 4px 1px;")
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
