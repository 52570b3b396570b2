"""What epsilon may leave uncovered: a box with a cross that closes it, and what its number means."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import Signal

from dpdesigner.core.numbers.parsing import Number, cut, exact
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
    furtherChanged = Signal(object)  #: pairs that hold besides, or ``"gaussian:1"``

    def __init__(self) -> None:
        super().__init__()
        self.box = ValueBox("0.000001")
        self.box.setAccessibleName(self.tr("Delta, not covered by epsilon"))
        self.box.setToolTip(self.tr("At least 0 and below 1: 0.01, 1/1000 or 1e-6"))
        self.box.committed.connect(lambda text: self.changed.emit(text))
        self.box.abandoned.connect(self.clear)
        self.further = ValueBox("ln 5, 0.001; gaussian:1")
        self.further.setAccessibleName(self.tr("Further levels"))
        self.further.setToolTip(self.tr("Further pairs of ε and δ that hold: ln 5, 0.001; 3, 1e-6. Or gaussian:1"))
        self.further.committed.connect(self._read)
        self.further.abandoned.connect(self.clear)
        self._also = named(self.tr("and also"), self.further, gap=4)
        self.more = sign("⋯", self.tr("Several levels"), self.tr("Several pairs at once, or Gaussian privacy"), self._open)
        self._close = sign("×", self.tr("Remove delta"), self.tr("Remove δ: ε covers everything"), self._remove)
        self._words = styled("small")
        self._error = ErrorLine()
        first = flow_of(named(self.tr("δ"), self.box, gap=4), self._close, self._words, gap=4)
        column_of(first, self._also, self._error, on=self, gap=2)
        self._also.hide()
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

    def show_further(self, further: str | Sequence[tuple[Number, Number]]) -> None:
        """Show what holds besides, where something does; the delta of Gaussian privacy follows from epsilon."""
        text = further if isinstance(further, str) else "; ".join(f"{one}, {other}" for one, other in further)
        self.further.show_value(text)
        self._also.setVisible(bool(text))
        self.box.setEnabled(not isinstance(further, str))

    def show_error(self, error: InputError) -> None:
        """Say why a delta cannot be used."""
        self._error.set_error(error, self.further if error.field == "privacy" else self.box)

    def _open(self) -> None:
        self._also.show()
        self.further.begin()

    def _read(self, text: str) -> None:
        text = text.strip()
        if text.startswith("gaussian"):
            self.furtherChanged.emit(text)
            return
        pairs = [tuple(part.strip() for part in pair.split(",")) for pair in text.split(";") if pair.strip()]
        if any(len(pair) != 2 for pair in pairs):
            words = self.tr("Further levels must be pairs like “ln 5, 0.001; 3, 1e-6”, or “gaussian:1”, got “{text}”.")
            self.show_error(InputError(words.format(text=cut(text)), "privacy"))
            return
        self.furtherChanged.emit(tuple(pairs))

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
