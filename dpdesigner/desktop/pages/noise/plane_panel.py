"""The density of noise for two answers: diamonds of the staircase beside those of Laplace noise, in the same colours."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.look.theme import set_class, theme
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.desktop.widgets.matrix.plane_image import PlaneImage
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.cells import Plane
from dpdesigner.studies.panels import Handle, Plot

#: Pixels at text scale 1 that the pictures and the cut need.
_PICTURES, _CUT = 160, 100


class PlanePanel(QWidget):
    """Two pictures side by side, with one point read in both."""

    sentenceChanged = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._planes: Sequence[Plane] = ()
        both = ColumnLayout(self)
        row = QHBoxLayout()
        row.setSpacing(8)
        both.addLayout(row, 3)
        self.cut = CurvePlot()
        both.addWidget(self.cut, 2)
        self.staircase, self.laplace = PlaneImage(), PlaneImage()
        for image, title in ((self.staircase, self.tr("staircase")), (self.laplace, self.tr("Laplace"))):
            column = QVBoxLayout()
            column.setSpacing(2)
            label = QLabel(title)
            set_class(label, "muted")
            image.setAccessibleName(self.tr("density of two answers, {title}").format(title=title))
            image.pointed.connect(self._point)
            column.addWidget(label)
            column.addWidget(image, 1)
            row.addLayout(column)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Keep pictures and cut high enough to be read at this size of text; what does not fit is scrolled to."""
        for image in (self.staircase, self.laplace):
            image.setMinimumHeight(round(px(_PICTURES)))
        self.cut.setMinimumHeight(round(px(_CUT)))

    def show_planes(self, planes: Sequence[Plane], cut: Plot) -> None:
        """Show both densities of two answers, and how they fall with the norm."""
        self._planes = planes
        self.show()
        for image, plane in zip((self.staircase, self.laplace), planes, strict=True):
            image.show_plane(plane)
        self.cut.show_plot(cut)
        self._point(None)

    def set_stale(self, on: bool) -> None:
        """Fade both."""
        self.staircase.set_stale(on)
        self.laplace.set_stale(on)
        self.cut.set_stale(on)

    @Slot(object)
    def _point(self, at: tuple[float, float] | None) -> None:
        for image in (self.staircase, self.laplace):
            image.set_point(at)
        self.cut.set_handles(() if at is None else (Handle(abs(at[0]) + abs(at[1]), movable=False),))
        self.sentenceChanged.emit("" if at is None else self.read_out(*at))

    def read_out(self, x: float, y: float) -> str:
        """Return both densities at a point."""
        if not self._planes:
            return ""
        steps, smooth = (plane.at(x, y) for plane in self._planes)
        return self.tr(
            "Noise ({x}, {y}), its L1 norm {norm}: density {steps} for the staircase, {smooth} for Laplace noise."
        ).format(
            x=significant(x),
            y=significant(y),
            norm=significant(abs(x) + abs(y)),
            steps=significant(steps),
            smooth=significant(smooth),
        )
