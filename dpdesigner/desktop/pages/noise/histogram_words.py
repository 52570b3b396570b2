"""The sentences of a histogram, made from its design, its counts and its releases; no widget is touched here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.composition import together
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.pages.noise.jobs import Released
from dpdesigner.desktop.widgets.base.number_text import at_most, grouped
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.histogram.truth import Truth


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def source(design: HistogramDesign) -> str:
    """Return where the data come from: ``doctor_visits.csv · visits``."""
    if not design.path:
        return _tr("counts kept in the design") if design.counts is not None else ""
    name = Path(design.path.removeprefix(EXAMPLE)).name
    return f"{name} · {design.column}" if design.column else name


def sentence(outcome: HistogramOutcome, truth: Truth | None, released: Released | None) -> str:
    """What is seen and what it means."""
    within = outcome.within()
    noise = _tr(
        "Each cell gets exact whole-number noise at ε = {cell}: each comes out within ±{within} of the truth with a chance of at "
        "least 95 %."
    ).format(cell=figure(outcome.cell_privacy.epsilon_above, 4), within=within)
    if truth is None:
        return f"{noise} {_tr('Open a file with one row a person, or drop it here, to release one of its columns.')}"
    if released is None:
        rows = grouped(int(truth.counts.sum()))
        counted = _tr("Rows counted: {rows}.").format(rows=rows)
        if truth.outside:
            counted = _tr("Rows counted: {rows}; in no cell: {outside}.").format(rows=rows, outside=grouped(truth.outside))
        last, cells = int(truth.counts[-1]), len(truth.counts)
        if cells > 1 and 2 * last > truth.counts.sum():
            most = _tr("Most of them, {last}, are in the last cell, {title}: other cells may tell more.")
            counted += " " + most.format(last=grouped(last), title=outcome.design.title(cells - 1))
        return f"{counted} {noise}"
    errors = np.abs(released.release.released - truth.counts)
    return _tr(
        "Released once: cells are wrong by {mean} on average and by {most} at most; expected are {expected} on average."
    ).format(
        mean=at_most(float(errors.mean())),
        most=grouped(int(errors.max())),
        expected=at_most(released.release.expected_error),
    )


def privacy(outcome: HistogramOutcome, spent: Sequence[float]) -> str:
    """What epsilon the releases have."""
    whole = figure(outcome.design.privacy.epsilon_above, 6)
    if len(spent) < 2:
        return _tr("The whole histogram is released at ε = {whole}, all cells together.").format(whole=whole)
    return _tr("{count} releases of these data since the program was started: whoever sees them all sees ε = {total}.").format(
        count=len(spent), total=figure(together(spent), 6)
    )


def keeping(design: HistogramDesign) -> str:
    """What a saved design tells about the data."""
    if design.counts is not None:
        return _tr("The saved file holds the true counts: whoever has the file sees them.")
    return _tr("The saved file holds where the data are, never the data or their counts.")
