"""The width and the edge of the brush, as a row that fits a menu."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QSpinBox, QWidget

from dpdesigner.desktop.widgets.stroke import Brush

_WIDEST = 1_000_001


class BrushBox(QWidget):
    """Shows a `Brush` and asks for another."""

    changed = Signal(object)  #: the `Brush` asked for

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.width_box = QSpinBox()
        self.width_box.setRange(1, _WIDEST)
        self.width_box.setSingleStep(2)
        self.width_box.setAccessibleName(self.tr("Brush width in bars"))
        self.width_box.setToolTip(self.tr("Bars painted at once; also Ctrl + wheel over the bars"))
        self.edge = QSlider(Qt.Orientation.Horizontal)
        self.edge.setRange(0, 100)
        self.edge.setSingleStep(10)
        self.edge.setPageStep(25)
        self.edge.setAccessibleName(self.tr("Softness of the brush's edge in percent"))
        self.edge.setToolTip(self.tr("Left: a hard edge. Right: the brush fades towards its edge"))
        self.edge.setMinimumWidth(72)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 12, 4)
        row.setSpacing(8)
        for widget in (QLabel(self.tr("Brush")), self.width_box, QLabel(self.tr("Soft edge")), self.edge):
            row.addWidget(widget)
        self.width_box.valueChanged.connect(self._change)
        self.edge.valueChanged.connect(self._change)

    def show_brush(self, brush: Brush) -> None:
        """Show a brush and emit nothing."""
        with QSignalBlocker(self.width_box), QSignalBlocker(self.edge):
            self.width_box.setValue(brush.width)
            self.edge.setValue(round(100 * brush.softness))

    @Slot()
    def _change(self) -> None:
        self.changed.emit(Brush(self.width_box.value() // 2, self.edge.value() / 100))
