"""Runs a histogram design: the noise of one cell, which all cells share, once it is known that there is what it counts."""

from __future__ import annotations

from dpdesigner.core.noise import histogram
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.panels import PANELS
from dpdesigner.studies.histogram.true_counts import check_source
from dpdesigner.studies.noise import run as noise_run
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.panels import panels_of
from dpdesigner.studies.study import Progress, silent


def run(design: HistogramDesign, progress: Progress = silent) -> HistogramAnswer:
    """Compute the noise of a cell: that of a count, at its part of epsilon.

    Raises
    ------
    InputError
        If the file of the design cannot be read, or has no such column.
    """
    if design.path and design.counts is None:
        check_source(design.source)
    privacy = histogram.cell_privacy(design.privacy, design.neighbours)
    cell = NoiseDesign("integer", sensitivity=1, privacy=privacy, cost=design.cost, name=design.name)
    return HistogramAnswer(design, noise_run.run(cell, progress), panels_of(design, PANELS))
