"""Two synthetic columns at once, so that every rectangle of cells has about as many rows as in the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from typing_extensions import Self, override

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.parsing import Number, double, exact, nearest
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.cells import Cells, Shape
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.error_bounds import ErrorBound, kept
from dpdesigner.core.synthetic.method_comparison import EpsilonCurve
from dpdesigner.core.synthetic.regions import (
    MOST_BITS,
    Rectangle,
    SyntheticGrid,
    grid_counts,
    grid_epsilon_curve,
    grid_error_bound,
    make_grid,
    square_shape,
    worst_errors,
    worst_rectangle,
)
from dpdesigner.data.columns import number_columns, resolved
from dpdesigner.data.grid import tabbed
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.answer import Given
from dpdesigner.studies.base import Action, Answer, DeclaredDesign, Panel, View, ViewValue, Why
from dpdesigner.studies.column_inputs import ColumnSpec, complete_pair
from dpdesigner.studies.fields import (
    KEPT,
    Releasing,
    choice,
    column,
    declare,
    how_private,
    how_sure,
    number,
    power,
    real_errors,
    seed,
)
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Landing, Line, Mark, draggable_box
from dpdesigner.studies.snapshot import SideJob
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import error_against_epsilon, left_out, releases
from dpdesigner.studies.synthetic.design import inside
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence, Table

_FARTHEST = 10**12
_FILE = "example:survey_1996.csv"
AGES, INCOMES = ColumnSpec(_FILE, "age"), ColumnSpec(_FILE, "income_class")
_WAYS = {"laplace": message("Cell by cell"), "hierarchy": message("Hierarchy")}
_MADE: Role = "main"
_REAL: Role = "truth"
_RIVAL: Role = "rival"
_SIDES = "left", "right", "bottom", "top"
TOUCHED = 2  # cells of a level that a replaced row changes


def _end(label: str, default: int) -> Number:
    """Declare an end of an axis."""
    ends, note = number(-_FARTHEST, _FARTHEST), message("The axis ends below this number") if default else ""
    return declare(ends, default=default, label=label, note=note, joined=True)


class RectangleDesign(Releasing, DeclaredDesign):
    """Two synthetic columns whose rectangle counts are near those of two real ones; the number of rows is public.

    Parameters
    ----------
    first, second : array_like, path or {"path": FILE, "column": NAME}
        One number per row each, of the same rows. With ``"partial": True`` rows of a file without a number are left out.
    low, high, low2, high2 : Number
        The ends of both axes, fixed in advance.
    bits : int
        There are 2^bits cells along each axis.
    epsilon : Number
        Of both columns together; a row is replaced by any other.
    delta : Number
        The probability that the error of a rectangle exceeds the error bound.
    method : {"laplace", "hierarchy"}
    seed : int or None
        For study only; None draws from the system's entropy.
    real_errors : {"kept", "published"}
        Whether the error of the worst rectangle, computed from the real columns, goes into files; that is not private.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.RectangleDesign([1, 2, 3, 3] * 50, second=[1, 1, 2, 3] * 50, epsilon=1, high=4, high2=4, bits=2))
    >>> found.counts.shape, int(found.counts.sum())
    ((4, 4), 200)
    """

    kind: ClassVar[str] = "rectangle"
    drawn_part: ClassVar[str] = "grid"
    views: ClassVar[tuple[View, ...]] = (
        View("rows", message("Rows"), ("rows", "releases")),
        View("made", message("Synthetic"), ("made",)),
        View("off", message("Errors"), ("off",)),
    )
    #: The chosen rectangle; whether more releases are shown, and how often rows were drawn again.
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {**dict.fromkeys(_SIDES), "many": False, "draws": 0}
    buttons: ClassVar[tuple[Action, ...]] = (
        statements.TIMES_100,
        Action(
            message("Worst rectangle"),
            lambda now: dict.fromkeys(_SIDES),
            message("Show the rectangle with the largest error"),
            "W",
            on="rows",
            offered=lambda now: now.design.kind == "rectangle",
            presented=True,
        ),
    )
    beside_views: ClassVar[tuple[str, ...]] = ("against",)
    side_jobs = (
        replace(statements.MANY, when=lambda now: True),
        SideJob(
            "curve",
            lambda answer, progress: answer.find_curve(progress),
            lambda now: now.answer.curve is None,
            title=message("errors"),
            into="curve",
        ),
    )

    first: ColumnSpec = declare(
        column(AGES),
        default=AGES,
        required=True,
        label=message("First column"),
        note=message("This column never leaves your computer. Choose the range of the axis without looking at the data."),
        undo=message("Choose column"),
        says=lambda design: message("Rows without a number are left out. The number left is public." if design.partial else ""),
    )
    low: Number = _end(message("From"), 0)
    high: Number = _end(message("To"), 128)
    second: ColumnSpec = declare(
        column(INCOMES),
        default=INCOMES,
        required=True,
        label=message("Second column"),
        note=message("The same rows as in the first column, in the same order."),
        undo=message("Choose column"),
        says=lambda design: message("The same as the first column." if design.first == design.second else ""),
    )
    low2: Number = _end(message("From"), 0)
    high2: Number = _end(message("To"), 32)
    bits: int = declare(
        power(1, MOST_BITS), default=3, label=message("Cells"), note=message("How many cells each axis has; a power of two")
    )
    epsilon: Number = how_private()
    delta: Number = how_sure("1e-4", joined="method")
    method: str = declare(
        choice(*_WAYS.items()),
        default="laplace",
        label=message("Method"),
        undo=message("Change the method"),
        folded=lambda design: message("Method: {name}", name=_WAYS[design.method]),
    )
    seed: int | None = declare(seed(), default=None, label=message("Seed"), term=message("for study only"), joined=True)
    real_errors: str = real_errors(joined=True)

    if TYPE_CHECKING:  # numbers and data in any of their forms

        def __init__(self, first: Any, *more: Any, **inputs: Any) -> None: ...

    @override
    def check(self) -> None:
        for low, high, field in ((self.low, self.high, "high"), (self.low2, self.high2, "high2")):
            if not exact(low) < exact(high):
                raise InputError(f"the upper end of the axis must be above the lower end, got {low} to {high}.", field)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; the second column follows the first one to another file, and the seed goes."""
        first = changes.get("first")
        if isinstance(first, ColumnSpec) and "second" not in changes and first.path and first.path != self.first.path:
            changes = {"seed": None, **changes, "second": _beside(first)}
        return super().replace(**changes)

    @property
    @override
    def partial(self) -> bool:
        return self.first.partial or self.second.partial

    @override
    def leaving_out(self) -> Self:
        return self.replace(first=replace(self.first, partial=True), second=replace(self.second, partial=True))

    @override
    def read_data(self) -> None:
        real_table(self)

    @property
    def axes(self) -> tuple[Cells, Cells]:
        """The cells of both axes."""
        return Cells(exact(self.low), exact(self.high), self.bits), Cells(exact(self.low2), exact(self.high2), self.bits)

    @property
    def line(self) -> str:
        """The inputs in one line."""
        names = {"first": self.first.title, "second": self.second.title, "size": 1 << self.bits, "epsilon": self.epsilon}
        return message("{first} and {second} · {size} × {size} cells · ε = {epsilon}", **names)

    def shape(self, method: str) -> Shape:
        """Return the shape in which a method counts the cells."""
        return square_shape(self.bits) if method == "hierarchy" else Shape((4**self.bits,))


def _beside(first: ColumnSpec) -> ColumnSpec:
    """Return the next column of numbers in the same file, or the previous one if there is none."""
    names = number_columns(resolved(first.path))
    place = names.index(first.column) if first.column in names else 0
    return ColumnSpec(first.path, next(iter((*names[place + 1 :], *reversed(names[:place]))), first.column))


def real_table(design: RectangleDesign) -> Integers:
    """Return the number of rows in each cell of the grid.

    Raises
    ------
    InputError
        If a column cannot be read, a row has no number or lies in no cell, or the columns are not of the same rows. Suggests
        how many rows would be left out.
    """
    columns = {"first": (design.first, "low", "high"), "second": (design.second, "low2", "high2")}
    try:
        return _table(design.first, design.second, *design.axes, (design.first.changed, design.second.changed))
    except InputError as error:
        for cells, (field, (given, *ends)) in zip(design.axes, columns.items(), strict=True):
            if error.field not in (field, *ends):
                error.others = _refusals(given, cells, field, *ends)
        raise


def _refusals(given: ColumnSpec, cells: Cells, field: str, low: str, high: str) -> tuple[InputError, ...]:
    """Return why one of the columns is refused, if it is."""
    try:
        inside(given, cells, low, high)
    except InputError as error:
        if error.field in (low, high):
            return (error,)
        return (InputError(str(error), field, str(given.incomplete or "")),)
    return ()


@lru_cache(maxsize=4)
def _table(first: ColumnSpec, second: ColumnSpec, along: Cells, across: Cells, changed: tuple[int, int]) -> Integers:
    first, second = complete_pair(first, second)
    table = grid_counts(along, across, inside(first, along, "low", "high"), inside(second, across, "low2", "high2"))
    table.flags.writeable = False
    return table


WHY = Why(
    message(
        "<b>Privacy.</b> A replaced row leaves one cell and enters another, so two counts of each level change by 1. The "
        "release has ε = {epsilon}.\n\n<b>From noisy counts to rows.</b> Noisy counts can be negative. The synthetic rows are "
        "the nearest table without negative counts: all counts are lowered by the same amount, those below 0 become 0, and the "
        "rest are rounded.\n\n<b>The error bound</b> applies to these rows and to every rectangle: {value}, except with the "
        "failure probability. It is computed from many simulated noises, each with the least favourable real "
        "rows, so it does not depend on the data. For most data the error is smaller."
    ),
    sources=message("Least squares in a hierarchy: M. Hay et al. (2010). All rectangles are searched by their pairs of rows."),
    help="synthetic#two-columns",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RectangleAnswer(Answer):
    """Two synthetic columns.

    Attributes
    ----------
    design : RectangleDesign
    counts : ndarray of int
        (2^bits, 2^bits): the synthetic counts, the first column downwards.
    synthetic : ndarray
        (rows, 2): the synthetic columns, in the units of the real ones.
    grid : SyntheticGrid
        How they were made.
    real : ndarray of int
        The real table: for its owner.
    bounds : mapping of ErrorBound
        The error bounds of all methods, by their keys; they do not depend on the data.
    more : mapping of ndarray, or None
        (releases,): the worst errors of more releases by each method, for the owner.
    curve : EpsilonCurve or None
        The error bound and the measured error at other epsilons, for the owner.
    """

    design: RectangleDesign
    grid: SyntheticGrid
    real: Integers
    bounds: Mapping[str, ErrorBound]
    more: Mapping[str, Floats] | None = None
    curve: EpsilonCurve | None = None

    def many(self, progress: Progress) -> Mapping[str, Floats]:
        """Return the worst errors of many more releases by each method."""
        budget = self.design.budget
        return {key: worst_errors(self.real, self.design.shape(key), budget, TOUCHED, progress) for key in _WAYS}

    def find_curve(self, progress: Progress) -> EpsilonCurve:
        """Return the error bound and the typical error at a range of epsilons."""
        known, design = _curves(self.design), self.design
        if not known:
            known.append(grid_epsilon_curve(self.real, design.shape(design.method), double(design.delta), TOUCHED, progress))
        return known[0]

    @property
    def counts(self) -> Integers:
        """(2^bits, 2^bits): the synthetic counts, with the first column downwards."""
        return self.grid.counts

    @property
    def cells_compared(self) -> Floats:  # noqa: D102  (as in `Outcome`)
        return self.counts.astype(float)

    @cached_property
    def synthetic(self) -> Floats:
        """(rows, 2): the synthetic columns, in the units of the real ones."""
        along, across = self.design.axes
        first, second = np.divmod(np.repeat(np.arange(self.counts.size), self.counts.ravel()), across.size)
        return np.column_stack([along.places[first], across.places[second]])

    @cached_property
    def worst(self) -> Rectangle:
        """The rectangle of synthetic rows with the largest error; for the owner."""
        return worst_rectangle(self.grid.counts - self.real)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels; the measured error is for the owner."""
        chosen = self.chosen(view)
        panels: list[Panel] = [self._both(chosen, view.get("draws"))]
        if view.get("many"):
            here = abs(round(self.worst.error))
            bound = self.bounds[self.design.method].rows
            if useless := bound is None or bound >= self.real.sum():
                bound = None
            more = releases(None if self.more is None else self.more[self.design.method], here, bound)
            loose = message("no useful bound") if useless else message("{hint}, the bound for any data", hint=more.hint)
            panels.append(more if self.more is None and not useless else replace(more, hint=loose))
        made = message("Synthetic rows per cell")
        panels.append(Plot("made", made, *self._axes, tuple(self._dots(self.counts, message("synthetic"), _MADE, self._cell))))
        if view.get("view") == "off":
            panels.append(self._errors(chosen))
        if view.get("view") != "made":  # where no rectangle is shown
            panels.append(Sentence(self._told(chosen), secret=True))
        panels.append(self._ways())
        if self.curve is not None:
            panels.append(self._against(self.curve))
        return panels if view.get("view") else [*panels, _rows(self)]  # of each cell, for files

    def in_view(self, view: Mapping[str, Any]) -> RectangleAnswer:
        """Return the answer for the header, whose sentence also has the error of this release, for the owner."""
        rows = group_thousands(abs(round(self.worst.error)))
        return replace(self, sentence=message("{bound} This time: within {rows}.", bound=self.sentence, rows=rows))

    def chosen(self, view: Mapping[str, Any]) -> Rectangle:
        """Return the chosen rectangle; by default the worst one."""
        cells = [each for each in self.design.axes for _ in range(2)]
        own, spans = (*self.worst.rows, *self.worst.columns), list[tuple[int, int]]()
        at = [
            cells[k].nearest_edge(view[name]) if isinstance(view.get(name), (int, float)) else own[k]
            for k, name in enumerate(_SIDES)
        ]
        for low, high in (sorted(at[:2]), sorted(at[2:])):
            low = min(low, cells[0].size - 1)
            spans.append((low, max(high, low + 1)))
        (top, bottom), (left, right) = spans
        return Rectangle(spans[0], spans[1], float((self.counts - self.real)[top:bottom, left:right].sum()))

    @property
    def _axes(self) -> tuple[Axis, Axis]:
        given = zip((self.design.first, self.design.second), self.design.axes, strict=True)
        one, other = (Axis(statements.spoken(each.title), limits=(float(cells.low), float(cells.high))) for each, cells in given)
        return one, other

    def _dots(
        self, counts: Integers, name: str, role: Role, said: Callable[[int, int], str], most: int = 0, secret: bool = False
    ) -> list[Line]:
        """Return a dot for each cell with rows, the area their number; the largest has `most`, by default the synthetic ones."""
        along, across = self.design.axes
        most = most or max(int(self.counts.max()), 1)  # and not that of the real rows, which would show in the published dots
        i, r = np.nonzero(counts)
        if not i.size:
            return []
        x, y = along.edges[i] + float(along.width) / 2, across.edges[r] + float(across.width) / 2
        sizes, texts = 0.42 / along.size * np.sqrt(counts[i, r] / most), tuple(map(said, i.tolist(), r.tolist()))
        return [Line(x, y, name, role, short=" ", dots=True, sizes=sizes, texts=texts, secret=secret)]

    def _errors(self, chosen: Rectangle) -> Plot:
        """Show the error of each cell as a dot of that area, for the owner, and the rectangle."""
        off = self.counts - self.real
        most = max(int(abs(off).max()), 1)
        more = self._dots(np.maximum(off, 0), message("too many"), _MADE, self._off, most, secret=True)
        less = self._dots(np.maximum(-off, 0), message("too few"), "other", self._off, most, secret=True)
        title, hint = message("Error per cell, up to {most} rows", most=most), message("blue: too many · orange: too few")
        lines, _ = self._rectangle(chosen)  # without its error, which is in the sentence
        return Plot("off", title, *self._axes, (*more, *less, *lines), hint=hint)

    def _rectangle(self, chosen: Rectangle) -> tuple[tuple[Line, ...], Mark]:
        """Return a rectangle that can be dragged, with its error."""
        x_ends, y_ends = (
            np.array([float(cells.edge(end)) for end in ends])
            for cells, ends in zip(self.design.axes, (chosen.rows, chosen.columns), strict=True)
        )
        name = statements.allowed(abs(round(chosen.error)), self.bounds[self.design.method].rows, int(self.real.sum()))
        axes = [(float(cells.low), float(cells.high), float(cells.width)) for cells in self.design.axes]
        return draggable_box(axes, x_ends, y_ends, _SIDES), Mark(x_ends[1], y_ends[1], name, secret=True)

    def _both(self, chosen: Rectangle, draws: object) -> Plot:
        """Show the rows of each cell as a dot of that area, the real ones as rings for the owner, and a rectangle."""
        made = self._dots(self.counts, message("synthetic"), _MADE, self._off)
        real = self._dots(self.real, message("real"), _REAL, self._off, secret=True)
        lines, mark = self._rectangle(chosen)
        parts: dict[str, Any] = {"hint": message("rings: real"), "landing": Landing((), of=draws, bars=True)}
        return Plot("rows", message("Rows"), *self._axes, (*made, *real, *lines), (mark,), **parts)

    @cached_property
    def given(self) -> Given:
        """The synthetic columns, which are given away."""
        design, total = self.design, group_thousands(int(self.counts.sum()))
        x, y = (Axis(limits=(float(cells.edge(0)), float(cells.edge(cells.size))), ticks=()) for cells in design.axes)
        dots = tuple(replace(line, texts=()) for line in self._dots(self.counts, "", _MADE, self._cell))
        plot = Plot("given", "", x, y, dots, room=10)
        what = message("the synthetic columns “{one}” and “{other}”", one=design.first.title, other=design.second.title)
        size, note = message("{rows} rows", rows=total), statements.publication(design)
        stated = partial(statements.statement_in_brief, design, self.sentence)
        return Given(what, size, note, plot, self._lines, stated, design.seed is not None)

    def _lines(self) -> str:
        rows = ((f"{one:.15g}", f"{other:.15g}") for one, other in self.synthetic.tolist())
        return tabbed([(self.design.first.title, self.design.second.title), *rows]) + "\n"

    def _ways(self) -> Ranking:
        """Compare the error bounds of both methods and, for the owner, their typical errors; a click chooses a method."""
        rows, public, total = list[Rank](), list[Rank](), int(self.real.sum())
        for key, name in _WAYS.items():
            bound, role = self.bounds[key].rows, _MADE if key == self.design.method else _RIVAL
            useful = bound is not None and bound < total
            none = "" if useful else message("no bound") if bound is None else message("no useful bound")
            public.append(Rank(name, bound if useful else None, role, text=none))
            typical = None if self.more is None else float(np.median(self.more[key]))
            second = "…" if typical is None else f"{statements.measured_percent(typical, total)}%"
            text = f"{statements.percent(bound, total)}%" if bound is not None and useful else message("none")
            rows.append(Rank(name, bound if useful else None, role, key=key, text=text, second=second))
        instead = Ranking("ways", message("Error bounds"), tuple(public))
        title, head, method = message("Which method?"), message("typical (yours)"), self.design.method
        return Ranking("ways", title, tuple(rows), "method", method, head, secret=True, instead=instead)

    def _against(self, curve: EpsilonCurve) -> Plot:
        """Plot the errors against epsilon; at that of the design they are those of the comparison."""
        here, total, method = self.design.privacy.epsilon, int(self.real.sum()), self.design.method
        typical = None if self.more is None else float(np.median(self.more[method]))
        curve = curve.through(here, self.bounds[method].rows, typical)
        return error_against_epsilon(curve, here, total, total, secret=True)

    def _sides(self, rows: tuple[int, int], columns: tuple[int, int]) -> dict[str, str]:
        """Return the sides of a rectangle of cells in words."""
        first, second = statements.spoken(self.design.first.title), statements.spoken(self.design.second.title)
        along, across = self.design.axes
        return {"one": _stretch(first, along, *rows), "other": _stretch(second, across, *columns)}

    def _cell(self, i: int, r: int) -> str:
        made = int(self.counts[i, r])
        return message("{one}, {other}: {made} synthetic", **self._sides((i, i + 1), (r, r + 1)), made=made)

    def _off(self, i: int, r: int) -> str:
        return message("{cell}, {real} real", cell=self._cell(i, r), real=int(self.real[i, r]))

    def _told(self, chosen: Rectangle) -> str:
        (top, bottom), (left, right) = chosen.rows, chosen.columns
        sides, size = self._sides(chosen.rows, chosen.columns), 1 << self.design.bits
        where: str = message("{one} and {other}", **sides)
        if size in (bottom - top, right - left):  # the whole of an axis needs no words
            where = sides["one"] if right - left == size else sides["other"]
        text = message(
            "{where}: real {real}, synthetic {made}.",
            where=where,
            real=group_thousands(int(self.real[top:bottom, left:right].sum())),
            made=group_thousands(int(self.counts[top:bottom, left:right].sum())),
        )
        worst = abs(round(self.worst.error))
        more = message("{text} The worst error is {rows}.", text=text, rows=group_thousands(worst))
        return text if abs(round(chosen.error)) == worst else more


def _stretch(name: str, cells: Cells, low: int, high: int) -> str:
    ends = {"low": f"{nearest(cells.edge(low)):.6g}", "high": f"{nearest(cells.edge(high)):.6g}"}
    return message("{name} {low} to below {high}", name=name, **ends)


def _rows(answer: RectangleAnswer) -> Table:
    """Return synthetic and noisy counts, with a row for each cell."""
    along, across = answer.design.axes
    rows = tuple(
        (f"{along.places[i]:g}", f"{across.places[r]:g}", str(int(answer.counts[i, r])), f"{answer.grid.table[i, r]:.6g}")
        for i, r in np.ndindex(answer.counts.shape)
    )
    header = (answer.design.first.title, answer.design.second.title, message("synthetic"), message("noisy"))
    note = message("Noisy counts can be negative. The error bound applies to the synthetic rows.")
    return Table("counts", message("Output"), header, rows, note)


def _curves(design: RectangleDesign) -> list[EpsilonCurve]:
    """Return a list with the curve of errors against epsilon once it is computed, the same list for every seed and epsilon."""
    same = design.replace(epsilon=1, seed=None, real_errors=KEPT, name="")
    return cast("list[EpsilonCurve]", kept("rectangle", same, design.first.changed, design.second.changed))


def run(design: RectangleDesign, progress: Progress = silent, kept: SyntheticGrid | None = None) -> RectangleAnswer:
    """Make both columns, or take kept ones, and compute their error bounds."""
    real = real_table(design)
    made = kept or make_grid(real, design.shape(design.method), design.budget, TOUCHED, source_of(design.seed))
    promises = {method: _promise(design, method, progress) for method in ("laplace", "hierarchy")}
    answer = RectangleAnswer(
        design=design,
        findings={},
        badge=design.badge(),
        checks=design.checks(design.private(message(", n public"))),
        why=WHY,
        grid=made,
        real=real,
        bounds=promises,
        curve=next(iter(_curves(design)), None),
    )
    return replace(answer, findings=_findings(answer, promises), sentence=_sentence(answer, promises[design.method]))


def _promise(design: RectangleDesign, method: str, progress: Progress) -> ErrorBound:
    shape = design.shape(method)
    alpha = shape.level_privacy(design.budget, TOUCHED).alpha
    return grid_error_bound(shape, design.bits, alpha, double(design.delta), progress)


def _sentence(answer: RectangleAnswer, promise: ErrorBound) -> str:
    design, total, size = answer.design, int(answer.real.sum()), 1 << answer.design.bits
    if promise.rows is None:
        return message(
            "{total} synthetic rows. There is no error bound for this small a failure probability.", total=group_thousands(total)
        )
    if 2 * promise.rows >= total:
        return statements.too_few(design, message("a rectangle"), promise.rows, total)
    return message(
        "All {rectangles} rectangles are within {rows} of {total} rows ({share}%) of the truth {often}.",
        rectangles=group_thousands((size * (size + 1) // 2) ** 2),
        rows=group_thousands(promise.rows),
        total=group_thousands(total),
        share=statements.percent(promise.rows, total),
        often=statements.sureness(design.delta),
    )


def _findings(answer: RectangleAnswer, promises: Mapping[str, ErrorBound]) -> dict[str, Finding]:
    total = int(answer.real.sum())
    here = promises[answer.design.method]
    able = [method for method, promise in promises.items() if promise.rows is not None]
    best = min(able, key=lambda method: promises[method].rows or total, default=None)
    share, why = None, "" if best else message("no method has an error bound here")
    none, exceeds = message("no error bound for this small a failure probability"), message("the noise may exceed the rows")
    note = none if here.rows is None else exceeds
    if here.rows is not None and here.rows < total:
        share = here.rows / total
        note = message("{rows} of {total} rows", rows=group_thousands(here.rows), total=group_thousands(total))
    measured = abs(answer.worst.error) / max(total, 1)
    return {
        "value": Finding(message("error bound"), share, digits=3, rounding="up", state="measured", note=note, share=True),
        "worst-error": Finding(message("measured error"), measured, digits=2, share=True, secret=not answer.design.tells),
        "recommended": Finding(message("best method here"), _WAYS[best] if best else None, note=why),
        "epsilon": answer.design.of_epsilon(message("a row is replaced")),
        "rows": Finding(message("rows"), total),
        **(left_out(len(answer.design.first.numbers()) - total) if answer.design.partial else {}),
    }
