"""Numbers of rows required by the theorems on synthetic databases, for any domain and class of queries; or what rows allow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import ceil, floor, inf, log, log10
from typing import Any, ClassVar

import numpy as np
from typing_extensions import Self, override

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import ZONE_LIMITS
from dpdesigner.core.basics.parsing import Number, double, exact, exact_text, nearest
from dpdesigner.core.basics.rounding import about, figure, group_thousands, raised, rounded_up, size_text
from dpdesigner.core.synthetic import error_bounds as sizes
from dpdesigner.core.synthetic.error_bounds import ExplicitSizes, QueryClass, Size
from dpdesigner.core.synthetic.net import MOST_DATABASES
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel, Why
from dpdesigner.studies.fields import (
    DeclaredInput,
    Releasing,
    ValuesInput,
    choice,
    declare,
    how_near,
    how_private,
    how_sure,
    number,
    percent_sure,
    whole_number,
)
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.number_inputs import LEAST_EPSILON, MOST_EPSILON
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plain_language import ZONES
from dpdesigner.studies.plot_parts import Axis, Drag, Handle, Line, Mark, epsilon_handle
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic.net_design import MOST_POINTS
from dpdesigner.studies.table_panels import Rank, Ranking, Table

_GLOSSES = {
    "each column": message("One share of “yes” for each yes/no column"),
    "cells": message("All cells of the table of yes/no columns"),
    "intervals": message("All ranges of one ordered column"),
    "thresholds": message("All ranges that start at the lowest value"),
    "conjunctions": message("Yes/no columns joined by “and”, each as yes or as no"),
    "monotone conjunctions": message("Yes/no columns joined by “and”, each as yes"),
    "other": message("Any class, by its number of queries and its VC dimension"),
}
EXAMPLES = {
    "each column": message("“How many smoke?”"),
    "cells": message("“How many smoke, have a dog and have no cat?”"),
    "intervals": message("“How many are 30 to 45?”"),
    "thresholds": message("“How many are younger than 45?”"),
    "conjunctions": message("“How many smoke and have no dog?”"),
    "monotone conjunctions": message("“How many smoke and have a dog?”"),
}
_METHODS = {"database": message("synthetic database"), "counts": message("noise")}
_BY = {"database": message("with a synthetic database"), "counts": message("by adding noise to each count")}
_BY |= {"answers": message("by adding noise to each answer")}
_CAPITAL = {"database": message("A synthetic database"), "counts": message("Noise on each count")}
_CAPITAL |= {"answers": message("Noise on each answer")}
_THEORY = {"database": message("{method} (in theory only: too large to draw)")}
_THEORY |= {"counts": message("{method} (in theory only: too many counts)")}
_BOTH = message("Error and ε for my rows")
_SOURCES = {"database": message("[BLR] Theorem 3.6, corrected"), "counts": message("[DMNS06], Chernoff’s bound")}
_SOURCES |= {"answers": message("[DMNS06], union bound")}
_FIRST = {
    "rows": message("<b>{rows} rows are enough at ε = {epsilon} ({sure}% sure): {all} within {error} of the rows.</b>"),
    "error": message("<b>With {rows} rows at ε = {epsilon}, errors are at most {error} of the rows ({sure}% sure): {all}.</b>"),
    "epsilon": message("<b>With {rows} rows, ε = {epsilon} ({zone} privacy) is enough ({sure}% sure): {all} within {error}.</b>"),
    "few": message("<b>{few} too few to be useful; {least} allow an error of {error} at ε = {epsilon} ({sure}% sure).</b>"),
}
_OTHER = {
    "rows": message("{method} would need {value}."),
    "error": message("{method} promises {value}."),
    "epsilon": message("{method} would need ε = {value}."),
    "useless": message("{method} promises nothing useful; always answering 50% is as good."),
}
_SAMPLING = message(
    "Errors are against your rows, not the population: a simple random sample of {rows} adds at most about ±{points} "
    "points to any one share (95%)."
)
_CELL = message("An average cell holds 1 in {points} rows: an error of {error} says little about single cells.")
_PLAN = message("✓ proved: {rows} rows, ε = {epsilon}: all errors within {error} of the rows, {sure}% sure")
_LEVERS = {"rows": message("What saves rows?"), "error": message("What lowers the error?"), "epsilon": message("What lowers ε?")}
_MOST_ROWS, _MOST_COLUMNS = 10**15, 332
#: The window's input of the domain for conjunctions; files and scripts have its number of points.
COLUMNS = DeclaredInput(
    whole_number(1, _MOST_COLUMNS, symbol="d", slide=(1, 30)),
    message("Yes/no columns"),
    note=message("Each row has a yes or no in every column."),
    undo=message("Change the number of columns"),
    when=lambda design: design.of_columns,
    key="columns",
)
_TICKS = tuple((float(f"{x}e{power}"), f"{float(f'{x}e{power + 2}'):g}%") for power in range(-6, 0) for x in (1, 2, 5))


class SizesAnswer(Answer):
    """Numbers of rows: the window shows those of the plan, files the theorems too.

    Attributes
    ----------
    design : SizesDesign
    """

    @override
    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        return [panel for panel in super().panels_in(view) if "view" not in view or panel.key not in ("sizes", "theorems")]


class SizesDesign(Releasing, DeclaredDesign):
    """The number of rows that the theorems require, for a domain and a class of queries.

    Parameters
    ----------
    points : Number
        |X|, the size of the domain.
    queries : {"each column", "cells", "intervals", "thresholds", "conjunctions", "monotone conjunctions", "other"}
        The class; yes/no columns are the log2 |X| bits, rounded up.
    class_size, dimension : Number, int
        |C| and the VC dimension of another class.
    epsilon, error, delta : Number
        Privacy, the error aimed for as a share of the rows (α in the paper), and the probability of missing it.
    find : {"rows", "error", "epsilon"}
        What follows from the other two; the error and epsilon are rounded up.
    rows : int
        The number of real rows, if it is given.
    method : {"better", "database", "counts"}
        A synthetic database, noise on the count of each possible row or query, or the better one that can be run.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.SizesDesign(points=64, epsilon=1, error="1/5"))
    >>> found.findings["small-database-stated"].value, found.findings["small-database"].value
    (192, 105)
    """

    kind: ClassVar[str] = "sizes"
    exports_idle = False
    spent, data_name = None, ""  #: nothing is released, and there are no rows
    points: Number = declare(
        ValuesInput(2, "1e100", scale="log", symbol="|X|", slide=(2, "1e12")),
        default=64,
        required=True,
        label=message("Possible values"),
        note=message("The number of different rows that a person could have. The ages 18 to 90 are 73."),
        undo=message("Change the domain"),
    )
    queries: str = declare(
        choice(
            ("each column", message("each column")),
            ("cells", message("cells")),
            ("intervals", message("intervals")),
            ("thresholds", message("thresholds")),
            ("conjunctions", message("combinations")),
            ("monotone conjunctions", message("yes combinations")),
            ("other", message("other…")),
            tips=_GLOSSES,
        ),
        default="intervals",
        label=message("Queries"),
        undo=message("Change the class"),
        says=lambda design: EXAMPLES.get(design.queries, ""),
    )
    class_size: Number = declare(
        number(1, "1e300", scale="log", symbol="|C|", slide=(1, "1e12")),
        default=1000,
        label=message("Number of queries"),
        when=lambda design: design.queries == "other",
    )
    dimension: int = declare(
        whole_number(1, sizes.MOST_DIMENSION, symbol="VC", slide=(1, 100)),
        default=5,
        label=message("VC dimension"),
        term=message("of the class"),
        when=lambda design: design.queries == "other",
    )
    find: str = declare(
        choice(("rows", message("how many rows")), ("error", message("what error")), ("epsilon", message("what ε"))),
        default="rows",
        label=message("I want to know"),
        undo=message("Change the question"),
        aside=True,
    )
    epsilon: Number = how_private(when=lambda design: design.find != "epsilon")
    rows: int = declare(
        whole_number(1, _MOST_ROWS, scale="log", symbol="n", slide=(100, 10**8)),
        default=100_000,
        label=message("My rows"),
        undo=message("Change the number of rows"),
        when=lambda design: design.find != "rows",
        joined="find",
    )
    error: Number = how_near("0.1", when=lambda design: design.find != "error", joined="find", least="0.0001%")
    method: str = declare(
        choice(("better", message("the better one")), *_METHODS.items()),
        default="better",
        label=message("Method"),
        note=message("The better one needs fewer rows, if both can be run."),
        undo=message("Change the method"),
        aside=True,
        joined="find",
    )
    delta: Number = how_sure(joined="find")

    @override
    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; yes/no columns have a power of 2 as their number of possible rows."""
        if "columns" in changes:
            changes["points"] = 2 ** COLUMNS.input.read(changes.pop("columns"), "columns", {})
        elif {"points", "queries"} & {*changes} and changes.get("queries", self.queries) in sizes.OF_COLUMNS:
            changes["points"] = 2 ** min(sizes.columns_of(double(super().replace(**changes).points)), _MOST_COLUMNS)
        try:
            return super().replace(**changes)
        except InputError as error:
            raise sizes.of_class_size(error, self.dimension) if "class_size" in changes else error from None

    @property
    def beside_views(self) -> tuple[str, ...]:  # type: ignore[override]
        """The curve that does not have what is looked for stands at the right."""
        return ("plan",) if self.find == "epsilon" else ("privacy",)

    @property
    def of_columns(self) -> bool:
        """True if the queries are on yes/no columns."""
        return self.queries in sizes.OF_COLUMNS

    @property
    def columns(self) -> int:
        """The number of yes/no columns with at least this many possible rows."""
        return sizes.columns_of(double(self.points))

    @override
    @classmethod
    def asked(cls) -> Sequence[DeclaredInput]:
        known = {each.key: each for each in cls.inputs()}
        points = replace(known.pop("points"), when=lambda design: not design.of_columns)
        return known.pop("find"), known.pop("queries"), COLUMNS, points, *known.values()

    @property
    def line(self) -> str:
        """The inputs in one line."""
        given = {
            "rows": message("{rows} rows", rows=group_thousands(self.rows)),
            "epsilon": message("ε = {epsilon}", epsilon=self.epsilon),
            "error": message("error {alpha}", alpha=f"{_short(100 * exact(self.error))}%"),
        }
        (one, other), queries = (given[key] for key in given if key != self.find), self.input_named("queries").summary(self)
        if self.queries == "other":
            queries = message("{queries} queries of VC dimension {dimension}", queries=self._class_size, dimension=self.dimension)
        domain = message("{points} possible values", points=size_text(double(self.points)))
        if self.of_columns:
            domain = message("{columns} yes/no columns", columns=self.columns)
        return message("{domain} · {queries} · {one} · {other}", domain=domain, queries=queries, one=one, other=other)

    @property
    def query_class(self) -> QueryClass:
        """The number of queries in the class, and its dimension."""
        if self.queries == "other":
            return sizes.other_class(double(self.class_size), self.dimension, double(self.points))
        return sizes.query_class(self.queries, double(self.points), self.columns)

    @property
    def _class_size(self) -> str:
        """The number of queries in words: a power where it is very long."""
        if (queries := self.query_class.queries) >= 1e9 and self.of_columns:
            return f"{3 if self.queries == 'conjunctions' else 2}{raised(self.columns)}"
        return size_text(queries)

    def sizes(self, alpha: float) -> tuple[Size, Size, ExplicitSizes]:
        """Return the sizes by Lemma 3.7, Theorem 3.6, and the theorems on dimensions, at a target error."""
        points, queries, given = double(self.points), self.query_class, (self.privacy.epsilon, alpha, double(self.delta))
        small, few = sizes.net_size(queries.queries, alpha), sizes.class_size(points, queries.queries, *given)
        return small, few, sizes.explicit_sizes(points, queries.dimension, *given)

    def rows_for(self, alpha: float, epsilon: float | None = None, method: str = "") -> float:
        """Return the number of real rows that are enough for an error, by a method or that of the design; not rounded."""
        given = double(self.points), self.query_class, epsilon or self.privacy.epsilon, alpha, double(self.delta)
        noise = not method and self.method == "better" and self.runs("counts", alpha) and not self.runs("database", alpha)
        return sizes.enough_rows("counts" if noise else method or self.method, *given)

    def runs(self, method: str, alpha: float) -> bool:
        """Return whether the noisy numbers of a method can be published, or its small databases listed."""
        if method == "counts":
            return (self.query_class.queries if self.on_answers else double(self.points)) <= sizes.MOST_COUNTS
        small, points = int(sizes.net_size(self.query_class.queries, alpha / 2).right) + 1, double(self.points)
        return points <= MOST_POINTS and sizes.log_multisets(points, small) < log(MOST_DATABASES)

    def _named(self, method: str, names: Mapping[str, str]) -> str:
        name = names["answers" if method == "counts" and self.on_answers else method]
        return name if self.runs(method, double(self.error)) else message(_THEORY[method], method=name)

    @property
    def sampling(self) -> str:
        """A sentence on what the error leaves out: 0.98 / sqrt(n), the 95% margin of one share of a simple random sample."""
        rows = int(self.found_to(3)) if self.find == "rows" else self.rows
        return message(_SAMPLING, rows=group_thousands(rows), points=f"{rounded_up(98 / rows**0.5, 2):f}")

    @property
    def used(self) -> str:
        """The method that is used: of a design that is solved, the better one that can be run if it may choose."""
        usable = [each for each in _METHODS if self.runs(each, double(self.error))] or _METHODS
        return min(usable, key=partial(self.rows_for, double(self.error), 1.0)) if self.method == "better" else self.method

    @property
    def on_answers(self) -> bool:
        """True if noise is on the answers, because the counts of all possible rows would need more of it, or are too many."""
        return sizes.least_noise(double(self.points), self.query_class, 1, double(self.delta))[2]

    @override
    def check(self) -> None:
        _ = self.query_class  # which refuses a dimension that is too large

    @property
    def too_few(self) -> bool:
        """True if the rows are enough for no error or epsilon."""
        loosest = (0.99, None) if self.find == "error" else (double(self.error), float(MOST_EPSILON))
        return self.find != "rows" and self.rows < ceil(self.rows_for(*loosest))

    def solved(self) -> Self:
        """Return the design with the least error or epsilon for which its rows are enough, rounded up."""
        return self if self.find == "rows" else self.replace(**{self.find: self.found_to(3)})

    def found_to(self, digits: int) -> Number:
        """Return the least number of rows, error or epsilon that is enough, rounded up to this many digits, or a usual one."""
        if self.too_few:
            return "0.1" if self.find == "error" else "1"
        if self.find == "error":
            return sizes.least_alpha(lambda alpha: self.rows_for(alpha) <= self.rows, digits)
        if self.find == "rows":
            return min(ceil(rounded_up(self.rows_for(double(self.error)), digits)), _MOST_ROWS)
        epsilon = self.rows_for(double(self.error), 1.0) / self.rows  # the rows are proportional to 1 / epsilon
        return f"{max(rounded_up(epsilon * (1 + 1e-12), digits), Decimal(LEAST_EPSILON)).normalize():f}"

    def run(self, progress: Progress = silent) -> Answer:
        """Compute all sizes, and their growth as the target error falls."""
        return self.solved()._answer(self, progress)

    def _answer(self, asked: SizesDesign, progress: Progress) -> Answer:
        """Return the answer to a design that this one, with numbers for all of its inputs, solves."""
        small, few, explicit = needed = self.sizes(double(self.error))
        used, unsafe = self.used, message("in theory: a small database, not private")
        wanted = message("in theory: real rows for one private release, Corollary 3.5")
        rows, (other, size), lacks = ceil(self.rows_for(double(self.error))), self._rival, self.too_few
        kind = "answers" if used == "counts" and self.on_answers else used
        solved: dict[str, Any] = {"digits": 3, "rounding": "up", "note": message("with the given rows"), "state": "proved"}
        values = {
            "rows": about(rows) if self.find == "rows" else group_thousands(self.rows),
            "epsilon": self.epsilon,
            "error": f"{figure(100 * exact(self.error), 3)}%",
            "sure": f"{percent_sure(self.delta):f}",
            "method": _CAPITAL[kind],
            "least": about(rows),
            "few": message("1 row is") if self.rows == 1 else message("{rows} rows are", rows=group_thousands(self.rows)),
            "all": message("{by}, all {queries} queries are answered", by=self._named(used, _BY), queries=self._class_size),
            "source": _SOURCES["answers" if used == "counts" and self.queries == "cells" else kind],
            "zone": ZONES[bisect_left(ZONE_LIMITS, self.privacy.epsilon)],
        }
        found = {"error": (message("error"), double(self.error)), "epsilon": (message("privacy ε"), self.privacy.epsilon)}
        findings = {
            **{key: Finding(*found[key], share=key == "error", **solved) for key in found if key == self.find},
            "value": Finding(
                message("enough"),
                rows,
                "rows",
                3 + (rows < 10_000),
                "up",
                "proved",
                note=message("{method} ({source})", **values),
            ),
            "value-stated": Finding(message("Theorem 3.6, as printed"), ceil(few.stated), "rows", note=wanted),
            "small-database": Finding(message("Lemma 3.7, corrected"), int(small.right) + 1, "rows", note=unsafe, state="proved"),
            "small-database-stated": Finding(message("Lemma 3.7, as printed"), ceil(small.stated), "rows", note=unsafe),
            "small-database-dimension": Finding(message("Lemma 3.8, by dimension"), explicit.rows, "rows", note=unsafe),
            "value-dimension": Finding(message("Theorem 3.10, by dimension"), ceil(explicit.needed), "rows", note=wanted),
        }
        if lacks:
            findings[self.find] = Finding(found[self.find][0], None, note=message("no useful answer with so few rows"))
        text = message(_FIRST["few" if lacks else self.find], **values)
        if size is not None:
            (unit, digits), share = ("rows", 3 + (size < 10_000)) if self.find == "rows" else ("", 3), self.find == "error"
            label = message("{method} instead", method=self._named(other, _CAPITAL))
            findings[other] = Finding(label, ceil(size) if unit else size, unit, digits, "up", "proved", share=share)
            which = "useless" if share and size >= 0.5 else self.find
            more = message(_OTHER[which], method=self._named(other, _CAPITAL), value=self._text_of(size))
            if not lacks or (which != "useless" and self.runs(other, double(self.error))):
                text = message("{text} {more}", text=text, more=more)
        proof: dict[str, Any] = {"badge": (message("✓ proved"), "proved"), "checks": (message(_PLAN, **values),)}
        pictures = (*self._plots(rows, progress), self._levers(rows), self._table(*needed))
        why = Why(template="sizes", help="synthetic#sizes")
        return SizesAnswer(asked, findings, pictures, text, why=why, **({} if lacks else proof))

    def _plots(self, rows: int, progress: Progress) -> tuple[Plot, Plot, Plot]:
        """Return the number of rows against the error and against epsilon, and all theorems against the error."""
        error, now = double(self.error), self.privacy.epsilon
        ends = 10.0 ** min(floor(log10(error) + 1e-12), -2), max(error, 0.9)
        grid = np.unique([*np.geomspace(*ends, 25), error])
        curves: list[tuple[float, float, float, float]] = []
        for place, alpha in enumerate(grid.tolist()):
            progress(place / len(grid), "")
            _, few, explicit = self.sizes(alpha)
            curves.append((few.stated, few.right, explicit.needed, self.rows_for(alpha, now, "counts")))
        stated, database, dimension, counts = (np.array(each) for each in zip(*curves, strict=True))
        lines = (
            Line(grid, np.ceil(database), message("Theorem 3.6, corrected")),
            Line(grid, np.ceil(stated), message("as printed"), "rival", dashed=True),
            Line(grid, np.ceil(dimension), message("Theorem 3.10, with constants"), "rival"),
        )
        ticks = tuple(tick for tick in _TICKS if tick[0] > 0.99 * ends[0])[:: 1 if ends[0] > 0.99e-4 else 3]
        x = Axis(message("error, as a share of the rows"), "", "log", (), ends, ticks)
        handle = Handle(error, _error_said(exact(self.error)), "error", says=lambda share: _error_said(exact(share)))
        handle = replace(handle, target="", movable=False) if self.find == "error" else handle
        y = Axis(message("rows"), scale="log", limits=_limits(stated, database, dimension))
        theorems = Plot("sizes", message("Theorems 3.6 and 3.10"), x, y, lines, handles=(handle,))
        levels = np.geomspace(min(0.01, 10.0 ** floor(log10(now))), max(10.0, 10.0 ** ceil(log10(now))), 25)
        levels = np.unique([*levels, now])
        needed = self.rows_for(error) * self.privacy.epsilon / levels
        both = {"database": database, "counts": counts}
        right = np.array([self.rows_for(alpha, now) for alpha in grid.tolist()])
        mine = () if self.find == "rows" else (np.full(1, float(self.rows)),)
        own = _axis(*mine, *(curve * now / level for curve in both.values() for level in (now, 0.1, 10.0)))
        enough = Line(grid, np.ceil(right), message("enough rows"), short=" ")
        both.pop(self.method, None)
        known = message("synthetic") if self.runs("database", error) else message("synthetic (in theory only)")
        grey = [Line(grid, np.ceil(y), _METHODS[k], "rival", thin=True, short=known * (k != "counts")) for k, y in both.items()]
        rows, shown_rows = (rows, about(rows)) if self.find == "rows" else (self.rows, group_thousands(self.rows))
        marks = [Mark(error, float(rows), message("{rows} rows", rows=shown_rows), "main")]
        marks += _read_off([at for at, _ in ticks[::2] if not 0.4 < at / error < 1.6], self.rows_for)
        shown = (enough, _above(enough, own), *grey, *(self._dot(error, self.rows_for) for _ in range(self.find == "error")))
        title = message("Error for my rows") if self.find == "error" else message("Rows and error")
        plan = Plot("plan", title, x, own, shown, tuple(marks), handles=(handle,), under=(self._under,))
        level = epsilon_handle(now) if self.find != "epsilon" else replace(epsilon_handle(now), target="", movable=False)
        dots = [self._dot(self.privacy.epsilon, partial(self.rows_for, error)) for _ in range(self.find == "epsilon")]
        free = [at for at in (0.01, 0.1, 1.0, 10.0) if self.find == "epsilon" and not at / 1.6 < now < at * 3.2]  # of the line
        read = _read_off(free, partial(self.rows_for, error)) + (replace(marks[0], x=now),) * (self.find == "epsilon")
        line, y = Line(levels, np.ceil(needed), message("enough rows"), short=" "), _axis(needed, *mine)
        title, shown = message("ε for my rows" if self.find == "epsilon" else "Rows and ε"), (line, _above(line, y), *dots)
        x = Axis("ε", scale="log", limits=(float(levels[0]), float(levels[-1])))
        private = Plot("privacy", title, x, y, shown, read, handles=(level,), under=plan.under if self.find == "epsilon" else ())
        least = right * now / self.rows  # the epsilon that each error needs with the given rows
        x, y = Axis("ε", scale="log", limits=_limits(least, np.array([now]))), replace(plan.x, label=message("error"))
        errors, line = Line(least[::-1], grid[::-1], message("error"), short=" "), Line(grid, least, "ε", short=" ")
        if self.find == "error":
            private = replace(private, title=_BOTH, x=x, y=y, lines=(errors,), marks=(Mark(now, error),) * (not self.too_few))
        elif self.find == "epsilon":
            plan = replace(plan, title=_BOTH, y=x, lines=(line,), marks=(Mark(error, now),) * (not self.too_few), under=())
        return plan, private, theorems

    def _dot(self, place: float, needed: Callable[[float], float]) -> Line:
        moved, kept = lambda _, __, where: np.array([where]), lambda values, _: str(ceil(needed(float(values[0]))))
        drag = Drag("rows", moved, kept, message("Change the number of rows"), place / 20, cue=message("drag the dot"))
        return Line(np.array([place]), np.array([float(self.rows)]), dots=True, drags=(drag,))

    def _levers(self, rows: int) -> Ranking:
        """Compare what is looked for with what it would be for twice or half of each of the other numbers."""
        (other, size), error, delta, now = self._rival, exact(self.error), exact(self.delta), float(self._found(rows))
        few, least = now == inf, int(rounded_up(rows, 3))
        epsilon = Fraction(f"{self.privacy.epsilon:.4g}")  # ln 2 has no fraction
        tried: list[tuple[Message, dict[str, Any]]] = []
        if few and least <= _MOST_ROWS:
            tried.append((message("{rows} rows", rows=about(rows)), {"rows": least}))
        elif self.find != "rows" and self.rows <= _MOST_ROWS // 2:
            tried.append((message("Twice the rows: {value}", value=group_thousands(2 * self.rows)), {"rows": 2 * self.rows}))
        wide, needs = self.columns * (few and self.of_columns), lambda k: ceil(self.replace(columns=k).rows_for(float(error)))
        most = bisect_left(range(1, wide), self.rows + 1, key=needs)
        tried += [(message("Up to {columns} columns", columns=most), {"points": 2**most})] * (most > 0)
        if self.find != "error" and 2 * error <= Fraction(99, 100):
            tried.append((message("Twice the error: {value}", value=f"{_short(200 * error)}%"), {"error": 2 * error}))
        if self.find != "epsilon" and epsilon <= 10:
            tried.append((message("Twice the ε: {value}", value=_short(2 * epsilon)), {"epsilon": 2 * epsilon}))
        if exact(self.points) >= 4:
            less = message("One column fewer") if self.of_columns else message("Half the possible values")
            tried.append((less, {"points": exact(self.points) / 2}))
        if delta <= Fraction(1, 4):
            tried.append((message("Twice the failure probability: {value}", value=_short(2 * delta)), {"delta": 2 * delta}))
        if size is not None and self.runs(other, double(self.error)):
            tried.append((message("{method} instead", method=self._named(other, _CAPITAL)), {"method": other}))
        bars, taken = list[Rank](), dict[str, dict[str, Any]]()
        for name, changes in ((message("This plan"), dict[str, Any]()), *tried):
            found = self.replace(**changes).solved()._found() if changes else now
            if changes and (found == inf or found > 0.95 * now):  # which saves nothing
                continue
            if key := ", ".join(changes):
                taken[key] = {each: value if each in ("rows", "method") else exact_text(value) for each, value in changes.items()}
            told, known = (self._text_of(found), float(found)) if found < inf else (message("no useful answer"), None)
            bars.append(Rank(name, known, "rival" if changes else "main", key=key, text=told))
        note = message("Click a bar to try it.")
        return Ranking("levers", _LEVERS[self.find], tuple(bars), "design", ends=None if few else now, note=note, changes=taken)

    def _text_of(self, size: float) -> str:
        """Return a number of rows, an error or epsilon, rounded up as the page writes what is looked for."""
        return about(size) if self.find == "rows" else f"{figure(100 * size, 3)}%" if self.find == "error" else figure(size, 3)

    @property
    def _rival(self) -> tuple[str, float | None]:
        """The other method, and what it would need or promise; None if it cannot with these rows."""
        instead = self.replace(method=({*_METHODS} - {self.used}).pop())
        return instead.method, None if instead.too_few else instead.solved()._found()

    @property
    def _under(self) -> str:
        """The caption: the size of what noise publishes, and what the error leaves out."""
        answers = message("One noisy answer to each of {queries} queries, with ε/{queries}.", queries=self._class_size)
        counts = message("One noisy count for each of {points} possible rows.", points=size_text(double(self.points)))
        said = [answers if self.on_answers else counts] if self.used == "counts" else []
        if self.queries == "cells" and double(self.error) * double(self.points) > 1:
            said.append(message(_CELL, points=size_text(double(self.points)), error=f"{_short(100 * exact(self.error))}%"))
        return " ".join((message("Shaded: enough rows."), *said, self.sampling))

    def _found(self, rows: int = 0) -> float:
        known = {"error": double(self.error), "epsilon": self.privacy.epsilon}
        return inf if self.too_few else known.get(self.find) or rows or ceil(self.rows_for(known["error"]))

    def _table(self, small: Size, few: Size, explicit: ExplicitSizes) -> Table:
        points, alpha, queries = double(self.points), double(self.error), self.query_class
        net = sizes.dimension_net(points, queries.dimension, alpha)
        order = sizes.dimension_size(points, queries.dimension, self.privacy.epsilon, alpha, double(self.delta))
        rows = (
            (message("queries"), "", self._class_size),
            (message("VC dimension"), "", str(queries.dimension)),
            (message("database, Lemma 3.7"), group_thousands(ceil(small.stated)), group_thousands(int(small.right) + 1)),
            (message("database, Lemma 3.8"), f"∼ {size_text(net.rows)}", group_thousands(explicit.rows)),
            (message("rows, Theorem 3.6"), size_text(few.stated), about(few.right)),
            (message("rows, Theorem 3.10"), f"∼ {size_text(order.stated)}", size_text(explicit.needed)),
            (message("rows, corrected order"), "", f"∼ {size_text(order.right)}"),
            (message("ln |net|, Theorem 3.9"), f"∼ {size_text(net.log_databases)}", size_text(explicit.log_databases)),
        )
        note = message("[BLR]: Blum, Ligett and Roth, section 3. ∼: without its constant.")
        return Table("theorems", message("Theorems of [BLR]"), ("", message("paper"), message("corrected")), rows, note)


def _limits(*curves: Floats) -> tuple[float, float]:
    return float(min(curve.min() for curve in curves)) / 1.5, float(max(curve.max() for curve in curves)) * 1.5


def _above(line: Line, axis: Axis) -> Line:
    return Line(line.x, np.full_like(line.x, np.nan), low=line.y, high=np.full_like(line.y, (axis.limits or (0, 0))[1]))


def _read_off(places: Sequence[float], needed: Callable[[float], float]) -> tuple[Mark, ...]:
    return tuple(Mark(place, rows, about(rows), "rival") for place in places for rows in (needed(place),))


def _axis(*curves: Floats) -> Axis:
    """Return an axis of numbers of rows that people can read, with ends that stay while one of the curves moves."""
    ends = _limits(*curves)
    inside = [power for power in range(1, 99) if ends[0] <= 10**power <= ends[1]]
    ticks = tuple((10.0**p, group_thousands(10**p) if p < 8 else f"10{raised(p)}") for p in inside[:: -(-len(inside) // 9)])
    return Axis(message("rows"), scale="log", limits=ends, ticks=ticks)


def _error_said(share: Fraction) -> Message:
    return message("error {alpha}", alpha=f"{_short(100 * share)}%")


def _short(value: Fraction) -> str:
    return f"{nearest(value):.4g}"
