"""The width and the edge of the brush, as two rows that fit a menu."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from dpdesigner.desktop.widgets.stroke import Brush

_WIDEST = 25  # bars on either side; the wheel goes further


class BrushBox(QWidget):
    """Shows a `Brush` and asks for another."""

    changed = Signal(object)  #: the `Brush` asked for

    def __init__(self) -> None:
        super().__init__()
        self.reach, self.softness = self._slider(_WIDEST, 1), self._slider(100, 10)
        self.reach.setAccessibleName(self.tr("Bars painted on either side of the mouse"))
        self.reach.setToolTip(self.tr("How many bars are painted at once; also Ctrl + wheel over the bars"))
        self.softness.setAccessibleName(self.tr("Softness of the brush’s edge in percent"))
        self.softness.setToolTip(self.tr("Left: a hard edge. Right: a wide brush fades towards its edge"))
        self._words = QLabel()
        grid = QGridLayout(self)
        grid.setContentsMargins(26, 4, 12, 4)
        grid.setHorizontalSpacing(12)
        grid.addWidget(self._words, 0, 0)
        grid.addWidget(self.reach, 0, 1)
        grid.addWidget(QLabel(self.tr("Soft edge")), 1, 0)
        grid.addWidget(self.softness, 1, 1)
        grid.setColumnStretch(1, 1)
        for slider in (self.reach, self.softness):
            slider.valueChanged.connect(self._change)
        self.show_brush(Brush())

    def show_brush(self, brush: Brush) -> None:
        """Show a brush and emit nothing."""
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

    @Slot()
    def _change(self) -> None:
        brush = Brush(self.reach.value(), self.softness.value() / 100)
        self.show_brush(brush)
        self.changed.emit(brush)
