"""The one parameter of a loss: a box that takes any number, and a slider over the usual ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from dpdesigner.core.numbers.parsing import is_number
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.layouts import flow_of
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.desktop.widgets.gesture.slider import GestureSlider
from dpdesigner.desktop.widgets.loss.shape import number


class _Kind(NamedTuple):
    """How a parameter is labelled, and its slider: the steps from `first`, so many to one unit."""

    label: Callable[[], str]
    about: Callable[[], str]
    first: int
    last: int
    per_unit: int


_KINDS = {
    "power": _Kind(lambda: tr("power Q"), lambda: tr("Q > 0: 1 is absolute, 2 is squared."), 1, 80, 20),
    "threshold": _Kind(lambda: tr("free up to T"), lambda: tr("T ≥ 0: the largest error that costs nothing."), 0, 10, 1),
    "pinball": _Kind(
        lambda: tr("τ"), lambda: tr("τ in [0, 1]: above 1/2 an under-count costs more, below 1/2 an over-count."), 0, 100, 100
    ),
    "expression": _Kind(
        lambda: tr("cost ="), lambda: tr("A formula: 2|i-r|, (i-r)^2, x² (x is the error), where(r>i, 3, 1)x."), 0, 1, 1
    ),
}


class LossParameter(QWidget):
    """An editor of the text behind the colon in ``power:1.5``. The owner checks what it asks for."""

    changing = Signal(str)  #: while the slider moves
    changed = Signal(str)  #: at its end, or from the box
    cancelled = Signal()
    abandoned = Signal()  #: what was typed was taken back

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
        """Show the parameter of a loss, or hide if losses of this name have none.

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
            self.box.give_up()  # what is being typed is for another loss
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
        """Let the parameter be typed at once, where there is one."""
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
