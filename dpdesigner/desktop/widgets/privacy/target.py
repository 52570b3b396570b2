"""The other way round: an expected loss to aim for, from which the page finds epsilon."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from dpdesigner.core.numbers.parsing import exact, nearest
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.widgets.base.layouts import column_of, flow_of
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.desktop.widgets.gesture.slider import GestureSlider
from dpdesigner.errors import InputError

_STEPS = 400
_LEAST_SLIDER = 110  # pixels of the slider, with the gaps


class PrivacyTarget(QWidget):
    """A box and a slider for the expected loss; right is more accurate, as on the slider of epsilon."""

    changing = Signal(float)  #: an expected loss to aim for, while the slider is dragged
    changed = Signal(float)  #: the same at the end, or from the box
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._best = self._worst = math.nan
        self._ratios = False
        self._value = math.nan
        self._label = QLabel(self.tr("Aim for expected error"))
        self.box = ValueBox("0.083334")
        self.slider = GestureSlider(_STEPS, fine=2, coarse=_STEPS // 10)
        self.message = ErrorLine()
        self._name_parts()
        column_of(flow_of(self._label, self.box, self.slider), self.message, on=self, gap=4)
        self.slider.says = self.box.text
        self.slider.moving.connect(self._preview)
        self.slider.moved.connect(self._settle)
        self.slider.cancelled.connect(self._give_up)
        self.box.committed.connect(self._read)
        self.box.abandoned.connect(self.message.clear)
        self.setEnabled(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say less where box and slider need the room."""
        super().resizeEvent(event)
        versions = (self.tr("Aim for expected error"), self.tr("Aim for error"), self.tr("Aim for"))
        room = event.size().width() - self.box.sizeHint().width() - _LEAST_SLIDER
        fitting = (text for text in versions if self._label.fontMetrics().horizontalAdvance(text) <= room)
        self._label.setText(next(fitting, versions[-1]))

    def set_range(self, best: float, worst: float, ratios: bool = False) -> None:
        """Set the least and the largest expected loss that some epsilon reaches; the row is off while there is none.

        The slider goes from one to the other in equal steps, or in equal ratios, where both losses are positive.
        """
        self._best, self._worst, self._ratios = best, worst, ratios
        self.setEnabled(math.isfinite(best) and math.isfinite(worst) and best < worst)
        self._show(self._value)

    def set_value(self, value: float) -> None:
        """Show the expected loss in force."""
        if not self.slider.busy:
            self._value = value
            self._show(value)

    def set_error(self, error: InputError) -> None:
        """Say what is wrong, for example that the loss aimed for cannot be reached."""
        self.message.set_error(error, self.box)

    def _name_parts(self) -> None:
        self._label.setBuddy(self.box)
        about = self.tr("Enter a target for the expected error, or drag the slider; epsilon follows.")
        self.box.setAccessibleName(self.tr("Expected error to aim for"))
        self.slider.setAccessibleName(self.tr("Target for the expected error; further right is more accurate and less private"))
        for widget in (self._label, self.box, self.slider):
            widget.setToolTip(about)

    def _show(self, value: float) -> None:
        self.box.show_value(figure(value) if math.isfinite(value) else "")
        if self.isEnabled() and math.isfinite(value):
            part = (self._worst - value) / (self._worst - self._best)
            if self._ratios:
                part = math.log(self._worst / value) / math.log(self._worst / self._best) if value > 0 else 1.0
            self.slider.show_value(round(_STEPS * min(1.0, max(0.0, part))))

    def _at(self, step: int) -> float:
        share = min(step, _STEPS - 1) / _STEPS  # no epsilon reaches the best
        exactly = self._worst + (self._best - self._worst) * share
        if self._ratios:
            exactly = self._worst * (self._best / self._worst) ** share
        return min(self._worst, max(self._best, float(f"{exactly:.4g}")))

    @Slot(int)
    def _preview(self, step: int) -> None:
        value = self._at(step)
        self.message.clear()
        self.box.show_value(figure(value, 4))
        self.changing.emit(value)

    @Slot(int)
    def _settle(self, step: int) -> None:
        self._value = self._at(step)
        self.changed.emit(self._value)

    @Slot()
    def _give_up(self) -> None:
        self._show(self._value)
        self.cancelled.emit()

    @Slot(str)
    def _read(self, text: str) -> None:
        try:
            value = nearest(exact(text, self.tr("the expected error")))
        except InputError as error:
            self.set_error(error)
            return
        self.message.clear()
        self.changed.emit(value)
