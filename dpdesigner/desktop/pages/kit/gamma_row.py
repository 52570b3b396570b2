"""The row in which gamma is typed, or taken to be the best one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.desktop.widgets.base.layouts import row_of, styled
from dpdesigner.desktop.widgets.base.value_box import ValueBox


class GammaRow(QWidget):
    """A box, a button for the best gamma, and at the right what it is."""

    typed = Signal(str)  #: a number, or "optimal"

    def __init__(self) -> None:
        super().__init__()
        label = QLabel("γ")
        self.box = ValueBox("0.3775406")
        self.box.setAccessibleName(self.tr("gamma, the place of the step"))
        self.box.setToolTip(self.tr("Where in each period the noise steps down: a number from 0 to 1, or optimal"))
        self.box.committed.connect(self.typed)
        label.setBuddy(self.box)
        self.optimal = QPushButton(self.tr("Optimal γ"))
        self.optimal.setToolTip(self.tr("Take the gamma of least expected cost"))
        self.optimal.setCheckable(True)
        self.optimal.clicked.connect(self._take_optimal)
        self.note = styled("small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row_of(label, self.box, self.optimal, (self.note, 1), on=self, gap=6)

    def set_gamma(self, gamma: str) -> None:
        """Show which gamma is asked for."""
        self.box.show_value(gamma)
        self.optimal.setChecked(gamma == "optimal")

    @Slot()
    def _take_optimal(self) -> None:
        self.optimal.setChecked(True)
        self.typed.emit("optimal")
