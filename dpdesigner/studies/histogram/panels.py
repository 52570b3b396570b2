"""The panels of a histogram: the true and the released counts with their differences, and a sentence on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import grouped
from dpdesigner.messages import message
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.release import Released
from dpdesigner.studies.histogram.release_text import keeping, sentences
from dpdesigner.studies.histogram.true_counts import Truth
from dpdesigner.studies.noise import panels as noise_panels
from dpdesigner.studies.panels import Axis, Band, Bars, Landing, Plot, Strips
from dpdesigner.studies.snapshot import Look, Maker, Waiting
from dpdesigner.studies.table_panels import Sentence

_TRUTH: Any = {"rival_name": message("truth"), "rival_secret": True}
_ROOMS = 5, 3  # of the counts, and of their errors


def rows_text(value: float) -> str:
    """Return a number of rows, or an error of it, in whole numbers."""
    return grouped(float(np.rint(value)) + 0.0).replace("-", "−")  # -0.0 is 0


def truth_of(look: Look) -> Truth | None:
    """Return the true counts of the answer's cells; None where nothing is counted. Raises `Waiting` while others are counted."""
    truth: Truth | None = look.last("truth")
    design: HistogramDesign = look.answer.design
    if truth is None or not design.source.is_set:
        return None
    if truth.source != design.source:
        raise Waiting
    return truth


def released_of(look: Look) -> Released | None:
    """Return what was released, if that is of the answer's cells at its level."""
    made: Released | None = look.last("release")
    return made if made is not None and made.releases(look.answer.design) else None


def histogram(look: Look) -> Strips | Sentence:
    """Bars of the truth and of a release, and below them their differences over the band in which most lie."""
    truth, made = truth_of(look), released_of(look)
    if truth is None and made is None:
        return Sentence("", key="histogram")
    true = None if truth is None else truth.counts.astype(float)
    drawn = None if made is None else made.release.released.astype(float)
    return pair(look.answer, true if look.view["truth"] else None, drawn, made)


def pair(answer: HistogramAnswer, truth: Floats | None, released: Floats | None, of: object = None) -> Strips:
    """Return two plots of the same cells: the counts that are known, and the errors where both are; `of` drops onto the first."""
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
    counts = replace(_plot(answer.design, "histogram", title, message("rows in each cell"), series, ()), landing=landing)
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
        return noise_panels.sentence(look)
    try:
        truth = truth_of(look)
    except Waiting:
        truth = None
    kept = keeping(look.answer.design)
    told = [*sentences(look.answer, truth, released_of(look)), *([kept] if kept else [])]
    parts = {f"part_{place}": part for place, part in enumerate(told)}
    return Sentence(message(" ".join(f"{{{name}}}" for name in parts), **parts), key="told")


#: What makes the panels that the noise of a number does not have.
PANELS: Mapping[str, Maker] = {"histogram": histogram, "told": _sentence}
