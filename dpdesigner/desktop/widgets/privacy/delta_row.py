"""What epsilon may leave uncovered: a box with a cross that closes it, and what its number means."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import Signal

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.numbers.rounding import brief, figure
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.labelled import named
from dpdesigner.desktop.widgets.base.layouts import column_of, flow_of, sign, styled
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget
from dpdesigner.errors import InputError


class DeltaRow(FittedWidget):
    """Hidden until there is a delta, also one of 0. It asks by signals and computes nothing."""

    changed = Signal(object)  #: what was typed, or None where the cross was pressed

    def __init__(self) -> None:
        super().__init__()
        self.box = ValueBox("0.000001")
        self.box.setAccessibleName(self.tr("Delta, not covered by epsilon"))
        self.box.setToolTip(self.tr("At least 0 and below 1: 0.01, 1/1000 or 1e-6"))
        self.box.committed.connect(lambda text: self.changed.emit(text))
        self.box.abandoned.connect(self.clear)
        self._close = sign("×", self.tr("Remove delta"), self.tr("Remove δ: ε covers everything"), self._remove)
        self._words = styled("small")
        self._error = ErrorLine()
        column_of(flow_of(named(self.tr("δ"), self.box, gap=4), self._close, self._words, gap=4), self._error, on=self, gap=2)
        self.hide()

    def show_delta(self, delta: Number | None) -> None:
        """Show a delta that can be used, or nothing."""
        self.clear()
        self.setHidden(delta is None)
        if delta is None:
            self.box.show_value("")
        else:
            self.box.show_value(str(delta).strip())
            self._words.setText(in_words(exact(delta)))

    def show_error(self, error: InputError) -> None:
        """Say why a delta cannot be used."""
        self._error.set_error(error, self.box)

    def clear(self) -> None:
        """Take back what was said."""
        self._error.clear()

    def _remove(self) -> None:
        self.clear()
        self.changed.emit(None)


def in_words(delta: Fraction) -> str:
    """Return ``up to 1 in 100 is not covered by ε``; never less than is true."""
    if not delta:
        return tr("ε covers everything")
    if delta > Fraction(1, 2):
        return tr("up to {percent}% is not covered by ε").format(percent=figure(100 * delta, 3))
    return tr("up to 1 in {times} is not covered by ε").format(times=brief(float(int(1 / delta))))
