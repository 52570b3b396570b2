"""The choice of a loss: a gallery, its parameter or curve, the theorem's condition; for noise a short list of costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from dpdesigner.core.basics.loss import NAMED, Loss, LossTable, Matrix
from dpdesigner.core.basics.parsing import excerpt, is_number, limit
from dpdesigner.core.basics.rounding import as_typed, brief
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.desktop.background.tables import chosen_table, losses_of
from dpdesigner.desktop.base.controls import MoreRow, ValueBox, choice_button, hang_menu
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel, as_sentence
from dpdesigner.desktop.base.layouts import FittedWidget, column_of, flow_of, row_of
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.editors.loss_curve import LossCurve
from dpdesigner.desktop.editors.loss_shape import (
    STARTING,
    LossThumbnail,
    TileRow,
    chosen,
    consequence,
    distance_loss,
    distance_texts,
    drawable,
    formula,
    number,
    sentence,
    shape_icon,
    title,
    verdict,
)
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.errors import InputError
from dpdesigner.studies.findings import with_unit
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line


class _Kind(NamedTuple):
    """The label of a parameter, and its slider: the steps from `first`, with this many to one unit."""

    label: Callable[[], str]
    about: Callable[[], str]
    first: int
    last: int
    per_unit: int


_KINDS = {
    "power": _Kind(lambda: tr("power Q"), lambda: tr("Q > 0: 1 is absolute, 2 is squared."), 1, 80, 20),
    "threshold": _Kind(lambda: tr("free up to T"), lambda: tr("T ≥ 0: the largest error that costs nothing."), 0, 10, 1),
    "pinball": _Kind(
        lambda: tr("τ"),
        lambda: tr("τ between 0 and 1: above 1/2 an under-count costs more, below 1/2 an over-count."),
        0,
        100,
        100,
    ),
    "expression": _Kind(
        lambda: tr("cost ="), lambda: tr("A formula: 2|i-r|, (i-r)^2, x² (x is the error), where(r>i, 3, 1)x."), 0, 1, 1
    ),
}


class LossParameter(QWidget):
    """An editor of the text after the colon in ``power:1.5``. The owner checks the requested values."""

    changing = Signal(str)  #: while the slider moves
    changed = Signal(str)  #: after a slider drag, or from the box
    cancelled = Signal()
    abandoned = Signal()  #: the typed text was discarded

    def __init__(self) -> None:
        super().__init__()
        self._kind = _KINDS["power"]
        self._label = QLabel()
        self.box = ValueBox("0.0000")
        self.slider = GestureSlider(1)
        self._label.setBuddy(self.box)
        flow_of(self._label, self.box, self.slider, on=self, gap=8)
        self.slider.says = self.box.text
        self.slider.moving.connect(self._preview)
        self.slider.moved.connect(self._settle)
        self.slider.cancelled.connect(self.cancelled)
        self.box.committed.connect(self.changed)
        self.box.abandoned.connect(self.abandoned)

    @property
    def busy(self) -> bool:
        """Whether the slider is being moved."""
        return self.slider.busy

    def set_parameter(self, name: str, text: str, n: int) -> None:
        """Show the parameter of a loss, or hide if this kind of loss has none.

        Parameters
        ----------
        name : str
            ``"power"``, ``"threshold"``, ``"pinball"``, ``"expression"`` or another.
        text : str
            The parameter as it was given.
        n : int
            The largest true result, for the range of a threshold.
        """
        self.setVisible(name in _KINDS)
        if name not in _KINDS:
            return
        if self._kind is not _KINDS[name]:
            self.box.give_up()  # the text being typed is for another loss
        self._kind = kind = _KINDS[name]
        label, about = kind.label(), kind.about()
        self._label.setText(label)
        for widget in (self._label, self.box, self.slider):
            widget.setToolTip(about)
        self.box.setAccessibleName(label)
        self.slider.setAccessibleName(label)
        wide = name == "expression"
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.slider.setVisible(not wide)
        self.box.show_value(text)
        if not wide and not self.busy and is_number(text):
            self._show_step(number(text), n if name == "threshold" else kind.last)

    def focus_box(self) -> None:
        """Focus the box for the parameter, if there is one."""
        if not self.isHidden():
            self.box.begin()

    def _show_step(self, value: float, last: int) -> None:
        self.slider.setRange(self._kind.first, max(1, last))
        self.slider.setPageStep(max(1, (last - self._kind.first) // 10))
        self.slider.show_value(round(min(float(last), value * self._kind.per_unit)))

    def _text(self, step: int) -> str:
        return f"{step / self._kind.per_unit:g}" if self._kind.per_unit > 1 else str(step)

    @Slot(int)
    def _preview(self, step: int) -> None:
        self.box.show_value(self._text(step))
        self.changing.emit(self._text(step))

    @Slot(int)
    def _settle(self, step: int) -> None:
        self.changed.emit(self._text(step))


_GALLERY = ("absolute", "squared", "zero-one", "threshold", "pinball", "distance")
_MORE = ("power", "relative", "expression", "matrix")
_SKETCH = "distance:0,1,1.5,3.5,3.5,5,6.5"  # on the button, until something has been drawn
_MOST_DISTANCES = 5000  # a larger n is refused for a drawn loss
_TRIAL = 30  # an expression is tried on counts up to this, so that mistakes are reported at once


class LossPicker(FittedWidget):
    """An editor of a loss. It shows the loss passed to `set_loss` and requests changes with signals."""

    changing = Signal(str)  #: a loss to preview during drawing or a slider drag
    changed = Signal(object, str)  #: a loss, by its name or as the matrix of a file, and the label of the undo step
    cancelled = Signal()  #: the drawing or slider drag was cancelled; the previous loss is in force again

    def __init__(self) -> None:
        super().__init__()
        self._given: str | Matrix | LossTable = "absolute"
        self._verdict = ""
        self._n = 20
        self._presenting = False
        self._last = {name: f"{name}:{text}" for name, text in STARTING.items()}
        self.thumbnails: dict[str, LossThumbnail] = {}
        self.actions_by_name: dict[str, QAction] = {}
        self.tile_actions: dict[str, QAction] = {}  #: actions of the losses with tiles, for when the tiles have no room
        self.curve = LossCurve()
        self.parameter = LossParameter()
        self.error_label = ErrorLine(short=True)
        self.verdict_label = SentenceLabel("small")
        self.more = QToolButton()
        self._build()
        self._connect()
        self._show(self._given)

    def set_loss(self, loss: Loss, n: int) -> None:
        """Show a loss for counts up to n, with whether Theorem A covers it, and emit nothing."""
        self._n, given, coverage = n, loss.specification, loss.coverage(n)
        if not self._busy:
            if given != self._given:
                self.error_label.clear()
            self._given = given
        self._verdict = as_sentence(verdict(coverage.covered, coverage.reason))
        self._show(given)
        self.verdict_label.setToolTip(consequence(coverage.covered, coverage.reason))

    def set_presenting(self, on: bool) -> None:
        """Show only the chosen loss while presenting."""
        self._presenting = on
        self._show(self._given)

    @property
    def _busy(self) -> bool:
        return self.curve.busy or self.parameter.busy

    def _build(self) -> None:
        self.setAccessibleName(self.tr("Cost of an error"))
        for name in _GALLERY:
            thumbnail = LossThumbnail(title(name), self._start(name))
            thumbnail.setToolTip(formula(name))
            thumbnail.clicked.connect(partial(self._choose, name))
            self.thumbnails[name] = thumbnail
        set_class(self.more, "chip")
        self.more.setStyleSheet("padding: 4px 2px;")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.more.setCheckable(True)
        self.more.setToolTip(self.tr("More losses: power, relative, an expression, a matrix"))
        self.tiles = TileRow(self.thumbnails, self.more)
        self.tiles.arranged.connect(self._offer_the_others)
        hang_menu(self.more, self._menu())
        column_of(self.tiles, self.curve, self.parameter, self.error_label, self.verdict_label, None, on=self, gap=6)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        words = {"matrix": self.tr("Matrix from CSV…"), "pinball": self.tr("One side costs more (pinball)")}
        for name in (*_GALLERY, *_MORE):
            action = QAction(words.get(name) or title(name), menu, checkable=True)
            action.setToolTip(formula(name))
            action.triggered.connect(partial(self._choose_in_menu, name))
            group.addAction(action)
            menu.addAction(action)
            (self.tile_actions if name in _GALLERY else self.actions_by_name)[name] = action
        return menu

    @Slot()
    def _offer_the_others(self) -> None:
        """Show in the menu the losses that have no visible tile."""
        for name, action in self.tile_actions.items():
            action.setVisible(name not in self.tiles.seen)

    def _connect(self) -> None:
        self.curve.changing.connect(self._preview_drawing)
        self.curve.changed.connect(self._ask_drawing)
        self.curve.cancelled.connect(self._give_up)
        self.parameter.changing.connect(self._preview_parameter)
        self.parameter.changed.connect(self._ask_parameter)
        self.parameter.cancelled.connect(self._give_up)
        self.parameter.abandoned.connect(self.error_label.clear)
        theme().follow(self._restyle)

    def _start(self, name: str) -> str:
        """Return the initial loss of a kind: its last one, or the usual one."""
        return self._last.get(name, _SKETCH if name == "distance" else name)

    def _choose(self, name: str, checked: bool = False) -> None:
        if name == Loss(self._given).name:
            return
        if name == "distance" and name not in self._last:
            self._ask(distance_loss(drawable(self._given, min(self._n, _MOST_DISTANCES))))
        else:
            self._ask(self._start(name))

    def _ask(self, given: str) -> None:
        """Request a loss, or show what is wrong with it and change nothing."""
        try:
            loss = Loss(given)
            if loss.name == "expression":
                loss.matrix(min(self._n, _TRIAL))
        except InputError as error:
            self.error_label.set_error(error, self.parameter.box, _in_short(error, given))
            return
        self.error_label.clear()
        if given != self._given:
            self._given = given
            self._show(given)
            self.changed.emit(given, chosen(loss))

    def _show(self, given: str | Matrix | LossTable) -> None:
        loss = Loss(given)
        if isinstance(given, str) and ":" in given:
            self._last[loss.name] = given
        for name, thumbnail in self.thumbnails.items():
            thumbnail.setChecked(name == loss.name)
            thumbnail.set_given(self._start(name))
        self.tiles.show_chosen(loss.name, alone=self._presenting)
        self._show_more(loss.name)
        self.parameter.set_parameter(loss.name, loss.argument, self._n)
        if loss.name == "distance":
            texts = distance_texts(loss.argument)
            self.curve.set_values(texts, min(self._n, max(_MOST_DISTANCES, len(texts) - 1)))
        self.parameter.setHidden(self.parameter.isHidden() or self._presenting)
        self.curve.setVisible(loss.name == "distance")
        cost = f"{tr('Cost')} = {loss.argument}. " if self._presenting and loss.name == "expression" else ""
        self._say(f"{cost}{sentence(loss, self._n)}")

    def _say(self, words: str) -> None:
        """Show the cost of an error, and why the theorem does not cover the loss."""
        self.verdict_label.set_sentence(f"{words} {self._verdict}".strip())

    def _show_more(self, name: str) -> None:
        for other, action in self.actions_by_name.items():
            action.setChecked(other == name)
        words = title(name) if name in _MORE else self.tr("More")
        self.more.setText(f"{words} ▾")
        self.more.setChecked(name in _MORE)
        self.more.setAccessibleName(self.tr("More losses"))
        self.more.setIcon(shape_icon(self._start(name) if name in ("power", "relative") else _SKETCH, self.devicePixelRatioF()))

    def _choose_in_menu(self, name: str, checked: bool = False) -> None:
        self._show_more(Loss(self._given).name)
        if name == "matrix":
            self.open_matrix()
        else:
            self._choose(name)
            self.parameter.focus_box()

    def open_matrix(self, path: str = "") -> None:
        """Request the loss matrix in a file; ask for one if the path is empty."""
        with self.error_label.saying():
            if path := path or chosen_table(self.tr("Loss matrix"), self):
                self.changed.emit(losses_of(path, self), self.tr("Loss from file"))

    @Slot(object)
    def _preview_drawing(self, texts: tuple[str, ...]) -> None:
        self._preview(distance_loss(texts))

    @Slot(object)
    def _ask_drawing(self, texts: tuple[str, ...]) -> None:
        self._ask(distance_loss(texts))

    @Slot(str)
    def _preview_parameter(self, text: str) -> None:
        self._preview(f"{Loss(self._given).name}:{text}")

    @Slot(str)
    def _ask_parameter(self, text: str) -> None:
        self._ask(f"{Loss(self._given).name}:{text.strip()}")

    def _preview(self, given: str) -> None:
        self.error_label.clear()
        self._show(given)
        self.changing.emit(given)

    @Slot()
    def _give_up(self) -> None:
        self._show(self._given)
        self.cancelled.emit()

    @Slot()
    def _restyle(self) -> None:
        for name, action in self.actions_by_name.items():
            if name in ("power", "relative"):
                action.setIcon(shape_icon(f"{name}:2" if name == "power" else name, self.devicePixelRatioF()))
        for name, action in self.tile_actions.items():
            action.setIcon(shape_icon(self._start(name), self.devicePixelRatioF()))
        self.more.setIconSize(QSize(round(44 * theme().scale), round(19 * theme().scale)))


def _in_short(error: InputError, given: str) -> str:
    """Return one line on a parameter out of its range, or a formula not understood; empty if the error message is better."""
    name, _, text = given.partition(":")
    if name in _KINDS and (ends := NAMED[name].parameter if name in NAMED else None) is not None:
        words = tr("{name} must be between {low} and {high}, got {text}.")
        low, high = (limit(float(end)) for end in ends)
        return words.format(name=_KINDS[name].label().split()[-1], low=low, high=high, text=excerpt(text))
    if name != "expression" or not error.suggestion:
        return ""
    return tr("{text} is not understood.").format(text=excerpt(text))


#: Costs are drawn at whole multiples of the sensitivity up to this one.
_DRAWN = 8
#: The initial text of each kind that needs one.
_STARTING = {"power": "1.5", "expression": "x**2 / (1 + abs(x))", "drawn": "0:0,1:1,3:10"}


class CostPicker(FittedWidget):
    """An editor of a cost. It shows the cost passed to `set_cost` and requests changes with signals."""

    changed = Signal(str)  #: a valid cost
    changing = Signal(str)  #: the same while it is drawn
    cancelled = Signal()  #: drawing was cancelled

    def __init__(self) -> None:
        super().__init__()
        self._last = dict(_STARTING)
        self._period = 1.0
        self.buttons: dict[str, QPushButton] = {}
        self.box = ValueBox("x**2 / (1 + abs(x))")
        self.error_label, self.unit_label = ErrorLine(), SentenceLabel("small")
        self.plot, self.pencil = CurvePlot(), LossCurve()
        self._build()
        self.set_cost("absolute", 1.0)

    def _build(self) -> None:
        for key, text, tip in (
            ("absolute", self.tr("Size"), self.tr("The size of the error")),
            (
                "squared",
                self.tr("Squared"),
                self.tr("The squared error; of several answers, of the sum of their sizes"),
            ),
            ("sum-of-squares", self.tr("Sum of squares"), self.tr("The sum of the squared errors of several answers")),
            ("power", self.tr("Power"), self.tr("A power of the error, m above 0, up to 100")),
            ("expression", self.tr("Formula"), self.tr("Any even formula in x that does not fall as |x| grows")),
            ("drawn", self.tr("Draw"), self.tr("Straight lines through points x:cost, drawn or typed")),
        ):
            self.buttons[key] = button = choice_button(text, tip, partial(self._choose, key))
            button.setAccessibleName(tip)
        self.plot.setMinimumHeight(84)
        self.pencil.setToolTip(self.tr("Draw the cost at 0, Δ, 2Δ, … Keys: Left and Right choose a place, Up and Down its cost."))
        self.pencil.changing.connect(self._preview_drawn)
        self.pencil.changed.connect(self._change_drawn)
        self.pencil.cancelled.connect(self.cancelled)
        self.pencil.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        rare = ("expression", "drawn")
        common = [button for key, button in self.buttons.items() if key not in rare]
        row = MoreRow(*common, more=[self.buttons[key] for key in rare])
        parts = (row, self._box_row(), self.error_label, (self.plot, 1), (self.pencil, 1), self.unit_label)
        column_of(*parts, on=self, gap=6).addStretch(0)

    def _box_row(self) -> QWidget:
        self._row, self._letter = QWidget(), QLabel("m =")
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.committed.connect(self._commit)
        self.box.abandoned.connect(self.error_label.clear)
        self._letter.setBuddy(self.box)
        row_of(self._letter, self.box, on=self._row, gap=6)
        return self._row

    def set_cost(self, given: str, period: float, dimension: int = 1, unit: str = "") -> None:
        """Show a cost of errors in a unit on the first few periods; a sum over answers is offered if there are several."""
        kind, _, argument = given.partition(":")
        self.buttons["sum-of-squares"].setVisible(dimension > 1 or kind == "sum-of-squares")
        for key, button in self.buttons.items():
            button.setChecked(key == kind)
        self._row.setVisible(kind in self._last)
        if kind in self._last:
            self._last[kind] = argument
            letters = {"power": "m =", "expression": "L(x) =", "drawn": self.tr("x:cost")}
            self._letter.setText(letters[kind])
            self.box.setAccessibleName(self.buttons[kind].toolTip())
            self.box.setToolTip(self.buttons[kind].toolTip())
            self.box.show_value(argument)
        self.error_label.clear()
        self._period = period
        self.plot.setVisible(kind != "drawn")
        self.pencil.setVisible(kind == "drawn")
        delta = self.tr("Distances are multiples of Δ = {period}.").format(period=with_unit(brief(period), unit))
        self.unit_label.set_sentence(delta if kind == "drawn" else "")
        if kind == "drawn":
            costs = noise_cost(given).value(np.linspace(0, _DRAWN * period, _DRAWN + 1))
            self.pencil.set_values([as_typed(cost, 6) for cost in costs.tolist()], _DRAWN)
        x = np.linspace(-3 * period, 3 * period, 121)
        with np.errstate(over="ignore"):
            height = noise_cost(given).value(np.abs(x))
        line = Line(x, np.where(np.isfinite(height), height, np.nan), self.tr("cost"), short=" ")  # the card has the name
        self.plot.show_plot(Plot("cost", "", Axis(self.tr("error"), unit), Axis(), (line,)))

    def set_error(self, error: InputError) -> None:
        """Show why the text is invalid."""
        self.error_label.set_error(error, self.box)

    def _choose(self, key: str) -> None:
        self.buttons[key].setChecked(True)
        self._ask(f"{key}:{self._last[key]}" if key in self._last else key)
        if key in ("power", "expression"):
            self.box.begin()

    @Slot(str)
    def _commit(self, text: str) -> None:
        kind = next((key for key in self._last if self.buttons[key].isChecked()), "power")
        self._ask(f"{kind}:{text.strip()}")

    @Slot(object)
    def _preview_drawn(self, texts: tuple[str, ...]) -> None:
        given = self._drawn(texts)
        if given:
            self.changing.emit(given)

    @Slot(object)
    def _change_drawn(self, texts: tuple[str, ...]) -> None:
        given = self._drawn(texts)
        if given:
            self.changed.emit(given)
        else:
            self.cancelled.emit()

    def _drawn(self, texts: tuple[str, ...]) -> str:
        """Return the drawn cost, made non-decreasing; empty if it rises nowhere."""
        heights = np.maximum.accumulate([float(text) for text in texts])
        if heights[-1] == heights[0]:
            self.set_error(InputError(self.tr("A cost must rise somewhere.")))
            return ""
        places = (np.arange(len(heights)) * self._period).tolist()
        return "drawn:" + ",".join(f"{_plain(x)}:{_plain(y)}" for x, y in zip(places, heights.tolist(), strict=True))

    def _ask(self, given: str) -> None:
        try:
            noise_cost(given)
        except InputError as error:
            self.set_error(error)
        else:
            self.changed.emit(given)


def _plain(value: float) -> str:
    return repr(value).removesuffix(".0")
