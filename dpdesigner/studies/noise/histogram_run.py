"""Run a histogram design; its panels of true and released counts, with sentences on its data and releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import together
from dpdesigner.core.basics.rounding import at_most, figure, grouped
from dpdesigner.core.noise import discrete_staircase
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.messages import Message, message
from dpdesigner.studies.noise import run as noise_run
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer, Released
from dpdesigner.studies.noise.histogram_counts import Truth, check_source
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.run import panels_of
from dpdesigner.studies.panels import Axis, Band, Bars, Landing, Plot, Strips
from dpdesigner.studies.snapshot import Look, Maker, Waiting
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Sentence


def source(design: HistogramDesign) -> str:
    """Return the origin of the data: ``doctor_visits.csv · visits``."""
    if not design.path:
        return message("counts kept in the design") if design.counts is not None else ""
    name = Path(design.path.removeprefix(EXAMPLE)).name
    return f"{name} · {design.column}" if design.column else name


def keeping(design: HistogramDesign) -> str:
    """Return what a saved design reveals about the data; empty if it has none."""
    if design.counts is not None:
        return message("Saved files contain the true counts: anyone who has a file can see them.")
    return message("Saved files contain only the location of the data.") if design.path else ""


def sentences(outcome: HistogramAnswer, truth: Truth | None, released: Released | None) -> list[Message]:
    """Return sentences on the picture, its meaning, and the total privacy level, in this order."""
    noise = message(
        "Each cell gets exact whole-number noise at ε = {cell}, within ±{within} in at least 95% of releases.",
        cell=figure(outcome.cell_privacy.epsilon_above, 4),
        within=outcome.within(),
    )
    if truth is None:
        opens = message("Open a file with one row per person, or drop it here, to release one of its columns.")
        first = [noise] if outcome.design.source.is_set else [noise, opens]
    else:
        first = _counted(outcome.design, truth) if released is None else [_wrong(released, truth)]
    whole = figure(outcome.design.privacy.epsilon_above, 6)
    return [*first, message("Total ε: {whole}.", whole=whole)]


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
    """Return the total epsilon of all releases of a file; empty if there is at most one."""
    if len(spent) < 2:
        return ""
    return message(
        "{count} releases of these data since the program started. Together they spend ε = {total}.",
        count=len(spent),
        total=figure(together(spent), 6),
    )


_TRUTH: Any = {"rival_name": message("truth"), "rival_secret": True}
_ROOMS = 5, 3  # relative heights of the counts and of their errors


def rows_text(value: float) -> str:
    """Return a number of rows, or an error in rows, as an integer."""
    return grouped(float(np.rint(value)) + 0.0).replace("-", "−")  # turns -0.0 into 0


def truth_of(look: Look) -> Truth | None:
    """Return the true counts of the answer's cells; None if nothing is counted. Raises `Waiting` while other data are counted."""
    truth: Truth | None = look.last("truth")
    design: HistogramDesign = look.answer.design
    if truth is None or not design.source.is_set:
        return None
    if truth.source != design.source:
        raise Waiting
    return truth


def released_of(look: Look) -> Released | None:
    """Return the release if it is of the answer's cells at the answer's level."""
    made: Released | None = look.last("release")
    return made if made is not None and made.releases(look.answer.design) else None


def histogram_panel(look: Look) -> Strips | Sentence:
    """Return bars of the true and released counts, and below them the errors over the band that contains most of them."""
    truth, made = truth_of(look), released_of(look)
    if truth is None and made is None:
        return Sentence("", key="histogram")
    true = None if truth is None else truth.counts.astype(float)
    drawn = None if made is None else made.release.released.astype(float)
    return pair(look.answer, true if look.view["truth"] else None, drawn, made)


def pair(answer: HistogramAnswer, truth: Floats | None, released: Floats | None, of: object = None) -> Strips:
    """Return two plots of the same cells: the known counts, and the errors if both are known; `of` drops onto the first."""
    series, errors = list[Bars](), list[Bars]()
    if truth is not None and released is None:
        series.append(Bars(truth, message("truth"), "rival", texts=rows_text, secret=True))
    if released is not None:
        series.append(Bars(released, message("released"), texts=rows_text, rival=truth, **_TRUTH))
    if truth is not None and released is not None:
        errors.append(Bars(released - truth, message("error"), "bound", texts=rows_text, secret=True))
    title, within = message("Released histogram") if released is not None else message("True counts"), float(answer.within())
    places = () if released is None else tuple(map(float, range(len(released))))
    landing = None if released is None or of is None else Landing(places, tuple(released.tolist()), of=of, upright=False)
    counts = replace(_plot(answer.design, "histogram", title, message("rows"), series, ()), landing=landing)
    bound = max(within, 0.5)
    band = Band(-bound, bound, role="main", along="y")
    bounds = message("±{within}: at least 95% of the errors", within=answer.within())
    wrong = _plot(answer.design, "errors", message("Released − truth"), bounds, errors, (band,))
    return Strips("histogram", message("Histogram"), (counts, wrong))


def _plot(design: HistogramDesign, key: str, title: str, hint: str, series: Sequence[Bars], bands: tuple[Band, ...]) -> Plot:
    reach = [1.25 * end for band in bands for end in (band.low, band.high)]
    ends = np.concatenate([[0.0], reach, *(bars.values for bars in series)])
    low, high = float(ends.min()), float(ends.max())
    room = 0.04 * (high - low) or 1.0
    names = tuple(design.title(cell) for cell in range(design.size))
    x = Axis(design.column or message("cell"), scale="names", names=names)
    bars = tuple(series) or (Bars(np.zeros(design.size), role="rival", secret=True),)
    limits = low - room * (low < 0), high + room
    place = 0 if key == "histogram" else 1
    y = Axis(message("rows"), limits=limits) if bands else Axis()
    return Plot(key, title, x, y, bands=bands, bars=bars, room=_ROOMS[place], hint=hint)


def _sentence(look: Look) -> Sentence:
    if look.view.get("view", "") != "histogram":
        return noise_run.sentence(look)
    try:
        truth = truth_of(look)
    except Waiting:
        truth = None
    kept = keeping(look.answer.design)
    told = [*sentences(look.answer, truth, released_of(look)), *([kept] if kept else [])]
    parts = {f"part_{place}": part for place, part in enumerate(told)}
    return Sentence(message(" ".join(f"{{{name}}}" for name in parts), **parts), key="told")


#: The makers of the panels that the noise of a number does not have.
PANELS: Mapping[str, Maker] = {"histogram": histogram_panel, "told": _sentence}


def run(design: HistogramDesign, progress: Progress = silent) -> HistogramAnswer:
    """Compute the noise of a cell, which is that of a count at its share of epsilon.

    Raises
    ------
    InputError
        If the file of the design cannot be read, or has no such column.
    """
    if design.path and design.counts is None:
        check_source(design.source)
    privacy = discrete_staircase.cell_privacy(design.privacy, design.neighbours)
    cell = NoiseDesign("integer", sensitivity=1, privacy=privacy, cost=design.cost, name=design.name)
    return HistogramAnswer(design, noise_run.run(cell, progress), panels_of(design, PANELS))
