"""The answer to a design of a synthetic column: findings, sentences and plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.parsing import double
from dpdesigner.core.basics.rounding import figure, group_thousands
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.error_bounds import ErrorBound
from dpdesigner.core.synthetic.method_comparison import RELEASES, EpsilonCurve, enumerated
from dpdesigner.core.synthetic.methods import all_error_bounds, make
from dpdesigner.data.grid import tabbed
from dpdesigner.messages import message
from dpdesigner.studies.answer import Given
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.fields import KEPT
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Landing, Line, Mark, epsilon_handle
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.design import NEIGHBOURS, WAYS, IntervalDesign, real_counts
from dpdesigner.studies.synthetic.statements import ColumnResult
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence, Table

_MOST_DRAWN, _MOST_BARS = 4096, 1024
_MOST_CHARGES = 200  # in a table


def chosen(facts: ColumnResult, view: Mapping[str, Any]) -> tuple[int, int]:
    """Return the selected interval: cells low to high - 1; by default the worst one."""
    given = ((view.get("low"), facts.worst.low), (view.get("high"), facts.worst.high))
    cells = facts.design.cells
    low, high = sorted(cells.nearest_edge(at) if isinstance(at, (int, float)) else own for at, own in given)
    return (low, high) if low < high else (min(low, cells.size - 1), min(low, cells.size - 1) + 1)


def panels(facts: ColumnResult, view: Mapping[str, Any]) -> Sequence[Panel]:
    """Return all panels."""
    low, high = chosen(facts, view)
    return (
        _total(facts, low, high),
        _difference(facts, low, high)
        if facts.paths is None
        else releases(np.ptp(facts.paths, axis=1).astype(float), abs(facts.worst.error), facts.bound_rows),
        _histogram(facts),
        _budget(facts),
        _failing(facts),
        Sentence(statements.interval_sentence(facts, low, high), secret=True),
        charges(facts),
        _ways(facts),
        *([] if facts.epsilon_curve is None else [_against(facts)]),
    )


def _edges(facts: ColumnResult, *needed: int) -> NDArray[np.intp]:
    """Return the edges to draw: all of them, or a selection if there are very many, including the needed ones."""
    size = facts.design.cells.size
    return np.unique(np.append(np.linspace(0, size, min(size, _MOST_DRAWN) + 1).astype(np.intp), needed))


def _axis(facts: ColumnResult) -> Axis:
    cells = facts.design.cells
    return Axis(facts.design.column.title, limits=(float(cells.low), float(cells.high)))


def _handles(facts: ColumnResult, low: int, high: int) -> tuple[Handle, ...]:
    edges, step = facts.design.cells.edges, float(facts.design.cells.width)
    text = message("worst") if (low, high) == (facts.worst.low, facts.worst.high) else message("chosen")
    return (
        Handle(float(edges[low]), text, "view.low", secret=True, step=step),
        Handle(float(edges[high]), "", "view.high", secret=True, step=step),
    )


def _total(facts: ColumnResult, low: int, high: int) -> Plot:
    """Plot both running totals, and the band that contains the real one in all but a share delta of releases."""
    at = _edges(facts, low, high)
    edges, made = facts.design.cells.edges, facts.totals[1][at].astype(float)
    under = upper = None
    if (rows := facts.bound_rows) is not None:
        under, upper = np.clip(made - rows, 0, None), np.clip(made + rows, None, facts.total)
    lines = (
        Line(edges[at], made, message("synthetic"), low=under, high=upper),
        Line(edges[at], facts.totals[0][at].astype(float), statements.truth(facts.design), "truth", secret=True),
    )
    bands = (Band(float(edges[low]), float(edges[high]), role="other", secret=True),)
    y = Axis(message("rows below"))
    return Plot(
        "total", message("Rows up to each value"), _axis(facts), y, lines, bands=bands, handles=_handles(facts, low, high)
    )


def _difference(facts: ColumnResult, low: int, high: int) -> Plot:
    """The error of the synthetic running total; the band is as high as the error bound, which is on differences of two points."""
    edges = facts.design.cells.edges
    path, at = facts.totals[2], _edges(facts, low, high)
    name = message("synthetic − {truth}", truth=statements.truth(facts.design))
    line = Line(edges[at], path[at].astype(float), name, short=" ", secret=True)  # its name is on the axis
    places, heights = (tuple(float(values[end]) for end in (low, high)) for values in (edges, path))
    words = statements.allowed(abs(int(path[high] - path[low])), facts.bound_rows, facts.total)
    landing = Landing(places, heights, of=facts.synthetic, upright=False)
    bracket = Line(np.array([*places, places[1]]), np.array([heights[0], *heights]), words, "other", secret=True)
    rows = facts.bound_rows or 0
    middle, half = (float(path.max()) + float(path.min())) / 2, max(float(np.ptp(path)), rows, 1) * 0.55
    bands: tuple[Band, ...] = (Band(float(edges[low]), float(edges[high]), role="other", secret=True),)
    if rows:
        text = message("error bound: {rows}", rows=group_thousands(rows))
        bands += (Band(middle - rows / 2, middle + rows / 2, text, "main", along="y", secret=True),)
    y = Axis(name, limits=(middle - half, middle + half))
    handles = _handles(facts, low, high)
    return Plot("difference", message("Errors"), _axis(facts), y, (line, bracket), bands=bands, handles=handles, landing=landing)


_PLACES, _HIGH = 50, 20  # of stacked dots: along the axis, and above one another; higher stacks are bars


def releases(
    errors: Floats | None,
    here: float,
    bound: float | None,
    unit: str = "",
    most: float = 0.0,
    least: float = 0.0,
    what: str = message("worst error"),
) -> Plot:
    """Return a dot for each of many more releases, stacked at its worst error, with the bound and the error of this release.

    Parameters
    ----------
    errors : ndarray or None
        (releases,): in rows, or in percent; None while they are computed, so that no picture moves.
    here, bound : float, float or None
        Of this release; the bound is the end of one of the stacks, so that no stack is on both of its sides.
    unit : str
        ``"%"``, or empty for rows.
    most, least : float
        The ends of the axis; 0: it fits.
    what : str
        The name of the axis.
    """
    given, title = errors, message("{count} simulated releases", count=RELEASES if errors is None else len(errors))
    errors = np.sort(np.array([here]) if errors is None else errors)
    limit = most or 1.1 * max(float(errors.max()), here, bound or 0.0, 1.0)
    width = (limit - least) / _PLACES if unit else max(round(limit / _PLACES), 1)
    start = (bound or 0.0) + (0.0 if unit else 0.5)  # numbers of rows are whole: the bound itself is inside
    places = start + (np.ceil((np.append(errors, here).clip(least + 1e-6 * width) - start) / width - 1e-9) - 0.5) * width
    stacks, at = places[:-1], float((places[:-1] == places[-1]).sum())
    heights = np.arange(0.5, len(stacks)) - np.searchsorted(stacks, stacks)
    top = max(_HIGH, 1.1 * float(heights.max()) + 3.0)  # with room for the dot of this release
    line = Line(stacks, heights, dots=True, sizes=np.full(len(stacks), 0.45 / top), secret=True)
    if heights.max() > _HIGH:
        ends, drawn = np.unique(stacks, return_counts=True)
        tops = drawn.astype(float)
        x, high = np.repeat(ends, 4), np.column_stack([0 * tops, tops, tops, 0 * tops]).ravel()
        x += np.tile([-0.4, -0.4, 0.4, 0.4], len(ends)) * width
        line = Line(x, np.full(len(x), np.nan), low=0 * x, high=high, filled=True, secret=True)
    else:
        line = replace(line, texts=tuple(f"{what}: {figure(each, 3)}{unit}" for each in errors.tolist()))
    bands, parts = tuple[Band, ...](), dict[str, Any](landing=None if given is None else Landing((), of=given, bars=True), room=4)
    if bound:
        inside = int((errors <= bound * (1 + 1e-12)).sum())
        within = f"{figure(bound, 3)}%" if unit else group_thousands(int(bound))
        parts["hint"] = (
            message("computing…")
            if given is None
            else message("{inside} of {count} within {bound}", inside=inside, count=len(errors), bound=within)
        )
        bands = (Band(0.0, bound, "", "main", secret=True),)
    x_axis = Axis(what, unit or message("rows"), "linear" if unit else "whole", limits=(least, limit))
    now = Mark(here, at + top / _HIGH, message("this release"), "other", secret=True)
    return Plot("releases", title, x_axis, Axis(limits=(0.0, top), ticks=()), (line,), (now,), bands, **parts)


def _histogram(facts: ColumnResult) -> Plot:
    cells = facts.design.cells
    together = max(cells.size // _MOST_BARS, 1)
    made, real = (counts.reshape(-1, together).sum(axis=1).astype(float) for counts in (facts.synthetic.counts, facts.real))
    places = cells.places if together == 1 else cells.edges[:-1:together] + float(together * cells.width) / 2
    ends = np.append(places, places[-1]) + float(together * cells.width) * np.append(np.full(len(places), -0.5), 0.5)
    outline = ends.clip(float(cells.low), float(cells.high)), np.append(real, real[-1])  # as wide as the synthetic ones
    lines = (
        Line(places, made, message("synthetic"), spikes=True),
        Line(*outline, statements.truth(facts.design), "truth", secret=True, steps=True),
    )
    what = message("rows in a cell") if together == 1 else message("rows in {count} cells", count=together)
    under = (message("Synthetic rows where there are no real ones are noise."),)
    return Plot("histogram", message("Histogram"), _axis(facts), Axis(what), lines, under=under)


def _small(facts: ColumnResult) -> Plot:
    """Return a small plot of the release: the synthetic column alone."""
    whole = _histogram(facts)
    x, y = Axis(limits=whole.x.limits), Axis(limits=(0.0, max(float(whole.lines[0].y.max()), 1.0)), ticks=())
    return replace(whole, key="given", x=x, y=y, lines=(replace(whole.lines[0], name=""),))


def _budget(facts: ColumnResult) -> Plot:
    """Plot epsilon used, count by count."""
    spent = np.cumsum([0.0, *(float(charge.epsilon) for charge in facts.synthetic.charges)])
    whole = facts.design.privacy.epsilon
    asked = np.arange(len(spent), dtype=float)
    lines = (Line(asked, spent, message("ε used"), steps=True),)
    bound = Band(whole, whole, message("ε = {epsilon}", epsilon=facts.design.epsilon), "bound", along="y")
    x = Axis(message("queries on the real column"), scale="whole", limits=(0.0, max(float(len(spent) - 1), 1.0)))
    left = message("{used} of {all} used.", used=figure(float(spent[-1]), 4), all=figure(whole, 4))
    if facts.design.method == "blr":
        left = message("{used} Bisection leaves the rest unused.", used=left)
    note = statements.HOW[facts.design.method]
    return Plot(
        "budget",
        message("Budget by query"),
        x,
        Axis("ε", limits=(0.0, whole * 1.08)),
        lines,
        bands=(bound,),
        under=(note, left),
    )


def charges(facts: ColumnResult) -> Table:
    """Return the queries to the real column, their noisy answers and their cost; all of it may be published."""
    cells, rows = facts.design.cells, []
    for charge in facts.synthetic.charges[:_MOST_CHARGES]:
        where = [statements.place(float(cells.edges[end])) for end in (charge.low, charge.high)]
        answer = str(charge.answer)
        if charge.answer is None:
            answer = message("all cells at once") if charge.high - charge.low == cells.size else message("chosen for its error")
        rows.append((*where, answer, figure(charge.epsilon, 4)))
    title, header = message("Queries"), (message("from"), message("to below"), message("answer with noise"), "ε")
    return Table("asked", title, header, tuple(rows))


def _failing(facts: ColumnResult) -> Plot:
    """The failure rate of bisection against the number of rows, with the stated and the corrected size."""
    failures = sorted(facts.failing, key=lambda each: each.rows)
    marks = tuple(
        Mark(float(size), 0.0, text)
        for size, text in ((facts.sizes.stated, message("as printed")), (facts.sizes.right, message("corrected")))
    )
    x, y = Axis(message("rows"), scale="log"), Axis(message("releases off by more than α"), "%", limits=(0.0, 105.0))
    if failures:
        rows, share, error = np.array([(each.rows, each.share, each.error) for each in failures], dtype=float).T
        low, high = (np.clip(100 * (share + sign * 2 * error), 0, 100) for sign in (-1, 1))
        lines = (Line(rows, 100 * share, message("bisection, flat columns"), low=low, high=high),)
    else:
        lines = (Line(np.array([facts.sizes.stated]), np.array([np.nan]), message("measuring…"), secret=True),)
    marks += (Mark(float(max(facts.total, 1)), 0.0, message("{rows} rows here", rows=group_thousands(facts.total)), "truth"),)
    under = message(
        "Flat columns in {cells} cells, ε = {epsilon}, α = {alpha}; the band is two standard errors.",
        cells=group_thousands(1 << facts.design.bits),
        epsilon=facts.design.epsilon,
        alpha=facts.design.error,
    )
    return Plot("failures", message("Bisection misses its aim"), x, y, lines, marks, under=(under,))


def _ways(facts: ColumnResult) -> Ranking:
    """A bar for the error bound of each method, known at once, then its typical measured error, which is for the owner."""
    rows = []
    for method, name in (way for way in WAYS if way[0] != "blr" or facts.design.method == "blr"):
        promise, typical = facts.bounds.get(method), facts.typical.get(method)
        rows_off = None if promise is None else promise.rows
        told = message("no bound") if rows_off is None else f"{statements.percent(rows_off, facts.total)}%"
        told += "*" if promise is not None and promise.tied else ""
        off = "–" if facts.typical else "…"
        if typical is not None:
            off = f"{statements.measured_percent(typical, facts.rows)}%"
        label = message("★ {name}", name=name) if facts.typical and method == facts.recommended else name
        role: Role = "main" if method == facts.design.method else "rival"
        bound = None if rows_off is None else float(min(rows_off, facts.total))
        rows.append(Rank(label, bound, role, key=method, text=told, second=off))
    note = message("Bars: error bound. Typical: for you only.")
    if tied := {promise.tied for promise in facts.bounds.values() if promise is not None and promise.tied}:
        note = message("{note} * only if no cell holds more than {tied} rows.", note=note, tied=group_thousands(max(tied)))
    title, head, chosen = message("Which method is best here?"), message("typical"), facts.design.method
    instead = statements.alternatives(facts)
    return Ranking("ways", title, tuple(rows), "method", chosen, head, note=note, secret=True, instead=instead)


def _against(facts: ColumnResult) -> Plot:
    curve, here = facts.epsilon_curve or EpsilonCurve((), (), ()), facts.design.privacy.epsilon
    curve = curve.through(here, facts.bound_rows, facts.typical.get(facts.design.method))
    return error_against_epsilon(curve, here, facts.total, facts.rows)


def error_against_epsilon(against: EpsilonCurve, epsilon: float, made: int, rows: int, secret: bool = False) -> Plot:
    """Plot an error bound, as a share of the rows that are made, and for the owner the measured error of the real rows."""
    epsilons, total = np.array(against.epsilons), max(made, 1)
    lines = []
    if np.isfinite(against.bounds).any():
        shares = np.minimum(100 * np.array(against.bounds) / total, 100)
        lines.append(Line(epsilons, shares, message("error bound"), secret=secret))
    lines.append(Line(epsilons, 100 * np.array(against.measured) / rows, message("typical"), "truth", dashed=True, secret=True))
    handle, ends = epsilon_handle(epsilon), (min(epsilon, *against.epsilons), max(epsilon, *against.epsilons))
    known = lines[0].y[np.isfinite(lines[0].y)]  # error bounds, if any: the axis must not depend on the real column
    highest = float(known.max()) if known.size else 100.0
    x, y = Axis("ε", scale="log", limits=ends), Axis(message("error"), "%", limits=(0.0, min(max(highest, 0.01), 100.0) * 1.05))
    return Plot("against", message("Error against ε"), x, y, tuple(lines), handles=(handle,), room=2)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IntervalAnswer(Answer):
    """A synthetic column and the findings about it.

    Attributes
    ----------
    design : IntervalDesign
    counts : ndarray of int
        (2^bits,): how many synthetic rows each cell has.
    synthetic : ndarray
        The synthetic column, in the units of the real one, in rising order.
    facts : ColumnResult
        The real counts, for their owner, the error bound, and what it was computed from.
    findings : mapping of str to Finding
    """

    design: IntervalDesign
    facts: ColumnResult

    @property
    def counts(self) -> Integers:
        """(2^bits,): the synthetic counts."""
        return self.facts.synthetic.counts

    @property
    def listed(self) -> Mapping[str, Finding]:
        """The findings in the window's list; the sizes for bisection only where it is the method."""
        bisection = self.design.method == "blr"
        return {key: each for key, each in self.findings.items() if bisection or "size" not in key}

    @cached_property
    def synthetic(self) -> Floats:
        """The synthetic column, in the units of the real one, in increasing order."""
        return self.design.cells.values(self.facts.synthetic.counts)

    @cached_property
    def given(self) -> Given:
        """The public part of the column, which is given away."""
        design = self.design
        what = message("the synthetic column “{name}”, one row per line", name=design.column.title)
        size = message("{rows} synthetic rows", rows=group_thousands(self.facts.total))
        note, text = statements.publication(design), "\n".join(statements.statement(self.facts)) + "\n"
        return Given(what, size, note, _small(self.facts), self._rows, lambda: text, design.seed is not None)

    def _rows(self) -> str:
        values = (f"{value:.15g}" for value in self.synthetic.tolist())
        return tabbed([cell] for cell in (self.design.column.title, *values)) + "\n"

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels of a view."""
        return panels(self.facts, view)


def answered(
    design: IntervalDesign, progress: Progress = silent, kept: ColumnResult | None = None, *, quick: bool = False
) -> IntervalAnswer:
    """Make a column and compute its error bounds.

    Parameters
    ----------
    design, progress : IntervalDesign, Progress
    kept : ColumnResult or None
        Has the column to take instead of making one: of a design with the same `noise_key`.
    quick : bool
        Whether the promise may rest on fewer simulated releases; see `surer`.
    """
    same = kept is not None and kept.design.replace(real_errors=design.real_errors, name=design.name) == design
    if kept is not None and same and (quick or not kept.provisional):
        return interval_answer(replace(kept, design=design))
    real = real_counts(design)
    progress(None, "")
    made = kept.synthetic if kept else make(real, design.way, design.budget, design.accuracy, source_of(design.seed), progress)
    clamped = design.column.outside(design.cells) if design.outside == "clamp" and not design.drawn else 0
    moved = design.column.incomplete if design.column.partial else 0, clamped
    return interval_answer(ColumnResult(design, made, real, _promises(design, quick, progress, made.total), moved=moved))


def surer(facts: ColumnResult, progress: Progress = silent) -> IntervalAnswer:
    """Return the answer with the same column, and with error bounds from many simulated releases."""
    return interval_answer(replace(facts, bounds=_promises(facts.design, False, progress, facts.total)))


def interval_answer(facts: ColumnResult) -> IntervalAnswer:
    """Return the answer for a synthetic column."""
    return IntervalAnswer(
        design=facts.design,
        findings=_findings(facts),
        sentence=statements.sentence(facts),
        badge=facts.design.badge(),
        checks=statements.checks(facts),
        why=Why(template="synthetic", help="synthetic"),
        facts=facts,
    )


def _promises(design: IntervalDesign, quick: bool, progress: Progress, total: int) -> Mapping[str, ErrorBound | None]:
    return all_error_bounds(design.bits, design.budget, double(design.delta), total, design.accuracy, design.way, quick, progress)


def _findings(facts: ColumnResult) -> dict[str, Finding]:
    design = facts.design
    return {
        "promised-error": _promised(facts),
        "worst-error": _worst(facts),
        "recommended": Finding(
            message("best method here"),
            dict(WAYS)[facts.recommended] if facts.recommended else None,
            note=statements.reason(facts),
        ),
        "epsilon": design.of_epsilon(dict(NEIGHBOURS)[design.neighbours]),
        **_exact(facts),
        "rows": Finding(message("rows"), facts.total),
        **_moved(facts),
        "largest-share": Finding(
            message("fullest cell"),
            float(facts.real.max() / facts.rows),
            digits=2,
            share=True,
            secret=True,
            note=statements.ties(facts),
        ),
        **_sizes(facts),
    }


def _moved(facts: ColumnResult) -> dict[str, Finding]:
    """Return how many rows were left out and how many were clamped, where the design allows either; for the owner."""
    design, (left, many) = facts.design, facts.moved
    clamped = Finding(message("rows clamped"), many, secret=True, note=message("do not publish"))
    found = left_out(left, design.neighbours == "replace") if design.partial else {}
    return found | ({"rows-clamped": clamped} if design.outside == "clamp" else {})


def left_out(many: int, public: bool = True) -> dict[str, Finding]:
    """Return how many rows without a number were left out, for the owner, and if the number left is public."""
    note = message("the number left is public" if public else "do not publish")
    return {"rows-left-out": Finding(message("rows left out"), many, secret=True, note=note)}


def _promised(facts: ColumnResult) -> Finding:
    rows, total = facts.bound_rows, facts.total
    label = message("error bound")
    if rows is None or not total:
        return Finding(label, None, note=statements.no_bound(facts, brief=True))
    state: State = "pending" if facts.provisional else "proved" if facts.tied else "measured"
    note = message("{rows} of {total} rows", rows=group_thousands(rows), total=group_thousands(total))
    if facts.tied:
        note = message("{bound}, if no cell contains more than {tied} rows", bound=note, tied=group_thousands(facts.tied))
    if facts.provisional:
        note = message("{promise}; more draws follow", promise=note)
    return Finding(label, rows / total, digits=3, rounding="up", share=True, state=state, note=note)


def _worst(facts: ColumnResult) -> Finding:
    value, where = abs(facts.worst.error) / facts.rows, statements.interval(facts.design, facts.worst.low, facts.worst.high)
    note = message("{rows} rows, {where}", rows=group_thousands(abs(facts.worst.error)), where=where)
    kept = facts.design.real_errors == KEPT
    return Finding(message("measured error"), value, digits=2, share=True, secret=kept, note=note)


def _exact(facts: ColumnResult) -> dict[str, Finding]:
    """Return the attained privacy of a method, by enumeration, on tiny domains."""
    design = facts.design
    enumeration = enumerated(design.way, design.bits, facts.rows, design.budget, design.accuracy)
    if enumeration is None:
        return {}
    note = statements.ENUMERATED[design.method]
    return {
        "epsilon-exact": Finding(
            message("privacy, enumerated"), enumeration.epsilon, digits=6, rounding="up", state="proved", note=note
        )
    }


def _sizes(facts: ColumnResult) -> dict[str, Finding]:
    note = message("for α = {alpha}", alpha=figure(double(facts.design.error), 3))
    return {
        "stated-size": Finding(message("bisection, as printed"), facts.sizes.stated, "rows", note=note),
        "corrected-size": Finding(message("bisection, corrected"), facts.sizes.right, "rows"),
        "corrected-size-smooth": Finding(message("corrected, 8/α not rounded"), facts.sizes.smooth, "rows"),
    }
