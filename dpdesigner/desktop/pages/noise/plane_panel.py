"""The density of noise for two answers: diamonds of the staircase beside those of Laplace noise, in the same colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.core.noise.several_dimensions import VectorStaircase, vector_laplace_density
from dpdesigner.desktop.look.theme import set_class, theme
from dpdesigner.desktop.pages.noise.curves_panel import paint
from dpdesigner.desktop.pages.noise.plots import density
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.desktop.widgets.matrix.colour import Scale
from dpdesigner.desktop.widgets.matrix.plane_image import PlaneImage
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.noise.outcome import NoiseOutcome

_SIZE = 181
_LEAST_PERIODS = 3.0
#: Densities below this part of the highest one share the darkest colour.
_DEEPEST = 1e-12
#: Pixels at text scale 1 that the pictures and the cut need.
_PICTURES, _CUT = 160, 100


class PlanePanel(QWidget):
    """Two pictures side by side, with one point read in both."""

    sentenceChanged = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._outcome: NoiseOutcome | None = None
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

    def set_outcome(self, outcome: NoiseOutcome) -> None:
        """Show both densities of two answers."""
        noise, design = outcome.noise, outcome.design
        if not isinstance(noise, VectorStaircase) or design.dimension != 2:
            return
        self._outcome = outcome
        self.show()
        reach = max(4 / design.epsilon, _LEAST_PERIODS) * design.period
        axis = np.abs(np.linspace(-reach, reach, _SIZE))
        norms = np.add.outer(axis, axis)
        steps, smooth = noise.density(norms), vector_laplace_density(norms, design.epsilon, 2, design.period)
        top = min(max(float(steps.max()), float(smooth.max())), 1e300)
        least = min(float(values[values > 0].min(initial=top)) for values in (steps, smooth))
        scale = Scale("probability", top=top, bottom=max(least, top * _DEEPEST, 1e-300), logarithmic=True)
        self.staircase.set_values(np.minimum(steps, top), reach, scale)
        self.laplace.set_values(np.minimum(smooth, top), reach, scale)
        paint(self.cut, density(outcome, 0)[0])
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
        self.cut.set_cursor(None if at is None else abs(at[0]) + abs(at[1]), movable=False)
        self.sentenceChanged.emit("" if at is None else self.read_out(*at))

    def read_out(self, x: float, y: float) -> str:
        """Return both densities at a point."""
        outcome = self._outcome
        if outcome is None or not isinstance(outcome.noise, VectorStaircase):
            return ""
        norm, design = abs(x) + abs(y), outcome.design
        steps = float(outcome.noise.density(norm))
        smooth = float(vector_laplace_density(norm, design.epsilon, 2, design.period))
        return self.tr(
            "Noise ({x}, {y}), its L1 norm {norm}: density {steps} for the staircase, {smooth} for Laplace noise."
        ).format(x=significant(x), y=significant(y), norm=significant(norm), steps=significant(steps), smooth=significant(smooth))
