"""Sentences on the data of a histogram, its counts and its releases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dpdesigner.core.numbers.rounding import at_most, figure, grouped
from dpdesigner.core.privacy.accountant import together
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.messages import Message, message
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.release import Released
from dpdesigner.studies.histogram.true_counts import Truth


def source(design: HistogramDesign) -> str:
    """Return where the data come from: ``doctor_visits.csv · visits``."""
    if not design.path:
        return message("counts kept in the design") if design.counts is not None else ""
    name = Path(design.path.removeprefix(EXAMPLE)).name
    return f"{name} · {design.column}" if design.column else name


def keeping(design: HistogramDesign) -> str:
    """Return what a saved design tells about the data; nothing where it has none."""
    if design.counts is not None:
        return message("The saved file contains the true counts, so anyone who has the file can see them.")
    return message("The saved file contains the location of the data, never the data or their counts.") if design.path else ""


def sentences(outcome: HistogramAnswer, truth: Truth | None, released: Released | None) -> list[Message]:
    """Return what is seen, what it means, and the level of the whole, one after the other."""
    noise = message(
        "Each cell gets whole-number noise, drawn exactly, at ε = {cell}. It is within ±{within} of the truth in at "
        "least 95% of releases.",
        cell=figure(outcome.cell_privacy.epsilon_above, 4),
        within=outcome.within(),
    )
    if truth is None:
        opens = message("Open a file with one row per person, or drop it here, to release one of its columns.")
        first = [noise] if outcome.design.source.is_set else [noise, opens]
    else:
        first = [*_counted(outcome.design, truth), noise] if released is None else [_wrong(released, truth)]
    whole = figure(outcome.design.privacy.epsilon_above, 6)
    return [*first, message("The total ε of the histogram, for all cells together, is {whole}.", whole=whole)]


def _counted(design: HistogramDesign, truth: Truth) -> list[Message]:
    rows, last, cells = int(truth.counts.sum()), int(truth.counts[-1]), len(truth.counts)
    counted = message("Rows counted: {rows}.", rows=grouped(rows))
    if truth.outside:
        counted = message("Rows counted: {rows}; in no cell: {outside}.", rows=grouped(rows), outside=grouped(truth.outside))
    if cells == 1 or 2 * last <= rows or (design.categories is not None and design.outside == "refuse"):
        return [counted]
    if design.categories is not None:
        return [counted, message("Most of them, {last}, have none of the listed categories.", last=grouped(last))]
    most = message(
        "Most of them, {last}, are in the last cell, {title}. Other cells may show more.",
        last=grouped(last),
        title=design.title(cells - 1),
    )
    return [counted, most]


def _wrong(released: Released, truth: Truth) -> Message:
    errors = np.abs(released.release.released - truth.counts)
    return message(
        "Released once. The average error of a cell is {mean} (expected: {expected}), the largest {most}.",
        mean=at_most(float(errors.mean())),
        most=grouped(int(errors.max())),
        expected=at_most(released.release.expected_error),
    )


def repeated(spent: Sequence[float]) -> str:
    """Return the total epsilon of all releases of a file; empty while there is one at most."""
    if len(spent) < 2:
        return ""
    return message(
        "{count} releases of these data since the program started. Together they spend ε = {total}.",
        count=len(spent),
        total=figure(together(spent), 6),
    )
