"""Run a histogram design; its panels of true and released counts, with sentences on its data and releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.rounding import at_most, figure, grouped
from dpdesigner.core.mechanism.geometric import expected_distance
from dpdesigner.core.noise import discrete_staircase
from dpdesigner.core.noise.discrete_staircase import cell_edges, cell_title, lower_edges
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Given
from dpdesigner.studies.findings import format_finding, with_unit
from dpdesigner.studies.noise import run as noise_run
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer, simulated, statement
from dpdesigner.studies.noise.histogram_counts import Truth, check_source
from dpdesigner.studies.noise.histogram_design import HistogramDesign, Released
from dpdesigner.studies.noise.plots import chance_within, percent
from dpdesigner.studies.noise.run import panels_of
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plain_language import about
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Landing
from dpdesigner.studies.snapshot import Found, Look, Maker, Waiting
from dpdesigner.studies.spending import RECORD, another, so_far
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Sentence


def source(design: HistogramDesign) -> str:
    """Return the origin of the data: ``doctor_visits.csv · visits``."""
    if not design.path:
        return message("counts kept in the design") if design.counts is not None else ""
    name = Path(design.path.removeprefix(EXAMPLE)).name
    return f"{name} · {design.column}" if design.column else name


def keeping(design: HistogramDesign, kept: bool = False) -> Message:
    """Return what a saved design reveals about the data, perhaps with a release that it keeps; empty if it has none."""
    if design.counts is not None:
        return message("Saved files contain the true counts: anyone who has a file can see them.")
    if kept:
        return message("The saved design holds these counts and the location of the file, not its rows.")
    return message("The saved design holds the location of the file, not its rows.") if design.path else message("")


def given(answer: HistogramAnswer, found: Found | None) -> Given:
    """Return what is given away: a release as it was made, or nothing."""
    design, of = answer.design, answer if found is None else found.answer
    made, epsilon = None if found is None else found.value, format_finding(of.findings["epsilon"])
    earlier = made is not None and not made.releases(design)
    spent = RECORD.of(design)
    every, own = so_far(spent) if len(spent) > 1 else message(""), [message("These counts have ε = {epsilon}.", epsilon=epsilon)]
    public = not design.source.is_set or design.path.startswith(EXAMPLE)  # others may have been released elsewhere
    parts, size = list[Message](), message("nothing yet" if public else "no release known")
    if made is not None and not earlier:
        words = "These counts may be published: ε = {epsilon}."
        words = words if of.keeps else f"These counts may be published only if {_public(design)}: ε = {{epsilon}}."
        parts = [message(words, epsilon=epsilon), every]
        size = message("{count} whole numbers", count=design.size)
    elif spent:
        parts = [*([*own, every] if earlier else [so_far(spent)]), another(spent, design.release_loss)]
        size = message("released at ε = {epsilon}", epsilon=epsilon) if earlier else message("released before")
    elif not design.source.is_set:
        parts = [message("There are no data to release.")]
    else:
        words = "Only a release may be published: ε = {epsilon}."
        words = words if of.keeps else f"Only a release may be published, and only if {_public(design)}: ε = {{epsilon}}."
        parts = [message(words, epsilon=epsilon)]
    plot = _small(of.design, made) if design.source.is_set else None
    stated, what = lambda: "\n".join(filter(None, [*statement(of), every])) + "\n", message("the released counts")
    known: Any = {"statement": stated, "ready": made is not None, "earlier": of.design if earlier else None}
    return Given(what, size, _joined([*parts, keeping(design, made is not None and of.keeps and not public)]), plot, **known)


def _public(design: HistogramDesign) -> str:
    return "the cells are public" if design.categories is None else "the list is public"


def costing(design: NoiseDesign | HistogramDesign) -> tuple[str, float, int, str]:
    """Return the cost, the sensitivity of one answer, the number of answers and the unit, which determine the cost's picture."""
    if isinstance(design, HistogramDesign):
        return design.cost, float(design.sensitivity.value), 1, design.rows
    return design.cost, design.period, design.dimension, design.unit


def misfit(design: HistogramDesign, truth: Truth | None) -> tuple[Message, Message, dict[str, Any]]:
    """Return a caution if the cells do not fit the data, and the words and changed inputs of its remedy; empty without one."""
    label, edges = message("Change cells"), () if truth is None or design.categories is not None else cell_edges(design.cells)
    if truth is not None and truth.fitting:
        words = message("Most values are in the last cell or outside all cells. Cells taken from the data are not private.")
        return words, message("Take the cells from the data"), {"cells": truth.fitting, "listed": "data", "counts": None}
    if truth is not None and truth.fractions and design.whole and len(edges) > 1:
        clear = ", ".join(map(str, edges)) if "," in design.cells else f"{design.cells.strip()} by 1"
        first, other = design.title(0), cell_title(edges, 0)
        return message("Some values are fractions: “{first}” counts {other}.", first=first, other=other), label, {"cells": clear}
    if truth is not None and truth.capitals:
        many = with_unit(grouped(truth.capitals), design.rows)
        return message("Differ from the list only in capitals: {many}.", many=many), label, {}
    if truth is None or not truth.below:
        return message(""), label, {}
    many = with_unit(grouped(truth.below), design.rows)
    return message("Below {edge}, so in no cell: {many}.", edge=_edge(truth), many=many), label, {}


def _edge(truth: Truth) -> str:
    return cell_title(cell_edges(truth.source.cells), 0).partition(" ")[0]


_DROWNED = 1 / 3  # the share of the errors from which a verdict says that they exceed what is measured


def _landed(answer: HistogramAnswer, counts: Integers) -> tuple[Message, ...]:
    within, bound, size = answer.within(), answer.all_within(), len(counts)
    few, words = int((np.abs(counts) <= bound).sum()), message("{short} {few} of {count} are within ±{bound} of 0, so may be 0.")
    whole = message("<b>All {count} counts are within ±{bound} of the truth in at least 95% of releases.</b>")
    each = message(
        "<b>Each count is within ±{within} of the truth in at least 95% of releases, all {count} at once within ±{bound}.</b>"
    )
    if size == 1:
        whole = each = message("<b>The count is within ±{bound} of the truth in at least 95% of releases.</b>")
    words = message("{short} All {count} are clearly above 0.") if counts.min() > bound and size > 1 else words
    opens = [message(start, within=within, count=size, bound=bound) for start in (each, whole)]
    return *(message(words, short=start, few=few, count=size, bound=bound) for start in opens), opens[1]


def verdict(answer: NoiseAnswer | HistogramAnswer, truth: Truth | None, made: Found | None = None) -> tuple[Message, ...]:
    """Return, from long to short, the meaning of a release, or that noise drowns the answer or an average cell; else nothing."""
    if isinstance(answer, HistogramAnswer) and made is not None and made.value.releases(answer.design):
        return _landed(answer, made.value.release.released)
    noise, epsilon = answer.noise_shown, figure(answer.design.privacy.epsilon, 3)
    if isinstance(answer, HistogramAnswer):
        size = 0.0 if truth is None else int(truth.counts.sum()) / answer.cells
        rows = escape(answer.design.rows)
        short = message("<b>Too few {rows} for ε = {epsilon}</b>", rows=rows, epsilon=epsilon)
        what = message("an average cell, {rows}", rows=with_unit(figure(size, 4), rows))
    else:
        given = answer.design.true_answer if answer.design.dimension == 1 else None
        size = 0.0 if given is None else abs(float(exact(given)))
        short = message("<b>Too much noise at ε = {epsilon}</b>", epsilon=epsilon)
        what = message("the true answer, {answer}", answer=with_unit(str(given), escape(answer.design.unit)))
    if not size or (beyond := 1 - chance_within(noise, size)) < _DROWNED:
        return ()
    return message("{short}: {share} of the errors exceed {what}.", short=short, share=percent(beyond), what=what), short


def _joined(sentences: Sequence[str]) -> Message:
    parts = {f"part_{place}": part for place, part in enumerate(filter(None, sentences))}
    return message(" ".join(f"{{{name}}}" for name in parts), **parts)


def sentences(
    outcome: HistogramAnswer, truth: Truth | None, released: Released | None, errors: Integers | None = None, seen: bool = True
) -> list[Message]:
    """Return sentences on the picture and its meaning; nothing that is computed from the truth unless it is seen."""
    bound = message("Each count is within ±{within} of the truth in at least 95% of releases.", within=outcome.within())
    if truth is None:
        opens = message("Open a file with one row per person, or drop it here, to release one of its columns.")
        return [bound] if outcome.design.source.is_set else [bound, opens]
    if released is not None:
        below = message("Counts below 0 may be published as 0.")
        told = _wrong(released, truth, outcome.within()) if seen else bound
        return [told, *([below] if (released.release.released < 0).any() else [])]
    if errors is not None:
        inside = percent(float((np.abs(errors) <= outcome.within()).mean()))
        many = message("{count} simulated releases: {inside} of the counts are within ±{within}.")
        return [message(many, count=len(errors), inside=inside, within=outcome.within())]
    return _counted(outcome, truth) if seen else [bound]  # which the picture has, too, while the truth is seen


def _counted(outcome: HistogramAnswer, truth: Truth) -> list[Message]:
    design, rows, last, cells = outcome.design, int(truth.counts.sum()), int(truth.counts[-1]), len(truth.counts)
    shown = with_unit(grouped(rows), design.rows)
    counted = message("Counted: {rows}", rows=shown)
    if truth.outside:
        empty = " or ".join(["empty", *([", ".join(f"“{mark}”" for mark in truth.marks)] if truth.marks else [])])
        why = [*([empty] if truth.outside > truth.below else []), *([f"below {_edge(truth)}"] if truth.below else [])]
        words = message("Counted: {rows}; in no cell: {outside} ({why})")
        counted = message(words, rows=shown, outside=grouped(truth.outside), why=", ".join(why))
    if rows:
        share = about(expected_distance(outcome.cell_privacy) * 100 * cells / rows)
        counted = message("{counted}; expected error: about {share}% of an average cell", counted=counted, share=share)
    counted = message("{counted}.", counted=counted)
    if cells == 1 or 2 * last <= rows or (design.categories is not None and design.outside == "refuse"):
        return [counted]
    most = message("All {last}") if last == rows else message("Most of them, {last},")
    most = message(most, last=grouped(last))
    if design.categories is not None:
        return [counted, message("{most} have none of the listed categories.", most=most)]
    ends = message("{most} are in the last cell, {title}. Other cells may show more.")
    return [counted, message(ends, most=most, title=design.title(cells - 1))]


def _wrong(released: Released, truth: Truth, within: int) -> Message:
    errors = np.abs(released.release.released - truth.counts)
    inside, mean, most = int((errors <= within).sum()), at_most(float(errors.mean())), grouped(int(errors.max()))
    words = message(
        "Released: {inside} of {cells} cells are within ±{within}. The average error is {mean} (expected: {expected}), the "
        "largest {most}."
    )
    expected = figure(released.release.expected_error, 4)  # as in the headline
    return message(words, inside=inside, cells=len(errors), within=within, mean=mean, most=most, expected=expected)


def _small(design: HistogramDesign, made: Released | None) -> Plot:
    """Return a small picture of the released counts; before, it has only their names."""
    names = lower_edges(design.edges) if design.categories is None else _names(design)
    heights = np.zeros(design.size) if made is None else made.release.released.astype(float)
    bars = Bars(heights, message("released"), close=True)
    return Plot("given", message("Released counts"), Axis(scale="names", names=names), Axis(), bars=(bars,))


def _names(design: HistogramDesign) -> tuple[str, ...]:
    return tuple(design.title(cell) for cell in range(design.size))


_TRUTH: Any = {"rival_name": message("truth"), "rival_secret": True}
_ERRORS = 60  # at most this many bars of simulated errors in a cell
MOST_NUMBERED, _LETTERS = 16, 100  # up to this many bars and letters, each bar has its number above it; others have an axis
_RANGES, _EDGE = 10, 4  # from more cells on, longer names than this are only their lower edges
_SPREAD = 0.45  # the widest of them reaches this far to both sides, in cells


def rows_text(value: float) -> str:
    """Return a number of rows, or an error in rows, as an integer."""
    return grouped(float(np.rint(value)) + 0.0).replace("-", "−")  # turns -0.0 into 0


def truth_of(look: Look) -> Truth | None:
    """Return the true counts of the answer's cells; None if nothing is counted, or not yet."""
    truth: Truth | None = look.last("truth")
    return truth if truth is not None and truth.source == look.answer.design.source else None


def released_of(look: Look) -> Released | None:
    """Return the release if it is of the answer's cells at the answer's level."""
    made: Released | None = look.last("release")
    return made if made is not None and made.releases(look.answer.design) else None


def histogram_panel(look: Look) -> Strips | Sentence:
    """Return bars of the released counts, or simulated ones before, over the true counts; below them the errors."""
    truth, made = truth_of(look), released_of(look)
    if truth is None and look.last("truth") is not None and look.answer.design.source.is_set:
        raise Waiting  # other data were counted before
    if truth is None and made is None:
        return Sentence("", key="histogram")
    shown = made if made is not None or truth is None else simulated(look.answer.design, truth)
    true = None if truth is None or not look.view["truth"] else truth.counts.astype(float)
    drawn = None if shown is None else shown.release.released.astype(float)
    return pair(look.answer, true, drawn, made, real=made is not None, errors=look.done("simulated"))


def pair(
    answer: HistogramAnswer,
    truth: Floats | None,
    released: Floats | None,
    of: object = None,
    *,
    real: bool = True,
    errors: Integers | None = None,
) -> Strips:
    """Return two plots of the same cells: the counts (d,), and the errors if true and released counts are known.

    `of` is the release that drops onto the first plot. Counts that are not `real` are simulated and stay in the window.
    `errors`, (releases, d), are those of simulated releases, dots in the second plot.
    """
    series, wrong = list[Bars](), list[Bars]()
    name, bound = message("released") if real else message("simulated"), answer.all_within()
    behind: Any = {"faint": True, "strong": np.zeros(answer.cells, dtype=bool)}
    faint = {} if real and errors is None else behind
    if released is not None:
        strong = {"faint": True, "strong": np.abs(released) > bound} if real else behind
        series.append(Bars(released, name, texts=rows_text, rival=truth, secret=not real, **strong, **_TRUTH))
    elif truth is not None:
        series.append(Bars(truth, message("truth"), "rival", texts=rows_text, secret=True))
    if truth is not None and released is not None:
        wrong.append(Bars(released - truth, message("error"), texts=rows_text, secret=True, **faint))
    title = message("Released counts") if real else message("Simulated release")
    pale = message("pale: may be 0") if real and released is not None and (np.abs(released) <= bound).any() else message("")
    hint = pale if real else message("not for publication")
    if truth is not None:
        known = message("— truth, not public") if real else message("— truth")
        hint = message("{truth} · {hint}", truth=known, hint=hint) if hint else known
    within = float(answer.within())
    landing = None if of is None else Landing((), of=of, bars=True)
    both = message("each ±{within}, all ±{bound} (95%)", within=answer.within(), bound=bound)
    under = tuple(filter(None, (both, pale))) if real else ()
    counts = replace(_plot(answer.design, "histogram", title, hint, series, ()), landing=landing, under=under)
    band = Band(-max(within, 0.5), max(within, 0.5), role="main", along="y")
    bounds = message("at least 95% within ±{within}", within=answer.within())
    if errors is None and wrong and not wrong[0].values.any():
        bounds = message("no error this time")
    elif errors is None and wrong and not real and (far := int((np.abs(wrong[0].values) > answer.within()).sum())):
        bounds = message("{far} of {all} outside · ≥ 95% within ±{within}", far=far, all=answer.cells, within=answer.within())
    if errors is not None:
        bounds = message("grey: simulated releases · {bound}", bound=bounds)
    title = message("Released − truth") if real else message("Simulated − truth")
    reach = 0.0 if errors is None else float(np.abs(errors).max())
    below = _plot(answer.design, "errors", title, bounds, wrong, (band,), reach)
    if errors is not None:
        below = replace(below, landing=Landing(of=errors, boxes=_shares(errors)))
    return Strips("histogram", message("Histogram"), (counts, below) if wrong or errors is not None else (counts,), labelled=0)


def _shares(errors: Integers) -> Floats:
    """Return a bar for each error of each cell, as wide as its share of the releases; the widest takes most of its cell."""
    step = 1 + int(np.ptp(errors)) // _ERRORS  # whole numbers in one bar
    low = int(errors.min()) - int(errors.min()) % step
    steps = (errors - low) // step
    (cell, up), counts = np.unique(np.stack((np.indices(steps.shape)[1], steps)).reshape(2, -1), axis=1, return_counts=True)
    start, half = low + step * up - 0.5, _SPREAD * counts / counts.max()
    return np.column_stack([cell - half, start, cell + half, start + step])


def _plot(
    design: HistogramDesign, key: str, title: str, hint: str, series: Sequence[Bars], bands: tuple[Band, ...], least: float = 0.0
) -> Plot:
    reach = [1.25 * end for band in bands for end in (band.low, band.high)]
    ends = np.concatenate([[-least, 0.0, least], reach, *(bars.values for bars in series)])
    low, high = float(ends.min()), float(ends.max())
    room = 0.04 * (high - low) or 1.0
    names, column = _names(design), design.column or message("cell")
    if design.categories is None and design.size > _RANGES and max(map(len, names[:-1])) > _EDGE:
        names, column = lower_edges(design.edges), message("{column} · lower edges", column=column)
    x = Axis(column, scale="names", names=names)
    bars = tuple(series) or (Bars(np.zeros(design.size), role="rival", secret=True),)
    limits = low - room * (low < 0), high + room
    longest = max((len(rows_text(value)) for each in series for value in each.values), default=0)
    y = Axis(design.rows, scale="whole") if design.size > MOST_NUMBERED or design.size * longest > _LETTERS else Axis()
    y = Axis(design.rows, scale="whole", limits=limits) if bands else y
    return Plot(key, title, x, y, bands=bands, bars=bars, room=6 if bands else 4, hint=hint)


def _sentence(look: Look) -> Sentence:
    if look.view.get("view", "") != "histogram":
        return noise_run.sentence(look)
    truth, made = truth_of(look), released_of(look)
    told = sentences(look.answer, truth, made, look.done("simulated"), bool(look.view["truth"]))
    return Sentence(_joined(told), key="told")


#: The makers of the panels that the noise of a number does not have.
PANELS: Mapping[str, Maker] = {"density": noise_run.densities, "histogram": histogram_panel, "told": _sentence}


def run(design: HistogramDesign, progress: Progress = silent) -> HistogramAnswer:
    """Compute the noise of a cell, which is that of a count at its share of epsilon.

    Raises
    ------
    InputError
        If the file of the design cannot be read, or has no such column.
    """
    if design.path and design.counts is None:
        check_source(design.source)
    return answered(design, progress)


def answered(design: HistogramDesign, progress: Progress = silent) -> HistogramAnswer:
    """Return the answer without a look at the file, as for a release that was made already."""
    privacy = discrete_staircase.cell_privacy(design.privacy, design.neighbours)
    cell = NoiseDesign("integer", sensitivity=1, privacy=privacy, cost=design.cost, name=design.name, unit=design.unit)
    return HistogramAnswer(design, noise_run.run(cell, progress), panels_of(design, PANELS))
