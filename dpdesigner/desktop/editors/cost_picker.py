"""The cost of noise: a few named costs, a formula or points, and a picture of the chosen one."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.desktop.base.controls import MoreRow, ValueBox, choice_button
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import FittedWidget, column_of, row_of
from dpdesigner.desktop.editors.loss_curve import LossCurve
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.errors import InputError
from dpdesigner.studies.panels import Axis, Line, Plot

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
            ("absolute", "|x|", self.tr("The size of the error")),
            ("squared", "x²", self.tr("The squared error; for several answers, the square of the sum of their absolute errors")),
            ("sum-of-squares", "Σ x²", self.tr("The sum of the squared errors of several answers")),
            ("power", "|x|^m", self.tr("A power of the error, m in (0, 100]")),
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

    def set_cost(self, given: str, period: float, dimension: int = 1) -> None:
        """Show a cost on the first few periods, and emit nothing; a sum over answers is offered if there are several."""
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
        self.unit_label.set_sentence(self.tr("Distances are multiples of Δ.") if kind == "drawn" else "")
        if kind == "drawn":
            costs = noise_cost(given).value(np.linspace(0, _DRAWN * period, _DRAWN + 1))
            self.pencil.set_values([f"{cost:.6g}" for cost in costs.tolist()], _DRAWN)
        x = np.linspace(-3 * period, 3 * period, 121)
        with np.errstate(over="ignore"):
            height = noise_cost(given).value(np.abs(x))
        line = Line(x, np.where(np.isfinite(height), height, np.nan), "L(x)")
        self.plot.show_plot(Plot("cost", "", Axis("x"), Axis(), (line,)))

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
